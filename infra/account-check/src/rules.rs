//! What is wrong with a deployment in an account. Pure: no I/O.

use serde_json::Value;

use crate::{
    account::{Account, Certificate, Executions, Identity, MailAccount, Quota, StoredSecret},
    deployment::Deployment,
};

/// Something that the account does not allow, or that the parameters get wrong.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Finding {
    pub(crate) effect: Effect,
    /// What happens.
    pub(crate) what: String,
    pub(crate) read: String,
    pub(crate) needed: String,
    /// What to do about it.
    pub(crate) request: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// The deployment fails, or what it deploys does not start.
    Stops,
    /// It works, but not as the parameters say.
    Limits,
}

/// Lambda keeps this many executions for functions without a reservation.
const UNRESERVED: f64 = 100.0;
/// Executions of an account that is not new.
const USUAL_EXECUTIONS: f64 = 1_000.0;
/// Memory of a function, in MB, that each account allows.
const SURE_MEMORY: f64 = 3_008.0;
/// Bytes that the environment of a function may have.
const ENVIRONMENT: usize = 4_096;
/// Characters of each text in `ProxySecret`: `http_service::trusted_proxy`.
const PROXY_SECRET: usize = 16;
/// Mails a day after production access was granted, which AWS usually allows.
const USUAL_MAILS: f64 = 50_000.0;

pub(crate) fn findings(deployment: &Deployment, account: &Account) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.extend(names(deployment));
    findings.extend(environments(deployment));
    findings.extend(incomplete(deployment));
    findings.extend(address(deployment));
    if let Ok(executions) = account.executions {
        findings.extend(reservation(deployment, executions));
        findings.extend(executions_of_workers(deployment, executions));
        findings.extend(memory(deployment, executions));
    }
    for (&quota, answer) in &account.quotas {
        if let Ok(value) = *answer {
            findings.extend(exceeded(deployment, quota, value));
        }
    }
    if let Some(Ok(mail)) = account.mail {
        findings.extend(mails(deployment, mail));
    }
    if let Some(Ok(identity)) = account.identity {
        findings.extend(sender(deployment, identity));
    }
    if let Some(Ok(certificate)) = &account.certificate {
        findings.extend(domain(deployment, certificate.as_ref()));
    }
    for (&parameter, answer) in &account.secrets {
        if let Ok(secret) = answer {
            findings.extend(stored(parameter, secret.as_ref()));
        }
    }
    findings
}

/// Names that are too long because the stack's is.
fn names(deployment: &Deployment) -> Option<Finding> {
    let stack = deployment.stack().chars().count();
    let excess = |length: usize, most: usize| length.saturating_sub(most);
    let worst = deployment.names().into_iter().max_by_key(|it| excess(it.text.len(), it.most))?;
    let excess = excess(worst.text.len(), worst.most);
    (excess > 0).then(|| Finding {
        effect: Effect::Stops,
        what: format!("{} cannot be created: its name is too long.", worst.resource),
        read: format!("`{}` has {} characters", worst.text, worst.text.len()),
        needed: format!("at most {}", worst.most),
        request: format!(
            "Give the stack a name of at most {} characters.",
            stack.saturating_sub(excess)
        ),
    })
}

/// Lambda counts the environment as JSON.
fn environments(deployment: &Deployment) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (function, variables) in deployment.environments() {
        let size = serde_json::to_string(&variables).expect("texts").len();
        if size <= ENVIRONMENT {
            continue;
        }
        let (longest, text) = variables.iter().max_by_key(|(_, it)| it.len()).expect("variables");
        findings.push(Finding {
            effect: Effect::Stops,
            what: format!("{function} cannot be created: its environment is too large."),
            read: format!("about {size} bytes, {} of them in {longest}", text.len()),
            needed: format!("at most {ENVIRONMENT}"),
            request:
                "Shorten the parameter. NewsFeeds and ReportFiles can name a file in the bucket \
                      (DEPLOYING.md, Parameters)."
                    .into(),
        });
    }
    findings
}

/// Parameters that have no effect without another one.
fn incomplete(deployment: &Deployment) -> Vec<Finding> {
    let pairs = [
        ("DomainName", "DomainCertificate", "The gateway gets no domain of yours."),
        ("MailFrom", "MailIdentity", "No mail is sent, and nobody can sign in by e-mail."),
    ];
    let missing = pairs.into_iter().filter_map(|(one, other, effect)| {
        let (given, missing) = match (deployment.parameter(one), deployment.parameter(other)) {
            (Some(_), None) => (one, other),
            (None, Some(_)) => (other, one),
            _ => return None,
        };
        Some(Finding {
            effect: Effect::Limits,
            what: effect.into(),
            read: format!("{given} without {missing}"),
            needed: "both or none".into(),
            request: format!("Give {missing} too, or leave {given} out."),
        })
    });
    missing.collect()
}

