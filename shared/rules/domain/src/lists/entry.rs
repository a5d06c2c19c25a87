use std::collections::BTreeSet;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::lists::{
    BirthDate, List, ListAddress, ListIdentifier, ListName, ListPosition, ListRelation, Programme,
};

/// What an entry is.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// A natural person.
    Person,
    /// A company, authority or other organisation.
    Organisation,
    /// A ship.
    Vessel,
    /// An aircraft.
    Aircraft,
    /// Something else, or the list does not state whether it is a person or an organisation.
    Other,
}

/// Gender of a person, as a list states it.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Gender {
    /// Female.
    Female,
    /// Male.
    Male,
    /// Another gender.
    Other,
}

/// An entry of a screening list: everything that the list states about one person, organisation or object.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListEntry {
    /// Identifier of the entry in its list. Stays the same in all versions of the list.
    pub id: String,
    /// The list.
    pub list: List,
    /// What the entry is.
    pub kind: EntryKind,
    /// All names, primary names first. Empty only for objects that have an identifier instead.
    #[serde(default)]
    pub names: BTreeSet<ListName>,
    /// Birth dates of a person, or founding dates of an organisation.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub birth_dates: BTreeSet<BirthDate>,
    /// Birth places, as stated.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub birth_places: BTreeSet<String>,
    /// Genders that the list states. More than one only if it contradicts itself.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub genders: BTreeSet<Gender>,
    /// Nationalities: ISO 3166-1 alpha-2 codes, or names where the list states no code.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub nationalities: BTreeSet<String>,
    /// Other countries to which the entry is linked, such as its jurisdiction or flag. Codes as in `nationalities`.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub countries: BTreeSet<String>,
    /// Numbers and codes that identify the entry.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub identifiers: BTreeSet<ListIdentifier>,
    /// Addresses.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub addresses: BTreeSet<ListAddress>,
    /// Websites, as stated.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub websites: BTreeSet<String>,
    /// Programmes of sanctions, or kinds of licences.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub programmes: BTreeSet<Programme>,
    /// Reasons for the listing, in the words of the list.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub reasons: BTreeSet<String>,
    /// Other information, in the words of the list.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub remarks: BTreeSet<String>,
    /// Offices and functions, such as those of politically exposed persons.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub positions: BTreeSet<ListPosition>,
    /// Relations to other entries.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub relations: BTreeSet<ListRelation>,
    /// Why the entry is of interest: topics of FollowTheMoney, such as `sanction`, `role.pep` (politically exposed
    /// person), `role.rca` (relative or close associate of one), `reg.warn`. Empty if the format states none.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub topics: BTreeSet<String>,
    /// Datasets within the list in which the entry is, such as `eu_fsf`.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub datasets: BTreeSet<String>,
    /// Identifiers that the entry has or had elsewhere, such as `ch-seco-54575`.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub other_ids: BTreeSet<String>,
    /// Members of the list's record that could not be read, under the names that they have there. The entry does not have what they
    /// state. Empty if the whole record was read.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub unreadable: BTreeSet<String>,
    /// Day since which the entry is listed without interruption, or the day on which the list first had it.
    pub listed: Option<Date>,
    /// Day of the latest change that the list states.
    pub changed: Option<Date>,
    /// Page about the entry. Absent if the list states none.
    pub source_url: Option<String>,
}

impl ListEntry {
    /// An entry about which nothing else is known.
    pub fn new(list: List, id: &str, kind: EntryKind) -> Self {
        Self {
            id: id.to_owned(),
            list,
            kind,
            names: BTreeSet::new(),
            birth_dates: BTreeSet::new(),
            birth_places: BTreeSet::new(),
            genders: BTreeSet::new(),
            nationalities: BTreeSet::new(),
            countries: BTreeSet::new(),
            identifiers: BTreeSet::new(),
            addresses: BTreeSet::new(),
            websites: BTreeSet::new(),
            programmes: BTreeSet::new(),
            reasons: BTreeSet::new(),
            remarks: BTreeSet::new(),
            positions: BTreeSet::new(),
            relations: BTreeSet::new(),
            topics: BTreeSet::new(),
            datasets: BTreeSet::new(),
            other_ids: BTreeSet::new(),
            unreadable: BTreeSet::new(),
            listed: None,
            changed: None,
            source_url: None,
        }
    }

    /// The name to show: a primary name, or else the best of the others. `None` if there is no name.
    pub fn name(&self) -> Option<&str> {
        self.names.first().map(|it| it.text.as_str())
    }

    /// Whether the entry is subject to sanctions. Entries that are only linked to one are not.
    pub fn is_sanctioned(&self) -> bool {
        self.topics.contains("sanction")
    }

    /// Whether the entry is or was a politically exposed person.
    pub fn is_politically_exposed(&self) -> bool {
        self.topics.iter().any(|it| it == "role.pep" || it.starts_with("role.pep."))
    }

    /// Whether the entry is a relative or close associate of a politically exposed person.
    pub fn is_relative_or_associate(&self) -> bool {
        self.topics.contains("role.rca")
    }

