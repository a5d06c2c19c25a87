//! The data of the PDF file: labels in one language and the texts of a company, as the template shows them.
//!
//! Everything that comes from a source is a JSON string, which the template never reads as markup. The numbers of rows and
//! characters are limited, so that no company makes a file that takes long to render.

mod auditors;
mod board;
mod changes;
mod format;
mod industry;
mod map;
mod overview;
mod risk_section;
mod roles;
mod signatures;
mod words;

use std::collections::BTreeMap;

use ::risk::Assessment;
use auth::Language;
use domain::{Company, DEMO, History, Provenance, Status, auditors::Tenure};
use jiff::{civil::Date, tz::TimeZone};
use serde::Serialize;

pub(crate) use self::industry::IndustryDocument;
use self::{
    auditors::Auditors,
    board::Board,
    changes::Changes,
    format::{SHORT, cut},
    map::Map,
    overview::Overview,
    risk_section::Risk,
    words::{Labels, Words, filled},
};
use crate::sections::{Section, Sections};

/// Maximum number of officers and signatories in a document.
pub(crate) const MAX_PEOPLE: usize = 400;
/// Maximum number of changes in a document.
pub(crate) const MAX_CHANGES: usize = 100;
/// Maximum number of auditors in a document.
pub(crate) const MAX_AUDITORS: usize = 50;

/// Maximum number of characters of the name in the header of a page.
const HEADER: usize = 90;

/// What a document is made of.
#[derive(Debug)]
pub(crate) struct Profile {
    pub(crate) company: Company,
    pub(crate) history: History,
    /// Current and former auditors, latest first.
    pub(crate) tenures: Vec<Tenure>,
    /// Number of current mandates and of changes, also of those that were not read.
    pub(crate) total_people: usize,
    pub(crate) total_changes: usize,
    pub(crate) today: Date,
}

/// The risk of the company, for callers whose tier includes it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RiskAccess<'a> {
    /// The tier does not include it.
    Locked,
    Assessed(&'a Assessment),
}

/// The data of a document.
#[derive(Debug, Serialize)]
pub(crate) struct Document {
    /// Code of the language, for hyphenation and for screen readers.
    lang: &'static str,
    labels: Labels,
    title: String,
    /// The name, on one line of the header of every page.
    header: String,
    subtitle: String,
    uid: String,
    /// Year, month and day of the file: those of the record, so that the same record gives the same bytes.
    date: (i16, i8, i8),
    status: Option<State>,
    footer: String,
    map: Option<Map>,
    sections: Vec<TitledSection>,
}

#[derive(Debug, Serialize)]
struct TitledSection {
    name: &'static str,
    title: &'static str,
    #[serde(flatten)]
    content: Content,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Content {
    Overview(Overview),
    Board(Board),
    Changes(Changes),
    Auditors(Auditors),
    Risk(Box<Risk>),
}

/// A state with a colour.
#[derive(Debug, Serialize)]
struct State {
    text: String,
    tone: Tone,
}

/// A colour of the template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Tone {
    Good,
    Warn,
    Bad,
    Plain,
}

impl Document {
    pub(crate) fn of(
        profile: &Profile,
        language: Language,
        sections: &Sections,
        risk: RiskAccess<'_>,
    ) -> Self {
        let words = Words(language);
        let company = &profile.company;
        let content = |section| match section {
            Section::Overview => {
                (words.overview(), Content::Overview(Overview::of(company, words)))
            }
            Section::Board => (words.board(), Content::Board(Board::of(profile, words))),
            Section::Changes => (words.changes(), Content::Changes(Changes::of(profile, words))),
            Section::Auditor => (words.auditors(), Content::Auditors(Auditors::of(profile, words))),
            Section::Risk => (words.risk(), Content::Risk(Box::new(Risk::of(risk, words)))),
        };
        let titled = |section: Section| {
            let (title, content) = content(section);
            TitledSection { name: section.name(), title, content }
        };
        let assessed = match risk {
            RiskAccess::Assessed(it) if sections.contain(Section::Risk) => Some(it),
            RiskAccess::Assessed(_) | RiskAccess::Locked => None,
        };
        let record_date = record_date(company);
        let date = record_date.unwrap_or(profile.today);
        Self {
            lang: language.code(),
            labels: Labels::of(words),
            title: cut(&company.name, SHORT),
            header: cut(&company.name, HEADER),
            subtitle: subtitle(company, words),
            uid: company.uid.to_string(),
            date: (date.year(), date.month(), date.day()),
            status: company.status.map(|it| status(it, company, &profile.history, words)),
            footer: footer(profile, assessed, record_date, words),
            map: sections.contain(Section::Overview).then(|| map(company, words)).flatten(),
            sections: sections.iter().map(titled).collect(),
        }
    }
}

