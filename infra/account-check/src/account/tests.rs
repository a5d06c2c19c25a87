//! With answers in the form of AWS, which a server on this machine gives.

use std::collections::BTreeSet;

use aws::SdkConfig;
use aws_sdk_lambda::config::{
    BehaviorVersion, Credentials, Region, SharedCredentialsProvider, retry::RetryConfig,
};
use axum::{
    Router,
    body::Bytes,
    http::{HeaderMap, StatusCode, Uri},
};

use super::*;
use crate::template::Template;

/// Operation, a part of the body of its request, status and body of the answer.
type Answers = &'static [(&'static str, &'static str, u16, &'static str)];

/// The settings of clients of a server that gives these answers and refuses other requests.
async fn aws(answers: Answers) -> SdkConfig {
    let router = Router::new().fallback(async move |uri: Uri, headers: HeaderMap, body: Bytes| {
        let target = headers.get("x-amz-target").and_then(|it| it.to_str().ok());
        let operation = target.map_or(uri.path(), |it| it.rsplit('.').next().unwrap_or(it));
        let body = String::from_utf8_lossy(&body);
        let answer = answers
            .iter()
            .find(|(name, part, ..)| *name == operation && body.contains(part))
            .map(|&(_, _, status, text)| (status, text));
        let (status, text) = answer.unwrap_or((400, r#"{"__type":"AccessDeniedException"}"#));
        (StatusCode::from_u16(status).expect("a status"), text)
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move { axum::serve(listener, router).await });
    let credentials = Credentials::new("key", "secret", None, None, "test");
    SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("eu-central-2"))
        .endpoint_url(address)
        .retry_config(RetryConfig::disabled())
        .credentials_provider(SharedCredentialsProvider::new(credentials))
        .build()
}

fn deployment(parameters: &[&str]) -> Deployment {
    let template = include_str!("../../../../template.yaml");
    let url = "PublicUrl=https://api.example.ch/api";
    let given: Vec<_> = [url].iter().chain(parameters).map(ToString::to_string).collect();
    let template = Template::new(template, "gotthard", "eu-central-2", &given);
    Deployment::new(template.expect("parameters"))
}

/// A deployment that needs everything.
fn whole() -> Deployment {
    deployment(&[
        "MostReadsPerSecond=1",
        "MostWritesPerSecond=1",
        "MailIdentity=arn:aws:ses:eu-central-2:123456789012:identity/example.ch",
        "DomainCertificate=arn:aws:acm:eu-central-2:123456789012:certificate/1",
        "ProxySecret=arn:aws:secretsmanager:eu-central-2:123456789012:secret:proxy",
        "ZefixSecret=arn:aws:secretsmanager:eu-central-2:123456789012:secret:zefix",
    ])
}

const ANSWERS: Answers = &[
    (
        "/2016-08-19/account-settings",
        "",
        200,
        r#"{"AccountLimit":{"TotalCodeSize":80530636800,"CodeSizeUnzipped":262144000,"CodeSizeZipped":52428800,
        "ConcurrentExecutions":1000,"UnreservedConcurrentExecutions":900},"AccountUsage":{"TotalCodeSize":1,"FunctionCount":1}}"#,
    ),
    (
        "GetServiceQuota",
        "L-8A5B8E43",
        200,
        r#"{"Quota":{"ServiceCode":"apigateway","QuotaCode":"L-8A5B8E43","Value":2500.0,"Adjustable":true}}"#,
    ),
    ("GetServiceQuota", "L-", 400, r#"{"__type":"NoSuchResourceException","Message":"none"}"#),
    ("GetAWSDefaultServiceQuota", "L-01C8A9E0", 200, r#"{"Quota":{"Value":300.0}}"#),
    ("GetAWSDefaultServiceQuota", "L-", 200, r#"{"Quota":{"Value":40000.0}}"#),
    (
        "/v2/email/account",
        "",
        200,
        r#"{"DedicatedIpAutoWarmupEnabled":false,"EnforcementStatus":"HEALTHY","ProductionAccessEnabled":false,
        "SendingEnabled":true,"SendQuota":{"Max24HourSend":200.0,"MaxSendRate":1.0,"SentLast24Hours":0.0}}"#,
    ),
    (
        "/v2/email/identities/example.ch",
        "",
        200,
        r#"{"IdentityType":"DOMAIN","VerifiedForSendingStatus":true,"FeedbackForwardingStatus":true}"#,
    ),
    (
        "DescribeCertificate",
        "certificate/1",
        200,
        r#"{"Certificate":{"DomainName":"example.ch","SubjectAlternativeNames":["example.ch","*.example.ch"],"Status":"ISSUED"}}"#,
    ),
    ("DescribeSecret", "proxy", 200, r#"{"Name":"proxy","KmsKeyId":"arn:aws:kms:key"}"#),
    ("GetSecretValue", "proxy", 200, r#"{"Name":"proxy","SecretString":"0123456789abcdef"}"#),
    ("DescribeSecret", "zefix", 400, r#"{"__type":"ResourceNotFoundException","Message":"none"}"#),
];

#[tokio::test]
async fn the_answers_of_aws_are_read() {
    let account = Account::read(&aws(ANSWERS).await, &whole()).await;
    assert_eq!(account.unread(), Vec::<&Unread>::new());
    assert_eq!(account.executions, Ok(Executions { limit: 1_000.0, unreserved: 900.0 }));
    let quotas = BTreeMap::from([
        (Quota::GatewayResources, Ok(300.0)),
        (Quota::GatewayRate, Ok(2_500.0)),
        (Quota::GatewayBurst, Ok(40_000.0)),
        (Quota::TableReads, Ok(40_000.0)),
        (Quota::TableWrites, Ok(40_000.0)),
    ]);
    assert_eq!(account.quotas, quotas);
    let mail = MailAccount { is_in_production: false, may_send: true, most_per_day: 200.0 };
    assert_eq!(account.mail, Some(Ok(mail)));
    assert_eq!(account.identity, Some(Ok(Some(Identity { is_verified: true }))));
    let names = vec!["example.ch".into(), "*.example.ch".into()];
    let certificate = Certificate { status: "ISSUED".into(), names };
    assert_eq!(account.certificate, Some(Ok(Some(certificate))));
    let secret = account.secrets["ProxySecret"].as_ref().expect("an answer");
    let secret = secret.as_ref().expect("a secret");
    assert_eq!(secret.text.expose(), "0123456789abcdef");
    assert_eq!(secret.own_key.as_deref(), Some("arn:aws:kms:key"));
    assert!(matches!(account.secrets["ZefixSecret"], Ok(None)));
}

#[tokio::test]
async fn what_may_not_be_read_is_named_with_the_action_that_it_needs() {
    let account = Account::read(&aws(&[]).await, &whole()).await;
    let actions = account.unread().into_iter().map(|it| match it {
        Unread::NotAllowed { action, .. } => *action,
        Unread::Failed { what, reason } => panic!("{what}: {reason}"),
    });
    let expected = [
        "acm:DescribeCertificate",
        "lambda:GetAccountSettings",
        "secretsmanager:DescribeSecret",
        "servicequotas:GetServiceQuota",
        "ses:GetAccount",
        "ses:GetEmailIdentity",
    ];
    assert_eq!(actions.collect::<BTreeSet<_>>(), BTreeSet::from(expected));
    assert_eq!(
        account.executions.expect_err("refused").to_string(),
        "not allowed to read the settings of Lambda: needs the action lambda:GetAccountSettings"
    );
}

#[tokio::test]
async fn what_does_not_exist_is_an_answer() {
    let answers: Answers = &[
        ("/v2/email/identities/example.ch", "", 404, r#"{"__type":"NotFoundException"}"#),
        ("DescribeCertificate", "", 400, r#"{"__type":"ResourceNotFoundException"}"#),
        ("DescribeSecret", "", 400, r#"{"__type":"ResourceNotFoundException"}"#),
    ];
    let account = Account::read(&aws(answers).await, &whole()).await;
    assert_eq!(account.identity, Some(Ok(None)));
    assert_eq!(account.certificate, Some(Ok(None)));
    assert!(account.secrets.values().all(|it| matches!(it, Ok(None))));
}

#[tokio::test]
async fn what_the_deployment_does_not_need_is_not_read() {
    let account = Account::read(&aws(&[]).await, &deployment(&[])).await;
    assert_eq!(account.quotas.len(), 3);
    assert!(account.mail.is_none() && account.identity.is_none());
    assert!(account.certificate.is_none() && account.secrets.is_empty());
}
