use std::io::{Cursor, Read};

use zip::ZipArchive;

use sources::FetchPolicy;

use crate::Error;

/// Extracts the only table of an archive. The limit for responses also applies to the extracted table.
pub(crate) fn table(bytes: &[u8], policy: FetchPolicy) -> Result<Vec<u8>, Error> {
    read(bytes, policy, policy.max_bytes, |rows| {
        let mut table = Vec::new();
        let invalid = |it: std::io::Error| Error::InvalidArchive {
            source_name: policy.name,
            reason: it.to_string(),
        };
        rows.read_to_end(&mut table).map_err(invalid)?;
        Ok(table)
    })
}

/// Reads the only CSV file of an archive as a stream and ignores its other files. The extracted table may
/// have at most `max_bytes` bytes and does not have to fit into memory.
pub(crate) fn read<T>(
    bytes: &[u8],
    policy: FetchPolicy,
    max_bytes: usize,
    read: impl FnOnce(&mut dyn Read) -> Result<T, Error>,
) -> Result<T, Error> {
    let source_name = policy.name;
    let invalid = |reason: String| Error::InvalidArchive { source_name, reason };
    let broken = |it: zip::result::ZipError| invalid(it.to_string());
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
    let names: Result<Vec<String>, _> =
        archive.file_names().map(|it| it.map(|it| it.into_owned())).collect();
    let mut names = names.map_err(broken)?;
    names.retain(|it| it.to_ascii_lowercase().ends_with(".csv"));
    let [name] = names.as_slice() else {
        return Err(invalid(format!("it contains {} CSV files; expected one", names.len())));
    };
    let file = archive.by_name(name).map_err(broken)?;
    let mut rows = file.take(max_bytes as u64 + 1);
    let outcome = read(&mut rows)?;
    match rows.limit() {
        0 => Err(Error::TooLarge { source_name, address: name.clone(), max_bytes }),
        _ => Ok(outcome),
    }
}
