use crate::typesetting::Typesetter;
use ::risk::{Facts, Priors, Registered, assess};
use domain::{
    Amount, ChangeKind, Event, Uid,
    changes::{LegalEvent, Subject},
    company::{Affiliation, AffiliationKind, HolderKind, QuotaHolder, StatusReason},
    history::Recorded,
    persons::Mandate,
    persons::{Holding, Person, RoleCategory, SigningAuthority},
    typography::misprint,
    wording::Translations,
};
use jiff::civil::date;
use serde_json::{Value, json};
use uuid::Uuid;

use super::*;
use crate::files::Template;
use crate::sections::WantedSection;

const HOSTILE: &str =
    "#let a = panic() $x^2$ *b* \\ @c [d] `e` <f> // g /* h */ = i - j ~ \"k\" ->";
const ACCENTS: &str = "Škvorecký & Łódź Çelik-Åström, Société «l’Œuvre» Größe Iași Ærøskøbing";

fn uid() -> Uid {
    "CHE-600.000.012".parse().expect("well-formed")
}

fn provenance(day: Date) -> Provenance {
    Provenance { source: "shab".into(), reference: Some("HR02-1006000001".into()), date: Some(day) }
}

fn company(name: &str) -> Company {
    let mut company = Company::new(uid(), name);
    company.status = Some(Status::Active);
    company.legal_form_code = Some("0106".into());
    company.canton = Some(domain::Canton::Ag);
    company.legal_seat = Some("Baden".into());
    company.longitude = Some(8.28);
    company.latitude = Some(47.46);
    company.share_capital = "12000000".parse().ok();
    company.currency = Some("CHF".into());
    company.sources = vec![provenance(date(2026, 10, 21))];
    company.updated_at = "2026-10-21T00:00:00Z".parse().ok();
    company
}

fn mandate(number: usize, category: RoleCategory) -> Mandate {
    Mandate {
        person_id: Uuid::from_u128(number as u128),
        confidence: 0.95,
        person: Person {
            first_name: Some(format!("Jean-François {number}")),
            last_name: "Müller-Škvorecký".into(),
            origin: Some("Genève".into()),
            residence: Some("Zürich".into()),
            ..Person::default()
        },
        role: "Präsident des Verwaltungsrates".into(),
        category,
        other_categories: Vec::new(),
        signature: None,
        signing_authority: Some(SigningAuthority::CollectiveTwo),
        holding: None,
        holdings: Vec::new(),
        since: Some(date(2021, 3, 12)),
        until: None,
        entry_source: None,
        role_source: None,
        earlier_categories: Vec::new(),
        signature_source: None,
        source: provenance(date(2021, 3, 12)),
    }
}

fn event(number: usize, kind: ChangeKind) -> Recorded {
    let day = date(2020, 1, 1 + (number % 28) as i8);
    Recorded::from(Event {
        id: Uuid::from_u128(number as u128),
        uid: uid(),
        company_name: "Muster AG".into(),
        canton: None,
        kind,
        field: None,
        old_value: Some("alt".into()),
        new_value: Some(format!("neu {number} {HOSTILE}")),
        summary: "Summary".into(),
        date: day,
        source: provenance(day),
        subject: Some(Subject { person_id: None, uid: None, name: ACCENTS.into() }),
        legal_event: None,
        journal_date: None,
        decision_date: None,
        currencies: None,
        transfer: None,
    })
}

fn tenure(name: &str, from: Option<Date>, to: Option<Date>) -> Tenure {
    Tenure {
        auditor_name: name.into(),
        auditor_uid: None,
        appointed_as: None,
        appointed_at: from,
        resigned_at: to,
        source: provenance(date(2015, 3, 12)),
    }
}

fn profile(company: Company) -> Profile {
    Profile {
        company,
        history: History::default(),
        tenures: Vec::new(),
        total_people: 0,
        total_changes: 0,
        today: date(2026, 11, 25),
    }
}

/// A company with as many people, changes and auditors as a document shows, and more.
fn large_profile() -> Profile {
    let categories = RoleCategory::ALL;
    let mut profile = profile(company(&format!("{ACCENTS} {HOSTILE} {}", ACCENTS.repeat(3))));
    profile.company.purpose = Some(format!("{HOSTILE} {}", "Zweck der Gesellschaft. ".repeat(400)));
    profile.company.old_names = Some(vec![HOSTILE.into(); 25]);
    profile.history.mandates = (0..MAX_PEOPLE + 1)
        .map(|it| mandate(it, categories[it * categories.len() / (MAX_PEOPLE + 1)]))
        .collect();
    profile.history.events =
        (0..MAX_CHANGES + 1).map(|it| event(it, ChangeKind::ALL[it % 17])).collect();
    profile.tenures = (0..MAX_AUDITORS as i16 + 1)
        .map(|it| {
            let (from, to) = (date(2026 - it, 1, 1), date(2027 - it, 1, 1));
            tenure(ACCENTS, Some(from), (it > 0).then_some(to))
        })
        .collect();
    profile.total_people = 1_234;
    profile.total_changes = 5_000;
    profile
}

