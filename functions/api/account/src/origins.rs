//! The addresses to which a user may be sent after signing in.

use std::sync::Arc;

use components::{Component, Components};
use url::Url;

/// Maximum length of an address in characters.
const MAX_LENGTH: usize = 2_000;

/// The origins of the operator's applications. A redirect to any other address is refused, so that nobody can use our
/// links to send users elsewhere.
#[derive(Clone, Debug, Default)]
pub struct AllowedOrigins(Arc<[String]>);

/// Why the configuration of the origins is refused.
#[derive(Debug, thiserror::Error)]
#[error(
    "ALLOWED_ORIGINS must contain origins such as `https://app.example`, separated by spaces; got `{0}`"
)]
pub struct InvalidOrigin(String);

/// Why an address is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be an absolute URL of at most {MAX_LENGTH} characters, without fragment, user name and password, at an origin that this deployment allows"
)]
pub struct NotAllowed;

/// The setting `ALLOWED_ORIGINS`. Without it, no redirect is allowed.
impl Component for AllowedOrigins {
    fn open(components: &Components) -> Self {
        let origins = components.setting("ALLOWED_ORIGINS").unwrap_or_default();
        Self::parse(&origins).unwrap_or_else(|it| panic!("{it}"))
    }
}

impl AllowedOrigins {
    /// Reads origins, separated by spaces. Each must use TLS, or be on this machine.
    pub fn parse(list: &str) -> Result<Self, InvalidOrigin> {
        let origin = |text: &str| {
            let url = Url::parse(text).ok().filter(is_safe)?;
            let origin = url.origin().ascii_serialization();
            (origin == text.trim_end_matches('/')).then_some(origin)
        };
        let origins = list.split_whitespace();
        let origins = origins.map(|it| origin(it).ok_or_else(|| InvalidOrigin(it.to_owned())));
        Ok(Self(origins.collect::<Result<_, _>>()?))
    }

    /// The address in its normal form, if it may be redirected to.
    pub fn allow(&self, address: &str) -> Result<String, NotAllowed> {
        if address.chars().count() > MAX_LENGTH {
            return Err(NotAllowed);
        }
        let url = Url::parse(address).map_err(|_| NotAllowed)?;
        let has_user = !url.username().is_empty() || url.password().is_some();
        let is_known = self.0.contains(&url.origin().ascii_serialization());
        if has_user || url.fragment().is_some() || !is_safe(&url) || !is_known {
            return Err(NotAllowed);
        }
        Ok(url.into())
    }

    /// The origins, as sources in a Content Security Policy.
    pub fn sources(&self) -> String {
        self.0.iter().map(|it| format!(" {it}")).collect()
    }
}

/// Whether nobody on the way can read the address: TLS, or this machine.
fn is_safe(url: &Url) -> bool {
    let is_local = matches!(url.host_str(), Some("localhost" | "127.0.0.1"));
    url.scheme() == "https" || (url.scheme() == "http" && is_local)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_at_an_allowed_origin_are_allowed() {
        let origins = AllowedOrigins::parse("https://app.example http://127.0.0.1:5173/");
        let origins = origins.expect("origins");
        for address in [
            "https://app.example",
            "https://app.example/welcome?from=mail",
            "HTTPS://APP.example:443/",
            "http://127.0.0.1:5173/x",
        ] {
            assert!(origins.allow(address).is_ok(), "{address}");
        }
        for address in [
            "https://app.example.evil.example/",
            "https://app.example@evil.example/",
            "https://user:secret@app.example/",
            "https://evil.example/https://app.example",
            "https://app.example:8443/",
            "http://app.example/",
            "//app.example/",
            "/welcome",
            "\\\\evil.example",
            "https:\\\\evil.example\\@app.example",
            "https://app.example/#token=x",
            "javascript:alert(1)",
            "data:text/html,x",
            "http://127.0.0.1/",
            "",
        ] {
            assert_eq!(origins.allow(address), Err(NotAllowed), "{address}");
        }
        assert!(origins.allow(&format!("https://app.example/{}", "x".repeat(2_000))).is_err());
        assert!(AllowedOrigins::default().allow("https://app.example/").is_err());
    }

    #[test]
    fn an_origin_has_no_path_and_uses_tls() {
        for list in ["https://app.example/app", "http://app.example", "app.example", "*", "null"] {
            assert!(AllowedOrigins::parse(list).is_err(), "{list}");
        }
        assert_eq!(AllowedOrigins::parse(" ").expect("none").sources(), "");
    }
}
