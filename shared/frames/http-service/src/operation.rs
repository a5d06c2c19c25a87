//! What a route declares next to its handler: who may call it, its rate group, and its cost.
//!
//! Authorization, rate limiting, the OpenAPI document and the tests all read this declaration.

use std::sync::Arc;

use access::{RateGroup, Role, Scope, Tier};
use axum::routing::{MethodFilter, MethodRouter};
use http::Method;
use utoipa::openapi::{HttpMethod, RefOr, Schema, path};
use utoipa_axum::router::UtoipaMethodRouter;

/// The access rules of a route.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    group: Option<RateGroup>,
    minimum_tier: Option<Tier>,
    credits: u32,
    needs_token: bool,
    scope: Scope,
    minimum_role: Option<Role>,
    needs_link: bool,
    ends_session: bool,
    body: BodyType,
    changes: Option<bool>,
    screens: bool,
    is_translated: bool,
}

/// The media types that an operation accepts for its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyType {
    Json,
    /// JSON, or the same as an HTML form sends it.
    JsonOrForm,
    /// A form with a file.
    File,
    /// Any, because the operation ignores its body.
    Any,
}

/// A read operation, also for anonymous callers unless [`Access::with_token`] is set. `credits` is its
/// cost in deployments that meter by credits.
pub const fn reads(credits: u32) -> Access {
    Access::new(credits, Scope::Read)
}

/// An operation that creates, changes or deletes. Requires an API key with the scope `write`.
pub const fn writes(credits: u32) -> Access {
    Access::new(credits, Scope::Write).with_token()
}

/// An operation on API keys (reading included: who controls keys controls the team's access), members, invitations or
/// webhooks (reading included: their addresses may contain secrets). Requires an API key with the scope `manage`, or the session of an admin.
pub const fn manages(credits: u32) -> Access {
    Access::new(credits, Scope::Manage).with_token()
}

impl Access {
    const fn new(credits: u32, scope: Scope) -> Self {
        Self {
            group: None,
            minimum_tier: None,
            credits,
            needs_token: false,
            scope,
            minimum_role: None,
            needs_link: false,
            ends_session: false,
            body: BodyType::Json,
            changes: None,
            screens: false,
            is_translated: false,
        }
    }

    /// Requires the session of a user. API keys cannot call the operation.
    #[must_use]
    pub const fn by_user(mut self) -> Self {
        if self.minimum_role.is_none() {
            self.minimum_role = Some(Role::Member);
        }
        self.with_token()
    }

    /// Requires the session of a user who has signed in with a link. Single sign-on cannot call the operation: it is about more than
    /// the team of the identity provider, or decides who can act for the team.
    #[must_use]
    pub const fn by_link(mut self) -> Self {
        self.needs_link = true;
        self.by_user()
    }

    /// Ends the session of the caller. So its `Idempotency-Key` belongs to the session, not to the user: a repetition in another
    /// session ends that one.
    #[must_use]
    pub const fn ends_session(mut self) -> Self {
        self.ends_session = true;
        self
    }

    /// Requires the session of an owner of the team. API keys cannot call the operation, nor can single sign-on, which gives at most
    /// the role of an admin.
    #[must_use]
    pub const fn by_owner(mut self) -> Self {
        self.minimum_role = Some(Role::Owner);
        self.with_token()
    }

    /// Accepts the body also as an HTML form sends it.
    #[must_use]
    pub const fn with_form(mut self) -> Self {
        self.body = BodyType::JsonOrForm;
        self
    }

    /// Accepts a form with a file instead of JSON.
    #[must_use]
    pub const fn with_file(mut self) -> Self {
        self.body = BodyType::File;
        self
    }

    /// Accepts and ignores any body.
    #[must_use]
    pub const fn with_any_body(mut self) -> Self {
        self.body = BodyType::Any;
        self
    }

    /// Compares names with the lists. The handler counts them with [`ScreeningSubjects`](crate::ScreeningSubjects).
    #[must_use]
    pub const fn screens(mut self) -> Self {
        self.screens = true;
        self.with_token()
    }

    /// Answers in the language that the caller asks for, with the parameter `language` or the header `Accept-Language`: JSON
    /// gets the member `labels`, and the handler of a file reads [`PreferredLanguage`](crate::PreferredLanguage).
    #[must_use]
    pub const fn translated(mut self) -> Self {
        self.is_translated = true;
        self
    }

