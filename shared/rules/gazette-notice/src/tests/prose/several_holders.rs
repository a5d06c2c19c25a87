//! Shares of several sellers, buyers and holders.

use super::{assert_stated, shares::shares};

#[test]
fn each_holder_has_the_own_number() {
    assert_stated(
        &[
            (
                "{A} et {B} ont cédé chacun 5 parts de CHF 1'000 à {C}, de {C o}, à {C r}.",
                &["~ {A:} |  | ", "~ {B:} |  | ", "+ {C:} | 10 | 10000"],
            ),
            (
                "{A} et {B} ont chacun cédé 5 de leurs 12 parts de CHF 1'000 à {C}, de {C o}, à {C r}.",
                &["~ {A:} | 7 | 7000", "~ {B:} | 7 | 7000", "+ {C:} | 10 | 10000"],
            ),
            (
                "{A} et {B} cèdent ensemble 10 parts de CHF 1'000 à {C}, de {C o}, à {C r}.",
                &["~ {A:} |  | ", "~ {B:} |  | ", "+ {C:} | 10 | 10000"],
            ),
            (
                "{A} und {B} treten je 5 Stammanteile zu CHF 1'000.00 an {C}, von {C o}, in {C r}, ab.",
                &["~ {A:} |  | ", "~ {B:} |  | ", "+ {C:} | 10 | 10000"],
            ),
            (
                "{A} und {B} haben je 5 ihrer 12 Stammanteile zu CHF 1'000.00 an {C}, von {C o}, in {C r}, übertragen.",
                &["~ {A:} | 7 | 7000", "~ {B:} | 7 | 7000", "+ {C:} | 10 | 10000"],
            ),
            (
                "{A} e {B} cedono ciascuno 5 quote da CHF 1'000.00 a {C}, da {C o}, in {C r}.",
                &["~ {A:} |  | ", "~ {B:} |  | ", "+ {C:} | 10 | 10000"],
            ),
            (
                "{A} a cédé à {B}, de {B o}, à {B r}, et à {C}, de {C o}, à {C r}, chacun 5 parts de CHF 1'000.",
                &["~ {A:} |  | ", "+ {B:} | 5 | 5000", "+ {C:} | 5 | 5000"],
            ),
            (
                "{A} hat je 5 Stammanteile zu CHF 1'000.00 an {B}, von {B o}, in {B r}, und {C}, von {C o}, in {C r}, abgetreten.",
                &["~ {A:} |  | ", "+ {B:} | 5 | 5000", "+ {C:} | 5 | 5000"],
            ),
            (
                "{C}, de {C o}, à {C r}, reprend 5 parts de CHF 1'000 de {A} et 7 parts de {B}.",
                &["+ {C:} | 12 | 12000", "~ {A:} |  | ", "~ {B:} |  | "],
            ),
            (
                "{A} détient 15 parts et {B} 5 parts de CHF 1'000.",
                &["~ {A:} | 15 | 15000", "~ {B:} | 5 | 5000"],
            ),
            (
                "{A}, da {A o}, in {A r}, titolare di 15 quote e {B}, da {B o}, in {B r}, titolare di 5 quote, sono soci.",
                &["+ {A:} | 15 | ", "+ {B:} | 5 | "],
            ),
            (
                "{A}, von {A o}, in {A r}, Inhaber von 15 Stammanteilen, und {B}, von {B o}, in {B r}, Inhaberin von 5 Stammanteilen, sind Gesellschafter.",
                &["+ {A:} | 15 | ", "+ {B:} | 5 | "],
            ),
            ("{A} et {B} détiennent 20 parts de CHF 1'000.", &["~ {A:} |  | ", "~ {B:} |  | "]),
            (
                "{A}, associé pour 20 parts de CHF 1'000, cède 5 parts à {B}, de {B o}, à {B r}.",
                &["~ {A:} | 15 | 15000", "+ {B:} | 5 | 5000"],
            ),
        ],
        shares,
    );
}
