//! What is generated from the functions' routes beside the description: the gateway's paths and refusals in
//! `template.yaml`, and the routes of `cargo lambda watch` in the root manifest.
//!
//! A route cannot exist in one and not in the other: `cargo openapi` writes both between their marks,
//! and a test holds them to the code.

use std::collections::BTreeMap;

use http_service::{Annotations, Api};
use problem_details::{BAD_REQUEST, PAYLOAD_TOO_LARGE, ProblemType, SERVICE_UNAVAILABLE};
use serde_json::json;

use crate::Stop;

/// Writes a generated part.
type Generate = fn(&[Api<Annotations>]) -> String;

/// The files that have a generated part, and what it is.
pub const GENERATED: [(&str, Generate); 2] =
    [("template.yaml", definition), ("Cargo.toml", watched)];

/// What the gateway refuses by itself, as what, and why. No function sees these requests.
const REFUSALS: [(&str, &ProblemType, &str); 4] = [
    ("DEFAULT_4XX", &BAD_REQUEST, "the gateway refused the request: $context.error.responseType"),
    ("REQUEST_TOO_LARGE", &PAYLOAD_TOO_LARGE, "the body is larger than the gateway takes"),
    ("THROTTLED", &SERVICE_UNAVAILABLE, "the gateway has more requests than it may pass on"),
    ("DEFAULT_5XX", &SERVICE_UNAVAILABLE, "no answer came in time: $context.error.responseType"),
];

const BEGIN: &str = "# >>> cargo openapi";
const END: &str = "# <<< cargo openapi";

/// The text with what is between its marks written anew.
pub fn rewritten(text: &str, generated: &str) -> Result<String, Stop> {
    let parts = text.split_once(BEGIN).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(END)?;
        let indent = before.rsplit('\n').next()?;
        Some(format!("{before}{BEGIN}\n{generated}{indent}{END}{after}"))
    });
    parts.ok_or_else(|| {
        Stop(format!("`{BEGIN}` and `{END}` mark the generated part; they are missing"))
    })
}

/// What stands in a definition for every method that a path does not name.
const ANY_METHOD: &str = "x-amazon-apigateway-any-method";

/// Every path, its methods, and the function that serves them.
type Served<'a> = BTreeMap<&'a str, BTreeMap<String, &'static str>>;

fn routes(apis: &[Api<Annotations>]) -> Served<'_> {
    let mut routes = Served::new();
    for operation in apis.iter().flat_map(|it| it.operations()) {
        let method = operation.method.as_str().to_ascii_lowercase();
        let methods = routes.entry(&operation.path).or_default();
        // Whoever answers GET answers HEAD; the gateway knows only what it is told.
        if method == "get" {
            methods.insert("head".to_owned(), operation.function);
        }
        methods.insert(method, operation.function);
    }
    routes
}

