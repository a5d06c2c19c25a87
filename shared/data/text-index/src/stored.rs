//! The records of an index, in compressed blocks that are read one by one: from a file, or by range from a bucket. Nobody
//! needs all records, and they are most of the bytes of an index.
//!
//! # Format
//!
//! | File | What it is |
//! |---|---|
//! | `blocks.zst` | blocks one after another: Zstandard frames (RFC 8878) of the records of consecutive documents, each a line of JSON |
//! | `table` | for each block an entry of [`ENTRY`] bytes: the number of documents up to its end, its size, its size before compression (each 4 bytes, little-endian), and the first 16 bytes of its SHA-256 |
//!
//! The manifest of the generation has the SHA-256 of the table, so every byte is checked before it is used.

use std::{
    collections::HashMap,
    error,
    fmt::Debug,
    fs::File,
    io::{self, BufWriter, Write},
    marker::PhantomData,
    ops::Range,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
    sync::Arc,
};

use bytes::Bytes;
use futures_util::{FutureExt, StreamExt, TryStreamExt, future::BoxFuture, stream};
use moka::sync::Cache;
use serde::{Serialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};

use crate::Error;

/// Name of the file of blocks, which is read by range. All other files of an index are read as a whole.
pub const BLOCKS: &str = "blocks.zst";
const TABLE: &str = "table";
/// Number of bytes of an entry of the table.
const ENTRY: usize = 3 * 4 + DIGEST;
const DIGEST: usize = 16;
/// Number of bytes of a block before compression, as soon as which it ends.
const BLOCK: usize = 32 * 1024;
/// Level of the compression.
const LEVEL: i32 = 5;
/// Maximum number of bytes that are read with one request. Neighbouring blocks are read together.
const READ: u64 = 1024 * 1024;
/// Number of requests in parallel.
const PARALLEL_READS: usize = 16;
/// Number of bytes of decompressed blocks that are kept in memory for each file of blocks.
const CACHED: u64 = 24 * 1024 * 1024;

/// Reads ranges of a file of blocks.
pub trait ReadBlocks: Debug + Send + Sync {
    /// Size of the file in bytes.
    fn size(&self) -> u64;

    /// The bytes in a range of the file.
    fn read(&self, range: Range<u64>) -> BoxFuture<'_, Result<Bytes, Unreachable>>;
}

/// Why blocks cannot be read at the moment.
pub type Unreachable = Box<dyn error::Error + Send + Sync>;

/// Where the files of blocks of an index are.
pub trait Storage {
    /// The file of blocks in a folder of the index, such as `events`.
    fn blocks(&self, folder: &str) -> io::Result<Arc<dyn ReadBlocks>>;
}

/// An index whose files of blocks are in its directory, with the others.
impl Storage for Path {
    fn blocks(&self, folder: &str) -> io::Result<Arc<dyn ReadBlocks>> {
        LocalBlocks::open(&self.join(folder).join(BLOCKS)).map(|it| Arc::new(it) as _)
    }
}

/// A file of blocks on this machine.
#[derive(Debug)]
pub struct LocalBlocks {
    file: File,
    size: u64,
}

impl LocalBlocks {
    /// Opens the file.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let size = file.metadata()?.len();
        Ok(Self { file, size })
    }
}

impl ReadBlocks for LocalBlocks {
    fn size(&self) -> u64 {
        self.size
    }

    fn read(&self, range: Range<u64>) -> BoxFuture<'_, Result<Bytes, Unreachable>> {
        let read = || -> io::Result<Bytes> {
            let size = usize::try_from(range.end - range.start).map_err(io::Error::other)?;
            let mut bytes = vec![0; size];
            self.file.read_exact_at(&mut bytes, range.start)?;
            Ok(bytes.into())
        };
        std::future::ready(read().map_err(Into::into)).boxed()
    }
}

/// Writes the records of documents, in their order.
pub(crate) struct Writer {
    blocks: BufWriter<File>,
    table: BufWriter<File>,
    lines: Vec<u8>,
    documents: u32,
    bytes: u64,
}

