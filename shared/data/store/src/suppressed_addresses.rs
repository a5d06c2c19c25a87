//! Addresses that get fewer mails or none, because of bounces and complaints.
//!
//! Invariants: the list contains hashes of addresses only; of concurrent attempts to try an address, one is made.

use auth::Email;
use jiff::Timestamp;
use teams::{MailKind, MailOutcome, MailReport, SuppressedAddress, Verdict};

use crate::{
    ATTEMPTS, Error, Tenants, keys, pause_after_conflict,
    table::{Read, Write},
};

impl Tenants {
    /// What was reported about an address. `None`: nothing that would stop mails.
    pub async fn suppressed_address(
        &self,
        address: &Email,
    ) -> Result<Option<SuppressedAddress>, Error> {
        self.table.get(keys::suppressed(address)).await
    }

    /// Adds a report about a mail. `false`: it says nothing new, for example because it was added before.
    pub async fn report_mail(&self, address: &Email, report: &MailReport) -> Result<bool, Error> {
        let change = |it: &mut SuppressedAddress| {
            let before = it.clone();
            it.add(report);
            *it != before
        };
        let is_failure = report.outcome != MailOutcome::Delivered;
        self.change_suppressed(address, is_failure, change).await
    }

    /// Takes the one attempt of the present interval to reach the address. `false`: another request has taken it, or the
    /// address gets no such mail any more.
    pub async fn try_address(
        &self,
        address: &Email,
        kind: MailKind,
        has_account: bool,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let change = |it: &mut SuppressedAddress| match it.verdict(kind, has_account, now) {
            Verdict::Try => {
                it.tried(now);
                true
            }
            Verdict::Send | Verdict::Stop(_) => false,
        };
        self.change_suppressed(address, false, change).await
    }

    /// Gives back the attempt that was taken at this time, after the mail could not be sent.
    pub async fn give_back_attempt(&self, address: &Email, at: Timestamp) -> Result<(), Error> {
        let change = |it: &mut SuppressedAddress| {
            it.not_tried(at);
            true
        };
        self.change_suppressed(address, false, change).await.map(drop)
    }

    /// Removes an address from the list. `false`: it is not in it.
    pub async fn clear_suppressed(&self, address: &Email) -> Result<bool, Error> {
        let key = keys::suppressed(address);
        match self.table.transact(vec![Write::delete(key).if_present()]).await {
            Ok(()) => Ok(true),
            Err(Error::Changed) => Ok(false),
            Err(failure) => Err(failure),
        }
    }

    /// Changes what is stored about an address, and deletes it if nothing is left. `change` returns whether to write, and
    /// runs again if another change was faster. `false`: nothing is stored and `create` is not set, or nothing was written.
    async fn change_suppressed(
        &self,
        address: &Email,
        create: bool,
        change: impl Fn(&mut SuppressedAddress) -> bool,
    ) -> Result<bool, Error> {
        let key = keys::suppressed(address);
        for conflicts in 0..ATTEMPTS {
            let stored: Option<Read<SuppressedAddress>> =
                self.table.get_revised(key.clone()).await?;
            if stored.is_none() && !create {
                return Ok(false);
            }
            let Read { value: before, revision } = stored.unwrap_or_default();
            let mut after = before.clone();
            if !change(&mut after) {
                return Ok(false);
            }
            if after == before {
                return Ok(true);
            }
            let write = if after.is_over() {
                Write::delete(key.clone()).if_revision(revision)
            } else {
                let put = Write::put_document(key.clone(), &after)?.revise(revision, revision + 1);
                match after.expires_at() {
                    Some(at) => put.expiring(at.as_second()),
                    None => put,
                }
            };
            match self.table.transact(vec![write]).await {
                Err(Error::Changed) => pause_after_conflict(conflicts).await,
                done => return done.map(|()| true),
            }
        }
        Err(Error::Changed)
    }
}
