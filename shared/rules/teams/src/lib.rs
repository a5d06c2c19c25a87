//! What a team keeps, and the rules about it. Most types are both the stored and the answered form.
//!
//! Invariant: no I/O and no clock; the current time is passed in.

mod alert;
mod audit;
pub mod dossier;
pub mod export;
mod invitation;
mod last_screenings;
mod mail_kind;
pub mod monitoring;
mod note;
mod notification;
mod pause;
mod pending_mail;
mod pipeline;
mod saved_search;
mod schedule;
pub mod screening;
mod search_params;
mod search_run;
mod single_sign_on;
mod subscription;
mod suppressed_address;
mod tag;
pub mod watch;
pub mod webhook;

pub use alert::{Alert, AlertView};
pub use audit::{
    AUDIT_RETENTION, AuditActor, AuditActorKind, AuditEntry, AuditFilter, AuditOutcome, Audited,
    audit_target,
};
pub use dossier::{
    Dossier, DossierCitation, DossierLevel, DossierRequest, DossierStatus, DossierSummary,
    DossierText, DossierView,
};
pub use export::{Export, ExportFormat, ExportRows, ExportStatus};
pub use invitation::{INVITATION_DURATION, Invitation};
pub use last_screenings::{LastScreening, LastScreenings};
pub use mail_kind::MailKind;
pub use monitoring::MonitoredSubject;
pub use note::{Note, NoteType};
pub use notification::{
    Channel, DeliveryMode, MailTo, Notification, NotificationCategory, NotificationPreferences,
    notification_id,
};
pub use pause::PausedReason;
pub use pending_mail::{Addressed, News, PendingMail, digest_id};
pub use pipeline::{
    DEFAULT_ENTRY_TIER, DEFAULT_STAGES, Pipeline, PipelineEntry, PipelineEntryView, PipelineStats,
    PipelineWithEntries,
};
pub use saved_search::{SavedSearch, SavedSearchView};
pub use schedule::{AlertFrequency, Frequency, Schedule, SearchFrequency, Task, swiss_day};
pub use search_params::SearchParams;
pub use search_run::{
    Found, LastRun, MAX_COMPARED, MAX_LISTED, Report, Reported, SearchKind, StoredSearch,
};
pub use single_sign_on::{
    CONFIRMATION_PERIOD, Check, CurrentSso, DomainStatus, GRACE_PERIOD, InvalidDomain, MailDomain,
    NotAdmitted, OnlyOwners, RECHECK_INTERVAL, SSO_TIER, SingleSignOn, SsoChange, SsoDomain,
    SsoNews,
};
pub use subscription::{Subscription, SubscriptionStatus, Subscriptions};
pub use suppressed_address::{
    MAX_UNDELIVERED, MailOutcome, MailReport, SuppressedAddress, Suppression, Verdict,
};
pub use tag::{Tag, TagSummary, is_color};
pub use watch::{Watch, WatchView, Watcher, Watchlist, WatchlistEntry, WatchlistSummary};
pub use webhook::{
    Attempt, DeliveryStatus, EventFilter, PendingDelivery, Verification, WaitsFor, Webhook,
    WebhookDelivery, WebhookReplay, WebhookSigningKey, WebhookState, WebhookStatus, WebhookView,
};
