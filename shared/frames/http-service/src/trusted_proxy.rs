//! The operator's reverse proxy, which states the addresses of its clients.
//!
//! Behind a proxy, for example a CDN, all requests come from the addresses of the proxy, so the rate limits would
//! count all clients as one. The proxy therefore sends the client's address in a header of the operator's choice,
//! and a shared secret in [`SECRET_HEADER`]. Without the secret, the header is ignored.

use std::{
    net::{IpAddr, Ipv6Addr, SocketAddr},
    sync::atomic::{AtomicBool, Ordering},
};

use auth::{Fingerprint, FingerprintKey, Secret};
use aws::{NotRead, SecretSource};
use components::Components;
use http::{HeaderMap, HeaderName};

/// The header in which the proxy sends the shared secret.
pub const SECRET_HEADER: HeaderName = HeaderName::from_static("x-proxy-secret");
/// Minimum length of the secret in characters.
const MIN_SECRET_LENGTH: usize = 16;

/// A reverse proxy whose statements about client addresses are trusted.
#[derive(Debug)]
pub struct TrustedProxy {
    address_header: HeaderName,
    // Fingerprints with a key that only this process knows are compared instead of the secrets: the time of
    // the comparison shows nothing about a secret.
    fingerprint_key: FingerprintKey,
    secrets: Vec<Fingerprint>,
    /// Whether a request without a usable address was logged.
    warned: AtomicBool,
}

/// Why the configuration of the proxy is refused. Contains nothing of the secret.
#[derive(Debug, thiserror::Error)]
pub enum InvalidProxy {
    #[error("CLIENT_ADDRESS_HEADER and PROXY_SECRET must both be set, or neither")]
    Incomplete,
    #[error(
        "CLIENT_ADDRESS_HEADER must be the name of a header such as `x-forwarded-for`; got `{0}`"
    )]
    Header(String),
    #[error(
        "the secret in PROXY_SECRET must contain one or more values of at least {MIN_SECRET_LENGTH} characters, separated by spaces"
    )]
    Secret,
    #[error("PROXY_SECRET cannot be used")]
    NotRead(#[from] NotRead),
}

impl TrustedProxy {
    /// A proxy that sends the client's address in `address_header`. The secret contains one value, or several
    /// separated by spaces or line breaks, for example the old and the new one while it is being replaced.
    pub fn new(address_header: &str, secret: &Secret) -> Result<Self, InvalidProxy> {
        let header = HeaderName::try_from(address_header);
        let address_header = header.map_err(|_| InvalidProxy::Header(address_header.to_owned()))?;
        let values: Vec<&str> = secret.expose().split_whitespace().collect();
        if values.is_empty() || values.iter().any(|it| it.chars().count() < MIN_SECRET_LENGTH) {
            return Err(InvalidProxy::Secret);
        }
        let fingerprint_key = FingerprintKey::random();
        let secrets = values.into_iter().map(|it| fingerprint_key.fingerprint(it)).collect();
        Ok(Self { address_header, fingerprint_key, secrets, warned: AtomicBool::new(false) })
    }

    /// The proxy of the settings `CLIENT_ADDRESS_HEADER` and `PROXY_SECRET`. `None` if neither is set.
    pub async fn load(components: &Components) -> Result<Option<Self>, InvalidProxy> {
        let header = components.setting("CLIENT_ADDRESS_HEADER");
        Self::from_settings(header.as_deref(), components.secret("PROXY_SECRET").as_ref()).await
    }

    /// The proxy with this header and this secret; `None` without both.
    pub async fn from_settings(
        address_header: Option<&str>,
        secret: Option<&SecretSource>,
    ) -> Result<Option<Self>, InvalidProxy> {
        match (address_header, secret) {
            (None, None) => Ok(None),
            (None, _) | (_, None) => Err(InvalidProxy::Incomplete),
            (Some(header), Some(secret)) => Self::new(header, &secret.read().await?).map(Some),
        }
    }

    /// The client's address that the proxy states; `None` if the request does not come from the proxy or
    /// states no address. `source` is the address that the request comes from.
    pub(crate) fn client(&self, headers: &HeaderMap, source: IpAddr) -> Option<IpAddr> {
        let is_secret = |value: &http::HeaderValue| {
            let presented = value.to_str().map(|it| self.fingerprint_key.fingerprint(it));
            presented.is_ok_and(|it| self.secrets.contains(&it))
        };
        if !headers.get_all(SECRET_HEADER).iter().any(is_secret) {
            return None;
        }
        let stated = headers.get_all(&self.address_header).iter().filter_map(|it| it.to_str().ok());
        let stated: Vec<&str> = stated.collect();
        let client = stated_address(&stated.join(","), source);
        if client.is_none() && !self.warned.swap(true, Ordering::Relaxed) {
            let header = self.address_header.as_str();
            tracing::warn!(header, "the proxy states no client address; its own address is used");
        }
        client
    }
}

