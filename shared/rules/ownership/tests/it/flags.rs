//! Flags, opacity and signs of a shell company.

use std::collections::BTreeSet;

use domain::{
    Language,
    statements::gleif::{Category, Exception},
    typography::misprint,
};
use ownership::{
    Form, LinkKind, MassDomicile, Party, Profile, ReportingException,
    analytics::{Opacity, OpacityLevel, opacity, percentile, shell_company},
    flags::{Flag, FlagKind, flags},
};

use crate::support::{company, person, profile, resolved, shares, source, unknown, with_profiles};

/// The flags, after a check that each of them is said in every language.
fn found<const N: usize>(
    links: &[ownership::Link],
    profiles: [(Party, Profile); N],
) -> (Vec<Flag>, Opacity) {
    let structure = with_profiles(company(1), links, profiles);
    let resolution = resolved(&structure);
    let flags = flags(&structure, &resolution);
    for flag in &flags {
        let texts = Language::ALL.map(|it| flag.explanation.in_language(it));
        let different: BTreeSet<&str> = texts.into_iter().collect();
        assert_eq!(different.len(), 4, "{texts:?}");
        assert!(texts.iter().all(|it| it.ends_with('.') && misprint(it).is_none()), "{texts:?}");
    }
    let opacity = opacity(&structure, &resolution, &flags);
    (flags, opacity)
}

fn kinds(flags: &[Flag]) -> Vec<FlagKind> {
    flags.iter().map(|it| it.kind).collect()
}

#[test]
fn person_who_owns_everything_directly_is_transparent() {
    let (flags, opacity) = found(&[shares(person(9), company(1), 100.0)], []);
    assert!(flags.is_empty(), "{flags:?}");
    assert_eq!((opacity.score, opacity.level), (0, OpacityLevel::Transparent));
}

#[test]
fn circle_is_flagged_with_its_members_and_sources() {
    let links = [
        shares(company(2), company(1), 50.0),
        shares(company(1), company(2), 50.0),
        shares(person(9), company(1), 50.0),
        shares(person(9), company(2), 50.0),
    ];
    let names = [(company(1), profile("Alpha AG", Form::WithOwners))];
    let (flags, opacity) = found(&links, names);
    assert_eq!(kinds(&flags), [FlagKind::CircularOwnership]);
    assert_eq!(flags[0].parties, [company(1), company(2)]);
    assert_eq!(flags[0].explanation.en, format!("Alpha AG and {} own each other.", company(2)));
    // In the order of what is owned.
    assert_eq!(flags[0].evidence, [links[0].source.clone(), links[1].source.clone()]);
    assert_eq!(opacity.contributors[0].code, "circular_ownership");
}

#[test]
fn pyramid_needs_control_with_a_smaller_share() {
    let partly = [
        shares(company(2), company(1), 60.0),
        shares(person(8), company(1), 40.0),
        shares(person(9), company(2), 60.0),
        shares(person(8), company(2), 40.0),
    ];
    let (flags, _) = found(&partly, []);
    assert_eq!(kinds(&flags), [FlagKind::Pyramid]);
    assert_eq!(flags[0].parties, [person(9), company(2), company(1)]);
    assert!(
        flags[0].explanation.en.contains("has 60 % of the votes through 1 intermediate company")
    );
    assert!(flags[0].explanation.en.contains("owns only 36 % of the capital"));

    let wholly = [shares(company(2), company(1), 100.0), shares(person(9), company(2), 100.0)];
    assert!(found(&wholly, []).0.is_empty(), "a chain of wholly owned companies separates nothing");
    let uncertain = [shares(company(2), company(1), 60.0), shares(person(9), company(2), 60.0)];
    assert!(found(&uncertain, []).0.is_empty(), "the person may own the rest too");
}

#[test]
fn unknown_shares_are_flagged_once_and_with_the_reason() {
    let links = [
        unknown(company(2), company(1), LinkKind::Consolidation),
        unknown(company(3), company(1), LinkKind::Consolidation),
        shares(company(3), company(1), 40.0),
    ];
    let (flags, _) = found(&links, []);
    assert_eq!(kinds(&flags), [FlagKind::UnknownShare], "the share of company 3 is known");
    assert!(flags[0].explanation.en.ends_with("the source names the owner but not its share."));
}

