//! The paths, preflight and error responses of the gateway in `template.yaml`, and the routes of `cargo lambda watch` in the root
//! manifest.

use std::collections::{BTreeMap, BTreeSet};

use deployment::resource_of;
use http_service::{Annotations, Api, cors};
use problem_details::{
    BAD_REQUEST, PAYLOAD_TOO_LARGE, ProblemType, RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE,
};
use serde_json::json;

/// Seconds after which a client may send a request again that the gateway has refused.
const RETRY_AFTER: u8 = 1;

/// Errors that the gateway answers itself, without calling a function: its name for the error, the problem
/// type, and the detail. The gateway replaces `$context…` with its value.
const ERROR_RESPONSES: [(&str, &ProblemType, &str); 4] = [
    ("DEFAULT_4XX", &BAD_REQUEST, "the gateway rejected the request: $context.error.responseType"),
    ("REQUEST_TOO_LARGE", &PAYLOAD_TOO_LARGE, "the request is larger than the gateway accepts"),
    // No fault of the service: alarms and rollbacks count answers from 500 on.
    ("THROTTLED", &RATE_LIMIT_EXCEEDED, "the gateway receives too many requests; retry later"),
    (
        "DEFAULT_5XX",
        &SERVICE_UNAVAILABLE,
        "the service did not answer: $context.error.responseType",
    ),
];

/// The alias of each function that the gateway calls. A new version gets its requests little by little.
const ALIAS: &str = "live";

/// The gateway's entry for every method that a path does not list.
const ANY_METHOD: &str = "x-amazon-apigateway-any-method";

/// For each path, its methods and the function that serves each of them.
type RoutesByPath<'a> = BTreeMap<&'a str, BTreeMap<String, &'static str>>;

fn routes_by_path(apis: &[Api<Annotations>]) -> RoutesByPath<'_> {
    let mut routes = RoutesByPath::new();
    for operation in apis.iter().flat_map(|it| it.operations()) {
        let method = operation.method.as_str().to_ascii_lowercase();
        let methods = routes.entry(&operation.path).or_default();
        // Our router answers HEAD wherever it answers GET; the gateway needs an entry for it.
        if method == "get" {
            methods.insert("head".to_owned(), operation.function);
        }
        methods.insert(method, operation.function);
    }
    routes
}

