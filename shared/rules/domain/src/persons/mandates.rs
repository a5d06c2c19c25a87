//! Mandates: the offices and signing rights that persons hold or held in companies.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{Person, RoleCategory, SigningAuthority};
use crate::{Amount, Canton, Company, Provenance, Status, Uid};

/// Shares of the company that a partner holds.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Holding {
    /// Description, as published.
    pub text: String,
    /// Number of shares. Absent if the description does not state it.
    pub count: Option<u64>,
    /// Nominal value of one share, in units of `currency`. Absent if the description does not state it, or if the shares
    /// have different values.
    #[serde(default)]
    pub nominal_value: Option<Amount>,
    /// Nominal value of all shares, in units of `currency`. Absent if the description does not state it.
    pub total: Option<Amount>,
    /// Currency of the values: ISO 4217 code.
    pub currency: Option<String>,
}

/// A period in which a partner held the same shares, with the same share of the capital.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HoldingPeriod {
    /// Number of shares. Absent if it is not published.
    pub count: Option<u64>,
    /// Nominal value of one share, in units of `currency`. Absent if it is not published, or if the shares have different
    /// values.
    pub nominal_value: Option<Amount>,
    /// Nominal value of all shares, in units of `currency`. Absent if it is not published.
    pub total: Option<Amount>,
    /// Currency of the values: ISO 4217 code.
    pub currency: Option<String>,
    /// Share of the nominal capital in this period, in percent. Absent if it cannot be calculated.
    pub percentage: Option<f64>,
    /// Date of the publication with which the period begins. Absent if no known publication states it.
    pub since: Option<Date>,
    /// Publication date of the end: on this day the holder no longer has these shares. Absent while they are held.
    pub until: Option<Date>,
    /// Publication with which the period begins.
    pub source: Provenance,
}

impl HoldingPeriod {
    /// The period that begins with this holding.
    pub fn of(
        holding: &Holding,
        percentage: Option<f64>,
        since: Option<Date>,
        source: Provenance,
    ) -> Self {
        let Holding { count, nominal_value, total, currency, .. } = holding.clone();
        Self { count, nominal_value, total, currency, percentage, since, until: None, source }
    }

    /// Whether both are the same shares, at any time and of any capital.
    pub fn has_same_shares(&self, other: &Self) -> bool {
        let shares = |it: &Self| (it.count, it.nominal_value, it.total, it.currency.clone());
        shares(self) == shares(other)
    }
}

/// An office or signing right that a person holds or held in one company.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Mandate {
    /// Id from [`Person::identity`] at the first entry. It does not change when the person moves.
    pub person_id: Uuid,
    /// Confidence in the identity, 0 to 1.
    pub confidence: f64,
    /// The person, as in the latest publication.
    pub person: Person,
    /// Role, as published; the signature if there is no office.
    pub role: String,
    /// Category of the role; the first of several.
    pub category: RoleCategory,
    /// The other categories of a role that consists of several offices, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_categories: Vec<RoleCategory>,
    /// Signature, as published.
    pub signature: Option<String>,
    /// Signing authority.
    pub signing_authority: Option<SigningAuthority>,
    /// Shares of the company that the person holds now, or held last.
    pub holding: Option<Holding>,
    /// The periods in which a partner of a limited liability company held shares, the earliest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holdings: Vec<HoldingPeriod>,
    /// Publication date of the entry. Absent if no known publication states it.
    pub since: Option<Date>,
    /// Publication date of the deletion. Absent while the mandate is current.
    pub until: Option<Date>,
    /// Publication of the entry, on the day of `since`. Absent if it is not known.
    #[serde(default)]
    pub entry_source: Option<Provenance>,
    /// Publication since which the person has this role: that of the entry, or of the latest change of the role. Absent if it
    /// is not known, because the first known publication only repeats or changes the entry.
    #[serde(default)]
    pub role_source: Option<Provenance>,
    /// Those of the categories that the person had before `role_source`, sorted: it began only the other ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier_categories: Vec<RoleCategory>,
    /// Publication since which the person signs this way: that of the entry, or of the latest change of the signature. Absent if
    /// it is not known.
    #[serde(default)]
    pub signature_source: Option<Provenance>,
    /// Latest publication that supports this entry.
    pub source: Provenance,
}

impl Mandate {
    /// All categories of the role, the first of which is [`category`](Self::category).
    pub fn categories(&self) -> impl Iterator<Item = RoleCategory> {
        std::iter::once(self.category).chain(self.other_categories.iter().copied())
    }

