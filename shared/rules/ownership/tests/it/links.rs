//! Links made from what the sources state.

use domain::{
    Amount, Company, Provenance, Uid,
    persons::{Holding, HoldingPeriod, Mandate, Person, RoleCategory},
    relationships::{CompanyRelation, Relation},
    statements::{
        gleif::{Group, RelatedEntity},
        six::Shareholding,
    },
};
use jiff::civil::date;
use ownership::{
    LinkKind, Party, Percent, Share, UnknownShare,
    links::{exchange, gleif, register},
};
use uuid::Uuid;

use crate::support::{company, person, resolve, source};

fn uid(number: u32) -> Uid {
    Uid::from_number(number).expect("nine digits")
}

fn percent(share: Share) -> Option<f64> {
    share.known().map(Percent::get)
}

fn limited(code: &str) -> Company {
    Company {
        legal_form_code: Some(code.into()),
        share_capital: Some(Amount::units(20_000)),
        currency: Some("CHF".into()),
        ..Company::new(uid(1), "Muster GmbH")
    }
}

fn quotas(total: Option<i64>, currency: &str) -> Holding {
    Holding {
        text: String::new(),
        count: None,
        nominal_value: None,
        total: total.map(Amount::units),
        currency: Some(currency.into()),
    }
}

fn mandate(id: u128, category: RoleCategory, holding: Option<Holding>) -> Mandate {
    Mandate {
        person_id: Uuid::from_u128(id),
        confidence: 0.95,
        person: Person {
            first_name: Some("Regula".into()),
            last_name: "Musterfrau".into(),
            ..Person::default()
        },
        role: String::new(),
        category,
        other_categories: Vec::new(),
        signature: None,
        signing_authority: None,
        holding,
        holdings: Vec::new(),
        since: Some(date(2020, 1, 1)),
        until: None,
        entry_source: None,
        role_source: None,
        earlier_categories: Vec::new(),
        signature_source: None,
        source: source("1"),
    }
}

#[test]
fn quota_is_divided_by_the_capital() {
    let company = limited("0107");
    let mandates = [mandate(9, RoleCategory::Partner, Some(quotas(Some(7_000), "CHF")))];
    let [link, office] = register::of_mandates(&company, &mandates).try_into().expect("two");
    assert_eq!(office.kind, LinkKind::Office(RoleCategory::Partner));
    assert_eq!(
        (link.owner, link.owned, link.kind),
        (person(9), Party::Company(uid(1)), LinkKind::Shares)
    );
    assert_eq!(percent(link.share), Some(35.0));
    assert_eq!((link.since, link.confidence), (None, 0.95), "no publication states these shares");
    assert_eq!(link.source, source("1"));
}

/// Who was a partner for long may have these shares, or this office, for less.
#[test]
fn link_begins_with_the_shares_or_the_office_that_it_is() {
    use RoleCategory::{Board, Management, Partner};
    let on = |day| Some(Provenance { date: Some(day), ..source("1") });
    let (entry, sale, promotion) = (date(2014, 10, 16), date(2021, 10, 27), date(2023, 5, 4));
    let held = |units, since| {
        HoldingPeriod::of(&quotas(Some(units), "CHF"), None, Some(since), source("1"))
    };
    let mut partner = mandate(9, Partner, Some(quotas(Some(4_000), "CHF")));
    partner.since = Some(entry);
    partner.role_source = on(entry);
    let before = HoldingPeriod { until: Some(sale), ..held(6_800, entry) };
    partner.holdings = vec![before, held(4_000, sale)];
    let since = |code: &str, mandate: &Mandate| {
        let links = register::of_mandates(&limited(code), std::slice::from_ref(mandate));
        links.iter().map(|it| it.since).collect::<Vec<_>>()
    };
    assert_eq!(since("0107", &partner), [Some(sale), Some(entry)]);
    // The same shares of another capital are held since the entry.
    partner.holdings[0].total = partner.holdings[1].total;
    assert_eq!(since("0107", &partner), [Some(entry), Some(entry)]);
    // Who had one of the offices before has only the other since the change.
    let mut director = mandate(9, Management, None);
    director.other_categories = vec![Board];
    director.earlier_categories = vec![Board];
    director.since = Some(entry);
    director.role_source = on(promotion);
    assert_eq!(since("0106", &director), [Some(promotion), None]);
    assert_eq!(since("0106", &mandate(9, Board, None)), [None], "no known publication states it");
}

