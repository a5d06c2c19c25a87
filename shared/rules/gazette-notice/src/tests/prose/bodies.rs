//! What a body does: it is the subject of the verb, and no office.

use super::{assert_stated, lines};

#[test]
fn a_body_that_removes_one_person_appoints_another() {
    assert_stated(
        &[
            (
                "Par décision du 3 mai 2020, l'assemblée a révoqué {A} et désigné en qualité de liquidateur {B}, de {B o}, à {B r}, avec signature individuelle.",
                &["- {A:} |  | ", "+ {B:} | liquidateur | avec signature individuelle"],
            ),
            (
                "L'assemblée a révoqué l'administrateur {A} et élu à sa place {B}, de {B o}, à {B r}, avec signature individuelle.",
                &[
                    "- {A:} | administrateur | ",
                    "+ {B:} | administrateur | avec signature individuelle",
                ],
            ),
            (
                "Die Generalversammlung hat {A} abberufen und {B}, von {B o}, in {B r}, zur Liquidatorin mit Einzelunterschrift ernannt.",
                &["- {A:} |  | ", "+ {B:} | Liquidatorin | mit Einzelunterschrift"],
            ),
            (
                "Das Gericht hat {A} als Liquidator abgesetzt und {B}, von {B o}, in {B r}, als Liquidatorin mit Einzelunterschrift eingesetzt.",
                &["- {A:} | Liquidator | ", "+ {B:} | Liquidatorin | mit Einzelunterschrift"],
            ),
            (
                "L'assemblea ha revocato {A} e nominato liquidatrice {B}, da {B o}, in {B r}, con firma individuale.",
                &["- {A:} |  | ", "+ {B:} | liquidatrice | con firma individuale"],
            ),
            (
                "Il consiglio ha revocato la procura di {A} e conferito la firma individuale a {B}, da {B o}, in {B r}.",
                &["- {A:} |  | ", "+ {B:} |  | firma individuale"],
            ),
            (
                "Zum neuen Präsidenten hat der Verwaltungsrat {A}, bisher Mitglied, gewählt.",
                &["~ {A:} | Präsident | "],
            ),
        ],
        lines,
    );
}

#[test]
fn the_body_of_an_office_before_a_name_is_a_part_of_the_office() {
    assert_stated(
        &[
            (
                "Sono stati eletti membri del consiglio di amministrazione {A}, da {A o}, in {A r}, e {B}, da {B o}, in {B r}.",
                &[
                    "+ {A:} | membro del consiglio di amministrazione | ",
                    "+ {B:} | membro del consiglio di amministrazione | ",
                ],
            ),
            (
                "Il socio e gerente {A} è dimissionario; la sua firma è estinta.",
                &["- {A:} | socio e gerente | "],
            ),
            (
                "Der bisherige Geschäftsführer {A} hat sein Amt niedergelegt, bleibt aber Gesellschafter.",
                &["~ {A:} | Gesellschafter | "],
            ),
            (
                "{A}, administrateur, est décédé. Il est remplacé par {B}, de {B o}, à {B r}, administrateur unique.",
                &["- {A:} | administrateur | ", "+ {B:} | administrateur unique | "],
            ),
            (
                "{A} n'est plus administrateur. Lui succède comme administratrice unique {B}, de {B o}, à {B r}, avec signature individuelle.",
                &[
                    "- {A:} | administrateur | ",
                    "+ {B:} | administratrice unique | avec signature individuelle",
                ],
            ),
            (
                "{A}, de {A o}, à {A r}, a été nommée gérante, sans être associée, avec signature collective à deux.",
                &["+ {A:} | gérante | avec signature collective à deux"],
            ),
        ],
        lines,
    );
}

#[test]
fn members_of_a_body_are_those_that_it_consists_of() {
    assert_stated(
        &[
            (
                "Der Verwaltungsrat setzt sich zusammen aus {A}, von {A o}, in {A r}, Präsident, und {B}, von {B o}, in {B r}, Mitglied, beide mit Kollektivunterschrift zu zweien.",
                &[
                    "+ {A:} | Präsident | mit Kollektivunterschrift zu zweien",
                    "+ {B:} | Mitglied | mit Kollektivunterschrift zu zweien",
                ],
            ),
            (
                "Le conseil est désormais composé de {A}, de {A o}, à {A r}, président, {B}, de {B o}, à {B r}, secrétaire, et {C}, de {C o}, à {C r}, membre, tous trois avec signature collective à deux.",
                &[
                    "+ {A:} | président | avec signature collective à deux",
                    "+ {B:} | secrétaire | avec signature collective à deux",
                    "+ {C:} | membre | avec signature collective à deux",
                ],
            ),
            (
                "Fait nouvellement partie de la direction {A}, de {A o}, à {A r}, avec signature collective à deux.",
                &["+ {A:} | direction | avec signature collective à deux"],
            ),
            (
                "{A}, von {A o}, in {A r}, nimmt neu Einsitz im Verwaltungsrat und zeichnet kollektiv zu zweien.",
                &["+ {A:} | Verwaltungsrat | kollektiv zu zweien"],
            ),
            (
                "{A} gibt sein Amt als Präsident ab, bleibt aber Mitglied.",
                &["~ {A:} | Mitglied | "],
            ),
        ],
        lines,
    );
}
