//! The data of a company that the builder keeps in memory: a few hundred bytes.

use std::{cmp::Reverse, collections::BTreeSet};

use domain::{
    AuditorCategory, Canton, Company, Isin, Lei, Uid, collation::NameKey, company::AffiliationKind,
    noga::DIVISIONS, text::fold,
};

use super::{address::address, schema::Number};
use crate::{
    codes,
    words::{folded, indexed},
};

pub(crate) struct Row {
    numbers: [u64; Number::COUNT],
    size: u64,
    /// The place of the name in alphabetical order.
    pub(crate) order: NameKey,
    /// Folded name.
    pub(crate) name: Box<str>,
    /// Former names and translations, folded.
    pub(crate) other_names: Box<[Box<str>]>,
    /// Names of the municipality of the seat, folded.
    pub(crate) seats: Box<[Box<str>]>,
    /// Number and name of the current auditor.
    pub(crate) auditor: Box<[Box<str>]>,
    pub(crate) identifiers: Box<[Box<str>]>,
    /// Company numbers of related companies.
    pub(crate) related: Box<[u32]>,
    /// The address, as `address.rs` identifies it.
    pub(super) address: Option<u64>,
    /// Latitude and longitude, as codes.
    pub(crate) place: Option<(u64, u64)>,
}

/// Value of one employee in francs of capital, for sorting companies by size.
const FRANCS_PER_EMPLOYEE: u64 = 100_000;

impl Row {
    pub(crate) fn new(company: &Company, changes: u32) -> Self {
        let name = folded(&company.name).into_boxed_str();
        let others = company.old_names.iter().chain(&company.translations).flatten();
        let mut other_names: Vec<_> = others.map(|it| folded(it).into_boxed_str()).collect();
        other_names.sort_unstable();
        other_names.dedup();
        other_names.retain(|it| !it.is_empty() && *it != name);
        let mut row = Self {
            numbers: [0; Number::COUNT],
            size: size(company),
            order: NameKey::of(&company.name),
            name,
            other_names: other_names.into(),
            seats: seats(company),
            auditor: auditor(company),
            identifiers: identifiers(company),
            related: related(company),
            address: address(company),
            place: place(company),
        };
        row.fill(company);
        row.set(Number::Changes, Some(changes.into()));
        row
    }

    #[rustfmt::skip]
    fn fill(&mut self, company: &Company) {
        let yes = |it: bool| it.then_some(1);
        let founded = company.founding_date.or(company.registration_date);
        self.set(Number::Uid, Some(company.uid.number().into()));
        self.set(Number::Status, company.status.map(codes::status));
        self.set(Number::StatusReason, company.status_reason.map(codes::status_reason));
        self.set(Number::Canton, company.canton.map(codes::canton));
        self.set(Number::LegalForm, company.legal_form_code.as_deref().map(codes::legal_form));
        self.set(Number::Capital, company.share_capital.map(codes::capital));
        self.set(Number::Currency, company.currency.as_deref().map(codes::currency));
        self.set(Number::Auditor, company.auditor_category.map(codes::auditor));
        self.set(Number::HasAuditor, yes(has_auditor(company)));
        self.set(Number::Founding, company.founding_date.map(codes::day));
        self.set(Number::Registration, company.registration_date.map(codes::day));
        self.set(Number::Deletion, company.deletion_date.map(codes::day));
        self.set(Number::Founded, founded.map(codes::day));
        self.set(Number::Updated, company.updated_at.map(codes::moment));
        self.set(Number::Noga, noga(company));
        self.set(Number::Employees, company.employee_count.map(|it| u64::from(it) + 1));
        self.set(Number::Quality, company.data_quality_score.map(codes::quality));
        self.set(Number::HasLei, yes(company.lei.is_some()));
        self.set(Number::Enriched, yes(company.is_enriched()));
        self.set(Number::FinmaRegulated, company.is_finma_regulated.and_then(yes));
    }

    pub(crate) fn set(&mut self, number: Number, value: Option<u64>) {
        self.numbers[number as usize] = value.unwrap_or(0);
    }

    pub(crate) fn number(&self, number: Number) -> u64 {
        self.numbers[number as usize]
    }

    /// Sort key for relevance: status (active, being cancelled, unknown, cancelled), then size, largest first,
    /// then name.
    pub(crate) fn relevance(&self) -> impl Ord + '_ {
        let rank = codes::relevance_rank(self.number(Number::Status));
        (rank, Reverse(self.size), &self.name, self.number(Number::Uid))
    }

    /// All names, the current one first.
    fn names(&self) -> impl Iterator<Item = &str> {
        [&self.name].into_iter().chain(&self.other_names).map(|it| &**it)
    }

    /// The words of all names.
    pub(crate) fn words(&self) -> Vec<String> {
        let mut words: Vec<String> = self.names().flat_map(indexed).collect();
        words.sort_unstable();
        words.dedup();
        words
    }
}

