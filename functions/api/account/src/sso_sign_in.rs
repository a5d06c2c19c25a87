//! Sign-in with the identity provider of a team: the code flow of OpenID Connect, with PKCE.
//!
//! | Secret | Who has it | What it proves |
//! |---|---|---|
//! | `state` | the browser, by way of the provider | the answer belongs to an attempt that was started here |
//! | cookie | the browser | the answer comes back in the browser that started the attempt |
//! | `nonce` | the ID token | the token was made for the attempt |
//! | `code_verifier` | only we | the code was issued for the attempt |
//!
//! Each team has its own redirect URI. Otherwise, the provider of one team could get the codes of another one.

mod code;
mod cookie;
mod link;

use access::RateGroup;
use auth::{Email, OneTimeToken, TeamId, code_challenge};
use axum::{
    Extension,
    extract::State,
    response::{IntoResponse, Response},
};
use http::{HeaderMap, StatusCode, header};
use http_service::{
    Answered, AnsweredQuery, AuditContext, Description, JsonOrForm, Path, Query, Routes,
    authentication::Rejected, handler, preferred_language, providers::error_code, reads,
};
use jiff::SignedDuration;
use problem_details::{Problem, UNAUTHORIZED};
use serde::Deserialize;
use store::{SsoAttempt, SsoRefused, SsoTenant};
use teams::SingleSignOn;
use url::Url;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    magic_links::signed_in_answer,
    problems::not_changed,
    sessions::{SignedIn, new_session},
};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(0).counted_in(RateGroup::Public), handler!(start_sso))
        .route(reads(0).counted_in(RateGroup::Public).changes_something(), handler!(finish_sso))
        .route(reads(0).counted_in(RateGroup::Public).with_form(), handler!(post_sso))
        .route(reads(0).counted_in(RateGroup::Public), handler!(link::sso_link_page))
        .route(reads(0).counted_in(RateGroup::Public).with_any_body(), handler!(link::link_sso))
}

/// How long a sign-in may take.
const ATTEMPT_DURATION: SignedDuration = SignedDuration::from_mins(10);
/// Maximum length of a code in characters.
const MAX_CODE_LENGTH: usize = 4_096;

