//! One publication of a company, whichever source brought it.

use std::collections::BTreeMap;

use domain::{
    Amount, Canton, Company, Provenance, Status, Uid,
    company::{Affiliation, AffiliationKind},
    legal_forms::LegalForm,
    text,
};
use gazette_notice::{
    CapitalKind, Change, Combination, Notice, Party, ProceedingKind, ProceedingStage,
};
use jiff::civil::Date;
use statements::{
    Statement,
    gazette::{self, Commons, Publication, Rubric, StatusChange},
};

use super::zefix;
use crate::{Fact, provenance::of_publication, takeovers::acquired};

/// A publication, read.
#[derive(Clone, Debug)]
pub(crate) struct Announced {
    pub(crate) uid: Uid,
    /// As the publication names the company.
    pub(crate) company_name: String,
    pub(crate) canton: Option<Canton>,
    /// Its number, or the digest of its text where it has none: what events are named by.
    pub(crate) key: String,
    pub(crate) date: Date,
    pub(crate) source: Provenance,
    /// The day of the publication before this one, where it names that.
    pub(crate) previous: Option<Date>,
    /// Withdrawn by the gazette: what it said does not count.
    pub(crate) is_cancelled: bool,
    pub(crate) is_registration: bool,
    /// The day of the deletion.
    pub(crate) deleted: Option<Date>,
    pub(crate) notice: Notice,
    /// The company before and after, where the publication says it in blocks.
    pub(crate) before: Option<State>,
    pub(crate) after: Option<State>,
}

impl Announced {
    /// Whether it says that the limited audit is waived, or not.
    pub(crate) fn states_waiver(&self) -> bool {
        let block = self.after.as_ref().or(self.before.as_ref());
        let by_text = |it: &Change| matches!(it, Change::OptingOut { .. });
        block.is_some_and(|it| it.opting_out.is_some()) || self.notice.changes.iter().any(by_text)
    }

    /// Whether it says that this other one takes the company over.
    fn names_acquirer(&self, acquirer: &Party) -> bool {
        let is_it = |it: &Party| match (it.uid, acquirer.uid) {
            (Some(one), Some(other)) => one == other,
            _ => text::fold(&it.name) == text::fold(&acquirer.name),
        };
        self.acquirers().any(is_it)
    }

    /// Those who take the company over.
    pub(crate) fn acquirers(&self) -> impl Iterator<Item = &Party> {
        self.notice.changes.iter().filter_map(|it| match it {
            Change::Combination { combination: Combination::IsTakenOverBy, party } => Some(party),
            _ => None,
        })
    }

    /// Whether one of the company's own publications tells already what this one of its acquirer does, so
    /// that it is told once.
    pub(crate) fn is_told_by(&self, own: &[Announced]) -> bool {
        let tells = |own: &Announced| {
            !own.is_cancelled && self.acquirers().any(|it| own.names_acquirer(it))
        };
        // One number is of one publication; events are named by it.
        own.iter().any(|it| it.key == self.key || (!self.is_cancelled && tells(it)))
    }

    /// The status that it states.
    pub(crate) fn status(&self) -> Option<Status> {
        if self.deleted.is_some() {
            return Some(Status::Cancelled);
        }
        let mut stated = self.notice.changes.iter().filter_map(|it| match it {
            Change::NewEntry | Change::ReEntry => Some(Status::Active),
            Change::Deletion => Some(Status::Cancelled),
            Change::Proceeding { proceeding: ProceedingKind::Moratorium, .. } => None,
            Change::Proceeding { stage: ProceedingStage::Opened, .. } => {
                Some(Status::BeingCancelled)
            }
            Change::Proceeding { stage: ProceedingStage::Revoked, .. } => Some(Status::Active),
            _ => None,
        });
        stated.next_back().or_else(|| self.is_registration.then_some(Status::Active))
    }

    /// The name that the company gives up by it, and what that was in other languages.
    pub(crate) fn former_names(&self) -> Vec<String> {
        let is_name = |it: &Change| matches!(it, Change::Name { .. });
        match (&self.before, &self.after) {
            (Some(before), Some(after)) if before.name != after.name => {
                before.name.iter().chain(&before.translations).cloned().collect()
            }
            (Some(_), Some(_)) => Vec::new(),
            _ if self.notice.changes.iter().any(is_name) => {
                self.notice.name.iter().cloned().collect()
            }
            _ => Vec::new(),
        }
    }

    /// The day of the first statutes that it names.
    pub(crate) fn statutes(&self) -> Option<Date> {
        let days = self.notice.changes.iter().filter_map(|it| match it {
            Change::Statutes { on } => Some(*on),
            _ => None,
        });
        days.filter(|it| *it <= self.date).min()
    }

