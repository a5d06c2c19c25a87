//! Checks the links in the OpenAPI document, by following each of them.

use http::{Request, Response};
use serde_json::Value;

use super::{ExampleApi, bodies::RequestBody, parameters::Parameters};
use crate::{CommandError, Context};

/// An operation in the document.
struct Operation<'a> {
    method: &'a str,
    path: &'a str,
    definition: &'a Value,
}

impl ExampleApi {
    /// Follows every link: calls its operation with the examples, and then the linked operation with the
    /// values that the link takes from the answer. Fails if a link cannot be followed.
    pub async fn check_links(&mut self, document: &Value) -> Result<(), CommandError> {
        let operations = operations(document);
        for from in &operations {
            for (name, link) in links(from.definition) {
                let followed = self.follow(from, link, &operations).await;
                followed.context(format_args!("link {name} of {} {}", from.method, from.path))?;
            }
        }
        Ok(())
    }

    async fn follow(
        &mut self,
        from: &Operation<'_>,
        link: &Value,
        operations: &[Operation<'_>],
    ) -> Result<(), CommandError> {
        let id = &link["operationId"];
        let to = operations.iter().find(|it| it.definition["operationId"] == *id);
        let to = to.ok_or_else(|| CommandError(format!("unknown operation {id}")))?;
        let answer = self.call_operation(from, Parameters::of(from.definition)).await?;
        let mut parameters = Parameters::of(to.definition);
        for (name, expression) in link["parameters"].as_object().into_iter().flatten() {
            let pointer = expression.as_str().and_then(|it| it.strip_prefix("$response.body#"));
            let value = pointer.and_then(|it| answer.body().pointer(it)).filter(|it| !it.is_null());
            let value =
                value.ok_or_else(|| CommandError(format!("the answer has no {expression}")))?;
            parameters.set(name, value)?;
        }
        self.call_operation(to, parameters).await.map(drop)
    }

    async fn call_operation(
        &mut self,
        Operation { method, path, definition }: &Operation<'_>,
        parameters: Parameters,
    ) -> Result<Response<Value>, CommandError> {
        let body = RequestBody::of(definition);
        let request = Request::builder().method(method.to_ascii_uppercase().as_str());
        self.call(&parameters.uri(path), (request, body)).await
    }
}

fn operations(document: &Value) -> Vec<Operation<'_>> {
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        for (method, definition) in item.as_object().into_iter().flatten() {
            operations.push(Operation { method, path, definition });
        }
    }
    operations
}

fn links(definition: &Value) -> impl Iterator<Item = (&String, &Value)> {
    let responses = definition["responses"].as_object().into_iter().flatten();
    responses.filter_map(|(_, it)| it["links"].as_object()).flatten()
}
