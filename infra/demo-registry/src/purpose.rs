//! How purposes are put together.

use std::sync::LazyLock;

use crate::{
    business::Business,
    data::{self, ByLanguage},
    forms,
    random::Random,
    trades::Trade,
};

const FILE: &str = include_str!("../data/purposes.txt");

struct Phrases {
    /// How a purpose begins, for the legal forms that have words of their own.
    begins: [(&'static str, ByLanguage); 3],
    /// How it begins for all other forms.
    begins_otherwise: ByLanguage,
    /// Joins a second activity.
    and: ByLanguage,
    /// Sentences that may follow.
    further: ByLanguage,
    articles: Vec<&'static str>,
}

static PHRASES: LazyLock<Phrases> = LazyLock::new(|| Phrases {
    begins: [forms::ASSOCIATION, forms::FOUNDATION, forms::COOPERATIVE]
        .map(|form| (form, data::by_language(FILE, &format!("begins {form}")))),
    begins_otherwise: data::by_language(FILE, "begins other"),
    and: data::by_language(FILE, "and"),
    further: data::by_language(FILE, "further"),
    articles: data::list(FILE, "article"),
});

impl Business {
    /// One to three sentences. `second` is another trade of the company, which the purpose may mention.
    pub(crate) fn purpose(&self, random: &mut Random, second: &Trade) -> String {
        let is_commercial = matches!(self.form, forms::CORPORATION | forms::LIMITED_LIABILITY);
        // Only companies with an English name have their purpose in English.
        let language = if is_commercial { self.language } else { self.place.language } as usize;
        let activity = self.trade.activity[language];
        if matches!(self.form, forms::SOLE_TRADER | forms::GENERAL_PARTNERSHIP | forms::BRANCH) {
            return format!("{}.", without_article(activity));
        }
        let own = PHRASES.begins.iter().find(|(form, _)| *form == self.form);
        let begins = own.map_or(&PHRASES.begins_otherwise, |(_, begins)| begins);
        let mut purpose = format!("{} {activity}", random.pick(&begins[language]));
        if is_commercial && second.code != self.trade.code && random.chance(350) {
            let and = PHRASES.and[language][0];
            purpose = format!("{purpose} {and} {}", second.activity[language]);
        }
        purpose.push('.');
        if is_commercial {
            let sentences = &PHRASES.further[language];
            let first = random.below(sentences.len() as u64) as usize;
            for sentence in sentences[first..].iter().take(random.below(3) as usize) {
                purpose.push(' ');
                purpose.push_str(sentence);
            }
        }
        purpose
    }
}

/// `Anbau und Verkauf` for `den Anbau und den Verkauf`. French and Italian keep the inner articles.
fn without_article(activity: &str) -> String {
    let cut = |article: &&str| {
        let rest = activity.strip_prefix(article)?;
        if article.ends_with('\'') { Some(rest) } else { rest.strip_prefix(' ') }
    };
    let noun = PHRASES.articles.iter().find_map(cut).unwrap_or(activity);
    let noun = noun.replace(" und den ", " und ").replace(" und die ", " und ");
    let mut letters = noun.chars();
    letters.next().map_or_else(String::new, |it| it.to_uppercase().chain(letters).collect())
}
