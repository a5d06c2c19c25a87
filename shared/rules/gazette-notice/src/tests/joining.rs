//! Blanks between sentences, brackets and unrelated sentences do not change what a notice states.

use proptest::prelude::*;

use super::ENTERED;
use crate::*;

/// Statements that are independent of each other, each without its full stop.
fn statements() -> impl Strategy<Value = Vec<&'static str>> {
    let all = vec![
        "Die Gesellschaft ist mit Beschluss der Generalversammlung vom 03.05.2016 aufgelöst",
        "Über die Gesellschaft wurde mit Entscheid vom 3. Mai 2016 der Konkurs eröffnet",
        "Gemäss Entscheid vom 03.05.2016 wurde die Nachlassstundung bewilligt",
        "Die Gesellschaft hat kein Rechtsdomizil mehr",
        "La faillite a été clôturée par jugement du 3 mai 2016",
        "La succursale de Sion est radiée",
        "Con decreto del 03.05.2016 è stata prorogata la moratoria concordataria",
        "Firma neu: Muster Holding AG [bisher: Muster AG]",
        "Sitz neu: Chur",
        "Statutenänderung: 03.05.2016",
        "Eingetragene Personen neu oder mutierend: Muster, Hans, von Bern, in Thun, Präsident, mit Einzelunterschrift [bisher: Mitglied, gestrichen 09.05.2008]",
        "Ausgeschiedene Personen und erloschene Unterschriften: Probe, Anna, von Chur, in Chur, Mitglied, mit Einzelunterschrift",
    ];
    prop::sample::subsequence(all, 1..6).prop_shuffle()
}

fn notice(statements: &[&str], separator: &str) -> Notice {
    let header = "Muster AG, in Bern, CHE-600.000.012, Aktiengesellschaft (SHAB Nr. 2 vom 06.01.2016, Publ. 1000000001)";
    let mut parts = vec![header];
    parts.extend(statements);
    read(&format!("{}.", parts.join(separator)))
}

proptest! {
    #[test]
    fn blanks_between_sentences_change_nothing(statements in statements()) {
        let with_blanks = notice(&statements, ". ");
        let without = notice(&statements, ".");
        prop_assert_eq!(&with_blanks.changes, &without.changes);
        let entries = |it: &Notice| -> Vec<_> {
            it.entries.iter().map(|it| (it.kind, it.subject.clone(), it.function.clone())).collect()
        };
        prop_assert_eq!(entries(&with_blanks), entries(&without));
    }

    #[test]
    fn unrelated_sentence_changes_no_other_statement(statements in statements(), at in 0usize..6) {
        let plain = notice(&statements, ". ");
        for unrelated in [
            "Die Mitteilungen an die Aktionäre erfolgen durch Brief",
            "Les communications aux actionnaires se font par lettre",
            "Pubblicazioni sociali sul Foglio ufficiale svizzero di commercio",
        ] {
            let mut more = statements.clone();
            more.insert(at.min(statements.len()), unrelated);
            prop_assert_eq!(&notice(&more, ". ").changes, &plain.changes, "{}", unrelated);
        }
    }
}

/// The kind of each entry, in the order of the text.
fn kinds(text: &str) -> Vec<EntryKind> {
    read(text).entries.into_iter().map(|it| it.kind).collect()
}

#[test]
fn heading_directly_after_a_full_stop_or_bracket_is_found() {
    use EntryKind::{Changed, Entered, Left};
    let person = "Muster, Hans, von Bern, in Thun, Mitglied, mit Einzelunterschrift";
    let (left, right) = ("Ausgeschiedene Personen und erloschene Unterschriften:", ENTERED);
    for (text, expected) in [
        (format!("{left} {person} [gestrichen: 09.05.2008].{right} {person}."), [Left, Entered]),
        (
            format!("{left} {person} [nicht: gelöscht am 09.05.2008]. {right} {person}."),
            [Left, Entered],
        ),
        (format!("{left} {person}.{right} {person}."), [Left, Entered]),
        (format!("{right} {person}.{left} {person}."), [Entered, Left]),
        (
            format!("{right} {person} [gestrichen: Präsident]; {person} [gelöscht: Prokura]."),
            [Changed, Changed],
        ),
        (
            format!(
                "Personne(s) et signature(s) radiée(s): {person}.Inscription ou modification de personne(s): {person}."
            ),
            [Left, Entered],
        ),
        (
            format!(
                "Persone dimissionarie e firme cancellate: {person}.Nuove persone iscritte o modifiche: {person}."
            ),
            [Left, Entered],
        ),
    ] {
        assert_eq!(kinds(&text), expected, "{text}");
    }
}

#[test]
fn statement_directly_after_the_header_is_read() {
    let header = "Muster AG in Liquidation, in Bern, CHE-600.000.012 (SHAB Nr. 2 vom 06.01.2016, Publ. 1000000001)";
    for between in [". ", ".", " ", ""] {
        let text =
            format!("{header}{between}Die Gesellschaft wird nach beendigter Liquidation gelöscht.");
        let deletion = Change::Deletion { cause: Some(DeletionCause::Liquidation), on: None };
        assert_eq!(read(&text).changes, [deletion], "{text}");
    }
}

#[test]
fn word_for_leaving_in_brackets_does_not_decide() {
    for text in [
        "Muster Hans, von Bern, in Thun, ist Präsident [gestrichen: Mitglied], mit Einzelunterschrift.",
        "Muster Hans, von Bern, in Thun, ist Präsident (bisher Mitglied, gelöscht), mit Einzelunterschrift.",
        "Modèle Jean, de Sion, à Sierre, est administrateur [radié: directeur], avec signature individuelle.",
    ] {
        assert_eq!(kinds(text).iter().filter(|it| **it == EntryKind::Left).count(), 0, "{text}");
        assert_eq!(kinds(text).len(), 1, "{text}");
    }
}