/// The address to which the provider of a team sends browsers back.
pub(crate) fn redirect_uri(public_url: &str, team: &TeamId) -> String {
    format!("{public_url}/v1/auth/sso/callback?team={team}")
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
struct TenantPath {
    /// Domain that a team has verified, or id of the team.
    #[param(max_length = 253, example = "example.ch")]
    tenant: String,
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct StartQuery {
    /// Address of the application to which the browser is sent after signing in. Its origin must be one that the deployment allows. The
    /// fragment of the address contains the token of the session: `#token=…&expiresAt=…`.
    #[param(max_length = 2_000, example = "https://app.example/")]
    redirect_url: Option<String>,
}

#[derive(Debug, thiserror::Error)]
#[error("no team with single sign-on has the id, or has verified the domain, `{0}`")]
struct UnknownTenant(String);

/// Sign in with single sign-on
///
/// Sends the browser to the identity provider of the team. Open this address in the browser; a cookie binds the sign-in to
/// it. The provider sends the browser back to `GET /v1/auth/sso/callback` within 10 minutes.
#[utoipa::path(
    get,
    path = "/v1/auth/sso/{tenant}",
    tag = "Sign-in",
    params(TenantPath, StartQuery),
    responses((
        status = FOUND,
        description = "Redirect to the identity provider.",
        headers(
            ("Location" = String),
            ("Set-Cookie" = String),
            ("Cache-Control" = String),
        ),
    )),
)]
async fn start_sso(
    State(state): State<crate::State>,
    headers: HeaderMap,
    Path(TenantPath { tenant }): Path<TenantPath>,
    Query(StartQuery { redirect_url }): Query<StartQuery>,
) -> Result<Response, Problem> {
    let redirect_url = redirect_url.as_deref().map(|it| state.origins.allow(it)).transpose();
    let redirect_url = redirect_url.map_err(|it| Problem::invalid("redirectUrl", it))?;
    let SsoTenant { team, settings, .. } = state.tenant(&tenant).await?;
    let now = state.clock.now();
    let metadata = state.providers.metadata(&settings.issuer, false, now).await;
    let metadata = metadata.map_err(Problem::unavailable)?;
    let browser = cookie::read(&headers, &state.public_url).unwrap_or_else(OneTimeToken::generate);
    let (token, nonce, verifier) =
        (OneTimeToken::generate(), OneTimeToken::generate(), OneTimeToken::generate());
    let attempt = SsoAttempt {
        provider: settings.provider(),
        choice: settings.choice.clone(),
        browser: browser.hash(),
        nonce: nonce.expose().to_owned(),
        verifier: verifier.expose().to_owned(),
        language: preferred_language(&headers),
        redirect_url,
        expires_at: now + ATTEMPT_DURATION,
        team,
    };
    state.tenants.put_sso_attempt(&token.hash(), &attempt).await?;
    let redirect_uri = redirect_uri(&state.public_url, &attempt.team);
    let mut location: Url = metadata.authorization_endpoint.clone();
    location.query_pairs_mut().extend_pairs([
        ("response_type", "code"),
        ("client_id", &settings.client_id),
        ("redirect_uri", &redirect_uri),
        ("scope", "openid email profile"),
        ("state", token.expose()),
        ("nonce", nonce.expose()),
        ("code_challenge", &code_challenge(verifier.expose())),
        ("code_challenge_method", "S256"),
    ]);
    let headers = [
        (header::LOCATION, location.to_string()),
        (header::SET_COOKIE, cookie::set(&browser, &state.public_url)),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    Ok((StatusCode::FOUND, headers).into_response())
}

/// The team of a redirect URI.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct TeamQuery {
    /// Id of the team.
    #[param(format = "uuid", example = "0199c0de-00ff-7000-8000-000000000000")]
    team: Uuid,
}

impl Answered for TeamQuery {
    const NAMES: &[&str] = &["team"];
}

/// The answer of a provider.
#[derive(Deserialize, ToSchema)]
struct ProviderAnswer {
    /// The `state` that the provider was given.
    #[schema(
        value_type = String,
        pattern = "^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$",
        example = "Vq3kT8mZ1xJ5bRcN7yHdLpWg2sFvAeUo9iKtXj4MwQ0"
    )]
    state: OneTimeToken,
    /// Code that gives the ID token. Required unless there is an `error`.
    #[serde(default)]
    #[schema(max_length = 4_096, pattern = "^[ -~]+$", example = "SplxlOBeZQQYbYS6WxSbIA")]
    code: Option<String>,
    /// Why the provider has not signed in the user, such as `access_denied`.
    #[serde(default)]
    #[schema(max_length = 200, pattern = "^[ -~]+$")]
    error: Option<String>,
    /// Issuer of the answer (RFC 9207).
    #[serde(default)]
    #[schema(max_length = 255, pattern = "^[ -~]+$")]
    iss: Option<String>,
}

/// The query with which a provider sends back a browser.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct CallbackQuery {
    /// Id of the team.
    #[param(format = "uuid", example = "0199c0de-00ff-7000-8000-000000000000")]
    team: Uuid,
    /// The `state` that the provider was given.
    #[param(
        value_type = String,
        pattern = "^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$",
        example = "Vq3kT8mZ1xJ5bRcN7yHdLpWg2sFvAeUo9iKtXj4MwQ0"
    )]
    state: OneTimeToken,
    /// Authorization code. If the provider sends the parameter `error` instead, the status is 401.
    #[param(
        required = true,
        min_length = 1,
        max_length = 4_096,
        example = "SplxlOBeZQQYbYS6WxSbIA"
    )]
    code: Option<String>,
    /// Why the provider has not signed in the user, such as `access_denied`.
    #[param(ignore)]
    error: Option<String>,
    /// Issuer of the answer (RFC 9207).
    #[param(min_length = 1, max_length = 255, example = "https://login.example")]
    iss: Option<String>,
}

