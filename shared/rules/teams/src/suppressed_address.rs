//! What mail servers and readers have reported about an address, and which mails it therefore does not get.
//!
//! Invariant: reports that arrive twice change nothing.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::MailKind;

/// Number of mails in a row that could not be delivered for the moment, after which an address gets fewer mails.
pub const MAX_UNDELIVERED: usize = 5;
/// How long a mail counts that could not be delivered for the moment.
const UNDELIVERED_RETENTION: SignedDuration = SignedDuration::from_hours(30 * 24);

/// What happened to a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailReport {
    pub outcome: MailOutcome,
    /// Id of the mail.
    pub mail: String,
    pub sent_at: Timestamp,
    /// When it happened.
    pub at: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailOutcome {
    /// The recipient's mail server has accepted it.
    Delivered,
    /// The recipient's mail server would refuse it again: a hard bounce.
    Refused,
    /// It could not be delivered for the moment: a soft bounce.
    Undelivered,
    /// The reader has marked it as spam.
    Complaint,
}

/// Why an address gets fewer mails, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suppression {
    Refused,
    Complaint,
    Undelivered,
}

impl Suppression {
    /// The interval of sign-in links: one is sent to try whether the address works again.
    ///
    /// After a complaint, the address works. Its owner may have an account, and others may ask for links: the interval is then as long
    /// as a link works, so that there is always one that works.
    const fn interval(self, has_account: bool) -> SignedDuration {
        match self {
            Self::Refused => SignedDuration::from_hours(7 * 24),
            Self::Complaint if has_account => SignedDuration::from_mins(15),
            Self::Complaint => SignedDuration::from_hours(24),
            Self::Undelivered => SignedDuration::from_hours(1),
        }
    }
}

/// Whether an address gets a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Send,
    /// One mail is sent, and then none for an interval.
    Try,
    Stop(Suppression),
}

/// The reports about an address that gets fewer mails, or that may soon get fewer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SuppressedAddress {
    /// The newest mail that was refused.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    refused: Option<Failure>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    complained_at: Option<Timestamp>,
    /// The newest mails that could not be delivered, since the last one that was delivered.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    undelivered: Vec<Failure>,
    /// When a sign-in link was last sent to try the address.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    tried_at: Option<Timestamp>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Failure {
    mail: String,
    sent_at: Timestamp,
    at: Timestamp,
}

impl SuppressedAddress {
    /// Adds a report. A mail that was delivered ends what was reported about earlier ones, except complaints.
    pub fn add(&mut self, report: &MailReport) {
        let MailReport { outcome, mail, sent_at, at } = report.clone();
        let failure = Failure { mail, sent_at, at };
        match outcome {
            MailOutcome::Delivered => {
                self.undelivered.retain(|it| it.sent_at >= sent_at);
                self.refused.take_if(|it| it.sent_at < sent_at);
            }
            MailOutcome::Refused => {
                if self.refused.as_ref().is_none_or(|it| it.sent_at < sent_at) {
                    self.refused = Some(failure);
                }
            }
            MailOutcome::Undelivered => {
                if self.undelivered.iter().all(|it| it.mail != failure.mail) {
                    self.undelivered.push(failure);
                    self.undelivered.sort_by_key(|it| it.at);
                    let surplus = self.undelivered.len().saturating_sub(MAX_UNDELIVERED);
                    self.undelivered.drain(..surplus);
                }
            }
            MailOutcome::Complaint => {
                self.complained_at = Some(self.complained_at.map_or(at, |it| it.max(at)));
            }
        }
    }

    /// After a sign-in link was sent to try the address.
    pub fn tried(&mut self, now: Timestamp) {
        self.tried_at = Some(now);
    }

    /// After the mail could not be sent that was to try the address at this time.
    pub fn not_tried(&mut self, at: Timestamp) {
        // The interval before it had ended.
        self.tried_at.take_if(|it| *it == at);
    }

    /// Whether nothing is left that was reported.
    pub fn is_over(&self) -> bool {
        self.refused.is_none() && self.complained_at.is_none() && self.undelivered.is_empty()
    }

    /// When the reports can be forgotten. `None`: they are kept.
    pub fn expires_at(&self) -> Option<Timestamp> {
        let last = self.undelivered.iter().map(|it| it.at).max();
        let is_kept = self.refused.is_some() || self.complained_at.is_some();
        last.filter(|_| !is_kept).map(|it| it + UNDELIVERED_RETENTION)
    }

    /// Why the address gets fewer mails, and since when.
    fn suppression(&self, now: Timestamp) -> Option<(Suppression, Timestamp)> {
        let recent = |it: &&Failure| it.at + UNDELIVERED_RETENTION > now;
        let undelivered: Vec<_> = self.undelivered.iter().filter(recent).collect();
        let last = undelivered.last().filter(|_| undelivered.len() >= MAX_UNDELIVERED);
        let refused = self.refused.as_ref().map(|it| (Suppression::Refused, it.at));
        let complained = self.complained_at.map(|it| (Suppression::Complaint, it));
        refused.or(complained).or(last.map(|it| (Suppression::Undelivered, it.at)))
    }

