use access::Environment;
use accounts::{AuditActor, Audited, Invitation};
use auth::{Member, TokenHash};
use jiff::Timestamp;

use crate::{
    ATTEMPTS, Error, TeamKey, Tenants, keys,
    kind::Kind,
    members::{Denied, NotChanged, Steps},
    pause_after_conflict,
    resources::{Copy, Limit, Resource, deletion},
    table::Read,
};

/// Maximum number of invitations of a team that are open.
const MAX_INVITATIONS: u32 = 100;

impl Resource for Invitation {
    const KIND: Kind = Kind::Invitation;

    fn path(&self) -> String {
        self.id.clone()
    }

    fn limits(&self) -> Vec<Limit> {
        vec![Limit::of_team(MAX_INVITATIONS)]
    }

    fn copies(&self, _: &TeamKey) -> Vec<Copy> {
        vec![Copy { key: keys::invitation(&self.token_hash), is_unique: true }]
    }
}

impl Steps {
    /// Uses up an invitation.
    pub(crate) fn use_invitation(&mut self, team: &TeamKey, invitation: &Read<Invitation>) {
        for write in deletion(team, invitation) {
            self.add(write, Denied::Used);
        }
    }
}

impl Tenants {
    /// The invitation with this token. Gives no right to use it: compare its address.
    pub async fn invitation_with(&self, token: &TokenHash) -> Result<Option<Invitation>, Error> {
        self.table.get(keys::invitation(token)).await
    }

    /// The invitation of a team, live, as read.
    pub(crate) async fn read_invitation(
        &self,
        team: &TeamKey,
        id: &str,
        now: Timestamp,
    ) -> Result<Option<Read<Invitation>>, Error> {
        let invitation = self.read_resource::<Invitation>(team, id).await?;
        Ok(invitation.filter(|it| it.value.expires_at > now))
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
            let read = self.read_invitation(&team, &invitation.id, now).await?;
            let read = read.ok_or(Denied::Used)?;
            let member =
                Member { team: team_id.clone(), user: user.to_owned(), role: *role, since: now };
            let mut steps = Steps::default();
            steps.use_invitation(&team, &read);
            steps.add_member(&member)?;
            if announced.is_none() {
                announced = self.announce(&member, &entry).await?;
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
