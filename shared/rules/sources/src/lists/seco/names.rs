//! Full names from their parts.

use std::collections::{BTreeMap, BTreeSet};

use domain::lists::{ListName, NameQuality};

use crate::lists::tree::Element;

/// Maximum number of combinations of the spellings of the parts of one name, in one language and script.
const MAX_COMBINATIONS: usize = 64;

/// Language and script of a spelling.
type Culture = (Option<String>, Option<String>);

/// A part of a name, such as the family name.
struct Part {
    value: Option<String>,
    variants: Vec<(Culture, String)>,
}

impl Part {
    fn spellings(&self, culture: &Culture) -> impl Iterator<Item = &String> {
        self.variants.iter().filter(move |(it, _)| it == culture).map(|(_, text)| text)
    }
}

/// All full names that an element `name` states.
///
/// The full name consists of the parts by their `order`, without titles; parts with the same order are alternatives.
/// Each part can have other spellings in a language and script. For each language and script, the spellings are combined
/// to full names. A part that has no spelling there keeps its own form. In a script other than Latin, such a name mixes
/// scripts, which nobody writes, so that it is weak.
pub(super) fn names(name: &Element, is_main_identity: bool) -> Vec<ListName> {
    let is_primary = is_main_identity && name.attribute("name-type") == Some("primary-name");
    let quality = match name.attribute("quality") {
        Some("low") => NameQuality::Weak,
        _ if is_primary => NameQuality::Primary,
        _ => NameQuality::Alias,
    };
    let parts = parts(name);
    let own: Vec<Vec<String>> = parts.iter().map(|it| alternatives(it)).collect();
    let language = name.attribute("lang").map(str::to_lowercase);
    let mut names = Vec::new();
    for text in combinations(&own) {
        names.push(ListName { quality, text, language: language.clone(), script: None });
    }
    let cultures: BTreeSet<&Culture> =
        parts.iter().flatten().flat_map(|it| &it.variants).map(|(culture, _)| culture).collect();
    for culture in cultures {
        let (spellings, is_complete) = spellings(&parts, culture);
        let (language, script) = culture.clone();
        let is_latin = script.as_deref().is_none_or(|it| it == "Latn");
        let quality = match quality {
            NameQuality::Weak => NameQuality::Weak,
            _ if is_complete || is_latin => NameQuality::Alias,
            _ => NameQuality::Weak,
        };
        for text in combinations(&spellings) {
            let (language, script) = (language.clone(), script.clone());
            names.push(ListName { quality, text, language, script });
        }
    }
    names
}

/// The parts of the name in their order. Alternatives are together.
fn parts(name: &Element) -> Vec<Vec<Part>> {
    let mut parts: BTreeMap<(bool, u64), Vec<Part>> = BTreeMap::new();
    for (position, part) in name.children("name-part").enumerate() {
        if part.attribute("name-part-type") == Some("title") {
            continue;
        }
        let order = part.attribute("order").and_then(|it| it.parse().ok());
        // Parts without an order follow, as in the file.
        let order = order.map_or((true, position as u64), |order: u64| (false, order));
        let variants = part.children("spelling-variant").filter_map(|it| {
            let language = it.attribute("lang").map(str::to_lowercase);
            let script = it.attribute("script").map(capitalised);
            Some(((language, script), it.text()?))
        });
        let part = Part { value: part.text_of("value"), variants: variants.collect() };
        parts.entry(order).or_default().push(part);
    }
    parts.into_values().collect()
}

/// `CYRL` as `Cyrl`, the form of ISO 15924.
fn capitalised(script: &str) -> String {
    let lower = script.to_lowercase();
    let mut letters = lower.chars();
    letters.next().map_or_else(String::new, |it| it.to_uppercase().chain(letters).collect())
}

fn alternatives(parts: &[Part]) -> Vec<String> {
    parts.iter().filter_map(|it| it.value.clone()).collect()
}

/// The spellings of each part in a language and script, and whether every part has one.
fn spellings(parts: &[Vec<Part>], culture: &Culture) -> (Vec<Vec<String>>, bool) {
    let mut is_complete = true;
    let spellings = parts.iter().map(|part| {
        let found: Vec<String> =
            part.iter().flat_map(|it| it.spellings(culture)).cloned().collect();
        if !found.is_empty() {
            return found;
        }
        let own = alternatives(part);
        is_complete &= own.is_empty();
        own
    });
    (spellings.collect(), is_complete)
}

/// The full names with one text of each part. If there are too many combinations, only those that differ from the first
/// in one part, so that every text is in a name.
fn combinations(parts: &[Vec<String>]) -> Vec<String> {
    let parts: Vec<&Vec<String>> = parts.iter().filter(|it| !it.is_empty()).collect();
    if parts.is_empty() {
        return Vec::new();
    }
    let total = parts.iter().try_fold(1_usize, |total, it| total.checked_mul(it.len()));
    let chosen: Vec<Vec<&str>> = match total {
        Some(total) if total <= MAX_COMBINATIONS => {
            parts.iter().fold(vec![Vec::new()], |names, part| {
                names.iter().flat_map(|name| part.iter().map(|it| extended(name, it))).collect()
            })
        }
        _ => {
            let first: Vec<&str> = parts.iter().map(|it| it[0].as_str()).collect();
            let mut names = vec![first.clone()];
            for (at, part) in parts.iter().enumerate() {
                names.extend(part[1..].iter().map(|text| {
                    let mut name = first.clone();
                    name[at] = text;
                    name
                }));
            }
            names
        }
    };
    chosen.into_iter().map(|it| it.join(" ")).collect()
}

fn extended<'a>(name: &[&'a str], part: &'a str) -> Vec<&'a str> {
    name.iter().copied().chain([part]).collect()
}
