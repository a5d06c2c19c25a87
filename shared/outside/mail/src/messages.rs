//! The texts of mails in each language.

use askama::Template;
use auth::{Email, Language};

use crate::{Mail, ShownName};

/// The texts of one mail.
pub(crate) struct Words {
    subject: String,
    intro: Vec<String>,
    /// The text of the link.
    action: String,
    outro: Vec<String>,
}

#[derive(Template)]
#[template(path = "message.txt")]
struct PlainText<'a> {
    words: &'a Words,
    link: &'a str,
}

#[derive(Template)]
#[template(path = "message.html")]
struct Html<'a> {
    words: &'a Words,
    language: Language,
    link: &'a str,
}

impl Words {
    pub(crate) fn into_mail(
        self,
        to: Email,
        language: Language,
        link: &str,
    ) -> Result<Mail, askama::Error> {
        let text = PlainText { words: &self, link }.render()?;
        let html = Html { words: &self, language, link }.render()?;
        Ok(Mail { to, subject: self.subject, text, html, id: None, unsubscribe: None })
    }
}

/// The mail with a sign-in link.
pub fn sign_in(to: Email, language: Language, link: &str) -> Result<Mail, askama::Error> {
    let words = match language {
        Language::De => words(
            "Anmelden bei Gotthard",
            ["Mit diesem Link melden Sie sich bei Gotthard an. Er gilt 15 Minuten und nur einmal."],
            "Anmelden",
            ["Wenn Sie den Link nicht angefordert haben, ignorieren Sie diese E-Mail."],
        ),
        Language::Fr => words(
            "Connexion à Gotthard",
            ["Ce lien vous connecte à Gotthard. Il est valable 15 minutes et une seule fois."],
            "Se connecter",
            ["Si vous n’avez pas demandé ce lien, ignorez cet e-mail."],
        ),
        Language::It => words(
            "Accesso a Gotthard",
            ["Con questo link accedete a Gotthard. È valido 15 minuti e una sola volta."],
            "Accedere",
            ["Se non avete richiesto il link, ignorate questa e-mail."],
        ),
        Language::En => words(
            "Sign in to Gotthard",
            ["This link signs you in to Gotthard. It is valid for 15 minutes and works once."],
            "Sign in",
            ["If you did not request this link, ignore this e-mail."],
        ),
    };
    words.into_mail(to, language, link)
}

/// The mail that invites an address to a team. The link signs the address in and accepts the invitation. `team` is its name, if
/// it may be shown.
pub fn invitation(
    to: Email,
    language: Language,
    link: &str,
    team: Option<&ShownName>,
) -> Result<Mail, askama::Error> {
    let named = |named: &dyn Fn(&ShownName) -> String, other: &str| {
        team.map_or_else(|| other.to_owned(), named)
    };
    let team = match language {
        Language::De => named(&|it| format!("dem Team «{it}»"), "einem Team"),
        Language::Fr => named(&|it| format!("l’équipe «{it}»"), "une équipe"),
        Language::It => named(&|it| format!("del team «{it}»"), "di un team"),
        Language::En => named(&|it| format!("the team “{it}”"), "a team"),
    };
    let words = match language {
        Language::De => words(
            "Einladung in ein Team bei Gotthard",
            [&*format!(
                "Sie sind eingeladen, {team} bei Gotthard beizutreten. Der Link gilt 7 Tage und nur einmal."
            )],
            "Beitreten und anmelden",
            ["Wenn Sie dem Team nicht beitreten möchten, ignorieren Sie diese E-Mail."],
        ),
        Language::Fr => words(
            "Invitation dans une équipe sur Gotthard",
            [&*format!(
                "Vous êtes invité à rejoindre {team} sur Gotthard. Le lien est valable 7 jours et une seule fois."
            )],
            "Rejoindre et se connecter",
            ["Si vous ne souhaitez pas rejoindre l’équipe, ignorez cet e-mail."],
        ),
        Language::It => words(
            "Invito a un team su Gotthard",
            [&*format!(
                "Siete invitati a far parte {team} su Gotthard. Il link è valido 7 giorni e una sola volta."
            )],
            "Aderire e accedere",
            ["Se non desiderate aderire al team, ignorate questa e-mail."],
        ),
        Language::En => words(
            "Invitation to a team on Gotthard",
            [&*format!(
                "You are invited to join {team} on Gotthard. The link is valid for 7 days and works once."
            )],
            "Join and sign in",
            ["If you do not want to join the team, ignore this e-mail."],
        ),
    };
    words.into_mail(to, language, link)
}

