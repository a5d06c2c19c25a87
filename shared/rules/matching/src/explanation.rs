//! Why two subjects have a score: what agrees, what is missing, what contradicts.

use serde::{Deserialize, Serialize};

use crate::{
    align::Pair,
    evidence::{Support, countries, dates, identifiers, kinds},
    name::{PreparedName, ones},
    name_score::NameScore,
    prepared::Prepared,
    score::{Comparison, best_names, compare_names},
    similarity::Agreement,
    texts::{Finding, Shown, Text, text, text_about},
    token::{Aside, Role},
};

/// What an explanation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Feature {
    /// A word of the names, or several.
    NamePart,
    /// How rare the words are that agree.
    NameRarity,
    /// What different, missing, misspelled and abbreviated words take together, apart from the similarity of each.
    NameDifferences,
    /// The order of the words.
    NameOrder,
    /// The father's name after `bin`, `ibn` or `bint`.
    FatherName,
    /// Numbers in the names.
    Number,
    /// The legal forms.
    LegalForm,
    /// A weak alias.
    WeakAlias,
    /// Dates of birth, of organisations of foundation.
    BirthDate,
    /// Nationalities, residences or seats.
    Country,
    /// Numbers of documents and registers.
    Identifier,
    /// Person, organisation or vessel.
    Kind,
}

/// One reason for a score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// The feature that was compared.
    pub feature: Feature,
    /// The value of the queried subject. Absent if it has none.
    pub query_value: Option<String>,
    /// The value of the listed subject. Absent if it has none.
    pub list_value: Option<String>,
    /// 0 (contradicts) to 1 (agrees). Of the rarity: the highest score of names in which these words agree.
    pub score: f64,
    /// Importance, 0–1. Of words: their part of the rarity of both names; of what lowers the score: the part that it takes; of
    /// dates, countries, identifiers and kinds: in relation to an identifier.
    pub weight: f64,
    /// The reason in plain words.
    pub text: Text,
}

/// A comparison with its reasons.
#[derive(Clone, Debug, PartialEq)]
pub struct Explained {
    /// Scores and risk level.
    pub comparison: Comparison,
    /// The reasons of the score.
    pub reasons: Vec<Explanation>,
    /// Position of the listed name that is most similar, among the names of its subject. `None`: no name is similar.
    pub listed_name: Option<usize>,
}

/// Compares two subjects and explains the score. The names are those that are most similar.
pub fn explain(query: &Prepared, listed: &Prepared) -> Explained {
    let best = best_names(query, listed);
    let mut reasons = Vec::new();
    if let Some((a, b, score)) = &best {
        explain_words(a, b, score, &mut reasons);
        explain_rarity_and_differences(score, &mut reasons);
        explain_factors(a, b, score, &mut reasons);
    }
    explain_evidence(query, listed, &mut reasons);
    let score = best.as_ref().map_or(0.0, |it| f64::from(it.2.score));
    let similar = best.filter(|it| it.2.score > 0.0);
    let listed_name = similar.map(|(_, name, _)| name.position);
    Explained { comparison: compare_names(query, listed, score), reasons, listed_name }
}

fn explanation(
    feature: Feature,
    finding: Finding,
    (query, list): (Option<String>, Option<String>),
    score: f64,
    weight: f64,
) -> Explanation {
    let text =
        text(finding, query.as_deref().unwrap_or_default(), list.as_deref().unwrap_or_default());
    Explanation {
        feature,
        query_value: query,
        list_value: list,
        score: rounded(score),
        weight: rounded(weight),
        text,
    }
}

fn rounded(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}

