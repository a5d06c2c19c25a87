//! Persons who get or lose a signing authority.

use super::{assert_stated, lines};

#[test]
fn signatures_are_those_of_the_persons_whom_the_text_means() {
    assert_stated(
        &[
            (
                "{A}, de {A o}, à {A r}, et {B}, de {B o}, à {B r}, ont été élus administrateurs, le premier avec signature individuelle, la seconde sans signature.",
                &[
                    "+ {A:} | administrateur | avec signature individuelle",
                    "+ {B:} | administrateur | sans signature",
                ],
            ),
            (
                "{A} et {B} ont la signature collective à deux.",
                &[
                    "~ {A:} |  | signature collective à deux",
                    "~ {B:} |  | signature collective à deux",
                ],
            ),
            (
                "La firma individuale di {A} è stata convertita in firma collettiva a due.",
                &["~ {A:} |  | firma collettiva a due"],
            ),
            (
                "{A}, de {A o}, à {A r}, y est entrée comme associée le 1er janvier 2013 et l'engage par sa signature individuelle.",
                &["+ {A:} | associée | signature individuelle"],
            ),
        ],
        lines,
    );
}

#[test]
fn signatures_are_given_and_end() {
    assert_stated(
        &[
            (
                "Einzelprokura wurde erteilt an {A}, von {A o}, in {A r}.",
                &["+ {A:} |  | Einzelprokura"],
            ),
            (
                "{A}, von {A o}, in {A r}, erhält Kollektivprokura zu zweien.",
                &["+ {A:} |  | Kollektivprokura zu zweien"],
            ),
            ("Die Prokura von {A} ist erloschen.", &["- {A:} |  | Prokura"]),
            (
                "Neu zeichnet {A}, von {A o}, in {A r}, mit Kollektivprokura zu zweien.",
                &["+ {A:} |  | mit Kollektivprokura zu zweien"],
            ),
            (
                "Procuration collective à deux est conférée à {A}, de {A o}, à {A r}.",
                &["+ {A:} |  | Procuration collective à deux"],
            ),
            ("{A}, de {A o}, à {A r}, signe individuellement.", &["+ {A:} |  | individuellement"]),
            ("La procuration de {A} est radiée.", &["- {A:} |  | procuration"]),
            (
                "{A}, de {A o}, à {A r}, et {B}, de {B o}, à {B r}, signent collectivement à deux.",
                &["+ {A:} |  | collectivement à deux", "+ {B:} |  | collectivement à deux"],
            ),
            (
                "La procura collettiva a due è conferita a {A}, da {A o}, in {A r}.",
                &["+ {A:} |  | procura collettiva a due"],
            ),
            ("{A}, da {A o}, in {A r}, firma individualmente.", &["+ {A:} |  | individualmente"]),
            (
                "È stata conferita la procura individuale a {A}, da {A o}, in {A r}.",
                &["+ {A:} |  | procura individuale"],
            ),
        ],
        lines,
    );
}

#[test]
fn each_signature_of_a_clause_is_that_of_the_persons_after_it() {
    assert_stated(
        &[
            (
                "La succursale est engagée par la signature individuelle de {A}, de {A o}, à {A r}, directeur, et par la signature collective à deux de {B}, de {B o}, à {B r}, et de {C}, de {C o}, à {C r}.",
                &[
                    "+ {A:} | directeur | signature individuelle",
                    "+ {B:} |  | signature collective à deux",
                    "+ {C:} |  | signature collective à deux",
                ],
            ),
            (
                "La société est engagée par la signature individuelle de {A}, de {A o}, à {A r}, et de {B}, de {B o}, à {B r}.",
                &["+ {A:} |  | signature individuelle", "+ {B:} |  | signature individuelle"],
            ),
        ],
        lines,
    );
}
