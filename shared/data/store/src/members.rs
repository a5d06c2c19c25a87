use access::{Role, Tier};
use auth::{Member, TeamId, User};
use futures_util::future::{try_join, try_join_all};
use jiff::Timestamp;

use crate::{
    ATTEMPTS, Error, TeamKey, Tenants,
    erasure::leftovers_of,
    keys,
    kind::Kind,
    pause_after_conflict,
    resources::{Copy, Limit, Resource, creation, deletion},
    table::{Read, Write},
    teams::{CreatedBy, NameByUser},
};

/// Maximum number of members of a team.
pub const MAX_MEMBERS: u32 = 200;
/// Maximum number of teams of a user. The Free teams that a user has created share their rate limits.
pub const MAX_TEAMS: u32 = 20;

impl Resource for Member {
    const KIND: Kind = Kind::Member;

    fn path(&self) -> String {
        self.user.clone()
    }

    fn limits(&self) -> Vec<Limit> {
        vec![Limit::of_team(MAX_MEMBERS)]
    }

    fn copies(&self, _: &TeamKey) -> Vec<Copy> {
        vec![Copy { key: keys::team_of_user(&self.user, &self.team), is_unique: true }]
    }
}

/// Why users, teams or memberships were not changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Denied {
    /// Something was changed by another request. Read it again.
    #[error("it was changed by another request at the same time")]
    Overtaken,
    #[error("the user is a member of the team already")]
    IsMember,
    #[error("a team has at most {MAX_MEMBERS} members")]
    TeamIsFull,
    #[error("a user can be in at most {MAX_TEAMS} teams; leave one first")]
    TooManyTeams,
    #[error("the team needs an owner; make another member an owner first")]
    LastOwner,
    /// The link or invitation was used, or has ended.
    #[error("it was used already, or has ended")]
    Used,
}

