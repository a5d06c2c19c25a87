use domain::{
    Amount, ChangeKind, Company, Event, History, Provenance, Status,
    auditors::Tenure,
    changes::LegalEvent,
    company::{HolderKind, ParentException, ParentLevel, QuotaHolder, StatusReason},
};
use jiff::{
    ToSpan,
    civil::{Date, date},
};

use super::*;
use crate::{
    AnnualFigures, Answer, AuditOverlay, AuditRegime, Basis, FactName, Group, GroupMember,
    RegimeKind, Rotation, RotationRule, Selection, scope, supervisory_audit,
};

const TODAY: Date = date(2026, 11, 20);

/// A company in the register, with facts that a test adds.
struct Case {
    company: Company,
    history: History,
    figures: Vec<AnnualFigures>,
    listing: Option<Provenance>,
    securities: Option<Provenance>,
    licences: Vec<String>,
    group: Group,
}

fn source(name: &str) -> Provenance {
    Provenance { source: name.into(), reference: None, date: Some(date(2026, 3, 2)) }
}

fn case(legal_form: &str) -> Case {
    let mut company = Company::new("CHE-107.787.577".parse().expect("well-formed"), "Muster");
    company.legal_form_code = Some(legal_form.to_owned());
    company.status = Some(Status::Active);
    company.sources = vec![source("zefix")];
    Case {
        company,
        history: History::default(),
        figures: Vec::new(),
        listing: None,
        securities: None,
        licences: Vec::new(),
        group: Group::default(),
    }
}

impl Case {
    fn with(mut self, change: impl FnOnce(&mut Company)) -> Self {
        change(&mut self.company);
        self
    }

    fn listed(mut self) -> Self {
        self.listing = Some(source("six"));
        self
    }

    /// Disclosed to the exchange on a day.
    fn listed_on(mut self, day: Date) -> Self {
        self.listing = Some(Provenance { date: Some(day), ..source("six") });
        self
    }

    fn licensed(mut self, licence: Option<&str>) -> Self {
        self.company.is_finma_regulated = Some(true);
        self.licences = licence.map(str::to_owned).into_iter().collect();
        self
    }

    fn waived(self) -> Self {
        self.with(|it| it.auditor_opt_out = Some(true))
    }

    fn audited(self) -> Self {
        self.with(|it| it.auditor_name = Some("Prüf AG".into()))
    }

    fn with_parent(self) -> Self {
        self.with(|it| it.direct_parent_lei = "5493001KJTIIGC8Y1R12".parse().ok())
    }

    fn years(mut self, balance: i64, turnover: i64, employees: u32) -> Self {
        let year = |fiscal_year| AnnualFigures {
            fiscal_year,
            currency: Some("CHF".into()),
            total_assets: Some(Amount::units(balance)),
            revenue: Some(Amount::units(turnover)),
            employees: Some(employees),
            source: source("reports"),
        };
        self.figures = vec![year(2024), year(2025)];
        self
    }

    /// Controlled by a company with these figures in the two years.
    fn below(mut self, listing: Option<Date>, balance: i64, turnover: i64) -> Self {
        let listing = listing.map(|day| Provenance { date: Some(day), ..source("six") });
        self.group.above.push(member(listing, balance, turnover));
        self
    }

    /// Controls companies with these figures.
    fn controls(mut self, figures: &[(i64, i64)]) -> Self {
        let members = figures.iter().map(|(balance, turnover)| member(None, *balance, *turnover));
        self.group.below = members.collect();
        self
    }

    fn regime(&self) -> AuditRegime {
        AuditRegime::of(&self.profile())
    }

    fn profile(&self) -> Profile<'_> {
        Profile {
            company: &self.company,
            history: &self.history,
            proofs: None,
            figures: &self.figures,
            listing: self.listing.as_ref(),
            securities: self.securities.as_ref(),
            licences: &self.licences,
            group: &self.group,
            day: TODAY,
        }
    }

    fn evaluate(&self, rule: Rule) -> Answer {
        let finding = rule.evaluate(&self.profile());
        assert!(!finding.reasons.is_empty(), "an answer without a reason: {rule:?}");
        finding.answer
    }
}

const LARGE: (i64, i64, u32) = (20_000_001, 40_000_001, 100);

fn member(listing: Option<Provenance>, balance: i64, turnover: i64) -> GroupMember {
    GroupMember {
        name: "Gruppe AG".into(),
        has_shares: true,
        listing,
        figures: case("0106").years(balance, turnover, 10).figures,
        source: source("gleif"),
    }
}

fn large(legal_form: &str) -> Case {
    let (balance, turnover, employees) = LARGE;
    case(legal_form).years(balance, turnover, employees)
}

use Answer::{No, Unknown, Yes};

#[test]
fn everyone_and_customer_do_not_depend_on_the_company() {
    for rule in [Rule::Everyone, Rule::Customer] {
        assert_eq!(case("0571").evaluate(rule), Yes);
    }
}

#[test]
fn registered_ends_with_the_deletion_and_so_does_every_other_rule() {
    assert_eq!(case("0106").evaluate(Rule::Registered), Yes);
    let deleted = case("0106").with(|it| it.status = Some(Status::Cancelled));
    for rule in Rule::ALL.iter().filter(|it| **it != Rule::DeletedAfterLiquidation) {
        assert_eq!(deleted.evaluate(*rule), No, "{rule:?}");
    }
}

#[test]
fn books_are_kept_for_ten_years_after_a_liquidation() {
    let rule = Rule::DeletedAfterLiquidation;
    let of = |reason: StatusReason, day: Date| {
        case("0107").with(|it| {
            it.status = Some(Status::Cancelled);
            it.status_reason = Some(reason);
            it.deletion_date = Some(day);
        })
    };
    use StatusReason::{DeletedAfterLiquidation, DeletedExOfficio, Merged};
    assert_eq!(of(DeletedAfterLiquidation, date(2016, 11, 21)).evaluate(rule), Yes);
    assert_eq!(of(DeletedAfterLiquidation, date(2016, 11, 20)).evaluate(rule), No);
    assert_eq!(of(Merged, date(2025, 1, 1)).evaluate(rule), No, "the successor has them");
    assert_eq!(of(DeletedExOfficio, date(2025, 1, 1)).evaluate(rule), Unknown);
    let partnership = of(DeletedAfterLiquidation, date(2025, 1, 1));
    let partnership = partnership.with(|it| it.legal_form_code = Some("0103".into()));
    assert_eq!(partnership.evaluate(rule), Yes, "CO 590");
    assert_eq!(case("0107").evaluate(rule), No, "it exists");
    assert_eq!(case("0107").evaluate(Rule::FullBookkeeping), Yes, "CO 958f");
}

fn ending(legal_form: &str, reason: StatusReason) -> Case {
    case(legal_form).with(|it| {
        it.status = Some(Status::BeingCancelled);
        it.status_reason = Some(reason);
    })
}

