//! The codes of the set, and what the product calls them.

use domain::{
    ChangeKind, Company, Event,
    changes::LegalEvent,
    company::{AffiliationKind, StatusReason},
    text::fold,
};
use jiff::civil::Date;

/// The codes of an event of the product, for the company after it. A legal event without a code of the set has its own
/// code, which counts as wrong.
pub(crate) fn codes(event: &Event, company: &Company) -> Vec<&'static str> {
    let is_branch = company.affiliations.iter().any(|it| it.kind == AffiliationKind::HeadOffice);
    match event.legal_event {
        Some(LegalEvent::Entered) if is_branch => vec!["branch_entry"],
        Some(it) if is_branch && is_deletion(it) => vec!["branch_closed"],
        Some(it) if is_deletion(it) && company.status_reason == Some(StatusReason::Merged) => {
            vec!["deleted_merged"]
        }
        Some(it) => of_legal_event(it),
        None => of_change(event).into_iter().collect(),
    }
}

fn is_deletion(event: LegalEvent) -> bool {
    event.code().starts_with("deleted")
}

#[rustfmt::skip]
fn of_legal_event(event: LegalEvent) -> Vec<&'static str> {
    use LegalEvent as E;
    let code = match event {
        E::Entered => "entry",
        E::ReEntered | E::ReEnteredInLiquidation => "re_entered",
        E::SeatMoved => "seat_changed",
        E::SeatMovedIn => "seat_moved_in",
        E::SeatMovedOut | E::MovedAbroad => return vec!["seat_moved_out", "deleted_moved"],
        E::Converted => "conversion",
        E::BranchEntered => "branch_entry",
        E::BranchClosed => "branch_closed",
        E::NoDomicile | E::DissolvedWithoutDomicile => "no_domicile",
        E::DissolvedByResolution => "dissolved_by_resolution",
        E::DissolvedForDefect => "dissolved_731b",
        E::DissolutionRevoked => "dissolution_revoked",
        E::BankruptcyOpened => "bankruptcy_opened",
        E::BankruptcyRevoked => "bankruptcy_revoked",
        E::ProceedingsSuspended => "bankruptcy_suspended",
        E::ProceedingsClosed => "bankruptcy_closed",
        E::MoratoriumProvisional => "moratorium_provisional",
        E::MoratoriumDefinitive => "moratorium_definitive",
        E::MoratoriumExtended => "moratorium_extended",
        E::MoratoriumEnded => "moratorium_ended",
        E::CompositionConfirmed | E::CompositionWithAssignment => "composition",
        E::Absorbs | E::Combines => "merger_absorbing",
        E::IsAbsorbed => "merger_absorbed",
        E::SplitsUp | E::SpinsOff | E::ReceivesByDemerger => "demerger",
        E::TransfersAssets | E::ReceivesAssets => "asset_transfer",
        E::DeletedByMerger => "deleted_merged",
        E::DeletedAfterLiquidation | E::DeletedAfterBankruptcy | E::DeletedWithoutAssets
        | E::DeletedBySplitUp | E::DeletedBusinessCeased | E::DeletedExOfficio
        | E::DeletedOnApplication | E::Deleted => "deleted",
        // The set has no codes for them.
        E::LiquidationCompleted | E::NoAuditor | E::BoardEmptied | E::ControlPasses | E::SoleSignatory | E::MajorityPasses
        | E::PersonalDataChanged | E::BearerSharesConverted | E::BearerSharesCreated | E::SharesSplit | E::SharesConsolidated
        | E::CapitalBand | E::CapitalBandEnded | E::ConditionalCapital | E::ConditionalCapitalEnded | E::Contribution
        | E::BranchClosureBlocked | E::DeletionBlocked => return Vec::new(),
        E::DomicileRestored | E::DissolvedByCourt | E::BankruptcyStayed | E::BankruptcyPostponed
        | E::BankruptcyPostponementEnded | E::ProceedingsResumed | E::MoratoriumGranted => event.code(),
    };
    vec![code]
}

/// The code of an event that is no legal event. Events about auditors are compared as tenures.
fn of_change(event: &Event) -> Option<&'static str> {
    let field = event.field.as_deref().unwrap_or_default();
    Some(match (event.kind, field) {
        (ChangeKind::NameChange, _) if is_addition_only(event) => return None,
        (ChangeKind::NameChange, _) => "name_changed",
        (ChangeKind::AddressChange, _) => "address_changed",
        (ChangeKind::PurposeChange, _) => "purpose_changed",
        (ChangeKind::CapitalChange, "shareCapital" | "participationCapital") => "capital_changed",
        (ChangeKind::AuditOptOut, _) if event.new_value.as_deref() == Some("true") => "opting_out",
        (ChangeKind::StatutesChange, _) => "statutes_changed",
        (ChangeKind::Correction, _) => "correction",
        (ChangeKind::Merger, "demerger") => "demerger",
        (ChangeKind::Merger, "assetTransfer") => "asset_transfer",
        _ => return None,
    })
}

/// Whether only the addition "in liquidation" is new in the name, or gone from it.
fn is_addition_only(event: &Event) -> bool {
    let plain = |name: &str| {
        let name = fold(name);
        #[rustfmt::skip]
        const ADDITIONS: [&str; 6] = [
            " in liquidation", " en liquidation", " in liquidazione", " in nachlassliquidation",
            " en liquidation concordataire", " in liquidazione concordataria",
        ];
        let addition = ADDITIONS.iter().find_map(|it| name.strip_suffix(it));
        addition.map(str::to_owned).unwrap_or(name)
    };
    let new = event.new_value.as_deref().map(plain);
    let former = event.old_value.as_deref().unwrap_or(&event.company_name);
    new == Some(plain(former))
}

/// The date of the decision of a court or an authority. Resolutions of the company itself have no such date.
pub(crate) fn decisions(event: &Event) -> Option<Date> {
    let of_company = [LegalEvent::DissolvedByResolution, LegalEvent::DissolutionRevoked];
    event.decision_date.filter(|_| event.legal_event.is_some_and(|it| !of_company.contains(&it)))
}
