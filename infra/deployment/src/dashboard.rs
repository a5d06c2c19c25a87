//! The dashboard: the last day at a glance.

use std::iter;

use crate::{Deployment, Function, declaration::Queue};

/// What stands in a row.
const COLUMNS: usize = 3;
/// The grid of `CloudWatch` has 24 columns.
const WIDTH: usize = 8;
const HEIGHT: usize = 6;

const GATEWAY: &str = r#""ApiName", "${AWS::StackName}", "Stage", "api""#;

/// A graph. Each metric is the inside of its list in JSON.
struct Graph {
    title: &'static str,
    statistic: &'static str,
    metrics: Vec<String>,
}

pub(crate) fn block(deployment: &Deployment) -> String {
    let graphs = graphs(deployment);
    let lines: Vec<String> = graphs.iter().enumerate().map(|(index, it)| it.line(index)).collect();
    format!(
        "  Dashboard:\n    Type: AWS::CloudWatch::Dashboard\n    Properties:\n      DashboardName: !Ref AWS::StackName\n      \
         DashboardBody:\n        Fn::Sub: |\n          {{\"start\": \"-PT24H\", \"widgets\": [\n{}\n          ]}}\n\n",
        lines.join(",\n")
    )
}

fn graphs(deployment: &Deployment) -> [Graph; 9] {
    let sum = |title, metrics: Vec<String>| Graph { title, statistic: "Sum", metrics };
    let maximum = |title, metrics: Vec<String>| Graph { title, statistic: "Maximum", metrics };
    let gateway =
        |name: &str, more: &str| format!(r#""AWS/ApiGateway", "{name}", {GATEWAY}{more}"#);
    let own = |name: &&str| format!(r#""Gotthard/${{AWS::StackName}}", "{name}""#);
    let crashes = |it: &Function| {
        format!(r#""AWS/Lambda", "Errors", "FunctionName", "${{{}}}""#, it.resource())
    };
    let units = |table: &str, kind: &str| {
        format!(r#""AWS/DynamoDB", "Consumed{kind}CapacityUnits", "TableName", "${{{table}}}""#)
    };
    let queue = |metric: &str, name: &str| {
        format!(r#""AWS/SQS", "{metric}", "QueueName", "${{{name}.QueueName}}""#)
    };
    let queues = || deployment.workers.iter().filter_map(|it| it.declaration.queue.as_ref());
    let names = queues().map(Queue::resource);
    let waiting = names.map(|it| queue("ApproximateAgeOfOldestMessage", &format!("{it}Queue")));
    let letters = queues().map(|it| format!("{}DeadLetters", it.resource()));
    let letters = letters.chain(iter::once("FailedSchedules".to_owned()));
    let letters = letters.map(|it| queue("ApproximateNumberOfMessagesVisible", &it));
    let tables = ["Registry", "Tenants", "Counters"];
    [
        sum(
            "Requests and answers with errors",
            ["Count", "4XXError", "5XXError"].map(|it| gateway(it, "")).to_vec(),
        ),
        sum(
            "Milliseconds of a request",
            ["p50", "p99"]
                .map(|it| gateway("Latency", &format!(r#", {{"stat": "{it}"}}"#)))
                .to_vec(),
        ),
        sum(
            "Errors of the service, requests not served, uncounted requests",
            ["ServerError", "Unavailable", "MeteringFailure"].iter().map(own).collect(),
        ),
        sum("Crashes of functions", deployment.api.iter().map(crashes).collect()),
        sum(
            "Concurrent executions and throttles of the account",
            vec![
                r#""AWS/Lambda", "ConcurrentExecutions", {"stat": "Maximum"}"#.to_owned(),
                r#""AWS/Lambda", "Throttles""#.to_owned(),
            ],
        ),
        sum(
            "Units of the tables",
            tables.iter().flat_map(|it| ["Read", "Write"].map(|kind| units(it, kind))).collect(),
        ),
        maximum("Seconds that the oldest job waits", waiting.collect()),
        maximum("Dead letters", letters.collect()),
        sum(
            "Generations, refused requests and mails",
            ["CurrentGeneration", "Refusal", "MailsRefused"].iter().map(own).collect(),
        ),
    ]
}

impl Graph {
    /// Its widget, on one line.
    fn line(&self, index: usize) -> String {
        let (x, y) = (index % COLUMNS * WIDTH, index / COLUMNS * HEIGHT);
        let metrics: Vec<String> = self.metrics.iter().map(|it| format!("[{it}]")).collect();
        format!(
            r#"            {{"type": "metric", "x": {x}, "y": {y}, "width": {WIDTH}, "height": {HEIGHT}, "properties": {{"title": "{}", "region": "${{AWS::Region}}", "view": "timeSeries", "stat": "{}", "period": 300, "metrics": [{}]}}}}"#,
            self.title,
            self.statistic,
            metrics.join(", ")
        )
    }
}
