//! What any text in a request leads to: an error, or a query within the limits.

use matching::{Prepared, compare};
use proptest::prelude::*;
use screening_evidence::ScreeningRequest;
use serde_json::{Map, Value, json};

fn texts() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "Anna Muster",
        "Anna \u{410}\u{43d}\u{43d}\u{430} 安娜",
        "\u{202e}Anna",
        "1971",
        "1971-02-29",
        "CHE-105.909.036",
        "CH",
        "person",
        "passport",
        "seco",
        "",
    ]);
    prop_oneof![3 => known.prop_map(str::to_owned), 2 => "\\PC{0,12}", 1 => any::<String>()]
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        4 => texts().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        1 => any::<u8>().prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        1 => Just(Value::Null),
    ];
    let identifiers = (texts(), texts())
        .prop_map(|(scheme, value)| json!([{ "scheme": scheme, "value": value }]));
    prop_oneof![
        4 => leaf.clone(),
        1 => prop::collection::vec(leaf, 0..3).prop_map(Value::from),
        1 => identifiers,
    ]
}

const MEMBERS: [&str; 10] = [
    "name",
    "uid",
    "sources",
    "type",
    "birthDate",
    "country",
    "identifiers",
    "threshold",
    "limit",
    "monitor",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn a_request_is_refused_or_a_query_within_the_limits(
        name in texts(),
        others in prop::collection::vec((prop::sample::select(&MEMBERS[..]), values()), 0..3),
    ) {
        let mut members: Map<String, Value> =
            others.into_iter().map(|(member, value)| (member.to_owned(), value)).collect();
        members.entry("name").or_insert(name.into());
        if let Ok(request) = serde_json::from_value::<ScreeningRequest>(members.into()) {
            let query = request.query(Vec::new());
            prop_assert!((0.5..=1.0).contains(&query.threshold) && (1..=25).contains(&query.limit));
            prop_assert!(query.identifiers.len() <= 10 && query.name.chars().count() <= 250);
            prop_assert!(!query.name.chars().any(|it| it.is_control()), "{:?}", query.name);
            let subject = Prepared::new(&query.subject());
            prop_assert!((0.0..=1.0).contains(&compare(&subject, &subject).score));
        }
    }
}
