//! The persons on whose rights something depends: the membership of each, and what their identity provider still says.

use auth::{Authority, KeyAuthor, Member, ProviderSignIn};
use futures_util::future::try_join;
use jiff::Timestamp;
use teams::CurrentSso;

use crate::{
    Error, TeamKey, Tenants, keys,
    sessions::member_key,
    table::{Read, Write},
};

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
    (since, through): (Timestamp, Option<&ProviderSignIn>),
    member: Option<&Member>,
    sso: Option<&CurrentSso>,
    now: Timestamp,
) -> Authority {
    let authority = Authority::of_member(member, since);
    match through {
        Some(sign_in) => authority.through(sso.and_then(|it| it.vouches(sign_in, now))),
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
    /// What is left of what this person delegated at a time.
    pub(crate) fn left_of(
        &self,
        at: Timestamp,
        through: Option<&ProviderSignIn>,
        now: Timestamp,
    ) -> Authority {
        of_person((at, through), self.member(), self.sso(), now)
    }

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
    pub(crate) fn conditions(&self) -> impl Iterator<Item = Write> {
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

impl Tenants {
    /// A person. `with_sso`: also what decides about users whom an identity provider has signed in.
    pub(crate) async fn person(
        &self,
        team: &TeamKey,
        user: &str,
        with_sso: bool,
        now: Timestamp,
    ) -> Result<Person, Error> {
        let members = team.of_members();
        let sso = async {
            match with_sso {
                true => Box::pin(self.read_vouching_sso(&members, now)).await,
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
        author: &KeyAuthor,
        now: Timestamp,
    ) -> Result<Person, Error> {
        match author.user() {
            Some(user) => self.person(team, user, author.through().is_some(), now).await,
            None => Ok(Person::default()),
        }
    }
}
