//! Who owns and controls a company, through all levels of owners.
//!
//! | File | Content |
//! |---|---|
//! | `scope` | How far owners are followed, and who counts as one |
//! | `walk` | Reads the companies above a company, level by level |
//! | `stated` | The links and profiles that the sources state about one company |
//! | `group` | The part of them that companies report to GLEIF |
//! | `assessment` | Structure, resolution and flags of a company |
//! | `coverage` | What is missing, and why |
//! | `ultimate_parent` | The one company at the top |

mod assessment;
mod coverage;
mod group;
mod scope;
mod stated;
mod ultimate_parent;
mod walk;

pub use assessment::{Assessment, assess, owners_of};
pub use coverage::coverage_note;
pub use scope::OwnershipScope;
pub use stated::{OfficeInCompany, OwnedCompany};
pub use ultimate_parent::ultimate_parent;
pub use walk::{Above, MAX_COMPANIES, Reader};
