//! The facts about a company, from what the registry stores.
//!
//! The record and the history are those of the day of the assessment: the current ones, or those of
//! `facts::CompanyAsOf`. What needs more than the company's own record is added by the caller: owners
//! ([`Facts::with_ownership`]), hits on lists ([`ListHit::of_entry`](crate::ListHit::of_entry)), mandates of officers
//! ([`Facts::with_officers`]) and companies at the address ([`Facts::with_neighbours`]).

mod events;
mod owners;
mod screening;

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    Canton, ChangeKind, Company, History, Language, Provenance, Status, Uid,
    countries::country_name,
    persons::{Mandate, Officer, RoleCategory},
    terms::offices,
    wording::{self, Translations, say},
};
use jiff::civil::Date;

use crate::{
    AddressFacts, AuditFacts, BoardFacts, CapitalFacts, CountryLink, CountryRole, Dated, Facts,
    IndustryFacts, OfficerMandates, StatusFacts,
};

/// A company as the registry stores it.
#[derive(Clone, Copy, Debug)]
pub struct Registered<'a> {
    /// The record.
    pub company: &'a Company,
    /// The history, at least with all events, mandates and tenures.
    pub history: &'a History,
    /// The source of each member of the record, by its JSON name, as in `facts::CompanyAsOf`. `None` for the current record:
    /// the newest of its sources is named.
    pub proofs: Option<&'a BTreeMap<String, Provenance>>,
}

impl Facts {
    /// What the company's own record and history show. Owners, lists, mandates in other companies and the companies at the
    /// address stay unknown.
    pub fn of_register(registered: Registered<'_>) -> Self {
        Self {
            deleted_on: registered.deleted_on(),
            ownership: None,
            listings: None,
            owners_not_searched: Vec::new(),
            countries: registered.countries(),
            industry: registered.industry(),
            audit: registered.audit(),
            board: registered.board(),
            address: registered.address(),
            capital: registered.capital(),
            status: registered.status(),
        }
    }
}

impl Facts {
    /// Adds the number of other companies at the address. Without an address the facts do not change.
    #[must_use]
    pub fn with_neighbours(mut self, companies: usize) -> Self {
        if let Some(address) = &mut self.address {
            address.neighbours = Some(companies);
        }
        self
    }

    /// Adds how many other companies the members of the board and the management direct: current mandates of the same
    /// kinds, each company once. Firms do not count, nor officers whose identity in other companies is unknown. Without a
    /// board the facts do not change.
    #[must_use]
    pub fn with_officers(mut self, company: Uid, officers: &[Officer]) -> Self {
        let Some(board) = &mut self.board else { return self };
        let mandates = officers.iter().filter(|it| !it.is_entity).filter_map(|officer| {
            let leads = || officer.roles.iter().filter(|it| it.mandate.leads());
            let here = leads().find(|it| it.company == company)?;
            let others: BTreeSet<Uid> = leads().map(|it| it.company).collect();
            Some(OfficerMandates {
                name: officer.name.clone(),
                others: others.len() - 1,
                source: here.mandate.source.clone(),
            })
        });
        board.mandates = mandates.collect();
        self
    }
}

