//! A queue's attributes: which there are, what they may be, and what they are when nobody says.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::refusal::Refusal;

/// Attributes that are a number: least, most, default.
const NUMBERS: [(&str, u64, u64, u64); 5] = [
    ("DelaySeconds", 0, 900, 0),
    ("MaximumMessageSize", 1_024, 1_048_576, 1_048_576),
    ("MessageRetentionPeriod", 60, 1_209_600, 345_600),
    ("ReceiveMessageWaitTimeSeconds", 0, 20, 0),
    ("VisibilityTimeout", 0, 43_200, 30),
];
/// Attributes that are kept and given back, and mean nothing here.
const TEXTS: [&str; 5] = [
    "KmsDataKeyReusePeriodSeconds",
    "KmsMasterKeyId",
    "Policy",
    "RedriveAllowPolicy",
    "SqsManagedSseEnabled",
];
const REDRIVE_POLICY: &str = "RedrivePolicy";

/// Where messages go that were received too often.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Redrive {
    pub(crate) target: String,
    pub(crate) most_receives: u32,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Settings {
    given: BTreeMap<String, String>,
    pub(crate) redrive: Option<Redrive>,
}

impl Settings {
    /// These settings with others in their place. An empty text takes a setting back.
    pub(crate) fn with(&self, changes: BTreeMap<String, String>) -> Result<Self, Refusal> {
        let mut settings = self.clone();
        for (name, value) in changes {
            let number = NUMBERS.iter().find(|it| it.0 == name);
            let in_range = number.is_none_or(|(_, least, most, _)| {
                value.parse().is_ok_and(|it| (*least..=*most).contains(&it))
            });
            if !in_range {
                let message = format!("Invalid value for the parameter {name}.");
                return Err(Refusal::new("InvalidAttributeValue", message));
            }
            if number.is_none() && name != REDRIVE_POLICY && !TEXTS.contains(&name.as_str()) {
                let message = format!("Unknown Attribute {name}.");
                return Err(Refusal::new("InvalidAttributeName", message));
            }
            if name == REDRIVE_POLICY {
                settings.redrive = (!value.is_empty()).then(|| redrive(&value)).transpose()?;
            }
            if value.is_empty() {
                settings.given.remove(&name);
            } else {
                settings.given.insert(name, value);
            }
        }
        Ok(settings)
    }

    /// The first of these that is another here: a queue is not created anew with other attributes.
    pub(crate) fn first_difference<'a>(&self, other: &'a Self) -> Option<&'a str> {
        let differs = |it: &&String| match it.as_str() {
            REDRIVE_POLICY => self.redrive != other.redrive,
            name => self.all().get(name) != other.all().get(name),
        };
        other.given.keys().find(differs).map(String::as_str)
    }

    pub(crate) fn number(&self, name: &str) -> u64 {
        let default = NUMBERS.iter().find(|it| it.0 == name).map_or(0, |it| it.3);
        self.given.get(name).and_then(|it| it.parse().ok()).unwrap_or(default)
    }

    /// Every attribute that has a value.
    pub(crate) fn all(&self) -> BTreeMap<String, String> {
        let numbers = NUMBERS.iter().map(|it| (it.0.to_owned(), self.number(it.0).to_string()));
        let mut all: BTreeMap<_, _> = numbers.collect();
        all.extend(self.given.clone());
        if let Some(Redrive { target, most_receives }) = &self.redrive {
            let policy = json!({ "deadLetterTargetArn": target, "maxReceiveCount": most_receives });
            all.insert(REDRIVE_POLICY.to_owned(), policy.to_string());
        }
        all
    }
}

fn redrive(policy: &str) -> Result<Redrive, Refusal> {
    let refused = |reason: &str| Refusal::value(REDRIVE_POLICY, policy, reason);
    let members: Value = serde_json::from_str(policy)
        .map_err(|_| refused("Redrive policy is not a valid JSON map."))?;
    let target = members["deadLetterTargetArn"].as_str();
    let target = target.ok_or_else(|| {
        refused("Redrive policy does not contain mandatory attribute: deadLetterTargetArn.")
    })?;
    // CloudFormation writes the number, other tools a text.
    let most = &members["maxReceiveCount"];
    let most = most.as_u64().or_else(|| most.as_str()?.parse().ok());
    let most = most.filter(|it| (1..=1_000).contains(it));
    let most = most.ok_or_else(|| refused("Invalid value for maxReceiveCount: 1 to 1000."))?;
    Ok(Redrive { target: target.to_owned(), most_receives: most as u32 })
}
