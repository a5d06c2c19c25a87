//! The OpenAPI description matches what the functions declare and enforce.

use access::{Environment, Role, Scope, Tier};
use http::{Request, StatusCode};
use problem_details::PROBLEM_TYPES;
use serde_json::Value;
use tests::{Service, bearing, company, from};

const CHECKED_IN: &str = include_str!("../../functions/api/public/openapi.json");

/// Generated are the description, the list of operations, and sections of the template and of other files.
#[tokio::test]
async fn committed_files_are_what_cargo_openapi_generates() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for (path, text) in local::openapi::generated_files(&root).await.expect("generated") {
        let checked_in = std::fs::read_to_string(root.join(path)).expect("a file");
        assert!(text == checked_in, "{path}: run `cargo openapi` and review the difference");
    }
}

#[tokio::test]
async fn every_api_function_is_in_the_template_and_the_gateway_may_call_it() {
    let template = include_str!("../../template.yaml");
    let service = Service::start().await;
    for operation in &service.operations {
        let resource = deployment::resource_of(operation.function);
        for part in [
            format!("\n  {resource}:\n    Type: AWS::Serverless::Function"),
            format!("\n        Binary: {}\n", operation.function),
            format!("\n  {resource}Permission:\n    Type: AWS::Lambda::Permission"),
        ] {
            assert!(template.contains(&part), "{part}");
        }
    }
}

#[tokio::test]
async fn the_description_is_served_at_both_addresses_without_a_token() {
    let service = Service::start().await;
    for path in ["/api/v1/openapi.json", "/api/openapi.json"] {
        let answer = service.get(path).await;
        assert_eq!(answer.text, CHECKED_IN);
        let tag = answer.header("etag").expect("a tag").to_owned();
        let cached = service.send(http::Request::get(path).header("if-none-match", tag)).await;
        assert_eq!(cached.status.as_u16(), 304);
    }
}

#[tokio::test]
async fn the_description_contains_exactly_the_operations_of_the_functions() {
    let service = Service::start().await;
    let document: Value = serde_json::from_str(CHECKED_IN).expect("json");
    assert_eq!(document["openapi"], "3.0.3");
    let paths = document["paths"].as_object().expect("paths");
    let mut described: Vec<(String, String)> = paths
        .iter()
        .flat_map(|(path, item)| {
            item.as_object().expect("methods").keys().map(|it| (path.clone(), it.to_uppercase()))
        })
        .collect();
    let mut served: Vec<(String, String)> =
        service.operations.iter().map(|it| (it.path.clone(), it.method.to_string())).collect();
    described.sort_unstable();
    served.sort_unstable();
    assert_eq!(described, served);
}

/// On Lambda, the gateway sends requests without a route to `public`, which has no routes of the other functions.
#[tokio::test]
async fn the_public_function_knows_the_methods_of_every_path() {
    let service = Service::public_function().await;
    let all = Service::start().await;
    for operation in &service.operations {
        let path = operation.path.replace("{uid}", "CHE-107.787.577").replace("{id}", "x");
        let wrong = service.send(http::Request::patch(&path)).await;
        assert_eq!(wrong.slug(), "method-not-allowed", "{path}");
        let allow = wrong.header("allow").expect("methods");
        assert!(allow.split(',').any(|it| it == operation.method.as_str()), "{path}: {allow}");
        let local = all.send(http::Request::patch(&path)).await;
        let locally_allowed = local.header("allow").expect("methods");
        assert_eq!(methods(locally_allowed), methods(allow), "{path}");
    }
    assert_eq!(service.get("/v1/nowhere").await.slug(), "not-found");
    assert_eq!(service.get("/v1/companies").await.slug(), "not-found");
    assert_eq!(service.get("/health").await.status.as_u16(), 200);
}

/// The methods in an `Allow` header, in alphabetical order.
fn methods(allow: &str) -> Vec<&str> {
    let mut methods: Vec<_> = allow.split(',').map(str::trim).collect();
    methods.sort_unstable();
    methods
}

