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
    /// One to three sentences in the language of the seat. `second` is another trade of the company, which the purpose may mention.
    pub(crate) fn purpose(&self, random: &mut Random, second: &Trade) -> String {
        let is_commercial = matches!(self.form, forms::CORPORATION | forms::LIMITED_LIABILITY);
        // Also of companies with an English name: the register is kept in a language of the canton (ORC 29).
        let language = self.place.language as usize;
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

/// What stands before an article inside of an activity, and what stands there without it.
const INNER: [(&str, &str); 14] = [
    (", die ", ", "),
    (", la ", ", "),
    (" und den ", " und "),
    (" und die ", " und "),
    (" et la ", " et "),
    (" et le ", " et "),
    (" et les ", " et "),
    (" et l'", " et "),
    (" e la ", " e "),
    (" e le ", " e "),
    (" e il ", " e "),
    (" e i ", " e "),
    (" e gli ", " e "),
    (" e l'", " e "),
];

/// `Anbau und Verkauf` for `den Anbau und den Verkauf`, `Internationaler Handel` for `den internationalen Handel`.
fn without_article(activity: &str) -> String {
    let cut = |article: &&str| {
        let rest = activity.strip_prefix(article)?;
        if article.ends_with('\'') { Some(rest) } else { rest.strip_prefix(' ') }
    };
    let noun = PHRASES.articles.iter().find_map(cut).unwrap_or(activity);
    let mut noun = INNER.iter().fold(noun.to_owned(), |it, (from, to)| it.replace(from, to));
    let is_adjective = |it: &str| it.starts_with(char::is_lowercase) && it.ends_with("en");
    if activity.starts_with("den ")
        && let Some((adjective, rest)) = noun.split_once(' ').filter(|it| is_adjective(it.0))
    {
        noun = format!("{}r {rest}", adjective.strip_suffix('n').unwrap_or(adjective));
    }
    let mut letters = noun.chars();
    letters.next().map_or_else(String::new, |it| it.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use domain::Company;

    use super::*;
    use crate::{identifiers, trades::TRADES};

    #[test]
    fn an_activity_without_articles_is_of_the_same_industry() {
        let industry = |purpose: String| {
            let mut company = Company::new(identifiers::uid(1), "");
            company.purpose = Some(purpose);
            company.classify(None);
            company.industry
        };
        let mut differing = Vec::new();
        for (trade, language) in
            TRADES.iter().flat_map(|it| [0, 1, 2].map(|language| (it, language)))
        {
            let activity = trade.activity[language];
            let begins = PHRASES.begins_otherwise[language][0];
            let (heading, sentence) =
                (format!("{}.", without_article(activity)), format!("{begins} {activity}."));
            let found = [industry(heading.clone()), industry(sentence)];
            if found[0] != found[1] {
                differing.push((trade.code, heading, found));
            }
        }
        assert!(differing.is_empty(), "{differing:#?}");
    }

    #[test]
    fn an_activity_without_articles_is_a_heading_in_each_language() {
        for (activity, heading) in [
            ("den internationalen Handel mit Rohstoffen", "Internationaler Handel mit Rohstoffen"),
            ("den Anbau und den Verkauf von Gemüse", "Anbau und Verkauf von Gemüse"),
            (
                "le courtage de marchandises et la représentation commerciale",
                "Courtage de marchandises et représentation commerciale",
            ),
            (
                "la mediazione di merci e la rappresentanza commerciale",
                "Mediazione di merci e rappresentanza commerciale",
            ),
        ] {
            assert_eq!(without_article(activity), heading);
        }
    }
}
