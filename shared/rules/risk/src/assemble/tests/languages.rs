//! Every observation is said in every language.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    Language,
    statements::gleif::{Category, Exception},
    text::fold,
    typography::misprint,
    wording::Translations,
};
use ownership::{
    ReportingException,
    flags::{Flag, FlagKind},
};

use super::*;
use crate::countries;

/// Words of each language that no other language has.
const WORDS: [&[&str]; 4] = [
    &[
        "der", "das", "und", "ist", "sind", "wurde", "nicht", "mit", "vom", "dem", "den", "einer",
        "seit", "auf",
    ],
    &[
        "les", "est", "et", "une", "dans", "aux", "avec", "du", "ne", "pas", "cette", "pour",
        "qui", "sont",
    ],
    &[
        "il", "gli", "della", "dello", "nel", "nella", "che", "di", "una", "sono", "dal", "con",
        "per", "nessun",
    ],
    &[
        "the",
        "of",
        "and",
        "has",
        "have",
        "is",
        "was",
        "with",
        "from",
        "to",
        "by",
        "no",
        "not",
        "company",
        "companies",
        "left",
        "since",
        "board",
        "owner",
        "officer",
        "capital is",
        "other",
        "which",
        "list",
    ],
];

#[derive(Default)]
struct Said {
    texts: BTreeMap<Sign, Vec<Translations>>,
}

impl Said {
    fn by(&mut self, facts: &Facts) {
        let found = assess(facts, &Priors::published(), TODAY);
        for row in found.factors.into_iter().flat_map(|it| it.evidence) {
            self.texts.entry(row.sign).or_default().push(row.summary);
        }
    }

    fn by_register(&mut self, company: &Company, history: &History) {
        self.by(&Facts::of_register(Registered { company, history, proofs: None }));
    }
}

fn tenure(appointed: &str, resigned: Option<&str>) -> Tenure {
    Tenure {
        auditor_name: "Prüf AG".into(),
        auditor_uid: None,
        appointed_as: None,
        appointed_at: appointed.parse().ok(),
        resigned_at: resigned.and_then(|it| it.parse().ok()),
        source: source("2026-10-31"),
    }
}

fn states(said: &mut Said) {
    let reasons = StatusReason::ALL.iter().map(|it| Some(*it)).chain([None]);
    for (reason, status) in reasons.flat_map(|it| Status::ALL.map(|status| (it, status))) {
        let mut company = active();
        (company.status, company.status_reason) = (Some(status), reason);
        for registered in ["1999-08-11", "2026-02-03"] {
            company.registration_date = registered.parse().ok();
            said.by_register(&company, &History::default());
        }
    }
    for legal in LegalEvent::ALL {
        let event = Event { legal_event: Some(*legal), ..event(ChangeKind::Other, "2026-08-03") };
        said.by_register(&active(), &history(vec![event]));
    }
    let mut company = active();
    company.registration_date = "1999-08-11".parse().ok();
    let kinds = [ChangeKind::NameChange, ChangeKind::PurposeChange, ChangeKind::BoardChange];
    said.by_register(&company, &history(kinds.map(|it| event(it, "2026-08-03")).to_vec()));
}

fn events(said: &mut Said) {
    let mut company = active();
    company.legal_form_code = Some("0106".into());
    company.currency = Some("CHF".into());
    company.address_street = Some("Bahnhofstrasse".into());
    for capital in [50_000, 100_000] {
        company.share_capital = Some(Amount::units(capital));
        let changed = |old: &str, new: &str| Event {
            field: Some("shareCapital".into()),
            old_value: Some(old.into()),
            new_value: Some(new.into()),
            currencies: Some(["CHF".into(), "CHF".into()]),
            ..event(ChangeKind::CapitalChange, "2026-08-03")
        };
        let events = vec![
            event(ChangeKind::SeatChange, "2026-08-03"),
            event(ChangeKind::AddressChange, "2026-08-04"),
            changed("200000", "100000"),
            changed("100000", "1200000"),
        ];
        said.by_register(&company, &history(events));
    }
    let old = history(vec![event(ChangeKind::NewRegistration, "2001-08-11")]);
    let facts = Facts::of_register(Registered { company: &company, history: &old, proofs: None });
    said.by(&facts.with_neighbours(1200));
}

fn officers_and_auditors(said: &mut Said) {
    let mut company = active();
    let entry = event(ChangeKind::NewRegistration, "2001-08-11");
    let of_board = |mandates: Vec<Mandate>| History { mandates, ..history(vec![entry.clone()]) };
    said.by_register(&company, &of_board(vec![mandate(1, "Bern", Some("2026-08-11"))]));
    said.by_register(&company, &of_board(vec![mandate(1, "Bern", None)]));
    let tenures = vec![tenure("2005-01-08", Some("2026-08-11"))];
    let left = History { tenures, ..History::default() };
    said.by_register(&company, &left);
    company.auditor_opt_out = Some(true);
    said.by_register(&company, &left);
    company.auditor_opt_out = None;
    company.auditor_name = Some("Prüf AG".into());
    let tenures = vec![tenure("2005-01-08", None)];
    said.by_register(&company, &History { tenures, ..History::default() });
    let board = of_board(vec![mandate(1, "Bern", None)]);
    let mut facts =
        Facts::of_register(Registered { company: &company, history: &board, proofs: None });
    facts.board.as_mut().expect("a board").mandates = vec![crate::OfficerMandates {
        name: "Eva Muster".into(),
        others: 30,
        source: source("2026-08-03"),
    }];
    said.by(&facts);
    for code in ["561001", "692000"] {
        company.noga_code = Some(code.into());
        company.sub_industry = Some("Restaurants and the like".into());
        company.is_finma_regulated = Some(true);
        said.by_register(&company, &History::default());
    }
}

