//! What Amazon SES reports about mails.

use auth::Email;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use teams::{MailOutcome, MailReport};

use super::Message;

/// Start of what Amazon SES sends to a topic once, when the topic is set up. It is no JSON.
const TOPIC_CHECKED: &str = "Successfully validated SNS topic";

/// A job for the `mail-feedback` worker: an event of Amazon SES, as it is or in a notification of Amazon SNS. Safe to run twice:
/// the reports about an address contain each mail once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Value", untagged)]
pub enum FeedbackJob {
    /// Something happened to a mail.
    Mail(MailEvent),
    /// Amazon SES can reach the topic.
    TopicChecked,
}

/// What happened to a mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailEvent {
    #[serde(flatten)]
    event: Event,
    mail: SentMail,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "eventType")]
enum Event {
    Bounce { bounce: Bounce },
    Complaint { complaint: Complaint },
    Delivery { delivery: Delivery },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Bounce {
    bounce_type: BounceType,
    timestamp: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum BounceType {
    Permanent,
    Transient,
    Undetermined,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Complaint {
    /// `not-spam`: the reader has said that the mail is none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    complaint_feedback_type: Option<String>,
    timestamp: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Delivery {
    timestamp: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SentMail {
    timestamp: Timestamp,
    message_id: String,
    /// The addresses that the mail was sent to: one.
    destination: [Email; 1],
}

/// A notification of Amazon SNS.
#[derive(Deserialize)]
struct Notification {
    #[serde(rename = "Message")]
    message: String,
}

impl TryFrom<Value> for FeedbackJob {
    type Error = serde_json::Error;

    fn try_from(value: Value) -> Result<Self, Self::Error> {
        let is_notification = value.get("Type").is_some_and(|it| it == "Notification");
        if !is_notification {
            return serde_json::from_value(value).map(Self::Mail);
        }
        let Notification { message } = serde_json::from_value(value)?;
        match message.starts_with(TOPIC_CHECKED) {
            true => Ok(Self::TopicChecked),
            false => serde_json::from_str(&message).map(Self::Mail),
        }
    }
}

impl FeedbackJob {
    /// What happened to a mail, and the address that it was sent to. `None`: nothing that matters.
    ///
    /// The recipients that a bounce names are what a mail server says: it could name anybody.
    pub fn report(&self) -> Option<(&Email, MailReport)> {
        let Self::Mail(MailEvent { event, mail }) = self else { return None };
        let (outcome, at) = event.outcome()?;
        let SentMail { timestamp: sent_at, message_id, destination: [to] } = mail;
        let mail = message_id.clone();
        Some((to, MailReport { outcome, mail, sent_at: *sent_at, at }))
    }
}

impl Event {
    fn outcome(&self) -> Option<(MailOutcome, Timestamp)> {
        Some(match self {
            Self::Bounce { bounce: Bounce { bounce_type, timestamp } } => match bounce_type {
                BounceType::Permanent => (MailOutcome::Refused, *timestamp),
                BounceType::Transient | BounceType::Undetermined => {
                    (MailOutcome::Undelivered, *timestamp)
                }
            },
            Self::Complaint { complaint: Complaint { complaint_feedback_type, timestamp } } => {
                if complaint_feedback_type.as_deref() == Some("not-spam") {
                    return None;
                }
                (MailOutcome::Complaint, *timestamp)
            }
            Self::Delivery { delivery: Delivery { timestamp } } => {
                (MailOutcome::Delivered, *timestamp)
            }
        })
    }
}

impl Message for FeedbackJob {
    const VARIABLE: &'static str = "FEEDBACK_QUEUE";

    /// The queue has no groups in a deployment: Amazon SNS sends to a queue without order. The order does not matter.
    fn group(&self) -> &str {
        match self {
            Self::Mail(event) => &event.mail.message_id,
            Self::TopicChecked => "topic",
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn event(name: &str, contents: Value) -> Value {
        let member = name.to_lowercase();
        json!({
            "eventType": name,
            member: contents,
            "mail": {
                "timestamp": "2026-11-20T12:00:00.000Z",
                "messageId": "a-mail",
                "destination": ["Eva@example.ch"],
                "tags": { "ses:configuration-set": ["mails"] },
            },
        })
    }

    fn read(event: &Value) -> FeedbackJob {
        serde_json::from_value(event.clone()).expect("a job")
    }

    #[test]
    fn events_of_amazon_ses_are_read_alone_and_in_a_notification() {
        let at = "2026-11-20T12:01:00.000Z";
        let bounce = |kind: &str| {
            event(
                "Bounce",
                json!({
                    "bounceType": kind,
                    "bounceSubType": "General",
                    // Whatever the mail server says.
                    "bouncedRecipients": [{ "emailAddress": "hans@example.ch" }],
                    "timestamp": at,
                }),
            )
        };
        let complaint = |kind: &str| {
            event("Complaint", json!({ "complaintFeedbackType": kind, "timestamp": at }))
        };
        let delivery =
            event("Delivery", json!({ "timestamp": at, "recipients": ["Eva@example.ch"] }));
        for (event, expected) in [
            (bounce("Permanent"), Some(MailOutcome::Refused)),
            (bounce("Transient"), Some(MailOutcome::Undelivered)),
            (bounce("Undetermined"), Some(MailOutcome::Undelivered)),
            (complaint("abuse"), Some(MailOutcome::Complaint)),
            (complaint("not-spam"), None),
            (delivery, Some(MailOutcome::Delivered)),
        ] {
            let job = read(&event);
            let wrapped = json!({ "Type": "Notification", "Message": event.to_string() });
            assert_eq!(read(&wrapped), job);
            assert_eq!(read(&serde_json::to_value(&job).expect("plain data")), job);
            assert_eq!(job.group(), "a-mail");
            let reported = job.report().map(|(to, it)| (to.as_str(), it.outcome));
            assert_eq!(reported, expected.map(|it| ("eva@example.ch", it)), "{event}");
        }
        let checked = "Successfully validated SNS topic for Amazon SES event publishing.";
        let checked = read(&json!({ "Type": "Notification", "Message": checked }));
        assert_eq!((&checked, checked.report()), (&FeedbackJob::TopicChecked, None));
    }

    #[test]
    fn what_is_no_event_about_one_mail_is_refused() {
        let mut two = event("Delivery", json!({ "timestamp": "2026-11-20T12:01:00Z" }));
        two["mail"]["destination"] = json!(["eva@example.ch", "hans@example.ch"]);
        for other in [
            two,
            event("Click", json!({})),
            json!({ "Type": "Notification", "Message": "no JSON" }),
            json!({}),
        ] {
            assert!(serde_json::from_value::<FeedbackJob>(other.clone()).is_err(), "{other}");
        }
    }
}
