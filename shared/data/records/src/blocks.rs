//! The table of blocks, and the content of a block.

use std::ops::Range;

use domain::{Company, History, Uid, names::RegisteredNames};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{COMPANIES_PER_FILE, Error, uid_of};

/// A block of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Block {
    /// Name of the file.
    pub file: String,
    /// Position of its first byte in the file.
    pub offset: u64,
    /// Number of bytes.
    pub size: u64,
    /// Number of bytes before compression.
    pub uncompressed: usize,
    /// SHA-256 of its bytes in hexadecimal.
    pub sha256: String,
    /// Number of companies.
    pub companies: usize,
    /// The company with the lowest number.
    pub first: Uid,
    /// The company with the highest number.
    pub last: Uid,
}

/// All blocks, in the order of the company numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Blocks(Vec<Block>);

/// A record as it was written.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// Its company.
    pub uid: Uid,
    /// One JSON object, without the end of the line.
    pub json: &'a str,
}

impl Record<'_> {
    /// The record.
    ///
    /// # Errors
    /// If it was written by a version with other members.
    pub fn company(&self) -> Result<Company, Error> {
        Ok(serde_json::from_str(self.json)?)
    }

    /// The names, if this is a line of the folder of names.
    ///
    /// # Errors
    /// If it was written by a version with other members.
    pub fn names(&self) -> Result<RegisteredNames, Error> {
        Ok(serde_json::from_str(self.json)?)
    }

    /// The history of the company, if this is a line of the folder of histories.
    ///
    /// # Errors
    /// If it was written by a version with other members.
    pub fn history(&self) -> Result<History, Error> {
        let line: HistoryLine<History> = serde_json::from_str(self.json)?;
        Ok(line.history)
    }
}

/// A line of the folder of histories.
#[derive(Serialize, Deserialize)]
pub(crate) struct HistoryLine<H> {
    pub(crate) uid: Uid,
    pub(crate) history: H,
}

impl Blocks {
    /// All blocks, in the order of the company numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Block> {
        self.0.iter()
    }

    /// Number of companies.
    pub fn companies(&self) -> usize {
        self.0.iter().map(|it| it.companies).sum()
    }

    /// The blocks that may contain some of these companies, which must be in ascending order, each with the range of
    /// those companies.
    pub fn with<'a>(&'a self, uids: &'a [Uid]) -> impl Iterator<Item = (&'a Block, Range<usize>)> {
        self.0.iter().filter_map(|block| {
            let start = uids.partition_point(|it| *it < block.first);
            let end = uids.partition_point(|it| *it <= block.last);
            (start < end).then_some((block, start..end))
        })
    }

    pub(crate) fn push(&mut self, block: Block) {
        self.0.push(block);
    }

    /// The file to which the next block belongs.
    pub(crate) fn next_file(&self) -> String {
        file_name(self.companies() / COMPANIES_PER_FILE)
    }

    /// Size of a file in bytes.
    pub(crate) fn size_of(&self, file: &str) -> u64 {
        self.0.iter().rev().find(|it| it.file == file).map_or(0, |it| it.offset + it.size)
    }
}

/// The name of the file with this number.
fn file_name(number: usize) -> String {
    format!("{number:05}.ndjson.zst")
}

impl Block {
    /// The lines of the block.
    ///
    /// # Errors
    /// If `bytes` are not those that were written.
    pub fn decompress(&self, bytes: &[u8]) -> Result<String, Error> {
        let damaged = |reason: &str| self.damaged(reason);
        if hex::encode(Sha256::digest(bytes)) != self.sha256 {
            return Err(damaged("its SHA-256 is not that of the table"));
        }
        let lines = zstd::bulk::decompress(bytes, self.uncompressed);
        let lines = lines.map_err(|it| damaged(&it.to_string()))?;
        String::from_utf8(lines).map_err(|_| damaged("it is not UTF-8"))
    }

