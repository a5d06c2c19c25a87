//! Clauses about the residence, the origin and the name.

use super::{assert_stated, lines, notice};
use crate::*;

pub(super) fn details(text: &str) -> Vec<String> {
    let detail = |entry: &Entry| {
        let name = match &entry.subject {
            Subject::Person { last_name, first_name, .. } => format!("{last_name}, {first_name}"),
            Subject::Entity { name, .. } => name.clone(),
        };
        let or_empty = |it: &Option<String>| it.clone().unwrap_or_default();
        let kind = match entry.kind {
            EntryKind::Entered => '+',
            EntryKind::Changed => '~',
            EntryKind::Left => '-',
        };
        format!(
            "{kind} {name} | {} | {} | {}",
            or_empty(&entry.origin),
            or_empty(&entry.domicile),
            or_empty(&entry.before)
        )
    };
    read(text).entries.iter().map(detail).collect()
}

#[test]
fn new_residence_or_origin_is_a_change() {
    assert_stated(
        &[
            ("{A} wohnt neu in {B r}.", &["~ {A:} |  | {B r} | "]),
            ("Gesellschafter {A} ist jetzt wohnhaft in {B r}.", &["~ {A:} |  | {B r} | "]),
            ("{A}, (bisher), ist jetzt wohnhaft in {B r}.", &["~ {A:} |  | {B r} | "]),
            ("{A} hat seinen Wohnsitz nach {B r} verlegt.", &["~ {A:} |  | {B r} | "]),
            ("{A} ist neu heimatberechtigt in {B o}.", &["~ {A:} | {B o} |  | "]),
            ("{A} est maintenant domicilié à {B r}.", &["~ {A:} |  | {B r} | "]),
            ("L'administrateur {A} est désormais à {B r}.", &["~ {A:} |  | {B r} | "]),
            ("{A} a transféré son domicile à {B r}.", &["~ {A:} |  | {B r} | "]),
            ("{A} est désormais originaire de {B o}.", &["~ {A:} | {B o} |  | "]),
            ("{A} è ora domiciliata a {B r}.", &["~ {A:} |  | {B r} | "]),
            ("{A} ha trasferito il domicilio a {B r}.", &["~ {A:} |  | {B r} | "]),
            ("{A} risiede ora a {B r}.", &["~ {A:} |  | {B r} | "]),
        ],
        details,
    );
}

#[test]
fn new_name_is_a_change() {
    assert_stated(
        &[
            ("{A} heisst neu {B}.", &["~ {B:} |  |  | {A:}"]),
            ("{A} zeichnet neu mit dem Namen {B}.", &["~ {B:} |  |  | {A:}"]),
            ("{A} s'appelle désormais {B}.", &["~ {B:} |  |  | {A:}"]),
            ("L'administratrice {A} porte désormais le nom de {B}.", &["~ {B:} |  |  | {A:}"]),
            ("{A} a changé de nom et s'appelle maintenant {B}.", &["~ {B:} |  |  | {A:}"]),
            ("{A} si chiama ora {B}.", &["~ {B:} |  |  | {A:}"]),
        ],
        details,
    );
}

#[test]
fn the_name_under_which_a_person_was_entered_is_the_same_person() {
    for (text, expected) in [
        (
            "L'administratrice Modèle Anna porte désormais le nom de Probe Anna; elle signe individuellement.",
            "~ Probe, Anna | administratrice | individuellement",
        ),
        (
            "Probe Anna, jusqu'ici administratrice, est nommée liquidatrice avec signature individuelle; la liquidation est opérée sous la raison sociale Muster SA en liquidation.",
            "~ Probe, Anna | liquidatrice | avec signature individuelle",
        ),
        (
            "Probe Anna, inscrite sous le nom de Modèle Anna, est maintenant originaire de Sion.",
            "~ Probe, Anna |  | ",
        ),
        (
            "L'administratrice Probe Anna, jusqu'ici inscrite sous le nom de Modèle Anna, a été élue présidente.",
            "~ Probe, Anna | administratrice, présidente | ",
        ),
        (
            "Probe Anna, bisher eingetragen als Modèle Anna, führt nun Einzelunterschrift.",
            "~ Probe, Anna |  | Einzelunterschrift",
        ),
        (
            "Probe Anna, già iscritta con il nome di Modèle Anna, è stata nominata presidente.",
            "~ Probe, Anna | presidente | ",
        ),
        (
            "Probe Anna, eingetragen als Geschäftsführerin, führt neu Einzelunterschrift.",
            "~ Probe, Anna | Geschäftsführerin | Einzelunterschrift",
        ),
    ] {
        assert_eq!(lines(&notice(text)), [expected], "{text}");
    }
}
