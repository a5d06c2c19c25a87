//! The texts of mails with notifications.

mod words;

use askama::Template;
use auth::{Email, Language};
use domain::terms::{self, capitalised};
use jiff::civil::Date;
use teams::{News, PendingMail};
use uuid::Uuid;

use crate::{Mail, ShownName, names::is_plain};

/// Maximum number of notifications that a digest lists.
pub const MAX_ENTRIES: usize = 50;
/// Maximum number of characters of a subject.
const MAX_SUBJECT: usize = 150;

/// Who reads a mail.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    pub to: &'a Email,
    pub language: Language,
    /// Name of the team whose notifications they are, if it may be shown.
    pub team: Option<&'a ShownName>,
    /// Link that ends these mails.
    pub unsubscribe: &'a str,
    /// Address of the API, for links.
    pub api: &'a str,
}

/// A notification in a mail.
struct Entry {
    /// What the subject says, if the mail contains nothing else: names of companies, but no text of a customer.
    subject: String,
    title: String,
    lines: Vec<String>,
    link: Option<String>,
}

#[derive(Template)]
#[template(path = "news.txt")]
struct PlainText<'a> {
    intro: &'a [String],
    entries: &'a [Entry],
    notes: &'a [String],
    words: &'a words::OfEveryMail,
    unsubscribe: &'a str,
}

#[derive(Template)]
#[template(path = "news.html")]
struct Html<'a> {
    language: Language,
    subject: &'a str,
    intro: &'a [String],
    entries: &'a [Entry],
    notes: &'a [String],
    words: &'a words::OfEveryMail,
    unsubscribe: &'a str,
}

/// The mail with one notification. `last_of`: the daily limit, if this is the last mail of the day that it allows.
pub fn notification(
    reader: Reader<'_>,
    id: Uuid,
    pending: &PendingMail,
    last_of: Option<u32>,
) -> Result<Mail, askama::Error> {
    let entry = entry(pending, reader);
    let notes: Vec<String> =
        last_of.map(|it| words::last_today(reader.language, it)).into_iter().collect();
    mail(reader, id, entry.subject.clone(), &[], &[entry], &notes)
}

/// The mail with the notifications since the last digest: the most severe ones first, then the newest, and at most
/// [`MAX_ENTRIES`].
pub fn digest(
    reader: Reader<'_>,
    id: Uuid,
    day: Date,
    pending: &[PendingMail],
) -> Result<Mail, askama::Error> {
    let mut sorted: Vec<&PendingMail> = pending.iter().collect();
    sorted.sort_by_key(|it| std::cmp::Reverse((it.news.severity(), it.created_at)));
    let (number, language) = (sorted.len(), reader.language);
    let entries: Vec<Entry> = sorted.iter().take(MAX_ENTRIES).map(|it| entry(it, reader)).collect();
    let list = format!("{}/v1/notifications", reader.api);
    let more = number - entries.len();
    let notes: Vec<String> =
        (more > 0).then(|| words::and_more(language, more, &list)).into_iter().collect();
    let subject = words::digest_subject(language, number, day);
    mail(reader, id, subject.clone(), &[subject], &entries, &notes)
}

fn mail(
    reader: Reader<'_>,
    id: Uuid,
    subject: String,
    intro: &[String],
    entries: &[Entry],
    notes: &[String],
) -> Result<Mail, askama::Error> {
    let Reader { to, language, team, unsubscribe, .. } = reader;
    let words = &words::of_every_mail(language, team, to);
    let subject = one_line(&subject);
    let text = PlainText { intro, entries, notes, words, unsubscribe }.render()?;
    let html = Html { language, subject: &subject, intro, entries, notes, words, unsubscribe };
    Ok(Mail {
        to: to.clone(),
        html: html.render()?,
        subject,
        text,
        id: Some(id),
        unsubscribe: Some(unsubscribe.to_owned()),
    })
}

/// Names are texts of others: no line breaks in headers, and not too long.
fn one_line(text: &str) -> String {
    let line: String = text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect();
    match line.char_indices().nth(MAX_SUBJECT) {
        Some(_) => line.chars().take(MAX_SUBJECT - 1).chain(['…']).collect(),
        None => line,
    }
}

