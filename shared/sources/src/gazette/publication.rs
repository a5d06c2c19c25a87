//! A publication: the notice, and the company before and after it.

use domain::{Amount, Canton, Provenance, Uid};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_with::{apply, skip_serializing_none};

use super::{
    notice::{self, Change, Combination, Notice, Party},
    shape,
};
use crate::Source;

/// A publication of the rubric HR. Members that we never use are not kept.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Publication {
    /// The identifier in the portal, a UUID; of an invented publication it begins with [`INVENTED`].
    pub id: String,
    pub rubric: Rubric,
    /// The number without its rubric: `1000000002` of `HR02-1000000002`.
    pub number: u64,
    pub state: State,
    pub date: Date,
    /// `de`, `fr` or `it`.
    pub language: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cantons: Vec<Canton>,
    pub title: Option<Title>,
    pub journal_number: Option<String>,
    pub journal_date: Option<Date>,
    pub text: String,
    /// The publication before this one.
    pub previous: Option<Previous>,
    /// Nothing for a new entry.
    pub before: Option<Commons>,
    /// Nothing for a deletion.
    pub after: Option<Commons>,
    pub deletion_date: Option<Date>,
    /// Bankruptcy and liquidation as the office flagged them. What else changed is told by the two
    /// blocks: those flags are wrong too often.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub status_changes: Vec<StatusChange>,
}

/// How the identifiers of the demonstration's publications begin, so that nothing that follows from
/// them is taken for the gazette's word.
pub const INVENTED: &str = "demo-";

/// How many companies one publication takes over at most: each gets a copy of it, and a long text can name
/// thousands. No real merger is of more than a few dozen.
pub const MOST_TAKEN_OVER: usize = 100;

/// What a publication is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Rubric {
    #[serde(rename = "HR01")]
    NewEntry,
    #[serde(rename = "HR02")]
    Mutation,
    #[serde(rename = "HR03")]
    Deletion,
}

impl Rubric {
    /// The code before the publication's number.
    pub fn code(self) -> &'static str {
        match self {
            Self::NewEntry => "HR01",
            Self::Mutation => "HR02",
            Self::Deletion => "HR03",
        }
    }
}

/// Whether the publication stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum State {
    Published,
    /// Withdrawn: what it states does not count.
    Cancelled,
}

/// The title in the languages of the portal.
#[apply(Option<String> => #[serde(default, deserialize_with = "shape::told")])]
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Title {
    pub de: Option<String>,
    pub fr: Option<String>,
    pub it: Option<String>,
    pub en: Option<String>,
}

/// A reference to an earlier publication.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Previous {
    pub date: Option<Date>,
    /// The number of the issue.
    pub issue: Option<u32>,
    pub number: Option<u64>,
}

/// The company as a block of the publication gives it.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Commons {
    pub name: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub translations: Vec<String>,
    pub uid: Uid,
    /// The number of the old register, `CH03640000000`.
    pub code13: Option<String>,
    pub seat: Option<String>,
    /// eCH-0097.
    pub legal_form: Option<String>,
    pub address: Option<Address>,
    pub purpose: Option<String>,
    pub capital: Option<Capital>,
    pub opting_out: Option<bool>,
    /// An auditor that one block names and the other not is no proof of a change: the text decides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub auditors: Vec<Named>,
    pub head_office: Option<Named>,
}

/// An address as the portal takes it apart. The same one is taken apart differently from one
/// publication to the next: see [`Address::is_same`].
#[apply(Option<String> => #[serde(default, deserialize_with = "shape::told")])]
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Address {
    pub address_line1: Option<String>,
    pub address_line2: Option<String>,
    pub street: Option<String>,
    pub house_number: Option<String>,
    pub post_office_box_text: Option<String>,
    pub post_office_box_number: Option<String>,
    pub swiss_zip_code: Option<String>,
    pub foreign_zip_code: Option<String>,
    pub town: Option<String>,
    pub country: Option<String>,
}

impl Address {
    /// Whether both are made of the same words, in whichever members.
    pub fn is_same(&self, other: &Self) -> bool {
        self.words() == other.words()
    }