#[test]
fn share_is_unknown_for_a_stated_reason() {
    let of = |holding: &Holding, capital: Option<i64>| {
        let capital = capital
            .map(|it| register::Capital { amount: Amount::units(it), currency: Some("CHF") });
        register::quota_share(holding, capital)
    };
    assert_eq!(percent(of(&quotas(Some(5), "CHF"), Some(20))), Some(25.0));
    let reasons = [
        (of(&quotas(None, "CHF"), Some(20)), UnknownShare::NotStated),
        (of(&quotas(Some(5), "CHF"), None), UnknownShare::CapitalUnknown),
        (of(&quotas(Some(5), "CHF"), Some(0)), UnknownShare::CapitalUnknown),
        (of(&quotas(Some(5), "EUR"), Some(20)), UnknownShare::CurrenciesDiffer),
    ];
    for (share, reason) in reasons {
        assert_eq!(share, Share::Unknown(reason));
    }
}

#[test]
fn category_and_legal_form_decide_the_kind() {
    let of = |code: &str, category, holding| {
        let links = register::of_mandates(&limited(code), &[mandate(9, category, holding)]);
        links.first().map(|it| (it.kind, it.share))
    };
    let unknown = |kind, reason| Some((kind, Share::Unknown(reason)));
    let whole = Share::Known(Percent::WHOLE);
    assert_eq!(of("0101", RoleCategory::Owner, None), Some((LinkKind::SoleProprietor, whole)));
    let partnership = unknown(LinkKind::Partnership, UnknownShare::NotRegistered);
    assert_eq!(of("0103", RoleCategory::Partner, None), partnership);
    let limited_partner = Some(quotas(Some(1_000), "CHF"));
    assert_eq!(of("0104", RoleCategory::Partner, limited_partner), partnership);
    let not_stated = unknown(LinkKind::Shares, UnknownShare::NotStated);
    assert_eq!(of("0107", RoleCategory::Partner, None), not_stated);
    let board = unknown(LinkKind::Office(RoleCategory::Board), UnknownShare::NoShare);
    assert_eq!(of("0106", RoleCategory::Board, None), board);
    assert_eq!(of("0106", RoleCategory::Auditor, None), None);
    let mut ended = mandate(9, RoleCategory::Board, None);
    ended.until = Some(date(2021, 1, 1));
    assert!(register::of_mandates(&limited("0106"), &[ended]).is_empty());
}

#[test]
fn all_offices_of_a_person_count_in_whatever_order_they_are_named() {
    use RoleCategory::{Board, Liquidator, Management, Owner, Partner};
    let kinds = |code: &str, categories: &[RoleCategory]| {
        let mut mandate = mandate(9, categories[0], None);
        mandate.other_categories = categories[1..].to_vec();
        let links = register::of_mandates(&limited(code), &[mandate]);
        links.iter().map(|it| it.kind).collect::<Vec<_>>()
    };
    let office = LinkKind::Office;
    for (code, categories, expected) in [
        ("0107", [Partner, Management], LinkKind::Shares),
        ("0107", [Management, Partner], LinkKind::Shares),
        ("0103", [Liquidator, Partner], LinkKind::Partnership),
    ] {
        let offices = categories.map(office);
        assert_eq!(kinds(code, &categories), [vec![expected], offices.to_vec()].concat(), "{code}");
    }
    assert_eq!(kinds("0106", &[Liquidator, Board]), [office(Liquidator), office(Board)]);
    let proprietor = [LinkKind::SoleProprietor, office(Management)];
    assert_eq!(kinds("0101", &[Management, Owner]), proprietor);
}

#[test]
fn every_partner_who_manages_is_named_and_no_other_partner() {
    use RoleCategory::{Management, Partner};
    let partner = |id, category, others: &[RoleCategory]| {
        let holding = Some(quotas(Some(4_000), "CHF"));
        Mandate { other_categories: others.to_vec(), ..mandate(id, category, holding) }
    };
    let mandates = [
        partner(5, Management, &[Partner]),
        partner(6, Partner, &[Management]),
        partner(7, Partner, &[Management]),
        partner(8, Partner, &[]),
        mandate(9, Management, None),
    ];
    let links = register::of_mandates(&limited("0107"), &mandates);
    let found = resolve(company(1), &links).beneficial_owners;
    assert_eq!(found.iter().map(|it| it.person).collect::<Vec<_>>(), [5, 6, 7, 9].map(person));
}

#[test]
fn limited_partners_do_not_manage() {
    let kinds = |code: &str, holding| {
        let mandates = [mandate(9, RoleCategory::Partner, holding)];
        let links = register::of_mandates(&limited(code), &mandates);
        links.iter().map(|it| it.kind).collect::<Vec<_>>()
    };
    let managing = [LinkKind::Partnership, LinkKind::Office(RoleCategory::Partner)];
    assert_eq!(kinds("0104", None), managing);
    assert_eq!(kinds("0104", Some(quotas(Some(1_000), "CHF"))), [LinkKind::Partnership]);
}

