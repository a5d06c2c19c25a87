//! What the clients of AWS in one process have in common.
//!
//! Each client by itself would look for the region and the credentials, read the machine's root certificates
//! into a TLS of its own, and keep its own connections: a function would do all of that two or three times
//! before its first event.

use aws_config::BehaviorVersion;
use aws_smithy_http_client::{
    Builder, ConnectorBuilder, proxy::ProxyConfig, tls::Provider, tls::rustls_provider::CryptoMode,
};

pub use aws_config::SdkConfig;
use aws_sdk_secretsmanager::Client;

/// A secret could not be read. Says nothing of what it holds.
#[derive(Debug, thiserror::Error)]
#[error("the secret could not be read")]
pub struct NotAnswered(#[source] Box<dyn std::error::Error + Send + Sync>);

/// Region, credentials and endpoints as the environment describes them, and one way to HTTP for all clients
/// that are made of it.
pub async fn load() -> SdkConfig {
    // The SDK's default client (`aws_smithy_runtime::client::http`), which it makes anew for every service.
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

/// The text of a secret in AWS Secrets Manager, which is named by its ARN; empty where it holds none.
pub async fn secret(environment: &SdkConfig, arn: &str) -> Result<String, NotAnswered> {
    let asked = Client::new(environment).get_secret_value().secret_id(arn).send().await;
    // Only the messages: the SDK's error may hold the answer.
    let answer = asked.map_err(|it| NotAnswered(errors::chain(&it).into()))?;
    Ok(answer.secret_string.unwrap_or_default())
}
