//! Generations: publishing, opening and replacing the indexes.

use std::time::Duration;

use access::Tier;
use generations::{Error, Generations};
use http::StatusCode;
use local::cloud::clients::s3_client;
use objects::Objects;
use serde_json::Value;
use tempfile::TempDir;
use tests::{Service, company, faults::Faults};

#[tokio::test]
async fn a_list_is_unavailable_before_the_first_generation() {
    let service = Service::over(tests::cloud().await).await;
    let answer = service.get("/v1/companies").await;
    assert_eq!((answer.status.as_u16(), answer.slug()), (503, "service-unavailable"));
    service.register([company("CHE-107.787.577", "Muster AG")]).await;
    assert_eq!(service.get("/v1/companies").await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_company_is_listed_once_a_generation_with_it_is_published() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    let later = company("CHE-600.000.001", "Spätere AG");
    service.cloud.registry.put_companies(vec![later]).await.expect("stored");
    assert_eq!(service.get("/v1/companies/count").await.body["count"], 1);
    service.publish().await;
    assert_eq!(service.get("/v1/companies/count").await.body["count"], 2);
}

/// The id of the current generation and the keys of the files of one of its indexes.
async fn files(service: &Service, index: &str) -> (String, Vec<String>) {
    let current = service.cloud.objects.get("generations/current.json").await.expect("read");
    let current: Value = serde_json::from_slice(&current.expect("a generation")).expect("json");
    let id = current["id"].as_str().expect("an id").to_owned();
    let keys = service.cloud.objects.keys(&format!("generations/{id}/{index}/")).await;
    (id, keys.expect("listed"))
}

/// Opens the current generation in a new process and returns its number of companies.
async fn open(service: &Service) -> Result<u64, String> {
    let folder = TempDir::new().expect("a folder");
    let reader = Generations::new(service.cloud.objects.clone(), folder.path());
    let generation = reader.refresh().await.map_err(|it| it.to_string())?;
    let companies = generation.companies().await.map_err(|it| Error::from(it).to_string())?;
    Ok(companies.company_count())
}

#[tokio::test]
async fn a_damaged_generation_is_not_opened_and_the_previous_one_is_still_served() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    let service = &service;
    assert_eq!(service.get("/v1/companies/count").await.body["count"], 1);
    let later = company("CHE-600.000.001", "Spätere AG");
    service.cloud.registry.put_companies(vec![later]).await.expect("stored");
    // Published but not yet opened by the service.
    let objects = &service.cloud.objects;
    indexer::publish(
        &service.cloud.registry,
        objects,
        service.downloads.path(),
        service.now(),
        |_| (),
    )
    .await
    .expect("published");
    assert_eq!(open(service).await, Ok(2));

    let (id, keys) = files(service, "companies").await;
    assert!(keys.len() > 3);
    for key in &keys {
        let whole = objects.get(key).await.expect("read").expect("an object");
        let mut changed = whole.to_vec();
        let middle = changed.len() / 2;
        changed[middle] ^= 1;
        let shorter = whole[..whole.len() - 1].to_vec();
        for damaged in [changed, shorter, Vec::new()] {
            objects.put(key, damaged).await.expect("damaged");
            assert!(open(service).await.is_err(), "{key}");
            assert!(service.generations.refresh().await.is_err());
            assert_eq!(service.get("/v1/companies/count").await.body["count"], 1);
        }
        objects.delete(key).await.expect("deleted");
        assert!(open(service).await.is_err(), "{key}");
        objects.put(key, whole).await.expect("restored");
    }
    let manifest = format!("generations/{id}/manifest.json");
    let whole = objects.get(&manifest).await.expect("read").expect("a manifest");
    for damaged in ["", "{", "{\"id\": 7}"] {
        objects.put(&manifest, damaged.to_owned()).await.expect("damaged");
        assert!(open(service).await.is_err());
    }
    let text = String::from_utf8(whole.to_vec()).expect("json");
    objects.put(&manifest, text.replace("companies/", "../../etc/")).await.expect("damaged");
    assert!(open(service).await.is_err_and(|it| it.contains("not a path within the generation")));

    // A refused generation is not downloaded again by itself, but an explicit refresh tries again.
    objects.put(&manifest, whole).await.expect("restored");
    service.generations.refresh().await.expect("opened");
    assert_eq!(service.get("/v1/companies/count").await.body["count"], 2);
}

#[tokio::test]
async fn an_interrupted_publisher_has_published_nothing() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    let (id, keys) = files(&service, "companies").await;
    // An interrupted publisher leaves files and perhaps a manifest, but does not change the current generation.
    let copied = service.cloud.objects.get(&keys[0]).await.expect("read").expect("an object");
    let unfinished = "generations/ffffffff-0000-7000-8000-000000000000";
    service.cloud.objects.put(&format!("{unfinished}/companies/x"), copied).await.expect("put");
    service.cloud.objects.put(&format!("{unfinished}/manifest.json"), "{").await.expect("put");
    let opened = service.generations.refresh().await.expect("opened");
    assert_eq!(opened.manifest.id, id);
}

