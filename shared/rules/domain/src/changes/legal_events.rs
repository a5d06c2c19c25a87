//! Legal events: what happened to a company, and how severe that is.

use serde::{Deserialize, Serialize};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};

use super::Severity;

macro_rules! legal_events {
    ($($name:ident $code:literal $severity:ident $meaning:literal)*) => {
        /// What happened, where the change type alone does not say how grave it is: one row of the table below.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum LegalEvent {
            $(#[doc = $meaning] #[serde(rename = $code)] $name,)*
        }

        impl LegalEvent {
            /// Every legal event, from entry to deletion.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Name in requests and responses.
            pub fn code(self) -> &'static str {
                match self { $(Self::$name => $code),* }
            }

            /// What happened, in one clause.
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$name => $meaning),* }
            }

            /// Importance for business partners. The rule, our own choice:
            ///
            /// - `critical`: creditors can no longer collect their claims individually, now or soon.
            /// - `high`: the company ends, may end, or has a defect for which a court can dissolve it; others control it.
            /// - `medium`: a proceeding ends, or the company ends in order; it returns or moves to another register; its owners,
            ///   or what they pay for their shares, become known or less known.
            /// - `low`: formal consequences of what was published before, what may happen later, branches, and data of persons
            ///   whose rights stay.
            pub fn severity(self) -> Severity {
                match self { $(Self::$name => Severity::$severity),* }
            }
        }
    };
}

legal_events! {
    Entered "entered" Low "The company is entered in the register."
    ReEntered "re_entered" Medium "The company is entered again after a deletion."
    ReEnteredInLiquidation "re_entered_in_liquidation" High "The company is entered again after a deletion, to be liquidated."
    SeatMoved "seat_moved" Medium "The seat moves."
    SeatMovedIn "seat_moved_in" Medium "The company comes from the register of another canton."
    SeatMovedOut "seat_moved_out" Low "The register of the former canton deletes its entry because the seat has moved; the company stays registered."
    MovedAbroad "moved_abroad" High "The seat moves abroad, and the company is deleted."
    Converted "converted" Medium "The legal form changes."
    BranchEntered "branch_entered" Low "A branch of the company is entered."
    BranchClosed "branch_closed" Low "A branch of the company is deleted."
    NoDomicile "no_domicile" High "The company has no legal domicile, which is a defect in its organisation."
    DomicileRestored "domicile_restored" Medium "The company has a legal domicile again."
    NoAuditor "no_auditor" High "The company has no auditor, although it has not waived the audit, which is a defect in its organisation."
    BoardEmptied "board_emptied" High "No manager or signatory is registered any more, which is a defect in the organisation of the company."
    ControlPasses "control_passes" High "All persons who could sign for the company leave or lose their signature, and others can sign for it."
    SoleSignatory "sole_signatory" High "A person who could sign only with others is now the only one who can sign for the company, and alone."
    MajorityPasses "majority_passes" High "More than half of the capital of a limited liability company passes to another holder."
    PersonalDataChanged "personal_data_changed" Low "Name, origin or residence of a person change; function, signature and shares stay."
    BearerSharesConverted "bearer_shares_converted" Medium "Bearer shares become registered shares (art. 622 of the Code of Obligations)."
    BearerSharesCreated "bearer_shares_created" Medium "Registered shares become bearer shares, whose holders the company need not know."
    SharesSplit "shares_split" Low "Shares are split; the capital stays."
    SharesConsolidated "shares_consolidated" Low "Shares are consolidated; the capital stays."
    CapitalBand "capital_band" Low "The articles introduce or change a capital band (art. 653s of the Code of Obligations), or authorised capital (art. 651 until 2022)."
    CapitalBandEnded "capital_band_ended" Low "A capital band, or authorised capital, ends."
    ConditionalCapital "conditional_capital" Low "The articles introduce or change conditional capital (art. 653 of the Code of Obligations)."
    ConditionalCapitalEnded "conditional_capital_ended" Low "Conditional capital ends."
    Contribution "contribution" Medium "Shares are paid for in kind, or the company acquires assets from its shareholders (art. 634 of the Code of Obligations)."
    BranchClosureBlocked "branch_closure_blocked" Medium "A branch is to be deleted, but something is missing, such as the consent of the tax authorities."
    DeletionBlocked "deletion_blocked" Medium "The company is to be deleted, but something is missing, such as the consent of the tax authorities."
    DissolvedByResolution "dissolved_by_resolution" High "The company is dissolved by a resolution and enters liquidation."
    DissolvedByCourt "dissolved_by_court" High "A court dissolves the company, for a reason other than a defect in its organisation."
    DissolvedForDefect "dissolved_for_defect" High "A court dissolves the company for a defect in its organisation (art. 731b of the Code of Obligations). The liquidation follows the rules on bankruptcy, but the company is not bankrupt."
    DissolvedWithoutDomicile "dissolved_without_domicile" High "The register office dissolves the company because it has no legal domicile (former art. 153b of the Commercial Register Ordinance)."
    DissolutionRevoked "dissolution_revoked" Medium "The dissolution is revoked or has lapsed."
    LiquidationCompleted "liquidation_completed" Medium "The liquidation is completed; the company is not deleted yet."
    BankruptcyOpened "bankruptcy_opened" Critical "Bankruptcy proceedings are opened."
    BankruptcyRevoked "bankruptcy_revoked" Medium "The bankruptcy is revoked."
    BankruptcyStayed "bankruptcy_stayed" High "An appeal against the bankruptcy has suspensive effect."
    BankruptcyPostponed "bankruptcy_postponed" Critical "A court postpones the bankruptcy (former art. 725a of the Code of Obligations)."
    BankruptcyPostponementEnded "bankruptcy_postponement_ended" Medium "The postponement of the bankruptcy ends."
    ProceedingsSuspended "proceedings_suspended" High "The proceedings are suspended for lack of assets (art. 230 of the Debt Enforcement and Bankruptcy Act)."
    ProceedingsResumed "proceedings_resumed" High "Suspended proceedings are resumed."
    ProceedingsClosed "proceedings_closed" Medium "The bankruptcy or liquidation proceedings are closed."
    MoratoriumGranted "moratorium_granted" Critical "A moratorium is granted; the publication does not state whether it is provisional."
    MoratoriumProvisional "moratorium_provisional" Critical "A provisional moratorium is granted."
    MoratoriumDefinitive "moratorium_definitive" Critical "A definitive moratorium is granted."
    MoratoriumExtended "moratorium_extended" Critical "A moratorium is extended."
    MoratoriumEnded "moratorium_ended" Medium "A moratorium ends or is revoked."
    CompositionConfirmed "composition_confirmed" High "A court confirms a composition agreement."
    CompositionWithAssignment "composition_with_assignment" Critical "A court confirms a composition agreement with assignment of assets: the company is liquidated."
    Absorbs "absorbs" High "The company takes over another one by merger."
    IsAbsorbed "is_absorbed" High "Another company takes over this one by merger."
    Combines "combines" High "The company is founded by a merger of others."
    SplitsUp "splits_up" High "The company transfers all its assets to others by demerger and ends."
    SpinsOff "spins_off" High "The company transfers a part of its assets to another one by demerger."
    ReceivesByDemerger "receives_by_demerger" High "The company takes over assets of another one by demerger."
    TransfersAssets "transfers_assets" High "The company transfers assets to another one."
    ReceivesAssets "receives_assets" High "The company takes over assets of another one."
    DeletedAfterLiquidation "deleted_after_liquidation" Medium "The company is deleted after its liquidation."
    DeletedAfterBankruptcy "deleted_after_bankruptcy" Medium "The company is deleted after its bankruptcy was closed."
    DeletedWithoutAssets "deleted_without_assets" High "The company is deleted because it has no assets."
    DeletedByMerger "deleted_by_merger" Medium "The company is deleted because another one took it over."
    DeletedBySplitUp "deleted_by_split_up" Medium "The company is deleted because it was split up."
    DeletedBusinessCeased "deleted_business_ceased" High "The company is deleted because its business has ceased or has passed to someone else."
    DeletedExOfficio "deleted_ex_officio" High "The company is deleted ex officio."
    DeletedOnApplication "deleted_on_application" High "The company is deleted on application."
    Deleted "deleted" High "The company is deleted; the publication states no reason."
}

