//! Officers, signatories and auditors of a company over time: the entries of its notices start, change and end
//! mandates and tenures.

use std::sync::LazyLock;

use domain::{
    Uid,
    auditors::Tenure,
    legal_forms::LegalForm,
    persons::{Mandate, Person, RoleCategory, SigningAuthority, have_common_origin},
    text,
};
use uuid::Uuid;

use super::{
    ParsedPublication,
    owners::{self, OwnedCompany},
};
use crate::notice;
use gazette_notice::{Entry, EntryKind, Organ, Role, SignatureKind, Subject};

/// The mandates and the auditors' tenures up to a publication.
#[derive(Debug, Default)]
pub(super) struct Board {
    pub(super) mandates: Vec<Mandate>,
    pub(super) tenures: Vec<Tenure>,
    /// The officers in the last publication, in its order.
    pub(super) officers: Vec<Officer>,
    /// Pairs of person ids that an entry shows to belong to the same person.
    pub(super) same_persons: Vec<(Uuid, Uuid)>,
    /// The current mandates, in the order of `mandates`.
    current: Vec<Current>,
    company: OwnedCompany,
    /// Whether a mandate has or had shares.
    has_shares: bool,
}

/// The entry of an officer in a publication.
#[derive(Debug)]
pub(super) struct Officer {
    pub(super) kind: EntryKind,
    /// Index of the mandate in [`Board::mandates`].
    pub(super) at: usize,
    /// The mandate before the entry. `None` if the person was not known, or leaves.
    pub(super) before: Option<Mandate>,
}

/// A current mandate, and what the entries of later publications find it by. Computing this for every entry again
/// would take seconds for a company with a thousand signatories.
#[derive(Debug)]
struct Current {
    /// Index in the mandates.
    at: usize,
    /// Ids of the person: of the mandate, and as last described.
    ids: [Uuid; 2],
    /// Folded full name.
    name: String,
    /// Folded family name, or name of a firm.
    surname: String,
    /// The kind of the role.
    role: Option<Role>,
}

impl Current {
    /// `mandate` is the person id of the mandate.
    fn new(at: usize, mandate: Uuid, person: &Person, company: Uid, role: Option<Role>) -> Self {
        Self {
            at,
            ids: [mandate, person.identity(company).id],
            name: text::fold(&person.full_name()),
            surname: text::fold(&person.last_name),
            role,
        }
    }
}

/// Whether an entry is about an auditor.
pub(super) fn is_auditor(entry: &Entry) -> bool {
    entry.role == Some(Role::Auditor)
}

fn leaves_as_auditor(entry: &Entry) -> bool {
    is_auditor(entry) && entry.kind == EntryKind::Left
}

/// Whether a publication can change the company's auditor.
pub(super) fn is_about_auditors(publication: &ParsedPublication) -> bool {
    publication.deleted.is_some() || publication.notice.entries.iter().any(is_auditor)
}

/// Whether the blocks of a publication name the firm of this tenure as the auditor.
pub(super) fn names_auditor(publication: &ParsedPublication, tenure: &Tenure) -> bool {
    publication.auditor.as_ref().is_some_and(|it| is_firm_of(tenure, &it.name, it.uid))
}

/// Whether the firm of a tenure has this company number or name.
fn is_firm_of(tenure: &Tenure, name: &str, uid: Option<Uid>) -> bool {
    (uid.is_some() && uid == tenure.auditor_uid) || firm_key(name) == firm_key(&tenure.auditor_name)
}

/// The name of a firm, with the code of its legal form for the form as written: `Muster AG` and `Muster Aktiengesellschaft`
/// are the same.
fn firm_key(name: &str) -> String {
    let name = text::fold(name);
    // `S.A.` and `SA`
    let letters = name.rsplit(' ').take_while(|it| it.len() == 1).count();
    let words: Vec<&str> = name.split(' ').collect();
    let (start, end) = words.split_at(words.len() - letters);
    let name = [start.join(" "), end.concat()].join(" ");
    let name = name.trim();
    let form = FORMS.iter().find_map(|(form, code)| {
        let start = name.strip_suffix(form)?.strip_suffix(' ')?;
        Some(format!("{start} {code}"))
    });
    form.unwrap_or_else(|| name.to_owned())
}

/// The folded names and short names of the legal forms of audit firms, with their codes.
static FORMS: LazyLock<Vec<(String, &str)>> = LazyLock::new(|| {
    let forms = ["0106", "0107"].into_iter().filter_map(LegalForm::by_code);
    let named = forms.flat_map(|it| {
        it.names.iter().chain(&it.short_names).map(|name| (text::fold(name), it.code))
    });
    named.collect()
});

