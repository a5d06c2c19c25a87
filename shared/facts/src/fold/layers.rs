//! What a record is made of, the lowest layer first: each puts what it states in the place of what was
//! said before.
//!
//! The register's own interface states all but two members, so that of the publications until its
//! snapshot only those two count. Its linked data knows no capital or auditor, and no more of the status
//! than that the company is registered and what it is called: there all publications count, and the
//! snapshot has its place among them.

use std::collections::BTreeMap;

use domain::{
    Company, Provenance, Uid,
    company::{Affiliation, AffiliationKind},
};
use gazette_notice::{CapitalKind, Change, Combination};
use jiff::civil::Date;
use statements::{Lei, Statement};

use super::{
    announced::{Announced, State, is_one_name, status_by_default},
    gleif, lindas, zefix,
};
use crate::Fact;

/// One statement among those that make a record.
#[derive(Clone, Copy, Debug)]
pub(super) enum Layer<'a> {
    /// What the next publication says of the company before it.
    Before(&'a Announced),
    Publication(&'a Announced),
    /// A snapshot of the register, or another source.
    Fact(&'a Fact),
    /// The parents that an older fact names: level 1 alone says nothing of them, and does not take back
    /// what level 2 said.
    Group(&'a Fact),
    /// A publication of another company, which takes this one over.
    Takeover(&'a Announced),
}

/// What the facts and publications say of the company today. Empty where no register says that there is
/// one.
pub(super) fn layers<'a>(
    facts: &[&'a Fact],
    publications: &'a [Announced],
    takeovers: &'a [Announced],
) -> Vec<Layer<'a>> {
    let mut layers = of_register(facts, publications);
    if !layers.is_empty() {
        layers.extend(of_others(facts));
        layers.extend(takeovers.iter().filter(|it| !it.is_cancelled).map(Layer::Takeover));
    }
    layers
}

fn of_register<'a>(facts: &[&'a Fact], publications: &'a [Announced]) -> Vec<Layer<'a>> {
    // The register's own interface knows more than its linked data does, so that the latter counts
    // where the former was never asked.
    let whole = newest(facts, |it| matches!(it, Statement::Zefix(_)));
    let snapshot = whole.or_else(|| newest(facts, |it| matches!(it, Statement::Lindas(_))));
    let said = snapshot.and_then(|it| it.published);
    let standing = publications.iter().filter(|it| !it.is_cancelled);
    let (until, since): (Vec<&Announced>, Vec<&Announced>) =
        standing.partition(|it| said.is_some_and(|said| it.date <= said));
    let until = until.into_iter().filter(|it| whole.is_none() || it.states_waiver());
    let until = until.map(Layer::Publication);
    let since = since.into_iter().map(Layer::Publication);
    until.chain(snapshot.map(Layer::Fact)).chain(since).collect()
}

/// What other sources say of the company.
fn of_others<'a>(facts: &[&'a Fact]) -> Vec<Layer<'a>> {
    let mut layers = Vec::new();
    let entities = facts.iter().filter_map(|fact| match &fact.statement {
        Statement::Gleif(entity) => Some((*fact, entity)),
        _ => None,
    });
    // Of each identifier the newest statement; a company may bear several, of which one is kept up.
    let newest_of_each: BTreeMap<Lei, _> =
        entities.clone().map(|(fact, entity)| (entity.lei, (fact, entity))).collect();
    let kept_up = newest_of_each
        .into_values()
        .max_by_key(|(fact, entity)| (gleif::rank(entity), fact.order()));
    if let Some((fact, entity)) = kept_up.filter(|(_, entity)| entity.is_valid()) {
        layers.push(Layer::Fact(fact));
        let grouped = entities.filter(|(_, it)| it.lei == entity.lei && it.group.is_some());
        let grouped = grouped.map(|(fact, _)| fact).next_back();
        layers.extend(grouped.filter(|it| *it != fact).map(Layer::Group));
    }
    layers.extend(newest(facts, |it| matches!(it, Statement::Finma(_))).map(Layer::Fact));
    // Of the last period that counts heads, whenever it was published.
    let reports = facts.iter().filter_map(|fact| match &fact.statement {
        Statement::Report(report) if report.employees.is_some() => Some((*fact, report)),
        _ => None,
    });
    let report = reports.max_by_key(|(_, report)| (report.fiscal_year, report.period_end));
    layers.extend(report.map(|(fact, _)| Layer::Fact(fact)));
    layers
}