    /// Whether one of its offices is of this category.
    pub fn is_in(&self, category: RoleCategory) -> bool {
        self.categories().any(|it| it == category)
    }

    /// Whether one of its offices is on the board or in the management.
    pub fn leads(&self) -> bool {
        self.is_in(RoleCategory::Board) || self.is_in(RoleCategory::Management)
    }

    /// Whether the person is the proprietor or a partner, or has shares of the company.
    pub fn owns(&self) -> bool {
        self.is_in(RoleCategory::Owner)
            || self.is_in(RoleCategory::Partner)
            || self.holding.is_some()
    }

    /// Whether the mandate has not ended.
    pub fn is_current(&self) -> bool {
        self.until.is_none()
    }

    /// Publication date since which the person has this role.
    pub fn role_since(&self) -> Option<Date> {
        self.role_source.as_ref()?.date
    }

    /// Publication date since which the person signs this way.
    pub fn signature_since(&self) -> Option<Date> {
        self.signature_source.as_ref()?.date
    }

    /// Publication date since which the person has an office of this category. `None` if it is not known: the latest change of the
    /// role did not begin it.
    pub fn office_since(&self, category: RoleCategory) -> Option<Date> {
        let role_since = self.role_since();
        let is_earlier = self.earlier_categories.contains(&category) && role_since != self.since;
        role_since.filter(|_| !is_earlier)
    }

    /// Publication date since which a partner has shares. Their part of the capital can have changed since.
    /// `None` if it is not known, or if the person has none.
    pub fn shares_since(&self) -> Option<Date> {
        let mut first = self.holdings.last().filter(|it| it.until.is_none())?;
        for earlier in self.holdings.iter().rev().skip(1) {
            if !earlier.has_same_shares(first) || earlier.until != first.since {
                break;
            }
            first = earlier;
        }
        first.since
    }

    /// What the latest publication did to the mandate.
    pub fn last_action(&self) -> MandateAction {
        match (self.until, self.since == self.source.date) {
            (Some(_), _) => MandateAction::Left,
            (None, true) => MandateAction::Entered,
            (None, false) => MandateAction::Changed,
        }
    }
}

/// What a publication did to a role: `entered` (it began), `changed` or `left` (it ended).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MandateAction {
    /// The mandate began.
    Entered,
    /// Role, signature or person changed.
    Changed,
    /// The mandate ended.
    Left,
}

/// A mandate together with its company.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Role {
    /// Company number.
    pub company: Uid,
    /// Name of the company.
    pub company_name: String,
    /// Canton of the company's seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canton: Option<Canton>,
    /// Status of the company.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub company_status: Option<Status>,
    /// The mandate.
    pub mandate: Mandate,
}

impl Role {
    /// A mandate in this company.
    pub fn new(company: &Company, mandate: Mandate) -> Self {
        Self {
            company: company.uid,
            company_name: company.name.clone(),
            canton: company.canton,
            company_status: company.status,
            mandate,
        }
    }
}

/// A person or firm with a current role in a company.
#[derive(Clone, Debug, PartialEq)]
pub struct Officer {
    /// Id of the person.
    pub id: Uuid,
    /// Full name.
    pub name: String,
    /// Whether this is a firm or an authority, not a person.
    pub is_entity: bool,
    /// Company number of a registered firm.
    pub uid: Option<Uid>,
    /// All current roles, in any company.
    pub roles: Vec<Role>,
}

/// An officer with a role in each of these companies, for tests.
#[cfg(test)]
pub(crate) fn officer_of(id: u128, companies: &[u32]) -> Officer {
    let person = Person { last_name: format!("Person {id}"), ..Person::default() };
    let role = |number: &u32| {
        let uid = Uid::from_number(*number).expect("nine digits");
        let mandate = Mandate {
            person_id: Uuid::from_u128(id),
            confidence: 0.95,
            person: person.clone(),
            role: "Mitglied".into(),
            category: RoleCategory::Board,
            other_categories: Vec::new(),
            signature: None,
            signing_authority: None,
            holding: None,
            holdings: Vec::new(),
            since: None,
            until: None,
            entry_source: None,
            role_source: None,
            earlier_categories: Vec::new(),
            signature_source: None,
            source: Provenance {
                source: "shab".into(),
                reference: Some(number.to_string()),
                date: None,
            },
        };
        Role::new(&Company::new(uid, format!("Firma {number}")), mandate)
    };
    Officer {
        id: Uuid::from_u128(id),
        name: person.full_name(),
        is_entity: false,
        uid: None,
        roles: companies.iter().map(role).collect(),
    }
}
