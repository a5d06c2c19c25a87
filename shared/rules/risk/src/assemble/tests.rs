mod languages;

use domain::{
    Amount, ChangeKind, Event, Language, Uid,
    auditors::Tenure,
    changes::LegalEvent,
    company::StatusReason,
    history::Recorded,
    lists::{EntryKind, List, ListEntry},
    persons::{Person, Role},
};
use jiff::civil::Date;
use ownership::{
    Criteria, Link, LinkKind, MaxDepth, Party, Percent, Profile, Resolution, Share, Structure,
};
use uuid::Uuid;

use super::*;
use crate::{
    Assessment, Concern, FactorKind, Identity, ListHit, MeasuredRates, Priors, Sign, Subject,
    assess,
};

const TODAY: Date = jiff::civil::date(2026, 10, 31);

fn uid() -> Uid {
    "CHE-600.000.012".parse().expect("well-formed")
}

fn source(day: &str) -> Provenance {
    Provenance { source: "shab".into(), reference: Some(day.into()), date: day.parse().ok() }
}

fn event(kind: ChangeKind, day: &str) -> Event {
    Event {
        id: Uuid::nil(),
        uid: uid(),
        company_name: "Muster AG".into(),
        canton: None,
        kind,
        field: None,
        old_value: None,
        new_value: None,
        summary: String::new(),
        date: day.parse().expect("a day"),
        source: source(day),
        subject: None,
        legal_event: None,
        journal_date: None,
        decision_date: None,
        currencies: None,
        transfer: None,
    }
}

fn history(events: Vec<Event>) -> History {
    History { events: events.into_iter().map(Recorded::from).collect(), ..History::default() }
}

fn mandate(person: u128, residence: &str, until: Option<&str>) -> Mandate {
    Mandate {
        person_id: Uuid::from_u128(person),
        confidence: 0.95,
        person: Person {
            first_name: Some("Eva".into()),
            last_name: format!("Muster {person}"),
            residence: Some(residence.into()),
            ..Person::default()
        },
        role: "Mitglied".into(),
        category: RoleCategory::Board,
        other_categories: Vec::new(),
        signature: None,
        signing_authority: None,
        holding: None,
        holdings: Vec::new(),
        since: "2015-01-05".parse().ok(),
        until: until.and_then(|it| it.parse().ok()),
        entry_source: None,
        role_source: None,
        earlier_categories: Vec::new(),
        signature_source: None,
        source: source(until.unwrap_or("2015-01-05")),
    }
}

fn active() -> Company {
    let mut company = Company::new(uid(), "Muster AG");
    company.status = Some(Status::Active);
    company.sources = vec![source("2026-09-01")];
    company
}

fn assessed(company: &Company, history: &History) -> Assessment {
    let facts = Facts::of_register(Registered { company, history, proofs: None });
    assess(&facts, &Priors::published(), TODAY)
}

/// The signs of a factor, with the reference of their source.
fn signs(assessment: &Assessment, factor: FactorKind) -> Vec<(Sign, String)> {
    let factor = assessment.factors.iter().find(|it| it.factor == factor).expect("all nine");
    let row = |it: &crate::Evidence| (it.sign, it.reference.clone().unwrap_or_default());
    factor.evidence.iter().map(row).collect()
}

#[test]
fn company_of_which_only_the_name_is_known_stays_at_the_base_rate() {
    let company = Company::new(uid(), "Muster AG");
    let found = assessed(&company, &History::default());
    assert!(found.factors.iter().all(|it| !it.evidence_applied), "{found:#?}");
    assert!((found.score - found.base_rate.value).abs() < 1e-12);
}

#[test]
fn bankruptcy_is_critical_and_its_publication_is_named() {
    let mut company = active();
    company.status = Some(Status::BeingCancelled);
    company.status_reason = Some(StatusReason::Bankruptcy);
    let mut opened = event(ChangeKind::Bankruptcy, "2026-08-03");
    opened.legal_event = Some(LegalEvent::BankruptcyOpened);
    let found = assessed(&company, &history(vec![opened]));
    assert_eq!(found.risk_level, crate::RiskLevel::Critical);
    assert_eq!(
        signs(&found, FactorKind::Status),
        [(Sign::Insolvent, "2026-09-01".into()), (Sign::InsolvencyEvent, "2026-08-03".into())]
    );
}

