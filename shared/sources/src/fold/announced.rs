//! One publication of a company, whichever source brought it.

use std::collections::BTreeMap;

use domain::{Amount, Canton, Company, Provenance, Uid, legal_forms::LegalForm, text};
use jiff::civil::Date;

use crate::{Fact, Statement, gazette::notice::Notice};

/// A publication, read.
#[derive(Clone, Debug)]
pub(crate) struct Announced {
    pub(crate) uid: Uid,
    /// As the publication names the company.
    pub(crate) company_name: String,
    pub(crate) canton: Option<Canton>,
    /// Its number, or the digest of its text where it has none: what events are named by.
    pub(crate) key: String,
    pub(crate) date: Date,
    pub(crate) source: Provenance,
    /// Withdrawn by the gazette: what it said does not count.
    pub(crate) is_cancelled: bool,
    pub(crate) is_registration: bool,
    /// The day of the deletion.
    pub(crate) deleted: Option<Date>,
    pub(crate) notice: Notice,
    /// The company before and after, where the publication says it in blocks.
    pub(crate) before: Option<State>,
    pub(crate) after: Option<State>,
}

/// What a block states of a company.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct State {
    pub(crate) name: Option<String>,
    pub(crate) translations: Vec<String>,
    pub(crate) seat: Option<String>,
    /// eCH-0097.
    pub(crate) legal_form_code: Option<String>,
    pub(crate) address: Option<Address>,
    pub(crate) purpose: Option<String>,
    pub(crate) capital: Option<Amount>,
    pub(crate) currency: Option<String>,
    pub(crate) opting_out: Option<bool>,
    pub(crate) chid: Option<String>,
}

/// An address by its parts.
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
    /// In one line.
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

    /// Whether the words are the same: the gazette parses addresses anew now and then.
    pub(crate) fn says_the_same(&self, other: &Self) -> bool {
        let words = |it: &Self| {
            let folded = text::fold(&it.line());
            let mut words: Vec<String> = folded.split(' ').map(str::to_owned).collect();
            words.sort_unstable();
            words
        };
        words(self) == words(other)
    }
}

impl State {
    /// The German name of the legal form.
    pub(crate) fn legal_form(&self) -> Option<String> {
        let code = self.legal_form_code.as_deref()?;
        Some(LegalForm::by_code(code).map_or_else(|| code.to_owned(), |it| it.name().to_owned()))
    }

    /// Puts what the block states in the place of what the record says.
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
            // What followed from the old seat does not follow from the new one.
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
    }
}

/// Every publication that the facts bring, in the order of publication. One that several sources bring
/// counts once: the gazette's own form says more than the register's copy of its text.
pub(crate) fn announced(facts: &[&Fact]) -> Vec<Announced> {
    let mut by_key: BTreeMap<(Date, Option<u64>, String), Announced> = BTreeMap::new();
    for fact in facts {
        if let Statement::Zefix(record) = &fact.statement {
            for publication in record.announced(fact.uid) {
                let number = publication.key.parse().ok();
                let place = (publication.date, number, publication.key.clone());
                by_key.entry(place).or_insert(publication);
            }
        }
    }
    by_key.into_values().collect()
}
