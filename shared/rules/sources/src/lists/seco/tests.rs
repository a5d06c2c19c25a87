use domain::lists::{
    BirthDate, EntryKind, Gender, IdentifierKind, ListAddress, ListEntry, ListIdentifier, ListName,
    ListRelation,
    NameQuality::{self, Alias, Primary, Weak},
    RelationKind,
};
use jiff::civil::date;

use crate::lists::{ListFile, ListFormat, RejectedEntry, read_bytes};

const LIST: &str = include_str!("../../../fixtures/lists/seco.xml");

fn list() -> ListFile {
    read_bytes(ListFormat::Seco, LIST.as_bytes()).expect("a list")
}

fn entry(id: &str) -> ListEntry {
    let list = list();
    list.entries.into_iter().find(|it| it.id == id).unwrap_or_else(|| panic!("{id}"))
}

fn names(id: &str) -> Vec<(NameQuality, String)> {
    entry(id).names.into_iter().map(|it| (it.quality, it.text)).collect()
}

/// The list with one target, of which the subject is `subject`.
fn with_target(subject: &str, modifications: &str) -> String {
    format!(
        r#"<swiss-sanctions-list list-type="whole-list" date="2026-09-28"><target ssid="1">{subject}{modifications}</target></swiss-sanctions-list>"#
    )
}

fn named(parts: &str) -> Vec<ListName> {
    let subject = format!(
        r#"<individual><identity main="true"><name name-type="primary-name" quality="good">{parts}</name></identity></individual>"#
    );
    let list = read_bytes(ListFormat::Seco, with_target(&subject, "").as_bytes()).expect("a list");
    list.entries.into_iter().flat_map(|it| it.names).collect()
}

#[test]
fn version_states_the_day_and_the_sizes_of_the_list() {
    let version = list().version;
    assert_eq!(version.date, Some(date(2026, 9, 28)));
    assert_eq!((version.entries, version.active), (16, 14));
    assert_eq!((version.rejected, version.incomplete), (0, 3));
    assert_eq!(version.sha256.len(), 64);
}

#[test]
fn newest_modification_decides() {
    let ids: Vec<String> = list().entries.into_iter().map(|it| it.id).collect();
    // 95003 was de-listed after it was amended, though the file states that first. 95014 was de-listed and amended on the
    // same day; what is first in the file is the newest.
    assert!(!ids.contains(&"95003".to_owned()) && !ids.contains(&"95014".to_owned()), "{ids:?}");
    // 95004 was de-listed and listed again.
    let again = entry("95004");
    assert_eq!(again.listed, Some(date(2024, 2, 1)));
    let amended = entry("95001");
    assert_eq!(amended.listed, Some(date(2016, 6, 16)));
    assert_eq!(amended.changed, Some(date(2025, 12, 13)));
    assert_eq!(entry("95011").listed, None);
    // Amended twice.
    assert_eq!(entry("95018").changed, Some(date(2026, 1, 15)));
}

#[test]
fn states_before_and_after_a_modification_are_ignored() {
    let texts: Vec<String> = names("95001").into_iter().map(|(_, text)| text).collect();
    assert!(!texts.iter().any(|it| it.contains("Added") || it.contains("Removed")), "{texts:?}");
}

#[test]
fn history_of_any_length_does_not_prevent_a_target_from_being_read() {
    let subject = "<entity><identity main='true'><name><name-part><value>A</value></name-part></name></identity></entity>";
    let former = "<justification>&unreadable;</justification>".repeat(30_000);
    let history = format!(
        "<modification modification-type='amended' effective-date='2026-01-01'><removed>{former}</removed></modification>"
    );
    let file = with_target(subject, &history);
    let list = read_bytes(ListFormat::Seco, file.as_bytes()).expect("a list");
    assert_eq!((list.entries.len(), list.rejected), (1, Vec::new()));
}

#[test]
fn parts_and_spelling_variants_become_full_names() {
    assert_eq!(
        names("95001"),
        [
            (Primary, "Dovreshenka Mikalaj Vasilevich".to_owned()),
            (Alias, "Dovreshenko Nikolai Vasilevich".to_owned()),
            (Alias, "Dovreshenko Nikolay Vasilevich".to_owned()),
            (Alias, "Доврешенко Николай Васильевич".to_owned()),
            (Weak, "The Ferryman".to_owned()),
        ]
    );
    let cyrillic = entry("95001").names.into_iter().find(|it| it.text.starts_with('Д'));
    let cyrillic = cyrillic.expect("a Cyrillic name");
    assert_eq!(cyrillic.language.as_deref(), Some("rus"));
    assert_eq!(cyrillic.script.as_deref(), Some("Cyrl"));
}

