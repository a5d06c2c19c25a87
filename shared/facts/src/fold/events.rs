//! What a publication says happened. An event follows from its publication alone.

use std::collections::HashMap;

use domain::{
    Amount, ChangeKind, Event, Status, changes::Subject as Concerned, legal_forms::LegalForm, text,
};
use uuid::Uuid;

use super::{
    announced::{Announced, State},
    board,
};
use gazette_notice::{
    CapitalKind, Change, Combination, Entry, EntryKind, ProceedingKind, ProceedingStage,
};

/// The namespace of event ids.
const EVENTS: Uuid = Uuid::from_u128(0x2b0c_1d5c_6a3e_5f4b_9a77_51f3_6b86_03c4);

/// The member that says how much of the capital is paid in; the record has none.
const PAID_IN: &str = "paidInCapital";

/// The events of a publication, in the order of a company's life.
pub(super) fn events(publication: &Announced) -> Vec<Event> {
    let mut found = Found { publication, events: Vec::new(), told: HashMap::new() };
    if publication.is_cancelled {
        found.add(ChangeKind::PublicationCancelled, None, None, Some(publication.key.clone()));
        return found.events;
    }
    found.life();
    found.members();
    found.persons();
    if found.events.is_empty() {
        found.add(ChangeKind::Other, None, None, None);
    }
    found.events
}

struct Found<'a> {
    publication: &'a Announced,
    events: Vec<Event>,
    /// How often the publication said so of whom.
    told: HashMap<String, usize>,
}