/// The date of the newest statement in the record: no source at the foot of a page has a later one.
fn record_date(company: &Company) -> Option<Date> {
    let updated = company.updated_at.map(|it| it.to_zoned(TimeZone::UTC).date());
    company.sources.iter().filter_map(|it| it.date).chain(updated).max()
}

/// Legal form and seat.
fn subtitle(company: &Company, words: Words) -> String {
    let form = overview::legal_form(company, words);
    let parts = [form, overview::seat(company)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

fn status(status: Status, company: &Company, history: &History, words: Words) -> State {
    let tone = match (status, company.status_reason.is_some()) {
        (Status::Active, false) => Tone::Good,
        // A moratorium.
        (Status::Active, true) | (Status::BeingCancelled, _) => Tone::Warn,
        (Status::Cancelled, _) => Tone::Bad,
    };
    let name = words.status_name(status);
    let text = match company.status_reason {
        Some(reason) => format!("{name}: {}", words.status_reason(reason, history)),
        None => name.to_owned(),
    };
    State { text, tone }
}

/// Sources, the date of the record and that of the document, at the foot of every page.
fn footer(
    profile: &Profile,
    assessed: Option<&Assessment>,
    record_date: Option<Date>,
    words: Words,
) -> String {
    let company = &profile.company;
    let of_record = company.sources.iter().map(|it| (it.source.as_str(), it.date));
    let factors = assessed.into_iter().flat_map(|it| &it.factors);
    let of_evidence =
        factors.flat_map(|it| &it.evidence).map(|it| (it.source.as_str(), it.observed_at));
    let mut newest: BTreeMap<&str, Option<Date>> = BTreeMap::new();
    for (source, stated) in of_record.chain(of_evidence) {
        let date = newest.entry(source).or_default();
        *date = (*date).max(stated);
    }
    if newest.is_empty() {
        newest.extend(company.data_source.as_deref().map(|it| (it, None)));
    }
    let named = newest.iter().map(|(source, date)| match date {
        Some(date) => format!("{} ({})", words.source(source), words.date(*date)),
        None => words.source(source),
    });
    let named = named.collect::<Vec<_>>().join(", ");
    let mut sentences = Vec::new();
    if !named.is_empty() {
        sentences.push(filled(words.sources(newest.len()), &named));
    }
    sentences.extend(record_date.map(|it| filled(words.as_of(), &words.date(it))));
    sentences.push(filled(words.created(), &words.date(profile.today)));
    sentences.push(match company.data_source.as_deref() {
        Some(DEMO) => format!("{}.", words.demo()),
        _ => words.no_effect().to_owned(),
    });
    sentences.join(" ")
}

fn map(company: &Company, words: Words) -> Option<Map> {
    let place = overview::seat(company).unwrap_or_default();
    Map::of(company.longitude?, company.latitude?, filled(words.map(), &place))
}

/// A publication or record: the name of its source, its reference, unless that is a URL, and its date.
fn source(source: &Provenance, words: Words, with_date: bool) -> String {
    let reference = source.reference.as_deref().filter(|it| !it.contains("://"));
    let name = words.source(&source.source);
    let mut text = match reference {
        Some(reference) => format!("{name} {}", cut(reference, 60)),
        None => name,
    };
    if let Some(date) = source.date.filter(|_| with_date) {
        text.push_str(&format!(", {}", words.date(date)));
    }
    text
}

#[cfg(test)]
mod tests;