    /// The company as it found it: its block, or what its text says of before.
    pub(crate) fn state_before(&self) -> State {
        if let Some(before) = &self.before {
            return before.clone();
        }
        let mut state = State { name: Some(self.company_name.clone()), ..State::default() };
        for change in &self.notice.changes {
            match change {
                Change::Seat { from: Some(from), .. } => state.seat = Some(from.clone()),
                Change::Capital {
                    capital: CapitalKind::Shares | CapitalKind::Quotas,
                    from: Some(from),
                    currency,
                    ..
                } => {
                    state.capital = Some(*from);
                    state.currency.clone_from(currency);
                }
                _ => {}
            }
        }
        state
    }

    /// The status in which it found the company.
    pub(crate) fn status_before(&self) -> Status {
        let stated = self.notice.changes.iter().find_map(|it| match it {
            Change::ReEntry => Some(Status::Cancelled),
            Change::Proceeding { proceeding: ProceedingKind::Moratorium, .. } => None,
            Change::Proceeding { stage: ProceedingStage::Opened, .. } => Some(Status::Active),
            // Only what has begun is revoked, suspended, resumed or closed.
            Change::Proceeding { .. } => Some(Status::BeingCancelled),
            _ => None,
        });
        let name = self.before.as_ref().and_then(|it| it.name.as_deref());
        stated.unwrap_or_else(|| status_by_name(name.unwrap_or(&self.company_name)))
    }
}

/// The status of a company of which nothing states a new one: who is in the register is active, unless the
/// name says otherwise, and stays what ends it.
pub(crate) fn status_by_default(known: Option<Status>, name: &str) -> Status {
    match known {
        None | Some(Status::Active) => status_by_name(name),
        Some(known) => known,
    }
}

/// The status of a company that is entered and nothing more: it bears its liquidation in its name (OR 739).
fn status_by_name(name: &str) -> Status {
    let folded = text::fold(name);
    if without_liquidation(&folded) == folded { Status::Active } else { Status::BeingCancelled }
}

fn without_liquidation(folded: &str) -> &str {
    let endings = ["in liquidation", "en liquidation", "in liquidazione"];
    endings.iter().find_map(|it| folded.strip_suffix(it)).unwrap_or(folded).trim_end()
}

/// Whether both are one name: a liquidation that is added or taken away makes no other.
pub(crate) fn is_one_name(one: &str, other: &str) -> bool {
    let (one, other) = (text::fold(one), text::fold(other));
    without_liquidation(&one) == without_liquidation(&other)
}

/// What a block states of a company.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct State {
    pub(crate) name: Option<String>,
    pub(crate) translations: Vec<String>,
    pub(crate) seat: Option<String>,
    /// eCH-0097.
    pub(crate) legal_form_code: Option<String>,
    pub(crate) address: Option<Address>,
    pub(crate) purpose: Option<String>,
    pub(crate) capital: Option<Amount>,
    /// As much of the capital as is paid in.
    pub(crate) paid: Option<Amount>,
    pub(crate) currency: Option<String>,
    pub(crate) opting_out: Option<bool>,
    pub(crate) chid: Option<String>,
    /// Of a branch: whose it is.
    pub(crate) head_office: Option<Affiliation>,
}

/// An address by its parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Address {
    pub(crate) care_of: Option<String>,
    pub(crate) street: Option<String>,
    pub(crate) house_number: Option<String>,
    pub(crate) addon: Option<String>,
    pub(crate) po_box: Option<String>,
    pub(crate) zip_code: Option<String>,
    pub(crate) city: Option<String>,
}

impl Address {
    /// In one line.
    pub(crate) fn line(&self) -> String {
        let joined = |parts: &[&Option<String>]| {
            let parts: Vec<&str> = parts.iter().filter_map(|it| it.as_deref()).collect();
            parts.join(" ")
        };
        let lines = [
            joined(&[&self.care_of]),
            joined(&[&self.street, &self.house_number]),
            joined(&[&self.addon]),
            joined(&[&self.po_box]),
            joined(&[&self.zip_code, &self.city]),
        ];
        lines.into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join(", ")
    }

    /// Whether the words are the same: the gazette parses addresses anew now and then.
    pub(crate) fn says_the_same(&self, other: &Self) -> bool {
        let words = |it: &Self| {
            let folded = text::fold(&it.line());
            let mut words: Vec<String> = folded.split(' ').map(str::to_owned).collect();
            words.sort_unstable();
            words
        };
        words(self) == words(other)
    }
}

