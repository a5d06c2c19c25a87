//! Who runs the company, followed from notice to notice: entries open, change and end mandates.

use domain::{
    Uid,
    auditors::Tenure,
    persons::{Holding, Mandate, Person, RoleCategory, SigningAuthority},
    text,
};
use uuid::Uuid;

use super::announced::Announced;
use gazette_notice::{Entry, EntryKind, Organ, Quota, Role, SignatureKind, Subject};

/// The mandates and audits so far.
#[derive(Debug, Default)]
pub(super) struct Board {
    pub(super) mandates: Vec<Mandate>,
    pub(super) tenures: Vec<Tenure>,
    /// Ids that an entry shows to be of one person.
    pub(super) same_persons: Vec<(Uuid, Uuid)>,
}

/// Whether an entry is about who audits the company.
pub(super) fn is_auditor(entry: &Entry) -> bool {
    entry.role == Some(Role::Auditor)
}

/// Whether a publication may change who audits the company.
pub(super) fn is_about_auditors(publication: &Announced) -> bool {
    publication.deleted.is_some() || publication.notice.entries.iter().any(is_auditor)
}

/// The person or firm of an entry.
pub(super) fn person(entry: &Entry) -> Person {
    let (first_name, last_name, uid) = match &entry.subject {
        Subject::Person { first_name, last_name, .. } => {
            (Some(first_name.clone()).filter(|it| !it.is_empty()), last_name.clone(), None)
        }
        Subject::Entity { name, uid, .. } => (None, name.clone(), *uid),
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
    /// Follows a publication.
    pub(super) fn follow(&mut self, publication: &Announced) {
        for entry in &publication.notice.entries {
            if is_auditor(entry) {
                self.audit(entry, publication);
            } else {
                self.officer(entry, publication);
            }
        }
        if publication.deleted.is_some() {
            self.end_all(publication);
        }
    }

    /// A company that is deleted has neither officers nor an auditor any more.
    fn end_all(&mut self, publication: &Announced) {
        for mandate in self.mandates.iter_mut().filter(|it| it.until.is_none()) {
            mandate.until = Some(publication.date);
            mandate.source = publication.source.clone();
        }
        for tenure in self.tenures.iter_mut().filter(|it| it.resigned_at.is_none()) {
            tenure.resigned_at = Some(publication.date);
            tenure.source = publication.source.clone();
        }
    }

    fn officer(&mut self, entry: &Entry, publication: &Announced) {
        let person = person(entry);
        let identity = person.identity(publication.uid);
        let held = self.held_by(entry, &person, identity.id, publication.uid);
        match (entry.kind, held) {
            (EntryKind::Left, Some(at)) => {
                let known = self.mandates[at].person_id;
                if known != identity.id {
                    self.same_persons.push((known, identity.id));
                }
                self.mandates[at].until = Some(publication.date);
                self.mandates[at].source = publication.source.clone();
            }
            (EntryKind::Left, None) => {
                let mandate = mandate(entry, person, publication);
                self.mandates.push(Mandate { until: Some(publication.date), ..mandate });
            }
            (_, Some(at)) => {
                let before = self.mandates[at].clone();
                if before.person_id != identity.id {
                    self.same_persons.push((before.person_id, identity.id));
                }
                // What the new entry leaves out did not become unknown.
                let person = Person {
                    origin: person.origin.or(before.person.origin),
                    nationality: person.nationality.or(before.person.nationality),
                    nationality_iso: person.nationality_iso.or(before.person.nationality_iso),
                    residence: person.residence.or(before.person.residence),
                    ..person
                };
                self.mandates[at] = Mandate {
                    person_id: before.person_id,
                    confidence: before.confidence,
                    since: before.since,
                    ..mandate(entry, person, publication)
                };
            }
            (kind, None) => {
                let mandate = mandate(entry, person, publication);
                let since = (kind == EntryKind::Entered).then_some(publication.date);
                self.mandates.push(Mandate { since, ..mandate });
            }
        }
    }

    /// The lasting mandate of this person: by identity, or else the only one with the name of whom origin
    /// and nationality do not speak against it. Within one company that is proof enough for whoever is
    /// entered already and changes or leaves. Whoever enters may be a namesake, a son beside his father:
    /// there the residence may not speak against it either. Where there is none with the name, the one with
    /// the name that the entry gives for the former.
    fn held_by(&self, entry: &Entry, person: &Person, id: Uuid, company: Uid) -> Option<usize> {
        let lasts = |it: &(usize, &Mandate)| it.1.until.is_none();
        let lasting = || self.mandates.iter().enumerate().filter(lasts);
        let is_it = |it: &Mandate| it.person_id == id || it.person.identity(company).id == id;
        if let Some((at, _)) = lasting().find(|it| is_it(it.1)) {
            return Some(at);
        }
        let former = entry.before.as_deref().map(|it| format!(" {} ", text::fold(it)));
        let was_said = |it: &Option<String>| match (it, &former) {
            (Some(it), Some(former)) => former.contains(&format!(" {} ", text::fold(it))),
            _ => false,
        };
        let is_new = entry.kind == EntryKind::Entered;
        let may_be = |it: &Mandate| {
            let agrees = |one: &Option<String>, other: &Option<String>| match (one, other) {
                (Some(one), Some(other)) => text::fold(one) == text::fold(other),
                _ => true,
            };
            // Who marries may take another origin.
            (agrees(&it.person.origin, &person.origin) || was_said(&it.person.origin))
                && agrees(&it.person.nationality_iso, &person.nationality_iso)
                && (!is_new || agrees(&it.person.residence, &person.residence))
        };
        let named = |names: &[String]| -> Vec<(usize, &Mandate)> {
            let is_named = |it: &Mandate| names.contains(&text::fold(&it.person.full_name()));
            lasting().filter(|it| is_named(it.1) && may_be(it.1)).collect()
        };
        let mut namesakes = named(&[text::fold(&person.full_name())]);
        if namesakes.is_empty() {
            namesakes = named(&former_names(entry, person));
        }
        if let [(at, _)] = namesakes.as_slice() {
            return Some(*at);
        }
        // Of several, the one that lived where the entry says: `[bisher: in Bern]`.
        let mut namesakes = namesakes.into_iter().filter(|it| was_said(&it.1.person.residence));
        match (namesakes.next(), namesakes.next()) {
            (Some((at, _)), None) => Some(at),
            _ => None,
        }
    }

    fn audit(&mut self, entry: &Entry, publication: &Announced) {
        let firm = person(entry);
        let name = firm.full_name();
        // Of a firm that takes another name, the former is told.
        let former = entry.before.as_deref().map(text::fold);
        let is_it = |it: &&mut Tenure| {
            let known = text::fold(&it.auditor_name);
            let same_number = it.auditor_uid.is_some() && it.auditor_uid == firm.uid;
            let was = former.as_ref().is_some_and(|it| {
                it.strip_prefix(&known).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
            });
            it.resigned_at.is_none() && (same_number || known == text::fold(&name) || was)
        };
        let known = self.tenures.iter_mut().find(is_it);
        let (date, source) = (publication.date, publication.source.clone());
        match (entry.kind, known) {
            (EntryKind::Left, Some(tenure)) => {
                tenure.resigned_at = Some(date);
                tenure.source = source;
            }
            // The same firm, under another name or seat.
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

/// The names that what was entered before may begin with, folded: `Meier, Anna, von Chur`, `Meier`,
/// `Anna Meier`. Where it is no name, nobody bears it.
fn former_names(entry: &Entry, person: &Person) -> Vec<String> {
    let Some(before) = &entry.before else { return Vec::new() };
    let mut clauses = before.split(',').map(str::trim);
    let first = clauses.next().unwrap_or_default();
    let mut names = vec![text::fold(first)];
    // The given name stays where none is said: `von Chur` is none.
    let said = clauses.next().filter(|it| it.starts_with(char::is_uppercase));
    let given = person.first_name.as_deref().map(|it| said.unwrap_or(it));
    names.extend(given.map(|it| text::fold(&format!("{it} {first}"))));
    names
}

/// A mandate as an entry states it, without beginning and end.
fn mandate(entry: &Entry, person: Person, publication: &Announced) -> Mandate {
    let identity = person.identity(publication.uid);
    Mandate {
        person_id: identity.id,
        confidence: identity.confidence,
        person,
        role: role(entry),
        category: category(entry),
        signature: entry.signature.clone(),
        signing_authority: entry.signature_kind.map(signing_authority),
        holding: entry.quota.as_ref().map(holding),
        since: None,
        until: None,
        source: publication.source.clone(),
    }
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

/// What an event says that a person holds: the function, or else the signature, as written.
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

fn holding(quota: &Quota) -> Holding {
    Holding {
        text: quota.text.clone(),
        count: quota.shares,
        total: quota.total,
        currency: quota.currency.clone(),
    }
}
