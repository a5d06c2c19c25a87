//! Pages of the payment provider at which an owner subscribes to a tier, and manages the subscription.

use access::Tier;
use auth::TeamId;
use axum::{Extension, Json as JsonResponse, extract::State};
use billing::{Checkout, PaymentError};
use http_service::{
    AuditContext, ContainsSecret, Description, Json, NoParameters, Query, Routes, Tenant, handler,
    writes,
};
use problem_details::{NOT_FOUND, Problem};
use serde::{Deserialize, Serialize};
use store::{Error, ReadSubscriptions};
use utoipa::ToSchema;

use crate::{not_paid, payment_events::by_provider};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(writes(0).by_owner(), handler!(create_checkout_session))
        .route(writes(0).by_owner(), handler!(create_portal_session))
}

/// What to subscribe to.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CreateCheckoutSession {
    /// Tier that the team gets.
    tier: PaidTier,
}

/// A tier that costs something. A deployment need not offer all of them.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum PaidTier {
    /// Newer clients call it `basic`.
    #[serde(alias = "basic")]
    Starter,
    /// Newer clients call it `pro`.
    #[serde(alias = "pro")]
    Professional,
    Enterprise,
}

impl From<PaidTier> for Tier {
    fn from(tier: PaidTier) -> Self {
        match tier {
            PaidTier::Starter => Self::Starter,
            PaidTier::Professional => Self::Professional,
            PaidTier::Enterprise => Self::Enterprise,
        }
    }
}

/// A page of the payment provider.
#[derive(Serialize, ToSchema)]
struct SessionUrl {
    /// Address of the page. Open it in the browser of the user.
    #[schema(format = "uri", example = "https://checkout.stripe.com/c/pay/cs_test_example")]
    url: String,
}

#[derive(Debug, thiserror::Error)]
#[error(
    "the team has a subscription already; change it on the page of `POST /v1/billing/portal-session`"
)]
struct IsSubscribed;

/// Start a subscription
///
/// Returns the address of a page at which the user pays. The team gets the tier within a minute after the payment. A team
/// with a subscription changes it at the page of `POST /v1/billing/portal-session`. Repeated requests for the same tier lead
/// to the same page for an hour. The status is 503 if the deployment has no payment provider.
#[utoipa::path(
    post,
    path = "/v1/billing/checkout-session",
    tag = "Billing",
    request_body = CreateCheckoutSession,
    responses((status = OK, body = SessionUrl)),
)]
async fn create_checkout_session(
    State(state): State<crate::State>,
    Extension(context): Extension<AuditContext>,
    Tenant { caller, .. }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
    Json(CreateCheckoutSession { tier }): Json<CreateCheckoutSession>,
) -> Result<JsonResponse<SessionUrl>, Problem> {
    let tier = Tier::from(tier);
    let prices = state.provider.prices().map_err(not_paid)?;
    if prices.offered(tier).is_none() {
        let sold: Vec<String> = prices.tiers().map(|it| format!("`{}`", it.name())).collect();
        let detail = format!("must be one of {}; got `{}`", sold.join(", "), tier.name());
        return Err(Problem::invalid("tier", detail));
    }
    let customer = customer(&state, &caller).await?;
    let read = up_to_date(&state, caller.team(), &context).await?;
    if read.value.can_change(state.clock.now()) {
        return Err(Problem::conflict(IsSubscribed));
    }
    let checkout =
        Checkout { team: caller.team(), customer: &customer, tier, changes: read.changes() };
    let page = state.provider.checkout(checkout, state.clock.now()).await.map_err(not_paid)?;
    let page = page.ok_or_else(|| not_paid(PaymentError::NotConfigured))?;
    Ok(JsonResponse(SessionUrl { url: page.url }))
}

/// Manage the subscription
///
/// Returns the address of a page at which the user changes or cancels the subscription and finds invoices. It gives access
/// to the team's billing, and works for a short time. The status is 503 if the deployment has no payment provider.
#[utoipa::path(
    post,
    path = "/v1/billing/portal-session",
    tag = "Billing",
    responses((status = OK, body = SessionUrl)),
)]
async fn create_portal_session(
    State(state): State<crate::State>,
    Extension(context): Extension<AuditContext>,
    Tenant { caller, .. }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
    Json(NoParameters {}): Json<NoParameters>,
) -> Result<(ContainsSecret, JsonResponse<SessionUrl>), Problem> {
    state.provider.prices().map_err(not_paid)?;
    let customer = customer(&state, &caller).await?;
    up_to_date(&state, caller.team(), &context).await?;
    let page = state.provider.portal(&customer, state.clock.now()).await.map_err(not_paid)?;
    Ok((ContainsSecret { id: page.id }, JsonResponse(SessionUrl { url: page.url })))
}

/// The customer that the team is at the provider. The first request creates the customer.
async fn customer(state: &crate::State, caller: &auth::Caller) -> Result<String, Problem> {
    let id = caller.team();
    for _ in 0..ATTEMPTS {
        let read = state.tenants.read_subscriptions(id).await?;
        if let Some(customer) = read.value.customer {
            return Ok(customer);
        }
        let team = state.tenants.team(id, state.clock.now()).await?;
        let user = state.tenants.user(&caller.principal().id).await?;
        let missing = || Problem::new(&NOT_FOUND, "the team or the user does not exist any more");
        let (team, user) = team.zip(user).ok_or_else(missing)?;
        let (name, email) = (team.name.as_str(), user.email.as_str());
        let created = state.provider.create_customer(id, name, email, state.clock.now()).await;
        let created = created.map_err(not_paid)?;
        match state.tenants.put_customer(id, &read, &created).await {
            // Another request was faster: its customer counts.
            Ok(()) | Err(Error::Changed) => {}
            Err(failure) => return Err(failure.into()),
        }
    }
    Err(Error::Changed.into())
}

/// What the team has subscribed to. Of subscriptions whose renewal or end was not reported, because an event is lost, the state is
/// read from the provider: so nothing is sold twice, and a team that has paid gets its tier back.
async fn up_to_date(
    state: &crate::State,
    team: &TeamId,
    context: &AuditContext,
) -> Result<ReadSubscriptions, Problem> {
    for _ in 0..ATTEMPTS {
        let read = state.tenants.read_subscriptions(team).await?;
        let now = state.clock.now();
        let mut new = read.value.clone();
        for outdated in read.value.open.iter().filter(|it| it.is_outdated(now)) {
            let reported = state.provider.subscription(&outdated.id, now).await;
            if let Some(state) = reported.map_err(not_paid)?.state {
                new.update(state, now);
            }
        }
        if new == read.value {
            return Ok(read);
        }
        let audited = by_provider(context);
        match state.tenants.put_subscriptions(team, &read, &new, &audited, None).await {
            Ok(()) | Err(Error::Changed) => {}
            Err(failure) => return Err(failure.into()),
        }
    }
    Err(Error::Changed.into())
}

/// Number of attempts to store something.
const ATTEMPTS: usize = 5;
