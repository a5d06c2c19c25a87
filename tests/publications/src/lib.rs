//! A builder of publications for tests: entries of the Swiss Official Gazette of Commerce (SHAB) about
//! invented companies, as JSON in the format of the gazette's portal.
//!
//! ```
//! use publications::Publication;
//!
//! let publication = Publication::mutation("CHE-600.000.012", "Muster AG")
//!     .on("2026-06-15")
//!     .in_canton("BE")
//!     .capital("100000")
//!     .new_capital("200000")
//!     .text("Statutenänderung: 01.06.2026.")
//!     .json();
//! assert_eq!(publication["meta"]["subRubric"], "HR02");
//! assert_eq!(publication["content"]["commonsNew"]["capital"]["nominal"], "200000");
//! ```

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// A publication about one company.
///
/// Unless a test says otherwise: number 1, published on 2026-01-05 in German, about a company limited by
/// shares in Bern.
///
/// A publication has a text and two blocks, which state the company before and after the entry: a
/// registration has the block after it, a deletion the block before it, a mutation both. What a method
/// states of the company is in both blocks; what a method `new_…` states is only in the block after.
#[derive(Clone, Debug)]
pub struct Publication {
    sub_rubric: SubRubric,
    number: u64,
    date: String,
    journal_date: Option<String>,
    previous_date: Option<String>,
    cancelled: bool,
    canton: String,
    /// The company (before the mutation, if it changes).
    company: Members,
    /// The company after the mutation, where it differs.
    changed: Members,
    has_block_before: bool,
    has_block_after: bool,
    /// The start of the text, if a test replaces the usual one.
    opening: Option<String>,
    text: String,
    /// What the register office flags about the entry.
    transaction: Members,
}

/// Members of a JSON object by their path: `company.name` is the member `name` of the member `company`.
type Members = BTreeMap<String, Value>;

const UID: &str = "company.uid";
const NAME: &str = "company.name";
const TRANSLATIONS: &str = "company.translations";
const SEAT: &str = "company.seat";
const LEGAL_FORM: &str = "company.legalForm";
const PURPOSE: &str = "purpose";
const CAPITAL: &str = "capital.nominal";
const PAID_IN_CAPITAL: &str = "capital.paid";
const OPTING_OUT: &str = "revision.optingOut";
const AUDITORS: &str = "revision.revisionCompany";

/// Street, house number, postal code and town.
const ADDRESS: [&str; 4] = [
    "company.address.street",
    "company.address.houseNumber",
    "company.address.swissZipCode",
    "company.address.town",
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum SubRubric {
    Registration,
    Mutation,
    Deletion,
}

impl SubRubric {
    fn code(self) -> &'static str {
        match self {
            Self::Registration => "HR01",
            Self::Mutation => "HR02",
            Self::Deletion => "HR03",
        }
    }
}

impl Publication {
    /// A new company is entered in the register (`HR01`).
    pub fn registration(uid: &str, name: &str) -> Self {
        Self::new(SubRubric::Registration, uid, name)
    }

    /// A new limited liability company with a capital of CHF 20,000 is entered in the register (`HR01`).
    /// The text must name its partners: [`persons_entered`](Self::persons_entered).
    pub fn limited_company(uid: &str, name: &str) -> Self {
        Self::registration(uid, name).legal_form("0107").capital("20000")
    }

    /// The entry of a company changes (`HR02`).
    pub fn mutation(uid: &str, name: &str) -> Self {
        Self::new(SubRubric::Mutation, uid, name)
    }

    /// A company is removed from the register (`HR03`).
    pub fn deletion(uid: &str, name: &str) -> Self {
        Self::new(SubRubric::Deletion, uid, name)
    }

