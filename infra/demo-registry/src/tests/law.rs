//! The register contradicts no rule of Swiss company law: the Code of Obligations (CO), the Civil Code (CC), and the Commercial
//! Register Ordinance (CRO).

use domain::{
    ChangeKind,
    auditors::Tenure,
    changes::LegalEvent,
    company::StatusReason,
    persons::{Mandate, RoleCategory, SigningAuthority},
    statements::Statement,
};

use super::{
    invariants::{for_each, is_corporate},
    *,
};
use crate::{
    calendar::{day, days_of, is_working_day},
    words::FOREIGN_TOWNS,
};

fn form_of(company: &Company) -> &str {
    company.legal_form_code.as_deref().unwrap_or_default()
}

fn is_branch(company: &Company) -> bool {
    matches!(form_of(company), forms::BRANCH | forms::FOREIGN_BRANCH)
}

/// CRO 109 and 112: a branch is entered after its head office, and deleted with it at the latest.
#[test]
fn a_branch_begins_after_its_head_office_and_ends_with_it() {
    let mut checked = 0;
    // A larger register than the one that is served. The name and days of a company need no notices.
    let all: Vec<Company> =
        (REAL.len()..4 * SOME).map(|index| crate::company::invented(index).0).collect();
    let by_uid: HashMap<Uid, &Company> = all.iter().map(|it| (it.uid, it)).collect();
    for branch in &all {
        let affiliations = branch.affiliations.iter();
        let mut head_offices = affiliations.filter(|it| it.kind == AffiliationKind::HeadOffice);
        let Some(head_office) = head_offices.find_map(|it| by_uid.get(&it.uid?)) else { continue };
        checked += 1;
        let context = format!("{} of {}", branch.name, head_office.name);
        assert!(head_office.registration_date < branch.registration_date, "{context}");
        assert!(
            head_office.status == Some(Status::Active) || branch.status == Some(Status::Cancelled),
            "{context}"
        );
    }
    assert!(checked > 400, "{checked}");
}

/// CO 952, CRO 112: a branch is closed, and only its head office can be dissolved or bankrupt. CC 88: an authority dissolves a
/// foundation.
#[test]
fn branches_are_never_in_liquidation_and_foundations_do_not_dissolve_themselves() {
    for_each(|Entry { company, history, .. }, context| {
        let has = |wanted: LegalEvent| {
            history.events.iter().any(|it| it.event.legal_event == Some(wanted))
        };
        let dissolves_itself = has(LegalEvent::DissolvedByResolution);
        if is_branch(company) {
            assert_ne!(company.status, Some(Status::BeingCancelled), "{context}");
            assert!(!dissolves_itself && !has(LegalEvent::BankruptcyOpened), "{context}");
        }
        let has_founder = [forms::FOUNDATION, forms::PUBLIC_INSTITUTION];
        assert!(!dissolves_itself || !has_founder.contains(&form_of(company)), "{context}");
    });
}

/// CRO 8 and 35: the journal is kept, and the gazette appears, on working days: not on weekends and holidays.
#[test]
fn entries_and_publications_are_on_working_days() {
    for_each(|Entry { company, history, .. }, context| {
        for event in history.events.iter().map(|it| &it.event) {
            assert!(is_working_day(event.date), "{context} {event:?}");
            let Some(entered) = event.journal_date else { continue };
            assert!(is_working_day(entered), "{context} {event:?}");
            let days = (days_of(entered)..days_of(event.date)).map(day);
            assert_eq!(days.filter(|it| is_working_day(*it)).count(), 3, "{context} {event:?}");
        }
        let days = [company.registration_date, company.deletion_date, company.founding_date];
        assert!(days.into_iter().flatten().all(is_working_day), "{context} {days:?}");
        let of = |wanted: &[ChangeKind]| {
            let mut events = history.events.iter().map(|it| &it.event);
            events.find(|it| wanted.contains(&it.kind)).and_then(|it| it.journal_date)
        };
        if let Some(entered) = of(&[ChangeKind::NewRegistration]) {
            assert_eq!(company.registration_date, Some(entered), "{context}");
        }
        if company.deletion_date.is_some() {
            let last = history.events.iter().filter_map(|it| it.event.journal_date).max();
            assert_eq!(company.deletion_date, last, "{context}");
        }
    });
}