#[test]
fn name_that_mixes_scripts_is_weak() {
    assert_eq!(
        names("95004"),
        [
            (Primary, "Tariq Salim al-Mukhayyal Jr.".to_owned()),
            (Alias, "Tareq Salem".to_owned()),
            (Alias, "طارق سالم".to_owned()),
            (Weak, "طارق سالم المخيل Jr.".to_owned()),
        ]
    );
}

#[test]
fn name_of_low_quality_is_weak_although_it_is_the_primary_one() {
    assert_eq!(names("95018"), [(Weak, "Yusuf Kurgan".to_owned())]);
}

#[test]
fn order_of_parts_counts_and_not_their_place_in_the_file() {
    assert_eq!(
        names("95002"),
        [
            (Primary, "Dovreshenka Lyudmila Karpava".to_owned()),
            // The primary name of another identity.
            (Alias, "Ludmilla Carpova".to_owned()),
        ]
    );
    let unordered = named(
        "<name-part><value>B</value></name-part><name-part order='1'><value>A</value></name-part>",
    );
    assert_eq!(unordered, [ListName::new(Primary, "A B")]);
}

#[test]
fn parts_with_the_same_order_are_alternatives() {
    assert_eq!(
        names("95010"),
        [
            (Primary, "Ostrovskaya Irina".to_owned()),
            (Primary, "Ostrovskaya Iryna".to_owned()),
            (Alias, "Островская Ирина".to_owned()),
            (Weak, "Ostrovskaya Ірина".to_owned()),
        ]
    );
}

#[test]
fn many_spellings_do_not_multiply() {
    let part = |order: usize| {
        let variants: String = (0..40)
            .map(|at| {
                format!(
                    "<spelling-variant lang='RUS' script='LATN'>x{order}y{at}</spelling-variant>"
                )
            })
            .collect();
        format!("<name-part order='{order}'><value>v{order}</value>{variants}</name-part>")
    };
    let names = named(&(1..=4).map(part).collect::<String>());
    // The own name, the first spelling of each part, and 39 others of each of four parts.
    assert_eq!(names.len(), 1 + 1 + 4 * 39);
    for part in 1..=4 {
        for at in 0..40 {
            let spelling = format!("x{part}y{at}");
            assert!(
                names.iter().any(|it| it.text.split(' ').any(|it| it == spelling)),
                "{spelling}"
            );
        }
    }
}

#[test]
fn dates_can_be_partial_approximate_or_of_another_calendar() {
    let dates = |id| Vec::from_iter(entry(id).birth_dates);
    let exact = |text: &str| BirthDate::exact(text.parse().expect("a date"));
    assert_eq!(dates("95001"), [exact("1971-03-23")]);
    let about_1975 = BirthDate { approximate: true, ..exact("1975") };
    assert_eq!(dates("95002"), [exact("1974-11"), about_1975]);
    let islamic = BirthDate { calendar: Some("Islamic".into()), ..exact("1388-07-15") };
    assert_eq!(dates("95004"), [islamic]);
    // There is no 31 February; the month is still known.
    assert_eq!(dates("95005"), [exact("1968-02")]);
    // A day without a year is no date.
    assert_eq!(dates("95010"), []);
    assert_eq!(dates("95006"), [exact("1991-09-03")]);
}

#[test]
fn set_of_sanctions_leads_to_its_programme() {
    let programmes = Vec::from_iter(entry("95001").programmes);
    assert_eq!(programmes.len(), 2);
    let first = &programmes[0];
    assert_eq!((first.id.as_deref(), first.measure_id.as_deref()), (Some("9020"), Some("94387")));
    assert_eq!(first.key.de.as_deref(), Some("Zubrowien"));
    assert!(first.name.it.as_deref().expect("Italian").starts_with("Ordinanza"));
    assert!(first.name.fr.as_deref().expect("French").starts_with("Ordonnance"));
    assert!(first.measure.en.as_deref().expect("English").starts_with("article 12"));
    assert_eq!(first.origin.as_deref(), Some("EU"));
    assert_eq!(programmes[1].measure_id.as_deref(), Some("94388"));
    // An unknown set does not hide the target.
    let unknown = Vec::from_iter(entry("95011").programmes);
    assert_eq!((&unknown[0].id, unknown[0].measure_id.as_deref()), (&None, Some("99999")));
}