/// The newest fact of a kind, in facts that are in order.
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

    /// The day on which this was said to be so.
    pub(super) fn date(&self) -> Option<Date> {
        match self {
            Self::Before(_) => None,
            Self::Publication(it) | Self::Takeover(it) => Some(it.date),
            Self::Fact(it) | Self::Group(it) => it.published,
        }
    }

    pub(super) fn publication(&self) -> Option<&'a Announced> {
        match self {
            Self::Publication(it) => Some(it),
            _ => None,
        }
    }

    /// Whether it tells of a status, or only of a company that is in the register.
    pub(super) fn states_status(&self) -> bool {
        match self {
            Self::Publication(it) => it.status().is_some(),
            Self::Fact(it) => !matches!(it.statement, Statement::Lindas(_)),
            _ => true,
        }
    }

    /// Whether this is a snapshot that leaves nothing of what was said before, nearly.
    pub(super) fn is_whole(&self) -> bool {
        matches!(self, Self::Fact(it) if matches!(it.statement, Statement::Zefix(_)))
    }

    pub(super) fn apply(&self, company: &mut Company) {
        match self {
            Self::Before(it) => was(company, it),
            Self::Publication(it) => follow(company, it),
            Self::Fact(fact) => match &fact.statement {
                Statement::Zefix(record) => {
                    let waived = company.auditor_opt_out;
                    *company = zefix::company(record, fact.uid);
                    company.auditor_opt_out = waived;
                }
                Statement::Lindas(record) => {
                    lindas::describe(record, company);
                    // Only what is registered is in the graph.
                    company.status = Some(status_by_default(company.status, &company.name));
                }
                Statement::Gleif(entity) => {
                    gleif::enrich(entity, company);
                    parents(company, fact);
                }
                Statement::Finma(licensee) => {
                    company.is_finma_regulated = Some(!licensee.licences.is_empty());
                }
                Statement::Report(report) => company.employee_count = report.employees,
                // Publications are layers of their own.
                Statement::Shab(_) | Statement::Takeover(_) => {}
                Statement::News(_) | Statement::Shareholding(_) => {}
            },
            Self::Group(fact) => parents(company, fact),
            Self::Takeover(it) => taken_over(company, it),
        }
    }
}

/// The company is taken over by the one whose publication says so.
fn taken_over(company: &mut Company, takeover: &Announced) {
    let kind = AffiliationKind::WasTakenOverBy;
    for acquirer in takeover.acquirers() {
        let is_it = |it: &Affiliation| it.kind == kind && it.uid == acquirer.uid;
        if !company.affiliations.iter().any(is_it) {
            let (uid, name) = (acquirer.uid, acquirer.name.clone());
            company.affiliations.push(Affiliation { kind, uid, name });
        }
    }
}

fn parents(company: &mut Company, fact: &Fact) {
    if let Statement::Gleif(entity) = &fact.statement
        && let Some(group) = &entity.group
    {
        gleif::enrich_with_group(group, company, fact.published);
        // Who looked for parents looked for securities.
        gleif::issue(entity, company);
    }
}

/// The company as the publication found it.
fn was(company: &mut Company, next: &Announced) {
    let before = next.state_before();
    before.apply(company);
    company.status = Some(next.status_before());
    // The office is that of the seat.
    let moves = |it: &Change| matches!(it, Change::Seat { .. });
    let has_moved = match &next.after {
        Some(after) => after.seat != before.seat,
        None => next.notice.changes.iter().any(moves),
    };
    if !has_moved {
        company.canton = next.canton;
    }
}

/// Puts what a publication says in the place of what the record said.
fn follow(company: &mut Company, publication: &Announced) {
    match (&publication.before, &publication.after) {
        (_, Some(after)) => after.apply(company),
        // A deletion describes the company as it was.
        (Some(before), None) if publication.deleted.is_some() => before.apply(company),
        _ => by_text(company, publication),
    }
    if company.name.is_empty() {
        company.name.clone_from(&publication.company_name);
    }
    remember(company, publication.former_names());
    if publication.canton.is_some() {
        company.canton = publication.canton;
    }
    let by_default = || status_by_default(company.status, &company.name);
    company.status = Some(publication.status().unwrap_or_else(by_default));
    for change in &publication.notice.changes {
        match change {
            Change::NewEntry | Change::ReEntry => company.deletion_date = None,
            // The office's own day of the deletion, where it says one, is not that of the publication.
            Change::Deletion => deleted(company, publication.deleted.unwrap_or(publication.date)),
            Change::OptingOut { waived } => company.auditor_opt_out = Some(*waived),
            Change::Combination { combination, party } => {
                let kind = match combination {
                    Combination::TakesOver => AffiliationKind::HasTakenOver,
                    Combination::IsTakenOverBy => AffiliationKind::WasTakenOverBy,
                    Combination::Demerger | Combination::AssetTransfer => continue,
                };
                let party = Affiliation { kind, uid: party.uid, name: party.name.clone() };
                if !company.affiliations.contains(&party) {
                    company.affiliations.push(party);
                }
            }
            _ => {}
        }
    }
    if let Some(day) = publication.deleted {
        deleted(company, day);
    }
}

/// The company bore these names. Each is remembered once, and none that it still bears.
fn remember(company: &mut Company, former: Vec<String>) {
    for name in former {
        let lists = company.old_names.iter().chain(&company.translations).flatten();
        let is_known = lists.chain([&company.name]).any(|it| is_one_name(it, &name));
        if !is_known {
            company.old_names.get_or_insert_default().push(name);
        }
    }
}

fn deleted(company: &mut Company, day: Date) {
    company.deletion_date = company.deletion_date.or(Some(day));
}

/// The members that a text states, where there are no blocks.
fn by_text(company: &mut Company, publication: &Announced) {
    if let Some(name) = &publication.notice.name {
        company.name.clone_from(name);
    }
    for change in &publication.notice.changes {
        match change {
            Change::Name { to } => company.name.clone_from(to),
            Change::Seat { to: Some(to), .. } => {
                let seat = State { seat: Some(to.clone()), ..State::default() };
                seat.apply(company);
            }
            Change::Purpose { to } => company.purpose = Some(to.clone()),
            Change::Capital {
                capital: CapitalKind::Shares | CapitalKind::Quotas,
                to,
                currency,
                ..
            } => {
                company.share_capital = Some(*to);
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
