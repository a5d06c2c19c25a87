use proptest::prelude::*;

use super::*;

/// The entries, one a line: `+` who enters, `~` who changes, `-` who leaves; then name, function and
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
    let written = |it: &Option<String>| it.clone().unwrap_or_default();
    format!("{sign} {name} | {} | {}", written(&entry.function), written(&entry.signature))
}

fn one(text: &str) -> Entry {
    let mut entries = read(text).entries;
    assert_eq!(entries.len(), 1, "{entries:?}");
    entries.remove(0)
}

fn changes(text: &str) -> Vec<Change> {
    read(text).changes
}

const ENTERED: &str = "Eingetragene Personen neu oder mutierend:";

#[test]
fn german_headings_list_who_leaves_and_who_enters() {
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
fn french_and_italian_headings_are_read_alike() {
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
fn fribourg_ends_every_entry_with_a_full_stop() {
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
fn old_markup_and_the_evidence_behind_a_notice_are_no_entries() {
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
fn sentences_say_who_leaves() {
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
fn sentences_say_who_enters() {
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
            "+ Favre, Anne | présidente | Signature individuelle",
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
fn what_is_said_of_all_goes_to_each() {
    assert_eq!(
        entries(
            "Associés: Silva Ana, du Portugal, à Vernier, gérante présidente, pour 120 parts de CHF 100, et Perrin Luc, de \
             Genève, à Lancy, gérant, pour 80 parts de CHF 100, lesquels signent collectivement à deux. Administration: \
             Dubois Jean, de Genève, à Cologny, président, Favre Anne, de Bulle, à Thônex, secrétaire, et Weber Karl, \
             d'Allemagne, à Munich, D, tous avec signature individuelle."
        ),
        [
            "+ Silva, Ana | gérante présidente | collectivement à deux",
            "+ Perrin, Luc | gérant | collectivement à deux",
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
fn labels_of_an_organ_name_its_holder() {
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
fn an_entry_is_read_to_its_last_clause() {
    let entry = one(&format!(
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
    assert_eq!(entry.quota.and_then(|it| it.total), Some(Amount::units(20_000)));
    assert_eq!(entry.before.as_deref(), Some("Gesellschafter, ohne Zeichnungsberechtigung"));
}

#[test]
fn a_place_abroad_is_a_nationality_and_one_at_home_an_origin() {
    let abroad = one(
        "Associé-gérant: Modèle Igor, de Roumanie, à Onex, pour 200 parts de CHF 100 avec signature individuelle.",
    );
    assert_eq!(abroad.nationality.and_then(|it| it.country).as_deref(), Some("RO"));
    assert_eq!((abroad.origin, abroad.domicile.as_deref()), (None, Some("Onex")));
    assert_eq!(abroad.signature.as_deref(), Some("avec signature individuelle"));
    assert_eq!(abroad.quota.and_then(|it| it.shares), Some(200));
    let home =
        one(&format!("{ENTERED} Muster, Eva, von Chur, Bern und Les Bois, in Thun, Mitglied."));
    assert_eq!(home.origin.as_deref(), Some("Chur, Bern und Les Bois"));
}

#[test]
fn a_firm_is_told_from_a_person() {
    let is_entity = |entry: &str| {
        let entry = one(&format!("{ENTERED} {entry}, ohne Zeichnungsberechtigung."));
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
fn purposes_addresses_and_common_sentences_are_no_entries() {
    for text in [
        "Zweck: Die Gesellschaft bezweckt die Verwaltung von Vermögen, in Bern und Zug, als Direktor. Sie ist Mitglied der \
         Kammer. Die Gesellschaft ist Inhaberin von Patenten, von denen sie lebt, in Europa.",
        "Domizil neu: c/o Dr. Hans Muster, Seestrasse 1, 8000 Zürich. Mitteilungen neu: Mitteilungen der Geschäftsführung \
         an die Gesellschafter erfolgen per Brief.",
        "La société est dissoute par suite de faillite. Le siège est transféré à Lausanne, de sorte que la signature suit.",
        "Die Zweigniederlassung von Köniz ist erloschen. Muster Hans, (bisher), ist jetzt wohnhaft in Thun.",
        "Die Gesellschaft ist derzeit ohne Revisionsstelle.",
    ] {
        assert_eq!(entries(text), [""; 0], "{text}");
    }
}

#[test]
fn labelled_members_are_changes() {
    let chf =
        |to, from, capital| Change::Capital { capital, currency: Some("CHF".into()), to, from };
    assert_eq!(
        changes(
            "Muster GmbH, bisher in Bern, CHE-600.000.012 (SHAB Nr. 2 vom 06.01.2026, Publ. 1000000001). Statutenänderung: \
             01.06.2026, 2. 06. 2026. Umwandlung: Die Gesellschaft wird gemäss Plan in eine Aktiengesellschaft umgewandelt. \
             Firma neu: Muster (Schweiz) AG (Muster (Suisse) SA). Sitz neu: Thun. Domizil neu: Seestrasse 1, 3600 Thun. \
             Rechtsform neu: Aktiengesellschaft. Zweck neu: Handel. Aktienkapital neu: CHF 100'000.00 [bisher: CHF \
             20'000.00]. Liberierung Aktienkapital neu: CHF 50'000.--."
        ),
        [
            Change::Statutes { on: jiff::civil::date(2026, 6, 1) },
            Change::Statutes { on: jiff::civil::date(2026, 6, 2) },
            Change::LegalForm { to: "Aktiengesellschaft".into() },
            Change::Name { to: "Muster (Schweiz) AG".into() },
            Change::Seat { to: Some("Thun".into()), from: Some("Bern".into()) },
            Change::Address { to: "Seestrasse 1, 3600 Thun".into() },
            Change::Purpose { to: "Handel".into() },
            chf(Amount::units(100_000), Some(Amount::units(20_000)), CapitalKind::Shares),
            chf(Amount::units(50_000), None, CapitalKind::Paid),
        ]
    );
}

#[test]
fn capitals_are_told_apart() {
    for (text, capital, from, to) in [
        (
            "Liberierung Aktienkapital neu: CHF 100'000.00 [bisher: CHF 50'000.00].",
            CapitalKind::Paid,
            50,
            100,
        ),
        ("Capital-actions libéré porté de CHF 50'000 à CHF 100'000.", CapitalKind::Paid, 50, 100),
        (
            "Nouveau capital libéré: CHF 100'000 [précédemment: CHF 50'000].",
            CapitalKind::Paid,
            50,
            100,
        ),
        (
            "Capital-actions entièrement libéré porté de CHF 100'000 à CHF 200'000.",
            CapitalKind::Shares,
            100,
            200,
        ),
        (
            "Partizipationskapital neu: CHF 12'000.00 [bisher: CHF 10'000.00].",
            CapitalKind::Participation,
            10,
            12,
        ),
        (
            "Capital-participation porté de CHF 10'000 à CHF 12'000.",
            CapitalKind::Participation,
            10,
            12,
        ),
        (
            "Liberierung Partizipationskapital neu: CHF 12'000.00 [bisher: CHF 10'000.00].",
            CapitalKind::PaidParticipation,
            10,
            12,
        ),
    ] {
        let currency = Some("CHF".to_owned());
        let (from, to) = (Some(Amount::units(from * 1_000)), Amount::units(to * 1_000));
        assert_eq!(
            changes(&format!("Muster AG, in Bern, CHE-600.000.012. {text}")),
            [Change::Capital { capital, currency, to, from }],
            "{text}"
        );
    }
}

#[test]
fn sentences_open_and_end_proceedings() {
    let proceeding = |affair, proceeding| [Change::Proceeding { affair, proceeding }];
    for (text, affair, stage) in [
        (
            "Die Gesellschaft ist mit Beschluss vom 1.6.2026 aufgelöst.",
            Affair::Liquidation,
            Proceeding::Opened,
        ),
        ("La société est dissoute.", Affair::Liquidation, Proceeding::Opened),
        ("Die Auflösung wurde widerrufen.", Affair::Liquidation, Proceeding::Revoked),
        (
            "Die Gesellschaft ist gemäss Art. 731b OR aufgelöst.",
            Affair::OrganisationalDefect,
            Proceeding::Opened,
        ),
        ("Über sie ist der Konkurs eröffnet worden.", Affair::Bankruptcy, Proceeding::Opened),
        (
            "Das Konkursverfahren ist mangels Aktiven eingestellt worden.",
            Affair::Bankruptcy,
            Proceeding::Suspended,
        ),
        ("Der Konkurs wurde widerrufen.", Affair::Bankruptcy, Proceeding::Revoked),
        ("La procédure de faillite a été clôturée.", Affair::Bankruptcy, Proceeding::Closed),
        ("La società è sciolta.", Affair::Liquidation, Proceeding::Opened),
    ] {
        assert_eq!(changes(text), proceeding(affair, stage), "{text}");
    }
}

#[test]
fn companies_come_go_and_waive_their_audit() {
    let only = |text: &str| {
        let changes = changes(text);
        assert_eq!(changes.len(), 1, "{text} {changes:?}");
        changes[0].clone()
    };
    for text in [
        "Muster, in Thun, Einzelunternehmen (Neueintragung).",
        "Nouvelle société à responsabilité limitée.",
        "Esempio SA, in Lugano (Nuova iscrizione).",
    ] {
        assert_eq!(only(text), Change::NewEntry);
    }
    for text in [
        "Die Gesellschaft wird gelöscht.",
        "La raison sociale est radiée.",
        "La società è cancellata.",
    ] {
        assert_eq!(only(text), Change::Deletion);
    }
    for text in [
        "Gemäss Erklärung wird auf eine eingeschränkte Revision verzichtet.",
        "Selon déclaration, il est renoncé à un contrôle restreint.",
        "La società rinuncia a una revisione limitata.",
    ] {
        assert_eq!(only(text), Change::OptingOut { waived: true });
    }
    assert_eq!(
        only("Auf eine eingeschränkte Revision wird nicht mehr verzichtet."),
        Change::OptingOut { waived: false }
    );
    assert_eq!(only("Die Gesellschaft wird wieder eingetragen."), Change::ReEntry);
    assert_eq!(changes("La signature de Modèle Jean est radiée."), []);
}

#[test]
fn a_merger_names_the_other_company_and_its_direction() {
    let party = |combination, name: &str| Change::Combination {
        combination,
        party: Party {
            name: name.into(),
            uid: "CHE-600.000.029".parse().ok(),
            seat: Some("Bern".into()),
        },
    };
    assert_eq!(
        changes(
            "Fusion: Übernahme der Aktiven und Passiven der Probe GmbH, in Bern (CHE-600.000.029), gemäss Fusionsvertrag."
        ),
        [party(Combination::TakesOver, "Probe GmbH")]
    );
    assert_eq!(
        changes(
            "Aktiven und Passiven gehen infolge Fusion auf die Probe AG, in Bern (CHE-600.000.029), über. Die Gesellschaft wird gelöscht."
        ),
        [party(Combination::IsTakenOverBy, "Probe AG"), Change::Deletion]
    );
}

#[test]
fn a_notice_names_the_one_before_it() {
    for (text, day, publication) in [
        ("(SHAB Nr. 2 vom 06.01.2026, Publ. 1000000001)", (2026, 1, 6), Some(1_000_000_001)),
        ("(FOSC du 25.03.2026, p. 0/1000000002)", (2026, 3, 25), Some(1_000_000_002)),
        ("(FUSC no. 90 del 09. 05. 2000, pagina 3118)", (2000, 5, 9), None),
    ] {
        let (year, month, day) = day;
        let date = Some(jiff::civil::date(year, month, day));
        assert_eq!(read(text).previous, Some(Reference { date, publication }), "{text}");
    }
    assert_eq!(read("Muster AG").previous, None);
}

/// What notices are made of, to be put together in every wrong way.
fn pieces_of_notices() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "Eingetragene Personen:",
        "Personne(s) inscrite(s):",
        "Ausgeschiedene Personen",
        "Muster",
        "Hans",
        "von Bern",
        "de",
        "in Thun",
        "à",
        ",",
        ";",
        ".",
        ":",
        "[",
        "]",
        "(",
        ")",
        "[bisher: ",
        "Mitglied",
        "mit Einzelunterschrift",
        "beide",
        "und",
        "et",
        "ist",
        "n'est plus",
        "CHF 1'000",
        "mit 2 Stammanteilen",
        "Die Unterschrift von",
        "erloschen",
        "<F>",
        "<E>",
        "<B>",
        "&amp;",
        "&",
        "é",
        "ß",
        "\u{a0}",
        "’",
        "Firma neu:",
        "(SHAB Nr. 1 vom",
        "Fusion:",
        "(CHE-600.000.012)",
        "de et à",
        "raison sociale devient",
        "Capital porté de CHF 1 à CHF 2",
        "en remplacement de",
        "𝄞",
        "İ",
    ]);
    prop::collection::vec((piece, prop::bool::ANY), 0..60).prop_map(|pieces| {
        pieces
            .into_iter()
            .fold(String::new(), |text, (piece, space)| text + piece + if space { " " } else { "" })
    })
}

/// How much was read: of every notice it is its words once, and of short ones some more often.
fn length(notice: &Notice) -> usize {
    serde_json::to_string(notice).expect("plain data").len()
}

#[test]
fn what_is_said_of_all_is_copied_to_few_or_is_short() {
    let long = |of: &str| of.repeat(60_000 / of.len());
    let placed = long("Muster Hans, von Bern, in Thun, und ");
    for text in [
        format!("{ENTERED} {placed}[bisher: {}]", long("Mitglied, ")),
        format!("{ENTERED} {placed}alle Mitglied {}", long("und Präsident ")),
        format!("{ENTERED} {} alle Mitglied {}", long("Muster, Hans, in Thun; "), long("x ")),
        format!("bisher in {}, Bern. {}", long("x"), long("Sitz neu: Thun. ")),
        long(&format!("{} sind Mitglied {}. ", "A B, in C, ".repeat(150), "und so ".repeat(250))),
        long(&format!("Unterschrift{} an {}. ", "x".repeat(2_000), "A B, in C, ".repeat(150))),
        format!("{ENTERED} Muster, in Bern, {}", long(" mit Prokura mit Stammanteil")),
    ] {
        let (read, written) = (length(&read(&text)), text.len());
        assert!(read <= 16 * written, "{read} of {written}: {}…", &text[..60]);
    }
}

#[test]
fn a_text_of_nothing_but_names_is_read_to_the_last_that_a_notice_can_have() {
    let names = |count: usize| format!("{ENTERED} {}", "M, in B; ".repeat(count));
    assert_eq!(read(&names(100)).entries.len(), 100);
    assert_eq!(read(&names(20_000)).entries.len(), 4_000);
    let sentences = "Revisionsstelle: Fidu AG. ".repeat(8_000);
    assert_eq!(read(&sentences).entries.len(), 4_000);
}

#[test]
fn of_a_text_that_is_longer_than_any_notice_the_beginning_is_read() {
    let name = "Firma neu: Muster AG. ";
    let padding = |length: usize| "é".repeat(length / 2);
    let before = format!("{}. {name}", padding(LONGEST / 2));
    assert_eq!(read(&before).changes.len(), 1);
    let behind = format!("x{}. {name}", padding(LONGEST));
    assert_eq!(read(&behind).changes, []);
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in ".{0,200}") {
        read(&text);
    }

    #[test]
    fn no_jumble_of_the_words_of_notices_makes_the_reader_panic(text in pieces_of_notices()) {
        let notice = read(&text);
        // Every entry is a part of the text of its own.
        let written: usize = notice.entries.iter().map(|it| it.raw.len()).sum();
        prop_assert!(written <= 2 * text.len(), "{written} of {}", text.len());
        prop_assert!(notice.changes.len() <= text.len());
    }

    #[test]
    fn no_cut_of_a_notice_makes_the_reader_panic(from in 0usize..400, to in 0usize..400) {
        let text = "Muster AG, in Bern (SHAB Nr. 2 vom 06.01.2026). Ausgeschiedene Personen: Muster, Jörg, von Bern, in Thun, \
                    Mitglied, mit Einzelunterschrift [bisher: Präsident]; Fidu SA (CHE-600.000.012), à Bulle, réviseur. Favre \
                    Anne, de Bulle, à Gruyères, est nommée gérante; sa signature est radiée. Die Prokura von Muster Hans ist \
                    erloschen. Aktienkapital neu: CHF 2 [bisher: CHF 1].";
        let cut: String = text.chars().skip(from).take(to).collect();
        read(&cut);
    }
}
