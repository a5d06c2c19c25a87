//! Changes of a company as CloudEvents.

use jiff::{Timestamp, civil::Date};
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    Provenance, Uid,
    changes::{ChangeKind, ChangedField, LegalEvent, Severity, SeverityText, Subject, Transfer},
    history::Recorded,
};

/// A page of company events.
#[derive(Serialize, ToSchema)]
pub struct Events {
    /// Events of the page, newest first.
    pub events: Vec<CompanyEvent>,
    /// Number of events on this page.
    pub count: u64,
    /// Number of events on all pages.
    pub total: u64,
}

/// A change as a CloudEvent (version 1.0) with additional fields. The additional fields repeat its values under the names
/// of existing client libraries.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CompanyEvent {
    #[serde(flatten)]
    pub event: CloudEvent,
    /// Same value as `type`.
    pub ce_type: String,
    /// Same value as `source`.
    pub ce_source: String,
    /// Same value as `time`.
    pub ce_time: Timestamp,
    /// Company number.
    pub company_uid: Uid,
    /// Name of the company, as published.
    pub company_name: String,
    /// Change type.
    pub category: ChangeKind,
    /// Severity of the change.
    pub severity: Severity,
    /// Description of the change in one sentence.
    pub summary: String,
    /// Same value as `data`.
    pub detail_json: Detail,
    /// Time when the event was added to the change feed.
    pub created_at: Timestamp,
}

/// A CloudEvent (version 1.0).
#[skip_serializing_none]
#[derive(Clone, Serialize, ToSchema)]
pub struct CloudEvent {
    /// Version of the CloudEvents specification.
    #[schema(example = "1.0")]
    pub specversion: &'static str,
    /// Id of the event. It never changes.
    pub id: Uuid,
    /// URL of this API.
    pub source: String,
    /// Event type: `ch.gotthard.company.` and the change type.
    #[serde(rename = "type")]
    #[schema(example = "ch.gotthard.company.auditor_change")]
    pub kind: String,
    /// Company number of the company that changed.
    pub subject: Uid,
    /// Date of the publication, at midnight UTC.
    pub time: Timestamp,
    /// Media type of `data`.
    #[schema(example = "application/json")]
    pub datacontenttype: &'static str,
    /// Severity as a word, as in the CloudEvents severity extension.
    pub severitytext: SeverityText,
    /// Severity as a number, as in the CloudEvents severity extension: 9 for `low`, 13 for `medium`, 17 for `high`, 21
    /// for `critical`.
    pub severitynumber: u8,
    /// Sequence number in the change feed, 20 digits (CloudEvents sequence extension). Absent until the event
    /// is in the feed.
    pub sequence: Option<String>,
    /// Content of the event.
    pub data: Detail,
}

/// The content of a company event.
#[skip_serializing_none]
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Detail {
    /// Change type.
    pub category: ChangeKind,
    /// Severity of the change.
    pub severity: Severity,
    /// Description of the change in one sentence.
    pub summary: String,
    /// What changed. Absent if the change concerns no single field.
    #[schema(value_type = Option<ChangedField>)]
    pub field: Option<String>,
    /// Value before the change. Absent if there was none or it is unknown.
    pub old_value: Option<String>,
    /// Value after the change. Absent if there is none or it is unknown.
    pub new_value: Option<String>,
    /// Person or auditor that the change concerns. Absent for other changes.
    pub subject: Option<Subject>,
    /// Legal event. Absent if the change type says everything, or if the event could not be recognised with certainty.
    pub legal_event: Option<LegalEvent>,
    /// Date of the entry in the register's journal, from which the change has legal effect. Absent if unknown.
    pub journal_date: Option<Date>,
    /// Date of the court's decision or of the resolution. Absent if it is not stated.
    pub decision_date: Option<Date>,
    /// Amounts of a demerger or a transfer of assets. Absent if none is stated.
    pub transfer: Option<Transfer>,
    /// Publication that states the change.
    pub provenance: Provenance,
}

impl CompanyEvent {
    /// The event of the API at this address.
    pub fn of(recorded: &Recorded, source: &str) -> Self {
        let event = &recorded.event;
        let severity = event.severity();
        let time = event.time();
        let detail = Detail {
            category: event.kind,
            severity,
            summary: event.summary.clone(),
            field: event.field.clone(),
            old_value: event.old_value.clone(),
            new_value: event.new_value.clone(),
            subject: event.subject.clone(),
            legal_event: event.legal_event,
            journal_date: event.journal_date,
            decision_date: event.decision_date,
            transfer: event.transfer.clone(),
            provenance: event.source.clone(),
        };
        let cloud_event = CloudEvent {
            specversion: "1.0",
            id: event.id,
            source: source.to_owned(),
            kind: event.kind.event_type(),
            subject: event.uid,
            time,
            datacontenttype: "application/json",
            severitytext: severity.text(),
            severitynumber: severity.number(),
            sequence: recorded.sequence.map(|it| format!("{it:020}")),
            data: detail.clone(),
        };
        Self {
            ce_type: cloud_event.kind.clone(),
            ce_source: cloud_event.source.clone(),
            ce_time: time,
            company_uid: event.uid,
            company_name: event.company_name.clone(),
            category: event.kind,
            severity,
            summary: event.summary.clone(),
            detail_json: detail,
            created_at: recorded.detected_at(),
            event: cloud_event,
        }
    }
}
