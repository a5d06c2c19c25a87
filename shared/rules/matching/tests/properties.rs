//! What holds for all subjects.

use matching::{
    Identifier, Kind, Name, PartialDate, Prepared, RiskLevel, Subject, compare, compare_all,
    explain,
};
use proptest::prelude::*;

fn kinds() -> impl Strategy<Value = Kind> {
    prop_oneof![Just(Kind::Person), Just(Kind::Organisation), Just(Kind::Vessel), Just(Kind::Other)]
}

/// Any text, and texts of words that the vocabulary knows.
fn names() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "Hans",
        "Müller",
        "Mueller",
        "Ali",
        "bin",
        "al",
        "Mohammed",
        "AG",
        "Holding",
        "II",
        "III",
        "7",
        "Genève",
        "Genf",
        "von",
        "J.",
        "S.",
        "A.",
        "Иванов",
        "محمد",
        "習",
        "김",
        "GmbH",
        "&",
        "Group",
        "Stiftung",
        "Zweigniederlassung",
        "/",
        "(",
        ")",
        "-",
        "Hanspeter",
        "Peter",
        "Dr.",
        "株式会社",
        "x",
        "ZZZ",
    ]);
    let known = prop::collection::vec(words, 0..9).prop_map(|it| it.join(" "));
    prop_oneof![3 => known, 1 => ".{0,40}", 1 => "\\PC{0,40}", 1 => "[\u{0}-\u{20}.,'/&-]{0,20}"]
}

fn dates() -> impl Strategy<Value = PartialDate> {
    (1950_i16..1955, prop::option::of(1_u8..4), prop::option::of(1_u8..4))
        .prop_map(|(year, month, day)| PartialDate { year, month, day })
}

fn identifiers() -> impl Strategy<Value = Identifier> {
    (prop::sample::select(vec!["passport", "uid"]), "[ab]{1,2}")
        .prop_map(|(scheme, value)| Identifier { scheme: scheme.to_owned(), value })
}

prop_compose! {
    fn subjects()(
        kind in kinds(),
        names in prop::collection::vec((names(), any::<bool>()), 0..3),
        birth_dates in prop::collection::vec(dates(), 0..2),
        countries in prop::collection::vec(prop::sample::select(vec!["CH", "RU", "FR"]), 0..2),
        identifiers in prop::collection::vec(identifiers(), 0..2),
    ) -> Subject {
        Subject {
            kind,
            names: names.into_iter().map(|(text, weak)| Name { text, weak }).collect(),
            birth_dates,
            countries: countries.into_iter().map(str::to_owned).collect(),
            identifiers,
        }
    }
}

fn score(a: &Subject, b: &Subject) -> f64 {
    compare(&Prepared::new(a), &Prepared::new(b)).score
}

