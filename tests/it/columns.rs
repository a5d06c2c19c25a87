//! The columns of a generation: what they say is what the registry says.

use std::collections::{BTreeMap, HashSet};

use analytics::{
    Needs, Rows,
    columns::{ChangeColumn, ChangeRow, Changes, Companies, CompanyColumn, CompanyRow},
};
use domain::{
    Canton, Company, History, Status, Uid,
    search::{CompanyQuery, WantedStatus},
};
use futures_util::TryStreamExt;
use generations::{COLUMNS, Generation, Tables};
use jiff::civil::Date;
use local::{
    cloud::Cloud,
    register::demo::{self, DemoSettings},
};
use problem_details::Problem;
use tempfile::TempDir;
use tests::{Service, company};

/// A service over a demo register with all notices.
async fn demo_service(folder: &TempDir) -> Service {
    let (cloud, database) = Cloud::in_folder(folder.path()).await.expect("a cloud");
    let settings = DemoSettings { companies: 300, all_notices: true };
    demo::load(&cloud, database, settings, demo_registry::DEMO_DATE).await.expect("loaded");
    let service = Service::over(cloud).await;
    service.publish().await;
    service
}

fn all() -> Needs {
    Needs {
        companies: CompanyColumn::ALL.iter().copied().collect(),
        changes: ChangeColumn::ALL.iter().copied().collect(),
    }
}

fn one(column: CompanyColumn) -> Needs {
    Needs { companies: [column].into(), ..Needs::default() }
}

async fn read(generation: &Generation, needs: &Needs) -> Tables {
    generation.columns(needs).await.unwrap_or_else(|it| panic!("{it:?}"))
}

/// Every company of the registry.
async fn registered(service: &Service) -> BTreeMap<Uid, (Company, History)> {
    let pages = service.cloud.registry.every_company();
    let pages: Vec<_> = pages.try_collect().await.expect("an answer");
    let companies = pages.into_iter().flatten().map(|it| it.expect("readable"));
    companies.map(|it| (it.0.uid, it)).collect()
}

#[tokio::test]
async fn columns_are_those_of_the_records_and_histories() {
    let folder = TempDir::new().expect("a folder");
    let service = demo_service(&folder).await;
    let generation = service.generations.refresh().await.expect("opened");
    let tables = read(&generation, &all()).await;
    let index = generation.companies().await.unwrap_or_else(|it| panic!("{it:?}"));
    let registered = registered(&service).await;
    let documents: Vec<u32> = (0..tables.companies.rows).collect();
    assert_eq!(*tables.companies.uid, index.uids_of(&documents), "rows are documents");
    assert_eq!(tables.companies.uid.len(), registered.len());

    let mut firms = (*tables.firms).clone();
    let (mut companies, mut changes) = (Companies::default(), Changes::default());
    for uid in tables.companies.uid.iter() {
        let (company, history) = &registered[uid];
        let others = index.others_at_address(*uid).expect("an answer");
        let at_address = others.map(|it| u32::try_from(it + 1).expect("few"));
        let rows = ChangeRow::all_of(company, history, &mut firms);
        companies.push(CompanyRow::of(company, history, &mut firms, at_address, &rows));
        rows.into_iter().for_each(|it| changes.push(it));
    }
    assert_eq!(firms.len(), tables.firms.len(), "all firms are there, and no others");
    for column in CompanyColumn::ALL {
        let [read, expected] =
            [&tables.companies, &companies].map(|it| it.clone().with_only(&[*column]));
        assert!(read == expected, "{column:?}");
    }
    for column in ChangeColumn::ALL {
        let [read, expected] =
            [&tables.changes, &changes].map(|it| it.clone().with_only(&[*column]));
        assert!(read == expected, "{column:?}");
    }

    let counted: u32 = tables.companies.changes.iter().sum();
    let stated = generation.manifest.counts.changes;
    assert_eq!((u64::from(counted), u64::from(tables.changes.rows)), (stated, stated));
    assert!(counted > 1_000 && tables.firms.len() > 5, "{counted} {}", tables.firms.len());
}

