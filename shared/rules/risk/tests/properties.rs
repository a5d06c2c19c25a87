//! What holds for the assessment of every company.

use domain::{
    Amount, Provenance, Status, changes::LegalEvent, company::StatusReason, wording::Translations,
};
use jiff::{ToSpan, civil::Date};
use ownership::{
    Party, Percent,
    flags::{Flag, FlagKind},
};
use proptest::{collection::vec, option, prelude::*, sample::select};
use risk::{
    AddressFacts, Assessment, AuditFacts, BoardFacts, CapitalFacts, Concern, CountryLink,
    CountryRole, Dated, Direction, FactorKind, Facts, Identity, IndustryFacts, ListHit,
    OfficerMandates, OwnershipFacts, Priors, RiskLevel, StatusFacts, Subject, assess,
};
use uuid::Uuid;

const TODAY: Date = jiff::civil::date(2026, 10, 31);

fn source() -> Provenance {
    Provenance { source: "shab".into(), reference: None, date: None }
}

/// Whether the facts of each factor are known, in the order of the factors.
fn is_known(facts: &Facts) -> [bool; 9] {
    [
        facts.ownership.is_some(),
        facts.listings.is_some(),
        facts.countries.is_some(),
        facts.industry.is_some(),
        facts.audit.is_some(),
        facts.board.is_some(),
        facts.address.is_some(),
        facts.capital.is_some(),
        facts.status.is_some(),
    ]
}

fn said(text: String) -> Translations {
    Translations::of(|_| text.clone())
}

fn company() -> Party {
    Party::Company("CHE-600.000.012".parse().expect("well-formed"))
}

/// Days up to ten years before today, and some after it.
fn days() -> impl Strategy<Value = Date> {
    (-100_i32..3_650).prop_map(|it| TODAY.checked_sub(it.days()).expect("in range"))
}

fn dated() -> impl Strategy<Value = Dated> {
    (days(), 0..5_u8).prop_map(|(on, it)| Dated {
        on,
        summary: said(format!("Event {it}.")),
        source: source(),
    })
}

fn events() -> impl Strategy<Value = Vec<Dated>> {
    vec(dated(), 0..25)
}

fn flag() -> impl Strategy<Value = Flag> {
    let kinds = select(vec![
        FlagKind::CircularOwnership,
        FlagKind::ClosedCircle,
        FlagKind::Pyramid,
        FlagKind::UnknownShare,
        FlagKind::DomiciliaryAddress,
        FlagKind::MassDomicileAddress,
    ]);
    (kinds, 0..4_u128).prop_map(|(kind, party)| Flag {
        kind,
        parties: vec![if party == 0 { company() } else { Party::Firm(Uuid::from_u128(party)) }],
        explanation: said(format!("Flag of {party}.")),
        evidence: Vec::new(),
    })
}

fn hit() -> impl Strategy<Value = ListHit> {
    let concerns = select(vec![
        Concern::Sanction,
        Concern::Warning,
        Concern::PoliticallyExposed,
        Concern::Associate,
    ]);
    let subjects = select(vec![Subject::Company, Subject::Owner, Subject::Officer]);
    (concerns, subjects, option::of(0.0..1.0_f64)).prop_map(|(concern, subject, score)| ListHit {
        concern,
        subject,
        name: "Muster".into(),
        identity: score.map_or(Identity::Confirmed, Identity::Possible),
        source: source(),
        list_date: None,
    })
}

fn link() -> impl Strategy<Value = CountryLink> {
    (
        select(vec!["CH", "IR", "VG", "DE"]),
        select(vec![CountryRole::Owner, CountryRole::Officer]),
        0..3_u8,
    )
        .prop_map(|(country, role, name)| CountryLink {
            country: country.into(),
            role,
            name: name.to_string(),
            source: source(),
        })
}

