//! Links from the commercial register: quotas, proprietors, partners, offices, branches and mergers.

use domain::{
    Amount, Company, Provenance, Uid,
    persons::{Holding, Mandate, RoleCategory},
    relationships::{CompanyRelation, Relation},
};
use jiff::civil::Date;

use crate::{Link, LinkKind, Party, Percent, Share, UnknownShare};

/// The capital of a company on the day for which the links are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capital<'a> {
    /// Nominal capital.
    pub amount: Amount,
    /// ISO 4217 code. `None` if unknown.
    pub currency: Option<&'a str>,
}

impl<'a> Capital<'a> {
    /// The capital in a record. `None` if the record does not state it.
    pub fn of(company: &'a Company) -> Option<Self> {
        let amount = company.share_capital?;
        Some(Self { amount, currency: company.currency.as_deref() })
    }
}

/// The share of the capital that partners of a limited liability company hold with these quotas. The nominal value of
/// a quota does not change when the capital does, so the capital is that of the day for which the share is wanted.
pub fn quota_share(holding: &Holding, capital: Option<Capital<'_>>) -> Share {
    let Some(total) = holding.total else { return Share::Unknown(UnknownShare::NotStated) };
    let Some(capital) = capital.filter(|it| it.amount > Amount::default()) else {
        return Share::Unknown(UnknownShare::CapitalUnknown);
    };
    if let (Some(one), Some(other)) = (holding.currency.as_deref(), capital.currency)
        && one != other
    {
        return Share::Unknown(UnknownShare::CurrenciesDiffer);
    }
    let (part, whole) = (total.ten_thousandths(), capital.amount.ten_thousandths());
    // Multiplying first keeps every share that is a whole percentage exact.
    let percent = Percent::new(part as f64 * 100.0 / whole as f64);
    percent.map_or(Share::Unknown(UnknownShare::NotStated), Share::Known)
}

/// Codes of partnerships in eCH-0097: general and limited partnerships, corporations with unlimited partners.
const PARTNERSHIPS: [&str; 4] = ["0103", "0104", "0105", "0114"];

/// Those of them that have limited partners.
const LIMITED_PARTNERSHIPS: [&str; 2] = ["0104", "0114"];

/// The links that the current mandates of a company state: its partners with their quotas, its proprietor, and the
/// persons in office. The record is that of the day for which the links are made.
pub fn of_mandates(company: &Company, mandates: &[Mandate]) -> Vec<Link> {
    let current = mandates.iter().filter(|it| it.is_current());
    current
        .flat_map(|mandate| {
            let links = ownership(company, mandate).into_iter().chain(offices(company, mandate));
            links.map(|(kind, share)| Link {
                owner: holder(mandate),
                owned: Party::Company(company.uid),
                kind,
                share,
                since: since(mandate, kind),
                source: mandate.source.clone(),
                confidence: mandate.confidence,
            })
        })
        .collect()
}

/// Publication date since which the holder of a mandate has the shares or the office.
fn since(mandate: &Mandate, kind: LinkKind) -> Option<Date> {
    match kind {
        // Who is a partner has shares, however many.
        LinkKind::Shares if mandate.holding.is_none() => {
            mandate.office_since(RoleCategory::Partner)
        }
        LinkKind::Shares => mandate.shares_since(),
        LinkKind::SoleProprietor => mandate.office_since(RoleCategory::Owner),
        LinkKind::Partnership => mandate.office_since(RoleCategory::Partner),
        LinkKind::Office(category) => mandate.office_since(category),
        _ => None,
    }
}

fn has_form(company: &Company, codes: &[&str]) -> bool {
    company.legal_form_code.as_deref().is_some_and(|it| codes.contains(&it))
}

/// What the mandate says about ownership.
fn ownership(company: &Company, mandate: &Mandate) -> Option<(LinkKind, Share)> {
    let is_partner = mandate.is_in(RoleCategory::Partner);
    match &mandate.holding {
        _ if mandate.is_in(RoleCategory::Owner) => {
            Some((LinkKind::SoleProprietor, Share::Known(Percent::WHOLE)))
        }
        _ if is_partner && has_form(company, &PARTNERSHIPS) => {
            Some((LinkKind::Partnership, Share::Unknown(UnknownShare::NotRegistered)))
        }
        Some(holding) => Some((LinkKind::Shares, quota_share(holding, Capital::of(company)))),
        None => is_partner.then_some((LinkKind::Shares, Share::Unknown(UnknownShare::NotStated))),
    }
}

/// The offices by which the person directs the company. Partners manage their company if nobody else is appointed (CO 535,
/// 809), but limited partners, who are entered with a sum, do not (CO 600).
fn offices(company: &Company, mandate: &Mandate) -> impl Iterator<Item = (LinkKind, Share)> {
    let partners_manage = mandate.holding.is_none() || !has_form(company, &LIMITED_PARTNERSHIPS);
    let directs = move |it: &RoleCategory| match it {
        RoleCategory::Board | RoleCategory::Management | RoleCategory::Liquidator => true,
        RoleCategory::Partner => partners_manage,
        RoleCategory::Owner
        | RoleCategory::Auditor
        | RoleCategory::Supervisor
        | RoleCategory::Signatory
        | RoleCategory::Other => false,
    };
    let office = |it| (LinkKind::Office(it), Share::Unknown(UnknownShare::NoShare));
    mandate.categories().filter(directs).map(office)
}

/// Who has the mandate.
pub fn holder(mandate: &Mandate) -> Party {
    match mandate.person.uid {
        Some(uid) => Party::Company(uid),
        None if mandate.person.is_entity() => Party::Firm(mandate.person_id),
        None => Party::Person(mandate.person_id),
    }
}

/// The links that the relations of a company to other companies state: head office, branches, mergers, and the direct
/// parent and subsidiaries as reported to GLEIF. A relation without a known source is left out, and partners, whom
/// [`of_mandates`] states.
pub fn of_relations(company: Uid, relations: &[CompanyRelation]) -> Vec<Link> {
    relations.iter().filter_map(|it| of_relation(company, it)).collect()
}

fn of_relation(company: Uid, relation: &CompanyRelation) -> Option<Link> {
    let source: Provenance = relation.source.clone()?;
    let this = Party::Company(company);
    let other =
        relation.uid.map_or_else(|| Party::firm_named(&relation.name, company), Party::Company);
    let is_owner =
        matches!(relation.relation, Relation::HeadOffice | Relation::Parent | Relation::Acquirer);
    let (owner, owned) = if is_owner { (other, this) } else { (this, other) };
    let (kind, share) = match relation.relation {
        // A branch is a part of its head office, and an absorbed company became part of the other (Merger Act 22).
        Relation::HeadOffice | Relation::BranchOffice => {
            (LinkKind::HeadOffice, Share::Known(Percent::WHOLE))
        }
        Relation::Acquired | Relation::Acquirer => (LinkKind::Merger, Share::Known(Percent::WHOLE)),
        Relation::Parent | Relation::Subsidiary => {
            (LinkKind::Consolidation, Share::Unknown(UnknownShare::NotStated))
        }
        // The mandates of the limited liability company state them, with the shares.
        Relation::QuotaHolder | Relation::Participation => return None,
    };
    Some(Link { owner, owned, kind, share, since: relation.since, source, confidence: 1.0 })
}
