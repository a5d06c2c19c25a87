//! How many subjects were screened on a day, and the right to compare one.

use access::Window;
use jiff::Timestamp;

use crate::{
    Counters, Error, Subject,
    counters::RETENTION,
    keys::{self, Key},
    table::{CountError, Counted},
};

/// The right to compare one subject with the lists for a client. Only [`Counters::count_subjects`] gives it, so that nothing
/// that a client requests is compared without being counted.
#[derive(Debug)]
pub struct CountedSubject(());

impl CountedSubject {
    /// For what no client requests, such as a measurement. `clippy.toml` forbids it in request handlers.
    pub fn as_operator() -> Self {
        Self(())
    }
}

/// Result of counting the subjects of a request.
#[derive(Debug)]
pub enum SubjectCount {
    /// All are counted.
    Counted(Vec<CountedSubject>),
    /// They may be compared, although the counter has not confirmed that they are counted.
    Unconfirmed(Vec<CountedSubject>, CountError),
    /// None is counted: `limit` does not allow all of them.
    Full,
}

impl Counters {
    /// Counts subjects of screenings on a day (UTC) if `limit` allows all of them.
    ///
    /// # Errors
    /// If the counter cannot be reached, and there are several subjects. A single one is then allowed: it is only one request.
    pub async fn count_subjects(
        &self,
        subject: &Subject,
        number: u32,
        limit: u32,
        now: Timestamp,
    ) -> Result<SubjectCount, CountError> {
        let rights = || (0..number).map(|_| CountedSubject(())).collect();
        let expires = Window::Day.end(now) + RETENTION;
        let failure = match self.table.count_below(key(subject, now), number, limit, expires).await
        {
            Ok(Counted::Now { .. }) => return Ok(SubjectCount::Counted(rights())),
            Ok(Counted::Full) => return Ok(SubjectCount::Full),
            Err(failure) => failure,
        };
        // A lost answer does not show whether the counter is available; a read does.
        let is_down = match &failure {
            CountError::NotCounted(_) => true,
            CountError::AnswerLost(_) => self.subjects(subject, now).await.is_err(),
        };
        match is_down && number > 1 {
            true => Err(failure),
            false => Ok(SubjectCount::Unconfirmed(rights(), failure)),
        }
    }

    /// Takes back subjects that were counted at `counted_at`, if then at most `limit` of that day were taken back.
    pub async fn refund_subjects(
        &self,
        subject: &Subject,
        number: u32,
        limit: u32,
        counted_at: Timestamp,
    ) -> Result<(), Error> {
        self.table.count_down(key(subject, counted_at), number, limit).await.map(drop)
    }

    /// The subjects of screenings that were counted on this day (UTC).
    pub async fn subjects(&self, subject: &Subject, now: Timestamp) -> Result<u32, Error> {
        let counts = self.table.counts(vec![key(subject, now)]).await?;
        Ok(counts.first().copied().unwrap_or_default())
    }
}

fn key(subject: &Subject, now: Timestamp) -> Key {
    keys::screened_subjects(&subject.to_string(), Window::Day.start(now))
}