prop_compose! {
    fn some_facts()(
        flags in vec(flag(), 0..6),
        held in 0.0..100.0_f64,
        hits in vec(hit(), 0..4),
        links in vec(link(), 0..4),
        noga in option::of(select(vec!["561001", "62", "683100", "6920"])),
        is_supervised in any::<bool>(),
        auditor in option::of(Just("Prüf AG".to_owned())),
        opted_out in option::of(any::<bool>()),
        ended in events(),
        (departures, changes, reductions, increases, shells) in
            (events(), events(), events(), events(), events()),
        members in 0_usize..12,
        others in vec(0_usize..50, 0..4),
        neighbours in option::of(0_usize..300),
        (since, known_since, registered) in
            (option::of(days()), option::of(days()), option::of(days())),
        status in option::of(select(Status::ALL.to_vec())),
        reason in option::of(select(StatusReason::ALL.to_vec())),
        legal in vec((select(LegalEvent::ALL.to_vec()), dated()), 0..8),
        capital in 0_i64..300_000,
        is_active in any::<bool>(),
        deleted_on in option::of(days()),
    ) -> Facts {
        let mandates = others.into_iter().enumerate().map(|(at, others)| OfficerMandates {
            name: format!("Officer {at}"),
            others,
            source: source(),
        });
        Facts {
            deleted_on,
            owners_not_searched: Vec::new(),
            ownership: Some(OwnershipFacts {
                company: company(),
                flags,
                exceptions: Vec::new(),
                has_holders_by_name: false,
                has_capital: true,
                held_by_persons: Percent::new(held).expect("a share"),
                source: source(),
            }),
            listings: Some(hits),
            countries: Some(links),
            industry: Some(IndustryFacts {
                noga_code: noga.map(str::to_owned),
                name: None,
                is_supervised,
                source: source(),
                licence: source(),
            }),
            audit: Some(AuditFacts {
                auditor,
                since,
                opted_out,
                ended,
                is_active,
                source: source(),
            }),
            board: Some(BoardFacts {
                members,
                departures,
                known_since,
                mandates: mandates.collect(),
                is_active,
                source: source(),
            }),
            address: Some(AddressFacts { changes, neighbours, known_since, source: source() }),
            capital: Some(CapitalFacts {
                legal_form: Some("0106".into()),
                amount: Some(Amount::units(capital)),
                currency: Some("CHF".into()),
                reductions,
                increases,
                source: source(),
            }),
            status: Some(StatusFacts {
                registered,
                entry: source(),
                status,
                reason,
                events: legal,
                sales_of_shell: shells,
                source: source(),
            }),
        }
    }
}

/// Facts of which any factor can be unknown.
fn facts() -> impl Strategy<Value = Facts> {
    (some_facts(), any::<[bool; 9]>()).prop_map(|(facts, known)| Facts {
        deleted_on: facts.deleted_on,
        owners_not_searched: facts.owners_not_searched,
        ownership: facts.ownership.filter(|_| known[0]),
        listings: facts.listings.filter(|_| known[1]),
        countries: facts.countries.filter(|_| known[2]),
        industry: facts.industry.filter(|_| known[3]),
        audit: facts.audit.filter(|_| known[4]),
        board: facts.board.filter(|_| known[5]),
        address: facts.address.filter(|_| known[6]),
        capital: facts.capital.filter(|_| known[7]),
        status: facts.status.filter(|_| known[8]),
    })
}

fn assessed(facts: &Facts) -> Assessment {
    assess(facts, &Priors::published(), TODAY)
}

fn mean(assessment: &Assessment, factor: FactorKind) -> f64 {
    assessment.factors.iter().find(|it| it.factor == factor).expect("all nine").posterior_mean
}

