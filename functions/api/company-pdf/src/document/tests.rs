use ::risk::{Facts, Priors, Registered, assess};
use domain::persons::Mandate;
use domain::{
    ChangeKind, Event, Uid,
    changes::Subject,
    company::StatusReason,
    history::Recorded,
    persons::{Person, RoleCategory, SigningAuthority},
};
use jiff::civil::date;
use serde_json::{Value, json};
use typesetting::Typesetter;
use uuid::Uuid;

use super::*;
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
        signature: None,
        signing_authority: Some(SigningAuthority::CollectiveTwo),
        holding: None,
        holdings: Vec::new(),
        since: Some(date(2021, 3, 12)),
        until: None,
        entry_source: None,
        role_source: None,
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

#[test]
fn every_language_and_every_size_gives_an_archivable_file_without_warnings() {
    let typesetter = Typesetter::new(include_str!("../../template/profile.typ"));
    let bare = profile(Company::new(uid(), "X"));
    let (small, large) = (profile(company(ACCENTS)), large_profile());
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
    assert_eq!(groups[0]["title"], "Verwaltungsrat und Vorstand");
    let rows = groups.iter().map(|it| it["rows"].as_array().expect("rows").len()).sum::<usize>();
    assert_eq!(rows, MAX_PEOPLE);
    assert_eq!(board["more"], "Nicht aufgeführt: 834 weitere Personen.");
    let expected = json!({
        "name": "Jean-François 0 Müller-Škvorecký",
        "origin": "Genève · Zürich",
        "role": "Präsident des Verwaltungsrates",
        "signature": "Kollektivunterschrift zu zweien",
        "since": "12.03.2021",
    });
    assert_eq!(groups[0]["rows"][0], expected);
    let changes = section(&data, "changes");
    assert_eq!(changes["rows"].as_array().map(Vec::len), Some(MAX_CHANGES));
    assert_eq!(section(&data, "auditor")["more"], "Nicht aufgeführt: 1 frühere Mandate.");
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
fn values_of_changes_are_written_in_the_language_of_the_document() {
    let content = |kind, field: &str, old: Option<&str>, new: &str, language| {
        let mut changed = event(1, kind);
        changed.event.subject = None;
        changed.event.field = Some(field.into());
        changed.event.old_value = old.map(str::to_owned);
        changed.event.new_value = Some(new.to_owned());
        let mut profile = profile(company("X"));
        profile.history.events.push(changed);
        let data = data(&profile, language, &all());
        section(&data, "changes")["rows"][0]["content"].as_str().expect("a text").to_owned()
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
            "100’000 → 250’000.50",
        ),
        // A name is no status, and a value that is not understood stays as it was published.
        (K::NameChange, "name", Some("Muster AG"), "ACTIVE", Language::Fr, "Muster AG → ACTIVE"),
        (K::LegalFormChange, "legalForm", None, "Zweckverband", Language::Fr, "Zweckverband"),
    ] {
        assert_eq!(content(kind, field, old, new, language), expected, "{field} {new}");
    }
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
fn only_chosen_sections_are_in_the_document_in_a_fixed_order() {
    let chosen = |names: &[&str]| -> Vec<Value> {
        let wanted = names.iter().map(|it| it.parse::<WantedSection>().expect("a section"));
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
    assert_eq!(row(2), ("fino al 25.11.2006".into(), json!(0.0), json!(0.0)));
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
        "Quellen: GLEIF, SHAB (21.10.2026). Stand der Angaben: 21.10.2026. Rechtlich massgebend ist allein das Handelsregister."
    );
    profile.company.data_source = Some("demo".into());
    let english = foot(&profile, Language::En);
    let english = english.as_str().expect("a text");
    assert!(english.contains("SOGC (21\u{a0}Oct\u{a0}2026)"), "{english}");
    assert!(english.ends_with("Invented data of a demonstration register."), "{english}");
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
    let state = |status, reason| {
        let mut company = company("X");
        (company.status, company.status_reason) = (Some(status), reason);
        let data = data(&profile(company), Language::De, &all());
        (data["status"]["text"].clone(), data["status"]["tone"].clone())
    };
    assert_eq!(state(Status::Active, None), (json!("aktiv"), json!("good")));
    let bankrupt = state(Status::BeingCancelled, Some(StatusReason::Bankruptcy));
    assert_eq!(bankrupt, (json!("in Liquidation: Konkurs"), json!("warn")));
    assert_eq!(state(Status::Cancelled, None), (json!("gelöscht"), json!("bad")));
}

/// The files to look at, and for `qpdf --check`: `PDF_FOLDER=/tmp/pdf cargo test -p company-pdf files_to_look_at -- --ignored`.
#[test]
#[ignore = "needs PDF_FOLDER=<an existing folder>"]
#[expect(clippy::disallowed_methods, reason = "the folder is a parameter of this test")]
fn files_to_look_at() {
    let folder = std::path::PathBuf::from(std::env::var("PDF_FOLDER").expect("a folder"));
    let typesetter = Typesetter::new(include_str!("../../template/profile.typ"));
    let bare = profile(Company::new(uid(), "X"));
    let usual = profile(company("Ostvera Energie AG"));
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
