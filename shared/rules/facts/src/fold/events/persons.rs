//! Events about officers, signatories and auditors.

use domain::{
    ChangeKind, Event, Language,
    changes::{LegalEvent, Subject},
    persons::SigningAuthority,
    terms::{self, offices},
    text, wording,
};
use gazette_notice::{Change, Entry, EntryKind, FormerDetails, Quota, Role, former_details};

use super::{
    super::{board, control::AUDITED},
    EventBuilder,
};
use crate::notice;

impl EventBuilder<'_> {
    /// Adds one event per officer. An auditor that leaves and one that enters in the same notice are one event.
    pub(super) fn add_person_events(&mut self) {
        let publication = self.publication;
        let entries = &publication.notice.entries;
        let (auditors, officers): (Vec<&Entry>, Vec<&Entry>) =
            entries.iter().partition(|it| board::is_auditor(it));
        let auditors_who =
            |kind: EntryKind| auditors.iter().copied().filter(move |it| it.kind == kind);
        let mut left = auditors_who(EntryKind::Left);
        for entered in auditors_who(EntryKind::Entered) {
            self.add_auditor_change(left.next(), Some(entered));
        }
        for left in left {
            self.add_auditor_change(Some(left), None);
        }
        for changed in auditors_who(EntryKind::Changed) {
            self.add_changed_auditor(changed);
        }
        for entry in officers {
            self.add_officer(entry);
        }
        let form = publication.block().and_then(|it| it.legal_form_code.as_deref());
        // An association without an auditor lacks nothing.
        let needs_auditor = form.is_none_or(|it| AUDITED.contains(&it));
        if needs_auditor && self.changes().contains(&Change::NoAuditor) {
            self.add_lack_of_auditor();
        }
    }

    /// Marks the departure of the auditor; without one, adds an event.
    fn add_lack_of_auditor(&mut self) {
        let is_departure =
            |it: &Event| it.kind == ChangeKind::AuditorChange && it.new_value.is_none();
        if let Some(event) = self.events.iter_mut().rfind(|it| is_departure(it)) {
            event.legal_event = Some(LegalEvent::NoAuditor);
            return;
        }
        let summary = format!("{} has no auditor", self.publication.company_name);
        let field = Some("auditorName");
        self.push(ChangeKind::AuditorChange, field, None, None, summary, None);
        self.add_legal_event(LegalEvent::NoAuditor, None);
    }

    fn add_auditor_change(&mut self, left: Option<&Entry>, entered: Option<&Entry>) {
        let name = |it: Option<&Entry>| it.map(|it| board::person(it).full_name());
        let (old, new) = (name(left), name(entered));
        let Some(entry) = entered.or(left) else { return };
        let firm = board::person(entry);
        let subject = Subject { person_id: None, uid: firm.uid, name: firm.full_name() };
        let company = &self.publication.company_name;
        let summary = match (&old, &new) {
            (Some(old), Some(new)) => format!("{new} replaces {old} as auditor of {company}"),
            (None, Some(new)) => format!("{new} becomes auditor of {company}"),
            (Some(old), None) => format!("{old} ceases to be auditor of {company}"),
            (None, None) => return,
        };
        let field = Some("auditorName");
        self.push(ChangeKind::AuditorChange, field, old, new, summary, Some(subject));
    }

    /// The auditor stays, with another name, UID or seat.
    fn add_changed_auditor(&mut self, entry: &Entry) {
        let firm = board::person(entry);
        let name = firm.full_name();
        let company = &self.publication.company_name;
        let before = entry.before.as_deref();
        // `[bisher: in Thun]` states the former seat, not a former name.
        let former = before.filter(|it| !["in ", "à ", "a "].iter().any(|at| it.starts_with(at)));
        let former = former.and_then(|it| it.split(',').next()).map(str::trim);
        let former = former.filter(|it| text::fold(it) != text::fold(&name));
        let subject = Some(Subject { person_id: None, uid: firm.uid, name: name.clone() });
        let kind = ChangeKind::AuditorChange;
        match former {
            Some(former) => {
                let summary = format!("{former}, auditor of {company}, is now {name}");
                let old = Some(former.to_owned());
                self.push(kind, Some("auditorName"), old, Some(name), summary, subject);
            }
            None => {
                let summary = format!("The entry of {name}, auditor of {company}, changes");
                let old = before.map(str::to_owned);
                // Without a former seat, the seat only describes the firm.
                let seat = firm.residence.filter(|_| old.is_some());
                let new = seat.map_or(name.clone(), |it| format!("{name}, in {it}"));
                self.push(kind, Some("auditor"), old, Some(new), summary, subject);
            }
        }
    }

    fn add_officer(&mut self, entry: &Entry) {
        let person = board::person(entry);
        let name = person.full_name();
        let company = &self.publication.company_name;
        let short = office_in_english(entry);
        let (old, new, summary) = match entry.kind {
            EntryKind::Entered => {
                (None, Some(office(entry)), format!("{name} joins {company}: {short}"))
            }
            EntryKind::Changed => change(entry, &name, company),
            EntryKind::Left => {
                (Some(office(entry)), None, format!("{name} leaves {company}: {short}"))
            }
        };
        let id = person.identity(self.publication.uid).id;
        let subject = Subject { person_id: Some(id), uid: person.uid, name };
        self.push(ChangeKind::BoardChange, Some("persons"), old, new, summary, Some(subject));
        if entry.kind == EntryKind::Changed && changes_data_only(entry) {
            self.add_legal_event(LegalEvent::PersonalDataChanged, None);
        }
    }
}