#[test]
fn bodies_of_a_bankrupt_company_have_no_duties_and_those_in_liquidation_have_fewer() {
    let bodies = [
        Rule::BalanceProtection,
        Rule::CapitalLoss,
        Rule::SwissRepresentative,
        Rule::BoardOfDirectors,
    ];
    for rule in bodies {
        assert_eq!(case("0106").evaluate(rule), Yes, "{rule:?}");
        assert_eq!(ending("0106", StatusReason::Voluntary).evaluate(rule), Unknown, "{rule:?}");
        assert_eq!(ending("0106", StatusReason::Bankruptcy).evaluate(rule), No, "{rule:?}");
    }
    let bankrupt = ending("0106", StatusReason::Bankruptcy).audited();
    for rule in [Rule::OrdinaryAudit, Rule::LimitedAudit, Rule::Audited] {
        assert_eq!(bankrupt.evaluate(rule), Unknown, "{rule:?}");
    }
    assert_eq!(AuditRegime::of(&bankrupt.profile()).kind, RegimeKind::Unknown);
    assert_eq!(bankrupt.evaluate(Rule::BankruptcyEnforcement), No);
    assert_eq!(bankrupt.evaluate(Rule::FullBookkeeping), Yes, "what exists is kept");
    let liquidated = ending("0106", StatusReason::Voluntary).audited();
    assert_eq!(AuditRegime::of(&liquidated.profile()).kind, RegimeKind::Limited);
    assert_eq!(liquidated.evaluate(Rule::BankruptcyEnforcement), Yes);
}

/// The legal form decides whether the law requires an audit at all; a bankruptcy does not change it.
#[test]
fn bankruptcy_leaves_a_legal_form_without_audit_without_one() {
    for (form, replaced) in [
        ("0101", "owner"),
        ("0103", "partners"),
        ("0104", "partners"),
        ("0111", "head office"),
        ("0151", "head office"),
    ] {
        let bankrupt = ending(form, StatusReason::Bankruptcy);
        let regime = AuditRegime::of(&bankrupt.profile());
        assert_eq!((regime.kind, regime.basis), (RegimeKind::None, Basis::Stated), "{form}");
        let reasons = Rule::BalanceProtection.evaluate(&bankrupt.profile()).reasons;
        let said = reasons.iter().map(|it| it.explanation.as_str()).collect::<String>();
        assert!(said.contains(replaced) && !said.contains("bodies"), "{form}: {said}");
    }
    for form in ["0106", "0107", "0108", "0109", "0110"] {
        let regime = AuditRegime::of(&ending(form, StatusReason::Bankruptcy).profile());
        assert_eq!(regime.kind, RegimeKind::Unknown, "{form}");
        let text = &regime.reasons[0].explanation;
        assert!(text.ends_with("in place of its bodies."), "{form}: {text}");
    }
}

#[test]
fn special_forms_and_institutes_of_public_law_are_left_to_their_law() {
    for rule in [Rule::BalanceProtection, Rule::LimitedAudit, Rule::FullBookkeeping] {
        assert_eq!(case("0113").evaluate(rule), Unknown, "{rule:?}");
    }
    assert_eq!(AuditRegime::of(&case("0113").profile()).kind, RegimeKind::Unknown);
    assert_eq!(case("0117").evaluate(Rule::FullBookkeeping), Unknown);
    assert_eq!(case("0117").evaluate(Rule::LegalPerson), Unknown);
    assert_eq!(case("0117").evaluate(Rule::BalanceProtection), No);
    assert_eq!(AuditRegime::of(&case("0117").profile()).kind, RegimeKind::Unknown);
}

#[test]
fn legal_person_depends_on_the_legal_form() {
    assert_eq!(case("0110").evaluate(Rule::LegalPerson), Yes);
    assert_eq!(case("0103").evaluate(Rule::LegalPerson), Yes, "as the FATF defines them");
    assert_eq!(case("0101").evaluate(Rule::LegalPerson), No);
    let unknown = case("").with(|it| it.legal_form_code = None);
    assert_eq!(unknown.evaluate(Rule::LegalPerson), Unknown);
}

#[test]
fn financial_intermediary_is_licensed_or_possibly_in_the_industry() {
    let of_industry = |code: &str| case("0106").with(|it| it.noga_code = Some(code.to_owned()));
    assert_eq!(of_industry("620100").evaluate(Rule::FinancialIntermediary), No);
    for code in ["641900", "651100", "663000", "692000", "920000"] {
        assert_eq!(of_industry(code).evaluate(Rule::FinancialIntermediary), Unknown, "{code}");
    }
    assert_eq!(of_industry("642000").evaluate(Rule::FinancialIntermediary), No, "a holding");
    assert_eq!(case("0106").evaluate(Rule::FinancialIntermediary), Unknown);
    let other = of_industry("620100");
    let reasons = Rule::FinancialIntermediary.evaluate(&other.profile()).reasons;
    assert!(reasons.iter().all(|it| it.basis == Basis::Assumed), "{reasons:?}");
    let licensed = of_industry("620100").licensed(Some("Portfolio manager"));
    assert_eq!(licensed.evaluate(Rule::FinancialIntermediary), Yes);
}

#[test]
fn the_licence_decides_who_is_an_intermediary_and_who_has_an_ordinary_audit() {
    for (licence, intermediary, ordinary) in [
        ("Bank", Yes, Yes),
        ("Raiffeisen bank", Yes, Yes),
        ("Securities firm", Yes, Yes),
        ("Fund management company", Yes, Yes),
        ("Manager of collective assets", Yes, Yes),
        ("Life insurance company", Yes, Yes),
        ("Non-life insurer", No, Yes),
        ("Professional reinsurer", No, Yes),
        ("Portfolio manager", Yes, Unknown),
        ("Trustee", Yes, Unknown),
        ("Foreign bank representative office", Unknown, Unknown),
        ("Representatives of foreign collective investment schemes (CISA)", Unknown, Unknown),
    ] {
        let case = case("0106").audited().licensed(Some(licence));
        assert_eq!(case.evaluate(Rule::Licensed), intermediary, "{licence}");
        assert_eq!(case.evaluate(Rule::OrdinaryAudit), ordinary, "{licence}");
        assert_eq!(supervisory_audit(&case.profile()), ordinary, "{licence}");
    }
    let both = case("0106").audited().licensed(Some("Portfolio manager"));
    let both = Case { licences: vec!["Portfolio manager".into(), "Bank".into()], ..both };
    assert_eq!(both.evaluate(Rule::OrdinaryAudit), Yes, "one of its licences");
    let partnership = case("0103").licensed(Some("Bank"));
    assert_eq!(AuditRegime::of(&partnership.profile()).kind, RegimeKind::Unknown);
    let branch = case("0111").licensed(Some("Bank"));
    assert_eq!(AuditRegime::of(&branch.profile()).kind, RegimeKind::Unknown);
}