impl Found<'_> {
    fn add(
        &mut self,
        kind: ChangeKind,
        field: Option<&str>,
        old: Option<String>,
        new: Option<String>,
    ) {
        let summary = summary(kind, &self.publication.company_name, old.as_deref(), new.as_deref());
        self.push(kind, field, old, new, summary, None);
    }

    fn push(
        &mut self,
        kind: ChangeKind,
        field: Option<&str>,
        old_value: Option<String>,
        new_value: Option<String>,
        summary: String,
        subject: Option<Concerned>,
    ) {
        let Announced { uid, company_name, canton, key, date, source, .. } = self.publication;
        let subject_key = subject.as_ref().map(|it| match it.person_id {
            Some(id) => id.to_string(),
            None => it.name.clone(),
        });
        let subject_key = subject_key.unwrap_or_default();
        let field_key = field.unwrap_or_default();
        let name = format!("{uid}|{key}|{}|{field_key}|{subject_key}", kind.code());
        // Somebody may stand twice in one notice.
        let times = self.told.entry(name.clone()).or_default();
        let id = Uuid::new_v5(&EVENTS, format!("{name}|{times}").as_bytes());
        *times += 1;
        self.events.push(Event {
            id,
            uid: *uid,
            company_name: company_name.clone(),
            canton: *canton,
            kind,
            field: field.map(str::to_owned),
            old_value,
            new_value,
            summary,
            date: *date,
            source: source.clone(),
            subject,
        });
    }

    fn changes(&self) -> &[Change] {
        &self.publication.notice.changes
    }

    /// Entry, dissolution, bankruptcy, deletion, and their revocation; mergers.
    fn life(&mut self) {
        let status = |it: Status| Some(it.name().to_owned());
        let has = |wanted: &Change| self.publication.notice.changes.contains(wanted);
        let (is_new, is_back) =
            (self.publication.is_registration || has(&Change::NewEntry), has(&Change::ReEntry));
        if is_back {
            let old = status(Status::Cancelled);
            self.add(ChangeKind::ReRegistration, Some("status"), old, status(Status::Active));
        } else if is_new {
            self.add(ChangeKind::NewRegistration, Some("status"), None, status(Status::Active));
        }
        for change in self.changes().to_vec() {
            match change {
                Change::Proceeding { proceeding, stage } => self.proceeding(proceeding, stage),
                Change::Combination { combination, party } => {
                    let field = match combination {
                        Combination::TakesOver => "hasTakenOver",
                        Combination::IsTakenOverBy => "wasTakenOverBy",
                        Combination::Demerger => "demerger",
                        Combination::AssetTransfer => "assetTransfer",
                    };
                    let (name, new) = (&self.publication.company_name, Some(party.name.clone()));
                    let summary = match combination {
                        Combination::TakesOver => format!("{name} takes over {}", party.name),
                        Combination::IsTakenOverBy => {
                            format!("{name} is taken over by {}", party.name)
                        }
                        Combination::Demerger => format!("{name} and {} demerge", party.name),
                        Combination::AssetTransfer => {
                            format!("Assets pass between {name} and {}", party.name)
                        }
                    };
                    let subject = Concerned { person_id: None, uid: party.uid, name: party.name };
                    self.push(ChangeKind::Merger, Some(field), None, new, summary, Some(subject));
                }
                _ => {}
            }
        }
        if self.publication.deleted.is_some() || self.changes().contains(&Change::Deletion) {
            self.add(ChangeKind::Deletion, Some("status"), None, status(Status::Cancelled));
        }
    }

    fn proceeding(&mut self, proceeding: ProceedingKind, stage: ProceedingStage) {
        let status = |it: Status| Some(it.name().to_owned());
        let kind = match (proceeding, stage) {
            (_, ProceedingStage::Revoked) => ChangeKind::Revocation,
            (ProceedingKind::Liquidation | ProceedingKind::OrganisationalDefect, _) => {
                ChangeKind::Liquidation
            }
            (ProceedingKind::Bankruptcy | ProceedingKind::Moratorium, _) => ChangeKind::Bankruptcy,
        };
        let (old, new) = match (proceeding, stage) {
            // A moratorium leaves the company as it is.
            (ProceedingKind::Moratorium, _) => (None, None),
            (_, ProceedingStage::Revoked) => {
                (status(Status::BeingCancelled), status(Status::Active))
            }
            (_, ProceedingStage::Opened) => {
                (status(Status::Active), status(Status::BeingCancelled))
            }
            (_, _) => (None, None),
        };
        let words = match (proceeding, stage) {
            (ProceedingKind::Liquidation, ProceedingStage::Opened) => {
                "is dissolved and in liquidation"
            }
            (ProceedingKind::Liquidation, ProceedingStage::Revoked) => {
                "has its dissolution revoked"
            }
            (ProceedingKind::Liquidation, _) => "has its liquidation moved on",
            (ProceedingKind::OrganisationalDefect, ProceedingStage::Opened) => {
                "is dissolved for a defect in its organisation"
            }
            (ProceedingKind::OrganisationalDefect, ProceedingStage::Revoked) => {
                "has its dissolution for a defect revoked"
            }
            (ProceedingKind::OrganisationalDefect, _) => {
                "has its dissolution for a defect moved on"
            }
            (ProceedingKind::Bankruptcy, ProceedingStage::Opened) => "is bankrupt",
            (ProceedingKind::Bankruptcy, ProceedingStage::Revoked) => "has its bankruptcy revoked",
            (ProceedingKind::Bankruptcy, ProceedingStage::Suspended) => {
                "has its bankruptcy suspended for want of assets"
            }
            (ProceedingKind::Bankruptcy, ProceedingStage::Resumed) => "has its bankruptcy resumed",
            (ProceedingKind::Bankruptcy, ProceedingStage::Closed) => "has its bankruptcy closed",
            (ProceedingKind::Moratorium, ProceedingStage::Opened) => "is granted a moratorium",
            (ProceedingKind::Moratorium, _) => "has its moratorium ended or changed",
        };
        let field = new.as_ref().map(|_| "status");
        let summary = format!("{} {words}", self.publication.company_name);
        self.push(kind, field, old, new, summary, None);
    }

    /// Name, form, seat, address, purpose, capital, audit: by the blocks where there are two, else by the
    /// text.
    fn members(&mut self) {
        let publication = self.publication;
        if publication.is_registration {
            return;
        }
        match (&publication.before, &publication.after) {
            (Some(before), Some(after)) => self.between(before, after),
            _ => self.by_text(),
        }
    }

    fn between(&mut self, before: &State, after: &State) {
        let mut differing = |kind, field, old: Option<String>, new: Option<String>| {
            if new.is_some() && old != new {
                self.add(kind, Some(field), old, new);
            }
        };
        differing(ChangeKind::NameChange, "name", before.name.clone(), after.name.clone());
        let form = |it: &State| it.legal_form();
        differing(ChangeKind::LegalFormChange, "legalForm", form(before), form(after));
        differing(ChangeKind::SeatChange, "legalSeat", before.seat.clone(), after.seat.clone());
        if let (Some(old), Some(new)) = (&before.address, &after.address)
            && !old.says_the_same(new)
        {
            differing(ChangeKind::AddressChange, "address", Some(old.line()), Some(new.line()));
        }
        let purpose = |it: &State| it.purpose.clone();
        differing(ChangeKind::PurposeChange, "purpose", purpose(before), purpose(after));
        let capital = |it: &State| it.capital.map(|it| it.to_string());
        differing(ChangeKind::CapitalChange, "shareCapital", capital(before), capital(after));
        let paid = |it: &State| it.paid.map(|it| it.to_string());
        let is_paid_stated = before.paid.is_some() && after.paid.is_some();
        let is_told = (before.paid, after.paid) == (before.capital, after.capital);
        if is_paid_stated && !is_told {
            differing(ChangeKind::CapitalChange, PAID_IN, paid(before), paid(after));
        }
        let waived = |it: &State| it.opting_out.map(|it| it.to_string());
        if before.opting_out.is_some() {
            differing(ChangeKind::AuditOptOut, "auditorOptOut", waived(before), waived(after));
        } else {
            self.waivers();
        }
        let nominal = after.capital.map(|to| (to, before.capital));
        let nominal = nominal.filter(|(to, from)| *from != Some(*to));
        self.other_capitals(is_paid_stated, nominal);
    }

    /// What is paid in and the participation capital, as the text says. Where as much is paid in as there
    /// is, the change of the whole tells it already.
    fn other_capitals(&mut self, is_paid_stated: bool, nominal: Option<(Amount, Option<Amount>)>) {
        let of = |kinds: &[CapitalKind]| {
            self.changes().iter().find_map(|it| match it {
                Change::Capital { capital, to, from, .. } if kinds.contains(capital) => {
                    Some((*to, *from))
                }
                _ => None,
            })
        };
        let nominal = of(&[CapitalKind::Shares, CapitalKind::Quotas]).or(nominal);
        let participation = of(&[CapitalKind::Participation]);
        for change in self.changes().to_vec() {
            let Change::Capital { capital, to, from, .. } = change else { continue };
            let (field, whole) = match capital {
                CapitalKind::Paid if !is_paid_stated => (PAID_IN, nominal),
                CapitalKind::Participation => ("participationCapital", None),
                CapitalKind::PaidParticipation => ("paidInParticipationCapital", participation),
                _ => continue,
            };
            let is_told = whole
                .is_some_and(|(whole, before)| whole == to && (from.is_none() || from == before));
            if !is_told && from != Some(to) {
                let (old, new) = (from.map(|it| it.to_string()), Some(to.to_string()));
                self.add(ChangeKind::CapitalChange, Some(field), old, new);
            }
        }
    }

    fn waivers(&mut self) {
        for change in self.changes().to_vec() {
            if let Change::OptingOut { waived } = change {
                let (old, new) = ((!waived).to_string(), waived.to_string());
                self.add(ChangeKind::AuditOptOut, Some("auditorOptOut"), Some(old), Some(new));
            }
        }
    }

    fn by_text(&mut self) {
        for change in self.changes().to_vec() {
            match change {
                Change::Name { to } => {
                    self.add(ChangeKind::NameChange, Some("name"), None, Some(to));
                }
                Change::LegalForm { to } => {
                    let to = LegalForm::named(&to).map_or(to, |it| it.name().to_owned());
                    self.add(ChangeKind::LegalFormChange, Some("legalForm"), None, Some(to));
                }
                Change::Seat { to, from } => {
                    self.add(ChangeKind::SeatChange, Some("legalSeat"), from, to);
                }
                Change::Address { to } => {
                    self.add(ChangeKind::AddressChange, Some("address"), None, Some(to));
                }
                Change::Purpose { to } => {
                    self.add(ChangeKind::PurposeChange, Some("purpose"), None, Some(to));
                }
                Change::Capital {
                    capital: CapitalKind::Shares | CapitalKind::Quotas,
                    to,
                    from,
                    ..
                } => {
                    let (old, new) = (from.map(|it| it.to_string()), Some(to.to_string()));
                    self.add(ChangeKind::CapitalChange, Some("shareCapital"), old, new);
                }
                _ => {}
            }
        }
        self.waivers();
        self.other_capitals(false, None);
    }

    /// Officers one by one; auditors that go and come in one notice are one change.
    fn persons(&mut self) {
        let publication = self.publication;
        let entries = &publication.notice.entries;
        let (auditors, officers): (Vec<&Entry>, Vec<&Entry>) =
            entries.iter().partition(|it| board::is_auditor(it));
        let of = |kind: EntryKind| auditors.iter().copied().filter(move |it| it.kind == kind);
        let mut gone = of(EntryKind::Left);
        for entered in of(EntryKind::Entered) {
            self.auditor(gone.next(), Some(entered));
        }
        for left in gone {
            self.auditor(Some(left), None);
        }
        for changed in of(EntryKind::Changed) {
            self.changed_auditor(changed);
        }
        for entry in officers {
            self.officer(entry);
        }
    }

    fn auditor(&mut self, gone: Option<&Entry>, come: Option<&Entry>) {
        let name = |it: Option<&Entry>| it.map(|it| board::person(it).full_name());
        let (old, new) = (name(gone), name(come));
        let Some(entry) = come.or(gone) else { return };
        let firm = board::person(entry);
        let subject = Concerned { person_id: None, uid: firm.uid, name: firm.full_name() };
        let company = &self.publication.company_name;
        let summary = match (&old, &new) {
            (Some(old), Some(new)) => format!("{new} follows {old} as auditor of {company}"),
            (None, Some(new)) => format!("{new} becomes auditor of {company}"),
            (Some(old), None) => format!("{old} ceases to be auditor of {company}"),
            (None, None) => return,
        };
        let field = Some("auditorName");
        self.push(ChangeKind::AuditorChange, field, old, new, summary, Some(subject));
    }

    /// The same auditor under another name, or else with another number or seat.
    fn changed_auditor(&mut self, entry: &Entry) {
        let firm = board::person(entry);
        let name = firm.full_name();
        let company = &self.publication.company_name;
        let before = entry.before.as_deref();
        // `[bisher: in Thun]` names a seat.
        let former = before.filter(|it| !["in ", "à ", "a "].iter().any(|at| it.starts_with(at)));
        let former = former.and_then(|it| it.split(',').next()).map(str::trim);
        let former = former.filter(|it| text::fold(it) != text::fold(&name));
        let subject = Some(Concerned { person_id: None, uid: firm.uid, name: name.clone() });
        let kind = ChangeKind::AuditorChange;
        match former {
            Some(former) => {
                let summary = format!("{former}, auditor of {company}, is now {name}");
                let old = Some(former.to_owned());
                self.push(kind, Some("auditorName"), old, Some(name), summary, subject);
            }
            None => {
                let summary = format!("{name} remains auditor of {company}, with another entry");
                let old = before.map(str::to_owned);
                let new = firm.residence.map_or(name.clone(), |it| format!("{name}, in {it}"));
                self.push(kind, Some("auditor"), old, Some(new), summary, subject);
            }
        }
    }

    fn officer(&mut self, entry: &Entry) {
        let person = board::person(entry);
        let name = person.full_name();
        let office = match (&entry.function, &entry.signature) {
            (Some(function), Some(signature)) => format!("{function}, {signature}"),
            _ => board::function_or_signature(entry),
        };
        let company = &self.publication.company_name;
        let (old, new, summary) = match entry.kind {
            EntryKind::Entered => (
                None,
                Some(office),
                format!("{name} is entered for {company}: {}", board::function_or_signature(entry)),
            ),
            EntryKind::Changed => (
                entry.before.clone(),
                Some(office),
                format!("{name} changes at {company}: {}", board::function_or_signature(entry)),
            ),
            EntryKind::Left => (
                Some(office),
                None,
                format!("{name} leaves {company}: {}", board::function_or_signature(entry)),
            ),
        };
        let id = person.identity(self.publication.uid).id;
        let subject = Concerned { person_id: Some(id), uid: person.uid, name };
        self.push(ChangeKind::BoardChange, Some("persons"), old, new, summary, Some(subject));
    }
}

/// One sentence for a change of one member.
fn summary(kind: ChangeKind, company: &str, old: Option<&str>, new: Option<&str>) -> String {
    let clause = match (old.map(shortened), new.map(shortened)) {
        (Some(old), Some(new)) => format!(": {old} → {new}"),
        (None, Some(new)) => format!(": {new}"),
        (Some(old), None) => format!(": no longer {old}"),
        (None, None) => String::new(),
    };
    match kind {
        ChangeKind::NewRegistration => format!("{company} is entered in the register"),
        ChangeKind::ReRegistration => format!("{company} is entered in the register again"),
        ChangeKind::Deletion => format!("{company} is deleted from the register"),
        ChangeKind::PublicationCancelled => {
            format!("A publication on {company} is withdrawn{clause}")
        }
        _ => format!("{} of {company}{clause}", kind.name()),
    }
}

/// A value as a summary quotes it: a purpose can fill a page.
fn shortened(value: &str) -> String {
    const LIMIT: usize = 80;
    if value.chars().count() <= LIMIT {
        return value.to_owned();
    }
    let mut short: String = value.chars().take(LIMIT - 1).collect();
    short.push('…');
    short
}
