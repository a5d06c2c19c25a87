//! Rows with the board and the timeline of a company.
//!
//! Record, board and timeline are those of one generation.

use domain::{
    ChangeKind, Provenance,
    history::Recorded,
    persons::{Mandate, SigningAuthority},
};
use jiff::{Timestamp, civil::Date};
use records::Record;
use serde::Serialize;
use serde_with::skip_serializing_none;
use uuid::Uuid;

use crate::{Error, rows::Profile};

/// A current role in the company.
#[skip_serializing_none]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BoardEntry<'a> {
    person_id: Uuid,
    first_name: Option<&'a str>,
    last_name: &'a str,
    role: &'a str,
    signing_authority: Option<SigningAuthority>,
    signature: Option<&'a str>,
    since: Option<Date>,
    confidence: f64,
    source: &'a Provenance,
}

impl<'a> From<&'a Mandate> for BoardEntry<'a> {
    fn from(it: &'a Mandate) -> Self {
        Self {
            person_id: it.person_id,
            first_name: it.person.first_name.as_deref(),
            last_name: &it.person.last_name,
            role: &it.role,
            signing_authority: it.signing_authority,
            signature: it.signature.as_deref(),
            since: it.since,
            confidence: it.confidence,
            source: &it.source,
        }
    }
}

/// A change of the company.
#[skip_serializing_none]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TimelineEntry<'a> {
    id: Uuid,
    change_type: ChangeKind,
    field_name: Option<&'a str>,
    old_value: Option<&'a str>,
    new_value: Option<&'a str>,
    summary: &'a str,
    source_date: Date,
    detected_at: Timestamp,
    source: &'a Provenance,
}

impl<'a> From<&'a Recorded> for TimelineEntry<'a> {
    fn from(recorded: &'a Recorded) -> Self {
        let event = &recorded.event;
        Self {
            id: event.id,
            change_type: event.kind,
            field_name: event.field.as_deref(),
            old_value: event.old_value.as_deref(),
            new_value: event.new_value.as_deref(),
            summary: &event.summary,
            source_date: event.date,
            detected_at: recorded.detected_at(),
            source: &event.source,
        }
    }
}

/// The line of a company: its record, and the members `board`, of the time `as_of`, and `timeline` if they are wanted, from its
/// line of the histories.
pub(crate) fn line(
    record: &Record<'_>,
    history: Option<&Record<'_>>,
    as_of: Timestamp,
    wanted: Profile,
) -> Result<String, Error> {
    let mut line = record.json.trim_end().to_owned();
    if !wanted.with_board && !wanted.with_timeline {
        return Ok(line);
    }
    let of_company = history.filter(|it| it.uid == record.uid);
    let history =
        of_company.ok_or_else(|| Error::Row("the history is missing".into()))?.history()?;
    if line.pop() != Some('}') {
        return Err(Error::Row("a record does not end with `}`".into()));
    }
    let json = |failure: serde_json::Error| Error::Row(failure.into());
    if wanted.with_board {
        let current = history.mandates.iter().filter(|it| it.is_current());
        let board: Vec<BoardEntry<'_>> = current.map(BoardEntry::from).collect();
        line.push_str(&format!(",\"boardAsOf\":\"{as_of}\",\"board\":"));
        line.push_str(&serde_json::to_string(&board).map_err(json)?);
    }
    if wanted.with_timeline {
        let newest = history.events.iter().rev().filter(|it| !it.event.is_internal());
        let timeline: Vec<TimelineEntry<'_>> = newest.map(TimelineEntry::from).collect();
        line.push_str(",\"timeline\":");
        line.push_str(&serde_json::to_string(&timeline).map_err(json)?);
    }
    line.push('}');
    Ok(line)
}
