//! `template.yaml` with the values of its parameters.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    fmt,
};

use serde_yaml::Value;

/// `CloudFormation` ends the names that it makes with up to this many random characters.
const RANDOM: &str = "0123456789abc";
/// Numbers of accounts have this length.
const ACCOUNT: &str = "123456789012";

/// Functions of `CloudFormation` are evaluated as far as the checks need them. A name that is only known after the deployment is
/// replaced by one of the same form, which is at least as long.
pub(crate) struct Template {
    pub(crate) stack: String,
    pub(crate) region: String,
    content: Value,
    parameters: BTreeMap<String, String>,
}

/// Why the parameters do not fit the template.
#[derive(Debug, PartialEq)]
pub(crate) enum Refusal {
    NotAPair(String),
    /// A value with a space, without quotation marks.
    Unquoted(String),
    Unknown(String),
    Missing(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAPair(text) => write!(f, "`{text}` is not of the form Name=Value"),
            Self::Unquoted(name) => write!(
                f,
                "`sam deploy` cuts the value of `{name}` at its first space: write '{name}=\"…\"', with both quotation marks"
            ),
            Self::Unknown(name) => write!(f, "the template has no parameter `{name}`"),
            Self::Missing(name) => write!(f, "the parameter `{name}` has no default: give it"),
        }
    }
}

impl Template {
    /// `given` are texts of the form `Name=Value`. Other parameters have their defaults.
    pub(crate) fn new(
        content: &str,
        stack: &str,
        region: &str,
        given: &[String],
    ) -> Result<Self, Refusal> {
        let content: Value = serde_yaml::from_str(content).expect("YAML");
        let declared = content["Parameters"].as_mapping().expect("parameters");
        let mut parameters = BTreeMap::new();
        for pair in given {
            let split = pair.split_once('=').ok_or_else(|| Refusal::NotAPair(pair.clone()));
            let (name, value) = split?;
            if !declared.contains_key(name) {
                return Err(Refusal::Unknown(name.into()));
            }
            let quoted = value.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
            if quoted.is_none() && value.contains(char::is_whitespace) {
                return Err(Refusal::Unquoted(name.into()));
            }
            parameters.insert(name.to_owned(), quoted.unwrap_or(value).to_owned());
        }
        for (name, parameter) in declared {
            let name = text(name);
            if let Entry::Vacant(missing) = parameters.entry(name) {
                let Some(default) = parameter.get("Default") else {
                    return Err(Refusal::Missing(missing.into_key()));
                };
                missing.insert(text(default));
            }
        }
        Ok(Self { stack: stack.into(), region: region.into(), content, parameters })
    }

    pub(crate) fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.get(name).map(String::as_str)
    }

    /// The settings that all functions of SAM share.
    pub(crate) fn of_all_functions(&self) -> &Value {
        &self.content["Globals"]["Function"]
    }

    /// The resources of a kind that will exist, and their properties.
    pub(crate) fn resources(&self, kind: &str) -> impl Iterator<Item = (&str, &Value)> {
        let resources = self.content["Resources"].as_mapping().expect("resources");
        let exists = move |it: &Value| {
            let condition = it["Condition"].as_str();
            it["Type"].as_str() == Some(kind) && condition.is_none_or(|it| self.condition(it))
        };
        let found = resources.iter().filter(move |(_, it)| exists(it));
        found.map(|(name, it)| (name.as_str().unwrap_or_default(), &it["Properties"]))
    }

    /// A value after its function is evaluated. `None` if it is not set: `AWS::NoValue`.
    pub(crate) fn value(&self, value: &Value) -> Option<Value> {
        let Value::Tagged(tagged) = value else { return Some(value.clone()) };
        let argument = &tagged.value;
        match tagged.tag.to_string().as_str() {
            "!Ref" => self.reference(&text(argument)).map(Value::String),
            "!Sub" => Some(Value::String(self.substituted(&text(argument)))),
            "!If" => {
                let chosen = if self.condition(&text(&argument[0])) { 1 } else { 2 };
                self.value(&argument[chosen])
            }
            other => panic!("the template uses {other} where this is not expected"),
        }
    }

    fn condition(&self, name: &str) -> bool {
        self.holds(&self.content["Conditions"][name])
    }

    fn holds(&self, condition: &Value) -> bool {
        let Value::Tagged(tagged) = condition else { panic!("{condition:?} is no condition") };
        let argument = &tagged.value;
        match tagged.tag.to_string().as_str() {
            "!Equals" => {
                let side = |index: usize| self.value(&argument[index]).map(|it| text(&it));
                side(0) == side(1)
            }
            "!Not" => !self.holds(&argument[0]),
            "!And" => argument.as_sequence().expect("conditions").iter().all(|it| self.holds(it)),
            other => panic!("the template has a condition with {other}"),
        }
    }

    /// The text of `!Sub`.
    fn substituted(&self, pattern: &str) -> String {
        let mut parts = pattern.split("${");
        let mut whole = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (name, rest) = part.split_once('}').expect("a closing brace");
            whole += &self.reference(name).unwrap_or_default();
            whole += rest;
        }
        whole
    }

    fn reference(&self, name: &str) -> Option<String> {
        let (stack, region) = (&self.stack, &self.region);
        if let Some(value) = self.parameters.get(name) {
            return Some(value.clone());
        }
        let resource = &self.content["Resources"][name];
        let made = |most: usize| -> String {
            format!("{stack}-{name}-{RANDOM}").chars().take(most).collect()
        };
        Some(match (name, resource["Type"].as_str()) {
            ("AWS::NoValue", _) => return None,
            ("AWS::StackName", _) => stack.clone(),
            ("AWS::Region", _) => region.clone(),
            (_, Some("AWS::SQS::Queue")) => {
                format!("https://sqs.{region}.amazonaws.com/{ACCOUNT}/{}", made(80))
            }
            (_, Some("AWS::SecretsManager::Secret")) => {
                format!("arn:aws:secretsmanager:{region}:{ACCOUNT}:secret:{name}-{RANDOM}-abcdef")
            }
            (_, Some("AWS::S3::Bucket")) => made(63),
            (_, Some("AWS::DynamoDB::Table")) => made(255),
            (_, Some("AWS::Serverless::Function" | "AWS::SES::ConfigurationSet")) => made(64),
            (_, other) => panic!("the length of the name of {name} ({other:?}) is not known"),
        })
    }
}

