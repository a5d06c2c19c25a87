//! The texts of mails with notifications in each language.

use auth::{Email, Language};
use domain::wording::in_number;
use jiff::civil::Date;
use teams::SearchKind;

use crate::ShownName;

/// The texts that all these mails have in common.
pub(super) struct OfEveryMail {
    pub(super) reason: String,
    pub(super) unsubscribe: &'static str,
}

pub(super) fn of_every_mail(
    language: Language,
    team: Option<&ShownName>,
    to: &Email,
) -> OfEveryMail {
    let (reason, unsubscribe) = match language {
        Language::De => {
            let team = team.map_or("eines Teams".to_owned(), |it| format!("des Teams «{it}»"));
            (
                format!(
                    "Sie erhalten diese E-Mail, weil Meldungen {team} an {to} gesendet werden."
                ),
                "Keine E-Mails mit Meldungen mehr erhalten",
            )
        }
        Language::Fr => {
            let team =
                team.map_or("d’une équipe".to_owned(), |it| format!("de l’équipe «{it}»"));
            (
                format!(
                    "Vous recevez cet e-mail parce que les notifications {team} sont envoyées à {to}."
                ),
                "Ne plus recevoir d’e-mails avec des notifications",
            )
        }
        Language::It => {
            let team = team.map_or("di un team".to_owned(), |it| format!("del team «{it}»"));
            (
                format!(
                    "Ricevete questa e-mail perché le notifiche {team} vengono inviate a {to}."
                ),
                "Non ricevere più e-mail con notifiche",
            )
        }
        Language::En => {
            let team = team.map_or("a team".to_owned(), |it| format!("the team “{it}”"));
            (
                format!("You get this e-mail because notifications of {team} are sent to {to}."),
                "Unsubscribe from e-mails with notifications",
            )
        }
    };
    OfEveryMail { reason, unsubscribe }
}

/// The texts about a change.
pub(super) struct OfAChange {
    pub(super) published_on: &'static str,
    pub(super) old: &'static str,
    pub(super) new: &'static str,
}

pub(super) fn of_a_change(language: Language) -> OfAChange {
    let [published_on, old, new] = match language {
        Language::De => ["publiziert am", "Bisher:", "Neu:"],
        Language::Fr => ["publié le", "Jusqu’ici:", "Nouveau:"],
        Language::It => ["pubblicato il", "Finora:", "Nuovo:"],
        Language::En => ["published on", "Before:", "Now:"],
    };
    OfAChange { published_on, old, new }
}

/// Title and text of a test.
pub(super) fn test(language: Language) -> (&'static str, &'static str) {
    match language {
        Language::De => ("Testmeldung", "Meldungen kommen bei dieser Adresse an."),
        Language::Fr => ("Notification de test", "Les notifications arrivent à cette adresse."),
        Language::It => ("Notifica di prova", "Le notifiche arrivano a questo indirizzo."),
        Language::En => ("Test notification", "Notifications arrive at this address."),
    }
}

pub(super) fn date(language: Language, day: Date) -> String {
    let format = if language == Language::En { "%Y-%m-%d" } else { "%-d.%-m.%Y" };
    day.strftime(format).to_string()
}

pub(super) fn new_companies(language: Language, new: u64) -> String {
    let companies = [
        ["neues Unternehmen", "nouvelle entreprise", "nuova impresa", "new company"],
        ["neue Unternehmen", "nouvelles entreprises", "nuove imprese", "new companies"],
    ];
    format!("{new} {}", in_number(language, new, companies))
}

pub(super) fn possible_matches(language: Language, new: u64) -> String {
    let matches = [
        [
            "möglicher Treffer",
            "correspondance possible",
            "corrispondenza possibile",
            "possible match",
        ],
        [
            "mögliche Treffer",
            "correspondances possibles",
            "corrispondenze possibili",
            "possible matches",
        ],
    ];
    format!("{new} {}", in_number(language, new, matches))
}

/// Why a subject was screened again.
pub(super) fn list_updated(language: Language, new: u64) -> &'static str {
    let updated = [
        [
            "Eine Liste wurde aktualisiert. Neuer möglicher Treffer:",
            "Une liste a été mise à jour. Nouvelle correspondance possible:",
            "Una lista è stata aggiornata. Nuova possibile corrispondenza:",
            "A list was updated. New possible match:",
        ],
        [
            "Eine Liste wurde aktualisiert. Neue mögliche Treffer:",
            "Une liste a été mise à jour. Nouvelles correspondances possibles:",
            "Una lista è stata aggiornata. Nuove possibili corrispondenze:",
            "A list was updated. New possible matches:",
        ],
    ];
    in_number(language, new, updated)
}

pub(super) fn risk(language: Language) -> &'static str {
    match language {
        Language::De => "Risikostufe",
        Language::Fr => "niveau de risque",
        Language::It => "livello di rischio",
        Language::En => "risk level",
    }
}

