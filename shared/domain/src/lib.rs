//! What the service talks about: companies, cantons, legal forms, tiers, and the rules that hold
//! between them.
//!
//! Invariant: no I/O, no clock, no HTTP. Everything here is decided by its arguments, so everything
//! here is tested without a fixture.
//!
//! | Read this | To learn |
//! |---|---|
//! | [`company`] | the record: every member the API answers |
//! | [`industry`] | what a company does, as far as its purpose tells |
//! | [`search`] | what a list of companies can be asked |
//! | [`changes`] | what happens to a company |
//! | [`history`] | all that happened to one company |
//! | [`persons`] | who runs it, and who is the same person |
//! | [`relations`] | which companies belong together, and by whom |
//! | [`graph`] | a company and what is around it, to be drawn |
//! | [`text`] | how names and filter values are folded before they are compared |

pub mod amount;
pub mod auditors;
pub mod cantons;
pub mod changes;
pub mod classification;
pub mod company;
pub mod comparison;
pub mod countries;
pub mod fingerprint;
pub mod graph;
pub mod history;
pub mod industry;
pub mod legal_forms;
pub mod noga;
pub mod persons;
pub mod quality;
pub mod relations;
pub mod search;
pub mod sentiment;
pub mod similarity;
pub mod text;
mod uid;

pub use amount::Amount;
pub use auditors::AuditorCategory;
pub use cantons::Canton;
pub use changes::{ChangeKind, Event};
pub use company::{Company, Provenance, Status};
pub use history::History;
pub use uid::{MalformedUid, Uid};
