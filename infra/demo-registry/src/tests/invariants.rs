//! What holds for every company of the register: nothing that one source states contradicts another.

use domain::{
    Amount,
    changes::LegalEvent,
    company::{AffiliationKind, StatusReason},
    statements::Statement,
};
use jiff::tz::TimeZone;

use super::*;

/// Calls this for every company that is not one of the real ones.
pub(super) fn for_each(mut check: impl FnMut(&Entry, &str)) {
    for entry in &ENTRIES[REAL.len()..] {
        let context = format!("{} {}", entry.company.uid, entry.company.name);
        check(entry, &context);
    }
}

pub(super) fn is_corporate(company: &Company) -> bool {
    matches!(
        company.legal_form_code.as_deref(),
        Some(forms::CORPORATION | forms::LIMITED_LIABILITY)
    )
}

#[test]
fn dates_are_in_order_and_none_is_in_the_future() {
    for_each(|Entry { company, history, facts }, context| {
        let registered = company.registration_date.expect("a registration");
        assert!(registered.year() >= 1883, "{context}");
        let updated = company.updated_at.expect("a change").to_zoned(TimeZone::UTC).date();
        let founded = company.founding_date.unwrap_or(registered);
        let ended = company.deletion_date.unwrap_or(updated);
        assert!(founded <= registered && registered <= ended && ended <= updated, "{context}");
        assert!(updated <= DEMO_DATE, "{context}");
        for event in history.events.iter().map(|it| &it.event) {
            assert!(registered <= event.date && event.date <= DEMO_DATE, "{context} {event:?}");
        }
        for it in &history.mandates {
            let until = it.until.unwrap_or(DEMO_DATE);
            assert!(
                it.since.is_none_or(|since| registered <= since && since <= until),
                "{context}"
            );
        }
        for it in &history.tenures {
            let until = it.resigned_at.unwrap_or(DEMO_DATE);
            let is_in_order = |since| registered <= since && since <= until;
            assert!(it.appointed_at.is_none_or(is_in_order), "{context} {it:?}");
        }
        for fact in facts {
            assert!(fact.published.is_none_or(|it| it <= DEMO_DATE), "{context} {fact:?}");
            if let Statement::Gleif(entity) = &fact.statement {
                // GLEIF assigned its first identifiers then.
                assert!(entity.initial_registration >= Some(date(2014, 1, 20)), "{context}");
            }
        }
    });
}

#[test]
fn status_follows_from_the_reason_and_the_history() {
    for_each(|Entry { company, history, .. }, context| {
        let status = company.status.expect("a status");
        match (status, company.status_reason) {
            (Status::Active, reason) => {
                assert!(reason.is_none_or(|it| it == StatusReason::Moratorium), "{context}");
            }
            (status, Some(reason)) => assert_eq!(reason.status(), status, "{context}"),
            (status, None) => panic!("{context}: no reason of {status:?}"),
        }
        assert_eq!(company.deletion_date.is_some(), status == Status::Cancelled, "{context}");
        let newest = history.newest();
        let ends = |it: &LegalEvent| {
            use LegalEvent as E;
            matches!(
                it,
                E::Deleted
                    | E::DeletedByMerger
                    | E::DeletedExOfficio
                    | E::DeletedWithoutAssets
                    | E::DeletedBusinessCeased
                    | E::DeletedAfterLiquidation
                    | E::DeletedAfterBankruptcy
                    | E::DissolvedByResolution
                    | E::BankruptcyOpened
            )
        };
        let ended = history
            .events
            .iter()
            .map(|it| &it.event)
            .filter(|it| it.legal_event.as_ref().is_some_and(ends));
        let ended = ended.map(|it| it.date).max();
        assert_eq!(ended.is_some(), status != Status::Active, "{context} {:#?}", history.events);
        assert!(ended.is_none() || ended == newest, "{context}");
        let is_merged = company.status_reason == Some(StatusReason::Merged);
        assert_eq!(is_merged, company.superseded_by.is_some(), "{context}");
    });
}

#[test]
fn owners_add_up_to_the_capital() {
    let mut checked = 0;
    for_each(|Entry { company, .. }, context| {
        let holders = &company.quota_holders;
        let count = company.quota_holder_count.unwrap_or_default() as usize;
        assert_eq!(holders.len(), count, "{context}");
        let is_known = company.legal_form_code.as_deref() == Some(forms::LIMITED_LIABILITY);
        assert!(is_known || holders.is_empty(), "{context}");
        // Of a company whose entry is not known, only the partners that a notice names are.
        if holders.is_empty() || holders.iter().any(|it| it.total.is_none()) {
            return;
        }
        let total: Amount = Amount::from_ten_thousandths(
            holders.iter().filter_map(|it| it.total).map(Amount::ten_thousandths).sum(),
        );
        let capital = company.share_capital.expect("a capital");
        assert!(total <= capital, "{context}");
        let is_complete = company.founding_date.is_some();
        assert!(!is_complete || total == capital, "{context}: {total:?} of {capital:?}");
    });
    for entry in ENTRIES.iter() {
        checked += usize::from(!entry.company.quota_holders.is_empty());
    }
    assert!(checked > 500, "{checked}");
}

