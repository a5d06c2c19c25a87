//! What an entry of an officer or a signatory changes in the mandates.

use domain::{
    persons::{Mandate, Person, RoleCategory},
    text,
};
use gazette_notice::{Entry, EntryKind, Role};

use super::{
    Board, Current, Officer, person,
    roles::{
        category, other_categories, role, role_without, signature, signing_authority,
        single_offices,
    },
};
use crate::fold::{ParsedPublication, owners};

impl Board {
    pub(super) fn apply_officer(&mut self, entry: &Entry, publication: &ParsedPublication) {
        let person = person(entry);
        let identity = person.identity(publication.uid);
        let known = self.find_mandate(entry, &person, identity.id, publication);
        match (entry.kind, known) {
            (EntryKind::Left, Some(at)) => {
                let known = self.mandates[at].person_id;
                if known != identity.id {
                    self.same_persons.push((known, identity.id));
                }
                self.mandates[at].until = Some(publication.date);
                self.mandates[at].source = publication.source.clone();
                self.current.retain(|it| it.at != at);
                self.officers.push(Officer { kind: entry.kind, at, before: None });
            }
            (EntryKind::Left, None) => {
                let mandate = mandate(entry, person, publication);
                let holdings = self.company.held_until(&mandate, publication);
                let until = Some(publication.date);
                let at = self.mandates.len();
                self.mandates.push(Mandate { until, holdings, ..mandate });
                self.officers.push(Officer { kind: entry.kind, at, before: None });
            }
            (_, Some(at)) => {
                let before = self.mandates[at].clone();
                if before.person_id != identity.id {
                    self.same_persons.push((before.person_id, identity.id));
                }
                // An entry does not repeat everything that is known about the person.
                let known = before.person.clone();
                // Who becomes a Swiss citizen is no longer stated to be a foreigner.
                let citizenship = match (&person.origin, &person.nationality) {
                    (None, None) => &known,
                    _ => &person,
                };
                let person = Person {
                    origin: citizenship.origin.clone(),
                    nationality: citizenship.nationality.clone(),
                    nationality_iso: citizenship.nationality_iso.clone(),
                    residence: person.residence.clone().or(known.residence.clone()),
                    ..person
                };
                let mut has_same_role = false;
                if let Some(current) = self.current.iter_mut().find(|it| it.at == at) {
                    let states_role = states_office(entry) && !describes(entry, &before);
                    let role = if states_role { entry.role } else { current.role };
                    has_same_role =
                        describes(entry, &before) || is_same_role(&before, current.role, entry);
                    *current = Current::new(at, before.person_id, &person, publication.uid, role);
                }
                let after = mandate_after(&before, entry, person, publication);
                let before_categories: Vec<RoleCategory> = before.categories().collect();
                self.officers.push(Officer { kind: entry.kind, at, before: Some(before.clone()) });
                self.mandates[at] = Mandate {
                    person_id: before.person_id,
                    confidence: before.confidence,
                    holding: owners::held_after(entry, before.holding.as_ref()),
                    holdings: before.holdings,
                    since: before.since,
                    entry_source: before.entry_source,
                    role_source: match has_same_role {
                        true => before.role_source,
                        false => Some(publication.source.clone()),
                    },
                    earlier_categories: match has_same_role {
                        true => before.earlier_categories,
                        false => {
                            let mut earlier: Vec<RoleCategory> = after.categories().collect();
                            earlier.retain(|it| before_categories.contains(it));
                            earlier.sort_unstable();
                            earlier
                        }
                    },
                    signature_source: match before.signing_authority == after.signing_authority {
                        true => before.signature_source,
                        false => Some(publication.source.clone()),
                    },
                    ..after
                };
            }
            (kind, None) => {
                let mandate = mandate(entry, person, publication);
                let entry_source = (kind == EntryKind::Entered).then(|| publication.source.clone());
                let since = entry_source.is_some().then_some(publication.date);
                let at = self.mandates.len();
                if kind == EntryKind::Entered {
                    self.end_replaced_authority(&mandate, publication);
                }
                let id = mandate.person_id;
                let current = Current::new(at, id, &mandate.person, publication.uid, entry.role);
                self.current.push(current);
                let holding = owners::held_after(entry, None);
                let [role_source, signature_source] = [(); 2].map(|()| entry_source.clone());
                let mandate = Mandate {
                    since,
                    entry_source,
                    role_source,
                    signature_source,
                    holding,
                    ..mandate
                };
                self.mandates.push(mandate);
                self.officers.push(Officer { kind, at, before: None });
            }
        }
    }

