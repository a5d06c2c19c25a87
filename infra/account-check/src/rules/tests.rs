use auth::Secret;

use super::*;
use crate::template::Template;

/// The template with these parameters, in Zurich.
fn deployment(parameters: &[&str]) -> Deployment {
    of_stack("gotthard", parameters)
}

fn of_stack(stack: &str, parameters: &[&str]) -> Deployment {
    let template = include_str!("../../../../template.yaml");
    let url = "PublicUrl=https://api.example.ch/api";
    let given: Vec<_> = [url].iter().chain(parameters).map(ToString::to_string).collect();
    Deployment::new(Template::new(template, stack, "eu-central-2", &given).expect("parameters"))
}

fn executions(limit: f64) -> Executions {
    Executions { limit, unreserved: limit }
}

/// Effects and requests.
fn summary(findings: impl IntoIterator<Item = Finding>) -> Vec<(Effect, String)> {
    findings.into_iter().map(|it| (it.effect, it.request)).collect()
}

fn stops(findings: impl IntoIterator<Item = Finding>) -> Vec<bool> {
    findings.into_iter().map(|it| it.effect == Effect::Stops).collect()
}

#[test]
fn the_longest_name_made_of_the_stacks_fits() {
    // `CodeDeployHook_` and 49 characters are 64.
    assert_eq!(names(&of_stack(&"s".repeat(49), &[])), None);
    let finding = names(&of_stack(&"s".repeat(50), &[])).expect("too long");
    assert_eq!(finding.request, "Give the stack a name of at most 49 characters.");
    assert!(finding.what.starts_with("TryOut "), "{finding:?}");
    // The longest excess counts, whichever name has it.
    let finding = names(&of_stack(&"s".repeat(128), &[])).expect("too long");
    assert_eq!(finding.request, "Give the stack a name of at most 49 characters.");
}

#[test]
fn the_environment_of_a_function_has_at_most_four_kilobytes() {
    assert_eq!(environments(&of_stack(&"s".repeat(49), &[])), []);
    let with =
        |length: usize| environments(&deployment(&[&format!("NewsFeeds={}", "f".repeat(length))]));
    let fixed = deployment(&[]).environments()["Ingest"].clone();
    let left = ENVIRONMENT - serde_json::to_string(&fixed).expect("texts").len();
    assert_eq!(with(left), []);
    let [finding] = with(left + 1).try_into().expect("one");
    assert!(finding.what.starts_with("Ingest "), "{finding:?}");
    assert!(finding.read.ends_with("of them in NEWS_FEEDS"), "{finding:?}");
    assert_eq!(finding.effect, Effect::Stops);
}

#[test]
fn parameters_that_need_each_other_are_given_together() {
    let requests = |parameters: &[&str]| -> Vec<String> {
        let deployment = deployment(parameters);
        incomplete(&deployment).into_iter().map(|it| it.request).collect()
    };
    let (name, certificate) = ("DomainName=api.example.ch", "DomainCertificate=arn:aws:acm:1");
    let (from, identity) = ("MailFrom=a@example.ch", "MailIdentity=arn:aws:ses:1");
    assert!(requests(&[]).is_empty());
    assert!(requests(&[name, certificate, from, identity]).is_empty());
    for (given, missing) in [
        (name, "DomainCertificate"),
        (certificate, "DomainName"),
        (from, "MailIdentity"),
        (identity, "MailFrom"),
    ] {
        let given_name = given.split('=').next().expect("a name");
        let expected = format!("Give {missing} too, or leave {given_name} out.");
        assert_eq!(requests(&[given]), [expected]);
    }
}

#[test]
fn the_public_address_is_that_of_the_domain() {
    let with = |name: &str| address(&deployment(&[&format!("DomainName={name}")]));
    assert_eq!(address(&deployment(&[])), None);
    assert_eq!(with("api.example.ch"), None);
    let finding = with("gotthard.example.ch").expect("another address");
    assert_eq!(finding.needed, "https://gotthard.example.ch/api");
    assert_eq!(finding.read, "PublicUrl is https://api.example.ch/api");
}

#[test]
fn a_reservation_leaves_a_hundred_executions() {
    let reserving = deployment(&["ReserveWorkers=true"]);
    let left = |unreserved| Executions { limit: 1_000.0, unreserved };
    assert_eq!(reservation(&reserving, left(105.0)), None);
    let finding = reservation(&reserving, left(104.0)).expect("too few");
    assert_eq!(finding.needed, "105 not reserved");
    assert_eq!(
        finding.request,
        "aws service-quotas request-service-quota-increase --region eu-central-2 --service-code lambda \
         --quota-code L-B99A9384 --desired-value 1000\nUntil then: ReserveWorkers=false."
    );
    assert_eq!(reservation(&deployment(&[]), executions(10.0)), None);
}

