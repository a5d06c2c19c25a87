//! Who owns a company.
//!
//! | Module | Content |
//! |---|---|
//! | `walk` | Reads the companies above a company, level by level |
//! | `stated` | The links and profiles that the sources state about one company |
//! | `group` | The part of them that companies report to GLEIF |

mod group;
mod stated;
mod walk;

use domain::Uid;
use ownership::{Criteria, MaxDepth, Resolution, Structure};
use problem_details::Problem;

pub use stated::{OfficeInCompany, OwnedCompany};
pub use walk::{Above, MAX_COMPANIES, Reader};

/// The owners of a company and who controls it, with the depth and the thresholds of requests that give none.
#[derive(Debug)]
pub struct Owners {
    pub structure: Structure,
    pub resolution: Resolution,
}

impl Owners {
    /// Nobody, for a company that is not known.
    pub async fn of(reader: &Reader<'_>, uid: Uid) -> Result<Self, Problem> {
        let depth = MaxDepth::default();
        let above = reader.above([uid], depth, MAX_COMPANIES).await?;
        let structure = above.structure(uid, depth);
        let resolution = Resolution::of(&structure, &Criteria::default());
        Ok(Self { structure, resolution })
    }
}
