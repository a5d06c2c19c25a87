use std::io::{Cursor, Read};

use zip::ZipArchive;

use crate::{Error, manners::Manners};

/// The one table in an archive: others of its files describe it. What is longer unpacked than an
/// answer may be is refused.
pub(crate) fn table(bytes: &[u8], manners: Manners) -> Result<Vec<u8>, Error> {
    let Manners { of, largest, .. } = manners;
    let no_table = |reason: String| Error::NoTable { of, reason };
    let broken = |it: zip::result::ZipError| no_table(it.to_string());
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
    let names: Result<Vec<String>, _> =
        archive.file_names().map(|it| it.map(|it| it.into_owned())).collect();
    let mut names = names.map_err(broken)?;
    names.retain(|it| it.to_ascii_lowercase().ends_with(".csv"));
    let [name] = names.as_slice() else {
        return Err(no_table(format!("it has {} tables", names.len())));
    };
    let file = archive.by_name(name).map_err(broken)?;
    let mut table = Vec::new();
    let read = file.take(largest as u64 + 1).read_to_end(&mut table);
    match read.map_err(|it| no_table(it.to_string()))? {
        length if length > largest => Err(Error::TooLarge { of, address: name.clone(), largest }),
        _ => Ok(table),
    }
}
