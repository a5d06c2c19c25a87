//! What a label announces: persons who enter or leave, one organ, or a power to sign.

use super::{
    EntryKind,
    words::{ENTERING, FUNCTION, GONE, PEOPLE, SIGNATURE, after_any},
};

/// What stands under a label.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Heading<'a> {
    /// Persons and firms, each with a function of its own.
    People(EntryKind),
    /// The holders of one function.
    Organ(EntryKind, &'a str),
    /// The holders of one power to sign.
    Power(EntryKind, &'a str),
}

/// What this label announces; `None` for members such as `Zweck neu`.
pub(super) fn heading(label: &str) -> Option<Heading<'_>> {
    if let Some(kind) = people(label) {
        return Some(Heading::People(kind));
    }
    let kind =
        if GONE.are_in(label) || has_former(label) { EntryKind::Left } else { EntryKind::Entered };
    let bare = bare(label);
    // A whole sentence before a colon is no label.
    if bare.is_empty() || bare.split(' ').count() > 8 {
        return None;
    }
    let is_first = |at: usize| !bare[..at].contains(' ');
    if SIGNATURE.first_in(bare).is_some_and(|(at, _)| is_first(at)) {
        return Some(Heading::Power(kind, bare));
    }
    let is_board = after_any(bare, &BOARDS).is_some_and(|it| !it.starts_with(char::is_alphabetic));
    let is_organ = is_board || FUNCTION.first_in(bare).is_some_and(|(at, _)| is_first(at));
    is_organ.then_some(Heading::Organ(kind, bare))
}

/// Organs whose names are no functions.
#[rustfmt::skip]
const BOARDS: [&str; 8] = [
    "Comité", "Conseil", "Gérance", "Comitato", "Consiglio", "Gerenza", "Direzione",
    "Geschäftsleitung",
];

/// Whether a heading of persons, and who stands under it.
pub(super) fn people(label: &str) -> Option<EntryKind> {
    if !PEOPLE.are_in(label) || label.split(' ').count() > 10 {
        return None;
    }
    // Such headings are nouns and participles. A power alone, as in `Signature individuelle`, is none.
    let names_persons = label.to_lowercase().contains("person");
    if GONE.are_in(label) {
        return Some(EntryKind::Left);
    }
    if !names_persons || !ENTERING.are_in(label) {
        return None;
    }
    let lower = label.to_lowercase();
    let changes =
        ["geändert", "mutiert", "modifiée", "modificat"].iter().any(|it| lower.contains(it));
    let enters = ["neu", "nouve", "inscription", "nuov"].iter().any(|it| lower.contains(it));
    Some(if changes && !enters { EntryKind::Changed } else { EntryKind::Entered })
}

/// Whether the text begins with a label that announces persons or an organ.
pub(super) fn begins(text: &str) -> bool {
    let Some(colon) = text.bytes().take(90).position(|it| matches!(it, b':' | b'.' | b'[')) else {
        return false;
    };
    text.as_bytes()[colon] == b':' && heading(&text[..colon]).is_some()
}

fn has_former(label: &str) -> bool {
    after_any(label, &["bisherige", "ancien", "ehemalige", "precedente"]).is_some()
}

/// The label without its words for new and former.
fn bare(label: &str) -> &str {
    #[rustfmt::skip]
    const AROUND: [&str; 37] = [
        "Neuer", "Neues", "Neue", "Neu", "Nouveaux", "Nouvelles", "Nouvelle", "Nouveau", "Nouvel",
        "Nuovo", "Nuova", "Nuovi", "Nuove", "Bisheriger", "Bisherige", "Anciennes", "Ancienne",
        "Anciens", "Ancien", "Autres", "Autre", "Ausgeschiedener", "Ausgeschiedene",
        "Ausgeschieden", "Gelöschte", "Gelöscht", "Einziges", "Einziger", "N'est plus",
        "N’est plus", "Ne sont plus", "Als", "Aus dem", "Aus der", "In den", "Die", "Der",
    ];
    #[rustfmt::skip]
    const BEHIND: [&str; 16] = [
        "neu", "Neu", "nouveau", "nouvelle", "nouveaux", "nuovo", "nuova", "gelöscht",
        "ausgeschieden", "gewählt", "ist", "sind", "est", "sont", "wurde", "wurden",
    ];
    let mut bare = label.trim();
    let around = |bare: &'_ str| -> Option<usize> {
        let first = bare.as_bytes().first();
        // Most differ in the first letter.
        let is_around = |it: &&&str| {
            it.as_bytes().first() == first
                && bare.strip_prefix(**it).is_some_and(|it| it.starts_with(' '))
        };
        Some(AROUND.iter().find(is_around)?.len() + 1)
    };
    while let Some(length) = around(bare) {
        bare = bare[length..].trim_start();
    }
    bare = bare.strip_prefix("L'").unwrap_or(bare);
    while let Some((rest, word)) = bare.rsplit_once(' ')
        && BEHIND.contains(&word)
    {
        bare = rest.trim_end();
    }
    bare
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_of_persons_say_whether_they_enter_or_leave() {
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
            assert_eq!(heading(label), Some(Heading::People(kind)), "{label}");
        }
    }

    #[test]
    fn labels_of_one_organ_give_its_name() {
        let entered = |it| Some(Heading::Organ(EntryKind::Entered, it));
        assert_eq!(heading("Aufsichtsbehörde neu"), entered("Aufsichtsbehörde"));
        assert_eq!(heading("Neue Revisionsstelle"), entered("Revisionsstelle"));
        assert_eq!(heading("Nouvel administrateur unique"), entered("administrateur unique"));
        assert_eq!(heading("Associé-gérant"), entered("Associé-gérant"));
        assert_eq!(
            heading("Bisherige Revisionsstelle"),
            Some(Heading::Organ(EntryKind::Left, "Revisionsstelle"))
        );
        assert_eq!(
            heading("Signature individuelle"),
            Some(Heading::Power(EntryKind::Entered, "Signature individuelle"))
        );
        for label in ["Zweck neu", "Firma neu", "But", "Organisation neu", "Capital", "Aktien"] {
            assert_eq!(heading(label), None, "{label}");
        }
    }
}
