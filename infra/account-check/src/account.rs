//! What the account allows in the region, as AWS answers it.

use std::{collections::BTreeMap, fmt};

use auth::Secret;
use aws::SdkConfig;
use aws_sdk_lambda::error::{ProvideErrorMetadata, SdkError};

use crate::deployment::Deployment;

/// The parameters that name a secret.
pub(crate) const SECRETS: [&str; 4] =
    ["ProxySecret", "ZefixSecret", "StripeSecret", "ProbeKeySecret"];

/// What was read. Nothing is read that the deployment does not need.
pub(crate) struct Account {
    pub(crate) executions: Answer<Executions>,
    pub(crate) quotas: BTreeMap<Quota, Answer<f64>>,
    pub(crate) mail: Option<Answer<MailAccount>>,
    pub(crate) identity: Option<Answer<Option<Identity>>>,
    pub(crate) certificate: Option<Answer<Option<Certificate>>>,
    /// By parameter.
    pub(crate) secrets: BTreeMap<&'static str, Answer<Option<StoredSecret>>>,
}

pub(crate) type Answer<T> = Result<T, Unread>;

/// Why something could not be read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Unread {
    NotAllowed { what: String, action: &'static str },
    Failed { what: String, reason: String },
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAllowed { what, action } => {
                write!(f, "not allowed to read {what}: needs the action {action}")
            }
            Self::Failed { what, reason } => write!(f, "could not read {what}: {reason}"),
        }
    }
}

/// Functions that Lambda runs at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Executions {
    pub(crate) limit: f64,
    /// The part that is not kept for single functions.
    pub(crate) unreserved: f64,
}

/// A quota that can be increased.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Quota {
    LambdaExecutions,
    GatewayResources,
    GatewayRate,
    GatewayBurst,
    TableReads,
    TableWrites,
}

impl Quota {
    /// Service and code, as the pages of quotas of the services name them.
    pub(crate) fn code(self) -> (&'static str, &'static str) {
        match self {
            Self::LambdaExecutions => ("lambda", "L-B99A9384"),
            Self::GatewayResources => ("apigateway", "L-01C8A9E0"),
            Self::GatewayRate => ("apigateway", "L-8A5B8E43"),
            Self::GatewayBurst => ("apigateway", "L-CDF5615A"),
            Self::TableReads => ("dynamodb", "L-CF0CBE56"),
            Self::TableWrites => ("dynamodb", "L-AB614373"),
        }
    }
}

/// Amazon SES in the region.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MailAccount {
    /// Whether mails may be sent to addresses that are not verified.
    pub(crate) is_in_production: bool,
    pub(crate) may_send: bool,
    /// Mails in 24 hours. -1 for any number.
    pub(crate) most_per_day: f64,
}

/// An identity of Amazon SES.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Identity {
    pub(crate) is_verified: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Certificate {
    /// Such as `ISSUED`.
    pub(crate) status: String,
    pub(crate) names: Vec<String>,
}

#[derive(Clone, Debug)]
pub(crate) struct StoredSecret {
    pub(crate) text: Secret,
    /// The key that encrypts it, if it is not the one that AWS manages.
    pub(crate) own_key: Option<String>,
}

impl Account {
    pub(crate) async fn read(environment: &SdkConfig, deployment: &Deployment) -> Self {
        let mut quotas = vec![Quota::GatewayResources, Quota::GatewayRate, Quota::GatewayBurst];
        let reads = ["MostReadsPerSecond", "WarmReadsPerSecond"];
        if reads.iter().any(|it| deployment.number(it) > 0.0) {
            quotas.push(Quota::TableReads);
        }
        if deployment.number("MostWritesPerSecond") > 0.0 {
            quotas.push(Quota::TableWrites);
        }
        let mut account = Self {
            executions: executions(environment).await,
            quotas: BTreeMap::new(),
            mail: None,
            identity: None,
            certificate: None,
            secrets: BTreeMap::new(),
        };
        for it in quotas {
            account.quotas.insert(it, quota(environment, it).await);
        }
        if let Some(arn) = deployment.parameter("MailIdentity") {
            account.mail = Some(mail_account(environment).await);
            account.identity = Some(identity(environment, arn).await);
        }
        if let Some(arn) = deployment.parameter("DomainCertificate") {
            account.certificate = Some(certificate(environment, arn).await);
        }
        for parameter in SECRETS {
            if let Some(arn) = deployment.parameter(parameter) {
                account.secrets.insert(parameter, secret(environment, parameter, arn).await);
            }
        }
        account
    }

    /// What could not be read.
    pub(crate) fn unread(&self) -> Vec<&Unread> {
        let mut unread: Vec<_> = self.executions.as_ref().err().into_iter().collect();
        unread.extend(self.quotas.values().filter_map(|it| it.as_ref().err()));
        unread.extend(self.mail.iter().filter_map(|it| it.as_ref().err()));
        unread.extend(self.identity.iter().filter_map(|it| it.as_ref().err()));
        unread.extend(self.certificate.iter().filter_map(|it| it.as_ref().err()));
        unread.extend(self.secrets.values().filter_map(|it| it.as_ref().err()));
        unread
    }
}