#[test]
fn merged_company_has_no_adverse_status() {
    let mut company = active();
    company.status = Some(Status::Cancelled);
    company.status_reason = Some(StatusReason::Merged);
    assert_eq!(signs(&assessed(&company, &History::default()), FactorKind::Status), []);
}

#[test]
fn move_of_seat_and_address_in_one_publication_counts_once() {
    let mut company = active();
    company.legal_seat = Some("Bern".into());
    let events = vec![
        event(ChangeKind::SeatChange, "2026-05-04"),
        event(ChangeKind::AddressChange, "2026-05-04"),
    ];
    let found = assessed(&company, &history(events));
    assert_eq!(signs(&found, FactorKind::Address), [(Sign::Moved, "2026-05-04".into())]);
    let old = history(vec![event(ChangeKind::AddressChange, "2015-05-04")]);
    let found = signs(&assessed(&company, &old), FactorKind::Address);
    assert_eq!(found[0].0, Sign::StableAddress, "{found:?}");
}

#[test]
fn somebody_who_keeps_another_office_has_not_left() {
    let company = active();
    let mut history = History {
        mandates: vec![
            mandate(1, "Bern", Some("2026-03-02")),
            mandate(1, "Bern", None),
            mandate(2, "Bern", Some("2026-04-02")),
        ],
        ..History::default()
    };
    let found = assessed(&company, &history);
    assert_eq!(signs(&found, FactorKind::Board), [(Sign::Departure, "2026-04-02".into())]);
    history.mandates.remove(1);
    let found = signs(&assessed(&company, &history), FactorKind::Board);
    assert_eq!(found[0].0, Sign::NoBoard, "{found:?}");
    assert_eq!(found.len(), 3, "{found:?}");
}

#[test]
fn capital_changes_count_in_one_currency_only() {
    let mut company = active();
    company.legal_form_code = Some("0106".into());
    company.share_capital = Some(Amount::units(100_000));
    company.currency = Some("CHF".into());
    let mut reduced = event(ChangeKind::CapitalChange, "2026-02-02");
    reduced.field = Some("shareCapital".into());
    (reduced.old_value, reduced.new_value) = (Some("500000".into()), Some("100000".into()));
    let mut kinds = |before: &str, after: &str| {
        company.currency = Some(after.into());
        let currencies = Some([before.into(), after.into()]);
        let history = history(vec![Event { currencies, ..reduced.clone() }]);
        let found = signs(&assessed(&company, &history), FactorKind::Capital);
        found.into_iter().map(|it| it.0).collect::<Vec<Sign>>()
    };
    assert_eq!(kinds("CHF", "CHF"), [Sign::CapitalReduced, Sign::LeastCapital]);
    assert_eq!(kinds("EUR", "EUR"), [Sign::CapitalReduced]);
    assert_eq!(kinds("EUR", "CHF"), [Sign::LeastCapital]);
}

#[test]
fn auditor_who_left_without_successor_counts_unless_the_audit_was_waived() {
    let mut company = active();
    let mut history = History {
        tenures: vec![Tenure {
            auditor_name: "Prüf AG".into(),
            auditor_uid: None,
            appointed_as: None,
            appointed_at: "2015-01-05".parse().ok(),
            resigned_at: Some(TODAY),
            source: source("2026-10-31"),
        }],
        ..History::default()
    };
    let kinds = |company: &Company, history: &History| -> Vec<Sign> {
        signs(&assessed(company, history), FactorKind::Audit).into_iter().map(|it| it.0).collect()
    };
    assert_eq!(kinds(&company, &history), [Sign::AuditorLeft, Sign::AuditorEnded]);
    company.auditor_opt_out = Some(true);
    assert_eq!(kinds(&company, &history), [Sign::OptedOut, Sign::AuditorEnded]);
    history.tenures[0].resigned_at = None;
    (company.auditor_name, company.auditor_opt_out) = (Some("Prüf AG".into()), None);
    assert_eq!(kinds(&company, &history), [Sign::Audited, Sign::LongTenure]);
}

