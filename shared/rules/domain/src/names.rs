//! The names of a company, its officers and its parents, with which screening lists are compared.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use uuid::Uuid;

use crate::{Company, History, Lei, Uid, company::AffiliationKind, persons::Mandate};

/// Maximum number of other names of a company.
const MAX_OTHER_NAMES: usize = 20;

/// The names of a company, of its parents and of its current officers. The number is first: it begins each line of the artefact `names`.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RegisteredNames {
    /// Company number.
    pub uid: Uid,
    /// Name.
    pub name: String,
    /// Names in other languages, then former names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_names: Vec<String>,
    /// Legal entity identifier.
    pub lei: Option<Lei>,
    /// Parents that the record names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parents: Vec<ParentName>,
    /// Current officers and signatories, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub officers: Vec<OfficerName>,
}

/// The name of an entity, usually abroad, that consolidates a company.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ParentName {
    /// Legal entity identifier.
    pub lei: Lei,
    /// Name.
    pub name: String,
}

/// The name of an officer.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfficerName {
    /// Id of the person or firm.
    pub id: Uuid,
    /// Full name.
    pub name: String,
    /// Whether it is a firm or an authority, not a person.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_entity: bool,
    /// Company number of a registered firm.
    pub uid: Option<Uid>,
}

impl RegisteredNames {
    /// The names of a company, without officers.
    pub fn of(company: &Company) -> Self {
        let others = company.translations.iter().chain(&company.old_names).flatten();
        let others = others.filter(|it| **it != company.name).take(MAX_OTHER_NAMES).cloned();
        Self {
            uid: company.uid,
            name: company.name.clone(),
            other_names: others.collect(),
            lei: company.lei,
            parents: ParentName::of(company),
            officers: Vec::new(),
        }
    }

    /// Adds the current officers.
    #[must_use]
    pub fn with_officers(mut self, history: &History) -> Self {
        let mut officers: Vec<OfficerName> =
            history.current_mandates().map(OfficerName::of).collect();
        // Several offices, each with a mandate. The order of mandates is no difference.
        officers.sort_by(|one, other| (one.id, &one.name).cmp(&(other.id, &other.name)));
        officers.dedup_by_key(|it| it.id);
        self.officers = officers;
        self
    }
}

impl ParentName {
    /// The direct and the ultimate parent that the record names, each once. Those without a name are left out, and direct parents in
    /// the register; an ultimate parent in the register is compared as a company too.
    pub fn of(company: &Company) -> Vec<Self> {
        let mut of_direct =
            company.affiliations.iter().filter(|it| it.kind == AffiliationKind::ConsolidatedBy);
        let direct = of_direct.next().filter(|it| it.uid.is_none()).map(|it| &it.name);
        let named = [
            (company.direct_parent_lei, direct),
            (company.ultimate_parent_lei, company.ultimate_parent_name.as_ref()),
        ];
        let mut parents: Vec<Self> = Vec::new();
        for (lei, name) in named {
            let (Some(lei), Some(name)) = (lei, name) else { continue };
            if Some(lei) != company.lei && parents.iter().all(|it| it.lei != lei) {
                parents.push(Self { lei, name: name.clone() });
            }
        }
        parents
    }
}

impl OfficerName {
    /// The name of the holder of a mandate.
    pub fn of(mandate: &Mandate) -> Self {
        let person = &mandate.person;
        Self {
            id: mandate.person_id,
            name: person.full_name(),
            is_entity: person.is_entity(),
            uid: person.uid,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::company::Affiliation;

    #[test]
    fn names_are_the_present_ones_and_others_that_differ_from_it() {
        let uid: Uid = "CHE-107.787.577".parse().expect("a UID");
        let mut company = Company::new(uid, "Muster AG");
        company.translations = Some(vec!["Muster SA".to_owned(), "Muster AG".to_owned()]);
        company.old_names = Some(vec!["Probe AG".to_owned()]);
        let names = RegisteredNames::of(&company).with_officers(&History::default());
        assert_eq!(names.other_names, ["Muster SA", "Probe AG"]);
        let line = serde_json::to_string(&names).expect("plain data");
        assert_eq!(
            line,
            r#"{"uid":"CHE-107.787.577","name":"Muster AG","otherNames":["Muster SA","Probe AG"]}"#
        );
        assert_eq!(serde_json::from_str::<RegisteredNames>(&line).ok(), Some(names));
    }

    #[test]
    fn parents_are_those_with_a_name_each_once() {
        let uid: Uid = "CHE-107.787.577".parse().expect("a UID");
        let mut company = Company::new(uid, "Muster AG");
        let [direct, ultimate]: [Lei; 2] =
            ["549300AAAAAAAAAAAA08", "5493001KJTIIGC8Y1R12"].map(|it| it.parse().expect("an LEI"));
        company.direct_parent_lei = Some(direct);
        company.ultimate_parent_lei = Some(ultimate);
        company.ultimate_parent_name = Some("Top plc".to_owned());
        let parents = |it: &Company| {
            ParentName::of(it).into_iter().map(|it| (it.lei, it.name)).collect::<Vec<_>>()
        };
        assert_eq!(parents(&company), [(ultimate, "Top plc".to_owned())]);
        company.affiliations.push(Affiliation {
            kind: AffiliationKind::ConsolidatedBy,
            uid: None,
            name: "Middle Ltd".to_owned(),
        });
        assert_eq!(
            parents(&company),
            [(direct, "Middle Ltd".to_owned()), (ultimate, "Top plc".to_owned())]
        );
        company.ultimate_parent_lei = Some(direct);
        assert_eq!(parents(&company), [(direct, "Middle Ltd".to_owned())]);
    }
}