/// The person or firm that an entry is about.
pub(super) fn person(entry: &Entry) -> Person {
    let (first_name, last_name, uid) = match &entry.subject {
        Subject::Person { first_name, last_name, .. } => {
            (Some(first_name.clone()).filter(|it| !it.is_empty()), last_name.clone(), None)
        }
        Subject::Entity { name, uid, .. } => (None, name.clone(), uid.and_then(notice::uid)),
    };
    let country = entry.nationality.as_ref().and_then(|it| it.country.clone());
    Person {
        first_name,
        last_name,
        uid,
        nationality_iso: country.or_else(|| entry.origin.as_ref().map(|_| "CH".to_owned())),
        nationality: entry.nationality.as_ref().map(|it| it.text.clone()),
        origin: entry.origin.clone(),
        residence: entry.domicile.clone(),
    }
}

impl Board {
    /// Applies the entries of the next publication.
    pub(super) fn apply(&mut self, publication: &ParsedPublication) {
        self.officers.clear();
        for entry in &publication.notice.entries {
            if is_auditor(entry) {
                self.apply_auditor(entry, publication);
            } else {
                self.apply_officer(entry, publication);
            }
        }
        if publication.deleted.is_some() {
            self.end_all(publication);
        } else if !is_about_auditors(publication) {
            self.add_auditor_of_blocks(publication);
        }
        self.company.apply(publication);
        let has_shares = |it: &Mandate| it.holding.is_some() || !it.holdings.is_empty();
        self.has_shares |= self.officers.iter().any(|it| has_shares(&self.mandates[it.at]));
        if self.has_shares {
            self.company.settle(&mut self.mandates, publication);
        }
    }

    /// Adds the auditor that the blocks name, if no auditor is known: the publication of the appointment is not.
    fn add_auditor_of_blocks(&mut self, publication: &ParsedPublication) {
        let is_known = self.tenures.iter().any(Tenure::is_current);
        let Some(auditor) = publication.auditor.as_ref().filter(|_| !is_known) else { return };
        self.tenures.push(Tenure {
            auditor_name: auditor.name.clone(),
            auditor_uid: auditor.uid,
            appointed_as: None,
            appointed_at: None,
            resigned_at: None,
            source: publication.source.clone(),
        });
    }

    /// Ends all mandates and tenures: the company is deleted.
    fn end_all(&mut self, publication: &ParsedPublication) {
        for mandate in self.mandates.iter_mut().filter(|it| it.until.is_none()) {
            mandate.until = Some(publication.date);
            mandate.source = publication.source.clone();
        }
        self.current.clear();
        for tenure in self.tenures.iter_mut().filter(|it| it.resigned_at.is_none()) {
            tenure.resigned_at = Some(publication.date);
            tenure.source = publication.source.clone();
        }
    }