    /// Ends the mandates of the former supervisory authority: a foundation has one (art. 84 of the Civil Code).
    pub(super) fn end_replaced_authority(
        &mut self,
        new: &Mandate,
        publication: &ParsedPublication,
    ) {
        if new.category != RoleCategory::Supervisor {
            return;
        }
        let is_replaced = |it: &Mandate| {
            it.is_current()
                && it.category == RoleCategory::Supervisor
                && it.source != publication.source
        };
        for mandate in self.mandates.iter_mut().filter(|it| is_replaced(it)) {
            mandate.until = Some(publication.date);
            mandate.source = publication.source.clone();
        }
        self.current.retain(|it| self.mandates[it.at].is_current());
    }
}

/// The mandate that an entry states, without start and end.
pub(super) fn mandate(entry: &Entry, person: Person, publication: &ParsedPublication) -> Mandate {
    let identity = person.identity(publication.uid);
    let (role, category) = (role(entry), category(entry));
    Mandate {
        person_id: identity.id,
        confidence: identity.confidence,
        person,
        other_categories: other_categories(&role, category),
        role,
        category,
        signature: signature(entry).cloned(),
        signing_authority: signature(entry).and(entry.signature_kind).map(signing_authority),
        holding: entry.quota.as_ref().map(owners::holding),
        holdings: Vec::new(),
        since: None,
        until: None,
        entry_source: None,
        role_source: None,
        earlier_categories: Vec::new(),
        signature_source: None,
        source: publication.source.clone(),
    }
}

/// Whether an entry states the office of its person. In a list, it states everything that counts from then on, unless it
/// names neither function nor signature: then it states only what changes, such as the residence.
fn states_office(entry: &Entry) -> bool {
    entry.function.is_some() || (entry.signature.is_some() && !entry.is_partial)
}

/// Whether the function in a sentence about a move or about shares only says who is meant: `l'administrateur A est domicilié à
/// Nyon`, `l'associé A cède 100 parts`. A president is a member too and stays president, and so does a partner who manages.
fn describes(entry: &Entry, before: &Mandate) -> bool {
    let trades = entry.quota.is_some() || entry.share_change.is_some();
    let is_partner = entry.role == Some(Role::Partner) && owners::names_partner(&before.role);
    if entry.is_partial && trades && is_partner && entry.ended_function.is_none() {
        return entry.signature.is_none();
    }
    let moves = match (&entry.domicile, &before.person.residence) {
        (Some(new), Some(old)) => text::fold(new) != text::fold(old),
        _ => false,
    };
    entry.is_partial
        && entry.signature.is_none()
        && entry.role == Some(Role::Member)
        && category(entry) == before.category
        && moves
}

/// Whether the role is the same after an entry as before, however it is written: `Mitglied` and `Mitglied des
/// Verwaltungsrates`. `kind` is that of the role before.
fn is_same_role(before: &Mandate, kind: Option<Role>, entry: &Entry) -> bool {
    if !states_office(entry) || text::fold(&before.role) == text::fold(&role(entry)) {
        return true;
    }
    // The kind is that of the highest of several offices, so that it does not tell whether another one is new.
    let is_single = |it: &str| single_offices(it).len() == 1;
    before.category == category(entry)
        && kind == entry.role
        && !matches!(kind, None | Some(Role::Other))
        && is_single(&before.role)
        && is_single(&role(entry))
}

/// The mandate after an entry of a known person, without its shares. What a partial entry does not mention stays as it was.
fn mandate_after(
    before: &Mandate,
    entry: &Entry,
    person: Person,
    publication: &ParsedPublication,
) -> Mandate {
    let mut mandate = mandate(entry, person, publication);
    if !entry.is_partial && states_office(entry) {
        return mandate;
    }
    if entry.function.is_none() || describes(entry, before) {
        mandate.role.clone_from(&before.role);
        mandate.category = before.category;
        if let Some(role) = entry.ended_function.as_deref().and_then(|it| role_without(before, it))
        {
            mandate.role = role;
        }
        mandate.other_categories = other_categories(&mandate.role, mandate.category);
    }
    if entry.signature.is_none() {
        mandate.signature.clone_from(&before.signature);
        mandate.signing_authority = before.signing_authority;
    }
    mandate
}
