//! Legal events: what happened to a company, and how severe that is.

use serde::{Deserialize, Serialize};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};

use super::Severity;

macro_rules! legal_events {
    ($($name:ident $code:literal $severity:ident $meaning:literal)*) => {
        /// What a publication states about the existence of a company: one row of the table below.
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
            /// - `high`: the company ends, may end, or has a defect for which a court can dissolve it.
            /// - `medium`: a proceeding ends, or the company ends in order; it returns or moves to another register.
            /// - `low`: formal consequences of what was published before, and branches.
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

impl PartialSchema for LegalEvent {
    fn schema() -> RefOr<Schema> {
        let mut description = "Legal event: what the publication states about the existence of the company, its proceedings \
            or mergers. Its severity is in brackets."
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
