//! The names of places in German, French, Italian, Romansh and English.

use std::{collections::HashMap, sync::LazyLock};

use crate::text::fold;

/// One place per line, its names separated by spaces, the words of a name joined with `_`. Lines that begin with `#` are comments.
///
/// Places of Switzerland with an official name in one language and a usual one in another, countries, and well-known cities abroad.
pub const NAMES: &str = include_str!("places.tsv");

/// The names of the places that have each name, all folded.
static PLACES: LazyLock<HashMap<String, Vec<String>>> = LazyLock::new(|| {
    let mut places: HashMap<String, Vec<String>> = HashMap::new();
    for line in NAMES.lines().filter(|it| !it.starts_with('#')) {
        let names: Vec<String> = line.split(' ').map(|it| fold(&it.replace('_', " "))).collect();
        for name in &names {
            places.entry(name.clone()).or_default().extend(names.iter().cloned());
        }
    }
    places
});

/// The other names of a place, folded, in no particular order. `name` is folded too.
pub fn other_names(name: &str) -> impl Iterator<Item = &str> {
    let names = PLACES.get(name).map(Vec::as_slice).unwrap_or_default();
    names.iter().map(String::as_str).filter(move |it| *it != name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_has_its_names_in_each_language() {
        for (name, other) in [
            ("Genf", "Genève"),
            ("Ginevra", "Geneva"),
            ("San Gallo", "St. Gallen"),
            ("Loèche-les-Bains", "Leukerbad"),
            ("Zurigo", "Zürich"),
        ] {
            assert!(other_names(&fold(name)).any(|it| it == fold(other)), "{name}");
        }
        assert_eq!(other_names("lenzburg").count(), 0);
    }
}
