//! The transactions with which erasures start.

use access::Role;
use auth::{Email, Member, TeamId, User};
use jiff::Timestamp;

use super::{Erased, Erasure};
use crate::{
    ATTEMPTS, Error, TeamKey, Tenants, keys,
    kind::Kind,
    members::{Denied, NotChanged, Steps},
    pause_after_conflict,
    table::Write,
};

/// A team because of which a user cannot be erased.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TeamNeeded {
    /// The user is its only member. It can be erased with the user.
    WithoutOthers(TeamId),
    /// It has other members, and the user is its last owner.
    WithoutOwner(TeamId),
}

/// Why nothing was erased.
#[derive(Debug, thiserror::Error)]
pub enum EraseRefused {
    /// There is no such user or team any more.
    #[error("it does not exist")]
    Unknown,
    #[error("the user is the last owner of teams")]
    LastOwner(Vec<TeamNeeded>),
    /// A subscription goes on.
    #[error("the team `{0}` has a subscription that has not been cancelled")]
    Subscribed(TeamId),
    #[error(transparent)]
    Failed(#[from] Error),
}

impl Tenants {
    /// Starts to erase a team.
    pub async fn erase_team(
        &self,
        team: &TeamKey,
        keeps_evidence_for: Option<&str>,
        now: Timestamp,
    ) -> Result<(), EraseRefused> {
        if self.is_erased(team.team()).await? {
            return Err(EraseRefused::Unknown);
        }
        self.check_subscriptions(team.team()).await?;
        let writes = end_of_team(team, keeps_evidence_for, now)?;
        for attempt in 0..ATTEMPTS {
            match self.table.transact(writes.clone()).await {
                Err(Error::Changed) => pause_after_conflict(attempt).await,
                done => return Ok(done?),
            }
        }
        Err(Error::Changed.into())
    }

    /// Starts to erase a user, who leaves all teams. `with_teams`: teams without other members are erased, too. Returns the teams
    /// that the user has left.
    pub async fn erase_user(
        &self,
        id: &str,
        with_teams: bool,
        keeps_evidence_for: Option<&str>,
        now: Timestamp,
    ) -> Result<Vec<TeamId>, EraseRefused> {
        for attempt in 0..ATTEMPTS {
            let user = self.read_user_with_id(id).await?.ok_or(EraseRefused::Unknown)?;
            let mut steps = Steps::default();
            let key = keys::user(id);
            steps.add(Write::delete(key).if_revision(user.revision), Denied::Overtaken);
            steps.add(Write::delete(keys::email(&user.value.email)), Denied::Overtaken);
            let teams = self.teams_of(id).await?;
            let (mut needed, mut left) = (Vec::new(), Vec::new());
            for member in &teams {
                let team = TeamKey::of_user(&member.team);
                match self.need_of(&team, member).await? {
                    None => {
                        let Some(read) = self.read_resource::<Member>(&team, id).await? else {
                            continue;
                        };
                        // The number of the user's teams goes with the user.
                        self.replace_member(&mut steps, &team, &read, None, now).await?;
                        left.push(team);
                    }
                    Some(TeamNeeded::WithoutOthers(of)) if with_teams => {
                        self.check_subscriptions(&of).await?;
                        // Nobody joins meanwhile.
                        let number = keys::number_of(&team, Kind::Member, "");
                        steps.add(Write::delete_count_below(number, 2), Denied::Overtaken);
                        steps.extend(end_of_team(&team, keeps_evidence_for, now)?);
                    }
                    Some(team) => needed.push(team),
                }
            }
            if !needed.is_empty() {
                return Err(EraseRefused::LastOwner(needed));
            }
            let teams = teams.into_iter().map(|it| it.team).collect();
            let User { email, .. } = user.value;
            let erased = Erased::User { user: id.to_owned(), email, teams };
            steps.extend(Erasure::new(erased, now).writes()?);
            match self.apply(steps).await {
                Ok(()) => {
                    for team in &left {
                        self.after_loss(team, now).await;
                    }
                    return Ok(left.iter().map(|it| it.team().clone()).collect());
                }
                // Read again: the user may be the last owner now.
                Err(NotChanged::Denied(_)) => pause_after_conflict(attempt).await,
                Err(NotChanged::Failed(failure)) => return Err(failure.into()),
            }
        }
        Err(Error::Changed.into())
    }

    /// Why a team needs this member.
    async fn need_of(&self, team: &TeamKey, member: &Member) -> Result<Option<TeamNeeded>, Error> {
        if member.role != Role::Owner {
            return Ok(None);
        }
        let count = async |key| {
            Ok::<_, Error>(self.table.get_row(key).await?.and_then(|it| it.number("count")))
        };
        let members = count(keys::number_of(team, Kind::Member, "")).await?.unwrap_or_default();
        let owners = count(keys::owners(team)).await?.unwrap_or_default();
        Ok(match (members, owners) {
            (..=1, _) => Some(TeamNeeded::WithoutOthers(team.team().clone())),
            (_, ..=1) => Some(TeamNeeded::WithoutOwner(team.team().clone())),
            _ => None,
        })
    }

    /// Refuses a team that goes on paying.
    async fn check_subscriptions(&self, team: &TeamId) -> Result<(), EraseRefused> {
        let subscriptions = self.subscriptions(team).await?;
        match subscriptions.open.iter().any(|it| it.ends_at.is_none() && !it.status.has_ended()) {
            true => Err(EraseRefused::Subscribed(team.clone())),
            false => Ok(()),
        }
    }

    /// Starts to erase something again that is in the list already, or that a restored backup has brought back.
    pub async fn erase_again(&self, erased: Erased, since: Timestamp) -> Result<Erasure, Error> {
        let erasure = Erasure::new(erased, since);
        self.table.transact(vec![Write::put_document(erasure.erased.key(), &erasure)?]).await?;
        Ok(erasure)
    }

    /// A user, or a former user who was erased already, as the operator names it: by id or by address. The second value is the
    /// time of the erasure.
    pub async fn user_named(&self, name: &str) -> Result<Option<User>, Error> {
        match name.parse::<Email>() {
            Ok(email) => self.user_with(&email).await,
            Err(_) => self.user(name).await,
        }
    }
}

fn end_of_team(
    team: &TeamKey,
    keeps_evidence_for: Option<&str>,
    now: Timestamp,
) -> Result<Vec<Write>, Error> {
    let keeps_evidence_for = keeps_evidence_for.map(str::to_owned);
    let erased = Erased::Team { team: team.team().clone(), keeps_evidence_for };
    let mut writes = Erasure::new(erased, now).writes()?;
    writes.push(Write::delete(keys::team_name(&TeamKey::of_user(team.team()))));
    Ok(writes)
}
