//! The profile of a company in a few English sentences.

use jiff::civil::Date;

use super::{DAYS, Fingerprint};
use crate::{
    Amount, Company, Language, Status,
    changes::LegalEvent,
    company::{AffiliationKind, StatusReason},
    history::HistoryOutline,
    legal_forms::LegalForm,
    terms, wording,
};

/// The profile. What is not known is left out.
pub(super) fn summary(
    company: &Company,
    history: &HistoryOutline,
    legal_events: &[LegalEvent],
    fingerprint: &Fingerprint,
) -> String {
    let mut sentences = vec![identity(company)];
    sentences.extend(reason(company, legal_events));
    sentences.extend(business(company, fingerprint));
    sentences.extend(figures(fingerprint));
    sentences.extend(changes(history, fingerprint));
    sentences.join(" ")
}

fn identity(company: &Company) -> String {
    let form = form(company);
    let a_form = with_article(&form);
    let what = match company.status {
        Some(Status::Active) => format!("is an active {form}"),
        Some(Status::BeingCancelled) => format!("is {a_form} in liquidation"),
        Some(Status::Cancelled) => format!("was {a_form}"),
        None => format!("is {a_form}"),
    };
    let place = match (&company.legal_seat, company.canton) {
        // Some names of municipalities contain the canton: `Gossau (SG)`.
        (Some(seat), Some(canton)) if !seat.ends_with(&format!("({})", canton.code())) => {
            format!(" in {seat} ({})", canton.code())
        }
        (Some(seat), _) => format!(" in {seat}"),
        (None, Some(canton)) => format!(" in the canton of {}", canton.names()[3]),
        (None, None) => String::new(),
    };
    let deletion = company.deletion_date.map(day);
    let time = match (company.status, company.registration_date.map(day), deletion) {
        (Some(Status::Cancelled), Some(entry), Some(deletion)) => {
            format!(", in the register from {entry} until its deletion on {deletion}")
        }
        (Some(Status::Cancelled), None, Some(deletion)) => {
            format!(" until its deletion from the register on {deletion}")
        }
        (Some(Status::Cancelled), ..) => " and is deleted from the register".to_owned(),
        (_, Some(entry), _) => format!(" and has been in the register since {entry}"),
        (_, None, _) => match company.founding_date.map(day) {
            Some(founded) => format!(" and was founded on {founded}"),
            None => String::new(),
        },
    };
    format!("{} {what}{place}{time}.", company.name)
}

/// The English name of the legal form, as within a sentence.
fn form(company: &Company) -> String {
    let known = company.legal_form_code.as_deref().and_then(LegalForm::by_code);
    let known = known.or_else(|| company.legal_form.as_deref().and_then(LegalForm::named));
    match (known.map(|it| it.code), &company.legal_form) {
        (Some(SPECIAL), _) => "entity with a special legal form".to_owned(),
        (Some(UNKNOWN), _) | (None, None) => "company".to_owned(),
        (Some(_), _) => known.map(|it| uncapitalised(it.names[3])).unwrap_or_default(),
        (None, Some(name)) => format!("company with the legal form “{name}”"),
    }
}

/// Codes of eCH-0097 whose names are no nouns for a company.
const SPECIAL: &str = "0113";
const UNKNOWN: &str = "0571";

/// Why the company has its status.
fn reason(company: &Company, legal_events: &[LegalEvent]) -> Option<String> {
    let reason = company.status_reason?;
    let successor = company.affiliations.iter();
    let mut successor = successor.filter(|it| it.kind == AffiliationKind::WasTakenOverBy);
    Some(match (reason, successor.next()) {
        (StatusReason::Moratorium, _) => {
            let term = terms::status_reason_by(reason, legal_events.iter().copied())[3];
            format!("{} is in effect.", terms::capitalised(&with_article(term)))
        }
        (StatusReason::Merged, Some(other)) => format!("{} took it over.", other.name),
        _ => reason.meaning().to_owned(),
    })
}

