//! What the screening lists say about every company: `sanctionsHit`, `lastScreenedAt`, and the risk.

use access::Tier;
use domain::{Uid, lists::List};
use http::StatusCode;
use jobs::ListJob;
use publications::Publication;
use screening_results::{Run, current, is_running};
use serde_json::{Value, json};
use tests::{Service, company, workers_by_hand::killed_after};

use crate::list_updates::{SECO, Updated, with_targets};

const MUSTER: &str = "CHE-600.000.012";
const PROBE: &str = "CHE-600.000.029";
const THIRD: &str = "CHE-600.000.035";
const LISTED: (u32, &str, &str) = (70_001, "entity", "Quendelhof Rohstoffe");

/// Two companies in a generation.
async fn service() -> Updated {
    let service = Updated::start().await;
    let muster = company(MUSTER, "Quendelhof Rohstoffe AG");
    service.register([muster, company(PROBE, "Zwölfte Probe AG")]).await;
    service
}

async fn record(service: &Service, uid: &str) -> Value {
    // Of a team of its own, because a test may read more often than one caller is allowed.
    let (process, key) = (service.second_process(), service.key(Tier::Enterprise).await);
    let answer = process.get_as(&key, &format!("/v1/companies/{uid}")).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    answer.body
}

/// Compares all companies with the list, as the schedule requests it.
async fn screen(service: &Updated) {
    let jobs = vec![ListJob::ScreenRegister { lists: List::ALL.to_vec() }];
    assert_eq!(service.run_all(jobs).await, Vec::new());
}

/// The hits and numbers that are published, and the companies with hits.
async fn published(service: &Updated) -> (Vec<u8>, Vec<u8>, u64) {
    let objects = &service.cloud.objects;
    let current = current(objects, List::Seco).await.expect("read").expect("published");
    let folder = format!("screening/seco/2/companies/{}", current.id);
    let get = async |file: &str| {
        let bytes = objects.get(&format!("{folder}/{file}")).await.expect("read");
        zstd::decode_all(&bytes.expect("stored")[..]).expect("compressed")
    };
    (get("hits.jsonl.zst").await, get("numbers.zst").await, current.with_hits)
}

#[tokio::test]
async fn every_company_says_whether_a_sanctions_list_names_it_and_since_when() {
    let service = service().await;
    let before = record(&service, MUSTER).await;
    assert_eq!((&before["sanctionsHit"], &before["lastScreenedAt"]), (&Value::Null, &Value::Null));
    service.pass_seconds(60);
    service.update(&with_targets(&[LISTED])).await;
    let listed = record(&service, MUSTER).await;
    assert_eq!(listed["sanctionsHit"], true, "{listed}");
    assert_eq!(listed["lastScreenedAt"], service.now().to_string());
    assert_eq!(record(&service, PROBE).await["sanctionsHit"], false);
    // Wherever a record is returned.
    let process = service.second_process();
    let list = process.get("/v1/companies?search=quendelhof").await;
    assert_eq!(list.body["items"][0]["sanctionsHit"], true, "{list:?}");
    let full = process.get(&format!("/v1/companies/{MUSTER}/full")).await;
    assert_eq!(full.body["company"]["sanctionsHit"], true, "{full:?}");
    let key = service.key(Tier::Enterprise).await;
    let body = json!({ "uids": [MUSTER, PROBE], "fields": ["uid", "sanctionsHit"] });
    for path in ["/v1/bulk/export", "/v1/companies/export/excel"] {
        let csv = process.post_as(&key, path, body.clone()).await;
        let header = csv.text.lines().next().unwrap_or_default().to_owned();
        assert!(header.contains("sanctionsHit"), "{path}: {}", csv.text);
        for row in [format!("{MUSTER},true"), format!("{PROBE},false")] {
            assert!(csv.text.contains(&row), "{path}: {}", csv.text);
        }
    }
    service.pass_seconds(60);
    service.update(SECO).await;
    let removed = record(&service, MUSTER).await;
    assert_eq!(removed["sanctionsHit"], false);
    assert_eq!(removed["lastScreenedAt"], service.now().to_string());
}

