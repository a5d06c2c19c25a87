//! The meaning of a label: persons who enter or leave, the holders of one function, or those of one
//! signature.

use super::{
    EntryKind, punctuation,
    words::{
        BEFORE_SIGNATURE, ENTERING, FUNCTION, LEAVING, PERSON_HEADING, SIGNATURE, strip_any_prefix,
    },
};

/// A label of persons and firms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Heading<'a> {
    /// Persons and firms, each with its own function.
    Persons(EntryKind),
    /// The holders of one function, as written.
    Function(EntryKind, &'a str),
    /// The holders of one signature, as written.
    Signature(EntryKind, &'a str),
}

/// The heading that a label states; `None` for other labels such as `Zweck neu`.
pub(super) fn heading(label: &str) -> Option<Heading<'_>> {
    if let Some(kind) = person_heading_kind(label) {
        return Some(Heading::Persons(kind));
    }
    let kind = if leaves(label) || starts_with_former(label) {
        EntryKind::Left
    } else {
        EntryKind::Entered
    };
    let name = strip_status_words(label);
    // A whole sentence before a colon is no label.
    let office = BEFORE_SIGNATURE.find_first(name).map_or(name, |(at, _)| &name[..at]);
    if name.is_empty() || office.split(' ').count() > 8 || name.len() > 90 {
        return None;
    }
    let is_in_first_word = |at: usize| !name[..at].contains(' ');
    if SIGNATURE.find_first(name).is_some_and(|(at, _)| is_in_first_word(at)) {
        return Some(Heading::Signature(kind, name));
    }
    // `Organe: A, Präsident; B, Mitglied`: the persons state their functions.
    if ["Organe", "Organes", "Organi", "Organs"].contains(&name) {
        return Some(Heading::Persons(kind));
    }
    let is_board =
        strip_any_prefix(name, &BOARDS).is_some_and(|it| !it.starts_with(char::is_alphabetic));
    let is_function =
        is_board || FUNCTION.find_first(name).is_some_and(|(at, _)| is_in_first_word(at));
    is_function.then_some(Heading::Function(kind, name))
}

/// Bodies whose names contain no function.
#[rustfmt::skip]
const BOARDS: [&str; 9] = [
    "Comité", "Conseil", "Gérance", "Comitato", "Consiglio", "Gerenza", "Direzione",
    "Geschäftsleitung", "Soci",
];

/// The kind of the entries under a heading of persons; `None` for other labels.
pub(super) fn person_heading_kind(label: &str) -> Option<EntryKind> {
    if !PERSON_HEADING.occur_in(label) || label.split(' ').count() > 10 {
        return None;
    }
    // `Signature individuelle` alone is not a heading of persons.
    let names_persons = label.to_lowercase().contains("person");
    if leaves(label) {
        return Some(EntryKind::Left);
    }
    if !names_persons || !ENTERING.occur_in(label) {
        return None;
    }
    let lower = label.to_lowercase();
    let changes =
        ["geändert", "mutiert", "modifiée", "modificat"].iter().any(|it| lower.contains(it));
    let enters = ["neu", "nouve", "inscription", "nuov"].iter().any(|it| lower.contains(it));
    Some(if changes && !enters { EntryKind::Changed } else { EntryKind::Entered })
}

/// Whether the text starts with a heading and its colon.
pub(super) fn starts_with_heading(text: &str) -> bool {
    let Some(colon) = text.bytes().take(90).position(|it| matches!(it, b':' | b'.' | b'[')) else {
        return false;
    };
    text.as_bytes()[colon] == b':' && heading(&text[..colon]).is_some()
}

/// Whether the label states that persons leave. What is in brackets does not decide.
fn leaves(label: &str) -> bool {
    LEAVING.occur_in(label) && LEAVING.occur_in(&punctuation::remove_groups(label, |_| true))
}

fn starts_with_former(label: &str) -> bool {
    strip_any_prefix(label, &["bisherige", "ancien", "ehemalige", "precedente"]).is_some()
}