    fn apply_officer(&mut self, entry: &Entry, publication: &ParsedPublication) {
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
                let role_source = entry_source.clone();
                let mandate = Mandate { since, entry_source, role_source, holding, ..mandate };
                self.mandates.push(mandate);
                self.officers.push(Officer { kind, at, before: None });
            }
        }
    }

    /// The index of the current mandate of the person in this entry, found in this order:
    ///
    /// 1. The mandate with the same person id.
    /// 2. The only mandate of a person with the same name and no contradicting origin or nationality. For a new
    ///    person the residence must not contradict either, because it can be a namesake, such as a son who joins
    ///    his father.
    /// 3. The same with the former name that the entry states.
    /// 4. Of several such mandates, the only one whose residence the entry states as the former one.
    /// 5. The only mandate of a person who is alike, see [`Self::find_alike`].
    fn find_mandate(
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

    /// Ends the mandates of the former supervisory authority: a foundation has one (art. 84 of the Civil Code).
    fn end_replaced_authority(&mut self, new: &Mandate, publication: &ParsedPublication) {
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

    fn apply_auditor(&mut self, entry: &Entry, publication: &ParsedPublication) {
        let firm = person(entry);
        let name = firm.full_name();
        // The entry of a renamed firm, or of one with another number, states the former one.
        let former = entry.before.as_deref().map(text::fold);
        let (date, source) = (publication.date, publication.source.clone());
        let is_firm = |it: &Tenure| {
            let has_former_name = former.as_ref().is_some_and(|former| {
                let is_number = |uid: Uid| former.contains(&text::fold(&uid.to_string()));
                let rest = former.strip_prefix(&text::fold(&it.auditor_name));
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
                    || it.auditor_uid.is_some_and(is_number)
            });
            is_firm_of(it, &name, firm.uid) || has_former_name
        };
        let known = self.tenures.iter_mut().find(|it| it.is_current() && is_firm(it));
        match (entry.kind, known) {
            (EntryKind::Left, Some(tenure)) => {
                tenure.resigned_at = Some(date);
                tenure.source = source;
            }
            // The same firm with another name, number or seat.
            (_, Some(tenure)) => {
                tenure.rename(name, firm.uid);
                if let (Some(old), Some(new)) = (tenure.auditor_uid, firm.uid)
                    && old != new
                {
                    tenure.appointed_as.get_or_insert_with(|| old.to_string());
                    tenure.auditor_uid = Some(new);
                }
                tenure.source = source;
            }
            (kind, None) => {
                let entries = &publication.notice.entries;
                if entry.is_successor && !entries.iter().any(leaves_as_auditor) {
                    // Not one that the publication appoints or names, too.
                    let is_named = |it: &Tenure| {
                        let mut firms = entries.iter().filter(|it| is_auditor(it)).map(person);
                        firms.any(|firm| is_firm_of(it, &firm.full_name(), firm.uid))
                    };
                    let is_former = |it: &&mut Tenure| it.is_current() && !is_named(it);
                    for former in self.tenures.iter_mut().filter(is_former) {
                        former.resigned_at = Some(date);
                        former.source = source.clone();
                    }
                }
                self.tenures.push(Tenure {
                    auditor_name: name,
                    auditor_uid: firm.uid,
                    appointed_as: None,
                    appointed_at: (kind == EntryKind::Entered).then_some(date),
                    resigned_at: (kind == EntryKind::Left).then_some(date),
                    source,
                });
            }
        }
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

/// The mandate that an entry states, without start and end.
fn mandate(entry: &Entry, person: Person, publication: &ParsedPublication) -> Mandate {
    let identity = person.identity(publication.uid);
    Mandate {
        person_id: identity.id,
        confidence: identity.confidence,
        person,
        role: role(entry),
        category: category(entry),
        signature: signature(entry).cloned(),
        signing_authority: signature(entry).and(entry.signature_kind).map(signing_authority),
        holding: entry.quota.as_ref().map(owners::holding),
        holdings: Vec::new(),
        since: None,
        until: None,
        entry_source: None,
        role_source: None,
        source: publication.source.clone(),
    }
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
    let is_single = |it: &str| {
        ![" und ", " sowie ", " et ", " e ", " ed ", ","].iter().any(|and| it.contains(and))
    };
    before.category == category(entry)
        && kind == entry.role
        && !matches!(kind, None | Some(Role::Other))
        && is_single(&before.role)
        && is_single(&role(entry))
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
    }
    if entry.signature.is_none() {
        mandate.signature.clone_from(&before.signature);
        mandate.signing_authority = before.signing_authority;
    }
    mandate
}

/// The role that is left when one of the offices of a person ends: the others, or membership of the body, since only its members
/// can preside over it (art. 712 of the Code of Obligations). `None` if the role does not contain the office.
fn role_without(before: &Mandate, ended: &str) -> Option<String> {
    let ended_role = gazette_notice::role(ended)?;
    let all: Vec<&str> = before.role.split(", ").collect();
    let is_ended = |it: &&str| gazette_notice::role(it) == Some(ended_role);
    let rest: Vec<&str> = all.iter().copied().filter(|it| !is_ended(it)).collect();
    if rest.len() == all.len() {
        return None;
    }
    if !rest.is_empty() {
        return Some(rest.join(", "));
    }
    let is_of_member = matches!(
        ended_role,
        Role::President | Role::VicePresident | Role::Delegate | Role::Secretary | Role::Treasurer
    );
    if !is_of_member || before.category != RoleCategory::Board {
        return None;
    }
    let lower = ended.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|it| lower.contains(it));
    let member = if has(&["präsident", "delegiert", "sekretär", "aktuar", "kassier"]) {
        "Mitglied"
    } else if has(&["presidente", "delegat", "segretari", "cassier"]) {
        "membro"
    } else {
        "membre"
    };
    Some(member.to_owned())
}

/// The signature as written, if it says how the person signs. `Die Unterschriften von A und B sind erloschen` does not.
pub(super) fn signature(entry: &Entry) -> Option<&String> {
    #[rustfmt::skip]
    const BARE: [&str; 9] = [
        "unterschrift", "unterschriften", "zeichnungsberechtigung", "zeichnungsrecht", "signature", "signatures", "la signature", "firma", "firme",
    ];
    entry.signature.as_ref().filter(|it| !BARE.contains(&it.to_lowercase().as_str()))
}

/// The function as written. A person with a signature but without a function is an authorised
/// signatory, in the language of the signature.
fn role(entry: &Entry) -> String {
    match (&entry.function, &entry.signature) {
        (Some(function), _) => nominative(function),
        (None, Some(signature)) => authorised_signatory(signature).to_owned(),
        (None, None) => UNKNOWN.to_owned(),
    }
}

/// A German office with an adjective, as `als provisorischen Sachwalter eingesetzt` names it, in the nominative.
fn nominative(function: &str) -> String {
    let parts = function.split_once("en ").filter(|(adjective, noun)| {
        let is_word = |it: &str| it.len() > 3 && it.chars().all(char::is_alphabetic);
        adjective.starts_with(char::is_lowercase)
            && noun.starts_with(char::is_uppercase)
            && is_word(adjective)
            && is_word(noun)
            && (noun.ends_with("in") || !noun.ends_with('n'))
    });
    match parts {
        Some((adjective, noun)) if noun.ends_with("in") => format!("{adjective}e {noun}"),
        Some((adjective, noun)) => format!("{adjective}er {noun}"),
        None => function.to_owned(),
    }
}

/// "Authorised signatory" in the language of a signature as written: `Einzelprokura`, `signature
/// individuelle`, `firma collettiva a due`. Notices are in German, French or Italian.
fn authorised_signatory(signature: &str) -> &'static str {
    let signature = signature.to_lowercase();
    let contains = |words: &[&str]| words.iter().any(|it| signature.contains(it));
    if contains(&["unterschrift", "prokura", "zeichnung"]) {
        "Zeichnungsberechtigte Person"
    } else if contains(&["signature", "procuration"]) {
        "personne autorisée à signer"
    } else if contains(&["firma", "procura"]) {
        "persona autorizzata a firmare"
    } else {
        "authorised signatory"
    }
}

