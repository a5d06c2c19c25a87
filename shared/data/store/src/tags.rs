use std::collections::HashSet;

use domain::{Uid, search::CompanyQuery};
use teams::Tag;

use crate::{
    Error, TeamKey, Tenants, keys,
    kind::Kind,
    resources::{Copy, Limit, Resource, path_within},
};

/// Maximum number of tags of a company.
const MAX_TAGS_OF_A_COMPANY: u32 = 50;
/// Maximum number of tags that a team has given to companies.
const MAX_TAGS: u32 = 10_000;

impl Resource for Tag {
    const KIND: Kind = Kind::Tag;

    fn path(&self) -> String {
        path_within(self.company_uid, &self.id)
    }

    fn limits(&self) -> Vec<Limit> {
        vec![Limit::within(self.company_uid, MAX_TAGS_OF_A_COMPANY), Limit::of_team(MAX_TAGS)]
    }

    fn copies(&self, team: &TeamKey) -> Vec<Copy> {
        let key = keys::tagged(team, &self.folded_name(), self.company_uid);
        vec![Copy { key, is_unique: true }]
    }
}

impl Tenants {
    /// All tags that a team has given to companies.
    pub async fn tags(&self, team: &TeamKey) -> Result<Vec<Tag>, Error> {
        self.table.query(keys::all_tagged(team)).await
    }

    /// The companies that have at least one of the query's tags. `None` if it names none.
    pub async fn companies_with_tags(
        &self,
        team: &TeamKey,
        query: &CompanyQuery,
    ) -> Result<Option<HashSet<Uid>>, Error> {
        if query.tag.is_empty() {
            return Ok(None);
        }
        let mut companies = HashSet::new();
        for name in query.tags() {
            let tags: Vec<Tag> = self.table.query(keys::tagged_with(team, &name)).await?;
            companies.extend(tags.into_iter().map(|it| it.company_uid));
        }
        Ok(Some(companies))
    }
}
