//! The notification of a report.

use store::TeamKey;
use teams::{
    News, Notification, NotificationCategory, PendingMail, Report, SearchKind, StoredSearch,
    notification_id,
};

use crate::search::Search;

/// The notification of a report. The names are those of the listed companies.
pub(crate) fn notification(
    team: &TeamKey,
    stored: &StoredSearch,
    search: &Search,
    report: &Report,
    names: &[String],
) -> Notification {
    let Report { period, run_at, new, total, .. } = report;
    let (kind, category, link) = match stored.kind {
        SearchKind::SavedSearch => {
            let link = format!("/v1/saved-searches/{}/run", stored.id);
            ("saved search", NotificationCategory::SavedSearch, link)
        }
        SearchKind::Alert => ("alert", NotificationCategory::Alert, "/v1/alerts".to_owned()),
    };
    let companies =
        if *new == 1 { "1 new company".to_owned() } else { format!("{new} new companies") };
    let verb = if *new == 1 { "matches" } else { "match" };
    let listed = match (names.len() as u64, names) {
        (0, _) => String::new(),
        (some, names) if some < *new => format!(": {}, and {} more", names.join(", "), new - some),
        (_, names) => format!(": {}", names.join(", ")),
    };
    let body = format!(
        "{companies} {verb} the {kind} “{}”{listed}. It finds {total} in all.",
        search.name
    );
    let parts = [stored.kind.name(), stored.id.as_str(), &period.to_string()];
    Notification {
        id: notification_id(team.team(), team.environment(), *run_at, &parts),
        title: format!("{}: {companies}", search.name),
        body,
        category,
        severity: None,
        is_read: false,
        link: Some(link),
        company_uid: None,
        event_id: None,
        watchlist_ids: Vec::new(),
        saved_search_id: search.saved_search_id.clone(),
        created_at: *run_at,
    }
}

/// What a mail says of the same report.
pub(crate) fn pending_mail(
    stored: &StoredSearch,
    search: &Search,
    report: &Report,
    notification: &Notification,
    names: Vec<String>,
) -> PendingMail {
    PendingMail {
        notification: notification.id,
        created_at: notification.created_at,
        link: notification.link.clone(),
        news: News::Search {
            search: stored.kind,
            name: search.name.clone(),
            new: report.new,
            total: report.total,
            companies: names,
        },
    }
}
