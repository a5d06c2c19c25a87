use access::Environment;
use auth::{Delegation, Email, Language, Owner, TeamId};
use domain::{
    Uid,
    changes::{ChangeKind, Severity},
};
use jiff::{Timestamp, civil::Time};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Schedule;

/// UUID namespace of [`notification_id`].
const NOTIFICATION: Uuid = Uuid::from_u128(0x2f0c_9d3e_6a5b_5f41_9c1d_7e8a_03b4_52c6);
/// UUID namespace of the ids of preferences.
const PREFERENCES: Uuid = Uuid::from_u128(0x8b1e_47d0_35c9_5a62_b7f4_1d96_e0c8_2a3f);

/// A notification of a team. Notifications are kept for 90 days.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Notification {
    /// Id of the notification.
    #[schema(example = "0199c0de-0010-7000-8000-000000000000")]
    pub id: Uuid,
    /// Title.
    #[schema(example = "Muster AG: Change of auditor")]
    pub title: String,
    /// What happened, in one or two sentences.
    pub body: String,
    /// Reason for the notification.
    pub category: NotificationCategory,
    /// Severity of the change, of the new risk level (`low` if the risk fell), or of the highest risk level of new
    /// hits. Absent for other notifications.
    pub severity: Option<Severity>,
    /// Whether the team has marked the notification as read.
    pub is_read: bool,
    /// Path of the operation that returns more, relative to the address of this API.
    #[schema(example = "/v1/companies/CHE-812.460.660/events")]
    pub link: Option<String>,
    /// Company that changed. Absent if the notification is not about one company.
    #[schema(value_type = Option<String>, example = "CHE-812.460.660")]
    pub company_uid: Option<Uid>,
    /// Id of the event. Absent if the notification is not about an event.
    pub event_id: Option<Uuid>,
    /// Ids of the watchlists that contained the company. Absent if none did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub watchlist_ids: Vec<String>,
    /// Id of the saved search that has new results, or that the alert with new results belongs to. Absent if there is none.
    pub saved_search_id: Option<String>,
    /// Time of the notification. For a change: when it was added to the change feed.
    pub created_at: Timestamp,
}

/// Reason for a notification: `change` (a watched company changed), `risk_level_change` (a change moved a watched
/// company to another risk level), `saved_search` (a saved search has new results), `alert` (an alert has new results),
/// `screening` (after an update, a list contains an entry that may be a monitored subject, a watched company or one of
/// its officers or parents), `test` (requested with `POST /v1/notifications/test`) or `webhook` (a webhook was disabled).
/// `risk_level_change` is only for teams whose tier includes `GET /v1/risk/v2/{uid}`. Its levels before and after the
/// change are computed from register and owners only. Screening lists, other mandates of officers and other companies
/// at the address are left out, so they can differ from the level of that operation. They are compared when a publication
/// about the company itself appears, and not when only an owner or a list changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NotificationCategory {
    /// A watched company changed.
    Change,
    /// A change moved a watched company to another risk level. Only for teams whose tier includes `GET /v1/risk/v2/{uid}`.
    /// The levels before and after the change rest on register and owners. Unlike that operation, they leave out screening lists, other
    /// mandates of officers and other companies at the address, so they can differ from its level.
    RiskLevelChange,
    /// A saved search has new results.
    SavedSearch,
    /// An alert has new results.
    Alert,
    /// After an update, a list contains an entry that may be a monitored subject, a watched company, or one of its officers or parents.
    Screening,
    /// Requested with `POST /v1/notifications/test`.
    Test,
    /// A webhook was disabled.
    Webhook,
}

/// The id of a notification: a UUIDv7 of this time whose random bits are derived from the team and from `parts`, which
/// identify the notification within the team. The same notification must always have the same time and parts: it is
/// then stored once, however often it is sent.
pub fn notification_id(
    team: &TeamId,
    environment: Environment,
    at: Timestamp,
    parts: &[&str],
) -> Uuid {
    let name = format!("{team}\n{environment}\n{}", parts.join("\n"));
    let hash = Uuid::new_v5(&NOTIFICATION, name.as_bytes());
    // Bytes 6 and 8 contain the version and the variant, which are not part of the hash.
    let bytes = hash.as_bytes();
    let mut random = [0; 10];
    random[..6].copy_from_slice(&bytes[..6]);
    random[6..].copy_from_slice(&bytes[9..13]);
    let milliseconds = u64::try_from(at.as_millisecond()).unwrap_or_default();
    uuid::Builder::from_unix_timestamp_millis(milliseconds, &random).into_uuid()
}

