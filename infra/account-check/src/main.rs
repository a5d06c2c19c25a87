//! Says what an AWS account does not allow before a deployment finds it out.
//!
//! `cargo run -p account-check -- STACK Name=Value …`, with the parameters of `sam deploy`, reads the settings and quotas of the
//! account in the region of the environment. Invariant: it changes nothing, and prints no secret.

mod account;
mod deployment;
mod rules;
mod template;

use std::process::ExitCode;

use crate::{
    account::{Account, Unread},
    deployment::Deployment,
    rules::{Effect, Finding, findings},
    template::Template,
};

const USAGE: &str = "\
usage: cargo run -p account-check -- STACK Name=Value …

STACK is the name of the stack, and each Name a parameter of template.yaml, as in `sam deploy --parameter-overrides`.
Reads the account in the region of the environment (AWS_REGION) and changes nothing.

Exit status: 0 nothing stops the deployment, 1 something does, 2 not everything could be read";

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((stack, parameters)) = arguments.split_first().filter(|(it, _)| !it.starts_with('-'))
    else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let environment = aws::load().await;
    let Some(region) = environment.region() else {
        eprintln!("no region: set AWS_REGION");
        return ExitCode::from(2);
    };
    let template = include_str!("../../../template.yaml");
    let deployment = match Template::new(template, stack, region.as_ref(), parameters) {
        Ok(template) => Deployment::new(template),
        Err(refusal) => {
            eprintln!("{refusal}");
            return ExitCode::from(2);
        }
    };
    let account = Account::read(&environment, &deployment).await;
    let findings = findings(&deployment, &account);
    print!("{}", report(&findings, &account.unread()));
    ExitCode::from(status(&findings, &account.unread()))
}

/// What is printed.
fn report(findings: &[Finding], unread: &[&Unread]) -> String {
    let mut report = String::new();
    for (number, it) in (1..).zip(findings) {
        let effect = match it.effect {
            Effect::Stops => "STOPS THE DEPLOYMENT",
            Effect::Limits => "limits the service",
        };
        let request = it.request.replace('\n', "\n            ");
        report += &format!(
            "{number}. {effect}: {}\n   read:    {}\n   needed:  {}\n   request: {request}\n\n",
            it.what, it.read, it.needed
        );
    }
    for it in unread {
        report += &format!("{it}\n");
    }
    if findings.is_empty() && unread.is_empty() {
        report += "nothing found\n";
    }
    report
}

/// The exit status.
fn status(findings: &[Finding], unread: &[&Unread]) -> u8 {
    if findings.iter().any(|it| it.effect == Effect::Stops) {
        1
    } else if unread.is_empty() {
        0
    } else {
        2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(effect: Effect) -> Finding {
        Finding {
            effect,
            what: "It fails.".into(),
            read: "1".into(),
            needed: "2".into(),
            request: "first\nsecond".into(),
        }
    }

    #[test]
    fn a_finding_states_what_was_read_is_needed_and_can_be_requested() {
        let unread = Unread::NotAllowed { what: "it".into(), action: "a:Read" };
        assert_eq!(
            report(&[finding(Effect::Stops)], &[&unread]),
            "1. STOPS THE DEPLOYMENT: It fails.\n   read:    1\n   needed:  2\n   request: first\n            second\n\n\
             not allowed to read it: needs the action a:Read\n"
        );
        assert_eq!(report(&[], &[]), "nothing found\n");
    }

    #[test]
    fn the_status_says_whether_the_deployment_can_start() {
        let unread = Unread::NotAllowed { what: "it".into(), action: "a:Read" };
        let (stops, limits) = (finding(Effect::Stops), finding(Effect::Limits));
        assert_eq!(status(&[], &[]), 0);
        assert_eq!(status(std::slice::from_ref(&limits), &[]), 0);
        assert_eq!(status(&[limits, stops], &[&unread]), 1);
        assert_eq!(status(&[], &[&unread]), 2);
    }
}
