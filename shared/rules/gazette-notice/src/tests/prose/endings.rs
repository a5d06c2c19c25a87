//! Offices, mandates and signatures that end.

use super::{assert_stated, lines};

#[test]
fn endings_in_other_words_are_read() {
    assert_stated(
        &[
            (
                "{A} ne fait plus partie du conseil d'administration; ses pouvoirs sont radiés.",
                &["- {A:} |  | "],
            ),
            ("{A} gehört dem Verwaltungsrat nicht mehr an.", &["- {A:} |  | "]),
            ("{A} n'exerce plus la signature.", &["- {A:} |  | "]),
            ("{A} führt die Unterschrift nicht mehr.", &["- {A:} |  | "]),
            (
                "{A} ist als Geschäftsführer abberufen worden; er bleibt Gesellschafter.",
                &["~ {A:} | Gesellschafter | "],
            ),
            ("Das Mandat von {A} als Präsident ist beendet.", &["- {A:} | Präsident | "]),
            ("{A} a été révoqué de ses fonctions de directeur.", &["- {A:} | directeur | "]),
            ("{A}, décédé, est radié.", &["- {A:} |  | "]),
            ("{A} a remis sa démission d'administrateur.", &["- {A:} | administrateur | "]),
            ("{A} hat seinen Rücktritt aus dem Stiftungsrat erklärt.", &["- {A:} |  | "]),
            ("{A} ha dato le dimissioni da amministratore.", &["- {A:} | amministratore | "]),
            ("Aus der Geschäftsführung ausgeschieden ist {A}.", &["- {A:} |  | "]),
            (
                "Le firme di {A}, direttore, e {B}, vicedirettore, sono estinte.",
                &["- {A:} | direttore | ", "- {B:} | vicedirettore | "],
            ),
            (
                "{A}, administrateur, est sorti du conseil d'administration; sa signature est éteinte.",
                &["- {A:} | administrateur | "],
            ),
        ],
        lines,
    );
}