/// The rate of waivers among all companies says nothing about one whose auditor, or waiver, is known.
#[test]
fn stated_auditor_or_waiver_decides_the_factor_whatever_the_prior() {
    let mut company = active();
    let measured = MeasuredRates {
        measured_on: "2026-10-31".parse().expect("a day"),
        companies: 5_000,
        opting_out: Some(0.57),
        board_departures: None,
        address_changes: None,
        bankruptcies: None,
        deletions: None,
    };
    let mean = |company: &Company| {
        let history = History::default();
        let registered = Registered { company, history: &history, proofs: None };
        let facts = Facts::of_register(registered);
        [Priors::published(), Priors::of_register(Some(&measured))].map(|priors| {
            let found = assess(&facts, &priors, "2026-11-25".parse().expect("a day"));
            found.factors[FactorKind::Audit.index()].posterior_mean
        })
    };
    company.auditor_name = Some("Prüf AG".into());
    assert!(mean(&company).iter().all(|it| *it <= 0.1), "{:?}", mean(&company));
    (company.auditor_name, company.auditor_opt_out) = (None, Some(true));
    assert!(mean(&company).iter().all(|it| *it >= 0.9), "{:?}", mean(&company));
}

#[test]
fn sold_shelf_company_changed_name_purpose_and_officers_on_one_day() {
    let mut company = active();
    company.registration_date = "2020-01-05".parse().ok();
    let on = |day: &str| {
        let kinds = [ChangeKind::NameChange, ChangeKind::PurposeChange, ChangeKind::BoardChange];
        history(kinds.map(|it| event(it, day)).to_vec())
    };
    let sold = signs(&assessed(&company, &on("2024-02-01")), FactorKind::Status);
    assert_eq!(sold, [(Sign::ShelfCompany, "2024-02-01".into())]);
    assert_eq!(signs(&assessed(&company, &on("2020-06-01")), FactorKind::Status), [], "too early");
}

#[test]
fn country_of_a_residence_is_never_taken_from_a_canton() {
    for (place, country) in [
        ("Como (IT)", Some("IT")),
        ("Buchs (SG)", None),
        ("Monaco (MC)", Some("MC")),
        ("Bern", None),
        ("Ort (XX)", None),
        ("Ort ()", None),
    ] {
        assert_eq!(country_of(place), country, "{place}");
    }
    let history =
        History { mandates: vec![mandate(1, "Teheran (IR)", None)], ..History::default() };
    let found = signs(&assessed(&active(), &history), FactorKind::Geography);
    assert_eq!(found, [(Sign::OfficerFromCallForAction, "2015-01-05".into())]);
}

#[test]
fn source_of_a_member_is_its_proof_if_it_is_known() {
    let mut company = active();
    company.noga_code = Some("56".into());
    let proofs = BTreeMap::from([("nogaCode".to_owned(), source("2021-01-04"))]);
    let history = History::default();
    let facts = Facts::of_register(Registered {
        company: &company,
        history: &history,
        proofs: Some(&proofs),
    });
    let found = assess(&facts, &Priors::published(), TODAY);
    assert_eq!(signs(&found, FactorKind::Industry), [(Sign::Hospitality, "2021-01-04".into())]);
    let industry = &found.factors[FactorKind::Industry.index()];
    let ratio = industry.posterior_mean / industry.prior_mean;
    assert!((ratio - 2.2).abs() < 0.001, "the published ratio; got {ratio}");
}

