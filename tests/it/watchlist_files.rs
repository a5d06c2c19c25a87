//! Adding the companies of a file to a watchlist.

use access::Tier;
use http::{Request, StatusCode};
use serde_json::{Value, json};
use tests::{Answer, Service, bearing, company};

const FIRST: &str = "CHE-600.000.001";
const SECOND: &str = "CHE-600.000.012";
const THIRD: &str = "CHE-600.000.029";

async fn service() -> (Service, String, String) {
    let service = Service::with([FIRST, SECOND, THIRD].map(|it| company(it, "Muster AG"))).await;
    let key = service.key(Tier::Enterprise).await;
    let watchlist = service.post_as(&key, "/v1/watchlists", json!({ "name": "Suppliers" })).await;
    let path = format!("/v1/bulk/watchlist/{}", watchlist.body["id"].as_str().expect("an id"));
    (service, key, path)
}

/// Sends a form with these parts, as the published client does.
async fn send(service: &Service, key: &str, path: &str, parts: &[(&str, &str)]) -> Answer {
    let mut body = String::new();
    for (name, content) in parts {
        body += &format!(
            "--part\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"uids.csv\"\r\n\
             Content-Type: text/csv\r\n\r\n{content}\r\n"
        );
    }
    body += "--part--\r\n";
    let request = bearing(key, Request::post(path));
    let request = request.header("content-type", "multipart/form-data; boundary=part");
    service.send_with(request, body).await
}

async fn listed(service: &Service, key: &str, path: &str) -> Value {
    let path = path.replace("/bulk/watchlist/", "/watchlists/");
    service.get_as(key, &format!("{path}/companies")).await.body["uids"].clone()
}

#[tokio::test]
async fn lines_with_known_companies_are_added_and_the_others_reported() {
    let (service, key, path) = service().await;
    let added = send(&service, &key, &path, &[("file", FIRST)]).await;
    assert_eq!(added.status, StatusCode::OK, "{added:?}");
    assert_eq!((&added.body["added"], &added.body["skipped"]), (&json!(1), &json!(0)));

    let file = format!(
        "Name;UID\r\nA;{FIRST}\r\nB;CHE600000012\r\nC;Muster AG\r\nD;CHE-999.999.996\r\nE;{SECOND}\r\nF;{THIRD}"
    );
    let added = send(&service, &key, &path, &[("file", &file)]).await;
    let skipped = |line: u64, text: &str, reason: &str| json!({ "line": line, "text": text, "reason": reason });
    assert_eq!(
        added.body,
        json!({
            "added": 2,
            "skipped": 4,
            "skippedUids": [FIRST, "Muster AG", "CHE-999.999.996", SECOND],
            "skippedLines": [
                skipped(2, FIRST, "already_listed"),
                skipped(4, "Muster AG", "not_a_number"),
                skipped(5, "CHE-999.999.996", "not_registered"),
                skipped(6, SECOND, "repeated"),
            ],
        })
    );
    assert_eq!(listed(&service, &key, &path).await, json!([FIRST, SECOND, THIRD]));
}

#[tokio::test]
async fn a_wrong_file_adds_nothing() {
    let (service, key, path) = service().await;
    let many = format!("{FIRST}\n{}", "CHE-600.000.012\n".repeat(1_000));
    for (parts, reason) in [
        (&[][..], "must be a part of the form"),
        (&[("upload", FIRST)], "must have one part, `file`; got `upload`"),
        (&[("file", FIRST), ("file", SECOND)], "must have one part"),
        (&[("file", "")], "1 to 1000 lines with company numbers; got 0"),
        (&[("file", "UID\n")], "got 0"),
        (&[("file", &many)], "got 1001"),
    ] {
        let answer = send(&service, &key, &path, parts).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{parts:?}: {answer:?}");
        assert!(answer.body["errors"].to_string().contains(reason), "{answer:?}");
    }
    let request = || bearing(&key, Request::post(&path));
    let json = request().header("content-type", "application/json");
    let json = service.send_with(json, json!({ "file": FIRST }).to_string()).await;
    assert_eq!(json.status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{json:?}");
    let broken = request().header("content-type", "multipart/form-data; boundary=part");
    let broken = service.send_with(broken, "--part\r\nContent").await;
    assert_eq!(broken.status, StatusCode::BAD_REQUEST, "{broken:?}");
    for size in [2_000_000, 12_000_000] {
        let large = "x".repeat(size);
        let large = send(&service, &key, &path, &[("file", &large)]).await;
        assert_eq!(large.status, StatusCode::PAYLOAD_TOO_LARGE, "{large:?}");
    }
    let compressed = request().header("content-type", "multipart/form-data; boundary=part");
    let compressed = compressed.header("content-encoding", "gzip");
    let compressed = service.send_with(compressed, "--part--\r\n").await;
    assert_eq!(compressed.status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{compressed:?}");
    assert_eq!(listed(&service, &key, &path).await, json!([]));
}

#[tokio::test]
async fn another_team_s_watchlist_is_unknown_and_lower_tiers_are_refused() {
    let (service, key, path) = service().await;
    let other = service.key(Tier::Enterprise).await;
    let answer = send(&service, &other, &path, &[("file", FIRST)]).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND, "{answer:?}");
    let lower = service.key(Tier::Professional).await;
    let answer = send(&service, &lower, &path, &[("file", FIRST)]).await;
    assert_eq!(answer.slug(), "tier-not-unlocked", "{answer:?}");
    assert_eq!(listed(&service, &key, &path).await, json!([]));
}
