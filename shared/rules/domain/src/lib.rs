//! The types and rules of the commercial register: companies, cantons, legal forms, changes, persons.
//!
//! Invariant: no I/O, no clock, no HTTP. Every result depends on the arguments only.
//!
//! | Module | Contents |
//! |---|---|
//! | [`company`] | the company record with every member that the API returns |
//! | [`industry`] | classification of a company by the words of its purpose |
//! | [`search`] | query parameters of the list operations |
//! | [`collation`] | the alphabetical order of names |
//! | [`choice`] | values of a fixed list, as requests name them |
//! | [`invalid_input`] | what is wrong with the values of a request, in the words of this service |
//! | [`contradictions`] | pairs of values that exclude each other |
//! | [`parameters`] | reading these parameters from a query, a path or a JSON object |
//! | [`changes`] | kinds of change, and one event of one company |
//! | [`erased`] | what stands for a company or a person that was erased |
//! | [`events`] | changes as CloudEvents |
//! | [`history`] | all events, mandates and audits of one company |
//! | [`persons`] | officers, their mandates, and the rules by which persons are identified |
//! | [`relationships`] | related companies: offices, mergers, groups, shared officers |
//! | [`graph`] | a company with its officers and related companies as a graph |
//! | [`lists`] | entries of screening lists: sanctions, politically exposed persons, warnings, licences |
//! | [`names`] | the names of a company and its officers, for screening |
//! | [`media`] | sentiment and topics of a news item |
//! | [`terms`] | the names of the terms of the register in four languages |
//! | [`typography`] | the typography that tests of texts check |
//! | [`wording`] | sentences, numbers, dates and lists in four languages |
//! | [`text`] | normalisation of names and filter values before they are compared |

pub mod additions;
pub mod amount;
pub mod auditors;
pub mod cantons;
pub mod changes;
pub mod characters;
pub mod choice;
pub mod classification;
pub mod collation;
pub mod company;
pub mod comparison;
pub mod contradictions;
pub mod countries;
pub mod erased;
pub mod events;
pub mod fingerprint;
pub mod graph;
pub mod history;
pub mod industry;
pub mod invalid_input;
mod isin;
mod language;
pub mod legal_forms;
mod lei;
pub mod lists;
pub mod media;
pub mod names;
pub mod noga;
pub mod owners;
pub mod parameters;
mod percentile;
pub mod persons;
pub mod places;
mod provenance;
pub mod relationships;
pub mod search;
pub mod similar_companies;
mod source;
pub mod statements;
pub mod terms;
pub mod text;
pub mod typography;
mod uid;
pub mod wording;

pub use amount::Amount;
pub use auditors::AuditorCategory;
pub use cantons::Canton;
pub use changes::{ChangeKind, Event};
pub use company::{Company, Status};
pub use history::History;
pub use isin::{Isin, MalformedIsin};
pub use language::{Language, WantedLanguage};
pub use lei::{Lei, MalformedLei};
pub use percentile::percentile;
pub use provenance::Provenance;
pub use source::{DEMO, LOCALITIES, Source, UnknownSource};
pub use uid::{GivenUid, MalformedUid, Uid};