/// A reason for naming no parent says nothing about a company for which a parent is reported.
#[test]
fn an_exception_beside_a_reported_parent_does_not_count() {
    let exception = |category| ReportingException {
        exception: Exception {
            lei: "506700GE1G29325QX363".parse().expect("an LEI"),
            category,
            reasons: vec!["NATURAL_PERSONS".into()],
            references: Vec::new(),
        },
        source: source("gleif"),
    };
    let both = [Category::DirectParent, Category::UltimateParent].map(exception);
    let root = Profile { name: "Alpha AG".into(), exceptions: both.to_vec(), ..Profile::default() };
    let parent = unknown(company(2), company(1), LinkKind::Consolidation);
    let (flags, opacity) = found(&[parent], [(company(1), root)]);
    let exceptions: Vec<_> =
        flags.iter().filter(|it| it.kind == FlagKind::ReportingException).collect();
    let [exception] = exceptions.as_slice() else { panic!("{flags:?}") };
    assert!(exception.explanation.en.contains("no ultimate parent"), "{exception:?}");
    let said = opacity.contributors.iter().find(|it| it.code == "reporting_exception");
    assert_eq!(
        said.map(|it| it.description.as_str()),
        Some(
            "Parents not named, with the reason reported to GLEIF: Alpha AG, ultimate parent: natural persons control the company."
        )
    );
}

#[test]
fn addresses_and_exceptions_are_flagged_with_their_sources() {
    let exception = Exception {
        lei: "506700GE1G29325QX363".parse().expect("an LEI"),
        category: Category::UltimateParent,
        reasons: vec!["NON_PUBLIC".into()],
        references: Vec::new(),
    };
    let root = Profile {
        name: "Alpha AG".into(),
        domiciliary: Some(source("address")),
        mass_domicile: Some(MassDomicile { companies: 80, source: source("address") }),
        exceptions: vec![ReportingException { exception, source: source("gleif") }],
        has_industry: Some(false),
        ..Profile::default()
    };
    let links = [shares(company(2), company(1), 100.0), shares(company(3), company(2), 100.0)];
    let (flags, opacity) = found(&links, [(company(1), root.clone())]);
    assert_eq!(
        kinds(&flags),
        [FlagKind::ReportingException, FlagKind::DomiciliaryAddress, FlagKind::MassDomicileAddress]
    );
    assert_eq!(
        flags[0].explanation.en,
        "Alpha AG reported to GLEIF why it names no ultimate parent: the information is not public."
    );
    assert_eq!(flags[0].evidence, [source("gleif")]);
    // 20 nobody found, 25 unattributed, 5 for the second level, 10 exception, 5 and 10 address.
    assert_eq!((opacity.score, opacity.level), (75, OpacityLevel::HighlyOpaque));
    assert_eq!(opacity.contributors.iter().map(|it| it.points).sum::<u8>(), opacity.score);

    let structure = with_profiles(company(1), &links, [(company(1), root.clone())]);
    let shell = shell_company(&structure).expect("signs of a shell");
    assert_eq!((shell.depth, shell.has_industry), (2, false));
    let known = Profile { has_industry: Some(true), ..root };
    let structure = with_profiles(company(1), &links, [(company(1), known)]);
    assert_eq!(shell_company(&structure), None);
}

/// Nobody can see who holds a corporation, so this makes none of them opaque.
#[test]
fn corporation_without_public_shareholders_is_normal_and_other_signs_rank_above() {
    let corporation = |name: &str| Profile {
        name: name.into(),
        has_undisclosed_holders: true,
        ..Profile::default()
    };
    let (_, alone) = found(&[], [(company(1), corporation("Alpha AG"))]);
    assert_eq!((alone.score, alone.level), (20, OpacityLevel::Normal));
    assert_eq!(alone.contributors[0].code, "shareholders_not_public");
    let links = [shares(company(2), company(1), 60.0)];
    let (_, partly) = found(&links, [(company(2), corporation("Beta AG"))]);
    // 60 % end at the corporation; 40 % of a company whose holders are public are unknown.
    let points: Vec<_> = partly.contributors.iter().map(|it| (it.code, it.points)).collect();
    assert_eq!(points, [("shareholders_not_public", 20), ("unattributed", 10)]);
    let care_of = Profile { domiciliary: Some(source("address")), ..corporation("Alpha AG") };
    let (_, above) = found(&[], [(company(1), care_of)]);
    assert!(above.score > alone.score);
}

#[test]
fn percentile_counts_lower_peers_and_half_of_the_equal_ones() {
    assert_eq!(percentile(30, &[]), None);
    assert_eq!(percentile(30, &[30]), Some(50));
    assert_eq!(percentile(30, &[10, 20, 30, 40]), Some(62));
    assert_eq!([percentile(0, &[1, 2]), percentile(9, &[1, 2])], [Some(0), Some(100)]);
}

#[test]
fn known_owners_with_small_shares_hide_nothing() {
    let links: Vec<_> = (1..=5).map(|it| shares(person(it), company(1), 20.0)).collect();
    let (_, opacity) = found(&links, []);
    assert_eq!((opacity.score, opacity.contributors), (0, Vec::new()));
}
