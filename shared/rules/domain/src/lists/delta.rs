use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use crate::lists::{ListEntry, ListPosition, Programme};

/// A part of an entry on which the result of a screening depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Aspect {
    /// The names, their weights and spellings.
    Names,
    /// The birth dates.
    BirthDates,
    /// The nationalities.
    Nationalities,
    /// The identifiers.
    Identifiers,
    /// The programmes. A new wording of a programme that has an identifier does not count.
    Programmes,
    /// What the entry is.
    Kind,
    /// The other countries to which it is linked.
    Countries,
    /// Why the entry is of interest. For example, a politically exposed person is now also sanctioned.
    Topics,
    /// The offices. Their days do not count, nor whether the person is in office: lists correct them often.
    Positions,
}

impl Aspect {
    /// Every aspect.
    pub const ALL: [Self; 9] = [
        Self::Names,
        Self::BirthDates,
        Self::Nationalities,
        Self::Identifiers,
        Self::Programmes,
        Self::Kind,
        Self::Countries,
        Self::Topics,
        Self::Positions,
    ];

    /// What the entry states about this aspect, as canonical JSON.
    fn of(self, entry: &ListEntry) -> Vec<u8> {
        match self {
            Self::Names => json(&entry.names),
            Self::BirthDates => json(&entry.birth_dates),
            Self::Nationalities => json(&entry.nationalities),
            Self::Identifiers => json(&entry.identifiers),
            Self::Programmes => {
                json(&entry.programmes.iter().map(identity).collect::<BTreeSet<_>>())
            }
            Self::Kind => json(&entry.kind),
            Self::Countries => json(&entry.countries),
            Self::Topics => json(&entry.topics),
            Self::Positions => {
                let office = |it: &'_ ListPosition| (it.title.clone(), it.country.clone());
                json(&entry.positions.iter().map(office).collect::<BTreeSet<_>>())
            }
        }
    }
}

/// What distinguishes a programme from others: its identifiers, or its names if it has none.
fn identity(programme: &Programme) -> Programme {
    if programme.id.is_none() && programme.measure_id.is_none() {
        return programme.clone();
    }
    let (id, measure_id) = (programme.id.clone(), programme.measure_id.clone());
    Programme { id, measure_id, ..Programme::default() }
}

/// The aspects in which two versions of an entry differ. Empty if a screening of the new version has the same result:
/// other changes, such as a new address or wording of the reasons, are not material.
pub fn material_changes(before: &ListEntry, now: &ListEntry) -> BTreeSet<Aspect> {
    Aspect::ALL.into_iter().filter(|it| it.of(before) != it.of(now)).collect()
}

/// Hashes of an entry, with which versions are compared without the entries themselves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryDigest {
    /// SHA-256 of the canonical JSON of the entry, in hexadecimal.
    pub content: String,
    /// SHA-256 of its material aspects, in hexadecimal.
    pub material: String,
}

/// The hashes of all entries of a version of a list, by identifier.
pub type Digests = BTreeMap<String, EntryDigest>;

impl ListEntry {
    /// The hashes of the entry. They depend on what is stated only, not on the order in which it was read. The canonical
    /// JSON is the serialised form: its members have a fixed order, and its lists are sorted and contain nothing twice.
    pub fn digest(&self) -> EntryDigest {
        let mut material = Sha256::new();
        // Added later: the hash of an entry without offices stays as it was.
        let has_aspect = |it: &Aspect| *it != Aspect::Positions || !self.positions.is_empty();
        for aspect in Aspect::ALL.into_iter().filter(has_aspect) {
            material.update(aspect.of(self));
            // JSON contains no such byte, so that the parts cannot be confused.
            material.update([0]);
        }
        EntryDigest {
            content: hex::encode(Sha256::digest(json(self))),
            material: hex::encode(material.finalize()),
        }
    }
}

fn json(value: &impl Serialize) -> Vec<u8> {
    #[expect(clippy::expect_used, reason = "plain data with string keys")]
    serde_json::to_vec(value).expect("entries always serialise")
}

/// What changed from one version of a list to another: identifiers of entries, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Delta {
    /// Entries that are only in the new version.
    pub added: Vec<String>,
    /// Entries that are only in the earlier version.
    pub removed: Vec<String>,
    /// Entries that differ, including those of `materially_changed`.
    pub changed: Vec<String>,
    /// Entries that differ in something on which the result of a screening depends.
    pub materially_changed: Vec<String>,
}

