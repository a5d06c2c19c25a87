//! The data of a company that a block of a publication states.

use domain::{Amount, Company, company::Affiliation, legal_forms::LegalForm, text};

/// The data of a company before or after a publication. Absent members are not stated.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CompanyState {
    pub(crate) name: Option<String>,
    pub(crate) translations: Vec<String>,
    pub(crate) seat: Option<String>,
    /// Code of the legal form (eCH-0097), such as `0106`.
    pub(crate) legal_form_code: Option<String>,
    pub(crate) address: Option<Address>,
    pub(crate) purpose: Option<String>,
    pub(crate) capital: Option<Amount>,
    /// The part of the capital that is paid in.
    pub(crate) paid: Option<Amount>,
    pub(crate) currency: Option<String>,
    pub(crate) opting_out: Option<bool>,
    pub(crate) chid: Option<String>,
    /// The head office, if the company is a branch.
    pub(crate) head_office: Option<Affiliation>,
}

/// A postal address.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Address {
    pub(crate) care_of: Option<String>,
    pub(crate) street: Option<String>,
    pub(crate) house_number: Option<String>,
    pub(crate) addon: Option<String>,
    pub(crate) po_box: Option<String>,
    pub(crate) zip_code: Option<String>,
    pub(crate) city: Option<String>,
}

impl Address {
    /// Reads an address as the text of a publication states it: `c/o Huber AG, Seestrasse 7a, Postfach, 3600 Thun`. `None` if it
    /// does not end with a Swiss post code and a town: without them, it is not certain what its parts are.
    pub(crate) fn of_line(line: &str) -> Option<Self> {
        const CARE_OF: [&str; 6] = ["c/o ", "p.a. ", "p.adr. ", "bei ", "chez ", "presso "];
        const PO_BOXES: [&str; 3] = ["postfach", "case postale", "casella postale"];
        let parts: Vec<&str> = line.trim_end_matches('.').split(", ").map(str::trim).collect();
        let (last, parts) = parts.split_last()?;
        let (zip, city) = last.strip_prefix("CH-").unwrap_or(last).split_once(' ')?;
        let is_zip = zip.len() == 4 && zip.bytes().all(|it| it.is_ascii_digit());
        if !is_zip || !city.starts_with(char::is_uppercase) || parts.is_empty() {
            return None;
        }
        let has_number = |part: &str| {
            let number = part.rsplit_once(' ').map(|it| it.1);
            number.is_some_and(|it| it.starts_with(|it: char| it.is_ascii_digit()) && it.len() <= 8)
        };
        let is_one_of = |part: &str, words: &[&str]| {
            let lower = part.to_lowercase();
            words.iter().any(|it| lower.starts_with(it))
        };
        let (care_of, rest): (Vec<&str>, Vec<&str>) =
            parts.iter().partition(|it| is_one_of(it, &CARE_OF));
        let (po_box, rest): (Vec<&str>, Vec<&str>) =
            rest.into_iter().partition(|it| is_one_of(it, &PO_BOXES));
        // The street has a number; a building has none: `Technopark, Technoparkstrasse 1`.
        let street = rest.iter().find(|it| has_number(it)).or(rest.first()).copied();
        let number = street.filter(|it| has_number(it)).and_then(|it| it.rsplit_once(' '));
        let joined = |parts: Vec<&str>| Some(parts.join(", ")).filter(|it| !it.is_empty());
        Some(Self {
            care_of: joined(care_of),
            street: number.map(|it| it.0).or(street).map(str::to_owned),
            house_number: number.map(|it| it.1.to_owned()),
            addon: joined(rest.into_iter().filter(|it| Some(*it) != street).collect()),
            po_box: joined(po_box),
            zip_code: Some(zip.to_owned()),
            city: Some(city.to_owned()),
        })
    }

    /// The address in one line.
    pub(crate) fn line(&self) -> String {
        let joined = |parts: &[&Option<String>]| {
            let parts: Vec<&str> = parts.iter().filter_map(|it| it.as_deref()).collect();
            parts.join(" ")
        };
        let lines = [
            joined(&[&self.care_of]),
            joined(&[&self.street, &self.house_number]),
            joined(&[&self.addon]),
            joined(&[&self.po_box]),
            joined(&[&self.zip_code, &self.city]),
        ];
        lines.into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join(", ")
    }

    /// Whether both addresses consist of the same words. The gazette may split the same address into different
    /// members from one publication to the next.
    pub(crate) fn has_same_words(&self, other: &Self) -> bool {
        let words = |it: &Self| {
            let folded = text::fold(&it.line());
            let mut words: Vec<String> = folded.split(' ').map(str::to_owned).collect();
            words.sort_unstable();
            words
        };
        words(self) == words(other)
    }
}

impl CompanyState {
    /// The German name of the legal form; the code if it is unknown.
    pub(crate) fn legal_form(&self) -> Option<String> {
        let code = self.legal_form_code.as_deref()?;
        Some(LegalForm::by_code(code).map_or_else(|| code.to_owned(), |it| it.name().to_owned()))
    }

    /// Overwrites the members of the record that this state contains.
    pub(crate) fn apply(&self, company: &mut Company) {
        let set = |to: &mut Option<String>, from: &Option<String>| {
            if from.is_some() {
                to.clone_from(from);
            }
        };
        if let Some(name) = &self.name {
            company.name.clone_from(name);
        }
        if !self.translations.is_empty() {
            company.translations = Some(self.translations.clone());
        }
        if self.seat.is_some() && self.seat != company.legal_seat {
            company.legal_seat.clone_from(&self.seat);
            // Both are derived from the old seat.
            (company.legal_seat_id, company.municipality) = (None, None);
        }
        set(&mut company.legal_form_code, &self.legal_form_code);
        set(&mut company.legal_form, &self.legal_form());
        set(&mut company.purpose, &self.purpose);
        set(&mut company.chid, &self.chid);
        if self.capital.is_some() {
            company.share_capital = self.capital;
            let currency = self.currency.clone().or_else(|| company.currency.clone());
            company.currency = Some(currency.unwrap_or_else(|| "CHF".to_owned()));
        }
        if let Some(address) = &self.address {
            let Address { care_of, street, house_number, addon, po_box, zip_code, city } =
                address.clone();
            if company.address_city != city || company.address_zip_code != zip_code {
                company.address_canton = None;
            }
            company.address_care_of = care_of;
            company.address_street = street;
            company.address_house_number = house_number;
            company.address_addon = addon;
            company.address_po_box = po_box;
            company.address_zip_code = zip_code;
            company.address_city = city;
        }
        if self.opting_out.is_some() {
            company.auditor_opt_out = self.opting_out;
        }
        if let Some(head_office) = &self.head_office {
            set_head_office(company, head_office);
        }
    }
}

/// Replaces the head office of a branch. Keeps the known UID if the same head office is named without it.
fn set_head_office(company: &mut Company, head_office: &Affiliation) {
    let is_head_office = |it: &Affiliation| it.kind == head_office.kind;
    let at = company.affiliations.iter().position(is_head_office);
    let previous = at.map(|at| company.affiliations.remove(at));
    let same = previous.filter(|it| text::fold(&it.name) == text::fold(&head_office.name));
    let uid = head_office.uid.or(same.and_then(|it| it.uid));
    let head_office = Affiliation { uid, ..head_office.clone() };
    company.affiliations.insert(at.unwrap_or(0), head_office);
}
