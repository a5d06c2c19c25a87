//! The parents that a company reported to GLEIF.

use std::collections::BTreeSet;

use ::ownership::{
    Link, Party, ReportingException,
    links::gleif::{exceptions_of, of_group},
};
use domain::{
    Company, Lei, Provenance, Source, Uid,
    company::{AffiliationKind, ParentLevel},
    relationships::{Relation, relation_source},
    statements::{
        Statement,
        gleif::{Category, Exception, Group, Kind, RelatedEntity, Report},
    },
};
use facts::Fact;
use jiff::{civil::Date, tz::TimeZone};

use crate::subject::newest_with_group;

/// Links to the parents of a company, their names, and the reasons for naming none.
#[derive(Debug, Default)]
pub(super) struct ReportedGroup {
    pub(super) links: Vec<Link>,
    pub(super) names: Vec<(Party, String)>,
    /// Countries of entities, ISO 3166-1 alpha-2 codes.
    pub(super) countries: Vec<(Party, String)>,
    pub(super) exceptions: Vec<ReportingException>,
    /// What the entities abroad above the company report.
    pub(super) abroad: Vec<ReportAbroad>,
    /// Whether GLEIF names the head office.
    pub(super) names_head_office: bool,
}

/// What an entity abroad reported about its parents, as the record of one company repeats it.
#[derive(Clone, Debug)]
pub(super) struct ReportAbroad {
    pub(super) entity: Party,
    /// Day of the record. A changed report changes every record that repeats it.
    pub(super) date: Option<Date>,
    pub(super) links: Vec<Link>,
    pub(super) exceptions: Vec<ReportingException>,
    /// Whether parents may be missing.
    pub(super) is_incomplete: bool,
}

/// What GLEIF states about the owners of a company, about the entities abroad that it owns, and about the parents of its parents
/// abroad: so a chain that leads abroad, and back, is followed. The record says which statements are valid, and `facts`, the facts
/// of GLEIF up to the same day, add what the record does not contain: the start of a relationship, names, the head office, and
/// what other entities report.
pub(super) fn reported_group(
    company: &Company,
    facts: &[Fact],
    uid_of: &impl Fn(Lei) -> Option<Uid>,
) -> ReportedGroup {
    let mut reported = ReportedGroup::default();
    let own = company.lei;
    let this = Party::Company(company.uid);
    let direct = company.direct_parent_lei.filter(|it| Some(*it) != own);
    let ultimate = company.ultimate_parent_lei.filter(|it| Some(*it) != own);
    let described = |lei: Lei, kind: Kind| describe(company, facts, lei, kind, uid_of);
    if let Some(lei) = direct {
        let (entity, source) = described(lei, Kind::DirectParent);
        let entity = RelatedEntity { percentage: company.direct_parent_percentage, ..entity };
        reported.add(this, Group { direct_parent: Some(entity), ..Group::default() }, &source);
    }
    if let Some(lei) = ultimate.filter(|it| Some(*it) != direct) {
        let (entity, source) = described(lei, Kind::UltimateParent);
        reported.add(this, Group { ultimate_parent: Some(entity), ..Group::default() }, &source);
    }
    if let Some((entity, source)) = head_office(company, facts, uid_of) {
        reported.add(this, Group { head_office: Some(entity), ..Group::default() }, &source);
        reported.names_head_office = true;
    }
    // A company in the register reports its parents itself.
    let is_abroad = |lei: Lei| uid_of(lei).is_none();
    if let Some((fact, _, group)) = newest_with_group(company, facts) {
        let source = fact.provenance();
        let children = group.children.iter().filter(|it| it.uid.is_none() && is_abroad(it.lei));
        let children = children.cloned().collect();
        reported.add(this, Group { children, ..Group::default() }, &source);
        for parent in group.parents_abroad.iter().filter(|it| is_abroad(it.lei)) {
            let identified = |it: &RelatedEntity| RelatedEntity {
                uid: it.uid.or_else(|| uid_of(it.lei)),
                ..it.clone()
            };
            let above = Group {
                direct_parent: parent.direct_parent.as_ref().map(identified),
                ultimate_parent: parent.ultimate_parent.as_ref().map(identified),
                exceptions: parent.exceptions.clone(),
                ..Group::default()
            };
            let entity = Party::Foreign(parent.lei);
            // Names the entity that reports, and not the company whose record repeats it.
            let source = Provenance { reference: Some(parent.lei.to_string()), ..source.clone() };
            reported.abroad.push(ReportAbroad {
                entity,
                date: source.date,
                links: of_group(entity, &above, &source),
                exceptions: exceptions_of(&above, &source),
                is_incomplete: parent.is_incomplete,
            });
            reported.describe(&above);
        }
    }
    reported.exceptions = exceptions(company);
    reported
}

