//! The texts of mails with notifications in each language.

use auth::{Email, Language};
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
    match (language, new) {
        (Language::De, 1) => "1 neues Unternehmen".to_owned(),
        (Language::De, _) => format!("{new} neue Unternehmen"),
        (Language::Fr, 1) => "1 nouvelle entreprise".to_owned(),
        (Language::Fr, _) => format!("{new} nouvelles entreprises"),
        (Language::It, 1) => "1 nuova impresa".to_owned(),
        (Language::It, _) => format!("{new} nuove imprese"),
        (Language::En, 1) => "1 new company".to_owned(),
        (Language::En, _) => format!("{new} new companies"),
    }
}

pub(super) fn possible_matches(language: Language, new: u64) -> String {
    match (language, new) {
        (Language::De, 1) => "1 möglicher Treffer".to_owned(),
        (Language::De, _) => format!("{new} mögliche Treffer"),
        (Language::Fr, 1) => "1 correspondance possible".to_owned(),
        (Language::Fr, _) => format!("{new} correspondances possibles"),
        (Language::It, 1) => "1 corrispondenza possibile".to_owned(),
        (Language::It, _) => format!("{new} corrispondenze possibili"),
        (Language::En, 1) => "1 possible match".to_owned(),
        (Language::En, _) => format!("{new} possible matches"),
    }
}

/// Why a subject was screened again.
pub(super) fn list_updated(language: Language) -> &'static str {
    match language {
        Language::De => "Eine Liste wurde aktualisiert. Neue mögliche Treffer:",
        Language::Fr => "Une liste a été mise à jour. Nouvelles correspondances possibles:",
        Language::It => "Una lista è stata aggiornata. Nuove possibili corrispondenze:",
        Language::En => "A list was updated. New possible matches:",
    }
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
    let day = date(language, day);
    match (language, number) {
        (Language::De, 1) => format!("Eine Meldung am {day}"),
        (Language::De, _) => format!("{number} Meldungen am {day}"),
        (Language::Fr, 1) => format!("Une notification le {day}"),
        (Language::Fr, _) => format!("{number} notifications le {day}"),
        (Language::It, 1) => format!("Una notifica il {day}"),
        (Language::It, _) => format!("{number} notifiche il {day}"),
        (Language::En, 1) => format!("One notification on {day}"),
        (Language::En, _) => format!("{number} notifications on {day}"),
    }
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
    match (language, number) {
        (Language::De, _) => format!("{number} weitere"),
        (Language::Fr, 1) => "une autre".to_owned(),
        (Language::Fr, _) => format!("{number} autres"),
        (Language::It, 1) => "un’altra".to_owned(),
        (Language::It, _) => format!("altre {number}"),
        (Language::En, _) => format!("{number} more"),
    }
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
        assert!(and_more(Language::Fr, 1, "x").starts_with("Et une autre. "));
        assert!(and_more(Language::It, 1, "x").starts_with("E un’altra. "));
    }
}
