//! Persons who resume an office, commissioners of moratoria, auditors that another one replaces, and names with particles.

use super::{assert_stated, details::details, lines};

#[test]
fn a_resumed_office_states_the_signature() {
    assert_stated(
        &[
            (
                "La gérante {A} reprend ses fonctions avec signature individuelle.",
                &["~ {A:} | gérante | avec signature individuelle"],
            ),
            (
                "{A} nimmt ihre Funktion als Geschäftsführerin mit Einzelunterschrift wieder auf.",
                &["~ {A:} | Geschäftsführerin | mit Einzelunterschrift"],
            ),
            (
                "L'amministratore {A} riprende la sua carica con firma individuale.",
                &["~ {A:} | amministratore | con firma individuale"],
            ),
        ],
        lines,
    );
}

#[test]
fn commissioners_are_persons() {
    assert_stated(
        &[
            (
                "{A}, de {A o}, à {A r}, est désigné commissaire au sursis.",
                &["+ {A:} | commissaire au sursis | "],
            ),
            (
                "{A} n'est plus commissaire provisoire au sursis.",
                &["- {A:} | commissaire provisoire au sursis | "],
            ),
            (
                "Zum Sachwalter wurde {A}, von {A o}, in {A r}, ernannt.",
                &["+ {A:} | Sachwalter | "],
            ),
            (
                "{A}, da {A o}, in {A r}, è nominata commissaria della moratoria.",
                &["+ {A:} | commissaria della moratoria | "],
            ),
        ],
        lines,
    );
}

#[test]
fn the_auditor_beside_its_office_is_replaced() {
    for (text, former, new) in [
        (
            "L'organe de révision, Contrôle du Lac SA, est remplacé par Probe Audit SA, à Sion.",
            "Contrôle du Lac SA",
            "Probe Audit SA",
        ),
        (
            "Die Revisionsstelle, Modell Treuhand AG, wird durch Probe Audit AG, in Chur, ersetzt.",
            "Modell Treuhand AG",
            "Probe Audit AG",
        ),
        (
            "L'ufficio di revisione, Esempio Fiduciaria SA, è sostituito da Prova Audit SA, in Lugano.",
            "Esempio Fiduciaria SA",
            "Prova Audit SA",
        ),
    ] {
        let stated = crate::read(&super::notice(text)).entries;
        let entry = |name: &str| {
            let line = stated.iter().map(super::line).find(|it| it.contains(name));
            let role = stated.iter().find(|it| super::line(it).contains(name));
            (line.map(|it| it[..1].to_owned()), role.and_then(|it| it.role))
        };
        let auditor = Some(crate::Role::Auditor);
        assert_eq!(entry(former), (Some("-".into()), auditor), "{text}");
        assert_eq!(entry(new), (Some("+".into()), auditor), "{text}");
    }
}

#[test]
fn the_name_of_a_firm_goes_on_after_the_sign_for_and() {
    for (text, expected) in [
        (
            "Treuhand Muster & Söhne ist nicht mehr Revisionsstelle.",
            "- [Treuhand Muster & Söhne] | Revisionsstelle | ",
        ),
        (
            "Fiduciaria Prova & Figli non è più ufficio di revisione.",
            "- [Fiduciaria Prova & Figli] | ufficio di revisione | ",
        ),
    ] {
        assert_eq!(lines(&super::notice(text)), [expected], "{text}");
    }
    let address =
        "L'association est désormais domiciliée chez Probe & Fils, rue du Lac 5, 1000 Lausanne.";
    assert!(lines(&super::notice(address)).is_empty());
}

#[test]
fn surnames_start_with_particles_and_titles_stand_inside() {
    for (text, expected) in [
        (
            "Nouveaux administrateurs: Probe Anna, de Sion, à Sierre, et van der Test Willem, des Pays-Bas, à Nyon.",
            ["+ Probe, Anna | administrateur | ", "+ van der Test, Willem | administrateur | "],
        ),
        (
            "Eingetragene Personen: ter Probe, Anna, niederländische Staatsangehörige, in Zug, Mitglied; af Muster, Hans, schwedischer Staatsangehöriger, in Baar, Direktor.",
            ["+ ter Probe, Anna | Mitglied | ", "+ af Muster, Hans | Direktor | "],
        ),
        (
            "Probe Anna, de Sion, à Sierre, et van den Test Willem, des Pays-Bas, à Nyon, sont nommés administrateurs.",
            ["+ Probe, Anna | administrateur | ", "+ van den Test, Willem | administrateur | "],
        ),
        (
            "Probe Anna, de Sion, à Sierre, et de la Test Luca, d'Italie, à Nyon, sont nommés gérants.",
            ["+ Probe, Anna | gérant | ", "+ de la Test, Luca | gérant | "],
        ),
        (
            "Les pouvoirs de Probe Anna, de Sion, à Sierre, et de Test Luca, d'Italie, à Nyon, sont radiés.",
            ["- Probe, Anna |  | ", "- Test, Luca |  | "],
        ),
        (
            "Prova don Carlo non è più presidente. Muster Dr. Hans ist nicht mehr Direktor.",
            ["- Prova, Carlo | presidente | ", "- Muster, Hans | Direktor | "],
        ),
    ] {
        assert_eq!(lines(&super::notice(text)), expected, "{text}");
    }
}

#[test]
fn what_a_bracket_takes_back_is_no_part_of_a_residence() {
    assert_stated(
        &[
            ("{A} est domiciliée à {B r} (et non à Gland).", &["~ {A:} |  | {B r} | "]),
            ("{A} ist wohnhaft in {B r} (nicht: Olten).", &["~ {A:} |  | {B r} | "]),
            ("{A} è domiciliata a {B r} (e non Chiasso).", &["~ {A:} |  | {B r} | "]),
        ],
        details,
    );
    let text = "Eingetragene Personen: Muster, Hans, von Bern, in Thun (nicht: Olten), Direktor; Probe, Anna, von Chur und italienische Staatsangehörige, in Davos, Direktorin.";
    assert_eq!(
        details(&super::notice(text)),
        ["~ Muster, Hans | Bern | Thun | ", "+ Probe, Anna | Chur | Davos | "]
    );
}