/// AMLA 2 para. 2 let. c.
#[test]
fn of_insurers_only_those_with_life_insurance_or_funds_are_intermediaries() {
    let insurer = |licence: &str, purpose: &str| {
        case("0106").audited().licensed(Some(licence)).with(|it| {
            it.purpose = Some(purpose.into());
            it.noga_code = Some("651200".into());
        })
    };
    for (licence, purpose, expected) in [
        ("Insurance company", "Betrieb der Schadenversicherung.", No),
        ("Insurance company", "L'exploitation de l'assurance dommages.", No),
        ("Insurance company", "La gestione di assicurazioni contro i danni.", No),
        ("Insurance company", "Operation of non-life insurance.", No),
        ("Insurance company", "Betrieb von Versicherungen aller Art.", Unknown),
        ("Insurance company", "Betrieb der Lebens- und Schadenversicherung.", Unknown),
        (
            "Insurance company",
            "Assurance dommages; distribution de parts de fonds de placement.",
            Unknown,
        ),
        ("Non-life insurer", "Betrieb von Versicherungen aller Art.", No),
        ("Health insurance company under ICA", "Krankenversicherung.", No),
        ("Life insurance company", "Betrieb der Schadenversicherung.", Yes),
        ("Foreign bank representative office", "Betrieb der Schadenversicherung.", Unknown),
    ] {
        let case = insurer(licence, purpose);
        for rule in [Rule::FinancialIntermediary, Rule::Licensed] {
            assert_eq!(case.evaluate(rule), expected, "{rule:?} {licence}: {purpose}");
        }
        let finding = Rule::FinancialIntermediary.evaluate(&case.profile());
        let is_assumed = finding.reasons.iter().any(|it| it.basis == Basis::Assumed);
        assert_eq!(is_assumed, expected == No, "{finding:?}");
    }
    let mut both = insurer("Non-life insurer", "Betrieb der Schadenversicherung.");
    both.licences.push("Portfolio manager".into());
    assert_eq!(both.evaluate(Rule::Licensed), Yes, "one of its licences");
    let without =
        insurer("", "Betrieb der Schadenversicherung.").with(|it| it.is_finma_regulated = None);
    assert_eq!(without.evaluate(Rule::FinancialIntermediary), Unknown, "no insurer by licence");
}

#[test]
fn licensed_needs_the_list_of_finma() {
    assert_eq!(case("0106").evaluate(Rule::Licensed), No);
    assert_eq!(case("0106").licensed(Some("Bank")).evaluate(Rule::Licensed), Yes);
    assert_eq!(case("0106").licensed(None).evaluate(Rule::Licensed), Unknown);
    let finding = Rule::Licensed.evaluate(&case("0106").profile());
    assert_eq!(finding.reasons[0].basis, Basis::Assumed);
    let former = case("0106").with(|it| it.is_finma_regulated = Some(false));
    let finding = Rule::Licensed.evaluate(&former.profile());
    assert_eq!((finding.answer, finding.reasons[0].basis), (No, Basis::Stated));
}

#[test]
fn care_of_address_is_a_sign_of_a_domiciliary_company_but_no_proof() {
    let somewhere = case("0106").with(|it| it.address_city = Some("Zug".into()));
    assert_eq!(somewhere.evaluate(Rule::DomiciliaryCustomer), No);
    let care_of = somewhere.with(|it| it.address_care_of = Some("Treuhand AG".into()));
    assert_eq!(care_of.evaluate(Rule::DomiciliaryCustomer), Unknown);
    assert_eq!(case("0106").evaluate(Rule::DomiciliaryCustomer), Unknown, "nothing is known");
}

/// A partner in the register with this part of the capital.
fn partner(kind: HolderKind, percentage: f64) -> QuotaHolder {
    QuotaHolder {
        person_id: uuid::Uuid::from_u128(1),
        kind,
        name: "Muster".into(),
        uid: None,
        count: None,
        nominal_value: None,
        total: None,
        currency: None,
        percentage: Some(percentage),
        since: None,
        confidence: 1.0,
        source: source("shab"),
    }
}

fn held_by(kind: HolderKind, percentage: f64) -> Case {
    case("0107").with(|it| it.quota_holders = vec![partner(kind, percentage)])
}

#[test]
fn transparency_register_and_the_former_duty_exempt_listed_companies() {
    for rule in [Rule::TransparencyRegister, Rule::OwnerAnnouncement] {
        assert_eq!(held_by(HolderKind::Person, 50.0).evaluate(rule), Yes, "{rule:?}");
        assert_eq!(
            case("0106").evaluate(rule),
            Unknown,
            "the register states no listing: {rule:?}"
        );
        assert_eq!(case("0106").listed().evaluate(rule), No, "{rule:?}");
        assert_eq!(case("0109").evaluate(rule), No, "{rule:?}");
    }
    assert_eq!(case("0107").evaluate(Rule::OwnerAnnouncement), Yes, "its shares cannot be listed");
    assert_eq!(case("0108").evaluate(Rule::TransparencyRegister), Unknown, "a pension scheme?");
    assert_eq!(case("0108").evaluate(Rule::OwnerAnnouncement), No);
}

#[test]
fn who_is_held_by_natural_persons_is_no_subsidiary_of_a_listed_company() {
    for rule in [Rule::TransparencyRegister, Rule::UnlistedCustomer] {
        assert_eq!(held_by(HolderKind::Person, 50.0).evaluate(rule), Yes, "{rule:?}");
        assert_eq!(held_by(HolderKind::Person, 49.9).evaluate(rule), Unknown, "{rule:?}");
        assert_eq!(held_by(HolderKind::Company, 100.0).evaluate(rule), Unknown, "{rule:?}");
        assert_eq!(case("0107").evaluate(rule), Unknown, "{rule:?}");
        assert_eq!(case("0106").waived().evaluate(rule), Unknown, "{rule:?}");
    }
    for form in ["0101", "0103", "0108", "0109", "0110"] {
        assert_eq!(case(form).evaluate(Rule::UnlistedCustomer), Yes, "{form}");
    }
}

/// The exception of GLEIF for companies without a parent that consolidates them.
#[test]
fn a_report_that_natural_persons_control_it_excludes_a_listed_parent() {
    let reported = |reason: &str| {
        let exception =
            ParentException { parent: ParentLevel::Ultimate, reasons: vec![reason.to_owned()] };
        case("0107").with(|it| it.parent_exceptions = vec![exception])
    };
    for rule in [Rule::TransparencyRegister, Rule::UnlistedCustomer] {
        assert_eq!(reported("NATURAL_PERSONS").evaluate(rule), Yes, "{rule:?}");
        assert_eq!(reported("NON_PUBLIC").evaluate(rule), Unknown, "{rule:?}");
        let with_parent = reported("NATURAL_PERSONS").with_parent();
        assert_eq!(with_parent.evaluate(rule), Unknown, "they control its parent: {rule:?}");
        let listed_before = reported("NATURAL_PERSONS").below(Some(date(2020, 3, 2)), 1, 1);
        assert_eq!(listed_before.evaluate(rule), Unknown, "{rule:?}");
    }
}

#[test]
fn subsidiary_of_a_parent_of_which_the_listing_is_unknown_may_be_exempt() {
    let subsidiary = held_by(HolderKind::Person, 50.0).with_parent();
    for rule in [Rule::TransparencyRegister, Rule::UnlistedCustomer] {
        assert_eq!(held_by(HolderKind::Person, 50.0).evaluate(rule), Yes, "{rule:?}");
        assert_eq!(subsidiary.evaluate(rule), Unknown, "{rule:?}");
        assert_eq!(case("0106").listed().evaluate(rule), No, "{rule:?}");
    }
    let own = held_by(HolderKind::Person, 50.0).with(|it| {
        it.lei = "5493001KJTIIGC8Y1R12".parse().ok();
        it.ultimate_parent_lei = it.lei;
    });
    assert_eq!(own.evaluate(Rule::TransparencyRegister), Yes, "it is its own parent");
}