/// The address that answers, problem types and mails name is that of the domain.
fn address(deployment: &Deployment) -> Option<Finding> {
    let domain = deployment.parameter("DomainName")?;
    let url = deployment.parameter("PublicUrl").unwrap_or_default();
    let needed = format!("https://{domain}/api");
    (!url.eq_ignore_ascii_case(&needed)).then(|| Finding {
        effect: Effect::Limits,
        what: "Links in answers and mails lead to another address than the domain.".into(),
        read: format!("PublicUrl is {url}"),
        needed,
        request: "Correct PublicUrl or DomainName.".into(),
    })
}

fn reservation(deployment: &Deployment, executions: Executions) -> Option<Finding> {
    let reserved = deployment.reserved_executions();
    let needed = reserved + UNRESERVED;
    (reserved > 0.0 && executions.unreserved < needed).then(|| Finding {
        effect: Effect::Stops,
        what: "ReserveWorkers cannot be true: too few executions are left for other functions \
               (unless this stack has reserved its own before)."
            .into(),
        read: format!("{} executions, {} not reserved", executions.limit, executions.unreserved),
        needed: format!("{needed} not reserved"),
        request: format!(
            "{}\nUntil then: ReserveWorkers=false.",
            increase(deployment, Quota::LambdaExecutions, USUAL_EXECUTIONS)
        ),
    })
}

fn executions_of_workers(deployment: &Deployment, executions: Executions) -> Option<Finding> {
    let workers = deployment.worker_executions();
    #[expect(clippy::cast_precision_loss, reason = "a few functions")]
    let needed = workers + deployment.api_functions() as f64;
    let request = increase(deployment, Quota::LambdaExecutions, USUAL_EXECUTIONS);
    let is_few = deployment.parameter("WorkerConcurrency") == Some("few");
    (executions.limit < needed).then(|| Finding {
        effect: Effect::Limits,
        what: "When the queues are full, their workers use up all executions of the account. Requests then fail \
               until a worker has ended."
            .into(),
        read: format!("{} executions at once", executions.limit),
        needed: format!("{needed}: {workers} for workers, and one for each function of the API"),
        request: if is_few {
            request
        } else {
            format!("{request}\nUntil then: WorkerConcurrency=few.")
        },
    })
}

/// Lambda does not say how much memory it allows. Accounts with few executions are those that also have less memory.
fn memory(deployment: &Deployment, executions: Executions) -> Option<Finding> {
    let (function, memory) = deployment.largest_function();
    (memory > SURE_MEMORY && executions.limit < USUAL_EXECUTIONS).then(|| Finding {
        effect: Effect::Stops,
        what: format!("{function} probably cannot be created: a new account allows less memory."),
        read: format!(
            "{} executions at once, as new accounts have; AWS does not state the memory",
            executions.limit
        ),
        needed: format!("{memory} MB"),
        request: format!(
            "IndexerMemory={SURE_MEMORY}. For more, open a case: https://console.aws.amazon.com/support/home#/case/create \
             (service Lambda, memory of a function in {}).",
            deployment.region()
        ),
    })
}

fn exceeded(deployment: &Deployment, quota: Quota, value: f64) -> Vec<Finding> {
    #[expect(clippy::cast_precision_loss, reason = "a few hundred")]
    let resources = deployment.gateway_resources() as f64;
    let of = |parameter: &'static str| (parameter.to_owned(), deployment.number(parameter));
    let needs = match quota {
        Quota::GatewayResources => vec![("the paths of the template".to_owned(), resources)],
        Quota::GatewayRate => vec![of("RequestsPerSecond")],
        Quota::GatewayBurst => vec![of("RequestsAtOnce")],
        Quota::TableReads => vec![of("MostReadsPerSecond"), of("WarmReadsPerSecond")],
        Quota::TableWrites => vec![of("MostWritesPerSecond")],
        Quota::LambdaExecutions => vec![],
    };
    let too_much = needs.into_iter().filter(|(_, needed)| *needed > value);
    let finding = |(what, needed): (String, f64)| {
        let (effect, consequence) = match quota {
            Quota::GatewayResources => (Effect::Stops, "The gateway cannot be created."),
            Quota::GatewayRate | Quota::GatewayBurst => (
                Effect::Limits,
                "The gateway refuses requests (429) before the limit of the parameter.",
            ),
            _ if what == "WarmReadsPerSecond" => {
                (Effect::Stops, "The registry cannot be created: no table serves as many reads.")
            }
            _ => (Effect::Limits, "A table refuses requests before the limit of the parameter."),
        };
        Finding {
            effect,
            what: consequence.into(),
            read: format!("a quota of {value}"),
            needed: format!("{needed} for {what}"),
            request: increase(deployment, quota, needed),
        }
    };
    too_much.map(finding).collect()
}

