//! Roles: their name in the language of the document and, if that is another language, as published.

use auth::Language;
use domain::{
    persons::{Mandate, RoleCategory},
    terms::{capitalised, offices},
    text::fold,
};

use super::words::Words;

/// What somebody is. A text in the language of the document says it by itself.
pub(super) fn role(mandate: &Mandate, legal_form: Option<&str>, words: Words) -> String {
    let names = |language| offices::offices(language, mandate, legal_form).join(", ");
    let published = &mandate.role;
    let name = capitalised(&names(words.0));
    let is_published = mandate.category != RoleCategory::Signatory && published != offices::UNKNOWN;
    let fit = |language| fit(published, &names(language), language);
    let own = fit(words.0);
    let is_own = own > 0 && Language::ALL.into_iter().all(|it| fit(it) <= own);
    match (is_published, is_own) {
        (false, _) => name,
        (true, true) => published.clone(),
        (true, false) => format!("{name} · {published}"),
    }
}

/// How many words of a published role are those of a language: of the role's name in it, and words that only join others.
fn fit(published: &str, name: &str, language: Language) -> usize {
    let joining: &[&str] = match language {
        Language::De => &["der", "die", "und", "mit", "im", "zur"],
        Language::Fr => &["de", "du", "la", "le", "et", "avec"],
        Language::It => &["del", "della", "dell", "di", "e", "con"],
        Language::En => &["of", "the", "and", "with"],
    };
    let (published, name) = (fold(published), fold(name));
    let is_of_name = |word: &str| name.split(' ').any(|it| has_same_stem(it, word));
    let words = published.split(' ');
    words.filter(|word| joining.contains(word) || is_of_name(word)).count()
}

/// Whether two words differ in their last letters only: `Verwaltungsrats`, `Verwaltungsrates`.
fn has_same_stem(one: &str, other: &str) -> bool {
    let longest = one.chars().count().max(other.chars().count());
    let stem = longest.saturating_sub(3).max(5);
    let [one, other] = [one, other].map(|it| it.chars().take(stem).collect::<String>());
    one == other && one.chars().count() == stem
}
