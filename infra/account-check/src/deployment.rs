//! What `template.yaml` asks for with the parameters of a deployment.

use std::collections::{BTreeMap, BTreeSet};

use serde_yaml::Value;

use crate::template::{Template, text};

const FUNCTIONS: [&str; 2] = ["AWS::Serverless::Function", "AWS::Lambda::Function"];

/// A template with the name of its stack, the region and the parameters.
pub(crate) struct Deployment {
    template: Template,
}

/// A name that the template gives to a resource itself.
#[derive(Debug, PartialEq)]
pub(crate) struct Name {
    pub(crate) resource: String,
    pub(crate) text: String,
    /// Characters that it may have.
    pub(crate) most: usize,
}

impl Deployment {
    pub(crate) fn new(template: Template) -> Self {
        Self { template }
    }

    pub(crate) fn stack(&self) -> &str {
        &self.template.stack
    }

    pub(crate) fn region(&self) -> &str {
        &self.template.region
    }

    /// The value of a parameter, if it is not empty.
    pub(crate) fn parameter(&self, name: &str) -> Option<&str> {
        Some(self.template.parameter(name)?).filter(|it| !it.is_empty())
    }

    /// The value of a parameter that is a number. 0 if it is none, which `CloudFormation` refuses itself.
    pub(crate) fn number(&self, name: &str) -> f64 {
        self.parameter(name).and_then(|it| it.parse().ok()).unwrap_or_default()
    }

    /// Executions that the queues start at once at most.
    pub(crate) fn worker_executions(&self) -> f64 {
        let mappings = self.template.resources("AWS::Lambda::EventSourceMapping");
        mappings.map(|(_, it)| self.amount(&it["ScalingConfig"]["MaximumConcurrency"])).sum()
    }

    /// Executions that are kept for single functions.
    pub(crate) fn reserved_executions(&self) -> f64 {
        self.functions().map(|(_, it)| self.amount(&it["ReservedConcurrentExecutions"])).sum()
    }

    /// The number of functions that the gateway calls.
    pub(crate) fn api_functions(&self) -> usize {
        self.functions().filter(|(_, it)| it.get("AutoPublishAlias").is_some()).count()
    }

    /// The function with the most memory, and its memory in MB.
    pub(crate) fn largest_function(&self) -> (&str, f64) {
        let sizes = self.functions().map(|(name, it)| (name, self.amount(&it["MemorySize"])));
        sizes.max_by(|(_, one), (_, other)| one.total_cmp(other)).expect("functions")
    }

    /// The number of resources of the REST API, which are the beginnings of its paths.
    pub(crate) fn gateway_resources(&self) -> usize {
        let mut beginnings = BTreeSet::from([String::new()]);
        for (_, gateway) in self.template.resources("AWS::Serverless::Api") {
            for path in gateway["DefinitionBody"]["paths"].as_mapping().expect("paths").keys() {
                let mut beginning = String::new();
                for segment in text(path).split('/').filter(|it| !it.is_empty()) {
                    beginning = format!("{beginning}/{segment}");
                    beginnings.insert(beginning.clone());
                }
            }
        }
        beginnings.len()
    }

    /// The names that the template gives to resources itself. `CloudFormation` shortens those that it makes.
    pub(crate) fn names(&self) -> Vec<Name> {
        let limits = [
            ("AWS::Lambda::Function", "FunctionName", 64),
            ("AWS::CloudWatch::Alarm", "AlarmName", 255),
            ("AWS::CloudWatch::Dashboard", "DashboardName", 255),
        ];
        let mut names = Vec::new();
        for (kind, property, most) in limits {
            for (resource, it) in self.template.resources(kind) {
                if let Some(name) = it.get(property).and_then(|it| self.template.value(it)) {
                    names.push(Name { resource: resource.into(), text: text(&name), most });
                }
            }
        }
        names
    }

    /// The environment variables of each function.
    pub(crate) fn environments(&self) -> BTreeMap<&str, BTreeMap<String, String>> {
        let shared = self.template.of_all_functions()["Environment"]["Variables"].as_mapping();
        let of = |function: &Value| {
            let own = function["Environment"]["Variables"].as_mapping();
            // Functions of SAM have those of `Globals` too.
            let shared = shared.filter(|_| function.get("CodeUri").is_some());
            let both = shared.into_iter().chain(own).flatten();
            let set = both.filter_map(|(name, it)| Some((name, self.template.value(it)?)));
            set.map(|(name, it)| (text(name), text(&it))).collect()
        };
        self.functions().map(|(name, it)| (name, of(it))).collect()
    }

    fn functions(&self) -> impl Iterator<Item = (&str, &Value)> {
        FUNCTIONS.into_iter().flat_map(|it| self.template.resources(it))
    }

    /// A number of the template. 0 if it is not there.
    fn amount(&self, value: &Value) -> f64 {
        let value = self.template.value(value).filter(|it| !it.is_null());
        value.and_then(|it| text(&it).parse().ok()).unwrap_or_default()
    }
}
