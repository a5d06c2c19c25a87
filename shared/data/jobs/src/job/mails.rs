//! The mails with notifications.

use access::Environment;
use auth::{Owner, TeamId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Message;

/// UUID namespace of the deduplication ids of digests.
const DIGEST: Uuid = Uuid::from_u128(0x9a4c_17f2_6e3b_5d08_b1f5_28c6_04ad_7e93);

/// A job for the `notification-mails` worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "snake_case")]
pub enum MailJob {
    /// Send the mails that wait for an owner who gets each notification at once. Safe to run twice: a mail that was sent
    /// does not wait any more. If a worker is killed after it has sent a mail, the mail is sent again with the same id.
    Send { team: TeamId, environment: Environment, owner: Owner },
    /// Send an owner the digest that was due at this time. Safe to run twice for the same reason; and a period whose digest
    /// was sent, or that is older, does nothing.
    Digest { team: TeamId, environment: Environment, owner: Owner, period: Timestamp },
    /// Tell the owners of a team what has happened with its single sign-on. Safe to run twice: it is stored who was told.
    TellOwners { team: TeamId },
}

impl Message for MailJob {
    const VARIABLE: &'static str = "MAILS_QUEUE";

    /// One group for each team: two workers would send the same mails, and count them at the same time.
    fn group(&self) -> &str {
        let (Self::Send { team, .. } | Self::Digest { team, .. } | Self::TellOwners { team }) =
            self;
        &team.0
    }

    fn deduplication_id(&self) -> Option<String> {
        match self {
            Self::Send { .. } | Self::TellOwners { .. } => None,
            Self::Digest { team, environment, owner, period } => {
                let name = format!("{team}/{environment}/{owner}/{period}");
                Some(format!("digest-{}", Uuid::new_v5(&DIGEST, name.as_bytes())))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// A queue may hold messages of the previous version during a deployment.
    #[test]
    fn wire_format_is_stable() {
        let digest: Value = json!({
            "job": "digest", "team": "a-team", "environment": "live", "owner": "team",
            "period": "2026-11-20T07:00:00Z",
        });
        let job: MailJob = serde_json::from_value(digest.clone()).expect("a job");
        assert_eq!(serde_json::to_value(&job).expect("plain data"), digest);
        assert_eq!(job.group(), "a-team");
        let send: Value =
            json!({ "job": "send", "team": "a-team", "environment": "live", "owner": "an-id" });
        let job = MailJob::Send {
            team: TeamId("a-team".into()),
            environment: Environment::Live,
            owner: Owner::User("an-id".into()),
        };
        assert_eq!(serde_json::to_value(&job).expect("plain data"), send);
        assert_eq!(serde_json::from_value::<MailJob>(send).expect("a job"), job);
        let tell = json!({ "job": "tell_owners", "team": "a-team" });
        let job = MailJob::TellOwners { team: TeamId("a-team".into()) };
        assert_eq!(serde_json::to_value(&job).expect("plain data"), tell);
    }
}
