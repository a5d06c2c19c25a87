//! Queries of small indexes.

mod files;
mod lists;
mod names;
mod nearby_and_similar;
mod reference;
mod relations;

use std::collections::HashMap;

use domain::{Company, Uid, search::CompanyQuery};
use tempfile::TempDir;

use super::{Builder, Companies, Hits};

/// An index of a few companies that returns names.
struct Register {
    companies: Companies,
    names: HashMap<Uid, String>,
}

impl Register {
    /// Indexes companies. The files may be deleted once they are mapped.
    fn of(companies: impl IntoIterator<Item = Company>) -> Self {
        let directory = TempDir::new().expect("a directory");
        let (companies, names) = built(directory.path(), companies);
        Self { companies, names }
    }

    /// Indexes companies that have a name and nothing else.
    fn named(names: &[&str]) -> Self {
        Self::of(names.iter().zip(1..).map(|(name, number)| company(number, name)))
    }

    fn searched_among(&self, query: &CompanyQuery, among: &[u32]) -> Vec<&str> {
        let among = among.iter().map(|it| uid(*it)).collect();
        let hits = self.companies.search_among(query, Some(&among)).expect("an answer");
        assert_eq!(hits.total, hits.uids.len() as u64);
        self.names_of(&hits.uids)
    }

    fn hits(&self, query: &CompanyQuery) -> Hits {
        self.companies.search(query).expect("an answer")
    }

    /// The names of the companies on the page. Asserts that the total equals the number of names on all pages, and that the
    /// documents of the same companies are selected.
    fn found(&self, query: CompanyQuery) -> Vec<&str> {
        let hits = self.hits(&query);
        let (_, all) = self.companies.all_among(&query, None, usize::MAX).expect("an answer");
        let selected = self.companies.selection(&query, None).expect("an answer");
        assert!(selected.is_sorted());
        assert_eq!(Some(self.companies.uids_of(&selected)), all);
        if query.page == Default::default() && hits.total <= query.page_size.get().into() {
            assert_eq!(hits.total, hits.uids.len() as u64);
        }
        self.names_of(&hits.uids)
    }

    fn searched(&self, search: &str) -> Vec<&str> {
        self.found(CompanyQuery { search: Some(search.to_owned()), ..Default::default() })
    }

    fn names_of(&self, uids: &[Uid]) -> Vec<&str> {
        uids.iter().map(|it| self.names[it].as_str()).collect()
    }
}

fn built(
    directory: &std::path::Path,
    companies: impl IntoIterator<Item = Company>,
) -> (Companies, HashMap<Uid, String>) {
    let mut builder = Builder::new();
    let mut names = HashMap::new();
    for company in companies {
        builder.push(&company);
        names.insert(company.uid, company.name);
    }
    let summary = builder.finish(directory).expect("an index");
    let companies = Companies::open(directory).expect("the index");
    let uids: Vec<Uid> = summary.documents.iter().map(|it| it.uid).collect();
    let documents: Vec<u32> = (0..uids.len() as u32 + 1).collect();
    assert_eq!((uids.len(), companies.uids_of(&documents)), (names.len(), uids));
    for document in &summary.documents {
        let others = companies.others_at_address(document.uid).expect("an answer");
        assert_eq!(others.map(|it| it as u32 + 1), document.at_address);
    }
    (companies, names)
}

fn uid(number: u32) -> Uid {
    Uid::from_number(number).expect("nine digits")
}

fn company(number: u32, name: &str) -> Company {
    Company::new(uid(number), name)
}
