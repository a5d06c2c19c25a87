//! Screening: whether a subject is one of a list, as a score with an explanation.
//!
//! Invariant: no I/O and no clock; a comparison depends on both subjects and [`ALGORITHM`] only, and takes bounded
//! time for texts of any length.
//!
//! Reading order: `subject` (input), `words`, `token` and `roles` (a name becomes words with roles), `similarity` and `align`
//! (which words agree), `name_score`, `evidence`, `score`.

mod align;
mod alphabets;
mod asides;
mod candidates;
mod consonants;
mod edits;
mod evidence;
mod explanation;
mod keys;
mod legal_forms;
mod name;
mod name_score;
mod numbers;
mod omitted;
mod phrases;
mod prepared;
mod roles;
mod romanisation;
mod score;
mod similarity;
mod sound;
mod subject;
mod tables;
mod texts;
mod token;
mod transcription;
mod transliteration;
mod vocabulary;
mod words;

pub use candidates::{Candidates, MAX_CANDIDATES};
pub use explanation::{Explained, Explanation, Feature, explain};
pub use keys::keys;
pub use prepared::Prepared;
pub use score::{Comparison, RiskLevel, compare, compare_all};
pub use subject::{Identifier, Kind, Name, PartialDate, Subject};
pub use texts::Text;

/// The version of the algorithm and its vocabulary. The same subjects have the same result with the same version.
pub const ALGORITHM: &str = "gotthard-names-14";

/// The lowest score that is a match.
pub const THRESHOLD: f64 = 0.7;