/// Why a membership was not changed.
#[derive(Debug, thiserror::Error)]
pub enum NotChanged {
    #[error(transparent)]
    Denied(#[from] Denied),
    #[error(transparent)]
    Failed(#[from] Error),
}

/// The steps of one transaction, each with the reason to give if its condition does not hold.
#[derive(Default)]
pub(crate) struct Steps(Vec<(Write, Denied)>);

impl Steps {
    pub(crate) fn add(&mut self, write: Write, denied: Denied) {
        self.0.push((write, denied));
    }

    /// Adds a user to a team.
    pub(crate) fn add_member(&mut self, member: &Member) -> Result<(), Error> {
        let team = TeamKey::of_user(&member.team);
        // The number of members is the same for all tiers.
        for (write, limit) in creation(&team, Tier::Free, member)? {
            let denied = if limit.is_some() { Denied::TeamIsFull } else { Denied::IsMember };
            self.add(write, denied);
        }
        let teams = keys::number_of_teams(&member.user);
        self.add(Write::count_up(teams, MAX_TEAMS), Denied::TooManyTeams);
        if member.role == Role::Owner {
            self.add(Write::count_up(keys::owners(&team), MAX_MEMBERS), Denied::TeamIsFull);
        }
        Ok(())
    }

    /// Creates a team with one member, its owner and creator.
    pub(crate) fn add_team(&mut self, name: &str, owner: &Member) -> Result<(), Error> {
        let team = TeamKey::of_user(&owner.team);
        self.add(NameByUser::write(&team, name, owner.since)?.if_absent(), Denied::Overtaken);
        self.add(CreatedBy::write(&team, &owner.user)?.if_absent(), Denied::Overtaken);
        self.add_member(owner)
    }

    /// Steps that nothing but a change at the same time can prevent.
    pub(crate) fn extend(&mut self, writes: impl IntoIterator<Item = Write>) {
        self.0.extend(writes.into_iter().map(|it| (it, Denied::Overtaken)));
    }
}

impl Tenants {
    /// Applies all steps or none. A step that failed because of concurrent changes comes before others: the other
    /// reasons may no longer be true.
    pub(crate) async fn apply(&self, steps: Steps) -> Result<(), NotChanged> {
        let (writes, reasons): (Vec<Write>, Vec<Denied>) = steps.0.into_iter().unzip();
        for attempt in 0..ATTEMPTS {
            match self.table.try_transact(writes.clone()).await {
                Ok(failed) => {
                    let mut reasons = failed.into_iter().filter_map(|it| reasons.get(it).copied());
                    let first = reasons.next();
                    let overtaken = reasons.find(|it| *it == Denied::Overtaken);
                    return overtaken.or(first).map_or(Ok(()), |it| Err(it.into()));
                }
                Err(Error::Changed) => pause_after_conflict(attempt).await,
                Err(failure) => return Err(failure.into()),
            }
        }
        Err(Error::Changed.into())
    }

    /// The members of a team and the users that they are, those who joined first come first.
    pub async fn members(&self, team: &TeamKey) -> Result<Vec<(Member, User)>, Error> {
        let mut members: Vec<Member> = self.resources(team, "").await?;
        members.sort_by(|a, b| (a.since, &a.user).cmp(&(b.since, &b.user)));
        let keys = members.iter().map(|it| keys::user(&it.user)).collect();
        let users = self.table.get_rows(keys).await?;
        let users: Vec<User> = users.into_iter().map(|it| it.read()).collect::<Result<_, _>>()?;
        let with_user = |member: Member| {
            let user = users.iter().find(|it| it.id == member.user).cloned()?;
            Some((member, user))
        };
        Ok(members.into_iter().filter_map(with_user).collect())
    }

    /// The users who own a team.
    pub async fn owners(&self, team: &TeamId) -> Result<Vec<User>, Error> {
        let members: Vec<Member> = self.resources(&TeamKey::of_user(team), "").await?;
        let owners = members.iter().filter(|it| it.role == Role::Owner);
        let users = try_join_all(owners.map(|it| self.user(&it.user))).await?;
        Ok(users.into_iter().flatten().collect())
    }

    /// Adds the steps with which a membership ends or gets another role. Every way to lose rights goes through here: removed,
    /// demoted, left, erased. What depends on the rights is read from the membership each time, except what happens here in the
    /// same moment, and [`Self::after_loss`].
    pub(crate) async fn replace_member(
        &self,
        steps: &mut Steps,
        team: &TeamKey,
        old: &Read<Member>,
        new: Option<&Member>,
        now: Timestamp,
    ) -> Result<(), Error> {
        match new {
            Some(new) => {
                let key = keys::resource(team, Kind::Member, &new.user);
                let put = Write::put_document(key, new)?.revise(old.revision, old.revision + 1);
                let copies = new.copies(team).into_iter();
                let copies = copies.map(|it| Write::put_document(it.key, new));
                steps.extend([put]);
                steps.extend(copies.collect::<Result<Vec<_>, _>>()?);
            }
            None => steps.extend(deletion(team, old)),
        }
        let is_owner = |it: &Member| it.role == Role::Owner;
        match (is_owner(&old.value), new.is_some_and(is_owner)) {
            (true, false) => {
                let owners = Write::count_down_above(keys::owners(team), 1);
                steps.add(owners, Denied::LastOwner);
                steps.extend(self.without_owner(team, &old.value.user, now).await?);
            }
            (false, true) => {
                let owners = Write::count_up(keys::owners(team), MAX_MEMBERS);
                steps.add(owners, Denied::TeamIsFull);
            }
            _ => {}
        }
        Ok(())
    }

    /// Deletes the invitations of those who have lost rights. Nobody can accept them anyway, so a failure does not matter.
    pub(crate) async fn after_loss(&self, team: &TeamKey, now: Timestamp) {
        if let Err(failure) = self.delete_ended_invitations(team, now).await {
            tracing::warn!(failure = errors::chain(&failure), "ended invitations not deleted");
        }
    }

    /// Adds a user to a team. Only for setting up a deployment: others are invited.
    pub async fn add_member(&self, member: &Member) -> Result<(), NotChanged> {
        let mut steps = Steps::default();
        steps.add_member(member)?;
        self.apply(steps).await
    }

    /// The membership of a user in a team.
    pub async fn member(&self, team: &TeamKey, user: &str) -> Result<Option<Member>, Error> {
        self.resource(&team.of_members(), user).await
    }

    /// The membership of somebody who has delegated something. `None` also: the user is erased.
    pub(crate) async fn delegating_member(
        &self,
        team: &TeamKey,
        user: &str,
    ) -> Result<Option<Read<Member>>, Error> {
        // On the heap: each request awaits it deep in its stack.
        let (member, is_erased) =
            (Box::pin(self.read_resource(team, user)), Box::pin(self.is_user_erased(user)));
        let (member, is_erased) = try_join(member, is_erased).await?;
        Ok(member.filter(|_| !is_erased))
    }

    /// The teams of a user. A team that is being erased is none of them.
    pub async fn teams_of(&self, user: &str) -> Result<Vec<Member>, Error> {
        let teams: Vec<Member> = self.table.query(keys::teams_of_user(user)).await?;
        self.without_erased(teams, |it| &it.team).await
    }

    /// Creates a team with this owner.
    pub async fn create_team(
        &self,
        team: TeamId,
        name: &str,
        owner: &str,
        now: Timestamp,
    ) -> Result<Member, NotChanged> {
        let owner = Member { team, user: owner.to_owned(), role: Role::Owner, since: now };
        let mut steps = Steps::default();
        steps.add_team(name, &owner)?;
        self.apply(steps).await?;
        Ok(owner)
    }

    /// Changes the role of a member. `None`: the team has no such member.
    pub async fn change_role(
        &self,
        team: &TeamKey,
        user: &str,
        role: Role,
        now: Timestamp,
    ) -> Result<Option<Member>, NotChanged> {
        for attempt in 0..ATTEMPTS {
            let Some(old) = self.read_resource::<Member>(team, user).await? else {
                return Ok(None);
            };
            let new = Member { role, ..old.value.clone() };
            if old.value.role == role {
                return Ok(Some(new));
            }
            let mut steps = Steps::default();
            self.replace_member(&mut steps, team, &old, Some(&new), now).await?;
            match self.apply(steps).await {
                Err(NotChanged::Denied(Denied::Overtaken)) => pause_after_conflict(attempt).await,
                Err(failure) => return Err(failure),
                Ok(()) => {
                    self.after_loss(team, now).await;
                    return Ok(Some(new));
                }
            }
        }
        Err(Error::Changed.into())
    }

    /// Removes a member if `may` allows it, and returns the membership that ended. What the member has for herself in the team
    /// is deleted soon ([`erasures`](crate::erasures)). `None`: the team has no such member, or `may` refused.
    pub async fn remove_member(
        &self,
        team: &TeamKey,
        user: &str,
        may: impl Fn(&Member) -> bool,
        now: Timestamp,
    ) -> Result<Option<Member>, NotChanged> {
        for attempt in 0..ATTEMPTS {
            let Some(old) = self.read_resource::<Member>(team, user).await? else {
                return Ok(None);
            };
            if !may(&old.value) {
                return Ok(None);
            }
            let mut steps = Steps::default();
            self.replace_member(&mut steps, team, &old, None, now).await?;
            steps.extend([Write::count_down(keys::number_of_teams(user))]);
            steps.add(leftovers_of(&old.value, now)?, Denied::Overtaken);
            if let Some(user) = self.user(user).await? {
                steps.extend(self.without_mails_to(team, &user.email).await?);
            }
            match self.apply(steps).await {
                Err(NotChanged::Denied(Denied::Overtaken)) => pause_after_conflict(attempt).await,
                Err(failure) => return Err(failure),
                Ok(()) => {
                    self.after_loss(team, now).await;
                    return Ok(Some(old.value));
                }
            }
        }
        Err(Error::Changed.into())
    }
}
