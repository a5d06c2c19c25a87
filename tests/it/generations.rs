use generations::Generations;
use http::StatusCode;
use serde_json::Value;
use tests::{Service, company};

#[tokio::test]
async fn a_register_without_a_generation_is_unavailable_not_empty() {
    let service = Service::over(tests::cloud().await).await;
    let answer = service.get("/v1/companies").await;
    assert_eq!((answer.status.as_u16(), answer.slug()), (503, "service-unavailable"));
    service.register([company("CHE-107.787.577", "Muster AG")]).await;
    assert_eq!(service.get("/v1/companies").await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_new_generation_is_served_once_it_is_published_and_the_old_until_then() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    let later = company("CHE-600.000.001", "Spätere AG");
    service.cloud.registry.put_companies(vec![later]).await.expect("stored");
    assert_eq!(service.get("/v1/companies/count").await.body["count"], 1);
    service.publish().await;
    assert_eq!(service.get("/v1/companies/count").await.body["count"], 2);
}

/// The keys of the current generation's files, the manifest left out.
async fn files(service: &Service) -> (String, Vec<String>) {
    let current = service.cloud.objects.get("generations/current.json").await.expect("read");
    let current: Value = serde_json::from_slice(&current.expect("a generation")).expect("json");
    let id = current["id"].as_str().expect("an id").to_owned();
    let keys =
        service.cloud.objects.keys(&format!("generations/{id}/companies/")).await.expect("listed");
    (id, keys)
}

async fn open(service: &Service) -> Result<u64, String> {
    let folder = tempfile::TempDir::new().expect("a folder");
    let reader = Generations::new(service.cloud.objects.clone(), folder.path());
    let opened = reader.refresh().await;
    opened.map(|it| it.companies.company_count()).map_err(|it| it.to_string())
}

#[tokio::test]
async fn a_torn_or_corrupt_generation_is_not_opened_and_the_old_one_is_kept() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    let service = &service;
    let later = company("CHE-600.000.001", "Spätere AG");
    service.cloud.registry.put_companies(vec![later]).await.expect("stored");
    // Published, but not yet opened by the service.
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

    let (id, keys) = files(service).await;
    assert!(keys.len() > 3);
    for key in &keys {
        let whole = objects.get(key).await.expect("read").expect("an object");
        let mut flipped = whole.to_vec();
        let middle = flipped.len() / 2;
        flipped[middle] ^= 1;
        let shorter = whole[..whole.len() - 1].to_vec();
        for damaged in [flipped, shorter, Vec::new()] {
            objects.put(key, damaged).await.expect("damaged");
            assert!(open(service).await.is_err(), "{key}");
            assert!(service.generations.refresh().await.is_err());
            assert_eq!(service.get("/v1/companies/count").await.body["count"], 1);
        }
        objects.delete(key).await.expect("deleted");
        assert!(open(service).await.is_err(), "{key}");
        objects.put(key, whole).await.expect("mended");
    }
    let manifest = format!("generations/{id}/manifest.json");
    let whole = objects.get(&manifest).await.expect("read").expect("a manifest");
    for damaged in ["", "{", "{\"id\": 7}"] {
        objects.put(&manifest, damaged.to_owned()).await.expect("damaged");
        assert!(open(service).await.is_err());
    }
    let text = String::from_utf8(whole.to_vec()).expect("json");
    objects.put(&manifest, text.replace("companies/", "../../etc/")).await.expect("damaged");
    assert!(open(service).await.is_err_and(|it| it.contains("not a path below it")));

    // What was refused is not downloaded over and over; whoever asks outright is answered.
    objects.put(&manifest, whole).await.expect("mended");
    service.generations.refresh().await.expect("opened");
    assert_eq!(service.get("/v1/companies/count").await.body["count"], 2);
}

#[tokio::test]
async fn a_publisher_that_dies_on_the_way_has_published_nothing() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    let (id, keys) = files(&service).await;
    // What a publisher leaves that died before the pointer: files, perhaps a manifest.
    let copied = service.cloud.objects.get(&keys[0]).await.expect("read").expect("an object");
    let unfinished = "generations/ffffffff-0000-7000-8000-000000000000";
    service.cloud.objects.put(&format!("{unfinished}/companies/x"), copied).await.expect("put");
    service.cloud.objects.put(&format!("{unfinished}/manifest.json"), "{").await.expect("put");
    let opened = service.generations.refresh().await.expect("opened");
    assert_eq!(opened.manifest.id, id);
}

#[tokio::test]
async fn old_generations_are_forgotten_but_for_those_a_reader_may_still_download() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    for _ in 0..5 {
        service.publish().await;
    }
    let keys = service.cloud.objects.keys("generations/").await.expect("listed");
    let manifests = keys.iter().filter(|it| it.ends_with("manifest.json")).count();
    assert_eq!(manifests, 3);
}