fn explain_words(
    a: &PreparedName,
    b: &PreparedName,
    score: &NameScore,
    explanations: &mut Vec<Explanation>,
) {
    let alignment = &score.alignment;
    let bits = |name: &PreparedName, tokens: u32| {
        f64::from(ones(tokens).map(|it| name.tokens[it].missing_bits()).sum::<f32>())
    };
    let (free_a, free_b) = (bits(a, alignment.free_a), bits(b, alignment.free_b));
    let paired: f64 = alignment.pairs.iter().map(|it| f64::from(it.bits)).sum();
    let total = (paired + free_a.max(free_b)).max(1.0);
    let mut pairs: Vec<&Pair> = alignment.pairs.iter().collect();
    pairs.sort_by_key(|it| it.a);
    for pair in pairs {
        let values = (a.written(pair.a).to_owned(), b.written(pair.b).to_owned());
        let finding = finding(pair.agreement, &values);
        let values = (Some(values.0), Some(values.1));
        let (similarity, weight) = (f64::from(pair.similarity), f64::from(pair.bits) / total);
        explanations.push(explanation(Feature::NamePart, finding, values, similarity, weight));
    }
    explain_asides(a, b, score, explanations);
    let values = (written(a, alignment.free_a), written(b, alignment.free_b));
    let (finding, agreement) = match &values {
        (Some(_), Some(_)) => (Finding::OtherWords, 0.0),
        (Some(_), None) => (Finding::OnlyInQuery, 0.5),
        (None, Some(_)) => (Finding::OnlyInList, 0.5),
        (None, None) => return,
    };
    explanations.push(explanation(
        Feature::NamePart,
        finding,
        values,
        agreement,
        free_a.max(free_b) / total,
    ));
}

