//! The risk of a company.

use std::collections::BTreeSet;

use ::risk::{Assessment, Facts, Priors, Registered, RiskLevel, assess};
use domain::{History, Uid, persons::Officer};
use generations::{Generation, Unavailable};
use http::StatusCode;
use jiff::civil::Date;
use problem_details::Problem;
use text_index::persons::Persons;

use crate::{Sources, listings::with_listings, owners, subject::Subject};

/// The risk of a company on a day, or now.
pub async fn risk_of(
    sources: &Sources,
    generation: &Generation,
    subject: &Subject,
    owners: &owners::Assessment,
    as_of: Option<Date>,
) -> Result<Assessment, Problem> {
    let priors = priors(generation, as_of);
    Ok(searched_risk_of(sources, generation, subject, owners, as_of, &priors).await?.assessment)
}

/// The risk levels of a company on a day and on the day before, with the same priors: rates that were measured on this day
/// would move companies to which nothing has happened. `None` if it was not in the register on both days.
pub async fn risk_levels_around(
    sources: &Sources,
    generation: &Generation,
    uid: Uid,
    day: Date,
) -> Result<Option<[RiskLevel; 2]>, Problem> {
    let Ok(day_before) = day.yesterday() else { return Ok(None) };
    let priors = priors(generation, Some(day));
    let level = async |day| {
        let subject = match Subject::read(sources, uid, Some(day)).await {
            Err(problem) if problem.kind.status == StatusCode::NOT_FOUND => return Ok(None),
            subject => subject?,
        };
        let owners = owners::owners_of(sources, generation, &subject, Some(day)).await?;
        let risk =
            searched_risk_of(sources, generation, &subject, &owners, Some(day), &priors).await?;
        Ok::<_, Problem>(Some(risk.assessment.risk_level))
    };
    let Some(before) = level(day_before).await? else { return Ok(None) };
    Ok(level(day).await?.map(|after| [before, after]))
}

/// The published priors, with the rates that were measured in the register until a day, or until now.
pub(crate) fn priors(generation: &Generation, as_of: Option<Date>) -> Priors {
    let rates = generation.manifest.rates.as_ref();
    Priors::of_register(rates.filter(|it| as_of.is_none_or(|day| it.measured_on <= day)))
}

/// The risk of a company, and what it rests on.
pub(crate) struct SearchedRisk {
    pub(crate) assessment: Assessment,
    /// Owners whose names were not compared with sanctions lists. `None` if those of the company and its officers were not either.
    pub(crate) owners_not_searched: Option<Vec<String>>,
}

/// The risk of a company on a day, or now, with what was searched.
pub(crate) async fn searched_risk_of(
    sources: &Sources,
    generation: &Generation,
    subject: &Subject,
    owners: &owners::Assessment,
    as_of: Option<Date>,
    priors: &Priors,
) -> Result<SearchedRisk, Problem> {
    let Subject { company, history, proofs } = subject;
    let registered = Registered { company, history, proofs: Some(proofs) };
    let facts =
        Facts::of_register(registered).with_ownership(&owners.structure, &owners.resolution);
    let mut has_searched_sanctions = false;
    let facts = match as_of {
        None => {
            let screened = sources.screened.current().await;
            has_searched_sanctions = screened.has_searched_sanctions(company.uid);
            let (uid, persons) = (company.uid, generation.persons().await?);
            let facts = with_listings(facts, &screened, uid, owners, persons).await?;
            let leaders = leaders(history, persons).await?;
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
    Ok(SearchedRisk {
        owners_not_searched: has_searched_sanctions.then(|| facts.owners_not_searched.clone()),
        assessment: assess(&facts, priors, day),
    })
}

/// The members of the board and the management, with their mandates in all companies.
async fn leaders(history: &History, persons: &Persons) -> Result<Vec<Officer>, Problem> {
    let mandates = history.current_mandates().filter(|it| it.leads());
    let ids: BTreeSet<_> = mandates.map(|it| it.person_id).collect();
    let ids: Vec<_> = ids.into_iter().collect();
    let mut known = persons.persons(&ids).await.map_err(Unavailable::from)?;
    Ok(ids.iter().filter_map(|it| Some(known.remove(it)?.into_officer())).collect())
}
