//! Which current mandate an entry is about: the same person can be written in several ways.

use domain::{
    persons::{Mandate, Person, have_common_origin},
    text,
};
use gazette_notice::{Entry, EntryKind};
use uuid::Uuid;

use super::{Board, Current, person, roles::category};
use crate::fold::ParsedPublication;

impl Board {
    /// The index of the current mandate of the person in this entry, found in this order:
    ///
    /// 1. The mandate with the same person id.
    /// 2. The only mandate of a person with the same name and no contradicting origin or nationality. For a new
    ///    person the residence must not contradict either, because it can be a namesake, such as a son who joins
    ///    his father.
    /// 3. The same with the former name that the entry states.
    /// 4. Of several such mandates, the only one whose residence the entry states as the former one.
    /// 5. The only mandate of a person who is alike, see [`Self::find_alike`].
    pub(super) fn find_mandate(
        &self,
        entry: &Entry,
        person: &Person,
        id: Uuid,
        publication: &ParsedPublication,
    ) -> Option<usize> {
        let has_id = |it: &&Current| it.ids.contains(&id);
        if let Some(Current { at, .. }) = self.current.iter().find(has_id) {
            return Some(*at);
        }
        let former = entry.before.as_deref().map(|it| format!(" {} ", text::fold(it)));
        let is_stated_as_former = |it: &Option<String>| match (it, &former) {
            (Some(it), Some(former)) => former.contains(&format!(" {} ", text::fold(it))),
            _ => false,
        };
        // `deutscher Staatsangehöriger` and `deutsche Staatsangehörige` differ in the ending only.
        let is_former_nationality = |it: &Option<String>| {
            let (Some(it), Some(former)) = (it, &former) else { return false };
            let start: String =
                text::fold(it).chars().take_while(|it| *it != ' ').take(5).collect();
            former.contains(&format!(" {start}"))
        };
        let is_new = entry.kind == EntryKind::Entered;
        let is_compatible = |it: &Mandate| {
            let agrees = |one: &Option<String>, other: &Option<String>| match (one, other) {
                (Some(one), Some(other)) => text::fold(one) == text::fold(other),
                _ => true,
            };
            let has_origin = match (&it.person.origin, &person.origin) {
                (Some(one), Some(other)) => have_common_origin(one, other),
                _ => true,
            };
            // The origin can change by marriage.
            (has_origin || is_stated_as_former(&it.person.origin))
                && (agrees(&it.person.nationality_iso, &person.nationality_iso)
                    || is_former_nationality(&it.person.nationality))
                && (!is_new || agrees(&it.person.residence, &person.residence))
        };
        let named = |names: &[String]| -> Vec<(usize, &Mandate)> {
            let is_named = |it: &&Current| names.contains(&it.name);
            let named =
                self.current.iter().filter(is_named).map(|it| (it.at, &self.mandates[it.at]));
            named.filter(|it| is_compatible(it.1)).collect()
        };
        let mut namesakes = named(&[text::fold(&person.full_name())]);
        let former = match namesakes.is_empty() {
            true => former_names(entry, person),
            false => Vec::new(),
        };
        if !former.is_empty() {
            namesakes = named(&former);
            // In prose the only person of the former name, even if the origin changes with the name.
            let mut called = self.current.iter().filter(|it| former.contains(&it.name));
            if namesakes.is_empty()
                && entry.is_partial
                && let (Some(only), None) = (called.next(), called.next())
            {
                return Some(only.at);
            }
        }
        if let [(at, _)] = namesakes.as_slice() {
            return Some(*at);
        }
        // The former residence is stated as `[bisher: in Bern]`.
        let mut namesakes =
            namesakes.into_iter().filter(|it| is_stated_as_former(&it.1.person.residence));
        match (namesakes.next(), namesakes.next()) {
            (Some((at, _)), None) => Some(at),
            _ => self.find_alike(entry, person, publication),
        }
    }