#[test]
fn deleted_companies_have_no_auditor_officers_owners_employees_or_identifier() {
    for_each(|Entry { company, history, .. }, context| {
        if company.status != Some(Status::Cancelled) {
            return;
        }
        assert_eq!(company.auditor_name, None, "{context}");
        assert_eq!((company.employee_count, company.lei), (None, None), "{context}");
        assert!(company.quota_holders.is_empty(), "{context}");
        assert_eq!(history.current_mandates().count(), 0, "{context}");
        assert!(history.current_tenure().is_none(), "{context}");
    });
}

#[test]
fn audit_of_the_record_is_that_of_the_history() {
    for_each(|Entry { company, history, .. }, context| {
        let has_waived = company.auditor_opt_out == Some(true);
        assert!(!has_waived || company.auditor_name.is_none(), "{context}");
        // The law allows it up to ten employees.
        assert!(!has_waived || company.employee_count.is_none_or(|it| it <= 10), "{context}");
        let current = history.current_tenure().map(|it| &it.auditor_name);
        assert!(current.is_none() || current == company.auditor_name.as_ref(), "{context}");
        let audited_by =
            company.affiliations.iter().find(|it| it.kind == AffiliationKind::AuditedBy);
        assert_eq!(audited_by.map(|it| &it.name), company.auditor_name.as_ref(), "{context}");
    });
}

#[test]
fn companies_that_others_name_exist_and_existed_then() {
    let by_uid: HashMap<Uid, &Company> =
        ENTRIES.iter().map(|it| (it.company.uid, &it.company)).collect();
    for_each(|Entry { company, history, .. }, context| {
        for mandate in history.mandates.iter().filter(|it| it.person.uid.is_some()) {
            let partner = by_uid[&mandate.person.uid.expect("a number")];
            assert_eq!(mandate.person.full_name(), partner.name.replace(" in Liquidation", ""));
            assert!(mandate.since >= partner.registration_date, "{context}: {}", partner.name);
        }
        for it in company.affiliations.iter().filter(|it| it.kind != AffiliationKind::AuditedBy) {
            let other = it.uid.and_then(|uid| by_uid.get(&uid));
            assert!(it.uid.is_none() || other.is_some(), "{context} {it:?}");
        }
        let parent = company.direct_parent_lei;
        let is_here = parent.is_some_and(|it| it.as_str().starts_with("DEMO00CHE"));
        let exists = ENTRIES.iter().any(|it| is_here && it.company.lei == parent);
        assert_eq!(is_here, exists, "{context}");
    });
}

#[test]
fn names_differ_and_texts_have_no_placeholders() {
    for_each(|Entry { company, facts, .. }, context| {
        let old = company.old_names.iter().flatten();
        let others: Vec<&String> = company.translations.iter().flatten().collect();
        assert!(old.clone().all(|it| *it != company.name && !others.contains(&it)), "{context}");
        for fact in facts {
            let json = serde_json::to_string(&fact.statement).expect("json");
            for sign in ["{}", "{{", "null", "  ", " ,", " .", "..", ",,", "()", "\u{fffd}"] {
                // Numbers of publications and addresses have none of these either.
                assert!(!json.contains(sign), "{context}: {sign:?} in {json}");
            }
            if let Statement::Shab(it) = &fact.statement {
                assert!(it.text.ends_with('.') && !it.text.contains(['{', '}']), "{}", it.text);
            }
        }
    });
}

#[test]
fn every_company_is_served_with_what_the_sources_state() {
    let some: Vec<Company> = companies(SOME).collect();
    let share_of = |holds: fn(&Company) -> bool| share(&some, holds);
    assert!(share_of(|it| it.latitude.is_some()) > 99.0);
    assert!(
        share_of(|it| it.industry.is_some()) > 80.0,
        "{}",
        share_of(|it| it.industry.is_some())
    );
    assert!(
        some.iter()
            .filter(|it| is_corporate(it))
            .all(|it| it.share_capital.is_some() || it.purpose.is_none())
    );
}

#[test]
fn a_branch_has_the_industry_of_its_head_office() {
    let by_uid: HashMap<Uid, &Company> =
        ENTRIES.iter().map(|it| (it.company.uid, &it.company)).collect();
    let mut wrong = Vec::new();
    for_each(|Entry { company, .. }, _| {
        let mut affiliations = company.affiliations.iter();
        let head_office = affiliations.find(|it| it.kind == AffiliationKind::HeadOffice);
        let Some(uid) = head_office.and_then(|it| it.uid) else { return };
        let head_office = by_uid[&uid];
        if company.industry != head_office.industry {
            wrong.push([company, head_office].map(|it| (it.industry.clone(), it.purpose.clone())));
        }
    });
    assert!(wrong.is_empty(), "{wrong:#?}");
}