    /// Whether the address, which may have an account, gets a mail of a kind.
    pub fn verdict(&self, kind: MailKind, has_account: bool, now: Timestamp) -> Verdict {
        let Some((why, since)) = self.suppression(now) else { return Verdict::Send };
        match kind {
            MailKind::Invitation
            | MailKind::Confirmation
            | MailKind::Notification
            | MailKind::Digest
            | MailKind::AccountLink => Verdict::Stop(why),
            // A person must be able to sign in again. Others who ask for links cause no more than this one.
            MailKind::SignIn => {
                let last = self.tried_at.map_or(since, |it| it.max(since));
                match now >= last + why.interval(has_account) {
                    true => Verdict::Try,
                    false => Verdict::Stop(why),
                }
            }
            // The owners of a team must learn of it.
            MailKind::Security if why == Suppression::Refused => Verdict::Stop(why),
            MailKind::Security => Verdict::Send,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(day: i64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_hours(24 * day)
    }

    fn report(outcome: MailOutcome, day: i64) -> MailReport {
        MailReport { outcome, mail: format!("mail {day}"), sent_at: at(day), at: at(day) }
    }

    fn after(reports: &[MailReport]) -> SuppressedAddress {
        let mut address = SuppressedAddress::default();
        for it in reports {
            address.add(it);
        }
        address
    }

    #[test]
    fn each_kind_of_mail_and_each_reason_is_decided_as_in_this_table() {
        use MailKind::{
            AccountLink, Confirmation, Digest, Invitation, Notification, Security, SignIn,
        };
        let soft: Vec<_> = (1..=5).map(|it| report(MailOutcome::Undelivered, it)).collect();
        let table = [
            (Suppression::Refused, after(&[report(MailOutcome::Refused, 5)]), at(12)),
            (Suppression::Complaint, after(&[report(MailOutcome::Complaint, 5)]), at(6)),
            (Suppression::Undelivered, after(&soft), at(5) + SignedDuration::from_hours(1)),
        ];
        for (why, address, later) in table {
            let verdict = |kind, now| address.verdict(kind, false, now);
            let earlier = later - SignedDuration::from_secs(1);
            for kind in [Invitation, Confirmation, Notification, Digest, AccountLink] {
                assert_eq!(verdict(kind, later), Verdict::Stop(why), "{kind:?}");
            }
            assert_eq!(verdict(SignIn, earlier), Verdict::Stop(why));
            assert_eq!(verdict(SignIn, later), Verdict::Try);
            let mut tried = address.clone();
            tried.tried(later);
            assert_eq!(tried.verdict(SignIn, false, later), Verdict::Stop(why));
            assert_eq!(tried.verdict(SignIn, false, later + why.interval(false)), Verdict::Try);
            tried.not_tried(later);
            assert_eq!(tried, address, "the mail was not sent");
            let announced = match why {
                Suppression::Refused => Verdict::Stop(why),
                Suppression::Complaint | Suppression::Undelivered => Verdict::Send,
            };
            assert_eq!(verdict(Security, earlier), announced);
        }
    }

    #[test]
    fn after_a_complaint_an_account_can_always_get_a_link_that_works() {
        let mut address = after(&[report(MailOutcome::Complaint, 5)]);
        let asked = |minutes| at(6) + SignedDuration::from_mins(minutes);
        assert_eq!(address.verdict(MailKind::SignIn, true, asked(0)), Verdict::Try);
        address.tried(asked(0));
        let stopped = Verdict::Stop(Suppression::Complaint);
        assert_eq!(address.verdict(MailKind::SignIn, true, asked(14)), stopped);
        assert_eq!(address.verdict(MailKind::SignIn, true, asked(15)), Verdict::Try);
        assert_eq!(address.verdict(MailKind::SignIn, false, asked(15)), stopped);
    }

    #[test]
    fn only_several_mails_in_a_row_that_could_not_be_delivered_count() {
        let mut address = after(&[1, 2, 3, 4, 4].map(|it| report(MailOutcome::Undelivered, it)));
        assert_eq!(address.verdict(MailKind::Digest, true, at(4)), Verdict::Send);
        address.add(&report(MailOutcome::Delivered, 5));
        assert!(address.is_over());
        for day in 6..=10 {
            address.add(&report(MailOutcome::Undelivered, day));
        }
        let stopped = Verdict::Stop(Suppression::Undelivered);
        assert_eq!(address.verdict(MailKind::Digest, true, at(10)), stopped);
        assert_eq!(address.expires_at(), Some(at(40)));
        assert_eq!(address.verdict(MailKind::Digest, true, at(40)), Verdict::Send);
    }

    #[test]
    fn a_delivery_ends_what_was_reported_about_earlier_mails_and_no_complaint() {
        let mut address = after(&[report(MailOutcome::Refused, 5)]);
        assert_eq!(address.expires_at(), None);
        for day in [4, 5] {
            address.add(&report(MailOutcome::Delivered, day));
            assert!(!address.is_over(), "the server has accepted the mail, and returned it later");
        }
        address.add(&report(MailOutcome::Complaint, 5));
        address.add(&report(MailOutcome::Delivered, 6));
        let stopped = Verdict::Stop(Suppression::Complaint);
        assert_eq!(address.verdict(MailKind::Digest, true, at(100)), stopped);
    }
}
