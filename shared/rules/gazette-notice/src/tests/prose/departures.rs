//! Persons who lose their last office or signature.

use super::{assert_stated, lines};

#[test]
fn departures_are_read_without_a_negation() {
    assert_stated(
        &[
            ("{A} a démissionné; ses pouvoirs sont éteints.", &["- {A:} |  | "]),
            ("{A} s'est retiré de l'administration; sa signature est radiée.", &["- {A:} |  | "]),
            ("{A}, administrateur démissionnaire, est radié.", &["- {A:} | administrateur | "]),
            (
                "L'administratrice {A} a quitté ses fonctions; ses pouvoirs sont radiés.",
                &["- {A:} | administratrice | "],
            ),
            ("Par suite de démission, {A} n'est plus gérant.", &["- {A:} | gérant | "]),
            ("Les pouvoirs conférés à {A} et {B} sont éteints.", &["- {A:} |  | ", "- {B:} |  | "]),
            (
                "{A} ist aus dem Verwaltungsrat ausgeschieden; seine Unterschrift ist erloschen.",
                &["- {A:} |  | "],
            ),
            (
                "Aus dem Verwaltungsrat sind ausgeschieden: {A} und {B}.",
                &["- {A:} |  | ", "- {B:} |  | "],
            ),
            (
                "Ausgeschieden ist der bisherige Geschäftsführer {A}.",
                &["- {A:} | Geschäftsführer | "],
            ),
            ("{A} ist als Präsident zurückgetreten.", &["- {A:} | Präsident | "]),
            ("{A} tritt als Mitglied zurück.", &["- {A:} | Mitglied | "]),
            ("Infolge Todes ist {A} nicht mehr Gesellschafter.", &["- {A:} | Gesellschafter | "]),
        ],
        lines,
    );
}

#[test]
fn italian_departures_are_read() {
    assert_stated(
        &[
            ("{A} è dimissionario; i suoi poteri sono estinti.", &["- {A:} |  | "]),
            ("{A} ha cessato di essere amministratore.", &["- {A:} | amministratore | "]),
            (
                "{A} esce dal consiglio di amministrazione e la sua firma è radiata.",
                &["- {A:} |  | "],
            ),
            ("{A} non è più gerente.", &["- {A:} | gerente | "]),
            ("Viene radiata la firma di {A}.", &["- {A:} |  | "]),
            ("I poteri di {A} e di {B} sono estinti.", &["- {A:} |  | ", "- {B:} |  | "]),
            (
                "Sono dimissionari {A}, presidente, e {B}, membro.",
                &["- {A:} | presidente | ", "- {B:} | membro | "],
            ),
            ("La procura conferita a {A} è cancellata.", &["- {A:} |  | procura"]),
        ],
        lines,
    );
}