    fn new(sub_rubric: SubRubric, uid: &str, name: &str) -> Self {
        let company = [(UID, uid), (NAME, name), (SEAT, "Bern"), (LEGAL_FORM, "0106")];
        Self {
            sub_rubric,
            number: 1,
            date: "2026-01-05".to_owned(),
            journal_date: None,
            previous_date: None,
            cancelled: false,
            canton: "BE".to_owned(),
            company: company.map(|(member, value)| (member.to_owned(), value.into())).into(),
            changed: Members::new(),
            has_block_before: sub_rubric != SubRubric::Registration,
            has_block_after: sub_rubric != SubRubric::Deletion,
            opening: None,
            text: String::new(),
            transaction: Members::new(),
        }
    }

    /// The number by which the gazette identifies the publication. Its id and its journal number are
    /// derived from it.
    pub fn number(mut self, number: u64) -> Self {
        self.number = number;
        self
    }

    /// The date of publication, as `YYYY-MM-DD`.
    pub fn on(mut self, date: &str) -> Self {
        date.clone_into(&mut self.date);
        self
    }

    /// The date of the entry in the journal of the register, as `YYYY-MM-DD`, if it is not the date of
    /// publication.
    pub fn journal_date(mut self, date: &str) -> Self {
        self.journal_date = Some(date.to_owned());
        self
    }

    /// The publication names the date of the previous one about the company, as `YYYY-MM-DD`.
    pub fn previous_on(mut self, date: &str) -> Self {
        self.previous_date = Some(date.to_owned());
        self
    }

    /// The canton of the register, as its two-letter code.
    pub fn in_canton(mut self, canton: &str) -> Self {
        canton.clone_into(&mut self.canton);
        self
    }

    /// The seat of the company (before the mutation, if it moves).
    pub fn seat(self, seat: &str) -> Self {
        self.stating(SEAT, seat)
    }

    /// The translations of the company's name, as the gazette lists them: `(Muster SA) (Muster Ltd)`.
    pub fn translations(self, translations: &str) -> Self {
        self.stating(TRANSLATIONS, translations)
    }

    /// The legal form of the company, as its code in eCH-0097: `0107` is a limited liability company.
    pub fn legal_form(self, code: &str) -> Self {
        self.stating(LEGAL_FORM, code)
    }

    /// Neither the blocks nor the text state the legal form.
    pub fn without_legal_form(self) -> Self {
        self.stating(LEGAL_FORM, Value::Null)
    }

    /// The purpose of the company.
    pub fn purpose(self, purpose: &str) -> Self {
        self.stating(PURPOSE, purpose)
    }

    /// The address of the company: street, house number, postal code and town.
    pub fn address(mut self, address: [&str; 4]) -> Self {
        self.company.extend(members_of_address(address));
        self
    }

    /// The first line of the address, such as `c/o Treuhand AG`.
    pub fn address_line(self, line: &str) -> Self {
        self.stating("company.address.addressLine1", line)
    }

    /// The nominal capital of the company.
    pub fn capital(self, nominal: &str) -> Self {
        self.stating(CAPITAL, nominal)
    }

    /// How much of the capital is paid in.
    pub fn paid_in_capital(self, paid: &str) -> Self {
        self.stating(PAID_IN_CAPITAL, paid)
    }

    /// The auditors of the company, which the text does not name.
    pub fn auditors(self, names: &[&str]) -> Self {
        self.stating(AUDITORS, members_of_auditors(names)).stating(OPTING_OUT, false)
    }

    /// The company is a branch of this head office in Switzerland.
    pub fn head_office(mut self, uid: &str, name: &str) -> Self {
        self.company.extend(members_of_head_office(uid.into(), name));
        self
    }

    fn stating(mut self, member: &str, value: impl Into<Value>) -> Self {
        self.company.insert(member.to_owned(), value.into());
        self
    }

    /// The mutation changes the company's name.
    pub fn new_name(self, name: &str) -> Self {
        self.changing(NAME, name)
    }

    /// The mutation changes the translations of the company's name.
    pub fn new_translations(self, translations: &str) -> Self {
        self.changing(TRANSLATIONS, translations)
    }

