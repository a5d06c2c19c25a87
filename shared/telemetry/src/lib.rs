//! What a process says of itself: its log, one JSON object a line, and its metrics.
//!
//! Metrics are written in CloudWatch's Embedded Metric Format, which the log service counts by itself:
//! nothing is sent while a client waits. An event of `tracing` that bears a `metric` is such a count, so
//! that the line that says what went wrong and the number that wakes somebody cannot drift apart:
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

/// Where the metrics stand in CloudWatch, unless `METRICS_NAMESPACE` says where: two deployments in one account
/// would count together.
const NAMESPACE: &str = "Gotthard";
/// The fields of an event that its metric is broken down by, where they are there.
const DIMENSIONS: [&str; 2] = ["group", "status"];

/// Where `lambda_runtime` opens its span around an invocation; it says nothing else there.
const INVOCATION: &str = "lambda_runtime::layers::trace";

/// Starts the log and the metrics of the function with this name.
///
/// # Panics
/// When a log was started before.
pub fn start(function: &'static str) {
    log(function, std::io::stdout).init();
}

/// The log and the metrics of the function with this name, written there.
pub fn log<W>(function: &'static str, writer: W) -> impl Subscriber + Send + Sync
where
    W: for<'a> MakeWriter<'a> + Clone + Send + Sync + 'static,
{
    let lines = tracing_subscriber::fmt::layer().fmt_fields(JsonFields::new()).event_format(Lines);
    // The runtime's own span around an invocation would be written for every request. What it names, our lines name
    // themselves; the few that the runtime writes, of events that it cannot read and answers that it cannot deliver,
    // stand beside the service's own lines of that invocation.
    let told =
        Targets::new().with_default(LevelFilter::INFO).with_target(INVOCATION, LevelFilter::OFF);
    tracing_subscriber::registry()
        .with(told)
        .with(lines.with_writer(writer.clone()))
        .with(Metrics::new(function, writer))
}

/// Writes a line of the Embedded Metric Format for every event that bears a `metric`.
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
        reason = "where metrics stand is read here and nowhere else"
    )]
    fn new(function: &'static str, writer: W) -> Self {
        let namespace = std::env::var("METRICS_NAMESPACE").unwrap_or_else(|_| NAMESPACE.to_owned());
        Self { namespace, function, writer }
    }

    /// One count of a metric: of all functions together, which an alarm watches, of the function as a
    /// whole, and by everything known of it.
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
        // Most events are none: what fields an event has is known without looking at it.
        if event.metadata().fields().field("metric").is_none() {
            return;
        }
        // And of those that may be one, most say that they are not.
        let mut named = Named(None);
        event.record(&mut named);
        let Some(metric) = named.0 else { return };
        let mut counted = Counted::default();
        event.record(&mut counted);
        let line = self.embedded(&metric, counted.dimensions, Timestamp::now());
        // There is nobody left to tell of a log that cannot be written.
        let _ = writeln!(self.writer.make_writer(), "{line}");
    }
}

/// The metric that an event names.
struct Named(Option<String>);

impl Visit for Named {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "metric" {
            self.0 = Some(value.to_owned());
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}

/// What an event says of what its metric is broken down by.
#[derive(Default)]
struct Counted {
    dimensions: Map<String, Value>,
}

impl Visit for Counted {
    fn record_str(&mut self, field: &Field, value: &str) {
        if DIMENSIONS.contains(&field.name()) {
            self.dimensions.insert(field.name().to_owned(), value.into());
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

    /// The lines of the log of what is told there.
    fn lines(tell: impl FnOnce()) -> Vec<Value> {
        let written = Written::default();
        let writer = written.clone();
        tracing::subscriber::with_default(log("tests", move || writer.clone()), tell);
        let lines = String::from_utf8(written.0.lock().expect("not poisoned").clone());
        let lines = lines.expect("text");
        lines.lines().map(|it| serde_json::from_str(it).expect("JSON")).collect()
    }

    #[test]
    fn a_line_says_when_what_and_where_and_leaves_out_what_is_not_there() {
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
        let told = json!({
            "message": "a \"line\"\nof two", "count": 3, "share": 0.5, "sure": true, "there": "it",
        });
        assert_eq!((&line["level"], &line["fields"]), (&json!("WARN"), &told));
        assert_eq!(line["target"], "telemetry::tests");
        assert_eq!(line.as_object().map(Map::len), Some(4), "{line}");
        let timestamp = line["timestamp"].as_str().expect("text");
        assert_eq!(timestamp.len(), "2026-11-20T12:00:00.000000Z".len());
        assert!(timestamp.parse::<Timestamp>().is_ok(), "{timestamp}");
    }

    #[test]
    fn a_line_names_what_its_span_says_once() {
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
    fn what_the_crate_log_carries_says_where_it_comes_from() {
        use tracing_log::log::{Level, Record};

        let lines = lines(|| {
            let args = format_args!("merged");
            let record = Record::builder().target("tantivy").level(Level::Warn).args(args).build();
            tracing_log::format_trace(&record).expect("told");
        });
        let line = &lines[0];
        assert_eq!((&line["target"], &line["level"]), (&json!("tantivy"), &json!("WARN")));
        assert_eq!(line["fields"]["message"], "merged");
    }

    #[test]
    fn a_count_names_its_dimensions_and_its_value_at_the_root() {
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
