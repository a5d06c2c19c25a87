//! The rows of a dossier, and the text that is made from them.

use std::collections::{BTreeSet, HashSet};

use auth::Language;
use jiff::civil::Date;
use obligations::{CATALOGUE, Jurisdiction};
use sha2::{Digest, Sha256};
use teams::{DossierCitation, DossierLevel, DossierText, dossier::CitationKind};

use crate::{
    check::{Record, Sentence, check},
    facts::{Facts, rows},
    row::{Row, Section, tag},
    terms,
};

/// Version of the instructions to a model and of the rules of the check. A change of either is a new version.
pub const PROMPT_VERSION: &str = "5";

/// Maximum length of the text of a dossier in characters. With citations and hashes, a dossier stays below 300 KB, and an item of
/// the table can have 400 KB.
const MAX_CONTENT: usize = 100_000;

/// Everything that a text about a company may say, in one language.
#[derive(Clone, Debug, PartialEq)]
pub struct Brief {
    pub(crate) rows: Vec<Row>,
    pub(crate) level: DossierLevel,
    pub(crate) language: Language,
    record: Record,
    day: Date,
}

/// A text that holds against its rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// The text with what it cites.
    pub text: DossierText,
    /// Number of sentences that were dropped.
    pub dropped: u32,
    /// Names of the sources of the cited evidence, each once, in alphabetical order.
    pub sources: Vec<String>,
}

impl Brief {
    /// The rows for a dossier of this level.
    pub fn of(facts: Facts, level: DossierLevel, language: Language) -> Self {
        let rows = rows(facts, level, language);
        Self { rows, level, language, record: Record::of(facts), day: facts.day }
    }

    /// The day of the facts.
    pub fn day(&self) -> Date {
        self.day
    }

    /// The rows.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The rows that a model gets.
    pub(crate) fn rows_for_model(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|it| !it.is_quotation)
    }

    /// The draft of the writer that is built in: the sentences of the rows, by section.
    pub fn composed(&self) -> String {
        let mut draft = String::new();
        // The same sentence about two people of the same name is said once.
        let mut said: HashSet<&str> = HashSet::new();
        let rows = self.rows_for_model().filter(|it| it.cells.is_none());
        let rows: Vec<&Row> = rows.filter(|it| said.insert(&it.text)).collect();
        for section in Section::ALL {
            let mut rows = rows.iter().filter(|it| it.section == section).peekable();
            if rows.peek().is_none() {
                continue;
            }
            draft.push_str(&format!("# {}\n", section.key()));
            for row in rows {
                draft.push_str(&row.line());
                draft.push('\n');
            }
        }
        draft
    }

    /// The sentences of a draft that hold and do not contradict the record, with headings, the quotations, the table of provisions,
    /// and what they cite. Empty if no sentence is left.
    pub fn checked(&self, draft: &str) -> Written {
        let rows: Vec<&Row> = self.rows_for_model().collect();
        let (mut sentences, mut dropped) = check(draft, &rows, self.language);
        let held = sentences.len();
        sentences.retain(|(section, it)| self.record.agrees(*section, &it.text, self.language));
        dropped += u32::try_from(held - sentences.len()).unwrap_or(u32::MAX);
        let mut text = Content::default();
        if sentences.is_empty() {
            return self.written(text, dropped);
        }
        // The table contains what only repeats a provision.
        let is_of_table =
            |id: &String| self.rows.iter().any(|it| it.id == *id && it.cells.is_some());
        sentences.retain(|(_, it)| !it.ids.iter().all(is_of_table));
        for row in self.rows.iter().filter(|it| it.is_quotation) {
            let quotation = Sentence { text: row.clause().to_owned(), ids: vec![row.id.clone()] };
            sentences.push((row.section, quotation));
        }
        for section in Section::ALL {
            text.begin(section.heading(self.language));
            for (_, sentence) in sentences.iter().filter(|it| it.0 == section) {
                let tags: String = sentence.ids.iter().map(|it| tag(it)).collect();
                let line = format!("{} {tags}.", sentence.text);
                dropped += u32::from(!text.add(" ", &line, &sentence.ids));
            }
            dropped += self.add_table(&mut text, section);
        }
        self.written(text, dropped)
    }

    /// Adds the rows of a section that are lines of a table. Returns the number of those for which there is no room.
    fn add_table(&self, text: &mut Content, section: Section) -> u32 {
        let columns = terms::columns(self.language).join(" | ");
        let mut before = format!("\n\n| {columns} |\n|---|---|---|---|\n");
        let mut dropped = 0;
        for row in self.rows.iter().filter(|it| it.section == section) {
            let Some([provision, subject, addressees, applies]) = &row.cells else { continue };
            let tag = tag(&row.id);
            let line = format!("| {provision} {tag} | {subject} | {addressees} | {applies} |");
            match text.add(&before, &line, std::slice::from_ref(&row.id)) {
                true => before = "\n".to_owned(),
                false => dropped += 1,
            }
        }
        dropped
    }

    fn written(&self, text: Content, dropped: u32) -> Written {
        let row = |id: &String| self.rows.iter().find(|it| it.id == *id);
        let rows: Vec<&Row> = text.cited.iter().filter_map(row).collect();
        let of_sources = rows.iter().filter(|it| it.kind == CitationKind::Evidence);
        let sources: BTreeSet<&str> = of_sources.map(|it| it.source.source.as_str()).collect();
        Written {
            sources: sources.into_iter().map(str::to_owned).collect(),
            text: DossierText {
                citations: rows.into_iter().map(|it| citation(it, self.day)).collect(),
                content: text.content,
                evidence_hashes: self.rows.iter().map(Row::hash).collect(),
            },
            dropped,
        }
    }

    /// SHA-256 of the hashes of all rows.
    pub fn evidence_hash(&self) -> String {
        let hashes: Vec<String> = self.rows.iter().map(Row::hash).collect();
        hex::encode(Sha256::digest(hashes.join("\n")))
    }
}

