//! What the rows say about owners, lists and the audit.

use accounts::DossierLevel;
use auth::Language;
use domain::{Status, company::StatusReason, persons::RoleCategory};
use ownership::{Form, Link, LinkKind, Party, Percent, Profile, Share, UnknownShare};
use uuid::Uuid;

use super::support::{Case, source};
use crate::Section;

fn text(case: &Case) -> String {
    let brief = case.brief(DossierLevel::Standard, Language::En);
    let written = brief.checked(&brief.composed());
    assert_eq!(written.dropped, 0, "{}", brief.composed());
    written.text.content
}

fn link(owner: Party, owned: Party, kind: LinkKind, share: Share) -> Link {
    Link { owner, owned, kind, share, since: None, source: source("shab"), confidence: 1.0 }
}

fn shares(owner: Party, owned: Party, percent: f64) -> Link {
    link(owner, owned, LinkKind::Shares, Share::Known(Percent::new(percent).expect("a share")))
}

fn board(owner: Party, owned: Party) -> Link {
    let share = Share::Unknown(UnknownShare::NoShare);
    link(owner, owned, LinkKind::Office(RoleCategory::Board), share)
}

fn profile(name: &str, form: Form) -> Profile {
    Profile { name: name.to_owned(), form, ..Profile::default() }
}

#[test]
fn a_dossier_says_whether_lists_were_searched() {
    let searched = text(&Case::new());
    assert!(searched.contains("Sanctions lists were searched for the company, its officers"));
    assert!(!searched.contains("not searched"), "{searched}");
    let all = ["Lärche Holding plc".to_owned()];
    let partly = text(&Case { owners_not_searched: Some(all.into()), ..Case::new() });
    assert!(partly.contains("were not searched for these owners: Lärche Holding plc"), "{partly}");
    let not = text(&Case { owners_not_searched: None, ..Case::new() });
    assert!(not.contains("Sanctions lists were not searched for this dossier"), "{not}");
}

#[test]
fn a_foundation_that_owns_the_company_has_no_owners_but_the_company_has() {
    let mut case = Case::new();
    let root = Party::Company(case.company.uid);
    let foundation = Party::Company("CHE-101.049.653".parse().expect("a number"));
    let person = |it| Party::Person(Uuid::from_u128(it));
    case.links = vec![shares(foundation, root, 60.0), board(person(8), foundation)];
    case.profiles = [
        (root, profile("Muster & Co. Treuhand AG", Form::WithOwners)),
        (foundation, profile("Stiftung Lärche", Form::WithoutOwners)),
        (person(8), profile("Berta Beispiel", Form::WithOwners)),
    ]
    .into();
    let text = text(&case);
    for expected in [
        "Stiftung Lärche owns or controls the company and has no owners by law",
        "Named instead, because they direct Stiftung Lärche: Berta Beispiel",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    assert!(!text.contains("The legal form has no owners"), "{text}");
}

#[test]
fn disclosed_holders_are_named_although_they_may_be_no_persons() {
    let mut case = Case::new();
    let root = Party::Company(case.company.uid);
    let holder = Party::unidentified_named("Carla Keller", case.company.uid);
    case.links = vec![shares(holder, root, 30.0)];
    case.profiles = [(holder, profile("Carla Keller", Form::WithOwners))].into();
    let text = text(&case);
    assert!(text.contains("without saying whether they are persons: Carla Keller"), "{text}");
    assert!(text.contains("The public sources name no other beneficial owner"), "{text}");
}

#[test]
fn an_assumed_audit_is_not_explained_by_the_size_alone() {
    let mut case = Case::new();
    case.company.auditor_name = Some("Revision AG".into());
    let text = text(&case);
    assert!(
        text.contains("this is an assumption, because the sources do not show everything"),
        "{text}"
    );
}

#[test]
fn a_row_that_contradicts_the_record_or_the_history_reaches_no_text() {
    let mut case = Case::new();
    case.company.status = Some(Status::BeingCancelled);
    case.company.status_reason = Some(StatusReason::Bankruptcy);
    let mut former = case.history.mandates[0].clone();
    former.person.last_name = "Gegangen".into();
    former.until = Some(jiff::civil::date(2024, 2, 1));
    case.history.mandates.push(former);
    for (section, said, agrees) in [
        (Section::Overview, "The company is in liquidation; the reason is: bankruptcy", true),
        (Section::Overview, "The company is in liquidation; the reason is: merger", false),
        (Section::Overview, "The company is active", false),
        (Section::Overview, "The company is in liquidation and was once active", true),
        (Section::Identity, "The first entry in the commercial register is of 3 May 2001", true),
        (Section::Identity, "The first entry in the commercial register is of 4 May 2001", false),
        (Section::Board, "Anna Beispiel is entered as member of the board", true),
        (Section::Board, "Anna Beispiel is entered as liquidator", false),
        (Section::Board, "Anna Gegangen is entered as member of the board", false),
        (Section::Owners, "The legal form has no owners", false),
        (Section::Owners, "Muster & Co. Treuhand AG has no owners by law", false),
        (Section::Owners, "The public sources name no beneficial owner", true),
    ] {
        let mut brief = case.brief(DossierLevel::Standard, Language::En);
        let row = brief.rows.iter_mut().find(|it| it.section == section && it.cells.is_none());
        row.expect("a row").text = format!("{said}.");
        let written = brief.checked(&brief.composed());
        assert_eq!(written.text.content.contains(said), agrees, "{said}");
        assert_eq!(written.dropped, u32::from(!agrees), "{said}");
    }
}

#[test]
fn what_shortens_a_list_says_how_much_is_missing() {
    let mut case = Case::new();
    let mandate = case.history.mandates[0].clone();
    case.history.mandates = (0..20)
        .map(|number| {
            let mut mandate = mandate.clone();
            mandate.person_id = Uuid::from_u128(number);
            mandate.person.last_name = format!("Beispiel{number}");
            mandate
        })
        .collect();
    let names = ["Eins", "Zwei", "Drei", "Vier", "Fünf", "Sechs", "Sieben"];
    case.company.old_names = Some(names.map(|it| format!("{it} AG")).to_vec());
    let text = text(&case);
    for expected in [
        "Current entries of officers and signatories: 20 (member of the board: 20)",
        "Entries not listed here: 5",
        "Former names are: Eins AG, Zwei AG, Drei AG, Vier AG, Fünf AG and 2 more",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}

/// A company that was taken over belongs to another one, whose owners are not known: this does not make it ownerless.
#[test]
fn only_who_has_no_owners_by_law_is_said_to_have_none() {
    let mut case = Case::new();
    let root = Party::Company(case.company.uid);
    let other = Party::Company("CHE-101.049.653".parse().expect("a number"));
    let share = Share::Unknown(UnknownShare::NoShare);
    case.links = vec![
        link(other, root, LinkKind::Merger, share),
        board(Party::Person(Uuid::from_u128(8)), other),
    ];
    case.profiles = [
        (root, profile("Muster & Co. Treuhand AG", Form::WithOwners)),
        (other, profile("Übernahme AG", Form::WithOwners)),
        (Party::Person(Uuid::from_u128(8)), profile("Berta Beispiel", Form::WithOwners)),
    ]
    .into();
    let text = text(&case);
    assert!(!text.contains("no owners by law"), "{text}");
    assert!(text.contains("The company belongs to Übernahme AG"), "{text}");
}
