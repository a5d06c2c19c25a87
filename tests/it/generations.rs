//! Generations: publishing, opening and replacing the indexes.

use std::time::Duration;

use access::Tier;
use domain::search::persons::PersonQuery;
use generations::{Error, Generations, Layout};
use http::StatusCode;
use local::cloud::clients::s3_client;
use objects::Objects;
use publications::Publication;
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

/// The id of the current generation and the keys of the files of one of its indexes, without records, which are not
/// downloaded.
async fn files(service: &Service, index: &str) -> (String, Vec<String>) {
    let current = service.cloud.objects.get("generations/8/current.json").await.expect("read");
    let current: Value = serde_json::from_slice(&current.expect("a generation")).expect("json");
    let id = current["id"].as_str().expect("an id").to_owned();
    let keys = service.cloud.objects.keys(&format!("generations/8/{id}/{index}/")).await;
    let mut keys = keys.expect("listed");
    keys.retain(|it| !it.ends_with("/blocks.zst"));
    (id, keys)
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
    let manifest = format!("generations/8/{id}/manifest.json");
    let whole = objects.get(&manifest).await.expect("read").expect("a manifest");
    for damaged in ["", "{", "{\"id\": 7}"] {
        objects.put(&manifest, damaged.to_owned()).await.expect("damaged");
        assert!(open(service).await.is_err());
    }
    let text = String::from_utf8(whole.to_vec()).expect("json");
    objects.put(&manifest, text.replace("companies/", "../../etc/")).await.expect("damaged");
    assert!(open(service).await.is_err_and(|it| it.contains("not a path within the version")));

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
    let unfinished = "generations/8/ffffffff-0000-7000-8000-000000000000";
    service.cloud.objects.put(&format!("{unfinished}/companies/x"), copied).await.expect("put");
    service.cloud.objects.put(&format!("{unfinished}/manifest.json"), "{").await.expect("put");
    let opened = service.generations.refresh().await.expect("opened");
    assert_eq!(opened.manifest.id, id);
}

#[tokio::test]
async fn the_three_newest_generations_and_those_of_the_last_day_are_kept() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    let objects = &service.cloud.objects;
    // Generations of 2023: only their manifests matter here.
    let old = |number: u64| {
        let time = uuid::Timestamp::from_unix(uuid::NoContext, 1_700_000_000 + number, 0);
        format!("generations/8/{}/manifest.json", uuid::Uuid::new_v7(time))
    };
    for number in 0..3 {
        objects.put(&old(number), "{}").await.expect("put");
    }
    let manifests = async || {
        let keys = objects.keys("generations/8/").await.expect("listed");
        keys.iter().filter(|it| it.ends_with("manifest.json")).count()
    };
    service.publish().await;
    assert_eq!(manifests().await, 3);
    for _ in 0..3 {
        service.publish().await;
    }
    assert_eq!(manifests().await, 5, "all of today");
}

