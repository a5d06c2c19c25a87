//! The attributes of a queue: names, allowed values and defaults.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::sqs::error::Refusal;

/// Numeric attributes: name, minimum, maximum, default.
const NUMBERS: [(&str, u64, u64, u64); 5] = [
    ("DelaySeconds", 0, 900, 0),
    ("MaximumMessageSize", 1_024, 1_048_576, 1_048_576),
    ("MessageRetentionPeriod", 60, 1_209_600, 345_600),
    ("ReceiveMessageWaitTimeSeconds", 0, 20, 0),
    ("VisibilityTimeout", 0, 43_200, 30),
];
/// Attributes with a fixed set of values: name, values. The first value is the default. All queues are FIFO
/// queues. Encryption and the throughput limit are accepted and have no effect.
const CHOICES: [(&str, &[&str]); 5] = [
    ("ContentBasedDeduplication", &["false", "true"]),
    (DEDUPLICATION_SCOPE, &["queue", "messageGroup"]),
    ("FifoQueue", &["true"]),
    (THROUGHPUT_LIMIT, &["perQueue", "perMessageGroupId"]),
    ("SqsManagedSseEnabled", &["true", "false"]),
];
const DEDUPLICATION_SCOPE: &str = "DeduplicationScope";
const THROUGHPUT_LIMIT: &str = "FifoThroughputLimit";
const REDRIVE_POLICY: &str = "RedrivePolicy";

/// The redrive policy: when a message moves to which dead-letter queue.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Redrive {
    /// The ARN of the dead-letter queue.
    pub(crate) target: String,
    pub(crate) max_receives: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Settings {
    given: BTreeMap<String, String>,
    pub(crate) redrive: Option<Redrive>,
}

impl Settings {
    pub(crate) fn new(given: BTreeMap<String, String>) -> Result<Self, Refusal> {
        let mut redrive = None;
        for (name, value) in &given {
            let number = NUMBERS.iter().find(|it| it.0 == name);
            let choice = CHOICES.iter().find(|it| it.0 == name);
            let is_valid = match (number, choice) {
                (Some((_, min, max, _)), _) => {
                    value.parse().is_ok_and(|it| (*min..=*max).contains(&it))
                }
                (_, Some((_, values))) => values.contains(&value.as_str()),
                _ if name == REDRIVE_POLICY => {
                    redrive = Some(parse_redrive(value)?);
                    true
                }
                _ => {
                    let message = format!("Unknown Attribute {name}.");
                    return Err(Refusal::new("InvalidAttributeName", message));
                }
            };
            if !is_valid {
                return Err(invalid(name));
            }
        }
        let settings = Self { given, redrive };
        if settings.has(THROUGHPUT_LIMIT, "perMessageGroupId") && !settings.deduplicates_by_group()
        {
            return Err(invalid(THROUGHPUT_LIMIT));
        }
        Ok(settings)
    }

    /// The first attribute of `other` that has a different value here. Creating an existing queue again is
    /// allowed only with the same attributes.
    pub(crate) fn first_difference<'a>(&self, other: &'a Self) -> Option<&'a str> {
        let differs = |it: &&String| match it.as_str() {
            REDRIVE_POLICY => self.redrive != other.redrive,
            name => self.all().get(name) != other.all().get(name),
        };
        other.given.keys().find(differs).map(String::as_str)
    }

    pub(crate) fn is_fifo(&self) -> bool {
        self.given.contains_key("FifoQueue")
    }

    /// Whether a message without a deduplication id gets a digest of its body as the id.
    pub(crate) fn deduplicates_by_content(&self) -> bool {
        self.has("ContentBasedDeduplication", "true")
    }

    /// Whether messages of different groups are never duplicates of each other.
    pub(crate) fn deduplicates_by_group(&self) -> bool {
        self.has(DEDUPLICATION_SCOPE, "messageGroup")
    }

    fn has(&self, name: &str, value: &str) -> bool {
        self.given.get(name).is_some_and(|it| it == value)
    }

    pub(crate) fn number(&self, name: &str) -> u64 {
        let default = NUMBERS.iter().find(|it| it.0 == name).map_or(0, |it| it.3);
        self.given.get(name).and_then(|it| it.parse().ok()).unwrap_or(default)
    }

    /// All attributes that have a value.
    pub(crate) fn all(&self) -> BTreeMap<String, String> {
        let numbers = NUMBERS.iter().map(|it| (it.0.to_owned(), self.number(it.0).to_string()));
        let choices = CHOICES.iter().map(|it| (it.0.to_owned(), it.1[0].to_owned()));
        let mut all: BTreeMap<_, _> = numbers.chain(choices).collect();
        all.extend(self.given.clone());
        if let Some(Redrive { target, max_receives }) = &self.redrive {
            let policy = json!({ "deadLetterTargetArn": target, "maxReceiveCount": max_receives });
            all.insert(REDRIVE_POLICY.to_owned(), policy.to_string());
        }
        all
    }
}

fn invalid(name: &str) -> Refusal {
    Refusal::new("InvalidAttributeValue", format!("Invalid value for the parameter {name}."))
}

fn parse_redrive(policy: &str) -> Result<Redrive, Refusal> {
    let refused = |reason: &str| Refusal::invalid_value(REDRIVE_POLICY, policy, reason);
    let members: Value = serde_json::from_str(policy)
        .map_err(|_| refused("Redrive policy is not a valid JSON map."))?;
    let target = members["deadLetterTargetArn"].as_str();
    let target = target.ok_or_else(|| {
        refused("Redrive policy does not contain mandatory attribute: deadLetterTargetArn.")
    })?;
    // CloudFormation sends a number, other tools send a string.
    let max = &members["maxReceiveCount"];
    let max = max.as_u64().or_else(|| max.as_str()?.parse().ok());
    let max = max.filter(|it| (1..=1_000).contains(it));
    let max = max.ok_or_else(|| refused("Invalid value for maxReceiveCount: 1 to 1000."))?;
    Ok(Redrive { target: target.to_owned(), max_receives: max as u32 })
}
