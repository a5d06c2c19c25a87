//! The representation that a caller asks for.

use http::{HeaderMap, header::ACCEPT};

/// Whether the header `Accept` names this media type, with or without parameters. `*/*` does not name it.
pub fn accepts(headers: &HeaderMap, media_type: &str) -> bool {
    let accepted = headers.get_all(ACCEPT).iter().filter_map(|it| it.to_str().ok());
    accepted.flat_map(|it| it.split(',')).any(|it| {
        let mut parts = it.split(';').map(str::trim);
        let is_named = parts.next().is_some_and(|it| it.eq_ignore_ascii_case(media_type));
        // The weight 0 means that it is not accepted.
        is_named && !parts.any(|it| it.strip_prefix("q=").is_some_and(|it| it.parse() == Ok(0.0)))
    })
}
