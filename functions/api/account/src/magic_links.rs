//! Sign-in with a link that is sent by e-mail.
//!
//! Every address gets a link and every request the same answer, so nobody learns who has an account. The first link to
//! an address creates its user. Opening a link does not use it up, because programs that check mails open links too.

use access::{Environment, RateGroup};
use auth::{Email, Language, OneTimeToken, TeamId};
use axum::{
    Extension, Json as JsonResponse,
    extract::State,
    response::{IntoResponse, Redirect, Response},
};
use http::{HeaderMap, StatusCode, header};
use http_service::{
    AuditContext, ClientAddress, ContainsSecret, Description, Json, JsonOrForm, NoParameters,
    Query, Routes, Tenant, handler, preferred_language, reads,
};
use jiff::SignedDuration;
use outgoing::mail::{Cause, Permit};
use problem_details::{Problem, UNAUTHORIZED};
use serde::{Deserialize, Serialize};
use store::{LinkUse, MagicLink};
use utoipa::{IntoParams, ToSchema};

use crate::{
    pages,
    problems::not_changed,
    sessions::{SignedIn, new_session},
};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(0).counted_in(RateGroup::Public), handler!(request_magic_link))
        .route(reads(0).counted_in(RateGroup::Public), handler!(magic_link_page))
        .route(reads(0).counted_in(RateGroup::Public).with_form(), handler!(verify_magic_link))
}

/// How long a link works.
pub(crate) const LINK_DURATION: SignedDuration = SignedDuration::from_mins(15);

/// An address to send a sign-in link to.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct MagicLinkRequest {
    /// E-mail address.
    #[schema(value_type = String, max_length = 254, example = "eva.muster@example.ch")]
    email: Email,
    /// Address of the application to which the browser is sent after signing in. Its origin must be one that the
    /// deployment allows. The fragment of the address contains the token of the session: `#token=…&expiresAt=…`.
    #[serde(default)]
    #[schema(max_length = 2_000)]
    redirect_url: Option<String>,
}

/// The answer to a request for a sign-in link.
#[derive(Serialize, ToSchema)]
struct MagicLinkSent {
    /// What happens next.
    #[schema(example = "If the address can receive mail, a sign-in link was sent to it.")]
    message: &'static str,
}

/// Request a sign-in link
///
/// Sends an e-mail with a link that works once, within 15 minutes. The answer is the same for every address: an address
/// without an account gets a link too, and using it creates the account. Limits in 10 minutes: a client address can request 5
/// links to the same address; an address gets at most 10 links that it has not used, from all requesters; then no more are sent,
/// and the last ones work. After 20 requests from a client address, or 60 from an IPv4 /24 or an IPv6 /48, an address with an
/// account gets one link in 10 minutes, and other addresses get none. A test key sends no mail.
#[utoipa::path(
    post,
    path = "/v1/auth/magic-link",
    tag = "Sign-in",
    request_body = MagicLinkRequest,
    responses((status = ACCEPTED, body = MagicLinkSent)),
)]
async fn request_magic_link(
    State(state): State<crate::State>,
    tenant: Option<Tenant>,
    ClientAddress(client): ClientAddress,
    headers: HeaderMap,
    Query(NoParameters {}): Query<NoParameters>,
    Json(request): Json<MagicLinkRequest>,
) -> Result<impl IntoResponse, Problem> {
    let redirect_url = request.redirect_url.as_deref().map(|it| state.origins.allow(it));
    let redirect_url =
        redirect_url.transpose().map_err(|it| Problem::invalid("redirectUrl", it))?;
    let is_sandbox = tenant.is_some_and(|it| it.caller.environment() == Environment::Test);
    if !is_sandbox {
        let user = state.tenants.user_with(&request.email).await?;
        let cause = Cause::SignIn { client, has_account: user.is_some() };
        let now = state.clock.now();
        if let Some(permit) = state.allow_mail(&cause, &request.email, now).await? {
            let language =
                user.and_then(|it| it.language).unwrap_or_else(|| preferred_language(&headers));
            state.send_link(permit, request.email, language, redirect_url, None).await?;
        }
    }
    let message = "If the address can receive mail, a sign-in link was sent to it.";
    Ok((StatusCode::ACCEPTED, JsonResponse(MagicLinkSent { message })))
}

impl crate::State {
    /// Sends a link that signs in. With an invitation, it also accepts that.
    async fn send_link(
        &self,
        permit: Permit,
        email: Email,
        language: Language,
        redirect_url: Option<String>,
        invitation: Option<(TeamId, String)>,
    ) -> Result<(), Problem> {
        let expires_at = self.clock.now() + LINK_DURATION;
        let signs_in_until = expires_at;
        let link =
            MagicLink { email, language, redirect_url, invitation, signs_in_until, expires_at };
        let address = self.put_link(&link).await?;
        self.send(permit, &mail::sign_in(link.email, language, &address)?).await
    }

    /// Stores a link under a new token, and returns its address.
    pub(crate) async fn put_link(&self, link: &MagicLink) -> Result<String, Problem> {
        let token = OneTimeToken::generate();
        self.tenants.put_magic_link(&token.hash(), link).await?;
        Ok(format!("{}/v1/auth/magic-link/verify?token={}", self.public_url, token.expose()))
    }
}