#[test]
fn every_operation_is_documented_completely() {
    let document: Value = serde_json::from_str(CHECKED_IN).expect("json");
    let mut ids = Vec::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("methods") {
            let named = format!("{method} {path}");
            for member in ["summary", "description", "operationId"] {
                assert!(
                    operation[member].as_str().is_some_and(|it| !it.is_empty()),
                    "{named}: {member}"
                );
            }
            for member in ["x-rate-group", "x-minimum-tier", "x-credits", "security", "tags"] {
                assert!(!operation[member].is_null(), "{named}: {member}");
            }
            ids.push(operation["operationId"].clone());
            for status in ["400", "401", "403", "405", "429", "500", "503"] {
                assert!(!operation["responses"][status].is_null(), "{named}: {status}");
            }
            for (status, response) in operation["responses"].as_object().expect("responses") {
                let own = response["$ref"].is_null();
                let complete = !own || !response["headers"]["x-request-id"].is_null();
                assert!(complete, "{named}: {status} documents its headers");
                for (media_type, content) in response["content"].as_object().into_iter().flatten() {
                    let binary = content["schema"]["format"] == "binary";
                    let shown = !own
                        || binary
                        || !content["example"].is_null()
                        || !content["examples"].is_null();
                    assert!(shown, "{named}: {status} has an example of {media_type}");
                }
            }
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let is_described =
                    parameter["description"].as_str().is_some_and(|it| !it.is_empty());
                assert!(is_described, "{named}: {}", parameter["name"]);
            }
        }
    }
    let count = ids.len();
    ids.sort_by_key(Value::to_string);
    ids.dedup();
    assert_eq!(ids.len(), count, "operation ids are unique");
}

/// Calls a function with a value and every value in it, each with its path.
fn visit(value: &Value, path: &str, visitor: &impl Fn(&Value, &str)) {
    visitor(value, path);
    match value {
        Value::Array(items) => items.iter().for_each(|it| visit(it, path, visitor)),
        Value::Object(members) => {
            let inside = |(name, it): (&String, &Value)| {
                visit(it, &format!("{path}/{name}"), visitor);
            };
            members.iter().for_each(inside);
        }
        _ => {}
    }
}

#[test]
fn the_description_has_no_constructs_of_openapi_3_1() {
    let check = |value: &Value, path: &str| match value {
        Value::Object(members) => {
            assert!(!members.get("type").is_some_and(Value::is_array), "{path}");
            assert!(members.get("$ref").is_none() || members.len() == 1, "{path}");
        }
        Value::String(text) => assert_ne!(text, "null", "{path}"),
        _ => {}
    };
    visit(&serde_json::from_str(CHECKED_IN).expect("json"), "", &check);
}

/// Values that a parameter's schema does not allow.
fn invalid_values(schema: &Value) -> Vec<String> {
    let mut values = Vec::new();
    if let Some(items) = schema.get("items") {
        values = invalid_values(items);
        // Different values, because repeated ones count once.
        let maximum = schema["maxItems"].as_u64().expect("a list has a limit");
        values.push((0..=maximum).map(|it| it.to_string()).collect::<Vec<_>>().join(","));
        return values;
    }
    if let Some(minimum) = schema["minimum"].as_f64() {
        let below = if schema["exclusiveMinimum"] == true { minimum } else { minimum - 1.0 };
        values.push(below.to_string());
    }
    if let Some(maximum) = schema["maximum"].as_f64() {
        values.push((maximum + 1.0).to_string());
    }
    if let Some(maximum) = schema["maxLength"].as_u64() {
        values.push("a".repeat(maximum as usize + 1));
    }
    if schema["minLength"] == 1 {
        values.push(String::new());
    }
    if schema["type"] != "string"
        || ["enum", "pattern", "format"].iter().any(|it| !schema[it].is_null())
    {
        values.push("%C2%A7".to_owned());
    }
    values
}

#[tokio::test]
async fn a_value_outside_its_documented_limits_is_refused() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    let team = service.team(Tier::Enterprise).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let session = service.session(&team, Role::Owner).await;
    let document: Value = serde_json::from_str(CHECKED_IN).expect("json");
    let mut tried = 0_u16;
    for (path, item) in document["paths"].as_object().expect("paths") {
        let parameters = item["get"]["parameters"].as_array();
        let parameters: Vec<&Value> = parameters.into_iter().flatten().collect();
        for parameter in parameters.iter().filter(|it| it["in"] != "header") {
            let name = parameter["name"].as_str().expect("a name");
            let values = invalid_values(&parameter["schema"]);
            assert!(!values.is_empty(), "{path}: {name} has a limit");
            for value in values {
                let (mut uri, mut query) = (path.clone(), Vec::new());
                for other in &parameters {
                    let (other_name, is_tested) =
                        (other["name"].as_str().expect("a name"), other == parameter);
                    let example = other["example"].to_string().replace('"', "");
                    let sent = if is_tested { &value } else { &example };
                    let sent = &sent.replace(' ', "%20");
                    if other["in"] == "path" {
                        uri = uri.replace(&format!("{{{other_name}}}"), sent);
                    } else if other["in"] == "query" && (is_tested || other["required"] == true) {
                        query.push(format!("{other_name}={sent}"));
                    }
                }
                let uri = format!("{uri}?{}", query.join("&"));
                tried += 1;
                // Some operations are counted by address, so every request uses another one.
                let address = format!("198.51.{}.{}", tried / 256, tried % 256);
                let needs_session = item["get"]["x-requires-session"] == true;
                let token = if needs_session { &session } else { &key };
                let request = from(&address, bearing(token, Request::get(&uri)));
                let answer = service.send(request).await;
                if parameter["in"] == "path" && answer.status == StatusCode::NOT_FOUND {
                    continue;
                }
                assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{uri}: {}", answer.text);
                assert_eq!(answer.body["errors"][0]["member"], name, "{uri}");
            }
        }
    }
    assert!(tried > 100, "{tried}");
}

