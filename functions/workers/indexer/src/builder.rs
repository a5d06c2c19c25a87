//! Builds the indexes of a generation.

use std::{
    collections::{BTreeSet, HashSet},
    path::Path,
    thread,
};

use domain::{
    Company, History,
    changes::PublishedEvent,
    history::{self, Recorded},
    names::RegisteredNames,
    persons::Role,
};
use generations::{Contents, Counts, Manifest, TemporaryFolder};
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use objects::Objects;
use records::Writer;
use risk::RateCounter;
use screening_results::ScreenedCompanies;
use text_index::{
    changes, companies, persons,
    tenures::{self, TenureRow},
};

use crate::{Error, coverage::CoverageCounter, sequences::Sequences, tables};

/// What a builder does not know about the generation that it publishes. The fields are those of [`Contents`].
#[derive(Clone, Copy, Debug)]
pub struct About {
    pub built_at: Timestamp,
    pub registry_version: u64,
    pub as_of_sequence: u64,
    pub left_out: u64,
}

/// Builds a generation. Every company is added once, in any order.
pub struct Builder {
    companies_added: u64,
    counts: Counts,
    rates: RateCounter,
    coverage: CoverageCounter,
    sequences: Sequences,
    companies: companies::Builder,
    columns: columns::Builder,
    changes: changes::Builder,
    persons: persons::Builder,
    tenures: tenures::Builder,
    records: Writer,
    names: Writer,
    histories: Writer,
    /// What the screening lists say about companies.
    screened: ScreenedCompanies,
}

impl Builder {
    /// An empty builder. The base rates of the register are those of the year that ends on this day.
    pub fn new(last_day: Date) -> Self {
        Self {
            companies_added: 0,
            counts: Counts::default(),
            rates: RateCounter::new(last_day),
            coverage: CoverageCounter::default(),
            sequences: Sequences::default(),
            companies: companies::Builder::default(),
            columns: columns::Builder::default(),
            changes: changes::Builder::default(),
            persons: persons::Builder::default(),
            tenures: tenures::Builder::default(),
            records: Writer::default(),
            names: Writer::default(),
            histories: Writer::default(),
            screened: ScreenedCompanies::default(),
        }
    }

    /// The records state what the screening lists say about companies.
    #[must_use]
    pub fn with_screened(mut self, screened: ScreenedCompanies) -> Self {
        self.screened = screened;
        self
    }