fn assessment(profile: &Profile) -> Assessment {
    let Profile { company, history, today, .. } = profile;
    let facts = Facts::of_register(Registered { company, history, proofs: None });
    assess(&facts, &Priors::published(), *today)
}

fn all() -> Sections {
    Sections::chosen([])
}

fn data(profile: &Profile, language: Language, sections: &Sections) -> Value {
    let assessment = assessment(profile);
    let document = Document::of(profile, language, sections, RiskAccess::Assessed(&assessment));
    serde_json::to_value(document).expect("JSON")
}

fn section<'a>(data: &'a Value, name: &str) -> &'a Value {
    let sections = data["sections"].as_array().expect("sections");
    sections.iter().find(|it| it["name"] == name).unwrap_or_else(|| panic!("no section {name}"))
}

fn texts(data: &Value) -> Vec<&str> {
    match data {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::Object(members) => members.values().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn every_text_of_a_document_keeps_the_rules_of_typography() {
    let mut profile = profile(company("Muster AG"));
    profile.company.auditor_opt_out = Some(true);
    profile.company.status_reason = Some(StatusReason::Moratorium);
    profile.history.mandates =
        RoleCategory::ALL.into_iter().enumerate().map(|(at, it)| mandate(at, it)).collect();
    profile.history.events =
        ChangeKind::ALL.into_iter().enumerate().map(|(at, it)| event(at, it)).collect();
    profile.tenures = vec![tenure("Prüf AG", Some(date(2011, 1, 1)), Some(date(2026, 8, 11)))];
    (profile.total_people, profile.total_changes) = (1_234, 5_000);
    for language in Language::ALL {
        let data = data(&profile, language, &all());
        for text in texts(&data) {
            let own = text.replace(ACCENTS, "A").replace(HOSTILE, "B");
            assert_eq!(misprint(&own), None, "{language:?}: {text}");
        }
    }
}

#[test]
fn every_language_and_every_size_gives_an_archivable_file_without_warnings() {
    let typesetter = Typesetter::new(Template::Profile.text());
    let bare = profile(Company::new(uid(), "X"));
    let (mut small, mut large) = (profile(company(ACCENTS)), large_profile());
    // Bars of auditors need a start.
    small.tenures = vec![tenure("EY AG", None, None)];
    large.tenures[1].appointed_at = None;
    for language in Language::ALL {
        // Rendering the largest one takes seconds without optimisation.
        let largest = (language == Language::Fr).then_some(&large);
        for profile in [&bare, &small].into_iter().chain(largest) {
            let file = typesetter.render(data(profile, language, &all())).expect("a file");
            assert_eq!(file.warnings, Vec::<String>::new(), "{language:?}");
            let text = String::from_utf8_lossy(&file.bytes);
            assert!(text.contains("<pdfaid:part>2</pdfaid:part>"), "PDF/A-2");
            assert!(text.contains(&format!("<rdf:li>{}-CH</rdf:li>", language.code())), "language");
        }
    }
}

#[test]
fn people_are_grouped_and_those_left_out_are_counted() {
    let data = data(&large_profile(), Language::De, &all());
    let board = section(&data, "board");
    let groups = board["groups"].as_array().expect("groups");
    assert_eq!(groups[0]["title"], "Verwaltungsrat");
    let rows = groups.iter().map(|it| it["rows"].as_array().expect("rows").len()).sum::<usize>();
    assert_eq!(rows, MAX_PEOPLE);
    assert_eq!(board["more"], "Nicht aufgeführt: weitere Personen (834).");
    let expected = json!({
        "name": "Jean-François 0 Müller-Škvorecký",
        "origin": "Genève · Zürich",
        "role": "Präsident des Verwaltungsrates",
        "shares": "",
        "signature": "Kollektivunterschrift zu zweien",
        "since": "12.03.2021",
    });
    assert_eq!(groups[0]["rows"][0], expected);
    let changes = section(&data, "changes");
    assert_eq!(changes["rows"].as_array().map(Vec::len), Some(MAX_CHANGES));
    assert_eq!(section(&data, "auditor")["more"], "Nicht aufgeführt: früheres Mandat (1).");
}

#[test]
fn roles_have_a_name_in_the_language_of_the_document_and_repeat_no_published_word() {
    let role = |published: &str, category, language| {
        let mut profile = profile(company("X"));
        profile.company.legal_form_code = Some("0106".into());
        let role = published.to_owned();
        profile.history.mandates = vec![Mandate { role, ..mandate(1, category) }];
        let data = data(&profile, language, &all());
        let row = &section(&data, "board")["groups"][0]["rows"][0];
        row["role"].as_str().expect("a text").to_owned()
    };
    use RoleCategory::{Board, Liquidator, Management, Other, Signatory};
    use auth::Language::{De, En, Fr, It};
    for (published, category, language, expected) in [
        ("Präsident des Verwaltungsrates", Board, De, "Präsident des Verwaltungsrates"),
        (
            "Präsident des Verwaltungsrates",
            Board,
            En,
            "Member of the board of directors (president) · Präsident des Verwaltungsrates",
        ),
        (
            "président du conseil d'administration",
            Board,
            Fr,
            "président du conseil d’administration",
        ),
        (
            "président du conseil d'administration",
            Board,
            It,
            "Membro del consiglio d’amministrazione (presidenza) · président du conseil d’administration",
        ),
        ("Leiterin der Zweigniederlassung", Management, De, "Leiterin der Zweigniederlassung"),
        (
            "Leiterin der Zweigniederlassung",
            Management,
            Fr,
            "Responsable de la succursale · Leiterin der Zweigniederlassung",
        ),
        ("Liquidator", Liquidator, De, "Liquidator"),
        ("Liquidatorin", Liquidator, Fr, "Liquidateur/trice · Liquidatorin"),
        // Of these, the register publishes no office.
        ("Zeichnungsberechtigte Person", Signatory, De, "Zeichnungsberechtigte Person"),
        ("Zeichnungsberechtigte Person", Signatory, En, "Signatory"),
        ("unknown", Other, De, "Person mit einer anderen Funktion"),
    ] {
        assert_eq!(role(published, category, language), expected, "{published} {language:?}");
    }
}

#[test]
fn managers_and_holders_of_a_limited_company_are_listed_with_their_shares() {
    let holder = |number: usize, count, nominal: Option<i64>, total, percentage| QuotaHolder {
        person_id: Uuid::from_u128(number as u128),
        kind: HolderKind::Person,
        name: "Muster".into(),
        uid: None,
        count,
        nominal_value: nominal.map(Amount::units),
        total: Some(Amount::units(total)),
        currency: Some("CHF".into()),
        percentage,
        since: Some(date(2024, 5, 6)),
        confidence: 1.0,
        source: provenance(date(2024, 5, 6)),
    };
    let mut profile = profile(company("X GmbH"));
    profile.company.legal_form_code = Some("0107".into());
    profile.company.quota_holders = vec![
        holder(1, Some(150), Some(100), 15_000, Some(75.0)),
        holder(2, Some(1), None, 5_000, Some(25.0)),
        holder(3, Some(2), None, 5_000, None),
    ];
    let role = |number, role: &str, category| Mandate {
        role: role.into(),
        other_categories: Vec::new(),
        ..mandate(number, category)
    };
    let liability = Holding {
        text: "mit einer Kommanditsumme von CHF 1'000.00".into(),
        count: None,
        nominal_value: None,
        total: Some(Amount::units(1_000)),
        currency: Some("CHF".into()),
    };
    profile.history.mandates = vec![
        role(1, "Gesellschafterin und Geschäftsführerin", RoleCategory::Management),
        role(2, "Gesellschafter", RoleCategory::Partner),
        role(3, "Gesellschafter", RoleCategory::Partner),
        role(4, "Geschäftsführer", RoleCategory::Management),
        Mandate { holding: Some(liability), ..role(5, "Kommanditär", RoleCategory::Partner) },
    ];
    let shares = |language| {
        let data = data(&profile, language, &all());
        let groups = section(&data, "board")["groups"].as_array().expect("groups").clone();
        let rows = groups.iter().flat_map(|it| it["rows"].as_array().expect("rows").clone());
        rows.map(|it| it["shares"].as_str().expect("a text").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        shares(Language::De),
        [
            "150 Stammanteile zu je CHF 100 (75 % des Kapitals), publiziert 06.05.2024",
            "",
            "1 Stammanteil zu CHF 5’000 (25 % des Kapitals), publiziert 06.05.2024",
            "2 Stammanteile von zusammen CHF 5’000, publiziert 06.05.2024",
            "mit einer Kommanditsumme von CHF 1’000.00",
        ]
    );
    let english = shares(Language::En);
    assert!(
        english[0].starts_with("150 shares of CHF 100 each (75 % of the capital)"),
        "{english:?}"
    );
}

#[test]
fn sections_without_content_say_so() {
    let data = data(&profile(Company::new(uid(), "X")), Language::Fr, &all());
    assert_eq!(
        section(&data, "board")["empty"],
        "Aucune source ne mentionne d’organes ni de personnes autorisées à signer actuels."
    );
    assert_eq!(
        section(&data, "auditor")["empty"],
        "Aucune source ne mentionne d’organe de révision."
    );
    assert_eq!((&data["map"], &data["status"]), (&Value::Null, &Value::Null));
}

#[test]
fn restrictions_of_a_signature_are_not_left_out() {
    let signature = |published: &str, language| {
        let mut profile = profile(company("X"));
        let signature = Some(published.to_owned());
        profile.history.mandates = vec![Mandate { signature, ..mandate(1, RoleCategory::Board) }];
        let data = data(&profile, language, &all());
        let row = &section(&data, "board")["groups"][0]["rows"][0];
        row["signature"].as_str().expect("a text").to_owned()
    };
    let plain = "mit Kollektivunterschrift zu zweien";
    assert_eq!(signature(plain, Language::Fr), "Signature collective à deux");
    let limited = "mit Kollektivunterschrift zu zweien, beschränkt auf den Hauptsitz";
    assert_eq!(signature(limited, Language::De), limited);
    assert_eq!(
        signature(limited, Language::Fr),
        format!("Signature collective à deux ({limited})")
    );
}

#[test]
fn care_of_and_po_box_are_named_once() {
    let address = |care_of: &str, po_box: &str| {
        let mut company = company("X");
        company.address_care_of = Some(care_of.into());
        company.address_po_box = Some(po_box.into());
        company.address_city = Some("Baden".into());
        let data = data(&profile(company), Language::De, &all());
        let facts = section(&data, "overview")["facts"].as_array().expect("facts").clone();
        let address = facts.iter().find(|it| it[0] == "Adresse").expect("an address");
        address[1].as_str().expect("a text").to_owned()
    };
    assert_eq!(address("Treuhand AG", "123"), "c/o Treuhand AG, Postfach 123, Baden");
    for stored in ["c/o Treuhand AG", "C/O Treuhand AG", "c/o. Treuhand AG", "p.A. Treuhand AG"] {
        assert_eq!(address(stored, "Postfach"), format!("{stored}, Postfach, Baden"));
    }
}

/// The content of the change in the document.
fn content_of(changed: &Event, language: Language) -> String {
    let mut profile = profile(company("X"));
    profile.history.events.push(Recorded::from(changed.clone()));
    let data = data(&profile, language, &all());
    section(&data, "changes")["rows"][0]["content"].as_str().expect("a text").to_owned()
}

/// A change without values.
fn bare_event(kind: ChangeKind, field: Option<&str>) -> Event {
    Event {
        field: field.map(str::to_owned),
        old_value: None,
        new_value: None,
        subject: None,
        ..event(1, kind).event
    }
}

#[test]
fn changes_say_the_direction_of_a_merger() {
    let merger = |field: &str, legal_event, language| {
        let name = "Probe AG".to_owned();
        let merger = Event {
            new_value: Some(name.clone()),
            subject: Some(Subject { person_id: None, uid: None, name }),
            legal_event,
            ..bare_event(ChangeKind::Merger, Some(field))
        };
        content_of(&merger, language)
    };
    use auth::Language::{De, En, Fr, It};
    for (field, legal_event, language, expected) in [
        ("hasTakenOver", Some(LegalEvent::Absorbs), De, "Fusion, Übernahme von: Probe AG"),
        ("wasTakenOverBy", Some(LegalEvent::IsAbsorbed), De, "Fusion, Übernahme durch: Probe AG"),
        ("hasTakenOver", Some(LegalEvent::Combines), Fr, "Constitution par fusion de: Probe AG"),
        ("assetTransfer", Some(LegalEvent::TransfersAssets), En, "Transfer of assets to: Probe AG"),
        (
            "assetTransfer",
            Some(LegalEvent::ReceivesAssets),
            It,
            "Trasferimento di patrimonio da: Probe AG",
        ),
        // The field has a direction, too.
        ("hasTakenOver", None, De, "Fusion, Übernahme von: Probe AG"),
        ("wasTakenOverBy", None, It, "Fusione, ripresa da parte di: Probe AG"),
        ("merger", None, De, "Fusion mit: Probe AG"),
        ("demerger", None, Fr, "Scission, autre partie: Probe AG"),
        ("assetTransfer", None, En, "Transfer of assets, other party: Probe AG"),
    ] {
        assert_eq!(merger(field, legal_event, language), expected, "{field} {legal_event:?}");
    }
}

#[test]
fn changes_of_auditors_name_each_firm_once() {
    let change = |old: Option<&str>, new: Option<&str>, subject: &str| {
        let name = subject.to_owned();
        let change = Event {
            old_value: old.map(str::to_owned),
            new_value: new.map(str::to_owned),
            subject: Some(Subject { person_id: None, uid: None, name }),
            ..bare_event(ChangeKind::AuditorChange, Some("auditorName"))
        };
        content_of(&change, Language::De)
    };
    assert_eq!(change(Some("Alt AG"), Some("Neu AG"), "Neu AG"), "Alt AG → Neu AG");
    assert_eq!(change(None, Some("Neu AG"), "Neu AG"), "– → Neu AG");
    assert_eq!(change(Some("Alt AG"), None, "Alt AG"), "Alt AG → –");
}

#[test]
fn legal_events_are_named_before_the_values() {
    let content = |kind, legal_event, old: Option<Status>, new: Option<Status>, language| {
        let value = |it: Option<Status>| it.map(|it| it.name().to_owned());
        let changed = Event {
            old_value: value(old),
            new_value: value(new),
            legal_event: Some(legal_event),
            ..bare_event(kind, Some("status"))
        };
        content_of(&changed, language)
    };
    use {ChangeKind as K, LegalEvent as L};
    let (active, ending) = (Some(Status::Active), Some(Status::BeingCancelled));
    for (kind, legal_event, old, new, language, expected) in [
        (
            K::Bankruptcy,
            L::BankruptcyOpened,
            active,
            ending,
            Language::De,
            "Konkurseröffnung: aktiv → in Liquidation",
        ),
        (
            K::Bankruptcy,
            L::BankruptcyOpened,
            None,
            ending,
            Language::Fr,
            "Ouverture de la faillite: en liquidation",
        ),
        (
            K::Bankruptcy,
            L::MoratoriumProvisional,
            None,
            None,
            Language::Fr,
            "Sursis concordataire provisoire",
        ),
        (
            K::Bankruptcy,
            L::MoratoriumDefinitive,
            None,
            None,
            Language::It,
            "Moratoria concordataria definitiva",
        ),
        (
            K::Bankruptcy,
            L::ProceedingsSuspended,
            None,
            None,
            Language::De,
            "Einstellung des Konkursverfahrens mangels Aktiven",
        ),
        // The change type, which is in another column, says the rest.
        (
            K::NewRegistration,
            L::Entered,
            None,
            active,
            Language::De,
            "Neueintragung im Handelsregister",
        ),
        (
            K::ReRegistration,
            L::ReEntered,
            Some(Status::Cancelled),
            active,
            Language::De,
            "gelöscht → aktiv",
        ),
        (
            K::Deletion,
            L::DeletedByMerger,
            None,
            Some(Status::Cancelled),
            Language::De,
            "Löschung infolge Fusion",
        ),
    ] {
        assert_eq!(content(kind, legal_event, old, new, language), expected, "{legal_event:?}");
    }
}

#[test]
fn english_summaries_are_in_english_documents_only() {
    let corrected = bare_event(ChangeKind::Correction, None);
    assert_eq!(content_of(&corrected, Language::En), "Summary");
    assert_eq!(content_of(&corrected, Language::De), "Berichtigung einer Publikation");
    for legal_event in LegalEvent::ALL {
        let legal_event = Some(*legal_event);
        let changed = Event { legal_event, ..bare_event(ChangeKind::Bankruptcy, None) };
        for language in Language::ALL {
            assert_ne!(content_of(&changed, language), "Summary", "{legal_event:?}");
        }
    }
}

#[test]
fn values_of_changes_are_written_in_the_language_of_the_document() {
    let content = |kind, field: &str, old: Option<&str>, new: &str, language| {
        let changed = Event {
            old_value: old.map(str::to_owned),
            new_value: Some(new.to_owned()),
            currencies: (kind == ChangeKind::CapitalChange).then(|| ["EUR".into(), "CHF".into()]),
            ..bare_event(kind, Some(field))
        };
        content_of(&changed, language)
    };
    use ChangeKind as K;
    for (kind, field, old, new, language, expected) in [
        (
            K::Liquidation,
            "status",
            Some("ACTIVE"),
            "BEING_CANCELLED",
            Language::Fr,
            "active → en liquidation",
        ),
        (
            K::LegalFormChange,
            "legalForm",
            Some("Gesellschaft mit beschränkter Haftung"),
            "Aktiengesellschaft",
            Language::It,
            "Società a garanzia limitata → Società anonima",
        ),
        (K::LegalFormChange, "legalForm", None, "0106", Language::De, "Aktiengesellschaft"),
        (K::AuditOptOut, "auditorOptOut", Some("false"), "true", Language::De, "nein → ja"),
        (K::StatutesChange, "statutes", None, "2026-10-21", Language::Fr, "21.10.2026"),
        (
            K::CapitalChange,
            "shareCapital",
            Some("100000"),
            "250000.5",
            Language::De,
            "EUR\u{a0}100’000 → CHF\u{a0}250’000.50",
        ),
        // A name is no status, and a value that is not understood stays as it was published.
        (K::NameChange, "name", Some("Muster AG"), "ACTIVE", Language::Fr, "Muster AG → ACTIVE"),
        (K::LegalFormChange, "legalForm", None, "Zweckverband", Language::Fr, "Zweckverband"),
    ] {
        assert_eq!(content(kind, field, old, new, language), expected, "{field} {new}");
    }
}

#[test]
fn evidence_of_the_risk_is_in_the_language_of_the_document() {
    let mut company = company("X");
    company.auditor_name = Some("Prüf AG".into());
    let profile = profile(company);
    for (language, expected) in [
        (Language::De, "Prüf AG prüft das Unternehmen."),
        (Language::Fr, "Prüf AG contrôle l’entreprise."),
        (Language::It, "Prüf AG verifica l’impresa."),
        (Language::En, "Prüf AG audits the company."),
    ] {
        let data = data(&profile, language, &all());
        let factors = section(&data, "risk")["factors"].as_array().expect("factors").clone();
        let evidence = factors.iter().flat_map(|it| it["evidence"].as_array().expect("evidence"));
        let texts: Vec<&Value> = evidence.map(|it| &it["text"]).collect();
        assert!(texts.contains(&&json!(expected)), "{texts:?}");
    }
}

/// Who becomes president was on the board before.
#[test]
fn a_presidency_does_not_begin_the_office() {
    let mut profile = profile(company("X AG"));
    profile.history.mandates = vec![Mandate {
        role: "Präsident".into(),
        earlier_categories: vec![RoleCategory::Board],
        role_source: Some(provenance(date(2026, 11, 6))),
        ..mandate(1, RoleCategory::Board)
    }];
    let data = data(&profile, Language::De, &all());
    let row = &section(&data, "board")["groups"][0]["rows"][0];
    assert_eq!(row["since"], "Eintrag 12.03.2021, diese Funktion 06.11.2026");
}

/// As the dossier counts them: a partner who manages is a manager too. The latest change of a role began only its new offices.
#[test]
fn who_has_several_offices_is_in_the_group_of_each_with_its_own_beginning() {
    use RoleCategory::{Liquidator, Management, Partner};
    let mut profile = profile(company("X GmbH"));
    profile.company.legal_form_code = Some("0107".into());
    let liquidator = Mandate {
        category: Liquidator,
        other_categories: vec![Management, Partner],
        earlier_categories: vec![Management, Partner],
        role_source: Some(provenance(date(2026, 11, 6))),
        ..mandate(1, Liquidator)
    };
    let partner = Mandate { other_categories: vec![Management], ..mandate(2, Partner) };
    profile.history.mandates = vec![liquidator, partner, mandate(3, Management)];
    let data = data(&profile, Language::De, &all());
    let groups = section(&data, "board")["groups"].as_array().expect("groups");
    let since = |it: &Value| it["since"].as_str().expect("a text").to_owned();
    let groups = groups.iter().map(|it| {
        let rows = it["rows"].as_array().expect("rows");
        (it["title"].as_str().expect("a title"), rows.iter().map(since).collect::<Vec<_>>())
    });
    let entered = "12.03.2021".to_owned();
    let earlier = "Eintrag 12.03.2021".to_owned();
    let expected = [
        ("Geschäftsführung", vec![entered.clone(), entered.clone(), earlier.clone()]),
        ("Gesellschafterinnen und Gesellschafter", vec![entered, earlier]),
        ("Liquidatorinnen und Liquidatoren", vec!["06.11.2026".to_owned()]),
    ];
    assert_eq!(groups.collect::<Vec<_>>(), expected);
}

#[test]
fn a_signature_has_its_own_day_if_it_is_younger_than_the_role() {
    let mut officer = mandate(1, RoleCategory::Board);
    officer.signature_source = Some(provenance(date(2024, 2, 1)));
    let mut profile = profile(company("X"));
    profile.history.mandates = vec![officer];
    let data = data(&profile, Language::De, &all());
    let row = &section(&data, "board")["groups"][0]["rows"][0];
    assert_eq!(
        (&row["since"], &row["signature"]),
        (&json!("12.03.2021"), &json!("Kollektivunterschrift zu zweien, publiziert 01.02.2024"))
    );
}

#[test]
fn the_industry_has_its_official_name_in_the_language_of_the_document() {
    let mut company = company("X");
    company.industry = Some("Software and IT services".into());
    company.sub_industry = Some("Programming".into());
    company.noga_code = Some("6201".into());
    let profile = profile(company);
    for (language, label, expected) in [
        (
            Language::De,
            "Branche",
            "Erbringung von Dienstleistungen der Informationstechnologie (NOGA 62, 6201)",
        ),
        (
            Language::It,
            "Settore",
            "Programmazione, consulenza informatica e attività connesse (NOGA 62, 6201)",
        ),
        (Language::En, "Industry", "Programming (NOGA 6201)"),
    ] {
        let data = data(&profile, language, &all());
        let facts = section(&data, "overview")["facts"].as_array().expect("facts").clone();
        assert!(facts.contains(&json!([label, expected])), "{facts:?}");
    }
}

#[test]
fn a_branch_names_its_head_office() {
    let mut branch = company("Muster AG, Zweigniederlassung Bern");
    let head_office =
        |uid| Affiliation { kind: AffiliationKind::HeadOffice, uid, name: "Muster AG".into() };
    let number = "CHE-600.000.029".parse().expect("a company number");
    for (uid, expected) in [(Some(number), "Muster AG (CHE-600.000.029)"), (None, "Muster AG")] {
        branch.affiliations = vec![head_office(uid)];
        let data = data(&profile(branch.clone()), Language::De, &all());
        let facts = section(&data, "overview")["facts"].as_array().expect("facts").clone();
        assert!(facts.contains(&json!(["Hauptsitz", expected])), "{facts:?}");
    }
}

#[test]
fn only_chosen_sections_are_in_the_document_in_a_fixed_order() {
    let chosen = |names: &[&str]| -> Vec<Value> {
        let wanted =
            names.iter().map(|it| WantedSection::try_from((*it).to_owned()).expect("a section"));
        let data = data(&profile(company("X")), Language::En, &Sections::chosen(wanted));
        let sections = data["sections"].as_array().expect("sections");
        sections.iter().map(|it| it["name"].clone()).collect()
    };
    assert_eq!(chosen(&["changes", "board"]), ["board", "changes"]);
    assert_eq!(chosen(&[]), ["overview", "board", "changes", "auditor", "risk"]);
}

#[test]
fn risk_is_a_note_for_callers_whose_tier_does_not_include_it() {
    let profile = profile(company("X"));
    let locked = Document::of(&profile, Language::En, &all(), RiskAccess::Locked);
    let locked = serde_json::to_value(locked).expect("JSON");
    let risk = section(&locked, "risk");
    assert_eq!(
        risk["note"],
        "The risk assessment is included in the tiers Professional and Enterprise."
    );
    assert!(risk.get("score").is_none(), "{risk}");
    let assessed = data(&profile, Language::En, &all());
    let risk = section(&assessed, "risk");
    assert_eq!(risk["note"], Value::Null);
    assert_eq!(risk["factors"].as_array().map(Vec::len), Some(9));
}

#[test]
fn bars_of_auditors_share_an_axis() {
    let mut profile = profile(company("X"));
    profile.tenures = vec![
        tenure("BDO AG", Some(date(2016, 11, 25)), None),
        tenure("KPMG AG", Some(date(2006, 11, 25)), Some(date(2016, 11, 25))),
        tenure("EY AG", None, Some(date(2006, 11, 25))),
    ];
    let data = data(&profile, Language::It, &all());
    let auditor = section(&data, "auditor");
    assert_eq!((&auditor["from"], &auditor["to"]), (&json!("2006"), &json!("2026")));
    let row = |at: usize| {
        let row = &auditor["rows"][at];
        (
            row["period"].as_str().expect("a period").to_owned(),
            row["start"].clone(),
            row["end"].clone(),
        )
    };
    assert_eq!(row(0), ("dal 25.11.2016".into(), json!(0.5), json!(1.0)));
    assert_eq!(row(1), ("25.11.2006 – 25.11.2016".into(), json!(0.0), json!(0.5)));
    // Nobody stated from when.
    assert_eq!(row(2), ("fino al 25.11.2006".into(), Value::Null, Value::Null));
}

#[test]
fn without_a_known_start_there_are_neither_bars_nor_an_axis() {
    let mut profile = profile(company("X"));
    for end in [None, Some(date(2006, 11, 25))] {
        profile.tenures = vec![tenure("EY AG", None, end)];
        let data = data(&profile, Language::De, &all());
        let auditor = section(&data, "auditor");
        assert_eq!((&auditor["from"], &auditor["to"]), (&Value::Null, &Value::Null));
        let row = &auditor["rows"][0];
        assert_eq!((&row["start"], &row["end"]), (&Value::Null, &Value::Null));
    }
}

#[test]
fn the_foot_of_each_page_names_sources_and_dates() {
    let mut profile = profile(company("X"));
    profile.company.sources.push(Provenance {
        source: "gleif".into(),
        reference: None,
        date: None,
    });
    profile.company.sources.push(provenance(date(2026, 1, 1)));
    let foot = |profile: &Profile, language| data(profile, language, &all())["footer"].clone();
    assert_eq!(
        foot(&profile, Language::De),
        "Quellen: GLEIF, SHAB (21.10.2026). Stand der Angaben: 21.10.2026. Erstellt am 25.11.2026. Rechtlich massgebend ist allein das Handelsregister."
    );
    profile.company.data_source = Some("demo".into());
    let english = foot(&profile, Language::En);
    let english = english.as_str().expect("a text");
    assert!(english.contains("SOGC (21\u{a0}Oct\u{a0}2026)"), "{english}");
    assert!(english.ends_with("Invented data of a demonstration register."), "{english}");
}

#[test]
fn the_foot_names_the_sources_of_the_risk_if_it_is_shown() {
    let profile = profile(company("X"));
    let mut assessment = assessment(&profile);
    let listed = ::risk::Evidence {
        sign: ::risk::Sign::Sanctioned,
        direction: ::risk::Direction::Adverse,
        source: "seco".into(),
        reference: Some("96020".into()),
        observed_at: Some(date(2026, 9, 21)),
        weight: 1.0,
        summary: Translations::of(|_| "Listed.".to_owned()),
    };
    assessment.factors[0].evidence.push(listed);
    let document = |sections: &Sections, risk| {
        let document = Document::of(&profile, Language::De, sections, risk);
        serde_json::to_value(document).expect("JSON")
    };
    let foot = |data: &Value| data["footer"].as_str().expect("a text").to_owned();
    let shown = document(&all(), RiskAccess::Assessed(&assessment));
    assert!(foot(&shown).contains("Sanktionsliste des SECO (21.09.2026)"), "{}", foot(&shown));
    let evidence = &section(&shown, "risk")["factors"][0]["evidence"];
    assert_eq!(evidence[0]["source"], "Sanktionsliste des SECO 96020, 21.09.2026");
    assert!(!foot(&document(&all(), RiskAccess::Locked)).contains("SECO"));
    let overview =
        Sections::chosen([WantedSection::try_from("overview".to_owned()).expect("a section")]);
    assert!(!foot(&document(&overview, RiskAccess::Assessed(&assessment))).contains("SECO"));
}

#[test]
fn a_hit_on_a_list_of_sanctions_is_said_without_the_risk_assessment() {
    let mut profile = profile(company("X"));
    profile.company.last_screened_at = "2026-11-24T03:00:00Z".parse().ok();
    for (is_hit, expected) in [
        (Some(true), Some("Treffer: seltener Name oder Nummer gleich (24.11.2026)")),
        (Some(false), Some("Kein Treffer (24.11.2026)")),
        (None, None),
    ] {
        profile.company.sanctions_hit = is_hit;
        let document = Document::of(&profile, Language::De, &all(), RiskAccess::Locked);
        let data = serde_json::to_value(document).expect("JSON");
        let facts = section(&data, "overview")["facts"].as_array().expect("facts").clone();
        let said = facts.iter().find(|it| it[0] == "Abgleich mit Sanktionslisten");
        assert_eq!(said.and_then(|it| it[1].as_str()), expected);
    }
}

#[test]
fn the_document_of_a_foundation_is_its_deed() {
    let mut profile = profile(company("X"));
    let change = bare_event(ChangeKind::StatutesChange, None);
    profile.history.events.push(Recorded::from(change));
    let kind = |profile: &Profile| {
        section(&data(profile, Language::De, &all()), "changes")["rows"][0]["kind"].clone()
    };
    assert_eq!(kind(&profile), "Änderung der Statuten");
    profile.company.legal_form_code = Some("0110".into());
    assert_eq!(kind(&profile), "Änderung der Stiftungsurkunde");
}

#[test]
fn too_little_evidence_gives_neither_a_score_nor_a_level() {
    let mut bare = profile(Company::new(uid(), "X"));
    bare.company.legal_seat = Some("Bern".into());
    let data = data(&bare, Language::De, &all());
    let risk = section(&data, "risk");
    assert_eq!((&risk["score"], &risk["level"]["text"]), (&json!("–"), &json!("nicht beurteilt")));
}

#[test]
fn a_file_has_the_newest_date_at_its_foot() {
    let mut profile = profile(company("X"));
    let foot_and_date = |profile: &Profile| {
        let data = data(profile, Language::De, &all());
        (data["footer"].as_str().expect("a text").to_owned(), data["date"].clone())
    };
    // A source that states nothing new is newer than the record's last change.
    profile.company.sources.push(Provenance {
        source: "gleif".into(),
        reference: None,
        date: Some(date(2026, 11, 3)),
    });
    let (foot, day) = foot_and_date(&profile);
    assert!(foot.contains("GLEIF (03.11.2026), SHAB (21.10.2026)"), "{foot}");
    assert!(foot.contains("Stand der Angaben: 03.11.2026."), "{foot}");
    assert_eq!(day, json!([2026, 11, 3]));
    profile.company.updated_at = "2026-11-04T00:00:00Z".parse().ok();
    assert_eq!(foot_and_date(&profile).1, json!([2026, 11, 4]));
}

#[test]
fn states_have_a_reason_and_a_colour() {
    let state = |status, reason, language| {
        let mut company = company("X");
        (company.status, company.status_reason) = (Some(status), reason);
        let data = data(&profile(company), language, &all());
        (data["status"]["text"].clone(), data["status"]["tone"].clone())
    };
    assert_eq!(state(Status::Active, None, Language::De), (json!("aktiv"), json!("good")));
    let bankrupt = (Status::BeingCancelled, Some(StatusReason::Bankruptcy));
    let german = state(bankrupt.0, bankrupt.1, Language::De);
    assert_eq!(german, (json!("in Liquidation: Konkurs"), json!("warn")));
    let french = state(bankrupt.0, bankrupt.1, Language::Fr);
    assert_eq!(french, (json!("en liquidation: faillite"), json!("warn")));
    assert_eq!(state(Status::Cancelled, None, Language::De), (json!("gelöscht"), json!("bad")));
}

/// A company with a mandate, changes and auditors, some of whose details are not known.
fn usual_profile() -> Profile {
    let mut profile = profile(company("Ostvera Energie AG"));
    profile.history.mandates = vec![Mandate {
        signature: Some("mit Kollektivunterschrift zu zweien, beschränkt auf den Hauptsitz".into()),
        ..mandate(1, RoleCategory::Board)
    }];
    profile.history.events = vec![Recorded::from(Event {
        old_value: Some(Status::Active.name().into()),
        new_value: Some(Status::BeingCancelled.name().into()),
        legal_event: Some(LegalEvent::BankruptcyOpened),
        ..bare_event(ChangeKind::Bankruptcy, Some("status"))
    })];
    profile.tenures = vec![
        tenure("Zweite Revision AG", Some(date(2016, 11, 25)), None),
        tenure("Erste Revision AG", None, Some(date(2016, 11, 25))),
    ];
    profile
}

/// The files to look at, and for `qpdf --check`: `PDF_FOLDER=/tmp/pdf cargo test -p company-pdf files_to_look_at -- --ignored`.
#[test]
#[ignore = "needs PDF_FOLDER=<an existing folder>"]
#[expect(clippy::disallowed_methods, reason = "the folder is a parameter of this test")]
fn files_to_look_at() {
    let folder = std::path::PathBuf::from(std::env::var("PDF_FOLDER").expect("a folder"));
    let typesetter = Typesetter::new(Template::Profile.text());
    let bare = profile(Company::new(uid(), "X"));
    let usual = usual_profile();
    let longest = profile(company(&"Üetliberg-Zürich Söhne & Œuvre d'Été — Società ".repeat(5)));
    for (name, profile) in
        [("bare", &bare), ("usual", &usual), ("longest", &longest), ("large", &large_profile())]
    {
        for language in [Language::De, Language::Fr, Language::It, Language::En] {
            let file = typesetter.render(data(profile, language, &all())).expect("a file");
            let path = folder.join(format!("{name}-{language:?}.pdf"));
            std::fs::write(path, file.bytes).expect("written");
        }
    }
}
