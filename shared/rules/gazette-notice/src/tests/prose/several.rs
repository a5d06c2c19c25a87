//! Several persons who share a verb, an office or a signature.

use super::{assert_stated, lines};

#[test]
fn persons_share_verbs_and_offices() {
    assert_stated(
        &[
            (
                "{A}, président, {B}, secrétaire, et {C}, membre, ne font plus partie du comité; leurs pouvoirs sont radiés.",
                &["- {A:} | président | ", "- {B:} | secrétaire | ", "- {C:} | membre | "],
            ),
            (
                "Ne sont plus administrateurs {A}, {B} et {C}; leurs pouvoirs sont éteints.",
                &[
                    "- {A:} | administrateur | ",
                    "- {B:} | administrateur | ",
                    "- {C:} | administrateur | ",
                ],
            ),
            (
                "{A} et {B}, les deux de {A o}, à {A r}, sont gérants avec signature collective à deux.",
                &[
                    "+ {A:} | gérant | avec signature collective à deux",
                    "+ {B:} | gérant | avec signature collective à deux",
                ],
            ),
            (
                "Sont élus: {A}, de {A o}, à {A r}, président, {B}, de {B o}, à {B r}, secrétaire.",
                &["+ {A:} | président | ", "+ {B:} | secrétaire | "],
            ),
            (
                "Der Verwaltungsrat besteht aus {A}, von {A o}, in {A r}, Präsident, und {B}, von {B o}, in {B r}, Mitglied.",
                &["+ {A:} | Präsident | ", "+ {B:} | Mitglied | "],
            ),
            (
                "{A}, {B} und {C} sind aus dem Vorstand ausgeschieden.",
                &["- {A:} |  | ", "- {B:} |  | ", "- {C:} |  | "],
            ),
            (
                "Dem Verwaltungsrat gehören neu an: {A}, von {A o}, in {A r}, Präsident; {B}, von {B o}, in {B r}, Mitglied.",
                &["+ {A:} | Präsident | ", "+ {B:} | Mitglied | "],
            ),
            (
                "Signature collective à deux a été conférée à {A}, de {A o}, à {A r}, et à {B}, de {B o}, à {B r}.",
                &[
                    "+ {A:} |  | Signature collective à deux",
                    "+ {B:} |  | Signature collective à deux",
                ],
            ),
            (
                "{A} und {B} führen neu Kollektivunterschrift zu zweien.",
                &[
                    "~ {A:} |  | Kollektivunterschrift zu zweien",
                    "~ {B:} |  | Kollektivunterschrift zu zweien",
                ],
            ),
            (
                "Kollektivprokura zu zweien wurde {A}, von {A o}, in {A r}, und {B}, von {B o}, in {B r}, erteilt.",
                &[
                    "+ {A:} |  | Kollektivprokura zu zweien",
                    "+ {B:} |  | Kollektivprokura zu zweien",
                ],
            ),
            (
                "Prokuristen mit Kollektivprokura zu zweien sind {A}, von {A o}, in {A r}, und {B}, von {B o}, in {B r}.",
                &[
                    "+ {A:} | Prokurist | mit Kollektivprokura zu zweien",
                    "+ {B:} | Prokurist | mit Kollektivprokura zu zweien",
                ],
            ),
            (
                "{A}, de {A o}, à {A r}, est nommé président et {B}, de {B o}, à {B r}, secrétaire.",
                &["+ {A:} | président | ", "+ {B:} | secrétaire | "],
            ),
            (
                "Zum Präsidenten wurde {A}, von {A o}, in {A r}, und zum Sekretär {B}, von {B o}, in {B r}, gewählt.",
                &["+ {A:} | Präsident | ", "+ {B:} | Sekretär | "],
            ),
            (
                "{A}, da {A o}, in {A r}, è eletto presidente e {B}, da {B o}, in {B r}, segretario.",
                &["+ {A:} | presidente | ", "+ {B:} | segretario | "],
            ),
            (
                "Nouveaux membres du comité: {A}, de {A o}, à {A r}, présidente, et {B}, de {B o}, à {B r}.",
                &["+ {A:} | membre du comité, présidente | ", "+ {B:} | membre du comité | "],
            ),
            (
                "Les administrateurs {A} et {B} signent désormais collectivement à deux.",
                &[
                    "~ {A:} | administrateur | collectivement à deux",
                    "~ {B:} | administrateur | collectivement à deux",
                ],
            ),
            (
                "Il presidente {A} e il segretario {B} firmano ora individualmente.",
                &["~ {A:} | presidente | individualmente", "~ {B:} | segretario | individualmente"],
            ),
        ],
        lines,
    );
}
