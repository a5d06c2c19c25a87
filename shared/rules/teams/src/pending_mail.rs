use auth::{Owner, TeamId};
use domain::{
    ChangeKind, Uid,
    changes::{Event, Severity},
};
use jiff::{Timestamp, civil::Date};
use risk::RiskLevel;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use uuid::Uuid;

use crate::SearchKind;

/// A notification that is to be sent by e-mail. Stored until it is sent, in parts that a mail can state in the language of
/// its reader.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingMail {
    /// Id of the notification.
    pub notification: Uuid,
    /// Time of the notification.
    pub created_at: Timestamp,
    /// Path of the operation that returns more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    pub news: News,
}

/// What a notification is about. Texts are shortened.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum News {
    /// A watched company changed.
    Change {
        uid: Uid,
        company_name: String,
        change: ChangeKind,
        published: Date,
        /// Person, auditor or other company concerned.
        subject: Option<String>,
        old_value: Option<String>,
        new_value: Option<String>,
    },
    /// A search has new results.
    Search {
        search: SearchKind,
        name: String,
        /// Number of new companies.
        new: u64,
        /// Number of all companies that the search finds.
        total: u64,
        /// Names of the first new companies.
        companies: Vec<String>,
    },
    /// After an update, a list contains entries that may be a monitored subject, a watched company, or one of its officers or parents.
    Screening {
        /// Name of the subject; for an officer, with the company in brackets.
        name: String,
        /// Number of these entries.
        new: u64,
        /// The first of them, each with its list.
        entries: Vec<String>,
    },
    /// A change moved a watched company to another risk level.
    RiskLevel {
        uid: Uid,
        company_name: String,
        before: RiskLevel,
        after: RiskLevel,
        published: Date,
    },
    /// Requested by the reader.
    Test,
}

/// UUID namespace of the ids of mails.
const MAIL: Uuid = Uuid::from_u128(0x41d7_0c9b_e256_5f3a_8b0e_93a4_6c1f_d825);

impl PendingMail {
    /// The id of the mail to an owner: the same if the mail is sent again.
    pub fn id(&self, owner: &Owner) -> Uuid {
        Uuid::new_v5(&MAIL, format!("notification\n{owner}\n{}", self.notification).as_bytes())
    }
}

/// The id of the digest of an owner that was due at this time: the same if it is sent again.
pub fn digest_id(team: &TeamId, owner: &Owner, period: Timestamp) -> Uuid {
    Uuid::new_v5(&MAIL, format!("digest\n{team}\n{owner}\n{period}").as_bytes())
}

/// Maximum number of characters of a text: purposes can be very long.
const MAX_TEXT: usize = 300;

impl News {
    /// How urgent a reader finds it. Searches have no severity of their own.
    pub fn severity(&self) -> Severity {
        match self {
            Self::Change { change, .. } => change.severity(),
            Self::Search { .. } => Severity::Medium,
            Self::Screening { .. } => Severity::High,
            Self::RiskLevel { before, after, .. } if after < before => Severity::Low,
            Self::RiskLevel { after, .. } => match after {
                RiskLevel::Unknown | RiskLevel::Low => Severity::Low,
                RiskLevel::Medium => Severity::Medium,
                RiskLevel::High => Severity::High,
                RiskLevel::Critical => Severity::Critical,
            },
            Self::Test => Severity::Low,
        }
    }

    pub fn of_risk_level(event: &Event, before: RiskLevel, after: RiskLevel) -> Self {
        Self::RiskLevel {
            uid: event.uid,
            company_name: shortened(&event.company_name),
            before,
            after,
            published: event.date,
        }
    }

