//! Persons and firms in notices.

use super::{ENTERED, decimal};
use crate::*;

/// One line for each entry: `+` (enters), `~` (changes) or `-` (leaves), then name, function and
/// signature.
fn entries(text: &str) -> Vec<String> {
    read(text).entries.iter().map(line).collect()
}

fn line(entry: &Entry) -> String {
    let sign = match entry.kind {
        EntryKind::Entered => '+',
        EntryKind::Changed => '~',
        EntryKind::Left => '-',
    };
    let name = match &entry.subject {
        Subject::Person { last_name, first_name, .. } => format!("{last_name}, {first_name}"),
        Subject::Entity { name, .. } => format!("[{name}]"),
    };
    let or_empty = |it: &Option<String>| it.clone().unwrap_or_default();
    format!("{sign} {name} | {} | {}", or_empty(&entry.function), or_empty(&entry.signature))
}

fn single_entry(text: &str) -> Entry {
    let mut entries = read(text).entries;
    assert_eq!(entries.len(), 1, "expected one entry, got {entries:?}");
    entries.remove(0)
}

#[test]
fn german_list_style_gives_leaving_and_entering_persons() {
    assert_eq!(
        entries(
            "Muster AG, in Bern, CHE-600.000.012, Aktiengesellschaft (SHAB Nr. 2 vom 06.01.2026, Publ. 1000000001). \
             Ausgeschiedene Personen und erloschene Unterschriften: Alt Revisions GmbH (CHE-600.000.029), in Thun, \
             Revisionsstelle; Probe, Dr. Rolf, von St. Gallen, in Affoltern a.A. Mitglied, ohne Zeichnungsberechtigung. \
             Eingetragene Personen neu oder mutierend: Muster, Eva Maria, von Chur, Davos und Bern, in Paris (FR), \
             Präsidentin des Verwaltungsrates, mit Kollektivunterschrift zu zweien, beschränkt auf den Hauptsitz \
             [bisher: Mitglied, mit Einzelunterschrift]; Neu Audit AG (CHE-600.000.035), in Zug, Revisionsstelle."
        ),
        [
            "- [Alt Revisions GmbH] | Revisionsstelle | ",
            "- Probe, Rolf | Mitglied | ohne Zeichnungsberechtigung",
            "~ Muster, Eva Maria | Präsidentin des Verwaltungsrates | mit Kollektivunterschrift zu zweien, beschränkt auf den Hauptsitz",
            "+ [Neu Audit AG] | Revisionsstelle | ",
        ]
    );
}

#[test]
fn french_and_italian_list_style_is_read() {
    assert_eq!(
        entries(
            "Personne(s) et signature(s) radiée(s): Modèle, Jean, de Sion, à Sierre, administrateur, avec signature individuelle. \
             Inscription ou modification de personne(s): Modèle, Anne, de Sion et Conthey, à Sion, administratrice, avec \
             signature collective à deux [précédemment: à Martigny]."
        ),
        [
            "- Modèle, Jean | administrateur | avec signature individuelle",
            "~ Modèle, Anne | administratrice | avec signature collective à deux",
        ]
    );
    assert_eq!(
        entries(
            "Persone dimissionarie e firme cancellate: Esempio, Marco, cittadino italiano, in Como (IT), membro, con firma \
             collettiva a due. Nuove persone iscritte o modifiche: Esempio, Carla, da Lugano, in Paradiso, socia e gerente, \
             con firma individuale, con 20 quote da CHF 1'000.00 [finora: gerente]."
        ),
        [
            "- Esempio, Marco | membro | con firma collettiva a due",
            "~ Esempio, Carla | socia e gerente | con firma individuale",
        ]
    );
}

#[test]
fn fribourg_list_style_with_full_stops_is_read() {
    assert_eq!(
        entries(
            "Gelöschte Personen: Muster Hans, von Bern, in Köniz, Mitglied, mit Einzelunterschrift. von Probe Urs, von \
             Olten, in Murten, mit Einzelprokura. Neu eingetragene Person: Beispiel Anna, von Bern, in Köniz, \
             Vizepräsidentin (bisher Mitglied), mit Einzelunterschrift (wie bisher). Eingetragene Person geändert: Test \
             Rolf, von Thun (bisher von Spiez), in Thun, Mitglied. Die Gesellschaft ist in Bern, von Amtes wegen."
        ),
        [
            "- Muster, Hans | Mitglied | mit Einzelunterschrift",
            "- von Probe, Urs |  | mit Einzelprokura",
            "~ Beispiel, Anna | Vizepräsidentin | mit Einzelunterschrift",
            "~ Test, Rolf | Mitglied | ",
        ]
    );
}

