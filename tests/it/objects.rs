//! The guarantees that we expect of the bucket: objects are read as they were written, missing ones are reported.

use futures_util::{StreamExt, TryStreamExt, stream};
use objects::Error;
use tempfile::TempDir;
use tests::cloud;

/// Bytes without repetition, so that a range in the wrong place is noticed.
fn bytes(count: usize) -> Vec<u8> {
    (0..count).map(|it| (it.wrapping_mul(2_654_435_761) >> 13) as u8).collect()
}

#[tokio::test]
async fn an_object_is_read_as_it_was_last_written() {
    let cloud = cloud().await;
    let objects = &cloud.objects;
    for content in [&b"first"[..], b"", "Größe \u{1f3d4}\r\n\0".as_bytes()] {
        objects.put("folder/one", content.to_vec()).await.expect("put");
        let read = objects.get("folder/one").await.expect("read");
        assert_eq!(read.as_deref(), Some(content));
    }
}

#[tokio::test]
async fn an_object_is_replaced_only_if_it_is_still_the_one_that_was_read() {
    let cloud = cloud().await;
    let objects = &cloud.objects;
    let tag = async || objects.get_tagged("one").await.expect("read").map(|(_, tag)| tag);
    assert_eq!(tag().await, None);
    assert!(!objects.put_if("one", "0", Some("\"another\"")).await.expect("answered"));
    assert!(objects.put_if("one", "1", None).await.expect("answered"));
    assert!(!objects.put_if("one", "2", None).await.expect("answered"));
    let first = tag().await;
    assert!(objects.put_if("one", "3", first.as_deref()).await.expect("answered"));
    assert!(!objects.put_if("one", "4", first.as_deref()).await.expect("answered"));
    assert_eq!(objects.get("one").await.expect("read").as_deref(), Some(&b"3"[..]));
    objects.delete("one").await.expect("deleted");
    assert!(!objects.put_if("one", "5", first.as_deref()).await.expect("answered"));
    assert_eq!(tag().await, None);
}

#[tokio::test]
async fn one_of_several_conditional_writes_at_the_same_time_succeeds() {
    let cloud = cloud().await;
    for key in ["a", "b", "c", "d", "e"] {
        let write = async |number: u8| cloud.objects.put_if(key, vec![number], None).await;
        let written = futures_util::future::join_all((0..8).map(write)).await;
        let written: Vec<bool> = written.into_iter().map(|it| it.expect("answered")).collect();
        assert_eq!(written.iter().filter(|it| **it).count(), 1, "{written:?}");
        let winner = written.iter().position(|it| *it).expect("one");
        let stored = cloud.objects.get(key).await.expect("read").expect("an object");
        assert_eq!(stored, [winner as u8].as_slice());
    }
}

#[tokio::test]
async fn a_missing_object_is_none_but_downloading_it_is_an_error() {
    let cloud = cloud().await;
    let objects = &cloud.objects;
    let folder = TempDir::new().expect("a folder");
    assert_eq!(objects.get("nothing").await.expect("answered"), None);
    assert!(!objects.exists("nothing").await.expect("answered"));
    let missing = objects.download("nothing", 1, &folder.path().join("file")).await;
    assert!(matches!(&missing, Err(Error::Missing(key)) if key == "nothing"), "{missing:?}");
    assert_eq!(objects.keys("").await.expect("listed"), [""; 0]);
}

#[tokio::test]
async fn uploads_that_nobody_finished_are_aborted() {
    let cloud = cloud().await;
    let objects = &cloud.objects;
    for key in ["exports/1/one", "exports/1/other", "elsewhere"] {
        let mut upload = objects.start_upload(key).await.expect("started");
        upload.add("a part".into()).await.expect("a part");
    }
    let mut finished = objects.start_upload("exports/1/finished").await.expect("started");
    finished.add("all".into()).await.expect("a part");
    finished.finish().await.expect("finished");
    assert_eq!(objects.abort_uploads("exports/").await.expect("listed"), 2);
    assert_eq!(objects.abort_uploads("exports/").await.expect("listed"), 0);
    assert_eq!(objects.keys("").await.expect("listed"), ["exports/1/finished"]);
    assert_eq!(objects.abort_uploads("").await.expect("listed"), 1);
}

#[tokio::test]
async fn an_object_can_be_deleted_twice() {
    let cloud = cloud().await;
    let objects = &cloud.objects;
    objects.put("one", "1").await.expect("put");
    objects.put("other", "2").await.expect("put");
    assert!(objects.exists("one").await.expect("answered"));
    for _ in 0..2 {
        objects.delete("one").await.expect("deleted");
        assert!(!objects.exists("one").await.expect("answered"));
    }
    assert_eq!(objects.keys("").await.expect("listed"), ["other"]);
}

#[tokio::test]
async fn a_key_can_contain_any_character() {
    let cloud = cloud().await;
    let objects = &cloud.objects;
    let mut keys = ["a b", "a+b", "a%20b", "ä/ö ü.json", "q?x=1&y#z", "it's (one), two!"];
    for key in keys {
        objects.put(key, key).await.expect("put");
    }
    for key in keys {
        let read = objects.get(key).await.expect("read");
        assert_eq!(read.as_deref(), Some(key.as_bytes()), "{key}");
    }
    keys.sort_unstable();
    assert_eq!(objects.keys("").await.expect("listed"), keys);
}

#[tokio::test]
async fn a_list_contains_every_key_with_the_prefix_in_order() {
    let cloud = cloud().await;
    let objects = &cloud.objects;
    // More than one page of S3.
    let keys: Vec<String> = (0..1_005).map(|it| format!("many/{it:04}")).collect();
    let others = ["many", "manyfold/1", "few/1"].map(str::to_owned);
    stream::iter(keys.iter().rev().chain(&others[1..]))
        .map(|key| objects.put(key, key.clone()))
        .buffer_unordered(16)
        .try_collect::<()>()
        .await
        .expect("put");
    assert_eq!(objects.keys("many/").await.expect("listed"), keys);
    assert_eq!(objects.keys("few/").await.expect("listed"), ["few/1"]);
    assert_eq!(objects.keys("none/").await.expect("listed"), [""; 0]);
}

#[tokio::test]
async fn a_download_of_any_size_is_complete() {
    let cloud = cloud().await;
    let objects = &cloud.objects;
    let folder = TempDir::new().expect("a folder");
    let (source, target) = (folder.path().join("source"), folder.path().join("target"));
    const RANGE: usize = 8 * 1024 * 1024;
    for size in [0, 1, RANGE, RANGE + 1, 2 * RANGE + 12_345] {
        std::fs::write(&source, bytes(size)).expect("written");
        objects.put_file("large", &source).await.expect("put");
        objects.download("large", size as u64, &target).await.expect("downloaded");
        assert!(std::fs::read(&target).expect("read") == bytes(size), "{size}");
    }
}

#[tokio::test]
async fn downloading_an_object_shorter_than_expected_is_an_error() {
    let cloud = cloud().await;
    let objects = &cloud.objects;
    let target = TempDir::new().expect("a folder");
    objects.put("truncated", bytes(1_000)).await.expect("put");
    let truncated = objects.download("truncated", 1_001, &target.path().join("file")).await;
    assert!(matches!(truncated, Err(Error::Shorter { size: 1_001, .. })), "{truncated:?}");
    for start in [999, 1_000, 5_000] {
        let range = objects.get_range("truncated", start..5_001).await;
        assert!(matches!(range, Err(Error::Shorter { size: 5_001, .. })), "{start}: {range:?}");
    }
}