/// Which notifications a user gets; for the API keys of a team, which share their preferences, what the team gets.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotificationPreferences {
    /// Id of the preferences.
    pub id: Uuid,
    /// User whose preferences they are. Absent for the preferences that the team's API keys share.
    pub user_id: Option<String>,
    /// Whether watches and watchlists cause notifications. Default: `true`.
    pub is_enabled: bool,
    /// When e-mails are sent. Default: `Immediate`.
    pub delivery_mode: DeliveryMode,
    /// Where notifications are sent. They are always listed in the app. Default: `InApp`.
    pub channel: Channel,
    /// E-mail address for notifications. Absent if none was given: then those of a user are sent to the address that the
    /// user signs in with, and those of API keys to nobody.
    #[schema(value_type = Option<String>, example = "alerts@muster.example")]
    pub email_address: Option<Email>,
    /// Time when the owner of `emailAddress` confirmed it. Absent if it is not confirmed: then no notifications are sent to
    /// it.
    pub email_confirmed_at: Option<Timestamp>,
    /// Who has set `emailAddress`, and when. Notifications are sent to it as long as this key works, or this user is a member of
    /// the team. Absent if no address was given.
    pub email_set_by: Option<Delegation>,
    /// Language of the e-mails. Absent: the language of the user, or English.
    pub language: Option<Language>,
    /// Time of the daily digest in Switzerland, to the minute. It is sent within 15 minutes of it. Default: `08:00:00`.
    #[schema(value_type = String, example = "08:00:00")]
    pub digest_time: Time,
    /// Change types that cause notifications. Empty: all except `other`.
    pub watched_change_types: Vec<ChangeKind>,
    /// Lowest severity of a change, or of a new risk level, that causes a notification of a watched company. Screening
    /// hits, saved searches and alerts are not filtered. Default: `low`.
    pub minimum_severity: Severity,
    /// Time when preferences were first stored. Absent for the defaults.
    pub created_at: Option<Timestamp>,
    /// Time of the last change. Absent for the defaults.
    pub updated_at: Option<Timestamp>,
}

impl NotificationPreferences {
    /// The preferences of an owner who has stored none.
    pub fn default_of(team: &TeamId, environment: Environment, owner: &Owner) -> Self {
        let name = format!("{team}\n{environment}\n{owner}");
        Self {
            id: Uuid::new_v5(&PREFERENCES, name.as_bytes()),
            user_id: owner.user().map(str::to_owned),
            is_enabled: true,
            delivery_mode: DeliveryMode::Immediate,
            channel: Channel::InApp,
            email_address: None,
            email_confirmed_at: None,
            email_set_by: None,
            language: None,
            digest_time: Time::constant(8, 0, 0, 0),
            watched_change_types: Vec::new(),
            minimum_severity: Severity::Low,
            created_at: None,
            updated_at: None,
        }
    }

    /// Where e-mails are sent. `None`: none are sent.
    pub fn mail_to(&self) -> Option<MailTo<'_>> {
        if self.channel == Channel::InApp {
            return None;
        }
        match (&self.email_address, &self.user_id) {
            (Some(address), _) => {
                let set_by =
                    self.email_set_by.as_ref().filter(|_| self.email_confirmed_at.is_some());
                set_by.map(|set_by| MailTo::Address { address, set_by })
            }
            (None, Some(user)) => Some(MailTo::User(user)),
            (None, None) => None,
        }
    }

    /// Sets another address, or none. Its owner must confirm it, unless it is that of the user.
    pub fn set_address(&mut self, address: Option<Email>, by: Delegation) {
        self.email_set_by = address.is_some().then_some(by);
        self.email_address = address;
        self.email_confirmed_at = None;
    }

    /// When the daily digest is due. `None`: there is none.
    pub fn digest(&self) -> Option<Schedule> {
        let is_wanted = self.delivery_mode == DeliveryMode::DailyDigest;
        self.mail_to().filter(|_| is_wanted).map(|_| Schedule::daily_at(self.digest_time))
    }

    /// After the owner of the address has unsubscribed: no more e-mails are sent, and another address than that of the
    /// user must be confirmed again first.
    pub fn unsubscribe(&mut self) {
        self.channel = Channel::InApp;
        self.email_confirmed_at = None;
    }

    /// Whether changes of this type and severity cause notifications.
    pub fn accept(&self, kind: ChangeKind, severity: Severity) -> bool {
        let types = &self.watched_change_types;
        let is_wanted = if types.is_empty() { !kind.is_internal() } else { types.contains(&kind) };
        self.is_enabled && is_wanted && severity >= self.minimum_severity
    }
}

/// Where e-mails are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailTo<'a> {
    /// A confirmed address, as long as those have rights in the team who have set it.
    Address { address: &'a Email, set_by: &'a Delegation },
    /// The address that the user with this id signs in with.
    User(&'a str),
}

/// When e-mails are sent. Read in any case and with or without underscore.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub enum DeliveryMode {
    /// One for each notification, at once.
    Immediate,
    /// One a day with the notifications since the last one. None if there are none.
    DailyDigest,
}

impl<'de> Deserialize<'de> for DeliveryMode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let values = [("Immediate", Self::Immediate), ("DailyDigest", Self::DailyDigest)];
        one_of(deserializer, &values)
    }
}

/// Where notifications are sent. Read in any case and with or without underscore.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub enum Channel {
    /// Nowhere else than to the list of notifications.
    InApp,
    /// By e-mail.
    Email,
    /// The same as `Email`: the app lists all notifications.
    Both,
}