impl ReportedGroup {
    /// Adds what an entity reports.
    fn add(&mut self, entity: Party, group: Group, source: &Provenance) {
        self.links.extend(of_group(entity, &group, source));
        self.describe(&group);
    }

    /// Adds the names and countries of the members of a group.
    fn describe(&mut self, group: &Group) {
        let parents = [&group.direct_parent, &group.ultimate_parent, &group.head_office];
        for related in parents.into_iter().flatten().chain(&group.children) {
            let party = Party::entity(related.uid, related.lei);
            // A jurisdiction can be a part of a country, such as `US-DE`.
            let country = related.jurisdiction.as_deref().and_then(|it| it.split('-').next());
            self.countries.extend(country.map(|it| (party, it.to_owned())));
            self.names.extend(related.name.clone().map(|name| (party, name)));
        }
    }
}

/// The entities that a company, or an entity above it, names as parents or head office.
pub(super) fn named_entities(company: &Company, facts: &[Fact]) -> BTreeSet<Lei> {
    let head_offices = stated(company, facts, Kind::HeadOffice).into_iter().map(|it| it.0.lei);
    let parents = [company.direct_parent_lei, company.ultimate_parent_lei];
    let newest = newest_with_group(company, facts);
    let above = newest.into_iter().flat_map(|it| &it.2.parents_abroad).flat_map(|it| {
        let parents = [&it.direct_parent, &it.ultimate_parent];
        parents.into_iter().flatten().map(|it| it.lei).chain([it.lei])
    });
    parents.into_iter().flatten().chain(head_offices).chain(above).collect()
}

/// An entity that the record names, with what the newest fact about it states.
fn describe(
    company: &Company,
    facts: &[Fact],
    lei: Lei,
    kind: Kind,
    uid_of: &impl Fn(Lei) -> Option<Uid>,
) -> (RelatedEntity, Provenance) {
    let stated = stated(company, facts, kind);
    let stated = stated.into_iter().filter(|(it, _)| it.lei == lei);
    let stated: Vec<(RelatedEntity, Provenance)> = stated.collect();
    // The official files of relationships have no names and jurisdictions.
    let name = stated.iter().rev().find_map(|(it, _)| it.name.clone());
    let jurisdiction = stated.iter().rev().find_map(|(it, _)| it.jurisdiction.clone());
    let (newest, source) = match stated.into_iter().next_back() {
        Some(newest) => newest,
        None => {
            let entity = RelatedEntity {
                lei,
                name: None,
                jurisdiction: None,
                uid: None,
                since: None,
                percentage: None,
            };
            (entity, record_source(company))
        }
    };
    let name = name.or_else(|| name_in_record(company, kind));
    let uid = newest.uid.or_else(|| uid_of(lei));
    (RelatedEntity { name, jurisdiction, uid, ..newest }, source)
}