impl Answered for CallbackQuery {
    const NAMES: &[&str] = &["team", "state", "code", "error", "iss"];
}

/// Finish a single sign-on
///
/// The identity provider sends the browser here. Starts a session of 12 hours in the team of the provider. The account at
/// the provider is matched with the user who used it before. If no user has its e-mail address, a new user becomes a member with
/// the role `member`. If a member has the address, the status is 403, and the member gets an e-mail with a link that links the account
/// in the same browser within 10 minutes (`POST /v1/auth/sso/link`); then the account signs in. An existing user
/// who is not a member is refused, and can be invited. The provider must state a verified e-mail address of a domain
/// that the team has verified. Answers with a page, with a redirect if the sign-in was started with `redirectUrl`, or
/// with JSON if the browser does not accept pages. Unknown parameters are ignored: providers add their own.
#[utoipa::path(
    get,
    path = "/v1/auth/sso/callback",
    tag = "Sign-in",
    params(CallbackQuery),
    responses(
        (
            status = OK,
            content((SignedIn = "application/json"), (String = "text/html")),
        ),
        (
            status = SEE_OTHER,
            description = "Redirect to the address that the sign-in was started with. The fragment contains the token of the session.",
            headers(
                ("Location" = String),
                ("Cache-Control" = String),
            ),
        ),
    ),
)]
async fn finish_sso(
    State(state): State<crate::State>,
    Extension(context): Extension<AuditContext>,
    headers: HeaderMap,
    AnsweredQuery(query): AnsweredQuery<CallbackQuery>,
) -> Result<Response, Problem> {
    let CallbackQuery { team, state: token, code, error, iss } = query;
    let answer = ProviderAnswer { state: token, code, error, iss };
    finish(&state, &context, &headers, team, answer).await
}

/// Finish single sign-on in an application
///
/// Does the same as `GET /v1/auth/sso/callback`. Use it if your application receives the answer of the provider itself. The
/// cookie of the sign-in is required, so a form on another site cannot complete the sign-in.
#[utoipa::path(
    post,
    path = "/v1/auth/sso/callback",
    tag = "Sign-in",
    params(TeamQuery),
    request_body(content(
        (ProviderAnswer = "application/json"),
        (ProviderAnswer = "application/x-www-form-urlencoded"),
    )),
    responses(
        (
            status = OK,
            content((SignedIn = "application/json"), (String = "text/html")),
        ),
        (
            status = SEE_OTHER,
            description = "Redirect to the address that the sign-in was started with. The fragment contains the token of the session.",
            headers(
                ("Location" = String),
                ("Cache-Control" = String),
            ),
        ),
    ),
)]
async fn post_sso(
    State(state): State<crate::State>,
    Extension(context): Extension<AuditContext>,
    headers: HeaderMap,
    AnsweredQuery(TeamQuery { team }): AnsweredQuery<TeamQuery>,
    JsonOrForm(answer): JsonOrForm<ProviderAnswer>,
) -> Result<Response, Problem> {
    finish(&state, &context, &headers, team, answer).await
}