    /// Leaves the operation out of the audit log, although its method is not GET: it only reads.
    #[must_use]
    pub const fn changes_nothing(mut self) -> Self {
        self.changes = Some(false);
        self
    }

    /// Lets the operation write to the audit log, although its method is GET: it changes something.
    #[must_use]
    pub const fn changes_something(mut self) -> Self {
        self.changes = Some(true);
        self
    }

    /// Sets a rate group that differs from that of the function.
    #[must_use]
    pub const fn counted_in(mut self, group: RateGroup) -> Self {
        self.group = Some(group);
        self
    }

    /// Sets a minimum tier that is higher than that of the rate group.
    #[must_use]
    pub const fn from_tier(mut self, tier: Tier) -> Self {
        self.minimum_tier = Some(tier);
        self
    }

    /// Requires an API key or a session.
    #[must_use]
    pub const fn with_token(mut self) -> Self {
        self.needs_token = true;
        self
    }
}

/// One method of one path, and its access rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    /// Name of the Lambda function (and crate) that serves it.
    pub function: &'static str,
    /// The `operationId`: the name of its handler.
    pub id: &'static str,
    pub method: Method,
    /// Path template, such as `/v1/companies/{uid}` or `/health`.
    pub path: String,
    pub group: RateGroup,
    /// Lowest tier that may call it.
    pub minimum_tier: Tier,
    /// Cost in credits, in deployments that meter by credits.
    pub credits: u32,
    pub needs_token: bool,
    pub scope: Scope,
    /// The lowest role whose session may call it. `None`: API keys may call it too, and the scope decides.
    pub minimum_role: Option<Role>,
    /// Whether only a session may call it that a sign-in link has started.
    pub needs_link: bool,
    /// Whether it ends the session of the caller.
    pub ends_session: bool,
    /// The media types that it accepts for its body.
    pub body: BodyType,
    /// Whether the audit log records it: every method but GET changes something, unless declared otherwise.
    pub is_audited: bool,
    /// Whether it compares names with the lists, which are counted beside the request.
    pub screens: bool,
    /// Whether it answers in the language that the caller asks for.
    pub is_translated: bool,
}

impl Operation {
    /// The lowest role whose session may call it.
    pub fn lowest_role(&self) -> Role {
        let has_scope = |it: &Role| it.scopes().contains(&self.scope);
        let by_scope = Role::ALL.into_iter().find(has_scope).unwrap_or(Role::Owner);
        self.minimum_role.map_or(by_scope, |it| it.max(by_scope))
    }
}

/// Selects what to keep of the OpenAPI annotations of the handlers: [`Annotations`] to generate the OpenAPI
/// document, `()` to serve requests. Evaluating all annotations would add milliseconds to a cold start and
/// a megabyte to each binary.
pub trait Description: Sized {
    fn from_annotations(annotations: impl FnOnce() -> Annotations) -> Self;
}

impl Description for () {
    fn from_annotations(_: impl FnOnce() -> Annotations) {}
}

/// The OpenAPI annotations of a handler.
pub struct Annotations {
    pub(crate) operation: path::Operation,
    /// Name and schema of each type that it reads or returns.
    pub(crate) schemas: Vec<(String, RefOr<Schema>)>,
}

impl Description for Annotations {
    fn from_annotations(annotations: impl FnOnce() -> Annotations) -> Self {
        annotations()
    }
}

/// A handler with its path, method and description. Created by [`handler!`](crate::handler).
pub struct Handler<S, D> {
    id: &'static str,
    path: String,
    method: Method,
    router: MethodRouter<S>,
    description: D,
}

impl<S: Clone + Send + Sync + 'static, D: Description> Handler<S, D> {
    /// `id` is the name of the handler; `P` is the type that `utoipa::path` generates; `routed` is the result of
    /// `utoipa_axum::routes!`.
    ///
    /// # Panics
    /// If the annotations do not name exactly one of GET, POST, PUT and DELETE.
    pub fn new<P: utoipa::Path>(
        id: &'static str,
        router: impl FnOnce(MethodFilter) -> MethodRouter<S>,
        routed: impl FnOnce() -> UtoipaMethodRouter<S>,
    ) -> Self {
        let (method, filter) = match P::methods()[..] {
            [HttpMethod::Get] => (Method::GET, MethodFilter::GET),
            [HttpMethod::Post] => (Method::POST, MethodFilter::POST),
            [HttpMethod::Put] => (Method::PUT, MethodFilter::PUT),
            [HttpMethod::Delete] => (Method::DELETE, MethodFilter::DELETE),
            _ => panic!("{} must have exactly one method", P::path()),
        };
        let description = D::from_annotations(|| {
            let (schemas, paths, _) = routed();
            let mut items = paths.paths.into_values();
            let operation = items.find_map(|it| it.get.or(it.post).or(it.put).or(it.delete));
            Annotations { operation: operation.unwrap_or_else(P::operation), schemas }
        });
        Self { id, path: P::path(), method, router: router(filter), description }
    }
}

