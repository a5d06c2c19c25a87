//! Why no generation was published, and whether another attempt may succeed.

use std::io;

use spreadsheet::ParquetError;

/// Why no generation was published.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error(transparent)]
    Index(#[from] text_index::Error),
    #[error(transparent)]
    Generation(#[from] generations::Error),
    #[error(transparent)]
    Columns(#[from] columns::Error),
    #[error(transparent)]
    Records(#[from] records::Error),
    #[error("the table of records could not be written")]
    Table(#[from] ParquetError),
    #[error(transparent)]
    Objects(#[from] objects::Error),
    #[error("a file on this machine could not be read or written")]
    File(#[from] io::Error),
    #[error("{missing} of the {last} changes of the feed are missing, the first is number {first}")]
    MissingChanges { missing: usize, first: u64, last: u64 },
    #[error("change {sequence} of the feed occurs twice")]
    RepeatedChange { sequence: u64 },
    #[error(
        "the records and the histories of the previous generation are those of different companies"
    )]
    OtherHistories,
    #[error("there are changes after number {last}, the last one of the feed")]
    LaterChanges { last: u64 },
    #[error(
        "{left_out} of {companies} companies cannot be decoded, the first is {first}: {reason}"
    )]
    TooManyUnreadable { left_out: usize, companies: usize, first: String, reason: String },
}

impl Error {
    /// Whether the job may succeed when it is repeated.
    pub(crate) fn is_temporary(&self) -> bool {
        match self {
            // An item that cannot be decoded, such as a mark, is the same the next time.
            Self::Store(failure) => !matches!(failure, store::Error::Shape(_)),
            Self::File(failure)
            | Self::Generation(generations::Error::File(failure))
            | Self::Columns(columns::Error::File(failure))
            | Self::Records(records::Error::File(failure))
            | Self::Index(text_index::Error::Unanswered(failure)) => !is_damage(failure),
            Self::Table(ParquetError::External(cause)) => cause.is::<io::Error>(),
            // The disk is full, the bucket did not answer, or another publisher was faster.
            Self::Generation(generations::Error::Published(published::Error::Overtaken(_)))
            | Self::Index(
                text_index::Error::Unwritable { .. } | text_index::Error::Unreachable(_),
            ) => true,
            Self::Objects(failure) | Self::Generation(generations::Error::Objects(failure)) => {
                matches!(failure, objects::Error::Unavailable(_) | objects::Error::File(_))
            }
            Self::Generation(_)
            | Self::Index(_)
            | Self::Columns(_)
            | Self::Records(_)
            | Self::Table(_)
            | Self::OtherHistories
            | Self::TooManyUnreadable { .. }
            | Self::MissingChanges { .. }
            | Self::RepeatedChange { .. }
            | Self::LaterChanges { .. } => false,
        }
    }

    /// Whether the generation would have been incomplete.
    pub(crate) fn is_refusal(&self) -> bool {
        match self {
            Self::MissingChanges { .. }
            | Self::RepeatedChange { .. }
            | Self::LaterChanges { .. }
            | Self::TooManyUnreadable { .. } => true,
            Self::Store(_)
            | Self::Index(_)
            | Self::Generation(_)
            | Self::Columns(_)
            | Self::Records(_)
            | Self::Table(_)
            | Self::Objects(_)
            | Self::OtherHistories
            | Self::File(_) => false,
        }
    }
}

/// Whether a file of the previous generation is not the one that was written: it is the same the next time.
fn is_damage(failure: &io::Error) -> bool {
    matches!(failure.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After a full disk, an update tries the same generation again. After damage, it reads all companies.
    #[test]
    fn a_full_disk_is_temporary_wherever_it_is_noticed_and_damage_is_not() {
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        let unwritable =
            text_index::Error::Unwritable { directory: "/tmp".into(), source: Box::new(full()) };
        let temporary: [Error; 7] = [
            full().into(),
            columns::Error::File(full()).into(),
            generations::Error::File(full()).into(),
            records::Error::File(full()).into(),
            unwritable.into(),
            text_index::Error::Unanswered(full()).into(),
            ParquetError::External(Box::new(full())).into(),
        ];
        for failure in temporary {
            assert!(failure.is_temporary(), "{failure:?}");
        }
        let short = || io::Error::from(io::ErrorKind::UnexpectedEof);
        let damaged = records::Error::Damaged {
            file: "0".to_owned(),
            offset: 0,
            reason: "another hash".to_owned(),
        };
        let lasting: [Error; 4] = [
            damaged.into(),
            records::Error::File(short()).into(),
            text_index::Error::Unanswered(short()).into(),
            ParquetError::General("no such column".to_owned()).into(),
        ];
        for failure in lasting {
            assert!(!failure.is_temporary(), "{failure:?}");
        }
    }
}
