//! What a route declares next to its handler: who may call it, what it is counted in, what it costs.
//!
//! Unlocking and metering read the declaration, and so do the description and the tests, which hold
//! every operation to it.

use std::sync::Arc;

use axum::routing::MethodRouter;
use domain::access::{RateGroup, Scope, Tier};
use http::Method;
use utoipa::openapi::{RefOr, Schema};
use utoipa_axum::router::UtoipaMethodRouter;

/// What a route declares.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    group: Option<RateGroup>,
    minimum_tier: Option<Tier>,
    credits: u32,
    needs_token: bool,
    scope: Scope,
}

/// An operation that asks. Anonymous callers may, unless it says [`Access::with_token`]. `credits`
/// is its cost where a deployment meters by credits.
pub const fn reads(credits: u32) -> Access {
    Access { group: None, minimum_tier: None, credits, needs_token: false, scope: Scope::Read }
}

/// An operation that creates, changes or deletes. Needs a token with the scope `write`.
pub const fn writes(credits: u32) -> Access {
    Access { group: None, minimum_tier: None, credits, needs_token: true, scope: Scope::Write }
}

impl Access {
    /// Counted in this group, not in its function's.
    #[must_use]
    pub const fn counted_in(mut self, group: RateGroup) -> Self {
        self.group = Some(group);
        self
    }

    /// From this tier on, where the table of allowances does not say so already.
    #[must_use]
    pub const fn from_tier(mut self, tier: Tier) -> Self {
        self.minimum_tier = Some(tier);
        self
    }

    /// Not for anonymous callers.
    #[must_use]
    pub const fn with_token(mut self) -> Self {
        self.needs_token = true;
        self
    }
}

/// One method of one path, with all that the frame needs to know of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    /// The crate, and so the Lambda function, that serves it.
    pub function: &'static str,
    pub method: Method,
    /// With `{variables}`, from the root: `/v1/companies/{uid}`, `/health`.
    pub path: String,
    pub group: RateGroup,
    /// The smallest tier that may call it.
    pub minimum_tier: Tier,
    /// Cost where a deployment meters by credits.
    pub credits: u32,
    pub needs_token: bool,
    pub scope: Scope,
}

/// The routes of one noun, or of one function.
pub struct Routes<S> {
    routes: Vec<(Access, UtoipaMethodRouter<S>)>,
}

impl<S: Clone + Send + Sync + 'static> Routes<S> {
    #[expect(
        clippy::new_without_default,
        reason = "a list of routes starts with `new` and `route`"
    )]
    pub fn new() -> Self {
        Self { routes: Vec::new() }
    }

    /// Adds a handler, named by `utoipa_axum::routes!`, with its declaration.
    #[must_use]
    pub fn route(mut self, access: Access, handler: UtoipaMethodRouter<S>) -> Self {
        self.routes.push((access, handler));
        self
    }

    #[must_use]
    pub fn merge(mut self, other: Self) -> Self {
        self.routes.extend(other.routes);
        self
    }

    /// The function that serves these routes. `group` is the group of every route that does not
    /// name another.
    pub fn into_api(self, function: &'static str, group: RateGroup, state: S) -> Api {
        let mut api =
            Api { function, elsewhere: Vec::new(), routes: Vec::new(), schemas: Vec::new() };
        for (access, (schemas, paths, handler)) in self.routes {
            let group = access.group.unwrap_or(group);
            let first_tier = limits::first_tier(group);
            for (path, item) in paths.paths {
                let methods = [
                    (item.get, Method::GET),
                    (item.post, Method::POST),
                    (item.put, Method::PUT),
                    (item.delete, Method::DELETE),
                ];
                for (described, method) in methods {
                    let Some(described) = described else { continue };
                    let operation = Operation {
                        function,
                        method,
                        path: path.clone(),
                        group,
                        minimum_tier: access
                            .minimum_tier
                            .map_or(first_tier, |it| it.max(first_tier)),
                        credits: access.credits,
                        needs_token: access.needs_token,
                        scope: access.scope,
                    };
                    api.routes.push(Route {
                        operation: Arc::new(operation),
                        described,
                        handler: handler.clone().with_state(state.clone()),
                    });
                }
            }
            api.schemas.extend(schemas);
        }
        api
    }
}

/// All that one function answers.
pub struct Api {
    pub(crate) function: &'static str,
    /// Operations of other functions: their paths are known here, not served.
    pub(crate) elsewhere: Vec<(Method, String)>,
    pub(crate) routes: Vec<Route>,
    pub(crate) schemas: Vec<(String, RefOr<Schema>)>,
}

/// One operation, with its handler and what the handler's annotations say.
pub(crate) struct Route {
    pub(crate) operation: Arc<Operation>,
    pub(crate) described: utoipa::openapi::path::Operation,
    pub(crate) handler: MethodRouter,
}

impl Api {
    /// Knows the operations of other functions too: whatever no function serves reaches this one, and
    /// a wrong method of a path that exists is 405, not 404.
    #[must_use]
    pub fn knowing(mut self, operations: impl IntoIterator<Item = (Method, String)>) -> Self {
        self.elsewhere.extend(operations);
        self
    }

    /// Every operation, in the order of declaration.
    pub fn operations(&self) -> impl Iterator<Item = &Operation> {
        self.routes.iter().map(|it| &*it.operation)
    }
}
