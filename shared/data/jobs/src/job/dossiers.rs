//! The writing of dossiers.

use access::Environment;
use auth::TeamId;
use serde::{Deserialize, Serialize};

use super::Message;

/// A job for the `dossiers` worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "snake_case")]
pub enum DossierJob {
    /// Write a dossier. Safe to run twice: a process writes only while it has the lease of the dossier, and a dossier that has
    /// ended or was deleted does nothing.
    Write { team: TeamId, environment: Environment, dossier: String },
}

impl Message for DossierJob {
    const VARIABLE: &'static str = "DOSSIERS_QUEUE";

    /// One group for each dossier: different dossiers do not wait for each other.
    fn group(&self) -> &str {
        let Self::Write { dossier, .. } = self;
        dossier
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// A queue may hold messages of the previous version during a deployment.
    #[test]
    fn wire_format_is_stable() {
        let dossier: Value = json!({
            "job": "write", "team": "a-team", "environment": "live", "dossier": "an-id",
        });
        let job: DossierJob = serde_json::from_value(dossier.clone()).expect("a job");
        assert_eq!(serde_json::to_value(&job).expect("plain data"), dossier);
        assert_eq!(job.group(), "an-id");
    }
}
