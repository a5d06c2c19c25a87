//! Filters on companies.
//!
//! A company whose value is not known does not match a filter on it; for boolean filters, unknown counts as
//! no. Times are compared to the second.

use std::io;

use domain::{
    Amount, Isin, Lei, Uid,
    changes::midnight,
    legal_forms::WantedLegalForm,
    noga::DIVISIONS,
    places,
    search::{CompanyQuery, Day, Share, WantedAuditor, WantedIdentifier, WantedMunicipality},
};

use super::{
    Companies,
    row::{identifier, without_canton},
    schema::{Number, Term},
};
use crate::{
    codes::{self, Codes},
    documents::Documents,
    error::Error,
    words::{folded, typos_forgiven},
};

impl Companies {
    /// Keeps the companies that match all filters of the query. The fastest filters run first.
    pub(crate) fn filter(&self, query: &CompanyQuery, found: &mut Documents) -> io::Result<()> {
        if !query.uids.is_empty() {
            found.intersect(&self.numbered(&query.uids)?);
        }
        if let Some(WantedIdentifier(lei)) = &query.lei {
            found.intersect(&self.identified("lei", lei.as_ref().map_or("", Lei::as_str))?);
        }
        if let Some(duns) = &query.duns {
            found.intersect(&self.identified("duns", duns)?);
        }
        if let Some(WantedIdentifier(isin)) = &query.isin {
            found.intersect(&self.identified("isin", isin.as_ref().map_or("", Isin::as_str))?);
        }
        if let Some(auditor) = &query.auditor {
            let term = match auditor {
                WantedAuditor::Number(uid) => &uid.number().to_string(),
                WantedAuditor::Name(name) => name,
            };
            let mut audited = self.none();
            self.terms(Term::AuditedBy).add(term, &mut audited)?;
            found.intersect(&audited);
        }
        // No open source provides this value yet.
        if query.has_wikidata == Some(true) {
            *found = self.none();
        }
        if !query.municipality.is_empty() {
            found.intersect(&self.seated_in(query.municipality.iter().map(|it| it.0.as_str()))?);
        }
        self.filter_by_kind(query, found);
        self.filter_by_noga(query, found);
        self.filter_by_ranges(query, found);
        Ok(())
    }

    pub(crate) fn identified(&self, kind: &str, wanted: &str) -> io::Result<Documents> {
        let mut found = self.none();
        if let Some(term) = identifier(kind, wanted) {
            self.terms(Term::Identifier).add(term, &mut found)?;
        }
        Ok(found)
    }

