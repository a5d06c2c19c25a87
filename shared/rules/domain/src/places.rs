//! The names of places in German, French, Italian, Romansh and English.

use std::{collections::HashMap, sync::LazyLock};

use crate::text::fold;

/// See the comments in the file. Places of Switzerland with an official name in one language and a usual one in another, countries,
/// and well-known cities abroad.
const NAMES: &str = include_str!("places.tsv");

/// A name of a place.
#[derive(Debug)]
pub struct Name {
    /// Folded.
    pub name: String,
    /// Whether it is also a surname, a given name, another place or an ordinary word.
    pub is_ambiguous: bool,
}

/// The names of each place.
pub static PLACES: LazyLock<Vec<Vec<Name>>> = LazyLock::new(|| {
    let lines = NAMES.lines().filter(|it| !it.starts_with('#'));
    lines
        .map(|line| {
            let names = line.split(' ').map(|it| Name {
                name: fold(&it.replace('_', " ")),
                is_ambiguous: it.starts_with('~'),
            });
            names.collect()
        })
        .collect()
});

/// Each name with its place and whether it is ambiguous.
static NAMED: LazyLock<HashMap<&str, (&[Name], bool)>> = LazyLock::new(|| {
    let places = PLACES.iter().map(Vec::as_slice);
    let named = |place: &'static [Name]| {
        place.iter().map(move |it| (it.name.as_str(), (place, it.is_ambiguous)))
    };
    places.flat_map(named).collect()
});

/// The other names of a place, folded, in no particular order. `name` is folded too.
pub fn other_names(name: &str) -> impl Iterator<Item = &str> {
    let (names, _) = NAMED.get(name).copied().unwrap_or_default();
    names.iter().filter(move |it| it.name != name).map(|it| it.name.as_str())
}

/// As [`other_names`], for words of a text that may mean something else: ambiguous names have no others and are none.
pub fn other_names_in_text(name: &str) -> impl Iterator<Item = &str> {
    let (names, is_ambiguous) = NAMED.get(name).copied().unwrap_or_default();
    let names = names.iter().filter(move |it| !is_ambiguous && !it.is_ambiguous);
    names.filter(move |it| it.name != name).map(|it| it.name.as_str())
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
            ("Mustér", "Disentis"),
        ] {
            assert!(other_names(&fold(name)).any(|it| it == fold(other)), "{name}");
        }
        assert_eq!(other_names("lenzburg").count(), 0);
    }

    #[test]
    fn an_ambiguous_name_stands_only_for_itself_in_a_text() {
        assert_eq!(other_names_in_text("muster").count(), 0);
        assert_eq!(other_names_in_text("burgdorf").count(), 0);
        let others: Vec<_> = other_names_in_text("suisse").collect();
        assert_eq!(others, ["schweiz", "svizzera", "svizra", "switzerland"]);
        assert!(other_names_in_text("san gallo").any(|it| it == "saint gall"));
    }

    /// Otherwise a name would belong to one of its places only.
    #[test]
    fn each_name_is_one_place() {
        let mut place_of: HashMap<&str, usize> = HashMap::new();
        for (place, names) in PLACES.iter().enumerate() {
            for Name { name, .. } in names {
                assert!(!name.is_empty());
                assert_eq!(*place_of.entry(name).or_insert(place), place, "{name}");
            }
        }
    }
}
