//! Sorts records that arrive in any order, and writes them.
//!
//! The records of a full register are larger than the memory of a function. They are sorted in runs of bounded size, each
//! a compressed temporary file, which are merged at the end (external merge sort).

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    fs::File,
    io::{BufRead, BufReader, Seek, Write},
    path::Path,
};

use domain::{Company, History, Uid, names::RegisteredNames};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::{
    BLOCKS, Block, Blocks, COMPANIES_PER_BLOCK, COMPANIES_PER_FILE, Error, KEY, LINE_START,
    blocks::HistoryLine, uid_of,
};

/// Size of a run before compression, in bytes.
const RUN: usize = 64 * 1024 * 1024;
/// Compression of the blocks: the default of Zstandard, which reads and writes faster than S3.
const LEVEL: i32 = 3;
/// Compression of the runs, which are read once.
const RUN_LEVEL: i32 = 1;

/// Collects the records of a generation and writes its files.
#[derive(Default)]
pub struct Writer {
    /// The lines of the current run, in the order of arrival.
    lines: Vec<u8>,
    /// The end of each line of the current run.
    ends: Vec<usize>,
    /// Runs that are sorted and on disk. They are deleted with the process, also when it is killed.
    runs: Vec<File>,
}

impl Writer {
    /// Adds a record. Every company may be added once.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    pub fn push(&mut self, company: &Company) -> Result<(), Error> {
        self.push_line(company)
    }

    /// Adds the names of a company, in a folder of their own. Every company may be added once.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    pub fn push_names(&mut self, names: &RegisteredNames) -> Result<(), Error> {
        self.push_line(names)
    }

    /// Adds the history of a company, in a folder of its own. Every company may be added once.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    pub fn push_history(&mut self, uid: Uid, history: &History) -> Result<(), Error> {
        self.push_line(&HistoryLine { uid, history })
    }

    fn push_line(&mut self, record: &impl Serialize) -> Result<(), Error> {
        serde_json::to_writer(&mut self.lines, record)?;
        self.ends.push(self.lines.len());
        if self.lines.len() >= RUN {
            self.write_run()?;
        }
        Ok(())
    }

    /// Writes the files into an existing, empty directory. Returns the table of their blocks.
    ///
    /// # Errors
    /// If a file cannot be written, or if a company was added twice.
    pub fn finish(mut self, directory: &Path) -> Result<Blocks, Error> {
        self.write_run()?;
        let mut files = Files {
            directory,
            blocks: Blocks::default(),
            file: None,
            block: Vec::new(),
            companies: 0,
        };
        let mut merged = Merged::of(self.runs)?;
        let mut last: Vec<u8> = Vec::new();
        while let Some(line) = merged.next()? {
            if last.get(..KEY) == line.get(..KEY) {
                return Err(uid_of(&line).map_or_else(|| not_a_record(&line), Error::Repeated));
            }
            files.push(&line)?;
            last = line;
        }
        let blocks = files.finish()?;
        std::fs::write(directory.join(BLOCKS), serde_json::to_vec(&blocks)?)?;
        Ok(blocks)
    }

    /// Sorts the current run and moves it to the disk.
    fn write_run(&mut self) -> Result<(), Error> {
        if self.ends.is_empty() {
            return Ok(());
        }
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let mut lines: Vec<&[u8]> =
            starts.zip(&self.ends).map(|(start, end)| &self.lines[start..*end]).collect();
        lines.sort_unstable();
        let mut run = zstd::Encoder::new(tempfile::tempfile()?, RUN_LEVEL)?;
        for line in lines {
            run.write_all(line)?;
            run.write_all(b"\n")?;
        }
        let mut file = run.finish()?;
        file.rewind()?;
        self.runs.push(file);
        self.lines.clear();
        self.ends.clear();
        Ok(())
    }
}

fn not_a_record(line: &[u8]) -> Error {
    let start = String::from_utf8_lossy(line.get(..KEY).unwrap_or(line)).into_owned();
    Error::File(std::io::Error::other(format!("a record begins with `{start}`")))
}

/// A run that is being read.
type Run = BufReader<zstd::Decoder<'static, BufReader<File>>>;

/// The lines of all runs, sorted.
struct Merged {
    runs: Vec<Run>,
    /// The next line of each run that has one.
    next: BinaryHeap<Reverse<(Vec<u8>, usize)>>,
}

impl Merged {
    fn of(runs: Vec<File>) -> Result<Self, Error> {
        let runs = runs.into_iter().map(|it| Ok(BufReader::new(zstd::Decoder::new(it)?)));
        let runs = runs.collect::<Result<Vec<Run>, std::io::Error>>()?;
        let mut merged = Self { next: BinaryHeap::with_capacity(runs.len()), runs };
        for run in 0..merged.runs.len() {
            merged.advance(run, Vec::new())?;
        }
        Ok(merged)
    }

    fn next(&mut self) -> Result<Option<Vec<u8>>, Error> {
        let Some(Reverse((line, run))) = self.next.pop() else { return Ok(None) };
        self.advance(run, Vec::with_capacity(line.len()))?;
        Ok(Some(line))
    }

    /// Reads the next line of a run into `line`.
    fn advance(&mut self, run: usize, mut line: Vec<u8>) -> Result<(), Error> {
        if self.runs[run].read_until(b'\n', &mut line)? > 0 {
            self.next.push(Reverse((line, run)));
        }
        Ok(())
    }
}

/// Writes sorted lines as blocks of files.
struct Files<'a> {
    directory: &'a Path,
    blocks: Blocks,
    file: Option<File>,
    /// The lines of the current block.
    block: Vec<u8>,
    /// Number of companies in the current block.
    companies: usize,
}

impl Files<'_> {
    fn push(&mut self, line: &[u8]) -> Result<(), Error> {
        if !line.starts_with(LINE_START) {
            return Err(not_a_record(line));
        }
        self.block.extend_from_slice(line);
        self.companies += 1;
        if self.companies == COMPANIES_PER_BLOCK { self.end_block() } else { Ok(()) }
    }

    fn end_block(&mut self) -> Result<(), Error> {
        let Some((first, last)) = self.ends_of_block() else { return Ok(()) };
        let file = self.blocks.next_file();
        let offset = self.blocks.size_of(&file);
        let compressed = zstd::bulk::compress(&self.block, LEVEL)?;
        let to = match (&mut self.file, offset) {
            (Some(open), 1..) => open,
            (open, _) => open.insert(File::create(self.directory.join(&file))?),
        };
        to.write_all(&compressed)?;
        self.blocks.push(Block {
            file,
            offset,
            size: compressed.len() as u64,
            uncompressed: self.block.len(),
            sha256: hex::encode(Sha256::digest(&compressed)),
            companies: self.companies,
            first,
            last,
        });
        self.block.clear();
        self.companies = 0;
        Ok(())
    }

    /// The first and the last company of the current block. `None` if it is empty.
    fn ends_of_block(&self) -> Option<(domain::Uid, domain::Uid)> {
        let lines = self.block.strip_suffix(b"\n")?;
        let last = lines.iter().rposition(|it| *it == b'\n').map_or(0, |it| it + 1);
        Some((uid_of(lines)?, uid_of(&lines[last..])?))
    }

    fn finish(mut self) -> Result<Blocks, Error> {
        self.end_block()?;
        Ok(self.blocks)
    }
}

const _: () = assert!(COMPANIES_PER_FILE.is_multiple_of(COMPANIES_PER_BLOCK));
