//! A subject prepared for comparison.

use std::borrow::Cow;

use smallvec::{SmallVec, smallvec};

use crate::{
    alphabets::foreign_in_greek,
    asides,
    name::PreparedName,
    subject::{Identifier, Kind, Name, PartialDate, Subject},
    token::Reading,
};

/// Maximum number of names of a subject that are compared. Entries of lists have up to about 160, with the spellings of each.
const MAX_NAMES: usize = 512;
/// Maximum number of dates, of countries and of identifiers of a subject that are compared, and of characters of an identifier.
const MAX_VALUES: usize = 64;

/// A subject prepared for comparison. Prepare each subject once and compare it many times.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub(crate) kind: Kind,
    pub(crate) names: Vec<PreparedName>,
    pub(crate) birth_dates: Vec<PartialDate>,
    pub(crate) countries: Vec<String>,
    pub(crate) identifiers: Vec<Identifier>,
}

impl Prepared {
    /// Prepares a subject.
    pub fn new(subject: &Subject) -> Self {
        let readings: &[Reading] = match subject.kind {
            Kind::Person => &[Reading::Person],
            Kind::Organisation => &[Reading::Organisation],
            Kind::Vessel => &[Reading::Vessel],
            Kind::Other => &[Reading::Person, Reading::Organisation],
        };
        let mut names = Vec::new();
        for (position, name) in subject.names.iter().take(MAX_NAMES).enumerate() {
            for &reading in readings {
                for text in alternatives(name, reading) {
                    let prepared = PreparedName::new(&text, name.weak, reading);
                    names.extend(prepared.map(|it| PreparedName { position, ..it }));
                }
            }
        }
        Self {
            kind: subject.kind,
            names,
            birth_dates: subject.birth_dates.iter().copied().take(MAX_VALUES).collect(),
            countries: subject
                .countries
                .iter()
                // Lists also name countries without a code, which would differ from every code.
                .filter(|it| it.len() == 2)
                .take(MAX_VALUES)
                .map(|it| it.to_ascii_uppercase())
                .collect(),
            identifiers: subject
                .identifiers
                .iter()
                .take(MAX_VALUES)
                .map(Identifier::normalised)
                .collect(),
        }
    }
}

impl Prepared {
    /// Some number that depends on the first part of each name, so that all of them must be read.
    pub(crate) fn first_parts(&self) -> u32 {
        let parts = self.names.iter().map(|name| {
            let letter = name.letters.as_bytes().first().copied().unwrap_or_default();
            name.tokens.first().map_or(0, |it| it.mask) ^ u32::from(letter)
        });
        parts.fold(0, |sum, it| sum ^ it)
    }
}

impl Identifier {
    /// The form in which numbers are compared. Scheme in lower case; letters (capitals) and digits of the value. Of IMO numbers,
    /// which some lists write as `IMO 9074729`, and of Swiss company numbers (`CHE-107.787.577 MWST`), the digits.
    #[must_use]
    pub fn normalised(&self) -> Self {
        let scheme = self.scheme.trim().to_lowercase();
        let value = self.value.chars().filter(|it| it.is_alphanumeric()).take(MAX_VALUES);
        let value: String = value.flat_map(char::to_uppercase).collect();
        let digits = match scheme.as_str() {
            "imo" => value.strip_prefix("IMO"),
            "uid" => {
                let number = value.strip_prefix("CHE").unwrap_or(&value);
                let vat = ["MWST", "TVA", "IVA"].iter().find_map(|it| number.strip_suffix(it));
                Some(vat.unwrap_or(number))
            }
            _ => None,
        };
        let digits = digits.map(str::to_owned);
        Self { scheme, value: digits.unwrap_or(value) }
    }
}

/// The names that a text contains: `Muster AG (Muster SA)`, `Al-Qaida/Islamic Army` and `Muster AG, vormals Beispiel AG` are two.
fn alternatives(name: &Name, reading: Reading) -> SmallVec<[Cow<'_, str>; 1]> {
    // Bounded before anything else reads it.
    let end = name.text.char_indices().nth(512).map_or(name.text.len(), |(at, _)| at);
    let text = &name.text[..end];
    if reading == Reading::Organisation
        && let Some((present, former)) = asides::former(text)
    {
        let mut names = alternatives_of(present, reading);
        names.extend(alternatives_of(former, reading));
        names.truncate(8);
        return names;
    }
    alternatives_of(text, reading)
}

/// The names that a text contains, and the text as it reads if Greek letters write a foreign name.
fn alternatives_of(text: &str, reading: Reading) -> SmallVec<[Cow<'_, str>; 1]> {
    let mut names = parts_of(text, reading);
    names.extend(foreign_in_greek(text).map(Cow::Owned));
    names
}

/// The names in brackets and between slashes, and the rest of the text.
fn parts_of(text: &str, reading: Reading) -> SmallVec<[Cow<'_, str>; 1]> {
    if reading != Reading::Organisation || !text.contains(['(', ')', '/']) {
        return smallvec![Cow::Borrowed(text)];
    }
    let mut names: SmallVec<[Cow<'_, str>; 1]> = SmallVec::new();
    let mut rest = String::with_capacity(text.len());
    for (at, part) in text.split(['(', ')']).enumerate() {
        if at % 2 == 1 && ends_with_legal_form(part) {
            names.push(Cow::Borrowed(part));
        } else if at % 2 == 1 {
            rest.push_str(" (");
            rest.push_str(part);
            rest.push(')');
        } else {
            rest.push_str(part);
        }
    }
    let letters = |it: &str| it.chars().filter(|it| it.is_alphabetic()).count();
    if rest.contains('/') && rest.split('/').all(|it| letters(it) > 3) {
        names.extend(rest.split('/').take(4).map(|it| Cow::Owned(it.to_owned())));
    }
    names.insert(0, Cow::Owned(rest));
    names.truncate(8);
    names
}

fn ends_with_legal_form(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let last = words.next_back().map(|it| it.replace('.', "")).unwrap_or_default();
    words.next().is_some()
        && crate::legal_forms::families(&crate::transliteration::fold(&last)) != 0
}
