//! What stands for a company or a person that was erased from this service, in every language.
//!
//! Parsers of notices read it as a name, so that what is stated about others is still understood.

/// Stands for the name of a company. Its number is [`Uid::ERASED`](crate::Uid::ERASED).
pub const ERASED_COMPANY: &str = "ERASED COMPANY";
/// Stands for the name of a person.
pub const ERASED_PERSON: &str = "ERASED PERSON";
