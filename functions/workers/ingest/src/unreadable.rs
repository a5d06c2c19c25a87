//! Companies of which something stored cannot be decoded.

use domain::Uid;

/// Counts a company of which something stored cannot be decoded, which an operator must repair.
pub(crate) fn log_unreadable(company: Uid, cause: &(dyn std::error::Error + 'static)) {
    let reason = errors::chain(cause);
    tracing::error!(metric = "UnreadableRecord", %company, reason, "company skipped");
}
