//! Links in mails that work without signing in: they confirm an address, or end the mails to it.

use auth::{Email, Language, Owner, TeamId, TokenHash};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use teams::NotificationPreferences;

use crate::{Error, TeamKey, Tenants, keys};

/// A link for the reader of a mail about notifications.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MailLink {
    pub purpose: LinkPurpose,
    /// Whose preferences the link changes.
    pub team: TeamId,
    pub owner: Owner,
    /// The address that the link was sent to. It changes nothing of another address.
    pub email: Email,
    /// Language of the mail.
    pub language: Language,
    /// Time when the link stops working.
    pub expires_at: Timestamp,
}

/// What a link does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkPurpose {
    Confirm,
    Unsubscribe,
}

impl Tenants {
    /// Stores a link. Only the hash of its token is stored.
    pub async fn put_mail_link(&self, token: &TokenHash, link: &MailLink) -> Result<(), Error> {
        let expires = link.expires_at.as_second() + 1;
        self.table.put_expiring(keys::mail_link(token), link, expires).await
    }

    /// The link with this token and purpose. `None`: there is none, or it has expired.
    pub async fn mail_link(
        &self,
        token: &TokenHash,
        purpose: LinkPurpose,
        now: Timestamp,
    ) -> Result<Option<MailLink>, Error> {
        let link: Option<MailLink> = self.table.get(keys::mail_link(token)).await?;
        Ok(link.filter(|it| it.purpose == purpose && it.expires_at > now))
    }

    /// Does what a link says. Doing it again changes nothing. `false`: the preferences have another address meanwhile, or their
    /// team is erased.
    pub async fn follow(&self, link: &MailLink, now: Timestamp) -> Result<bool, Error> {
        if self.is_erased(&link.team).await? {
            return Ok(false);
        }
        let team = TeamKey::of_mail_link(&link.team);
        let preferences = self.notification_preferences(&team, &link.owner).await?;
        let user = match preferences.user_id.as_deref() {
            Some(id) if preferences.email_address.is_none() => self.user(id).await?,
            _ => None,
        };
        let is_still_there = |it: &NotificationPreferences| match &it.email_address {
            Some(address) => *address == link.email,
            None => user.as_ref().is_some_and(|it| it.email == link.email),
        };
        let is_done = |it: &NotificationPreferences| match link.purpose {
            LinkPurpose::Confirm => it.email_confirmed_at.is_some(),
            LinkPurpose::Unsubscribe => it.mail_to().is_none(),
        };
        if !is_still_there(&preferences) {
            return Ok(false);
        }
        if is_done(&preferences) {
            return Ok(true);
        }
        let change = |it: &mut NotificationPreferences| {
            if !is_still_there(it) {
                return;
            }
            match link.purpose {
                LinkPurpose::Confirm => it.email_confirmed_at = Some(now),
                LinkPurpose::Unsubscribe => it.unsubscribe(),
            }
        };
        self.change_notification_preferences(&team, &link.owner, now, change).await?;
        Ok(true)
    }
}
