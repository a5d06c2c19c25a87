//! The links of the description: each is followed, from what the functions answer.

use http::{Request, Response};
use serde_json::Value;

use super::{Parameters, World};
use crate::Stop;

/// An operation of the description.
struct Described<'a> {
    method: &'a str,
    path: &'a str,
    operation: &'a Value,
}

impl World {
    /// Follows every link: asks where it begins as the examples say, and then what it leads to with what the
    /// answer gives. One that leads nowhere stops it.
    pub async fn follow_links(&mut self, document: &Value) -> Result<(), Stop> {
        let operations = operations(document);
        for from in &operations {
            for (name, link) in links(from.operation) {
                let followed = self.follow(from, link, &operations).await;
                followed
                    .map_err(|it| Stop(format!("{} {}, {name}: {it}", from.method, from.path)))?;
            }
        }
        Ok(())
    }

    async fn follow(
        &mut self,
        from: &Described<'_>,
        link: &Value,
        operations: &[Described<'_>],
    ) -> Result<(), Stop> {
        let to = operations.iter().find(|it| it.operation["operationId"] == link["operationId"]);
        let to =
            to.ok_or_else(|| Stop(format!("there is no operation {}", link["operationId"])))?;
        let answer = self.ask_for(from, Parameters::of(from.operation)).await?;
        let mut parameters = Parameters::of(to.operation);
        for (name, expression) in link["parameters"].as_object().into_iter().flatten() {
            let place = expression.as_str().and_then(|it| it.strip_prefix("$response.body#"));
            let value = place.and_then(|it| answer.body().pointer(it)).filter(|it| !it.is_null());
            let value = value.ok_or_else(|| Stop(format!("the answer has no {expression}")))?;
            parameters.give(name, value)?;
        }
        self.ask_for(to, parameters).await.map(drop)
    }

    async fn ask_for(
        &mut self,
        Described { method, path, operation }: &Described<'_>,
        parameters: Parameters,
    ) -> Result<Response<Value>, Stop> {
        let body = operation["requestBody"]["content"]["application/json"]["example"].clone();
        let request = Request::builder().method(method.to_ascii_uppercase().as_str());
        self.answer(&parameters.uri(path), (request, body)).await
    }
}

fn operations(document: &Value) -> Vec<Described<'_>> {
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        for (method, operation) in item.as_object().into_iter().flatten() {
            operations.push(Described { method, path, operation });
        }
    }
    operations
}

fn links(operation: &Value) -> impl Iterator<Item = (&String, &Value)> {
    let answers = operation["responses"].as_object().into_iter().flatten();
    answers.filter_map(|(_, it)| it["links"].as_object()).flatten()
}