/// Removes the words for new and former around a label.
fn strip_status_words(label: &str) -> &str {
    #[rustfmt::skip]
    const BEFORE: [&str; 37] = [
        "Neuer", "Neues", "Neue", "Neu", "Nouveaux", "Nouvelles", "Nouvelle", "Nouveau", "Nouvel",
        "Nuovo", "Nuova", "Nuovi", "Nuove", "Bisheriger", "Bisherige", "Anciennes", "Ancienne",
        "Anciens", "Ancien", "Autres", "Autre", "Ausgeschiedener", "Ausgeschiedene",
        "Ausgeschieden", "Gelöschte", "Gelöscht", "Einziges", "Einziger", "N'est plus",
        "N’est plus", "Ne sont plus", "Als", "Aus dem", "Aus der", "In den", "Die", "Der",
    ];
    #[rustfmt::skip]
    const AFTER: [&str; 27] = [
        "neu", "Neu", "nouveau", "nouvelle", "nouveaux", "nuovo", "nuova", "gelöscht",
        "radié", "radiée", "radiés", "radiées", "démissionnaire", "démissionnaires", "cancellato", "cancellata", "dimissionario", "dimissionaria", "erloschen",
        "ausgeschieden", "gewählt", "ist", "sind", "est", "sont", "wurde", "wurden",
    ];
    let mut name = label.trim();
    let status_word_length = |name: &'_ str| -> Option<usize> {
        let first = name.as_bytes().first();
        // Fast path: most words differ in the first letter.
        let matches = |it: &&&str| {
            it.as_bytes().first() == first
                && name.strip_prefix(**it).is_some_and(|it| it.starts_with(' '))
        };
        Some(BEFORE.iter().find(matches)?.len() + 1)
    };
    while let Some(length) = status_word_length(name) {
        name = name[length..].trim_start();
    }
    name = name.strip_prefix("L'").unwrap_or(name);
    while let Some((rest, word)) = name.rsplit_once(' ')
        && AFTER.contains(&word)
    {
        name = rest.trim_end();
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn person_headings_give_entry_kind() {
        for (label, kind) in [
            ("Eingetragene Personen", EntryKind::Entered),
            ("Eingetragene Personen neu oder mutierend", EntryKind::Entered),
            ("Personen neu oder mutierend", EntryKind::Entered),
            ("Ausgeschiedene Personen und erloschene Unterschriften", EntryKind::Left),
            ("Ausgeschiedene Personen, erloschene Unterschriften", EntryKind::Left),
            ("Gelöschte Personen", EntryKind::Left),
            ("Neu eingetragene Person", EntryKind::Entered),
            ("Eingetragene Person geändert", EntryKind::Changed),
            ("Personne(s) inscrite(s)", EntryKind::Entered),
            ("Inscription ou modification de personne(s)", EntryKind::Entered),
            ("Personne(s) et signature(s) radiée(s)", EntryKind::Left),
            ("Personnes radiées", EntryKind::Left),
            ("Nouvelles personnes inscrites", EntryKind::Entered),
            ("Persone iscritte", EntryKind::Entered),
            ("Nuove persone iscritte o modifiche", EntryKind::Entered),
            ("Persone dimissionarie e firme cancellate", EntryKind::Left),
        ] {
            assert_eq!(heading(label), Some(Heading::Persons(kind)), "{label}");
        }
    }

    #[test]
    fn function_and_signature_labels_are_recognised_without_status_words() {
        let entered = |it| Some(Heading::Function(EntryKind::Entered, it));
        assert_eq!(heading("Aufsichtsbehörde neu"), entered("Aufsichtsbehörde"));
        assert_eq!(heading("Neue Revisionsstelle"), entered("Revisionsstelle"));
        assert_eq!(heading("Nouvel administrateur unique"), entered("administrateur unique"));
        assert_eq!(heading("Associé-gérant"), entered("Associé-gérant"));
        assert_eq!(
            heading("Bisherige Revisionsstelle"),
            Some(Heading::Function(EntryKind::Left, "Revisionsstelle"))
        );
        assert_eq!(
            heading("Signature individuelle"),
            Some(Heading::Signature(EntryKind::Entered, "Signature individuelle"))
        );
        for label in ["Zweck neu", "Firma neu", "But", "Organisation neu", "Capital", "Aktien"] {
            assert_eq!(heading(label), None, "{label}");
        }
    }
}
