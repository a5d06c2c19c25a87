//! One segment in one directory: written once, then opened read-only.

use std::{fs, io, path::Path};

use tantivy::{
    Index, IndexSettings, SegmentReader, TantivyDocument,
    directory::MmapDirectory,
    schema::{Field, Schema},
    store::Compressor,
};

use crate::{
    Error,
    columns::{Column, Lists},
    postings::Terms,
};

/// Initial memory for the writer's table of terms, in bytes.
const MEMORY: usize = 16 << 20;

/// Minimum size of a valid file: each ends with a footer of a length and a magic number.
const SHORTEST_FILE: u64 = 8;

/// Files that tantivy leaves for the next writer. There is none.
const LEFTOVERS: [&str; 3] = [".managed.json", ".tantivy-meta.lock", ".tantivy-writer.lock"];

/// Creates the directory of a new index if it does not exist. It must be empty.
pub(crate) fn create(directory: &Path) -> Result<(), Error> {
    let failed = |source: io::Error| Error::unwritable(directory, source);
    fs::create_dir_all(directory).map_err(failed)?;
    match fs::read_dir(directory).map_err(failed)?.next() {
        Some(_) => Err(failed(io::Error::new(io::ErrorKind::DirectoryNotEmpty, "not empty"))),
        None => Ok(()),
    }
}

/// Writes the documents, in this order, as the only segment of a new index. Returns the total size of its
/// files in bytes. Ends at the first document that could not be made.
pub(crate) fn write(
    directory: &Path,
    schema: Schema,
    documents: impl Iterator<Item = Result<TantivyDocument, Error>>,
) -> Result<u64, Error> {
    let failed = |source: tantivy::TantivyError| Error::unwritable(directory, source);
    let files = MmapDirectory::open(directory).map_err(|it| failed(it.into()))?;
    // Nothing is stored per document; see `stored`.
    let settings = IndexSettings {
        docstore_compression: Compressor::None,
        docstore_compress_dedicated_thread: false,
        ..IndexSettings::default()
    };
    // No threads and no merging, so that documents keep their order.
    let mut writer = Index::builder()
        .schema(schema)
        .settings(settings)
        .single_segment_index_writer(files, MEMORY)
        .map_err(failed)?;
    for document in documents {
        writer.add_document(document?).map_err(failed)?;
    }
    writer.finalize().map_err(failed)?;
    for leftover in LEFTOVERS {
        match fs::remove_file(directory.join(leftover)) {
            Err(failure) if failure.kind() != io::ErrorKind::NotFound => {
                return Err(Error::unwritable(directory, failure));
            }
            _ => {}
        }
    }
    sizes(directory).map(|it| it.iter().sum()).map_err(|it| Error::unwritable(directory, it))
}

/// Opens the only segment of an index with this schema and reads its parts.
pub(crate) fn open<T>(
    directory: &Path,
    schema: &Schema,
    parts: impl FnOnce(&SegmentReader) -> tantivy::Result<T>,
) -> Result<T, Error> {
    let unreadable = |source: Box<dyn std::error::Error + Send + Sync>| Error::Unreadable {
        directory: directory.to_owned(),
        source,
    };
    // tantivy panics on shorter files.
    if sizes(directory).map_err(|it| unreadable(it.into()))?.iter().any(|it| *it < SHORTEST_FILE) {
        return Err(unreadable("a file is truncated".into()));
    }
    let index = Index::open_in_dir(directory).map_err(|it| unreadable(it.into()))?;
    if index.schema() != *schema {
        return Err(Error::OtherLayout { directory: directory.to_owned() });
    }
    let segments = index.searchable_segments().map_err(|it| unreadable(it.into()))?;
    match segments.as_slice() {
        [only] => {
            SegmentReader::open(only).and_then(|it| parts(&it)).map_err(|it| unreadable(it.into()))
        }
        _ => Err(Error::OtherLayout { directory: directory.to_owned() }),
    }
}

/// The column with this name. Every document must have a value.
pub(crate) fn column(segment: &SegmentReader, name: &str) -> tantivy::Result<Column> {
    let damaged =
        || io::Error::new(io::ErrorKind::InvalidData, format!("column {name} is incomplete"));
    match segment.fast_fields().column_opt::<u64>(name)? {
        Some(column) if column.values.num_vals() == segment.max_doc() => {
            Ok(Column::new(column.values))
        }
        // An index without documents has no columns.
        None if segment.max_doc() == 0 => Ok(Column::empty()),
        _ => Err(damaged().into()),
    }
}

/// The column with this name, which may have any number of values per document.
pub(crate) fn lists(segment: &SegmentReader, name: &str) -> tantivy::Result<Lists> {
    let column = segment.fast_fields().column_opt::<u64>(name)?;
    Ok(Lists::new(column.filter(|it| it.num_docs() == segment.max_doc())))
}

/// The terms of a field.
pub(crate) fn terms(segment: &SegmentReader, field: Field) -> tantivy::Result<Terms> {
    Ok(Terms::new(field, segment.inverted_index(field)?))
}

/// Sizes of the files in a directory, in bytes. Subdirectories do not belong to the index.
fn sizes(directory: &Path) -> io::Result<Vec<u64>> {
    let entries = fs::read_dir(directory)?.map(|it| it?.metadata());
    let files = entries.filter(|it| it.as_ref().is_ok_and(|it| !it.is_dir()) || it.is_err());
    files.map(|it| Ok(it?.len())).collect()
}