/// CO 727 para. 1 no. 1 let. c.
#[test]
fn large_part_of_a_listed_group_has_an_ordinary_audit() {
    use RegimeKind::{Limited, Ordinary, Unknown as Open};
    let million = 1_000_000;
    let small = || case("0106").audited().years(19 * million, 37 * million, 10);
    let now = Some(date(2026, 3, 2));
    for (what, case, kind) in [
        ("no parent", small(), Limited),
        ("even if the figures are added", small().below(now, 41 * million, 48 * million), Ordinary),
        ("of one of the two", small().below(now, 41 * million, 900 * million), Ordinary),
        ("a small part", small().below(now, 300 * million, 900 * million), Limited),
        (
            "depends on what the figures contain",
            small().below(now, 90 * million, 900 * million),
            Open,
        ),
        ("a parent without turnover", small().below(now, 300 * million, 0), Open),
        ("own figures not known", case("0106").audited().below(now, 1, 1), Open),
        ("parent not listed", small().below(None, 41 * million, 48 * million), Limited),
        ("listed long ago", small().below(Some(date(2020, 1, 1)), 41 * million, 1), Open),
    ] {
        let regime = case.regime();
        assert_eq!(regime.kind, kind, "{what}");
        let basis = if kind == Open { Basis::Unknown } else { Basis::Assumed };
        assert_eq!(regime.basis, basis, "{what}");
    }
    let large_part = small().below(now, 41 * million, 48 * million);
    let regime = large_part.regime();
    let said = regime.reasons.iter().find(|it| it.fact == FactName::Group).expect("a reason");
    assert!(said.explanation.contains("31.67 % of the assets of the two"), "{said:?}");
    assert_eq!(said.source, Some(source("six")));
    let rotation = Rotation::of(&regime, None, &large_part.profile());
    assert_eq!(rotation.rule, RotationRule::Unclear);
    let waived = case("0106").waived().years(19 * million, 37 * million, 10);
    let regime = waived.below(now, 41 * million, 48 * million).regime();
    assert_eq!((regime.kind, regime.basis), (RegimeKind::OptingOut, Basis::Assumed));
}

/// CO 727 para. 1 no. 3, with CO 963 and 963a.
#[test]
fn who_controls_a_large_group_has_an_ordinary_audit() {
    use RegimeKind::{Limited, Ordinary};
    let million = 1_000_000;
    let holding = || case("0106").audited().years(million, million, 1);
    let large = (21 * million, 41 * million);
    for (what, case, kind) in [
        ("one that is large", holding().controls(&[(1, 1), large]), Ordinary),
        ("large together", holding().controls(&[(11 * million, 21 * million); 2]), Ordinary),
        ("small together", holding().controls(&[(9 * million, 19 * million); 2]), Limited),
        ("one threshold", holding().controls(&[(21 * million, 1)]), Limited),
        ("a parent of its own", holding().with_parent().controls(&[large]), Limited),
    ] {
        let regime = case.regime();
        assert_eq!((regime.kind, regime.basis), (kind, Basis::Assumed), "{what}");
        let said: String = regime.reasons.iter().map(|it| it.explanation.as_str()).collect();
        assert!(said.contains("It controls Gruppe AG"), "{what}: {said}");
    }
}

/// The chain decides, not the direct holders.
#[test]
fn all_known_owners_or_a_listed_one_decide_whether_it_is_exempt() {
    let rule = Rule::TransparencyRegister;
    let known = |above: Vec<GroupMember>| {
        let mut case = case("0107");
        case.group = Group { above, below: Vec::new(), all_owners: Some(source("shab")) };
        case
    };
    let limited = || GroupMember { has_shares: false, ..member(None, 1, 1) };
    assert_eq!(known(Vec::new()).evaluate(rule), Yes);
    assert_eq!(known(vec![limited()]).evaluate(rule), Yes);
    assert_eq!(known(vec![limited(), member(None, 1, 1)]).evaluate(rule), Unknown);
    assert_eq!(known(vec![limited(), member(Some(source("six")), 1, 1)]).evaluate(rule), No);
    assert_eq!(case("0107").below(Some(date(2026, 3, 2)), 1, 1).evaluate(rule), No);
    assert_eq!(case("0107").below(Some(date(2020, 3, 2)), 1, 1).evaluate(rule), Unknown);
}

#[test]
fn former_list_of_owners_is_kept_by_companies_that_existed() {
    let of = |day: &str| case("0107").with(|it| it.registration_date = day.parse().ok());
    assert_eq!(of("2026-09-30").evaluate(Rule::FormerOwnerList), Yes);
    assert_eq!(of("2026-10-01").evaluate(Rule::FormerOwnerList), No);
    assert_eq!(case("0107").evaluate(Rule::FormerOwnerList), Unknown);
}

#[test]
fn capital_companies_protect_their_balance_and_have_a_representative() {
    for rule in [Rule::BalanceProtection, Rule::SwissRepresentative] {
        assert_eq!(case("0107").evaluate(rule), Yes);
        assert_eq!(case("0103").evaluate(rule), No);
    }
    assert_eq!(case("0107").evaluate(Rule::CapitalLoss), Yes);
    assert_eq!(case("0108").evaluate(Rule::CapitalLoss), Unknown, "has it share certificates?");
    assert_eq!(case("0106").evaluate(Rule::BoardOfDirectors), Yes);
    assert_eq!(case("0107").evaluate(Rule::BoardOfDirectors), No);
}

#[test]
fn ordinary_audit_needs_size_or_listing() {
    let audited = |it: Case| it.with(|it| it.auditor_name = Some("Prüf AG".into()));
    assert_eq!(audited(large("0106")).evaluate(Rule::OrdinaryAudit), Yes);
    let small = audited(case("0106").years(1, 1, 1));
    assert_eq!(small.evaluate(Rule::OrdinaryAudit), Unknown, "it may head a group");
    let reasons = Rule::OrdinaryAudit.evaluate(&small.profile()).reasons;
    let facts: Vec<FactName> = reasons.iter().map(|it| it.fact).collect();
    assert!(facts.contains(&FactName::Group) && !facts.contains(&FactName::Size), "{facts:?}");
    assert_eq!(audited(case("0106").listed()).evaluate(Rule::OrdinaryAudit), Yes);
    assert_eq!(audited(case("0106")).evaluate(Rule::OrdinaryAudit), Unknown);
    assert_eq!(audited(large("0101")).evaluate(Rule::OrdinaryAudit), No);
    assert_eq!(large("0106").evaluate(Rule::OrdinaryAudit), Yes, "nothing known about the waiver");
}

#[test]
fn waiver_does_not_replace_an_ordinary_audit_and_the_contradiction_is_stated() {
    assert_eq!(case("0106").waived().evaluate(Rule::OrdinaryAudit), No);
    for (case, other) in [
        (large("0106").waived(), FactName::Size),
        (case("0106").waived().listed(), FactName::Listing),
        (case("0106").waived().licensed(Some("Bank")), FactName::Licence),
    ] {
        for rule in [Rule::OrdinaryAudit, Rule::LimitedAudit, Rule::OptedOut, Rule::Audited] {
            let finding = rule.evaluate(&case.profile());
            let about = |fact| finding.reasons.iter().any(|it| it.fact == fact);
            assert_eq!(finding.answer, Unknown, "{rule:?} {other:?}");
            assert!(about(FactName::AuditWaiver) && about(other), "{finding:?}");
        }
        assert_eq!(AuditRegime::of(&case.profile()).kind, RegimeKind::Unknown);
    }
}