impl Writer {
    /// Creates the files in a new folder of an index.
    pub(crate) fn create(folder: &Path) -> io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let create = |name: &str| File::create_new(folder.join(name)).map(BufWriter::new);
        let (blocks, table) = (create(BLOCKS)?, create(TABLE)?);
        Ok(Self { blocks, table, lines: Vec::new(), documents: 0, bytes: 0 })
    }

    /// Adds the record of the next document.
    pub(crate) fn push(&mut self, record: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.lines, record)?;
        self.end_record()
    }

    /// As [`Self::push`], for a record that is JSON on one line already.
    pub(crate) fn push_json(&mut self, json: &[u8]) -> io::Result<()> {
        self.lines.extend_from_slice(json);
        self.end_record()
    }

    fn end_record(&mut self) -> io::Result<()> {
        self.lines.push(b'\n');
        self.documents += 1;
        if self.lines.len() < BLOCK { Ok(()) } else { self.end_block() }
    }

    fn end_block(&mut self) -> io::Result<()> {
        let block = zstd::bulk::compress(&self.lines, LEVEL)?;
        let size = u32::try_from(block.len()).map_err(io::Error::other)?;
        let uncompressed = u32::try_from(self.lines.len()).map_err(io::Error::other)?;
        for number in [self.documents, size, uncompressed] {
            self.table.write_all(&number.to_le_bytes())?;
        }
        self.table.write_all(&digest(&block))?;
        self.blocks.write_all(&block)?;
        self.bytes += u64::from(size) + ENTRY as u64;
        self.lines.clear();
        Ok(())
    }

    /// Writes the last block. Returns the total size of the files in bytes.
    pub(crate) fn finish(mut self) -> io::Result<u64> {
        if !self.lines.is_empty() {
            self.end_block()?;
        }
        self.blocks.flush()?;
        self.table.flush()?;
        Ok(self.bytes)
    }
}

fn digest(block: &[u8]) -> [u8; DIGEST] {
    let mut digest = [0; DIGEST];
    digest.copy_from_slice(&Sha256::digest(block)[..DIGEST]);
    digest
}

/// The records of an index.
pub(crate) struct Stored<T> {
    folder: PathBuf,
    table: Vec<Block>,
    file: Arc<dyn ReadBlocks>,
    cache: Cache<usize, Arc<Lines>>,
    record: PhantomData<fn() -> T>,
}

/// An entry of the table.
#[derive(Debug)]
struct Block {
    /// The documents with records in the block.
    documents: Range<u32>,
    /// Where it is in the file.
    place: Range<u64>,
    uncompressed: usize,
    digest: [u8; DIGEST],
}

/// A decompressed block.
struct Lines {
    text: Vec<u8>,
    /// Where each line ends.
    ends: Vec<u32>,
}

impl Lines {
    fn new(text: Vec<u8>) -> Self {
        let ends = (0..).zip(&text).filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at).collect();
        Self { text, ends }
    }

    fn get(&self, number: usize) -> Option<&[u8]> {
        let end = *self.ends.get(number)? as usize;
        let start = number.checked_sub(1).map_or(0, |it| self.ends[it] as usize + 1);
        self.text.get(start..end)
    }
}

impl<T: DeserializeOwned> Stored<T> {
    /// Opens the records of an index with this number of documents.
    pub(crate) fn open(
        directory: &Path,
        folder: &str,
        storage: &(impl Storage + ?Sized),
        count: u32,
    ) -> Result<Self, Error> {
        let path = directory.join(folder);
        let unreadable =
            |source: Unreachable| Error::Unreadable { directory: path.clone(), source };
        let table = std::fs::read(path.join(TABLE)).map_err(|it| unreadable(it.into()))?;
        let file = storage.blocks(folder).map_err(|it| unreadable(it.into()))?;
        let table = read_table(&table);
        let end = table.last().map_or((0, 0), |it| (it.documents.end, it.place.end));
        if end != (count, file.size()) {
            return Err(unreadable("the records are not those of the index".into()));
        }
        let cache = Cache::builder().max_capacity(CACHED);
        let cache = cache.weigher(|_, it: &Arc<Lines>| it.text.len() as u32).build();
        Ok(Self { folder: path, table, file, cache, record: PhantomData })
    }

