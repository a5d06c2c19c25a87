//! Writes the files of exports.
//!
//! Invariants: all rows of a file are from one generation, and exactly those that the export asks for; the file can be read
//! once it is complete, and never before; at the end there is one object for a completed export and none for another, and no
//! upload is open, wherever workers are killed; every export ends.
//!
//! A worker writes under a key of its own and while it has the lease of the export ([`teams::export`]). Completing the export
//! names the object: what other workers have left is deleted.
//!
//! | Read this | To learn |
//! |---|---|
//! | `worker` | what a job does: lease, progress, end |
//! | `rows` | which records an export has |
//! | `file` | how rows become the bytes of a format |
//! | `upload` | how bytes become an object, in parts |
//! | `profiles` | the rows with board and timeline |
//! | `sweep` | how exports continue whose worker was killed, and how they are deleted |
//! | `error` | why a file was not written, in words for the team |

mod error;
mod file;
mod profiles;
mod rows;
mod sweep;
mod upload;
mod worker;

pub use error::Error;
pub use spreadsheet::ROWS_PER_GROUP;
pub use upload::PART;
pub use worker::Worker;
