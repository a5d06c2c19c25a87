use domain::{
    Amount, AuditorCategory, Canton, Company, Status, Uid,
    similar_companies::{Profile, compare},
};
use proptest::prelude::*;

use super::{Register, company, uid};

fn at(number: u32, name: &str, latitude: f64, longitude: f64) -> Company {
    Company {
        latitude: Some(latitude),
        longitude: Some(longitude),
        status: Some(Status::Active),
        ..company(number, name)
    }
}

#[test]
fn nearby_companies_are_sorted_by_distance_without_deleted_ones() {
    let register = Register::of([
        at(1, "Bern", 46.948, 7.4474),
        at(2, "Zürich HB", 47.3782, 8.5402),
        at(3, "Zürich Paradeplatz", 47.3697, 8.539),
        Company { status: Some(Status::Cancelled), ..at(4, "Deleted", 47.3769, 8.5417) },
        Company { status: Some(Status::BeingCancelled), ..at(5, "Going", 47.38, 8.55) },
        company(6, "Nowhere"),
    ]);
    let near = |radius, limit| {
        let found = register.companies.nearby(47.3769, 8.5417, radius, limit).expect("an answer");
        assert!(found.is_sorted_by(|one, next| one.distance_km <= next.distance_km));
        found
    };
    let names = |radius, limit| {
        register.names_of(&near(radius, limit).iter().map(|it| it.uid).collect::<Vec<_>>())
    };
    assert_eq!(names(5.0, 10), ["Zürich HB", "Going", "Zürich Paradeplatz"]);
    assert_eq!(names(5.0, 1), ["Zürich HB"]);
    assert_eq!(names(200.0, usize::MAX).last(), Some(&"Bern"));
    assert!(names(5.0, 0).is_empty() && names(-1.0, 5).is_empty());
    let bern = &near(200.0, 10)[3];
    assert!((bern.distance_km - 95.5).abs() < 1.0, "{bern:?}");
    assert_eq!((bern.latitude, bern.longitude), (46.948, 7.4474));
}

#[test]
fn radius_zero_finds_companies_at_the_exact_point() {
    let register = Register::of([at(1, "Here", 47.0, 8.0)]);
    let found = register.companies.nearby(47.0, 8.0, 0.0, 5).expect("an answer");
    assert_eq!(found.len(), 1);
}

fn profile(company: &Company) -> Profile<'_> {
    Profile {
        industry: company.noga_code.as_deref().and_then(|it| it.get(..2)),
        canton: company.canton,
        capital: company.share_capital,
        currency: company.currency.as_deref(),
        legal_form_code: company.legal_form_code.as_deref(),
        auditor_category: company.auditor_category,
    }
}

prop_compose! {
    fn comparable()(
        noga in proptest::option::of(prop_oneof![Just("62"), Just("6201"), Just("412000")]),
        canton in proptest::option::of(prop_oneof![Just(Canton::Zh), Just(Canton::Be)]),
        capital in proptest::option::of(prop_oneof![Just(0i64), Just(20_000), Just(100_000), Just(150_000)]),
        currency in proptest::option::of(prop_oneof![Just("CHF"), Just("EUR")]),
        form in proptest::option::of(prop_oneof![Just("0106"), Just("0107")]),
        auditor in proptest::option::of(prop_oneof![Just(AuditorCategory::Ey), Just(AuditorCategory::Other)]),
        status in proptest::option::of(prop_oneof![Just(Status::Active), Just(Status::Cancelled)]),
    ) -> Company {
        Company {
            noga_code: noga.map(str::to_owned),
            canton,
            share_capital: capital.map(Amount::units),
            currency: currency.map(str::to_owned),
            legal_form_code: form.map(str::to_owned),
            auditor_category: auditor,
            status,
            ..company(1, "Muster")
        }
    }
}

/// Coordinates in or near Switzerland, in whole millionths of a degree. Some occur often, so that companies
/// share them.
fn in_switzerland() -> impl Strategy<Value = (f64, f64)> {
    let degrees = |(north, east): (i32, i32)| (f64::from(north) / 1e6, f64::from(east) / 1e6);
    prop_oneof![
        (45_800_000..47_900_000, 5_900_000..10_600_000).prop_map(degrees),
        (0..4, 0..4).prop_map(move |(north, east)| degrees((47_000_000 + north, 8_000_000 + east))),
    ]
}