#[test]
fn waiver_with_more_than_ten_positions_is_a_contradiction() {
    let of = |employees| case("0107").years(1, 1, employees).waived();
    assert_eq!(of(10).evaluate(Rule::OptedOut), Yes);
    assert_eq!(of(11).evaluate(Rule::OptedOut), Unknown);
    assert_eq!(
        of(11).evaluate(Rule::LimitedAudit),
        Yes,
        "the waiver shows that no other is needed"
    );
    assert_eq!(AuditRegime::of(&of(11).profile()).kind, RegimeKind::Unknown);
}

#[test]
fn licence_of_a_bank_requires_an_ordinary_audit_and_others_are_unknown() {
    let bank = case("0106").audited().years(1, 1, 1).licensed(Some("Bank"));
    assert_eq!(bank.evaluate(Rule::OrdinaryAudit), Yes);
    assert_eq!(AuditRegime::of(&bank.profile()).kind, RegimeKind::Ordinary);
    for licence in [None, Some("Portfolio manager"), Some("Financial group")] {
        let other = case("0106").audited().years(1, 1, 1).licensed(licence);
        assert_eq!(other.evaluate(Rule::OrdinaryAudit), Unknown, "{licence:?}");
        let regime = AuditRegime::of(&other.profile());
        assert_eq!(regime.kind, RegimeKind::Unknown, "{licence:?}");
        assert!(regime.reasons.iter().any(|it| it.fact == FactName::Licence), "{regime:?}");
    }
}

#[test]
fn unknown_size_is_said_to_be_unknown() {
    let audited = case("0106").with(|it| it.auditor_name = Some("Prüf AG".into()));
    let finding = Rule::OrdinaryAudit.evaluate(&audited.profile());
    let size = finding.reasons.iter().find(|it| it.fact == FactName::Size).expect("the size");
    assert_eq!(size.basis, Basis::Unknown);
    assert!(size.explanation.contains("no figures"), "{}", size.explanation);
}

#[test]
fn limited_audit_is_for_those_below_the_thresholds_also_if_they_waived_it() {
    let waived = case("0107").with(|it| it.auditor_opt_out = Some(true));
    assert_eq!(waived.evaluate(Rule::LimitedAudit), Yes);
    assert_eq!(waived.evaluate(Rule::OptedOut), Yes);
    assert_eq!(waived.evaluate(Rule::Audited), No);
    let small = case("0107").years(1, 1, 1).with(|it| it.auditor_name = Some("Prüf AG".into()));
    assert_eq!(small.evaluate(Rule::LimitedAudit), Unknown, "it may head a group");
    assert_eq!(small.evaluate(Rule::OptedOut), No);
    assert_eq!(small.evaluate(Rule::Audited), Yes);
    let audited = large("0107").with(|it| it.auditor_name = Some("Prüf AG".into()));
    assert_eq!(audited.evaluate(Rule::LimitedAudit), No);
    assert_eq!(case("0107").evaluate(Rule::Audited), Unknown);
    assert_eq!(case("0109").evaluate(Rule::LimitedAudit), No, "has thresholds of its own");
    assert_eq!(case("0110").evaluate(Rule::LimitedAudit), No, "has no shareholders who consent");
    assert_eq!(case("0110").waived().evaluate(Rule::FoundationAudit), Yes);
    assert_eq!(case("0107").evaluate(Rule::FoundationAudit), No);
}

/// Family and ecclesiastical foundations need no auditor, and pension foundations have one under another law.
#[test]
fn the_kind_of_a_foundation_decides_about_its_audit() {
    for case in [case("0110"), case("0110").audited(), large("0110").audited()] {
        for rule in [Rule::FoundationAudit, Rule::OrdinaryAudit, Rule::Audited] {
            let finding = rule.evaluate(&case.profile());
            assert_eq!(finding.answer, Unknown, "{rule:?}");
            assert!(
                finding.reasons.iter().any(|it| it.explanation.contains("CC 87")),
                "{finding:?}"
            );
        }
        assert_eq!(case.evaluate(Rule::LimitedAudit), No);
        assert_eq!(AuditRegime::of(&case.profile()).kind, RegimeKind::Unknown);
    }
}

#[test]
fn associations_have_thresholds_of_their_own() {
    let of = |balance, turnover| case("0109").years(balance, turnover, 1);
    let rule = Rule::AssociationAudit;
    assert_eq!(of(10_000_001, 20_000_001).evaluate(rule), Yes);
    assert_eq!(of(10_000_001, 20_000_000).evaluate(rule), No);
    assert_eq!(case("0109").evaluate(rule), Unknown);
    assert_eq!(large("0106").evaluate(rule), No);
    let kind = |case: &Case| AuditRegime::of(&case.profile()).kind;
    assert_eq!(kind(&of(10_000_001, 20_000_001)), RegimeKind::Ordinary);
    assert_eq!(kind(&of(1, 1)), RegimeKind::Unknown, "its articles may require one");
    assert_eq!(of(10_000_001, 20_000_001).evaluate(Rule::OrdinaryAudit), No, "CC 69b, not CO 727");
}

/// A limited audit is assumed only if nothing points to an ordinary one.
#[test]
fn a_figure_above_one_threshold_leaves_the_kind_of_audit_open() {
    let of = |employees| {
        let mut case = case("0106").audited().years(1, 1, employees);
        for year in &mut case.figures {
            (year.total_assets, year.revenue) = (None, None);
        }
        AuditRegime::of(&case.profile()).kind
    };
    assert_eq!(of(250), RegimeKind::Limited);
    assert_eq!(of(251), RegimeKind::Unknown);
}

#[test]
fn foundation_is_exempted_by_an_authority() {
    let exempt = case("0110").waived();
    let regime = AuditRegime::of(&exempt.profile());
    assert_eq!((regime.kind, regime.basis), (RegimeKind::None, Basis::Stated));
    assert!(regime.reasons[0].explanation.contains("CC 83b"), "{regime:?}");
    assert_eq!(exempt.evaluate(Rule::OptedOut), No, "that is about companies");
}

fn event(kind: ChangeKind, day: Date) -> Event {
    Event {
        id: uuid::Uuid::from_u128(day.day_of_year() as u128),
        uid: "CHE-107.787.577".parse().expect("well-formed"),
        company_name: "Muster".into(),
        canton: None,
        kind,
        field: None,
        old_value: None,
        new_value: None,
        summary: String::new(),
        date: day,
        source: source("shab"),
        subject: None,
        legal_event: None,
        journal_date: None,
        decision_date: None,
        currencies: None,
        transfer: None,
    }
}

fn foundation(purpose: &str) -> Case {
    case("0110").audited().with(|it| it.purpose = Some(purpose.into()))
}

