//! The configuration that all AWS clients of a process share.
//!
//! Separate clients would each load region and credentials, read the root certificates, and open their own
//! connections, two or three times before a function handles its first event.

use aws_config::BehaviorVersion;
use aws_smithy_http_client::{
    Builder, ConnectorBuilder, proxy::ProxyConfig, tls::Provider, tls::rustls_provider::CryptoMode,
};

pub use aws_config::SdkConfig;
use aws_sdk_secretsmanager::Client;

/// A secret could not be read. Contains no part of the secret.
#[derive(Debug, thiserror::Error)]
#[error("the secret could not be read")]
pub struct NotAnswered(#[source] Box<dyn std::error::Error + Send + Sync>);

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
    aws_config::defaults(BehaviorVersion::latest()).http_client(http).load().await
}

/// The text of the AWS Secrets Manager secret with this ARN. Empty if the secret has no text.
pub async fn secret(environment: &SdkConfig, arn: &str) -> Result<String, NotAnswered> {
    #[expect(clippy::disallowed_methods, reason = "the one place that creates this client")]
    let response = Client::new(environment).get_secret_value().secret_id(arn).send().await;
    // Only the messages: the SDK's error may hold the answer.
    let secret = response.map_err(|it| NotAnswered(errors::chain(&it).into()))?;
    Ok(secret.secret_string.unwrap_or_default())
}
