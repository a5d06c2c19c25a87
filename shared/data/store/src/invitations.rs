//! Invitations, which are valid only while those who invited may still give the role.
//!
//! Invariants: a team has at most [`MAX_INVITATIONS`] that are pending, under any concurrency; an invitation makes nobody a
//! member if its author has lost the right to give its role, even at the same moment.

use std::collections::BTreeMap;

use access::{Environment, Scope};
use auth::{Delegation, Member, Principal, TokenHash};
use futures_util::future::{try_join, try_join_all};
use jiff::Timestamp;
use teams::{AuditActor, Audited, Invitation};

use crate::{
    ATTEMPTS, Error, Refused, TeamKey, Tenants, keys,
    kind::Kind,
    members::{Denied, NotChanged, Steps},
    pause_after_conflict,
    resources::{Copy, Limit, Resource, deletion},
    rights::Delegator,
    table::{Read, Write},
};

/// Maximum number of invitations of a team that are pending.
const MAX_INVITATIONS: usize = 100;
/// Maximum number of invitations that have ended and that one transaction removes.
const MAX_REMOVED: usize = 20;

impl Resource for Invitation {
    const KIND: Kind = Kind::Invitation;

    fn path(&self) -> String {
        self.id.clone()
    }

    // They are counted when one is created: the table deletes those that have expired.
    fn limits(&self) -> Vec<Limit> {
        Vec::new()
    }

    fn copies(&self, _: &TeamKey) -> Vec<Copy> {
        vec![Copy { key: keys::invitation(&self.token_hash), is_unique: true }]
    }
}

/// The invitations of a team.
struct Invitations {
    pending: Vec<Invitation>,
    /// Those that have expired, or whose author may not give the role any more.
    ended: Vec<Invitation>,
}

/// An invitation whose author may still give its role.
pub(crate) struct Valid {
    read: Read<Invitation>,
    /// The conditions on which this stays so.
    conditions: Vec<Write>,
}

impl Valid {
    pub(crate) fn invitation(&self) -> &Invitation {
        &self.read.value
    }
}

impl Steps {
    /// Uses up an invitation, if its author still has the right to give its role.
    pub(crate) fn use_invitation(&mut self, team: &TeamKey, valid: Valid) {
        for write in deletion(team, &valid.read) {
            self.add(write, Denied::Used);
        }
        for condition in valid.conditions {
            self.add(condition, Denied::Overtaken);
        }
    }
}

/// Whether the author may still invite, and give the role of this invitation.
fn may_still_give(author: &Delegator, invitation: &Invitation, now: Timestamp) -> bool {
    let rights = author.rights(&invitation.delegation(), now);
    rights.may(Scope::Manage) && rights.may_assign(invitation.role)
}

/// The writes that delete an invitation, whatever has become of it.
fn removal(team: &TeamKey, invitation: &Invitation) -> [Write; 2] {
    [
        Write::delete(keys::resource(team, Kind::Invitation, &invitation.id)),
        Write::delete(keys::invitation(&invitation.token_hash)),
    ]
}

impl Tenants {
    /// Creates an invitation, in place of an earlier one of the same address. Removes some that have ended.
    pub async fn invite(
        &self,
        team: &TeamKey,
        new: &Invitation,
        now: Timestamp,
    ) -> Result<(), Refused> {
        let key = keys::resource(team, Kind::Invitation, &new.id);
        let expires = new.expires_at.as_second() + 1;
        let creation = [
            Write::put_document(key, new)?.revise(0, 1).expiring(expires),
            Write::put_document(keys::invitation(&new.token_hash), new)?
                .if_absent()
                .expiring(expires),
        ];
        for attempt in 0..ATTEMPTS {
            // Before the invitations: if another request invites in between, the write fails.
            let list = self.next_version(keys::invitation_list(team)).await?;
            let Invitations { pending, ended } = self.invitations(team, now).await?;
            let (replaced, others): (Vec<_>, Vec<_>) =
                pending.into_iter().partition(|it| it.email == new.email);
            if others.len() >= MAX_INVITATIONS {
                let max = u32::try_from(MAX_INVITATIONS).unwrap_or(u32::MAX);
                return Err(Refused::LimitReached { kind: Kind::Invitation, max });
            }
            let removed = replaced.iter().chain(&ended).take(MAX_REMOVED);
            let mut writes = vec![list];
            writes.extend(creation.iter().cloned());
            writes.extend(removed.flat_map(|it| removal(team, it)));
            match self.table.transact(writes).await {
                Err(Error::Changed) => pause_after_conflict(attempt).await,
                done => return Ok(done?),
            }
        }
        Err(Error::Changed.into())
    }