#[test]
fn old_markup_and_supporting_documents_add_no_entries() {
    assert_eq!(
        entries(
            "<F>Muster GmbH<E>, in <S>Zug<E>. Eingetragene Personen Gelöscht: Muster, Hans, Heimat: Thun, in Zug, \
             Gesellschafter, Stammanteil: CHF 10'000. Eingetragene Personen Neu: Novum Revi (<R>CH-020.3.000.000-2<E>), \
             in Zug, Revisionsstelle.<B>Verfügung 1. Anmeldung: Probe, Max, von Bern, in Bern, Mitglied<E>"
        ),
        ["- Muster, Hans | Gesellschafter | ", "+ [Novum Revi] | Revisionsstelle | "]
    );
}

#[test]
fn prose_style_gives_leaving_persons() {
    assert_eq!(
        entries(
            "Modèle SA, à Lausanne (FOSC du 25.03.2024, p. 0/1000000001). Dubois Jean n'est plus administrateur; ses \
             pouvoirs sont radiés. Favre Anne et Martin Luc ne sont plus associés ni gérants; leurs signatures sont \
             radiées. L'administrateur Moret Paul est démissionnaire; sa signature est radiée. La procuration de Rey \
             Sébastien est radiée. Les pouvoirs de Roy Luc sont éteints. Fidu Modèle SA n'est plus organe de révision."
        ),
        [
            "- Dubois, Jean | administrateur | ",
            "- Favre, Anne | associé et gérant | ",
            "- Martin, Luc | associé et gérant | ",
            "- Moret, Paul | administrateur | ",
            "- Rey, Sébastien |  | procuration",
            "- Roy, Luc |  | ",
            "- [Fidu Modèle SA] | organe de révision | ",
        ]
    );
    assert_eq!(
        entries(
            "Die Kollektivprokura von Muster Hans, Probe Anna, und Test Urs ist erloschen. Keller Max, Präsident; Frei \
             Rolf, Mitglied, sind zurückgetreten, ihre Unterschrift ist erloschen. Die bisherige Revisionsstelle Alt \
             Treuhand AG, in Thun, ist weggefallen."
        ),
        [
            "- Muster, Hans |  | Kollektivprokura",
            "- Probe, Anna |  | Kollektivprokura",
            "- Test, Urs |  | Kollektivprokura",
            "- Keller, Max | Präsident | ",
            "- Frei, Rolf | Mitglied | ",
            "- [Alt Treuhand AG] | Revisionsstelle | ",
        ]
    );
}

#[test]
fn prose_style_gives_entering_persons() {
    assert_eq!(
        entries(
            "Martin Paul, de Lausanne, à Pully, est membre du conseil avec signature collective à deux. Nouvel administrateur \
             unique: Rossi Marco, d'Italie, à Veyrier, avec signature individuelle. Signature individuelle de Favre Anne, \
             présidente. Procuration collective à deux est conférée à Moret Luc, de Vuadens, à Bulle. Dubois Jean, de et à \
             Nyon, est nommé gérant, en remplacement de Rey Luc, démissionnaire, dont la signature est radiée."
        ),
        [
            "+ Martin, Paul | membre du conseil | avec signature collective à deux",
            "+ Rossi, Marco | administrateur unique | avec signature individuelle",
            "~ Favre, Anne | présidente | Signature individuelle",
            "+ Moret, Luc |  | Procuration collective à deux",
            "+ Dubois, Jean | gérant | ",
            "- Rey, Luc |  | ",
        ]
    );
    assert_eq!(
        entries(
            "Für die Zweigniederlassung zeichnen mit Einzelunterschrift Muster Hans, von Zug, in Baar und Probe Urs, von Bern, \
             in Thun; mit Einzelprokura Test Anna, von Chur, in Chur. Keller Max, von Biel, in Nidau, ist Präsident, und Frei \
             Rolf, von Thun, in Spiez, ist Mitglied, beide mit Kollektivunterschrift zu zweien. Neuer Sekretär mit \
             Einzelunterschrift ist Huber Karl, von Biel, in Biel. Schmid Urs, bisher Mitglied, ist nun Präsident."
        ),
        [
            "+ Muster, Hans |  | mit Einzelunterschrift",
            "+ Probe, Urs |  | mit Einzelunterschrift",
            "+ Test, Anna |  | mit Einzelprokura",
            "+ Keller, Max | Präsident | mit Kollektivunterschrift zu zweien",
            "+ Frei, Rolf | Mitglied | mit Kollektivunterschrift zu zweien",
            "+ Huber, Karl | Sekretär | mit Einzelunterschrift",
            "~ Schmid, Urs | Präsident | ",
        ]
    );
}