fn business(company: &Company, fingerprint: &Fingerprint) -> Option<String> {
    let was = company.status == Some(Status::Cancelled);
    let (has, is) = if was { ("had", "was") } else { ("has", "is") };
    let mut sentences = Vec::new();
    if let Some(industry) = &company.industry {
        let class = company.sub_industry.as_ref().filter(|it| *it != industry);
        let class = class.map(|it| format!(" ({it})")).unwrap_or_default();
        sentences.push(format!("Its industry {is} {industry}{class}."));
    }
    let mut possessions = Vec::new();
    if let (Some(capital), Some(currency)) = (company.share_capital, &company.currency)
        && capital > Amount::default()
    {
        possessions.push(format!("a capital of {}", money(currency, capital)));
    }
    if let Some(employees) = company.employee_count {
        possessions.push(counted(employees, "employee"));
    }
    if fingerprint.board_size > 0 {
        possessions.push(match fingerprint.board_size {
            1 => "1 officer or signatory".to_owned(),
            persons => format!("{} officers or signatories", number(persons)),
        });
    }
    if !possessions.is_empty() {
        sentences.push(format!("It {has} {}.", wording::list(Language::En, &possessions)));
    }
    if let Some(auditor) = &company.auditor_name {
        sentences.push(format!("Its auditor {is} {auditor}."));
    }
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// What the latest annual report states.
fn figures(fingerprint: &Fingerprint) -> Option<String> {
    let year = fingerprint.fiscal_year?;
    let currency = fingerprint.figures_currency.as_deref().unwrap_or_default();
    let revenue = fingerprint.revenue.map(|it| format!("revenue of {}", money(currency, it)));
    let income = fingerprint.net_income.map(|it| {
        let positive = Amount::from_ten_thousandths(it.ten_thousandths().saturating_abs());
        let what = if it < Amount::default() { "a net loss" } else { "net income" };
        format!("{what} of {}", money(currency, positive))
    });
    let figures: Vec<String> = revenue.into_iter().chain(income).collect();
    let list = wording::list(Language::En, &figures);
    (!figures.is_empty()).then(|| format!("For {year}, it reported {list}."))
}

/// How often the company has changed. Without any known publication, a count of 0 would be misleading.
fn changes(history: &HistoryOutline, fingerprint: &Fingerprint) -> Option<String> {
    let changes = match fingerprint.change_frequency {
        _ if history.events.is_empty() => return None,
        0 => "no change was published".to_owned(),
        1 => "1 change was published".to_owned(),
        more => format!("{} changes were published", number(more)),
    };
    Some(format!("In the last {DAYS} days, {changes}."))
}

fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {noun}")
}

fn uncapitalised(term: &str) -> String {
    let mut letters = term.chars();
    let first = letters.next().into_iter().flat_map(char::to_lowercase);
    first.chain(letters).collect()
}

fn day(date: Date) -> String {
    wording::date(Language::En, date)
}

fn number(number: u32) -> String {
    wording::number(Language::En, number.into())
}

fn counted(count: u32, word: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{} {word}{ending}", number(count))
}

