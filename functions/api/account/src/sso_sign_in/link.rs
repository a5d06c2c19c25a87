//! An account at the provider and a member with its e-mail address: the member confirms that both are the same person, with a
//! link in a mail, in the browser that has signed in at the provider.
//!
//! So neither an owner who controls a provider nor anybody else can become another member, who may own other teams.

use auth::{Language, OneTimeToken, TokenHash};
use axum::{
    Extension, Json as JsonResponse,
    extract::State,
    response::{IntoResponse, Response},
};
use http::HeaderMap;
use http_service::{AuditContext, Query, preferred_language};
use outgoing::mail::Cause;
use problem_details::{Problem, UNAUTHORIZED};
use serde::Serialize;
use store::{PendingIdentity, Unlinked};
use utoipa::ToSchema;

use super::{ATTEMPT_DURATION, cookie, not_signed_in};
use crate::{
    magic_links::{LinkQuery, wants_page},
    pages::{self, Asking},
};

/// The account is linked.
#[derive(Serialize, ToSchema)]
pub(super) struct AccountLinked {
    /// What happens next.
    #[schema(example = "The account is linked. Sign in again.")]
    message: &'static str,
}

#[derive(Debug, thiserror::Error)]
#[error(
    "the link was used or has expired, or this browser has not signed in at the identity provider; sign in again"
)]
struct UnknownLink;

/// Open an account link of single sign-on
///
/// A page that shows the identity provider and the e-mail address of the account, with a button that links it. Opening the page changes
/// nothing.
#[utoipa::path(
    get,
    path = "/v1/auth/sso/link",
    tag = "Sign-in",
    params(LinkQuery),
    responses((status = OK, content_type = "text/html", body = String)),
)]
pub(super) async fn sso_link_page(
    State(state): State<crate::State>,
    headers: HeaderMap,
    Query(LinkQuery { token }): Query<LinkQuery>,
) -> Result<impl IntoResponse, Problem> {
    let pending = state.tenants.pending_identity(&token.hash(), state.clock.now()).await?;
    let unknown = || Problem::new(&UNAUTHORIZED, UnknownLink);
    let (pending, issuer) = pending.ok_or_else(unknown)?;
    let language = preferred_language(&headers);
    let action = format!("link?token={}", token.expose());
    let about = [issuer.as_str(), pending.email.as_str()];
    Ok(pages::question(language, words(language), &about, &action)?)
}

/// Link an account of single sign-on
///
/// Confirms that the account at the identity provider and the member with its e-mail address are the same person. A
/// sign-in with an account that is not linked yet sends the link to the member, unless the sign-in creates the user. The link
/// works once, for 10 minutes, in the browser that has signed in. The body is ignored. Then sign in again.
#[utoipa::path(
    post,
    path = "/v1/auth/sso/link",
    tag = "Sign-in",
    params(LinkQuery),
    responses((status = OK, content((AccountLinked = "application/json"), (String = "text/html")))),
)]
pub(super) async fn link_sso(
    State(state): State<crate::State>,
    Extension(context): Extension<AuditContext>,
    headers: HeaderMap,
    Query(LinkQuery { token }): Query<LinkQuery>,
) -> Result<Response, Problem> {
    let unknown = || Problem::new(&UNAUTHORIZED, UnknownLink);
    let browser = cookie::read(&headers, &state.public_url).ok_or_else(unknown)?;
    let entry = |actor| context.succeeded(actor);
    let (token, browser, now) = (token.hash(), browser.hash(), state.clock.now());
    let linked = state.tenants.link_identity(&token, &browser, now, entry).await;
    let linked = linked.map_err(not_signed_in)?.ok_or_else(unknown)?;
    if !wants_page(&headers) {
        let message = "The account is linked. Sign in again.";
        return Ok(JsonResponse(AccountLinked { message }).into_response());
    }
    Ok(pages::done(linked.language, &words(linked.language))?.into_response())
}

impl crate::State {
    /// Asks the member, with a mail, whether the account is theirs.
    pub(super) async fn ask_to_link(
        &self,
        unlinked: &Unlinked,
        browser: TokenHash,
        language: Language,
    ) -> Result<(), Problem> {
        let (Unlinked { identity, user }, now) = (unlinked, self.clock.now());
        let cause = Cause::AccountLink { team: &identity.team, user: &user.id };
        let Some(permit) = self.allow_mail(&cause, &user.email, now).await? else { return Ok(()) };
        let (token, language) = (OneTimeToken::generate(), user.language.unwrap_or(language));
        let pending = PendingIdentity {
            identity: identity.clone(),
            browser,
            email: user.email.clone(),
            language,
            expires_at: now + ATTEMPT_DURATION,
        };
        self.tenants.put_pending_identity(&token.hash(), &pending).await?;
        let address = format!("{}/v1/auth/sso/link?token={}", self.public_url, token.expose());
        self.send(permit, &mail::sso_account(pending.email, language, &address)?).await
    }
}

fn words(language: Language) -> Asking {
    match language {
        Language::De => Asking {
            title: "Konto für Single Sign-on",
            question: "Haben Sie sich gerade mit dem Konto des Identitätsanbieters Ihres Teams angemeldet?",
            button: "Ja, das Konto gehört mir",
            done: "Das Konto ist verknüpft. Melden Sie sich noch einmal an.",
        },
        Language::Fr => Asking {
            title: "Compte d’authentification unique",
            question: "Venez-vous de vous connecter avec le compte du fournisseur d’identité de votre équipe?",
            button: "Oui, ce compte est le mien",
            done: "Le compte est lié. Connectez-vous encore une fois.",
        },
        Language::It => Asking {
            title: "Account per il single sign-on",
            question: "Avete appena effettuato l’accesso con l’account del fornitore di identità del vostro team?",
            button: "Sì, l’account è mio",
            done: "L’account è collegato. Accedete ancora una volta.",
        },
        Language::En => Asking {
            title: "Account for single sign-on",
            question: "Have you just signed in with the account at the identity provider of your team?",
            button: "Yes, the account is mine",
            done: "The account is linked. Sign in once more.",
        },
    }
}