#[test]
fn statement_about_all_entries_applies_to_each() {
    assert_eq!(
        entries(
            "Associés: Silva Ana, du Portugal, à Vernier, gérante présidente, pour 120 parts de CHF 100, et Perrin Luc, de \
             Genève, à Lancy, gérant, pour 80 parts de CHF 100, lesquels signent collectivement à deux. Administration: \
             Dubois Jean, de Genève, à Cologny, président, Favre Anne, de Bulle, à Thônex, secrétaire, et Weber Karl, \
             d'Allemagne, à Munich, D, tous avec signature individuelle."
        ),
        [
            "+ Silva, Ana | Associé, gérante présidente | collectivement à deux",
            "+ Perrin, Luc | Associé, gérant | collectivement à deux",
            "+ Dubois, Jean | président | avec signature individuelle",
            "+ Favre, Anne | secrétaire | avec signature individuelle",
            "+ Weber, Karl | Administration | avec signature individuelle",
        ]
    );
    assert_eq!(
        entries(
            "Eingetragene Personen: Hans Muster, von Bern, in Thun, Gesellschafter mit einer Stammeinlage von CHF 10'000, und \
             Geschäftsführer; Anna Probe, von und in Chur, Gesellschafterin; beide mit Einzelunterschrift."
        ),
        [
            "+ Muster, Hans | Gesellschafter und Geschäftsführer | mit Einzelunterschrift",
            "+ Probe, Anna | Gesellschafterin | mit Einzelunterschrift",
        ]
    );
}

#[test]
fn function_label_applies_to_its_holder() {
    assert_eq!(
        entries(
            "Organe de révision: Fidu Modèle SA (CHE-600.000.029), à Carouge GE. Aufsichtsbehörde neu: Amt für Muster des \
             Kantons Probe [Eintrag von Amtes wegen]. Revisionsstelle: Muster & Partner, in Zug. Titulaire: Modèle Jean, de \
             France, à Morges, avec signature individuelle. Organisation neu: Stiftungsrat von 3 Mitgliedern."
        ),
        [
            "+ [Fidu Modèle SA] | Organe de révision | ",
            "+ [Amt für Muster des Kantons Probe] | Aufsichtsbehörde | ",
            "+ [Muster & Partner] | Revisionsstelle | ",
            "+ Modèle, Jean | Titulaire | avec signature individuelle",
        ]
    );
}

#[test]
fn all_clauses_of_an_entry_are_read() {
    let entry = single_entry(&format!(
        "{ENTERED} Muster, Dr. iur. Johann genannt Hansi, deutscher Staatsangehöriger, in Osaka, Japan (JP), \
         Gesellschafter und Geschäftsführer, mit Einzelunterschrift, mit 200 Stammanteilen zu je CHF 100.00 [bisher: \
         Gesellschafter, ohne Zeichnungsberechtigung]."
    ));
    assert_eq!(
        entry.subject,
        Subject::Person {
            last_name: "Muster".into(),
            first_name: "Johann".into(),
            title: Some("Dr. iur.".into()),
            also_known_as: Some("Hansi".into()),
        }
    );
    assert_eq!(entry.kind, EntryKind::Changed);
    assert_eq!(entry.origin, None);
    assert_eq!(entry.nationality.and_then(|it| it.country).as_deref(), Some("DE"));
    assert_eq!(entry.domicile.as_deref(), Some("Osaka, Japan (JP)"));
    assert_eq!((entry.role, entry.organ), (Some(Role::ManagingPartner), Some(Organ::Management)));
    assert_eq!(entry.signature_kind, Some(SignatureKind::Sole));
    assert_eq!(entry.quota.and_then(|it| it.total), Some(decimal(20_000)));
    assert_eq!(entry.before.as_deref(), Some("Gesellschafter, ohne Zeichnungsberechtigung"));
}