/// What stands beside the name of a firm and says nothing about which firm it is, in four languages.
const BESIDE: [&str; 12] = [
    "Quendelhof Rohstoffe AG in Liquidation",
    "Quendelhof Rohstoffe AG in Liq.",
    "Quendelhof Rohstoffe SA en liquidation",
    "Quendelhof Rohstoffe SA in liquidazione",
    "Quendelhof Rohstoffe AG in Nachlassliquidation",
    "Quendelhof Rohstoffe AG in provisorischer Nachlassstundung",
    "Quendelhof Rohstoffe SA en sursis concordataire",
    "Quendelhof Rohstoffe (Schweiz) AG",
    "Quendelhof Rohstoffe AG, Zug",
    "Quendelhof Rohstoffe AG, Zweigniederlassung Genf",
    "Quendelhof Rohstoffe AG (vormals Altbach Handel AG)",
    "Quendelhof Rohstoffe Trading AG",
];

#[tokio::test]
async fn what_stands_beside_the_name_of_a_listed_firm_hides_it_nowhere() {
    let service = Updated::start().await;
    let uid =
        |at: usize| Uid::from_number(300_000_100 + at as u32).expect("nine digits").to_string();
    let firms = BESIDE.iter().enumerate().map(|(at, name)| company(&uid(at), name));
    let others = BESIDE.iter().enumerate().map(|(at, name)| {
        company(&uid(100 + at), &name.replace("Quendelhof Rohstoffe", "Zwölfte Probe"))
    });
    service.register(firms.chain(others).collect::<Vec<_>>()).await;
    service.pass_seconds(60);
    service.update(&with_targets(&[LISTED])).await;

    for (at, name) in BESIDE.iter().enumerate() {
        assert_eq!(record(&service, &uid(at)).await["sanctionsHit"], true, "{name}");
        assert_eq!(record(&service, &uid(100 + at)).await["sanctionsHit"], false, "like {name}");
    }
    let (process, key) = (service.second_process(), service.key(Tier::Enterprise).await);
    let sources = || json!(["seco"]);
    let uids: Vec<String> = (0..BESIDE.len()).map(uid).collect();
    let entities: Vec<Value> = BESIDE.iter().map(|it| json!({ "name": it })).collect();
    let batch = json!({ "uids": uids, "sources": sources() });
    let batch = process.post_as(&key, "/v1/screening/batch", batch).await;
    let bulk = json!({ "entities": entities, "sources": sources() });
    let bulk = process.post_as(&key, "/v1/bulk/screening", bulk).await;
    for (at, name) in BESIDE.iter().enumerate() {
        assert_ne!(batch.body["results"][at]["hits"], json!([]), "{name}: {batch:?}");
        assert_ne!(bulk.body["results"][at]["topMatches"], json!([]), "{name}: {bulk:?}");
        let body = json!({ "name": name, "sources": sources(), "monitor": true });
        let one = process.post_as(&key, "/v1/screening", body).await;
        assert_ne!(one.body["hits"], json!([]), "{name}: {one:?}");
    }
    let subjects = process.get_as(&key, crate::list_updates::SUBJECTS).await;
    let subjects = subjects.body.as_array().expect("subjects").clone();
    assert_eq!(subjects.len(), BESIDE.len());
    assert!(subjects.iter().all(|it| it["hitCount"] == 1), "{subjects:?}");
}

#[tokio::test]
async fn new_and_renamed_companies_are_screened_with_the_next_generation() {
    let service = service().await;
    service.update(&with_targets(&[LISTED])).await;
    let (uid, name) = ("CHE-600.000.035", "Quendelhof Rohstoffe GmbH");
    service.register([company(uid, name), company(PROBE, "Quendelhof Rohstoffe SA")]).await;
    let new = record(&service, uid).await;
    assert_eq!((&new["sanctionsHit"], &new["lastScreenedAt"]), (&Value::Null, &Value::Null));
    assert_eq!(record(&service, PROBE).await["sanctionsHit"], false);
    service.pass_seconds(60);
    screen(&service).await;
    for uid in [MUSTER, PROBE, uid] {
        let record = record(&service, uid).await;
        assert_eq!(record["sanctionsHit"], true, "{record}");
        assert_eq!(record["lastScreenedAt"], service.now().to_string());
    }
    // Nothing has changed, so nothing is published.
    let version = current(&service.cloud.objects, List::Seco).await.expect("read");
    service.pass_seconds(60);
    screen(&service).await;
    assert_eq!(current(&service.cloud.objects, List::Seco).await.expect("read"), version);
}

