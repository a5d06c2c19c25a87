//! A company on a day, with the sources of its record and the statements that decide which rules apply.

use std::collections::BTreeMap;

use assessments::Subject;
use domain::{Provenance, Uid};
use facts::{Fact, latest_disclosures};
use http_service::{company_as_of, unknown_company};
use jiff::civil::Date;
use obligations::{AnnualFigures, Profile};
use problem_details::Problem;
use statements::{Source, Statement, reports::Report};

/// The company on the day of an assessment.
///
/// # Errors
/// 404 if there is no such company, or if no source shows that it was in the register on the day. 400 if the day is in the
/// future.
pub(crate) async fn read_subject(
    state: &crate::State,
    uid: Uid,
    as_of: Option<Date>,
) -> Result<Subject, Problem> {
    if let Some(day) = as_of {
        return Ok(company_as_of(&state.registry, &state.clock, uid, day).await?.into());
    }
    let subject = Subject::current(&state.registry, uid, state.clock.today()).await?;
    subject.ok_or_else(|| unknown_company(uid))
}

/// A company with everything that the rules of obligations look at.
pub(crate) struct ScopeSubject {
    pub(crate) subject: Subject,
    figures: Vec<AnnualFigures>,
    listing: Option<Provenance>,
    pub(crate) day: Date,
}

impl ScopeSubject {
    /// # Errors
    /// As [`read_subject`].
    pub(crate) async fn read(
        state: &crate::State,
        uid: Uid,
        as_of: Option<Date>,
    ) -> Result<Self, Problem> {
        let subject = read_subject(state, uid, as_of).await?;
        let day = as_of.unwrap_or_else(|| state.clock.today());
        let reports = facts_until(state, uid, Source::Reports, day).await?;
        let notices = facts_until(state, uid, Source::Six, day).await?;
        let newest = latest_disclosures(&notices).into_iter().map(|(_, fact)| fact);
        let listing = newest.max_by(|one, other| one.order().cmp(&other.order()));
        Ok(Self {
            figures: annual_figures(&reports),
            listing: listing.map(Fact::provenance),
            subject,
            day,
        })
    }

    pub(crate) fn profile(&self) -> Profile<'_> {
        Profile {
            company: &self.subject.company,
            history: &self.subject.history,
            proofs: self.subject.proofs.as_ref(),
            figures: &self.figures,
            listing: self.listing.as_ref(),
            day: self.day,
        }
    }
}

/// The facts of a source about a company that were published until a day. Those without a date count on every day.
async fn facts_until(
    state: &crate::State,
    uid: Uid,
    source: Source,
    day: Date,
) -> Result<Vec<Fact>, Problem> {
    let mut facts = state.registry.facts_of(uid, source).await?;
    facts.retain(|it| it.published.is_none_or(|published| published <= day));
    Ok(facts)
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