#[test]
fn owners_are_known_only_if_a_source_states_a_link() {
    let company = Party::Company(uid());
    let foreign = Party::Firm(Uuid::from_u128(7));
    let resolved = |links: Vec<Link>| {
        let profile = Profile { country: Some("VG".into()), ..Profile::default() };
        let profiles = BTreeMap::from([(foreign, profile)]);
        let structure = Structure::above(company, links, profiles, MaxDepth::default());
        let resolution = Resolution::of(&structure, &Criteria::default());
        Facts::default().with_ownership(&structure, &resolution)
    };
    assert_eq!(resolved(Vec::new()), Facts::default());
    let link = Link {
        owner: foreign,
        owned: company,
        kind: LinkKind::Shares,
        share: Share::Known(Percent::WHOLE),
        since: None,
        source: source("2026-01-05"),
        confidence: 1.0,
    };
    let found = assess(&resolved(vec![link.clone()]), &Priors::published(), TODAY);
    let country = signs(&found, FactorKind::Geography);
    assert_eq!(country, [(Sign::OwnerFromIncreasedMonitoring, "2026-01-05".into())]);
    assert_eq!(signs(&found, FactorKind::OwnershipOpacity), [], "unknown owners are no evidence");
    let person = Link { owner: Party::Person(Uuid::from_u128(8)), ..link };
    let found = assess(&resolved(vec![person]), &Priors::published(), TODAY);
    let visible = signs(&found, FactorKind::OwnershipOpacity);
    assert_eq!(visible, [(Sign::OwnersVisible, "2026-01-05".into())]);
    // Of a circle of companies, a person owns more in the end than it holds directly.
    let mut evidence = found.factors.iter().flat_map(|it| &it.evidence);
    let summary = &evidence.next().expect("an observation").summary;
    for (language, expected) in Language::ALL.into_iter().zip([
        "Über alle Stufen gehören",
        "À travers tous les niveaux, 100 %",
        "Attraverso tutti i livelli, 100 %",
        "Over all levels, 100 % of the capital",
    ]) {
        assert!(summary.in_language(language).starts_with(expected), "{summary:?}");
    }
}

#[test]
fn entry_of_a_list_is_a_hit_for_each_of_its_reasons() {
    let concerns = |entry: &ListEntry| -> Vec<Concern> {
        let hits = ListHit::of_entry(entry, Subject::Owner, "Muster", Identity::Confirmed);
        hits.into_iter().map(|it| it.concern).collect()
    };
    let entry = |list, topics: &[&str]| {
        let mut entry = ListEntry::new(list, "7", EntryKind::Person);
        entry.topics = topics.iter().map(|it| (*it).to_owned()).collect();
        entry
    };
    assert_eq!(concerns(&entry(List::Seco, &[])), [Concern::Sanction]);
    assert_eq!(concerns(&entry(List::FinmaWarning, &[])), [Concern::Warning]);
    assert_eq!(concerns(&entry(List::FinmaAuthorised, &[])), []);
    let exposed = entry(List::Opensanctions, &["role.pep", "sanction", "gov.state"]);
    assert_eq!(concerns(&exposed), [Concern::Sanction, Concern::PoliticallyExposed]);
}

#[test]
fn assessment_of_a_day_before_the_lists_of_countries_does_not_use_them() {
    let history =
        History { mandates: vec![mandate(1, "Teheran (IR)", None)], ..History::default() };
    let company = active();
    let facts =
        Facts::of_register(Registered { company: &company, history: &history, proofs: None });
    let found = assess(&facts, &Priors::published(), jiff::civil::date(2024, 6, 30));
    let geography = &found.factors[FactorKind::Geography.index()];
    assert!(!geography.evidence_applied);
    let note = geography.evidence_note.as_deref().expect("a note");
    assert!(note.starts_with("The lists of the FATF before 2026-02-13"), "{note}");
}

#[test]
fn officer_with_twenty_mandates_elsewhere_and_shared_address_count() {
    let officer = |others: u32| {
        let role = |number: u32| {
            let company = Uid::from_number(number).expect("nine digits");
            Role::new(&Company::new(company, "Muster AG"), mandate(1, "Bern", None))
        };
        let mut roles: Vec<Role> = (0..others).map(|it| role(700_000_000 + it)).collect();
        roles.push(Role::new(&active(), mandate(1, "Bern", None)));
        // A second mandate in the same company.
        roles.push(roles[0].clone());
        Officer {
            id: Uuid::from_u128(1),
            name: "Eva Muster".into(),
            is_entity: false,
            uid: None,
            roles,
        }
    };
    let history = History { mandates: vec![mandate(1, "Bern", None)], ..History::default() };
    let mut company = active();
    company.legal_seat = Some("Bern".into());
    let facts =
        || Facts::of_register(Registered { company: &company, history: &history, proofs: None });
    let assessed = |facts: &Facts| assess(facts, &Priors::published(), TODAY);
    let many = assessed(&facts().with_officers(uid(), &[officer(20)]));
    assert_eq!(signs(&many, FactorKind::Board), [(Sign::ManyMandates, "2015-01-05".to_owned())]);
    let few = assessed(&facts().with_officers(uid(), &[officer(19)]));
    assert_eq!(signs(&few, FactorKind::Board), []);
    let shared = |it| signs(&assessed(&facts().with_neighbours(it)), FactorKind::Address);
    assert_eq!(shared(20), [(Sign::SharedAddress, "2026-09-01".to_owned())]);
    assert_eq!(shared(19), []);
}

