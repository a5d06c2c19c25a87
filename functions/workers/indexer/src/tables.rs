//! The records of a generation as Parquet files, beside those with compressed lines.
//!
//! Generations list them for programs that read tables; nothing in this service reads them.

use std::{
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::Path,
};

use jiff::Timestamp;
use records::{Block, Blocks};
use spreadsheet::{ParquetTable, Selection};

use crate::Error;

/// Writes a table for each file of records, `00000.parquet` for `00000.ndjson.zst`, with all columns. Only the rows of one file are
/// in memory, by columns and compressed.
pub(crate) fn write(directory: &Path, blocks: &Blocks, as_of: Timestamp) -> Result<(), Error> {
    let blocks: Vec<&Block> = blocks.iter().collect();
    for of_file in blocks.chunk_by(|one, other| one.file == other.file) {
        let Some(first) = of_file.first() else { continue };
        let mut records = File::open(directory.join(&first.file))?;
        let number = first.file.split('.').next().unwrap_or(&first.file);
        let to = File::create(directory.join(format!("{number}.parquet")))?;
        // The id of the generation is not known yet.
        let mut table = ParquetTable::new(to, Selection::all(), None, Some(as_of))?;
        for block in of_file {
            let lines = block.decompress(&read(&mut records, block)?)?;
            for record in block.records(&lines) {
                table.push(&record?.company()?)?;
            }
        }
        table.finish()?;
    }
    Ok(())
}

/// The bytes of a block.
fn read(file: &mut File, block: &Block) -> Result<Vec<u8>, std::io::Error> {
    file.seek(SeekFrom::Start(block.offset))?;
    let mut bytes = Vec::new();
    file.take(block.size).read_to_end(&mut bytes)?;
    Ok(bytes)
}
