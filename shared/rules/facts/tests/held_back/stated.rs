//! What the product states about a notice: it becomes a publication of the gazette, which is folded.

use std::collections::BTreeSet;

use domain::{
    Company, History, Status,
    auditors::Tenure,
    persons::{Holding, Mandate, MandateAction, SigningAuthority},
    text::fold,
};
use facts::{Fact, fold_with_history};
use gazette_notice::{Entry, Subject};
use jiff::civil::Date;
use publications::Publication;
use serde_json::{Value, json};

use crate::{
    codes::{codes, decisions},
    expected::{Notice, Rubric},
};

/// The statements of the product that the set expects too.
#[derive(Debug)]
pub(crate) struct Stated {
    pub(crate) persons: Vec<Person>,
    pub(crate) events: BTreeSet<String>,
    pub(crate) status: Option<&'static str>,
    /// The dates of the decisions of courts and authorities.
    pub(crate) decisions: BTreeSet<Date>,
}

#[derive(Debug)]
pub(crate) struct Person {
    pub(crate) action: &'static str,
    pub(crate) name: String,
    pub(crate) role: Option<String>,
    pub(crate) signing_authority: Option<SigningAuthority>,
    pub(crate) holding: Option<Holding>,
    /// Places of origin and nationality, each as published.
    pub(crate) origin: Vec<String>,
    pub(crate) residence: Option<String>,
}

/// What the product states when it reads the notice, after the company's earlier publications.
pub(crate) fn stated(notice: &Notice) -> Stated {
    let facts = publications_until(notice);
    let Some((company, history)) = fold_with_history(&facts) else {
        return Stated {
            persons: Vec::new(),
            events: BTreeSet::new(),
            status: None,
            decisions: BTreeSet::new(),
        };
    };
    let events: Vec<_> = history.events.iter().map(|it| &it.event).collect();
    let events = events.into_iter().filter(|it| it.date == notice.publication_date);
    let mut read: BTreeSet<String> =
        events.clone().flat_map(|it| codes(it, &company)).map(str::to_owned).collect();
    // The record contains the waiver of a company that is entered; a registration has no event about it.
    if notice.rubric == Rubric::NewEntry && company.auditor_opt_out == Some(true) {
        read.insert("opting_out".to_owned());
    }
    let auditors = auditors(&history, notice);
    for (code, action) in [("auditor_entered", "entered"), ("auditor_left", "left")] {
        if auditors.iter().any(|it| it.action == action) {
            read.insert(code.to_owned());
        }
    }
    let is_of_notice = |it: &&Mandate| it.source.date == Some(notice.publication_date);
    let officers = history.mandates.iter().filter(is_of_notice).map(officer);
    Stated {
        persons: officers.chain(auditors).collect(),
        events: read,
        status: status(&company),
        decisions: events.filter_map(decisions).collect(),
    }
}

fn status(company: &Company) -> Option<&'static str> {
    company.status.map(|it| match it {
        Status::Active => "active",
        Status::BeingCancelled => "in_liquidation",
        Status::Cancelled => "deleted",
    })
}

fn officer(mandate: &Mandate) -> Person {
    let person = &mandate.person;
    let name = match &person.first_name {
        Some(first_name) => format!("{}, {first_name}", person.last_name),
        None => person.last_name.clone(),
    };
    // Written instead of a function if the notice states none.
    const WITHOUT_FUNCTION: [&str; 5] = [
        "Zeichnungsberechtigte Person",
        "personne autorisée à signer",
        "persona autorizzata a firmare",
        "authorised signatory",
        "unknown",
    ];
    Person {
        action: match mandate.last_action() {
            MandateAction::Entered => "entered",
            MandateAction::Changed => "changed",
            MandateAction::Left => "left",
        },
        name,
        role: Some(mandate.role.clone()).filter(|it| !WITHOUT_FUNCTION.contains(&it.as_str())),
        signing_authority: mandate.signing_authority,
        holding: mandate.holding.clone(),
        origin: person.origin.iter().chain(&person.nationality).cloned().collect(),
        residence: person.residence.clone(),
    }
}