/// The mail that asks the owner of an address whether it should get the notifications of a team. `team` is its name, if it may
/// be shown.
pub fn confirmation(
    to: Email,
    language: Language,
    link: &str,
    team: Option<&ShownName>,
) -> Result<Mail, askama::Error> {
    let named = |named: &dyn Fn(&ShownName) -> String, other: &str| {
        team.map_or_else(|| other.to_owned(), named)
    };
    let team = match language {
        Language::De => named(&|it| format!("Das Team «{it}»"), "Ein Team"),
        Language::Fr => named(&|it| format!("L’équipe «{it}»"), "Une équipe"),
        Language::It => named(&|it| format!("Il team «{it}»"), "Un team"),
        Language::En => named(&|it| format!("The team “{it}”"), "A team"),
    };
    let words = match language {
        Language::De => words(
            "Adresse für Meldungen bestätigen",
            [&*format!(
                "{team} möchte Meldungen von Gotthard an diese Adresse senden. Der Link gilt 7 Tage."
            )],
            "Adresse bestätigen",
            ["Wenn Sie keine Meldungen erhalten möchten, ignorieren Sie diese E-Mail."],
        ),
        Language::Fr => words(
            "Confirmer l’adresse pour les notifications",
            [&*format!(
                "{team} souhaite envoyer des notifications de Gotthard à cette adresse. Le lien est valable 7 jours."
            )],
            "Confirmer l’adresse",
            ["Si vous ne souhaitez pas recevoir de notifications, ignorez cet e-mail."],
        ),
        Language::It => words(
            "Confermare l’indirizzo per le notifiche",
            [&*format!(
                "{team} desidera inviare notifiche di Gotthard a questo indirizzo. Il link è valido 7 giorni."
            )],
            "Confermare l’indirizzo",
            ["Se non desiderate ricevere notifiche, ignorate questa e-mail."],
        ),
        Language::En => words(
            "Confirm the address for notifications",
            [&*format!(
                "{team} would like to send notifications from Gotthard to this address. The link is valid for 7 days."
            )],
            "Confirm the address",
            ["If you do not want to get notifications, ignore this e-mail."],
        ),
    };
    words.into_mail(to, language, link)
}

pub(crate) fn words<const N: usize, const M: usize>(
    subject: &str,
    intro: [&str; N],
    action: &str,
    outro: [&str; M],
) -> Words {
    Words {
        subject: subject.to_owned(),
        intro: intro.map(str::to_owned).into(),
        action: action.to_owned(),
        outro: outro.map(str::to_owned).into(),
    }
}

#[cfg(test)]
mod tests {
    use domain::typography::misprint;
    use jiff::Timestamp;

    use super::*;

    fn eva() -> Email {
        "eva@example.ch".parse().expect("an address")
    }

    #[test]
    fn each_language_has_its_own_texts_and_both_parts_contain_the_link() {
        let link = "https://api.example/api/v1/auth/magic-link/verify?token=x";
        let mails = |of: fn(Language, &str) -> Mail| Language::ALL.map(|it| of(it, link));
        for mails in [
            mails(|language, link| sign_in(eva(), language, link).expect("a mail")),
            mails(|language, link| invitation(eva(), language, link, None).expect("a mail")),
            mails(|language, link| confirmation(eva(), language, link, None).expect("a mail")),
        ] {
            for mail in &mails {
                assert!(mail.text.lines().any(|it| it == link), "{}", mail.text);
                assert_eq!(misprint(&mail.text), None, "{}", mail.text);
                assert!(mail.html.contains(&format!("href=\"{link}\"")), "{}", mail.html);
            }
            let mut subjects: Vec<&str> = mails.iter().map(|it| it.subject.as_str()).collect();
            subjects.sort_unstable();
            subjects.dedup();
            assert_eq!(subjects.len(), Language::ALL.len());
        }
    }

    #[test]
    fn the_name_of_a_team_is_no_html_and_in_no_subject() {
        let name = ShownName::of_team("<b>A & B".to_owned(), None, Timestamp::UNIX_EPOCH);
        for mail in [invitation, confirmation] {
            for language in Language::ALL {
                let named = mail(eva(), language, "https://x", name.as_ref()).expect("a mail");
                assert!(!named.html.contains("<b>"), "{}", named.html);
                assert!(named.text.contains("<b>A & B"), "{}", named.text);
                assert!(!named.subject.contains("A & B"), "{}", named.subject);
                let other = mail(eva(), language, "https://x", None).expect("a mail");
                assert_eq!(named.subject, other.subject);
                assert_ne!(named.text, other.text);
            }
        }
    }
}
