//! Officers, signatories and auditors of a company over time: the entries of its notices start, change and end
//! mandates and tenures.

use domain::{
    Uid,
    auditors::Tenure,
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
    /// Id of the person as last described, which may differ from that of the mandate.
    id: Uuid,
    /// Folded full name.
    name: String,
}

impl Current {
    fn new(at: usize, person: &Person, company: Uid) -> Self {
        Self { at, id: person.identity(company).id, name: text::fold(&person.full_name()) }
    }
}

/// Whether an entry is about an auditor.
pub(super) fn is_auditor(entry: &Entry) -> bool {
    entry.role == Some(Role::Auditor)
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
    (uid.is_some() && uid == tenure.auditor_uid)
        || text::fold(name) == text::fold(&tenure.auditor_name)
}

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
        self.company.settle(&mut self.mandates, publication);
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
        let known = self.find_mandate(entry, &person, identity.id);
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
                let person = Person {
                    origin: person.origin.or(known.origin),
                    nationality: person.nationality.or(known.nationality),
                    nationality_iso: person.nationality_iso.or(known.nationality_iso),
                    residence: person.residence.or(known.residence),
                    ..person
                };
                if let Some(current) = self.current.iter_mut().find(|it| it.at == at) {
                    *current = Current::new(at, &person, publication.uid);
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
                    role_source: match text::fold(&before.role) == text::fold(&after.role) {
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
                self.current.push(Current::new(at, &mandate.person, publication.uid));
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
    fn find_mandate(&self, entry: &Entry, person: &Person, id: Uuid) -> Option<usize> {
        let has_id = |it: &&Current| it.id == id || self.mandates[it.at].person_id == id;
        if let Some(Current { at, .. }) = self.current.iter().find(has_id) {
            return Some(*at);
        }
        let former = entry.before.as_deref().map(|it| format!(" {} ", text::fold(it)));
        let is_stated_as_former = |it: &Option<String>| match (it, &former) {
            (Some(it), Some(former)) => former.contains(&format!(" {} ", text::fold(it))),
            _ => false,
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
                && agrees(&it.person.nationality_iso, &person.nationality_iso)
                && (!is_new || agrees(&it.person.residence, &person.residence))
        };
        let named = |names: &[String]| -> Vec<(usize, &Mandate)> {
            let is_named = |it: &&Current| names.contains(&it.name);
            let named =
                self.current.iter().filter(is_named).map(|it| (it.at, &self.mandates[it.at]));
            named.filter(|it| is_compatible(it.1)).collect()
        };
        let mut namesakes = named(&[text::fold(&person.full_name())]);
        if namesakes.is_empty() {
            namesakes = named(&former_names(entry, person));
        }
        if let [(at, _)] = namesakes.as_slice() {
            return Some(*at);
        }
        // The former residence is stated as `[bisher: in Bern]`.
        let mut namesakes =
            namesakes.into_iter().filter(|it| is_stated_as_former(&it.1.person.residence));
        match (namesakes.next(), namesakes.next()) {
            (Some((at, _)), None) => Some(at),
            _ => None,
        }
    }

    fn apply_auditor(&mut self, entry: &Entry, publication: &ParsedPublication) {
        let firm = person(entry);
        let name = firm.full_name();
        // The entry of a renamed firm states the former name.
        let former = entry.before.as_deref().map(text::fold);
        let is_firm = |it: &&mut Tenure| {
            let has_former_name = former.as_ref().is_some_and(|former| {
                let rest = former.strip_prefix(&text::fold(&it.auditor_name));
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
            });
            it.is_current() && (is_firm_of(it, &name, firm.uid) || has_former_name)
        };
        let known = self.tenures.iter_mut().find(is_firm);
        let (date, source) = (publication.date, publication.source.clone());
        match (entry.kind, known) {
            (EntryKind::Left, Some(tenure)) => {
                tenure.resigned_at = Some(date);
                tenure.source = source;
            }
            // The same firm with another name or seat.
            (_, Some(tenure)) => {
                tenure.rename(name, firm.uid);
                tenure.source = source;
            }
            (kind, None) => {
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
        signature: entry.signature.clone(),
        signing_authority: entry.signature_kind.map(signing_authority),
        holding: entry.quota.as_ref().map(owners::holding),
        holdings: Vec::new(),
        since: None,
        until: None,
        entry_source: None,
        role_source: None,
        source: publication.source.clone(),
    }
}

/// The mandate after an entry of a known person, without its shares. What a partial entry does not mention stays as it was.
fn mandate_after(
    before: &Mandate,
    entry: &Entry,
    person: Person,
    publication: &ParsedPublication,
) -> Mandate {
    let mut mandate = mandate(entry, person, publication);
    if !entry.is_partial {
        return mandate;
    }
    if entry.function.is_none() {
        mandate.role.clone_from(&before.role);
        mandate.category = before.category;
    }
    if entry.signature.is_none() {
        mandate.signature.clone_from(&before.signature);
        mandate.signing_authority = before.signing_authority;
    }
    mandate
}

/// The function as written. A person with a signature but without a function is an authorised
/// signatory, in the language of the signature.
fn role(entry: &Entry) -> String {
    match (&entry.function, &entry.signature) {
        (Some(function), _) => function.clone(),
        (None, Some(signature)) => authorised_signatory(signature).to_owned(),
        (None, None) => UNKNOWN.to_owned(),
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
    let written = entry.function.as_ref().or(entry.signature.as_ref());
    written.cloned().unwrap_or_else(|| UNKNOWN.to_owned())
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
