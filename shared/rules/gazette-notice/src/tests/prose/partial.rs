//! Changes of a part: what the text does not mention stays as it was.

use super::{assert_stated, lines};

#[test]
fn lost_function_beside_a_kept_one_is_a_change() {
    assert_stated(
        &[
            ("{A} ist nicht mehr Präsident, bleibt jedoch Mitglied.", &["~ {A:} | Mitglied | "]),
            (
                "{A} ist als Präsident zurückgetreten, bleibt aber Mitglied mit Kollektivunterschrift zu zweien.",
                &["~ {A:} | Mitglied | mit Kollektivunterschrift zu zweien"],
            ),
            (
                "{A} ist nicht mehr Direktor und wurde zum Präsidenten gewählt.",
                &["~ {A:} | Präsident | "],
            ),
            (
                "{A} n'est plus président mais reste administrateur.",
                &["~ {A:} | administrateur | "],
            ),
            (
                "{A} n'est plus directeur; il est nommé administrateur avec signature individuelle.",
                &["~ {A:} | administrateur | avec signature individuelle"],
            ),
            (
                "{A}, qui n'est plus président, demeure administrateur et conserve la signature individuelle.",
                &["~ {A:} | administrateur | signature individuelle"],
            ),
            (
                "{A} non è più presidente, ma rimane membro con firma collettiva a due.",
                &["~ {A:} | membro | con firma collettiva a due"],
            ),
            ("{A} lascia la carica di presidente e resta membro.", &["~ {A:} | membro | "]),
            ("L'associé {A} n'est plus gérant.", &["~ {A:} | associé | "]),
        ],
        lines,
    );
}

#[test]
fn partner_stays_partner_when_appointed() {
    assert_stated(
        &[
            (
                "L'associé {A} est nommé gérant avec signature individuelle.",
                &["~ {A:} | associé, gérant | avec signature individuelle"],
            ),
            (
                "Der Gesellschafter {A} ist zum Geschäftsführer ernannt worden.",
                &["~ {A:} | Gesellschafter, Geschäftsführer | "],
            ),
            ("Il socio {A} è stato nominato gerente.", &["~ {A:} | socio, gerente | "]),
            (
                "L'associé {A} est nommé liquidateur avec signature individuelle.",
                &["~ {A:} | associé, liquidateur | avec signature individuelle"],
            ),
            ("Il socio {A} è stato nominato liquidatore.", &["~ {A:} | socio, liquidatore | "]),
        ],
        lines,
    );
}

#[test]
fn entries_of_prose_state_only_what_changes() {
    let partial = |text: &str| -> Vec<String> {
        crate::read(text).entries.iter().map(|it| it.is_partial.to_string()).collect()
    };
    assert_stated(
        &[
            ("{A} zeichnet neu mit Einzelunterschrift.", &["true"]),
            ("{A} est désormais président.", &["true"]),
            ("{A} firma ora individualmente.", &["true"]),
            ("{A}, von {A o}, in {A r}, ist Präsident.", &["false"]),
            (
                "Eingetragene Personen neu oder mutierend: {A:}, von {A o}, in {A r}, mit Einzelprokura [bisher: Direktor].",
                &["false"],
            ),
        ],
        partial,
    );
}
