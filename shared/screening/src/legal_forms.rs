//! Legal forms in the names of organisations.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::transliteration::{fold, lines};

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

/// The number of words of the longest form that is looked for.
const MAX_WORDS: usize = 6;

/// Short forms that stand before a name.
const BEFORE: &[&str] = &[
    "ooo", "oao", "zao", "pao", "ao", "pt", "ip", "tov", "too", "pat", "uab", "sia", "ab", "jsc",
    "llc", "gup", "rue", "as",
];

static FORMS: LazyLock<FxHashMap<String, Families>> = LazyLock::new(|| {
    let mut forms: FxHashMap<String, Families> = FxHashMap::default();
    for (family, form) in read(include_str!("../vocabulary/legal_forms.tsv")) {
        *forms.entry(fold(form)).or_default() |= family;
    }
    forms
});

/// The number of words of the longest form that starts with a word.
static MAX_WORDS_BY_START: LazyLock<FxHashMap<&str, usize>> = LazyLock::new(|| {
    let mut longest: FxHashMap<&str, usize> = FxHashMap::default();
    for form in FORMS.keys() {
        let words = form.split(' ').count().min(MAX_WORDS);
        let known = longest.entry(form.split(' ').next().unwrap_or_default()).or_default();
        *known = words.max(*known);
    }
    longest
});

static HAN_AND_HANGUL: LazyLock<Vec<(Families, &'static str)>> =
    LazyLock::new(|| read(include_str!("../vocabulary/legal_forms_cjk.tsv")).collect());

fn read(file: &'static str) -> impl Iterator<Item = (Families, &'static str)> {
    lines(file).filter_map(|line| line.split_once('\t')).flat_map(|(family, forms)| {
        let bit = FAMILIES.iter().position(|it| *it == family).expect("a family of legal forms");
        forms.split('|').map(move |form| (1 << bit, form))
    })
}

/// The families of a form, words in folded form separated by spaces. 0: not a legal form.
pub(crate) fn families(form: &str) -> Families {
    FORMS.get(form).copied().unwrap_or_default()
}

/// The number of words of the longest form that starts with this word. 0: none does.
pub(crate) fn longest_from(word: &str) -> usize {
    MAX_WORDS_BY_START.get(word).copied().unwrap_or_default()
}

/// Whether a form of up to three letters may stand before the name.
pub(crate) fn stands_before(form: &str) -> bool {
    BEFORE.contains(&form)
}

/// Removes legal forms in Han characters and Hangul, which are written without spaces.
pub(crate) fn remove_unspaced(text: &mut String) -> Families {
    let mut families = 0;
    if text.is_ascii() {
        return families;
    }
    for (family, form) in HAN_AND_HANGUL.iter() {
        if text.len() > form.len() && text.contains(form) {
            *text = text.replace(form, " ");
            families |= family;
        }
    }
    families
}
