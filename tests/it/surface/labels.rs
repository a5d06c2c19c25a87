//! The member `labels`: names of codes in the language of the caller.

use std::collections::BTreeSet;

use access::Tier;
use auth::Language;
use domain::{
    ChangeKind, Status,
    company::StatusReason,
    legal_forms::{LEGAL_FORMS, LegalForm},
    noga::DIVISIONS,
    persons::{RoleCategory, SigningAuthority},
    terms,
};
use http::{Method, StatusCode, header};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;
use tests::{Answer, bearing, request};

use super::{
    callers::{has_succeeded, prepared, send, send_prepared},
    members::document,
    requests::{operations, service, with},
};

/// Removes all labels. Panics if a term has none, or the name of another language.
pub(crate) fn without_labels(
    value: &mut Value,
    language: Language,
    labelled: &mut BTreeSet<String>,
) {
    match value {
        Value::Array(items) => {
            items.iter_mut().for_each(|it| without_labels(it, language, labelled));
        }
        Value::Object(members) => {
            let labels = members.remove("labels").unwrap_or_default();
            for (name, value) in members.iter() {
                let field = members.get("field").filter(|_| name == terms::VALUES);
                let term = field.and_then(Value::as_str).unwrap_or(name);
                let label = |code: &Value| match code {
                    Value::Null => Some(Value::Null),
                    code => {
                        terms::label(term, code.as_str()?).map(|it| Value::from(language.of(it)))
                    }
                };
                let expected = match value {
                    Value::Array(codes) if codes.iter().any(|it| !it.is_null()) => {
                        codes.iter().map(label).collect()
                    }
                    Value::Null => None,
                    code => label(code),
                };
                assert_eq!(labels.get(name), expected.as_ref(), "{name}: {value}");
                labelled.extend(expected.map(|_| name.clone()));
            }
            members.values_mut().for_each(|it| without_labels(it, language, labelled));
        }
        _ => {}
    }
}

/// Whether a schema of the description contains `labels`.
fn has_labels(schema: &Value, document: &Value, seen: &mut BTreeSet<String>) -> bool {
    match schema {
        Value::Array(items) => items.iter().any(|it| has_labels(it, document, seen)),
        Value::Object(members) => {
            let name = members.get("$ref").and_then(Value::as_str);
            match name.and_then(|it| it.strip_prefix("#/components/schemas/")) {
                Some("Labels") => true,
                Some(name) => {
                    seen.insert(name.to_owned())
                        && has_labels(&document["components"]["schemas"][name], document, seen)
                }
                None => members.values().any(|it| has_labels(it, document, seen)),
            }
        }
        _ => false,
    }
}

#[tokio::test]
async fn every_operation_that_answers_with_codes_has_labels_in_the_language_of_the_caller() {
    let (service, document) = (service().await, document());
    let mut labelled = BTreeSet::new();
    for operation in operations(&service) {
        let method = operation.method.as_str().to_lowercase();
        let described = &document["paths"][&operation.path][&method]["responses"];
        let contains_codes = ["200", "201"].iter().any(|it| {
            let schema = &described[it]["content"]["application/json"]["schema"];
            has_labels(schema, &document, &mut BTreeSet::new())
        });
        if contains_codes {
            assert!(operation.is_translated, "{}: declare `translated()`", operation.id);
        }
        if !operation.is_translated {
            continue;
        }
        let caller = prepared(&service, Tier::Enterprise, &operation).await;
        let plain = send_prepared(&service, &operation, &caller).await;
        assert!(has_succeeded(&plain), "{}: {plain:?}", operation.id);
        if !contains_codes {
            // A file.
            assert_eq!(plain.header("content-language"), Some("en"), "{}", operation.id);
        }
        assert!(!plain.text.contains("\"labels\""), "{}", operation.id);
        assert!(varies(&plain), "{}", operation.id);
        for language in Language::ALL {
            let path = with(&caller.path, &format!("language={}", language.code()));
            let by = Some((caller.token.as_str(), &caller.team, caller.user.as_deref()));
            let mut answer = send(&service, &operation, by, &path).await;
            assert!(has_succeeded(&answer), "{path}: {answer:?}");
            assert!(varies(&answer), "{path}");
            if !contains_codes {
                assert_eq!(answer.header("content-language"), Some(language.code()), "{path}");
                continue;
            }
            let was_labelled = answer.text.contains("\"labels\"");
            without_labels(&mut answer.body, language, &mut labelled);
            if operation.method == Method::GET {
                assert_eq!(answer.body, plain.body, "{path}");
                assert_eq!(answer.header("etag") != plain.header("etag"), was_labelled, "{path}");
            }
        }
    }
    for member in [
        "status",
        "companyStatus",
        "legalForm",
        "changeType",
        "category",
        "roleCategories",
        "office",
    ] {
        assert!(labelled.contains(member), "{member}: {labelled:?}");
    }
}