/// An amount of money, which has two decimals or none.
fn money(currency: &str, amount: Amount) -> String {
    let text = wording::amount(Language::En, amount);
    let text = match text.split_once('.') {
        Some((units, decimals)) => format!("{units}.{decimals:0<2}"),
        None => text,
    };
    format!("{currency} {text}").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Canton, Provenance,
        company::Affiliation,
        fingerprint::{Figures, fingerprint},
        legal_forms::LEGAL_FORMS,
    };

    fn on(text: &str) -> Date {
        text.parse().expect("a date")
    }

    fn company() -> Company {
        let mut company =
            Company::new("CHE-107.787.577".parse().expect("well-formed"), "Muster AG");
        company.status = Some(Status::Active);
        company
    }

    #[test]
    fn summary_states_known_facts_only() {
        let today = on("2026-11-20");
        let bare = Company::new(company().uid, "Muster AG");
        let summary =
            |it: &Company| fingerprint(it, &HistoryOutline::default(), &[], None, 0, today).summary;
        assert_eq!(summary(&bare), "Muster AG is a company.");
        let mut full = company();
        full.legal_form_code = Some("0106".to_owned());
        full.legal_seat = Some("Zürich".to_owned());
        full.canton = Some(Canton::Zh);
        full.registration_date = Some(on("2003-05-01"));
        full.industry = Some("Software and IT services".to_owned());
        full.sub_industry = Some("Programming".to_owned());
        full.share_capital = Some(Amount::units(1_234_567));
        full.currency = Some("CHF".to_owned());
        full.employee_count = Some(1);
        full.auditor_name = Some("Prüf AG".to_owned());
        assert_eq!(
            summary(&full),
            "Muster AG is an active corporation in Zürich (ZH) and has been in the register since 1 May 2003. Its industry is \
             Software and IT services (Programming). It has a capital of CHF 1,234,567 and 1 employee. Its auditor is Prüf AG."
        );
        let figures = Figures {
            fiscal_year: 2025,
            currency: Some("CHF".to_owned()),
            revenue: Some(Amount::units(5_000)),
            net_income: "-12.5".parse().ok(),
            source: Provenance { source: "reports".to_owned(), reference: None, date: None },
        };
        let with_figures =
            fingerprint(&bare, &HistoryOutline::default(), &[], Some(&figures), 0, today);
        assert_eq!(
            with_figures.summary,
            "Muster AG is a company. For 2025, it reported revenue of CHF 5,000 and a net loss of CHF 12.50."
        );
        assert_eq!(with_figures.sources, [figures.source]);
        full.status = Some(Status::Cancelled);
        full.deletion_date = Some(on("2024-02-03"));
        full.status_reason = Some(StatusReason::Merged);
        let (kind, name) = (AffiliationKind::WasTakenOverBy, "Neu AG".to_owned());
        full.affiliations = vec![Affiliation { kind, uid: None, name }];
        let deleted = "Muster AG was a corporation in Zürich (ZH), in the register from 1 May 2003 until its deletion on \
                       3 February 2024. Neu AG took it over. Its industry was";
        assert!(summary(&full).starts_with(deleted), "{}", summary(&full));
    }

    #[test]
    fn summary_says_that_a_company_is_bankrupt_or_has_a_moratorium() {
        let mut company = company();
        let of = |company: &Company, events: &[LegalEvent]| {
            fingerprint(company, &HistoryOutline::default(), events, None, 0, on("2026-11-20"))
                .summary
        };
        company.status_reason = Some(StatusReason::Moratorium);
        for (event, expected) in [
            (LegalEvent::MoratoriumProvisional, "A provisional moratorium is in effect."),
            (LegalEvent::MoratoriumDefinitive, "A definitive moratorium is in effect."),
            (LegalEvent::BankruptcyPostponed, "A postponement of the bankruptcy is in effect."),
        ] {
            assert_eq!(
                of(&company, &[event]),
                format!("Muster AG is an active company. {expected}")
            );
        }
        company.status = Some(Status::BeingCancelled);
        company.status_reason = Some(StatusReason::Bankruptcy);
        assert_eq!(of(&company, &[]), "Muster AG is a company in liquidation. It is bankrupt.");
    }

    #[test]
    fn every_legal_form_is_a_noun_with_its_article() {
        let mut company = company();
        for form in &LEGAL_FORMS {
            company.legal_form_code = Some(form.code.to_owned());
            company.status = None;
            let said = identity(&company);
            let article = match said["Muster AG is ".len()..].split_once(' ') {
                Some((article, noun)) => (article, noun.starts_with(['a', 'e', 'i', 'o', 'u'])),
                None => panic!("{said}"),
            };
            assert!(matches!(article, ("a", false) | ("an", true)), "{said}");
            assert!(!said.contains("unknown") && !said.contains("legal form undefined"), "{said}");
        }
        company.legal_form_code = Some("0220".to_owned());
        assert_eq!(identity(&company), "Muster AG is an administrative unit of the Confederation.");
    }
}