/// Spellings that the descriptions of parameters mention are allowed by their schemas too.
#[tokio::test]
async fn spellings_that_are_accepted_are_valid() {
    const COMPANY: &str = "CHE-107.787.577";
    let service = Service::with([company(COMPANY, "Muster AG")]).await;
    let document: Value = serde_json::from_str(CHECKED_IN).expect("json");
    let time = "2026-01-01T12:00:00Z";
    for (path, name, value) in [
        ("/v1/companies", "lei", "5067-00ge1g29325qx-363"),
        ("/v1/companies", "isin", "ch-0012032048"),
        ("/v1/companies", "duns", "48-001-2345"),
        ("/v1/companies", "uids", "107787577"),
        ("/v1/companies", "nogaSection", "k"),
        ("/v1/companies", "foundedAfter", time),
        ("/v1/companies", "foundedBefore", time),
        ("/v1/companies", "changedSince", time),
        ("/v1/changes", "uids", "CHE107787577"),
        ("/v1/changes", "since", time),
        ("/v1/changes", "until", time),
        ("/v1/companies/{uid}/timeline", "since", time),
        ("/v1/companies/{uid}/timeline", "until", time),
        ("/v1/companies/{uid}/diff", "since", time),
        ("/v1/companies/{uid}/media", "since", time),
        ("/v1/news/recent", "since", time),
        ("/v1/persons/search", "nationalityIso", "ch"),
    ] {
        let parameters = document["paths"][path]["get"]["parameters"].as_array();
        let parameter = parameters.into_iter().flatten().find(|it| it["name"] == name);
        let schema = &parameter.expect("a parameter")["schema"];
        let schema = schema.get("items").unwrap_or(schema);
        let options = jsonschema::options().with_draft(jsonschema::Draft::Draft4);
        let validator = options.should_validate_formats(true).build(schema).expect("a schema");
        assert!(validator.is_valid(&value.into()), "{path}: {name}={value}");
        let uri = format!("{path}?{name}={value}").replace("{uid}", COMPANY);
        assert_eq!(service.get(&uri).await.status, StatusCode::OK, "{uri}");
    }
}

/// Whether a description is a complete list of values, as in 'Which: `a`, `b` or `c`.'. It is not if the list is
/// open (`…`) or explains a value.
fn lists_values(description: &str) -> bool {
    let texts: Vec<&str> = description.split('`').collect();
    let [_, values @ .., rest] = texts.as_slice() else { return false };
    let listed = values.iter().skip(1).step_by(2).all(|it| [", ", " or ", ", or "].contains(it));
    values.len() >= 3 && listed && !rest.contains('…')
}

#[test]
fn a_text_whose_description_lists_its_values_has_an_enum() {
    let check = |value: &Value, path: &str| {
        let description = value["description"].as_str();
        let open = value["type"] == "string" && value["enum"].is_null();
        assert!(!(open && description.is_some_and(lists_values)), "{path}: {description:?}");
    };
    assert!(lists_values("429: `1h` or `1d`."));
    assert!(lists_values("`ok`, `failed`, or `idle` before the first run."));
    assert!(!lists_values("The source: `zefix`, `gleif` …"));
    assert!(!lists_values("`CH` for Switzerland; `DE` or `FR` for others."));
    visit(&serde_json::from_str(CHECKED_IN).expect("json"), "", &check);
}

#[test]
fn every_problem_type_has_an_example_with_all_its_members() {
    let document: Value = serde_json::from_str(CHECKED_IN).expect("json");
    // No operation uses credits yet.
    let used = PROBLEM_TYPES.iter().filter(|it| it.status != StatusCode::PAYMENT_REQUIRED);
    for kind in used {
        let response = &document["components"]["responses"][kind.status.as_str()];
        let examples = &response["content"]["application/problem+json"]["examples"];
        let example = &examples[kind.slug]["value"];
        assert_eq!(example["status"], kind.status.as_u16(), "{}", kind.slug);
        for member in kind.members {
            assert!(!example[member].is_null(), "{}: {member}", kind.slug);
        }
    }
}
