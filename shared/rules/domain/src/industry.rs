//! Classification of a company by the words of its purpose.
//!
//! The NOGA codes of companies are not public, but the purpose describes the business in words. The
//! classifier searches the purpose for words that indicate an industry ([`words`], in four languages).
//! Each word has a weight, which decreases towards the end of the purpose. Standard clauses of Swiss
//! purposes (the company may open branches, buy land, hold interests) are removed first ([`clauses`]).
//!
//! Every classification lists the words on which it is based. `confidence` is high if many words
//! indicate one division and few indicate another. Below [`MIN_CONFIDENCE`] there is no
//! classification.

mod clauses;
mod indications;
mod patterns;
mod words;

use std::collections::{BTreeMap, HashSet};

use jiff::Timestamp;

use crate::{
    Company,
    noga::{self, Class, Division},
    text::fold,
};
use indications::indications;

/// Value of a company's `industrySource` for a classification by [`classify`].
pub const SOURCE: &str = "keyword_match";

/// Minimum confidence. Below it, the words indicate too many divisions, or there are too few words.
pub const MIN_CONFIDENCE: f64 = 0.55;

/// Minimum share of a class in the weight of its division.
const MIN_CLASS_SHARE: f64 = 0.6;

/// Maximum number of characters of a purpose that are read. The longest purposes in the register have a
/// few thousand.
const MAX_LENGTH: usize = 10_000;

/// Factors for the first, second and third list item that indicates an industry. The main business comes
/// first; the last factor also applies to all further items.
const ITEM_FACTORS: [f64; 3] = [1.3, 0.75, 0.6];

/// Classification of a company.
#[derive(Clone, Debug, PartialEq)]
pub struct Industry {
    /// NOGA 2008 division.
    pub division: &'static Division,
    /// NOGA 2008 class. `None` if the words are not specific enough.
    pub class: Option<&'static Class>,
    /// Confidence, from [`MIN_CONFIDENCE`] to 1.
    pub confidence: f64,
    /// Words on which the classification is based, largest weight first.
    pub evidence: Vec<Evidence>,
}

/// A word or phrase of the purpose that indicates the classification.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// The phrase, normalised by [`fold`].
    pub phrase: String,
    /// NOGA code that the phrase indicates.
    pub code: &'static str,
    /// Weight of the phrase, above 0.
    pub weight: f64,
}

impl Industry {
    /// NOGA 2008 code: two digits, or four if the class is known.
    pub fn code(&self) -> &'static str {
        self.class.map_or(self.division.code, |it| it.code)
    }
}

impl Company {
    /// Classifies the company by its purpose and fills the industry members. `at` is the time of the
    /// statement of the purpose. Does nothing if another source states the industry. If the purpose gives
    /// no classification, the members are cleared.
    pub fn classify(&mut self, at: Option<Timestamp>) {
        if self.industry_source.as_deref().is_some_and(|it| it != SOURCE) {
            return;
        }
        let industry = self.purpose.as_deref().and_then(classify);
        self.industry = industry.as_ref().map(|it| it.division.name.to_owned());
        self.sub_industry = industry.as_ref().and_then(|it| it.class).map(|it| it.name.to_owned());
        self.noga_code = industry.as_ref().map(|it| it.code().to_owned());
        self.industry_source = industry.as_ref().map(|_| SOURCE.to_owned());
        self.industry_confidence = industry.as_ref().map(|it| it.confidence);
        self.industry_classified_at = at.filter(|_| industry.is_some());
    }
}

/// Classifies a purpose. `None` if it gives no classification. Only the first 10,000 characters are read.
pub fn classify(purpose: &str) -> Option<Industry> {
    let purpose: String = purpose.chars().take(MAX_LENGTH).collect();
    let sentences: Vec<String> = clauses::sentences(&purpose).into_iter().map(prepare).collect();
    let mut found = Vec::new();
    let mut items = 0;
    for sentence in &sentences {
        let mut last_item = None;
        for it in indications(sentence) {
            let item = sentence.get(..it.start).map(|it| it.matches('|').count());
            items += usize::from(last_item != Some(item));
            last_item = Some(item);
            let factor = ITEM_FACTORS[items.clamp(1, ITEM_FACTORS.len()) - 1];
            found.push((
                sentence.get(it.start..it.end).unwrap_or_default(),
                it.code,
                it.weight * factor,
            ));
        }
    }
    decide(found)
}

/// Prepares a sentence for the search: normalised words with a space on each side, and `|` in place of
/// punctuation.
fn prepare(sentence: &str) -> String {
    let folded = sentence.split([',', ';', ':', '(', ')', '/', '•', '–']).map(fold);
    let spaced = folded.filter(|it| !it.is_empty()).map(|it| format!(" {it} "));
    spaced.collect::<Vec<_>>().join("|")
}

/// Chooses the division with the largest weight. `None` if another division is close to it.
fn decide(found: Vec<(&str, &'static str, f64)>) -> Option<Industry> {
    let mut divisions: BTreeMap<&str, f64> = BTreeMap::new();
    let mut classes: BTreeMap<&str, f64> = BTreeMap::new();
    let mut evidence: Vec<Evidence> = Vec::new();
    let mut seen = HashSet::new();
    for (phrase, code, weight) in found {
        // A repeated phrase counts once.
        if !seen.insert((phrase, code)) {
            continue;
        }
        *divisions.entry(code.get(..2)?).or_default() += weight;
        if code.len() == 4 {
            *classes.entry(code).or_default() += weight;
        }
        evidence.push(Evidence { phrase: phrase.to_owned(), code, weight });
    }
    let (code, best) = divisions.iter().max_by(|one, other| one.1.total_cmp(other.1))?;
    let others = divisions.iter().filter(|(other, _)| *other != code);
    let second = others.map(|(_, score)| *score).fold(0.0, f64::max);
    // The first factor grows with the weight, the second with the distance to the next division.
    let confidence = (1.0 - (-best / 0.9).exp()) * (best / (best + 0.8 * second));
    if confidence < MIN_CONFIDENCE {
        return None;
    }
    let within = classes.iter().filter(|(class, _)| class.starts_with(code));
    let class = within.max_by(|one, other| one.1.total_cmp(other.1));
    let class = class.filter(|(_, score)| **score >= best * MIN_CLASS_SHARE);
    evidence.retain(|it| it.code.starts_with(code));
    evidence.sort_by(|one, other| other.weight.total_cmp(&one.weight));
    Some(Industry {
        division: noga::division(code)?,
        class: class.and_then(|(class, _)| noga::class(class)),
        confidence: (confidence * 100.0).round() / 100.0,
        evidence,
    })
}

#[cfg(test)]
mod tests;
