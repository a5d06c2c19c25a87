//! Facts: what the sources state of a company, with provenance, and the fold of facts into a record.
//!
//! Invariant: no I/O and no clock, and no format of a file: facts are made of `statements`, whoever read them.
//!
//! | Read this | To learn |
//! |---|---|
//! | [`Fact`] | what a source states of one company on one day |
//! | [`fold`](fold()) | how facts become the record |
//! | [`takeovers`](takeovers()) | what a publication says of other companies |
//! | [`is_known`] | which facts say nothing new |

mod fact;
mod fold;
mod known;
mod provenance;
mod takeovers;

pub use fact::{Fact, facts};
pub use fold::{Past, fold, fold_until, fold_with_history};
pub use known::{is_known, without_repetitions};
pub use takeovers::{MOST_TAKEN_OVER, takeovers};