/// Merger Act 22: the merger takes effect with its entry, on one day for all companies.
#[test]
fn a_merger_is_entered_and_published_on_one_day() {
    let last = |it: &Entry| {
        it.history.events.iter().map(|it| (it.event.date, it.event.journal_date)).max()
    };
    let mut checked = 0;
    for entry in ENTRIES.iter() {
        let affiliations = entry.company.affiliations.iter();
        for it in affiliations.filter(|it| it.kind == AffiliationKind::HasTakenOver) {
            let other = ENTRIES.iter().find(|other| Some(other.company.uid) == it.uid);
            assert_eq!(last(entry), last(other.expect("the other company")), "{}", it.name);
            checked += 1;
        }
    }
    assert!(checked > 0);
}

/// Whether these persons can sign: one alone, or two together.
fn can_sign<'a>(persons: impl Iterator<Item = &'a Mandate>) -> bool {
    let authorities: Vec<_> = persons.filter_map(|it| it.signing_authority).collect();
    let joint = authorities.iter().filter(|it| **it == SigningAuthority::CollectiveTwo).count();
    authorities.contains(&SigningAuthority::Sole) || joint >= 2
}

/// CO 718 and 814: directors or managers who live in Switzerland can sign for the company; CO 740: its liquidators.
#[test]
fn persons_in_switzerland_can_sign_for_every_company() {
    for_each(|Entry { company, history, .. }, context| {
        if company.status == Some(Status::Cancelled) {
            return;
        }
        let current: Vec<&Mandate> = history.current_mandates().collect();
        // Those of the head office can sign for a branch.
        assert!(is_branch(company) || can_sign(current.iter().copied()), "{context} {current:#?}");
        let lives_here = |it: &&&Mandate| {
            let residence = it.person.residence.as_deref().unwrap_or_default();
            !FOREIGN_TOWNS.iter().flatten().any(|town| *town == residence)
        };
        let is_organ = |it: &&&Mandate| it.category != RoleCategory::Signatory;
        if is_corporate(company) {
            let here = current.iter().filter(lives_here).filter(is_organ);
            assert!(can_sign(here.copied()), "{context} {current:#?}");
        }
    });
}

/// CO 707 and 712: a corporation has a board, which has a president; CO 809: several managers have a chair.
#[test]
fn every_corporation_has_a_board_and_several_members_have_a_president() {
    for_each(|Entry { company, history, .. }, context| {
        if company.status == Some(Status::Cancelled) || !is_corporate(company) {
            return;
        }
        let current: Vec<&Mandate> = history.current_mandates().collect();
        let organ = match form_of(company) {
            forms::CORPORATION => RoleCategory::Board,
            _ => RoleCategory::Management,
        };
        let members: Vec<&str> = current
            .iter()
            .filter(|it| it.categories().any(|it| it == organ))
            .map(|it| it.role.as_str())
            .collect();
        let is_liquidated = company.status == Some(Status::BeingCancelled);
        assert!(!members.is_empty() || is_liquidated, "{context} {current:#?}");
        let presides = |it: &&str| {
            let role = it.to_lowercase();
            !role.contains("vi")
                && ["präsident", "president", "président", "vorsitz"]
                    .iter()
                    .any(|word| role.contains(word))
        };
        let has_president = members.iter().any(presides);
        assert!(members.len() < 2 || has_president || is_liquidated, "{context} {members:?}");
    });
}

/// CO 894: the administration of a cooperative has three members or more. The register does not state who is a member of the
/// cooperative.
#[test]
fn every_cooperative_has_an_administration_of_three_or_more() {
    let mut checked = 0;
    for_each(|Entry { company, history, .. }, context| {
        if form_of(company) != forms::COOPERATIVE || company.status == Some(Status::Cancelled) {
            return;
        }
        let bodies = ["Verwaltung", "administration", "amministrazione"];
        let is_of_administration = |it: &&Mandate| bodies.iter().any(|body| it.role.contains(body));
        let current: Vec<&Mandate> = history.current_mandates().collect();
        let is_board = |it: &&Mandate| it.categories().any(|it| it == RoleCategory::Board);
        let organ = current.iter().copied().filter(is_board);
        assert!(organ.clone().all(|it| is_of_administration(&it)), "{context} {current:#?}");
        assert!(organ.count() >= 3, "{context} {current:#?}");
        checked += 1;
    });
    assert!(checked > 20, "{checked}");
}

/// CO 552 and 594: a partnership has two partners or more. CO 583: they stay partners when they liquidate it.
#[test]
fn every_partnership_has_two_partners_or_more() {
    let (mut checked, mut in_liquidation) = (0, 0);
    for_each(|Entry { company, history, .. }, context| {
        let is_partnership =
            matches!(form_of(company), forms::GENERAL_PARTNERSHIP | forms::LIMITED_PARTNERSHIP);
        if !is_partnership || company.status == Some(Status::Cancelled) {
            return;
        }
        let current: Vec<&Mandate> = history.current_mandates().collect();
        let is_partner = |it: &&&Mandate| it.categories().any(|it| it == RoleCategory::Partner);
        assert!(current.iter().filter(is_partner).count() >= 2, "{context} {current:#?}");
        checked += 1;
        in_liquidation += usize::from(company.status == Some(Status::BeingCancelled));
    });
    assert!(checked > 50 && in_liquidation > 1, "{checked} {in_liquidation}");
}

