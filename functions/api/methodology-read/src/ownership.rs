//! Beneficial ownership: who owns and controls a company, through all levels of owners.
//!
//! | File | Content |
//! |---|---|
//! | `parameters` | Depth, day and thresholds of a request |
//! | `assessment` | Structure, resolution and flags of a company |
//! | `answer`, `coverage` | What all answers have in common |
//! | `peers` | Companies with which a company is compared |
//! | `ubo`, `trace`, `analytics` | The operations |

mod analytics;
mod answer;
mod assessment;
mod coverage;
mod parameters;
mod peers;
mod trace;
mod ubo;

use std::collections::BTreeMap;

use ::ownership::{Link, Party};
use assessments::owners::{Above, MAX_COMPANIES, Reader};
use domain::{Company, Uid};
use generations::Generation;
use http_service::{Description, Routes, handler, reads};
use jiff::civil::Date;
use problem_details::Problem;

use self::parameters::OwnershipQuery;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(10), handler!(ubo::beneficial_owners))
        .route(reads(10).changes_nothing(), handler!(trace::trace_ownership))
        .route(reads(15), handler!(analytics::ownership_analytics))
}

/// Reads owners on a day, or as they are now.
pub(crate) async fn reader<'a>(
    state: &'a crate::State,
    generation: &'a Generation,
    as_of: Option<Date>,
) -> Result<Reader<'a>, Problem> {
    let (companies, persons) = (generation.companies().await?, generation.persons().await?);
    Ok(Reader { registry: &state.registry, companies, persons, as_of })
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
    let reader = reader(state, generation, None).await?;
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
