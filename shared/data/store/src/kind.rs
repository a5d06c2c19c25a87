//! The kinds of resources of a team.

use std::fmt;

/// The kinds of resources. The name of a kind is the first part of its sort keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Alert,
    Dossier,
    Invitation,
    Member,
    MonitoredSubject,
    Note,
    Pipeline,
    PipelineEntry,
    SavedSearch,
    Tag,
    Watch,
    Watchlist,
    WatchlistEntry,
    Webhook,
}

// The last kind has the highest number, so that a new one is missed here.
const _: () = assert!(Kind::ALL.len() == Kind::Webhook as usize + 1);

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 14] = [
        Self::Alert,
        Self::Dossier,
        Self::Invitation,
        Self::Member,
        Self::MonitoredSubject,
        Self::Note,
        Self::Pipeline,
        Self::PipelineEntry,
        Self::SavedSearch,
        Self::Tag,
        Self::Watch,
        Self::Watchlist,
        Self::WatchlistEntry,
        Self::Webhook,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Alert => "ALERT",
            Self::Dossier => "DOSSIER",
            Self::Invitation => "INVITATION",
            Self::Member => "MEMBER",
            Self::MonitoredSubject => "MONITORED",
            Self::Note => "NOTE",
            Self::Pipeline => "PIPELINE",
            Self::PipelineEntry => "PIPELINE-ENTRY",
            Self::SavedSearch => "SAVED-SEARCH",
            Self::Tag => "TAG",
            Self::Watch => "WATCH",
            Self::Watchlist => "WATCHLIST",
            Self::WatchlistEntry => "WATCHLIST-ENTRY",
            Self::Webhook => "WEBHOOK",
        }
    }
}

/// The plural, for messages.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Alert => "alerts",
            Self::Dossier => "dossiers",
            Self::Invitation => "invitations",
            Self::Member => "members",
            Self::MonitoredSubject => "monitored subjects",
            Self::Note => "notes",
            Self::Pipeline => "pipelines",
            Self::PipelineEntry => "entries",
            Self::SavedSearch => "saved searches",
            Self::Tag => "tags",
            Self::Watch => "watched companies",
            Self::Watchlist => "watchlists",
            Self::WatchlistEntry => "companies in a watchlist",
            Self::Webhook => "webhooks",
        })
    }
}
