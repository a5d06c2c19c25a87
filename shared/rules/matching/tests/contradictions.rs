//! What a caller states beside a listed name, or a list beside its entry, may be wrong: it makes no equal rare name clear.

use matching::{Identifier, Kind, Name, PartialDate, Prepared, RiskLevel, Subject, compare};

fn subject(kind: Kind, name: &str) -> Subject {
    Subject { kind, names: vec![Name::new(name)], ..Subject::default() }
}

fn numbered(scheme: &str, value: &str) -> Subject {
    let identifier = Identifier { scheme: scheme.into(), value: value.into() };
    Subject {
        identifiers: vec![identifier],
        ..subject(Kind::Organisation, "Dravonic Commodities AG")
    }
}

fn risk(one: &Subject, other: &Subject) -> RiskLevel {
    compare(&Prepared::new(one), &Prepared::new(other)).risk
}

#[test]
fn another_number_leaves_the_lowest_level() {
    for (scheme, one, other) in [
        ("uid", "CHE647713116", "CHE647713117"),
        ("uid", "CHE647713116", "CHE812460660"),
        ("lei", "5299009N55YRQC69CN08", "529900T8BM49AURSDO55"),
        ("imo", "9074729", "9074730"),
    ] {
        assert_eq!(
            risk(&numbered(scheme, one), &numbered(scheme, other)),
            RiskLevel::Low,
            "{scheme}"
        );
    }
}

#[test]
fn another_kind_leaves_the_lowest_level() {
    let listed = subject(Kind::Organisation, "Dravonic Commodities AG");
    let typed = subject(Kind::Person, "Dravonic Commodities");
    assert!(risk(&typed, &listed) >= RiskLevel::Low, "{:?}", risk(&typed, &listed));
}

#[test]
fn another_date_of_birth_is_another_person() {
    let born = |year: u16| Subject {
        birth_dates: vec![PartialDate {
            year: year.try_into().expect("a year"),
            month: Some(3),
            day: Some(7),
        }],
        ..subject(Kind::Person, "Mikalaj Dovreshenka")
    };
    assert_eq!(risk(&born(1960), &born(1991)), RiskLevel::Clear);
}