    pub fn of_change(event: &Event) -> Self {
        // The values of other fields are codes, which the change type says in words.
        let has_texts = event.field.as_deref().is_some_and(|it| !CODES.contains(&it));
        let value = |it: &Option<String>| it.as_ref().filter(|_| has_texts).map(|it| shortened(it));
        Self::Change {
            uid: event.uid,
            company_name: shortened(&event.company_name),
            change: event.kind,
            published: event.date,
            subject: event.subject.as_ref().map(|it| shortened(&it.name)),
            old_value: value(&event.old_value),
            new_value: value(&event.new_value),
        }
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT) {
        Some(_) => text.chars().take(MAX_TEXT - 1).chain(['…']).collect(),
        None => text.to_owned(),
    }
}

/// Changed fields whose values are codes.
const CODES: [&str; 2] = ["status", "auditorOptOut"];

/// Owners who get a notification by e-mail. Every owner gets a mail of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Addressed {
    pub mail: PendingMail,
    pub to: Vec<Owner>,
}

#[cfg(test)]
mod tests {
    use domain::Provenance;
    use jiff::civil::date;

    use super::*;

    fn event(field: Option<&str>, new: &str) -> Event {
        Event {
            id: Uuid::nil(),
            uid: "CHE-100.000.001".parse().expect("a company number"),
            company_name: "Muster AG".into(),
            canton: None,
            kind: ChangeKind::PurposeChange,
            field: field.map(str::to_owned),
            old_value: Some("Bau".into()),
            new_value: Some(new.into()),
            summary: String::new(),
            date: date(2026, 11, 20),
            source: Provenance { source: "shab".into(), reference: None, date: None },
            subject: None,
            legal_event: None,
            journal_date: None,
            decision_date: None,
            currencies: None,
            transfer: None,
        }
    }

    fn values(news: News) -> (Option<String>, Option<String>) {
        match news {
            News::Change { old_value, new_value, .. } => (old_value, new_value),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn values_are_shortened_and_codes_are_left_out() {
        let (old, new) = values(News::of_change(&event(Some("purpose"), &"ä".repeat(1_000))));
        assert_eq!(old.as_deref(), Some("Bau"));
        assert_eq!(new.map(|it| (it.chars().count(), it.ends_with('…'))), Some((300, true)));
        for field in [Some("status"), Some("auditorOptOut"), None] {
            assert_eq!(values(News::of_change(&event(field, "ACTIVE"))), (None, None), "{field:?}");
        }
    }

    #[test]
    fn id_of_a_mail_follows_from_its_owner_and_its_notification_or_period() {
        let (eva, team) = (Owner::User("eva".into()), TeamId("a".into()));
        let period = Timestamp::UNIX_EPOCH;
        let mail = |id| PendingMail {
            notification: Uuid::from_u128(id),
            created_at: period,
            link: None,
            news: News::Test,
        };
        let ids = [
            mail(1).id(&eva),
            mail(2).id(&eva),
            mail(1).id(&Owner::ApiKeys),
            digest_id(&team, &eva, period),
            digest_id(&team, &Owner::ApiKeys, period),
            digest_id(&TeamId("b".into()), &eva, period),
            digest_id(&team, &eva, Timestamp::MAX),
        ];
        let distinct: std::collections::HashSet<Uuid> = ids.into_iter().collect();
        assert_eq!(distinct.len(), ids.len());
        assert_eq!(mail(1).id(&eva), ids[0]);
    }

    /// A mail may wait while a new version is deployed.
    #[test]
    fn stored_form_is_stable() {
        let mail = PendingMail {
            notification: Uuid::nil(),
            created_at: "2026-11-20T12:30:00Z".parse().expect("a moment"),
            link: None,
            news: News::of_change(&event(Some("purpose"), "Handel")),
        };
        let stored = serde_json::json!({
            "notification": Uuid::nil(), "createdAt": "2026-11-20T12:30:00Z",
            "news": {
                "kind": "change", "uid": "CHE-100.000.001", "companyName": "Muster AG",
                "change": "purpose_change", "published": "2026-11-20", "oldValue": "Bau",
                "newValue": "Handel",
            },
        });
        assert_eq!(serde_json::to_value(&mail).expect("plain data"), stored);
        assert_eq!(serde_json::from_value::<PendingMail>(stored).expect("a mail"), mail);
    }
}
