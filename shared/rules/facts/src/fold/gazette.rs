//! What a publication in the gazette's own format states.

use domain::{
    company::{Affiliation, AffiliationKind, chid},
    statements::gazette::{self, CompanyBlock, NamedCompany, Publication, Rubric, StatusChange},
    text,
};
use gazette_notice::{Change, Combination, Notice, Party, Step};

use super::{
    company_state::{Address, CompanyState},
    publication::ParsedPublication,
};
use crate::{Fact, notice::company_number, provenance::of_publication, takeovers::acquired};

/// Parses a publication about the company itself.
pub(super) fn publication(fact: &Fact, publication: &Publication) -> ParsedPublication {
    let mut notice = gazette_notice::read(&publication.text);
    for flagged in publication.status_changes.iter().filter_map(|it| flagged_change(*it)) {
        add_flagged(&mut notice.changes, flagged);
    }
    // Only the rubric of deletions deletes: others describe what was deleted before, or is to be.
    let is_deletion = publication.rubric == Rubric::Deletion;
    if !is_deletion {
        notice.changes.retain(|it| !matches!(it, Change::Deletion { .. }));
    }
    let stays =
        notice.changes.iter().any(|it| matches!(it, Change::Departure { abroad: false, .. }));
    // The new seat is what the office of the former one deletes its entry for.
    if is_deletion && stays {
        notice.changes.retain(|it| !matches!(it, Change::Seat { to: Some(_), .. }));
    }
    let deleted_on =
        publication.deletion_date.or(publication.journal_date).unwrap_or(publication.date);
    ParsedPublication {
        uid: fact.uid,
        company_name: publication.company().map(|it| it.name.clone()).unwrap_or_default(),
        canton: publication.cantons.first().copied(),
        key: publication.number.to_string(),
        date: publication.date,
        source: of_publication(publication),
        previous: (publication.previous.as_ref().and_then(|it| it.date))
            .or_else(|| notice.previous.as_ref().and_then(|it| it.date)),
        is_cancelled: publication.state == gazette::State::Cancelled,
        is_registration: publication.rubric == Rubric::NewEntry,
        deleted: (is_deletion && !stays).then_some(deleted_on),
        journal_date: publication.journal_date,
        notice,
        auditor: auditor(publication).cloned(),
        before: publication.before.as_ref().map(state),
        after: publication.after.as_ref().map(state),
    }
}

/// Parses the publication of an acquirer as if the acquired company had published the takeover. `None` if
/// the text no longer names the company as acquired: a newer parser may read it differently.
pub(super) fn takeover(fact: &Fact, publication: &Publication) -> Option<ParsedPublication> {
    let acquirer = publication.company()?;
    let acquired =
        acquired(publication).into_iter().find(|it| it.uid == company_number(fact.uid))?;
    let (uid, name) = (company_number(acquirer.uid), acquirer.name.clone());
    let party = Party { name, uid, seat: acquirer.seat.clone() };
    let combination = Combination::IsTakenOverBy;
    Some(ParsedPublication {
        uid: fact.uid,
        company_name: acquired.name,
        // The publication names the canton of the acquirer.
        canton: None,
        key: publication.number.to_string(),
        date: publication.date,
        source: of_publication(publication),
        previous: None,
        is_cancelled: publication.state == gazette::State::Cancelled,
        is_registration: false,
        deleted: None,
        journal_date: publication.journal_date,
        notice: Notice {
            changes: vec![Change::Combination { combination, party, transfer: None }],
            ..Notice::default()
        },
        auditor: None,
        before: None,
        after: None,
    })
}

/// The only auditor in the blocks, if all blocks name the same one.
fn auditor(publication: &Publication) -> Option<&NamedCompany> {
    let mut blocks = [&publication.before, &publication.after].into_iter().flatten();
    let first = blocks.next()?.auditors.as_slice();
    let [auditor] = first else { return None };
    let is_same = |it: &NamedCompany| {
        text::fold(&it.name) == text::fold(&auditor.name)
            && (it.uid.is_none() || auditor.uid.is_none() || it.uid == auditor.uid)
    };
    let agrees = |it: &CompanyBlock| matches!(&it.auditors[..], [only] if is_same(only));
    blocks.all(agrees).then_some(auditor)
}