#[test]
fn revoked_bankruptcy_and_repaired_defect_count_no_more() {
    let legal = |kind, legal, day| Event { legal_event: Some(legal), ..event(kind, day) };
    let opened = |day| legal(ChangeKind::Bankruptcy, LegalEvent::BankruptcyOpened, day);
    let revoked = |day| legal(ChangeKind::Other, LegalEvent::BankruptcyRevoked, day);
    let found =
        |events: Vec<Event>| signs(&assessed(&active(), &history(events)), FactorKind::Status);
    assert_eq!(found(vec![opened("2026-05-04")]), [(Sign::InsolvencyEvent, "2026-05-04".into())]);
    assert_eq!(found(vec![opened("2026-05-04"), revoked("2026-06-01")]), []);
    let again = found(vec![opened("2026-05-04"), revoked("2026-06-01"), opened("2026-09-01")]);
    assert_eq!(again, [(Sign::InsolvencyEvent, "2026-09-01".into())], "a second one");
    let later = found(vec![opened("2026-05-04"), revoked("2026-11-01")]);
    assert_eq!(later.len(), 1, "revoked after the day of the assessment");
    let defect = legal(ChangeKind::Other, LegalEvent::NoDomicile, "2026-05-04");
    let repaired = legal(ChangeKind::Other, LegalEvent::DomicileRestored, "2026-06-01");
    assert_eq!(found(vec![defect.clone()]).len(), 1);
    assert_eq!(found(vec![defect, repaired]), []);
}

#[test]
fn sole_proprietors_and_partners_are_owners() {
    for (category, sign) in [
        (RoleCategory::Owner, Sign::OwnerFromCallForAction),
        (RoleCategory::Partner, Sign::OwnerFromCallForAction),
        (RoleCategory::Board, Sign::OfficerFromCallForAction),
    ] {
        let mut person = mandate(1, "Teheran (IR)", None);
        person.category = category;
        let history = History { mandates: vec![person], ..History::default() };
        let found = signs(&assessed(&active(), &history), FactorKind::Geography);
        assert_eq!(found, [(sign, "2015-01-05".into())], "{category:?}");
    }
}

#[test]
fn every_office_of_a_person_counts_and_not_only_the_first() {
    use RoleCategory::{Liquidator, Management, Partner};
    let of = |category, others: &[RoleCategory], until| {
        let mandate = mandate(1, "Teheran (IR)", until);
        let mandate = Mandate { category, other_categories: others.to_vec(), ..mandate };
        let history = History { mandates: vec![mandate], ..History::default() };
        assessed(&active(), &history)
    };
    for (first, other) in [(Management, Partner), (Partner, Management), (Liquidator, Partner)] {
        let found = signs(&of(first, &[other], None), FactorKind::Geography);
        assert_eq!(found[0].0, Sign::OwnerFromCallForAction, "{first:?} {other:?}");
    }
    let leaves = |category, others: &[RoleCategory]| {
        let found = signs(&of(category, others, Some("2026-04-02")), FactorKind::Board);
        found.iter().any(|it| it.0 == Sign::Departure)
    };
    assert!(leaves(Management, &[Partner]) && leaves(Partner, &[Management]));
    assert!(!leaves(Partner, &[]), "who manages nothing is no member of the management");
}

