//! The phrases of the data files, by style.

use std::{collections::HashMap, sync::LazyLock};

use crate::{
    board::Role,
    data::{self, filled},
    localities::Style,
};

/// By style, in the order of [`Style`].
type ByStyle = [&'static str; 4];

static PHRASES: LazyLock<HashMap<&'static str, ByStyle>> = LazyLock::new(|| {
    let by_style = |values: &[&'static str]| -> ByStyle {
        match *values {
            [german, french, italian, prose] => [german, french, italian, prose],
            [german, french, italian] => [german, french, italian, french],
            [only_prose] => ["", "", "", only_prose],
            _ => panic!("{values:?} is not a phrase in every style"),
        }
    };
    let entries = data::entries(include_str!("../../data/phrases.txt"));
    entries.map(|(key, values)| (key, by_style(&values))).collect()
});

/// The phrase with this key, which has to be in the file.
pub(super) fn phrase(key: &str, style: Style) -> &'static str {
    let phrase = PHRASES.get(key).unwrap_or_else(|| panic!("`{key}` is not a phrase"));
    phrase[style as usize]
}

/// The template with the words in place of their names in braces.
pub(super) fn fill(template: &str, words: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(template.len() + 100);
    let mut rest = template;
    while let Some((before, from)) = rest.split_once('{') {
        let (name, after) = from.split_once('}').expect("a closing brace");
        let word = words.iter().find(|(it, _)| *it == name);
        let (_, word) = word.unwrap_or_else(|| panic!("`{template}` needs `{name}`"));
        filled.push_str(before);
        filled.push_str(word);
        rest = after;
    }
    filled.push_str(rest);
    filled
}

/// The company as the subject of a sentence.
pub(super) struct Subject {
    pub(super) text: &'static str,
    /// The ending of participles that agree with it, in French and Italian.
    pub(super) ending: &'static str,
}

static SUBJECTS: LazyLock<Vec<[&'static str; 6]>> =
    LazyLock::new(|| data::rows(include_str!("../../data/subjects.csv")).collect());

pub(super) fn subject(form: &str, style: Style) -> Subject {
    let row = SUBJECTS.iter().find(|[it, ..]| *it == form || it.is_empty());
    let [_, german, french, italian, e, a] = row.expect("a row for every other form");
    let (text, ending) = match style {
        Style::German => (german, &""),
        Style::French | Style::Prose => (french, e),
        Style::Italian => (italian, a),
    };
    Subject { text, ending }
}

/// What an officer is called.
struct RoleName {
    role: Role,
    /// `None` for every form that has no row of its own.
    form: Option<&'static str>,
    /// By style, masculine and feminine.
    names: [[&'static str; 2]; 4],
}

static ROLE_NAMES: LazyLock<Vec<RoleName>> = LazyLock::new(|| {
    let rows = data::rows::<10>(include_str!("../../data/roles.csv"));
    let name = |[role, form, names @ ..]: [&'static str; 10]| {
        let [german, german_f, french, french_f, italian, italian_f, prose, prose_f] = names;
        let french = [french, french_f];
        let prose = if prose.is_empty() { french } else { [prose, prose_f] };
        RoleName {
            role: Role::named(role).unwrap_or_else(|| panic!("`{role}` is not a role")),
            form: filled(form),
            names: [[german, german_f], french, [italian, italian_f], prose],
        }
    };
    rows.map(name).collect()
});

/// What an officer is called in a company of this form. Empty for somebody who only signs.
pub(super) fn role_name(role: Role, form: &str, style: Style, is_woman: bool) -> &'static str {
    let of_role = |it: &&RoleName| it.role == role && it.form.is_none_or(|it| it == form);
    // The rows of one form are before the row of all others.
    let name = ROLE_NAMES.iter().find(of_role).expect("a row for every role");
    name.names[style as usize][usize::from(is_woman)]
}
