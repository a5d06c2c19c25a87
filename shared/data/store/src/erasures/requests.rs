//! The transactions with which erasures start.

use access::Role;
use auth::{Email, Member, TeamId, User};
use jiff::Timestamp;

use super::{Erased, Erasure, USER, hash, whole};
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
        let erasure = end_of_team(team, keeps_evidence_for, now);
        // Only puts, because the function that handles the request may not change or delete what is listed.
        let mut writes = self.list_writes(&erasure, false).await?;
        writes.push(erasure.start()?);
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
            let (mut needed, mut left, mut started) = (Vec::new(), Vec::new(), Vec::new());
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
                        started.push(end_of_team(&team, keeps_evidence_for, now));
                    }
                    Some(team) => needed.push(team),
                }
            }
            if !needed.is_empty() {
                return Err(EraseRefused::LastOwner(needed));
            }
            let teams = teams.into_iter().map(|it| it.team).collect();
            let User { email, .. } = user.value;
            let erased = Erased::User { user: id.to_owned(), email: Some(email), teams };
            started.push(Erasure::new(erased, now));
            for erasure in &started {
                steps.add(erasure.start()?, Denied::Overtaken);
            }
            match self.apply(steps).await {
                Ok(()) => {
                    // Not in the transaction, which also deletes: see `erase_team`. If this is interrupted, the scheduler continues.
                    for erasure in &started {
                        self.put_on_list(erasure, false).await?;
                    }
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

    /// A user as the operator names it: by id or by address.
    pub async fn user_named(&self, name: &str) -> Result<Option<User>, Error> {
        match name.parse::<Email>() {
            Ok(email) => self.user_with(&email).await,
            Err(_) => self.user(name).await,
        }
    }

    /// The erasures of a user who was erased before, whom the operator names by id or by address: what is not finished, and, if audit
    /// logs still mention the user, those. `None`: no such user was erased. Reads the whole table.
    pub async fn erasures_of_user(
        &self,
        name: &str,
        now: Timestamp,
    ) -> Result<Option<Vec<Erasure>>, Error> {
        let email = name.parse::<Email>().ok();
        let of_user = |it: &Erased| match it {
            Erased::User { user, email: of, .. } => user == name || (of.is_some() && *of == email),
            Erased::Address { email: of } => email.as_ref() == Some(of),
            Erased::Team { .. } | Erased::Member { .. } => false,
        };
        let mut found: Vec<Erasure> = self.erasures().await?;
        found.retain(|it| of_user(&it.erased));
        let hash_of_user = match &email {
            Some(email) => self.erased_user_with(email).await?,
            None => self.is_user_erased(name).await?.then(|| hash(USER, name)),
        };
        let Some(hash_of_user) = hash_of_user else {
            return Ok((!found.is_empty()).then_some(found));
        };
        let mut after = None;
        loop {
            let (items, next) = self.table.scan_page(after.as_ref()).await?;
            for item in items {
                let text = item.text();
                let user = whole::ids(&text).find(|it| hash(USER, it) == hash_of_user);
                let Some(user) = user.map(str::to_owned) else { continue };
                let erased = Erased::User { user, email, teams: Vec::new() };
                if !found.iter().any(|it| it.erased.key() == erased.key()) {
                    found.push(Erasure::new(erased, now));
                }
                return Ok(Some(found));
            }
            after = next;
            if after.is_none() {
                return Ok(Some(found));
            }
        }
    }
}

fn end_of_team(team: &TeamKey, keeps_evidence_for: Option<&str>, now: Timestamp) -> Erasure {
    let keeps_evidence_for = keeps_evidence_for.map(str::to_owned);
    Erasure::new(Erased::Team { team: team.team().clone(), keeps_evidence_for }, now)
}