proptest! {
    #[test]
    fn scores_are_bounded_and_independent_of_the_order_of_the_subjects(a in subjects(), b in subjects()) {
        let (x, y) = (Prepared::new(&a), Prepared::new(&b));
        let comparison = compare(&x, &y);
        prop_assert!((0.0..=1.0).contains(&comparison.score));
        prop_assert!((0.0..=0.97001).contains(&comparison.name_score));
        prop_assert_eq!(comparison, compare(&y, &x));
        let explained = explain(&x, &y);
        prop_assert_eq!(explained.comparison, comparison);
        for it in explained.reasons {
            prop_assert!((0.0..=1.0).contains(&it.score) && (0.0..=1.0).contains(&it.weight), "{:?}", it);
        }
    }

    #[test]
    fn only_dates_and_identifiers_lead_to_a_critical_certainty(a in subjects(), b in subjects()) {
        let without = |it: &Subject| Subject { birth_dates: vec![], identifiers: vec![], ..it.clone() };
        prop_assert!(score(&without(&a), &without(&b)) <= 0.985);
        let names_only = |it: &Subject| Subject { countries: vec![], ..without(it) };
        prop_assert!(score(&names_only(&a), &names_only(&b)) < 0.975);
    }

    #[test]
    fn supporting_evidence_never_lowers_a_score(a in subjects(), b in subjects(), date in dates(), number in identifiers()) {
        let before = score(&a, &b);
        let added = |change: &dyn Fn(&mut Subject)| {
            let (mut a, mut b) = (a.clone(), b.clone());
            change(&mut a);
            change(&mut b);
            score(&a, &b)
        };
        let full = PartialDate { month: Some(1), day: Some(2), ..date };
        prop_assert!(added(&|it| it.birth_dates.push(full)) >= before);
        prop_assert!(added(&|it| it.countries.push("LI".to_owned())) >= before);
        prop_assert!(added(&|it| it.identifiers.push(number.clone())) >= before);
        prop_assert!(added(&|it| it.names.push(Name::new("Xaver Zbinden"))) >= before);
    }

    #[test]
    fn contradicting_evidence_never_raises_a_score(a in subjects(), b in subjects()) {
        let (mut x, mut y) = (a.clone(), b.clone());
        (x.birth_dates, y.birth_dates) = (vec![], vec![]);
        (x.countries, y.countries) = (vec![], vec![]);
        (x.identifiers, y.identifiers) = (vec![], vec![]);
        let before = score(&x, &y);
        let with = |change: &dyn Fn(&mut Subject, &mut Subject)| {
            let (mut x, mut y) = (x.clone(), y.clone());
            change(&mut x, &mut y);
            score(&x, &y)
        };
        let with_date = with(&|x, y| {
            x.birth_dates.push(PartialDate::day(1950, 1, 1));
            y.birth_dates.push(PartialDate::day(1980, 2, 2));
        });
        prop_assert!(with_date <= before);
        let with_country = with(&|x, y| {
            x.countries.push("CH".to_owned());
            y.countries.push("RU".to_owned());
        });
        prop_assert!(with_country <= before);
        let with_identifier = with(&|x, y| {
            x.identifiers.push(Identifier { scheme: "uid".to_owned(), value: "1".to_owned() });
            y.identifiers.push(Identifier { scheme: "uid".to_owned(), value: "2".to_owned() });
        });
        prop_assert!(with_identifier <= before);
    }

    #[test]
    fn many_subjects_are_compared_as_one_by_one(names in prop::collection::vec("[A-Z][a-z]{1,5} [A-Z][a-z]{1,5}", 1..40)) {
        let named = |it: &String| Prepared::new(&Subject { names: vec![Name::new(it)], ..Subject::default() });
        let all: Vec<Prepared> = names.iter().map(named).collect();
        let others: Vec<&Prepared> = all.iter().collect();
        let each: Vec<_> = others.iter().map(|it| compare(&all[0], it)).collect();
        prop_assert_eq!(compare_all(&all[0], &others).collect::<Vec<_>>(), each);
    }

    #[test]
    fn risk_rises_with_the_score(one in 0.0..=1.0_f64, other in 0.0..=1.0_f64) {
        let (low, high) = if one < other { (one, other) } else { (other, one) };
        prop_assert!(RiskLevel::of(low) <= RiskLevel::of(high));
    }

    #[test]
    fn a_subject_matches_itself(name in "[A-Z][a-z]{2,9} [A-Z][a-z]{2,9}", kind in kinds()) {
        let subject = Subject { kind, names: vec![Name::new(name)], ..Subject::default() };
        prop_assert!(score(&subject, &subject) >= 0.7);
    }

    // The ends keep the names apart from titles such as `Agha`, whose place decides what they are.
    #[test]
    fn names_of_persons_are_compared_without_regard_to_their_order(given in "[A-Z][a-z]{2,6}anek", surname in "[A-Z][a-z]{2,6}zwik") {
        let person = |text: String| Subject { kind: Kind::Person, names: vec![Name::new(text)], ..Subject::default() };
        let (one, other) = (person(format!("{given} {surname}")), person(format!("{surname}, {given}")));
        prop_assert!(score(&one, &other) >= 0.7);
    }

    #[test]
    fn other_numbers_are_no_match(word in "[A-Z][a-z]{3,9}", one in 1_u32..40, other in 1_u32..40) {
        prop_assume!(one != other);
        let fund = |number: u32| Subject {
            kind: Kind::Organisation,
            names: vec![Name::new(format!("{word} Real Estate Opportunities Fund {number}"))],
            ..Subject::default()
        };
        prop_assert!(score(&fund(one), &fund(other)) < 0.7);
    }
}

