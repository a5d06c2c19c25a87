use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use aws_sdk_s3::{
    config::{
        Builder, ConfigBag, Credentials, Intercept, Region, RuntimeComponents,
        interceptors::BeforeTransmitInterceptorContextMut,
    },
    error::BoxError,
};
use emulators::s3::{ACCESS_KEY, SECRET_KEY};
use tempfile::TempDir;
use tokio::net::TcpListener;

use super::*;

const LAYOUT: u32 = 2;

/// What the tests publish: a version of one layout.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Thing {
    layout: u32,
    id: String,
    files: Vec<File>,
}

impl Description for Thing {
    const NAME: &'static str = "thing.json";

    fn folder(&self) -> String {
        folder(self.layout)
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn files(&self) -> &[File] {
        &self.files
    }
}

fn folder(layout: u32) -> String {
    format!("things/{layout}/")
}

/// A new folder with files to publish.
fn build() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    fs::create_dir(folder.path().join("part")).expect("created");
    for (path, content) in [("part/nothing", ""), ("part/one", &"1".repeat(5_000)), ("two", "2")] {
        fs::write(folder.path().join(path), content).expect("written");
    }
    folder
}

/// Refuses requests, as if the process had died, once this number of them was sent.
#[derive(Debug)]
struct Dies(Arc<AtomicUsize>);

impl Intercept for Dies {
    fn name(&self) -> &'static str {
        "Dies"
    }

    fn modify_before_signing(
        &self,
        _: &mut BeforeTransmitInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let sent = |it: usize| it.checked_sub(1);
        let left = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, sent);
        left.map(drop).map_err(|_| "died".into())
    }
}

/// A bucket of its own.
struct World {
    objects: Objects,
    /// Number of requests that can be sent.
    left: Arc<AtomicUsize>,
    _folder: TempDir,
}

impl World {
    #[expect(clippy::disallowed_methods, reason = "`objects::client` has no path-style addresses")]
    async fn start() -> Self {
        let bucket = TempDir::new().expect("a folder");
        fs::create_dir(bucket.path().join("bucket")).expect("created");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        emulators::s3::start(listener, bucket.path()).expect("started");
        let left = Arc::new(AtomicUsize::new(usize::MAX));
        let config = Builder::new()
            .behavior_version_latest()
            .region(Region::new("eu-central-2"))
            .endpoint_url(address)
            .credentials_provider(Credentials::new(ACCESS_KEY, SECRET_KEY, None, None, "test"))
            .force_path_style(true)
            .interceptor(Dies(left.clone()));
        let client = objects::Client::from_conf(config.build());
        Self { objects: Objects::named(client, "bucket"), left, _folder: bucket }
    }

    fn location(&self) -> Location {
        self.of_layout(LAYOUT)
    }

    fn of_layout(&self, layout: u32) -> Location {
        Location::new(&self.objects, folder(layout), "versions/")
    }

    async fn publish_in(&self, layout: u32, id: &str) -> Result<Thing, Error> {
        let location = self.of_layout(layout);
        let before = location.begin().await?;
        let (built, compressed) = (build(), |path: &str| path.starts_with("part/"));
        let files = location.put_files(id, built.path(), compressed).await?;
        let thing = Thing { layout, id: id.to_owned(), files };
        location.publish(&thing, &before).await.map(|()| thing)
    }

    async fn publish(&self, id: &str) -> Thing {
        self.publish_in(LAYOUT, id).await.expect("published")
    }

    /// The id of the current version, all files of which are read and checked.
    async fn read(&self) -> Result<Option<String>, Error> {
        let location = self.location();
        let Some(thing) = location.current::<Thing>().await? else { return Ok(None) };
        let (directory, built) = (TempDir::new()?, build());
        location.download(&thing.id, thing.files.clone(), directory.path()).await?;
        for File { path, .. } in &thing.files {
            let read = |it: &TempDir| fs::read(it.path().join(path)).expect("a file");
            assert!(read(&directory) == read(&built), "{path}");
        }
        Ok(Some(thing.id))
    }
}

#[tokio::test]
async fn a_publisher_that_dies_after_any_step_leaves_the_version_before() {
    let world = World::start().await;
    world.publish("0").await;
    for requests in 0.. {
        let id = (requests + 1).to_string();
        world.left.store(requests, Ordering::Relaxed);
        let published = world.publish_in(LAYOUT, &id).await;
        world.left.store(usize::MAX, Ordering::Relaxed);
        let current = world.read().await.expect("complete");
        if published.is_ok() {
            assert_eq!(current, Some(id));
            assert_eq!(requests, 6, "the pointer, three files, the description, the pointer");
            return;
        }
        assert_eq!(current.as_deref(), Some("0"), "after {requests} requests");
    }
}

#[tokio::test]
async fn of_two_publishers_at_once_one_is_refused() {
    let world = World::start().await;
    let location = world.location();
    for (before, faster) in [(None, "1"), (Some("1"), "3")] {
        assert_eq!(location.current_id().await.expect("read").as_deref(), before);
        let slow = location.begin().await.expect("begun");
        let thing = world.publish(faster).await;
        // Neither an earlier nor a later id is a reason to overtake.
        for id in ["0", "9"] {
            let other = Thing { id: id.to_owned(), ..thing.clone() };
            assert!(matches!(location.publish(&other, &slow).await, Err(Error::Overtaken(_))));
        }
        assert_eq!(world.read().await.expect("complete").as_deref(), Some(faster));
    }
}

