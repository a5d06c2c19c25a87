//! Who writes the file of an export, and how the export ends.

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::{Export, ExportStatus, ExportedFile, Lease};

/// How long a worker may write without a sign of life. It extends its lease several times in this time.
pub const LEASE: SignedDuration = SignedDuration::from_mins(2);
/// Maximum number of workers that try to write a file: as many as a queue delivers a message.
pub const MAX_ATTEMPTS: u32 = 7;
/// How long an export is kept after its end, with its file.
pub const RETENTION: SignedDuration = SignedDuration::from_hours(7 * 24);
/// No worker still writes this long after an export has ended: a Lambda function is stopped after 15 minutes.
pub const LAST_WRITE: SignedDuration = SignedDuration::from_mins(20);
/// An export that has not ended after this time fails.
pub const TIME_LIMIT: SignedDuration = SignedDuration::from_hours(24);

/// What a worker finds when it starts.
#[derive(Clone, Debug, PartialEq)]
pub enum Started {
    /// It writes the file.
    Leased(Box<Export>),
    /// The export has ended, possibly just now.
    Ended(Box<Export>),
    /// Another worker writes the file.
    Busy,
}

impl Export {
    /// Gives a worker the lease, unless another one has it or the export has ended. After too many attempts, or too much time,
    /// the export fails.
    #[must_use]
    pub fn started(&self, token: Uuid, now: Timestamp) -> Started {
        if self.has_ended() {
            return Started::Ended(Box::new(self.clone()));
        }
        match self.lease {
            // This worker has got it before, and the answer was lost.
            Some(lease) if lease.token == token => {
                return Started::Leased(Box::new(self.clone()));
            }
            Some(lease) if lease.until > now => return Started::Busy,
            _ => {}
        }
        if let Some(reason) = self.reason_to_give_up(now) {
            return Started::Ended(Box::new(self.failed(&reason, now)));
        }
        Started::Leased(Box::new(Self {
            status: ExportStatus::Processing,
            attempts: self.attempts + 1,
            lease: Some(Lease { token, until: now + LEASE }),
            processed_rows: 0,
            total_rows: None,
            last_failure: None,
            ..self.clone()
        }))
    }

    /// Why no worker may start any more. `None`: one may.
    pub fn reason_to_give_up(&self, now: Timestamp) -> Option<String> {
        let last = self.last_failure.as_deref().unwrap_or("the process ended unexpectedly");
        if self.attempts >= MAX_ATTEMPTS {
            return Some(format!("The export failed {MAX_ATTEMPTS} times. The last time, {last}."));
        }
        if now.duration_since(self.created_at) <= TIME_LIMIT {
            return None;
        }
        let hours = TIME_LIMIT.as_hours();
        Some(match self.attempts {
            0 => format!("The export was not started within {hours} hours."),
            _ => format!("The export was not finished within {hours} hours: {last}."),
        })
    }

    /// Whether a worker has the lease now.
    pub fn is_leased(&self, now: Timestamp) -> bool {
        self.lease.is_some_and(|it| it.until > now)
    }

    fn is_leased_to(&self, token: Uuid) -> bool {
        !self.has_ended() && self.lease.is_some_and(|it| it.token == token)
    }

    /// Extends the lease of a worker and stores its progress. `None`: the worker has lost the lease.
    pub fn extended(
        &self,
        token: Uuid,
        (processed_rows, total_rows): (u64, Option<u64>),
        now: Timestamp,
    ) -> Option<Self> {
        let lease = Some(Lease { token, until: now + LEASE });
        let extended = Self { lease, processed_rows, total_rows, ..self.clone() };
        self.is_leased_to(token).then_some(extended)
    }

    /// Takes the rows from another generation, because the one before is not kept any more. `None`: the worker has lost the
    /// lease.
    pub fn with_generation(&self, token: Uuid, generation: &str) -> Option<Self> {
        let generation = generation.to_owned();
        self.is_leased_to(token).then(|| Self { generation, ..self.clone() })
    }

    /// Gives the lease back after a failure, so that the next worker need not wait for its end. `None`: the worker has lost the
    /// lease.
    pub fn released(&self, token: Uuid, reason: &str) -> Option<Self> {
        let last_failure = Some(reason.to_owned());
        self.is_leased_to(token).then(|| Self { lease: None, last_failure, ..self.clone() })
    }

    /// Completes the export: its file can be read from now on. `None`: the worker has lost the lease.
    pub fn completed(&self, token: Uuid, file: &ExportedFile, now: Timestamp) -> Option<Self> {
        // This worker has completed it before, and the answer was lost.
        if self.status == ExportStatus::Completed && self.file.as_ref() == Some(file) {
            return Some(self.clone());
        }
        self.is_leased_to(token).then(|| Self {
            processed_rows: file.rows,
            total_rows: Some(file.rows),
            file: Some(file.clone()),
            ..self.ended(ExportStatus::Completed, now)
        })
    }

    /// The export, failed for this reason. One that has ended stays as it is.
    #[must_use]
    pub fn failed(&self, reason: &str, now: Timestamp) -> Self {
        match self.has_ended() {
            true => self.clone(),
            false => Self {
                error_message: Some(reason.to_owned()),
                ..self.ended(ExportStatus::Failed, now)
            },
        }
    }

