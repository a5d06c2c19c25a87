//! Gazette publications that are not, or not wholly, understood: their text contains no change that the reader recognises,
//! or a clause about a person that it leaves out because a part of it could state the wrong thing. They are saved so that an
//! improved reader can read them again.

use std::slice;

use domain::{Company, Source, Uid, statements::Statement};
use facts::{Fact, fold_with_history, takeovers};
use futures_util::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use objects::Objects;
use serde::{Deserialize, Serialize};
use sources::localities::Localities;
use store::Registry;

use crate::{
    Error, PARALLEL_COMPANIES, locations, quarantine::put_if_new, unreadable::log_unreadable,
};

/// A publication that is not understood.
#[derive(Debug, Serialize, Deserialize)]
struct NotUnderstood {
    uid: Uid,
    fingerprint: String,
    text: String,
}

fn prefix(source: Source) -> String {
    format!("not-understood/{source}/")
}

/// Saves the publication of a fact if it is not understood. Returns `true` if it was saved and had not been
/// saved before.
pub(crate) async fn save(objects: &Objects, fact: &Fact) -> Result<bool, Error> {
    let Statement::Shab(publication) = &fact.statement else { return Ok(false) };
    if is_understood(fact) {
        return Ok(false);
    }
    let saved = NotUnderstood {
        uid: fact.uid,
        fingerprint: fact.fingerprint.clone(),
        text: publication.text.clone(),
    };
    let number = publication.printed_number();
    put_if_new(objects, &format!("{}{number}.json", prefix(fact.source)), &saved).await
}

/// Whether a publication leads to at least one change event, and no clause of its text is left out.
fn is_understood(fact: &Fact) -> bool {
    let Statement::Shab(publication) = &fact.statement else { return true };
    let states_change = || {
        let folded = fold_with_history(slice::from_ref(fact));
        folded.is_none_or(|(_, history)| history.events.iter().any(|it| !it.event.is_internal()))
    };
    gazette_notice::read(&publication.text).unsure == 0 && states_change()
}

/// Folds the records that a saved publication concerns, if it is understood now.
async fn apply(
    registry: &Registry,
    localities: &Localities,
    saved: &NotUnderstood,
) -> Result<bool, store::Error> {
    let complete = |it: Company| locations::with_location(localities, it);
    let facts = registry.facts(saved.uid).await?;
    let fact = facts.iter().find(|it| it.fingerprint == saved.fingerprint);
    let Some(fact) = fact.filter(|it| is_understood(it)) else { return Ok(false) };
    registry.rebuild_record(saved.uid, complete).await?;
    for takeover in takeovers(slice::from_ref(fact)) {
        let uid = takeover.uid;
        registry.record_facts_and_complete(uid, &[takeover], complete).await?;
    }
    Ok(true)
}

/// Reads the saved publications again and folds the records of the companies whose publications are
/// understood now. Returns the number of those publications. Safe to run twice.
pub async fn reprocess(
    registry: &Registry,
    objects: &Objects,
    source: Source,
    now: Timestamp,
) -> Result<u64, Error> {
    registry.start_run(source.name(), now).await?;
    let localities = locations::newest(objects).await?;
    let keys = objects.keys(&prefix(source)).await?;
    let understood = stream::iter(&keys)
        .map(async |key| {
            let Some(bytes) = objects.get(key).await? else { return Ok(false) };
            let Ok(saved) = serde_json::from_slice::<NotUnderstood>(&bytes) else {
                return Ok(false);
            };
            match apply(registry, &localities, &saved).await {
                Ok(true) => {}
                // Something stored of the company cannot be decoded. The others are processed.
                Err(store::Error::Shape(cause)) => {
                    log_unreadable(saved.uid, &*cause);
                    return Ok(false);
                }
                is_understood => return Ok(is_understood?),
            }
            objects.delete(key).await?;
            Ok::<bool, Error>(true)
        })
        .buffer_unordered(PARALLEL_COMPANIES);
    let understood: Vec<bool> = understood.try_collect().await?;
    let understood = understood.into_iter().filter(|it| *it).count() as u64;
    let left = keys.len() as u64 - understood;
    registry.update_source_status(source, |it| it.not_understood = left).await?;
    registry.publish_events(now).await?;
    registry.finish_run(source.name(), understood > 0).await?;
    Ok(understood)
}