    /// The records of decompressed lines.
    pub fn records<'a>(
        &'a self,
        lines: &'a str,
    ) -> impl Iterator<Item = Result<Record<'a>, Error>> {
        lines.lines().map(|json| match uid_of(json.as_bytes()) {
            Some(uid) => Ok(Record { uid, json }),
            None => Err(self.damaged("a line does not begin with a company number")),
        })
    }

    fn damaged(&self, reason: &str) -> Error {
        let Self { file, offset, .. } = self;
        Error::Damaged { file: file.clone(), offset: *offset, reason: reason.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection::btree_map, prelude::*};

    use super::*;
    use crate::{BLOCKS, COMPANIES_PER_BLOCK, Writer};

    fn company(number: u32, name: &str) -> Company {
        Company::new(Uid::from_number(number).expect("nine digits"), name)
    }

    /// The files of these companies, and all records in them.
    fn written(companies: &[Company]) -> (Vec<(String, Vec<u8>)>, Vec<Company>) {
        let directory = tempfile::tempdir().expect("a folder");
        let mut writer = Writer::default();
        companies.iter().for_each(|it| writer.push(it).expect("a temporary file"));
        let blocks = writer.finish(directory.path()).expect("written");
        let read = |name: &str| std::fs::read(directory.path().join(name)).expect("a file");
        let table: Blocks = serde_json::from_slice(&read(BLOCKS)).expect("a table");
        assert_eq!(table, blocks);
        let mut found = Vec::new();
        for block in blocks.iter() {
            let start = usize::try_from(block.offset).expect("small");
            let end = start + usize::try_from(block.size).expect("small");
            let lines = block.decompress(&read(&block.file)[start..end]).expect("undamaged");
            let records =
                block.records(&lines).map(|it| it.and_then(|it| it.company()).expect("a record"));
            found.extend(records);
        }
        let mut files: Vec<String> = blocks.iter().map(|it| it.file.clone()).collect();
        files.dedup();
        (files.into_iter().map(|it| (it.clone(), read(&it))).collect(), found)
    }

    #[test]
    fn a_file_is_one_stream_of_lines_in_the_order_of_the_numbers() {
        let companies =
            [company(300_000_004, "C"), company(100_000_003, "A\nB"), company(200_000_001, "é")];
        let (files, found) = written(&companies);
        assert_eq!(found, [companies[1].clone(), companies[2].clone(), companies[0].clone()]);
        assert_eq!(files.len(), 1);
        let lines = zstd::decode_all(files[0].1.as_slice()).expect("a stream");
        let lines = String::from_utf8(lines).expect("UTF-8");
        let expected: Vec<String> =
            found.iter().map(|it| serde_json::to_string(it).expect("JSON")).collect();
        assert_eq!(lines.lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn files_and_blocks_have_their_maximum_sizes() {
        let count = u32::try_from(COMPANIES_PER_FILE + COMPANIES_PER_BLOCK + 1).expect("small");
        let companies: Vec<Company> =
            (0..count).rev().map(|it| company(it * 7, "Muster AG")).collect();
        let (files, found) = written(&companies);
        assert!(found.iter().rev().eq(&companies));
        assert_eq!(files.len(), 2);
    }

    #[test]
    fn a_repeated_company_is_an_error() {
        let mut writer = Writer::default();
        for name in ["A", "B"] {
            writer.push(&company(100_000_003, name)).expect("a temporary file");
        }
        let directory = tempfile::tempdir().expect("a folder");
        let repeated = writer.finish(directory.path()).expect_err("refused");
        assert_eq!(repeated.to_string(), "company CHE-100.000.003 was added twice");
    }

    #[test]
    fn a_changed_byte_is_found() {
        let directory = tempfile::tempdir().expect("a folder");
        let mut writer = Writer::default();
        writer.push(&company(100_000_003, "Muster AG")).expect("a temporary file");
        let blocks = writer.finish(directory.path()).expect("written");
        let block = blocks.iter().next().expect("a block");
        let bytes = std::fs::read(directory.path().join(&block.file)).expect("a file");
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1;
            assert!(block.decompress(&damaged).is_err(), "byte {place}");
        }
        assert!(block.decompress(&bytes[1..]).is_err());
    }

    #[test]
    fn only_the_blocks_of_the_wanted_companies_are_read() {
        let uid = |it: u32| Uid::from_number(it).expect("nine digits");
        let block = |first, last| Block {
            file: "00000.ndjson.zst".to_owned(),
            offset: 0,
            size: 1,
            uncompressed: 1,
            sha256: String::new(),
            companies: 2,
            first: uid(first),
            last: uid(last),
        };
        let blocks = Blocks(vec![block(10, 20), block(30, 40), block(50, 60)]);
        let wanted = [5, 10, 15, 25, 50, 61].map(uid);
        let found: Vec<_> =
            blocks.with(&wanted).map(|(it, range)| (it.first.number(), range)).collect();
        assert_eq!(found, [(10, 1..3), (50, 4..5)]);
    }

    proptest! {
        /// The bytes depend on the companies only, not on the order in which they arrive.
        #[test]
        fn the_order_of_arrival_does_not_matter(
            companies in btree_map(0u32..1_000_000_000, any::<String>(), 1..20),
            shift in any::<prop::sample::Index>(),
        ) {
            let mut companies: Vec<Company> =
                companies.iter().map(|(number, name)| company(*number, name)).collect();
            let (sorted, found) = written(&companies);
            prop_assert_eq!(&found, &companies);
            let shift = shift.index(companies.len());
            companies.rotate_left(shift);
            companies.reverse();
            prop_assert_eq!(written(&companies).0, sorted);
        }
    }
}