/// The auditors in the notice. Their tenures contain no seat, so that it is taken from the entry.
fn auditors(history: &History, notice: &Notice) -> Vec<Person> {
    let day = Some(notice.publication_date);
    let entries = gazette_notice::read(&notice.text).entries;
    let seat_of = |name: &str| {
        let is_named = |it: &&Entry| match &it.subject {
            Subject::Person { last_name, first_name, .. } => {
                fold(&format!("{first_name} {last_name}")) == fold(name)
            }
            Subject::Entity { name: written, .. } => written == name,
        };
        entries.iter().find(is_named).and_then(|it| it.domicile.clone())
    };
    let of_notice = |it: &&Tenure| it.source.date == day;
    let auditors = history.tenures.iter().filter(of_notice).map(|it| Person {
        action: match (it.appointed_at == day, it.resigned_at == day) {
            (_, true) => "left",
            (true, false) => "entered",
            (false, false) => "changed",
        },
        name: it.auditor_name.clone(),
        role: Some("Revisionsstelle".to_owned()),
        signing_authority: None,
        holding: None,
        origin: Vec::new(),
        residence: seat_of(&it.auditor_name),
    });
    auditors.collect()
}

/// The notice as a publication, after a plain registration if the company must have existed before, and after a plain
/// deletion if the notice enters it again.
fn publications_until(notice: &Notice) -> Vec<Fact> {
    let Notice { uid, company, .. } = notice;
    let day = notice.publication_date.to_string();
    let with_text = |publication: Publication| {
        let mut json = json_of(publication.number(9).on(&day).in_canton(&notice.office), notice);
        json["content"]["publicationText"] = json!(notice.text);
        json
    };
    // The canton of an earlier registration is not known: the company can come from another one.
    let without_canton = |publication: Publication| {
        let mut json = json_of(publication, notice);
        json["meta"]["cantons"] = json!([]);
        json
    };
    let earlier = Publication::registration(uid, company).number(1).on("1998-03-02");
    let deletion = Publication::deletion(uid, company).number(2).on("1999-03-01");
    let publications = match notice.rubric {
        Rubric::NewEntry if notice.expected.is_re_entry() => vec![
            without_canton(earlier),
            without_canton(deletion),
            with_text(Publication::registration(uid, company)),
        ],
        Rubric::NewEntry => vec![with_text(Publication::registration(uid, company))],
        Rubric::Mutation => {
            let mut mutation = with_text(Publication::mutation(uid, company));
            // The text alone says what changes.
            mutation["content"]["commonsNew"] = Value::Null;
            vec![without_canton(earlier), mutation]
        }
        Rubric::Deletion => {
            vec![without_canton(earlier), with_text(Publication::deletion(uid, company))]
        }
    };
    let batch =
        sources::gazette::read(Value::from(publications).to_string().as_bytes()).expect("JSON");
    assert!(batch.rejected.is_empty(), "{} is not a valid publication", notice.id);
    facts::facts(batch.statements)
}

/// The publication with the seat that the first words of the notice state. The block of a branch names its head office.
fn json_of(publication: Publication, notice: &Notice) -> Value {
    let seat = seat(notice).unwrap_or_default();
    let publication = publication.seat(&seat);
    let name = notice.company.to_lowercase();
    let is_branch = ["zweigniederlassung", "succursale"].iter().any(|it| name.contains(it));
    let publication = if is_branch {
        publication.head_office("CHE-107.251.578", "Hauptsitz AG")
    } else {
        publication
    };
    publication.json()
}

/// The seat in the first words of the notice: `Muster AG, in Bern, …` or `Muster AG, bisher in Bern, …`. Before a move, this
/// is the former seat.
fn seat(notice: &Notice) -> Option<String> {
    let (_, rest) = notice.text.split_once(&notice.company)?;
    let mut clauses = rest.split(", ").skip(1);
    const FORMER: [&str; 4] = ["bisher ", "jusqu'ici ", "précédemment ", "finora "];
    clauses.find_map(|clause| {
        let clause = FORMER.iter().find_map(|it| clause.strip_prefix(it)).unwrap_or(clause);
        let seat = ["in ", "à ", "a "].iter().find_map(|it| clause.strip_prefix(it))?;
        Some(seat.to_owned())
    })
}