async fn executions(environment: &SdkConfig) -> Answer<Executions> {
    let client = aws_sdk_lambda::Client::new(environment);
    let unread = while_reading("the settings of Lambda", "lambda:GetAccountSettings");
    let settings = client.get_account_settings().send().await.map_err(unread)?;
    let limits = settings.account_limit();
    Ok(Executions {
        limit: limits.map_or(0, |it| it.concurrent_executions()).into(),
        unreserved: limits.and_then(|it| it.unreserved_concurrent_executions()).unwrap_or(0).into(),
    })
}

async fn quota(environment: &SdkConfig, quota: Quota) -> Answer<f64> {
    let client = aws_sdk_servicequotas::Client::new(environment);
    let (service, code) = quota.code();
    let what = format!("the quota {code} of {service}");
    let applied = client.get_service_quota().service_code(service).quota_code(code).send().await;
    let answer = match applied {
        Ok(answer) => answer.quota,
        // Nobody has changed it, and AWS has not either: the default counts.
        Err(error) if error.code() == Some("NoSuchResourceException") => {
            let default = client.get_aws_default_service_quota();
            let default = default.service_code(service).quota_code(code).send().await;
            default.map_err(while_reading(&what, "servicequotas:GetAWSDefaultServiceQuota"))?.quota
        }
        Err(error) => return Err(while_reading(&what, "servicequotas:GetServiceQuota")(error)),
    };
    let value = answer.and_then(|it| it.value);
    value.ok_or_else(|| Unread::Failed { what, reason: "the answer has no value".into() })
}

#[expect(clippy::disallowed_methods, reason = "no mail is sent")]
async fn mail_account(environment: &SdkConfig) -> Answer<MailAccount> {
    let client = aws_sdk_sesv2::Client::new(environment);
    let unread = while_reading("the account of Amazon SES", "ses:GetAccount");
    let account = client.get_account().send().await.map_err(unread)?;
    Ok(MailAccount {
        is_in_production: account.production_access_enabled(),
        may_send: account.sending_enabled(),
        most_per_day: account.send_quota().map_or(0.0, |it| it.max24_hour_send()),
    })
}

#[expect(clippy::disallowed_methods, reason = "no mail is sent")]
async fn identity(environment: &SdkConfig, arn: &str) -> Answer<Option<Identity>> {
    let client = aws_sdk_sesv2::Client::new(environment);
    let (_, name) = arn.rsplit_once('/').unwrap_or_default();
    let answer = client.get_email_identity().email_identity(name).send().await;
    let identity = unless_missing(answer, while_reading("MailIdentity", "ses:GetEmailIdentity"))?;
    Ok(identity.map(|it| Identity { is_verified: it.verified_for_sending_status() }))
}

async fn certificate(environment: &SdkConfig, arn: &str) -> Answer<Option<Certificate>> {
    let client = aws_sdk_acm::Client::new(environment);
    let answer = client.describe_certificate().certificate_arn(arn).send().await;
    let answer =
        unless_missing(answer, while_reading("DomainCertificate", "acm:DescribeCertificate"))?;
    Ok(answer.and_then(|it| it.certificate).map(|it| Certificate {
        status: it.status().map(|it| it.as_str().to_owned()).unwrap_or_default(),
        names: it.subject_alternative_names().to_vec(),
    }))
}

#[expect(clippy::disallowed_methods, reason = "reads more than the text")]
async fn secret(
    environment: &SdkConfig,
    parameter: &str,
    arn: &str,
) -> Answer<Option<StoredSecret>> {
    let client = aws_sdk_secretsmanager::Client::new(environment);
    let described = client.describe_secret().secret_id(arn).send().await;
    let unread =
        while_reading(&format!("the description of {parameter}"), "secretsmanager:DescribeSecret");
    let Some(described) = unless_missing(described, unread)? else { return Ok(None) };
    let value = client.get_secret_value().secret_id(arn).send().await;
    let value = unless_missing(value, while_reading(parameter, "secretsmanager:GetSecretValue"))?;
    let managed = |it: &String| it.ends_with("alias/aws/secretsmanager");
    Ok(value.map(|it| StoredSecret {
        text: Secret::new(it.secret_string.unwrap_or_default()),
        own_key: described.kms_key_id.filter(|it| !managed(it)),
    }))
}

/// `None` if there is no such thing.
fn unless_missing<T, E: ProvideErrorMetadata, R>(
    answer: Result<T, SdkError<E, R>>,
    unread: impl FnOnce(SdkError<E, R>) -> Unread,
) -> Answer<Option<T>> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(error) => match error.code() {
            Some("ResourceNotFoundException" | "NotFoundException") => Ok(None),
            _ => Err(unread(error)),
        },
    }
}

/// An error while reading `what`, for which one needs to be allowed `action`.
fn while_reading<E, R>(
    what: &str,
    action: &'static str,
) -> impl FnOnce(SdkError<E, R>) -> Unread + use<E, R>
where
    E: std::error::Error + ProvideErrorMetadata + 'static,
    R: fmt::Debug + 'static,
{
    let what = what.to_owned();
    move |error| match error.code() {
        Some("AccessDenied" | "AccessDeniedException") => Unread::NotAllowed { what, action },
        _ => Unread::Failed { what, reason: errors::chain(&error) },
    }
}

#[cfg(test)]
mod tests;
