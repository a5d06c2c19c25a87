//! The rows of a dossier, and the text that is made from them.

use std::collections::{BTreeSet, HashSet};

use accounts::{DossierCitation, DossierLevel, DossierText, dossier::CitationKind};
use auth::Language;
use jiff::civil::Date;
use obligations::{CATALOGUE, Jurisdiction};
use sha2::{Digest, Sha256};

use crate::{
    check::{Sentence, check},
    facts::{Facts, rows},
    row::{Row, Section, tag},
};

/// Version of the instructions to a model and of the rules of the check. A change of either is a new version.
pub const PROMPT_VERSION: &str = "3";

/// Maximum length of the text of a dossier in characters. With citations and hashes, a dossier stays below 300 KB, and an item of
/// the table can have 400 KB.
const MAX_CONTENT: usize = 100_000;

/// Everything that a text about a company may say, in one language.
#[derive(Clone, Debug, PartialEq)]
pub struct Brief {
    pub(crate) rows: Vec<Row>,
    pub(crate) level: DossierLevel,
    pub(crate) language: Language,
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
        Self { rows: rows(facts, level, language), level, language, day: facts.day }
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
        let rows: Vec<&Row> = self.rows_for_model().filter(|it| said.insert(&it.text)).collect();
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

    /// The sentences of a draft that hold, with headings, the quotations, and what they cite.
    pub fn checked(&self, draft: &str) -> Written {
        let rows: Vec<&Row> = self.rows_for_model().collect();
        let (mut sentences, mut dropped) = check(draft, &rows, self.language);
        for row in self.rows.iter().filter(|it| it.is_quotation) {
            let quotation = Sentence { text: row.clause().to_owned(), ids: vec![row.id.clone()] };
            sentences.push((row.section, quotation));
        }
        let mut content = String::new();
        let mut cited: Vec<&str> = Vec::new();
        for section in Section::ALL {
            let mut is_first = true;
            for (_, sentence) in sentences.iter().filter(|it| it.0 == section) {
                let tags: String = sentence.ids.iter().map(|it| tag(it)).collect();
                let line = format!("{} {tags}.", sentence.text);
                if content.chars().count() + line.chars().count() > MAX_CONTENT {
                    dropped += 1;
                    continue;
                }
                let between = match (is_first, content.is_empty()) {
                    (true, true) => format!("## {}\n\n", section.heading(self.language)),
                    (true, false) => format!("\n\n## {}\n\n", section.heading(self.language)),
                    (false, _) => " ".to_owned(),
                };
                content.push_str(&between);
                content.push_str(&line);
                is_first = false;
                for id in &sentence.ids {
                    if !cited.contains(&id.as_str()) {
                        cited.push(id);
                    }
                }
            }
        }
        let row = |id: &&str| self.rows.iter().find(|it| it.id == *id);
        let rows: Vec<&Row> = cited.iter().filter_map(row).collect();
        let of_sources = rows.iter().filter(|it| it.kind == CitationKind::Evidence);
        let sources: BTreeSet<&str> = of_sources.map(|it| it.source.source.as_str()).collect();
        Written {
            sources: sources.into_iter().map(str::to_owned).collect(),
            text: DossierText {
                citations: rows.into_iter().map(|it| citation(it, self.day)).collect(),
                content,
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