/// The function that refuses a path's other methods. The gateway looks for path and method together, so that
/// it would lead `GET …/compare` to `…/{uid}`, whose function knows no such path; everybody else's are led to
/// `public`.
fn keeper(path: &str, routes: &Served<'_>) -> Option<&'static str> {
    let own = &routes[path];
    let is_led_to = |(other, methods): (&&str, &BTreeMap<String, _>)| {
        *other != path
            && takes(other, path)
            && methods.keys().any(|method| !own.contains_key(method))
    };
    routes.iter().any(is_led_to).then(|| own.values().next().copied()).flatten()
}

/// Whether a path with parameters takes this one too.
fn takes(path: &str, other: &str) -> bool {
    let takes = |(one, other): (&str, &str)| one == other || one.starts_with('{');
    path.split('/').count() == other.split('/').count()
        && path.split('/').zip(other.split('/')).all(takes)
}

/// The paths of the gateway's definition: one integration for each operation, and `public` for all
/// else. And its refusals.
fn definition(apis: &[Api<Annotations>]) -> String {
    let mut yaml = String::new();
    let mut path_of = |path: &str, methods: &[(&str, &str)]| {
        yaml += &format!("          {path}:\n");
        for (method, function) in methods {
            let resource = resource(function);
            yaml += &format!(
                "            {method}:\n              \
                 responses: {{ default: {{ description: See openapi.json. }} }}\n              \
                 x-amazon-apigateway-integration:\n                \
                 type: aws_proxy\n                \
                 httpMethod: POST\n                \
                 uri: !Sub arn:${{AWS::Partition}}:apigateway:${{AWS::Region}}:lambda:path/2015-03-31/functions/${{{resource}.Arn}}/invocations\n"
            );
        }
    };
    let routes = routes(apis);
    for (path, methods) in &routes {
        let mut served: Vec<(&str, &str)> =
            methods.iter().map(|(it, by)| (it.as_str(), *by)).collect();
        served.extend(keeper(path, &routes).map(|by| (ANY_METHOD, by)));
        path_of(path, &served);
    }
    // `{proxy+}` is at least one segment.
    for rest in ["/", "/{proxy+}"] {
        path_of(rest, &[(ANY_METHOD, "public")]);
    }
    yaml + &refusals()
}

/// The gateway's own answers, in the shape of ours. It puts words in the place of `$context…`; the
/// deploy, the address in the place of `${PublicUrl}`.
fn refusals() -> String {
    let mut yaml = "        x-amazon-apigateway-gateway-responses:\n".to_owned();
    for (name, kind, detail) in REFUSALS {
        let status = kind.status.as_u16();
        let body = json!({
            "type": format!("${{PublicUrl}}/errors/{}", kind.slug),
            "title": kind.title,
            "status": status,
            "detail": detail,
            "instance": "$context.path",
        });
        yaml += &format!(
            "          {name}:\n            \
             statusCode: \"{status}\"\n            \
             responseParameters:\n              \
             gatewayresponse.header.Access-Control-Allow-Origin: \"'*'\"\n              \
             gatewayresponse.header.Content-Type: \"'application/problem+json'\"\n              \
             gatewayresponse.header.X-Request-Id: context.requestId\n"
        );
        if status == 503 {
            yaml += "              gatewayresponse.header.Retry-After: \"'1'\"\n";
        }
        yaml += &format!(
            "            responseTemplates:\n              application/json: !Sub '{body}'\n"
        );
    }
    yaml
}

/// The name of a function's resource in the template.
pub fn resource(function: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters
            .next()
            .map(|it| it.to_ascii_uppercase())
            .into_iter()
            .chain(letters)
            .collect::<String>()
    };
    function.split('-').map(capital).collect()
}

/// The routes of `cargo lambda watch`, with the stage in front, as the gateway sends them.
fn watched(apis: &[Api<Annotations>]) -> String {
    let mut toml = String::new();
    for (path, methods) in routes(apis) {
        let mut functions: Vec<&str> = methods.values().copied().collect();
        functions.sort_unstable();
        functions.dedup();
        match functions.as_slice() {
            [only] => toml += &format!("\"/api{path}\" = \"{only}\"\n"),
            _ => {
                let by_method = methods
                    .iter()
                    .map(|(method, function)| {
                        format!("{{ function = \"{function}\", method = \"{method}\" }}")
                    })
                    .collect::<Vec<_>>();
                toml += &format!("\"/api{path}\" = [{}]\n", by_method.join(", "));
            }
        }
    }
    toml + "\"/\" = \"public\"\n\"/{*unknown}\" = \"public\"\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_marks_is_written_anew() {
        let text = format!("before\n  {BEGIN}\nold\n  {END}\nafter\n");
        let new = rewritten(&text, "new\n").expect("marked");
        assert_eq!(new, format!("before\n  {BEGIN}\nnew\n  {END}\nafter\n"));
        assert!(rewritten("no marks", "new").is_err());
    }

    #[test]
    fn no_method_of_a_path_is_led_to_a_path_with_a_parameter() {
        let methods = |it: &[&str], by| it.iter().map(|it| ((*it).to_owned(), by)).collect();
        let routes = Served::from([
            ("/v1/companies/compare", methods(&["post"], "standard-read")),
            ("/v1/companies/count", methods(&["get", "head"], "search-read")),
            ("/v1/companies/{uid}", methods(&["get", "head"], "search-read")),
            ("/v1/companies/{uid}/events", methods(&["get", "head"], "public")),
        ]);
        assert_eq!(keeper("/v1/companies/compare", &routes), Some("standard-read"));
        for path in ["/v1/companies/count", "/v1/companies/{uid}", "/v1/companies/{uid}/events"] {
            assert_eq!(keeper(path, &routes), None, "{path}");
        }
    }

    #[test]
    fn a_resource_is_named_after_its_function() {
        assert_eq!(resource("search-read"), "SearchRead");
        assert_eq!(resource("public"), "Public");
    }
}