/// Facts with one adverse observation more about a factor.
fn worse(mut facts: Facts, factor: FactorKind, event: Dated, choice: bool) -> Facts {
    match factor {
        FactorKind::OwnershipOpacity => {
            let kind =
                if choice { FlagKind::CircularOwnership } else { FlagKind::MassDomicileAddress };
            let parties = vec![Party::Firm(Uuid::from_u128(99))];
            let flag =
                Flag { kind, parties, explanation: event.summary, evidence: vec![event.source] };
            facts.ownership.as_mut().expect("known").flags.push(flag);
        }
        FactorKind::Listings => facts.listings.as_mut().expect("known").push(ListHit {
            concern: if choice { Concern::Sanction } else { Concern::PoliticallyExposed },
            subject: Subject::Owner,
            name: "Another".into(),
            identity: if choice { Identity::Confirmed } else { Identity::Possible(0.9) },
            source: source(),
            list_date: None,
        }),
        FactorKind::Geography => facts.countries.as_mut().expect("known").push(CountryLink {
            country: if choice { "IR" } else { "VG" }.into(),
            role: CountryRole::Owner,
            name: "Another".into(),
            source: source(),
        }),
        FactorKind::Industry => {
            let industry = facts.industry.as_mut().expect("known");
            // One industry replaces another: only one without a sign becomes worse.
            let is_harmless = industry.noga_code.as_deref().is_none_or(|it| it == "62");
            match choice && is_harmless {
                true => industry.noga_code = Some("56".into()),
                false => industry.is_supervised = false,
            }
        }
        FactorKind::Audit => {
            let audit = facts.audit.as_mut().expect("known");
            // A waiver explains why an auditor left: it makes only a company with an auditor worse.
            match choice || audit.auditor.is_none() {
                true => audit.ended.push(event),
                false => (audit.auditor, audit.opted_out) = (None, Some(true)),
            }
        }
        FactorKind::Board => {
            let board = facts.board.as_mut().expect("known");
            board.departures.push(event);
            if choice {
                board.mandates.push(OfficerMandates {
                    name: "Another".into(),
                    others: 60,
                    source: source(),
                });
            }
        }
        FactorKind::Address => {
            let address = facts.address.as_mut().expect("known");
            match choice {
                true => address.changes.push(event),
                false => address.neighbours = Some(address.neighbours.unwrap_or_default() + 30),
            }
        }
        FactorKind::Capital => facts.capital.as_mut().expect("known").reductions.push(event),
        FactorKind::Status => {
            let status = facts.status.as_mut().expect("known");
            match choice {
                true => status.events.push((LegalEvent::MoratoriumGranted, event)),
                false => status.reason = Some(StatusReason::Bankruptcy),
            }
        }
    }
    facts
}