/// The function that answers the methods a path does not support, where one must be named.
///
/// The gateway selects a path by path and method together. It would send `GET …/compare` to `…/{uid}`,
/// whose function does not know the path `compare`. Such a path therefore sends its other methods to its
/// own function. The other methods of all other paths go to `public`.
fn fallback_function(path: &str, routes: &RoutesByPath<'_>) -> Option<&'static str> {
    let own = &routes[path];
    let would_receive = |(other, methods): (&&str, &BTreeMap<String, _>)| {
        *other != path
            && matches_path(other, path)
            && methods.keys().any(|method| !own.contains_key(method))
    };
    routes.iter().any(would_receive).then(|| own.values().next().copied()).flatten()
}

/// Whether a path pattern such as `/companies/{uid}` matches a path.
fn matches_path(pattern: &str, path: &str) -> bool {
    let matches = |(pattern, segment): (&str, &str)| pattern == segment || pattern.starts_with('{');
    pattern.split('/').count() == path.split('/').count()
        && pattern.split('/').zip(path.split('/')).all(matches)
}

/// The gateway's paths, each with an integration for each method, and its error responses. `public` answers
/// all other paths.
pub(crate) fn definition(apis: &[Api<Annotations>]) -> String {
    let streaming: BTreeSet<&str> = apis
        .iter()
        .map(Api::function)
        .filter(|(_, streams)| *streams)
        .map(|(name, _)| name)
        .collect();
    let mut yaml = String::new();
    let preflight = preflight();
    let mut add_path = |path: &str, methods: &[(&str, &str)]| {
        yaml += &format!("          {path}:\n");
        for (method, function) in methods {
            let resource = resource_of(function);
            let (mode, invocation) = match streaming.contains(function) {
                true => (
                    "responseTransferMode: STREAM\n                timeoutInMillis: 120000\n                ",
                    format!(
                        "2021-11-15/functions/${{{resource}.Arn}}:{ALIAS}/response-streaming-invocations"
                    ),
                ),
                false => {
                    ("", format!("2015-03-31/functions/${{{resource}.Arn}}:{ALIAS}/invocations"))
                }
            };
            yaml += &format!(
                "            {method}:\n              \
                 responses: {{ default: {{ description: See openapi.json. }} }}\n              \
                 x-amazon-apigateway-integration:\n                \
                 type: aws_proxy\n                \
                 httpMethod: POST\n                \
                 {mode}\
                 uri: !Sub arn:${{AWS::Partition}}:apigateway:${{AWS::Region}}:lambda:path/{invocation}\n"
            );
        }
        yaml += &preflight;
    };
    let routes = routes_by_path(apis);
    for (path, methods) in &routes {
        let mut entries: Vec<(&str, &str)> =
            methods.iter().map(|(method, function)| (method.as_str(), *function)).collect();
        entries.extend(fallback_function(path, &routes).map(|it| (ANY_METHOD, it)));
        add_path(path, &entries);
    }
    // `{proxy+}` matches one segment or more, so `/` needs an entry of its own.
    for path in ["/", "/{proxy+}"] {
        add_path(path, &[(ANY_METHOD, "public")]);
    }
    yaml + &error_responses()
}

/// The method OPTIONS of a path. The gateway answers preflight requests of browsers itself, as a function would: they come
/// before many requests of a page, and a call of a function costs time and money.
fn preflight() -> String {
    let methods = cors::ALLOWED_METHODS.map(|it| it.to_string()).join(",");
    let headers = [
        ("Allow-Origin", cors::ALLOWED_ORIGIN.to_owned()),
        ("Allow-Methods", methods),
        ("Allow-Headers", cors::ALLOWED_HEADERS.join(",")),
        ("Max-Age", cors::MAX_AGE.as_secs().to_string()),
    ];
    let declared = headers
        .each_ref()
        .map(|(name, _)| format!("Access-Control-{name}: {{ schema: {{ type: string }} }}"));
    let values = headers.map(|(name, value)| {
        format!(
            "                      method.response.header.Access-Control-{name}: \"'{value}'\"\n"
        )
    });
    format!(
        "            options:\n              \
         responses:\n                \
         \"200\":\n                  \
         description: CORS\n                  \
         headers: {{ {} }}\n              \
         x-amazon-apigateway-integration:\n                \
         type: mock\n                \
         requestTemplates: {{ application/json: '{{\"statusCode\": 200}}' }}\n                \
         responses:\n                  \
         default:\n                    \
         statusCode: \"200\"\n                    \
         responseParameters:\n{}",
        declared.join(", "),
        values.concat()
    )
}

/// The gateway's own error responses, as problem details. The deployment replaces `${PublicUrl}`.
fn error_responses() -> String {
    let mut yaml = "        x-amazon-apigateway-gateway-responses:\n".to_owned();
    for (name, kind, detail) in ERROR_RESPONSES {
        let status = kind.status.as_u16();
        let retries = [&RATE_LIMIT_EXCEEDED, &SERVICE_UNAVAILABLE].contains(&kind);
        let mut body = json!({
            "type": format!("${{PublicUrl}}/errors/{}", kind.slug),
            "title": kind.title,
            "status": status,
            "detail": detail,
            "instance": "$context.path",
        });
        if kind == &RATE_LIMIT_EXCEEDED {
            body["retryAfterSeconds"] = RETRY_AFTER.into();
        }
        yaml += &format!(
            "          {name}:\n            \
             statusCode: \"{status}\"\n            \
             responseParameters:\n              \
             gatewayresponse.header.Access-Control-Allow-Origin: \"'*'\"\n              \
             gatewayresponse.header.Content-Type: \"'application/problem+json'\"\n              \
             gatewayresponse.header.X-Request-Id: context.requestId\n"
        );
        if retries {
            yaml +=
                &format!("              gatewayresponse.header.Retry-After: \"'{RETRY_AFTER}'\"\n");
        }
        yaml += &format!(
            "            responseTemplates:\n              application/json: !Sub '{body}'\n"
        );
    }
    yaml
}

/// The routes of `cargo lambda watch`. Their paths include the stage, as in the gateway's events.
pub(crate) fn watch_routes(apis: &[Api<Annotations>]) -> String {
    let mut toml = String::new();
    for (path, methods) in routes_by_path(apis) {
        let mut functions: Vec<&str> = methods.values().copied().collect();
        functions.sort_unstable();
        functions.dedup();
        match functions.as_slice() {
            [only] => toml += &format!("\"/api{path}\" = \"{only}\"\n"),
            _ => {
                let by_method = methods
                    .iter()
                    .map(|(method, function)| {
                        let method = method.to_ascii_uppercase();
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
    fn throttling_is_no_failure_of_the_service() {
        let yaml = error_responses();
        let (_, throttled) = yaml.split_once("THROTTLED:").expect("an answer");
        let (throttled, _) = throttled.split_once("DEFAULT_5XX").expect("the next one");
        for expected in ["statusCode: \"429\"", "Retry-After: \"'1'\"", "\"retryAfterSeconds\":1"] {
            assert!(throttled.contains(expected), "{throttled}");
        }
    }

    #[test]
    fn a_fixed_path_answers_its_unsupported_methods_itself() {
        let methods = |methods: &[&str], function| {
            methods.iter().map(|it| ((*it).to_owned(), function)).collect()
        };
        let routes = RoutesByPath::from([
            ("/v1/companies/compare", methods(&["post"], "standard-read")),
            ("/v1/companies/count", methods(&["get", "head"], "search-read")),
            ("/v1/companies/{uid}", methods(&["get", "head"], "search-read")),
            ("/v1/companies/{uid}/events", methods(&["get", "head"], "public")),
        ]);
        assert_eq!(fallback_function("/v1/companies/compare", &routes), Some("standard-read"));
        for path in ["/v1/companies/count", "/v1/companies/{uid}", "/v1/companies/{uid}/events"] {
            assert_eq!(fallback_function(path, &routes), None, "{path}");
        }
    }
}
