//! The conditions about the entry in the register and its end.

use domain::{Status, company::StatusReason};
use jiff::{ToSpan, civil::Date};

use super::{Answer, Basis, FactName, Finding, finding, unremarkable};
use crate::{
    Profile,
    legal_form::{
        FOREIGN_BRANCH, GENERAL_PARTNERSHIP, LIMITED_PARTNERSHIP, SOLE_PROPRIETORSHIP, SWISS_BRANCH,
    },
};

pub(super) fn registered(profile: &Profile) -> Finding {
    let source = profile.source_of("status");
    let (answer, text) = match profile.is_deleted() {
        true => (Answer::No, "The company was deleted from the register."),
        false => (Answer::Yes, "The company is in the commercial register."),
    };
    finding(answer, FactName::Register, Basis::Stated, text, source)
}

pub(super) fn registered_before(profile: &Profile, day: Date) -> Finding {
    let fact = FactName::Registration;
    let Some(registered) = profile.company.registration_date else {
        let text = "The day of its entry in the register is not known.";
        return finding(Answer::Unknown, fact, Basis::Unknown, text, None);
    };
    let text = format!("It was entered in the register on {registered}.");
    let source = profile.source_of("registrationDate");
    finding(Answer::of(Some(registered < day)), fact, Basis::Stated, text, source)
}

pub(super) fn not_bankrupt(profile: &Profile) -> Finding {
    if !profile.is_bankrupt() {
        return unremarkable();
    }
    let replaced = match profile.legal_form() {
        Some(SOLE_PROPRIETORSHIP) => "owner",
        Some(GENERAL_PARTNERSHIP | LIMITED_PARTNERSHIP) => "partners",
        Some(SWISS_BRANCH | FOREIGN_BRANCH) => "head office",
        _ => "bodies",
    };
    let text =
        format!("It is bankrupt: the bankruptcy administration acts in place of its {replaced}.");
    let source = profile.source_of("statusReason");
    finding(Answer::No, FactName::Dissolution, Basis::Stated, text, source)
}

pub(super) fn not_in_liquidation(profile: &Profile) -> Finding {
    if profile.company.status != Some(Status::BeingCancelled) || profile.is_bankrupt() {
        return not_bankrupt(profile);
    }
    let text = "It is in liquidation. Its bodies keep only the powers that the liquidation needs (CO 739); the liquidators notify \
                the court if it is over-indebted (CO 743), and at least one of them must live in Switzerland (CO 740).";
    finding(
        Answer::Unknown,
        FactName::Dissolution,
        Basis::Unknown,
        text,
        profile.source_of("status"),
    )
}

/// Years for which the books of a deleted company are kept (CO 747).
const YEARS_OF_BOOKS: i32 = 10;

pub(super) fn books_after_deletion(profile: &Profile) -> Finding {
    use StatusReason::{DeletedAfterLiquidation, Demerged, Merged};
    let company = profile.company;
    let fact = FactName::Register;
    if !profile.is_deleted() {
        return Finding { answer: Answer::No, ..registered(profile) };
    }
    let of = |answer, basis, text: String, member| {
        finding(answer, fact, basis, text, profile.source_of(member))
    };
    if let Some(Merged | Demerged) = company.status_reason {
        let text = "Another company took over its assets and books.".to_owned();
        return of(Answer::No, Basis::Stated, text, "statusReason");
    }
    let Some(deleted) = company.deletion_date else {
        let text = "It was deleted from the register; the day is not known.".to_owned();
        return of(Answer::Unknown, Basis::Unknown, text, "status");
    };
    let is_over =
        profile.day.checked_sub(YEARS_OF_BOOKS.years()).is_ok_and(|first| deleted <= first);
    match (is_over, company.status_reason) {
        (true, _) => {
            let text = format!("It was deleted on {deleted}, more than ten years ago.");
            of(Answer::No, Basis::Stated, text, "deletionDate")
        }
        (false, Some(DeletedAfterLiquidation)) => {
            let text = format!("It was deleted on {deleted}, after its liquidation.");
            of(Answer::Yes, Basis::Stated, text, "deletionDate")
        }
        (false, _) => {
            let text = format!(
                "It was deleted on {deleted}. Whether liquidators have to keep its books is not known."
            );
            of(Answer::Unknown, Basis::Unknown, text, "deletionDate")
        }
    }
}
