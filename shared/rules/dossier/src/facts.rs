//! What is known about a company, and the rows that follow from it.

mod audit;
mod board;
mod duties;
mod history;
mod identity;
mod news;
mod overview;
mod owners;
mod risk;

use std::collections::BTreeMap;

use auth::Language;
use domain::{Company, History, Provenance, wording::number};
use jiff::civil::Date;
use obligations::{AuditRegime, Scope};
use ownership::{Party, Resolution, Structure};
use teams::DossierLevel;

use crate::row::{Row, Rows, Section, computed};

/// Everything that a dossier is written from, on one day.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// The record.
    pub company: &'a Company,
    /// The history until the day.
    pub history: &'a History,
    /// The source of each member of the record, by its JSON name.
    pub proofs: Option<&'a BTreeMap<String, Provenance>>,
    /// The links to owners.
    pub structure: &'a Structure,
    /// Who owns and controls the company.
    pub resolution: &'a Resolution,
    /// The legal entity at the top, if one is known.
    pub ultimate_parent: Option<Party>,
    /// The risk.
    pub risk: &'a ::risk::Assessment,
    /// Owners whose names were not compared with sanctions lists. `None` if the company and its officers were not either.
    pub owners_not_searched: Option<&'a [String]>,
    /// The provisions that apply.
    pub scope: &'a Scope,
    /// Which audit the law requires.
    pub regime: &'a AuditRegime,
    /// News until the day, newest first.
    pub news: &'a [NewsItem],
    /// The day.
    pub day: Date,
}

/// A news item. All of its texts are the publisher's.
#[derive(Clone, Debug, PartialEq)]
pub struct NewsItem {
    /// Name of the publisher.
    pub publisher: Option<String>,
    /// Title.
    pub title: String,
    /// Day of publication.
    pub date: Date,
    /// Where it was found.
    pub source: Provenance,
}

/// Facts together with what decides how they are written.
#[derive(Clone, Copy)]
struct RowWriter<'a> {
    facts: Facts<'a>,
    level: DossierLevel,
    language: Language,
}

/// The rows of a dossier, in the order of the text.
pub(crate) fn rows(facts: Facts, level: DossierLevel, language: Language) -> Vec<Row> {
    let writer = RowWriter { facts, level, language };
    let mut rows = Rows::new();
    writer.overview(&mut rows);
    writer.identity(&mut rows);
    writer.history(&mut rows);
    writer.board(&mut rows);
    writer.owners(&mut rows);
    writer.audit(&mut rows);
    writer.risk(&mut rows);
    writer.duties(&mut rows);
    writer.news(&mut rows);
    writer.limits(&mut rows);
    rows.rows
}

impl RowWriter<'_> {
    /// The number for this level.
    fn at_level(&self, [summary, standard, detailed]: [usize; 3]) -> usize {
        match self.level {
            DossierLevel::Summary => summary,
            DossierLevel::Standard => standard,
            DossierLevel::Detailed => detailed,
        }
    }

    /// Says how many items a section leaves out, if it does. `what` names them: `Entries not listed`.
    fn left_out(
        &self,
        rows: &mut Rows,
        section: Section,
        [all, shown]: [usize; 2],
        what: [&str; 4],
    ) {
        let more = all.saturating_sub(shown);
        if more > 0 {
            let (what, more) = (self.language.of(what), number(self.language, more as u64));
            rows.add(section, format!("{what}: {more}."), [], &computed(self.facts.day));
        }
    }

    fn is_summary(&self) -> bool {
        self.level == DossierLevel::Summary
    }

    /// The source of a member of the record, by its JSON name.
    fn source_of(&self, member: &str) -> Provenance {
        let company = self.facts.company;
        let source = company.source_of(member, self.facts.proofs).cloned();
        source.unwrap_or_else(|| company.unreferenced_source())
    }
}
