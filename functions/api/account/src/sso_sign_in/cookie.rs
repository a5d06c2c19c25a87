//! The cookie that binds a sign-in to the browser that started it.

use auth::OneTimeToken;
use http::{HeaderMap, header};

use super::ATTEMPT_DURATION;

/// The name of the cookie. With the prefix `__Host-`, browsers accept it only over TLS and from this host.
fn name(public_url: &str) -> &'static str {
    match public_url.starts_with("https://") {
        true => "__Host-gotthard-sso",
        false => "gotthard-sso",
    }
}

/// The secret of the browser, if it has one.
pub(super) fn read(headers: &HeaderMap, public_url: &str) -> Option<OneTimeToken> {
    let name = name(public_url);
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|it| it.to_str().ok());
    let mut pairs = cookies.flat_map(|it| it.split(';')).filter_map(|it| it.trim().split_once('='));
    pairs.find(|it| it.0 == name).and_then(|(_, value)| value.parse().ok())
}

/// Sent only with navigations, also those from the provider. A browser that starts several attempts keeps its secret.
pub(super) fn set(browser: &OneTimeToken, public_url: &str) -> String {
    let name = name(public_url);
    let secure = if public_url.starts_with("https://") { "; Secure" } else { "" };
    let (value, seconds) = (browser.expose(), ATTEMPT_DURATION.as_secs());
    format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}")
}