#[tokio::test]
async fn a_publisher_whose_answer_was_lost_is_not_refused() {
    let world = World::start().await;
    let location = world.location();
    let before = location.begin().await.expect("begun");
    let thing = Thing { layout: LAYOUT, id: "1".to_owned(), files: Vec::new() };
    for _ in 0..2 {
        location.publish(&thing, &before).await.expect("published");
    }
}

#[tokio::test]
async fn a_damaged_pointer_is_an_error_until_the_next_version_is_published() {
    let world = World::start().await;
    world.objects.put("things/2/current.json", "{").await.expect("stored");
    assert!(matches!(world.read().await, Err(Error::Damaged { .. })));
    world.publish("1").await;
    assert_eq!(world.read().await.expect("complete"), Some("1".to_owned()));
}

#[tokio::test]
async fn a_damaged_or_missing_object_is_found() {
    let world = World::start().await;
    let thing = world.publish("1").await;
    assert_eq!(world.read().await.expect("complete"), Some("1".to_owned()));
    let compressed: Vec<bool> = thing.files.iter().map(|it| it.compressed.is_some()).collect();
    assert_eq!(compressed, [false, true, false], "nothing, one, two");
    let location = world.location();
    for path in ["part/one", "two", "thing.json"] {
        let key = location.key("1", path);
        let whole = world.objects.get(&key).await.expect("read").expect("an object");
        let mut changed = whole.to_vec();
        changed[whole.len() / 2] ^= 1;
        for damaged in [changed, whole[1..].to_vec(), Vec::new()] {
            world.objects.put(&key, damaged).await.expect("stored");
            assert!(world.read().await.is_err(), "{path}");
        }
        world.objects.delete(&key).await.expect("deleted");
        assert!(world.read().await.is_err(), "{path}");
        world.objects.put(&key, whole).await.expect("stored");
    }
    let file = thing.files.last().expect("a file");
    let get = async |sha256| location.get("1", "two", sha256).await;
    assert_eq!(get(&file.sha256).await.expect("read").as_deref(), Some(&b"2"[..]));
    assert!(matches!(get("another").await, Err(Error::Damaged { .. })));
    assert_eq!(location.get("1", "three", "").await.expect("answered"), None);
}

#[tokio::test]
async fn a_description_of_another_version_or_with_other_paths_is_refused() {
    let world = World::start().await;
    let thing = world.publish("1").await;
    let location = world.location();
    let refused = async |thing: &Thing| {
        location.put("1", Thing::NAME, to_json(thing)).await.expect("stored");
        location.current::<Thing>().await.expect_err("refused").to_string()
    };
    let other = Thing { id: "2".to_owned(), ..thing.clone() };
    assert!(refused(&other).await.contains("another version or another layout"));
    let other = Thing { layout: 1, ..thing.clone() };
    assert!(refused(&other).await.contains("another version or another layout"));
    for path in ["../../etc/passwd", "/etc/passwd", "part/./one", ""] {
        let mut other = thing.clone();
        other.files[0].path = path.to_owned();
        assert!(refused(&other).await.contains("not a path within the version"), "{path}");
    }
}

#[tokio::test]
async fn layouts_are_published_side_by_side() {
    let world = World::start().await;
    world.publish_in(1, "1").await.expect("published");
    assert_eq!(world.read().await.expect("answered"), None);
    world.publish("2").await;
    let earlier = world.of_layout(1);
    assert_eq!(earlier.current_id().await.expect("read"), Some("1".to_owned()));
    assert_eq!(world.read().await.expect("complete"), Some("2".to_owned()));
    earlier.delete(POINTER).await.expect("deleted");
    earlier.retain(|_, _| false).await.expect("deleted");
    assert_eq!(world.objects.keys("things/1/").await.expect("listed"), [""; 0]);
    assert_eq!(world.read().await.expect("complete"), Some("2".to_owned()));
}

#[tokio::test]
async fn what_is_not_kept_is_deleted_and_only_described_versions_are_listed() {
    let world = World::start().await;
    for id in ["1", "3"] {
        world.publish(id).await;
    }
    // A publisher was killed.
    let location = world.location();
    location.put("2", "two", b"2".to_vec()).await.expect("stored");
    assert_eq!(location.ids::<Thing>().await.expect("listed"), ["1", "3"]);
    location.retain(|id, path| id == "3" || path == "two").await.expect("deleted");
    assert_eq!(location.ids::<Thing>().await.expect("listed"), ["3"]);
    let left = world.objects.keys("things/").await.expect("listed");
    let of_killed = left.iter().filter(|it| it.ends_with("/two")).count();
    assert_eq!((left.len(), of_killed), (7, 3), "{left:?}");
    assert_eq!(world.read().await.expect("complete"), Some("3".to_owned()));
}
