//! Parser for the text of a notice in the Swiss Official Gazette of Commerce (SHAB, FOSC, FUSC).
//!
//! [`read`] turns the text into a [`Notice`]: the persons and firms that enter, change or leave
//! ([`Entry`]), the changes to the company itself ([`Change`]) and the reference to the previous
//! notice ([`Reference`]).
//!
//! # What it covers
//!
//! Notices in German, French and Italian, with or without markup, in both styles that the
//! commercial register offices use:
//!
//! - **List style** (most offices): persons are listed under fixed headings such as
//!   `Eingetragene Personen:`. Semicolons separate the entries. Fribourg ends each entry with a full
//!   stop instead.
//! - **Prose style** (Geneva, Vaud, Neuchâtel, and older notices of Fribourg and Ticino): sentences such as
//!   `Dubois Jean n'est plus administrateur`, in any order of the words.
//!
//! In both styles, an entry is a sequence of clauses between commas: name, origin, domicile, function,
//! signature, quota.
//!
//! # What it does not cover
//!
//! Text that matches no rule is skipped without an error. A person in prose is skipped if
//! no verb of `prose::vocabulary` says what happens to the person. A company that takes part in a merger, demerger or
//! asset transfer is skipped if no number in brackets follows its name, except the only one to which assets go. Countries
//! other than those in `nations` leave [`Nationality::country`] empty. Events other than those in [`Change`] are ignored, and so is a
//! sentence about the company's existence that matches none of the formulas in `changes::proceedings`.
//!
//! In prose, a clause is left out where a part of it could state the wrong thing:
//!
//! - what becomes of a person whom another one follows (`B succède à A`) or replaces, except an auditor;
//! - denials and reversals (`n'est pas radié`, `la radiation de A est annulée`), and limits that are lifted;
//! - `n'est plus administrateur unique`, unless another statement says whether the person stays;
//! - an end and an appointment in one clause (`A, radiée comme directrice, est nommée administratrice`);
//! - numbers of shares that several hold or sell together, or that `en cède 8` states without the noun. How many shares a
//!   registered partner has after a sale is left to [`Entry::share_change`], unless the text states it;
//! - the name, seat or deletion of a firm that holds an office or shares, which are not those of the company; its new name is
//!   read only after `firmiert neu als`, `s'appelle` and the like;
//! - adjectives of nationality (`est maintenant Français`), and residences after `respectivement`.
//!
//! A person who stays and whose signature ends without another one is stated to have none, in the language of the text.
//!
//! # Limits
//!
//! No text causes a panic. The running time is proportional to the length of the text: only short
//! texts are copied to several entries, and only the first [`MAX_TEXT_LENGTH`] bytes are read.
//!
//! # Modules
//!
//! | Module | Task |
//! |---|---|
//! | `markup` | Remove the markup and take the names and seats from it |
//! | `sentence`, `sentences`, `headings` | Split the text into sentences and classify their labels |
//! | `lists`, `prose` | Read entries in list style and in prose style |
//! | `item` | Split an item into entries |
//! | `clause`, `brackets`, `entry` | Classify clauses, read brackets, assemble an entry |
//! | `former` | Read the former details of an entry |
//! | `names`, `signature`, `quota`, `numbers`, `roles`, `nations` | Read one part of an entry |
//! | `changes` | Read the changes to the company itself |
//! | `changes::concepts`, `proceedings`, `existence`, `combinations` | The words and formulas of dissolution, bankruptcy, deletion and mergers |
//! | `changes::equity` | Shares, capital that the board may create, contributions in kind, missing auditors |
//! | `changes::formalities` | Changes of the articles of association, and corrections of earlier notices |
//! | `changes::consolidated` | What the statements of a notice mean together |
//! | `dates` | Read dates |
//! | `coverage` | Tell which sentences are understood |
//! | `punctuation`, `words`, `given_names`, `word_hash` | Split text; the word lists of the three languages |

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

mod brackets;
mod changes;
mod clause;
mod coverage;
mod dates;
mod entry;
mod former;
mod given_names;
mod headings;
mod item;
mod lists;
mod markup;
mod names;
mod nations;
mod numbers;
mod prose;
mod punctuation;
mod quota;
mod roles;
mod sentence;
mod sentences;
mod signature;
mod singular;
mod word_hash;
mod words;

pub use changes::{
    AssetTransfer, CapitalKind, Change, Combination, DeletionCause, Party, PossibleCapital,
    Reference, ShareMeasure, Step,
};
pub use coverage::{Coverage, coverage};
use dates::date;
pub use former::{FormerDetails, former_details};
pub use numbers::{CompanyNumber, Decimal};
pub use quota::Quota;
pub use roles::{Organ, Role};
pub use signature::SignatureKind;

/// The content of a notice.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Notice {
    /// Persons and firms, in the order of the text.
    pub entries: Vec<Entry>,
    /// Changes to the company, mostly in the order of the text.
    pub changes: Vec<Change>,
    /// Name of the company, absent if the text has no markup for it. If the notice changes the name,
    /// this is the former name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The previous notice of the company. Absent if the text does not refer to one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous: Option<Reference>,
    /// Whether sentences outside lists name persons or firms.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_prose: bool,
    /// Number of clauses about persons that are left out, because a part of them could state the wrong thing.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unsure: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Whether a person or firm enters, changes or leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum EntryKind {
    /// Newly entered in the register.
    Entered,
    /// Already entered before; the details change. This is not a new appointment.
    Changed,
    /// Removed from the register.
    Left,
}