/// BVG 52a to 52c instead of CC 83b; AMLA 2 para. 4 let. b.
#[test]
fn a_pension_foundation_is_audited_under_its_own_law_and_no_intermediary() {
    for purpose in [
        "Durchführung der beruflichen Vorsorge im Rahmen des BVG zugunsten der Arbeitnehmer.",
        "La fondation a pour but la prévoyance professionnelle en faveur du personnel.",
        "La fondazione ha per scopo la previdenza professionale.",
        "Occupational pensions of the employees.",
    ] {
        let case = foundation(purpose).with(|it| it.noga_code = Some("65".into()));
        for rule in
            [Rule::FoundationAudit, Rule::OrdinaryAudit, Rule::Audited, Rule::FinancialIntermediary]
        {
            assert_eq!(case.evaluate(rule), No, "{rule:?}: {purpose}");
        }
        assert_eq!(case.evaluate(Rule::FullBookkeeping), Yes);
        let regime = case.regime();
        assert_eq!((regime.kind, regime.basis), (RegimeKind::Unknown, Basis::Stated), "{purpose}");
        let said: String = regime.reasons.iter().map(|it| it.explanation.as_str()).collect();
        assert!(said.contains("52a") && !said.contains("not known"), "{said}");
        let conclusion = Selection::of(&regime, No).rationale.remove(0);
        assert!(!conclusion.contains("not known"), "{conclusion}");
    }
    let named = case("0110").with(|it| it.name = "Pensionskasse Muster".into());
    assert_eq!(named.evaluate(Rule::FoundationAudit), No, "its name says it");
    assert_eq!(named.regime().basis, Basis::Stated, "whether or not its auditor is known");
    for other in [
        foundation("Förderung der Kultur."),
        foundation("Beratung in Fragen der beruflichen Vorsorge und der Steuern."),
        foundation("Durchführung der Krankenversicherung."),
        foundation("Prévoyance en faveur d'artistes âgés."),
        foundation("Durchführung der beruflichen Vorsorge durch Freizügigkeitskonten."),
        foundation("").with(|it| it.name = "Vorsorgestiftung Säule 3a der Muster Bank".into()),
    ] {
        assert_eq!(other.evaluate(Rule::FoundationAudit), Unknown, "{:?}", other.company.purpose);
    }
    let adviser = foundation("Berufliche Vorsorge.").with(|it| {
        (it.legal_form_code, it.noga_code) = (Some("0107".into()), Some("653000".into()));
    });
    assert_eq!(adviser.evaluate(Rule::FinancialIntermediary), Unknown, "no institution");
}

fn with_events(events: &[LegalEvent]) -> Case {
    let mut case = case("0106");
    let event = |(at, legal): (usize, &LegalEvent)| Event {
        legal_event: Some(*legal),
        ..event(ChangeKind::Other, date(2026, 1, 1 + i8::try_from(at).expect("few")))
    };
    let events: Vec<Event> = events.iter().enumerate().map(event).collect();
    case.history.events = events.into_iter().map(Into::into).collect();
    case
}

/// Waived the audit in an entry of this day, published three days later, with an auditor who left on another one.
fn waived_on(entered: Date, auditor_left: Option<Date>) -> Case {
    let mut case = case("0107").waived();
    let published = entered.checked_add(3.days()).expect("in range");
    let waiver = Event {
        new_value: Some("true".into()),
        journal_date: Some(entered),
        ..event(ChangeKind::AuditOptOut, published)
    };
    case.history.events = vec![waiver.into()];
    case.history.tenures = auditor_left.into_iter().map(|it| tenure(None, Some(it))).collect();
    case
}

fn tenure(appointed_at: Option<Date>, resigned_at: Option<Date>) -> Tenure {
    Tenure {
        auditor_name: "Prüf AG".into(),
        auditor_uid: None,
        appointed_as: None,
        appointed_at,
        resigned_at,
        source: source("shab"),
    }
}

/// CO 727a para. 2: a waiver of 2025 or later is valid only for financial years that begin after it was filed.
#[test]
fn a_waiver_leaves_the_running_financial_year_its_limited_audit() {
    let september = date(2026, 9, 1);
    let left = Some(september);
    for (what, case, kind, audited) in [
        ("of this year", waived_on(september, left), RegimeKind::Limited, Yes),
        (
            "without an auditor since",
            waived_on(september, Some(date(2026, 2, 1))),
            RegimeKind::Limited,
            Yes,
        ),
        (
            "perhaps filed before",
            waived_on(date(2026, 1, 31), Some(date(2026, 2, 3))),
            RegimeKind::Unknown,
            Unknown,
        ),
        (
            "of the last year",
            waived_on(date(2025, 12, 31), Some(date(2026, 1, 3))),
            RegimeKind::OptingOut,
            No,
        ),
        ("at the foundation", waived_on(september, None), RegimeKind::OptingOut, No),
        (
            "old, and repeated",
            waived_on(september, Some(date(2012, 3, 1))),
            RegimeKind::OptingOut,
            No,
        ),
        (
            "of a licensed company",
            waived_on(september, left).licensed(None),
            RegimeKind::Unknown,
            Yes,
        ),
    ] {
        let regime = case.regime();
        assert_eq!(regime.kind, kind, "{what}: {regime:?}");
        let basis = match kind {
            RegimeKind::Limited => Basis::Assumed,
            RegimeKind::OptingOut => Basis::Stated,
            _ => Basis::Unknown,
        };
        assert_eq!(regime.basis, basis, "{what}");
        assert_eq!(case.evaluate(Rule::OptedOut), Yes, "the documents were filed: {what}");
        assert_eq!(case.evaluate(Rule::Audited), audited, "{what}");
    }
    let reasons = waived_on(september, left).regime().reasons;
    assert!(
        reasons.iter().all(|it| it.explanation.contains("entered on 2026-09-01")),
        "{reasons:?}"
    );
    let selection = Selection::of(&waived_on(september, left).regime(), No);
    assert_eq!(selection.overlays, [AuditOverlay::LimitedAudit]);
    // The law of the time let a waiver hold at once.
    let then = waived_on(date(2024, 9, 1), Some(date(2024, 9, 1)));
    let then = Profile { day: date(2024, 11, 20), ..then.profile() };
    assert_eq!(AuditRegime::of(&then).kind, RegimeKind::OptingOut);
}

#[test]
fn the_exemption_of_a_foundation_holds_at_once() {
    let exempt = waived_on(date(2026, 9, 1), Some(date(2026, 9, 1)));
    let exempt = exempt.with(|it| it.legal_form_code = Some("0110".into()));
    assert_eq!(exempt.regime().kind, RegimeKind::None);
}

#[test]
fn organisational_defect_lasts_until_it_is_repaired() {
    use LegalEvent::{DissolutionRevoked, DomicileRestored, NoDomicile};
    let rule = Rule::OrganisationalDefect;
    assert_eq!(case("0106").evaluate(rule), No);
    assert_eq!(with_events(&[NoDomicile]).evaluate(rule), Yes);
    assert_eq!(with_events(&[NoDomicile, DomicileRestored]).evaluate(rule), No);
    assert_eq!(with_events(&[DissolutionRevoked, NoDomicile]).evaluate(rule), Yes);
    let dissolved = case("0106").with(|it| it.status_reason = Some(StatusReason::Court731b));
    assert_eq!(dissolved.evaluate(rule), Yes);
    // The register office acts against everybody but sole proprietors, the court against companies.
    let of_form =
        |form: &str| with_events(&[NoDomicile]).with(|it| it.legal_form_code = Some(form.into()));
    for (form, court, register) in [("0106", Yes, Yes), ("0110", No, Yes), ("0101", No, No)] {
        assert_eq!(of_form(form).evaluate(rule), court, "{form}");
        assert_eq!(of_form(form).evaluate(Rule::RegisterDefect), register, "{form}");
    }
}

