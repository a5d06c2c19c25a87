//! The reference to the previous notice.

use super::Reference;
use crate::date;

/// Reads the reference to the previous notice: `(SHAB Nr. 2 vom 06.01.2026, Publ. 1006529604)`, `(FOSC du 25.03.2026, p. 0/1006606590)`.
pub(crate) fn previous(text: &str) -> Option<Reference> {
    let (at, name) = ["(SHAB ", "(FOSC ", "(FUSC "]
        .iter()
        .filter_map(|it| text.find(it).map(|at| (at, it)))
        .min_by_key(|(at, _)| *at)?;
    let inner = &text[at + name.len()..];
    let inner = &inner[..inner.find(')').unwrap_or(inner.len())];
    let day =
        ["vom ", "du ", "del "].iter().find_map(|it| date(&inner[inner.find(it)? + it.len()..]));
    let number =
        ["Publ. ", "Pubbl. ", "pubbl. ", "publ. ", "p. 0/", "S. 0/", "pag. 0/", "pagina 0/"]
            .iter()
            .find_map(|it| Some(&inner[inner.find(it)? + it.len()..]));
    let digits = number.map(|it| &it[..it.bytes().take(12).take_while(u8::is_ascii_digit).count()]);
    Some(Reference { date: day, publication: digits.and_then(|it| it.parse().ok()) })
}