    /// The mutation moves the company's seat.
    pub fn new_seat(self, seat: &str) -> Self {
        self.changing(SEAT, seat)
    }

    /// The mutation changes the company's legal form. See [`legal_form`](Self::legal_form).
    pub fn new_legal_form(self, code: &str) -> Self {
        self.changing(LEGAL_FORM, code)
    }

    /// The mutation changes the company's purpose.
    pub fn new_purpose(self, before: &str, after: &str) -> Self {
        self.purpose(before).changing(PURPOSE, after)
    }

    /// The mutation changes the company's address. See [`address`](Self::address).
    pub fn new_address(mut self, address: [&str; 4]) -> Self {
        self.changed.extend(members_of_address(address));
        self
    }

    /// The mutation changes the company's nominal capital.
    pub fn new_capital(self, nominal: &str) -> Self {
        self.changing(CAPITAL, nominal)
    }

    /// The mutation changes how much of the capital is paid in.
    pub fn new_paid_in_capital(self, paid: &str) -> Self {
        self.changing(PAID_IN_CAPITAL, paid)
    }

    /// The block after the mutation names these auditors. See [`auditors`](Self::auditors).
    pub fn new_auditors(self, names: &[&str]) -> Self {
        self.changing(AUDITORS, members_of_auditors(names)).changing(OPTING_OUT, false)
    }

    /// The block after the mutation states whether the company waives an audit.
    pub fn new_opting_out(self, opting_out: bool) -> Self {
        self.changing(OPTING_OUT, opting_out)
    }

    /// The block after the mutation names this head office in Switzerland without its UID.
    pub fn new_head_office(mut self, name: &str) -> Self {
        self.changed.extend(members_of_head_office(Value::Null, name));
        self
    }

    fn changing(mut self, member: &str, value: impl Into<Value>) -> Self {
        self.changed.insert(member.to_owned(), value.into());
        self
    }

    /// Leaves out the block of the company before the entry.
    pub fn without_block_before(mut self) -> Self {
        self.has_block_before = false;
        self
    }

    /// Leaves out the block of the company after the entry, so that the text alone states what changes.
    pub fn without_block_after(mut self) -> Self {
        self.has_block_after = false;
        self
    }

    /// The date of deletion that the register office states, as `YYYY-MM-DD`.
    pub fn deletion_date(self, date: &str) -> Self {
        self.flagging("delete.deletionDate", date)
    }

    /// The register office flags a change of status, given by the path of the flag in the format of the
    /// portal: `liquidation.dissolution.or731b`.
    pub fn status_flag(self, path: &str) -> Self {
        self.flagging(&format!("update.changements.statusChanged.{path}"), true)
    }

    fn flagging(mut self, member: &str, value: impl Into<Value>) -> Self {
        self.transaction.insert(member.to_owned(), value.into());
        self
    }

    /// Appends a sentence to the text of the publication. The text starts with name, seat, number and
    /// legal form of the company.
    pub fn text(mut self, sentence: &str) -> Self {
        if !sentence.is_empty() {
            self.text.push(' ');
            self.text.push_str(sentence);
        }
        self
    }

    /// Replaces the text of the publication, with its usual start.
    pub fn whole_text(mut self, text: &str) -> Self {
        self.opening = Some(text.to_owned());
        self.text.clear();
        self
    }

    /// Appends the sentence that lists persons and firms who take office or change it, separated by `; `.
    pub fn persons_entered(self, persons: &str) -> Self {
        self.text(&format!("Eingetragene Personen neu oder mutierend: {persons}."))
    }

    /// Appends the sentence that lists persons and firms who leave office, separated by `; `.
    pub fn persons_left(self, persons: &str) -> Self {
        self.text(&format!("Ausgeschiedene Personen und erloschene Unterschriften: {persons}."))
    }