    fn ended(&self, status: ExportStatus, now: Timestamp) -> Self {
        Self {
            status,
            lease: None,
            completed_at: Some(now),
            expires_at: Some(now + RETENTION),
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use auth::{Delegation, Principal};

    use super::{super::*, *};
    use crate::SearchParams;

    const NOON: &str = "2026-11-20T12:00:00Z";

    fn at(seconds: i64) -> Timestamp {
        NOON.parse::<Timestamp>().expect("a time") + SignedDuration::from_secs(seconds)
    }

    fn export() -> Export {
        let rows = ExportRows::Companies {
            filter: SearchParams::default(),
            tagged: None,
            columns: None,
            max_rows: None,
        };
        Export::new(
            Uuid::from_u128(7),
            rows,
            ExportFormat::Csv,
            "a",
            Delegation::new(Principal::user("a-user"), at(0)),
        )
    }

    fn leased(export: &Export, token: Uuid, now: Timestamp) -> Export {
        match export.started(token, now) {
            Started::Leased(export) => *export,
            other => panic!("{other:?}"),
        }
    }

    fn file() -> ExportedFile {
        ExportedFile { key: "exports/a/1".to_owned(), size: 10, rows: 2 }
    }

    /// When an export must have ended.
    fn late() -> Timestamp {
        at(0) + TIME_LIMIT + SignedDuration::from_secs(1)
    }

    #[test]
    fn one_worker_at_a_time_has_the_lease() {
        let (one, other) = (Uuid::new_v4(), Uuid::new_v4());
        let first = leased(&export(), one, at(0));
        assert_eq!((first.attempts, first.status), (1, ExportStatus::Processing));
        assert_eq!(first.started(other, at(119)), Started::Busy);
        assert_eq!(leased(&first, one, at(5)), first, "the answer was lost");
        let second = leased(&first, other, at(120));
        assert_eq!(second.attempts, 2);
        assert_eq!(second.extended(one, (1, None), at(121)), None);
        assert_eq!(second.completed(one, &file(), at(121)), None);
        assert_eq!(second.released(one, "it failed"), None);
        assert_eq!(second.with_generation(one, "b"), None);
        let extended = second.extended(other, (1, Some(2)), at(180)).expect("leased");
        assert_eq!(extended.started(one, at(299)), Started::Busy);
        assert!(extended.is_leased(at(299)) && !extended.is_leased(at(300)));
    }

    #[test]
    fn an_export_ends_once() {
        let token = Uuid::new_v4();
        let done = leased(&export(), token, at(0)).completed(token, &file(), at(9)).expect("done");
        assert_eq!(done.completed(token, &file(), at(10)), Some(done.clone()), "made again");
        let other = ExportedFile { key: "exports/a/2".to_owned(), ..file() };
        assert_eq!(done.completed(token, &other, at(10)), None);
        assert_eq!(done.failed("cancelled", at(10)), done);
        assert_eq!(done.started(token, at(10)), Started::Ended(Box::new(done.clone())));
        assert!(!done.is_expired(at(9)) && done.is_expired(at(9) + RETENTION));
        let failed = export().failed("cancelled", at(3));
        assert_eq!(failed.error_message.as_deref(), Some("cancelled"));
        assert_eq!(failed.completed(token, &file(), at(4)), None);
    }

    #[test]
    fn after_too_many_attempts_or_too_much_time_an_export_fails_with_the_last_reason() {
        let mut tried = export();
        for _ in 0..MAX_ATTEMPTS {
            let token = Uuid::new_v4();
            tried = leased(&tried, token, at(0)).released(token, "S3 did not answer").expect("it");
        }
        let Started::Ended(failed) = tried.started(Uuid::new_v4(), at(1)) else { panic!() };
        let reason = "The export failed 7 times. The last time, S3 did not answer.";
        assert_eq!(failed.error_message.as_deref(), Some(reason));
        let started = leased(&export(), Uuid::new_v4(), at(0));
        let Started::Ended(failed) = started.started(Uuid::new_v4(), late()) else { panic!() };
        let reason = "The export was not finished within 24 hours: the process ended unexpectedly.";
        assert_eq!(failed.error_message.as_deref(), Some(reason));
    }

    #[test]
    fn an_export_that_never_started_fails_with_that_reason() {
        let Started::Ended(failed) = export().started(Uuid::new_v4(), late()) else { panic!() };
        let reason = "The export was not started within 24 hours.";
        assert_eq!(failed.error_message.as_deref(), Some(reason));
    }

    #[test]
    fn a_worker_that_is_killed_does_not_keep_the_reason_of_the_one_before() {
        let token = Uuid::new_v4();
        let first = leased(&export(), token, at(0));
        let mut tried = first.released(token, "the storage did not answer").expect("leased");
        for attempt in 1..MAX_ATTEMPTS {
            tried = leased(&tried, Uuid::new_v4(), at(i64::from(attempt) * 130));
            assert_eq!(tried.last_failure, None);
        }
        let end = at(i64::from(MAX_ATTEMPTS) * 130);
        let Started::Ended(failed) = tried.started(Uuid::new_v4(), end) else { panic!() };
        let reason = "The export failed 7 times. The last time, the process ended unexpectedly.";
        assert_eq!(failed.error_message.as_deref(), Some(reason));
    }
}
