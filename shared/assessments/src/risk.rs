//! The risk of a company.

use std::collections::BTreeSet;

use ::risk::{Assessment, Facts, Priors, Registered, assess};
use domain::{
    History,
    persons::{Officer, RoleCategory},
};
use generations::{Generation, Unavailable};
use jiff::civil::Date;
use problem_details::Problem;
use text_index::persons::Persons;

use crate::{Sources, listings::listings, owners, subject::Subject};

/// The risk of a company on a day, or now.
pub async fn risk_of(
    sources: &Sources,
    generation: &Generation,
    subject: &Subject,
    owners: &owners::Assessment,
    as_of: Option<Date>,
) -> Result<Assessment, Problem> {
    Ok(searched_risk_of(sources, generation, subject, owners, as_of).await?.assessment)
}

/// The risk of a company, and what it rests on.
pub(crate) struct SearchedRisk {
    pub(crate) assessment: Assessment,
    /// Whether sanctions lists were searched for the company, its officers, and its owners in the register.
    pub(crate) lists_searched: bool,
}

/// The risk of a company on a day, or now, with what was searched.
pub(crate) async fn searched_risk_of(
    sources: &Sources,
    generation: &Generation,
    subject: &Subject,
    owners: &owners::Assessment,
    as_of: Option<Date>,
) -> Result<SearchedRisk, Problem> {
    let Subject { company, history, proofs } = subject;
    let registered = Registered { company, history, proofs: Some(proofs) };
    let facts =
        Facts::of_register(registered).with_ownership(&owners.structure, &owners.resolution);
    let facts = match as_of {
        None => {
            let screened = sources.screened.current().await;
            let listings = listings(&screened, company.uid, &owners.structure);
            let facts = Facts { listings, ..facts };
            let leaders = leaders(history, generation.persons().await?).await?;
            let facts = facts.with_officers(company.uid, &leaders);
            match generation.companies().await?.others_at_address(company.uid)? {
                Some(others) => facts.with_neighbours(others),
                None => facts,
            }
        }
        // The indexes have the current mandates and addresses only, and the results of screening are the current ones.
        Some(_) => facts,
    };
    let day = as_of.unwrap_or_else(|| sources.clock.today());
    // What was measured later does not count.
    let rates =
        generation.manifest.rates.as_ref().filter(|it| as_of.is_none() || it.measured_on <= day);
    let priors = Priors::of_register(rates);
    Ok(SearchedRisk {
        lists_searched: facts.listings.is_some(),
        assessment: assess(&facts, &priors, day),
    })
}

/// The members of the board and the management, with their mandates in all companies.
async fn leaders(history: &History, persons: &Persons) -> Result<Vec<Officer>, Problem> {
    let is_leader =
        |it: &RoleCategory| matches!(it, RoleCategory::Board | RoleCategory::Management);
    let mandates = history.current_mandates().filter(|it| is_leader(&it.category));
    let ids: BTreeSet<_> = mandates.map(|it| it.person_id).collect();
    let ids: Vec<_> = ids.into_iter().collect();
    let mut known = persons.persons(&ids).await.map_err(Unavailable::from)?;
    Ok(ids.iter().filter_map(|it| Some(known.remove(it)?.into_officer())).collect())
}