fn lists_and_countries(said: &mut Said) {
    let concerns =
        [Concern::Sanction, Concern::Warning, Concern::PoliticallyExposed, Concern::Associate];
    for (concern, subject) in concerns.into_iter().flat_map(|it| {
        [Subject::Company, Subject::Owner, Subject::Officer].map(|subject| (it, subject))
    }) {
        for identity in [Identity::Confirmed, Identity::Possible(0.9)] {
            let hit = ListHit {
                concern,
                subject,
                name: "Eva Muster".into(),
                identity,
                source: source("2026-08-03"),
                list_date: Some(TODAY),
            };
            said.by(&Facts { listings: Some(vec![hit]), ..Facts::default() });
        }
    }
    for country in countries::CALL_FOR_ACTION.iter().chain(&countries::INCREASED_MONITORING) {
        for role in [CountryRole::Owner, CountryRole::Officer] {
            let link = CountryLink {
                country: (*country).into(),
                role,
                name: "Eva Muster".into(),
                source: source("2026-08-03"),
            };
            said.by(&Facts { countries: Some(vec![link]), ..Facts::default() });
        }
    }
}

fn owners(said: &mut Said) {
    let owner = Party::Firm(Uuid::from_u128(7));
    let kinds = [
        FlagKind::CircularOwnership,
        FlagKind::ClosedCircle,
        FlagKind::Pyramid,
        FlagKind::DomiciliaryAddress,
        FlagKind::MassDomicileAddress,
    ];
    // The texts of flags are those of another crate, which tests them.
    let flag = |kind| Flag {
        kind,
        parties: vec![owner],
        explanation: Translations::of(|it| format!("{}.", it.code())),
        evidence: Vec::new(),
    };
    let exception = Exception {
        lei: "529900T8BM49AURSDO55".parse().expect("a LEI"),
        category: Category::DirectParent,
        reasons: vec!["NON_PUBLIC".into()],
        references: Vec::new(),
    };
    said.by(&Facts {
        ownership: Some(crate::OwnershipFacts {
            company: Party::Company(uid()),
            flags: kinds.map(flag).to_vec(),
            exceptions: vec![(
                "Muster AG".into(),
                ReportingException { exception, source: source("2026-08-03") },
            )],
            has_holders_by_name: false,
            has_capital: true,
            held_by_persons: Percent::WHOLE,
            source: source("2026-08-03"),
        }),
        ..Facts::default()
    });
}

#[test]
fn every_observation_is_said_in_every_language() {
    let mut said = Said::default();
    states(&mut said);
    events(&mut said);
    officers_and_auditors(&mut said);
    lists_and_countries(&mut said);
    owners(&mut said);
    let missing: Vec<_> = Sign::ALL.iter().filter(|it| !said.texts.contains_key(it)).collect();
    assert!(missing.is_empty(), "never observed: {missing:?}");
    for texts in said.texts.values().flatten() {
        let in_each = Language::ALL.map(|it| texts.in_language(it));
        let different: BTreeSet<&str> = in_each.into_iter().collect();
        assert_eq!(different.len(), 4, "{texts:?}");
        for (language, text) in Language::ALL.into_iter().zip(in_each) {
            assert!(text.ends_with('.') && !text.contains('{'), "{text}");
            let own = text.replace(countries::FATF_LISTS, "");
            assert_eq!(misprint(&own), None, "{text}");
            let folded = format!(" {} ", fold(&own));
            for other in Language::ALL.into_iter().filter(|it| *it != language) {
                for word in other.of(WORDS) {
                    assert!(!folded.contains(&format!(" {word} ")), "{word}: {texts:?}");
                }
            }
        }
    }
}

#[test]
fn a_hit_names_publisher_and_day_of_the_list_and_no_id() {
    let said = |list: List| {
        let mut entry = ListEntry::new(list, "0190-id", EntryKind::Organisation);
        entry.topics = ["sanction".to_owned()].into();
        let hits = ListHit::of_entry(&entry, Subject::Company, "Muster AG", Identity::Confirmed);
        let hits = hits.into_iter().map(|it| it.in_list_of(jiff::civil::date(2026, 9, 28)));
        let facts = Facts { listings: Some(hits.collect()), ..Facts::default() };
        let assessment = assess(&facts, &Priors::published(), TODAY);
        let mut evidence = assessment.factors.iter().flat_map(|it| &it.evidence);
        evidence.next().expect("a hit").summary.clone()
    };
    for (list, text) in [
        (List::Seco, "The company Muster AG is on a sanctions list of SECO"),
        (List::FinmaWarning, "The company Muster AG is on a list of warnings of FINMA"),
        (
            List::Opensanctions,
            "The company Muster AG is on a sanctions list collected by OpenSanctions",
        ),
    ] {
        assert_eq!(said(list).en, format!("{text}. List of 28 September 2026."));
        assert!(Language::ALL.iter().all(|it| !said(list).in_language(*it).contains("0190-id")));
    }
    let german = "Muster AG (das Unternehmen) steht auf einer Sanktionsliste des SECO. Liste vom 28. September 2026.";
    assert_eq!(said(List::Seco).de, german);
}
