//! What those may still do who have delegated something to others: invited them, created a key, requested an export.

use access::Environment;
use accounts::CurrentSso;
use auth::{
    Authority, Delegation, KeyAuthor, Member, Principal, PrincipalKind, ProviderChoice, Rights,
};
use futures_util::future::try_join;
use jiff::Timestamp;

use crate::{
    ApiKeyRecord, Error, TeamKey, Tenants, keys,
    sessions::member_key,
    table::{Read, Write},
};

/// A principal as stored now.
pub(crate) enum Delegator {
    User(Person),
    ApiKey(Option<Box<DelegatingKey>>),
}

pub(crate) struct DelegatingKey {
    /// The partition that its record is in.
    team: TeamKey,
    record: ApiKeyRecord,
    author: Person,
}

/// A person as stored now. The operator is nobody.
#[derive(Default)]
pub(crate) struct Person {
    member: Option<Read<Member>>,
    /// Single sign-on of the team, if it decides about the rights.
    sso: Option<Read<CurrentSso>>,
}

/// What a person may still delegate who delegated something at this time. `member` is the present membership; `sso` the present
/// single sign-on of the team, which decides if it said who the person was.
fn of_person(
    (since, through): (Timestamp, Option<&ProviderChoice>),
    member: Option<&Member>,
    sso: Option<&CurrentSso>,
    now: Timestamp,
) -> Authority {
    let authority = Authority::of_member(member, since);
    match through {
        Some(choice) => authority.through(sso.and_then(|it| it.vouches(choice, now))),
        None => authority,
    }
}

/// What the author of a key may still delegate. As [`of_person`].
pub(crate) fn of_key_author(
    author: &KeyAuthor,
    member: Option<&Member>,
    sso: Option<&CurrentSso>,
    now: Timestamp,
) -> Authority {
    match author {
        KeyAuthor::Operator { .. } => Authority::Unlimited,
        KeyAuthor::User(it) => of_person((it.since, it.through.as_ref()), member, sso, now),
    }
}

impl Person {
    /// What the author of a key may still delegate, who is this person.
    pub(crate) fn authority(&self, author: &KeyAuthor, now: Timestamp) -> Authority {
        of_key_author(author, self.member(), self.sso(), now)
    }

    fn member(&self) -> Option<&Member> {
        self.member.as_ref().map(|it| &it.value)
    }

    fn sso(&self) -> Option<&CurrentSso> {
        self.sso.as_ref().map(|it| &it.value)
    }

    /// Conditions of a transaction: nothing of this has changed since it was read.
    fn conditions(&self) -> impl Iterator<Item = Write> {
        let member = self.member.as_ref().map(|read| {
            let Member { team, user, .. } = &read.value;
            Write::check(member_key(team, user)).if_revision(read.revision)
        });
        let sso = self.member.as_ref().zip(self.sso.as_ref()).map(|(member, read)| {
            let team = TeamKey::of_user(&member.value.team);
            Write::check(keys::single_sign_on(&team)).if_revision(read.revision)
        });
        member.into_iter().chain(sso)
    }
}

impl Delegator {
    /// Rights that are left of those with which the principal delegated something.
    pub(crate) fn rights(&self, delegation: &Delegation, now: Timestamp) -> Rights {
        match self {
            Self::User(person) => {
                let at = (delegation.at, delegation.through.as_ref());
                match of_person(at, person.member(), person.sso(), now) {
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
        let delegator = self.delegator(team, by, through.is_some()).await?;
        Ok(delegator.rights(delegation, now))
    }

    /// A principal. `with_sso`: also what decides about users whom an identity provider has signed in.
    pub(crate) async fn delegator(
        &self,
        team: &TeamKey,
        principal: &Principal,
        with_sso: bool,
    ) -> Result<Delegator, Error> {
        match principal.kind {
            PrincipalKind::User => {
                Ok(Delegator::User(self.person(team, &principal.id, with_sso).await?))
            }
            PrincipalKind::ApiKey => {
                Ok(Delegator::ApiKey(self.delegating_key(team, &principal.id).await?))
            }
        }
    }

    async fn person(&self, team: &TeamKey, user: &str, with_sso: bool) -> Result<Person, Error> {
        let members = team.of_members();
        let sso = async {
            match with_sso {
                true => Box::pin(self.read_current_sso(&members)).await,
                false => Ok(None),
            }
        };
        let (member, sso) = try_join(self.delegating_member(&members, user), sso).await?;
        Ok(Person { member, sso })
    }

    /// The author of a key.
    pub(crate) async fn key_author(
        &self,
        team: &TeamKey,
        record: &ApiKeyRecord,
    ) -> Result<Person, Error> {
        match record.author.user() {
            Some(user) => self.person(team, user, record.author.through().is_some()).await,
            None => Ok(Person::default()),
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
            let author = self.key_author(&team, &record).await?;
            return Ok(Some(Box::new(DelegatingKey { team, record, author })));
        }
        Ok(None)
    }
}