async fn finish(
    state: &crate::State,
    context: &AuditContext,
    headers: &HeaderMap,
    team: Uuid,
    answer: ProviderAnswer,
) -> Result<Response, Problem> {
    let now = state.clock.now();
    for (member, value, max_length) in [
        ("code", &answer.code, MAX_CODE_LENGTH),
        ("error", &answer.error, 200),
        ("iss", &answer.iss, 255),
    ] {
        let is_allowed = |it: &str| {
            it.len() <= max_length
                && !it.is_empty()
                && !it.contains(|it: char| !(' '..='~').contains(&it))
        };
        if !value.as_deref().is_none_or(is_allowed) {
            let detail = format!("must have 1 to {max_length} printable ASCII characters");
            return Err(Problem::invalid(member, detail));
        }
    }
    let team = TeamId(team.to_string());
    let browser = cookie::read(headers, &state.public_url).map(|it| it.hash());
    // Compared before the attempt is used up, so that nobody can end the attempt of another browser.
    let is_own = |it: &SsoAttempt| Some(&it.browser) == browser.as_ref() && it.team == team;
    let attempt = state.tenants.take_sso_attempt(&answer.state.hash(), is_own, now).await?;
    let attempt = attempt.ok_or_else(|| refused(UnknownAttempt))?;
    let tenant = state.tenant(&attempt.team.0).await?;
    let SingleSignOn { choice, .. } = &tenant.settings;
    if (tenant.settings.provider(), choice) != (attempt.provider.clone(), &attempt.choice) {
        return Err(refused(SsoRefused::OtherProvider));
    }
    if let Some(error) = &answer.error {
        return Err(refused(ProviderRefused(error_code(error))));
    }
    let given = answer.code.ok_or_else(|| Problem::invalid("code", "must be given"))?;
    let issuer = &tenant.settings.issuer;
    let metadata = state.providers.metadata(issuer, false, now).await;
    let metadata = metadata.map_err(Problem::unavailable)?;
    if answer.iss.as_ref().map_or(metadata.names_issuer, |it| it != issuer) {
        return Err(refused(OtherIssuer));
    }
    let token = code::id_token(state, &tenant, &metadata, &attempt, &given, now).await?;
    let organisation = tenant.settings.organisation(&token).ok().flatten();
    let names = token.email().map(Email::domain).into_iter().chain(organisation);
    state.recheck(&tenant.team, &tenant.settings, &names.collect::<Vec<_>>(), now).await?;
    let (tenants, language) = (&state.tenants, attempt.language);
    let entry = |actor| context.succeeded(actor);
    let chosen = (&tenant.team, &attempt.choice);
    let signed_in = tenants.sign_in_with_provider(chosen, &token, language, now, entry).await;
    // If the last request has not told the owners what has happened, this one does.
    state.tell_owners(&tenant.team).await;
    let signed_in = match signed_in {
        Ok(signed_in) => signed_in,
        Err(it) => {
            if let SsoRefused::Unlinked(unlinked) = &it {
                state.ask_to_link(unlinked, attempt.browser, attempt.language).await?;
            }
            return Err(not_signed_in(it));
        }
    };
    let language = signed_in.user.language.unwrap_or(attempt.language);
    let answer = new_session(state, signed_in.user, &signed_in.session).await?;
    signed_in_answer(headers, answer, attempt.redirect_url.as_deref(), language)
}

/// The browser did not start the sign-in, or the sign-in is over.
#[derive(Debug, thiserror::Error)]
#[error(
    "this browser has not started the sign-in, or it was finished already, or it has taken more than 10 minutes; start again"
)]
struct UnknownAttempt;

#[derive(Debug, thiserror::Error)]
#[error("the identity provider has not signed in the user: `{0}`")]
struct ProviderRefused(String);

#[derive(Debug, thiserror::Error)]
#[error("the answer is not from the identity provider of the team")]
struct OtherIssuer;

/// The problem of a sign-in that is refused, and of an account that is not linked.
fn not_signed_in(reason: SsoRefused) -> Problem {
    match reason {
        SsoRefused::NotChanged(it) => not_changed(it),
        SsoRefused::OtherProvider => refused(reason),
        reason => Problem::forbidden(reason),
    }
}

fn refused(reason: impl std::error::Error) -> Problem {
    Problem::new(&UNAUTHORIZED, reason)
}

impl crate::State {
    /// A team with single sign-on. 403 if its tier does not include it.
    async fn tenant(&self, name: &str) -> Result<SsoTenant, Problem> {
        let found = self.tenants.sso_tenant(name, self.clock.now()).await?;
        let found = found.ok_or_else(|| Problem::not_found(UnknownTenant(name.to_owned())))?;
        match found.tier >= teams::SSO_TIER {
            true => Ok(found),
            false => Err(Rejected::TierTooLow(found.tier).into_problem(RateGroup::Public)),
        }
    }
}