/// CO 621 and 773, in force since 2023: the capital can be in another currency than francs.
#[test]
fn capital_is_in_francs_before_2023() {
    let mut checked = 0;
    for_each(|Entry { company, facts, .. }, context| {
        for fact in facts {
            let Statement::Shab(it) = &fact.statement else { continue };
            let is_foreign = ["EUR", "USD"].iter().any(|currency| it.text.contains(currency));
            let entered = it.journal_date.expect("a day");
            assert!(!is_foreign || entered >= date(2023, 1, 1), "{context} {}", it.text);
            checked += usize::from(is_foreign);
        }
        let is_foreign = company.currency.as_deref().is_some_and(|it| it != "CHF");
        assert!(!is_foreign || company.founding_date >= Some(date(2023, 1, 1)), "{context}");
    });
    assert!(checked > 10, "{checked}");
}

/// CO 727 and 727a: a company has an auditor, or it has waived the limited audit, for which it needed one until then.
#[test]
fn every_corporation_has_an_auditor_or_has_waived_the_audit() {
    for_each(|Entry { company, history, .. }, context| {
        if is_corporate(company) && company.status != Some(Status::Cancelled) {
            let has_waived = company.auditor_opt_out == Some(true);
            assert!(has_waived || company.auditor_name.is_some(), "{context}");
        }
        for it in history.events.iter().filter(|it| it.event.kind == ChangeKind::AuditOptOut) {
            let is_entry = company.registration_date == it.event.journal_date;
            let ended = |tenure: &Tenure| tenure.resigned_at == Some(it.event.date);
            assert!(is_entry || history.tenures.iter().any(ended), "{context} {:?}", it.event);
            assert!(it.event.date >= date(2008, 1, 1), "{context} {:?}", it.event);
        }
    });
}

/// CO 950: the name of a partnership contains its legal form. Investment companies (SICAV) exist since 2007 and need a licence;
/// the register has none.
#[test]
fn names_contain_the_legal_form() {
    let words: [(&str, &[&str]); 5] = [
        (forms::GENERAL_PARTNERSHIP, &["KlG", "SNC"]),
        (forms::LIMITED_PARTNERSHIP, &["KmG", "SCm", "SAc"]),
        (forms::CORPORATION, &["AG", "SA", "Ltd"]),
        (forms::LIMITED_LIABILITY, &["GmbH", "Sàrl", "Sagl", "LLC"]),
        (forms::COOPERATIVE, &["enossenschaft", "ociété coopérative", "ocietà cooperativa"]),
    ];
    for_each(|Entry { company, .. }, context| {
        assert!(form_of(company) != "0115" && !company.name.contains("SICAV"), "{context}");
        let Some((_, words)) = words.iter().find(|it| it.0 == form_of(company)) else { return };
        let names = [&company.name].into_iter().chain(company.old_names.iter().flatten());
        for name in names {
            assert!(words.iter().any(|it| name.contains(it)), "{context}: {name}");
        }
    });
}

/// CO 945: the name of a sole proprietorship contains the owner's surname, also a former one.
#[test]
fn names_of_sole_proprietorships_contain_the_owner() {
    let (mut checked, mut former) = (0, 0);
    for_each(|Entry { company, history, .. }, context| {
        let owner = history.mandates.iter().find(|it| it.category == RoleCategory::Owner);
        let Some(owner) = owner.filter(|_| form_of(company) == forms::SOLE_TRADER) else { return };
        let names = [&company.name].into_iter().chain(company.old_names.iter().flatten());
        for name in names {
            assert!(name.contains(&owner.person.last_name), "{context}: {name} {owner:?}");
        }
        checked += 1;
        former += usize::from(company.old_names.is_some());
    });
    assert!(checked > 100 && former > 10, "{checked} {former}");
}

/// ORC 29: the register is kept in the language of its canton, also about companies with an English name.
#[test]
fn purposes_are_in_the_language_of_the_seat() {
    let mut english = 0;
    for index in REAL.len()..SOME {
        let (company, background) = crate::company::invented(index);
        let business = &background.business;
        let activity = business.trade.activity[business.place.language as usize];
        let purpose = company.purpose.unwrap_or_default();
        let is_sentence = matches!(business.form, forms::CORPORATION | forms::LIMITED_LIABILITY);
        assert!(!is_sentence || purpose.contains(activity), "{}: {purpose}", company.name);
        english += usize::from(business.language == crate::language::Language::English);
    }
    assert!(english > 50, "{english}");
}