/// Function and signature.
fn office(entry: &Entry) -> String {
    match (&entry.function, board::signature(entry)) {
        (Some(function), Some(signature)) => format!("{function}, {signature}"),
        _ => board::function_or_signature(entry),
    }
}

/// The old and the new value of an entry of a person who stays, both of the same kind, and the summary. The former details
/// that the entry states decide what has changed: name, office, shares, residence or citizenship, in this order.
fn change(entry: &Entry, name: &str, company: &str) -> (Option<String>, Option<String>, String) {
    let former = entry.before.as_deref().map(former_details).unwrap_or_default();
    let is_new = |(old, new): &(String, String)| text::fold(old) != text::fold(new);
    let mut values = Vec::new();
    let mut clauses = Vec::new();
    let former_name = former.name.as_deref().map(|it| full_name(it, entry));
    let former_name = former_name.filter(|it| text::fold(it) != text::fold(name));
    if let Some(old) = &former_name {
        clauses.push(format!("is now called {name}"));
        values.push((old.clone(), name.to_owned()));
    }
    if let Some((old, new)) = former_office(&former, entry) {
        clauses.push(match (board::signature(entry), &entry.function) {
            (Some(signature), _) if *signature == new => {
                format!("now has {}", signature_in_english(entry, signature))
            }
            (_, Some(function)) if *function == new => {
                format!("is now {}", function_in_english(function, Name::of_one))
            }
            (Some(signature), Some(function)) => format!(
                "is now {}, with {}",
                function_in_english(function, Name::of_one),
                signature_in_english(entry, signature)
            ),
            _ => format!("is now {}", office_in_english(entry)),
        });
        values.push((old, new));
    }
    let quota = |it: &Option<Quota>| it.as_ref().map(|it| it.text.clone());
    if let Some((old, new)) = quota(&former.quota).zip(quota(&entry.quota)).filter(is_new) {
        clauses.push(match &entry.quota {
            Some(quota) => format!("now holds {}", quota_in_english(quota)),
            None => "now holds other shares".to_owned(),
        });
        values.push((old, new));
    }
    if let Some((old, new)) = former.domicile.zip(entry.domicile.clone()).filter(is_new) {
        clauses.push(format!("moves from {old} to {new}"));
        values.push((old, new));
    }
    let nationality = || entry.nationality.as_ref().map(|it| it.text.clone());
    let citizenship = entry.origin.clone().or_else(nationality);
    if let Some((old, new)) = former.citizenship.zip(citizenship).filter(is_new) {
        clauses.push(format!("has the citizenship “{new}” instead of “{old}”"));
        values.push((old, new));
    }
    let Some((old, new)) = values.into_iter().next() else {
        let short = office_in_english(entry);
        let summary = format!("The entry of {name} at {company} changes: {short}");
        return (None, Some(office(entry)), summary);
    };
    let who = former_name.as_deref().unwrap_or(name);
    let summary = format!("{who} at {company} {}", clauses.join(" and "));
    (Some(old), Some(new), summary)
}

/// Whether the former details that an entry states are data of the person only: name, residence or citizenship.
fn changes_data_only(entry: &Entry) -> bool {
    let Some(former) = entry.before.as_deref().map(former_details) else { return false };
    let states_data =
        former.name.is_some() || former.domicile.is_some() || former.citizenship.is_some();
    states_data
        && former.function.is_none()
        && former.signature.is_none()
        && former.quota.is_none()
        && entry.ended_function.is_none()
        && entry.share_change.is_none()
}

/// Function, or else signature, in English.
fn office_in_english(entry: &Entry) -> String {
    match (&entry.function, board::signature(entry)) {
        (Some(function), _) => function_in_english(function, |it| it.0.to_owned()),
        (None, Some(signature)) => signature_in_english(entry, signature),
        (None, None) => board::function_or_signature(entry),
    }
}

/// A function in English, each office `named`. What has no English name is quoted as published.
fn function_in_english(function: &str, named: impl Fn(Name) -> String) -> String {
    let name = |office: &str| {
        let role = gazette_notice::role(office).filter(|_| !offices::is_deputy_or_honorary(office));
        role.and_then(name_of_role).map(&named)
    };
    let single = board::single_offices(function);
    let names: Option<Vec<String>> = single.iter().map(|it| name(it)).collect();
    match names {
        Some(mut names) if !names.is_empty() => {
            names.dedup();
            names.join(" and ")
        }
        _ => format!("“{function}”"),
    }
}