/// An office ends on the day of the journal (ORC 34), which is days before that of the publication.
#[test]
fn what_ended_is_dated_by_the_journal_or_said_to_be_published() {
    let mut company = active();
    company.auditor_name = Some("Prüf AG".into());
    let tenure = |appointed_at: &str, resigned_at: Option<&str>| Tenure {
        auditor_name: "Prüf AG".into(),
        auditor_uid: None,
        appointed_as: None,
        appointed_at: appointed_at.parse().ok(),
        resigned_at: resigned_at.and_then(|it| it.parse().ok()),
        source: source("2026-04-02"),
    };
    let dated = |journal: Option<&str>| {
        let mut event = event(ChangeKind::BoardChange, "2026-04-02");
        event.journal_date = journal.and_then(|it| it.parse().ok());
        let history = History {
            mandates: vec![mandate(1, "Bern", Some("2026-04-02")), mandate(2, "Bern", None)],
            tenures: vec![tenure("2014-01-03", Some("2026-04-02")), tenure("2015-01-05", None)],
            ..history(vec![event])
        };
        let found = assessed(&company, &history);
        let evidence = found.factors.iter().flat_map(|it| &it.evidence);
        let of_ends = evidence.filter(|it| {
            [Sign::Departure, Sign::AuditorEnded, Sign::LongTenure].contains(&it.sign)
        });
        of_ends.map(|it| (it.sign, it.summary.clone())).collect::<Vec<_>>()
    };
    let published = [
        "publiziert am 2. April 2026",
        "publication du 2 avril 2026",
        "pubblicazione del 2 aprile 2026",
        "published on 2 April 2026",
    ];
    let entered = ["(30. März 2026)", "(30 mars 2026)", "(30 marzo 2026)", "(30 March 2026)"];
    let begun = ["(publiziert am", "(publication du", "(pubblicazione del", "(published on"];
    for (journal, ended) in [(None, published), (Some("2026-03-30"), entered)] {
        let found = dated(journal);
        assert_eq!(found.len(), 3, "{found:?}");
        for (sign, summary) in &found {
            for language in Language::ALL {
                let expected = if *sign == Sign::LongTenure { begun } else { ended };
                let text = summary.in_language(language);
                assert!(text.contains(language.of(expected)), "{text}");
            }
        }
    }
}

#[test]
fn tenure_is_long_after_more_than_seven_years() {
    let since = |day: &str| {
        let mut company = active();
        company.auditor_name = Some("Prüf AG".into());
        let tenure = Tenure {
            auditor_name: "Prüf AG".into(),
            auditor_uid: None,
            appointed_as: None,
            appointed_at: day.parse().ok(),
            resigned_at: None,
            source: source("2026-10-31"),
        };
        let history = History { tenures: vec![tenure], ..History::default() };
        let found = signs(&assessed(&company, &history), FactorKind::Audit);
        found.iter().any(|it| it.0 == Sign::LongTenure)
    };
    assert_eq!((since("2019-10-31"), since("2019-10-30")), (false, true));
}

#[test]
fn what_ends_with_the_company_did_not_leave_it() {
    let mut company = active();
    company.status = Some(Status::Cancelled);
    company.status_reason = Some(StatusReason::DeletedAfterLiquidation);
    let mandates = vec![mandate(1, "Bern", Some("2026-08-03"))];
    let mut of_liquidator = mandate(2, "Bern", Some("2026-02-02"));
    let mut liquidates = of_liquidator.clone();
    (liquidates.until, liquidates.category) = (None, RoleCategory::Liquidator);
    let deleted = vec![event(ChangeKind::Deletion, "2026-08-03")];
    let found = assessed(&company, &History { mandates, ..history(deleted.clone()) });
    assert_eq!(signs(&found, FactorKind::Board), []);
    of_liquidator.category = RoleCategory::Board;
    let found = assessed(
        &active(),
        &History { mandates: vec![of_liquidator.clone(), liquidates], ..History::default() },
    );
    assert_eq!(signs(&found, FactorKind::Board), []);
    let found = assessed(&company, &History { mandates: vec![of_liquidator], ..history(deleted) });
    assert_eq!(signs(&found, FactorKind::Board), [(Sign::Departure, "2026-02-02".into())]);
}

/// A publication repeats the data of the company that it does not change: it is no evidence for these.
#[test]
fn waiver_cites_the_publication_that_states_it_or_none() {
    let mut company = active();
    company.auditor_opt_out = Some(true);
    let proved = |day: &str| [("auditorOptOut".to_owned(), source(day))].into();
    let cited = |proofs: &BTreeMap<String, Provenance>, kind: ChangeKind| {
        let events = vec![event(kind, "2014-07-09"), event(ChangeKind::Liquidation, "2026-09-01")];
        let history = history(events);
        let registered = Registered { company: &company, history: &history, proofs: Some(proofs) };
        let found = assess(&Facts::of_register(registered), &Priors::published(), TODAY);
        signs(&found, FactorKind::Audit)
    };
    for kind in [ChangeKind::AuditOptOut, ChangeKind::NewRegistration] {
        let found = cited(&proved("2014-07-09"), kind);
        assert_eq!(found, [(Sign::OptedOut, "2014-07-09".into())], "{kind:?}");
    }
    for (day, kind) in
        [("2014-07-09", ChangeKind::AddressChange), ("2026-09-01", ChangeKind::AuditOptOut)]
    {
        assert_eq!(cited(&proved(day), kind), [(Sign::OptedOut, String::new())], "{kind:?}");
    }
}