/// Who sees a label can filter by it, in each language and with its commas.
#[tokio::test]
async fn labels_are_values_of_filters() {
    let service = service().await;
    let key = service.key(Tier::Enterprise).await;
    let statuses = Status::ALL.map(Status::name);
    let reasons: Vec<_> = StatusReason::ALL.iter().map(|it| it.code()).collect();
    let forms: Vec<_> = LEGAL_FORMS.iter().map(LegalForm::name).collect();
    let industries: Vec<_> = DIVISIONS.iter().map(|it| it.name).collect();
    let changes = ChangeKind::ALL.map(ChangeKind::code);
    for (path, parameter, codes) in [
        ("/v1/companies", "status", statuses.as_slice()),
        ("/v1/companies", "statusReason", &reasons),
        ("/v1/companies", "legalForm", &forms),
        ("/v1/companies", "industry", &industries),
        ("/v1/persons/search", "roleCategory", &RoleCategory::ALL.map(RoleCategory::name)),
        (
            "/v1/persons/search",
            "signingAuthority",
            &SigningAuthority::ALL.map(SigningAuthority::name),
        ),
        ("/v1/changes", "type", &changes),
    ] {
        let with_value = async |value: &str| {
            let value = utf8_percent_encode(value, NON_ALPHANUMERIC);
            let path = format!("{path}?{parameter}={value}");
            let answer = service.get_as(&key, &path).await;
            assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
            answer.body
        };
        let member = if parameter == "type" { "changeType" } else { parameter };
        for code in codes {
            let by_code = with_value(code).await;
            for label in terms::label(member, code).expect("a term") {
                assert_eq!(with_value(&label).await, by_code, "{path} {parameter}={label}");
            }
        }
    }
}

fn varies(answer: &Answer) -> bool {
    let mut vary = answer.headers.get_all(header::VARY).iter();
    vary.any(|it| it.to_str().is_ok_and(|it| it.to_lowercase().contains("accept-language")))
}

#[tokio::test]
async fn the_parameter_takes_precedence_over_the_header_whose_unknown_languages_are_ignored() {
    let service = service().await;
    let key = service.key(Tier::Enterprise).await;
    for (query, header, expected) in [
        ("", "fr-CH, fr;q=0.9, en;q=0.8", Some("active")),
        ("language=de", "fr-CH", Some("aktiv")),
        ("language=DE", "es", Some("aktiv")),
        ("language=it", "*", Some("attiva")),
        ("", "es, pt;q=0.5", None),
        ("", "*", None),
        ("", "", None),
    ] {
        let path = with("/v1/companies", query);
        let asked = bearing(&key, request(&Method::GET, &path));
        let answer = service.send(asked.header(header::ACCEPT_LANGUAGE, header)).await;
        let company = &answer.body["items"][0];
        assert_eq!(company["status"], "ACTIVE", "{path} {header}");
        assert_eq!(company["labels"]["status"].as_str(), expected, "{path} {header}");
    }
    let answer = service.get_as(&key, "/v1/companies?language=es").await;
    assert_eq!(
        answer.detail(),
        "language: must be a language such as `de`; got `es`. Accepted: `de`, `fr`, `it`, `en`"
    );
    let next = service.get_as(&key, "/v1/changes?language=it&limit=1").await;
    if let Some(link) = next.header("link") {
        assert!(link.contains("language=it"), "{link}");
    }
}