/// A register of which most companies and officers are on the list, some with other spellings; and three versions of the list.
async fn register(service: &Updated) -> [String; 3] {
    let mut names = invented_names::Names::new(29);
    let (mut publications, mut entries) = (Vec::new(), Vec::new());
    for number in 0..60_u32 {
        let uid = Uid::from_number(300_000_000 + number).expect("nine digits").to_string();
        let (firm, person) = (names.person(), names.person());
        let listed = names.perturbed(true, &firm).join(" ");
        let officer = format!(
            "{}, {}, von Chur, in Bern, Mitglied, mit Einzelunterschrift",
            person[1..].join(" "),
            person[0]
        );
        let firm = Publication::registration(&uid, &format!("{} Holding AG", firm.join(" ")));
        publications
            .push(firm.number(u64::from(number) + 1).on("2020-01-06").persons_entered(&officer));
        if number % 4 != 0 {
            entries.push((70_000 + number, "entity", format!("{listed} Holding")));
        }
        if number % 5 == 0 {
            let listed = names.perturbed(true, &person).join(" ");
            entries.push((80_000 + number, "individual", listed));
        }
    }
    service.ingest_publications(publications).await;
    service.service.publish().await;
    let list = |wanted: &dyn Fn(usize) -> bool| {
        let entries = entries.iter().enumerate().filter(|(at, _)| wanted(*at));
        let entries = entries.map(|(_, (id, kind, name))| (*id, *kind, name.as_str()));
        with_targets(&entries.collect::<Vec<_>>())
    };
    [list(&|it| it % 2 == 0), list(&|it| it % 3 != 0), list(&|it| it % 5 != 1)]
}

#[tokio::test]
async fn the_result_of_an_update_is_that_of_comparing_everything() {
    let service = Updated::start().await;
    let versions = register(&service).await;
    let mut results = Vec::new();
    for version in &versions {
        service.update(version).await;
        results.push(published(&service).await);
    }
    let with_hits: Vec<u64> = results.iter().map(|it| it.2).collect();
    assert!(with_hits.iter().all(|it| *it > 10), "{with_hits:?}");
    assert!(results[0].0 != results[1].0 && results[1].0 != results[2].0);
    for (version, expected) in versions.iter().zip(&results) {
        service.update(SECO).await;
        // Nothing is known, so every company is compared with the whole list.
        service
            .cloud
            .objects
            .delete("screening/seco/2/companies/current.json")
            .await
            .expect("deleted");
        service.update(version).await;
        assert!(published(&service).await == *expected);
    }
}

#[tokio::test]
async fn a_killed_worker_leaves_the_result_of_one_that_was_not() {
    let (service, other) = (Updated::start().await, Updated::start().await);
    let versions = register(&service).await;
    register(&other).await;
    let mut kills = 0;
    for version in &versions {
        other.update(version).await;
        let mut jobs = service.publish(version).await;
        while let Some(job) = jobs.pop() {
            let id = service.message();
            let run = || service.worker.handle(job.clone(), id.clone(), service.now());
            let is_screening =
                matches!(job, ListJob::ScreenList { .. } | ListJob::ScreenPart { .. });
            for polls in (1..60).step_by(3).take_while(|_| is_screening) {
                if !killed_after(polls, run()).await {
                    break;
                }
                kills += 1;
                // Readers see the result before, or the new one.
                assert_eq!(record(&service, "CHE-300.000.001").await["uid"], "CHE-300.000.001");
            }
            run().await.expect("done");
            jobs.extend(service.waiting().await);
        }
        assert!(published(&service).await == published(&other).await);
    }
    assert!(kills > 20, "{kills}");
}

/// Number of companies of a register of three parts.
const OF_THREE_PARTS: u32 = 2 * records::COMPANIES_PER_BLOCK as u32 + 10;