    /// The index of the only current mandate of a person like the one in an entry who leaves or whose details change. The
    /// offices do not always repeat the name as they entered it, and communes merge, so that origins change:
    ///
    /// 1. With the same name.
    /// 2. With the same family name, and some of the given names.
    /// 3. With one of two family names.
    ///
    /// The residence and the role or the signature must be the same. An entry that states its former details states all of
    /// them: then only given names may be missing. A person whom the publication names elsewhere is another one.
    fn find_alike(
        &self,
        entry: &Entry,
        person: &Person,
        publication: &ParsedPublication,
    ) -> Option<usize> {
        let given = text::fold(person.first_name.as_deref()?);
        let is_stated_fully = entry.kind == EntryKind::Changed && entry.before.is_some();
        if entry.kind == EntryKind::Entered {
            return None;
        }
        let (name, surname) = (text::fold(&person.full_name()), text::fold(&person.last_name));
        let folded = |it: &Option<String>| it.as_deref().map(text::fold);
        let residence = folded(&person.residence);
        let former = entry.before.as_deref().map(|it| format!(" {} ", text::fold(it)));
        let is_alike = |it: &&Current| {
            let mandate = &self.mandates[it.at];
            let known = &mandate.person;
            let lives_there = match (&residence, folded(&known.residence)) {
                (Some(one), Some(other)) => {
                    let is_former =
                        former.as_ref().is_some_and(|it| it.contains(&format!(" {other} ")));
                    *one == other || is_former
                }
                // Prose seldom repeats the residence.
                (None, _) => entry.kind == EntryKind::Changed || person.origin.is_none(),
                _ => false,
            };
            let is_same_citizen = || match (&known.origin, &person.origin) {
                (Some(one), Some(other)) => have_common_origin(one, other),
                _ => known.nationality_iso == person.nationality_iso,
            };
            let known_given = known.first_name.as_deref().map(text::fold);
            known_given.is_some_and(|it| have_compatible_given_names(&it, &given))
                && lives_there
                && (!is_stated_fully || (it.surname == surname && is_same_citizen()))
                && has_same_office(entry, mandate)
        };
        let is_part = |one: &str, other: &str| {
            let rest = one.strip_prefix(other).map(|it| it.starts_with(' '));
            rest == Some(true) || one.strip_suffix(other).is_some_and(|it| it.ends_with(' '))
        };
        let alike: Vec<&Current> = self
            .current
            .iter()
            .filter(|it| {
                it.surname == surname
                    || is_part(&it.surname, &surname)
                    || is_part(&surname, &it.surname)
            })
            .filter(is_alike)
            .collect();
        let rank = |it: &Current| u8::from(it.name != name) + u8::from(it.surname != surname);
        let first = alike.iter().map(|it| rank(it)).min()?;
        let mut of_first = alike.into_iter().filter(|it| rank(it) == first);
        let (Some(only), None) = (of_first.next(), of_first.next()) else { return None };
        let is_named_elsewhere = publication.notice.entries.iter().any(|it| {
            !std::ptr::eq(it, entry) && text::fold(&self::person(it).full_name()) == only.name
        });
        (!is_named_elsewhere).then_some(only.at)
    }
}

/// The possible former names, folded, from the text in `[bisher: …]`: `Meier, Anna, von Chur`, `Meier` or
/// `Anna Meier`. If the text is not a name, no person matches it.
fn former_names(entry: &Entry, person: &Person) -> Vec<String> {
    let Some(before) = &entry.before else { return Vec::new() };
    let mut clauses = before.split(',').map(str::trim);
    let name = clauses.next().unwrap_or_default();
    let mut names = vec![text::fold(name)];
    // If the text states no first name, it has not changed. `von Chur` is not a first name.
    let stated = clauses.next().filter(|it| it.starts_with(char::is_uppercase));
    let first_name = person.first_name.as_deref().map(|it| stated.unwrap_or(it));
    names.extend(first_name.map(|it| text::fold(&format!("{it} {name}"))));
    names
}

/// Whether folded given names can be those of one person: the first one is the same, and one of them has no other names than
/// the other. An initial stands for a name.
fn have_compatible_given_names(one: &str, other: &str) -> bool {
    let (fewer, more) = if one.len() < other.len() { (one, other) } else { (other, one) };
    let is_among = |name: &str| {
        more.split(' ').any(|it| it == name || (name.len() == 1 && it.starts_with(name)))
    };
    one.split(' ').next() == other.split(' ').next() && fewer.split(' ').all(is_among)
}

/// Whether an entry states the role or the signature of a mandate as they are, or states neither.
fn has_same_office(entry: &Entry, mandate: &Mandate) -> bool {
    let has_same_signature = match (&entry.signature, &mandate.signature) {
        (Some(one), Some(other)) => text::fold(one) == text::fold(other),
        _ => false,
    };
    let states_nothing = entry.function.is_none() && entry.signature.is_none();
    states_nothing || has_same_signature || category(entry) == mandate.category
}
