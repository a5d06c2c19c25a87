//! Redeems the code of a sign-in at the token endpoint of the provider (RFC 6749, section 4.1.3).

use auth::{ClientAuthentication, ProviderMetadata, Secret};
use base64::{Engine, prelude::BASE64_STANDARD};
use http::{Method, Request, StatusCode, header};
use serde::Deserialize;
use url::form_urlencoded;

use super::{ProviderFailure, Providers, shown};

/// A code, and what proves that we have asked for it.
#[derive(Clone, Copy)]
pub struct Redemption<'a> {
    pub client_id: &'a str,
    pub client_secret: Option<&'a Secret>,
    pub code: &'a str,
    /// The `code_verifier` (PKCE).
    pub verifier: &'a str,
    pub redirect_uri: &'a str,
}

/// Why a code was not redeemed.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NotRedeemed {
    #[error("the identity provider refused the code of the sign-in: `{0}`")]
    Refused(String),
    #[error("the answer of the identity provider contains no ID token")]
    NoIdToken,
    #[error(transparent)]
    Failed(#[from] ProviderFailure),
}

#[derive(Deserialize)]
struct Tokens {
    id_token: String,
}

#[derive(Deserialize)]
struct Refusal {
    error: String,
}

impl Providers {
    /// The ID token for a code.
    pub async fn redeem(
        &self,
        metadata: &ProviderMetadata,
        redemption: Redemption<'_>,
    ) -> Result<Secret, NotRedeemed> {
        let (builder, body) = request(metadata.authentication, redemption);
        let url = &metadata.token_endpoint;
        let (status, body) = self.send(url, builder, body.into()).await?;
        if status == StatusCode::OK {
            let tokens = serde_json::from_slice::<Tokens>(&body);
            return Ok(Secret::new(tokens.map_err(|_| NotRedeemed::NoIdToken)?.id_token));
        }
        match serde_json::from_slice::<Refusal>(&body) {
            Ok(Refusal { error }) if status.is_client_error() => {
                Err(NotRedeemed::Refused(error_code(&error)))
            }
            _ => {
                let (address, status) = (shown(url), status.as_u16());
                Err(ProviderFailure::Status { address, status }.into())
            }
        }
    }
}

/// An error code of a provider, which is shown to the user: RFC 6749 allows any printable characters.
pub fn error_code(text: &str) -> String {
    let is_shown = |it: &char| it.is_ascii_alphanumeric() || "_-. ".contains(*it);
    text.chars().filter(is_shown).take(50).collect()
}

fn request(
    authentication: ClientAuthentication,
    Redemption { client_id, client_secret, code, verifier, redirect_uri }: Redemption<'_>,
) -> (http::request::Builder, String) {
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.append_pair("grant_type", "authorization_code")
        .append_pair("code", code)
        .append_pair("redirect_uri", redirect_uri)
        .append_pair("code_verifier", verifier);
    let mut request = Request::builder()
        .method(Method::POST)
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .header(header::ACCEPT, "application/json");
    match (client_secret, authentication) {
        (Some(secret), ClientAuthentication::Basic) => {
            let encoded = |it: &str| form_urlencoded::byte_serialize(it.as_bytes()).collect();
            let (id, secret): (String, String) = (encoded(client_id), encoded(secret.expose()));
            let credentials = BASE64_STANDARD.encode(format!("{id}:{secret}"));
            request = request.header(header::AUTHORIZATION, format!("Basic {credentials}"));
        }
        (Some(secret), ClientAuthentication::Post) => {
            form.append_pair("client_id", client_id).append_pair("client_secret", secret.expose());
        }
        (None, _) => {
            form.append_pair("client_id", client_id);
        }
    }
    (request, form.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(
        authentication: ClientAuthentication,
        secret: Option<&str>,
    ) -> (Option<String>, String) {
        let secret = secret.map(|it| Secret::new(it.to_owned()));
        let redemption = Redemption {
            client_id: "client:1",
            client_secret: secret.as_ref(),
            code: "a code",
            verifier: "v",
            redirect_uri: "https://api.example/callback?team=1",
        };
        let (request, body) = request(authentication, redemption);
        let header = request.headers_ref().and_then(|it| it.get(header::AUTHORIZATION));
        (header.map(|it| it.to_str().expect("text").to_owned()), body)
    }

    #[test]
    fn a_client_without_a_secret_names_itself_and_one_with_a_secret_proves_it() {
        const COMMON: &str = "grant_type=authorization_code&code=a+code&redirect_uri=https%3A%2F%2Fapi.example%2Fcallback%3Fteam%3D1&code_verifier=v";
        let public = sent(ClientAuthentication::Basic, None);
        assert_eq!(public, (None, format!("{COMMON}&client_id=client%3A1")));
        let (header, body) = sent(ClientAuthentication::Basic, Some("s: %"));
        let expected = BASE64_STANDARD.encode("client%3A1:s%3A+%25");
        assert_eq!((header, body), (Some(format!("Basic {expected}")), COMMON.to_owned()));
        let post = sent(ClientAuthentication::Post, Some("s&"));
        let expected = format!("{COMMON}&client_id=client%3A1&client_secret=s%26");
        assert_eq!(post, (None, expected));
    }

    #[test]
    fn an_error_code_is_short_and_harmless() {
        assert_eq!(error_code("access_denied"), "access_denied");
        assert_eq!(error_code("<script>\r\n`x`\u{0}ä"), "scriptx");
        assert_eq!(error_code(&"x".repeat(1_000)).len(), 50);
    }
}