fn state(block: &CompanyBlock) -> CompanyState {
    let capital = block.capital.as_ref();
    CompanyState {
        name: Some(block.name.clone()),
        translations: block.translations.clone(),
        seat: block.seat.clone(),
        legal_form_code: block.legal_form.clone(),
        address: block.address.as_ref().map(address),
        purpose: block.purpose.clone(),
        capital: capital.and_then(|it| it.nominal),
        paid: capital.and_then(|it| it.paid),
        currency: capital.and_then(|it| it.currency.clone()),
        opting_out: block.opting_out,
        chid: block.code13.as_deref().and_then(chid),
        head_office: block.head_office.as_ref().map(|it| Affiliation {
            kind: AffiliationKind::HeadOffice,
            uid: it.uid,
            name: it.name.clone(),
        }),
    }
}

/// Adds what the office flagged, if the text does not state it. A flag is more precise than a dissolution without a reason.
fn add_flagged(changes: &mut Vec<Change>, flagged: Change) {
    let Change::Proceeding { step: flag, .. } = flagged else {
        if !changes.iter().any(|it| matches!(it, Change::ReEntry { .. })) {
            changes.push(flagged);
        }
        return;
    };
    let unexplained = [Step::DissolvedByResolution, Step::DissolvedByCourt];
    let mut is_stated = false;
    for change in changes.iter_mut() {
        if let Change::Proceeding { step, .. } = change {
            if *step != flag && unexplained.contains(step) && opens(flag) {
                *step = flag;
            }
            is_stated |=
                *step == flag || (opens(*step) && opens(flag)) || (revokes(*step) && revokes(flag));
        }
    }
    if !is_stated {
        changes.push(flagged);
    }
}

fn opens(step: Step) -> bool {
    matches!(
        step,
        Step::BankruptcyOpened
            | Step::DissolvedByResolution
            | Step::DissolvedByCourt
            | Step::DissolvedForDefect
            | Step::DissolvedWithoutDomicile
            | Step::CompositionWithAssignment
    )
}

fn revokes(step: Step) -> bool {
    matches!(step, Step::BankruptcyRevoked | Step::DissolutionRevoked)
}

fn flagged_change(change: StatusChange) -> Option<Change> {
    let step = match change {
        StatusChange::BankruptcyOpened => Step::BankruptcyOpened,
        StatusChange::BankruptcySuspended => Step::Suspended,
        StatusChange::BankruptcyRevoked => Step::BankruptcyRevoked,
        StatusChange::BankruptcyClosed => Step::Closed,
        StatusChange::LiquidationOpened => Step::DissolvedByResolution,
        StatusChange::LiquidationByCourt => Step::DissolvedForDefect,
        StatusChange::LiquidationByOffice => Step::DissolvedWithoutDomicile,
        StatusChange::LiquidationRevoked => Step::DissolutionRevoked,
        StatusChange::ReEntry => {
            return Some(Change::ReEntry { in_liquidation: false, on: None });
        }
        StatusChange::BankruptcySummary
        | StatusChange::Suspension
        | StatusChange::Reapplication => return None,
    };
    Some(Change::Proceeding { step, on: None })
}

fn address(written: &gazette::Address) -> Address {
    let written = written.clone();
    // The first line is a "c/o" line or an addition such as the name of the building.
    let (care_of, addon) = match written.address_line1 {
        Some(line) if line.to_lowercase().starts_with("c/o") => (Some(line), written.address_line2),
        line => (None, line.or(written.address_line2)),
    };
    Address {
        care_of,
        street: written.street,
        house_number: written.house_number,
        addon,
        po_box: written.post_office_box_number.or(written.post_office_box_text),
        zip_code: written.swiss_zip_code.or(written.foreign_zip_code),
        city: written.town,
    }
}
