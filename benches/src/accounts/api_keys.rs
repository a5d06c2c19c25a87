//! The processor time of verifying an API key: by its slow hash, and by what another process has remembered of it.
//!
//! The time is that of this process, so it includes the emulated table. Each row is above what the process did for the same requests
//! with keys that it has just verified.

use std::{
    net::{IpAddr, Ipv4Addr},
    time::Duration,
};

use access::{Environment, Scope, Tier};
use axum::{Router, body::Body};
use components::Clock;
use http::{Request, StatusCode, header};
use http_service::ClientAddress;
use local::{cloud::Cloud, teams};
use tower::ServiceExt;

use super::folder;
use crate::{
    Error,
    machine::cpu_time,
    process,
    samples::{milliseconds, row},
};

const TEAMS: usize = 4;
const KEYS_OF_A_TEAM: usize = 50;

pub(super) async fn measure() -> Result<(), Error> {
    eprintln!("accounts: {} API keys …", TEAMS * KEYS_OF_A_TEAM);
    let (cloud, folder) = (Cloud::in_memory().await?, folder()?);
    let mut keys = Vec::new();
    for _ in 0..TEAMS {
        let team = teams::create_team(&cloud.tenants, Tier::Professional).await?;
        for _ in 0..KEYS_OF_A_TEAM {
            let (scopes, now) = (&[Scope::Read], Clock::system().now());
            let key = teams::create_key(&cloud.tenants, &team, Environment::Live, scopes, now);
            keys.push(key.await?);
        }
    }
    let process = || process::functions(&cloud, folder.path()).0;
    let (first, second) = (process(), process());
    let hashed = with_each(&first, &keys).await?;
    let remembered = with_each(&second, &keys).await?;
    let cached = with_each(&second, &keys).await?;
    let above = |it: Duration| milliseconds(it.saturating_sub(cached));
    row(["verifying an API key by its hash, ms of a processor", &above(hashed)]);
    row(["– that another process has remembered, with the emulated table", &above(remembered)]);
    Ok(())
}

/// The processor time of a request, of one with each key.
async fn with_each(router: &Router, keys: &[String]) -> Result<Duration, Error> {
    let before = cpu_time(std::process::id())?;
    for key in keys {
        let request = Request::get("/v1/usage/current")
            .header(header::AUTHORIZATION, format!("Bearer {key}"))
            .extension(ClientAddress(IpAddr::V4(Ipv4Addr::LOCALHOST)))
            .body(Body::empty())?;
        let status = router.clone().oneshot(request).await?.status();
        if status != StatusCode::OK {
            return Err(format!("{status}").into());
        }
    }
    let used = cpu_time(std::process::id())?.saturating_sub(before);
    Ok(used / u32::try_from(keys.len())?)
}