    /// The companies with a seat in one of these municipalities, in any language.
    pub(crate) fn seated_in<'a>(
        &self,
        municipalities: impl IntoIterator<Item = &'a str>,
    ) -> io::Result<Documents> {
        let mut found = self.none();
        for name in municipalities {
            self.terms(Term::Seat).add(name, &mut found)?;
            let (without, canton) = without_canton(name);
            for other in places::other_names(without) {
                let other = match canton {
                    Some(canton) => &folded(&format!("{other} {}", canton.code())),
                    None => other,
                };
                self.terms(Term::Seat).add(other, &mut found)?;
            }
        }
        Ok(found)
    }

    /// The first of the wanted municipalities in which no company has its seat although a name is near that has one: a typing
    /// mistake. And a company there.
    pub fn misspelled_municipality<'a>(
        &self,
        query: &'a CompanyQuery,
    ) -> Result<Option<(&'a str, Uid)>, Error> {
        let seats = self.terms(Term::Seat);
        for WantedMunicipality(wanted) in query.municipality.iter() {
            // A municipality may have another canton than the one given.
            let (without, _) = without_canton(wanted);
            if self.seated_in([wanted.as_str(), without])?.count() > 0 {
                continue;
            }
            let similar = seats.similar(wanted, typos_forgiven(wanted))?;
            let candidates = similar.iter().map(|it| (it.as_str(), it.as_str()));
            let Some(near) = domain::text::near(wanted, candidates) else { continue };
            if let Some(there) = self.seated_in([near])?.iter().find_map(|it| self.uid(it)) {
                return Ok(Some((wanted, there)));
            }
        }
        Ok(None)
    }

    fn filter_by_kind(&self, query: &CompanyQuery, found: &mut Documents) {
        for wanted in [&query.status, &query.status_canonical] {
            let with_status = wanted.iter().map(|it| self.with_status(Some(it.0)));
            if let Some(wanted) = with_status.reduce(united) {
                found.intersect(&wanted);
            }
        }
        let mut one_of =
            |number: Number, wanted: Codes| self.column(number).retain_any(found, wanted);
        let forms = |it: &[WantedLegalForm]| -> Codes {
            it.iter().map(|it| codes::legal_form(it.0.code)).collect()
        };
        let yes_or_no = |it: Option<bool>| -> Codes { it.map(u64::from).into_iter().collect() };
        let auditors =
            query.auditor_category.as_ref().map(|it| it.0.as_slice()).unwrap_or_default();
        let reasons = query.status_reason.iter().map(|it| codes::status_reason(it.0)).collect();
        one_of(Number::StatusReason, reasons);
        one_of(Number::Canton, query.canton.iter().map(|it| codes::canton(*it)).collect());
        one_of(Number::LegalForm, forms(&query.legal_form));
        one_of(Number::LegalForm, forms(&query.legal_form_code));
        one_of(Number::Auditor, auditors.iter().map(|it| codes::auditor(*it)).collect());
        one_of(Number::Currency, query.currency.iter().map(|it| codes::currency(it.0)).collect());
        one_of(Number::HasAuditor, yes_or_no(query.has_auditor));
        one_of(Number::HasLei, yes_or_no(query.has_lei));
        one_of(Number::Enriched, yes_or_no(query.enriched));
        one_of(Number::FinmaRegulated, yes_or_no(query.is_finma_regulated));
    }

    fn filter_by_ranges(&self, query: &CompanyQuery, found: &mut Documents) {
        let mut between = |number: Number, least: Option<u64>, greatest: Option<u64>| {
            if least.is_some() || greatest.is_some() {
                // 0 means not known and is in no range.
                let range = least.unwrap_or(0).max(1)..=greatest.unwrap_or(u64::MAX);
                self.column(number).retain(found, |it| range.contains(&it));
            }
        };
        let capital = |it: Option<Amount>| it.map(codes::capital);
        between(
            Number::Capital,
            capital(query.capital_min.map(|it| it.0)),
            capital(query.capital_max.map(|it| it.0)),
        );
        let day = |it: Option<Day>| it.map(|it| codes::day(it.0));
        between(Number::Founded, day(query.founded_after), day(query.founded_before));
        between(Number::Registration, day(query.registered_after), day(query.registered_before));
        between(Number::Deletion, day(query.deleted_after), day(query.deleted_before));
        let since = query.changed_since.map(|it| codes::moment(midnight(it.0)));
        between(Number::Updated, since, None);
        // A minimum of 0 changes matches every company.
        let changes = query.min_changes.filter(|it| *it > 0).map(u64::from);
        between(Number::Changes, changes, None);
        let quality = |it: Option<Share>| it.map(|it| codes::quality(it.0));
        between(Number::Quality, quality(query.data_quality_min), quality(query.data_quality_max));
    }

    fn filter_by_noga(&self, query: &CompanyQuery, found: &mut Documents) {
        let mut beginning = |digits: &str| {
            let codes = codes::nogas_beginning(digits);
            self.column(Number::Noga).retain(found, |it| codes.contains(&it));
        };
        query.industry.iter().for_each(|it| beginning(it.0.code));
        query.noga_division.iter().for_each(|it| beginning(&it.0));
        query.noga_code.iter().for_each(|it| beginning(&it.0));
        if let Some(section) = query.noga_section {
            let in_section = DIVISIONS.iter().filter(|it| it.section == section.0);
            let mut wanted = [false; codes::DIVISIONS];
            for division in in_section {
                wanted[codes::division_number(codes::noga(division.code)) as usize] = true;
            }
            let kept = |code| wanted.get(codes::division_number(code) as usize) == Some(&true);
            self.column(Number::Noga).retain(found, kept);
        }
    }
}

fn united(mut one: Documents, other: Documents) -> Documents {
    one.unite(&other);
    one
}
