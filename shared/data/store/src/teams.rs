use access::Tier;
use auth::{Creator, Entitlement, TeamId};
use futures_util::future::{try_join, try_join3, try_join4};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{Error, TeamKey, Tenants, keys, table::Write};

/// A team and its tier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Team {
    pub id: TeamId,
    pub name: String,
    pub tier: Tier,
}

/// A tier that the operator of the deployment has given to a team.
#[derive(Deserialize)]
pub(crate) struct TierByOperator {
    pub(crate) tier: Tier,
}

/// The name of a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamName {
    pub name: String,
    /// When a user gave the team this name. `None`: the operator did.
    pub since: Option<Timestamp>,
}

/// The name of a team that a user created or renamed.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NameByUser {
    name: String,
    updated_at: Timestamp,
}

/// Who created a team.
#[derive(Serialize, Deserialize)]
pub(crate) struct CreatedBy {
    creator: Creator,
}

impl CreatedBy {
    /// Records the user who creates a team.
    pub(crate) fn write(team: &TeamKey, user: &str) -> Result<Write, Error> {
        let item = Self { creator: Creator::user(user) };
        Write::put_document(keys::creator(team), &item)
    }
}

impl NameByUser {
    pub(crate) fn write(team: &TeamKey, name: &str, now: Timestamp) -> Result<Write, Error> {
        let item = Self { name: name.to_owned(), updated_at: now };
        Write::put_document(keys::team_name(team), &item)
    }
}

impl Tenants {
    /// The team with its current name. `None` also: it is erased.
    pub async fn team(&self, id: &TeamId, now: Timestamp) -> Result<Option<Team>, Error> {
        let name = self.table.get::<NameByUser>(keys::team_name(&TeamKey::of_user(id)));
        let team = self.table.get::<Team>(keys::team(id));
        let (subscriptions, erased) = (self.subscriptions(id), self.is_erased(id));
        let (name, team, subscriptions, is_erased) =
            try_join4(name, team, subscriptions, erased).await?;
        if is_erased {
            return Ok(None);
        }
        let by_operator = team.as_ref().map(|it| it.tier);
        let name = name.map(|it| it.name).or(team.map(|it| it.name));
        let tier = tier(by_operator, subscriptions.tier(now));
        Ok(name.map(|name| Team { id: id.clone(), name, tier }))
    }

    /// The name of a team. `None` also: it is erased. Reads less than [`Self::team`].
    pub async fn team_name(&self, id: &TeamId) -> Result<Option<TeamName>, Error> {
        let name = self.table.get::<NameByUser>(keys::team_name(&TeamKey::of_user(id)));
        let team = self.table.get::<Team>(keys::team(id));
        let (by_user, by_operator, is_erased) = try_join3(name, team, self.is_erased(id)).await?;
        let by_user = by_user.map(|it| TeamName { name: it.name, since: Some(it.updated_at) });
        let name = by_user.or(by_operator.map(|it| TeamName { name: it.name, since: None }));
        Ok(name.filter(|_| !is_erased))
    }

    /// The tier of a team: the higher one of the tier that the operator has given to it, and the tier that it pays for.
    pub async fn tier(&self, id: &TeamId, now: Timestamp) -> Result<Tier, Error> {
        let by_operator = self.tier_by_operator(id);
        let (by_operator, paid) = try_join(by_operator, self.subscriptions(id)).await?;
        Ok(tier(Some(by_operator), paid.tier(now)))
    }

    /// What the rate limits of a team depend on.
    pub async fn entitlement(&self, id: &TeamId, now: Timestamp) -> Result<Entitlement, Error> {
        let created_by = self.table.get::<CreatedBy>(keys::creator(&TeamKey::of_user(id)));
        let (tier, created_by) = try_join(self.tier(id, now), created_by).await?;
        Ok(Entitlement { tier, creator: created_by.map(|it| it.creator) })
    }

    /// The tier that the operator has given to a team: Free, if none.
    pub(crate) async fn tier_by_operator(&self, id: &TeamId) -> Result<Tier, Error> {
        let team: Option<TierByOperator> = self.table.get(keys::team(id)).await?;
        Ok(team.map_or(Tier::Free, |it| it.tier))
    }

    /// Changes the name of a team.
    pub async fn rename_team(
        &self,
        team: &TeamKey,
        name: &str,
        now: Timestamp,
    ) -> Result<(), Error> {
        self.table.transact(vec![NameByUser::write(team, name, now)?]).await
    }

    /// Creates or replaces a team with its tier. Only for setting up a deployment.
    pub async fn put_team(&self, team: &Team) -> Result<(), Error> {
        self.table.put(keys::team(&team.id), team).await
    }
}

/// The higher one of the tier that the operator has given to a team, and the tier that it pays for.
pub(crate) fn tier(by_operator: Option<Tier>, paid: Tier) -> Tier {
    by_operator.unwrap_or(Tier::Free).max(paid)
}
