use std::io::{Cursor, Read};

use zip::ZipArchive;

use sources::FetchPolicy;

use crate::Error;

/// The one table in an archive. What is longer unpacked than an answer may be is refused.
pub(crate) fn table(bytes: &[u8], policy: FetchPolicy) -> Result<Vec<u8>, Error> {
    read(bytes, policy, policy.max_bytes, |rows| {
        let mut table = Vec::new();
        let no_table =
            |it: std::io::Error| Error::NoTable { of: policy.name, reason: it.to_string() };
        rows.read_to_end(&mut table).map_err(no_table)?;
        Ok(table)
    })
}

/// Reads the one table in an archive: others of its files describe it. Unpacked it is as long as this at
/// most, and need not fit into memory.
pub(crate) fn read<T>(
    bytes: &[u8],
    policy: FetchPolicy,
    longest: usize,
    read: impl FnOnce(&mut dyn Read) -> Result<T, Error>,
) -> Result<T, Error> {
    let of = policy.name;
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
    let mut rows = file.take(longest as u64 + 1);
    let outcome = read(&mut rows)?;
    match rows.limit() {
        0 => Err(Error::TooLarge { of, address: name.clone(), largest: longest }),
        _ => Ok(outcome),
    }
}
