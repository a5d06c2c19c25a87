//! What requests state about the subjects to screen, and how hits are shown: the same in every function that screens.

mod demo;
mod hits;
mod language;
mod request;
mod response;

pub use demo::{notice, notice_of};
pub use hits::{Decision, EntityType, Hit, LimitedHits};
pub use language::Language;
pub use request::{
    Country, GivenIdentifier, HitLimit, Identifiers, ScreeningRequest, Threshold, WantedSources,
};
pub use response::{ScreenedIdentifier, ScreeningResponse, ScreeningSummary};
