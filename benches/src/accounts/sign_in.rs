//! The requests of a sign-in with a link.

use std::net::{IpAddr, Ipv4Addr};

use axum::{Router, body::Body};
use http::{Method, Request, StatusCode, header};
use http_body_util::BodyExt;
use http_service::ClientAddress;
use local::{cloud::Cloud, outbox};
use serde_json::{Value, json};
use tower::ServiceExt;

use super::folder;
use crate::{
    Error, process,
    samples::{Samples, median_and_tail, row},
};

const USERS: u8 = 200;

pub(super) async fn measure() -> Result<(), Error> {
    eprintln!("accounts: {USERS} sign-ins …");
    let (cloud, folder) = (Cloud::in_memory().await?, folder()?);
    let (router, _) = process::functions(&cloud, folder.path());
    let [mut request, mut verify, mut first, mut second] = [const { Samples::new() }; 4];
    for number in 0..USERS {
        let client = Client { router: router.clone(), number };
        let address = format!("user-{number}@example.ch");
        let email = json!({ "email": address });
        client.post("/v1/auth/magic-link", &email, &mut request).await?;
        let mails = outbox::mails(&process::outbox(folder.path()))?;
        // Several mails of one second are in no order.
        let mail = mails.iter().find(|it| it.to.contains(&address));
        let text = mail.map(|it| it.text.as_str()).unwrap_or_default();
        let token = text.split_once("/verify?token=").map(|(_, rest)| rest).unwrap_or_default();
        let token = json!({ "token": token.split_whitespace().next() });
        let session = client.post("/v1/auth/magic-link/verify", &token, &mut verify).await?;
        let token = session["token"].as_str().ok_or("a sign-in without a token")?;
        for samples in [&mut first, &mut second] {
            client.get("/v1/auth/me", token, samples).await?;
        }
    }
    row(["sign-in: request a link, p50 / p99 ms", &median_and_tail(&request)]);
    row(["– use it: new user, team and session", &median_and_tail(&verify)]);
    row(["– the first request of the session, which verifies its token", &median_and_tail(&first)]);
    row(["– the next ones, within 60 seconds", &median_and_tail(&second)]);
    Ok(())
}

/// A client with an address of its own, because links are limited by address.
struct Client {
    router: Router,
    number: u8,
}

impl Client {
    async fn post(&self, path: &str, body: &Value, samples: &mut Samples) -> Result<Value, Error> {
        let request = Request::builder().method(Method::POST).uri(path);
        let request = request.header(header::CONTENT_TYPE, "application/json");
        self.send(request, body.to_string(), samples).await
    }

    async fn get(&self, path: &str, token: &str, samples: &mut Samples) -> Result<Value, Error> {
        let request = Request::get(path).header(header::AUTHORIZATION, format!("Bearer {token}"));
        self.send(request, String::new(), samples).await
    }

    async fn send(
        &self,
        request: http::request::Builder,
        body: String,
        samples: &mut Samples,
    ) -> Result<Value, Error> {
        let address = IpAddr::V4(Ipv4Addr::new(192, 0, 2, self.number));
        let request = request.extension(ClientAddress(address)).body(Body::from(body))?;
        let started = std::time::Instant::now();
        let response = self.router.clone().oneshot(request).await?;
        let status = response.status();
        let body = response.into_body().collect().await?.to_bytes();
        samples.push(started.elapsed());
        match status {
            StatusCode::OK | StatusCode::ACCEPTED => Ok(serde_json::from_slice(&body)?),
            _ => Err(format!("{status}: {}", String::from_utf8_lossy(&body)).into()),
        }
    }
}
