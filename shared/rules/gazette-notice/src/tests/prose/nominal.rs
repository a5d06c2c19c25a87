//! Clauses whose predicate is a noun.

use super::{assert_stated, lines};

#[test]
fn nouns_are_predicates_of_clauses_without_a_verb() {
    assert_stated(
        &[
            (
                "Démission de {A}, administrateur; radiation de sa signature.",
                &["- {A:} | administrateur | "],
            ),
            (
                "Démission de {A} et de {B} de leurs fonctions d'administrateurs.",
                &["- {A:} | administrateur | ", "- {B:} | administrateur | "],
            ),
            ("Radiation de {A}, gérant démissionnaire.", &["- {A:} | gérant | "]),
            (
                "Nomination de {A}, de {A o}, à {A r}, comme administrateur avec signature individuelle.",
                &["+ {A:} | administrateur | avec signature individuelle"],
            ),
            (
                "Élection de {A}, de {A o}, à {A r}, en qualité de président du conseil d'administration.",
                &["+ {A:} | président du conseil d'administration | "],
            ),
            ("Radiation des pouvoirs de {A}.", &["- {A:} |  | "]),
            (
                "Inscription de {A}, de {A o}, à {A r}, directeur, avec signature collective à deux.",
                &["+ {A:} | directeur | avec signature collective à deux"],
            ),
            ("Rücktritt von {A} als Präsident.", &["- {A:} | Präsident | "]),
            (
                "Wahl von {A}, von {A o}, in {A r}, zum Geschäftsführer mit Einzelunterschrift.",
                &["+ {A:} | Geschäftsführer | mit Einzelunterschrift"],
            ),
            (
                "Ausscheiden von {A} aus dem Verwaltungsrat; Erlöschen der Unterschrift.",
                &["- {A:} | Verwaltungsrat | "],
            ),
            (
                "Erteilung der Einzelprokura an {A}, von {A o}, in {A r}.",
                &["+ {A:} |  | Einzelprokura"],
            ),
            ("Dimissioni di {A} dalla carica di gerente.", &["- {A:} | gerente | "]),
            (
                "Nomina di {A}, da {A o}, in {A r}, quale amministratore unico con firma individuale.",
                &["+ {A:} | amministratore unico | con firma individuale"],
            ),
            ("Cancellazione della firma di {A}.", &["- {A:} |  | "]),
            (
                "Conferimento della procura collettiva a due a {A}, da {A o}, in {A r}.",
                &["+ {A:} |  | procura collettiva a due"],
            ),
            (
                "Elezione di {A}, da {A o}, in {A r}, alla carica di presidente.",
                &["+ {A:} | presidente | "],
            ),
        ],
        lines,
    );
}