    fn words(&self) -> Vec<String> {
        let members = [
            &self.address_line1,
            &self.address_line2,
            &self.street,
            &self.house_number,
            &self.post_office_box_text,
            &self.post_office_box_number,
            &self.swiss_zip_code,
            &self.foreign_zip_code,
            &self.town,
            &self.country,
        ];
        let members = members.into_iter().flatten();
        let mut words: Vec<String> = members
            .flat_map(|it| it.split(|it: char| !it.is_alphanumeric()))
            .filter(|it| !it.is_empty())
            .map(str::to_lowercase)
            .collect();
        words.sort();
        words
    }
}

/// The capital in whole units of its currency, francs where none is given.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Capital {
    pub nominal: Option<Amount>,
    pub paid: Option<Amount>,
    pub currency: Option<String>,
}

/// Another company, as a block names it.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Named {
    pub name: String,
    pub uid: Option<Uid>,
    pub country: Option<String>,
}

/// A change of status, as flagged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum StatusChange {
    BankruptcyOpened,
    /// Suspended for want of assets.
    BankruptcySuspended,
    BankruptcyRevoked,
    BankruptcyClosed,
    BankruptcySummary,
    LiquidationOpened,
    /// For a lack in the organisation (OR 731b).
    LiquidationByCourt,
    /// For want of a domicile (153b of the ordinance).
    LiquidationByOffice,
    LiquidationRevoked,
    Suspension,
    ReEntry,
    Reapplication,
}

impl Publication {
    /// The number as it is printed, `HR02-1000000002`.
    pub fn printed_number(&self) -> String {
        format!("{}-{}", self.rubric.code(), self.number)
    }

    /// Where the publication stands: on a page of the portal, or nowhere if it is invented.
    pub fn provenance(&self) -> Provenance {
        let (source, reference) = if self.id.starts_with(INVENTED) {
            ("demo", self.printed_number())
        } else {
            let page = format!("https://www.shab.ch/#!/search/publications/detail/{}", self.id);
            (Source::Shab.name(), page)
        };
        let source = source.to_owned();
        Provenance { source, reference: Some(reference), date: Some(self.date) }
    }

    /// What the text states.
    pub fn notice(&self) -> Notice {
        notice::read(&self.text)
    }

    /// Those that the company takes over, by their numbers, each once: at most [`MOST_TAKEN_OVER`].
    pub(crate) fn acquired(&self) -> Vec<Party> {
        let mut acquired: Vec<Party> = Vec::new();
        for change in self.notice().changes {
            if acquired.len() == MOST_TAKEN_OVER {
                break;
            }
            if let Change::Combination { combination: Combination::TakesOver, party } = change
                && party.uid.is_some()
                && acquired.iter().all(|it| it.uid != party.uid)
            {
                acquired.push(party);
            }
        }
        acquired
    }

    /// The company after the publication, or before its deletion.
    pub fn company(&self) -> Option<&Commons> {
        self.after.as_ref().or(self.before.as_ref())
    }
}

/// A publication in the shape of the portal; what it writes now so and now so is read by [`shape`].
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Raw {
    meta: Meta,
    content: Content,
}

#[apply(
    String => #[serde(deserialize_with = "shape::required")],
    Option<String> => #[serde(default, deserialize_with = "shape::told")],
)]
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Meta {
    id: String,
    sub_rubric: Rubric,
    publication_number: String,
    publication_state: State,
    #[serde(deserialize_with = "shape::day")]
    publication_date: Date,
    language: Option<String>,
    #[serde(default, deserialize_with = "shape::cantons")]
    cantons: Vec<Canton>,
    title: Option<Title>,
}

#[apply(
    String => #[serde(deserialize_with = "shape::required")],
    Option<String> => #[serde(default, deserialize_with = "shape::told")],
)]
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Content {
    journal_number: Option<String>,
    #[serde(default, deserialize_with = "shape::maybe_day")]
    journal_date: Option<Date>,
    publication_text: String,
    last_fosc: Option<LastFosc>,
    commons_actual: Option<RawCommons>,
    commons_new: Option<RawCommons>,
    transaction: Option<Transaction>,
}