#[test]
fn workers_and_each_function_of_the_api_can_run_at_once() {
    assert_eq!(executions_of_workers(&deployment(&[]), executions(144.0)), None);
    let finding = executions_of_workers(&deployment(&[]), executions(143.0)).expect("too few");
    assert_eq!(finding.effect, Effect::Limits);
    assert!(finding.needed.starts_with("144: 133 for workers"), "{finding:?}");
    assert!(finding.request.ends_with("\nUntil then: WorkerConcurrency=few."), "{finding:?}");
    let few = deployment(&["WorkerConcurrency=few"]);
    assert_eq!(executions_of_workers(&few, executions(33.0)), None);
    let finding = executions_of_workers(&few, executions(10.0)).expect("too few");
    assert!(finding.needed.starts_with("33: 22 for workers"), "{finding:?}");
    assert!(finding.request.ends_with("--desired-value 1000"), "{finding:?}");
}

#[test]
fn a_new_account_has_functions_of_three_gigabytes() {
    let large = deployment(&["IndexerMemory=3009"]);
    assert_eq!(memory(&deployment(&[]), executions(10.0)), None);
    assert_eq!(memory(&large, executions(1_000.0)), None);
    let finding = memory(&large, executions(999.0)).expect("a finding");
    assert!(finding.what.starts_with("Indexer probably"), "{finding:?}");
    assert_eq!(finding.needed, "3009 MB");
}

#[test]
fn each_beginning_of_a_path_is_a_resource_of_the_gateway() {
    let resources = exceeded(&deployment(&[]), Quota::GatewayResources, 300.0);
    assert_eq!(resources, []);
    let exact = deployment(&[]).gateway_resources();
    assert!(exact > 150, "{exact}");
    #[expect(clippy::cast_precision_loss, reason = "a few hundred")]
    let exact = exact as f64;
    assert_eq!(exceeded(&deployment(&[]), Quota::GatewayResources, exact), []);
    let findings = exceeded(&deployment(&[]), Quota::GatewayResources, exact - 1.0);
    let command = "aws service-quotas request-service-quota-increase --region eu-central-2 --service-code apigateway \
                   --quota-code L-01C8A9E0 --desired-value";
    assert_eq!(summary(findings), [(Effect::Stops, format!("{command} {exact}"))]);
}

#[test]
fn limits_of_parameters_do_not_exceed_quotas() {
    for (quota, parameter, is_fatal) in [
        (Quota::GatewayRate, "RequestsPerSecond", false),
        (Quota::GatewayBurst, "RequestsAtOnce", false),
        (Quota::TableReads, "MostReadsPerSecond", false),
        (Quota::TableReads, "WarmReadsPerSecond", true),
        (Quota::TableWrites, "MostWritesPerSecond", false),
    ] {
        let with = |value: u32| deployment(&[&format!("{parameter}={value}")]);
        assert_eq!(exceeded(&with(12_000), quota, 12_000.0), [], "{parameter}");
        let findings = exceeded(&with(12_001), quota, 12_000.0);
        assert_eq!(findings[0].needed, format!("12001 for {parameter}"));
        assert!(findings[0].request.ends_with(" --desired-value 12001"), "{findings:?}");
        assert_eq!(stops(findings), [is_fatal], "{parameter}");
    }
}

#[test]
fn amazon_ses_sends_as_many_mails_as_the_deployment() {
    let deployment = deployment(&["MailsPerDay=1000"]);
    let account =
        |most_per_day| MailAccount { is_in_production: true, may_send: true, most_per_day };
    for enough in [1_000.0, -1.0] {
        assert_eq!(mails(&deployment, account(enough)), []);
    }
    let [finding] = mails(&deployment, account(999.0)).try_into().expect("one");
    assert_eq!(finding.needed, "1000 for MailsPerDay");
    assert!(finding.request.contains("MailsPerDay=999 "), "{finding:?}");
    let sandbox = MailAccount { is_in_production: false, ..account(1_000.0) };
    let [finding] = mails(&deployment, sandbox).try_into().expect("one");
    assert!(finding.request.contains("--production-access-enabled"), "{finding:?}");
    let stopped = MailAccount { may_send: false, ..account(1_000.0) };
    assert_eq!(stops(mails(&deployment, stopped)), [false]);
}