#[test]
fn foreign_country_is_nationality_and_swiss_place_is_origin() {
    let abroad = single_entry(
        "Associé-gérant: Modèle Igor, de Roumanie, à Onex, pour 200 parts de CHF 100 avec signature individuelle.",
    );
    assert_eq!(abroad.nationality.and_then(|it| it.country).as_deref(), Some("RO"));
    assert_eq!((abroad.origin, abroad.domicile.as_deref()), (None, Some("Onex")));
    assert_eq!(abroad.signature.as_deref(), Some("avec signature individuelle"));
    assert_eq!(abroad.quota.and_then(|it| it.shares), Some(200));
    let home = single_entry(&format!(
        "{ENTERED} Muster, Eva, von Chur, Bern und Les Bois, in Thun, Mitglied."
    ));
    assert_eq!(home.origin.as_deref(), Some("Chur, Bern und Les Bois"));
}

#[test]
fn firms_and_persons_are_distinguished() {
    let is_entity = |entry: &str| {
        let entry = single_entry(&format!("{ENTERED} {entry}, ohne Zeichnungsberechtigung."));
        matches!(entry.subject, Subject::Entity { .. })
    };
    for firm in [
        "Muster Holding AG (CHE-600.000.012), in Zug, Gesellschafterin",
        "Ortas, Organisations- und Treuhand-AG, in Zug, Revisionsstelle",
        "Muster Hans, dipl. Experte, in Thun, Revisionsstelle",
        "Kanton Probe, in Chur, Gesellschafter",
    ] {
        assert!(is_entity(firm), "{firm}");
    }
    for person in [
        "Muster, Hans, von Zug, in Zug, Gesellschafter",
        "Muster, Hans, in Zug, Mitglied",
        "Bank, Peter, österreichischer Staatsangehöriger, in Zug, Mitglied",
    ] {
        assert!(!is_entity(person), "{person}");
    }
}

#[test]
fn purposes_addresses_and_other_sentences_add_no_entries() {
    for text in [
        "Zweck: Die Gesellschaft bezweckt die Verwaltung von Vermögen, in Bern und Zug, als Direktor. Sie ist Mitglied der \
         Kammer. Die Gesellschaft ist Inhaberin von Patenten, von denen sie lebt, in Europa.",
        "Domizil neu: c/o Dr. Hans Muster, Seestrasse 1, 8000 Zürich. Mitteilungen neu: Mitteilungen der Geschäftsführung \
         an die Gesellschafter erfolgen per Brief.",
        "La société est dissoute par suite de faillite. Le siège est transféré à Lausanne, de sorte que la signature suit.",
        "Die Zweigniederlassung von Köniz ist erloschen.",
        "Die Gesellschaft ist derzeit ohne Revisionsstelle.",
    ] {
        assert_eq!(entries(text), [""; 0], "{text}");
    }
}

/// The name, the ISO code of the nationality and the origin of each person.
fn nationalities(text: &str) -> Vec<(String, Option<String>, Option<String>)> {
    let entries = read(text).entries.into_iter();
    let nationality = |it: Entry| {
        let name = match it.subject {
            Subject::Person { last_name, .. } => last_name,
            Subject::Entity { name, .. } => name,
        };
        (name, it.nationality.and_then(|it| it.country), it.origin)
    };
    entries.map(nationality).collect()
}