fn mails(deployment: &Deployment, account: MailAccount) -> Vec<Finding> {
    let region = deployment.region();
    let mut findings = Vec::new();
    if !account.may_send {
        findings.push(Finding {
            effect: Effect::Limits,
            what: "No mail is sent: nobody can sign in by e-mail.".into(),
            read: "Amazon SES has stopped the sending of this account".into(),
            needed: "an account that may send".into(),
            request: format!("The reason: https://{region}.console.aws.amazon.com/ses/home?region={region}#/account"),
        });
    }
    if !account.is_in_production {
        findings.push(Finding {
            effect: Effect::Limits,
            what: "Mails reach verified addresses only: nobody else can sign in by e-mail.".into(),
            read: "Amazon SES is in the sandbox".into(),
            needed: "production access".into(),
            request: format!(
                "aws sesv2 put-account-details --region {region} --production-access-enabled --mail-type TRANSACTIONAL \
                 --website-url YOUR_PAGE --contact-language EN"
            ),
        });
    }
    let needed = deployment.number("MailsPerDay");
    let is_limited = account.most_per_day >= 0.0;
    if is_limited && needed > account.most_per_day {
        let wanted = needed.max(USUAL_MAILS);
        findings.push(Finding {
            effect: Effect::Limits,
            what: "Amazon SES refuses mails before MailsPerDay is reached; those with sign-in links too.".into(),
            read: format!("{} mails in 24 hours", account.most_per_day),
            needed: format!("{needed} for MailsPerDay"),
            request: format!(
                "https://{region}.console.aws.amazon.com/servicequotas/home/services/ses/quotas (sending quota: {wanted}, after \
                 production access).\nUntil then: MailsPerDay={} and MailsPerHour not above it.",
                account.most_per_day
            ),
        });
    }
    findings
}

fn sender(deployment: &Deployment, identity: Option<Identity>) -> Vec<Finding> {
    let region = deployment.region();
    let arn = deployment.parameter("MailIdentity").unwrap_or_default();
    let (_, name) = arn.rsplit_once('/').unwrap_or_default();
    let console =
        format!("https://{region}.console.aws.amazon.com/ses/home?region={region}#/identities");
    let finding = |read: String, needed: String, request: String| Finding {
        effect: Effect::Limits,
        what: "No mail can be sent: nobody can sign in by e-mail.".into(),
        read,
        needed,
        request,
    };
    let mut findings = Vec::new();
    if !is_in(arn, region) {
        findings.push(finding(
            format!("MailIdentity is {arn}"),
            format!("an identity in {region}"),
            format!("aws sesv2 create-email-identity --region {region} --email-identity {name}"),
        ));
    } else if identity.is_none_or(|it| !it.is_verified) {
        let state = if identity.is_some() { "is not verified" } else { "does not exist" };
        findings.push(finding(
            format!("the identity `{name}` {state}"),
            "a verified identity".into(),
            if identity.is_some() {
                format!("Publish the records, or open the link in the mail: {console}")
            } else {
                format!("aws sesv2 create-email-identity --region {region} --email-identity {name}")
            },
        ));
    }
    let from = deployment.parameter("MailFrom").unwrap_or_default();
    let address = from.rsplit('<').next().unwrap_or_default().trim_end_matches('>').trim();
    let host = address.rsplit('@').next().unwrap_or_default();
    let belongs = address.eq_ignore_ascii_case(name)
        || host.eq_ignore_ascii_case(name)
        || host.to_ascii_lowercase().ends_with(&format!(".{}", name.to_ascii_lowercase()));
    if !belongs {
        findings.push(finding(
            format!("MailFrom is `{from}`"),
            format!("an address of the identity `{name}`"),
            "Correct MailFrom or MailIdentity.".into(),
        ));
    }
    findings
}

