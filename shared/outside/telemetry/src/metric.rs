//! Metrics in the Embedded Metric Format of CloudWatch.

use std::fmt::Debug;

use jiff::Timestamp;
use serde_json::{Map, Value, json};
use tracing::{
    Event,
    field::{Field, Visit},
};

/// Default CloudWatch namespace. `METRICS_NAMESPACE` overrides it, so that two deployments in one account are
/// counted separately.
const NAMESPACE: &str = "Gotthard";
/// The fields of an event that become dimensions of its metric, if present.
const DIMENSIONS: [&str; 2] = ["group", "status"];

/// The metric that is also counted for each release of a function: alarms on it take a new version back.
const BY_RELEASE: &str = "ServerError";

/// Reads the metric of an event.
#[derive(Debug)]
pub(crate) struct Metrics {
    namespace: String,
    function: &'static str,
    /// The deployment to which this version of the function belongs.
    release: Option<String>,
}

impl Metrics {
    /// The metrics of the function with this name.
    #[expect(clippy::disallowed_methods, reason = "these variables are read here and nowhere else")]
    pub(crate) fn of(function: &'static str) -> Self {
        let namespace = std::env::var("METRICS_NAMESPACE").unwrap_or_else(|_| NAMESPACE.to_owned());
        Self { namespace, function, release: std::env::var("RELEASE").ok() }
    }

    /// The members that a log line needs to add to the metric of its event, if the event has one.
    pub(crate) fn members(&self, event: &Event<'_>, now: Timestamp) -> Option<Map<String, Value>> {
        // Most events have no such field, which the metadata shows without visiting the event.
        event.metadata().fields().field("metric")?;
        // In most of the others the field is empty.
        let mut name = MetricName(None);
        event.record(&mut name);
        let name = name.0?;
        let mut fields = Fields { dimensions: Map::new(), value: 1 };
        event.record(&mut fields);
        Some(self.embedded(name, fields, now))
    }

    /// Adds to a metric: in total, which alarms watch, per function, and with all dimensions.
    ///
    /// Format: the Embedded Metric Format specification of the CloudWatch user guide.
    fn embedded(&self, metric: String, fields: Fields, now: Timestamp) -> Map<String, Value> {
        let Fields { mut dimensions, value } = fields;
        dimensions.insert("function".to_owned(), self.function.into());
        let all: Vec<&String> = dimensions.keys().collect();
        let mut breakdowns = vec![json!([]), json!(["function"])];
        if all.len() > 1 {
            breakdowns.push(json!(all));
        }
        if let Some(release) = self.release.as_ref().filter(|_| metric == BY_RELEASE) {
            breakdowns.push(json!(["function", "release"]));
            dimensions.insert("release".to_owned(), release.as_str().into());
        }
        let description = json!({
            "Timestamp": now.as_millisecond(),
            "CloudWatchMetrics": [{
                "Namespace": self.namespace,
                "Dimensions": breakdowns,
                "Metrics": [{ "Name": metric, "Unit": "Count" }],
            }],
        });
        let mut members = dimensions;
        members.insert(metric, value.into());
        members.insert("_aws".to_owned(), description);
        members
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

/// Reads the dimensions and the value of a metric from an event.
struct Fields {
    dimensions: Map<String, Value>,
    value: u64,
}

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        if DIMENSIONS.contains(&field.name()) {
            self.dimensions.insert(field.name().to_owned(), value.into());
        }
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        if field.name() == "metric_value" {
            self.value = value;
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
    use super::*;

    #[test]
    fn a_metric_has_its_namespace_dimensions_and_value() {
        let dimensions = Map::from_iter([("group".to_owned(), json!("bulk"))]);
        let namespace = "Gotthard/test".to_owned();
        let metrics = Metrics { namespace, function: "bulk", release: Some("7".to_owned()) };
        let fields = Fields { dimensions, value: 1 };
        let members = metrics.embedded("MeteringFailure".into(), fields, Timestamp::UNIX_EPOCH);
        assert_eq!(
            Value::Object(members),
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

    #[test]
    fn errors_of_the_service_are_counted_by_release() {
        let namespace = "Gotthard/test".to_owned();
        let metrics = Metrics { namespace, function: "bulk", release: Some("7".to_owned()) };
        let fields = || Fields { dimensions: Map::new(), value: 1 };
        let of = |metric: &str| metrics.embedded(metric.into(), fields(), Timestamp::UNIX_EPOCH);
        let dimensions =
            |metric: &str| of(metric)["_aws"]["CloudWatchMetrics"][0]["Dimensions"].clone();
        assert_eq!(dimensions("ServerError"), json!([[], ["function"], ["function", "release"]]));
        assert_eq!(of("ServerError")["release"], "7");
        assert_eq!(dimensions("Unavailable"), json!([[], ["function"]]));
    }
}