impl<'de> Deserialize<'de> for Channel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let values = [("InApp", Self::InApp), ("Email", Self::Email), ("Both", Self::Both)];
        one_of(deserializer, &values)
    }
}

fn one_of<'de, T: Copy, D: Deserializer<'de>>(
    deserializer: D,
    values: &[(&str, T)],
) -> Result<T, D::Error> {
    let text = String::deserialize(deserializer)?;
    let plain = text.replace('_', "");
    let found = values.iter().find(|(name, _)| name.eq_ignore_ascii_case(&plain));
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<String> = values.iter().map(|(name, _)| format!("`{name}`")).collect();
        D::Error::custom(format!("must be one of {}; got `{text}`", names.join(", ")))
    })
}

#[cfg(test)]
mod tests {
    use auth::Principal;

    use super::*;

    fn id(team: &str, environment: Environment, second: i64, parts: &[&str]) -> Uuid {
        let at = Timestamp::from_second(second).expect("a moment");
        notification_id(&TeamId(team.into()), environment, at, parts)
    }

    #[test]
    fn id_is_derived_from_team_environment_time_and_parts() {
        let one = id("a", Environment::Live, 1_000, &["watch", "event"]);
        assert_eq!(one, id("a", Environment::Live, 1_000, &["watch", "event"]));
        assert_eq!(one.get_version_num(), 7);
        for other in [
            id("b", Environment::Live, 1_000, &["watch", "event"]),
            id("a", Environment::Test, 1_000, &["watch", "event"]),
            id("a", Environment::Live, 1_000, &["watch", "other"]),
            id("a", Environment::Live, 1_000, &["watchevent"]),
        ] {
            assert_ne!(one, other);
        }
        let later = id("a", Environment::Live, 1_001, &["watch", "event"]);
        assert!(later.to_string() > one.to_string(), "ids are sorted by time");
    }

    #[test]
    fn preferences_select_by_type_and_severity() {
        let accepts =
            |it: &NotificationPreferences, kind: ChangeKind| it.accept(kind, kind.severity());
        let (team, owner) = (TeamId("a".into()), Owner::ApiKeys);
        let all = NotificationPreferences::default_of(&team, Environment::Live, &owner);
        assert!(accepts(&all, ChangeKind::AddressChange) && !accepts(&all, ChangeKind::Other));
        let types = vec![ChangeKind::Other, ChangeKind::Merger];
        let some = NotificationPreferences { watched_change_types: types, ..all.clone() };
        assert!(accepts(&some, ChangeKind::Other) && !accepts(&some, ChangeKind::AddressChange));
        let severe = NotificationPreferences { minimum_severity: Severity::High, ..some.clone() };
        assert!(accepts(&severe, ChangeKind::Merger) && !accepts(&severe, ChangeKind::Other));
        let none = NotificationPreferences { is_enabled: false, ..all };
        assert!(!accepts(&none, ChangeKind::Bankruptcy));
    }

    #[test]
    fn mails_are_sent_to_confirmed_addresses_and_to_users_only() {
        let team = TeamId("a".into());
        let of = |owner| NotificationPreferences::default_of(&team, Environment::Live, &owner);
        let keys = NotificationPreferences { channel: Channel::Email, ..of(Owner::ApiKeys) };
        let user =
            NotificationPreferences { channel: Channel::Both, ..of(Owner::User("u".into())) };
        assert_eq!((keys.mail_to(), user.mail_to()), (None, Some(MailTo::User("u"))));
        assert_eq!(of(Owner::User("u".into())).mail_to(), None, "in the app only");

        let address: Email = "alerts@muster.example".parse().expect("an address");
        let (by, at) = (Principal::api_key("k"), Timestamp::UNIX_EPOCH);
        let set_by = Delegation::new(by, at);
        for mut preferences in [keys, user] {
            preferences.set_address(Some(address.clone()), set_by.clone());
            assert_eq!(preferences.mail_to(), None, "not confirmed");
            preferences.email_confirmed_at = Some(Timestamp::UNIX_EPOCH);
            assert_eq!(
                preferences.mail_to(),
                Some(MailTo::Address { address: &address, set_by: &set_by })
            );
            assert_eq!(preferences.digest(), None);
            preferences.delivery_mode = DeliveryMode::DailyDigest;
            assert_eq!(preferences.digest(), Some(Schedule::daily_at(Time::constant(8, 0, 0, 0))));
            preferences.unsubscribe();
            assert_eq!((preferences.mail_to(), preferences.digest()), (None, None));
            preferences.channel = Channel::Email;
            assert_eq!(preferences.mail_to(), None, "must be confirmed again");
        }
    }

    #[test]
    fn modes_and_channels_are_read_in_any_case() {
        for text in ["DailyDigest", "daily_digest", "DAILYDIGEST"] {
            let read = serde_json::from_value(text.into()).ok();
            assert_eq!(read, Some(DeliveryMode::DailyDigest), "{text}");
        }
        let error = serde_json::from_value::<Channel>("Fax".into()).expect_err("unknown");
        assert_eq!(error.to_string(), "must be one of `InApp`, `Email`, `Both`; got `Fax`");
    }
}
