//! What a publication in the gazette's own format states.

use domain::company::{Affiliation, AffiliationKind};
use gazette_notice::{Change, Combination, Notice, Party, ProceedingKind, ProceedingStage};
use statements::gazette::{self, CompanyBlock, Publication, Rubric, StatusChange};

use super::{
    company_state::{Address, CompanyState},
    publication::ParsedPublication,
};
use crate::{Fact, notice::company_number, provenance::of_publication, takeovers::acquired};

/// Parses a publication about the company itself.
pub(super) fn publication(fact: &Fact, publication: &Publication) -> ParsedPublication {
    let mut notice = gazette_notice::read(&publication.text);
    // The text usually states what the office flagged. If it does not, the flag counts.
    for flagged in publication.status_changes.iter().filter_map(|it| flagged_change(*it)) {
        let is_stated = |it: &Change| match (it, &flagged) {
            (Change::Proceeding { stage: one, .. }, Change::Proceeding { stage: other, .. }) => {
                one == other
            }
            (one, other) => one == other,
        };
        if !notice.changes.iter().any(is_stated) {
            notice.changes.push(flagged);
        }
    }
    let is_deletion = publication.rubric == Rubric::Deletion;
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
        deleted: is_deletion.then(|| publication.deletion_date.unwrap_or(publication.date)),
        notice,
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
        notice: Notice {
            changes: vec![Change::Combination { combination, party }],
            ..Notice::default()
        },
        before: None,
        after: None,
    })
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
        chid: block.code13.clone(),
        head_office: block.head_office.as_ref().map(|it| Affiliation {
            kind: AffiliationKind::HeadOffice,
            uid: it.uid,
            name: it.name.clone(),
        }),
    }
}

fn flagged_change(change: StatusChange) -> Option<Change> {
    let (proceeding, stage) = match change {
        StatusChange::BankruptcyOpened => (ProceedingKind::Bankruptcy, ProceedingStage::Opened),
        StatusChange::BankruptcySuspended => {
            (ProceedingKind::Bankruptcy, ProceedingStage::Suspended)
        }
        StatusChange::BankruptcyRevoked => (ProceedingKind::Bankruptcy, ProceedingStage::Revoked),
        StatusChange::BankruptcyClosed => (ProceedingKind::Bankruptcy, ProceedingStage::Closed),
        StatusChange::LiquidationOpened => (ProceedingKind::Liquidation, ProceedingStage::Opened),
        StatusChange::LiquidationByCourt | StatusChange::LiquidationByOffice => {
            (ProceedingKind::OrganisationalDefect, ProceedingStage::Opened)
        }
        StatusChange::LiquidationRevoked => (ProceedingKind::Liquidation, ProceedingStage::Revoked),
        StatusChange::ReEntry => return Some(Change::ReEntry),
        StatusChange::BankruptcySummary
        | StatusChange::Suspension
        | StatusChange::Reapplication => return None,
    };
    Some(Change::Proceeding { proceeding, stage })
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
