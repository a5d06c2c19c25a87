//! The problems that resources of a team have in common.

use problem_details::Problem;
use store::{NotChanged, Refused};

/// The problem of a resource that was not created or changed: 409, or 500 if the table failed.
pub(crate) fn refused(refused: Refused) -> Problem {
    match refused {
        Refused::Failed(failure) => failure.into(),
        other => Problem::conflict(other),
    }
}

/// The value of a member with a scale from 1 to 5.
pub(crate) fn from_one_to_five(
    member: &'static str,
    value: Option<u8>,
) -> Result<Option<u8>, Problem> {
    match value {
        Some(other) if !(1..=5).contains(&other) => {
            Err(Problem::invalid(member, format!("must be between 1 and 5; got {other}")))
        }
        value => Ok(value),
    }
}

/// The problem of users, teams or memberships that were not changed: 409, or 500 if the table failed.
pub(crate) fn not_changed(failure: NotChanged) -> Problem {
    match failure {
        NotChanged::Denied(denied) => Problem::conflict(denied),
        NotChanged::Failed(failure) => failure.into(),
    }
}
