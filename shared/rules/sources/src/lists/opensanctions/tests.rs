use domain::lists::{
    EntryKind, Gender, IdentifierKind, ListEntry, ListIdentifier, ListPosition, ListRelation,
    NameQuality::{self, Alias, Primary, Weak},
    RelationKind,
};
use jiff::civil::date;

use crate::lists::{ListFile, ListFormat, read_bytes};

const LIST: &str = include_str!("../../../fixtures/lists/entities.ftm.json");

fn read(text: &str) -> ListFile {
    read_bytes(ListFormat::FollowTheMoney, text.as_bytes()).expect("entities")
}

fn entry(id: &str) -> ListEntry {
    read(LIST).entries.into_iter().find(|it| it.id == id).unwrap_or_else(|| panic!("{id}"))
}

fn names(id: &str) -> Vec<(NameQuality, String)> {
    entry(id).names.into_iter().map(|it| (it.quality, it.text)).collect()
}

#[test]
fn version_states_the_day_and_the_sizes_of_the_list() {
    let version = read(LIST).version;
    assert_eq!(version.date, Some(date(2026, 9, 28)));
    // 14 entities, one of them in two records, and two records of which a member cannot be read.
    assert_eq!((version.entries, version.active), (16, 15));
    assert_eq!((version.rejected, version.incomplete), (0, 2));
}

#[test]
fn entities_are_listed_if_they_are_targets_or_have_a_topic_that_means_risk() {
    let ids: Vec<String> = read(LIST).entries.into_iter().map(|it| it.id).collect();
    assert!(ids.contains(&"NK-inv0009".to_owned()), "no target, but a warning: {ids:?}");
    assert!(!ids.contains(&"NK-inv0010".to_owned()), "a company that is only linked: {ids:?}");
    assert!(ids.iter().all(|it| it.starts_with("NK-")), "{ids:?}");
}

#[test]
fn names_have_the_weight_of_their_property() {
    assert_eq!(
        names("NK-inv0001"),
        [
            (Primary, "Mikalaj Dovreshenka".to_owned()),
            (Alias, "Mikalaj Karpau".to_owned()),
            (Alias, "N. V. Dovreshenko".to_owned()),
            (Alias, "Nikolai Dovreshenko".to_owned()),
            (Alias, "Мікалай Даўрэшанка".to_owned()),
            (Alias, "Николай Доврешенко".to_owned()),
            (Weak, "The Ferryman".to_owned()),
        ]
    );
    assert!(names("NK-inv0006").contains(&(Weak, "TRAG".to_owned())));
}

#[test]
fn properties_of_the_entity_are_read() {
    let person = entry("NK-inv0001");
    let dates: Vec<String> = person.birth_dates.iter().map(|it| it.date.to_string()).collect();
    assert_eq!(dates, ["1971", "1971-03-23"]);
    assert_eq!(Vec::from_iter(&person.nationalities), ["BY", "RU"]);
    assert_eq!(Vec::from_iter(&person.genders), [&Gender::Male]);
    assert_eq!(Vec::from_iter(&person.birth_places), ["Inventsk"]);
    assert_eq!(Vec::from_iter(&person.other_ids), ["Q900000001", "ch-seco-95001", "ofac-inv-1"]);
    // An address that would run in the browser is no page.
    assert_eq!(person.source_url.as_deref(), Some("https://lists.example/entry/1"));
    assert_eq!(person.changed, Some(date(2026, 7, 26)));
    assert!(person.is_sanctioned() && person.is_politically_exposed());
    let address = person.addresses.first().expect("one");
    assert_eq!((address.city.as_deref(), address.country.as_deref()), (Some("Minsk"), Some("BY")));
    let ministry = entry("NK-inv0011");
    assert!(ministry.birth_dates.is_empty(), "a date that stands for long ago");
}

#[test]
fn sanctions_in_force_are_joined() {
    let person = entry("NK-inv0001");
    let programmes = Vec::from_iter(&person.programmes);
    assert_eq!(programmes.len(), 1, "{programmes:?}");
    assert_eq!(programmes[0].id.as_deref(), Some("EU-ZBR"));
    assert_eq!(programmes[0].name.any(), Some("Regulation on Zubrowia"));
    assert_eq!(programmes[0].origin.as_deref(), Some("Council of Inventions"));
    assert_eq!(Vec::from_iter(&person.reasons), ["Commands the river fleet of Zubrowia."]);
    assert_eq!(person.listed, Some(date(2016, 6, 15)));
    assert!(person.remarks.contains("Old programme: ended on 2015-01-01"), "{:?}", person.remarks);
    // Two names and one identifier: it is not stated what belongs together.
    let company = entry("NK-inv0006");
    let of_company: Vec<(Option<&str>, Option<&str>)> =
        company.programmes.iter().map(|it| (it.id.as_deref(), it.name.any())).collect();
    assert_eq!(
        of_company,
        [
            (None, Some("Decision on Zubrowia")),
            (None, Some("Regulation on Zubrowia")),
            (Some("EU-ZBR"), None),
        ]
    );
    let warning = entry("NK-inv0009");
    assert_eq!(Vec::from_iter(&warning.reasons), ["Offers services without a licence."]);
    assert_eq!(warning.listed, Some(date(2026, 7, 2)));
}

