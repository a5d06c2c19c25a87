//! Dossiers: which evidence a text about a company rests on, the text that is composed from it, and the check of texts that
//! others write.
//!
//! Invariant: no I/O, no clock. The same facts give the same dossier. Whatever writes the text, a sentence stays in it only if
//! it holds against the rows that it cites.
//!
//! # How a dossier is made
//!
//! [`Facts`] about a company become numbered [`Row`]s: each is one sentence in the language of the dossier, with source,
//! reference, date and hash. Provisions of the catalogue of obligations are rows too. Together they are a [`Brief`]. A text model
//! gets the rows ([`Brief::prompt`]) and answers with sentences that end with tags, `[[obl:ev-3]]` or `[[obl:co-727]]`. The
//! writer that is built in joins the sentences of the rows ([`Brief::composed`]). [`Brief::checked`] resolves each tag, compares
//! numbers, dates, names and grave words with the cited rows, drops what does not hold, and adds the headings.
//!
//! Texts that anybody can influence (purposes, news) never reach a model: their rows are quoted by a sentence of ours, in
//! guillemets. In all other rows, what could be read as a tag is made harmless ([`clean`]).
//!
//! Reading order: `row`, `facts`, `brief`, `prompt`, `check`.

mod brief;
mod check;
mod facts;
mod prompt;
mod row;
mod terms;
#[cfg(test)]
mod tests;

pub use brief::{Brief, PROMPT_VERSION, Written};
pub use facts::{Facts, NewsItem};
pub use prompt::Prompt;
pub use row::{Row, Section, clean};