impl Delta {
    /// Compares two versions. `unreadable` are the identifiers of records of the new version that could not be read:
    /// their entries are still on the list, so they are not removed, and the caller keeps their earlier state. The entry of
    /// a record without a readable identifier cannot be recognised, so that it counts as removed.
    pub fn between(before: &Digests, now: &Digests, unreadable: &BTreeSet<String>) -> Self {
        let missing = |it: &&String| !now.contains_key(*it) && !unreadable.contains(*it);
        let mut delta =
            Self { removed: before.keys().filter(missing).cloned().collect(), ..Self::default() };
        for (id, digest) in now {
            match before.get(id) {
                None => delta.added.push(id.clone()),
                Some(earlier) if earlier.content != digest.content => {
                    delta.changed.push(id.clone());
                    if earlier.material != digest.material {
                        delta.materially_changed.push(id.clone());
                    }
                }
                Some(_) => {}
            }
        }
        delta
    }

    /// Whether the versions are equal.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.changed.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::lists::{
        BirthDate, EntryKind, IdentifierKind, List, ListAddress, ListIdentifier, ListName,
        NameQuality, Translations, entry::tests::any_entry,
    };

    fn programme(id: Option<&str>, name: &str) -> Programme {
        let name = Translations { en: Some(name.into()), ..Translations::default() };
        Programme { id: id.map(str::to_owned), name, ..Programme::default() }
    }

    fn entry() -> ListEntry {
        let mut entry = ListEntry::new(List::Seco, "1", EntryKind::Person);
        entry.names = [ListName::new(NameQuality::Primary, "Muster Hans")].into();
        entry.programmes = [programme(Some("20"), "Ordinance")].into();
        entry
    }

    /// The material changes of an edit. Checks that the hashes agree with them.
    fn changes(edit: impl FnOnce(&mut ListEntry)) -> Vec<Aspect> {
        let (before, mut now) = (entry(), entry());
        edit(&mut now);
        let changes = material_changes(&before, &now);
        let (earlier, later) = (before.digest(), now.digest());
        assert_eq!(earlier.material != later.material, !changes.is_empty());
        assert_eq!(earlier.content != later.content, before != now);
        changes.into_iter().collect()
    }

    #[test]
    fn what_a_screening_compares_is_material() {
        assert_eq!(changes(|_| {}), []);
        let alias = ListName::new(NameQuality::Alias, "Muster Johann");
        assert_eq!(
            changes(|it| {
                it.names.insert(alias);
            }),
            [Aspect::Names]
        );
        let weak = ListName::new(NameQuality::Weak, "Muster Hans");
        assert_eq!(changes(|it| it.names = [weak].into()), [Aspect::Names]);
        let born = BirthDate::exact("1980".parse().expect("a date"));
        assert_eq!(
            changes(|it| {
                it.birth_dates.insert(born);
            }),
            [Aspect::BirthDates]
        );
        assert_eq!(
            changes(|it| {
                it.nationalities.insert("CH".into());
            }),
            [Aspect::Nationalities]
        );
        let number = ListIdentifier::new(IdentifierKind::Passport, "X1");
        assert_eq!(
            changes(|it| {
                it.identifiers.insert(number);
            }),
            [Aspect::Identifiers]
        );
        assert_eq!(changes(|it| it.programmes.clear()), [Aspect::Programmes]);
        assert_eq!(
            changes(|it| {
                it.topics.insert("sanction".into());
            }),
            [Aspect::Topics]
        );
    }

    #[test]
    fn another_office_is_material_but_not_its_days() {
        let office = |title: &str, to: Option<&str>| ListPosition {
            title: title.to_owned(),
            country: Some("NO".to_owned()),
            to: to.and_then(|it| it.parse().ok()),
            ..ListPosition::default()
        };
        let mayor = ListEntry { positions: [office("Mayor", None)].into(), ..entry() };
        let later = |title, to| ListEntry { positions: [office(title, to)].into(), ..entry() };
        let minister = later("Minister", None);
        assert_eq!(material_changes(&mayor, &minister), [Aspect::Positions].into());
        assert_ne!(mayor.digest().material, minister.digest().material);
        let former = later("Mayor", Some("2026-10"));
        assert!(material_changes(&mayor, &former).is_empty());
        assert_eq!(mayor.digest().material, former.digest().material);
    }

    #[test]
    fn addresses_reasons_and_wording_are_not_material() {
        let address = ListAddress { city: Some("Bern".into()), ..ListAddress::default() };
        assert_eq!(
            changes(|it| {
                it.addresses.insert(address);
            }),
            []
        );
        assert_eq!(
            changes(|it| {
                it.reasons.insert("Another wording.".into());
            }),
            []
        );
        let reworded = programme(Some("20"), "Ordinance of 2026");
        assert_eq!(changes(|it| it.programmes = [reworded].into()), []);
        // Without an identifier, another name is another programme.
        let (mut before, mut now) = (entry(), entry());
        before.programmes = [programme(None, "Bank")].into();
        now.programmes = [programme(None, "Securities firm")].into();
        assert_eq!(material_changes(&before, &now), [Aspect::Programmes].into());
    }

    fn digests(entries: &[(&str, ListEntry)]) -> Digests {
        entries.iter().map(|(id, entry)| ((*id).to_owned(), entry.digest())).collect()
    }

    #[test]
    fn delta_contains_what_was_added_removed_and_changed() {
        let moved = {
            let mut moved = entry();
            moved.remarks.insert("moved".into());
            moved
        };
        let renamed = {
            let mut renamed = entry();
            renamed.names.insert(ListName::new(NameQuality::Alias, "Meier"));
            renamed
        };
        let before = digests(&[
            ("same", entry()),
            ("moved", entry()),
            ("renamed", entry()),
            ("gone", entry()),
            ("unreadable", entry()),
        ]);
        let now =
            digests(&[("same", entry()), ("moved", moved), ("renamed", renamed), ("new", entry())]);
        let delta = Delta::between(&before, &now, &["unreadable".to_owned()].into());
        assert_eq!(delta.added, ["new"]);
        assert_eq!(delta.removed, ["gone"]);
        assert_eq!(delta.changed, ["moved", "renamed"]);
        assert_eq!(delta.materially_changed, ["renamed"]);
        assert!(Delta::between(&now, &now, &BTreeSet::new()).is_empty());
    }

    #[test]
    fn digest_does_not_change_between_releases() {
        // Stored digests are compared with those of later releases: a new member must be omitted if it is absent.
        let canonical = r#"{"id":"1","list":"seco","kind":"person","names":[{"quality":"primary","text":"Muster Hans"}],"programmes":[{"id":"20","name":{"en":"Ordinance"}}]}"#;
        assert_eq!(String::from_utf8(json(&entry())).expect("text"), canonical);
        let aspects = [
            r#"[{"quality":"primary","text":"Muster Hans"}]"#,
            "[]",
            "[]",
            "[]",
            r#"[{"id":"20"}]"#,
            r#""person""#,
            "[]",
            "[]",
        ];
        let material: String = aspects.iter().map(|it| format!("{it}\0")).collect();
        let sha256 = |text: &str| hex::encode(Sha256::digest(text));
        let digest = entry().digest();
        assert_eq!((digest.content, digest.material), (sha256(canonical), sha256(&material)));
    }

    proptest! {
        #[test]
        fn hashes_are_equal_exactly_if_the_entries_are(one in any_entry(), other in any_entry()) {
            let (first, second) = (one.digest(), other.digest());
            prop_assert_eq!(first.content == second.content, one == other);
            prop_assert_eq!(first.material == second.material, material_changes(&one, &other).is_empty());
        }

        #[test]
        fn applying_a_delta_gives_the_new_version(
            before in prop::collection::btree_map("[a-d]", any_entry(), 0..4),
            now in prop::collection::btree_map("[a-d]", any_entry(), 0..4),
        ) {
            let digests = |entries: &BTreeMap<String, ListEntry>| -> Digests {
                entries.iter().map(|(id, entry)| (id.clone(), entry.digest())).collect()
            };
            let delta = Delta::between(&digests(&before), &digests(&now), &BTreeSet::new());
            let mut applied = before.clone();
            applied.retain(|id, _| !delta.removed.contains(id));
            for id in delta.added.iter().chain(&delta.changed) {
                applied.insert(id.clone(), now[id].clone());
            }
            prop_assert_eq!(applied, now);
        }
    }
}
