//! Firms that hold an office or shares: what happens to them does not happen to the company.

use super::{assert_stated, lines};
use crate::*;

/// The changes of the company, by their kind.
fn changes(text: &str) -> Vec<String> {
    let kind = |it: &Change| match it {
        Change::Seat { to, .. } => format!("seat {}", to.as_deref().unwrap_or_default()),
        Change::Name { to } => format!("name {to}"),
        Change::Deletion { .. } => "deletion".to_owned(),
        other => format!("{other:?}"),
    };
    read(text).changes.iter().map(kind).collect()
}

#[test]
fn seats_and_names_of_holders_are_not_those_of_the_company() {
    assert_stated(
        &[
            ("Die Revisionsstelle Aaretal Treuhand AG hat ihren Sitz nach {A r} verlegt.", &[]),
            ("Die Gesellschafterin Beispiel Holding AG hat ihren Sitz nach {A r} verlegt.", &[]),
            ("Die Revisionsstelle Aaretal Treuhand AG firmiert neu als Aaretal Audit AG.", &[]),
            ("L'organe de révision Modèle Audit SA a transféré son siège à {A r}.", &[]),
            ("Modèle Audit SA, organe de révision, a transféré son siège à {A r}.", &[]),
            ("L'associée Modèle Holding SA est radiée par suite de fusion.", &[]),
            ("La socia Modello Holding SA ha trasferito la sede a {A r}.", &[]),
            ("{A} non è più gerente; la sua firma è cancellata.", &[]),
            ("Die Gesellschaft hat ihren Sitz nach Thun verlegt.", &["seat Thun"]),
            ("La société Muster SA a transféré son siège de Morges à Nyon.", &["seat Nyon"]),
            ("La società ha trasferito la sede a Lugano.", &["seat Lugano"]),
        ],
        changes,
    );
}

#[test]
fn a_renamed_auditor_is_one_auditor() {
    assert_stated(
        &[(
            "Die Revisionsstelle Aaretal Treuhand AG firmiert neu als Aaretal Audit AG.",
            &["~ [Aaretal Audit AG] | Revisionsstelle | "],
        )],
        lines,
    );
}

#[test]
fn sentences_without_a_verb_state_what_they_list() {
    assert_stated(
        &[
            (
                "{A}, de {A o}, à {A r}, directeur de la succursale, avec signature individuelle limitée aux affaires de la succursale.",
                &[
                    "+ {A:} | directeur de la succursale | avec signature individuelle limitée aux affaires de la succursale",
                ],
            ),
            (
                "{A}, da {A o}, in {A r}, procuratore con procura collettiva a due.",
                &["+ {A:} | procuratore | con procura collettiva a due"],
            ),
            (
                "{A}, von {A o}, in {A r}, Direktor, mit Einzelunterschrift.",
                &["+ {A:} | Direktor | mit Einzelunterschrift"],
            ),
            (
                "{A}, de {A o}, à {A r}, directeur, avec signature individuelle, démissionnaire.",
                &["- {A:} | directeur | avec signature individuelle"],
            ),
            (
                "L'administration se compose de {A}, de {A o}, à {A r}, président, et de {B}, de {B o}, à {B r}, secrétaire, tous deux avec signature collective à deux.",
                &[
                    "+ {A:} | président | avec signature collective à deux",
                    "+ {B:} | secrétaire | avec signature collective à deux",
                ],
            ),
        ],
        lines,
    );
}
