//! Statements of the Beneficial Ownership Data Standard. `.ci/bods.py` checks them with `libcovebods`.

use domain::{
    Provenance,
    persons::RoleCategory,
    statements::gleif::{Category, Exception},
};
use jiff::civil::date;
use ownership::{
    Form, LinkKind, Party, Profile, ReportingException, Structure,
    bods::{Publication, RecordType, Statement, statements},
};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{
    company, known, link, person, profile, resolved, shares, unknown, with_profiles,
};

fn publication() -> Publication {
    Publication {
        date: date(2026, 1, 2),
        as_of: date(2026, 1, 1),
        publisher: "Gotthard".into(),
        url: Some("https://api.example/api".into()),
    }
}

fn stated(structure: &Structure) -> Vec<Statement> {
    statements(structure, &resolved(structure), &publication())
}

/// A structure with every kind of party and link.
fn everything() -> Structure {
    let foreign = Party::Foreign("506700GE1G29325QX363".parse().expect("an LEI"));
    let holder = Party::Unidentified(Uuid::from_u128(77));
    let named =
        |name: &str| Profile { country: Some("CH".into()), ..profile(name, Form::WithOwners) };
    let mut since = shares(person(9), company(1), 30.0);
    since.since = Some(date(2020, 5, 1));
    let links = [
        since,
        shares(company(2), company(1), 40.0),
        link(holder, company(1), LinkKind::VotingRights, known(5.0)),
        unknown(foreign, company(2), LinkKind::Consolidation),
        shares(person(9), company(2), 20.0),
        shares(company(3), company(2), 30.0),
        link(company(4), company(2), LinkKind::Shares, known(10.0)),
        unknown(person(7), company(3), LinkKind::Office(RoleCategory::Board)),
        shares(company(1), company(1), 2.0),
        unknown(Party::Firm(Uuid::from_u128(5)), company(4), LinkKind::Partnership),
        link(person(8), company(1), LinkKind::VotingRights, known(4.0)),
    ];
    let withheld = ReportingException {
        exception: Exception {
            lei: "506700GE1G29325QX363".parse().expect("an LEI"),
            category: Category::UltimateParent,
            reasons: vec!["NON_PUBLIC".into()],
            references: Vec::new(),
        },
        source: Provenance { source: "gleif".into(), reference: None, date: None },
    };
    let parent = Profile { exceptions: vec![withheld], ..named("Foreign plc") };
    with_profiles(
        company(1),
        &links,
        [
            (company(1), named("Alpha AG")),
            (company(3), profile("Muster-Stiftung", Form::WithoutOwners)),
            (person(9), named("Regula Musterfrau")),
            (holder, profile("Some Holder", Form::WithOwners)),
            (foreign, parent),
        ],
    )
}

#[test]
fn beneficial_owner_is_stated_directly_and_indirectly() {
    let statements = stated(&everything());
    let of_type = |kind| statements.iter().filter(|it| it.record_type == kind).count();
    assert_eq!(of_type(RecordType::Person), 2, "board members of a minor owner are not stated");
    assert_eq!(of_type(RecordType::Entity), 7);
    let find = |id: String| statements.iter().find(|it| it.record_id == id).expect("a statement");
    let direct = find(format!("{}-{}", company(1), person(9)));
    assert_eq!(
        direct.record_details["interests"],
        json!([{
            "type": "shareholding",
            "directOrIndirect": "direct",
            "beneficialOwnershipOrControl": true,
            "details": "shares",
            "share": { "exact": 30.0 },
            "startDate": "2020-05-01",
        }])
    );
    let indirect = find(format!("{}-{}-indirect", company(1), person(9)));
    let share = indirect.record_details["interests"][0]["share"]["exact"].as_f64();
    // 30 % + 20 % × 40 %, and own shares of 2 % belong to the others.
    assert!((share.expect("a share") - 38.0 / 0.98).abs() < 1e-9, "{share:?}");
    let foundation = find(format!("{}-unknown", company(3)));
    assert_eq!(foundation.record_details["interestedParty"]["reason"], "noBeneficialOwners");
}

#[test]
fn statements_have_the_form_of_the_standard() {
    let statements = stated(&everything());
    let json = serde_json::to_value(&statements[0]).expect("JSON");
    let mut without_id = json.clone();
    without_id.as_object_mut().expect("an object").remove("statementId");
    assert_eq!(
        without_id,
        json!({
            "statementDate": "2026-01-01",
            "declarationSubject": "CHE-000.000.001",
            "recordId": "CHE-000.000.001",
            "recordType": "entity",
            "recordStatus": "new",
            "recordDetails": {
                "isComponent": false,
                "entityType": { "type": "registeredEntity" },
                "name": "Alpha AG",
                "jurisdiction": { "name": "Switzerland", "code": "CH" },
                "identifiers": [{
                    "id": "CHE-000.000.001",
                    "schemeName": "Swiss enterprise identification number (UID)",
                }],
            },
            "publicationDetails": {
                "publicationDate": "2026-01-02",
                "bodsVersion": "0.4",
                "publisher": { "name": "Gotthard", "url": "https://api.example/api" },
            },
        })
    );
    assert_eq!(json["statementId"].as_str().map(str::len), Some(36));
}

#[test]
fn changed_records_get_another_statement_id() {
    let id = |percent| {
        let links = [shares(person(9), company(1), percent)];
        let statements = stated(&with_profiles(company(1), &links, []));
        statements[2].statement_id
    };
    assert_eq!(id(30.0), id(30.0));
    assert_ne!(id(30.0), id(31.0));
}

#[test]
fn names_and_reasons_on_which_a_statement_rests_are_stated() {
    let text = serde_json::to_string(&stated(&everything())).expect("JSON");
    assert!(text.contains("voting rights; the disclosed holder has the name of this director"));
    assert!(
        text.contains(
            "It reported to GLEIF why it names no parent: the information is not public."
        ),
        "{text}"
    );
}

#[test]
fn fallback_persons_are_officers_and_no_beneficial_owners() {
    let links = [unknown(person(9), company(1), LinkKind::Office(RoleCategory::Board))];
    let foundation = (company(1), profile("Stiftung", Form::WithoutOwners));
    let statements = stated(&with_profiles(company(1), &links, [foundation]));
    let interests = &statements[2].record_details["interests"];
    assert_eq!(interests[0]["type"], "boardMember");
    assert_eq!(interests[0]["beneficialOwnershipOrControl"], false);
}

/// Writes the statements to the file in `BODS_FILE`, for `.ci/bods.py`.
#[test]
#[ignore = "needs `BODS_FILE`"]
#[expect(
    clippy::disallowed_methods,
    reason = "the file is given by the script that runs this test"
)]
fn statements_are_written_for_libcovebods() {
    let file = std::env::var("BODS_FILE").expect("BODS_FILE");
    let foundation = (company(1), profile("Stiftung", Form::WithoutOwners));
    let links = [unknown(person(9), company(1), LinkKind::Office(RoleCategory::Board))];
    let circle = [shares(company(2), company(1), 100.0), shares(company(1), company(2), 100.0)];
    let structures = [
        everything(),
        with_profiles(company(1), &links, [foundation]),
        with_profiles(company(1), &circle, []),
        with_profiles(company(1), &[], []),
    ];
    let documents: Vec<Value> =
        structures.iter().map(|it| serde_json::to_value(stated(it)).expect("JSON")).collect();
    std::fs::write(file, serde_json::to_vec(&documents).expect("JSON")).expect("the file");
}
