//! What the screening lists say about every company of the register: published by a worker, read by functions.
//!
//! For each list, all companies, officers and parents of one generation are compared with one version of the list. The result
//! is an artefact with its own pointer, because one update of a list would otherwise write hundreds of thousands of records.
//!
//! Invariant: an incomplete result is never read, and an older result never replaces a newer one (crate `published`). The parts of
//! a run depend on generation, version and algorithm only, so a part that exists need not be computed again.
//!
//! | Object | What it is |
//! |---|---|
//! | `screening/{list}/2/companies/current.json` | the current result ([`Published`]) |
//! | `screening/{list}/2/companies/running.json` | when the run that is under way stored its last part |
//! | `screening/{list}/2/companies/{id}/parts/{part}` | a part of a run, which has not ended or has been published |
//! | `screening/{list}/2/companies/{id}/numbers.zst` | the numbers of the companies that were compared, in ascending order |
//! | `screening/{list}/2/companies/{id}/fingerprints.zst` | for each of them, a hash of the names that were compared |
//! | `screening/{list}/2/companies/{id}/hits.jsonl.zst` | the companies with hits or parents, one [`ScreenedCompany`] a line |
//!
//! | Module | Contents |
//! |---|---|
//! | [`result`](Published) | what a result states |
//! | `files` | where results are stored, and the content of the files |
//! | [`run`](Run) | writes the parts of a run, and publishes its result |
//! | [`earlier`](EarlierResult) | the result before, from which the next one follows |
//! | [`screened`](ScreenedCompanies) | what a function looks up |
//! | [`reader`](CompanyScreenings) | keeps the current results of all lists open |

mod earlier;
mod files;
mod reader;
mod result;
mod run;
mod screened;

pub use earlier::{EarlierResult, LastResult};
pub use files::current;
pub use published::Error;
pub use reader::CompanyScreenings;
pub use result::{CompanyHit, HitSubject, LISTED_FROM, Published, ScreenedCompany, fingerprint};
pub use run::{About, Run, is_running};
pub use screened::{FoundHit, ScreenedCompanies};