/// What the company's first entry shows is cited from it, not from the newest publication.
#[test]
fn age_cites_the_first_entry() {
    for (registered, sign) in [("2025-11-03", Sign::Young), ("2001-11-15", Sign::LongStanding)] {
        let mut company = active();
        company.registration_date = registered.parse().ok();
        let proofs = [
            ("registrationDate".to_owned(), source(registered)),
            ("status".to_owned(), source("2026-09-01")),
        ];
        let (history, proofs) = (History::default(), proofs.into());
        let registered_as =
            Registered { company: &company, history: &history, proofs: Some(&proofs) };
        let found = assess(&Facts::of_register(registered_as), &Priors::published(), TODAY);
        assert_eq!(signs(&found, FactorKind::Status), [(sign, registered.to_owned())]);
    }
}

#[test]
fn auditor_that_left_is_cited_from_its_tenure() {
    let company = active();
    let ended = Tenure {
        auditor_name: "Prüf AG".into(),
        auditor_uid: None,
        appointed_as: None,
        appointed_at: "2015-01-05".parse().ok(),
        resigned_at: "2020-02-03".parse().ok(),
        source: source("2020-02-03"),
    };
    let history = History { tenures: vec![ended], ..History::default() };
    let found = signs(&assessed(&company, &history), FactorKind::Audit);
    assert!(found.contains(&(Sign::AuditorLeft, "2020-02-03".into())), "{found:?}");
}

/// Whatever the company kept or had until its deletion, it does not keep or have it today.
#[test]
fn periods_end_with_the_deletion() {
    let deleted = |registered: &str, deleted: &str, status| {
        let mut company = active();
        company.status = Some(status);
        company.registration_date = registered.parse().ok();
        company.deletion_date = deleted.parse().ok().filter(|_| status == Status::Cancelled);
        company.legal_seat = Some("Bern".into());
        company.auditor_name = Some("Prüf AG".into());
        company.legal_form_code = Some("0106".into());
        company.share_capital = Some(Amount::units(100_000));
        company.currency = Some("CHF".into());
        let history = History {
            mandates: vec![mandate(1, "Bern", None)],
            ..history(vec![event(ChangeKind::NewRegistration, registered)])
        };
        let found = assessed(&company, &history);
        let signs = [FactorKind::Board, FactorKind::Address, FactorKind::Status, FactorKind::Audit]
            .map(|it| signs(&found, it).into_iter().map(|it| it.0).collect::<Vec<_>>());
        let summaries = found.factors.iter().flat_map(|it| &it.evidence);
        let summaries: Vec<String> = summaries.map(|it| it.summary.en.clone()).collect();
        (signs.concat(), summaries)
    };
    let (short, _) = deleted("2013-04-19", "2016-06-03", Status::Cancelled);
    assert_eq!(short, [Sign::Ending]);
    let (young, _) = deleted("2025-04-19", "2026-06-03", Status::Cancelled);
    assert_eq!(young, [Sign::Ending], "it has not been registered since");
    let (long, summaries) = deleted("2005-04-19", "2016-06-03", Status::Cancelled);
    assert_eq!(long, [Sign::StableBoard, Sign::StableAddress, Sign::Ending]);
    assert!(summaries[..2].iter().all(|it| it.starts_with("At the deletion, ")), "{summaries:?}");
    assert!(summaries[2].starts_with("The capital was last CHF 100,000, "), "{summaries:?}");
    let (active, summaries) = deleted("2013-04-19", "", Status::Active);
    use Sign::{Audited, LongStanding, StableAddress, StableBoard};
    assert_eq!(active, [StableBoard, StableAddress, LongStanding, Audited]);
    assert!(!summaries.concat().contains("deletion"), "{summaries:?}");
    assert!(summaries.iter().any(|it| it.starts_with("The capital is CHF ")), "{summaries:?}");
}