/// Every entity that facts name in this role, the newest last.
fn stated(company: &Company, facts: &[Fact], kind: Kind) -> Vec<(RelatedEntity, Provenance)> {
    let mut facts: Vec<&Fact> = facts.iter().collect();
    facts.sort_by(|one, other| one.order().cmp(&other.order()));
    let entity = |fact: &Fact| match &fact.statement {
        Statement::Gleif(entity) if Some(entity.lei) == company.lei => {
            let group = entity.group.as_ref()?;
            match kind {
                Kind::DirectParent => group.direct_parent.clone(),
                Kind::UltimateParent => group.ultimate_parent.clone(),
                Kind::HeadOffice => group.head_office.clone(),
                Kind::FundManager | Kind::UmbrellaFund | Kind::MasterFund => None,
            }
        }
        Statement::GleifReport(report) => match &**report {
            Report::Relationship(it)
                if Some(it.child) == company.lei && it.kind == kind && it.is_active() =>
            {
                Some(RelatedEntity {
                    lei: it.parent,
                    name: None,
                    jurisdiction: None,
                    uid: None,
                    since: it.since(),
                    percentage: it.percentage,
                })
            }
            Report::Relationship(_) | Report::Exception(_) => None,
        },
        _ => None,
    };
    facts.into_iter().filter_map(|it| Some((entity(it)?, it.provenance()))).collect()
}

/// The head office of a branch of a foreign company, which the record does not contain. An ended relationship outweighs an
/// older statement of it.
fn head_office(
    company: &Company,
    facts: &[Fact],
    uid_of: &impl Fn(Lei) -> Option<Uid>,
) -> Option<(RelatedEntity, Provenance)> {
    let lei = stated(company, facts, Kind::HeadOffice).pop()?.0.lei;
    let (entity, source) = describe(company, facts, lei, Kind::HeadOffice, uid_of);
    let has_ended = facts.iter().any(|fact| match &fact.statement {
        Statement::GleifReport(report) => match &**report {
            Report::Relationship(it) => {
                it.parent == lei
                    && it.kind == Kind::HeadOffice
                    && !it.is_active()
                    && fact.published >= source.date
            }
            Report::Exception(_) => false,
        },
        _ => false,
    });
    (!has_ended).then_some((entity, source))
}

fn name_in_record(company: &Company, kind: Kind) -> Option<String> {
    match kind {
        Kind::DirectParent => {
            let mut parents =
                company.affiliations.iter().filter(|it| it.kind == AffiliationKind::ConsolidatedBy);
            parents.next().map(|it| it.name.clone())
        }
        Kind::UltimateParent => company.ultimate_parent_name.clone(),
        Kind::HeadOffice | Kind::FundManager | Kind::UmbrellaFund | Kind::MasterFund => None,
    }
}

fn exceptions(company: &Company) -> Vec<ReportingException> {
    let Some(lei) = company.lei else { return Vec::new() };
    let exception = |parent: ParentLevel, reasons: &[String]| Exception {
        lei,
        category: match parent {
            ParentLevel::Direct => Category::DirectParent,
            ParentLevel::Ultimate => Category::UltimateParent,
        },
        reasons: reasons.to_vec(),
        references: Vec::new(),
    };
    let reported = company.parent_exceptions.iter();
    let exceptions = reported.map(|it| exception(it.parent, &it.reasons)).collect();
    exceptions_of(&Group { exceptions, ..Group::default() }, &record_source(company))
}

/// The source of what the record contains from GLEIF.
fn record_source(company: &Company) -> Provenance {
    relation_source(company, Relation::Parent).unwrap_or_else(|| Provenance {
        source: Source::Gleif.name().to_owned(),
        reference: company.lei.map(|it| it.to_string()),
        date: company.gleif_parent_enriched_at.map(|it| it.to_zoned(TimeZone::UTC).date()),
    })
}

#[cfg(test)]
mod tests {
    use ::ownership::LinkKind;
    use domain::statements::{
        CompanyStatement,
        gleif::{Entity, ParentAbroad},
    };
    use jiff::civil::date;

    use super::*;

