//! The configuration of a process: settings, what all AWS clients share, and the secrets of a deployment.
//!
//! Separate clients would each load region and credentials, read the root certificates, and open their own
//! connections, two or three times before a function handles its first event.

mod limits;
mod secret;

use aws_config::BehaviorVersion;
use aws_smithy_http_client::{
    Builder, ConnectorBuilder, proxy::ProxyConfig, tls::Provider, tls::rustls_provider::CryptoMode,
};

pub use aws_config::{SdkConfig, timeout::TimeoutConfig};
pub use limits::Limits;
pub use secret::{NotRead, SecretSource, secret};

/// The environment variable with this name. `None` if it is not set or blank.
#[expect(clippy::disallowed_methods, reason = "the one place that reads settings of functions")]
pub fn setting(name: &str) -> Option<String> {
    std::env::var(name).ok().map(|it| it.trim().to_owned()).filter(|it| !it.is_empty())
}

/// Loads region, credentials and endpoints from the environment, with one HTTP client for all AWS clients
/// that are created from it.
pub async fn load() -> SdkConfig {
    // The same as the SDK's default HTTP client (`aws_smithy_runtime::client::http`), which the SDK would create
    // for every service.
    let http = Builder::new().build_with_connector_fn(|settings, components| {
        let mut connector =
            ConnectorBuilder::default().tls_provider(Provider::Rustls(CryptoMode::AwsLc));
        connector.set_connector_settings(settings.cloned());
        if let Some(components) = components {
            connector.set_sleep_impl(components.sleep_impl());
        }
        connector.set_proxy_config(Some(ProxyConfig::from_env()));
        connector.build()
    });
    let timeouts = TimeoutConfig::builder().connect_timeout(limits::CONNECT).build();
    let defaults = aws_config::defaults(BehaviorVersion::latest());
    defaults.http_client(http).timeout_config(timeouts).load().await
}
