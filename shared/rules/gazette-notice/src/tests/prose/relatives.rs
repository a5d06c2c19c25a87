//! Relative clauses about persons.

use super::{assert_stated, lines};

#[test]
fn relative_clauses_are_about_their_person() {
    assert_stated(
        &[
            (
                "{A}, de {A o}, à {A r}, est nommé administrateur, lequel signe individuellement.",
                &["+ {A:} | administrateur | individuellement"],
            ),
            (
                "L'assemblée générale a élu administrateur {A}, de {A o}, à {A r}, qui engage la société par sa signature individuelle.",
                &["+ {A:} | administrateur | signature individuelle"],
            ),
            ("{A}, dont les pouvoirs sont éteints, n'est plus gérant.", &["- {A:} | gérant | "]),
            (
                "{A}, qui a démissionné, n'est plus administrateur et sa signature est radiée.",
                &["- {A:} | administrateur | "],
            ),
            (
                "Der Verwaltungsrat hat {A}, von {A o}, in {A r}, zum Direktor ernannt, der mit Kollektivunterschrift zu zweien zeichnet.",
                &["+ {A:} | Direktor | mit Kollektivunterschrift zu zweien"],
            ),
            (
                "La société est administrée par {A}, de {A o}, à {A r}, qui signe individuellement.",
                &["+ {A:} |  | individuellement"],
            ),
            ("{A}, i cui poteri sono estinti, non è più gerente.", &["- {A:} | gerente | "]),
            (
                "È nominato direttore {A}, da {A o}, in {A r}, il quale firma individualmente.",
                &["+ {A:} | direttore | individualmente"],
            ),
            ("{A}, qui était administrateur, est nommé président.", &["~ {A:} | président | "]),
        ],
        lines,
    );
}
