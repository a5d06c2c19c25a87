//! A publication in the portal's JSON format.

use domain::{
    Amount, Canton, Uid,
    statements::gazette::{
        Address, Capital, CompanyBlock, NamedCompany, Previous, Publication, Rubric, State,
        StatusChange, Title,
    },
};
use gazette_notice::MAX_TEXT_LENGTH;
use jiff::civil::Date;
use serde::Deserialize;
use serde_json::Value;
use serde_with::apply;

use super::shape;

/// A publication in the portal's JSON format. [`shape`] reads the fields whose format varies.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Raw {
    meta: Meta,
    content: Content,
}

#[apply(
    String => #[serde(deserialize_with = "shape::required")],
    Option<String> => #[serde(default, deserialize_with = "shape::optional")],
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
    title: Option<RawTitle>,
}

#[apply(Option<String> => #[serde(default, deserialize_with = "shape::optional")])]
#[derive(Deserialize)]
struct RawTitle {
    de: Option<String>,
    fr: Option<String>,
    it: Option<String>,
    en: Option<String>,
}

#[apply(
    String => #[serde(deserialize_with = "shape::required")],
    Option<String> => #[serde(default, deserialize_with = "shape::optional")],
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

#[apply(Option<String> => #[serde(default, deserialize_with = "shape::optional")])]
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LastFosc {
    #[serde(default, deserialize_with = "shape::maybe_day")]
    last_fosc_date: Option<Date>,
    last_fosc_number: Option<String>,
    last_fosc_sequence: Option<String>,
}

#[apply(Option<String> => #[serde(default, deserialize_with = "shape::optional")])]
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
    Option<String> => #[serde(default, deserialize_with = "shape::optional")],
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
    address: Option<RawAddress>,
}

#[apply(Option<String> => #[serde(default, deserialize_with = "shape::optional")])]
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawAddress {
    address_line1: Option<String>,
    address_line2: Option<String>,
    street: Option<String>,
    house_number: Option<String>,
    post_office_box_text: Option<String>,
    post_office_box_number: Option<String>,
    swiss_zip_code: Option<String>,
    foreign_zip_code: Option<String>,
    town: Option<String>,
    country: Option<String>,
}

#[apply(
    Option<Amount> => #[serde(default, deserialize_with = "shape::maybe_amount")],
    Option<String> => #[serde(default, deserialize_with = "shape::optional")],
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
    Option<String> => #[serde(default, deserialize_with = "shape::optional")],
)]
#[derive(Deserialize)]
struct RawNamed {
    name: String,
    // Absent or not a Swiss UID for foreign companies.
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

/// Paths of the flags for status changes in `statusChanged`.
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

impl Raw {
    /// Converts to a publication. The error names the invalid field.
    pub(super) fn publication(self) -> Result<Publication, String> {
        let Self { meta, content } = self;
        let digits = meta.publication_number.rsplit('-').next().unwrap_or_default();
        let number = digits.parse().map_err(|_| {
            format!("meta.publicationNumber: `{}` is not a number", meta.publication_number)
        })?;
        let length = content.publication_text.len();
        if length > MAX_TEXT_LENGTH {
            return Err(format!(
                "content.publicationText: has {length} bytes; the maximum is {MAX_TEXT_LENGTH}"
            ));
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
        let publication = Publication {
            id: meta.id,
            rubric: meta.sub_rubric,
            number,
            state: meta.publication_state,
            date: meta.publication_date,
            language: meta.language,
            cantons: meta.cantons,
            title: meta.title.map(title),
            journal_number: content.journal_number,
            journal_date: content.journal_date,
            text: content.publication_text,
            previous: content.last_fosc.map(previous),
            before: content.commons_actual.map(commons),
            after: content.commons_new.map(commons),
            deletion_date: delete.and_then(|it| it.deletion_date),
            status_changes: FLAGS.iter().filter(|(at, _)| is_set(at)).map(|(_, it)| *it).collect(),
        };
        match publication.company() {
            None => Err("content: has neither commonsNew nor commonsActual".into()),
            Some(_) => Ok(publication),
        }
    }
}

fn title(raw: RawTitle) -> Title {
    let RawTitle { de, fr, it, en } = raw;
    Title { de, fr, it, en }
}

fn previous(raw: LastFosc) -> Previous {
    let issue = raw.last_fosc_number.and_then(|it| it.parse().ok());
    let number = raw.last_fosc_sequence.and_then(|it| it.rsplit('-').next()?.parse().ok());
    Previous { date: raw.last_fosc_date, issue, number }
}

fn commons(raw: RawCommons) -> CompanyBlock {
    let RawCommons { company, purpose, capital, revision, head_office } = raw;
    let (opting_out, auditors) =
        revision.map_or((None, Vec::new()), |it| (it.opting_out, it.revision_company));
    let capital = capital.into_iter().next();
    CompanyBlock {
        name: company.name,
        translations: translations(company.translations.as_deref().unwrap_or_default()),
        uid: company.uid,
        code13: company.code13,
        seat: company.seat,
        legal_form: company.legal_form,
        address: company.address.map(address).filter(|it| *it != Address::default()),
        purpose,
        capital: capital.map(|it| Capital {
            nominal: it.nominal,
            paid: it.paid,
            currency: it.currency,
        }),
        opting_out,
        auditors: auditors.into_iter().map(named).collect(),
        head_office: head_office.into_iter().next().map(named),
    }
}

fn address(raw: RawAddress) -> Address {
    Address {
        address_line1: raw.address_line1,
        address_line2: raw.address_line2,
        street: raw.street,
        house_number: raw.house_number,
        post_office_box_text: raw.post_office_box_text,
        post_office_box_number: raw.post_office_box_number,
        swiss_zip_code: raw.swiss_zip_code,
        foreign_zip_code: raw.foreign_zip_code,
        town: raw.town,
        country: raw.country,
    }
}

fn named(raw: RawNamed) -> NamedCompany {
    let uid = raw.uid.and_then(|it| it.parse().ok());
    NamedCompany { name: raw.name, uid, country: raw.country }
}

/// Splits a list of names in brackets such as `(Muster SA) (Muster (Suisse) Ltd)`.
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
    fn translations_keep_inner_brackets() {
        assert_eq!(
            translations("(Muster SA) (Muster (Suisse) Ltd)"),
            ["Muster SA", "Muster (Suisse) Ltd"]
        );
        assert_eq!(translations("Muster SA"), ["Muster SA"]);
        assert!(translations(" ").is_empty());
    }
}
