//! What requests state about the subjects to screen, and how hits are shown: the same in every function that screens.

mod hits;
mod language;
mod request;

pub use hits::{
    Decision, EntityType, Hit, LimitedHits, ScreenedIdentifier, ScreeningResponse, ScreeningSummary,
};
pub use language::Language;
pub use request::{
    Country, GivenIdentifier, HitLimit, Identifiers, ScreeningRequest, Threshold, WantedSources,
};
