//! SDK clients of an emulator.

use std::time::Duration;

use aws::SdkConfig;
use aws_sdk_dynamodb::{
    config::{
        BehaviorVersion, ConfigBag, Credentials, Intercept, Region, RuntimeComponents,
        SharedCredentialsProvider, interceptors::BeforeTransmitInterceptorContextMut,
        timeout::TimeoutConfig,
    },
    error::BoxError,
};

pub use emulators::s3::{ACCESS_KEY, SECRET_KEY};

/// The region that every emulator accepts.
pub const REGION: &str = "eu-central-2";

/// How long an emulator may take to answer.
const ENOUGH: Duration = Duration::from_secs(30);

/// The SDK configuration for an emulator at this address.
pub fn emulator_config(endpoint: &str) -> SdkConfig {
    // Emulators share the processors with everything that they serve.
    let timeouts =
        TimeoutConfig::builder().operation_attempt_timeout(ENOUGH).operation_timeout(2 * ENOUGH);
    let credentials = Credentials::new(ACCESS_KEY, SECRET_KEY, None, None, "local");
    SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new(REGION))
        .endpoint_url(endpoint)
        .timeout_config(timeouts.build())
        .credentials_provider(SharedCredentialsProvider::new(credentials))
        .build()
}

pub fn dynamodb_client(endpoint: &str) -> aws_sdk_dynamodb::Client {
    store::client(&emulator_config(endpoint))
}

/// A client of the embedded DynamoDB that sends transactions without a `ClientRequestToken`.
///
/// For each transaction, the emulator searches all tokens of the last ten minutes, so the time of a load
/// would grow with the square of its size. Without the token, a transaction whose answer is lost may be
/// sent twice; the condition on the revision then rejects the second one.
#[expect(clippy::disallowed_methods, reason = "`store::client` takes no interceptor")]
pub fn embedded_dynamodb_client(endpoint: &str) -> aws_sdk_dynamodb::Client {
    let config = aws_sdk_dynamodb::config::Builder::from(&emulator_config(endpoint));
    aws_sdk_dynamodb::Client::from_conf(config.interceptor(WithoutRequestToken).build())
}

#[expect(clippy::disallowed_methods, reason = "`objects::client` has no path-style addresses")]
pub fn s3_client(endpoint: &str) -> aws_sdk_s3::Client {
    let config = aws_sdk_s3::config::Builder::from(&emulator_config(endpoint));
    aws_sdk_s3::Client::from_conf(config.force_path_style(true).build())
}

/// A client that says to which chain of jobs a request belongs, as clients on Lambda do. Those read it from variables of the process,
/// which all workers of the local server share.
#[expect(clippy::disallowed_methods, reason = "`jobs::client` takes no interceptor")]
pub fn sqs_client(endpoint: &str) -> aws_sdk_sqs::Client {
    let config = aws_sdk_sqs::config::Builder::from(&emulator_config(endpoint));
    aws_sdk_sqs::Client::from_conf(config.interceptor(PassesTrace).build())
}

/// Adds the trace header of the running job to requests.
#[derive(Debug)]
struct PassesTrace;

impl Intercept for PassesTrace {
    fn name(&self) -> &'static str {
        "PassesTrace"
    }

    fn modify_before_signing(
        &self,
        context: &mut BeforeTransmitInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        if let Some(trace) = queue_worker::trace_header() {
            context.request_mut().headers_mut().insert("x-amzn-trace-id", trace);
        }
        Ok(())
    }
}

/// Removes the `ClientRequestToken` that the SDK adds to every transaction.
#[derive(Debug)]
struct WithoutRequestToken;

impl Intercept for WithoutRequestToken {
    fn name(&self) -> &'static str {
        "WithoutRequestToken"
    }

    fn modify_before_signing(
        &self,
        context: &mut BeforeTransmitInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        // Cannot occur inside a string value: its quotes would be escaped there.
        const MEMBER: &str = "\"ClientRequestToken\":";
        let request = context.request_mut();
        let body = request.body().bytes().and_then(|it| str::from_utf8(it).ok());
        let split = body.and_then(|it| it.rsplit_once(MEMBER));
        let split = split.and_then(|(before, rest)| Some((before, rest.splitn(3, '"').nth(2)?)));
        let Some((before, after)) = split else { return Ok(()) };
        let body = format!("{before}{MEMBER}null{after}");
        request.headers_mut().insert("content-length", body.len().to_string());
        *request.body_mut() = body.into();
        Ok(())
    }
}
