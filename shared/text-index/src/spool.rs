//! Records that wait on the disk until their order is known: all of a full register would not fit in memory beside the index.

use std::{
    env,
    fs::File,
    io::{self, BufWriter, Write},
    os::unix::fs::FileExt,
};

use serde::Serialize;

use crate::Error;

/// Writes records to a temporary file as JSON. It is deleted with the process, also when it is killed.
#[derive(Default)]
pub(crate) struct Spool {
    /// Created with the first record.
    file: Option<BufWriter<File>>,
    end: u64,
}

/// Where a record is.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    start: u64,
    size: u32,
}

impl Spool {
    pub(crate) fn push(&mut self, record: &impl Serialize) -> Result<Place, Error> {
        self.write(record).map_err(failed)
    }

    fn write(&mut self, record: &impl Serialize) -> io::Result<Place> {
        let json = serde_json::to_vec(record)?;
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(BufWriter::new(tempfile::tempfile()?)),
        };
        file.write_all(&json)?;
        let size = u32::try_from(json.len()).map_err(io::Error::other)?;
        let place = Place { start: self.end, size };
        self.end += u64::from(size);
        Ok(place)
    }

    /// Ends writing, so that the records can be read.
    pub(crate) fn finish(self) -> Result<Spooled, Error> {
        let file = self.file.map(|it| it.into_inner().map_err(|it| failed(it.into_error())));
        Ok(Spooled { file: file.transpose()? })
    }
}

/// Records on the disk, read in any order.
pub(crate) struct Spooled {
    file: Option<File>,
}

impl Spooled {
    /// The JSON of a record.
    pub(crate) fn get(&self, place: Place) -> Result<Vec<u8>, Error> {
        let mut json = vec![0; place.size as usize];
        match &self.file {
            Some(file) => file.read_exact_at(&mut json, place.start).map_err(failed)?,
            None => return Err(failed(io::ErrorKind::UnexpectedEof.into())),
        }
        Ok(json)
    }
}

fn failed(source: io::Error) -> Error {
    Error::unwritable(&env::temp_dir(), source)
}