/// Some words of a name as the source writes them.
fn written(name: &PreparedName, tokens: u32) -> Option<String> {
    let words: Vec<_> = ones(tokens).map(|it| name.written((it as u8, it as u8))).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Words that say little, and what both names say of the company's state.
fn explain_asides(
    a: &PreparedName,
    b: &PreparedName,
    score: &NameScore,
    explanations: &mut Vec<Explanation>,
) {
    let of = |name: &PreparedName, kind: Aside| {
        let tokens =
            (0..).zip(&name.tokens).filter(|(_, it)| it.aside == kind && it.role == Role::Neutral);
        tokens.fold(0, |bits, (at, _): (u32, _)| bits | 1 << at)
    };
    let states = |it| of(it, Aside::State);
    let registered = |it| of(it, Aside::Number);
    let weight = f64::from(1.0 - score.omitted.remaining);
    let found = [
        (Finding::State, states(a), 0),
        (Finding::State, 0, states(b)),
        (Finding::Aside, score.omitted.a, 0),
        (Finding::Aside, 0, score.omitted.b),
        (Finding::Aside, registered(a), 0),
        (Finding::Aside, 0, registered(b)),
    ];
    for (finding, in_query, in_list) in found.into_iter().filter(|it| it.1 | it.2 != 0) {
        let values = (written(a, in_query), written(b, in_list));
        explanations.push(explanation(Feature::NamePart, finding, values, 0.5, weight));
    }
}

fn finding(agreement: Agreement, (one, other): &(String, String)) -> Finding {
    let plain =
        |it: &str| it.chars().filter(|it| it.is_alphanumeric()).collect::<String>().to_lowercase();
    match agreement {
        // Equal after the transliteration.
        Agreement::Equal if plain(one) != plain(other) => Finding::Spelling,
        Agreement::Equal => Finding::EqualWord,
        Agreement::Spelling => Finding::Spelling,
        Agreement::Familiar => Finding::Familiar,
        Agreement::Translated => Finding::Translated,
        Agreement::Similar => Finding::Similar,
        Agreement::Sound => Finding::Sound,
        Agreement::Initial => Finding::Initial,
        Agreement::Joined => Finding::Joined,
        Agreement::Acronym => Finding::Acronym,
    }
}

fn explain_rarity_and_differences(score: &NameScore, explanations: &mut Vec<Explanation>) {
    if score.alignment.pairs.is_empty() {
        return;
    }
    let mut add = |feature, finding, value: String, score: f32, weight: f32| {
        let text = text(finding, &value, "");
        let (score, weight) = (rounded(f64::from(score)), rounded(f64::from(weight)));
        explanations.push(Explanation {
            feature,
            query_value: None,
            list_value: None,
            score,
            weight,
            text,
        });
    };
    let (ceiling, taken) = (score.ceiling, 1.0 - score.factors.differences());
    add(Feature::NameRarity, Finding::Rarity, format!("{ceiling:.2}"), ceiling, 1.0 - ceiling);
    if taken > 0.0 {
        let percent = format!("{:.0}", taken * 100.0);
        add(Feature::NameDifferences, Finding::Differences, percent, 0.0, taken);
    }
}

fn explain_factors(
    a: &PreparedName,
    b: &PreparedName,
    score: &NameScore,
    explanations: &mut Vec<Explanation>,
) {
    let factors = &score.factors;
    let names = || (Some(a.text.trim().to_owned()), Some(b.text.trim().to_owned()));
    let numbers = |name: &PreparedName| {
        let numbers = name.tokens.iter().enumerate().filter(|(_, it)| it.role == Role::Number);
        let written: Vec<_> = numbers.map(|(at, _)| name.written((at as u8, at as u8))).collect();
        (!written.is_empty()).then(|| written.join(" "))
    };
    let mut add = |feature, finding, values, factor: f32| {
        let score = if factor < 1.0 { 0.0 } else { 1.0 };
        explanations.push(explanation(feature, finding, values, score, f64::from(1.0 - factor)));
    };
    let values = (numbers(a), numbers(b));
    if factors.numbers < 1.0 {
        add(Feature::Number, Finding::OtherNumber, values, factors.numbers);
    } else if values.0.is_some() {
        add(Feature::Number, Finding::EqualNumber, values, 1.0);
    }
    if factors.father < 1.0 {
        add(Feature::FatherName, Finding::OtherFather, names(), factors.father);
    }
    if factors.order < 1.0 {
        add(Feature::NameOrder, Finding::OtherOrder, names(), factors.order);
    }
    let form = |name: &PreparedName| name.legal_form.map(|it| name.written(it).to_owned());
    let forms = (form(a), form(b));
    match (factors.legal_form < 1.0, &forms) {
        (true, (Some(_), Some(_))) => {
            add(Feature::LegalForm, Finding::OtherLegalForm, forms, factors.legal_form)
        }
        (true, (Some(_), None)) => {
            add(Feature::LegalForm, Finding::LegalFormOnlyInQuery, forms, factors.legal_form)
        }
        (true, (None, Some(_))) => {
            add(Feature::LegalForm, Finding::LegalFormOnlyInList, forms, factors.legal_form)
        }
        (false, (Some(_), Some(_))) => add(Feature::LegalForm, Finding::SameLegalForm, forms, 1.0),
        _ => {}
    }
    if factors.weak < 1.0 {
        add(Feature::WeakAlias, Finding::WeakAlias, names(), factors.weak);
    }
}

fn explain_evidence(query: &Prepared, listed: &Prepared, explanations: &mut Vec<Explanation>) {
    let mut add = |feature, values: (String, String), support: Support, text| {
        explanations.push(Explanation {
            feature,
            query_value: Some(values.0),
            list_value: Some(values.1),
            score: rounded(support.agreement),
            // An equal identifier adds at most 7.
            weight: rounded((support.log_odds.abs() / 7.0).min(1.0)),
            text,
        });
    };
    if let Some((support, one, other)) = dates(query, listed) {
        let finding = match support.agreement {
            0.75.. => Finding::EqualDate,
            0.35.. => Finding::SimilarDate,
            _ => Finding::OtherDate,
        };
        let values = (one.to_string(), other.to_string());
        let text = text(finding, &values.0, &values.1);
        add(Feature::BirthDate, values, support, text);
    }
    let support = countries(query, listed);
    if support != Support::NONE {
        let finding =
            if support.log_odds > 0.0 { Finding::SameCountry } else { Finding::OtherCountry };
        let values = (query.countries.join(", "), listed.countries.join(", "));
        let text = text(finding, &values.0, &values.1);
        add(Feature::Country, values, support, text);
    }
    for (support, one, other) in identifiers(query, listed) {
        let finding =
            if support.log_odds > 0.0 { Finding::SameIdentifier } else { Finding::OtherIdentifier };
        let written = |it: &crate::Identifier| format!("{} {}", it.scheme, it.written());
        let text = text_about(finding, &Shown::identifier(one), &Shown::identifier(other));
        add(Feature::Identifier, (written(one), written(other)), support, text);
    }
    let support = kinds(query, listed);
    if support != Support::NONE {
        let text =
            text_about(Finding::OtherKind, &Shown::kind(query.kind), &Shown::kind(listed.kind));
        add(Feature::Kind, (query.kind.to_string(), listed.kind.to_string()), support, text);
    }
}
