//! Provenance of facts.

use domain::{
    DEMO, Lei, Provenance, Source,
    statements::{Statement, demo::is_invented, gazette::Publication},
};

use crate::Fact;

/// The page on which FINMA publishes its list of licensed institutions.
const LICENSED_INSTITUTIONS: &str =
    "https://www.finma.ch/en/finma-public/authorised-institutions-individuals-and-products/";

impl Fact {
    /// The provenance as shown in a record: source, reference (a URL or an identifier) and date.
    pub fn provenance(&self) -> Provenance {
        let reference = match &self.statement {
            Statement::Zefix(record) => {
                // The company's page on the website of the register.
                record.zefix_detail_web.as_ref().and_then(|it| it.en.clone())
            }
            Statement::Shab(publication) | Statement::Takeover(publication) => {
                return of_publication(publication);
            }
            Statement::Lindas(record) => Some(record.entity.clone()),
            // GLEIF does not know invented identifiers.
            Statement::Gleif(entity) if is_invented(entity.lei.as_str()) => {
                Some(entity.lei.to_string())
            }
            Statement::Gleif(entity) => Some(gleif_page(entity.lei)),
            Statement::GleifReport(report) => Some(gleif_page(report.lei())),
            Statement::Finma(licensee) => {
                Some(licensee.page.clone().unwrap_or_else(|| LICENSED_INSTITUTIONS.to_owned()))
            }
            Statement::News(item) => {
                Some(item.source_url.clone().unwrap_or_else(|| item.id.clone()))
            }
            Statement::Shareholding(it) => Some(it.id.clone()),
            Statement::Report(report) => report.source_url.clone(),
        };
        let source = match &reference {
            Some(it) if is_invented(it) => DEMO,
            _ => self.source.name(),
        };
        Provenance { source: source.to_owned(), reference, date: self.published }
    }
}

/// The page of an entity in GLEIF's search.
fn gleif_page(lei: Lei) -> String {
    format!("https://search.gleif.org/#/record/{lei}")
}

/// The provenance of a publication: its page in the gazette's portal, or for demo publications its number.
pub(crate) fn of_publication(it: &Publication) -> Provenance {
    let (source, reference) = if is_invented(&it.id) {
        (DEMO, it.printed_number())
    } else {
        let page = format!("https://www.shab.ch/#!/search/publications/detail/{}", it.id);
        (Source::Shab.name(), page)
    };
    let source = source.to_owned();
    Provenance { source, reference: Some(reference), date: Some(it.date) }
}
