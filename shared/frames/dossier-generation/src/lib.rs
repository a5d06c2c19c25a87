//! Writes a stored dossier: takes its lease, has the text written, checks it and completes the dossier with it.
//!
//! Invariants: one process at a time writes a dossier, the holder of its lease; a dossier that was deleted meanwhile stays deleted,
//! and its text is not stored; a text is stored only after the check; keys of the sandbox use the writer that is built in.

use std::{future::Future, time::Duration};

use access::Environment;
use dossier::{Brief, PROMPT_VERSION, Written};
use jiff::Timestamp;
use store::{Refused, TeamKey, Tenants};
use teams::{
    Dossier, DossierText,
    dossier::{LeaseOutcome, Writing},
};
use text_model::{Assignment, Failure, TextModel};
use tokio::time::Instant;
use uuid::Uuid;

/// Time between the end of the text model and that of the process, for the table.
const MARGIN: Duration = Duration::from_secs(2);

components::component! {
    /// Writes dossiers.
    #[derive(Debug)]
    pub struct Generator {
        pub tenants: Tenants,
        pub model: TextModel,
    }
}

/// One attempt to write a dossier.
#[derive(Clone, Copy, Debug)]
pub struct Attempt<C> {
    /// The dossier.
    pub dossier: Uuid,
    /// Identifies this process in the lease.
    pub token: Uuid,
    /// The time, in whole milliseconds.
    pub clock: C,
    /// How long it may take.
    pub limit: Duration,
}

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// The dossier has ended: it is completed, now or before, or has failed.
    Ended(Box<Dossier>),
    /// Another process writes it.
    Busy,
    /// It does not exist any more.
    Gone,
}

/// Why an attempt wrote nothing. Its lease is given back.
#[derive(Debug, thiserror::Error)]
pub enum NotWritten<E> {
    #[error(transparent)]
    Model(#[from] Failure),
    #[error("the dossier was not written within {} seconds", .0.as_secs())]
    TooSlow(Duration),
    #[error("the check removed every sentence of the text model")]
    NothingHolds,
    #[error("the facts could not be read")]
    Facts(E),
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl<E> NotWritten<E> {
    /// The reason in words for the team. The log has the causes.
    pub fn reason(&self) -> String {
        match self {
            Self::Facts(_) | Self::Store(_) => "The register did not answer.".to_owned(),
            other => {
                let text = other.to_string();
                let mut letters = text.chars();
                let first = letters.next().map(|it| it.to_uppercase().to_string());
                format!("{}{}.", first.unwrap_or_default(), letters.as_str())
            }
        }
    }
}

/// The facts of a dossier, and the generation from which they are.
#[derive(Clone, Debug)]
pub struct Read {
    /// The rows.
    pub brief: Brief,
    /// Id of the generation of the register.
    pub generation: String,
}

impl Generator {
    /// Writes a dossier. `read` reads its facts.
    ///
    /// # Errors
    /// If nothing was written; the lease is given back, so that another process can start at once.
    pub async fn write<E, F: Future<Output = Result<Read, E>>>(
        &self,
        team: &TeamKey,
        attempt: Attempt<impl Fn() -> Timestamp>,
        read: impl FnOnce(Dossier) -> F,
    ) -> Result<End, NotWritten<E>> {
        let Attempt { dossier: id, token, clock, limit } = attempt;
        let now = clock();
        let until = now + limit + MARGIN;
        let mut outcome = LeaseOutcome::Busy;
        let take = |dossier: &Dossier| {
            outcome = dossier.started(token, until, now);
            match &outcome {
                LeaseOutcome::Leased(leased) => Some((**leased).clone()),
                // It has just failed, after the last attempt.
                LeaseOutcome::Ended(ended) if **ended != *dossier => Some((**ended).clone()),
                LeaseOutcome::Ended(_) | LeaseOutcome::Busy => None,
            }
        };
        let path = id.to_string();
        let stored = self.tenants.change::<Dossier>(team, &path, take).await;
        let dossier = match (outcome, stored.map_err(unexpected)?) {
            (LeaseOutcome::Leased(dossier), Some(_)) => *dossier,
            (LeaseOutcome::Ended(dossier), _) => return Ok(End::Ended(dossier)),
            (LeaseOutcome::Busy, _)
                if self.tenants.resource::<Dossier>(team, &path).await?.is_some() =>
            {
                return Ok(End::Busy);
            }
            (_, _) => return Ok(End::Gone),
        };
        let written = match tokio::time::timeout(limit, self.text(team, dossier, limit, read)).await
        {
            Ok(written) => written,
            Err(_) => Err(NotWritten::TooSlow(limit)),
        };
        match written {
            Ok((text, writing)) => {
                let complete = |it: &Dossier| it.completed(token, &writing, clock());
                let completed = self.tenants.complete_dossier(team, id, &text, complete).await;
                if let Some(dossier) = completed.map_err(unexpected)? {
                    return Ok(End::Ended(Box::new(dossier)));
                }
                // It was deleted, or another process has written it after the lease had ended.
                let known = self.tenants.resource::<Dossier>(team, &path).await?;
                Ok(match known {
                    None => End::Gone,
                    Some(dossier) if dossier.is_running() => End::Busy,
                    Some(dossier) => End::Ended(Box::new(dossier)),
                })
            }
            Err(failure) => {
                let reason = failure.reason();
                let release = |it: &Dossier| it.released(token, &reason);
                let released = self.tenants.change::<Dossier>(team, &path, release).await;
                if let Err(failure) = released {
                    let failure = errors::chain(&failure);
                    tracing::warn!(dossier = %id, failure, "the lease stays until it ends");
                }
                Err(failure)
            }
        }
    }

    async fn text<E, F: Future<Output = Result<Read, E>>>(
        &self,
        team: &TeamKey,
        dossier: Dossier,
        limit: Duration,
        read: impl FnOnce(Dossier) -> F,
    ) -> Result<(DossierText, Writing), NotWritten<E>> {
        let started = Instant::now();
        let Read { brief, generation } = read(dossier).await.map_err(NotWritten::Facts)?;
        let model = match team.environment() {
            Environment::Live => &self.model,
            Environment::Test => &TextModel::Embedded,
        };
        let prompt = brief.prompt();
        let assignment = Assignment {
            instructions: prompt.instructions,
            input: prompt.input,
            composed: brief.composed(),
        };
        let left = limit.saturating_sub(started.elapsed());
        let draft = model.write(&assignment, left).await?;
        let Written { text, dropped, sources } = brief.checked(&draft);
        if dropped > 0 {
            tracing::warn!(
                metric = "DroppedSentences",
                model = model.name(),
                dropped,
                "sentences of a dossier did not hold"
            );
        }
        // Quotations are ours: without any sentence of the model, there is no dossier.
        let quotations = brief.rows().iter().filter(|it| it.is_quotation).count();
        if text.citations.len() <= quotations {
            return Err(NotWritten::NothingHolds);
        }
        let writing = Writing {
            model: model.name().to_owned(),
            prompt_version: PROMPT_VERSION.to_owned(),
            generation,
            evidence_hash: brief.evidence_hash(),
            dropped_sentences: dropped,
            sources,
            day: brief.day(),
        };
        Ok((text, writing))
    }
}

/// Changing a dossier counts nothing, so that no limit can refuse it.
fn unexpected<E>(refused: Refused) -> NotWritten<E> {
    match refused {
        Refused::Failed(failure) => NotWritten::Store(failure),
        other => NotWritten::Store(store::Error::Unavailable(Box::new(other))),
    }
}
