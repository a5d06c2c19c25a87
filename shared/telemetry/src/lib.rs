//! Logs, one JSON object per line, and metrics.
//!
//! Metrics are written to the log in CloudWatch's Embedded Metric Format. CloudWatch extracts them from the log,
//! so no request waits for them. A `tracing` event with a field `metric` adds 1 to that metric, so that a log
//! line and the metric that raises an alarm always agree:
//!
//! ```
//! tracing::error!(metric = "MeteringFailure", group = "bulk", "not metered");
//! ```

mod line;

use std::{fmt::Debug, io::Write};

use jiff::Timestamp;
use serde_json::{Map, Value, json};
use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{
    Layer,
    filter::{LevelFilter, Targets},
    fmt::{MakeWriter, format::JsonFields},
    layer::{Context, SubscriberExt},
    util::SubscriberInitExt,
};

use line::Lines;

/// Default CloudWatch namespace. `METRICS_NAMESPACE` overrides it, so that two deployments in one account are
/// counted separately.
const NAMESPACE: &str = "Gotthard";
/// The fields of an event that become dimensions of its metric, if present.
const DIMENSIONS: [&str; 2] = ["group", "status"];

/// Target of the span that `lambda_runtime` opens around each invocation. It has no other events.
const INVOCATION: &str = "lambda_runtime::layers::trace";

/// Starts logging and metrics for the function with this name.
///
/// # Panics
/// If logging was started before.
pub fn start(function: &'static str) {
    log(function, std::io::stdout).init();
}

/// A subscriber that writes the log and the metrics of the function with this name to `writer`.
pub fn log<W>(function: &'static str, writer: W) -> impl Subscriber + Send + Sync
where
    W: for<'a> MakeWriter<'a> + Clone + Send + Sync + 'static,
{
    let lines = tracing_subscriber::fmt::layer().fmt_fields(JsonFields::new()).event_format(Lines);
    // Without the span of the runtime, which would repeat for every request what our own lines contain. The few
    // events of the runtime itself, about invalid events and undelivered responses, are logged without it.
    let targets =
        Targets::new().with_default(LevelFilter::INFO).with_target(INVOCATION, LevelFilter::OFF);
    tracing_subscriber::registry()
        .with(targets)
        .with(lines.with_writer(writer.clone()))
        .with(Metrics::new(function, writer))
}

/// Writes a line in the Embedded Metric Format for every event with a field `metric`.
///
/// Format: the Embedded Metric Format specification of the CloudWatch user guide.
#[derive(Debug)]
struct Metrics<W> {
    namespace: String,
    function: &'static str,
    writer: W,
}

impl<W> Metrics<W> {
    #[expect(
        clippy::disallowed_methods,
        reason = "the metrics namespace is read here and nowhere else"
    )]
    fn new(function: &'static str, writer: W) -> Self {
        let namespace = std::env::var("METRICS_NAMESPACE").unwrap_or_else(|_| NAMESPACE.to_owned());
        Self { namespace, function, writer }
    }

    /// A line that adds 1 to a metric: in total, which alarms watch, per function, and with all dimensions.
    fn embedded(&self, metric: &str, mut dimensions: Map<String, Value>, now: Timestamp) -> Value {
        dimensions.insert("function".to_owned(), self.function.into());
        let all: Vec<&String> = dimensions.keys().collect();
        let mut breakdowns = vec![json!([]), json!(["function"])];
        if all.len() > 1 {
            breakdowns.push(json!(all));
        }
        let description = json!({
            "Timestamp": now.as_millisecond(),
            "CloudWatchMetrics": [{
                "Namespace": self.namespace,
                "Dimensions": breakdowns,
                "Metrics": [{ "Name": metric, "Unit": "Count" }],
            }],
        });
        let mut line = dimensions;
        line.insert(metric.to_owned(), 1.into());
        line.insert("_aws".to_owned(), description);
        Value::Object(line)
    }
}

impl<S, W> Layer<S> for Metrics<W>
where
    S: Subscriber,
    W: for<'a> MakeWriter<'a> + 'static,
{
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        // Most events have no such field, which the metadata shows without visiting the event.
        if event.metadata().fields().field("metric").is_none() {
            return;
        }
        // In most of the others the field is empty.
        let mut name = MetricName(None);
        event.record(&mut name);
        let Some(metric) = name.0 else { return };
        let mut dimensions = Dimensions::default();
        event.record(&mut dimensions);
        #[expect(
            clippy::disallowed_methods,
            reason = "a metric has the time at which it is written"
        )]
        let line = self.embedded(&metric, dimensions.values, Timestamp::now());
        // A log that cannot be written cannot report its own failure.
        let _ = writeln!(self.writer.make_writer(), "{line}");
    }
}