#[test]
fn listed_needs_a_notice_of_the_exchange() {
    assert_eq!(case("0106").evaluate(Rule::Listed), Unknown, "the register does not state it");
    for form in ["0101", "0103", "0104", "0107", "0108", "0109", "0110", "0151"] {
        let finding = Rule::Listed.evaluate(&case(form).profile());
        assert_eq!((finding.answer, finding.reasons[0].basis), (No, Basis::Stated), "{form}");
    }
    for form in ["0105", "0111", "0113", "0115", "0116"] {
        assert_eq!(case(form).evaluate(Rule::Listed), Unknown, "{form}");
    }
    let institute = case("0117");
    assert_eq!(institute.evaluate(Rule::Listed), No, "it has no owners");
    assert_eq!(institute.evaluate(Rule::UnlistedCustomer), Yes);
    let with_certificates = institute.with(|it| it.isin = "CH9990000018".parse().ok());
    assert_eq!(with_certificates.evaluate(Rule::Listed), Unknown);
    assert_eq!(
        case("0106").waived().evaluate(Rule::Listed),
        No,
        "it could not have waived the audit"
    );
    assert_eq!(case("0106").listed().evaluate(Rule::Listed), Yes);
    assert_eq!(case("0106").listed_on(date(2024, 11, 20)).evaluate(Rule::Listed), Yes);
    let old = case("0106").listed_on(date(2024, 11, 19));
    assert_eq!(old.evaluate(Rule::Listed), Unknown, "may have been delisted since");
    let mut undated = case("0106").listed();
    undated.listing = Some(Provenance { date: None, ..source("six") });
    assert_eq!(undated.evaluate(Rule::Listed), Unknown);
}

#[test]
fn securities_without_a_disclosure_leave_the_listing_open() {
    let issuer = || {
        let mut case = case("0106");
        case.securities = Some(source("gleif"));
        case
    };
    let with_isin = case("0106").with(|it| it.isin = "CH9990000018".parse().ok());
    assert_eq!(with_isin.evaluate(Rule::Listed), Unknown, "a bond has an ISIN too");
    assert_eq!(issuer().evaluate(Rule::Listed), Unknown);
    assert_eq!(issuer().audited().evaluate(Rule::OrdinaryAudit), Unknown);
    assert_eq!(AuditRegime::of(&issuer().audited().profile()).kind, RegimeKind::Unknown);
    assert_eq!(AuditRegime::of(&case("0106").audited().profile()).kind, RegimeKind::Limited);
    // A company that waives the audit has neither listed shares nor bonds.
    assert_eq!(issuer().waived().evaluate(Rule::Listed), No);
    assert_eq!(issuer().waived().evaluate(Rule::OrdinaryAudit), No);
    assert_eq!(issuer().listed().evaluate(Rule::Listed), Yes);
}

#[test]
fn bankruptcy_enforcement_is_for_registered_debtors() {
    assert_eq!(case("0101").evaluate(Rule::BankruptcyEnforcement), Yes);
    assert_eq!(case("0117").evaluate(Rule::BankruptcyEnforcement), No);
}

#[test]
fn sole_proprietor_registers_from_100_000_and_keeps_full_books_from_500_000() {
    let of = |turnover: i64| case("0101").years(0, turnover, 1);
    assert_eq!(of(99_999).evaluate(Rule::SoleProprietorRegistration), No);
    assert_eq!(of(100_000).evaluate(Rule::SoleProprietorRegistration), Yes);
    assert_eq!(case("0101").evaluate(Rule::SoleProprietorRegistration), Unknown);
    assert_eq!(case("0107").evaluate(Rule::SoleProprietorRegistration), No);
    for (turnover, full, simple) in [(499_999, No, Yes), (500_000, Yes, No)] {
        assert_eq!(of(turnover).evaluate(Rule::FullBookkeeping), full);
        assert_eq!(of(turnover).evaluate(Rule::SimpleBookkeeping), simple);
    }
    assert_eq!(case("0106").evaluate(Rule::FullBookkeeping), Yes);
    assert_eq!(case("0106").evaluate(Rule::SimpleBookkeeping), No);
}

/// Amounts and numbers have separators in every explanation: no run of digits is longer than a year.
#[test]
fn numbers_of_explanations_have_separators() {
    let is_separated = |text: &str| {
        let mut runs = text.split(|it: char| !it.is_ascii_digit());
        runs.all(|it| it.len() <= 4)
    };
    for form in ["0101", "0103", "0106", "0107", "0108", "0109", "0110"] {
        let large = || case(form).years(5_210_000_000, 1_420_000_000, 1_260);
        for case in [large(), large().waived(), case(form)] {
            for rule in Rule::ALL {
                for reason in rule.evaluate(&case.profile()).reasons {
                    let text = reason.explanation;
                    assert!(is_separated(&text) && !text.contains("1260"), "{rule:?}: {text}");
                }
            }
        }
    }
    let finding = Rule::FullBookkeeping.evaluate(&case("0101").years(0, 99_999, 1).profile());
    let said = "Its turnover of 2025 was CHF 99,999; the threshold is CHF 500,000.";
    assert!(finding.reasons.iter().any(|it| it.explanation == said), "{finding:?}");
}

#[test]
fn books_of_foundations_depend_on_the_audit_and_those_of_associations_are_unknown() {
    for (case, full, simple) in [
        (case("0110").audited(), Yes, No),
        (case("0110").waived(), No, Yes),
        (case("0110"), Unknown, Unknown),
        (case("0109"), Unknown, Unknown),
    ] {
        assert_eq!(case.evaluate(Rule::FullBookkeeping), full);
        assert_eq!(case.evaluate(Rule::SimpleBookkeeping), simple);
    }
}

#[test]
fn sustainability_report_needs_public_interest_and_500_positions() {
    let rule = Rule::SustainabilityReport;
    let of = |employees| case("0106").years(50_000_000, 1, employees);
    assert_eq!(of(500).evaluate(rule), Unknown, "it may have bonds or listed shares");
    assert_eq!(of(500).waived().evaluate(rule), No, "it could not have waived the audit");
    assert_eq!(case("0109").years(50_000_000, 1, 500).evaluate(rule), No, "an association");
    assert_eq!(of(500).listed().evaluate(rule), Yes);
    assert_eq!(of(499).listed().evaluate(rule), No);
    assert_eq!(of(500).licensed(Some("Bank")).evaluate(rule), Yes);
    assert_eq!(of(500).licensed(Some("Portfolio manager")).evaluate(rule), Unknown);
    let below = rule.evaluate(&of(499).listed().profile());
    assert_eq!(below.reasons[0].basis, Basis::Assumed, "a report may leave out subsidiaries");
    assert_eq!(case("0106").listed().evaluate(rule), Unknown);
}