#[test]
fn foreigners_from_every_country_are_no_swiss_citizens() {
    let list = format!(
        "{ENTERED} Muster, Van, de Vietnam, in Zürich, Mitglied; Muster, Ali, aus der Türkei, in Basel, Mitglied; Muster, Agim, \
         aus dem Kosovo, in Bern, Direktor; Muster, John, aus den USA, in Zug, Präsident; Muster, Rahim, von Bangladesch, in \
         Luzern, mit Einzelprokura."
    );
    let italian = "Nuove persone iscritte: Esempio, Anna, dal Vietnam, in Lugano, membro; Esempio, Marco, dall'Argentina, in \
                   Chiasso, membro; Esempio, Tom, dagli Stati Uniti, in Locarno, direttore; Esempio, Jan, dai Paesi Bassi, \
                   in Lugano, direttore.";
    let french = "Modèle Lan, du Vietnam, à Renens, est administratrice. Modèle Min, de Corée du Sud, à Nyon, est administrateur. \
                  Modèle Jean, des Emirats Arabes Unis, à Genève, est directeur. Modèle Luc, de la République démocratique du \
                  Congo, à Pully, est directeur. Modèle Awa, du Sénégal, à Prilly, est directrice.";
    for (text, codes) in [
        (list.as_str(), &["VN", "TR", "XK", "US", "BD"][..]),
        (italian, &["VN", "AR", "US", "NL"]),
        (french, &["VN", "KR", "AE", "CD", "SN"]),
    ] {
        let found = nationalities(text);
        let found: Vec<_> =
            found.iter().map(|(_, code, origin)| (code.as_deref(), origin)).collect();
        let expected: Vec<_> = codes.iter().map(|it| (Some(*it), &None)).collect();
        assert_eq!(found, expected, "{text}");
    }
    // The name of two countries, and citizens of two.
    let unclear = "Modèle Paul, du Congo, à Morges, est directeur.";
    assert_eq!(nationalities(unclear), [("Modèle".to_owned(), None, None)]);
    let two = "Modèle Ali, de France et du Sénégal, à Onex, est administrateur.";
    assert_eq!(nationalities(two)[0].1.as_deref(), Some("FR"));
    // Swiss communes.
    for place in ["Saint-Martin", "Granges", "Genève et du Portugal"] {
        let swiss = format!("Modèle Luc, de {place}, à Onex, est directeur.");
        assert_eq!(nationalities(&swiss), [("Modèle".to_owned(), None, Some(place.to_owned()))]);
    }
}

#[test]
fn surname_may_start_with_a_preposition_after_the_office_or_at_the_start_of_a_sentence() {
    for (text, line) in [
        ("de Muster Anne n'est plus administratrice.", "- de Muster, Anne | administratrice | "),
        (
            "L'administratrice de Muster Anne a démissionné.",
            "- de Muster, Anne | administratrice | ",
        ),
        (
            "Les pouvoirs de l'administrateur du Muster Luc sont radiés.",
            "- du Muster, Luc | administrateur | ",
        ),
        (
            "La direttrice della Muster Anna ha dimissionato.",
            "- della Muster, Anna | direttrice | ",
        ),
        ("Die Direktorin de Muster Eva ist ausgeschieden.", "- de Muster, Eva | Direktorin | "),
        ("Der Präsident von Muster Hans ist ausgeschieden.", "- von Muster, Hans | Präsident | "),
        ("Al Muster Omar n'est plus administrateur.", "- Al Muster, Omar | administrateur | "),
        (
            "Van der Muster Jan n'est plus administrateur.",
            "- Van der Muster, Jan | administrateur | ",
        ),
    ] {
        assert_eq!(entries(text), [line], "{text}");
    }
}

#[test]
fn courts_registers_and_numbers_of_publications_are_no_persons() {
    assert_eq!(
        entries(
            "Für die Gesellschaft hat das Handelsgericht des Kantons Aargau mit Entscheid vom 12.03.2021 die Muster AG \
             (CHE-600.000.012), in Aarau, als Sachwalterin ernannt."
        ),
        ["+ [Muster AG] | Sachwalterin | "]
    );
    for text in [
        "La società è stata radiata dal registro di commercio del Cantone Ticino a seguito del trasferimento della sede sociale \
         a Ginevra.",
        "La société est radiée du registre du commerce du Canton Vaud par suite du transfert de son siège social à Genève.",
    ] {
        assert_eq!(entries(text), Vec::<String>::new(), "{text}");
    }
    assert_eq!(
        entries(
            "Berichtigung zum TR-Eintrag Nr. 8123 vom 12.05.2020, SHAB Nr. 42 vom 15.05.2020: Keller, Hans, von Bern, in Thun, \
             ist Präsident."
        ),
        ["~ Keller, Hans | Präsident | "]
    );
}