/// Size in whole francs: the capital, converted at an approximate rate, plus the value of the employees.
fn size(company: &Company) -> u64 {
    let currency = company.currency.as_deref().unwrap_or("CHF");
    let rate =
        codes::CURRENCIES.iter().find(|(it, _)| *it == currency).map_or(1.0, |(_, rate)| *rate);
    let capital = company.share_capital.map_or(0.0, |it| it.approximate() * rate);
    let employees = u64::from(company.employee_count.unwrap_or(0));
    (capital.max(0.0) as u64).saturating_add(employees.saturating_mul(FRANCS_PER_EMPLOYEE))
}

/// The NOGA code, or the division of the industry if there is none.
fn noga(company: &Company) -> Option<u64> {
    let known = |code: &&str| code.bytes().filter(u8::is_ascii_digit).count() >= 2;
    let named = || {
        let industry = fold(company.industry.as_deref()?);
        DIVISIONS.iter().find(|it| fold(it.name) == industry).map(|it| it.code)
    };
    company.noga_code.as_deref().filter(known).or_else(named).map(codes::noga)
}

fn has_auditor(company: &Company) -> bool {
    let tier = company.auditor_category.is_some_and(|it| it != AuditorCategory::None);
    company.auditor_name.is_some() || company.auditor_uid.is_some() || tier
}

/// The names of the municipality of the seat: without and with the abbreviation of its canton (`Buchs`, `Buchs (SG)`), and each of
/// two languages (`Biel/Bienne`).
fn seats(company: &Company) -> Box<[Box<str>]> {
    let mut names = BTreeSet::new();
    for name in [&company.legal_seat, &company.municipality].into_iter().flatten() {
        for name in [name.as_str()].into_iter().chain(name.split('/')) {
            let name = folded(name);
            let (without, stated) = without_canton(&name);
            names.insert(Box::from(without));
            if let Some(canton) = company.canton.or(stated) {
                names.insert(format!("{without} {}", folded(canton.code())).into_boxed_str());
            }
            names.insert(name.into_boxed_str());
        }
    }
    names.into_iter().collect()
}

/// A folded name of a municipality without the abbreviation of its canton at the end, and the canton.
pub(crate) fn without_canton(name: &str) -> (&str, Option<Canton>) {
    let stated = name.rsplit_once(' ').filter(|(_, it)| it.len() == 2);
    let stated = stated.and_then(|(without, it)| Some((without, it.parse().ok()?)));
    stated.map_or((name, None), |(without, canton)| (without, Some(canton)))
}

fn identifiers(company: &Company) -> Box<[Box<str>]> {
    let known = [
        ("lei", company.lei.as_ref().map(Lei::as_str)),
        ("duns", company.duns.as_deref()),
        ("chid", company.chid.as_deref()),
        ("isin", company.isin.as_ref().map(Isin::as_str)),
        ("parent", company.direct_parent_lei.as_ref().map(Lei::as_str)),
    ];
    let terms = known.into_iter().filter_map(|(kind, it)| identifier(kind, it?));
    terms.map(String::into_boxed_str).collect()
}

/// Company number in digits and folded name of the auditor.
fn auditor(company: &Company) -> Box<[Box<str>]> {
    let number = company.auditor_uid.map(|it| it.number().to_string());
    let name = company.auditor_name.as_deref().map(folded);
    number.into_iter().chain(name).map(String::into_boxed_str).collect()
}

/// Related companies. Auditing a company is not a relationship.
fn related(company: &Company) -> Box<[u32]> {
    let affiliations =
        company.affiliations.iter().filter(|it| it.kind != AffiliationKind::AuditedBy);
    let holders = company.quota_holders.iter().filter_map(|it| it.uid);
    let related = affiliations.filter_map(|it| it.uid).chain(holders).map(Uid::number);
    let mut related: Vec<u32> = related.collect();
    related.sort_unstable();
    related.dedup();
    related.into()
}

/// `None` unless both coordinates are known.
fn place(company: &Company) -> Option<(u64, u64)> {
    let latitude = company.latitude.and_then(codes::latitude);
    latitude.zip(company.longitude.and_then(codes::longitude))
}

const LONGEST_IDENTIFIER: usize = 100;

/// The term of an identifier, without case, spaces and hyphens. `None` if nothing is left.
pub(crate) fn identifier(kind: &str, identifier: &str) -> Option<String> {
    let letters = identifier.chars().filter(char::is_ascii_alphanumeric).take(LONGEST_IDENTIFIER);
    let plain = letters.collect::<String>().to_ascii_lowercase();
    (!plain.is_empty()).then(|| format!("{kind}:{plain}"))
}
