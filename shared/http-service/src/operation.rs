//! What a route declares next to its handler: who may call it, what it is counted in, what it costs.
//!
//! Unlocking and metering read the declaration, and so do the description and the tests, which hold
//! every operation to it.

use std::sync::Arc;

use access::{RateGroup, Scope, Tier};
use axum::routing::{MethodFilter, MethodRouter};
use http::Method;
use utoipa::openapi::{HttpMethod, RefOr, Schema, path};
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

/// What is kept of a handler's annotations. Where requests are served, nothing: to read them all takes
/// milliseconds of a start, and a megabyte of a binary. Where the description is made,
/// [`Annotations`].
pub trait Description: Sized {
    fn by(annotations: impl FnOnce() -> Annotations) -> Self;
}

impl Description for () {
    fn by(_: impl FnOnce() -> Annotations) {}
}

/// What a handler's annotations say.
pub struct Annotations {
    pub(crate) operation: path::Operation,
    /// Of what it reads and answers, by name.
    pub(crate) schemas: Vec<(String, RefOr<Schema>)>,
}

impl Description for Annotations {
    fn by(annotations: impl FnOnce() -> Annotations) -> Self {
        annotations()
    }
}

/// A handler with its path and method, and what is kept of its annotations. Made by
/// [`handler!`](crate::handler).
pub struct Handler<S, D> {
    path: String,
    method: Method,
    router: MethodRouter<S>,
    described: D,
}

impl<S: Clone + Send + Sync + 'static, D: Description> Handler<S, D> {
    /// `P` is what `utoipa::path` makes of the annotations, `routed` what `utoipa_axum::routes!` does.
    ///
    /// # Panics
    /// Where they name another method than one of GET, POST, PUT and DELETE.
    pub fn new<P: utoipa::Path>(
        router: impl FnOnce(MethodFilter) -> MethodRouter<S>,
        routed: impl FnOnce() -> UtoipaMethodRouter<S>,
    ) -> Self {
        let (method, filter) = match P::methods()[..] {
            [HttpMethod::Get] => (Method::GET, MethodFilter::GET),
            [HttpMethod::Post] => (Method::POST, MethodFilter::POST),
            [HttpMethod::Put] => (Method::PUT, MethodFilter::PUT),
            [HttpMethod::Delete] => (Method::DELETE, MethodFilter::DELETE),
            _ => panic!("{} is not answered by one method", P::path()),
        };
        let described = D::by(|| {
            let (schemas, paths, _) = routed();
            let mut items = paths.paths.into_values();
            let operation = items.find_map(|it| it.get.or(it.post).or(it.put).or(it.delete));
            Annotations { operation: operation.unwrap_or_else(P::operation), schemas }
        });
        Self { path: P::path(), method, router: router(filter), described }
    }
}

/// A handler that bears `utoipa::path`, named as it is called: `handler!(companies)`, `handler!(board::members)`.
#[macro_export]
macro_rules! handler {
    ($module:ident :: $name:ident) => {
        $crate::pastey::paste! {
            $crate::Handler::new::<$module::[<__path_ $name>]>(
                |method| $crate::axum::routing::on(method, $module::$name),
                || $crate::utoipa_axum::routes!($module::$name),
            )
        }
    };
    ($name:ident) => {
        $crate::pastey::paste! {
            $crate::Handler::new::<[<__path_ $name>]>(
                |method| $crate::axum::routing::on(method, $name),
                || $crate::utoipa_axum::routes!($name),
            )
        }
    };
}

/// The routes of one noun, or of one function.
pub struct Routes<S, D = ()> {
    routes: Vec<(Access, Handler<S, D>)>,
}

impl<S: Clone + Send + Sync + 'static, D: Description> Routes<S, D> {
    #[expect(
        clippy::new_without_default,
        reason = "a list of routes starts with `new` and `route`"
    )]
    pub fn new() -> Self {
        Self { routes: Vec::new() }
    }

    /// Adds a handler, named by [`handler!`](crate::handler), with its declaration.
    #[must_use]
    pub fn route(mut self, access: Access, handler: Handler<S, D>) -> Self {
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
    pub fn into_api(self, function: &'static str, group: RateGroup, state: S) -> Api<D> {
        let routes = self.routes.into_iter().map(|(access, handler)| {
            let Handler { path, method, router, described } = handler;
            let group = access.group.unwrap_or(group);
            let first_tier = group.lowest_tier();
            let operation = Operation {
                function,
                method,
                path,
                group,
                minimum_tier: access.minimum_tier.map_or(first_tier, |it| it.max(first_tier)),
                credits: access.credits,
                needs_token: access.needs_token,
                scope: access.scope,
            };
            let handler = router.with_state(state.clone());
            Route { operation: Arc::new(operation), described, handler }
        });
        Api { function, elsewhere: Vec::new(), routes: routes.collect() }
    }
}

/// All that one function answers.
pub struct Api<D = ()> {
    pub(crate) function: &'static str,
    /// Operations of other functions: their paths are known here, not served.
    pub(crate) elsewhere: Vec<(Method, String)>,
    pub(crate) routes: Vec<Route<D>>,
}

/// One operation, with its handler and what is kept of the handler's annotations.
pub(crate) struct Route<D> {
    pub(crate) operation: Arc<Operation>,
    pub(crate) described: D,
    pub(crate) handler: MethodRouter,
}

impl<D> Api<D> {
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
