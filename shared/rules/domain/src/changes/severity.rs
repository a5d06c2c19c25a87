//! The importance of changes.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Importance of a change for business partners of the company. If the change has a legal event, it decides
/// (`LegalEvent` states the severity of each). Otherwise the change type decides.
/// `critical`: `bankruptcy`. `high`: `liquidation`, `deletion`, `merger`. `low`: `new_registration`, `address_change`,
/// `purpose_change`, `statutes_change`, `branch_change`, `other`, `erased`. `medium`: all other types.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// For example a change of address.
    Low,
    /// For example a change of capital.
    Medium,
    /// For example a merger.
    High,
    /// Bankruptcy.
    Critical,
}

impl Severity {
    /// Name in requests and responses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }

    /// Value of `severitytext` in the CloudEvents severity extension.
    pub fn text(self) -> SeverityText {
        match self {
            Self::Low => SeverityText::Info,
            Self::Medium => SeverityText::Warn,
            Self::High => SeverityText::Error,
            Self::Critical => SeverityText::Fatal,
        }
    }

    /// Value of `severitynumber` in the CloudEvents severity extension: the severity numbers of
    /// OpenTelemetry's log data model.
    pub fn number(self) -> u8 {
        match self {
            Self::Low => 9,
            Self::Medium => 13,
            Self::High => 17,
            Self::Critical => 21,
        }
    }
}

/// Severity by the short names of OpenTelemetry's log data model: `INFO` for `low`, `WARN` for `medium`, `ERROR` for
/// `high`, `FATAL` for `critical`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum SeverityText {
    /// `low`.
    Info,
    /// `medium`.
    Warn,
    /// `high`.
    Error,
    /// `critical`.
    Fatal,
}