pub(super) fn found(language: Language, search: SearchKind, total: u64) -> String {
    let is_alert = search == SearchKind::Alert;
    match language {
        Language::De => {
            let kind = if is_alert { "Alarm" } else { "Gespeicherte Suche" };
            format!("{kind}, insgesamt gefunden: {total}")
        }
        Language::Fr => {
            let kind = if is_alert { "Alerte" } else { "Recherche enregistrée" };
            format!("{kind}, total trouvé: {total}")
        }
        Language::It => {
            let kind = if is_alert { "Avviso" } else { "Ricerca salvata" };
            format!("{kind}, totale trovato: {total}")
        }
        Language::En => {
            let kind = if is_alert { "Alert" } else { "Saved search" };
            format!("{kind}, found in all: {total}")
        }
    }
}

/// The names of the first new companies. `None` if none is known.
pub(super) fn listed(language: Language, companies: &[String], new: u64) -> Option<String> {
    let names = companies.join(", ");
    Some(match (companies.len() as u64, language) {
        (0, _) => return None,
        (some, _) if some >= new => names,
        (some, _) => {
            let and = language.of(["und", "et", "e", "and"]);
            format!("{names} {and} {}", more(language, new - some))
        }
    })
}

pub(super) fn digest_subject(language: Language, number: usize, day: Date) -> String {
    let notifications = [
        ["Eine Meldung am", "Une notification le", "Una notifica il", "One notification on"],
        ["{} Meldungen am", "{} notifications le", "{} notifiche il", "{} notifications on"],
    ];
    let notifications = in_number(language, number as u64, notifications);
    format!("{} {}", notifications.replace("{}", &number.to_string()), date(language, day))
}

pub(super) fn and_more(language: Language, left_out: usize, list: &str) -> String {
    let more = more(language, left_out as u64);
    match language {
        Language::De => format!("Und {more}. Alle Meldungen: {list}"),
        Language::Fr => format!("Et {more}. Toutes les notifications: {list}"),
        Language::It => format!("E {more}. Tutte le notifiche: {list}"),
        Language::En => format!("And {more}. All notifications: {list}"),
    }
}

/// How many more companies or notifications there are.
fn more(language: Language, number: u64) -> String {
    let more = [
        ["{} weitere", "une autre", "un’altra", "{} more"],
        ["{} weitere", "{} autres", "altre {}", "{} more"],
    ];
    in_number(language, number, more).replace("{}", &number.to_string())
}

pub(super) fn last_today(language: Language, limit: u32) -> String {
    match language {
        Language::De => format!(
            "Das ist die letzte E-Mail mit Meldungen für heute: höchstens {limit} werden am Tag gesendet. Weitere Meldungen folgen morgen in einer E-Mail."
        ),
        Language::Fr => format!(
            "C’est le dernier e-mail avec des notifications pour aujourd’hui: au plus {limit} sont envoyés par jour. Les autres notifications suivront demain dans un seul e-mail."
        ),
        Language::It => format!(
            "Questa è l’ultima e-mail con notifiche per oggi: se ne inviano al massimo {limit} al giorno. Le altre notifiche seguiranno domani in una sola e-mail."
        ),
        Language::En => format!(
            "This is the last e-mail with notifications today: at most {limit} are sent a day. Further notifications follow tomorrow in one e-mail."
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_counted_in_the_grammatical_number() {
        let names = ["A AG".to_owned()];
        for (language, expected) in [
            (Language::De, ["A AG", "A AG und 1 weitere", "A AG und 2 weitere"]),
            (Language::Fr, ["A AG", "A AG et une autre", "A AG et 2 autres"]),
            (Language::It, ["A AG", "A AG e un’altra", "A AG e altre 2"]),
            (Language::En, ["A AG", "A AG and 1 more", "A AG and 2 more"]),
        ] {
            let told = [1, 2, 3].map(|it| listed(language, &names, it));
            assert_eq!(told, expected.map(|it| Some(it.to_owned())));
        }
        let matches = [1, 2].map(|it| Language::ALL.map(|language| list_updated(language, it)));
        for (one, several) in matches[0].iter().zip(matches[1]) {
            assert_ne!(*one, several);
        }
        assert!(matches[0][3].ends_with("New possible match:"), "{}", matches[0][3]);
        assert_eq!(new_companies(Language::It, 1), "1 nuova impresa");
        assert_eq!(possible_matches(Language::De, 2), "2 mögliche Treffer");
        assert!(digest_subject(Language::En, 1, Date::ZERO).starts_with("One notification on "));
        assert!(digest_subject(Language::Fr, 2, Date::ZERO).starts_with("2 notifications le "));
        assert!(and_more(Language::Fr, 1, "x").starts_with("Et une autre. "));
        assert!(and_more(Language::It, 1, "x").starts_with("E un’altra. "));
    }
}
