//! Sentences that say that something did not happen, or take an entry back.

use super::{assert_stated, lines};

#[test]
fn nobody_leaves_who_has_not_left() {
    assert_stated(
        &[
            ("{A} n'a pas démissionné.", &[]),
            ("Contrairement à la publication précédente, {A} n'est pas radié.", &[]),
            ("{A} ist nicht ausgeschieden.", &[]),
            ("{A} non è dimissionario.", &[]),
            ("La démission de {A} est annulée.", &[]),
            ("Die Löschung von {A} wird widerrufen.", &[]),
            ("La limitation de la signature de {A} est supprimée.", &[]),
            ("Die Beschränkung der Unterschrift von {A} ist aufgehoben.", &[]),
            ("La limitazione della firma di {A} è soppressa.", &[]),
            ("{A}, administrateur, n'est plus limité aux affaires de la succursale.", &[]),
            ("Die Prokura von {A} ist nicht mehr auf die Zweigniederlassung beschränkt.", &[]),
            ("{A} n'est plus seul gérant.", &[]),
            ("{A} ist nicht mehr einziger Geschäftsführer.", &[]),
            ("{A} non è più gerente unico.", &[]),
            ("{A} ist nicht zurückgetreten, sondern abberufen worden.", &["- {A:} |  | "]),
            (
                "La radiation de {A} est annulée; il est toujours administrateur avec signature individuelle.",
                &["~ {A:} | administrateur | avec signature individuelle"],
            ),
        ],
        lines,
    );
}

#[test]
fn who_stays_without_a_signature_has_none() {
    assert_stated(
        &[
            (
                "La signature individuelle de {A} est radiée; il reste administrateur.",
                &["~ {A:} | administrateur | sans signature"],
            ),
            (
                "Die Prokura von {A} ist erloschen; er bleibt Mitglied.",
                &["~ {A:} | Mitglied | ohne Zeichnungsberechtigung"],
            ),
            (
                "La firma di {A} è estinta; rimane membro.",
                &["~ {A:} | membro | senza diritto di firma"],
            ),
            (
                "La signature individuelle de {A} est radiée.",
                &["- {A:} |  | signature individuelle"],
            ),
        ],
        lines,
    );
}

#[test]
fn whom_a_person_signs_with_gets_no_signature() {
    assert_stated(
        &[
            (
                "{A}, de {A o}, à {A r}, signe collectivement à deux avec {B}.",
                &["+ {A:} |  | collectivement à deux avec {B}"],
            ),
            (
                "{A}, de {A o}, à {A r}, signe collectivement à deux, mais pas avec {B}.",
                &["+ {A:} |  | collectivement à deux, pas avec {B}"],
            ),
            (
                "{A}, von {A o}, in {A r}, zeichnet kollektiv mit {B}.",
                &["+ {A:} |  | kollektiv mit {B}"],
            ),
            (
                "{A}, von {A o}, in {A r}, zeichnet zu zweien mit einem Mitglied des Verwaltungsrates.",
                &["+ {A:} |  | zu zweien mit einem Mitglied des Verwaltungsrates"],
            ),
            (
                "{A}, da {A o}, in {A r}, firma collettivamente a due con {B}.",
                &["+ {A:} |  | collettivamente a due con {B}"],
            ),
            (
                "{A}, von {A o}, in {A r}, wurde Kollektivprokura zu zweien, beschränkt auf die Zweigniederlassung, erteilt.",
                &["+ {A:} |  | Kollektivprokura zu zweien, beschränkt auf die Zweigniederlassung"],
            ),
        ],
        lines,
    );
}
