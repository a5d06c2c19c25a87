//! The format of log lines.

use std::fmt;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value};
use tracing::{Event, Subscriber};
use tracing_log::NormalizeEvent;
use tracing_serde::fields::{AsMap, SerializeFieldMap};
use tracing_subscriber::{
    fmt::{FmtContext, FormatEvent, FormatFields, FormattedFields, format::Writer},
    registry::LookupSpan,
};

use crate::metric::Metrics;

/// One JSON object per line with the members of `tracing_subscriber`'s JSON format, but only the innermost span,
/// which has the request id that the client sees. If the event has a metric, the line contains it.
///
/// `tracing_subscriber`'s formatter writes a line in more than a hundred pieces and checks each, which takes three
/// times the instructions.
pub(crate) struct Lines(pub(crate) Metrics);

#[derive(Serialize)]
struct Line<'a, 'b> {
    timestamp: String,
    level: &'a str,
    fields: SerializeFieldMap<'a, Event<'b>>,
    target: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    span: Option<Map<String, Value>>,
}

/// A line that adds to a metric.
#[derive(Serialize)]
struct MetricLine<'a, 'b> {
    #[serde(flatten)]
    line: Line<'a, 'b>,
    #[serde(flatten)]
    metric: Map<String, Value>,
}

impl<S, N> FormatEvent<S, N> for Lines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        // Events of the crate `log` carry their own metadata.
        let normalized = event.normalized_metadata();
        let metadata = normalized.as_ref().unwrap_or_else(|| event.metadata());
        let innermost = context.event_scope().and_then(|mut spans| spans.next());
        let span = innermost.map(|span| {
            let extensions = span.extensions();
            let written = extensions.get::<FormattedFields<N>>().map_or("", |it| it.as_str());
            let mut fields: Map<String, Value> = serde_json::from_str(written).unwrap_or_default();
            fields.insert("name".to_owned(), span.name().into());
            fields
        });
        #[expect(clippy::disallowed_methods, reason = "a line has the time at which it is written")]
        let now = Timestamp::now();
        let line = Line {
            // A fixed number of digits, so that lines sort as text.
            timestamp: format!("{now:.6}"),
            level: metadata.level().as_str(),
            fields: event.field_map(),
            target: metadata.target(),
            span,
        };
        let text = match self.0.members(event, now) {
            None => serde_json::to_string(&line),
            Some(metric) => serde_json::to_string(&MetricLine { line, metric }),
        };
        writeln!(writer, "{}", text.map_err(|_| fmt::Error)?)
    }
}