/// The office of a person as events describe it: the function, or else the signature, as written.
pub(super) fn function_or_signature(entry: &Entry) -> String {
    match (&entry.function, signature(entry)) {
        (None, Some(signature)) => signature.clone(),
        _ => role(entry),
    }
}

/// The role of a person whose entry names neither function nor signature.
const UNKNOWN: &str = "unknown";

fn category(entry: &Entry) -> RoleCategory {
    match (entry.role, entry.organ) {
        (Some(Role::Auditor), _) => RoleCategory::Auditor,
        (Some(Role::SupervisoryAuthority), _) => RoleCategory::Supervisor,
        (Some(Role::Liquidator), _) => RoleCategory::Liquidator,
        (Some(Role::Owner), _) => RoleCategory::Owner,
        (Some(Role::ManagingPartner | Role::Partner | Role::GeneralPartner), _)
        | (Some(Role::LimitedPartner), _) => RoleCategory::Partner,
        (Some(Role::ManagementChair | Role::Manager | Role::Director), _)
        | (Some(_), Some(Organ::Management)) => RoleCategory::Management,
        (
            Some(
                Role::President
                | Role::VicePresident
                | Role::Delegate
                | Role::Member
                | Role::Secretary
                | Role::Treasurer,
            ),
            _,
        )
        | (_, Some(Organ::BoardOfDirectors | Organ::FoundationCouncil | Organ::Committee)) => {
            RoleCategory::Board
        }
        (Some(Role::AuthorisedOfficer), _) | (None, None) if entry.signature.is_some() => {
            RoleCategory::Signatory
        }
        _ => RoleCategory::Other,
    }
}

fn signing_authority(kind: SignatureKind) -> SigningAuthority {
    match kind {
        SignatureKind::Sole => SigningAuthority::Sole,
        SignatureKind::JointByTwo => SigningAuthority::CollectiveTwo,
        SignatureKind::SoleProcuration => SigningAuthority::SoleProcuration,
        SignatureKind::JointProcuration => SigningAuthority::CollectiveProcuration,
        SignatureKind::None => SigningAuthority::None,
        SignatureKind::Other => SigningAuthority::Collective,
    }
}
