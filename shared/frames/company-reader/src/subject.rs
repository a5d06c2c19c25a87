//! A company on a day, with the sources of its record and what sources state of it until then.

use std::collections::BTreeMap;

use domain::{
    Company, History, Provenance, Source, Uid,
    statements::{
        Statement,
        gleif::{Entity, Group},
        reports::Report,
    },
};
use facts::{CompanyAsOf, Fact, latest_disclosures};
use futures_util::try_join;
use jiff::civil::Date;
use obligations::AnnualFigures;
use problem_details::Problem;
use store::Wanted;

use crate::{company_as_of, known_company_with, proofs_of};

/// The whole history: a legal event counts however old it is.
const HISTORY: Wanted =
    Wanted { board: usize::MAX, former: usize::MAX, events: usize::MAX, mergers: true };

/// The company on the day of an assessment.
#[derive(Clone)]
pub struct Subject {
    pub company: Company,
    pub history: History,
    /// The source of each member of the record, by its JSON name.
    pub proofs: BTreeMap<String, Provenance>,
}

impl Subject {
    /// # Errors
    /// 404 if there is no such company, or if no source shows that it was in the register on the day. 400 if the day is in
    /// the future.
    pub async fn read(
        sources: &crate::Sources,
        uid: Uid,
        as_of: Option<Date>,
    ) -> Result<Self, Problem> {
        if let Some(day) = as_of {
            let past = company_as_of(&sources.registry, &sources.clock, uid, day).await?;
            return Ok(past.into());
        }
        let (company, history) = known_company_with(&sources.registry, uid, HISTORY).await?;
        // Evidence names the sources.
        let proofs = proofs_of(&sources.registry, &company).await?;
        Ok(Self { company, history, proofs })
    }
}

impl From<CompanyAsOf> for Subject {
    fn from(past: CompanyAsOf) -> Self {
        let CompanyAsOf { company, history, proofs } = past;
        Self { company, history, proofs }
    }
}

/// The figures of the annual reports of a company, and the newest disclosure of a holder of its shares to the exchange.
pub(crate) async fn figures_and_listing(
    sources: &crate::Sources,
    uid: Uid,
    as_of: Option<Date>,
) -> Result<(Vec<AnnualFigures>, Option<Provenance>), Problem> {
    let (reports, disclosures) = try_join!(
        facts_until(sources, uid, Source::Reports, as_of),
        facts_until(sources, uid, Source::Six, as_of),
    )?;
    let listing = latest_disclosures(&disclosures).into_iter().map(|(_, fact)| fact);
    Ok((annual_figures(&reports), newest(listing).map(Fact::provenance)))
}

/// The facts of a source about a company: all, or those of which it is known that they were published until a day.
pub(crate) async fn facts_until(
    sources: &crate::Sources,
    uid: Uid,
    source: Source,
    as_of: Option<Date>,
) -> Result<Vec<Fact>, Problem> {
    let mut facts = sources.registry.facts_of(uid, source).await?;
    if let Some(day) = as_of {
        facts.retain(|it| it.published.is_some_and(|published| published <= day));
    }
    Ok(facts)
}

pub(crate) fn newest<'a>(facts: impl IntoIterator<Item = &'a Fact>) -> Option<&'a Fact> {
    facts.into_iter().max_by(|one, other| one.order().cmp(&other.order()))
}

/// The newest record of the company's identifier in the Global LEI Index that was read with level 2, and its level 2.
pub(crate) fn newest_with_group<'a>(
    company: &Company,
    facts: &'a [Fact],
) -> Option<(&'a Fact, &'a Entity, &'a Group)> {
    let records = facts.iter().filter_map(|fact| match &fact.statement {
        Statement::Gleif(entity) if Some(entity.lei) == company.lei => {
            Some((fact, &**entity, entity.group.as_ref()?))
        }
        _ => None,
    });
    records.max_by(|one, other| one.0.order().cmp(&other.0.order()))
}

/// The figures of each financial year, from the newest version of its annual report.
fn annual_figures(facts: &[Fact]) -> Vec<AnnualFigures> {
    let mut years: BTreeMap<i16, (&Report, &Fact)> = BTreeMap::new();
    for fact in facts {
        let Statement::Report(report) = &fact.statement else { continue };
        if report.report_type != "annual" {
            continue;
        }
        let newest = years.entry(report.fiscal_year).or_insert((report, fact));
        if fact.order() > newest.1.order() {
            *newest = (report, fact);
        }
    }
    let figures = years.into_values().map(|(report, fact)| AnnualFigures {
        fiscal_year: report.fiscal_year,
        currency: report.currency.clone(),
        total_assets: report.total_assets,
        revenue: report.revenue,
        employees: report.employees,
        source: fact.provenance(),
    });
    figures.collect()
}