#[test]
fn firms_are_owners_by_their_number_or_id() {
    let mut registered = mandate(9, RoleCategory::Partner, Some(quotas(Some(5_000), "CHF")));
    registered.person = Person { last_name: "Holding AG".into(), ..Person::default() };
    let mut abroad = registered.clone();
    registered.person.uid = Some(uid(2));
    abroad.person_id = Uuid::from_u128(8);
    let links = register::of_mandates(&limited("0107"), &[registered, abroad]);
    let shares = links.iter().filter(|it| it.kind == LinkKind::Shares);
    let owners: Vec<Party> = shares.map(|it| it.owner).collect();
    assert_eq!(owners, [company(2), Party::Firm(Uuid::from_u128(8))]);
}

#[test]
fn relations_are_links_in_the_direction_of_ownership() {
    let of = |relation, source: Option<Provenance>| {
        let relation = CompanyRelation {
            relation,
            uid: Some(uid(2)),
            name: "Zwei".into(),
            percentage: None,
            since: None,
            source,
        };
        let links = register::of_relations(uid(1), &[relation]);
        links.first().map(|it| (it.owner, it.owned, it.kind, percent(it.share)))
    };
    let source = || Some(source("1"));
    let (one, two, whole) = (company(1), company(2), Some(100.0));
    assert_eq!(of(Relation::HeadOffice, source()), Some((two, one, LinkKind::HeadOffice, whole)));
    assert_eq!(of(Relation::BranchOffice, source()), Some((one, two, LinkKind::HeadOffice, whole)));
    assert_eq!(of(Relation::Acquirer, source()), Some((two, one, LinkKind::Merger, whole)));
    assert_eq!(of(Relation::Acquired, source()), Some((one, two, LinkKind::Merger, whole)));
    assert_eq!(of(Relation::Parent, source()), Some((two, one, LinkKind::Consolidation, None)));
    assert_eq!(of(Relation::Subsidiary, source()), Some((one, two, LinkKind::Consolidation, None)));
    assert_eq!(of(Relation::Parent, None), None, "without a source");
}

#[test]
fn ultimate_parent_is_an_indirect_link_unless_it_is_the_direct_parent() {
    let related = |lei: &str, uid: Option<Uid>, percentage| RelatedEntity {
        lei: lei.parse().expect("an LEI"),
        name: None,
        jurisdiction: None,
        uid,
        since: None,
        percentage,
    };
    let direct = related("506700GE1G29325QX363", None, Some(80.0));
    let ultimate = related("5493001KJTIIGC8Y1R12", Some(uid(3)), Some(60.0));
    let group = |ultimate: &RelatedEntity| Group {
        direct_parent: Some(direct.clone()),
        ultimate_parent: Some(ultimate.clone()),
        ..Group::default()
    };
    let links = gleif::of_group(company(1), &group(&ultimate), &source("gleif"));
    let found: Vec<_> = links.iter().map(|it| (it.owner.to_string(), it.kind, it.share)).collect();
    assert_eq!(
        found,
        [
            (
                "LEI:506700GE1G29325QX363".to_owned(),
                LinkKind::Consolidation,
                crate::support::known(80.0)
            ),
            (
                "CHE-000.000.003".to_owned(),
                LinkKind::UltimateConsolidation,
                Share::Unknown(UnknownShare::Indirect)
            ),
        ]
    );
    assert_eq!(gleif::of_group(company(1), &group(&direct), &source("gleif")).len(), 1);
}

#[test]
fn disclosed_votes_are_known_unless_they_fell_below_a_threshold() {
    let disclosure = |rate: Option<f64>, below: Option<f64>| Shareholding {
        id: "1".into(),
        issuer: "Alpha AG".into(),
        issuer_id: None,
        published: date(2026, 1, 1),
        transaction: None,
        purchase_rate: rate,
        sale_rate: None,
        below_threshold: below,
        shareholders: vec!["Holding Ltd".into()],
        beneficial_owners: vec!["B. Example".into(), "A. Example".into()],
        reasons: Vec::new(),
    };
    let share = |rate, below| {
        let disclosure = disclosure(rate, below);
        exchange::of_shareholding(uid(1), person(9), &disclosure, &source("six")).share
    };
    assert_eq!(percent(share(Some(12.5), Some(0.0))), Some(12.5));
    assert_eq!(share(Some(12.5), Some(3.0)), Share::Unknown(UnknownShare::BelowThreshold));
    assert_eq!(share(None, None), Share::Unknown(UnknownShare::NotStated));

    let (holder, name) =
        exchange::unidentified_holder(uid(1), &disclosure(None, None)).expect("names");
    assert_eq!(name, "A. Example, B. Example");
    assert!(matches!(holder, Party::Unidentified(_)), "person or entity is not stated");
    let (elsewhere, _) =
        exchange::unidentified_holder(uid(2), &disclosure(None, None)).expect("names");
    assert_ne!(holder, elsewhere);
}