/// CO 739: a company that is wound up has the addition in its name. A sole trader, who is wound up as a person, has none.
#[test]
fn names_of_companies_in_liquidation_say_so() {
    let mut checked = 0;
    for_each(|Entry { company, .. }, context| {
        let additions = ["in Liquidation", "en liquidation", "in liquidazione"];
        let has_addition = additions.iter().any(|it| company.name.ends_with(it));
        let is_in_liquidation = company.status == Some(Status::BeingCancelled);
        assert!(!has_addition || form_of(company) != forms::SOLE_TRADER, "{context}");
        // The last name of a deleted company remains.
        assert!(!has_addition || company.status != Some(Status::Active), "{context}");
        assert!(has_addition || !is_in_liquidation || !is_corporate(company), "{context}");
        checked += usize::from(is_in_liquidation);
    });
    assert!(checked > 0);
}

/// CO 745 and 746: most companies that are deleted were liquidated, a year or more after their dissolution was published.
#[test]
fn deletions_have_every_cause() {
    let mut reasons = HashSet::new();
    for Entry { company, history, .. } in ENTRIES.iter() {
        reasons.extend(company.status_reason.filter(|_| company.deletion_date.is_some()));
        if company.status_reason == Some(StatusReason::DeletedAfterLiquidation) {
            let is_dissolution = |it: &LegalEvent| matches!(it, LegalEvent::DissolvedByResolution);
            let events = history.events.iter().map(|it| &it.event);
            let mut dissolutions =
                events.filter(|it| it.legal_event.as_ref().is_some_and(is_dissolution));
            let dissolved = dissolutions.next().expect("a dissolution").date;
            let deleted = company.deletion_date.expect("a deletion");
            assert!(deleted.duration_since(dissolved).as_hours() / 24 >= 365, "{}", company.name);
        }
    }
    let expected = [
        StatusReason::DeletedAfterLiquidation,
        StatusReason::DeletedAfterBankruptcy,
        StatusReason::DeletedExOfficio,
        StatusReason::DeletedBusinessCeased,
        StatusReason::Merged,
    ];
    assert_eq!(reasons, expected.into());
}

/// Debt Enforcement and Bankruptcy Act 293b, CRO 160: a moratorium has an administrator.
#[test]
fn a_moratorium_names_its_administrator() {
    let mut checked = 0;
    for Entry { company, history, .. } in ENTRIES.iter() {
        if company.status_reason == Some(StatusReason::Moratorium) {
            let mut roles = history.current_mandates().map(|it| it.role.as_str());
            assert!(roles.any(|it| it.starts_with("Sachwalter")), "{}", company.name);
            checked += 1;
        }
    }
    assert!(checked > 0);
}

/// A decision is made before it is entered, and after what was entered before.
#[test]
fn decisions_are_in_order_with_the_entries() {
    for_each(|Entry { company, history, facts }, context| {
        for event in history.events.iter().map(|it| &it.event) {
            let Some(decided) = event.decision_date else { continue };
            assert!(company.registration_date < Some(decided), "{context} {event:?}");
            assert!(event.journal_date.is_none_or(|it| decided < it), "{context} {event:?}");
        }
        let entered = facts.iter().filter_map(|it| match &it.statement {
            Statement::Shab(it) => it.journal_date,
            _ => None,
        });
        let entered: Vec<Date> = entered.collect();
        assert!(entered.is_sorted(), "{context} {entered:?}");
    });
}

/// ORC 2 let. b and 117: a domicile has a street and a number, also before and after each move.
#[test]
fn every_domicile_has_a_street_and_a_number() {
    let mut moves = 0;
    for_each(|Entry { company, history, .. }, context| {
        assert!(company.address_street.is_some(), "{context}");
        assert!(company.address_house_number.is_some(), "{context}");
        let events = history.events.iter().map(|it| &it.event);
        for event in events.filter(|it| it.field.as_deref() == Some("address")) {
            for address in event.old_value.iter().chain(&event.new_value) {
                let lines = address.rsplit_once(", ").map(|it| it.0).unwrap_or_default();
                assert!(lines.contains(|it: char| it.is_ascii_digit()), "{context}: {address}");
                moves += 1;
            }
        }
    });
    assert!(moves > 1_000, "{moves}");
}
