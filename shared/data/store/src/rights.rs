//! What those may still do who have delegated something to others: invited them, created a key, requested an export.

use access::Environment;
use auth::{Authority, Delegation, Principal, PrincipalKind, Rights};
use jiff::Timestamp;

use crate::{ApiKeyRecord, Error, TeamKey, Tenants, authors::Person, keys, table::Write};

/// A principal as stored now.
pub(crate) enum Delegator {
    User(Box<Person>),
    ApiKey(Option<Box<DelegatingKey>>),
}

pub(crate) struct DelegatingKey {
    /// The partition that its record is in.
    team: TeamKey,
    record: ApiKeyRecord,
    author: Person,
}

impl Delegator {
    /// Rights that are left of those with which the principal delegated something.
    pub(crate) fn rights(&self, delegation: &Delegation, now: Timestamp) -> Rights {
        match self {
            Self::User(person) => {
                match person.left_of(delegation.at, delegation.through.as_ref(), now) {
                    Authority::Of(role) => Rights::of_role(role),
                    Authority::Unlimited | Authority::Ended => Rights::default(),
                }
            }
            Self::ApiKey(None) => Rights::default(),
            Self::ApiKey(Some(key)) => {
                let DelegatingKey { record, author, .. } = &**key;
                let has_ended = record.credential.ends_at().is_some_and(|it| it <= now);
                // Another person has taken the key over since.
                let is_of_another = record.author.since() > delegation.at;
                if has_ended || is_of_another {
                    return Rights::default();
                }
                let authority = author.authority(&record.author, now);
                Rights::of_key(authority.limit(&record.credential.scopes))
            }
        }
    }

    /// Conditions of a transaction: what the rights depend on has not changed since it was read.
    pub(crate) fn conditions(&self) -> Vec<Write> {
        match self {
            Self::User(person) => person.conditions().collect(),
            Self::ApiKey(key) => {
                let checks = key.iter().flat_map(|key| {
                    let DelegatingKey { team, record, author } = &**key;
                    let key = Write::check(keys::api_key(team, &record.id));
                    let key = key.if_field("version", record.version());
                    std::iter::once(key).chain(author.conditions())
                });
                checks.collect()
            }
        }
    }
}

impl Tenants {
    /// Rights that are left of those with which a principal delegated something.
    pub async fn rights_of(
        &self,
        team: &TeamKey,
        delegation: &Delegation,
        now: Timestamp,
    ) -> Result<Rights, Error> {
        let Delegation { by, through, .. } = delegation;
        let delegator = self.delegator(team, by, through.is_some(), now).await?;
        Ok(delegator.rights(delegation, now))
    }

    /// A principal. `with_sso`: also what decides about users whom an identity provider has signed in.
    pub(crate) async fn delegator(
        &self,
        team: &TeamKey,
        principal: &Principal,
        with_sso: bool,
        now: Timestamp,
    ) -> Result<Delegator, Error> {
        match principal.kind {
            PrincipalKind::User => Ok(Delegator::User(Box::new(
                self.person(team, &principal.id, with_sso, now).await?,
            ))),
            PrincipalKind::ApiKey => {
                Ok(Delegator::ApiKey(self.delegating_key(team, &principal.id, now).await?))
            }
        }
    }

    async fn delegating_key(
        &self,
        team: &TeamKey,
        id: &str,
        now: Timestamp,
    ) -> Result<Option<Box<DelegatingKey>>, Error> {
        let mut partitions = vec![team.clone()];
        // Test keys that were created with live keys are listed with these.
        if team.environment() == Environment::Test {
            partitions.push(team.of_members());
        }
        for team in partitions {
            let record: Option<ApiKeyRecord> = self.table.get(keys::api_key(&team, id)).await?;
            let Some(record) = record else { continue };
            let author = self.key_author(&team, &record.author, now).await?;
            return Ok(Some(Box::new(DelegatingKey { team, record, author })));
        }
        Ok(None)
    }
}
