//! What a publication means for the control of a company: who can sign for it, who owns it, and whether organs are missing.
//!
//! It follows from the board before and after the publication. Statements about the whole board are made only if the whole
//! board is known: every publication from the entry of the company on (each names the date of the one before), all of them in
//! list style, without a clause that is left out, and without an officer whose entry is not among them.

use std::collections::BTreeMap;

use domain::{
    ChangeKind, Event, Status,
    auditors::Tenure,
    changes::LegalEvent,
    legal_forms::BRANCHES,
    persons::{Mandate, RoleCategory, SigningAuthority},
    text,
};
use gazette_notice::{Change, EntryKind};
use jiff::civil::Date;
use uuid::Uuid;

use super::{
    ParsedPublication,
    board::{Board, Officer},
    legal_events::entry,
    life::StatusWithReason,
};

/// What is known after the publications so far.
#[derive(Debug, Default)]
pub(super) struct Control {
    /// Whether all publications since the entry are known and surely understood.
    is_complete: bool,
    last: Option<Date>,
    status: StatusWithReason,
    /// Whether the audit is waived. `None` while no publication says so or denies it.
    is_waived: Option<bool>,
    legal_form: Option<String>,
    /// The mandates with which a person could sign after the last publication, by their position on the board.
    signing: BTreeMap<usize, Signatory>,
}

/// A person who can sign for the company.
type Signatory = (Uuid, SigningAuthority);

impl Control {
    /// Takes over the next publication, which has been applied to the board, and adds legal events to its events.
    pub(super) fn apply(
        &mut self,
        publication: &ParsedPublication,
        board: &Board,
        events: &mut [Event],
    ) {
        let is_entry = entry(publication).is_some();
        let was_complete = self.is_complete;
        self.follow(publication, is_entry);
        let status = std::mem::take(&mut self.status);
        self.status = status.after(publication);
        let is_active =
            [status, self.status].iter().all(|it| matches!(it.status, None | Some(Status::Active)));
        for (event, officer) in of_officers(events, &board.officers) {
            if officer.has_new_data_only(&board.mandates) {
                event.legal_event = Some(LegalEvent::PersonalDataChanged);
            }
            if !is_entry && officer.gets_majority(&board.mandates, publication.date) {
                event.legal_event = Some(LegalEvent::MajorityPasses);
            }
        }
        if is_entry || publication.deleted.is_some() {
            let all = (0..board.mandates.len()).filter_map(|at| Some((at, signatory(board, at)?)));
            self.signing = all.collect();
            return;
        }
        let replaced = self.replace_signatories(board);
        if is_active {
            // A branch is controlled by its head office, whoever manages it.
            let is_branch = self.legal_form.as_deref().is_some_and(|it| BRANCHES.contains(&it));
            if was_complete && self.is_complete && !is_branch {
                self.compare_boards(board, &replaced, events);
            }
            self.look_for_auditor(publication, board, events);
        }
    }

    /// Takes over the signatures of the officers in the last publication. Returns what they were before, by position. No
    /// other signature changes with a publication (a supervisory authority, which another one replaces, does not sign), and
    /// comparing all would take a second for a company with a thousand signatories.
    fn replace_signatories(&mut self, board: &Board) -> BTreeMap<usize, Option<Signatory>> {
        let mut replaced = BTreeMap::new();
        for Officer { at, .. } in &board.officers {
            let before = match signatory(board, *at) {
                Some(after) => self.signing.insert(*at, after),
                None => self.signing.remove(at),
            };
            replaced.entry(*at).or_insert(before);
        }
        replaced
    }

    /// The persons who can sign, with their signing authority. `None` if they are more than `most`.
    fn signatories(&self, most: usize) -> Option<BTreeMap<Uuid, SigningAuthority>> {
        let mut persons = BTreeMap::new();
        for (id, authority) in self.signing.values() {
            persons.insert(*id, *authority);
            if persons.len() > most {
                return None;
            }
        }
        Some(persons)
    }

    /// Notes whether the publication follows the last one without a gap, and what it says about audit and legal form.
    fn follow(&mut self, publication: &ParsedPublication, is_entry: bool) {
        let follows = || match (publication.previous, self.last) {
            (Some(previous), Some(last)) => previous <= last,
            _ => false,
        };
        self.is_complete =
            publication.is_surely_read() && (is_entry || (self.is_complete && follows()));
        self.last = Some(publication.date);
        let block = publication.block();
        let waived = publication.notice.changes.iter().rev().find_map(|it| match it {
            Change::OptingOut { waived } => Some(*waived),
            _ => None,
        });
        self.is_waived = block.and_then(|it| it.opting_out).or(waived).or(self.is_waived);
        let form = block.and_then(|it| it.legal_form_code.clone());
        self.legal_form = form.or(self.legal_form.take());
    }