    /// The records of these documents, in the order in which they are asked for.
    pub(crate) async fn get(
        &self,
        documents: impl IntoIterator<Item = u32>,
    ) -> Result<Vec<T>, Error> {
        let documents: Vec<u32> = documents.into_iter().collect();
        let blocks = self.blocks_with(&documents).await?;
        let record = |document: u32| {
            let at = self.block_of(document);
            let first = self.table.get(at).map_or(0, |it| it.documents.start);
            let lines = blocks.get(&at).and_then(|it| it.get((document - first) as usize));
            let json = lines.ok_or_else(|| self.damaged(at, "it has too few lines".into()))?;
            serde_json::from_slice(json).map_err(|it| self.damaged(at, it.into()))
        };
        documents.into_iter().map(record).collect()
    }

    /// The record of a document.
    pub(crate) async fn one(&self, document: u32) -> Result<Option<T>, Error> {
        Ok(self.get([document]).await?.pop())
    }

    fn block_of(&self, document: u32) -> usize {
        self.table.partition_point(|it| it.documents.end <= document)
    }

    /// The blocks with these documents, from memory or from the file.
    async fn blocks_with(&self, documents: &[u32]) -> Result<HashMap<usize, Arc<Lines>>, Error> {
        let mut wanted: Vec<usize> = documents.iter().map(|it| self.block_of(*it)).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let mut found = HashMap::with_capacity(wanted.len());
        wanted.retain(|at| match self.cache.get(at) {
            Some(known) => found.insert(*at, known).is_some(),
            None => true,
        });
        let reads = stream::iter(self.together(&wanted)).map(|it| self.read(it));
        let read: Vec<Vec<(usize, Arc<Lines>)>> =
            reads.buffer_unordered(PARALLEL_READS).try_collect().await?;
        found.extend(read.into_iter().flatten());
        Ok(found)
    }

    /// Neighbouring blocks, up to the maximum size of a request.
    fn together(&self, wanted: &[usize]) -> Vec<Range<usize>> {
        let mut reads: Vec<Range<usize>> = Vec::new();
        for &at in wanted {
            let place = |it: usize| self.table.get(it).map_or(0..0, |it| it.place.clone());
            match reads.last_mut() {
                Some(last) if last.end == at && place(at).end - place(last.start).start <= READ => {
                    last.end = at + 1;
                }
                _ => reads.push(at..at + 1),
            }
        }
        reads
    }

    /// Reads neighbouring blocks with one request, and keeps them in memory.
    async fn read(&self, blocks: Range<usize>) -> Result<Vec<(usize, Arc<Lines>)>, Error> {
        let Some([first, .., last] | [first @ last]) = self.table.get(blocks.clone()) else {
            return Err(self.damaged(blocks.start, "there is no such block".into()));
        };
        let place = first.place.start..last.place.end;
        let bytes = self.file.read(place.clone()).await.map_err(Error::Unreachable)?;
        let mut read = Vec::with_capacity(blocks.len());
        for at in blocks {
            let block = &self.table[at];
            let within = |it: u64| usize::try_from(it - place.start).unwrap_or(usize::MAX);
            let bytes = bytes.get(within(block.place.start)..within(block.place.end));
            let lines = block.decompress(bytes.unwrap_or_default());
            let lines = Arc::new(lines.map_err(|it| self.damaged(at, it))?);
            self.cache.insert(at, lines.clone());
            read.push((at, lines));
        }
        Ok(read)
    }

    fn damaged(&self, block: usize, source: Unreachable) -> Error {
        let offset = self.table.get(block).map_or(0, |it| it.place.start);
        Error::Damaged { folder: self.folder.clone(), offset, source }
    }
}

/// The entries of a table. One that is incomplete is left out, so that documents are missing.
fn read_table(table: &[u8]) -> Vec<Block> {
    let (mut documents, mut end) = (0, 0);
    let block = |entry: &[u8; ENTRY]| {
        let number = |at: usize| {
            u32::from_le_bytes([entry[at], entry[at + 1], entry[at + 2], entry[at + 3]])
        };
        let block = Block {
            documents: documents..number(0),
            place: end..end + u64::from(number(4)),
            uncompressed: number(8) as usize,
            digest: std::array::from_fn(|it| entry[12 + it]),
        };
        (documents, end) = (block.documents.end, block.place.end);
        block
    };
    table.as_chunks::<ENTRY>().0.iter().map(block).collect()
}

