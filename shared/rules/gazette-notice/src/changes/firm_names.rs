//! The names of companies in notices.

use crate::{punctuation, words::is_firm_name};

/// Removes the translations in brackets after a name. `(Europe)` is not a translation.
pub(super) fn without_translations(name: &str) -> &str {
    let mut name = name.trim();
    for (open, close) in punctuation::bracket_groups(name).into_iter().rev() {
        let inner = &name[open + 1..close];
        let is_translation = is_firm_name(inner) || inner.to_lowercase().contains("liquida");
        if close + 1 != name.len() || !is_translation || open == 0 {
            break;
        }
        name = name[..open].trim_end();
    }
    name
}