#[test]
fn identifiers_have_the_kind_of_their_property() {
    use IdentifierKind::{
        Imo, Lei, ListReference, NationalId, Other, Passport, Registration, Tax, Uid, Wallet,
    };
    let identifiers = |id| -> Vec<(IdentifierKind, String)> {
        entry(id).identifiers.into_iter().map(|it| (it.kind, it.value)).collect()
    };
    let of = |kind, value: &str| (kind, value.to_owned());
    let company =
        [of(Uid, "CHE-600.000.026"), of(Lei, "999900SUBSIDIARY0002"), of(ListReference, "INV.07")];
    assert_eq!(identifiers("NK-inv0006"), company);
    let person = [of(Passport, "ZP1234567"), of(Tax, "3230319711"), of(ListReference, "EU.1.1")];
    assert_eq!(identifiers("NK-inv0001"), person);
    let passport: ListIdentifier = Vec::from_iter(entry("NK-inv0001").identifiers).remove(0);
    assert_eq!(passport.country.as_deref(), Some("BY"));
    assert_eq!(passport.expires, "2026-05-31".parse().ok());
    assert_eq!(
        identifiers("NK-inv0014"),
        [of(Passport, "G90000001"), of(NationalId, "110000196802300000")]
    );
    assert_eq!(identifiers("NK-inv0007"), [of(Imo, "IMO9000003"), of(Other, "445000000")]);
    assert_eq!(identifiers("NK-inv0008"), [of(Registration, "P-000"), of(Other, "00001")]);
    assert_eq!(identifiers("NK-inv0003"), [of(NationalId, "01105800000")]);
    // A wallet has no name.
    let wallet = entry("NK-inv0012");
    assert_eq!((wallet.kind, wallet.name()), (EntryKind::Other, None));
    let address = of(Wallet, "bc1qinvented0000000000000000000000000000");
    assert_eq!(identifiers("NK-inv0012"), [address]);
}

#[test]
fn offices_are_joined_with_their_periods() {
    let partial = |text: &str| text.parse().ok();
    assert_eq!(
        Vec::from_iter(entry("NK-inv0001").positions),
        [
            // Only in the text of the person.
            ListPosition {
                title: "Commander of the river fleet".into(),
                ..ListPosition::default()
            },
            ListPosition {
                title: "Minister of Rivers".into(),
                country: Some("BY".into()),
                from: partial("2012-03"),
                to: partial("2016"),
                status: Some("ended".into()),
            },
        ]
    );
    // Two records of one occupancy, and one whose office is not in the file.
    assert_eq!(
        Vec::from_iter(entry("NK-inv0003").positions),
        [ListPosition {
            title: "Member of the Parliament of Inventions".into(),
            country: Some("NO".into()),
            from: partial("2017-10-01"),
            to: None,
            status: Some("current".into()),
        }]
    );
}

#[test]
fn relatives_and_associates_are_joined_on_both_sides() {
    let role = |kind, id: &str, role: &str| ListRelation {
        role: Some(role.into()),
        ..ListRelation::new(kind, id)
    };
    let own_role = |kind, id: &str, role: &str| ListRelation {
        own_role: Some(role.into()),
        ..ListRelation::new(kind, id)
    };
    let since = |from: &str, relation| ListRelation { from: from.parse().ok(), ..relation };
    use RelationKind::{Associate, Linked, Owned, Relative};
    assert_eq!(
        Vec::from_iter(entry("NK-inv0003").relations),
        [
            role(Relative, "NK-inv0004", "daughter"),
            since("2015", role(Associate, "NK-inv0005", "business partner")),
        ]
    );
    let daughter = entry("NK-inv0004");
    assert!(daughter.is_relative_or_associate());
    assert_eq!(
        Vec::from_iter(daughter.relations),
        [own_role(Relative, "NK-inv0003", "daughter"), role(Linked, "NK-inv0003", "riskSource")]
    );
    assert_eq!(
        Vec::from_iter(entry("NK-inv0001").relations),
        [
            role(Relative, "NK-inv0002", "wife"),
            since("2019-01", own_role(Owned, "NK-inv0006", "beneficial owner")),
        ]
    );
}

