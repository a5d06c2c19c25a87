use auth::Principal;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Error, TeamKey, Tenants, keys, table::Write};

/// Seconds that an answer is kept for replays.
const RETENTION: i64 = 24 * 3_600;
/// Seconds that a running request blocks others. Longer than any function with operations may run, which is 119 seconds
/// (`template.yaml`).
const LEASE: i64 = 150;

/// The right to run an idempotent request, once.
#[derive(Clone, Debug)]
pub struct Attempt {
    key: keys::Key,
    id: String,
    body_hash: String,
}

/// Result of a claim.
#[derive(Debug)]
pub enum Claim {
    /// The request has not run. Run it.
    Granted(Attempt),
    /// The request is running.
    Running,
    /// The key was used with another body.
    OtherBody,
    /// The request ran with this outcome.
    Ran(Outcome),
}

/// Outcome of a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    Answer {
        status: u16,
        headers: Vec<(String, String)>,
        body: String,
    },
    /// The answer is not kept, because it holds a secret or is too large. `id` identifies what was created.
    Withheld {
        id: Option<String>,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    attempt: String,
    body_hash: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<Outcome>,
    expires: i64,
}

impl Tenants {
    /// Claims the right to run a request of this sender with an idempotency key. Only the digests of key and body are
    /// stored.
    pub async fn claim(
        &self,
        (team, sender): (&TeamKey, &Principal),
        route: &str,
        key_hash: &str,
        body_hash: &str,
        now: Timestamp,
    ) -> Result<Claim, Error> {
        let key = keys::idempotent_request(team, sender, route, key_hash);
        let attempt = Attempt {
            key: key.clone(),
            id: Uuid::new_v4().to_string(),
            body_hash: body_hash.into(),
        };
        let request = attempt.request(None, now.as_second() + LEASE);
        if self
            .table
            .put_if_free(key.clone(), &request, now.as_second(), ("attempt", &attempt.id))
            .await?
        {
            return Ok(Claim::Granted(attempt));
        }
        Ok(match self.table.get::<Request>(key).await? {
            Some(stored) if stored.body_hash != body_hash => Claim::OtherBody,
            Some(Request { outcome: Some(outcome), .. }) => Claim::Ran(outcome),
            // Running, or released a moment ago. Either way the caller tries again.
            _ => Claim::Running,
        })
    }

    /// Stores the outcome of the request for replays. [`Error::Changed`]: the lease expired and another
    /// attempt holds the key.
    pub async fn finish(
        &self,
        attempt: &Attempt,
        outcome: Outcome,
        now: Timestamp,
    ) -> Result<(), Error> {
        let request = attempt.request(Some(outcome), now.as_second() + RETENTION);
        let put = Write::put(attempt.key.clone(), &request)?.if_field("attempt", &attempt.id);
        self.table.transact(vec![put]).await
    }

    /// Frees the key after a request that did nothing.
    pub async fn release(&self, attempt: &Attempt) -> Result<(), Error> {
        let delete = Write::delete(attempt.key.clone()).if_field("attempt", &attempt.id);
        self.table.transact(vec![delete]).await
    }
}

impl Attempt {
    fn request(&self, outcome: Option<Outcome>, expires: i64) -> Request {
        Request { attempt: self.id.clone(), body_hash: self.body_hash.clone(), outcome, expires }
    }
}