#[test]
fn detail_that_ends_is_a_change_of_a_person_who_stays() {
    for (text, before) in [
        (
            format!(
                "{ENTERED} Muster, Hans, von Bern, in Bern, Mitglied [gestrichen: Delegierter]."
            ),
            "Delegierter",
        ),
        (
            format!(
                "{ENTERED} Muster, Hans, von Bern, in Bern, Mitglied [gestrichen: mit Einzelunterschrift]."
            ),
            "mit Einzelunterschrift",
        ),
        (
            "Personnes inscrites: Modèle, Luc, de Sion, à Sierre, administrateur [biffé: délégué]."
                .to_owned(),
            "délégué",
        ),
        (
            "Persone iscritte: Esempio, Luca, da Lugano, in Lugano, membro [stralciato: delegato]."
                .to_owned(),
            "delegato",
        ),
    ] {
        let entry = single_entry(&text);
        assert_eq!(
            (entry.kind, entry.before.as_deref()),
            (EntryKind::Changed, Some(before)),
            "{text}"
        );
    }
    let day =
        format!("{ENTERED} Muster, Hans, von Bern, in Bern, Mitglied [gestrichen: 09.05.2008].");
    assert_eq!(single_entry(&day).kind, EntryKind::Entered);
}

#[test]
fn words_that_belong_to_neither_signature_nor_office_are_left_out() {
    for (clause, function, signature) in [
        ("Mitglied, weiterhin mit Einzelunterschrift", "Mitglied", "mit Einzelunterschrift"),
        (
            "Mitglied, zeichnet weiterhin mit Kollektivunterschrift zu zweien",
            "Mitglied",
            "mit Kollektivunterschrift zu zweien",
        ),
        ("Mitglied, nach wie vor mit Einzelprokura", "Mitglied", "mit Einzelprokura"),
        (
            "administrateur, toujours avec signature individuelle",
            "administrateur",
            "avec signature individuelle",
        ),
        ("membro, tuttora con firma individuale", "membro", "con firma individuale"),
    ] {
        let entry = single_entry(&format!("{ENTERED} Muster, Hans, von Bern, in Bern, {clause}."));
        assert_eq!(entry.function.as_deref(), Some(function), "{clause}");
        assert_eq!(entry.signature.as_deref(), Some(signature), "{clause}");
    }
    for (text, line) in [
        (
            "Muster Hans, von Bern, in Bern, wurde als Präsident in den Verwaltungsrat gewählt.",
            "+ Muster, Hans | Präsident | ",
        ),
        (
            "Muster Hans, von Bern, in Bern, wurde als Präsident mit Einzelunterschrift in den Stiftungsrat gewählt.",
            "+ Muster, Hans | Präsident | mit Einzelunterschrift",
        ),
    ] {
        assert_eq!(entries(text), [line], "{text}");
    }
}

#[test]
fn long_legal_form_is_part_of_the_name() {
    assert_eq!(
        entries("Modèle Société anonyme, à Genève, est organe de révision."),
        ["+ [Modèle Société anonyme] | organe de révision | "]
    );
}

#[test]
fn surname_of_two_words_stays_whole() {
    for (text, surname, given) in [
        (
            "Zbinden Chollet Yvonne, de Guggisberg, à Romont, est nommée administratrice.",
            "Zbinden Chollet",
            "Yvonne",
        ),
        (
            "L'administrateur Dupraz Ferreira Paul n'est plus administrateur.",
            "Dupraz Ferreira",
            "Paul",
        ),
        ("Gérante: Rochat Blanc Anne, de L'Abbaye, à Nyon.", "Rochat Blanc", "Anne"),
        (
            "Inscription ou modification de personnes: Garcia Lopez, Maria, d'Espagne, à Genève, associée.",
            "Garcia Lopez",
            "Maria",
        ),
        (
            "Meier Huber Anna, von Bern, in Thun, ist zur Präsidentin gewählt worden.",
            "Meier Huber",
            "Anna",
        ),
        (
            "Eingetragene Personen: Wyss Keller, Peter, von Thun, in Bern, Mitglied.",
            "Wyss Keller",
            "Peter",
        ),
        (
            "Bernasconi Ferrari Luca, da Chiasso, in Lugano, è nominato presidente.",
            "Bernasconi Ferrari",
            "Luca",
        ),
        (
            "Persone iscritte: Rezzonico Galli, Carla, da Lugano, in Lugano, gerente.",
            "Rezzonico Galli",
            "Carla",
        ),
    ] {
        let notice = crate::read(&format!(
            "Muster SA, à Sion, CHE-600.000.012 (FOSC du 06.01.2026, p. 0/1000000001). {text}"
        ));
        let [entry] = notice.entries.as_slice() else { panic!("{text}: {:#?}", notice.entries) };
        let Subject::Person { last_name, first_name, .. } = &entry.subject else {
            panic!("{text}: {entry:#?}")
        };
        assert_eq!((last_name.as_str(), first_name.as_str()), (surname, given), "{text}");
    }
}