#[tokio::test]
async fn two_layouts_are_read_and_published_side_by_side() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    let objects = &service.cloud.objects;
    // What a version with another layout has published. The format of its files does not matter here.
    let other = Layout(1);
    let (id, _) = files(&service, "companies").await;
    let copy = async |key: String, to: String| {
        let bytes = objects.get(&key).await.expect("read").expect("an object");
        let text = |it: &str| it.replace("\"layout\":8", "\"layout\":1").into_bytes();
        let bytes = std::str::from_utf8(&bytes).map_or_else(|_| bytes.to_vec(), text);
        objects.put(&to, bytes).await.expect("copied");
    };
    for key in objects.keys("generations/8/").await.expect("listed") {
        copy(key.clone(), key.replace("generations/8/", "generations/1/")).await;
    }
    let folder = TempDir::new().expect("a folder");
    let count = async |reader: &Generations| {
        let generation = reader.refresh().await.expect("a generation");
        generation.companies().await.map_err(|it| Error::from(it).to_string())?;
        Ok::<_, String>((generation.manifest.layout, generation.manifest.companies))
    };
    let reader = || Generations::new(objects.clone(), folder.path());
    let earlier = reader().with_layout(other);
    assert_eq!(count(&earlier).await, Ok((other, 1)));
    // A new generation of this layout concerns neither the other pointer nor the other files, however often one is published.
    service.register([company("CHE-600.000.001", "Spätere AG")]).await;
    service.publish().await;
    assert_eq!(count(&reader()).await, Ok((Layout::PRESENT, 2)));
    assert_eq!(count(&reader().with_layout(other)).await, Ok((other, 1)), "after a roll-back");
    // A generation of one layout in the folder of another is refused.
    copy(format!("generations/1/{id}/manifest.json"), format!("generations/8/{id}/manifest.json"))
        .await;
    copy("generations/1/current.json".to_owned(), "generations/8/current.json".to_owned()).await;
    let refused = reader().with_layout(Layout::PRESENT).refresh().await.map(drop);
    assert!(refused.is_err_and(|it| it.to_string().contains("another layout")));
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "the indexer takes ids from the clock too")]
async fn generations_of_a_layout_that_no_version_is_rolled_back_to_are_deleted() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    let objects = &service.cloud.objects;
    let id = |days: i64| {
        let time = jiff::Timestamp::now() - jiff::SignedDuration::from_hours(24 * days);
        let time = uuid::Timestamp::from_unix(uuid::NoContext, time.as_second().cast_unsigned(), 0);
        uuid::Uuid::new_v7(time).to_string()
    };
    let put = async |layout: u32, days: i64| {
        let id = id(days);
        let folder = format!("generations/{layout}");
        let pointer = serde_json::json!({ "id": id }).to_string();
        objects.put(&format!("{folder}/{id}/manifest.json"), "{}").await.expect("put");
        objects.put(&format!("{folder}/{id}/companies/x"), "a file").await.expect("put");
        objects.put(&format!("{folder}/current.json"), pointer.into_bytes()).await.expect("put");
    };
    // The first has been out of use for 31 days. In the second, a generation was published yesterday.
    put(1, 40).await;
    put(1, 31).await;
    put(2, 40).await;
    put(2, 1).await;
    service.publish().await;
    let count = async |layout: u32| {
        objects.keys(&format!("generations/{layout}/")).await.expect("listed").len()
    };
    assert_eq!((count(1).await, count(2).await), (0, 5));
    assert_eq!(service.get("/v1/companies").await.body["total"], 1);
}

#[tokio::test]
async fn what_killed_publishers_left_is_deleted_and_does_not_count_as_a_generation() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    let objects = &service.cloud.objects;
    let (first, _) = files(&service, "companies").await;
    let mut kept = vec![first, service.publish().await.id, service.publish().await.id];
    for _ in 0..3 {
        // A build that was killed before it put its manifest.
        let killed = format!("generations/8/{}/companies/x", uuid::Uuid::now_v7());
        objects.put(&killed, "a part").await.expect("put");
    }
    kept.push(service.publish().await.id);
    let keys = objects.keys("generations/8/").await.expect("listed");
    let mut left: Vec<&str> = keys.iter().filter_map(|it| it.split('/').nth(2)).collect();
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
        .filter_map(|it| Some(it.strip_prefix("published-")?.split_once('-')?.0.to_owned()))
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

/// A service with a company that has an officer, and the keys of the records of its persons.
async fn with_person() -> (Service, Vec<String>) {
    let service = Service::start().await;
    let eva = "Zapletalova, Eva, von Chur, in Bern, Mitglied, mit Einzelunterschrift";
    let muster = Publication::registration("CHE-600.000.012", "Quendelhof Rohstoffe AG");
    let muster = muster.number(1).on("2020-01-06").persons_entered(eva);
    service.ingest_publications([muster]).await;
    service.publish().await;
    let keys = service.cloud.objects.keys("generations/8/").await.expect("listed");
    let last = keys.iter().rfind(|it| it.ends_with("/manifest.json")).expect("a generation");
    let folder = last.trim_end_matches("manifest.json").to_owned();
    let of_persons = ["summaries", "roles"];
    (service, of_persons.map(|it| format!("{folder}persons/{it}/blocks.zst")).into())
}

#[tokio::test]
async fn records_are_read_when_they_are_needed_and_once() {
    let (service, keys) = with_person().await;
    let folder = TempDir::new().expect("a folder");
    let (process, proxy) = recorded_process(&service, &folder).await;
    let generation = process.current().await.expect("a generation");
    let persons = generation.persons().await.expect("open");
    let records = || proxy.seen().iter().filter(|it| it.contains("/blocks.zst")).count();
    assert_eq!(records(), 0);
    let found = persons.search(&PersonQuery::default()).await.expect("an answer");
    assert_eq!((found.total, found.persons.len(), records()), (1, 1, 1));
    persons.person(found.persons[0].id).await.expect("an answer").expect("known");
    assert_eq!(records(), 1, "the roles");
    persons.person(found.persons[0].id).await.expect("an answer").expect("known");
    assert_eq!(records(), 0, "all are in memory");
    // A process that copies them reads from its own disk.
    let copying = TempDir::new().expect("a folder");
    let objects = Objects::named(s3_client(&proxy.address), &service.cloud.bucket);
    let process = Generations::new(objects, copying.path()).with_copies();
    let generation = process.current().await.expect("a generation");
    let persons = generation.persons().await.expect("open");
    let mut copied = 0;
    while copied < keys.len() {
        tokio::time::sleep(Duration::from_millis(5)).await;
        copied += records();
    }
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(persons.search(&PersonQuery::default()).await.expect("an answer").total, 1);
    assert_eq!(records(), 0);
}

