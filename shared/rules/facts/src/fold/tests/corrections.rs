//! What a correction changes: signatures, names, auditors, and elections that did not take place.

use domain::persons::SigningAuthority;

use super::*;

const FIRST: &str = "Meier, Hans, von Bern, in Zürich, Präsident des Verwaltungsrates, mit Kollektivunterschrift zu zweien; \
    Keller, Anna, von Chur, in Chur, Mitglied des Verwaltungsrates, mit Kollektivunterschrift zu zweien; \
    Alpha Treuhand AG, in Zürich, Revisionsstelle";

/// The history after the first publication and a correction.
fn corrected(text: &str) -> domain::History {
    let notices = [registration(1, "2020-03-02", &entered(FIRST)), mutation(2, "2020-03-09", text)];
    fold_with_history(&gazette_facts(notices)).expect("a record").1
}

/// The names of the officers in office.
fn officers(history: &domain::History) -> Vec<String> {
    let mut names: Vec<String> =
        history.current_mandates().map(|it| it.person.full_name()).collect();
    names.sort();
    names
}

#[test]
fn corrected_signature_is_the_one_in_force() {
    for text in [
        "Berichtigung des im SHAB Nr. 42 vom 02.03.2020 publizierten TR-Eintrags Nr. 100 vom 27.02.2020: Meier, Hans, von Bern, in Zürich, zeichnet mit Einzelunterschrift [nicht: mit Kollektivunterschrift zu zweien].",
        "Berichtigung: Meier Hans zeichnet mit Einzelunterschrift und nicht mit Kollektivunterschrift zu zweien.",
        "Berichtigung: Meier Hans zeichnet nicht mit Kollektivunterschrift zu zweien, sondern mit Einzelunterschrift.",
        "Rectification: Meier Hans signe individuellement (et non collectivement à deux).",
        "Rectification de l'inscription du 02.03.2020: Meier Hans signe individuellement et non collectivement à deux.",
        "Rectification: Meier Hans ne signe pas collectivement à deux mais individuellement.",
        "Rettifica: Meier Hans firma individualmente e non collettivamente a due.",
        "Rettifica: Meier Hans firma individualmente (non: collettivamente a due).",
    ] {
        let history = corrected(text);
        assert_eq!(officers(&history), ["Anna Keller", "Hans Meier"], "{text}");
        let hans = history.current_mandates().find(|it| it.person.last_name == "Meier");
        let authority = hans.and_then(|it| it.signing_authority);
        assert_eq!(authority, Some(SigningAuthority::Sole), "{text}");
    }
}

#[test]
fn corrected_name_is_that_of_the_same_person() {
    for text in [
        "Berichtigung: Der Name des Mitglieds lautet richtig Kellerhals, Anna (nicht: Keller, Anna).",
        "Berichtigung: Der Name lautet richtig Kellerhals Anna und nicht Keller Anna.",
        "Rectification: le nom exact de l'administratrice est Kellerhals Anna (et non Keller Anna).",
        "Rectification: le nom exact de l'administratrice est Kellerhals Anna et non Keller Anna.",
        "Rettifica: il nome corretto del membro è Kellerhals Anna e non Keller Anna.",
        "Rettifica: il nome esatto del membro è Kellerhals Anna (e non Keller Anna).",
    ] {
        let history = corrected(text);
        assert_eq!(officers(&history), ["Anna Kellerhals", "Hans Meier"], "{text}");
        let anna = history.current_mandates().find(|it| it.person.last_name == "Kellerhals");
        let since = anna.and_then(|it| it.since).map(|it| it.to_string());
        assert_eq!(since.as_deref(), Some("2020-03-02"), "{text}");
    }
}

#[test]
fn corrected_auditor_takes_the_place_of_the_wrong_one() {
    for text in [
        "Berichtigung: Die Revisionsstelle heisst richtig Alfa Treuhand AG, in Zürich [nicht: Alpha Treuhand AG].",
        "Berichtigung: Revisionsstelle ist die Alfa Treuhand AG, in Zürich, und nicht die Alpha Treuhand AG.",
        "Rectification: l'organe de révision est Alfa Treuhand AG, à Zurich, et non Alpha Treuhand AG.",
        "Rectification: l'organe de révision est Alfa Treuhand AG (et non Alpha Treuhand AG), à Zurich.",
        "Rettifica: l'ufficio di revisione è Alfa Treuhand AG, in Zurigo, e non Alpha Treuhand AG.",
        "Rettifica: l'ufficio di revisione è Alfa Treuhand AG, in Zurigo (e non Alpha Treuhand AG).",
    ] {
        let history = corrected(text);
        let [tenure] = history.tenures.as_slice() else { panic!("{text}: {:#?}", history.tenures) };
        assert_eq!(tenure.auditor_name, "Alfa Treuhand AG", "{text}");
        assert_eq!((tenure.appointed_at.is_some(), tenure.is_current()), (true, true), "{text}");
    }
}

#[test]
fn annulled_election_ends_the_office() {
    for text in [
        "Berichtigung: Keller Anna ist nicht als Mitglied des Verwaltungsrates gewählt worden; ihre Eintragung wird gelöscht.",
        "Die Wahl von Anna Keller als Mitglied des Verwaltungsrates wird annulliert.",
        "Rectification: C'est par erreur que Keller Anna a été inscrite comme administratrice; son inscription est annulée.",
        "L'inscription de Keller Anna est annulée.",
        "Rettifica: Keller Anna è stata iscritta erroneamente quale membro; la sua iscrizione è cancellata.",
        "La nomina di Keller Anna quale membro è annullata.",
    ] {
        assert_eq!(officers(&corrected(text)), ["Hans Meier"], "{text}");
    }
    // Something else is deleted.
    for (text, name) in [
        (
            "Nomination de Rochat Luc, de Sion, à Sion, comme administrateur; la signature de Blanc Paul est supprimée.",
            "Rochat",
        ),
        (
            "L'inscription de l'administratrice Keller Anna est modifiée; la signature de Rochat Luc est radiée.",
            "Keller",
        ),
        (
            "Rochat Luc, von Thun, in Thun, ist gemäss Ernennung vom 01.02.2020 Mitglied; die Unterschrift von Paul Blanc ist gelöscht.",
            "Rochat",
        ),
    ] {
        let history = corrected(text);
        let mut ended = history.mandates.iter().filter(|it| !it.is_current());
        assert!(ended.all(|it| it.person.last_name != name), "{text}: {:#?}", history.mandates);
    }
    // Nobody can say who is meant, or the person is entered again.
    for text in [
        "La radiation de Keller Anna est annulée.",
        "Keller Anna, radiée par erreur, est réinscrite comme administratrice.",
        "Die Löschung von Keller Anna wird rückgängig gemacht.",
    ] {
        assert_eq!(officers(&corrected(text)), ["Anna Keller", "Hans Meier"], "{text}");
    }
}