impl Registered<'_> {
    /// The source of a member of the record; the newest source of the record if it is not known.
    fn source_of(&self, member: &str) -> Provenance {
        let source = self.company.source_of(member, self.proofs).cloned();
        source.unwrap_or_else(|| self.company.unreferenced_source())
    }

    /// The publication of the waiver of the audit, or of the entry with it. A publication that only repeats the waiver among the
    /// data of the company does not say it to its reader: then only the name of the source is known.
    fn source_of_waiver(&self) -> Provenance {
        let source = self.source_of("auditorOptOut");
        let mut events = self.history.events.iter().map(|it| &it.event);
        let states = |kind| matches!(kind, ChangeKind::AuditOptOut | ChangeKind::NewRegistration);
        match events.any(|it| it.source == source && states(it.kind)) {
            true => source,
            false => Provenance { reference: None, date: None, ..source },
        }
    }

    fn is_active(&self) -> bool {
        self.company.status == Some(Status::Active)
    }

    fn is_deleted(&self) -> bool {
        self.company.status == Some(Status::Cancelled)
    }

    /// The day of the deletion; if no source states it, that of its publication, or of the last one that is known. `None` if the
    /// company is not deleted.
    fn deleted_on(&self) -> Option<Date> {
        let published = || {
            let events = || self.history.events.iter().rev().map(|it| &it.event);
            let deletion = events().find(|it| it.kind == ChangeKind::Deletion);
            deletion.or_else(|| events().next()).map(|it| it.date)
        };
        self.company.deletion_date.or_else(published).filter(|_| self.is_deleted())
    }

    /// Whether the company was deleted by a publication of this day: what ends with the company did not leave it.
    fn is_deleted_on(&self, day: Date) -> bool {
        self.history.events_on(day).any(|it| it.kind == ChangeKind::Deletion)
    }

    /// The day of the first known publication.
    fn known_since(&self) -> Option<Date> {
        self.history.events.first().map(|it| it.event.date)
    }

    /// The countries in which proprietors, partners and officers live, where a publication states them: `in Como (IT)`. `None` if no officer is known.
    fn countries(&self) -> Option<Vec<CountryLink>> {
        let officers: Vec<&Mandate> = self.history.current_mandates().collect();
        let link = |it: &&Mandate| {
            Some(CountryLink {
                country: country_of(it.person.residence.as_deref()?)?.to_owned(),
                role: match it.owns() {
                    true => CountryRole::Owner,
                    false => CountryRole::Officer,
                },
                name: it.person.full_name(),
                source: it.source.clone(),
            })
        };
        (!officers.is_empty()).then(|| officers.iter().filter_map(link).collect())
    }

    fn industry(&self) -> Option<IndustryFacts> {
        let is_supervised = self.company.is_finma_regulated == Some(true);
        (self.company.noga_code.is_some() || is_supervised).then(|| IndustryFacts {
            noga_code: self.company.noga_code.clone(),
            name: self.company.sub_industry.clone().or_else(|| self.company.industry.clone()),
            is_supervised,
            source: self.source_of("nogaCode"),
            licence: self.source_of("isFinmaRegulated"),
        })
    }

    fn audit(&self) -> Option<AuditFacts> {
        let Company { auditor_name, auditor_opt_out, .. } = self.company;
        let current = self.history.current_tenure();
        let ended = self.history.tenures.iter().filter_map(|it| {
            let on = it.resigned_at.filter(|on| !self.is_deleted_on(*on))?;
            let auditor = &it.auditor_name;
            let summary = Translations::of(|language| {
                let end = self.end(language, on);
                say!(
                    language,
                    "Die Revisionsstelle {auditor} ist ausgeschieden {end}.",
                    "L’organe de révision {auditor} est sorti {end}.",
                    "L’ufficio di revisione {auditor} è uscito {end}.",
                    "The auditor {auditor} left {end}.",
                )
            });
            Some(Dated { on, summary, source: it.source.clone() })
        });
        let is_known =
            auditor_name.is_some() || auditor_opt_out.is_some() || !self.history.tenures.is_empty();
        is_known.then(|| AuditFacts {
            // The record of a deleted company keeps its last auditor.
            auditor: auditor_name.clone().filter(|_| !self.is_deleted()),
            since: current.and_then(|it| it.appointed_at),
            opted_out: *auditor_opt_out,
            ended: ended.collect(),
            is_active: self.is_active(),
            source: match (auditor_name, current, self.history.tenures.last()) {
                (Some(_), Some(tenure), _) => tenure.source.clone(),
                (Some(_), None, _) => self.source_of("auditorName"),
                (None, _, Some(last)) if *auditor_opt_out != Some(true) => last.source.clone(),
                (None, ..) => self.source_of_waiver(),
            },
        })
    }

    fn board(&self) -> Option<BoardFacts> {
        let leaders = || self.history.mandates.iter().filter(|it| it.leads());
        let current: BTreeSet<_> =
            leaders().filter(|it| it.is_current()).map(|it| it.person_id).collect();
        let directs = |it: &&Mandate| it.leads() || it.is_in(RoleCategory::Liquidator);
        let directing: BTreeSet<_> =
            self.history.current_mandates().filter(directs).map(|it| it.person_id).collect();
        // Somebody who keeps another office, or liquidates the company, has not left.
        let left = leaders().filter(|it| !directing.contains(&it.person_id));
        let departures = left.filter_map(|it| {
            let on = it.until.filter(|on| !self.is_deleted_on(*on))?;
            let name = it.person.full_name();
            let form = self.company.legal_form_code.as_deref();
            let summary = Translations::of(|language| {
                let end = self.end(language, on);
                let offices = offices::in_words(language, it, form);
                say!(
                    language,
                    "{name} ist nicht mehr {offices} {end}.",
                    "{name} n’est plus {offices} {end}.",
                    "{name} non è più {offices} {end}.",
                    "{name} ceased to hold office as {offices} {end}.",
                )
            });
            Some(Dated { on, summary, source: it.source.clone() })
        });
        leaders().next()?;
        let newest = leaders().map(|it| &it.source).max_by_key(|it| it.date);
        Some(BoardFacts {
            members: current.len(),
            departures: departures.collect(),
            known_since: self.known_since(),
            mandates: Vec::new(),
            is_active: self.is_active(),
            source: newest.cloned().unwrap_or_else(|| self.source_of("status")),
        })
    }

    /// In brackets, the day of the journal on which something ended, or else that of the publication.
    fn end(&self, language: Language, published: Date) -> String {
        match self.history.journal_date(published) {
            Some(day) => format!("({})", wording::date(language, day)),
            None => wording::published(language, published),
        }
    }

    fn address(&self) -> Option<AddressFacts> {
        let Company { address_street, address_city, legal_seat, .. } = self.company;
        let changes = events::moves(self.history);
        let is_known = address_street.is_some()
            || address_city.is_some()
            || legal_seat.is_some()
            || !changes.is_empty();
        is_known.then(|| AddressFacts {
            changes,
            neighbours: None,
            known_since: self.known_since(),
            source: self.source_of(match (address_street, address_city) {
                (Some(_), _) => "addressStreet",
                (None, Some(_)) => "addressCity",
                (None, None) => "legalSeat",
            }),
        })
    }

    fn capital(&self) -> Option<CapitalFacts> {
        let Company { legal_form_code, share_capital, currency, .. } = self.company;
        let (reductions, increases) = events::capital_changes(self.history);
        let is_known = share_capital.is_some() || !reductions.is_empty() || !increases.is_empty();
        is_known.then(|| CapitalFacts {
            legal_form: legal_form_code.clone(),
            amount: *share_capital,
            currency: currency.clone(),
            reductions,
            increases,
            source: self.source_of("shareCapital"),
        })
    }

    fn status(&self) -> Option<StatusFacts> {
        let Company { registration_date, status, status_reason, .. } = self.company;
        let events = events::legal_events(self.history);
        let is_known = registration_date.is_some() || status.is_some() || !events.is_empty();
        is_known.then(|| StatusFacts {
            registered: *registration_date,
            entry: self.source_of("registrationDate"),
            status: *status,
            reason: *status_reason,
            events,
            sales_of_shell: events::sales_of_shell(self.history, *registration_date),
            source: self.source_of("status"),
        })
    }
}

/// The country in a place such as `Como (IT)`. `None` if there is none, or if it can be a Swiss canton: `Buchs (SG)` is in
/// St. Gallen, not in Singapore.
fn country_of(place: &str) -> Option<&str> {
    let (_, code) = place.trim_end().strip_suffix(')')?.rsplit_once('(')?;
    let is_canton = code.parse::<Canton>().is_ok();
    (!is_canton && country_name(code).is_some()).then_some(code)
}

#[cfg(test)]
mod tests;
