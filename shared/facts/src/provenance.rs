//! Where a fact comes from.

use domain::Provenance;
use statements::{
    Source, Statement,
    gazette::{INVENTED, Publication},
};

use crate::Fact;

/// Where the list can be looked at.
const LICENSED_INSTITUTIONS: &str =
    "https://www.finma.ch/en/finma-public/authorised-institutions-individuals-and-products/";

impl Fact {
    /// What the record says of where this came from.
    pub fn provenance(&self) -> Provenance {
        let reference = match &self.statement {
            Statement::Zefix(record) => {
                // The register's own page of the company.
                record.zefix_detail_web.as_ref().and_then(|it| it.en.clone())
            }
            Statement::Shab(publication) | Statement::Takeover(publication) => {
                return of_publication(publication);
            }
            Statement::Lindas(record) => Some(record.entity.clone()),
            // The public page of the record.
            Statement::Gleif(entity) => {
                Some(format!("https://search.gleif.org/#/record/{}", entity.lei))
            }
            Statement::Finma(_) => Some(LICENSED_INSTITUTIONS.to_owned()),
            // What to look up.
            Statement::News(item) => {
                Some(item.source_url.clone().unwrap_or_else(|| item.id.clone()))
            }
            Statement::Shareholding(it) => Some(it.id.clone()),
            Statement::Report(report) => report.source_url.clone(),
        };
        Provenance { source: self.source.name().to_owned(), reference, date: self.published }
    }
}

/// Where the publication stands: on a page of the portal, or nowhere if it is invented.
pub(crate) fn of_publication(it: &Publication) -> Provenance {
    let (source, reference) = if it.id.starts_with(INVENTED) {
        ("demo", it.printed_number())
    } else {
        let page = format!("https://www.shab.ch/#!/search/publications/detail/{}", it.id);
        (Source::Shab.name(), page)
    };
    let source = source.to_owned();
    Provenance { source, reference: Some(reference), date: Some(it.date) }
}