#[apply(Option<String> => #[serde(default, deserialize_with = "shape::told")])]
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LastFosc {
    #[serde(default, deserialize_with = "shape::maybe_day")]
    last_fosc_date: Option<Date>,
    last_fosc_number: Option<String>,
    last_fosc_sequence: Option<String>,
}

#[apply(Option<String> => #[serde(default, deserialize_with = "shape::told")])]
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawCommons {
    company: RawCompany,
    purpose: Option<String>,
    #[serde(default, deserialize_with = "shape::list")]
    capital: Vec<RawCapital>,
    revision: Option<Revision>,
    #[serde(default, deserialize_with = "shape::list")]
    head_office: Vec<RawNamed>,
}

#[apply(
    String => #[serde(deserialize_with = "shape::required")],
    Option<String> => #[serde(default, deserialize_with = "shape::told")],
)]
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawCompany {
    name: String,
    translations: Option<String>,
    uid: Uid,
    code13: Option<String>,
    seat: Option<String>,
    legal_form: Option<String>,
    address: Option<Address>,
}

#[apply(
    Option<Amount> => #[serde(default, deserialize_with = "shape::maybe_amount")],
    Option<String> => #[serde(default, deserialize_with = "shape::told")],
)]
#[derive(Deserialize)]
struct RawCapital {
    nominal: Option<Amount>,
    paid: Option<Amount>,
    currency: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Revision {
    #[serde(default, deserialize_with = "shape::maybe_flag")]
    opting_out: Option<bool>,
    #[serde(default, deserialize_with = "shape::list")]
    revision_company: Vec<RawNamed>,
}

#[apply(
    String => #[serde(deserialize_with = "shape::required")],
    Option<String> => #[serde(default, deserialize_with = "shape::told")],
)]
#[derive(Deserialize)]
struct RawNamed {
    name: String,
    // A foreign company has none, or one that is no Swiss number.
    uid: Option<String>,
    country: Option<String>,
}

#[derive(Deserialize)]
struct Transaction {
    delete: Option<Delete>,
    update: Option<Update>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Delete {
    #[serde(default, deserialize_with = "shape::maybe_day")]
    deletion_date: Option<Date>,
}

#[derive(Deserialize)]
struct Update {
    changements: Option<Changements>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Changements {
    status_changed: Option<Value>,
}

/// Where the flags of a change of status stand.
#[rustfmt::skip]
const FLAGS: [(&str, StatusChange); 12] = [
    ("/bankruptcy/dissolution",               StatusChange::BankruptcyOpened),
    ("/bankruptcy/dismissal",                 StatusChange::BankruptcySuspended),
    ("/bankruptcy/revocation",                StatusChange::BankruptcyRevoked),
    ("/bankruptcy/cancellation",              StatusChange::BankruptcyClosed),
    ("/bankruptcy/summary",                   StatusChange::BankruptcySummary),
    ("/liquidation/dissolution/nonExceptional", StatusChange::LiquidationOpened),
    ("/liquidation/dissolution/or731b",       StatusChange::LiquidationByCourt),
    ("/liquidation/dissolution/hregv153b",    StatusChange::LiquidationByOffice),
    ("/liquidation/revocation",               StatusChange::LiquidationRevoked),
    ("/suspension",                           StatusChange::Suspension),
    ("/reentry",                              StatusChange::ReEntry),
    ("/reapplication",                        StatusChange::Reapplication),
];

/// A refusal: the member and the rule it breaks.
impl TryFrom<Raw> for Publication {
    type Error = String;