/// The text so far, and the ids that it cites.
#[derive(Default)]
struct Content {
    content: String,
    length: usize,
    cited: Vec<String>,
    /// The heading of a section that has no text yet.
    heading: Option<&'static str>,
}

impl Content {
    fn begin(&mut self, heading: &'static str) {
        self.heading = Some(heading);
    }

    /// Adds a sentence or a line of a table, after the heading if the section has no text yet, or else after what separates it
    /// from the text before. Whether there was room.
    fn add(&mut self, separator: &str, line: &str, ids: &[String]) -> bool {
        let before = match self.heading {
            Some(heading) => {
                let gap = if self.content.is_empty() { "" } else { "\n\n" };
                format!("{gap}## {heading}\n\n{}", separator.trim_start())
            }
            None => separator.to_owned(),
        };
        let length = self.length + before.chars().count() + line.chars().count();
        if length > MAX_CONTENT {
            return false;
        }
        self.length = length;
        self.heading = None;
        self.content.push_str(&before);
        self.content.push_str(line);
        for id in ids {
            if !self.cited.contains(id) {
                self.cited.push(id.clone());
            }
        }
        true
    }
}

fn citation(row: &Row, day: Date) -> DossierCitation {
    let url = row.source.reference.clone().filter(|it| it.starts_with("https://"));
    let obligation = match row.kind {
        CitationKind::Obligation => CATALOGUE.obligation(&row.id),
        CitationKind::Evidence => None,
    };
    let Some(obligation) = obligation else {
        return DossierCitation {
            id: row.id.clone(),
            kind: row.kind,
            regulation_id: None,
            regulation_title: None,
            article: None,
            jurisdiction: None,
            source_url: url,
            excerpt: row.text.clone(),
            source: Some(row.source.source.clone()),
            reference: row.source.reference.clone(),
            date: row.source.date,
            hash: Some(row.hash()),
        };
    };
    let regulation = CATALOGUE.regulation(&obligation.regulation);
    let jurisdiction = match regulation.map(|it| it.jurisdiction) {
        Some(Jurisdiction::Intl) => "INTL",
        Some(Jurisdiction::Ch) | None => "CH",
    };
    let version = obligation.nearest_version(day);
    DossierCitation {
        id: row.id.clone(),
        kind: row.kind,
        regulation_id: Some(obligation.regulation.clone()),
        regulation_title: regulation.map(|it| it.full_title()),
        article: Some(obligation.article.clone()),
        jurisdiction: Some(jurisdiction.to_owned()),
        source_url: url,
        excerpt: version.map_or_else(|| obligation.excerpt.clone(), |it| it.text.clone()),
        source: None,
        reference: None,
        date: None,
        hash: None,
    }
}