#[test]
fn each_further_agreement_is_a_higher_score_and_each_further_difference_a_lower_one() {
    let number = |scheme: &str, value: &str| Identifier {
        scheme: scheme.to_owned(),
        value: value.to_owned(),
    };
    let mut anna = Subject { names: vec![Name::new("Anna Zbinden")], ..Subject::default() };
    let mut agreeing = vec![score(&anna, &anna)];
    anna.countries.push("CH".to_owned());
    agreeing.push(score(&anna, &anna));
    anna.birth_dates.push(PartialDate::day(1970, 5, 9));
    agreeing.push(score(&anna, &anna));
    for scheme in ["passport", "national-id", "tax-id", "lei", "uid"] {
        anna.identifiers.push(number(scheme, "1"));
        agreeing.push(score(&anna, &anna));
    }
    assert!(agreeing.is_sorted_by(|low, high| low < high), "{agreeing:?}");
    assert!(agreeing.iter().all(|it| *it < 1.0), "{agreeing:?}");

    let mut listed = anna.clone();
    let mut differing = vec![score(&anna, &listed)];
    for scheme in ["imo", "bic", "duns"] {
        anna.identifiers.push(number(scheme, "1"));
        listed.identifiers.push(number(scheme, "2"));
        differing.push(score(&anna, &listed));
    }
    assert!(differing.is_sorted_by(|high, low| high > low), "{differing:?}");
}

#[test]
fn long_texts_are_compared_in_bounded_time() {
    for text in [
        "a".repeat(10_000),
        "ab ".repeat(10_000),
        "習".repeat(10_000),
        "ﷺ".repeat(10_000),
        "(/".repeat(10_000),
        ". ".repeat(9_999),
    ] {
        for kind in [Kind::Person, Kind::Organisation, Kind::Vessel, Kind::Other] {
            let names = vec![Name::new(text.clone()), Name::new(format!("{text}b"))];
            let subject = Prepared::new(&Subject { kind, names, ..Subject::default() });
            assert!(compare(&subject, &subject).score < 1.0);
        }
    }
}

#[test]
fn rare_names_score_above_common_ones() {
    let person = |text: &str| Subject {
        kind: Kind::Person,
        names: vec![Name::new(text)],
        ..Subject::default()
    };
    let (rare, common) = (person("Xhevahire Wintersteiner-Oppliger"), person("Maria Garcia"));
    assert!(score(&rare, &rare) > score(&common, &common));
}

#[test]
fn texts_of_any_kind_do_not_match_by_chance() {
    for text in ["", " ", "...", "\u{0}\u{7}", "—", "()", "/", "AG", "&"] {
        let subject = |text: &str| Subject {
            kind: Kind::Organisation,
            names: vec![Name::new(text)],
            ..Subject::default()
        };
        assert_eq!(score(&subject(text), &subject("Nestlé SA")), 0.0, "{text:?}");
    }
}

/// Lists and teams write the same number in other forms.
#[test]
fn numbers_agree_whatever_their_separators_case_and_prefix() {
    for (scheme, one, other) in [
        ("imo", "IMO 9074729", "9074729"),
        ("passport", "x 12-34.567", "X1234567"),
        ("lei", "506700ge1g29325qx363", "506700GE1G29325QX363"),
    ] {
        let of = |value: &str| {
            let identifiers =
                vec![Identifier { scheme: scheme.to_owned(), value: value.to_owned() }];
            let names = vec![Name::new("Beta Star")];
            Prepared::new(&Subject { names, identifiers, ..Subject::default() })
        };
        let equal = compare(&of(one), &of(one));
        assert_eq!(compare(&of(one), &of(other)), equal, "{one} {other}");
        assert!(compare(&of(one), &of("1")).score < equal.score);
    }
}
