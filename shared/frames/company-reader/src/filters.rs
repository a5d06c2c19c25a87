//! What the filters of a list of companies need beside the index.

use std::collections::HashSet;

use domain::{Uid, search::CompanyQuery};
use generations::{Generation, Unavailable};
use problem_details::{Problem, UNAUTHORIZED};
use store::{Registry, TeamKey, Tenants};

/// The companies with one of the tags of the query. `None`: the query names no tags.
///
/// # Errors
/// 401 if the query names tags, but the caller has no team.
pub async fn tagged_companies(
    tenants: &Tenants,
    team: Option<&TeamKey>,
    query: &CompanyQuery,
) -> Result<Option<HashSet<Uid>>, Problem> {
    match (query.tag.is_empty(), team) {
        (true, _) => Ok(None),
        (false, Some(team)) => Ok(tenants.companies_with_tags(team, query).await?),
        (false, None) => {
            Err(Problem::new(&UNAUTHORIZED, "the filter `tag` requires an API key or a session"))
        }
    }
}

/// Refuses a municipality that is a typing mistake.
///
/// # Errors
/// 400 with the municipality, and the one that it may mean.
pub async fn refuse_misspelled_municipality(
    registry: &Registry,
    generation: &Generation,
    query: &CompanyQuery,
) -> Result<(), Problem> {
    let companies = generation.companies().await?;
    let misspelled = companies.misspelled_municipality(query).map_err(Unavailable::from)?;
    let Some((wanted, there)) = misspelled else { return Ok(()) };
    let seat = registry.companies(&[there]).await?.into_iter().find_map(|it| it.legal_seat);
    let near = seat.map_or_else(String::new, |it| format!(". Did you mean `{it}`?"));
    Err(Problem::invalid("municipality", format!("no company has its seat in `{wanted}`{near}")))
}
