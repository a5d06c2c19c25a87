//! The screening lists of the local server: invented entries in the official formats.

use bytes::Bytes;
use domain::lists::{List, Minimum};
use jiff::Timestamp;
use objects::Objects;
use sources::lists::ListFormat;

use crate::{CommandError, Context};

/// One file of each list.
const FILES: [(ListFormat, &[u8]); 4] = [
    (ListFormat::Seco, include_bytes!("../../lists/seco.xml")),
    (ListFormat::FollowTheMoney, include_bytes!("../../lists/opensanctions.ftm.json")),
    (ListFormat::FinmaWarning, include_bytes!("../../lists/finma_warning.json")),
    (ListFormat::FinmaAuthorised, include_bytes!("../../lists/finma_authorised.csv")),
];

/// The size below which a list is refused. The invented lists are short.
pub(crate) fn minimum(_: List) -> Minimum {
    Minimum { entries: 1, active: 1 }
}

/// Publishes the invented lists, through the reader of the worker. A list that is published stays as it is.
pub async fn publish(objects: &Objects, now: Timestamp) -> Result<(), CommandError> {
    for (format, bytes) in FILES {
        let list = format.list();
        let published = screening_lists::current(objects, list).await;
        if published.context(format_args!("the screening list {list}"))?.is_none() {
            let bytes = Bytes::from_static(bytes);
            let imported = screening_updates::import_invented(objects, format, bytes, now).await;
            imported.context(format_args!("the screening list {list}"))?;
        }
    }
    Ok(())
}