    const OWN: &str = "5493001KJTIIGC8Y1R12";
    const ABROAD: &str = "549300AAAAAAAAAAAA08";
    /// Of a company in the register, which GLEIF does not say.
    const SWISS: &str = "529900AAAAAAAAAAAA08";

    fn child(uid: Option<&str>) -> RelatedEntity {
        RelatedEntity {
            lei: ABROAD.parse().expect("valid"),
            name: Some("Holding plc".into()),
            jurisdiction: None,
            uid: uid.map(|it| it.parse().expect("a company number")),
            since: None,
            percentage: Some(80.0),
        }
    }

    fn links(group: Group) -> Vec<Link> {
        let uid = "CHE-600.000.012".parse().expect("a company number");
        let mut company = Company::new(uid, "Muster AG");
        company.lei = OWN.parse().ok();
        let lei = |it: &Option<RelatedEntity>| it.as_ref().map(|it| it.lei);
        company.direct_parent_lei = lei(&group.direct_parent);
        company.ultimate_parent_lei = lei(&group.ultimate_parent);
        let entity = Entity {
            lei: OWN.parse().expect("valid"),
            legal_name: "Muster AG".into(),
            other_names: BTreeSet::new(),
            jurisdiction: None,
            registered_at: None,
            registered_as: None,
            legal_form: None,
            category: None,
            status: None,
            creation_date: None,
            successor: None,
            registration_status: None,
            initial_registration: None,
            last_update: None,
            next_renewal: None,
            isins: BTreeSet::new(),
            has_many_isins: false,
            group: Some(group),
        };
        let fact = Fact::from(CompanyStatement {
            uid,
            source: Source::Gleif,
            published: Some(date(2026, 3, 2)),
            statement: Statement::Gleif(Box::new(entity)),
        });
        let swiss = |lei: Lei| (lei.to_string() == SWISS).then(|| "CHE-600.000.029".parse().ok());
        let reported = reported_group(&company, &[fact], &|it| swiss(it).flatten());
        let abroad = reported.abroad.into_iter().flat_map(|it| it.links);
        reported.links.into_iter().chain(abroad).collect()
    }

    fn with_child(child: RelatedEntity) -> Group {
        Group { children: vec![child], ..Group::default() }
    }

    #[test]
    fn entities_abroad_are_owned_by_the_company_that_they_reported() {
        let found = links(with_child(child(None)));
        let [link] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(link.owner.to_string(), "CHE-600.000.012");
        assert_eq!(link.owned.to_string(), format!("LEI:{ABROAD}"));
        assert_eq!(link.kind, LinkKind::Consolidation);
        assert_eq!(link.share.known().map(|it| it.get()), Some(80.0));
    }

    #[test]
    fn companies_in_the_register_report_their_parents_themselves() {
        assert_eq!(links(with_child(child(Some("CHE-600.000.029")))), []);
    }

    #[test]
    fn parents_of_a_parent_abroad_are_followed_back_into_the_register() {
        let swiss = RelatedEntity { lei: SWISS.parse().expect("valid"), ..child(None) };
        let above = ParentAbroad {
            lei: ABROAD.parse().expect("valid"),
            direct_parent: Some(swiss.clone()),
            ultimate_parent: Some(swiss),
            exceptions: Vec::new(),
            is_incomplete: false,
        };
        let itself = ParentAbroad { lei: SWISS.parse().expect("valid"), ..above.clone() };
        let found = links(Group {
            direct_parent: Some(child(None)),
            parents_abroad: vec![above, itself],
            ..Group::default()
        });
        let found: Vec<String> =
            found.iter().map(|it| format!("{} > {} {:?}", it.owner, it.owned, it.kind)).collect();
        assert_eq!(
            found,
            [
                format!("LEI:{ABROAD} > CHE-600.000.012 Consolidation"),
                format!("CHE-600.000.029 > LEI:{ABROAD} Consolidation"),
            ]
        );
    }
}