#[tokio::test]
async fn the_three_newest_generations_are_kept() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    for _ in 0..5 {
        service.publish().await;
    }
    let keys = service.cloud.objects.keys("generations/").await.expect("listed");
    let manifests = keys.iter().filter(|it| it.ends_with("manifest.json")).count();
    assert_eq!(manifests, 3);
}

#[tokio::test]
async fn what_killed_publishers_left_is_deleted_and_does_not_count_as_a_generation() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    let objects = &service.cloud.objects;
    let mut kept = vec![service.publish().await.id, service.publish().await.id];
    for _ in 0..3 {
        // A build that was killed before it put its manifest.
        let killed = format!("generations/{}/companies/x", uuid::Uuid::now_v7());
        objects.put(&killed, "a part").await.expect("put");
    }
    kept.push(service.publish().await.id);
    let keys = objects.keys("generations/").await.expect("listed");
    let mut left: Vec<&str> = keys.iter().filter_map(|it| it.split('/').nth(1)).collect();
    left.retain(|it| *it != "current.json");
    left.sort_unstable();
    left.dedup();
    assert_eq!(left, kept);
}

/// The downloaded indexes in a folder, sorted.
fn downloaded(folder: &TempDir) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path()).expect("a folder");
    let name = |it: std::fs::DirEntry| it.file_name().into_string().expect("a name");
    let mut indexes: Vec<String> = entries
        .map(|it| name(it.expect("an entry")))
        .filter_map(|it| Some(it.strip_prefix("generation-")?.split_once('-')?.0.to_owned()))
        .collect();
    indexes.sort_unstable();
    indexes
}

#[tokio::test]
async fn a_function_downloads_only_the_indexes_it_needs() {
    let service = Service::public_function().await;
    assert!(downloaded(&service.downloads).is_empty());
    assert_eq!(service.get("/v1/auditor-tenures").await.status, StatusCode::OK);
    assert_eq!(downloaded(&service.downloads), ["tenures"]);
}

#[tokio::test]
async fn a_damaged_index_makes_only_its_own_operations_unavailable() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    let key = service.key(Tier::Enterprise).await;
    let (_, keys) = files(&service, "persons").await;
    service.cloud.objects.put(&keys[0], "damaged").await.expect("damaged");
    for _ in 0..2 {
        assert_eq!(service.get("/v1/companies").await.status, StatusCode::OK);
        let persons = service.get_as(&key, "/v1/persons/search").await;
        assert_eq!((persons.status.as_u16(), persons.slug()), (503, "service-unavailable"));
        assert_eq!(persons.detail(), "the register cannot be searched at the moment");
        let companies = service.get_as(&key, "/v1/companies?boardMemberSearch=Muster").await;
        assert_eq!(companies.status, StatusCode::SERVICE_UNAVAILABLE);
    }
    service.publish().await;
    let persons = service.get_as(&key, "/v1/persons/search").await;
    assert_eq!(persons.status, StatusCode::OK);
}

/// A process that reads the service's bucket through a proxy that records its requests.
async fn recorded_process(service: &Service, folder: &TempDir) -> (Generations, Faults) {
    let proxy = Faults::before(&service.cloud.endpoints.s3).await;
    let objects = Objects::named(s3_client(&proxy.address), &service.cloud.bucket);
    (Generations::new(objects, folder.path()), proxy)
}

/// The indexes that a process has read since the last call, once for each file.
fn read(proxy: &Faults) -> Vec<&'static str> {
    let indexes = ["companies", "changes", "persons", "tenures"];
    let index = |path: &String| indexes.into_iter().find(|it| path.contains(&format!("/{it}/")));
    proxy.seen().iter().filter_map(index).collect()
}

#[tokio::test]
async fn concurrent_requests_download_an_index_once() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    let folder = TempDir::new().expect("a folder");
    let (process, proxy) = recorded_process(&service, &folder).await;
    let generation = process.current().await.expect("a generation");
    assert!(read(&proxy).is_empty());
    let (one, other) = tokio::join!(generation.tenures(), generation.tenures());
    assert!(std::ptr::eq(one.expect("open"), other.expect("open")));
    let (_, keys) = files(&service, "tenures").await;
    assert_eq!(read(&proxy), vec!["tenures"; keys.len()]);
    // A damaged index is not downloaded again by the next request.
    let (_, keys) = files(&service, "changes").await;
    let first = service.cloud.objects.get(&keys[0]).await.expect("read").expect("an object");
    service.cloud.objects.put(&keys[0], vec![0; first.len()]).await.expect("damaged");
    assert!(generation.changes().await.is_err());
    // Files are downloaded in parallel; those that are not begun when one is found to be damaged are left out.
    assert!((1..=keys.len()).contains(&read(&proxy).len()));
    assert!(generation.changes().await.is_err());
    assert!(read(&proxy).is_empty());
}