#[test]
fn addresses_are_completed_by_their_place() {
    let person = entry("95001");
    let address = ListAddress {
        care_of: Some("Ferry Office".into()),
        street: Some("ul. Invented 4".into()),
        postal_code: Some("220029".into()),
        city: Some("Minsk".into()),
        country: Some("BY".into()),
        ..ListAddress::default()
    };
    assert_eq!(Vec::from_iter(person.addresses), [address]);
    assert_eq!(Vec::from_iter(person.birth_places), ["Inventsk, Zubrowia region, BY"]);
    assert_eq!(Vec::from_iter(person.nationalities), ["BY"]);
    assert_eq!(Vec::from_iter(person.genders), [Gender::Male]);
    // A place that is not in the file.
    let address = Vec::from_iter(entry("95015").addresses).remove(0);
    assert_eq!(address.street.as_deref(), Some("Place is not in the file"));
}

fn identifiers(id: &str) -> Vec<(IdentifierKind, String)> {
    entry(id).identifiers.into_iter().map(|it| (it.kind, it.value)).collect()
}

#[test]
fn documents_and_numbers_in_texts_become_identifiers() {
    use IdentifierKind::{Bic, Imo, ListReference, NationalId, Passport, Registration, Tax, Uid};
    assert_eq!(
        identifiers("95001"),
        [
            (Passport, "ZP1234567".to_owned()),
            (Tax, "3230319711".to_owned()),
            (ListReference, "ZBi.140".to_owned()),
        ]
    );
    let passport: ListIdentifier = Vec::from_iter(entry("95001").identifiers).remove(0);
    assert_eq!(passport.country.as_deref(), Some("BY"));
    assert_eq!(passport.label.as_deref(), Some("diplomatic-passport"));
    assert_eq!(passport.expires, "2026-05-31".parse().ok());
    assert_eq!(
        identifiers("95005"),
        [(Passport, "G90000001".to_owned()), (NationalId, "110000196802300000".to_owned())]
    );
    assert_eq!(
        entry("95005").identifiers.first().and_then(|it| it.country.as_deref()),
        Some("Atlantis")
    );
    // The customer called Swift is no bank code.
    let of_bank = [(Registration, "900000101".to_owned()), (Bic, "ZAPBBY2X".to_owned())];
    assert_eq!(identifiers("95006"), of_bank);
    assert_eq!(identifiers("95007"), [(Uid, "CHE-600.000.026".to_owned())]);
    assert_eq!(identifiers("95008"), [(Imo, "9000003".to_owned())]);
}

#[test]
fn kinds_texts_and_relations_are_read() {
    let kinds = ["95001", "95006", "95008", "95009"].map(|it| entry(it).kind);
    use EntryKind::{Aircraft, Organisation, Person, Vessel};
    assert_eq!(kinds, [Person, Organisation, Vessel, Aircraft]);
    let company = entry("95007");
    assert_eq!(
        Vec::from_iter(company.reasons),
        ["Trades raw materials for Zubragroprombank & others."]
    );
    assert_eq!(
        Vec::from_iter(company.relations),
        [ListRelation::new(RelationKind::Linked, "95006")]
    );
    let husband = Some("Husband of Lyudmila Dovreshenka".to_owned());
    let relation =
        ListRelation { role: husband, ..ListRelation::new(RelationKind::Linked, "95002") };
    let person = entry("95001");
    assert_eq!(Vec::from_iter(person.relations), [relation]);
    assert!(person.remarks.contains("UN notice: INV-2016/7"), "{:?}", person.remarks);
    assert!(list().entries.iter().all(ListEntry::is_sanctioned));
}

#[test]
fn what_cannot_be_read_is_reported_with_its_identifier() {
    let end = "</swiss-sanctions-list>";
    let nameless = "<target ssid='95012'><individual><identity/></individual></target>";
    let list = LIST.replace(end, &format!("{nameless}{end}"));
    let rejected = read_bytes(ListFormat::Seco, list.as_bytes()).expect("a list").rejected;
    let reasons: Vec<(Option<&str>, &str)> =
        rejected.iter().map(|it| (it.id.as_deref(), it.reason.as_str())).collect();
    assert_eq!(
        reasons,
        [
            (Some("95005"), "day-month-year: `31.2.1968` is not a date"),
            (Some("95010"), "day-month-year: `23.?.?` is not a date"),
            (
                Some("95013"),
                "modification-type: is `suspended`; expected `listed`, `amended` or `de-listed`"
            ),
            (Some("95012"), "has no readable name"),
        ]
    );
    assert!(rejected[2].record.contains("Suspended Trading House"), "{}", rejected[2].record);
    // It may be in force.
    assert_eq!(entry("95013").unreadable, ["modification-type".to_owned()].into());
}

