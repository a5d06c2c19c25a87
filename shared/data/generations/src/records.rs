//! The full records of a generation, read from the bucket block by block.

use std::{collections::VecDeque, ops::Range, sync::Arc};

use ::records::{BLOCKS, Block, Blocks, Record};
use domain::Uid;
use futures_util::{Stream, StreamExt, TryStreamExt, stream};
use objects::Objects;

use crate::{Error, Layout, Manifest};

/// Folder of the records within a generation.
pub const RECORDS: &str = "records";
/// Folder of the names of companies and officers within a generation.
pub const NAMES: &str = "names";
/// Folder of the histories of companies within a generation.
pub const HISTORIES: &str = "histories";

/// Maximum size of a request, in bytes. Neighbouring blocks are read together. Decompressed, they are about ten times as large.
const READ: u64 = 512 * 1024;
/// Number of requests in parallel: with S3's usual speed of one connection, more than one core can use.
const PARALLEL_READS: usize = 3;

/// The records of one generation.
#[derive(Clone)]
pub struct Records {
    objects: Objects,
    /// The key of its folder in the bucket.
    folder: String,
    blocks: Arc<Blocks>,
}

/// The records of a block, decompressed.
pub struct Batch {
    block: Block,
    lines: String,
    /// The companies that are wanted, sorted. `None`: all.
    wanted: Option<Vec<Uid>>,
}

impl Records {
    /// The names of companies and officers in a published generation. `None` if it has none: it was built by an earlier
    /// version, or it is deleted.
    pub async fn names_of(objects: &Objects, generation: &str) -> Result<Option<Self>, Error> {
        match Layout::PRESENT.location(objects).find::<Manifest>(generation).await? {
            Some(manifest) => Self::open(objects, &manifest, NAMES).await,
            None => Ok(None),
        }
    }

    /// The records in a folder of the generation with this manifest. `None` if it has no such folder, or is deleted.
    pub async fn open(
        objects: &Objects,
        manifest: &Manifest,
        folder: &str,
    ) -> Result<Option<Self>, Error> {
        let table = format!("{folder}/{BLOCKS}");
        let Some(blocks) = manifest.described::<Blocks>(objects, &table).await? else {
            return Ok(None);
        };
        let folder = manifest.layout.location(objects).key(&manifest.id, folder);
        Ok(Some(Self { objects: objects.clone(), folder, blocks: Arc::new(blocks) }))
    }

    /// Number of companies.
    pub fn companies(&self) -> usize {
        self.blocks.companies()
    }

    /// Number of parts of so many blocks.
    pub fn parts(&self, blocks: usize) -> usize {
        self.blocks.iter().len().div_ceil(blocks)
    }

    /// The records of a part of so many blocks, in the order of the company numbers.
    pub fn of_part(
        &self,
        part: usize,
        blocks: usize,
    ) -> impl Stream<Item = Result<Batch, Error>> + use<> {
        let blocks = self.blocks.iter().skip(part * blocks).take(blocks);
        self.read(blocks.map(|it| (it.clone(), None)).collect())
    }

    /// All records, in the order of the company numbers.
    pub fn all(&self) -> impl Stream<Item = Result<Batch, Error>> + use<> {
        let blocks = self.blocks.iter().map(|it| (it.clone(), None));
        self.read(blocks.collect())
    }

    /// The records of these companies, in the order of the company numbers. Unknown companies are left out.
    pub fn of_companies(
        &self,
        mut uids: Vec<Uid>,
    ) -> impl Stream<Item = Result<Batch, Error>> + use<> {
        uids.sort_unstable();
        uids.dedup();
        let blocks = self.blocks.with(&uids);
        let blocks = blocks
            .map(|(it, wanted): (&Block, Range<usize>)| (it.clone(), Some(uids[wanted].to_vec())));
        self.read(blocks.collect())
    }

    fn read(
        &self,
        wanted: Vec<(Block, Option<Vec<Uid>>)>,
    ) -> impl Stream<Item = Result<Batch, Error>> + use<> {
        let records = self.clone();
        let reads = stream::iter(together(wanted)).map(move |blocks| {
            let records = records.clone();
            async move { records.read_together(blocks).await }
        });
        let batches = reads.buffered(PARALLEL_READS);
        batches.map_ok(|it| stream::iter(it.into_iter().map(Ok))).try_flatten()
    }

    /// Reads neighbouring blocks with one request.
    async fn read_together(
        &self,
        blocks: Vec<(Block, Option<Vec<Uid>>)>,
    ) -> Result<Vec<Batch>, Error> {
        let (Some((first, _)), Some((last, _))) = (blocks.first(), blocks.last()) else {
            return Ok(Vec::new());
        };
        let start = first.offset;
        let key = format!("{}/{}", self.folder, first.file);
        let bytes = self.objects.get_range(&key, start..last.offset + last.size).await?;
        // Decompressing megabytes would block requests on an async thread.
        let decompress = move || {
            let batch = |(block, wanted): (Block, _)| {
                let from = usize::try_from(block.offset - start).unwrap_or(usize::MAX);
                let size = usize::try_from(block.size).unwrap_or(usize::MAX);
                let bytes = bytes.get(from..from.saturating_add(size)).unwrap_or_default();
                let lines = block.decompress(bytes)?;
                Ok(Batch { block, lines, wanted })
            };
            blocks.into_iter().map(batch).collect()
        };
        tokio::task::spawn_blocking(decompress).await.map_err(std::io::Error::other)?
    }
}

impl Batch {
    /// The records, in the order of the company numbers.
    pub fn records(&self) -> impl Iterator<Item = Result<Record<'_>, Error>> {
        let is_wanted = |uid: Uid| match &self.wanted {
            Some(wanted) => wanted.binary_search(&uid).is_ok(),
            None => true,
        };
        let records = self.block.records(&self.lines).map(|it| it.map_err(Error::from));
        records.filter(move |it| it.as_ref().map_or(true, |it| is_wanted(it.uid)))
    }
}

/// Blocks that follow each other in a file, up to the maximum size of a request.
fn together<W>(blocks: Vec<(Block, W)>) -> Vec<Vec<(Block, W)>> {
    let mut blocks: VecDeque<_> = blocks.into();
    let mut reads = Vec::new();
    while let Some(first) = blocks.pop_front() {
        let start = first.0.offset;
        let mut read = vec![first];
        while let (Some((last, _)), Some((next, _))) = (read.last(), blocks.front()) {
            let follows = next.file == last.file && next.offset == last.offset + last.size;
            if !follows || next.offset + next.size - start > READ {
                break;
            }
            read.extend(blocks.pop_front());
        }
        reads.push(read);
    }
    reads
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(file: &str, offset: u64, size: u64) -> (Block, ()) {
        let uid = Uid::from_number(1).expect("nine digits");
        let block = Block {
            file: file.to_owned(),
            offset,
            size,
            uncompressed: 1,
            sha256: String::new(),
            companies: 1,
            first: uid,
            last: uid,
        };
        (block, ())
    }

    #[test]
    fn neighbours_are_read_together_up_to_the_maximum_size() {
        let blocks = vec![
            block("a", 0, 10),
            block("a", 10, 20),
            block("a", 31, 5),
            block("b", 36, READ),
            block("b", 36 + READ, 1),
        ];
        let reads = together(blocks);
        let sizes: Vec<Vec<u64>> =
            reads.iter().map(|it| it.iter().map(|(it, ())| it.size).collect()).collect();
        assert_eq!(sizes, [vec![10, 20], vec![5], vec![READ], vec![1]]);
    }
}
