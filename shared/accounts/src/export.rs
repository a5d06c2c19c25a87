//! Exports: jobs that write many companies into one file.
//!
//! Invariants: one worker at a time writes the file of an export, the holder of its lease; an export that has ended never
//! changes again; whoever makes a change again, because its answer was lost, gets the state that it made.

mod job;
mod lease;

pub use job::{Export, ExportFormat, ExportRows, ExportStatus, ExportedFile, Lease};
pub use lease::{LAST_WRITE, LEASE, MAX_ATTEMPTS, RETENTION, Started, TIME_LIMIT};
