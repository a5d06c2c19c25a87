//! Shares that persons hold, give and take over.

use super::{assert_stated, shares::shares};

#[test]
fn holdings_are_stated_with_their_number_and_value() {
    assert_stated(
        &[
            (
                "{A} n'est plus associé; ses 20 parts de CHF 1'000 ont été cédées à {B}, de {B o}, à {B r}.",
                &["- {A:} | 20 | 20000", "+ {B:} | 20 | 20000"],
            ),
            (
                "Par suite de cession, {A} est désormais associé pour 20 parts de CHF 100.",
                &["~ {A:} | 20 | 2000"],
            ),
            (
                "Neue Gesellschafterin ist {B}, von {B o}, in {B r}, mit 5 Stammanteilen zu CHF 1'000.00.",
                &["+ {B:} | 5 | 5000"],
            ),
            (
                "Gesellschafter sind neu {A} mit 12 Stammanteilen zu CHF 1'000.00 und {B}, von {B o}, in {B r}, mit 8 Stammanteilen zu CHF 1'000.00.",
                &["~ {A:} | 12 | 12000", "+ {B:} | 8 | 8000"],
            ),
            (
                "{A}, associé, possède désormais 30 parts de CHF 100 (jusqu'ici: 20 parts).",
                &["~ {A:} | 30 | 3000"],
            ),
            (
                "{A}, associé gérant, a cédé 3 de ses 20 parts sociales de CHF 1'000 à {B}, de {B o}, à {B r}, associé sans signature, et demeure titulaire de 17 parts.",
                &["~ {A:} | 17 | 17000", "+ {B:} | 3 | 3000"],
            ),
            (
                "{A}, de {A o}, à {A r}, et {B}, de {B o}, à {B r}, sont associés pour chacun 10 parts de CHF 1'000.",
                &["+ {A:} | 10 | 10000", "+ {B:} | 10 | 10000"],
            ),
            (
                "{A}, socio gerente, cede una quota di CHF 10'000.00 a {B}, da {B o}, in {B r}, nuova socia, e rimane titolare di una quota di CHF 10'000.00.",
                &["~ {A:} | 1 | 10000", "+ {B:} | 1 | 10000"],
            ),
        ],
        shares,
    );
}