/// A register of three parts, in each of which a company is on the list, and the jobs that compare it.
async fn of_three_parts(service: &Updated) -> Vec<ListJob> {
    let uid = |it: u32| Uid::from_number(300_000_000 + it).expect("nine digits").to_string();
    let name = |it: u32| match it % 512 {
        0 => "Quendelhof Rohstoffe AG".to_owned(),
        _ => format!("Zwölfte Probe {it} AG"),
    };
    service.register((0..OF_THREE_PARTS).map(|it| company(&uid(it), &name(it)))).await;
    assert_eq!(service.publish(&with_targets(&[LISTED])).await.len(), 1, "and is not run");
    parts(service).await
}

/// The jobs that compare the register with the list.
async fn parts(service: &Updated) -> Vec<ListJob> {
    let job = ListJob::ScreenList { list: List::Seco };
    service.worker.handle(job, service.message(), service.now()).await.expect("done");
    service.waiting().await
}

#[tokio::test]
async fn all_parts_of_a_register_are_sent_at_once_and_published_once_in_any_order() {
    let (service, other) = (Updated::start().await, Updated::start().await);
    let (jobs, others) = (of_three_parts(&service).await, of_three_parts(&other).await);
    assert_eq!((jobs.len(), others.len()), (3, 3));
    assert_eq!(service.run_all(jobs).await, Vec::new());
    let mut results = Vec::new();
    for job in others.iter().rev().chain(&others) {
        // Each is delivered twice.
        for _ in 0..2 {
            let id = other.message();
            other.worker.handle(job.clone(), id, other.now()).await.expect("done");
        }
        assert_eq!(other.waiting().await, Vec::new(), "a part sends nothing");
        results.extend(current(&other.cloud.objects, List::Seco).await.expect("read"));
        other.pass_seconds(1);
    }
    assert_eq!(results.len(), 4, "published with the last part");
    assert!(results.iter().all(|it| *it == results[0]));
    let result = published(&service).await;
    assert!(result == published(&other).await);
    assert_eq!((result.1.len(), result.2), (4 * OF_THREE_PARTS as usize, 3));
}

#[tokio::test]
async fn a_part_whose_workers_die_is_compared_by_the_next_run_which_keeps_the_others() {
    let service = Updated::start().await;
    let jobs = of_three_parts(&service).await;
    let objects = &service.cloud.objects;
    let run = async |job: &ListJob| {
        let id = service.message();
        service.worker.handle(job.clone(), id, service.now()).await.expect("done");
    };
    let mut kills = 0;
    for job in [&jobs[0], &jobs[2]] {
        for polls in (1..30).step_by(3) {
            let dying = service.worker.handle(job.clone(), service.message(), service.now());
            kills += usize::from(killed_after(polls, dying).await);
        }
        run(job).await;
    }
    assert!(kills > 5, "{kills}");
    assert_eq!(current(objects, List::Seco).await.expect("read"), None);
    assert_eq!(parts(&service).await, Vec::new(), "the run is under way");
    service.pass_seconds(31 * 60);
    assert_eq!(parts(&service).await, jobs);
    let key = |part: &str| part.ends_with("/parts/00000");
    let stored = objects.keys("screening/seco/").await.expect("listed");
    let first = stored.iter().find(|it| key(it)).expect("the first part");
    objects.put(first, "kept, so not compared again").await.expect("stored");
    run(&jobs[0]).await;
    assert_eq!(
        objects.get(first).await.expect("read").expect("kept"),
        "kept, so not compared again"
    );
    objects.delete(first).await.expect("deleted");
    run(&jobs[1]).await;
    assert_eq!(current(objects, List::Seco).await.expect("read"), None, "a part is missing");
    run(&jobs[0]).await;
    assert_eq!(published(&service).await.2, 3);
}

#[tokio::test]
async fn a_run_starts_beside_another_one_only_if_that_one_is_lost() {
    let service = service().await;
    service.update(SECO).await;
    let objects = &service.cloud.objects;
    let started = async || {
        let job = ListJob::ScreenList { list: List::Seco };
        service.worker.handle(job, service.message(), service.now()).await.expect("done");
        service.waiting().await.len()
    };
    // Another generation, which no run has compared.
    service.register([company(PROBE, "Dreizehnte Probe AG")]).await;
    let result = current(objects, List::Seco).await.expect("read").expect("published");
    let generation = generations::published(objects).await.expect("read").expect("published").id;
    let run = Run { list: List::Seco, version: result.version, generation };
    run.put_running(objects, service.now()).await.expect("stored");
    assert_eq!(started().await, 0);
    service.pass_seconds(31 * 60);
    assert_eq!(started().await, 1);
}

