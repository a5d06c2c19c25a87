//! The representation that a caller asks for.

use http::{HeaderMap, header::ACCEPT};

/// Whether the header `Accept` names this media type, with or without parameters. `*/*` does not name it.
pub fn accepts(headers: &HeaderMap, media_type: &str) -> bool {
    let accepted = headers.get_all(ACCEPT).iter().filter_map(|it| it.to_str().ok());
    accepted.flat_map(|it| it.split(',')).any(|it| it.trim().starts_with(media_type))
}