/// The English name of an office, and whether a company has only one.
#[derive(Clone, Copy)]
struct Name(&'static str, bool);

impl Name {
    /// What somebody is: `president`, `a member`.
    fn of_one(self) -> String {
        let Self(name, is_only_one) = self;
        match (is_only_one, name.starts_with('a')) {
            (true, _) => name.to_owned(),
            (false, true) => format!("an {name}"),
            (false, false) => format!("a {name}"),
        }
    }
}

fn name_of_role(role: Role) -> Option<Name> {
    let one = |name| Some(Name(name, true));
    let several = |name| Some(Name(name, false));
    match role {
        Role::President => one("president"),
        Role::VicePresident => one("vice-president"),
        Role::Delegate => several("delegate"),
        Role::Member => several("member"),
        Role::Secretary => one("secretary"),
        Role::Treasurer => one("treasurer"),
        Role::ManagementChair => one("chair of the management"),
        Role::ManagingPartner => several("managing partner"),
        Role::Partner => several("partner"),
        Role::GeneralPartner => several("partner with unlimited liability"),
        Role::LimitedPartner => several("limited partner"),
        Role::Manager => several("manager"),
        Role::Owner => one("owner"),
        Role::Liquidator => several("liquidator"),
        Role::Auditor => one("auditor"),
        Role::SupervisoryAuthority => one("supervisory authority"),
        Role::AuthorisedOfficer => several("authorised signatory"),
        // Titles of executives and of heads of units. In English, a director would be a member of the board.
        Role::Director | Role::Other => None,
    }
}

/// A signature in English. One with a restriction, and one that is not understood, is quoted as published.
fn signature_in_english(entry: &Entry, published: &str) -> String {
    let kind = entry.signature_kind.map(board::signing_authority);
    let plain = kind.filter(|it| *it != SigningAuthority::Collective && !published.contains(','));
    match plain {
        Some(authority) => Language::En.of(terms::signing(authority)).to_owned(),
        None => format!("“{published}”"),
    }
}

/// Shares of a limited liability company in English.
fn quota_in_english(quota: &Quota) -> String {
    let amount = |it| wording::amount(Language::En, notice::amount(it));
    let currency = quota.currency.as_deref().unwrap_or("CHF");
    match (quota.shares, quota.nominal_value, quota.total) {
        (Some(1), value, total) if value.or(total).is_some() => {
            format!("1 share of {currency} {}", value.or(total).map(amount).unwrap_or_default())
        }
        (Some(shares), Some(value), _) => {
            let shares = wording::number(Language::En, shares);
            format!("{shares} shares of {currency} {}", amount(value))
        }
        (Some(1), ..) => "1 share".to_owned(),
        (Some(shares), None, Some(total)) => {
            let shares = wording::number(Language::En, shares);
            format!("{shares} shares of {currency} {} in total", amount(total))
        }
        (Some(shares), None, None) => {
            format!("{} shares", wording::number(Language::En, shares))
        }
        (None, _, Some(total)) => format!("shares of {currency} {}", amount(total)),
        (None, ..) => format!("“{}”", quota.text),
    }
}

/// The full name for a former name as written: `Meier, Anna`, `Anna Meier`, or `Meier`, which leaves the given names.
fn full_name(former: &str, entry: &Entry) -> String {
    match (former.split_once(", "), &entry.subject) {
        (Some((surname, given)), _) => format!("{given} {surname}"),
        (None, gazette_notice::Subject::Person { first_name, .. }) if !former.contains(' ') => {
            format!("{first_name} {former}")
        }
        (None, _) => former.to_owned(),
    }
}

/// The former and the present office, as far as the former details state it: the function, the signature or both. A function
/// or a signature that has ended is compared with the whole present office.
fn former_office(former: &FormerDetails, entry: &Entry) -> Option<(String, String)> {
    let (was, had) = (former.function.as_ref(), former.signature.as_ref());
    let (is, has) = (entry.function.as_ref(), board::signature(entry));
    let (old, new) = match (was, had) {
        (None, None) => return None,
        (Some(was), None) if is.is_some() => (was.clone(), is?.clone()),
        (None, Some(had)) if has.is_some() => (had.clone(), has?.clone()),
        (None, Some(had)) => (with(is, Some(had)), office(entry)),
        (was, None) => (with(was, has), office(entry)),
        (was, had) => (with(was, had), office(entry)),
    };
    (text::fold(&old) != text::fold(&new)).then_some((old, new))
}

fn with(function: Option<&String>, signature: Option<&String>) -> String {
    let parts: Vec<&str> = function.into_iter().chain(signature).map(String::as_str).collect();
    parts.join(", ")
}
