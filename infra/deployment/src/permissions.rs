//! The permissions of a function, as statements of its role.

use std::collections::BTreeSet;

use crate::declaration::{Declaration, EveryFunction, Kind, Refusal};

/// What a worker does with its own queue. For an event source of the function itself, SAM would allow all queues of the account.
const RECEIVE: &str = "ReceiveMessage DeleteMessage ChangeMessageVisibility GetQueueAttributes";
/// The partitions of a caller, in declarations.
const CALLER: &str = "@caller";

/// What a permission can be about.
struct Object {
    service: &'static str,
    arn: String,
    /// The condition of the template under which it exists.
    condition: Option<&'static str>,
    operations: &'static str,
}

const OF_TABLES: &str = "BatchGetItem BatchWriteItem ConditionCheckItem DeleteItem GetItem PutItem Query Scan UpdateItem";
const OF_THE_BUCKET: &str =
    "AbortMultipartUpload DeleteObject GetObject ListBucket ListBucketMultipartUploads PutObject";

/// What a declaration may name, beside queues.
fn object(name: &str) -> Option<Object> {
    let (attribute, reference) = (format!("!GetAtt {name}.Arn"), format!("!Ref {name}"));
    let secret = |condition| ("secretsmanager", reference.clone(), condition, "GetSecretValue");
    let (service, arn, condition, operations) = match name {
        "Registry" | "Tenants" | "Counters" => ("dynamodb", attribute, None, OF_TABLES),
        "Bucket" => ("s3", attribute, None, OF_THE_BUCKET),
        "MailIdentity" => ("ses", reference, Some("HasMail"), "SendEmail"),
        // It has no attribute with its ARN.
        "MailConfiguration" => {
            let arn = "!Sub arn:${AWS::Partition}:ses:${AWS::Region}:${AWS::AccountId}:configuration-set/${MailConfiguration}";
            ("ses", arn.to_owned(), Some("HasMail"), "SendEmail")
        }
        "BedrockModelArns" => ("bedrock", reference, Some("HasModel"), "InvokeModel"),
        // Those that the operator may leave out.
        "ProxySecret" => secret(Some("HasProxy")),
        "StripeSecret" => secret(Some("HasPayments")),
        "ZefixSecret" => secret(Some("HasAccount")),
        _ if name.ends_with("Secret") => secret(None),
        _ => return None,
    };
    Some(Object { service, arn, condition, operations })
}

/// A statement of a role.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Statement {
    /// With the service before each.
    actions: Vec<String>,
    /// ARNs.
    resources: Vec<String>,
    /// Lines of the member `Condition`.
    restriction: Vec<String>,
    /// The condition of the template under which the statement exists.
    condition: Option<&'static str>,
}

/// The statements of a function beside those that every function has.
pub(crate) fn statements(
    declaration: &Declaration,
    every: &EveryFunction,
    kind: Kind,
) -> Result<Vec<Statement>, Refusal> {
    let mut statements: Vec<Statement> = Vec::new();
    if let Some(queue) = &declaration.queue {
        statements.push(Statement::about_queue(&queue.name, RECEIVE));
    }
    statements.extend(declaration.sends.iter().map(|it| Statement::about_queue(it, "SendMessage")));
    for secret in declaration.secrets.values() {
        statements.push(Statement::new("secrets", secret, "GetSecretValue")?);
    }
    for (object, operations) in &declaration.may {
        let object = object.replace(CALLER, &every.caller);
        statements.push(Statement::new("may", &object, operations)?);
    }
    if kind == Kind::Api {
        for (object, operations) in &every.may {
            statements.push(Statement::new("may", object, operations)?);
        }
    }
    statements.extend(lists_of_what_is_read(declaration)?);
    Ok(merged(statements))
}

/// Without the permission to list objects, a missing object is a 403, not a 404. The name of the object counts as the prefix.
fn lists_of_what_is_read(declaration: &Declaration) -> Result<Option<Statement>, Refusal> {
    let operations = |object: &str| declaration.may.get(object).map_or("", String::as_str);
    if operations("Bucket").split(' ').any(|it| it == "ListBucket") {
        return Ok(None);
    }
    let is_read =
        |(_, operations): &(&String, &String)| operations.split(' ').any(|it| it == "GetObject");
    let read = declaration.may.iter().filter(is_read);
    let folders = read.filter_map(|(object, _)| object.strip_prefix("Bucket/")?.split('/').next());
    let prefixes: BTreeSet<String> = folders.map(|it| format!("{it}/*")).collect();
    if prefixes.is_empty() {
        return Ok(None);
    }
    let prefixes: Vec<String> = prefixes.into_iter().collect();
    Statement::new("may", &format!("Bucket if {}", prefixes.join(" ")), "ListBucket").map(Some)
}

