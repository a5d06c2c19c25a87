//! Exports: jobs that write many companies into one file.
//!
//! Invariants: one worker at a time writes the file of an export, the holder of its lease; an export that has ended never
//! changes again; repeating a change, because its answer was lost, returns the state it produced.

mod job;
mod lease;

pub use job::{Export, ExportFormat, ExportRows, ExportStatus, ExportedFile, Lease};
pub use lease::{LAST_WRITE, LEASE, MAX_ATTEMPTS, RETENTION, Started, TIME_LIMIT};