#[tokio::test]
async fn damaged_and_missing_records_make_an_operation_unavailable() {
    let (service, keys) = with_person().await;
    let key = service.key(Tier::Enterprise).await;
    let objects = &service.cloud.objects;
    for records in keys {
        let whole = objects.get(&records).await.expect("read").expect("an object");
        let mut changed = whole.to_vec();
        changed[whole.len() / 2] ^= 1;
        let ask = async || {
            let process = service.second_process();
            let found = process.get_as(&key, "/v1/persons/search").await;
            if found.status != StatusCode::OK {
                return found;
            }
            let id = found.body["items"][0]["id"].as_str().expect("an id");
            process.get_as(&key, &format!("/v1/persons/{id}")).await
        };
        assert_eq!(ask().await.status, StatusCode::OK);
        for damaged in [changed, whole[1..].to_vec(), Vec::new()] {
            objects.put(&records, damaged).await.expect("damaged");
            let answer = ask().await;
            assert_eq!((answer.status.as_u16(), answer.slug()), (503, "service-unavailable"));
        }
        objects.delete(&records).await.expect("deleted");
        assert_eq!(ask().await.status, StatusCode::SERVICE_UNAVAILABLE);
        objects.put(&records, whole).await.expect("restored");
    }
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
    // The table of the records is empty, because there are none.
    assert_eq!(read(&proxy), vec!["tenures"; keys.len() - 1]);
    // A damaged index is not downloaded again by the next request.
    let (_, keys) = files(&service, "changes").await;
    for key in &keys {
        let object = service.cloud.objects.get(key).await.expect("read").expect("an object");
        // Some files are empty.
        service.cloud.objects.put(key, vec![0; object.len()]).await.expect("damaged");
    }
    assert!(generation.changes().await.is_err());
    // Files are downloaded in parallel; those that are not begun when one is found to be damaged are left out.
    assert!((1..=keys.len()).contains(&read(&proxy).len()));
    assert!(generation.changes().await.is_err());
    assert!(read(&proxy).is_empty());
}

#[tokio::test]
async fn no_request_waits_for_a_newer_generation_unless_the_process_hardly_proceeds() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    let folder = TempDir::new().expect("a folder");
    let (process, proxy) = recorded_process(&service, &folder).await;
    let old = process.current().await.expect("a generation");
    old.companies().await.expect("open");
    service.register([company("CHE-600.000.001", "Spätere AG")]).await;
    proxy.seen();
    let pass = async |duration: Duration| {
        tokio::time::pause();
        tokio::time::advance(duration).await;
        tokio::time::resume();
    };
    pass(Duration::from_secs(40)).await;
    // The request that lets the process look for a newer generation does not wait for it.
    let served = process.current().await.expect("a generation");
    assert_eq!(served.manifest.id, old.manifest.id);
    while !proxy.seen().iter().any(|it| it.contains("/manifest.json")) {
        tokio::task::yield_now().await;
    }
    let served = process.current().await.expect("a generation");
    assert_eq!(served.manifest.id, old.manifest.id, "it is being downloaded");
    // As if the process was stopped meanwhile.
    pass(Duration::from_mins(31)).await;
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
    assert!(left.is_empty(), "{left:?}");
}

#[tokio::test]
async fn a_process_deletes_what_a_killed_one_has_left() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    let folder = TempDir::new().expect("a folder");
    let leftover = folder.path().join("published-persons-killed");
    std::fs::create_dir(&leftover).expect("created");
    std::fs::write(leftover.join("segment"), "bytes").expect("written");
    let (process, _proxy) = recorded_process(&service, &folder).await;
    process.current().await.expect("a generation").tenures().await.expect("open");
    assert_eq!(downloaded(&folder), ["tenures"]);
    // A second process leaves the files of the first one alone.
    let (_second, _proxy) = recorded_process(&service, &folder).await;
    assert_eq!(downloaded(&folder), ["tenures"]);
}
