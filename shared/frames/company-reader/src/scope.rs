//! A company on a day, with everything that decides which rules apply to it.

use domain::{Company, Provenance, Source, Uid, statements::Statement};
use facts::Fact;
use futures_util::try_join;
use generations::Generation;
use jiff::civil::Date;
use obligations::{AnnualFigures, Profile};
use problem_details::Problem;

use crate::{
    Sources,
    group::group_of,
    owners,
    subject::{Subject, facts_until, figures_and_listing, newest, newest_with_group},
};

/// A company with everything that the rules of obligations look at.
pub struct ScopeSubject {
    pub subject: Subject,
    figures: Vec<AnnualFigures>,
    listing: Option<Provenance>,
    securities: Option<Provenance>,
    licences: Vec<String>,
    group: obligations::Group,
    /// Its owners.
    pub owners: owners::Assessment,
    pub day: Date,
}

impl ScopeSubject {
    /// # Errors
    /// As [`Subject::read`].
    pub async fn read(
        sources: &Sources,
        generation: &Generation,
        uid: Uid,
        as_of: Option<Date>,
    ) -> Result<Self, Problem> {
        let subject = Subject::read(sources, uid, as_of).await?;
        let day = as_of.unwrap_or_else(|| sources.clock.today());
        let company = &subject.company;
        let facts = async |source: Source, is_wanted: bool| match is_wanted {
            true => facts_until(sources, uid, source, as_of).await,
            false => Ok(Vec::new()),
        };
        let owners = owners::owners_of(sources, generation, &subject, as_of).await?;
        let (group, (figures, listing), identifiers, licences) = try_join!(
            group_of(sources, generation, &owners, as_of),
            figures_and_listing(sources, uid, as_of),
            facts(Source::Gleif, company.lei.is_some()),
            facts(Source::Finma, company.is_finma_regulated == Some(true)),
        )?;
        Ok(Self {
            figures,
            listing,
            securities: securities(company, &identifiers),
            licences: licences_in(&licences),
            subject,
            group,
            owners,
            day,
        })
    }

    pub fn profile(&self) -> Profile<'_> {
        Profile {
            company: &self.subject.company,
            history: &self.subject.history,
            proofs: Some(&self.subject.proofs),
            figures: &self.figures,
            listing: self.listing.as_ref(),
            securities: self.securities.as_ref(),
            licences: &self.licences,
            group: &self.group,
            day: self.day,
        }
    }
}

/// The newest level 1 record of the company's identifier in the Global LEI Index, if it names securities or says that there are very
/// many.
fn securities(company: &Company, facts: &[Fact]) -> Option<Provenance> {
    // A record without level 2 was read without the table of securities, too.
    let (fact, entity, _) = newest_with_group(company, facts)?;
    let has_securities = !entity.isins.is_empty() || entity.has_many_isins;
    has_securities.then(|| fact.provenance())
}

/// The licences in the newest list of FINMA, in its English words.
fn licences_in(facts: &[Fact]) -> Vec<String> {
    match newest(facts).map(|it| &it.statement) {
        Some(Statement::Finma(it)) => it.licences.iter().map(|it| it.en.clone()).collect(),
        _ => Vec::new(),
    }
}
