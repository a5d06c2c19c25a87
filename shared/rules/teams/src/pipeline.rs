use std::collections::BTreeMap;

use auth::{Principal, TeamId};
use domain::{Canton, Uid};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

/// The stages of a pipeline that is created without any.
pub const DEFAULT_STAGES: [&str; 6] = ["Lead", "Contacted", "Qualified", "Proposal", "Won", "Lost"];

/// The tier of an entry that is created without one.
pub const DEFAULT_ENTRY_TIER: u8 = 3;

/// A sales pipeline: companies (prospects) that the team moves through stages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ProspectPipeline)]
pub struct Pipeline {
    /// Id of the pipeline.
    #[schema(example = "0199c0de-0002-7000-8000-000000000000")]
    pub id: String,
    /// Team that owns the pipeline.
    #[schema(value_type = String, example = "0199c0de-00ff-7000-8000-000000000000")]
    pub team_id: TeamId,
    /// Name of the pipeline.
    #[schema(example = "New clients")]
    pub name: String,
    /// Stages, in order.
    #[schema(example = json!(["Lead", "Qualified", "Won"]))]
    pub stages: Vec<String>,
    /// Who created the pipeline.
    pub created_by: Principal,
    /// Time when the pipeline was created, in seconds since 1970-01-01 UTC: a number, unlike in notes and tags.
    #[serde(with = "jiff::fmt::serde::timestamp::second::required")]
    #[schema(value_type = i64, example = 1_793_449_800)]
    pub created_at: Timestamp,
}

/// A company in a pipeline.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StoredPipelineEntry)]
pub struct PipelineEntry {
    /// Id of the entry.
    #[schema(example = "0199c0de-0003-7000-8000-000000000000")]
    pub id: String,
    /// Pipeline that contains the entry.
    pub pipeline_id: String,
    /// Company number (UID).
    #[schema(value_type = String, example = "CHE-812.460.660")]
    pub company_uid: Uid,
    /// Stage of the pipeline in which the company is.
    #[schema(example = "Lead")]
    pub stage: String,
    /// Id of the user who is responsible for the company. Absent if there is none.
    pub assigned_to_user_id: Option<String>,
    /// Importance, from 1 (highest) to 5. Default: 3.
    #[schema(minimum = 1, maximum = 5)]
    pub tier: u8,
    /// Free text. Absent if there is none.
    pub notes: Option<String>,
    /// Who added the company.
    pub created_by: Principal,
    /// Time when the company was added, in seconds since 1970-01-01 UTC: a number, unlike in notes and tags.
    #[serde(with = "jiff::fmt::serde::timestamp::second::required")]
    #[schema(value_type = i64)]
    pub created_at: Timestamp,
    /// Time of the last change, in seconds since 1970-01-01 UTC: a number, unlike in notes and tags.
    #[serde(with = "jiff::fmt::serde::timestamp::second::required")]
    #[schema(value_type = i64)]
    pub updated_at: Timestamp,
}

/// A company in a pipeline, with its current name and canton.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PipelineEntry)]
pub struct PipelineEntryView {
    #[serde(flatten)]
    pub entry: PipelineEntry,
    /// Current name of the company. Empty if the company is no longer in the register.
    pub company_name: String,
    /// Canton of the seat.
    #[schema(value_type = Option<String>, example = "ZH")]
    pub canton: Option<Canton>,
}

/// A pipeline with its entries.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PipelineWithEntries {
    #[serde(flatten)]
    pub pipeline: Pipeline,
    /// Entries, oldest first.
    pub entries: Vec<PipelineEntryView>,
    /// Number of entries.
    pub total_entries: usize,
}

/// Number of entries of a pipeline, by stage and by importance (`tier`).
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PipelineStats {
    /// Number of entries in each stage, also stages without any.
    #[schema(example = json!({ "Lead": 1, "Qualified": 0, "Won": 0 }))]
    pub by_stage: BTreeMap<String, usize>,
    /// Number of entries of each importance (`tier`, from 1, the highest, to 5) that occurs.
    #[schema(example = json!({ "3": 1 }))]
    pub by_tier: BTreeMap<String, usize>,
    /// Number of entries.
    pub total: usize,
}

impl PipelineStats {
    pub fn of(pipeline: &Pipeline, entries: &[PipelineEntry]) -> Self {
        let mut by_stage: BTreeMap<String, usize> =
            pipeline.stages.iter().map(|it| (it.clone(), 0)).collect();
        let mut by_tier = BTreeMap::new();
        for entry in entries {
            *by_stage.entry(entry.stage.clone()).or_default() += 1;
            *by_tier.entry(entry.tier.to_string()).or_default() += 1;
        }
        Self { by_stage, by_tier, total: entries.len() }
    }
}
