use std::collections::BTreeSet;

use ::risk::{Assessment, Facts, Priors, Registered, assess};
use domain::{
    History,
    persons::{Officer, RoleCategory},
};
use jiff::civil::Date;
use problem_details::Problem;
use text_index::persons::Persons;

use crate::{Owners, Subject};

/// The risk of a company on a day. `persons` are those of an index, which has the current mandates only: `None` for a past
/// day.
pub fn assess_risk(
    subject: &Subject,
    owners: &Owners,
    persons: Option<&Persons>,
    day: Date,
) -> Result<Assessment, Problem> {
    let Subject { company, history, proofs } = subject;
    let registered = Registered { company, history, proofs: proofs.as_ref() };
    let facts =
        Facts::of_register(registered).with_ownership(&owners.structure, &owners.resolution);
    let facts = match persons {
        Some(persons) => facts.with_officers(company.uid, &leaders(history, persons)?),
        None => facts,
    };
    Ok(assess(&facts, &Priors::published(), day))
}

/// The members of the board and the management, with their mandates in all companies.
fn leaders(history: &History, persons: &Persons) -> Result<Vec<Officer>, Problem> {
    let is_leader =
        |it: &RoleCategory| matches!(it, RoleCategory::Board | RoleCategory::Management);
    let mandates = history.current_mandates().filter(|it| is_leader(&it.category));
    let ids: BTreeSet<_> = mandates.map(|it| it.person_id).collect();
    let mut leaders = Vec::new();
    for id in ids {
        leaders.extend(persons.person(id)?.map(|it| it.into_officer()));
    }
    Ok(leaders)
}
