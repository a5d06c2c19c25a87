//! Signatures that change.

use super::{assert_stated, lines};

#[test]
fn changed_signatures_are_read() {
    assert_stated(
        &[
            (
                "{A} signe désormais collectivement à deux au lieu d'individuellement.",
                &["~ {A:} |  | collectivement à deux"],
            ),
            (
                "{A}, directeur, engage désormais la société par sa signature individuelle.",
                &["~ {A:} | directeur | signature individuelle"],
            ),
            (
                "{A} vertritt die Gesellschaft neu mit Einzelunterschrift.",
                &["~ {A:} |  | mit Einzelunterschrift"],
            ),
            (
                "Les pouvoirs de {A} sont modifiés en ce sens qu'il signe désormais individuellement.",
                &["~ {A:} |  | individuellement"],
            ),
            (
                "{A} dispose désormais de la signature individuelle.",
                &["~ {A:} |  | signature individuelle"],
            ),
            (
                "{A}, von {A o}, in {A r}, wurde die Einzelprokura erteilt.",
                &["+ {A:} |  | Einzelprokura"],
            ),
            (
                "La procuration individuelle est accordée à {A}, de {A o}, à {A r}.",
                &["+ {A:} |  | procuration individuelle"],
            ),
        ],
        lines,
    );
}
