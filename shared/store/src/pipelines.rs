use accounts::{Pipeline, PipelineEntry};

use crate::{
    Error, TeamKey, Tenants, keys,
    kind::Kind,
    resources::{Copy, Limit, Resource, path_within},
};

/// Maximum number of pipelines of a team.
const MAX_PIPELINES: u32 = 50;
/// Maximum number of entries of a pipeline.
const MAX_ENTRIES: u32 = 1_000;

impl Resource for Pipeline {
    const KIND: Kind = Kind::Pipeline;

    fn path(&self) -> String {
        self.id.clone()
    }

    fn limits(&self) -> Vec<Limit> {
        vec![Limit { container: String::new(), max: MAX_PIPELINES }]
    }
}

impl Resource for PipelineEntry {
    const KIND: Kind = Kind::PipelineEntry;

    fn path(&self) -> String {
        path_within(&self.pipeline_id, &self.id)
    }

    fn limits(&self) -> Vec<Limit> {
        vec![Limit { container: self.pipeline_id.clone(), max: MAX_ENTRIES }]
    }

    fn copies(&self, team: &TeamKey) -> Vec<Copy> {
        let key = keys::pipeline_company(team, &self.pipeline_id, self.company_uid);
        vec![Copy { key, is_unique: true }]
    }
}

impl Tenants {
    /// Deletes a pipeline and its entries. `false`: it does not exist.
    ///
    /// The pipeline is deleted first. Nobody can reach its entries without it, so entries that remain after
    /// an interruption are never seen.
    pub async fn delete_pipeline(&self, team: &TeamKey, id: &str) -> Result<bool, Error> {
        let Some(_) = self.delete::<Pipeline>(team, id, |_| true).await? else { return Ok(false) };
        let entries: Vec<PipelineEntry> = self.resources(team, &path_within(id, "")).await?;
        let mut keys = vec![keys::number_of(team, Kind::PipelineEntry, id)];
        for entry in entries {
            keys.push(keys::resource(team, Kind::PipelineEntry, &entry.path()));
            keys.extend(entry.copies(team).into_iter().map(|it| it.key));
        }
        self.table.delete_all(keys).await?;
        Ok(true)
    }
}