    /// The gazette cancelled the publication after it appeared.
    pub fn cancelled(mut self) -> Self {
        self.cancelled = true;
        self
    }

    /// The whole text of the publication.
    pub fn full_text(&self) -> String {
        let opening = self.opening.clone().unwrap_or_else(|| self.usual_opening());
        format!("{opening}{}", self.text)
    }

    fn usual_opening(&self) -> String {
        let stated = |member: &str| self.company.get(member).and_then(Value::as_str);
        let form = stated(LEGAL_FORM).map(name_of_form);
        let [name, seat, uid] = [NAME, SEAT, UID].map(|it| stated(it).unwrap_or_default());
        let form = form.map(|it| format!(", {it}")).unwrap_or_default();
        format!("{name}, in {seat}, {uid}{form}.")
    }

    /// The publication as the portal returns it.
    pub fn json(&self) -> Value {
        let code = self.sub_rubric.code();
        let journal_date = self.journal_date.as_ref().unwrap_or(&self.date);
        let after: Members = self.company.clone().into_iter().chain(self.changed.clone()).collect();
        let block = |members: &Members, is_stated: bool| {
            if is_stated { object(members) } else { Value::Null }
        };
        let mut publication = json!({
            "meta": {
                "id": format!("00000000-0000-4000-8000-{:012}", self.number),
                "rubric": "HR",
                "subRubric": code,
                "language": "de",
                "publicationNumber": format!("{code}-{:010}", self.number),
                "publicationState": if self.cancelled { "CANCELLED" } else { "PUBLISHED" },
                "publicationDate": midnight(&self.date),
                "cantons": [self.canton],
                "title": { "de": self.company[NAME] },
            },
            "content": {
                "publicationText": self.full_text(),
                "journalNumber": self.number % 10_000,
                "journalDate": midnight(journal_date),
                "commonsActual": block(&self.company, self.has_block_before),
                "commonsNew": block(&after, self.has_block_after),
            },
        });
        let content = &mut publication["content"];
        if let Some(date) = &self.previous_date {
            content["lastFosc"] = json!({ "lastFoscDate": midnight(date), "lastFoscNumber": 2 });
        }
        if !self.transaction.is_empty() {
            content["transaction"] = object(&self.transaction);
        }
        publication
    }
}

fn midnight(date: &str) -> String {
    format!("{date}T00:00:00.000Z")
}

fn members_of_address(address: [&str; 4]) -> impl Iterator<Item = (String, Value)> {
    ADDRESS.into_iter().zip(address).map(|(member, value)| (member.to_owned(), value.into()))
}

fn members_of_head_office(uid: Value, name: &str) -> [(String, Value); 3] {
    let members = [("name", name.into()), ("uid", uid), ("country", "CH".into())];
    members.map(|(member, value)| (format!("headOffice.{member}"), value))
}

fn members_of_auditors(names: &[&str]) -> Value {
    names.iter().map(|it| json!({ "name": it })).collect()
}

/// The German name of a legal form of eCH-0097.
fn name_of_form(code: &str) -> &'static str {
    match code {
        "0101" => "Einzelunternehmen",
        "0103" => "Kollektivgesellschaft",
        "0104" => "Kommanditgesellschaft",
        "0106" => "Aktiengesellschaft",
        "0107" => "Gesellschaft mit beschränkter Haftung",
        "0108" => "Genossenschaft",
        "0109" => "Verein",
        "0110" => "Stiftung",
        "0111" => "Zweigniederlassung eines ausländischen Unternehmens",
        "0151" => "Zweigniederlassung",
        _ => panic!("the builder has no name of the legal form `{code}`: add it here"),
    }
}

fn object(members: &Members) -> Value {
    let mut object = json!({});
    for (path, value) in members {
        let mut at = &mut object;
        for name in path.split('.') {
            at = &mut at[name];
        }
        *at = value.clone();
    }
    object
}