prop_compose! {
    fn neighbour()(
        place in proptest::option::weighted(0.9, in_switzerland()),
        status in prop_oneof![Just(Status::Active), Just(Status::BeingCancelled), Just(Status::Cancelled)],
    ) -> Company {
        let (latitude, longitude) = place.unzip();
        Company { latitude, longitude, status: Some(status), ..company(1, "Muster") }
    }
}

/// Distance of two points on the sphere, with the haversine formula.
fn distance_km((north, east): (f64, f64), other: (f64, f64)) -> f64 {
    let half_sine = |one: f64, other: f64| ((other - one).to_radians() / 2.0).sin().powi(2);
    let cosines = north.to_radians().cos() * other.0.to_radians().cos();
    let chord = half_sine(north, other.0) + cosines * half_sine(east, other.1);
    2.0 * 6371.0088 * chord.clamp(0.0, 1.0).sqrt().asin()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn the_most_alike_are_the_best_of_all_comparisons(
        companies in proptest::collection::vec(comparable(), 1..60),
        limit in 0usize..20,
    ) {
        let companies: Vec<Company> =
            (1..).zip(companies).map(|(number, it)| Company { uid: uid(number), ..it }).collect();
        let register = Register::of(companies.clone());
        let wanted = &companies[0];
        let found = register.companies.similar(&profile(wanted), wanted.uid, limit).expect("an answer");

        let others = companies[1..].iter().filter(|it| it.status != Some(Status::Cancelled));
        let mut scores: Vec<u32> = others.map(|it| compare(&profile(wanted), &profile(it)).score).collect();
        scores.sort_unstable_by(|one, other| other.cmp(one));
        scores.retain(|it| *it > 0);
        scores.truncate(limit);
        prop_assert_eq!(found.iter().map(|(_, it)| it.score).collect::<Vec<_>>(), scores);
        for (uid, similarity) in found {
            let company = companies.iter().find(|it| it.uid == uid).expect("known");
            prop_assert_eq!(similarity, compare(&profile(wanted), &profile(company)));
        }
    }

    #[test]
    fn everyone_within_the_radius_is_near(
        places in proptest::collection::vec((-90.0..=90.0f64, -180.0..=180.0f64), 1..30),
        (latitude, longitude) in (-90.0..=90.0f64, -180.0..=180.0f64),
        radius in prop_oneof![0.0..500.0f64, 0.0..25_000.0f64],
    ) {
        let register = Register::of(
            (1..).zip(&places).map(|(number, (north, east))| at(number, "It", *north, *east)),
        );
        let all = register.companies.nearby(latitude, longitude, 1e9, 100).expect("an answer");
        prop_assert_eq!(all.len(), places.len());
        let near = register.companies.nearby(latitude, longitude, radius, 100).expect("an answer");
        prop_assert_eq!(near, all.into_iter().filter(|it| it.distance_km <= radius).collect::<Vec<_>>());
    }

    #[test]
    fn the_nearest_are_the_first_of_all_sorted_by_distance(
        companies in proptest::collection::vec(neighbour(), 0..300),
        at in in_switzerland(),
        radius in prop_oneof![Just(0.0), 0.0..20.0f64, 0.0..400.0f64],
        limit in 0usize..40,
    ) {
        let companies: Vec<Company> =
            (1..).zip(companies).map(|(number, it)| Company { uid: uid(number), ..it }).collect();
        let mut nearest: Vec<(f64, bool, Uid)> = Vec::new();
        for it in companies.iter().filter(|it| it.status != Some(Status::Cancelled)) {
            let Some(place) = it.latitude.zip(it.longitude) else { continue };
            // At the same distance, active companies come first, because they are more relevant.
            nearest.push((distance_km(at, place), it.status != Some(Status::Active), it.uid));
        }
        nearest.retain(|(distance, ..)| *distance <= radius);
        nearest.sort_by(|one, other| one.partial_cmp(other).expect("numbers"));
        nearest.truncate(limit);

        let found = Register::of(companies).companies.nearby(at.0, at.1, radius, limit).expect("an answer");
        let found: Vec<_> = found.iter().map(|it| (it.uid, it.distance_km)).collect();
        prop_assert_eq!(found, nearest.iter().map(|it| (it.2, it.0)).collect::<Vec<_>>());
    }

    #[test]
    fn no_place_makes_the_index_panic(latitude: f64, longitude: f64, radius: f64, limit: usize) {
        let register = Register::of([at(1, "Here", 47.0, 8.0)]);
        prop_assert!(register.companies.nearby(latitude, longitude, radius, limit).is_ok());
    }
}