/// Wraps a handler that is annotated with `utoipa::path`: `handler!(companies)`, `handler!(board::members)`.
#[macro_export]
macro_rules! handler {
    ($module:ident :: $name:ident) => {
        $crate::pastey::paste! {
            $crate::Handler::new::<$module::[<__path_ $name>]>(
                stringify!($name),
                |method| $crate::axum::routing::on(method, $module::$name),
                || $crate::utoipa_axum::routes!($module::$name),
            )
        }
    };
    ($name:ident) => {
        $crate::pastey::paste! {
            $crate::Handler::new::<[<__path_ $name>]>(
                stringify!($name),
                |method| $crate::axum::routing::on(method, $name),
                || $crate::utoipa_axum::routes!($name),
            )
        }
    };
}

/// The routes of one module or function.
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

    /// Adds a handler, wrapped by [`handler!`](crate::handler), with its access rules.
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

    /// Puts a step of the function around each handler, within the steps of the frame.
    #[must_use]
    pub fn around(mut self, step: impl Fn(MethodRouter<S>) -> MethodRouter<S>) -> Self {
        for (_, handler) in &mut self.routes {
            handler.router = step(std::mem::take(&mut handler.router));
        }
        self
    }

    /// The routes as one function. `group` is the rate group of every route that does not set another.
    pub fn into_api(self, function: &'static str, group: RateGroup, state: S) -> Api<D> {
        let routes = self.routes.into_iter().map(|(access, handler)| {
            let Handler { id, path, method, router, description } = handler;
            let group = access.group.unwrap_or(group);
            let first_tier = group.lowest_tier();
            let operation = Operation {
                function,
                id,
                is_audited: access.changes.unwrap_or(method != Method::GET),
                method,
                path,
                group,
                minimum_tier: access.minimum_tier.map_or(first_tier, |it| it.max(first_tier)),
                credits: access.credits,
                needs_token: access.needs_token,
                scope: access.scope,
                minimum_role: access.minimum_role,
                needs_link: access.needs_link,
                ends_session: access.ends_session,
                body: access.body,
                screens: access.screens,
                is_translated: access.is_translated,
            };
            let handler = router.with_state(state.clone());
            Route { operation: Arc::new(operation), description, handler }
        });
        let routes = routes.collect();
        Api { function, streams: false, other_operations: Vec::new(), routes }
    }
}

/// All operations of one function.
pub struct Api<D = ()> {
    pub(crate) function: &'static str,
    /// Whether answers are streamed, and compressed by the function.
    pub(crate) streams: bool,
    /// Operations of other functions, which this function does not serve.
    pub(crate) other_operations: Vec<(Method, String)>,
    pub(crate) routes: Vec<Route<D>>,
}

/// One operation with its description and handler.
pub(crate) struct Route<D> {
    pub(crate) operation: Arc<Operation>,
    pub(crate) description: D,
    pub(crate) handler: MethodRouter,
}

impl<D> Api<D> {
    /// Adds the operations of other functions. The gateway sends every unknown method and path to this
    /// function, which can then distinguish 405 from 404.
    #[must_use]
    pub fn with_other_operations(
        mut self,
        operations: impl IntoIterator<Item = (Method, String)>,
    ) -> Self {
        self.other_operations.extend(operations);
        self
    }

    /// Streams the answers: they may be larger than 6 MB.
    #[must_use]
    pub fn streaming(mut self) -> Self {
        self.streams = true;
        self
    }

    /// The function's name, and whether its answers are streamed.
    pub fn function(&self) -> (&'static str, bool) {
        (self.function, self.streams)
    }

    /// All operations, in the order of declaration.
    pub fn operations(&self) -> impl Iterator<Item = &Operation> {
        self.routes.iter().map(|it| &*it.operation)
    }
}
