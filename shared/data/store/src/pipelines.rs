use teams::{Pipeline, PipelineEntry};

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
        vec![Limit::of_team(MAX_PIPELINES)]
    }
}

impl Resource for PipelineEntry {
    const KIND: Kind = Kind::PipelineEntry;

    fn path(&self) -> String {
        path_within(&self.pipeline_id, &self.id)
    }

    fn limits(&self) -> Vec<Limit> {
        vec![Limit::within(&self.pipeline_id, MAX_ENTRIES)]
    }

    fn copies(&self, team: &TeamKey) -> Vec<Copy> {
        let key = keys::pipeline_company(team, &self.pipeline_id, self.company_uid);
        vec![Copy { key, is_unique: true }]
    }
}

impl Tenants {
    /// Deletes a pipeline and its entries. `false`: it does not exist.
    pub async fn delete_pipeline(&self, team: &TeamKey, id: &str) -> Result<bool, Error> {
        self.delete_with_contents::<Pipeline, PipelineEntry>(team, id).await
    }
}
