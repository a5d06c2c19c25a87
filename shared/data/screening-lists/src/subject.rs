use domain::lists::{BirthDate, EntryKind, IdentifierKind, ListEntry, NameQuality};
use matching::{Identifier, Kind, Name, Subject};

/// What is compared of an entry.
pub fn subject_of(entry: &ListEntry) -> Subject {
    let name = |it: &domain::lists::ListName| Name {
        text: it.text.clone(),
        weak: it.quality == NameQuality::Weak,
    };
    Subject {
        kind: match entry.kind {
            EntryKind::Person => Kind::Person,
            EntryKind::Organisation => Kind::Organisation,
            EntryKind::Vessel => Kind::Vessel,
            EntryKind::Aircraft | EntryKind::Other => Kind::Other,
        },
        names: entry.names.iter().map(name).collect(),
        birth_dates: entry.birth_dates.iter().filter_map(date).collect(),
        countries: entry.nationalities.iter().chain(&entry.countries).cloned().collect(),
        identifiers: entry.identifiers.iter().filter_map(identifier).collect(),
    }
}

/// `None` for approximate dates and those of other calendars: a difference would not contradict.
fn date(it: &BirthDate) -> Option<matching::PartialDate> {
    let BirthDate { date, approximate: false, calendar: None } = it else { return None };
    let number = |it: Option<i8>| it.and_then(|it| u8::try_from(it).ok());
    let (month, day) = (number(date.month()), number(date.day()));
    Some(matching::PartialDate { year: date.year(), month, day })
}

/// `None` for numbers whose kind is unknown: equal digits of different registers prove nothing.
fn identifier(it: &domain::lists::ListIdentifier) -> Option<Identifier> {
    let scheme = scheme(it.kind)?;
    Some(Identifier { scheme: scheme.to_owned(), value: it.value.clone() })
}

/// The name of a kind of identifiers in requests. `None` if such numbers are not compared.
const fn scheme(kind: IdentifierKind) -> Option<&'static str> {
    Some(match kind {
        IdentifierKind::Passport => "passport",
        IdentifierKind::NationalId => "national-id",
        IdentifierKind::Uid => "uid",
        IdentifierKind::Lei => "lei",
        IdentifierKind::Registration => "registration",
        IdentifierKind::Tax => "tax",
        IdentifierKind::Imo => "imo",
        IdentifierKind::Bic => "bic",
        IdentifierKind::Isin => "isin",
        IdentifierKind::Wallet => "wallet",
        IdentifierKind::ListReference | IdentifierKind::Other => return None,
    })
}

#[cfg(test)]
mod tests {
    use domain::lists::{List, ListIdentifier, ListName};

    use super::*;

    #[test]
    fn only_what_can_be_compared_is_compared() {
        let mut entry = ListEntry::new(List::Seco, "1", EntryKind::Person);
        entry.names = [
            ListName::new(NameQuality::Primary, "Anna Muster"),
            ListName::new(NameQuality::Weak, "Anni"),
        ]
        .into();
        let exact = BirthDate::exact("1980-03".parse().expect("a date"));
        entry.birth_dates = [
            BirthDate { approximate: true, ..BirthDate::exact("1979".parse().expect("a date")) },
            BirthDate {
                calendar: Some("islamic".into()),
                ..BirthDate::exact("1400".parse().expect("a date"))
            },
            exact,
        ]
        .into();
        entry.identifiers = [
            ListIdentifier::new(IdentifierKind::Passport, "X123"),
            ListIdentifier::new(IdentifierKind::Other, "123"),
        ]
        .into();
        entry.nationalities = ["IR".to_owned()].into();
        entry.countries = ["CH".to_owned()].into();
        assert_eq!(
            subject_of(&entry),
            Subject {
                kind: Kind::Person,
                names: vec![Name::new("Anna Muster"), Name::weak("Anni")],
                birth_dates: vec![matching::PartialDate::month(1980, 3)],
                countries: vec!["IR".into(), "CH".into()],
                identifiers: vec![Identifier { scheme: "passport".into(), value: "X123".into() }],
            }
        );
    }
}
