//! The statements that make a record, as layers from the lowest to the highest: each layer overwrites what the
//! layers below it state.
//!
//! A record of the register's REST API (a full snapshot) contains everything except whether the limited audit is
//! waived. Of the publications up to its date, only those about the waiver are used.
//!
//! The linked data (a partial snapshot) has no capital, auditor or status. All publications are used, and the
//! snapshot takes its place among them by date.

use std::collections::BTreeMap;

use domain::{
    Company, Lei, Provenance, Uid,
    company::{Affiliation, AffiliationKind},
    statements::{Statement, gleif::Report},
};
use gazette_notice::{CapitalKind, Change, Combination};
use jiff::civil::Date;

use super::{
    ParsedPublication,
    company_state::{Address, CompanyState},
    gleif,
    life::StatusWithReason,
    lindas,
    publication::{is_same_name, status_by_default},
    zefix,
};
use crate::{Fact, notice};

/// One of the statements that make a record.
#[derive(Clone, Copy, Debug)]
pub(super) enum Layer<'a> {
    /// The state that the next publication gives as the company's former state.
    Before(&'a ParsedPublication),
    Publication(&'a ParsedPublication),
    /// A snapshot of the register, or another source.
    Fact(&'a Fact),
    /// The parents from an older GLEIF fact, used if the newest fact has no level 2 data.
    Group(&'a Fact),
    /// A publication of another company that takes this one over.
    Takeover(&'a ParsedPublication),
}

/// The layers of the record, from the lowest to the highest. Empty if no register contains the company.
pub(super) fn layers<'a>(
    facts: &[&'a Fact],
    publications: &'a [ParsedPublication],
    takeovers: &'a [ParsedPublication],
) -> Vec<Layer<'a>> {
    let mut layers = register_layers(facts, publications);
    if !layers.is_empty() {
        layers.extend(other_layers(facts));
        layers.extend(takeovers.iter().filter(|it| !it.is_cancelled).map(Layer::Takeover));
    }
    layers
}

fn register_layers<'a>(
    facts: &[&'a Fact],
    publications: &'a [ParsedPublication],
) -> Vec<Layer<'a>> {
    // The REST API contains more than the linked data, which is used only if there is no record of the API.
    let full = newest(facts, |it| matches!(it, Statement::Zefix(_)));
    let snapshot = full.or_else(|| newest(facts, |it| matches!(it, Statement::Lindas(_))));
    let snapshot_date = snapshot.and_then(|it| it.published);
    let in_force = publications.iter().filter(|it| !it.is_cancelled);
    let (before, after): (Vec<&ParsedPublication>, Vec<&ParsedPublication>) =
        in_force.partition(|it| snapshot_date.is_some_and(|snapshot| it.date <= snapshot));
    let before = before.into_iter().filter(|it| full.is_none() || it.states_waiver());
    let before = before.map(Layer::Publication);
    let after = after.into_iter().map(Layer::Publication);
    before.chain(snapshot.map(Layer::Fact)).chain(after).collect()
}

/// The layers of the sources that are not registers.
fn other_layers<'a>(facts: &[&'a Fact]) -> Vec<Layer<'a>> {
    let mut layers = Vec::new();
    let entities = facts.iter().filter_map(|fact| match &fact.statement {
        Statement::Gleif(entity) => Some((*fact, entity)),
        _ => None,
    });
    // The newest fact of each LEI. A company can have several LEIs, of which usually one is maintained.
    let newest_by_lei: BTreeMap<Lei, _> =
        entities.clone().map(|(fact, entity)| (entity.lei, (fact, entity))).collect();
    let best = newest_by_lei
        .into_values()
        .max_by_key(|(fact, entity)| (gleif::rank(entity), fact.order()));
    if let Some((fact, entity)) = best.filter(|(_, entity)| entity.is_valid()) {
        layers.push(Layer::Fact(fact));
        let with_group = entities.filter(|(_, it)| it.lei == entity.lei && it.group.is_some());
        let with_group = with_group.map(|(fact, _)| fact).next_back();
        layers.extend(with_group.filter(|it| *it != fact).map(Layer::Group));
        layers.extend(reports(facts, entity.lei, with_group).map(Layer::Fact));
    }
    layers.extend(newest(facts, |it| matches!(it, Statement::Finma(_))).map(Layer::Fact));
    // The report of the latest period that states the number of employees, whenever it was published.
    let reports = facts.iter().filter_map(|fact| match &fact.statement {
        Statement::Report(report) if report.employees.is_some() => Some((*fact, report)),
        _ => None,
    });
    let report = reports.max_by_key(|(_, report)| (report.fiscal_year, report.period_end));
    layers.extend(report.map(|(fact, _)| Layer::Fact(fact)));
    layers
}

