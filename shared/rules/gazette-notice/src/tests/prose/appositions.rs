//! Clauses beside a name: former offices, forms of address, liquidators.

use super::{assert_stated, lines};

#[test]
fn clauses_beside_a_name_are_read() {
    assert_stated(
        &[
            ("{A}, jusqu'ici administrateur, est nommé président.", &["~ {A:} | président | "]),
            (
                "{A}, jusqu'ici sans signature, signe désormais individuellement.",
                &["~ {A:} |  | individuellement"],
            ),
            (
                "{A}, jusqu'ici secrétaire, est élue présidente avec signature collective à deux.",
                &["~ {A:} | présidente | avec signature collective à deux"],
            ),
            (
                "{A}, bisher Mitglied, ist neu Präsident und führt weiterhin Einzelunterschrift.",
                &["~ {A:} | Präsident | Einzelunterschrift"],
            ),
            ("Das bisherige Mitglied {A} ist neu Präsident.", &["~ {A:} | Präsident | "]),
            ("{A}, finora membro, è stato nominato presidente.", &["~ {A:} | presidente | "]),
            ("{A}, bereits eingetragen, ist neu Präsident.", &["~ {A:} | Präsident | "]),
            (
                "La liquidation est confiée à {A}, de {A o}, à {A r}, liquidateur, avec signature individuelle.",
                &["+ {A:} | liquidateur | avec signature individuelle"],
            ),
            (
                "Als Liquidator wurde der bisherige Geschäftsführer {A} eingesetzt.",
                &["~ {A:} | Liquidator | "],
            ),
            (
                "Liquidatorin ist {A}, von {A o}, in {A r}, mit Einzelunterschrift.",
                &["+ {A:} | Liquidatorin | mit Einzelunterschrift"],
            ),
        ],
        lines,
    );
}