impl State {
    /// The German name of the legal form.
    pub(crate) fn legal_form(&self) -> Option<String> {
        let code = self.legal_form_code.as_deref()?;
        Some(LegalForm::by_code(code).map_or_else(|| code.to_owned(), |it| it.name().to_owned()))
    }

    /// Puts what the block states in the place of what the record says.
    pub(crate) fn apply(&self, company: &mut Company) {
        let set = |to: &mut Option<String>, from: &Option<String>| {
            if from.is_some() {
                to.clone_from(from);
            }
        };
        if let Some(name) = &self.name {
            company.name.clone_from(name);
        }
        if !self.translations.is_empty() {
            company.translations = Some(self.translations.clone());
        }
        if self.seat.is_some() && self.seat != company.legal_seat {
            company.legal_seat.clone_from(&self.seat);
            // What followed from the old seat does not follow from the new one.
            (company.legal_seat_id, company.municipality) = (None, None);
        }
        set(&mut company.legal_form_code, &self.legal_form_code);
        set(&mut company.legal_form, &self.legal_form());
        set(&mut company.purpose, &self.purpose);
        set(&mut company.chid, &self.chid);
        if self.capital.is_some() {
            company.share_capital = self.capital;
            let currency = self.currency.clone().or_else(|| company.currency.clone());
            company.currency = Some(currency.unwrap_or_else(|| "CHF".to_owned()));
        }
        if let Some(address) = &self.address {
            let Address { care_of, street, house_number, addon, po_box, zip_code, city } =
                address.clone();
            if company.address_city != city || company.address_zip_code != zip_code {
                company.address_canton = None;
            }
            company.address_care_of = care_of;
            company.address_street = street;
            company.address_house_number = house_number;
            company.address_addon = addon;
            company.address_po_box = po_box;
            company.address_zip_code = zip_code;
            company.address_city = city;
        }
        if self.opting_out.is_some() {
            company.auditor_opt_out = self.opting_out;
        }
        if let Some(head_office) = &self.head_office {
            belongs(company, head_office);
        }
    }
}

/// The company is a branch of this one, and of no other. Where the same one is named without its number,
/// the number stays.
fn belongs(company: &mut Company, head_office: &Affiliation) {
    let is_known = |it: &Affiliation| it.kind == head_office.kind;
    let at = company.affiliations.iter().position(is_known);
    let known = at.map(|at| company.affiliations.remove(at));
    let same = known.filter(|it| text::fold(&it.name) == text::fold(&head_office.name));
    let uid = head_office.uid.or(same.and_then(|it| it.uid));
    let head_office = Affiliation { uid, ..head_office.clone() };
    company.affiliations.insert(at.unwrap_or(0), head_office);
}

fn of_gazette(fact: &Fact, publication: &Publication) -> Announced {
    let state = |it: &Commons| State {
        name: Some(it.name.clone()),
        translations: it.translations.clone(),
        seat: it.seat.clone(),
        legal_form_code: it.legal_form.clone(),
        address: it.address.as_ref().map(address),
        purpose: it.purpose.clone(),
        capital: it.capital.as_ref().and_then(|it| it.nominal),
        paid: it.capital.as_ref().and_then(|it| it.paid),
        currency: it.capital.as_ref().and_then(|it| it.currency.clone()),
        opting_out: it.opting_out,
        chid: it.code13.clone(),
        head_office: it.head_office.as_ref().map(|it| Affiliation {
            kind: AffiliationKind::HeadOffice,
            uid: it.uid,
            name: it.name.clone(),
        }),
    };
    let mut notice = gazette_notice::read(&publication.text);
    // What the office flags, the text says too, as a rule; where it does not, the flag counts.
    for flagged in publication.status_changes.iter().filter_map(|it| flagged(*it)) {
        let is_said = |it: &Change| match (it, &flagged) {
            (Change::Proceeding { stage: one, .. }, Change::Proceeding { stage: other, .. }) => {
                one == other
            }
            (one, other) => one == other,
        };
        if !notice.changes.iter().any(is_said) {
            notice.changes.push(flagged);
        }
    }
    let is_deletion = publication.rubric == Rubric::Deletion;
    Announced {
        uid: fact.uid,
        company_name: publication.company().map(|it| it.name.clone()).unwrap_or_default(),
        canton: publication.cantons.first().copied(),
        key: publication.number.to_string(),
        date: publication.date,
        source: of_publication(publication),
        previous: (publication.previous.as_ref().and_then(|it| it.date))
            .or_else(|| notice.previous.as_ref().and_then(|it| it.date)),
        is_cancelled: publication.state == gazette::State::Cancelled,
        is_registration: publication.rubric == Rubric::NewEntry,
        deleted: is_deletion.then(|| publication.deletion_date.unwrap_or(publication.date)),
        notice,
        before: publication.before.as_ref().map(state),
        after: publication.after.as_ref().map(state),
    }
}