fn domain(deployment: &Deployment, certificate: Option<&Certificate>) -> Vec<Finding> {
    let region = deployment.region();
    let name = deployment.parameter("DomainName").unwrap_or_default();
    let arn = deployment.parameter("DomainCertificate").unwrap_or_default();
    let request = format!(
        "aws acm request-certificate --region {region} --validation-method DNS --domain-name {}",
        if name.is_empty() { "DOMAIN" } else { name }
    );
    let finding = |read: String, needed: String, request: String| Finding {
        effect: Effect::Stops,
        what: "The domain of the gateway cannot be created.".into(),
        read,
        needed,
        request,
    };
    if !is_in(arn, region) {
        let read = format!("DomainCertificate is {arn}");
        return vec![finding(read, format!("a certificate in {region}"), request)];
    }
    let Some(certificate) = certificate else {
        let read = "the certificate does not exist".into();
        return vec![finding(read, "an issued certificate".into(), request)];
    };
    let mut findings = Vec::new();
    if certificate.status != "ISSUED" {
        findings.push(finding(
            format!("the certificate is {}", certificate.status),
            "ISSUED".into(),
            format!("Publish the records that `aws acm describe-certificate --region {region} --certificate-arn {arn}` shows."),
        ));
    }
    if !name.is_empty() && !certificate.names.iter().any(|it| covers(it, name)) {
        findings.push(finding(
            format!("the certificate is for {}", certificate.names.join(", ")),
            format!("a certificate for {name}"),
            request,
        ));
    }
    findings
}

/// Whether a name of a certificate is that of the domain. `*` stands for one label.
fn covers(pattern: &str, domain: &str) -> bool {
    let below =
        |it: &str| domain.split_once('.').is_some_and(|(_, rest)| rest.eq_ignore_ascii_case(it));
    pattern.eq_ignore_ascii_case(domain) || pattern.strip_prefix("*.").is_some_and(below)
}

fn stored(parameter: &str, secret: Option<&StoredSecret>) -> Vec<Finding> {
    let (effect, what, form) = match parameter {
        "ProxySecret" => (
            Effect::Stops,
            "No function of the API starts",
            "one or more texts of at least 16 characters",
        ),
        "ZefixSecret" => (
            Effect::Limits,
            "The commercial register is not fetched",
            "JSON with username and password",
        ),
        "StripeSecret" => {
            (Effect::Limits, "Nothing can be subscribed to", "JSON with apiKey and webhookSecret")
        }
        _ => (Effect::Limits, "The probe fails", "an API key"),
    };
    let finding = |read: String, needed: String, request: String| Finding {
        effect,
        what: format!("{what}."),
        read,
        needed,
        request,
    };
    let Some(secret) = secret else {
        return vec![finding(
            format!("the secret of {parameter} does not exist"),
            format!("a secret with {form}"),
            "aws secretsmanager create-secret --name NAME --secret-string TEXT, and pass its ARN."
                .into(),
        )];
    };
    let text = secret.text.expose();
    let members = |names: &[&str]| {
        let json: Value = serde_json::from_str(text).unwrap_or_default();
        names.iter().all(|&it| json[it].as_str().is_some_and(|it| !it.is_empty()))
    };
    let is_right = match parameter {
        "ProxySecret" => {
            let mut texts = text.split_whitespace().peekable();
            texts.peek().is_some() && texts.all(|it| it.len() >= PROXY_SECRET)
        }
        "ZefixSecret" => members(&["username", "password"]),
        "StripeSecret" => members(&["apiKey", "webhookSecret"]),
        _ => !text.trim().is_empty(),
    };
    let mut findings = Vec::new();
    if !is_right {
        findings.push(finding(
            format!("the secret of {parameter} has another content (not shown)"),
            form.into(),
            "aws secretsmanager put-secret-value --secret-id ARN --secret-string TEXT".into(),
        ));
    }
    if let Some(key) = &secret.own_key {
        findings.push(finding(
            format!("the secret of {parameter} is encrypted with {key}"),
            "the key that AWS manages: the roles of the functions allow no other".into(),
            "aws secretsmanager update-secret --secret-id ARN --kms-key-id alias/aws/secretsmanager".into(),
        ));
    }
    findings
}

/// Whether the ARN names a resource of the region.
fn is_in(arn: &str, region: &str) -> bool {
    arn.split(':').nth(3) == Some(region)
}

fn increase(deployment: &Deployment, quota: Quota, value: f64) -> String {
    let (service, code) = quota.code();
    let region = deployment.region();
    format!(
        "aws service-quotas request-service-quota-increase --region {region} --service-code {service} --quota-code {code} \
         --desired-value {value}"
    )
}

#[cfg(test)]
mod tests;
