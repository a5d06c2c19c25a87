//! Legal forms in the names of organisations.

use std::sync::LazyLock;

use domain::additions;

use crate::{
    phrases::Phrases,
    transliteration::{Script, script},
    words::is_european,
};

/// Families of legal forms, a bit for each. A form in several families is compatible with each of them.
pub(crate) type Families = u16;

/// The family of branches: what follows names the place of the branch.
pub(crate) const BRANCH: Families = 1 << 7;

/// Families whose forms are also words of the name (Stiftung, Verein, Genossenschaft): a name without the word is
/// another name.
pub(crate) const PART_OF_NAME: Families = 1 << 3 | 1 << 4 | 1 << 5;

/// In the order of their bits.
const FAMILIES: [&str; 9] = [
    "stock",
    "limited",
    "partnership",
    "cooperative",
    "foundation",
    "association",
    "sole",
    "branch",
    "public",
];

/// Short forms that stand before a name.
const BEFORE: &[&str] = &[
    "ooo", "oao", "zao", "pao", "ao", "pt", "ip", "tov", "too", "pat", "uab", "sia", "ab", "jsc",
    "llc", "gup", "rue", "as",
];

static FORMS: LazyLock<Phrases<Families>> = LazyLock::new(|| {
    let mut forms = Phrases::new();
    for (family, form) in read(additions::LEGAL_FORMS) {
        *forms.entry(form) |= family;
        if form.contains(' ') {
            *forms.entry(&unabbreviated(form)) |= family;
        }
    }
    forms
});

static OTHER_SCRIPTS: LazyLock<Vec<(Families, &'static str)>> =
    LazyLock::new(|| read(include_str!("../vocabulary/legal_forms_scripts.tsv")).collect());

fn read(file: &'static str) -> impl Iterator<Item = (Families, &'static str)> {
    additions::entries(file).flat_map(|(family, forms)| {
        let bit = FAMILIES.iter().position(|it| *it == family).expect("a family of legal forms");
        forms.map(move |form| (1 << bit, form))
    })
}

/// Words of forms of several words, which are written in full or not: `Limited Liability Comp`.
const ABBREVIATIONS: &[(&str, &str)] = &[
    ("co", "company"),
    ("comp", "company"),
    ("coy", "company"),
    ("corp", "corporation"),
    ("ltd", "limited"),
    ("lim", "limited"),
    ("liab", "liability"),
    ("jt", "joint"),
    ("stk", "stock"),
    ("pub", "public"),
    ("priv", "private"),
    ("pvt", "private"),
    ("pte", "private"),
    ("prop", "proprietary"),
    ("pty", "proprietary"),
    ("soc", "societe"),
    ("resp", "responsabilite"),
    ("lim", "limited"),
    ("ges", "gesellschaft"),
    ("beschr", "beschrankter"),
    ("haft", "haftung"),
    ("akts", "aktsionernoe"),
    ("obshch", "obshchestvo"),
];

/// A form whose words are written in full.
pub(crate) fn unabbreviated(form: &str) -> String {
    let word = |word| ABBREVIATIONS.iter().find(|it| it.0 == word).map_or(word, |it| it.1);
    form.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// The least number of letters of the start of a form that is one.
const TRUNCATED: usize = 12;

/// The families of a form of several words, whose words may be abbreviated; of the last words of a name also if the end of the
/// form is missing, because sources cut long names.
pub(crate) fn families_of_words(form: &str, is_last: bool) -> Families {
    let exact = families(form);
    if exact != 0 || !form.contains(' ') {
        return exact;
    }
    let form = unabbreviated(form);
    let full = families(&form);
    if full != 0 || !is_last || form.len() < TRUNCATED {
        return full;
    }
    FORMS.phrases().filter(|it| it.0.starts_with(&form)).fold(0, |found, it| found | it.1)
}

/// The families of a form, words in folded form separated by spaces. 0: not a legal form.
pub(crate) fn families(form: &str) -> Families {
    FORMS.meaning(form)
}

/// The number of words of the longest form that starts with this word. 0: none does.
pub(crate) fn longest_from(word: &str) -> usize {
    let full =
        ABBREVIATIONS.iter().find(|it| it.0 == word).map_or(0, |it| FORMS.longest_from(it.1));
    FORMS.longest_from(word).max(full)
}

/// Whether a form of up to three letters may stand before the name.
pub(crate) fn stands_before(form: &str) -> bool {
    BEFORE.contains(&form)
}

/// Removes legal forms in other scripts: within words of those that are written without spaces, otherwise whole words.
pub(crate) fn remove_written(text: &mut String) -> Families {
    let mut families = 0;
    if is_european(text) {
        return families;
    }
    let has_spaces =
        |it: &str| !it.chars().any(|it| matches!(script(it), Script::Han | Script::Hangul));
    for (family, form) in OTHER_SCRIPTS.iter() {
        let is_letter = |it: Option<char>| it.is_some_and(char::is_alphanumeric);
        let is_word = |at: usize| {
            let (before, after) = (&text[..at], &text[at + form.len()..]);
            !is_letter(before.chars().next_back()) && !is_letter(after.chars().next())
        };
        let mut found = text.match_indices(form).map(|it| it.0);
        let found = found.find(|it| !has_spaces(form) || is_word(*it));
        if let Some(at) = found.filter(|_| text.len() > form.len()) {
            text.replace_range(at..at + form.len(), " ");
            families |= family;
        }
    }
    families
}
