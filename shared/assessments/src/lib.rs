//! Reads what assessments of a company need, and assesses its risk. Every function that shows owners or a risk uses it, so
//! that all show the same.
//!
//! Invariant: no clock. Who owns a company, and how risky it is, depends on the registry, the indexes and the day that the
//! caller passes.
//!
//! | Module | Content |
//! |---|---|
//! | `subject` | A company on a day, with the sources of its record |
//! | [`owners`] | The companies above a company, level by level, and what the sources state about them |
//! | `risk` | The risk of a company |

pub mod owners;
mod risk;
mod subject;

pub use owners::{Owners, Reader};
pub use risk::assess_risk;
pub use subject::Subject;