#[tokio::test]
async fn a_search_selects_the_rows_of_its_companies() {
    let folder = TempDir::new().expect("a folder");
    let service = demo_service(&folder).await;
    let generation = service.generations.refresh().await.expect("opened");
    let tables = read(&generation, &all()).await.companies;
    let selection = async |query: &CompanyQuery, tagged| {
        generation.selection(query, tagged).await.unwrap_or_else(|it| panic!("{it:?}"))
    };
    let every = Rows::all(tables.rows);
    assert_eq!(selection(&CompanyQuery::default(), None).await, every);
    for canton in Canton::ALL {
        let query = CompanyQuery { canton: [canton].into(), ..CompanyQuery::default() };
        let of_canton = every.filter(|row| tables.canton[row as usize] == Some(canton));
        assert_eq!(selection(&query, None).await, of_canton, "{canton:?}");
    }
    let status = [WantedStatus(Status::Cancelled)].into();
    let deleted = CompanyQuery { status, ..CompanyQuery::default() };
    let expected = every.filter(|row| tables.status[row as usize] == Some(Status::Cancelled));
    assert!(!expected.is_empty());
    assert_eq!(selection(&deleted, None).await, expected);
    let tagged: HashSet<Uid> = tables.uid.iter().copied().take(3).collect();
    let first: Rows = (0..3).collect();
    assert_eq!(selection(&CompanyQuery::default(), Some(tagged)).await, first);
}

#[tokio::test]
async fn the_manifest_states_since_when_the_register_is_known() {
    let folder = TempDir::new().expect("a folder");
    let service = demo_service(&folder).await;
    let manifest = generations::published(&service.cloud.objects).await.expect("read");
    let coverage = manifest.expect("a generation").contents.coverage;
    let mut publications: BTreeMap<String, Vec<Date>> = BTreeMap::new();
    let mut deletions: Vec<Date> = Vec::new();
    for (company, history) in registered(&service).await.into_values() {
        for event in &history.events {
            let source = event.event.source.source.clone();
            publications.entry(source).or_default().push(event.event.date);
        }
        deletions.extend(company.deletion_date);
    }
    let ends = |days: &[Date]| {
        let month = |it: Option<&Date>| it.expect("a day").strftime("%Y-%m").to_string();
        (month(days.iter().min()), month(days.iter().max()))
    };
    assert!(coverage.publications.keys().eq(publications.keys()));
    for (source, months) in coverage.publications {
        assert_eq!((months.first_month, months.last_month), ends(&publications[&source]));
        assert!(months.complete_from.is_some(), "{source}");
    }
    let months = coverage.deletions.expect("some companies are deleted");
    assert_eq!((months.first_month, months.last_month), ends(&deletions));
    assert_eq!(months.complete_from, None, "few companies are deleted in a month");
}

#[tokio::test]
async fn a_damaged_column_is_unavailable_and_everything_else_works() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    let objects = &service.cloud.objects;
    let generation = service.generations.refresh().await.expect("opened");
    let (status, uid) = (one(CompanyColumn::Status), one(CompanyColumn::Uid));

    let id = generation.manifest.id.clone();
    let key = async |id: &str| {
        let suffix = format!("{id}/{COLUMNS}/companies.parquet");
        let keys = objects.keys("generations/").await.expect("listed");
        keys.into_iter().find(|it| it.ends_with(&suffix)).expect("a file")
    };
    let damage = async |key: &str| {
        let whole = objects.get(key).await.expect("read").expect("an object");
        // The file begins with the column of numbers, after four bytes.
        let mut damaged = whole.to_vec();
        damaged[5] ^= 1;
        objects.put(key, damaged).await.expect("damaged");
        whole
    };
    let first = key(&id).await;
    let whole = damage(&first).await;
    let failure = generation.columns(&uid).await.expect_err("it is damaged");
    assert!(format!("{failure:?}").contains("uid"), "{failure:?}");
    assert_eq!(Problem::from(failure).kind.status.as_u16(), 503);
    assert_eq!(read(&generation, &status).await.companies.rows, 1);
    assert_eq!(service.get("/v1/companies/count").await.body["count"], 1);
    objects.put(&first, whole).await.expect("restored");
    assert_eq!(read(&generation, &uid).await.companies.uid.len(), 1, "it is fetched again");

    // The next generation is not served until the columns in use are there.
    service
        .cloud
        .registry
        .put_companies(vec![company("CHE-600.000.001", "Spätere AG")])
        .await
        .expect("stored");
    let (registry, downloads) = (&service.cloud.registry, service.downloads.path());
    let next = indexer::publish(registry, objects, downloads, service.now(), |_| ()).await;
    let second = key(&next.expect("published").id).await;
    let whole = damage(&second).await;
    assert!(service.generations.refresh().await.is_err());
    assert_eq!(service.get("/v1/companies/count").await.body["count"], 1);
    objects.put(&second, whole).await.expect("restored");
    let opened = service.generations.refresh().await.expect("opened");
    objects.delete(&second).await.expect("deleted");
    assert_eq!(read(&opened, &uid).await.companies.uid.len(), 2, "it was fetched before");
}
