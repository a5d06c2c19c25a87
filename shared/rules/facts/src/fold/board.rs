//! Officers, signatories and auditors of a company over time: the entries of its notices start, change and end
//! mandates and tenures.

mod auditors;
mod identify;
mod officers;
mod roles;

use domain::{
    Uid,
    auditors::Tenure,
    persons::{Mandate, Person},
    text,
};
use gazette_notice::{Entry, EntryKind, Role, Subject};
use uuid::Uuid;

pub(super) use self::{
    auditors::{is_about_auditors, is_auditor, names_auditor},
    roles::{function_or_signature, signature, signing_authority, single_offices},
};
use super::{ParsedPublication, owners::OwnedCompany};
use crate::notice;

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

/// The person or firm that an entry is about.
pub(crate) fn person(entry: &Entry) -> Person {
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
}