fn entry(pending: &PendingMail, reader: Reader<'_>) -> Entry {
    let language = reader.language;
    // Searches and subjects have names that customers have chosen.
    let titled = |name: &str, what: String| match is_plain(name) {
        true => (what.clone(), format!("{name}: {what}")),
        false => (what.clone(), what),
    };
    let of_company = |title: String| (title.clone(), title);
    let ((subject, title), lines) = match &pending.news {
        News::Change { uid, company_name, change, published, subject, old_value, new_value } => {
            let title =
                format!("{company_name}: {}", capitalised(language.of(terms::change(*change))));
            let words::OfAChange { published_on, old, new } = words::of_a_change(language);
            let mut lines =
                vec![format!("{uid}, {published_on} {}", words::date(language, *published))];
            lines.extend(subject.clone());
            lines.extend(old_value.as_ref().map(|it| format!("{old} {it}")));
            lines.extend(new_value.as_ref().map(|it| format!("{new} {it}")));
            (of_company(title), lines)
        }
        News::Search { search, name, new, total, companies } => {
            let title = titled(name, words::new_companies(language, *new));
            let mut lines = vec![words::found(language, *search, *total)];
            lines.extend(words::listed(language, companies, *new));
            (title, lines)
        }
        News::Screening { name, new, entries } => {
            let title = titled(name, words::possible_matches(language, *new));
            let mut lines = vec![words::list_updated(language, *new).to_owned()];
            lines.extend(words::listed(language, entries, *new));
            (title, lines)
        }
        News::RiskLevel { uid, company_name, before, after, published } => {
            let level = |it| language.of(risk::terms::level(it));
            let title = format!("{company_name}: {} {}", words::risk(language), level(*after));
            let words::OfAChange { published_on, old, .. } = words::of_a_change(language);
            let day = words::date(language, *published);
            let lines =
                vec![format!("{uid}, {published_on} {day}"), format!("{old} {}", level(*before))];
            (of_company(title), lines)
        }
        News::Test => {
            let (title, line) = words::test(language);
            (of_company(title.to_owned()), vec![line.to_owned()])
        }
    };
    let link = pending.link.as_ref().map(|it| format!("{}{it}", reader.api));
    Entry { subject, title, lines, link }
}

#[cfg(test)]
mod tests {
    use domain::{ChangeKind, typography::misprint};
    use jiff::{SignedDuration, Timestamp, civil::date};
    use risk::RiskLevel;
    use teams::SearchKind;

    use super::*;

    const UNSUBSCRIBE: &str = "https://api.example/api/v1/notifications/unsubscribe?token=x";

    fn change(name: &str, change: ChangeKind, at: i64) -> PendingMail {
        PendingMail {
            notification: Uuid::from_u128(at as u128),
            created_at: Timestamp::UNIX_EPOCH + SignedDuration::from_secs(at),
            link: Some("/v1/companies/CHE-100.000.001/events".into()),
            news: News::Change {
                uid: "CHE-100.000.001".parse().expect("a company number"),
                company_name: name.into(),
                change,
                published: date(2026, 11, 20),
                subject: None,
                old_value: Some("Bau".into()),
                new_value: Some("Handel".into()),
            },
        }
    }

    fn search(new: u64, companies: &[&str]) -> PendingMail {
        let companies = companies.iter().map(|it| (*it).to_owned()).collect();
        let (search, name) = (SearchKind::Alert, "Zürich".into());
        PendingMail {
            news: News::Search { search, name, new, total: 9, companies },
            ..change("", ChangeKind::Other, 0)
        }
    }

    fn risk_level() -> PendingMail {
        let (before, after) = (RiskLevel::Low, RiskLevel::High);
        let (uid, published) = ("CHE-100.000.001".parse().expect("a number"), date(2026, 11, 20));
        let company_name = "Muster AG".into();
        let news = News::RiskLevel { uid, company_name, before, after, published };
        PendingMail { news, ..change("", ChangeKind::Other, 0) }
    }