    fn try_from(raw: Raw) -> Result<Self, String> {
        let Raw { meta, content } = raw;
        let digits = meta.publication_number.rsplit('-').next().unwrap_or_default();
        let number = digits.parse().map_err(|_| {
            format!("meta.publicationNumber: `{}` is no number", meta.publication_number)
        })?;
        let length = content.publication_text.len();
        if length > notice::LONGEST {
            let most = notice::LONGEST;
            return Err(format!("content.publicationText: {length} bytes are more than {most}"));
        }
        let transaction = content.transaction;
        let (delete, update) = transaction.map_or((None, None), |it| (it.delete, it.update));
        let flags = update.and_then(|it| it.changements).and_then(|it| it.status_changed);
        let is_set = |at: &str| {
            let flag = flags.as_ref().and_then(|it| it.pointer(at));
            flag.is_some_and(|it| {
                it.as_bool() == Some(true) || it.as_str().map(str::trim) == Some("true")
            })
        };
        let publication = Self {
            id: meta.id,
            rubric: meta.sub_rubric,
            number,
            state: meta.publication_state,
            date: meta.publication_date,
            language: meta.language,
            cantons: meta.cantons,
            title: meta.title,
            journal_number: content.journal_number,
            journal_date: content.journal_date,
            text: content.publication_text,
            previous: content.last_fosc.map(Previous::from),
            before: content.commons_actual.map(Commons::from),
            after: content.commons_new.map(Commons::from),
            deletion_date: delete.and_then(|it| it.deletion_date),
            status_changes: FLAGS.iter().filter(|(at, _)| is_set(at)).map(|(_, it)| *it).collect(),
        };
        match publication.company() {
            None => Err("content: has neither commonsNew nor commonsActual".into()),
            Some(_) => Ok(publication),
        }
    }
}

impl From<LastFosc> for Previous {
    fn from(raw: LastFosc) -> Self {
        let issue = raw.last_fosc_number.and_then(|it| it.parse().ok());
        let number = raw.last_fosc_sequence.and_then(|it| it.rsplit('-').next()?.parse().ok());
        Self { date: raw.last_fosc_date, issue, number }
    }
}

impl From<RawCommons> for Commons {
    fn from(raw: RawCommons) -> Self {
        let RawCommons { company, purpose, capital, revision, head_office } = raw;
        let (opting_out, auditors) =
            revision.map_or((None, Vec::new()), |it| (it.opting_out, it.revision_company));
        let capital = capital.into_iter().next();
        Self {
            name: company.name,
            translations: translations(company.translations.as_deref().unwrap_or_default()),
            uid: company.uid,
            code13: company.code13,
            seat: company.seat,
            legal_form: company.legal_form,
            address: company.address.filter(|it| *it != Address::default()),
            purpose,
            capital: capital.map(|it| Capital {
                nominal: it.nominal,
                paid: it.paid,
                currency: it.currency,
            }),
            opting_out,
            auditors: auditors.into_iter().map(Named::from).collect(),
            head_office: head_office.into_iter().next().map(Named::from),
        }
    }
}

impl From<RawNamed> for Named {
    fn from(raw: RawNamed) -> Self {
        let uid = raw.uid.and_then(|it| it.parse().ok());
        Self { name: raw.name, uid, country: raw.country }
    }
}

/// The names of `(Muster SA) (Muster (Suisse) Ltd)`.
fn translations(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let (mut depth, mut from) = (0usize, 0);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => {
                depth += 1;
                if depth == 1 {
                    from = at + 1;
                }
            }
            b')' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    names.push(text[from..at].trim().to_owned());
                }
            }
            _ => {}
        }
    }
    if names.is_empty() && !text.trim().is_empty() {
        names.push(text.trim().to_owned());
    }
    names.retain(|it| !it.is_empty());
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn translations_keep_their_inner_brackets() {
        assert_eq!(
            translations("(Muster SA) (Muster (Suisse) Ltd)"),
            ["Muster SA", "Muster (Suisse) Ltd"]
        );
        assert_eq!(translations("Muster SA"), ["Muster SA"]);
        assert!(translations(" ").is_empty());
    }

    #[test]
    fn an_address_taken_apart_otherwise_is_the_same() {
        let one = Address {
            street: Some("Seestrasse".into()),
            house_number: Some("1".into()),
            ..Default::default()
        };
        let other = Address { address_line1: Some("Seestrasse 1,".into()), ..Default::default() };
        assert!(one.is_same(&other) && !one.is_same(&Address::default()));
    }
}