/// Reads the name of the metric from an event.
struct MetricName(Option<String>);

impl Visit for MetricName {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "metric" {
            self.0 = Some(value.to_owned());
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}

/// Reads the dimensions of a metric from an event.
#[derive(Default)]
struct Dimensions {
    values: Map<String, Value>,
}

impl Visit for Dimensions {
    fn record_str(&mut self, field: &Field, value: &str) {
        if DIMENSIONS.contains(&field.name()) {
            self.values.insert(field.name().to_owned(), value.into());
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if DIMENSIONS.contains(&field.name()) {
            self.record_str(field, &format!("{value:?}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io,
        sync::{Arc, Mutex},
    };

    use super::*;

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("not poisoned").write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The log lines that `log_events` writes.
    fn lines(log_events: impl FnOnce()) -> Vec<Value> {
        let written = Written::default();
        let writer = written.clone();
        tracing::subscriber::with_default(log("tests", move || writer.clone()), log_events);
        let lines = String::from_utf8(written.0.lock().expect("not poisoned").clone());
        let lines = lines.expect("text");
        lines.lines().map(|it| serde_json::from_str(it).expect("JSON")).collect()
    }

    #[test]
    fn line_has_time_level_fields_and_target_without_empty_fields() {
        let lines = lines(|| {
            let (there, absent) = (Some("it"), None::<&str>);
            tracing::warn!(
                count = 3,
                share = 0.5,
                sure = true,
                there,
                absent,
                "a \"line\"\nof two"
            );
        });
        let [line] = &lines[..] else { panic!("{lines:?}") };
        let fields = json!({
            "message": "a \"line\"\nof two", "count": 3, "share": 0.5, "sure": true, "there": "it",
        });
        assert_eq!((&line["level"], &line["fields"]), (&json!("WARN"), &fields));
        assert_eq!(line["target"], "telemetry::tests");
        assert_eq!(line.as_object().map(Map::len), Some(4), "{line}");
        let timestamp = line["timestamp"].as_str().expect("text");
        assert_eq!(timestamp.len(), "2026-11-20T12:00:00.000000Z".len());
        assert!(timestamp.parse::<Timestamp>().is_ok(), "{timestamp}");
    }

    #[test]
    fn line_contains_the_fields_of_its_innermost_span_once() {
        let lines = lines(|| {
            let outside = tracing::info_span!("outside", number = 7);
            let _invocation = tracing::info_span!("invocation", trace = "the-trace").entered();
            let runtimes_own = tracing::info_span!(target: INVOCATION, "Lambda runtime invoke");
            assert!(runtimes_own.is_disabled());
            let _request = tracing::info_span!("request", request_id = "the-id").entered();
            tracing::info!("of the request");
            tracing::info!(parent: &outside, "of another");
        });
        assert_eq!(lines[0]["span"], json!({ "name": "request", "request_id": "the-id" }));
        assert_eq!(lines[0].to_string().matches("the-id").count(), 1, "{}", lines[0]);
        assert_eq!(lines[1]["span"], json!({ "name": "outside", "number": 7 }));
    }

    #[test]
    fn events_of_the_crate_log_keep_their_target() {
        use tracing_log::log::{Level, Record};

        let lines = lines(|| {
            let args = format_args!("merged");
            let record = Record::builder().target("tantivy").level(Level::Warn).args(args).build();
            tracing_log::format_trace(&record).expect("logged");
        });
        let line = &lines[0];
        assert_eq!((&line["target"], &line["level"]), (&json!("tantivy"), &json!("WARN")));
        assert_eq!(line["fields"]["message"], "merged");
    }

    #[test]
    fn metric_line_has_dimensions_and_value_at_the_root() {
        let group = Map::from_iter([("group".to_owned(), json!("bulk"))]);
        let metrics =
            Metrics { namespace: "Gotthard/test".to_owned(), function: "bulk", writer: () };
        let line = metrics.embedded("MeteringFailure", group, Timestamp::UNIX_EPOCH);
        assert_eq!(
            line,
            json!({
                "_aws": {
                    "Timestamp": 0,
                    "CloudWatchMetrics": [{
                        "Namespace": "Gotthard/test",
                        "Dimensions": [[], ["function"], ["function", "group"]],
                        "Metrics": [{ "Name": "MeteringFailure", "Unit": "Count" }],
                    }],
                },
                "function": "bulk",
                "group": "bulk",
                "MeteringFailure": 1,
            })
        );
    }
}