/// CO 964a para. 1: the companies that it controls count too.
#[test]
fn the_size_for_sustainability_is_that_of_the_group() {
    let of = |employees, controlled: &[u32]| {
        let mut case = case("0106").listed().years(50_000_000, 1, employees);
        case.group.below = controlled
            .iter()
            .map(|it| GroupMember {
                figures: self::case("0106").years(1, 1, *it).figures,
                ..member(None, 1, 1)
            })
            .collect();
        case
    };
    for (what, case, answer, said) in [
        ("alone", of(499, &[]), No, "no figures of such of the newest year are known"),
        ("small together", of(14, &[418, 8]), No, "employees 440"),
        ("large together, or counted twice", of(300, &[200]), Unknown, "employees 500"),
        ("large in any case", of(500, &[1]), Yes, "employees 500"),
    ] {
        let finding = Rule::SustainabilityReport.evaluate(&case.profile());
        assert_eq!(finding.answer, answer, "{what}");
        let size = finding.reasons.iter().find(|it| it.fact == FactName::Size).expect("the size");
        assert!(size.explanation.contains(said), "{what}: {}", size.explanation);
        let counts_others = size.explanation.contains("together with");
        assert_eq!(counts_others, !case.group.below.is_empty() && answer != Yes, "{what}");
        let has_none = size.explanation.contains("no figures of such");
        assert_eq!(has_none, case.group.below.is_empty(), "{what}");
    }
    let mut other_years = of(14, &[600]);
    other_years.group.below[0].figures.iter_mut().for_each(|it| it.fiscal_year -= 5);
    assert_eq!(other_years.evaluate(Rule::SustainabilityReport), No, "of other years");
    let mut one_year = of(300, &[300]);
    one_year.group.below[0].figures.retain(|it| it.fiscal_year == 2025);
    let said = "the year before is not known";
    assert_eq!(one_year.evaluate(Rule::SustainabilityReport), Unknown, "{said}");
}

#[test]
fn scope_names_for_each_obligation_who_must_act_and_why() {
    let case = case("0106").with(|it| it.auditor_opt_out = Some(true));
    let scope = scope(&case.profile());
    let applied = |id: &str| scope.applied.iter().find(|it| it.obligation.id == id);
    assert!(applied("co-727").is_none() && applied("leta-9").is_some());
    assert!(applied("co-697j").is_none(), "repealed");
    let excluded = scope.excluded.iter().find(|(it, _)| it.id == "co-727").expect("excluded");
    assert_eq!(excluded.1[0].fact, FactName::AuditWaiver);
    for it in &scope.applied {
        assert!(it.to.iter().all(|it| !it.reasons.is_empty()), "{}", it.obligation.id);
    }
    let past = Profile { day: date(2024, 6, 30), ..case.profile() };
    let past = super::super::scope(&past);
    let ids: Vec<&str> = past.applied.iter().map(|it| it.obligation.id.as_str()).collect();
    assert!(ids.contains(&"co-697j") && !ids.contains(&"leta-9"), "{ids:?}");
}

#[test]
fn kind_of_audit_follows_from_form_waiver_and_size() {
    let audited = |it: Case| it.with(|it| it.auditor_name = Some("Prüf AG".into()));
    let waived = case("0107").with(|it| it.auditor_opt_out = Some(true));
    for (case, kind, basis) in [
        (audited(large("0106")), RegimeKind::Ordinary, Basis::Stated),
        (audited(case("0106")), RegimeKind::Limited, Basis::Assumed),
        (audited(case("0106").years(1, 1, 1)), RegimeKind::Limited, Basis::Assumed),
        (waived, RegimeKind::OptingOut, Basis::Stated),
        (case("0101"), RegimeKind::None, Basis::Stated),
        (case("0109"), RegimeKind::Unknown, Basis::Unknown),
        (case("0106"), RegimeKind::Unknown, Basis::Unknown),
        (large("0106"), RegimeKind::Ordinary, Basis::Stated),
    ] {
        let regime = AuditRegime::of(&case.profile());
        assert_eq!(
            (regime.kind, regime.basis),
            (kind, basis),
            "{:?}",
            case.company.legal_form_code
        );
        assert!(!regime.reasons.is_empty());
    }
}

#[test]
fn long_tenure_of_a_firm_is_an_indicator_and_rotation_is_for_ordinary_audits() {
    let audited = |it: Case| it.with(|it| it.auditor_name = Some("Prüf AG".into()));
    let tenure = tenure(Some(date(2010, 1, 1)), None);
    for (case, rule) in [
        (audited(large("0106")), RotationRule::Applies),
        (audited(case("0106")), RotationRule::Unclear),
        (case("0106").waived(), RotationRule::DoesNotApply),
    ] {
        let profile = case.profile();
        let rotation = Rotation::of(&AuditRegime::of(&profile), Some(&tenure), &profile);
        assert_eq!((rotation.rule, rotation.is_long_firm_tenure), (rule, Some(true)));
        assert!(rotation.explanation.contains("not a breach"));
    }
}

#[test]
fn tenure_is_long_after_more_than_seven_years_to_the_day() {
    let is_long = |appointed: Date| {
        let tenure = tenure(Some(appointed), None);
        let case = case("0106").audited();
        let profile = case.profile();
        Rotation::of(&AuditRegime::of(&profile), Some(&tenure), &profile).is_long_firm_tenure
    };
    assert_eq!(is_long(date(2019, 11, 20)), Some(false));
    assert_eq!(is_long(date(2019, 11, 19)), Some(true));
}

#[test]
fn kinds_of_audit_begin_with_the_law_of_2008() {
    let on = |case: &Case, day| {
        let profile = Profile { day, ..case.profile() };
        let regime = AuditRegime::of(&profile);
        let rotation = Rotation::of(&regime, None, &profile);
        (regime, rotation.rule, rotation.max_lead_auditor_years)
    };
    let (last, first) = (date(2007, 12, 31), date(2008, 1, 1));
    for form in ["0106", "0107", "0108"] {
        for case in [case(form).audited(), case(form).waived()] {
            let (before, rotation, years) = on(&case, last);
            assert_eq!(before.kind, RegimeKind::Unknown, "{form}");
            assert_eq!((rotation, years), (RotationRule::DoesNotApply, None));
            let [reason] = before.reasons.as_slice() else { panic!("{before:?}") };
            assert_eq!(reason.explanation.contains("Every corporation"), form == "0106");
            let (since, _, years) = on(&case, first);
            assert!(matches!(since.kind, RegimeKind::Limited | RegimeKind::OptingOut), "{form}");
            assert_eq!(years, Some(7));
        }
    }
    assert_eq!(on(&case("0101"), last).0.kind, RegimeKind::None, "never had an audit");
    let waived = case("0106").waived();
    let reason = |day| on(&waived, day).0.reasons[0].explanation.clone();
    assert!(!reason(date(2024, 12, 31)).contains("2025") && reason(TODAY).contains("2025"));
    let waivers = crate::CATALOGUE.obligation("co-727a").expect("waivers");
    let newest = waivers.versions.last().expect("versions").since;
    assert_eq!(newest, Some(crate::waiver::WAIVERS_FOR_LATER_YEARS));
}
