//! What those may still do who have delegated something to others: invited them, created a key, requested an export.

use access::Environment;
use auth::{Authority, Member, Principal, PrincipalKind, Rights};
use jiff::Timestamp;

use crate::{
    ApiKeyRecord, Error, TeamKey, Tenants, keys,
    sessions::member_key,
    table::{Read, Write},
};

/// A principal as stored now.
pub(crate) enum Delegator {
    User(Option<Read<Member>>),
    ApiKey(Option<Box<DelegatingKey>>),
}

pub(crate) struct DelegatingKey {
    /// The partition that its record is in.
    team: TeamKey,
    record: ApiKeyRecord,
    /// Membership of its author.
    member: Option<Read<Member>>,
}

impl Delegator {
    /// Rights that are left of those with which the principal delegated something at this time.
    pub(crate) fn rights(&self, delegated_at: Timestamp, now: Timestamp) -> Rights {
        match self {
            Self::User(member) => {
                let member = member.as_ref().map(|it| &it.value);
                match Authority::of_member(member, delegated_at) {
                    Authority::Of(role) => Rights::of_role(role),
                    Authority::Unlimited | Authority::Ended => Rights::default(),
                }
            }
            Self::ApiKey(None) => Rights::default(),
            Self::ApiKey(Some(key)) => {
                let DelegatingKey { record, member, .. } = &**key;
                let has_ended = record.credential.ends_at().is_some_and(|it| it <= now);
                // Another person has taken the key over since.
                let is_of_another = record.author.since() > delegated_at;
                if has_ended || is_of_another {
                    return Rights::default();
                }
                let authority = record.authority(member.as_ref().map(|it| &it.value));
                Rights::of_key(authority.limit(&record.credential.scopes))
            }
        }
    }

    /// Conditions of a transaction: what the rights depend on has not changed since it was read.
    pub(crate) fn conditions(&self) -> Vec<Write> {
        let member = |read: &Read<Member>| {
            let Member { team, user, .. } = &read.value;
            Write::check(member_key(team, user)).if_revision(read.revision)
        };
        match self {
            Self::User(read) => read.iter().map(member).collect(),
            Self::ApiKey(key) => {
                let checks = key.iter().flat_map(|key| {
                    let DelegatingKey { team, record, member: author } = &**key;
                    let key = Write::check(keys::api_key(team, &record.id));
                    let key = key.if_field("version", record.version());
                    [Some(key), author.as_ref().map(member)]
                });
                checks.flatten().collect()
            }
        }
    }
}

impl Tenants {
    /// Rights that are left of those with which a principal delegated something at this time.
    pub async fn rights_of(
        &self,
        team: &TeamKey,
        principal: &Principal,
        delegated_at: Timestamp,
        now: Timestamp,
    ) -> Result<Rights, Error> {
        Ok(self.delegator(team, principal).await?.rights(delegated_at, now))
    }

    pub(crate) async fn delegator(
        &self,
        team: &TeamKey,
        principal: &Principal,
    ) -> Result<Delegator, Error> {
        match principal.kind {
            PrincipalKind::User => {
                let member = self.delegating_member(&team.of_members(), &principal.id).await?;
                Ok(Delegator::User(member))
            }
            PrincipalKind::ApiKey => {
                Ok(Delegator::ApiKey(self.delegating_key(team, &principal.id).await?))
            }
        }
    }

    async fn delegating_key(
        &self,
        team: &TeamKey,
        id: &str,
    ) -> Result<Option<Box<DelegatingKey>>, Error> {
        let mut partitions = vec![team.clone()];
        // Test keys that were created with live keys are listed with these.
        if team.environment() == Environment::Test {
            partitions.push(team.of_members());
        }
        for team in partitions {
            let record: Option<ApiKeyRecord> = self.table.get(keys::api_key(&team, id)).await?;
            let Some(record) = record else { continue };
            let member = match record.author.user() {
                Some(user) => self.delegating_member(&team.of_members(), user).await?,
                None => None,
            };
            return Ok(Some(Box::new(DelegatingKey { team, record, member })));
        }
        Ok(None)
    }
}
