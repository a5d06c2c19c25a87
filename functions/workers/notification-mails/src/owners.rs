//! Tells the owners of a team what has happened with its single sign-on.

use auth::{TeamId, User};
use jiff::Timestamp;
use mail::{NotSent, ShownName, SsoNotice};
use outgoing::mail::{Cause, Failed, NotAllowed};
use teams::SsoNews;

use crate::worker::{Error, Worker};

impl Worker {
    /// Tells each owner by itself: an address that cannot be reached does not keep the others from being told, nor lets them be told
    /// again.
    pub(crate) async fn tell_owners(&self, team: &TeamId, now: Timestamp) -> Result<(), Error> {
        // They wait for a sender's address.
        if self.tenants.is_erased(team).await? || !self.outgoing.can_send() {
            return Ok(());
        }
        let owners = self.tenants.owners(team).await?;
        let name = self.tenants.team_name(team).await?;
        let name = name.and_then(|it| ShownName::of_team(it.name, it.since, now));
        let mut failed = None;
        for mut news in self.tenants.sso_news(team).await? {
            let mut is_told = true;
            for owner in &owners {
                if news.is_told(owner) {
                    continue;
                }
                match self.tell(team, name.as_ref(), owner, news.news, now).await {
                    Ok(()) => self.tenants.put_told(team, &mut news, owner, now).await?,
                    Err(failure) => {
                        is_told = false;
                        failed = Some(failure);
                    }
                }
            }
            if is_told {
                self.tenants.delete_sso_news(team, &news).await?;
            }
        }
        failed.map_or(Ok(()), Err)
    }

    async fn tell(
        &self,
        team: &TeamId,
        name: Option<&ShownName>,
        owner: &User,
        news: SsoNews,
        now: Timestamp,
    ) -> Result<(), Error> {
        let (notice, path) = match news {
            SsoNews::Chosen => (SsoNotice::Chosen, "sso"),
            SsoNews::Removed => (SsoNotice::Removed, "sso"),
            SsoNews::Unconfirmed { confirm_before } => {
                (SsoNotice::Unconfirmed(confirm_before), "sso/confirm")
            }
        };
        let link = format!("{}/v1/teams/me/{path}", self.public_url);
        let language = owner.language.unwrap_or_default();
        let to = owner.email.clone();
        let mail = mail::sso_notice(to, language, &link, team, name, notice)?;
        let permit = match self.outgoing.allow(&Cause::Security, &mail.to, now).await {
            Ok(Some(permit)) => permit,
            // No limit stops it.
            Ok(None) | Err(NotAllowed::Limit(_) | NotAllowed::Exhausted(_)) => return Ok(()),
            Err(NotAllowed::NotCounted(failure)) => return Err(failure.into()),
            Err(NotAllowed::NotRead(failure)) => return Err(failure.into()),
        };
        match self.outgoing.send(permit, &mail, now).await {
            // It would be refused again.
            Err(Failed::NotSent(failure @ NotSent::Refused(_))) => {
                tracing::error!(failure = errors::chain(&failure), %team, "mail left out");
                Ok(())
            }
            Err(failure) => Err(failure.into()),
            Ok(_) => Ok(()),
        }
    }
}
