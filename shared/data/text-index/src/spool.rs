//! Records that wait on the disk until their order is known: all of a full register would not fit in memory beside the index.
//!
//! Each record is compressed alone, because it is read alone; the first records are the dictionary of all later ones, which have
//! the same members and often the same values.

use std::{
    cell::RefCell,
    env,
    fs::File,
    io::{self, BufWriter, Write},
    os::unix::fs::FileExt,
};

use serde::Serialize;
use zstd::bulk::{Compressor, Decompressor};

use crate::Error;

/// Size in bytes at which the first records become the dictionary.
const DICTIONARY: usize = 16 * 1024;
/// Compression level: the fastest.
const LEVEL: i32 = 1;

/// Writes records to a temporary file as JSON. It is deleted with the process, also when it is killed.
#[derive(Default)]
pub(crate) struct Spool {
    /// Created with the first record.
    file: Option<BufWriter<File>>,
    end: u64,
    /// The first records.
    dictionary: Vec<u8>,
    /// Present as soon as the dictionary is complete.
    compressor: Option<Compressor<'static>>,
}

/// Where a record is.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    start: u64,
    size: u32,
    /// Size before compression; 0 if it is not compressed.
    uncompressed: u32,
}

impl Spool {
    pub(crate) fn push(&mut self, record: &impl Serialize) -> Result<Place, Error> {
        self.write(record).map_err(failed)
    }

    fn write(&mut self, record: &impl Serialize) -> io::Result<Place> {
        let json = serde_json::to_vec(record)?;
        let size = |it: &[u8]| u32::try_from(it.len()).map_err(io::Error::other);
        let (bytes, uncompressed) = match &mut self.compressor {
            Some(compressor) => (compressor.compress(&json)?, size(&json)?),
            None => {
                self.dictionary.extend_from_slice(&json);
                (json, 0)
            }
        };
        if self.compressor.is_none() && self.dictionary.len() >= DICTIONARY {
            self.compressor = Some(Compressor::with_dictionary(LEVEL, &self.dictionary)?);
        }
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(BufWriter::new(tempfile::tempfile()?)),
        };
        file.write_all(&bytes)?;
        let place = Place { start: self.end, size: size(&bytes)?, uncompressed };
        self.end += u64::from(place.size);
        Ok(place)
    }

    /// Ends writing, so that the records can be read.
    pub(crate) fn finish(self) -> Result<Spooled, Error> {
        let file = self.file.map(|it| it.into_inner().map_err(|it| failed(it.into_error())));
        let decompressor = Decompressor::with_dictionary(&self.dictionary).map_err(failed)?;
        Ok(Spooled { file: file.transpose()?, decompressor: RefCell::new(decompressor) })
    }
}

/// Records on the disk, read in any order.
pub(crate) struct Spooled {
    file: Option<File>,
    decompressor: RefCell<Decompressor<'static>>,
}

impl Spooled {
    /// The JSON of a record.
    pub(crate) fn get(&self, place: Place) -> Result<Vec<u8>, Error> {
        self.read(place).map_err(failed)
    }

    fn read(&self, place: Place) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; place.size as usize];
        let file = self.file.as_ref().ok_or(io::ErrorKind::UnexpectedEof)?;
        file.read_exact_at(&mut bytes, place.start)?;
        match place.uncompressed as usize {
            0 => Ok(bytes),
            size => self.decompressor.borrow_mut().decompress(&bytes, size),
        }
    }
}

fn failed(source: io::Error) -> Error {
    Error::unwritable(&env::temp_dir(), source)
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;

    proptest! {
        #[test]
        fn records_are_read_in_any_order_as_they_were_written(records in vec(".{0,400}", 0..300)) {
            let mut spool = Spool::default();
            let places: Vec<Place> =
                records.iter().map(|it| spool.push(it).expect("written")).collect();
            let spooled = spool.finish().expect("written");
            for (place, record) in places.into_iter().zip(&records).rev() {
                let read = spooled.get(place).expect("read");
                prop_assert_eq!(&serde_json::from_slice::<String>(&read).expect("JSON"), record);
            }
        }
    }

    #[test]
    fn alike_records_take_a_part_of_their_size() {
        let mut spool = Spool::default();
        for it in 0..2_000 {
            let record = format!("the board of the company number {it} has a new member").repeat(5);
            spool.push(&record).expect("written");
        }
        assert!(spool.end < 2_000 * 60, "{}", spool.end);
    }
}
