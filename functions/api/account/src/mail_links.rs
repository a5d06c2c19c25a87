//! Links in mails with notifications, which work without signing in.
//!
//! Opening a link changes nothing, because programs that check mails open links too; its page has a button. Mail programs
//! unsubscribe with one POST request to the same address (RFC 8058).

mod words;

use access::RateGroup;
use auth::{Email, Language, OneTimeToken, Owner};
use axum::{
    Json as JsonResponse,
    extract::State,
    response::{IntoResponse, Response},
};
use http::HeaderMap;
use http_service::{Description, Query, Routes, handler, preferred_language, reads};
use jiff::SignedDuration;
use outgoing::mail::Permit;
use problem_details::Problem;
use serde::Serialize;
use store::{LinkPurpose, MailLink, TeamKey};
use utoipa::ToSchema;

use self::words::words;
use crate::{
    magic_links::{LinkQuery, wants_page},
    pages,
};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    let public = reads(0).counted_in(RateGroup::Public);
    Routes::new()
        .route(public, handler!(unsubscribe_page))
        .route(public.with_any_body(), handler!(unsubscribe))
        .route(public, handler!(confirm_page))
        .route(public.with_any_body(), handler!(confirm))
}

/// How long a link works that confirms an address.
const CONFIRM_DURATION: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Result of following a link.
#[derive(Serialize, ToSchema)]
struct LinkFollowed {
    /// What was done.
    message: &'static str,
}

#[derive(Debug, thiserror::Error)]
#[error("the link is not valid or has expired")]
struct UnknownLink;

/// Open an unsubscribe link
///
/// A page with a button that ends the e-mails. Opening the page changes nothing.
#[utoipa::path(
    get,
    path = "/v1/notifications/unsubscribe",
    tag = "Watches and notifications",
    params(LinkQuery),
    responses((status = OK, content_type = "text/html", body = String)),
)]
async fn unsubscribe_page(
    headers: HeaderMap,
    Query(LinkQuery { token }): Query<LinkQuery>,
) -> Result<impl IntoResponse, Problem> {
    let action = format!("unsubscribe?token={}", token.expose());
    let language = preferred_language(&headers);
    Ok(pages::question(language, words(LinkPurpose::Unsubscribe, language), &[], &action)?)
}

/// Unsubscribe from e-mails
///
/// Stops the notification e-mails that contain this link: `channel` of the preferences becomes `InApp`. Mail programs send
/// this request (RFC 8058). The body is ignored. The link works for two years, also repeatedly. An address that is not the
/// user's sign-in address must be confirmed again before more e-mails are sent to it.
#[utoipa::path(
    post,
    path = "/v1/notifications/unsubscribe",
    tag = "Watches and notifications",
    params(LinkQuery),
    responses(
        (status = OK, content((LinkFollowed = "application/json"), (String = "text/html"))),
        (status = NOT_FOUND),
    ),
)]
async fn unsubscribe(
    State(state): State<crate::State>,
    headers: HeaderMap,
    Query(LinkQuery { token }): Query<LinkQuery>,
) -> Result<Response, Problem> {
    let message = "No more e-mails with these notifications are sent to the address.";
    follow(&state, &headers, &token, LinkPurpose::Unsubscribe, message).await
}

/// Open an address confirmation link
///
/// A page with a button that confirms the e-mail address. Opening the page changes nothing.
#[utoipa::path(
    get,
    path = "/v1/notifications/confirm-email",
    tag = "Watches and notifications",
    params(LinkQuery),
    responses((status = OK, content_type = "text/html", body = String)),
)]
async fn confirm_page(
    headers: HeaderMap,
    Query(LinkQuery { token }): Query<LinkQuery>,
) -> Result<impl IntoResponse, Problem> {
    let action = format!("confirm-email?token={}", token.expose());
    let language = preferred_language(&headers);
    Ok(pages::question(language, words(LinkPurpose::Confirm, language), &[], &action)?)
}

/// Confirm an address for notifications
///
/// Confirms the e-mail address to which the link was sent as `emailAddress` of the notification preferences. The body is
/// ignored. The link works for 7 days, also repeatedly. It has no effect if the address was changed since.
#[utoipa::path(
    post,
    path = "/v1/notifications/confirm-email",
    tag = "Watches and notifications",
    params(LinkQuery),
    responses(
        (status = OK, content((LinkFollowed = "application/json"), (String = "text/html"))),
        (status = NOT_FOUND),
    ),
)]
async fn confirm(
    State(state): State<crate::State>,
    headers: HeaderMap,
    Query(LinkQuery { token }): Query<LinkQuery>,
) -> Result<Response, Problem> {
    let message = "The address is confirmed.";
    follow(&state, &headers, &token, LinkPurpose::Confirm, message).await
}

async fn follow(
    state: &crate::State,
    headers: &HeaderMap,
    token: &OneTimeToken,
    purpose: LinkPurpose,
    message: &'static str,
) -> Result<Response, Problem> {
    let now = state.clock.now();
    let link = state.tenants.mail_link(&token.hash(), purpose, now).await?;
    let link = link.ok_or_else(|| Problem::not_found(UnknownLink))?;
    // If the preferences have another address meanwhile, nothing is sent to this one.
    state.tenants.follow(&link, now).await?;
    Ok(match wants_page(headers) {
        true => pages::done(link.language, &words(purpose, link.language))?.into_response(),
        false => JsonResponse(LinkFollowed { message }).into_response(),
    })
}

impl crate::State {
    /// Sends a link that confirms an address to it.
    pub(crate) async fn ask_to_confirm(
        &self,
        permit: Permit,
        team: &TeamKey,
        owner: Owner,
        email: Email,
        language: Language,
    ) -> Result<(), Problem> {
        let (token, now) = (OneTimeToken::generate(), self.clock.now());
        let link = MailLink {
            purpose: LinkPurpose::Confirm,
            team: team.team().clone(),
            owner,
            email: email.clone(),
            language,
            expires_at: now + CONFIRM_DURATION,
        };
        self.tenants.put_mail_link(&token.hash(), &link).await?;
        let address =
            format!("{}/v1/notifications/confirm-email?token={}", self.public_url, token.expose());
        let name = self.shown_name(team.team(), now).await?;
        let mail = mail::confirmation(email, language, &address, name.as_ref())?;
        self.send(permit, &mail).await
    }
}