#[tokio::test]
async fn an_older_run_does_not_replace_a_newer_result() {
    let service = service().await;
    let jobs = service.publish(&with_targets(&[LISTED])).await;
    // The first part of a run that is overtaken.
    let [ListJob::RescreenSubjects { version, .. }] = &jobs[..] else { panic!("{jobs:?}") };
    let objects = &service.cloud.objects;
    let generation = generations::published(objects).await.expect("read").expect("one").id;
    let (list, version) = (List::Seco, version.clone());
    let run = Run { list, version: version.clone(), generation: generation.clone() };
    let overtaken = ListJob::ScreenPart { list, version, generation, before: None, part: 0 };
    service.update(SECO).await;
    run.put_running(objects, service.now()).await.expect("stored");
    assert_eq!(service.run_all(vec![overtaken]).await, Vec::new());
    // It has ended, and holds back no other one.
    assert!(!is_running(objects, list, service.now()).await.expect("read"));
    assert_eq!(record(&service, MUSTER).await["sanctionsHit"], false);
}

#[tokio::test]
async fn records_are_returned_also_if_the_results_cannot_be_read() {
    let service = service().await;
    service.update(&with_targets(&[LISTED])).await;
    let key = "screening/seco/2/companies/current.json";
    service.cloud.objects.put(key, "{").await.expect("stored");
    let record = record(&service, MUSTER).await;
    assert_eq!(
        (&record["name"], &record["sanctionsHit"]),
        (&json!("Quendelhof Rohstoffe AG"), &Value::Null)
    );
}

#[tokio::test]
async fn risk_names_the_owners_behind_other_companies_and_those_that_were_not_searched() {
    let limited = |uid, name, number, partner: &str| {
        let publication = Publication::limited_company(uid, name).number(number).on("2026-01-05");
        let partner = format!("{partner}, mit 20 Stammanteilen zu je CHF 1'000.00");
        publication.persons_entered(&partner)
    };
    let owned = limited(
        MUSTER,
        "Untere GmbH",
        1,
        &format!("Obere GmbH ({PROBE}), in Bern, Gesellschafterin"),
    );
    let person = "Zapletalova, Eva, von Chur, in Bern, Gesellschafterin und Geschäftsführerin, mit Einzelunterschrift";
    let service = Updated::start().await;
    // Its partner is not in the register.
    let other = limited(
        THIRD,
        "Dritte GmbH",
        3,
        "Fremde GmbH (CHE-600.000.041), in Bern, Gesellschafterin",
    );
    let owner = limited(PROBE, "Obere GmbH", 2, person);
    service.ingest_publications([owned, owner, other]).await;
    service.update(&with_targets(&[(70_002, "individual", "Eva Zapletalova")])).await;
    let key = service.key(Tier::Professional).await;
    let process = service.second_process();
    let lists = async |uid: &str| {
        let answer = process.get_as(&key, &format!("/v1/risk/v2/{uid}")).await;
        let factors = answer.body["factors"].as_array().unwrap_or_else(|| panic!("{answer:?}"));
        let mut factors = factors.iter().filter(|it| it["factor"] == "sanctions_and_exposure");
        factors.next().expect("the factor").clone()
    };
    for uid in [MUSTER, PROBE] {
        let lists = lists(uid).await;
        let [evidence] = lists["evidence"].as_array().expect("evidence").as_slice() else {
            panic!("{lists}")
        };
        let text = evidence["summary"].as_str().expect("a text");
        assert!(text.starts_with("The owner Eva Zapletalova may be on a sanctions list"), "{text}");
        assert_eq!(lists["evidenceNote"], Value::Null, "every owner was searched: {lists}");
    }
    let note = lists(THIRD).await["evidenceNote"].as_str().expect("a note").to_owned();
    assert!(
        note.ends_with("Owners that were compared with no sanctions list: Fremde GmbH."),
        "{note}"
    );
}

