use domain::changes::LegalEvent;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::FactorKind;

/// What an observation says about the condition of its factor: `adverse` makes it more probable, `mitigating` less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[schema(as = RiskEvidenceDirection)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Makes the condition more probable.
    Adverse,
    /// Makes the condition less probable.
    Mitigating,
}

/// Half-lives of events, in days.
const ONE_YEAR: Option<u32> = Some(365);
const TWO_YEARS: Option<u32> = Some(730);
const THREE_YEARS: Option<u32> = Some(1096);
/// A state that holds on the day of the assessment does not lose weight.
const STATE: Option<u32> = None;

macro_rules! signs {
    ($($name:ident $code:tt $factor:ident $direction:ident $weight:literal $half_life:ident $meaning:literal)*) => {
        /// Sign that is observed about a company. `GET /v1/methodology/risk` lists every sign with its meaning,
        /// direction and weight.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
        #[schema(as = RiskSign)]
        pub enum Sign {
            $(#[doc = $meaning] #[serde(rename = $code)] $name,)*
        }

        impl Sign {
            /// Every sign.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Name in responses.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$name => $code),* }
            }

            /// The factor to which it belongs.
            pub const fn factor(self) -> FactorKind {
                match self { $(Self::$name => FactorKind::$factor),* }
            }

            /// What it says about the condition of the factor.
            pub const fn direction(self) -> Direction {
                match self { $(Self::$name => Direction::$direction),* }
            }

            /// Weight on its day, as a number of observations of the Beta-Bernoulli model. Our judgement, unless the
            /// documentation says that it follows from a published rate.
            pub const fn weight(self) -> f64 {
                match self { $(Self::$name => $weight),* }
            }

            /// Days after which an event has half of its weight. `None` for a state, which keeps its weight as long as it
            /// holds.
            pub const fn half_life_days(self) -> Option<u32> {
                match self { $(Self::$name => $half_life),* }
            }

            /// What was observed.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$name => $meaning),* }
            }
        }
    };
}

signs! {
    CircularOwnership "circular_ownership" OwnershipOpacity Adverse 3.0 STATE "Companies above this one own each other."
    ContradictoryShares "contradictory_shares" OwnershipOpacity Adverse 1.0 STATE "Known shares exceed the capital, or a circle of owners is closed."
    Pyramid "pyramid" OwnershipOpacity Adverse 1.0 STATE "Somebody controls the company through companies that are owned only partly."
    WithheldParent "withheld_parent" OwnershipOpacity Adverse 2.0 STATE "The company or an owner reported to GLEIF that it does not disclose its parent."
    CareOfAddress "care_of_address" OwnershipOpacity Adverse 0.5 STATE "The company or an owner has a `c/o` address."
    OwnerAtSharedAddress "owner_at_shared_address" OwnershipOpacity Adverse 0.5 STATE "An owner has an address of many companies."
    OwnersVisible "owners_visible" OwnershipOpacity Mitigating 3.0 STATE "Natural persons are known to whom at least 75 % of the company belong in the end."

    Sanctioned "sanctioned" Listings Adverse 40.0 STATE "The company or an owner is on a sanctions list, and its identity is confirmed."
    SanctionedOfficer "sanctioned_officer" Listings Adverse 20.0 STATE "An officer is on a sanctions list, and the identity is confirmed."
    Warned "warned" Listings Adverse 10.0 STATE "The company, an owner or an officer is on a list of warnings of a supervisor, and the identity is confirmed."
    PoliticallyExposed "politically_exposed" Listings Adverse 1.0 STATE "An owner or an officer is a politically exposed person, and the identity is confirmed."
    AssociateOfExposed "associate_of_exposed" Listings Adverse 0.5 STATE "An owner or an officer is a relative or close associate of a politically exposed person, and the identity is confirmed."
    PossibleSanction "possible_sanction" Listings Adverse 2.0 STATE "A name resembles one on a sanctions list; the identity is not confirmed."
    PossibleWarning "possible_warning" Listings Adverse 1.0 STATE "A name resembles one on a list of warnings; the identity is not confirmed."
    PossibleExposure "possible_exposure" Listings Adverse 0.2 STATE "A name resembles that of a politically exposed person or associate; the identity is not confirmed."

    OwnerFromCallForAction "owner_from_call_for_action" Geography Adverse 20.0 STATE "An owner is in a country for which the FATF calls for action."
    OfficerFromCallForAction "officer_from_call_for_action" Geography Adverse 5.0 STATE "An officer lives in a country for which the FATF calls for action."
    OwnerFromIncreasedMonitoring "owner_from_increased_monitoring" Geography Adverse 3.0 STATE "An owner is in a country under increased monitoring by the FATF."
    OfficerFromIncreasedMonitoring "officer_from_increased_monitoring" Geography Adverse 1.0 STATE "An officer lives in a country under increased monitoring by the FATF."

    Hospitality "hospitality" Industry Adverse 0.3613 STATE "The company runs hotels or restaurants, which become insolvent 2.2 times as often as the average company."
    ExposedIndustry "exposed_industry" Industry Adverse 0.5 STATE "The industry is one that FATF Recommendation 22 names as exposed to money laundering."
    Supervised "supervised" Industry Mitigating 5.0 STATE "FINMA has authorised the company and supervises it."

    OptedOut "opted_out" Audit Adverse 100.0 STATE "The company waived the limited audit."
    AuditorLeft "auditor_left" Audit Adverse 2.0 STATE "The last known auditor left, and no other is known, although the company did not waive the audit."
    AuditorEnded "auditor_ended" Audit Adverse 0.5 TWO_YEARS "An auditor left."
    LongTenure "long_tenure" Audit Adverse 0.2 STATE "The same firm has audited the company for more than seven years. An indicator, not a breach: only the lead auditor of an ordinary audit must rotate."
    Audited "audited" Audit Mitigating 100.0 STATE "The company has an auditor."

    Departure "departure" Board Adverse 0.3 ONE_YEAR "A member of the board or the management left."
    NoBoard "no_board" Board Adverse 3.0 STATE "All known members of the board have left."
    ManyMandates "many_mandates" Board Adverse 1.0 STATE "An officer has twenty or more mandates in other companies."
    StableBoard "stable_board" Board Mitigating 2.0 STATE "No member of the board or the management has left for five years."

    Moved "moved" Address Adverse 0.5 TWO_YEARS "The address or the seat changed."
    SharedAddress "shared_address" Address Adverse 2.0 STATE "Twenty or more other companies have the same address. Full weight from one hundred."
    StableAddress "stable_address" Address Mitigating 2.0 STATE "The address has not changed for five years."

    LeastCapital "least_capital" Capital Adverse 0.1 STATE "The capital is at most the least that the law requires of a new company of the legal form."
    CapitalReduced "capital_reduced" Capital Adverse 0.5 THREE_YEARS "The capital was reduced."
    CapitalIncreased "capital_increased" Capital Mitigating 1.0 THREE_YEARS "The capital was increased."

    Insolvent "insolvent" Status Adverse 100.0 STATE "The company is bankrupt, is liquidated by a composition agreement, or was deleted after a bankruptcy or without assets."
    Moratorium "moratorium" Status Adverse 40.0 STATE "The company has a moratorium, or its bankruptcy is postponed."
    DissolvedForDefect "dissolved_for_defect" Status Adverse 20.0 STATE "The company was dissolved for a defect in its organisation or because it has no domicile, or was deleted ex officio."
    DissolvedByCourt "dissolved_by_court" Status Adverse 10.0 STATE "A court dissolved the company for another reason."
    Ending "ending" Status Adverse 5.0 STATE "The company is in liquidation, or was deleted for a reason other than a merger, a demerger or a move abroad."
    InsolvencyEvent "insolvency_event" Status Adverse 5.0 THREE_YEARS "A bankruptcy or a moratorium was published, and the bankruptcy was not revoked."
    DefectEvent "defect_event" Status Adverse 3.0 THREE_YEARS "A defect in the organisation was published, and not repaired: no domicile, or a dissolution for a defect."
    ReEntered "re_entered" Status Adverse 3.0 THREE_YEARS "The company was entered again after its deletion."
    ShelfCompany "shelf_company" Status Adverse 1.0 THREE_YEARS "Name, purpose and officers changed on one day, at least a year after the entry, as when a shelf company is sold."
    Young "young" Status Adverse 0.5 STATE "The company has been registered for less than two years."
    LongStanding "long_standing" Status Mitigating 5.0 STATE "The company has been registered for ten years or more and is active without a moratorium."
}