proptest! {
    // Facts are large: more cases take long without optimisation.
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn more_adverse_evidence_never_lowers_a_posterior(
        facts in some_facts(),
        factor in select(FactorKind::ALL.to_vec()),
        event in dated(),
        choice in any::<bool>(),
    ) {
        let (before, after) = (assessed(&facts), assessed(&worse(facts.clone(), factor, event, choice)));
        prop_assert!(mean(&after, factor) >= mean(&before, factor) - 1e-12, "{factor:?}");
        prop_assert!(after.score >= before.score - 1e-12, "{factor:?}");
    }

    #[test]
    fn facts_of_a_factor_change_no_other_factor(
        facts in some_facts(),
        factor in select(FactorKind::ALL.to_vec()),
        event in dated(),
        choice in any::<bool>(),
    ) {
        let (before, after) = (assessed(&facts), assessed(&worse(facts.clone(), factor, event, choice)));
        prop_assert_eq!((before.factors.len(), after.factors.len()), (9, 9));
        for (before, after) in before.factors.iter().zip(&after.factors) {
            if before.factor != factor {
                prop_assert_eq!(before, after);
            }
        }
    }

    #[test]
    fn order_and_repetition_of_facts_do_not_matter(facts in some_facts()) {
        fn turned<T: Clone>(list: &[T]) -> Vec<T> {
            let reversed = list.iter().rev();
            reversed.chain(list.first()).cloned().collect()
        }
        let mut other = facts.clone();
        let ownership = other.ownership.as_mut().expect("known");
        ownership.flags = turned(&ownership.flags);
        let hits = other.listings.as_mut().expect("known");
        *hits = turned(hits);
        let links = other.countries.as_mut().expect("known");
        *links = turned(links);
        let audit = other.audit.as_mut().expect("known");
        audit.ended = turned(&audit.ended);
        let board = other.board.as_mut().expect("known");
        (board.departures, board.mandates) = (turned(&board.departures), turned(&board.mandates));
        let address = other.address.as_mut().expect("known");
        address.changes = turned(&address.changes);
        let capital = other.capital.as_mut().expect("known");
        capital.reductions = turned(&capital.reductions);
        capital.increases = turned(&capital.increases);
        let status = other.status.as_mut().expect("known");
        (status.events, status.sales_of_shell) =
            (turned(&status.events), turned(&status.sales_of_shell));
        prop_assert_eq!(assessed(&facts), assessed(&other));
    }

    #[test]
    fn composite_follows_from_the_members_of_the_answer(facts in facts()) {
        // Through JSON, as a client reads it.
        let text = serde_json::to_string(&assessed(&facts)).expect("json");
        let answer: serde_json::Value = serde_json::from_str(&text).expect("json");
        let number = |of: &serde_json::Value, member: &str| of[member].as_f64().expect("a number");
        let base = number(&answer["baseRate"], "value");
        let scale = number(&answer, "weightScale");
        let mut log_odds = (base / (1.0 - base)).ln();
        for factor in answer["factors"].as_array().expect("factors") {
            let weights = |direction: &str| -> f64 {
                let rows = factor["evidence"].as_array().expect("rows").iter();
                rows.filter(|it| it["direction"] == direction).map(|it| number(it, "weight")).sum()
            };
            let alpha = number(factor, "priorAlpha") + weights("adverse");
            let beta = number(factor, "priorBeta") + weights("mitigating");
            prop_assert_eq!(number(factor, "posteriorAlpha"), alpha);
            prop_assert_eq!(number(factor, "posteriorBeta"), beta);
            prop_assert!((number(factor, "posteriorMean") - alpha / (alpha + beta)).abs() < 1e-12);
            let prior = (number(factor, "priorAlpha") / number(factor, "priorBeta")).ln();
            let contribution = scale * number(factor, "weight") * ((alpha / beta).ln() - prior);
            prop_assert!((number(factor, "logOddsContribution") - contribution).abs() < 1e-12);
            log_odds += contribution;
        }
        prop_assert!((number(&answer, "logOdds") - log_odds).abs() < 1e-9);
        let score = 1.0 / (1.0 + (-log_odds).exp());
        prop_assert!((number(&answer, "score") - score).abs() < 1e-9);
        let is_known = is_known(&facts);
        let level = RiskLevel::of(number(&answer, "score"), is_known.iter().filter(|it| **it).count() - usize::from(facts.listings.is_some()));
        prop_assert_eq!(&answer["riskLevel"], level.name());
    }

    #[test]
    fn unknown_facts_leave_a_factor_at_its_prior(facts in facts()) {
        let is_known = is_known(&facts);
        prop_assert_eq!(assessed(&facts).factors.len(), is_known.len());
        for (factor, is_known) in assessed(&facts).factors.iter().zip(is_known) {
            prop_assert_eq!(factor.evidence_applied, !factor.evidence.is_empty());
            prop_assert_eq!(factor.evidence_note.is_none(), factor.evidence_applied);
            if !factor.evidence_applied {
                prop_assert_eq!(factor.posterior_alpha, factor.prior_alpha);
                prop_assert_eq!(factor.posterior_beta, factor.prior_beta);
                prop_assert_eq!(factor.log_odds_contribution, 0.0);
            }
            if !is_known {
                let note = factor.evidence_note.as_deref().expect("a note");
                prop_assert!(note.starts_with("No source that was read"), "{}", note);
            }
        }
    }

    #[test]
    fn posterior_is_on_the_side_of_the_evidence(facts in some_facts()) {
        for factor in assessed(&facts).factors {
            let only = |direction| factor.evidence.iter().all(|it| it.direction == direction);
            if only(Direction::Adverse) {
                prop_assert!(factor.posterior_mean >= factor.prior_mean);
            }
            if only(Direction::Mitigating) {
                prop_assert!(factor.posterior_mean <= factor.prior_mean);
            }
        }
    }
}
