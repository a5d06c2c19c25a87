use std::convert::Infallible;

use auth::Caller;
use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use http::request::Parts;
use problem_details::{Problem, UNAUTHORIZED};
use store::TeamKey;

/// The caller and the key to the data of its team, for operations that require an API key or a session.
///
/// Operations that only return more to an authenticated caller use `Option<Tenant>`.
#[derive(Clone, Debug)]
pub struct Tenant {
    pub caller: Caller,
    pub team: TeamKey,
}

impl<S: Sync> FromRequestParts<S> for Tenant {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Ok(tenant) =
            <Self as OptionalFromRequestParts<S>>::from_request_parts(parts, state).await;
        tenant.ok_or_else(|| {
            Problem::new(&UNAUTHORIZED, "this operation requires an API key or a session")
        })
    }
}

impl<S: Sync> OptionalFromRequestParts<S> for Tenant {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Option<Self>, Infallible> {
        let caller = parts.extensions.get::<Caller>().cloned();
        Ok(caller.map(|caller| Self { team: TeamKey::of(&caller), caller }))
    }
}