impl Sign {
    /// The sign that a legal event is, if it is one.
    pub fn of_event(event: LegalEvent) -> Option<Self> {
        match event {
            LegalEvent::BankruptcyOpened
            | LegalEvent::BankruptcyPostponed
            | LegalEvent::MoratoriumGranted
            | LegalEvent::MoratoriumProvisional
            | LegalEvent::MoratoriumDefinitive
            | LegalEvent::MoratoriumExtended
            | LegalEvent::CompositionConfirmed
            | LegalEvent::CompositionWithAssignment => Some(Self::InsolvencyEvent),
            LegalEvent::NoDomicile
            | LegalEvent::DissolvedForDefect
            | LegalEvent::DissolvedWithoutDomicile => Some(Self::DefectEvent),
            LegalEvent::ReEntered | LegalEvent::ReEnteredInLiquidation => Some(Self::ReEntered),
            _ => None,
        }
    }

    /// Weight at this age in days: half after each half-life. An age below 0 counts as 0.
    pub fn weight_at_age(self, days: i32) -> f64 {
        match self.half_life_days() {
            Some(half_life) => {
                self.weight() * (-f64::from(days.max(0)) / f64::from(half_life)).exp2()
            }
            None => self.weight(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weight_of_an_event_halves_with_each_half_life() {
        assert_eq!(Sign::Departure.weight_at_age(0), 0.3);
        assert_eq!(Sign::Departure.weight_at_age(365), 0.15);
        assert_eq!(Sign::Departure.weight_at_age(-5), 0.3);
        assert_eq!(Sign::Insolvent.weight_at_age(10_000), 100.0, "a state");
    }

    #[test]
    fn every_factor_has_an_adverse_sign_and_every_weight_is_positive() {
        for factor in FactorKind::ALL {
            let of_factor = |it: &&Sign| it.factor() == factor;
            let adverse = |it: &Sign| it.direction() == Direction::Adverse;
            assert!(Sign::ALL.iter().filter(of_factor).any(adverse), "{factor:?}");
        }
        for sign in Sign::ALL {
            assert!(sign.weight() > 0.0 && sign.weight().is_finite(), "{sign:?}");
            assert_eq!(serde_json::to_value(sign).expect("json"), sign.code());
        }
    }
}
