//! Bodies that no operation accepts.

use std::io::Write;

use access::Tier;
use flate2::{Compression, write::GzEncoder};
use http::{Method, StatusCode};
use tests::{bearing, request};

use super::{
    callers::prepared,
    isolation::items_of,
    requests::{body, media_type, operations, service},
};

/// The largest body that is accepted.
const LIMIT: usize = 1024 * 1024;

/// Each body would be valid if it were smaller, or not compressed.
#[tokio::test]
async fn every_operation_refuses_large_and_compressed_bodies_and_starts_nothing() {
    let service = service().await;
    let mut tested = 0;
    for operation in operations(&service) {
        if matches!(operation.method, Method::GET | Method::DELETE) {
            continue;
        }
        let caller = prepared(&service, Tier::Enterprise, &operation).await;
        let valid = body(&service, &caller.team, caller.user.as_deref(), &operation).await;
        let mut compressed = GzEncoder::new(Vec::new(), Compression::default());
        compressed.write_all(valid.as_bytes()).expect("memory");
        let compressed = compressed.finish().expect("memory");
        // White space after JSON, or after the last part of a form, has no meaning.
        let large = format!("{valid}{}", " ".repeat(LIMIT + 1 - valid.len()));
        let stored = async || {
            let mut items = items_of(&service, &caller.team).await;
            // What counts and records requests.
            items.retain(|key, _| !key.starts_with(&service.cloud.tables[2]));
            items.retain(|key, _| !key.contains("AUDIT"));
            for item in items.values_mut() {
                item.remove("lastUsedAt");
                item.remove("remembered");
            }
            items
        };
        let before = stored().await;
        for (body, encoding, status, slug) in [
            (large.into_bytes(), None, StatusCode::PAYLOAD_TOO_LARGE, "payload-too-large"),
            (
                compressed,
                Some("gzip"),
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "unsupported-media-type",
            ),
        ] {
            let mut request = bearing(&caller.token, request(&operation.method, &caller.path))
                .header("content-type", media_type(&operation));
            if let Some(encoding) = encoding {
                request = request.header("content-encoding", encoding);
            }
            let answer = service.send_with(request, body).await;
            let named = format!("{} {}: {}", operation.method, operation.path, answer.text);
            assert_eq!((answer.status, answer.slug()), (status, slug), "{named}");
        }
        assert_eq!(stored().await, before, "{} {}", operation.method, operation.path);
        tested += 1;
    }
    assert!(tested > 50, "{tested}");
}