/// A scalar as text, as `CloudFormation` compares it.
pub(crate) fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Bool(yes) => yes.to_string(),
        other => panic!("{other:?} is no text"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(given: &[&str]) -> Result<Template, Refusal> {
        let content = "{ Parameters: { Url: { Type: String }, Days: { Default: 0 } }, \
                       Conditions: { HasDays: !Not [!Equals [!Ref Days, 0]] }, \
                       Resources: { Queue: { Type: 'AWS::SQS::Queue' }, \
                       Plan: { Type: Plan, Condition: HasDays, Properties: {} } } }";
        let given: Vec<_> = given.iter().map(ToString::to_string).collect();
        Template::new(content, "stack", "eu-central-2", &given)
    }

    fn value(template: &Template, text: &str) -> Option<Value> {
        template.value(&serde_yaml::from_str(text).expect("YAML"))
    }

    #[test]
    fn parameters_are_those_of_the_template() {
        let refusal = |given| template(given).err();
        assert_eq!(refusal(&["Url=a=b"]), None);
        assert_eq!(template(&["Url=a=b"]).expect("fits").parameter("Url"), Some("a=b"));
        assert_eq!(template(&["Url=\"a b\""]).expect("fits").parameter("Url"), Some("a b"));
        assert_eq!(refusal(&[]), Some(Refusal::Missing("Url".into())));
        assert_eq!(refusal(&["Url=a", "Day=1"]), Some(Refusal::Unknown("Day".into())));
        assert_eq!(refusal(&["Url"]), Some(Refusal::NotAPair("Url".into())));
        assert_eq!(refusal(&["Url=a b"]), Some(Refusal::Unquoted("Url".into())));
        assert_eq!(refusal(&["Url=\"a b\""]), None);
    }

    #[test]
    fn functions_are_evaluated() {
        let none = template(&["Url=a"]).expect("fits");
        let some = template(&["Url=a", "Days=7"]).expect("fits");
        let text = |it: &str| Some(Value::String(it.into()));
        assert_eq!(value(&some, "!If [HasDays, !Ref Days, 1]"), text("7"));
        assert_eq!(value(&none, "!If [HasDays, 1, !Ref AWS::NoValue]"), None);
        assert_eq!(
            value(&none, "!Sub '${AWS::StackName} in ${AWS::Region}: ${Url}!'"),
            text("stack in eu-central-2: a!")
        );
        let url = "https://sqs.eu-central-2.amazonaws.com/123456789012/stack-Queue-0123456789abc";
        assert_eq!(value(&none, "!Ref Queue"), text(url));
        assert_eq!(none.resources("Plan").count(), 0);
        assert_eq!(some.resources("Plan").count(), 1);
    }
}