/// The query of a link in a mail: to sign in, to confirm an address, or to get no more mails.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct LinkQuery {
    /// Token of the link.
    #[param(
        value_type = String,
        pattern = "^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$",
        example = "9mZ2x0v5bqf7nJ1sT4kYw8eRcUgHdLaPoXi3MtVjS6E"
    )]
    pub(crate) token: OneTimeToken,
}

/// Open a sign-in link
///
/// A page with a button that signs in. Opening the page does not use up the link.
#[utoipa::path(
    get,
    path = "/v1/auth/magic-link/verify",
    tag = "Sign-in",
    params(LinkQuery),
    responses((status = OK, content_type = "text/html", body = String)),
)]
async fn magic_link_page(
    State(state): State<crate::State>,
    headers: HeaderMap,
    Query(LinkQuery { token }): Query<LinkQuery>,
) -> Result<impl IntoResponse, Problem> {
    Ok(pages::sign_in(preferred_language(&headers), token.expose(), &state.origins)?)
}

#[derive(Debug, thiserror::Error)]
enum LinkNotUsed {
    #[error("the sign-in link is not valid, was used or has expired; request a new one")]
    Invalid,
    #[error(
        "the sign-in link is older than 15 minutes, and its address has an account; a new link was sent to the address"
    )]
    TooOld,
}

/// The token of a sign-in link.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Verification {
    /// Token of the link.
    #[schema(
        value_type = String,
        pattern = "^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$",
        example = "9mZ2x0v5bqf7nJ1sT4kYw8eRcUgHdLaPoXi3MtVjS6E"
    )]
    token: OneTimeToken,
}

/// Sign in with a link
///
/// Uses up the link, and starts a session of 12 hours in one team of the user: the team of the last session, or a new
/// Free team if the user is in none. Send the token of the session as `Authorization: Bearer <token>`. The page of the
/// link sends this request as a form. For such a request, the response is a page, or a redirect if the link was
/// requested with `redirectUrl`.
///
/// A link in an invitation is valid for 7 days if the address has no account. If the address has an account, the link is
/// valid for 15 minutes; after that, the response is 401 and a new link is sent by e-mail.
#[utoipa::path(
    post,
    path = "/v1/auth/magic-link/verify",
    tag = "Sign-in",
    request_body(content(
        (Verification = "application/json"),
        (Verification = "application/x-www-form-urlencoded"),
    )),
    responses(
        (status = OK, content((SignedIn = "application/json"), (String = "text/html"))),
        (
            status = SEE_OTHER,
            description = "Redirect of a form to the address that the link was requested with. The fragment contains the token of the session.",
            headers(
                ("Location" = String),
                ("Cache-Control" = String),
            ),
        ),
    ),
)]
async fn verify_magic_link(
    State(state): State<crate::State>,
    Extension(context): Extension<AuditContext>,
    ClientAddress(client): ClientAddress,
    headers: HeaderMap,
    Query(NoParameters {}): Query<NoParameters>,
    JsonOrForm(Verification { token }): JsonOrForm<Verification>,
) -> Result<Response, Problem> {
    let now = state.clock.now();
    let signed_in = state.tenants.sign_in(&token.hash(), now, |it| context.succeeded(it)).await;
    let store::SignedIn { user, session, redirect_url } = match signed_in.map_err(not_changed)? {
        LinkUse::SignedIn(signed_in, link) => {
            state.outgoing.link_used(&link.email, link.signs_in_until - LINK_DURATION).await;
            *signed_in
        }
        LinkUse::TooOld(MagicLink { email, language, redirect_url, invitation, .. }) => {
            let cause = Cause::SignIn { client, has_account: true };
            if let Some(permit) = state.allow_mail(&cause, &email, now).await? {
                state.send_link(permit, email, language, redirect_url, invitation).await?;
            }
            return Err(Problem::new(&UNAUTHORIZED, LinkNotUsed::TooOld));
        }
        LinkUse::Invalid => return Err(Problem::new(&UNAUTHORIZED, LinkNotUsed::Invalid)),
    };
    let language = user.language.unwrap_or_else(|| preferred_language(&headers));
    let answer = new_session(&state, user, &session).await?;
    signed_in_answer(&headers, answer, redirect_url.as_deref(), language)
}

/// The answer about a new session: for a browser a page, or a redirect to the application.
pub(crate) fn signed_in_answer(
    headers: &HeaderMap,
    answer: SignedIn,
    redirect_url: Option<&str>,
    language: Language,
) -> Result<Response, Problem> {
    let secret = ContainsSecret { id: answer.session.clone() };
    if !wants_page(headers) {
        return Ok((secret, JsonResponse(answer)).into_response());
    }
    match redirect_url {
        Some(address) => {
            let (token, expires_at) = (&answer.token, answer.expires_at);
            let address = format!("{address}#token={token}&expiresAt={expires_at}");
            Ok((secret, Redirect::to(&address)).into_response())
        }
        None => {
            let (email, team) = (answer.user.email.as_str(), &answer.team.name);
            let page = pages::signed_in(language, email, team, &answer.token)?;
            Ok((secret, page).into_response())
        }
    }
}

/// Whether a browser shows the response to a person.
pub(crate) fn wants_page(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|it| it.to_str().ok()).unwrap_or_default();
    let mut ranges = accepted.split(',').map(|it| it.split(';').next().unwrap_or_default().trim());
    ranges.any(|it| it.eq_ignore_ascii_case("text/html"))
}
