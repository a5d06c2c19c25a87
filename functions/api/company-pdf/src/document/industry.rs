//! The data of the report of an industry: labels in one language, and the figures as the template shows them.

use analytics::report::{Quarter, Report};
use auth::Language;
use domain::{Amount, Canton, Company, DEMO, Status, noga::Industry};
use generations::Manifest;
use jiff::civil::Date;
use serde::Serialize;

use super::{
    format::{SHORT, cut},
    words::{IndustryLabels, Words, filled},
};

/// The data of a document.
#[derive(Debug, Serialize)]
pub(crate) struct IndustryDocument {
    /// Code of the language, for hyphenation and for screen readers.
    lang: &'static str,
    labels: IndustryLabels,
    title: String,
    /// The name, on one line of the header of every page.
    header: String,
    subtitle: String,
    /// Code of the industry, in the header of every page.
    uid: String,
    /// Year, month and day of the figures.
    date: (i16, i8, i8),
    footer: String,
    facts: Vec<(&'static str, String)>,
    largest: Vec<Largest>,
    cantons: Vec<Counted>,
    statuses: Vec<Counted>,
    auditors: Vec<Counted>,
    quarters: Vec<QuarterTexts>,
    notes: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Largest {
    name: String,
    number: String,
    canton: String,
    capital: String,
}

/// A number of companies.
#[derive(Debug, Serialize)]
struct Counted {
    name: String,
    count: String,
    /// Its part of the largest number in the list, 0 to 1.
    part: f64,
}

#[derive(Debug, Serialize)]
struct QuarterTexts {
    quarter: String,
    entries: String,
    dissolutions: String,
    others: String,
    bankruptcies: String,
    turnover: String,
    age: String,
    increases: String,
    increased: String,
    gained: String,
    lost: String,
}

impl IndustryDocument {
    /// `companies` are those with the largest capital, the largest first.
    pub(crate) fn of(
        industry: Industry,
        report: &Report,
        companies: &[Company],
        manifest: &Manifest,
        today: Date,
        language: Language,
    ) -> Self {
        let words = Words(language);
        let [de, fr, it] = industry.official();
        let title = language.of([de, fr, it, industry.name()]).to_owned();
        let canton = |it: &Option<Canton>| match it {
            Some(it) => words.of(it.names()).to_owned(),
            None => words.unknown().to_owned(),
        };
        let status = |it: &Option<Status>| match it {
            Some(it) => words.status_name(*it).to_owned(),
            None => words.unknown().to_owned(),
        };
        let statuses = report.statuses.iter().filter(|it| it.1 > 0);
        Self {
            lang: language.code(),
            labels: IndustryLabels::of(words),
            header: format!("{}: {title}", words.industry()),
            title,
            subtitle: filled(words.noga(), &industry.code()),
            uid: industry.code(),
            date: (today.year(), today.month(), today.day()),
            footer: footer(manifest, today, words),
            facts: facts(report, words),
            largest: companies.iter().map(|it| Largest::of(it, words)).collect(),
            cantons: counted(&report.cantons, canton, words),
            statuses: counted(statuses, status, words),
            auditors: counted(&report.auditors, |it| cut(&it.name, SHORT), words),
            quarters: report.quarters.iter().map(|it| QuarterTexts::of(it, words)).collect(),
            notes: vec![words.classified().to_owned()],
        }
    }
}

fn facts(report: &Report, words: Words) -> Vec<(&'static str, String)> {
    let number = |it: u32| words.grouped(it.into());
    let francs = |it| format!("CHF {}", words.amount(it));
    let mut facts = vec![(words.registered_companies(), number(report.companies))];
    if let Some(capital) = report.capital {
        facts.push((words.with_capital(), number(capital.companies)));
        facts.push((words.mean_capital(), francs(whole(capital.mean.approximate()))));
        facts.push((words.median_capital(), francs(whole(capital.median))));
    }
    facts.push((words.with_auditor(), number(report.audited)));
    facts.push((words.recent(), number(report.recent_changes)));
    facts
}

/// Francs without centimes.
fn whole(francs: f64) -> Amount {
    Amount::units(francs.round() as i64)
}

impl Largest {
    fn of(company: &Company, words: Words) -> Self {
        Self {
            name: cut(&company.name, SHORT),
            number: company.uid.to_string(),
            canton: company.canton.map_or_else(String::new, |it| it.code().to_owned()),
            capital: company.share_capital.map_or_else(String::new, |it| words.amount(it)),
        }
    }
}

fn counted<'a, T: 'a>(
    counts: impl IntoIterator<Item = &'a (T, u32)> + Clone,
    name: impl Fn(&T) -> String,
    words: Words,
) -> Vec<Counted> {
    let largest = counts.clone().into_iter().map(|it| it.1).max().unwrap_or(0).max(1);
    let entry = |(thing, count): &(T, u32)| Counted {
        name: name(thing),
        count: words.grouped((*count).into()),
        part: f64::from(*count) / f64::from(largest),
    };
    counts.into_iter().map(entry).collect()
}

impl QuarterTexts {
    fn of(quarter: &Quarter, words: Words) -> Self {
        let number = |it: u32| words.grouped(it.into());
        let decimal = |it: Option<f64>| it.map_or_else(|| "–".to_owned(), |it| format!("{it:.1}"));
        Self {
            quarter: quarter.label.clone(),
            entries: number(quarter.entries),
            dissolutions: number(quarter.dissolutions),
            others: number(quarter.other_deletions),
            bankruptcies: number(quarter.bankruptcies),
            turnover: decimal(quarter.turnover()),
            age: decimal(quarter.median_age),
            increases: number(quarter.capital_increases),
            increased: words.amount(quarter.capital_increase_sum),
            gained: number(quarter.auditors_gained),
            lost: number(quarter.auditors_lost),
        }
    }
}

/// Sources with the day from which they are complete, and the date, at the foot of every page.
fn footer(manifest: &Manifest, today: Date, words: Words) -> String {
    let publications = &manifest.coverage.publications;
    let named = publications.iter().map(|(source, months)| {
        let name = words.source(source);
        match months.complete_from {
            Some(from) => filled(&filled(words.complete_from(), &name), &words.date(from)),
            None => name,
        }
    });
    let named: Vec<String> = named.collect();
    let mut sentences = Vec::new();
    if !named.is_empty() {
        sentences.push(filled(words.sources(named.len()), &named.join(", ")));
    }
    sentences.push(filled(words.created(), &words.date(today)));
    sentences.push(match publications.contains_key(DEMO) {
        true => format!("{}.", words.demo()),
        false => words.no_effect().to_owned(),
    });
    sentences.join(" ")
}
