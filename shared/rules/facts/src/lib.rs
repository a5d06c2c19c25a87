//! Facts: what the sources state about a company, with provenance, and the fold of facts into a company record.
//!
//! Invariants: no I/O, no clock and no file formats. Facts are made from `statements`, which the readers produce.
//!
//! | Item | Content |
//! |---|---|
//! | [`Fact`] | What a source states about one company on one day |
//! | [`fold`](fold()) | How facts become the record |
//! | [`takeovers`](takeovers()) | What a publication states about other companies |
//! | [`is_known`] | Which facts contain nothing new |
//! | [`erasures`] | What was erased from the register, and how it is removed from what others state |
//! | [`latest_disclosures`] | Which disclosures of shareholders count |

pub mod erasures;
mod fact;
mod fold;
mod known;
mod notice;
mod provenance;
mod shareholdings;
mod takeovers;

pub use fact::{Fact, facts};
pub use fold::{CompanyAsOf, ParsedFacts, fold, fold_with_history};
pub use known::{is_known, without_repetitions};
pub use shareholdings::latest_disclosures;
pub use takeovers::{MAX_TAKEOVERS, takeovers};