#[tokio::test]
async fn parents_abroad_are_compared_and_count_as_owners() {
    const DIRECT: &str = "549300AAAAAAAAAAAA08";
    const TOP: &str = "5493001KJTIIGC8Y1R12";
    let mut child = company(MUSTER, "Muster AG");
    child.legal_form_code = Some("0106".to_owned());
    child.direct_parent_lei = DIRECT.parse().ok();
    child.ultimate_parent_lei = TOP.parse().ok();
    child.ultimate_parent_name = Some("Quendelhof Rohstoffe Group".to_owned());
    let service = Updated::start().await;
    service.register([child.clone()]).await;
    service.update(&with_targets(&[(70_001, "entity", "Quendelhof Rohstoffe Group")])).await;
    let key = service.key(Tier::Professional).await;
    let lists = async || {
        let path = format!("/v1/risk/v2/{MUSTER}");
        let answer = service.second_process().get_as(&key, &path).await;
        let factors = answer.body["factors"].as_array().unwrap_or_else(|| panic!("{answer:?}"));
        let mut factors = factors.iter().filter(|it| it["factor"] == "sanctions_and_exposure");
        factors.next().expect("the factor").clone()
    };
    let named = lists().await;
    let [evidence] = named["evidence"].as_array().expect("evidence").as_slice() else {
        panic!("{named}")
    };
    let text = evidence["summary"].as_str().expect("a text");
    assert!(text.starts_with("The owner Quendelhof Rohstoffe Group may be on a"), "{text}");
    // Of the direct parent, only the identifier is known.
    let note = named["evidenceNote"].as_str().expect("a note");
    assert!(note.ends_with(&format!(": LEI:{DIRECT}.")), "{note}");
    // The company itself is on no list.
    assert_eq!(record(&service, MUSTER).await["sanctionsHit"], false);
    // A sold company is not liable for its former parent: the result of yesterday's names does not count today.
    child.ultimate_parent_lei = None;
    child.ultimate_parent_name = None;
    service.cloud.registry.put_companies(vec![child]).await.expect("stored");
    let sold = lists().await;
    assert_eq!(sold["evidence"], json!([]), "{sold}");
}

#[tokio::test]
async fn risk_names_the_list_and_its_date() {
    let service = Updated::start().await;
    let officer = "Zapletalova, Eva, von Chur, in Bern, Präsidentin des Verwaltungsrates, mit Einzelunterschrift";
    let muster = Publication::registration(MUSTER, "Quendelhof Rohstoffe AG");
    let muster = muster.number(1).on("2020-01-06").persons_entered(officer);
    service.ingest_publications([muster]).await;
    service.service.publish().await;
    let eva = (70_002, "individual", "Eva Zapletalova");
    service.update(&with_targets(&[LISTED, eva])).await;
    let key = service.key(Tier::Professional).await;
    let process = service.second_process();
    let answer = process.get_as(&key, &format!("/v1/risk/v2/{MUSTER}")).await;
    let factors = answer.body["factors"].as_array().unwrap_or_else(|| panic!("{answer:?}"));
    let mut factors = factors.iter().filter(|it| it["factor"] == "sanctions_and_exposure");
    let lists = factors.next().expect("the factor");
    assert_eq!(lists["evidenceApplied"], true, "{lists}");
    let evidence = lists["evidence"].as_array().expect("evidence");
    assert_eq!(evidence.len(), 2, "{lists}");
    for (it, who) in evidence.iter().zip(["The company Quendelhof", "The officer Eva"]) {
        let text = it["summary"].as_str().unwrap_or_else(|| panic!("{it}"));
        assert!(
            evidence.iter().any(|it| it["summary"].as_str().is_some_and(|it| it.starts_with(who)))
        );
        assert!(text.contains("on a sanctions list of SECO"), "{text}");
        assert!(text.ends_with("List of 28 September 2026."), "{text}");
        assert_eq!(it["source"], "seco");
        assert_eq!(it["observedAt"], "2026-11-20");
    }
    // A past day says nothing about lists, of which only the present result is known.
    let past = process.get_as(&key, &format!("/v1/risk/v2/{MUSTER}?asOf=2026-10-01")).await;
    assert_eq!(past.status, StatusCode::OK, "{past:?}");
}
