//! The reports of industries.

use std::sync::Arc;

use analytics::report::{Reports, needs, reports};
use components::{Component, Components};
use generations::Generation;
use jiff::civil::Date;
use problem_details::Problem;
use tokio::sync::Mutex;

use crate::KeptResults;

/// The reports of all industries, of a generation and a day: computed once, and kept in the bucket and in the process.
#[derive(Clone, Debug)]
pub struct IndustryReports {
    results: KeptResults,
    newest: Arc<Mutex<Option<Newest>>>,
}

/// The reports that were asked for last.
#[derive(Debug)]
struct Newest {
    generation: String,
    day: Date,
    reports: Arc<Reports>,
}

impl Component for IndustryReports {
    fn open(components: &Components) -> Self {
        Self { results: components.get(), newest: Arc::default() }
    }
}

impl IndustryReports {
    /// The reports of a generation as of a day. Requests at the same time wait for the one that reads or computes them.
    ///
    /// # Errors
    /// 503 if the columns cannot be read, or if another process computes the reports for longer than 25 seconds.
    pub async fn of(&self, generation: &Generation, day: Date) -> Result<Arc<Reports>, Problem> {
        let mut newest = self.newest.lock().await;
        let id = &generation.manifest.id;
        if let Some(it) = newest.as_ref().filter(|it| it.generation == *id && it.day == day) {
            return Ok(it.reports.clone());
        }
        let key = self.results.key(id, day, "industries.json");
        // Boxed, so that the futures of handlers stay within the depth that the compiler allows.
        let json = Box::pin(self.results.of(&key, async {
            let tables = generation.columns(&needs()).await?;
            let compute = move || {
                let found = reports(&tables.companies, &tables.changes, &tables.firms, day.into());
                serde_json::to_vec(&found)
            };
            Ok::<_, Problem>(tokio::task::spawn_blocking(compute).await??.into())
        }));
        let reports: Reports = serde_json::from_slice(&json.await?)?;
        let reports = Arc::new(reports);
        *newest = Some(Newest { generation: id.clone(), day, reports: reports.clone() });
        Ok(reports)
    }
}