fn reason(target: &str) -> String {
    let list = read_bytes(ListFormat::Seco, target.as_bytes()).expect("a list");
    let [RejectedEntry { reason, .. }] = &list.rejected[..] else { panic!("{list:?}") };
    reason.clone()
}

#[test]
fn reason_names_the_invalid_field() {
    let named = "<entity><identity main='true'><name><name-part><value>A&bomb;</value></name-part></name></identity></entity>";
    let illegible = "value: contains a character that cannot be read; has no readable name";
    assert_eq!(reason(&with_target(named, "")), illegible);
    let named = named.replace("&bomb;", "");
    let empty = "individual: is missing, as are `entity` and `object`; has no readable name";
    assert_eq!(reason(&with_target("", "")), empty);
    let undated = "<modification modification-type='listed' effective-date='soon'/>";
    assert_eq!(
        reason(&with_target(&named, undated)),
        "effective-date: `soon` is not a date such as 2026-09-28"
    );
    assert_eq!(reason(&with_target(&named, "").replace("ssid=\"1\"", "")), "ssid: is missing");
    let large = "<justification>x</justification>".repeat(30_000);
    let large = named.replace("</entity>", &format!("{large}</entity>"));
    let too_large = "target: is too large, so that its end was not read";
    assert!(reason(&with_target(&large, "")).starts_with(too_large));
}

/// Whether a target with these modifications, newest first, is on the list.
fn is_listed(modifications: &[(&str, &str)]) -> bool {
    let named = "<entity><identity main='true'><name><name-part><value>A</value></name-part></name></identity></entity>";
    let modification = |(kind, day): &(&str, &str)| {
        format!("<modification modification-type='{kind}' effective-date='{day}'/>")
    };
    let modifications: String = modifications.iter().map(modification).collect();
    let file = with_target(named, &modifications);
    !read_bytes(ListFormat::Seco, file.as_bytes()).expect("a list").entries.is_empty()
}

#[test]
fn target_of_which_the_history_cannot_be_read_is_listed_if_it_may_be() {
    let (gone, back) = (("de-listed", "2020-01-01"), ("listed", "2021-01-01"));
    assert!(is_listed(&[back, gone]) && !is_listed(&[gone]));
    for day in ["", "2021-13-01", "soon", "&bomb;"] {
        assert!(is_listed(&[("listed", day), gone]), "{day}");
        assert!(is_listed(&[gone, ("listed", day)]), "may be the newest: {day}");
    }
    assert!(is_listed(&[("removed", "2022-01-01"), gone]));
}

#[test]
fn file_that_is_not_the_complete_list_is_an_error() {
    let error = |text: &str| {
        let error = read_bytes(ListFormat::Seco, text.as_bytes()).expect_err(text);
        error.to_string()
    };
    assert_eq!(
        error("<html><body>Wartung</body></html>"),
        "not a list of the sanctions of SECO: the root element is `html`; expected `swiss-sanctions-list`"
    );
    assert_eq!(error(""), "not a list of the sanctions of SECO: contains no element");
    let delta = LIST.replace("whole-list", "delta");
    assert!(error(&delta).ends_with("list-type: is `delta`; expected `whole-list`"));
    let no_target = r#"<swiss-sanctions-list list-type="whole-list"/>"#;
    assert!(error(no_target).ends_with("contains no record"));
    assert!(error(&LIST[..LIST.len() / 2]).contains("end"), "{}", error(&LIST[..LIST.len() / 2]));
    assert!(error(&LIST.replace("2026-09-28\"", "today\"")).contains("date: `today`"));
}

#[test]
fn target_that_is_stated_twice_is_merged() {
    let subject = |name: &str| {
        format!(
            "<entity><identity main='true'><name name-type='primary-name'><name-part><value>{name}</value></name-part></name></identity></entity>"
        )
    };
    let one = with_target(&subject("A"), "");
    let both = one.replace(
        "</swiss-sanctions-list>",
        &format!("<target ssid='1'>{}</target></swiss-sanctions-list>", subject("B")),
    );
    let list = read_bytes(ListFormat::Seco, both.as_bytes()).expect("a list");
    let names: Vec<&str> = list.entries[0].names.iter().map(|it| it.text.as_str()).collect();
    assert_eq!((names, list.entries.len(), list.version.active), (vec!["A", "B"], 1, 1));
}