impl Block {
    fn decompress(&self, bytes: &[u8]) -> Result<Lines, Unreachable> {
        if digest(bytes) != self.digest {
            return Err("its SHA-256 is not that of the table".into());
        }
        Ok(Lines::new(zstd::bulk::decompress(bytes, self.uncompressed)?))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use proptest::{collection::vec, prelude::*};
    use tempfile::TempDir;

    use super::*;
    use crate::damage::now;

    const FOLDER: &str = "rows";

    fn written(records: &[String]) -> TempDir {
        let directory = TempDir::new().expect("a directory");
        let mut writer = Writer::create(&directory.path().join(FOLDER)).expect("created");
        records.iter().for_each(|it| writer.push(it).expect("written"));
        let bytes = writer.finish().expect("written");
        let size = |name: &str| {
            let file = directory.path().join(FOLDER).join(name);
            std::fs::metadata(file).expect("a file").len()
        };
        assert_eq!(bytes, size(BLOCKS) + size(TABLE));
        directory
    }

    fn open(directory: &Path, count: usize) -> Result<Stored<String>, Error> {
        Stored::open(directory, FOLDER, directory, count as u32)
    }

    /// Records of which several fill a block.
    fn records(number: usize) -> Vec<String> {
        (0..number).map(|it| format!("{it}\n").repeat(3_000)).collect()
    }

    #[test]
    fn changed_bytes_are_found() {
        let records = records(9);
        let directory = written(&records);
        let path = directory.path().join(FOLDER).join(BLOCKS);
        let bytes = std::fs::read(&path).expect("a file");
        for place in (0..bytes.len()).step_by(7) {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1;
            std::fs::write(&path, damaged).expect("written");
            let stored = open(directory.path(), 9).expect("the table is not damaged");
            let read = now(stored.get(0..9));
            assert!(matches!(read, Err(Error::Damaged { .. })), "byte {place}");
        }
        std::fs::write(&path, &bytes[1..]).expect("written");
        assert!(matches!(open(directory.path(), 9), Err(Error::Unreadable { .. })), "shorter");
    }

    #[test]
    fn records_of_another_index_are_refused() {
        let directory = written(&records(9));
        assert!(matches!(open(directory.path(), 8), Err(Error::Unreadable { .. })));
        let table = directory.path().join(FOLDER).join(TABLE);
        let bytes = std::fs::read(&table).expect("a file");
        for length in 0..bytes.len() {
            std::fs::write(&table, &bytes[..length]).expect("written");
            assert!(matches!(open(directory.path(), 9), Err(Error::Unreadable { .. })), "{length}");
        }
    }

    /// Counts what is read.
    #[derive(Debug)]
    struct Counted(LocalBlocks, Arc<Mutex<Vec<Range<u64>>>>);

    impl ReadBlocks for Counted {
        fn size(&self) -> u64 {
            self.0.size()
        }

        fn read(&self, range: Range<u64>) -> BoxFuture<'_, Result<Bytes, Unreachable>> {
            self.1.lock().expect("not poisoned").push(range.clone());
            self.0.read(range)
        }
    }

    #[test]
    fn neighbours_are_read_together_and_once() {
        let records = records(40);
        let directory = written(&records);
        let mut stored = open(directory.path(), 40).expect("readable");
        let reads = Arc::new(Mutex::default());
        let file = LocalBlocks::open(&directory.path().join(FOLDER).join(BLOCKS)).expect("a file");
        stored.file = Arc::new(Counted(file, Arc::clone(&reads)));
        assert!(stored.table.len() > 5);
        let number = || reads.lock().expect("not poisoned").len();
        assert_eq!(now(stored.get(0..40)).expect("read"), records);
        assert_eq!(number(), 1);
        assert_eq!(
            now(stored.get([39, 3])).expect("read"),
            [records[39].clone(), records[3].clone()]
        );
        assert_eq!(number(), 1, "they are in memory");
    }

    proptest! {
        #[test]
        fn every_record_is_read_as_it_was_written(records in vec(".{0,9000}", 0..30), order in vec(any::<prop::sample::Index>(), 0..40)) {
            let directory = written(&records);
            let stored = open(directory.path(), records.len()).expect("readable");
            let asked: Vec<u32> = match records.len() {
                0 => Vec::new(),
                number => order.iter().map(|it| it.index(number) as u32).collect(),
            };
            let expected: Vec<String> = asked.iter().map(|it| records[*it as usize].clone()).collect();
            prop_assert_eq!(now(stored.get(asked)).expect("read"), expected);
        }
    }
}