fn flagged(change: StatusChange) -> Option<Change> {
    let (proceeding, stage) = match change {
        StatusChange::BankruptcyOpened => (ProceedingKind::Bankruptcy, ProceedingStage::Opened),
        StatusChange::BankruptcySuspended => {
            (ProceedingKind::Bankruptcy, ProceedingStage::Suspended)
        }
        StatusChange::BankruptcyRevoked => (ProceedingKind::Bankruptcy, ProceedingStage::Revoked),
        StatusChange::BankruptcyClosed => (ProceedingKind::Bankruptcy, ProceedingStage::Closed),
        StatusChange::LiquidationOpened => (ProceedingKind::Liquidation, ProceedingStage::Opened),
        StatusChange::LiquidationByCourt | StatusChange::LiquidationByOffice => {
            (ProceedingKind::OrganisationalDefect, ProceedingStage::Opened)
        }
        StatusChange::LiquidationRevoked => (ProceedingKind::Liquidation, ProceedingStage::Revoked),
        StatusChange::ReEntry => return Some(Change::ReEntry),
        StatusChange::BankruptcySummary
        | StatusChange::Suspension
        | StatusChange::Reapplication => return None,
    };
    Some(Change::Proceeding { proceeding, stage })
}

fn address(written: &gazette::Address) -> Address {
    let written = written.clone();
    // A line of the address names who lives there, or the house.
    let (care_of, addon) = match written.address_line1 {
        Some(line) if line.to_lowercase().starts_with("c/o") => (Some(line), written.address_line2),
        line => (None, line.or(written.address_line2)),
    };
    Address {
        care_of,
        street: written.street,
        house_number: written.house_number,
        addon,
        po_box: written.post_office_box_number.or(written.post_office_box_text),
        zip_code: written.swiss_zip_code.or(written.foreign_zip_code),
        city: written.town,
    }
}

/// Every publication that the facts bring, in the order of publication. One that several sources bring
/// counts once: the gazette's own form says more than the register's copy of its text.
pub(crate) fn announced(facts: &[&Fact]) -> Vec<Announced> {
    let mut publications = InOrder::new();
    for fact in facts {
        if let Statement::Zefix(record) = &fact.statement {
            for publication in zefix::announced(record, fact.uid) {
                publications.entry(place(&publication)).or_insert(publication);
            }
        }
    }
    for fact in facts {
        if let Statement::Shab(publication) = &fact.statement {
            keep(&mut publications, of_gazette(fact, publication));
        }
    }
    publications.into_values().collect()
}

/// What publications of others say of the company, as its own would: that another takes it over. Each
/// once, in the order of publication.
pub(crate) fn takeovers(facts: &[&Fact]) -> Vec<Announced> {
    let mut takeovers = InOrder::new();
    for fact in facts {
        if let Statement::Takeover(publication) = &fact.statement
            && let Some(takeover) = of_acquirer(fact, publication)
        {
            keep(&mut takeovers, takeover);
        }
    }
    takeovers.into_values().collect()
}

type InOrder = BTreeMap<(Date, Option<u64>, String), Announced>;

fn place(it: &Announced) -> (Date, Option<u64>, String) {
    (it.date, it.key.parse().ok(), it.key.clone())
}

/// Keeps a publication in the place of what was known of it. Withdrawn once, withdrawn for good.
fn keep(publications: &mut InOrder, publication: Announced) {
    let place = place(&publication);
    if publications.get(&place).is_none_or(|it| !it.is_cancelled) {
        publications.insert(place, publication);
    }
}

fn of_acquirer(fact: &Fact, publication: &Publication) -> Option<Announced> {
    let acquirer = publication.company()?;
    // The notice is read anew: a better reader may find that it says something else.
    let acquired = acquired(publication).into_iter().find(|it| it.uid == Some(fact.uid))?;
    let (uid, name) = (Some(acquirer.uid), acquirer.name.clone());
    let party = Party { name, uid, seat: acquirer.seat.clone() };
    let combination = Combination::IsTakenOverBy;
    Some(Announced {
        uid: fact.uid,
        company_name: acquired.name,
        // The publication is of the acquirer's office.
        canton: None,
        key: publication.number.to_string(),
        date: publication.date,
        source: of_publication(publication),
        previous: None,
        is_cancelled: publication.state == gazette::State::Cancelled,
        is_registration: false,
        deleted: None,
        notice: Notice {
            changes: vec![Change::Combination { combination, party }],
            ..Notice::default()
        },
        before: None,
        after: None,
    })
}