/// The address in the value of a header: an address, an address with a port, or a list of them in the format
/// of `X-Forwarded-For`.
///
/// In a list, every proxy appends the address that it received the request from, and a client can put any text
/// before. So the last entry counts. If it is `source`, it was appended by the gateway after the trusted proxy,
/// and the entry before it counts.
fn stated_address(list: &str, source: IpAddr) -> Option<IpAddr> {
    let mut entries = list.rsplit(',').map(|it| address(it.trim()));
    let last = entries.next()??;
    if last.to_canonical() != source.to_canonical() {
        return Some(last);
    }
    // A list with one entry was written by the gateway alone.
    entries.next()?
}

/// An address with or without a port, in one of the usual formats: `192.0.2.1`, `192.0.2.1:443`,
/// `2001:db8::1`, `[2001:db8::1]`, `[2001:db8::1]:443`, and without brackets:
/// `2001:db8:0:0:0:0:0:1:443`.
fn address(text: &str) -> Option<IpAddr> {
    let with_port = || text.parse::<SocketAddr>().ok().map(|it| it.ip());
    let in_brackets = || text.strip_prefix('[')?.strip_suffix(']')?.parse::<Ipv6Addr>().ok();
    let unbracketed = || {
        let (address, port) = text.rsplit_once(':')?;
        port.parse::<u16>().ok()?;
        address.parse::<Ipv6Addr>().ok()
    };
    let address = text.parse::<IpAddr>().ok().or_else(with_port);
    address.or_else(|| in_brackets().or_else(unbracketed).map(IpAddr::V6))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn the_last_address_counts_unless_the_gateway_appended_it() {
        let gateway_sees = ip("198.51.100.1");
        for (list, expected) in [
            ("203.0.113.7", Some("203.0.113.7")),
            ("203.0.113.7:51234", Some("203.0.113.7")),
            ("forged, 192.0.2.9, 203.0.113.7", Some("203.0.113.7")),
            ("192.0.2.9, 203.0.113.7, 198.51.100.1", Some("203.0.113.7")),
            ("192.0.2.9,203.0.113.7,::ffff:198.51.100.1", Some("203.0.113.7")),
            ("2001:db8:0:0:0:0:0:1:46532", Some("2001:db8::1")),
            ("[2001:db8::1]:443", Some("2001:db8::1")),
            ("[2001:db8::1]", Some("2001:db8::1")),
            ("198.51.100.1", None),
            ("203.0.113.7, unknown", None),
            ("unknown, 198.51.100.1", None),
            ("203.0.113.7,", None),
            ("", None),
        ] {
            assert_eq!(stated_address(list, gateway_sees), expected.map(ip), "{list}");
        }
    }

    #[test]
    fn a_secret_must_be_long_and_is_not_printed() {
        for text in ["", " \n", "short", "a-long-enough-secret short"] {
            let refused = TrustedProxy::new("x-client", &Secret::new(text.into()));
            assert!(matches!(refused, Err(InvalidProxy::Secret)), "{text}");
        }
        let secret = Secret::new("a-long-enough-secret".into());
        assert!(matches!(TrustedProxy::new("not a header", &secret), Err(InvalidProxy::Header(_))));
        let proxy = TrustedProxy::new("X-Client", &secret).expect("a proxy");
        assert!(!format!("{proxy:?}").contains("a-long-enough-secret"));
    }

    proptest! {
        #[test]
        fn every_format_of_an_address_is_read(v4: [u8; 4], v6: [u8; 16], port: u16) {
            let (v4, v6) = (std::net::Ipv4Addr::from(v4), Ipv6Addr::from(v6));
            for text in [format!("{v4}"), format!("{v4}:{port}")] {
                prop_assert_eq!(address(&text), Some(IpAddr::V4(v4)));
            }
            let all_groups = v6.segments().map(|it| format!("{it:x}")).join(":");
            let unbracketed = format!("{all_groups}:{port}");
            for text in [format!("{v6}"), all_groups, format!("[{v6}]"), format!("[{v6}]:{port}"), unbracketed] {
                prop_assert_eq!(address(&text), Some(IpAddr::V6(v6)), "{}", text);
            }
        }

        #[test]
        fn text_of_the_client_before_the_last_entry_changes_nothing(
            forged in "[^\\x00-\\x1f]{0,60}", client: [u8; 4], source: [u8; 4],
        ) {
            let (client, source) = (IpAddr::from(client), IpAddr::from(source));
            prop_assume!(client != source);
            let list = format!("{forged}, {client}");
            prop_assert_eq!(stated_address(&list, source), Some(client));
            prop_assert_eq!(stated_address(&format!("{list}, {source}"), source), Some(client));
        }
    }
}
