//! Sentences that are left out, because reading a part of them would state the wrong thing.

use super::{assert_stated, lines};

#[test]
fn a_succession_states_no_departure() {
    assert_stated(
        &[
            ("{B} succède à {A}.", &[]),
            ("{B} sostituisce {A}.", &[]),
            ("{B} succède à {A} en qualité d'administrateur.", &[]),
            ("{B}, de {B o}, à {B r}, succède à {A}, démissionnaire, comme administrateur.", &[]),
            ("{B}, da {B o}, in {B r}, sostituisce {A} quale amministratore unico.", &[]),
            ("Le nouvel administrateur {B} remplace {A}.", &[]),
        ],
        lines,
    );
}
