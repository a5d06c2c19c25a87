use domain::{
    Amount, Company, Event, History, Provenance, Status, changes::LegalEvent, company::StatusReason,
};
use jiff::civil::{Date, date};

use super::*;
use crate::{
    AnnualFigures, Answer, AuditRegime, Basis, FactName, RegimeKind, Rotation, RotationRule, scope,
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

    fn profile(&self) -> Profile<'_> {
        Profile {
            company: &self.company,
            history: &self.history,
            proofs: None,
            figures: &self.figures,
            listing: self.listing.as_ref(),
            securities: self.securities.as_ref(),
            licences: &self.licences,
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
    for rule in Rule::ALL {
        assert_eq!(deleted.evaluate(*rule), No, "{rule:?}");
    }
}

#[test]
fn legal_person_depends_on_the_legal_form() {
    assert_eq!(case("0110").evaluate(Rule::LegalPerson), Yes);
    assert_eq!(case("0101").evaluate(Rule::LegalPerson), No);
    let unknown = case("").with(|it| it.legal_form_code = None);
    assert_eq!(unknown.evaluate(Rule::LegalPerson), Unknown);
}

#[test]
fn financial_intermediary_is_licensed_or_possibly_in_the_industry() {
    let of_industry = |code: &str| case("0106").with(|it| it.noga_code = Some(code.to_owned()));
    assert_eq!(of_industry("620100").evaluate(Rule::FinancialIntermediary), No);
    assert_eq!(of_industry("663000").evaluate(Rule::FinancialIntermediary), Unknown);
    assert_eq!(of_industry("642000").evaluate(Rule::FinancialIntermediary), No, "a holding");
    assert_eq!(case("0106").evaluate(Rule::FinancialIntermediary), Unknown);
    let licensed = of_industry("620100").with(|it| it.is_finma_regulated = Some(true));
    assert_eq!(licensed.evaluate(Rule::FinancialIntermediary), Yes);
}

#[test]
fn licensed_needs_the_list_of_finma() {
    assert_eq!(case("0106").evaluate(Rule::Licensed), No);
    let licensed = case("0106").with(|it| it.is_finma_regulated = Some(true));
    assert_eq!(licensed.evaluate(Rule::Licensed), Yes);
    let finding = Rule::Licensed.evaluate(&case("0106").profile());
    assert_eq!(finding.reasons[0].basis, Basis::Assumed);
}

#[test]
fn care_of_address_is_a_sign_of_a_domiciliary_company_but_no_proof() {
    let somewhere = case("0106").with(|it| it.address_city = Some("Zug".into()));
    assert_eq!(somewhere.evaluate(Rule::DomiciliaryCustomer), No);
    let care_of = somewhere.with(|it| it.address_care_of = Some("Treuhand AG".into()));
    assert_eq!(care_of.evaluate(Rule::DomiciliaryCustomer), Unknown);
    assert_eq!(case("0106").evaluate(Rule::DomiciliaryCustomer), Unknown, "nothing is known");
}

#[test]
fn transparency_register_and_the_former_duty_exempt_listed_companies() {
    for rule in [Rule::TransparencyRegister, Rule::OwnerAnnouncement] {
        assert_eq!(case("0107").evaluate(rule), Yes, "{rule:?}");
        assert_eq!(case("0106").listed().evaluate(rule), No, "{rule:?}");
        assert_eq!(case("0109").evaluate(rule), No, "{rule:?}");
    }
    assert_eq!(case("0108").evaluate(Rule::TransparencyRegister), Yes);
    assert_eq!(case("0108").evaluate(Rule::OwnerAnnouncement), No);
}

#[test]
fn subsidiary_of_a_parent_of_which_the_listing_is_unknown_may_be_exempt() {
    let subsidiary = case("0106").with_parent();
    for rule in [Rule::TransparencyRegister, Rule::UnlistedCustomer] {
        assert_eq!(case("0106").evaluate(rule), Yes, "{rule:?}");
        assert_eq!(subsidiary.evaluate(rule), Unknown, "{rule:?}");
        assert_eq!(case("0106").listed().evaluate(rule), No, "{rule:?}");
    }
    let own = case("0106").with(|it| {
        it.lei = "5493001KJTIIGC8Y1R12".parse().ok();
        it.ultimate_parent_lei = it.lei;
    });
    assert_eq!(own.evaluate(Rule::TransparencyRegister), Yes, "it is its own parent");
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
    assert_eq!(case("0106").evaluate(Rule::BoardOfDirectors), Yes);
    assert_eq!(case("0107").evaluate(Rule::BoardOfDirectors), No);
}

#[test]
fn ordinary_audit_needs_size_or_listing() {
    let audited = |it: Case| it.with(|it| it.auditor_name = Some("Prüf AG".into()));
    assert_eq!(audited(large("0106")).evaluate(Rule::OrdinaryAudit), Yes);
    assert_eq!(audited(case("0106").years(1, 1, 1)).evaluate(Rule::OrdinaryAudit), No);
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
    assert_eq!(of(11).evaluate(Rule::LimitedAudit), Yes, "below the other thresholds");
    assert_eq!(AuditRegime::of(&of(11).profile()).kind, RegimeKind::Unknown);
}

#[test]
fn licence_of_a_bank_requires_an_ordinary_audit_and_others_are_unknown() {
    let bank = case("0106").audited().years(1, 1, 1).licensed(Some("Bank"));
    assert_eq!(bank.evaluate(Rule::OrdinaryAudit), Yes);
    assert_eq!(AuditRegime::of(&bank.profile()).kind, RegimeKind::Ordinary);
    for licence in [None, Some("Portfolio manager")] {
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
    assert_eq!(small.evaluate(Rule::LimitedAudit), Yes);
    assert_eq!(small.evaluate(Rule::OptedOut), No);
    assert_eq!(small.evaluate(Rule::Audited), Yes);
    let audited = large("0107").with(|it| it.auditor_name = Some("Prüf AG".into()));
    assert_eq!(audited.evaluate(Rule::LimitedAudit), No);
    assert_eq!(case("0107").evaluate(Rule::Audited), Unknown);
    assert_eq!(case("0109").evaluate(Rule::LimitedAudit), No, "has thresholds of its own");
    assert_eq!(case("0110").evaluate(Rule::LimitedAudit), No, "has no shareholders who consent");
    assert_eq!(case("0110").evaluate(Rule::FoundationAudit), Yes);
    assert_eq!(case("0107").evaluate(Rule::FoundationAudit), No);
}

#[test]
fn foundation_is_exempted_by_an_authority() {
    let exempt = case("0110").waived();
    let regime = AuditRegime::of(&exempt.profile());
    assert_eq!((regime.kind, regime.basis), (RegimeKind::None, Basis::Stated));
    assert!(regime.reasons[0].explanation.contains("CC 83b"), "{regime:?}");
    assert_eq!(exempt.evaluate(Rule::OptedOut), No, "that is about companies");
}

fn with_events(events: &[LegalEvent]) -> Case {
    let mut case = case("0106");
    let event = |(at, legal): (usize, &LegalEvent)| Event {
        id: uuid(at),
        uid: case.company.uid,
        company_name: "Muster".into(),
        canton: None,
        kind: domain::ChangeKind::Other,
        field: None,
        old_value: None,
        new_value: None,
        summary: String::new(),
        date: date(2026, 1, 1 + i8::try_from(at).expect("few")),
        source: source("shab"),
        subject: None,
        legal_event: Some(*legal),
        journal_date: None,
        decision_date: None,
        currencies: None,
        transfer: None,
    };
    let events: Vec<Event> = events.iter().enumerate().map(event).collect();
    case.history.events = events.into_iter().map(Into::into).collect();
    case
}

fn uuid(at: usize) -> uuid::Uuid {
    uuid::Uuid::from_u128(at as u128)
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
}

#[test]
fn listed_needs_a_notice_of_the_exchange() {
    assert_eq!(case("0106").evaluate(Rule::Listed), No);
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
    assert_eq!(of(500).evaluate(rule), No, "of no public interest");
    assert_eq!(of(500).listed().evaluate(rule), Yes);
    assert_eq!(of(499).listed().evaluate(rule), No);
    assert_eq!(of(500).with(|it| it.is_finma_regulated = Some(true)).evaluate(rule), Yes);
    assert_eq!(case("0106").listed().evaluate(rule), Unknown);
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
    let tenure = domain::auditors::Tenure {
        auditor_name: "Prüf AG".into(),
        auditor_uid: None,
        appointed_as: None,
        appointed_at: Some(date(2010, 1, 1)),
        resigned_at: None,
        source: source("shab"),
    };
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
        let tenure = domain::auditors::Tenure {
            auditor_name: "Prüf AG".into(),
            auditor_uid: None,
            appointed_as: None,
            appointed_at: Some(appointed),
            resigned_at: None,
            source: source("shab"),
        };
        let case = case("0106").audited();
        let profile = case.profile();
        Rotation::of(&AuditRegime::of(&profile), Some(&tenure), &profile).is_long_firm_tenure
    };
    assert_eq!(is_long(date(2019, 11, 20)), Some(false));
    assert_eq!(is_long(date(2019, 11, 19)), Some(true));
}
