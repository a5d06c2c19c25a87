//! Beneficial ownership: who owns and controls a company, through all levels of owners.
//!
//! | File | Content |
//! |---|---|
//! | `parameters` | Depth, day and thresholds of a request |
//! | `walk` | Reads the companies above a company, level by level |
//! | `stated` | The links and profiles that the sources state about one company |
//! | `group` | The part of them that companies report to GLEIF |
//! | `assessment` | Structure, resolution and flags of a company |
//! | `answer`, `coverage` | What all answers have in common |
//! | `peers` | Companies with which a company is compared |
//! | `ubo`, `trace`, `analytics` | The operations |

mod analytics;
mod answer;
mod assessment;
mod coverage;
mod group;
mod parameters;
mod peers;
mod stated;
mod trace;
mod ubo;
mod walk;

use std::collections::BTreeMap;

use ::ownership::{Link, Party, Resolution, Structure};
use domain::{Company, Uid};
use generations::Generation;
use http_service::{Description, Routes, handler, reads};
use jiff::civil::Date;
use problem_details::Problem;

use self::{
    assessment::{Assessment, assess},
    parameters::OwnershipQuery,
    walk::{Above, MAX_COMPANIES, Reader},
};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(10), handler!(ubo::beneficial_owners))
        .route(reads(10).changes_nothing(), handler!(trace::trace_ownership))
        .route(reads(15), handler!(analytics::ownership_analytics))
}

/// The owners of a company and who controls it, with the depth and the thresholds of requests that give none.
///
/// # Errors
/// 404 if there is no such company, or if no source shows that it was in the register on the day. 400 if the day is in the
/// future.
pub(crate) async fn owners(
    state: &crate::State,
    generation: &Generation,
    uid: Uid,
    as_of: Option<Date>,
) -> Result<(Structure, Resolution), Problem> {
    let reader = Reader::new(state, generation, as_of).await?;
    let query = OwnershipQuery::on(as_of);
    let Assessment { structure, resolution, .. } = assess(state, &reader, uid, &query).await?;
    Ok((structure, resolution))
}

/// The owners of several companies, and the companies and parties among them.
pub(crate) struct OwnersOfSeveral {
    /// Links to owners, and between them.
    pub(crate) links: Vec<Link>,
    /// The companies in the register.
    pub(crate) companies: Vec<Company>,
    /// Names of the parties.
    pub(crate) names: BTreeMap<Party, String>,
    /// Whether all owners were read.
    pub(crate) is_complete: bool,
}

/// The current owners of several companies, with the depth of requests that give none.
pub(crate) async fn owners_of_several(
    state: &crate::State,
    generation: &Generation,
    uids: &[Uid],
) -> Result<OwnersOfSeveral, Problem> {
    let reader = Reader::new(state, generation, None).await?;
    let depth = OwnershipQuery::default().max_depth();
    let limit = uids.len() + MAX_COMPANIES;
    let above: Above = reader.above(uids.iter().copied(), depth, limit).await?;
    let names = above.profiles.into_iter().map(|(party, it)| (party, it.name));
    Ok(OwnersOfSeveral {
        links: above.links.into_iter().filter(|it| it.kind.is_ownership()).collect(),
        companies: above.companies.into_values().map(|it| it.company).collect(),
        names: names.collect(),
        is_complete: above.unread.is_empty(),
    })
}