impl LegalEvent {
    /// Whether the entry of a company ends because it goes on, in another company, canton or country: the deletion is then no
    /// dissolution.
    pub fn goes_on_elsewhere(self) -> bool {
        matches!(
            self,
            Self::DeletedByMerger | Self::DeletedBySplitUp | Self::MovedAbroad | Self::SeatMovedOut
        )
    }
}

impl PartialSchema for LegalEvent {
    fn schema() -> RefOr<Schema> {
        let mut description = "Legal event: what happened, more precisely than the change type. `board_emptied`, \
            `control_passes`, `sole_signatory` and `no_auditor` compare a publication with the company's earlier ones, from its entry \
            on, and are left out if one of them is missing or was not recognised with certainty. The severity is in parentheses."
            .to_owned();
        for event in Self::ALL {
            let severity = event.severity().name();
            description.push_str(&format!(" `{}` ({severity}): {}", event.code(), event.meaning()));
        }
        let text = ObjectBuilder::new().schema_type(Type::String);
        let codes = Self::ALL.iter().map(|it| it.code());
        text.enum_values(Some(codes)).description(Some(description)).into()
    }
}

impl ToSchema for LegalEvent {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serialised_event_is_its_code() {
        for event in LegalEvent::ALL {
            assert_eq!(serde_json::to_value(event).expect("json"), event.code());
        }
    }

    #[test]
    fn severity_follows_from_what_happened() {
        for (event, severity) in [
            (LegalEvent::BankruptcyOpened, Severity::Critical),
            (LegalEvent::MoratoriumProvisional, Severity::Critical),
            (LegalEvent::DissolvedForDefect, Severity::High),
            (LegalEvent::ProceedingsClosed, Severity::Medium),
            (LegalEvent::DeletedAfterLiquidation, Severity::Medium),
            (LegalEvent::SeatMovedOut, Severity::Low),
        ] {
            assert_eq!(event.severity(), severity, "{event:?}");
        }
    }
}