#[tokio::test]
async fn the_first_request_after_a_pause_waits_for_a_newer_generation() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    let folder = TempDir::new().expect("a folder");
    let (process, proxy) = recorded_process(&service, &folder).await;
    let process = process.with_timeout(Duration::from_secs(60));
    let old = process.current().await.expect("a generation");
    old.companies().await.expect("open");
    service.register([company("CHE-600.000.001", "Spätere AG")]).await;
    proxy.seen();
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(31)).await;
    tokio::time::resume();
    // The request that notices the newer generation waits only briefly.
    process.current().await.expect("a generation");
    while !proxy.seen().iter().any(|it| it.contains("/manifest.json")) {
        tokio::task::yield_now().await;
    }
    let newer = process.current().await.expect("a generation");
    assert_eq!(newer.companies().await.expect("open").company_count(), 2);
}

#[tokio::test]
async fn a_newer_generation_opens_the_same_indexes_as_the_previous_one() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    let folder = TempDir::new().expect("a folder");
    let (process, proxy) = recorded_process(&service, &folder).await;
    let old = process.current().await.expect("a generation");
    old.tenures().await.expect("open");
    service.publish().await;
    let new = process.refresh().await.expect("opened");
    assert_ne!(new.manifest.id, old.manifest.id);
    read(&proxy);
    new.tenures().await.expect("open");
    assert!(read(&proxy).is_empty());
    // The previous generation stays usable while it is referenced.
    old.tenures().await.expect("open");
    assert_eq!(downloaded(&folder), ["tenures", "tenures"]);
    drop(old);
    assert_eq!(downloaded(&folder), ["tenures"]);
    new.open_all().await.expect("open");
    assert_eq!(downloaded(&folder), ["changes", "companies", "persons", "tenures"]);
}

/// Replaces a folder by a file, so that nothing can be written into it.
fn fill(folder: &std::path::Path) {
    std::fs::remove_dir_all(folder).expect("removed");
    std::fs::write(folder, "full").expect("written");
}

fn free(folder: &std::path::Path) {
    std::fs::remove_file(folder).expect("removed");
    std::fs::create_dir(folder).expect("created");
}

#[tokio::test]
async fn requests_are_answered_again_once_there_is_room_for_an_index() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    let parent = TempDir::new().expect("a folder");
    let folder = parent.path().join("downloads");
    std::fs::create_dir(&folder).expect("created");
    let process = Generations::new(service.cloud.objects.clone(), &folder);
    let generation = process.current().await.expect("a generation");
    let count = async || match process.current().await.expect("a generation").companies().await {
        Ok(companies) => Some(companies.company_count()),
        Err(_) => None,
    };
    generation.tenures().await.expect("open");
    fill(&folder);
    for _ in 0..3 {
        assert_eq!(count().await, None);
    }
    free(&folder);
    assert_eq!(count().await, Some(1));

    // There is no room for the next generation. The one before is served until there is.
    service.register([company("CHE-600.000.001", "Spätere AG")]).await;
    fill(&folder);
    assert!(process.refresh().await.is_err());
    assert_eq!(process.current().await.expect("a generation").manifest.companies, 1);
    free(&folder);
    process.refresh().await.expect("opened");
    assert_eq!(count().await, Some(2));
}

#[tokio::test]
async fn a_generation_can_be_built_again_once_there_is_room() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    let parent = TempDir::new().expect("a folder");
    let folder = parent.path().join("builds");
    let (registry, objects) = (&service.cloud.registry, &service.cloud.objects);
    let publish =
        async || indexer::publish(registry, objects, &folder, service.now(), |_| ()).await;
    std::fs::write(&folder, "full").expect("written");
    assert!(matches!(publish().await, Err(indexer::Error::File(_))));
    free(&folder);
    publish().await.expect("published");
    let left: Vec<_> = std::fs::read_dir(&folder).expect("a folder").collect();
    assert_eq!(left.len(), 1, "only the lock: {left:?}");
}

#[tokio::test]
async fn a_process_deletes_what_a_killed_one_has_left() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    let folder = TempDir::new().expect("a folder");
    let leftover = folder.path().join("generation-persons-killed");
    std::fs::create_dir(&leftover).expect("created");
    std::fs::write(leftover.join("segment"), "bytes").expect("written");
    let (process, _proxy) = recorded_process(&service, &folder).await;
    process.current().await.expect("a generation").tenures().await.expect("open");
    assert_eq!(downloaded(&folder), ["tenures"]);
    // A second process leaves the files of the first one alone.
    let (_second, _proxy) = recorded_process(&service, &folder).await;
    assert_eq!(downloaded(&folder), ["tenures"]);
}