    /// Adds everything that another record states about the same entry. The order in which records are merged
    /// does not change the result. Of a name that is stated with several weights, the highest counts.
    pub fn merge(&mut self, other: Self) {
        self.kind = self.kind.min(other.kind);
        self.names.extend(other.names);
        self.birth_dates.extend(other.birth_dates);
        self.birth_places.extend(other.birth_places);
        self.genders.extend(other.genders);
        self.nationalities.extend(other.nationalities);
        self.countries.extend(other.countries);
        self.identifiers.extend(other.identifiers);
        self.addresses.extend(other.addresses);
        self.websites.extend(other.websites);
        self.programmes.extend(other.programmes);
        self.reasons.extend(other.reasons);
        self.remarks.extend(other.remarks);
        self.positions.extend(other.positions);
        self.relations.extend(other.relations);
        self.topics.extend(other.topics);
        self.datasets.extend(other.datasets);
        self.other_ids.extend(other.other_ids);
        self.unreadable.extend(other.unreadable);
        self.listed = self.listed.into_iter().chain(other.listed).min();
        self.changed = self.changed.max(other.changed);
        self.source_url = self.source_url.take().into_iter().chain(other.source_url).min();
        self.keep_best_names();
    }

    /// Removes names that are also stated with a higher weight. Readers call it for every entry.
    pub fn keep_best_names(&mut self) {
        let mut known = BTreeSet::new();
        // The best weight comes first in the set. Of equal weights, the name with language and script is kept.
        let names = std::mem::take(&mut self.names).into_iter();
        let mut by_weight: Vec<ListName> = names.collect();
        by_weight.sort_by(|one, other| {
            let key = |it: &ListName| (it.quality, it.text.clone());
            key(one)
                .cmp(&key(other))
                .then_with(|| other.script.is_some().cmp(&one.script.is_some()))
                .then_with(|| other.language.is_some().cmp(&one.language.is_some()))
        });
        self.names = by_weight.into_iter().filter(|it| known.insert(it.text.clone())).collect();
    }
}

#[cfg(test)]
pub(super) mod tests {
    use jiff::civil::date;
    use proptest::{collection::btree_set, prelude::*, sample::select};

    use super::*;
    use crate::lists::NameQuality::{Alias, Primary, Weak};

    fn entry() -> ListEntry {
        ListEntry::new(List::Seco, "1", EntryKind::Person)
    }

    #[test]
    fn absent_members_are_omitted() {
        let json = serde_json::to_value(entry()).expect("plain data");
        assert_eq!(
            json,
            serde_json::json!({"id": "1", "list": "seco", "kind": "person", "names": []})
        );
        let read: ListEntry = serde_json::from_value(json).expect("the same");
        assert_eq!(read, entry());
    }

    #[test]
    fn primary_name_is_shown() {
        let mut entry = entry();
        assert_eq!(entry.name(), None);
        entry.names = [ListName::new(Weak, "A"), ListName::new(Alias, "C")].into();
        assert_eq!(entry.name(), Some("C"));
        entry.names.insert(ListName::new(Primary, "Z"));
        assert_eq!(entry.name(), Some("Z"));
    }

    #[test]
    fn repeated_name_keeps_its_highest_weight() {
        let cyrillic = |quality| ListName {
            script: Some("Cyrl".into()),
            ..ListName::new(quality, "Анна")
        };
        let mut one = entry();
        one.names =
            [cyrillic(Weak), ListName::new(Alias, "Анна"), ListName::new(Weak, "Anna")].into();
        let mut other = entry();
        other.names = [cyrillic(Alias)].into();
        one.merge(other);
        assert_eq!(one.names, [cyrillic(Alias), ListName::new(Weak, "Anna")].into());
    }

    #[test]
    fn merged_entry_has_the_first_listing_and_the_last_change() {
        let dated = |listed, changed| ListEntry { listed, changed, ..entry() };
        let (early, late) = (Some(date(2020, 1, 1)), Some(date(2021, 1, 1)));
        let mut merged = dated(late, early);
        merged.merge(dated(early, late));
        merged.merge(dated(None, None));
        assert_eq!((merged.listed, merged.changed), (early, late));
    }

    #[test]
    fn topics_tell_sanctions_offices_and_relatives_apart() {
        let with = |topic: &str| ListEntry { topics: [topic.to_owned()].into(), ..entry() };
        assert!(with("sanction").is_sanctioned() && !with("sanction.linked").is_sanctioned());
        assert!(with("role.pep").is_politically_exposed());
        assert!(with("role.pep.frmr").is_politically_exposed());
        assert!(with("role.rca").is_relative_or_associate());
        assert!(!with("role.rca").is_politically_exposed());
    }

    /// Entries with the same id that state different things.
    pub(in crate::lists) fn any_entry() -> impl Strategy<Value = ListEntry> {
        let kind = select(vec![EntryKind::Person, EntryKind::Organisation, EntryKind::Other]);
        let script = select(vec![None, Some("Cyrl".to_owned())]);
        let name = ("[ab]{1,2}", select(vec![Primary, Alias, Weak]), script).prop_map(
            |(text, quality, script)| ListName { script, ..ListName::new(quality, &text) },
        );
        let topics = btree_set(select(vec!["sanction".to_owned(), "role.pep".to_owned()]), 0..2);
        let parts =
            (kind, btree_set(name, 0..4), topics, select(vec![None, Some(2020), Some(2021)]));
        parts.prop_map(|(kind, names, topics, year)| {
            let listed = year.map(|it| date(it, 1, 1));
            ListEntry { kind, names, topics, listed, changed: listed, ..entry() }
        })
    }

    proptest! {
        #[test]
        fn order_of_merging_does_not_matter(mut entries in prop::collection::vec(any_entry(), 1..5)) {
            let merged = |entries: &[ListEntry]| {
                let mut all = entries[0].clone();
                all.keep_best_names();
                entries[1..].iter().for_each(|it| all.merge(it.clone()));
                all
            };
            let forward = merged(&entries);
            entries.reverse();
            prop_assert_eq!(&merged(&entries), &forward);
            let mut again = forward.clone();
            again.merge(forward.clone());
            prop_assert_eq!(again, forward);
        }
    }
}