/// The records of the official level 2 files about an entity, exceptions first: a parent replaces them. If an excerpt names
/// the parents (`excerpt`), only newer records.
fn reports<'a>(
    facts: &[&'a Fact],
    lei: Lei,
    excerpt: Option<&Fact>,
) -> impl Iterator<Item = &'a Fact> {
    let is_newer = |it: &Fact| excerpt.is_none_or(|excerpt| it.published > excerpt.published);
    let reports = facts.iter().copied().filter_map(|fact| match &fact.statement {
        Statement::GleifReport(report) if report.lei() == lei => Some((fact, &**report)),
        _ => None,
    });
    let mut reports: Vec<(&Fact, &Report)> = reports.filter(|(it, _)| is_newer(it)).collect();
    // Exceptions have no date; the latest to be read is the newest.
    reports.sort_by_key(|(fact, report)| match report {
        Report::Exception(_) => (0, None, fact.read_at),
        Report::Relationship(it) => (1, it.last_update, None),
    });
    reports.into_iter().map(|(fact, _)| fact)
}

/// The newest fact of a kind. The facts must be sorted.
fn newest<'a>(facts: &[&'a Fact], is_of_kind: impl Fn(&Statement) -> bool) -> Option<&'a Fact> {
    facts.iter().rev().copied().find(|it| is_of_kind(&it.statement))
}

impl<'a> Layer<'a> {
    pub(super) fn uid(&self) -> Uid {
        match self {
            Self::Before(it) | Self::Publication(it) | Self::Takeover(it) => it.uid,
            Self::Fact(it) | Self::Group(it) => it.uid,
        }
    }

    pub(super) fn provenance(&self) -> Provenance {
        match self {
            Self::Before(it) | Self::Publication(it) | Self::Takeover(it) => it.source.clone(),
            Self::Fact(it) | Self::Group(it) => it.provenance(),
        }
    }

    /// The date of the statement.
    pub(super) fn date(&self) -> Option<Date> {
        match self {
            Self::Before(_) => None,
            Self::Publication(it) | Self::Takeover(it) => Some(it.date),
            Self::Fact(it) | Self::Group(it) => it.published,
        }
    }

    pub(super) fn publication(&self) -> Option<&'a ParsedPublication> {
        match self {
            Self::Publication(it) => Some(it),
            _ => None,
        }
    }

    /// Whether the statement contains a status. If not, it only shows that the company is in the register.
    pub(super) fn states_status(&self) -> bool {
        match self {
            Self::Publication(it) => StatusWithReason::default().after(it).status.is_some(),
            Self::Fact(it) => match it.statement {
                Statement::Zefix(_) => true,
                // Publications have their own layers.
                Statement::Shab(_)
                | Statement::Takeover(_)
                | Statement::Lindas(_)
                | Statement::Gleif(_)
                | Statement::GleifReport(_)
                | Statement::Finma(_)
                | Statement::Report(_)
                | Statement::News(_)
                | Statement::Shareholding(_) => false,
            },
            Self::Before(_) => true,
            Self::Group(_) | Self::Takeover(_) => false,
        }
    }

    /// Whether this is a full snapshot, which replaces almost all that the layers below state.
    pub(super) fn is_full_snapshot(&self) -> bool {
        matches!(self, Self::Fact(it) if matches!(it.statement, Statement::Zefix(_)))
    }

    pub(super) fn apply(&self, company: &mut Company) {
        match self {
            Self::Before(it) => apply_former_state(company, it),
            Self::Publication(it) => apply_publication(company, it),
            Self::Fact(fact) => match &fact.statement {
                Statement::Zefix(record) => {
                    let waived = company.auditor_opt_out;
                    *company = zefix::company(record, fact.uid, &fact.provenance().source);
                    company.auditor_opt_out = waived;
                }
                Statement::Lindas(record) => {
                    lindas::apply(record, company);
                    // The linked data contains registered companies only.
                    company.status = Some(status_by_default(company.status, &company.name));
                }
                Statement::Gleif(entity) => {
                    gleif::enrich(entity, company);
                    add_group(company, fact);
                }
                Statement::GleifReport(report) => {
                    gleif::apply_report(report, company, fact.published);
                }
                Statement::Finma(licensee) => {
                    company.is_finma_regulated = Some(!licensee.licences.is_empty());
                }
                Statement::Report(report) => company.employee_count = report.employees,
                // Publications have their own layers.
                Statement::Shab(_) | Statement::Takeover(_) => {}
                Statement::News(_) | Statement::Shareholding(_) => {}
            },
            Self::Group(fact) => add_group(company, fact),
            Self::Takeover(it) => add_acquirers(company, it),
        }
    }
}

/// Adds the companies that took this one over, as stated in their own publication.
fn add_acquirers(company: &mut Company, takeover: &ParsedPublication) {
    let kind = AffiliationKind::WasTakenOverBy;
    for acquirer in takeover.acquirers() {
        let uid = acquirer.uid.and_then(notice::uid);
        let is_known = |it: &Affiliation| it.kind == kind && it.uid == uid;
        if !company.affiliations.iter().any(is_known) {
            company.affiliations.push(Affiliation { kind, uid, name: acquirer.name.clone() });
        }
    }
}

fn add_group(company: &mut Company, fact: &Fact) {
    if let Statement::Gleif(entity) = &fact.statement
        && let Some(group) = &entity.group
    {
        gleif::enrich_with_group(group, company, fact.published);
        // Readers look up securities together with the parents.
        gleif::add_isin(entity, company);
    }
}

