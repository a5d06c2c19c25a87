//! The sections of `template.yaml` that follow from the declarations.
//!
//! The folder `blocks` has the text of each kind of resource, with `<names>` that are replaced. Comments in a block are for those who
//! read the block: they are not repeated for every function.

use std::{collections::BTreeSet, fmt::Display};

use crate::{
    Deployment, Function, Section, dashboard,
    declaration::{Kind, Memory, Queue, Schedule},
};

const FUNCTION: &str = include_str!("../blocks/function.yaml");
const PUBLISHING: &str = include_str!("../blocks/publishing.yaml");
const API: &str = include_str!("../blocks/api.yaml");
const QUEUE: &str = include_str!("../blocks/queue.yaml");
const LOOP: &str = include_str!("../blocks/loop.yaml");
const SCHEDULE: &str = include_str!("../blocks/schedule.yaml");
const SCHEDULE_ROLE: &str = include_str!("../blocks/schedule-role.yaml");

/// What `EventBridge` Scheduler replaces with the id of each execution.
const EXECUTION: &str = "<aws.scheduler.execution-id>";
/// The number of jobs of a worker that run at the same time in an account that may run few functions.
const FEW: u32 = 2;

const FILE: &str = "template.yaml";

pub(crate) fn sections(deployment: &Deployment) -> Vec<Section> {
    let api: Vec<String> = deployment.api.iter().map(Function::resource).collect();
    let for_each = |line: &dyn Fn(&str) -> String| api.iter().map(|it| line(it)).collect();
    let mut functions = String::new();
    for function in deployment.api.iter().chain(&deployment.workers) {
        functions += &blocks(function);
    }
    functions += &schedule_role(deployment);
    functions += &dashboard::block(deployment);
    let section = |name, text| Section { file: FILE, name, text };
    vec![
        section("functions", functions),
        section("aliases", for_each(&|it| format!("      - {it}Aliaslive\n"))),
        section("names of functions", for_each(&|it| format!("          {it}: !Ref {it}\n"))),
        section(
            "versions of functions",
            for_each(&|it| format!("                  - !Sub ${{{it}.Arn}}:*\n")),
        ),
    ]
}

/// Everything that belongs to a function.
fn blocks(function: &Function) -> String {
    let resource = function.resource();
    let mut text = format!("  # {}/deployment.toml\n", function.folder());
    let names = [("resource", resource.clone()), ("function", function.name.clone())];
    text += &block(function, &names);
    if function.kind == Kind::Api {
        text += &fill(API, &names);
    }
    if let Some(queue) = &function.declaration.queue {
        text += &queue_block(queue, &resource, function.declaration.timeout.unwrap_or_default());
        if function.declaration.has_short_chains() {
            text += &fill(LOOP, &names);
        }
        for (name, schedule) in &function.declaration.schedules {
            text += &schedule_block(name, schedule, queue);
        }
    }
    text
}

/// The function, its role and its log.
fn block(function: &Function, names: &[(&str, String); 2]) -> String {
    let declaration = &function.declaration;
    let is_api = function.kind == Kind::Api;
    // A new version refuses requests until there is a generation in its layout.
    let waits = is_api && function.statements.iter().any(|it| it.is_about_folder("generations"));
    let reservation = declaration.queue.as_ref().filter(|_| declaration.reserves);
    let reservation = reservation
        .map(|it| format!("!If [ReservesWorkers, {}, !Ref AWS::NoValue]", it.concurrency));
    let memory = match &declaration.memory {
        Memory::Megabytes(number) => number.to_string(),
        Memory::Parameter(name) => format!("!Ref {name}"),
    };
    let statements: Vec<String> = function.statements.iter().flat_map(|it| it.lines()).collect();
    let values = [
        names[0].clone(),
        names[1].clone(),
        ("waits", if_so(waits, "DependsOn: GenerationReady")),
        ("publishing", if_so(is_api, &fill(PUBLISHING, names))),
        ("chains", if_so(declaration.may_loop, "RecursiveLoop: Allow")),
        ("reservation", member("ReservedConcurrentExecutions", reservation)),
        ("memory", memory),
        ("timeout", member("Timeout", declaration.timeout)),
        ("disk", member("EphemeralStorage:\n  Size", declaration.disk)),
        ("environment", environment(function)),
        ("level", if_so(declaration.reports_memory, "SystemLogLevel: INFO")),
        ("statements", statements.join("\n")),
    ];
    fill(FUNCTION, &values)
}

/// The environment variables of a function that others do not have.
fn environment(function: &Function) -> String {
    let declaration = &function.declaration;
    let own = declaration.queue.iter().map(|it| &it.name);
    let queues: BTreeSet<&String> = own.chain(&declaration.sends).collect();
    let queues = queues.into_iter().map(|it| {
        format!("{}_QUEUE: !Ref {}Queue", it.to_ascii_uppercase(), crate::resource_of(it))
    });
    let others = declaration.environment.iter().chain(&declaration.secrets);
    let others = others.map(|(variable, name)| match name.as_str() {
        // The others are parameters, or exist always.
        "MailConfiguration" => format!("{variable}: !If [HasMail, !Ref {name}, !Ref AWS::NoValue]"),
        _ => format!("{variable}: !Ref {name}"),
    });
    let variables: Vec<String> = queues.chain(others).map(|it| format!("    {it}")).collect();
    match variables.is_empty() {
        true => String::new(),
        false => format!("Environment:\n  Variables:\n{}", variables.join("\n")),
    }
}