    fn mails(of: impl Fn(Reader<'_>) -> Result<Mail, askama::Error>) -> Vec<Mail> {
        let to: Email = "eva@example.ch".parse().expect("an address");
        let team = ShownName::of_team("Muster & <b>Söhne".into(), None, Timestamp::UNIX_EPOCH);
        let reader = |language| Reader {
            to: &to,
            language,
            team: team.as_ref(),
            unsubscribe: UNSUBSCRIBE,
            api: "https://api.example/api",
        };
        Language::ALL.map(|it| of(reader(it)).expect("a mail")).into()
    }

    #[test]
    fn every_mail_has_its_language_its_links_and_a_way_to_unsubscribe() {
        let pending = [
            change("Muster AG", ChangeKind::PurposeChange, 0),
            search(1, &["Muster AG"]),
            search(7, &["Muster AG"]),
            PendingMail { link: None, news: News::Test, ..search(1, &[]) },
            risk_level(),
        ];
        for pending in pending {
            for mails in [
                mails(|it| notification(it, Uuid::nil(), &pending, Some(500))),
                mails(|it| {
                    digest(it, Uuid::nil(), date(2026, 11, 20), std::slice::from_ref(&pending))
                }),
                mails(|it| digest(it, Uuid::nil(), date(2026, 11, 20), &vec![pending.clone(); 60])),
            ] {
                let mut texts: Vec<&str> = mails.iter().map(|it| it.text.as_str()).collect();
                texts.sort_unstable();
                texts.dedup();
                assert_eq!(texts.len(), Language::ALL.len(), "{texts:?}");
                for mail in &mails {
                    assert_eq!(mail.unsubscribe.as_deref(), Some(UNSUBSCRIBE));
                    assert!(mail.text.lines().any(|it| it == UNSUBSCRIBE), "{}", mail.text);
                    assert_eq!(misprint(&mail.text), None, "{}", mail.text);
                    assert!(
                        mail.html.contains(&format!("href=\"{UNSUBSCRIBE}\"")),
                        "{}",
                        mail.html
                    );
                }
            }
        }
    }

    #[test]
    fn texts_of_others_are_no_html_and_no_headers() {
        let name = format!("<script>alert(1)</script>\r\nBcc: eva@example.ch {}", "x".repeat(200));
        let pending = change(&name, ChangeKind::PurposeChange, 0);
        for mail in mails(|it| notification(it, Uuid::nil(), &pending, None)) {
            assert!(!mail.html.contains("<script>") && !mail.html.contains("<b>"), "{}", mail.html);
            assert!(mail.text.contains("Muster & <b>Söhne"), "{}", mail.text);
            assert!(!mail.subject.contains(['\r', '\n']), "{}", mail.subject);
            assert!(mail.subject.chars().count() <= MAX_SUBJECT, "{}", mail.subject);
        }
    }

    #[test]
    fn a_notification_reads_as_a_person_would_write_it() {
        let pending = change("Muster AG", ChangeKind::PurposeChange, 0);
        let [de, .., en] = &mails(|it| notification(it, Uuid::nil(), &pending, None))[..] else {
            panic!("four languages");
        };
        assert_eq!(de.subject, "Muster AG: Änderung des Zwecks");
        let text = "Muster AG: Änderung des Zwecks
CHE-100.000.001, publiziert am 20.11.2026
Bisher: Bau
Neu: Handel
https://api.example/api/v1/companies/CHE-100.000.001/events

-- 
Sie erhalten diese E-Mail, weil Meldungen des Teams «Muster & <b>Söhne» an eva@example.ch gesendet werden.
Keine E-Mails mit Meldungen mehr erhalten:
https://api.example/api/v1/notifications/unsubscribe?token=x";
        assert_eq!(de.text, text);
        assert_eq!(en.subject, "Muster AG: Change of purpose");
        let risks = mails(|it| notification(it, Uuid::nil(), &risk_level(), None));
        assert!(risks[0].text.starts_with(
            "Muster AG: Risikostufe hoch\nCHE-100.000.001, publiziert am 20.11.2026\nBisher: tief\n"
        ));
        let searches = mails(|it| notification(it, Uuid::nil(), &search(7, &["Muster AG"]), None));
        assert!(searches[0].text.starts_with(
            "Zürich: 7 neue Unternehmen\nAlarm, insgesamt gefunden: 9\nMuster AG und 6 weitere\n"
        ));
    }

    #[test]
    fn what_a_customer_has_named_is_in_no_subject_and_becomes_no_link() {
        let uid = "CHE-100.000.001".parse().expect("a number");
        let is_from_the_register = |news: &News| match news {
            News::Change { .. } | News::RiskLevel { .. } => true,
            News::Search { .. } | News::Screening { .. } | News::Test => false,
        };
        let named = |name: &str| {
            let (name, entries) = (name.to_owned(), vec!["Beispiel".to_owned()]);
            let screening = News::Screening { name: name.clone(), new: 1, entries };
            let found = search(1, &["Muster AG"]).news;
            let News::Search { search, new, total, companies, .. } = found else {
                panic!("a search")
            };
            let (before, after) = (RiskLevel::Low, RiskLevel::High);
            let risk = News::RiskLevel {
                uid,
                company_name: name.clone(),
                before,
                after,
                published: date(2026, 11, 20),
            };
            let search = News::Search { search, name: name.clone(), new, total, companies };
            [screening, search, risk, change(&name, ChangeKind::PurposeChange, 0).news, News::Test]
        };
        for name in ["Eva Muster", "evil.example"] {
            for news in named(name) {
                let of_register = is_from_the_register(&news);
                let is_test = news == News::Test;
                let pending = PendingMail { news, ..search(1, &[]) };
                for mail in mails(|it| notification(it, Uuid::nil(), &pending, None)) {
                    assert_eq!(mail.subject.contains(name), of_register, "{}", mail.subject);
                    let is_shown = of_register || (name == "Eva Muster" && !is_test);
                    for body in [&mail.text, &mail.html] {
                        assert_eq!(body.contains(name), is_shown, "{body}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_digest_lists_the_most_severe_and_then_the_newest_and_counts_the_others() {
        let mut pending: Vec<PendingMail> = (0..60)
            .map(|it| change(&format!("Firma {it} AG"), ChangeKind::PurposeChange, it))
            .collect();
        pending.push(change("Pleite AG", ChangeKind::Bankruptcy, 0));
        let mails = mails(|it| digest(it, Uuid::nil(), date(2026, 11, 20), &pending));
        let de = &mails[0];
        assert_eq!(de.subject, "61 Meldungen am 20.11.2026");
        let titles: Vec<&str> = de.text.lines().filter(|it| it.contains(" AG: ")).collect();
        assert_eq!(titles.len(), MAX_ENTRIES);
        assert_eq!(titles[0], "Pleite AG: Konkurs oder Nachlassstundung");
        assert_eq!(titles[1], "Firma 59 AG: Änderung des Zwecks");
        assert!(de.text.contains("Und 11 weitere. Alle Meldungen: https://api.example/api/v1/"));
    }
}