/// Applies the company's state before the publication.
fn apply_former_state(company: &mut Company, next: &ParsedPublication) {
    let before = next.state_before();
    before.apply(company);
    company.status = Some(next.status_before());
    // The canton of the publication is that of the new seat.
    let moves = |it: &Change| matches!(it, Change::Seat { .. });
    let has_moved = match &next.after {
        Some(after) => after.seat != before.seat,
        None => next.notice.changes.iter().any(moves),
    };
    if !has_moved {
        company.canton = next.canton;
    }
}

/// Overwrites the members that the publication states.
fn apply_publication(company: &mut Company, publication: &ParsedPublication) {
    if let Some((to, false)) = publication.departure() {
        return apply_departure(company, publication, to);
    }
    match (&publication.before, &publication.after) {
        (_, Some(after)) => after.apply(company),
        // A deletion contains only the state before it.
        (Some(before), None) if publication.deleted.is_some() => before.apply(company),
        _ => apply_text(company, publication),
    }
    if company.name.is_empty() {
        company.name.clone_from(&publication.company_name);
    }
    add_old_names(company, publication.former_names());
    if publication.canton.is_some() {
        company.canton = publication.canton;
    }
    set_status(company, publication);
    // A registered company is not deleted, whether or not the text says that it is entered again.
    if publication.is_registration {
        company.deletion_date = None;
    }
    for change in &publication.notice.changes {
        match change {
            Change::NewEntry | Change::ReEntry { .. } => company.deletion_date = None,
            Change::OptingOut { waived } => company.auditor_opt_out = Some(*waived),
            Change::Combination { combination, party, .. } => {
                let kind = match combination {
                    it if it.takes_over() => AffiliationKind::HasTakenOver,
                    Combination::IsTakenOverBy => AffiliationKind::WasTakenOverBy,
                    _ => continue,
                };
                let party = Affiliation {
                    kind,
                    uid: party.uid.and_then(notice::uid),
                    name: party.name.clone(),
                };
                if !company.affiliations.contains(&party) {
                    company.affiliations.push(party);
                }
            }
            _ => {}
        }
    }
    // The date of the deletion can be earlier than that of its publication.
    if let Some(day) = publication.deleted {
        company.deletion_date = company.deletion_date.or(Some(day));
    }
}

/// Sets the status that the publication leads to.
fn set_status(company: &mut Company, publication: &ParsedPublication) {
    let status = StatusWithReason::of(company.status).after(publication).status;
    let states_status = StatusWithReason::default().after(publication).status.is_some();
    let by_default = || status_by_default(company.status, &company.name);
    company.status = status.filter(|_| states_status).or_else(|| Some(by_default()));
}

/// Applies the publication of the office that deletes its entry because the seat has moved. The publication of the office
/// of the new seat states more and may be earlier, so that only what is known to be outdated changes.
fn apply_departure(company: &mut Company, publication: &ParsedPublication, to: Option<&str>) {
    if company.name.is_empty() {
        company.name.clone_from(&publication.company_name);
    }
    let by_default = status_by_default(company.status, &company.name);
    company.status = Some(by_default);
    let former = publication.before.as_ref().and_then(|it| it.seat.as_ref());
    if company.legal_seat.is_none() || company.legal_seat.as_ref() == former {
        let state = CompanyState { seat: to.map(str::to_owned), ..CompanyState::default() };
        state.apply(company);
        company.canton = company.canton.filter(|_| to.is_none());
    }
}

/// Adds former names: each once, and none that the company still has.
fn add_old_names(company: &mut Company, former: Vec<String>) {
    for name in former {
        let lists = company.old_names.iter().chain(&company.translations).flatten();
        let is_known = lists.chain([&company.name]).any(|it| is_same_name(it, &name));
        if !is_known {
            company.old_names.get_or_insert_default().push(name);
        }
    }
}

/// Overwrites the members that the text states. For publications without blocks.
fn apply_text(company: &mut Company, publication: &ParsedPublication) {
    if let Some(name) = &publication.notice.name {
        company.name.clone_from(name);
    }
    for change in &publication.notice.changes {
        match change {
            Change::Name { to } => company.name.clone_from(to),
            Change::Seat { to: Some(to), .. } => {
                let state = CompanyState { seat: Some(to.clone()), ..CompanyState::default() };
                state.apply(company);
            }
            Change::Address { to } => {
                let state =
                    CompanyState { address: Address::of_line(to), ..CompanyState::default() };
                state.apply(company);
            }
            Change::Purpose { to } => company.purpose = Some(to.clone()),
            Change::Capital {
                capital: CapitalKind::Shares | CapitalKind::Quotas,
                to,
                currency,
                ..
            } => {
                company.share_capital = Some(notice::amount(*to));
                company.currency = currency.clone().or(company.currency.take());
            }
            Change::LegalForm { to } => {
                if let Some(form) = domain::legal_forms::LegalForm::named(to) {
                    company.legal_form = Some(form.name().to_owned());
                    company.legal_form_code = Some(form.code.to_owned());
                }
            }
            _ => {}
        }
    }
}