#[test]
fn owners_and_functions_are_joined_on_both_sides() {
    let relations = |id| -> Vec<(RelationKind, String)> {
        entry(id).relations.into_iter().map(|it| (it.kind, it.id)).collect()
    };
    let of = |kind, id: &str| (kind, id.to_owned());
    use RelationKind::{Linked, Officer, Organisation, Owner};
    assert_eq!(relations("NK-inv0006"), [of(Owner, "NK-inv0001"), of(Officer, "NK-inv0005")]);
    assert!(relations("NK-inv0005").contains(&of(Organisation, "NK-inv0006")));
    assert_eq!(relations("NK-inv0007"), [of(Owner, "NK-inv0006"), of(Linked, "NK-inv0010")]);
    assert_eq!(relations("NK-inv0014"), [of(Organisation, "NK-inv0011"), of(Linked, "NK-inv0013")]);
    assert_eq!(relations("NK-inv0012"), [of(Owner, "NK-inv0001")]);
}

#[test]
fn records_of_the_same_entity_are_merged() {
    let person = entry("NK-inv0003");
    assert_eq!(Vec::from_iter(&person.datasets), ["dk_invented_senate", "xx_invented_parliament"]);
    let texts: Vec<&str> = person.names.iter().map(|it| it.text.as_str()).collect();
    assert_eq!(texts, ["Halfdan Opfunnen", "H. Opfunnen"]);
    assert_eq!(person.changed, Some(date(2026, 8, 1)));
}

#[test]
fn what_cannot_be_read_is_reported_with_its_identifier() {
    let unreadable = "{\"id\": \"NK-inv0017\", \"schema\": \"Person\"\n";
    let nameless = r#"{"id": "NK-inv0018", "schema": "Person", "properties": {"topics": ["sanction"]}, "target": true}"#;
    let rejected = read(&format!("{unreadable}{LIST}{nameless}\n")).rejected;
    let reasons: Vec<(Option<&str>, &str)> =
        rejected.iter().map(|it| (it.id.as_deref(), it.reason.as_str())).collect();
    assert_eq!(reasons.len(), 4);
    assert_eq!(reasons[0].0, None);
    assert!(reasons[0].1.starts_with("EOF while parsing"), "{reasons:?}");
    assert_eq!(reasons[1].0, Some("NK-inv0015"));
    assert!(reasons[1].1.contains("invalid type: map, expected a string"), "{reasons:?}");
    assert!(!entry("NK-inv0015").names.is_empty());
    assert_eq!(entry("NK-inv0016").unreadable, ["birthDate".to_owned()].into());
    assert_eq!(
        reasons[2..],
        [
            (
                Some("NK-inv0016"),
                "birthDate: `spring` is not a date such as 1980, 1980-03 or 1980-03-23"
            ),
            (Some("NK-inv0018"), "has no readable name"),
        ]
    );
}

#[test]
fn file_in_another_format_or_truncated_is_an_error() {
    let error = |text: &str| {
        let error = read_bytes(ListFormat::FollowTheMoney, text.as_bytes()).expect_err(text);
        error.to_string()
    };
    assert_eq!(
        error("<html>\n<body>\n"),
        "not a list of the entities of OpenSanctions: expected value at line 1 column 1; it begins with `<html>`"
    );
    assert!(error("{\"results\": []}\n").contains("has neither `id` nor `schema`"));
    assert!(error("").ends_with("contains no record"));
    let cut = &LIST[..LIST.len() - 20];
    assert!(error(cut).contains("ends inside a record"), "{}", error(cut));
    let only_links = LIST.lines().find(|it| it.contains("\"Address\"")).expect("an address");
    assert!(error(only_links).ends_with("contains no record"));
}

#[test]
fn last_line_needs_no_end() {
    assert_eq!(read(LIST.trim_end()).entries, read(LIST).entries);
}

#[test]
fn line_that_is_too_long_is_rejected_and_the_next_is_read() {
    let long = format!("{{\"id\":\"{}\"}}\n", "x".repeat(17 * 1024 * 1024));
    let list = read(&format!("{long}{LIST}"));
    assert_eq!(list.entries, read(LIST).entries);
    assert_eq!(list.rejected[0].reason, "is longer than 16777216 bytes");
    assert!(list.rejected[0].record.len() < 10_000);
}