/// One person or firm in a notice.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    pub kind: EntryKind,
    pub subject: Subject,
    /// Swiss places of origin, as written: `Chur, Felsberg und Les Genevez JU`.
    pub origin: Option<String>,
    pub nationality: Option<Nationality>,
    /// Place of residence of a person or seat of a firm, as written.
    pub domicile: Option<String>,
    /// Function as written: `Gesellschafter und Geschäftsführer`.
    pub function: Option<String>,
    /// A function that ends although the person stays, as written: `nicht mehr Präsident`. Absent if none is stated.
    pub ended_function: Option<String>,
    /// Role that the function names. Absent if the function is unknown.
    pub role: Option<Role>,
    /// Body that the function belongs to. Absent if the function does not say so.
    pub organ: Option<Organ>,
    /// Signing authority as written, with its restrictions: `mit Kollektivprokura zu zweien, beschränkt auf den Hauptsitz`.
    pub signature: Option<String>,
    /// Kind of the signing authority. Absent if `signature` is absent or names none.
    pub signature_kind: Option<SignatureKind>,
    /// Share of the capital. Only for partners.
    pub quota: Option<Quota>,
    /// How the shares of a registered partner change, if the text does not state how many the partner has then.
    pub share_change: Option<ShareChange>,
    /// Former details that this entry replaces, as written after `bisher:`.
    pub before: Option<String>,
    /// Whether the text states only what changes, as prose does: a function, signature or quota that is absent here stays as it
    /// was.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_partial: bool,
    /// Whether the text calls this the new auditor: a company has one, so that it takes the place of the former one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_successor: bool,
    /// Text that the entry was read from.
    pub raw: String,
}

/// How the number of shares of a partner changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ShareChange {
    /// More (positive) or fewer (negative) shares by this number.
    By(i64),
    /// By a number that the text does not state for this person.
    Unknown,
}

/// The person or firm of an entry.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Subject {
    /// A natural person.
    Person {
        last_name: String,
        first_name: String,
        /// Academic title: `Dr.`, `Prof. Dr.`, `lic. iur.`
        title: Option<String>,
        /// Alias, as written after `genannt` or `dit`.
        also_known_as: Option<String>,
    },
    /// A firm, an authority or another organisation.
    Entity {
        name: String,
        uid: Option<CompanyNumber>,
        /// Number in the former cantonal registers: `CH-020.3.000.000-2`.
        #[serde(rename = "chid")]
        ch_id: Option<String>,
    },
}

/// A foreign citizenship. A Swiss citizenship is stated by [`Entry::origin`].
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Nationality {
    /// Citizenship as written: `deutscher Staatsangehöriger`, `de Roumanie`.
    pub text: String,
    /// ISO 3166-1 alpha-2 code. Absent if the country is not recognised.
    pub country: Option<String>,
}

/// Maximum length of a notice text, in bytes. A long notice has about a hundredth of it.
///
/// [`read`] ignores what exceeds it.
pub const MAX_TEXT_LENGTH: usize = 256 * 1024;

/// Reads the text of a notice, with or without markup.
///
/// There is no error: text that matches no rule of the grammar is skipped.
pub fn read(text: &str) -> Notice {
    let plain = markup::remove_markup(&text[..text.floor_char_boundary(MAX_TEXT_LENGTH)]);
    let sentences = sentences::sentences(&plain.text);
    let lists::Persons { entries, has_prose, unsure } = lists::persons(&sentences);
    Notice {
        name: plain.name.clone().or_else(|| plain.new_name.clone()),
        entries,
        changes: changes::changes(&plain, &sentences),
        previous: changes::previous(&plain.text),
        has_prose,
        unsure,
    }
}

/// The role that a function names: `Präsident des Verwaltungsrates`. `None` if it is unknown.
pub fn role(function: &str) -> Option<Role> {
    roles::office(function).map(|it| it.role)
}

/// All roles whose words a function contains, and the body that it names: those of `Gesellschafter und Geschäftsführer` are partner
/// and manager. `None` if it names no known function.
pub fn offices(function: &str) -> Option<(Vec<Role>, Option<Organ>)> {
    let organ = roles::office(function)?.organ;
    Some((roles::all(function), organ))
}

/// Reads an amount such as `CHF 10'000.--` at the beginning of the text.
///
/// The currency is absent if no code or `Fr.` precedes the number.
fn amount(text: &str) -> Option<(Option<String>, Decimal)> {
    let text = text.trim_start();
    let currency = text.get(..3).filter(|it| it.bytes().all(|it| it.is_ascii_uppercase()));
    let (currency, digits) = match currency {
        Some(currency) => (Some(currency.to_owned()), &text[3..]),
        None => match words::strip_any_prefix(text, &["Fr. ", "Fr."]) {
            Some(rest) => (Some("CHF".to_owned()), rest),
            None => (None, text),
        },
    };
    let digits = digits.trim_start();
    let is_part = |it: &char| it.is_ascii_digit() || matches!(it, '\'' | '’' | '.' | ',');
    let end: usize = digits.chars().take(24).take_while(is_part).map(char::len_utf8).sum();
    let number = digits[..end].trim_end_matches(['.', ',', '\'', '’']);
    Some((currency, Decimal::parse(number)?))
}

#[cfg(test)]
mod tests;