    /// Marks the event that leaves nobody, one person alone, or only new persons in control. `replaced` are the signatures
    /// that the publication changes, as they were before.
    fn compare_boards(
        &self,
        board: &Board,
        replaced: &BTreeMap<usize, Option<Signatory>>,
        events: &mut [Event],
    ) {
        // Each of the events means that everybody who can sign is named in this publication.
        let Some(after) = self.signatories(board.officers.len()) else { return };
        let mut officers = of_officers(events, &board.officers);
        let marked = if after.is_empty() {
            let leads = |it: &Mandate| {
                it.is_current()
                    && !matches!(it.category, RoleCategory::Supervisor | RoleCategory::Auditor)
            };
            let mut last = || officers.rfind(|(_, it)| it.kind == EntryKind::Left);
            if board.mandates.iter().any(leads) {
                None
            } else {
                Some(LegalEvent::BoardEmptied).zip(last())
            }
        } else {
            let unchanged = self.signing.iter().filter(|(at, _)| !replaced.contains_key(at));
            let before = replaced.iter().filter_map(|(at, it)| Some((at, it.as_ref()?)));
            let mut before: Vec<(&usize, &Signatory)> = unchanged.chain(before).collect();
            before.sort_unstable_by_key(|(at, _)| **at);
            let before: BTreeMap<Uuid, SigningAuthority> =
                before.into_iter().map(|(_, it)| *it).collect();
            let is_new = |id: &Uuid| !before.contains_key(id);
            let legal = match after.iter().collect::<Vec<_>>()[..] {
                _ if before.is_empty() => None,
                _ if after.keys().all(is_new) => Some(LegalEvent::ControlPasses),
                // A person who could sign alone before, beside others, has got no new right.
                [(id, SigningAuthority::Sole)] if is_joint(before[id]) => {
                    Some(LegalEvent::SoleSignatory)
                }
                _ => None,
            };
            let signs = |it: &Officer| after.contains_key(&board.mandates[it.at].person_id);
            legal.zip(officers.find(|(_, it)| signs(it)))
        };
        if let Some((legal, (event, _))) = marked
            && board.mandates.iter().all(is_known)
        {
            event.legal_event = Some(legal);
        }
    }

    /// Marks the departure of the only auditor of a company that must have one (art. 727a, 818, 906 of the Code of
    /// Obligations), unless it waives the audit.
    fn look_for_auditor(
        &self,
        publication: &ParsedPublication,
        board: &Board,
        events: &mut [Event],
    ) {
        // A waiver can be in a publication that is missing.
        let is_sure =
            publication.is_surely_read() && (self.is_complete || self.is_waived == Some(false));
        let needs_one = self.legal_form.as_deref().is_some_and(|it| AUDITED.contains(&it));
        let has_auditor = board.tenures.iter().any(Tenure::is_current);
        if !is_sure || !needs_one || has_auditor || self.is_waived == Some(true) {
            return;
        }
        let departure = events.iter_mut().rfind(|it| {
            it.kind == ChangeKind::AuditorChange && it.old_value.is_some() && it.new_value.is_none()
        });
        let Some(departure) = departure else { return };
        // The blocks can name the next auditor before its entry does.
        let former = departure.old_value.as_deref().map(text::fold);
        let names_other =
            publication.auditor.as_ref().is_some_and(|it| Some(text::fold(&it.name)) != former);
        if !names_other {
            departure.legal_event = Some(LegalEvent::NoAuditor);
        }
    }
}

/// Codes (eCH-0097) of the legal forms that must have an auditor unless they waive the audit: companies limited by shares,
/// with or without general partners, limited liability companies and cooperatives.
pub(super) const AUDITED: [&str; 4] = ["0105", "0106", "0107", "0108"];

/// The events about officers, with the entries that they are about.
fn of_officers<'a>(
    events: &'a mut [Event],
    officers: &'a [Officer],
) -> impl DoubleEndedIterator<Item = (&'a mut Event, &'a Officer)> + ExactSizeIterator {
    let events: Vec<&mut Event> =
        events.iter_mut().filter(|it| it.kind == ChangeKind::BoardChange).collect();
    events.into_iter().zip(officers)
}

/// The person with this mandate, if it is current and a right to sign.
fn signatory(board: &Board, at: usize) -> Option<Signatory> {
    let signs = |it: &&Mandate| it.is_current() && it.category != RoleCategory::Supervisor;
    let mandate = board.mandates.get(at).filter(signs)?;
    let authority = mandate.signing_authority?;
    (authority != SigningAuthority::None).then_some((mandate.person_id, authority))
}

/// Whether the entry of an officer is known, and how the officer signs. Without a stated signature, a person who manages the
/// company may sign or not.
fn is_known(mandate: &Mandate) -> bool {
    let leads = mandate.leads() || mandate.is_in(RoleCategory::Partner);
    mandate.since.is_some() && !(leads && mandate.signing_authority.is_none())
}

fn is_joint(authority: SigningAuthority) -> bool {
    use SigningAuthority::{Collective, CollectiveProcuration, CollectiveTwo};
    matches!(authority, Collective | CollectiveTwo | CollectiveProcuration)
}

impl Officer {
    /// Whether the entry of a person who stays changes name, origin or residence, and neither function nor signature nor shares.
    fn has_new_data_only(&self, mandates: &[Mandate]) -> bool {
        let (EntryKind::Changed, Some(before)) = (self.kind, &self.before) else { return false };
        let after = &mandates[self.at];
        let same = |one: &Option<String>, other: &Option<String>| {
            one.as_deref().map(text::fold) == other.as_deref().map(text::fold)
        };
        before.person != after.person
            && text::fold(&before.role) == text::fold(&after.role)
            && same(&before.signature, &after.signature)
            && before.signing_authority == after.signing_authority
            && before.holding == after.holding
    }

    /// Whether the person has more than half of the capital since a day, and did not before.
    fn gets_majority(&self, mandates: &[Mandate], day: Date) -> bool {
        let mandate = &mandates[self.at];
        let mut periods = mandate.holdings.iter().rev();
        let half = |it: f64| it > 50.0;
        let Some(last) = periods.next().filter(|it| it.until.is_none() && it.since == Some(day))
        else {
            return false;
        };
        let had = match periods.next() {
            Some(before) => before.percentage.map(half),
            // A person who enters had none; what one who stays had is not known.
            None => (mandate.since == Some(day)).then_some(false),
        };
        last.percentage.is_some_and(half) && had == Some(false)
    }
}
