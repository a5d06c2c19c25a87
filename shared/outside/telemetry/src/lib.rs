//! Logs, one JSON object per line, and metrics.
//!
//! Metrics are written to the log in CloudWatch's Embedded Metric Format. CloudWatch extracts them from the log,
//! so no request waits for them. A `tracing` event with a field `metric` adds 1 to that metric, or the value of
//! its field `metric_value`. The log line of the event contains the metric, so that a log line and the metric that
//! raises an alarm always agree:
//!
//! ```
//! tracing::error!(metric = "MeteringFailure", group = "bulk", "not metered");
//! ```

mod line;
mod metric;

use tracing::Subscriber;
use tracing_subscriber::{
    filter::{LevelFilter, Targets},
    fmt::{MakeWriter, format::JsonFields},
    layer::SubscriberExt,
    util::SubscriberInitExt,
};

use line::Lines;
use metric::Metrics;

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
    let lines = tracing_subscriber::fmt::layer()
        .fmt_fields(JsonFields::new())
        .event_format(Lines(Metrics::of(function)));
    // Without the span of the runtime, which would repeat for every request what our own lines contain. The few
    // events of the runtime itself, about invalid events and undelivered responses, are logged without it.
    let targets =
        Targets::new().with_default(LevelFilter::INFO).with_target(INVOCATION, LevelFilter::OFF);
    tracing_subscriber::registry().with(targets).with(lines.with_writer(writer))
}

#[cfg(test)]
mod tests {
    use std::{
        io::{self, Write},
        sync::{Arc, Mutex},
    };

    use jiff::Timestamp;
    use serde_json::{Map, Value, json};

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
    fn an_event_with_a_metric_is_one_line_with_dimensions_and_value_at_the_root() {
        let lines = lines(|| {
            let status = 429;
            tracing::info!(metric = "Refusal", group = "bulk", status = %status, path = "/", "refused");
            tracing::info!(metric = "Refusal", metric_value = 100_u32, left_out = 99, "sampled");
            tracing::info!(metric = None::<&str>, metric_value = None::<u32>, "served");
        });
        let [one, many, none] = &lines[..] else { panic!("{lines:?}") };
        let dimensions = |it: &Value| it["_aws"]["CloudWatchMetrics"][0]["Dimensions"].clone();
        assert_eq!(
            (&one["Refusal"], &one["group"], &one["status"], &one["function"]),
            (&json!(1), &json!("bulk"), &json!("429"), &json!("tests"))
        );
        assert_eq!(dimensions(one), json!([[], ["function"], ["function", "group", "status"]]));
        assert_eq!((&one["fields"]["message"], &one["level"]), (&json!("refused"), &json!("INFO")));
        assert_eq!((&many["Refusal"], &many["fields"]["left_out"]), (&json!(100), &json!(99)));
        assert_eq!(dimensions(many), json!([[], ["function"]]));
        assert!(none["_aws"].is_null() && none["function"].is_null(), "{none}");
    }
}