    /// Adds a company with its history. Events without a sequence number are not indexed as changes.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    pub fn push(&mut self, company: &Company, history: &History) -> Result<(), Error> {
        match self.screened.is_empty() {
            true => self.records.push(company)?,
            false => {
                let mut company = company.clone();
                self.screened.fill(&mut company);
                self.records.push(&company)?;
            }
        }
        self.histories.push_history(company.uid, history)?;
        self.names.push_names(&RegisteredNames::of(company).with_officers(history))?;
        let change_count = history.newest_events(false).count();
        self.companies_added += 1;
        self.count(company, history, change_count as u64);
        self.rates.add(company, history);
        self.coverage.add(company, history);
        self.companies.push_with_changes(company, u32::try_from(change_count).unwrap_or(u32::MAX));
        let events = history.events.iter().chain(&history.replaced);
        for event in events.filter_map(Recorded::published) {
            self.push_event(&event)?;
        }
        for mandate in &history.mandates {
            self.persons.push(&Role::new(company, mandate.clone()))?;
        }
        for (one, other) in &history.same_persons {
            self.persons.same(*one, *other);
        }
        let tenures = history::tenures(company, history, company.register_source().cloned());
        self.columns.push(company, history, &tenures);
        for tenure in tenures {
            let row = TenureRow::new(tenure, company.uid, &company.name, company.canton);
            self.tenures.push(row);
        }
        Ok(())
    }

    /// Adds events of companies that are left out of the generation.
    pub(crate) fn push_events(&mut self, events: &[PublishedEvent]) -> Result<(), Error> {
        let replaced: HashSet<_> = events.iter().flat_map(|it| &it.replaces).collect();
        for event in events {
            let counts = !event.event.is_internal() && !replaced.contains(&event.event.id);
            self.counts.changes += u64::from(counts);
            self.push_event(event)?;
        }
        Ok(())
    }

    fn push_event(&mut self, event: &PublishedEvent) -> Result<(), Error> {
        self.sequences.add(event.sequence);
        Ok(self.changes.push(event)?)
    }

    /// The sequence numbers up to `last` of which no event was added.
    pub(crate) fn missing(&self, last: u64) -> Vec<u64> {
        self.sequences.missing(last).collect()
    }

    fn count(&mut self, company: &Company, history: &History, change_count: u64) {
        let Counts { changes, publications, .. } = &mut self.counts;
        *changes += change_count;
        let references = history.events.iter().map(|it| &it.event.source.reference);
        *publications += references.collect::<BTreeSet<_>>().len() as u64;
        let filled = [
            (&mut self.counts.enriched, company.is_enriched()),
            (&mut self.counts.with_canton, company.canton.is_some()),
            (&mut self.counts.with_status, company.status.is_some()),
            (&mut self.counts.with_legal_form, company.legal_form.is_some()),
            (&mut self.counts.with_capital, company.share_capital.is_some()),
            (&mut self.counts.with_industry, company.industry.is_some()),
            (&mut self.counts.with_coordinates, company.latitude.is_some()),
            (&mut self.counts.with_auditor, company.auditor_name.is_some()),
        ];
        for (count, is_filled) in filled {
            *count += u64::from(is_filled);
        }
    }

    /// Builds the indexes in a temporary folder below `folder` and publishes them as the current generation.
    /// Refuses to if the events that were added are not exactly those of the feed up to `as_of_sequence`: readers
    /// of the feed would miss the others for ever.
    pub async fn publish(
        self,
        objects: &Objects,
        folder: &Path,
        about: About,
    ) -> Result<Manifest, Error> {
        let About { built_at, registry_version, as_of_sequence, left_out } = about;
        self.sequences.check(as_of_sequence)?;
        let companies = self.companies_added;
        let rates = Some(self.rates.rates());
        let coverage = self.coverage.coverage(built_at.to_zoned(TimeZone::UTC).date());
        let directory = TemporaryFolder::open(folder).create("build")?;
        let path = directory.path().to_owned();
        let build = move || self.finish(&path, built_at);
        let counts = tokio::task::spawn_blocking(build).await.map_err(std::io::Error::other)??;
        let contents = Contents {
            built_at,
            registry_version,
            as_of_sequence,
            companies,
            left_out,
            counts,
            rates,
            coverage,
        };
        Ok(generations::publish(objects, directory.path(), contents).await?)
    }

    /// Builds the indexes in parallel. Events, roles and records wait on the disk; of each, some bytes are in memory.
    fn finish(self, directory: &Path, built_at: Timestamp) -> Result<Counts, Error> {
        let Self {
            companies_added: _,
            counts,
            rates: _,
            coverage: _,
            sequences: _,
            companies,
            columns,
            changes,
            persons,
            tenures,
            records,
            names,
            histories,
            screened: _,
        } = self;
        let folder = |index: &str| {
            let path = directory.join(index);
            std::fs::create_dir(&path).map(|()| path)
        };
        let [companies_folder, changes_folder, persons_folder, tenures_folder] =
            [folder("companies")?, folder("changes")?, folder("persons")?, folder("tenures")?];
        let [columns_folder, records_folder, names_folder, histories_folder] = [
            folder(generations::COLUMNS)?,
            folder(generations::RECORDS)?,
            folder(generations::NAMES)?,
            folder(generations::HISTORIES)?,
        ];
        thread::scope(|scope| {
            let companies = scope.spawn(|| {
                let documents = companies.finish(&companies_folder)?.documents;
                let documents = documents.into_iter().map(|it| (it.uid, it.at_address));
                Ok::<_, Error>(columns.finish(&columns_folder, documents)?)
            });
            let changes = scope.spawn(|| changes.finish(&changes_folder));
            let records = scope.spawn(|| {
                let blocks = records.finish(&records_folder)?;
                tables::write(&records_folder, &blocks, built_at)
            });
            let histories = scope.spawn(|| {
                names.finish(&names_folder)?;
                histories.finish(&histories_folder)
            });
            let persons = persons.finish(&persons_folder)?.persons;
            tenures.finish(&tenures_folder)?;
            joined(companies)?;
            joined(changes)?;
            joined(records)?;
            joined(histories)?;
            Ok(Counts { persons, ..counts })
        })
    }
}

/// The result of a thread.
fn joined<T>(thread: thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