    /// The invitations of a team that can be accepted, oldest first.
    pub async fn pending_invitations(
        &self,
        team: &TeamKey,
        now: Timestamp,
    ) -> Result<Vec<Invitation>, Error> {
        Ok(self.invitations(team, now).await?.pending)
    }

    /// Deletes the invitations that have expired, or whose author may not give the role any more. They could not be accepted
    /// before, either.
    pub async fn delete_ended_invitations(
        &self,
        team: &TeamKey,
        now: Timestamp,
    ) -> Result<(), Error> {
        let ended = self.invitations(team, now).await?.ended;
        let keys = ended.iter().flat_map(|it| {
            [keys::resource(team, Kind::Invitation, &it.id), keys::invitation(&it.token_hash)]
        });
        self.table.delete_all(keys.collect()).await
    }

    async fn invitations(&self, team: &TeamKey, now: Timestamp) -> Result<Invitations, Error> {
        let all: Vec<Invitation> = self.resources(team, "").await?;
        let mut authors: Vec<Principal> = all.iter().map(|it| it.created_by.clone()).collect();
        authors.sort_unstable();
        authors.dedup();
        let with_sso = all.iter().any(|it| it.through.is_some());
        let read = authors.iter().map(|it| self.delegator(team, it, with_sso, now));
        let delegators = try_join_all(read).await?;
        let delegators: BTreeMap<_, _> = authors.iter().zip(delegators).collect();
        let is_pending = |it: &Invitation| {
            let author = delegators.get(&it.created_by);
            it.expires_at > now && author.is_some_and(|author| may_still_give(author, it, now))
        };
        let (pending, ended) = all.into_iter().partition(is_pending);
        Ok(Invitations { pending, ended })
    }

    /// The invitation with this token. Gives no right to use it: compare its address.
    pub async fn invitation_with(&self, token: &TokenHash) -> Result<Option<Invitation>, Error> {
        self.table.get(keys::invitation(token)).await
    }

    /// The invitation of a team, if it can be accepted. `None` also: the team is erased.
    pub(crate) async fn valid_invitation(
        &self,
        team: &TeamKey,
        id: &str,
        now: Timestamp,
    ) -> Result<Option<Valid>, Error> {
        let read = self.read_resource::<Invitation>(team, id);
        let (read, is_erased) = try_join(read, self.is_erased(team.team())).await?;
        let read = read.filter(|it| it.value.expires_at > now && !is_erased);
        let Some(read) = read else { return Ok(None) };
        let Delegation { by, through, .. } = read.value.delegation();
        let author = self.delegator(team, &by, through.is_some(), now).await?;
        let may = may_still_give(&author, &read.value, now);
        Ok(may.then(|| Valid { read, conditions: author.conditions() }))
    }

    /// Makes a user a member of the team that invited it, and uses up the invitation. `entry` makes the entry in the audit log
    /// of that team, written before.
    pub async fn accept(
        &self,
        invitation: &Invitation,
        user: &str,
        now: Timestamp,
        entry: impl Fn(AuditActor) -> Audited,
    ) -> Result<Member, NotChanged> {
        let Invitation { team_id, role, .. } = invitation;
        let team = TeamKey::of_invitation(team_id, Environment::Live);
        let mut announced = None;
        for attempt in 0..ATTEMPTS {
            let valid = self.valid_invitation(&team, &invitation.id, now).await?;
            let valid = valid.ok_or(Denied::Used)?;
            // Its author, for example: a transaction can refer to a membership once.
            if self.member(&team, user).await?.is_some() {
                return Err(Denied::IsMember.into());
            }
            let member =
                Member { team: team_id.clone(), user: user.to_owned(), role: *role, since: now };
            let mut steps = Steps::default();
            steps.use_invitation(&team, valid);
            steps.add_member(&member)?;
            if announced.is_none() {
                announced = self.announce(&member, &entry, now).await?;
            }
            match self.apply(steps).await {
                Err(NotChanged::Denied(Denied::Overtaken)) => pause_after_conflict(attempt).await,
                Ok(()) => {
                    self.record_outcome_of(announced).await;
                    return Ok(member);
                }
                Err(failure) => return Err(failure),
            }
        }
        Err(Error::Changed.into())
    }
}