#[test]
fn the_sender_belongs_to_a_verified_identity_in_the_region() {
    let with = |from: &str, identity: &str| {
        let arn = format!("MailIdentity=arn:aws:ses:{identity}");
        deployment(&[&format!("MailFrom=\"{from}\""), &arn])
    };
    let domain = "eu-central-2:123456789012:identity/example.ch";
    let verified = Some(Identity { is_verified: true });
    for from in ["noreply@example.ch", "Gotthard <noreply@Example.ch>", "a@mail.example.ch"] {
        assert_eq!(sender(&with(from, domain), verified), [], "{from}");
    }
    let address = "eu-central-2:123456789012:identity/noreply@example.ch";
    assert_eq!(sender(&with("noreply@example.ch", address), verified), []);
    for (from, identity) in [
        ("a@example.com", domain),
        ("a@anexample.ch", domain),
        ("other@example.ch", address),
        ("a@example.ch", "eu-central-1:123456789012:identity/example.ch"),
    ] {
        assert_eq!(sender(&with(from, identity), verified).len(), 1, "{from} {identity}");
    }
    for identity in [None, Some(Identity { is_verified: false })] {
        assert_eq!(stops(sender(&with("a@example.ch", domain), identity)), [false]);
    }
}

#[test]
fn the_certificate_is_issued_for_the_domain_in_the_region() {
    let with = |name: &str, region: &str| {
        let arn = format!("DomainCertificate=arn:aws:acm:{region}:123456789012:certificate/1");
        deployment(&[&format!("DomainName={name}"), &arn])
    };
    let certificate = |status: &str, name: &str| Certificate {
        status: status.into(),
        names: vec!["www.example.ch".into(), name.into()],
    };
    let api = with("api.example.ch", "eu-central-2");
    for name in ["api.example.ch", "API.example.ch", "*.example.ch"] {
        assert_eq!(domain(&api, Some(&certificate("ISSUED", name))), [], "{name}");
    }
    for name in ["example.ch", "*.ch", "*.api.example.ch", "api.example.com"] {
        assert_eq!(stops(domain(&api, Some(&certificate("ISSUED", name)))), [true], "{name}");
    }
    let pending = certificate("PENDING_VALIDATION", "*.example.ch");
    assert_eq!(stops(domain(&api, Some(&pending))), [true]);
    assert_eq!(stops(domain(&api, None)), [true]);
    let elsewhere = with("api.example.ch", "us-east-1");
    assert_eq!(stops(domain(&elsewhere, None)), [true]);
}

#[test]
fn secrets_have_the_form_that_the_functions_read() {
    let stored = |parameter, text: &str| {
        stored(parameter, Some(&StoredSecret { text: Secret::new(text.into()), own_key: None }))
    };
    for (parameter, text) in [
        ("ProxySecret", "0123456789abcdef"),
        ("ProxySecret", "0123456789abcdef fedcba9876543210"),
        ("ZefixSecret", r#"{"username":"a","password":"b"}"#),
        ("StripeSecret", r#"{"apiKey":"rk_1","webhookSecret":"whsec_1"}"#),
        ("ProbeKeySecret", "key"),
    ] {
        assert_eq!(stored(parameter, text), [], "{parameter}");
    }
    for (parameter, text) in [
        ("ProxySecret", ""),
        ("ProxySecret", "0123456789abcde"),
        ("ProxySecret", "0123456789abcdef short"),
        ("ZefixSecret", r#"{"username":"a"}"#),
        ("ZefixSecret", "a:b"),
        ("StripeSecret", r#"{"apiKey":"rk_1","webhookSecret":""}"#),
        ("ProbeKeySecret", " \n"),
    ] {
        let [finding] = stored(parameter, text).try_into().expect("one");
        assert_eq!(finding.effect == Effect::Stops, parameter == "ProxySecret");
        assert!(text.trim().is_empty() || !format!("{finding:?}").contains(text), "{finding:?}");
    }
}

#[test]
fn secrets_exist_and_are_encrypted_with_the_key_that_the_functions_may_use() {
    assert_eq!(stops(stored("ZefixSecret", None)), [false]);
    let text = Secret::new("0123456789abcdef".into());
    let secret = StoredSecret { text, own_key: Some("arn:aws:kms:1".into()) };
    assert_eq!(stops(stored("ProxySecret", Some(&secret))), [true]);
}