/// One statement for the same operations on several objects: a role is limited to 10,240 characters.
fn merged(statements: Vec<Statement>) -> Vec<Statement> {
    let mut merged: Vec<Statement> = Vec::new();
    for statement in statements {
        let same = |it: &&mut Statement| {
            it.actions == statement.actions
                && it.restriction == statement.restriction
                && it.condition == statement.condition
        };
        match merged.iter_mut().find(same) {
            Some(before) => before.resources.extend(statement.resources),
            None => merged.push(statement),
        }
    }
    merged
}

impl Statement {
    fn about_queue(name: &str, operations: &str) -> Self {
        Self {
            actions: operations.split(' ').map(|it| format!("sqs:{it}")).collect(),
            resources: vec![format!("!GetAtt {}Queue.Arn", crate::resource_of(name))],
            restriction: Vec::new(),
            condition: None,
        }
    }

    /// From the notation of [`Declaration::may`]. `member` is named if it is not understood.
    fn new(member: &str, about: &str, operations: &str) -> Result<Self, Refusal> {
        let refused = |reason: &str| Refusal::new(format!("{member}.\"{about}\""), reason);
        let (path, restriction) = match about.split_once(" if ") {
            Some((path, restriction)) => (path, Some(restriction)),
            None => (about, None),
        };
        let (name, prefix) = match path.split_once('/') {
            Some((name, prefix)) => (name, Some(prefix)),
            None => (path, None),
        };
        let Object { service, arn, condition, operations: known } = object(name)
            .ok_or_else(|| refused("names no table, bucket, secret, mails or model"))?;
        if let Some(unknown) = operations.split(' ').find(|it| !words(known).contains(it)) {
            return Err(refused(&format!("has no operation `{unknown}`; it has {known}")));
        }
        let arn = match (service, prefix) {
            (_, None) => arn,
            ("s3", Some(prefix)) => format!("!Sub ${{Bucket.Arn}}/{prefix}"),
            _ => return Err(refused("has a path, which only objects of the bucket have")),
        };
        let restriction = match (service, restriction) {
            (_, None) => Vec::new(),
            ("s3", Some(prefixes)) if prefix.is_none() => {
                let prefixes = words(prefixes).join(", ");
                vec![format!("Condition: {{ StringLike: {{ \"s3:prefix\": [{prefixes}] }} }}")]
            }
            // A scan names no key, and a condition on keys holds for it.
            ("dynamodb", Some(_)) if words(operations).contains(&"Scan") => {
                return Err(refused("has `Scan`, which no restriction limits"));
            }
            ("dynamodb", Some(restriction)) => of_items(restriction),
            _ => return Err(refused("has a restriction, which only tables and the bucket have")),
        };
        let actions = operations.split(' ').map(|it| format!("{service}:{it}")).collect();
        Ok(Self { actions, resources: vec![arn], restriction, condition })
    }

    /// Whether it is about all objects of a folder of the bucket.
    pub(crate) fn is_about_folder(&self, folder: &str) -> bool {
        self.resources.iter().any(|it| *it == format!("!Sub ${{Bucket.Arn}}/{folder}/*"))
    }

    /// Its lines in the template.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines = vec!["- Effect: Allow".to_owned()];
        lines.push(match self.actions.as_slice() {
            [only] => format!("  Action: {only}"),
            several => format!("  Action: [{}]", several.join(", ")),
        });
        match self.resources.as_slice() {
            [only] => lines.push(format!("  Resource: {only}")),
            several => {
                lines.push("  Resource:".to_owned());
                lines.extend(several.iter().map(|it| format!("    - {it}")));
            }
        }
        lines.extend(self.restriction.iter().map(|it| format!("  {it}")));
        let Some(condition) = self.condition else { return lines };
        let mut conditional = vec!["- !If".to_owned(), format!("  - {condition}")];
        conditional.extend(lines.iter().map(|it| format!("  {it}")));
        conditional.push("  - !Ref AWS::NoValue".to_owned());
        conditional
    }
}

/// The restriction to partitions and attributes of a table. The keys have several values: without `ForAllValues`, it would never hold.
fn of_items(restriction: &str) -> Vec<String> {
    let (attributes, partitions) = match restriction.split_once(" of ") {
        Some((attributes, partitions)) => (Some(attributes), partitions),
        None => (None, restriction),
    };
    let partitions: BTreeSet<String> =
        partitions.split(' ').map(|it| format!("\"{it}\"")).collect();
    let partitions: Vec<String> = partitions.into_iter().collect();
    let mut lines = vec!["Condition:".to_owned()];
    lines.push(format!(
        "  ForAllValues:StringLike: {{ \"dynamodb:LeadingKeys\": [{}] }}",
        partitions.join(", ")
    ));
    lines.extend(attributes.map(|it| {
        format!(
            "  ForAllValues:StringEquals: {{ \"dynamodb:Attributes\": [{}] }}",
            words(it).join(", ")
        )
    }));
    lines
}

fn words(text: &str) -> Vec<&str> {
    text.split(' ').collect()
}
