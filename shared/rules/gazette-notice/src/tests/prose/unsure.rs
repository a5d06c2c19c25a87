//! What is left out of a sentence, because it would state the wrong thing.

use super::{assert_stated, lines};

#[test]
fn a_succession_states_only_the_office_of_the_successor() {
    assert_stated(
        &[
            ("{B} succède à {A}.", &[]),
            ("{B} sostituisce {A}.", &[]),
            ("{B} succède à {A} en qualité d'administrateur.", &["~ {B:} | administrateur | "]),
            (
                "{B}, de {B o}, à {B r}, succède à {A}, démissionnaire, comme administrateur.",
                &["- {A:} | administrateur | ", "+ {B:} | administrateur | "],
            ),
            (
                "{B}, da {B o}, in {B r}, sostituisce {A} quale amministratore unico.",
                &["+ {B:} | amministratore unico | "],
            ),
            ("Le nouvel administrateur {B} remplace {A}.", &[]),
        ],
        |text| {
            let mut found = lines(text);
            found.sort_by_key(|it| !it.starts_with('-'));
            found
        },
    );
}
