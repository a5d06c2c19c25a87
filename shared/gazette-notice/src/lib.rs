//! The text of a notice: who enters, changes and leaves, and what becomes of the company.
//!
//! Invariant: no text makes it panic, and it takes time in proportion to the text's length: nothing is
//! copied to more than one place that is not short, and of a text longer than [`LONGEST`] only its
//! beginning is read.
//!
//! The offices write in three languages and two manners. Most list persons under fixed headings, one
//! entry between two semicolons; Geneva, Vaud, Neuchâtel and the older notices of Fribourg write
//! sentences. Either way an entry is a row of clauses between commas: name, origin, domicile,
//! function, signature, share.
//!
//! | File | Reads |
//! |---|---|
//! | `markup` | what stands around the words |
//! | `sentences`, `headings` | the notice as labelled sentences |
//! | `lists`, `prose` | entries under a heading, entries in sentences |
//! | `chain`, `verbs` | the entries of one item, the verbs of a sentence |
//! | `entry`, `names`, `powers`, `quota` | one entry, clause by clause |
//! | `changes` | what the notice states of the company itself |
//! | `words`, `given_names` | the words by which all that is told |

use domain::{Amount, Uid};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

mod chain;
mod changes;
mod entry;
mod given_names;
mod headings;
mod lists;
mod markup;
mod names;
mod nations;
mod pieces;
mod powers;
mod prose;
mod quota;
mod roles;
mod sentences;
mod verbs;
mod words;

pub use changes::{Affair, CapitalKind, Change, Combination, Party, Proceeding, Reference};
pub use powers::SignatureKind;
pub use quota::Quota;
pub use roles::{Organ, Role};

/// What a notice states.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Notice {
    /// In the order of the text.
    pub entries: Vec<Entry>,
    /// In the order of the text.
    pub changes: Vec<Change>,
    /// The company's name, where the markup tells it: of a company that takes another name, the former.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The notice before this one, where it is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous: Option<Reference>,
}

/// Whether a person or firm comes, stays with another state, or goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum EntryKind {
    Entered,
    /// Was entered before, with another state: no appointment.
    Changed,
    Left,
}

/// One person or firm in a notice.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    pub kind: EntryKind,
    pub subject: Subject,
    /// The Swiss places of origin, as written: `Chur, Felsberg und Les Genevez JU`.
    pub origin: Option<String>,
    pub nationality: Option<Nationality>,
    /// The place, or a firm's seat, as written.
    pub domicile: Option<String>,
    /// As written: `Gesellschafter und Geschäftsführer`.
    pub function: Option<String>,
    /// In our words, where the function is a known one.
    pub role: Option<Role>,
    pub organ: Option<Organ>,
    /// As written, with its restrictions: `mit Kollektivprokura zu zweien, beschränkt auf den Hauptsitz`.
    pub signature: Option<String>,
    pub signature_kind: Option<SignatureKind>,
    pub quota: Option<Quota>,
    /// The state that this one replaces, as written after `bisher:`.
    pub before: Option<String>,
    /// The words that the entry was read from.
    pub raw: String,
}

/// Whom an entry is about.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Subject {
    Person {
        last_name: String,
        first_name: String,
        /// `Dr.`, `Prof. Dr.`, `lic. iur.`
        title: Option<String>,
        also_known_as: Option<String>,
    },
    Entity {
        name: String,
        uid: Option<Uid>,
        /// The number of old registers, `CH-020.3.000.000-2`.
        #[serde(rename = "chid")]
        ch_id: Option<String>,
    },
}

/// A citizenship other than by a Swiss place of origin.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Nationality {
    /// As written: `deutscher Staatsangehöriger`, `de Roumanie`.
    pub text: String,
    /// ISO 3166-1 alpha-2, where the words are known.
    pub country: Option<String>,
}

/// The most bytes that are read: a hundred times as many as a long notice has.
pub const LONGEST: usize = 256 * 1024;

/// Reads the text of a notice, with or without markup.
pub fn read(text: &str) -> Notice {
    let plain = markup::plain(&text[..text.floor_char_boundary(LONGEST)]);
    let sentences = sentences::sentences(&plain.text);
    Notice {
        name: plain.name.clone().or_else(|| plain.new_name.clone()),
        entries: lists::entries(&sentences),
        changes: changes::changes(&plain, &sentences),
        previous: changes::previous(&plain.text),
    }
}

/// An amount such as `CHF 10'000.--` at the beginning of the text, its currency before or behind it.
fn amount(text: &str) -> Option<(Option<String>, Amount)> {
    let text = text.trim_start();
    let currency = text.get(..3).filter(|it| it.bytes().all(|it| it.is_ascii_uppercase()));
    let (currency, digits) = match currency {
        Some(currency) => (Some(currency.to_owned()), &text[3..]),
        None => match words::after_any(text, &["Fr. ", "Fr."]) {
            Some(rest) => (Some("CHF".to_owned()), rest),
            None => (None, text),
        },
    };
    let digits = digits.trim_start();
    let is_part = |it: &char| it.is_ascii_digit() || matches!(it, '\'' | '’' | '.' | ',');
    let end: usize = digits.chars().take(24).take_while(is_part).map(char::len_utf8).sum();
    let number = digits[..end].trim_end_matches(['.', ',', '\'', '’']);
    Some((currency, number.parse().ok()?))
}

/// A date such as `09. 05. 2000`, `6.3.2001` or `22.8.01` at the beginning of the text.
fn date(text: &str) -> Option<Date> {
    let mut numbers = [0i16; 3];
    let mut rest = text.trim_start();
    for (index, number) in numbers.iter_mut().enumerate() {
        let digits = rest.bytes().take(4).take_while(u8::is_ascii_digit).count();
        *number = rest[..digits].parse().ok()?;
        rest = &rest[digits..];
        if index < 2 {
            rest = rest.strip_prefix('.')?.trim_start();
        }
    }
    let [day, month, year] = numbers;
    let year = match year {
        0..=49 => year + 2000,
        50..=99 => year + 1900,
        _ => year,
    };
    Date::new(year, month.try_into().ok()?, day.try_into().ok()?).ok()
}

#[cfg(test)]
mod tests;
