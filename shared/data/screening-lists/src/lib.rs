//! Published versions of the screening lists, and names compared with them.
//!
//! A list is published as a whole, one version after another; earlier versions are kept, so that a screening can be
//! repeated on the version that it used. A process opens only the lists it needs.
//!
//! Invariant: an incomplete version is never opened (crate `published`).
//!
//! | Object | What it is |
//! |---|---|
//! | `screening/{list}/current.json` | id of the current version |
//! | `screening/{list}/versions/{id}/version.json` | which file was read, number of entries, size and SHA-256 of the entries |
//! | `screening/{list}/versions/{id}/entries.jsonl.gz` | the entries in force, one [`ListEntry`](domain::lists::ListEntry) a line |
//!
//! | Module | Contents |
//! |---|---|
//! | [`version`](PublishedVersion) | the description of a version; publishes versions |
//! | [`writer`](EntriesWriter) | writes the entries of a new version to a file |
//! | [`stored`](StoredEntries) | the entries of a version, downloaded |
//! | [`open`](OpenList) | a version in memory |
//! | [`browse`](OpenList::browse) | the entries of a list by name, with filters |
//! | `browsed` | what an entry is filtered by |
//! | [`changes`](Changes) | the entries that differ between two versions |
//! | [`search`](Search) | compares a subject with a list |
//! | [`lists`](ScreeningLists) | the lists that a process has open |
//! | [`sources`](selected) | the sources that a request may name |
//! | [`retention`](Retention) | how long evidence is kept |
//! | [`screen`](ScreeningLists::screen) | from a query to the evidence of a screening |

mod browse;
mod browsed;
mod changes;
mod lists;
mod open;
mod retention;
mod screen;
mod search;
mod sources;
mod stored;
mod subject;
mod version;
mod writer;

pub use browse::Browse;
pub use changes::{Changes, LastChanges};
pub use lists::{ListsUnavailable, ScreeningLists};
pub use open::OpenList;
pub use published::Error;
pub use retention::{InvalidRetention, Retention};
pub use search::{Found, Hit, Search};
pub use sources::{SourcesChecked, selected};
pub use stored::StoredEntries;
pub use subject::subject_of;
pub use version::{PublishedVersion, Unread, current, publish};
pub use writer::EntriesWriter;
