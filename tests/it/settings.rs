//! Free-form settings.

use access::Tier;
use serde_json::json;
use tests::Service;

const PATH: &str = "/v1/settings/preferences";

#[tokio::test]
async fn settings_are_replaced_as_a_whole_and_returned_as_they_were_given() {
    let service = Service::start().await;
    let (key, other) = (service.key(Tier::Free).await, service.key(Tier::Free).await);
    assert_eq!(service.get_as(&key, PATH).await.body, json!({}));
    let settings = json!({
        "theme": "dark",
        "columns": ["name", { "width": 12.5 }],
        "empty": null,
        "large": 12_345_678_901_234_567_u64,
        "Ünïcode": "été",
    });
    let stored = service.put_as(&key, PATH, settings.clone()).await;
    assert_eq!((stored.status.as_u16(), &stored.body), (200, &settings));
    assert_eq!(service.get_as(&key, PATH).await.body, settings);
    service.put_as(&key, PATH, json!({ "language": "de" })).await;
    assert_eq!(service.get_as(&key, PATH).await.body, json!({ "language": "de" }));
    assert_eq!(service.get_as(&other, PATH).await.body, json!({}));
}

#[tokio::test]
async fn settings_are_bounded() {
    let service = Service::start().await;
    let key = service.key(Tier::Free).await;
    let nested = |depth: usize| (0..depth).fold(json!(1), |inner, _| json!({ "a": inner }));
    assert_eq!(service.put_as(&key, PATH, nested(10)).await.status, 200);
    for wrong in [nested(11), json!({ "text": "x".repeat(16_400) }), json!([1]), json!("dark")] {
        let answer = service.put_as(&key, PATH, wrong).await;
        assert_eq!((answer.status.as_u16(), answer.slug()), (400, "bad-request"));
    }
    assert_eq!(service.get_as(&key, PATH).await.body, nested(10));
}