/// A queue with its event source mapping, its dead letters and their alarms.
fn queue_block(queue: &Queue, resource: &str, timeout: u32) -> String {
    let mut order = Vec::new();
    if queue.fifo {
        order.extend(["FifoQueue: true", "ContentBasedDeduplication: true"]);
    }
    if queue.independent_groups {
        order
            .extend(["DeduplicationScope: messageGroup", "FifoThroughputLimit: perMessageGroupId"]);
    }
    let concurrency = match queue.concurrency {
        most if most > FEW => format!("!If [HasFewExecutions, {FEW}, {most}]"),
        most => most.to_string(),
    };
    let hours = match queue.waiting.hours {
        1 => "an hour".to_owned(),
        3 => "three hours".to_owned(),
        hours => format!("{hours} hours"),
    };
    let policy = if queue.keeps_dead_letters { "Retain" } else { "Delete" };
    let values = [
        ("resource", resource.to_owned()),
        ("queue", queue.resource()),
        ("mapping", queue.mapping()),
        ("concurrency", concurrency),
        ("order", order.join("\n")),
        ("fifo", if_so(queue.fifo, "FifoQueue: true")),
        ("visibility", (2 * timeout).to_string()),
        ("retention", member("MessageRetentionPeriod", queue.retention)),
        ("dead_letters_policy", policy.to_owned()),
        ("dead_letters", quoted(&queue.dead_letters)),
        ("waiting", quoted(&format!("{} has waited for more than {hours}.", queue.waiting.what))),
        ("seconds", (queue.waiting.hours * 3600).to_string()),
    ];
    fill(QUEUE, &values)
}

fn schedule_block(name: &str, schedule: &Schedule, queue: &Queue) -> String {
    let queue = format!("{}Queue", queue.resource());
    let (target, message) = if schedule.group.contains(EXECUTION) {
        // Only the parameters of a request of the SDK can contain the id of the execution.
        let parameters = [
            ("QueueUrl", format!("${{{queue}}}")),
            ("MessageGroupId", schedule.group.clone()),
            ("MessageDeduplicationId", EXECUTION.to_owned()),
            ("MessageBody", schedule.job.clone()),
        ];
        let parameters =
            parameters.map(|(name, value)| format!("    \"{name}\": {}", quoted(&value)));
        let target = "!Sub arn:${AWS::Partition}:scheduler:::aws-sdk:sqs:sendMessage".to_owned();
        (target, format!("Input: !Sub |-\n  {{\n{}\n  }}", parameters.join(",\n")))
    } else {
        let message = format!(
            "Input: '{}'\nSqsParameters: {{ MessageGroupId: {} }}",
            schedule.job, schedule.group
        );
        (format!("!GetAtt {queue}.Arn"), message)
    };
    let values = [
        ("name", name.to_owned()),
        ("condition", member("Condition", schedule.condition.as_ref())),
        ("when", schedule.when.clone()),
        ("timezone", member("ScheduleExpressionTimezone", schedule.timezone.as_ref())),
        ("target", target),
        ("message", message),
    ];
    fill(SCHEDULE, &values)
}

/// The role of all schedules.
fn schedule_role(deployment: &Deployment) -> String {
    let scheduled = deployment.workers.iter().filter(|it| !it.declaration.schedules.is_empty());
    let queues = scheduled.filter_map(|it| it.declaration.queue.as_ref());
    let queues = queues.map(|it| format!("!GetAtt {}Queue.Arn", it.resource()));
    let queues: Vec<String> = queues.chain(["!GetAtt FailedSchedules.Arn".to_owned()]).collect();
    fill(SCHEDULE_ROLE, &[("queues", queues.join(", "))])
}

/// A member that may be missing.
fn member(name: &str, value: Option<impl Display>) -> String {
    value.map_or_else(String::new, |it| format!("{name}: {it}"))
}

fn if_so(condition: bool, text: &str) -> String {
    if condition { text.to_owned() } else { String::new() }
}

/// A text in JSON, which is also one in YAML.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A block without its comments, and with values instead of `<names>`. A value that has a line of its own may have several lines, which
/// are indented as the name is, or none.
fn fill(block: &str, values: &[(&str, String)]) -> String {
    let mut filled = String::new();
    for line in block.lines().filter(|it| !it.trim_start().starts_with('#')) {
        let text = line.trim_start();
        let indent = &line[..line.len() - text.len()];
        let alone = values.iter().find(|(name, _)| text == format!("<{name}>"));
        if let Some((_, value)) = alone {
            for line in value.lines() {
                filled += &format!("{indent}{line}\n");
            }
            continue;
        }
        let mut text = text.to_owned();
        for (name, value) in values {
            text = text.replace(&format!("<{name}>"), value);
        }
        filled += &format!("{indent}{text}\n");
    }
    filled
}
