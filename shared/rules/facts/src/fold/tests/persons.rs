use domain::persons::RoleCategory;

use super::*;

const FATHER: &str = "Muster, Hans, von Chur, in Bern, Präsident, mit Einzelunterschrift";
const SON: &str = "Muster, Hans, von Chur, in Thun, Mitglied, mit Einzelunterschrift";

fn history_of(notices: impl IntoIterator<Item = Publication>) -> History {
    fold_with_history(&gazette_facts(notices)).expect("company record").1
}

#[test]
fn new_person_with_the_same_name_but_another_residence_is_a_different_person() {
    let father = registration(1, "2010-01-04", &entered(FATHER));
    let son = mutation(2, "2020-01-06", &entered(SON));
    let history = history_of([father.clone(), son.clone()]);
    assert_eq!(history.current_mandates().count(), 2);
    assert_ne!(history.mandates[0].person_id, history.mandates[1].person_id);
    assert_eq!(history.same_persons, []);
    assert!(history.mandates.iter().all(|it| (it.confidence - 0.95).abs() < 1e-9));
    // The father leaves; the son stays.
    let gone = mutation(3, "2022-01-03", &left(FATHER));
    let history = history_of([father, son, gone]);
    let still: Vec<_> = history.current_mandates().map(|it| it.person.residence.clone()).collect();
    assert_eq!(still, [Some("Thun".to_owned())]);
}

#[test]
fn person_with_a_stated_move_stays_the_same_person() {
    let father = registration(1, "2010-01-04", &entered(FATHER));
    let moved = SON.replace("Mitglied", "Präsident");
    let moved = mutation(2, "2020-01-06", &entered(&format!("{moved} [bisher: in Bern]")));
    let history = history_of([father, moved]);
    assert_eq!(history.mandates.len(), 1);
    assert_eq!(history.mandates[0].since, "2010-01-04".parse().ok());
    assert_eq!(history.same_persons.len(), 1);
}

#[test]
fn leaving_person_given_by_name_alone_ends_the_mandate() {
    let father = registration(1, "2010-01-04", &entered(FATHER));
    let gone = mutation(2, "2022-01-03", &left("Muster, Hans, Präsident"));
    let history = history_of([father, gone]);
    assert_eq!(history.current_mandates().count(), 0);
    let [(one, other)] = history.same_persons.as_slice() else { panic!("{history:?}") };
    assert_eq!(*one, history.mandates[0].person_id);
    let subject = history.events.last().and_then(|it| it.event.subject.as_ref()?.person_id);
    assert_eq!(Some(*other), subject, "the event has the person id from the notice");
}

#[test]
fn offices_and_audits_end_with_the_company_even_if_only_the_record_states_its_deletion() {
    let text = entered(&format!("{FATHER}; {AUDITOR}"));
    let entry = registration(1, "2020-01-06", &text);
    for (state, until) in [
        (
            r#""status": "CANCELLED", "deletionDate": "2024-03-04", "sogcDate": "2024-03-07""#,
            Some("2024-03-04"),
        ),
        (r#""status": "CANCELLED", "sogcDate": "2024-03-07""#, Some("2024-03-07")),
        // The day of the deletion is before the publication of the last entry.
        (
            r#""status": "CANCELLED", "deletionDate": "2020-01-02", "sogcDate": "2020-01-06""#,
            Some("2020-01-06"),
        ),
        (r#""status": "ACTIVE", "sogcDate": "2024-03-07""#, None),
        (r#""status": "BEING_CANCELLED", "sogcDate": "2024-03-07""#, None),
    ] {
        let record =
            format!(r#"{{"uid": "CHE107251578", "name": "Muster AG", "canton": "LU", {state}}}"#);
        let record = zefix::read(record.as_bytes()).expect("valid JSON");
        assert_eq!(record.rejected, []);
        let facts = [gazette_facts([entry.clone()]), facts_from(record.statements)].concat();
        let (company, history) = fold_with_history(&facts).expect("company record");
        let until = until.map(|it| it.parse::<jiff::civil::Date>().expect("a day"));
        let ends: Vec<_> = history.mandates.iter().map(|it| it.until).collect();
        assert_eq!(ends, [until], "{state}");
        let ends: Vec<_> = history.tenures.iter().map(|it| it.resigned_at).collect();
        assert_eq!(ends, [until], "{state}");
        let source = &history.mandates[0].source.source;
        assert_eq!(source, if until.is_some() { "zefix" } else { "shab" }, "{state}");
        let today = ParsedFacts::new(facts.clone()).current().expect("company record");
        assert_eq!((today.company, today.history), (company, history), "{state}");
        let before = ParsedFacts::new(facts.clone()).as_of("2020-01-06".parse().expect("a day"));
        let before = before.expect("company record").history;
        assert_eq!(before.mandates[0].is_current(), state.contains("2024"), "{state}");
    }
}

#[test]
fn former_residence_decides_which_of_two_namesakes_moves() {
    let both = entered(&format!("{FATHER}; {SON}"));
    let moved = SON.replace("in Thun", "in Basel");
    let moved = entered(&format!("{moved} [bisher: in Thun]"));
    let history =
        history_of([registration(1, "2010-01-04", &both), mutation(2, "2020-01-06", &moved)]);
    let residences: Vec<_> =
        history.mandates.iter().map(|it| it.person.residence.clone()).collect();
    assert_eq!(residences, [Some("Bern".to_owned()), Some("Basel".to_owned())]);
}

#[test]
fn new_entry_without_residence_is_the_officer_with_the_same_name() {
    let father = registration(1, "2010-01-04", &entered(FATHER));
    let again = "Muster, Hans, von Chur, Delegierter, mit Einzelunterschrift";
    let history = history_of([father, mutation(2, "2020-01-06", &entered(again))]);
    assert_eq!(history.mandates.len(), 1);
}

const ANNA: &str = "Meier, Anna, von Chur, in Bern, Mitglied, mit Einzelunterschrift";

/// The role and the signature of the only person in a notice.
fn role_and_signature(heading: &str, entry: &str) -> (String, Option<String>) {
    let history = history_of([registration(1, "2020-01-06", &persons(heading, entry))]);
    let mandate = history.mandates.into_iter().next().expect("one mandate");
    (mandate.role, mandate.signature)
}

#[test]
fn a_signatory_without_function_has_the_role_authorised_signatory_in_the_language_of_the_notice() {
    const DE: &str = "Eingetragene Personen";
    const FR: &str = "Personne(s) inscrite(s)";
    const IT: &str = "Persone iscritte";
    for (heading, entry, role, signature) in [
        (
            DE,
            "Muster, Hans, von Chur, in Bern, mit Einzelprokura",
            "Zeichnungsberechtigte Person",
            "mit Einzelprokura",
        ),
        (
            DE,
            "Muster, Hans, von Chur, in Bern, mit Kollektivunterschrift zu zweien",
            "Zeichnungsberechtigte Person",
            "mit Kollektivunterschrift zu zweien",
        ),
        (
            FR,
            "Modèle, Jean, de Sion, à Sierre, avec signature individuelle",
            "personne autorisée à signer",
            "avec signature individuelle",
        ),
        (
            FR,
            "Modèle, Jean, de Sion, à Sierre, avec procuration collective à deux",
            "personne autorisée à signer",
            "avec procuration collective à deux",
        ),
        (
            IT,
            "Modello, Gianni, da Lugano, in Chiasso, con firma collettiva a due",
            "persona autorizzata a firmare",
            "con firma collettiva a due",
        ),
        (
            IT,
            "Modello, Gianni, da Lugano, in Chiasso, con procura individuale",
            "persona autorizzata a firmare",
            "con procura individuale",
        ),
    ] {
        assert_eq!(
            role_and_signature(heading, entry),
            (role.to_owned(), Some(signature.to_owned()))
        );
    }
    let director = "Muster, Hans, von Chur, in Bern, Direktor, mit Einzelprokura";
    let (role, signature) = role_and_signature(DE, director);
    assert_eq!((role.as_str(), signature.as_deref()), ("Direktor", Some("mit Einzelprokura")));
}

/// The history after a registration with these persons and a mutation with this entry.
fn renamed(before: &[&str], entry: &str) -> History {
    let first = registration(1, "2010-01-04", &entered(&before.join("; ")));
    history_of([first, mutation(2, "2020-01-06", &entered(entry))])
}

#[test]
fn renamed_person_keeps_the_mandate() {
    let renamed_entry = ANNA.replace("Meier", "Huber-Meier");
    for former in
        ["Meier, Anna, von Chur, in Bern", "Meier, Anna", "Meier, von Chur", "Meier", "Anna Meier"]
    {
        let history = renamed(&[ANNA, FATHER], &format!("{renamed_entry} [bisher: {former}]"));
        let [anna, father] = history.mandates.as_slice() else { panic!("{former}: {history:?}") };
        assert_eq!(anna.person.full_name(), "Anna Huber-Meier", "{former}");
        assert_eq!((anna.since, anna.until), ("2010-01-04".parse().ok(), None));
        assert_eq!(father.person.last_name, "Muster");
        let [(one, other)] = history.same_persons.as_slice() else { panic!("{history:?}") };
        assert_eq!(*one, anna.person_id, "the id of the first entry remains");
        assert_eq!(*other, anna.person.identity(UID.parse().expect("valid UID")).id);
    }
    // The origin can change by marriage.
    let married = renamed_entry.replace("Chur", "Thun");
    let history = renamed(&[ANNA], &format!("{married} [bisher: Meier, Anna, von Chur]"));
    assert_eq!(history.mandates.len(), 1);
    // She leaves under her new name.
    let first = registration(1, "2010-01-04", &entered(ANNA));
    let second = mutation(2, "2020-01-06", &entered(&format!("{renamed_entry} [bisher: Meier]")));
    let gone = mutation(3, "2022-01-03", &left(&renamed_entry));
    assert_eq!(history_of([first, second, gone]).current_mandates().count(), 0);
}

#[test]
fn ambiguous_former_name_renames_nobody() {
    let renamed_entry = ANNA.replace("Meier", "Huber-Meier");
    let other = ANNA.replace("in Bern", "in Thun");
    let history = renamed(&[ANNA, &other], &format!("{renamed_entry} [bisher: Meier, Anna]"));
    assert_eq!(history.current_mandates().count(), 3);
    assert_eq!(history.same_persons, []);
    // The former residence makes it unambiguous.
    let history =
        renamed(&[ANNA, &other], &format!("{renamed_entry} [bisher: Meier, Anna, in Thun]"));
    let names: Vec<String> = history.mandates.iter().map(|it| it.person.full_name()).collect();
    assert_eq!(names, ["Anna Meier", "Anna Huber-Meier"]);
    assert_eq!(history.mandates[0].person.residence.as_deref(), Some("Bern"));
}

#[test]
fn person_with_a_different_former_name_is_not_renamed() {
    let renamed_entry = ANNA.replace("Meier", "Huber-Meier");
    for former in ["Keller, Anna", "Präsidentin", "in Bern", "von Chur", "Meier, Beat"] {
        let history = renamed(&[ANNA], &format!("{renamed_entry} [bisher: {former}]"));
        assert_eq!(history.current_mandates().count(), 2, "{former}");
        assert_eq!(history.same_persons, [], "{former}");
    }
    // Origin or nationality contradict.
    let german = "Huber, Anna, deutsche Staatsangehörige, in Bern, Mitglied [bisher: Meier, Anna]";
    for other in
        [renamed_entry.replace("Chur", "Thun") + " [bisher: Meier, Anna]", german.to_owned()]
    {
        let history = renamed(&[ANNA], &other);
        assert_eq!(history.current_mandates().count(), 2, "{other}");
    }
}

#[test]
fn renamed_auditor_keeps_its_tenure() {
    let first = registration(1, "2010-01-04", &entered(AUDITOR));
    let renamed = "Neue Revision AG, in Luzern, Revisionsstelle [bisher: Erste Revision AG]";
    let renamed = mutation(2, "2020-01-06", &entered(renamed));
    let company = UID.parse().expect("valid UID");
    let before = history_of([first.clone()]).tenures[0].id(company);
    let history = history_of([first, renamed]);
    let [tenure] = history.tenures.as_slice() else { panic!("one tenure: {history:?}") };
    assert_eq!(tenure.auditor_name, "Neue Revision AG");
    assert_eq!(tenure.id(company), before);
    assert_eq!(tenure.appointed_at, "2010-01-04".parse().ok());
    assert_eq!(tenure.source.date, "2020-01-06".parse().ok(), "the source of the current values");
    let event = &history.events.last().expect("at least one event").event;
    assert_eq!(
        (event.kind, event.field.as_deref()),
        (ChangeKind::AuditorChange, Some("auditorName"))
    );
    assert_eq!(event.old_value.as_deref(), Some("Erste Revision AG"));
    assert_eq!(event.new_value.as_deref(), Some("Neue Revision AG"));
}

#[test]
fn auditor_with_a_new_seat_keeps_its_tenure_and_name() {
    let first = registration(1, "2010-01-04", &entered(AUDITOR));
    let moved = "Erste Revision AG, in Zug, Revisionsstelle [bisher: in Luzern]";
    let history = history_of([first, mutation(2, "2020-01-06", &entered(moved))]);
    assert_eq!(history.tenures.len(), 1);
    let event = &history.events.last().expect("at least one event").event;
    assert_eq!((event.kind, event.field.as_deref()), (ChangeKind::AuditorChange, Some("auditor")));
    assert_eq!(event.old_value.as_deref(), Some("in Luzern"));
    assert_eq!(event.new_value.as_deref(), Some("Erste Revision AG, in Zug"));
}

/// The full names of those who have an office after a registration with some persons and a mutation.
fn staying(before: &[&str], text: &str) -> Vec<String> {
    let first = registration(1, "2010-01-04", &entered(&before.join("; ")));
    let history = history_of([first, mutation(2, "2020-01-06", text)]);
    history.current_mandates().map(|it| it.person.full_name()).collect()
}

const GERMAN: &str =
    "Schulz, Eva, deutsche Staatsangehörige, in Zug, Mitglied, mit Einzelunterschrift";

#[test]
fn leaving_person_who_is_described_differently_is_found() {
    let double = ANNA.replace("Meier", "Meier-Huber");
    let two_names = ANNA.replace("Anna", "Anna Maria");
    let replaced = |text: &str, from: &str, to: &str| text.replace(from, to);
    for (entry, leaving) in [
        (ANNA, replaced(ANNA, "von Chur", "von Lumnezia")),
        (GERMAN, replaced(GERMAN, "deutsche Staatsangehörige", "von Zug")),
        (&double, replaced(&double, "Meier-Huber", "Meier")),
        (&double, replaced(&double, "Meier-Huber", "Huber")),
        (ANNA, double.clone()),
        (&two_names, ANNA.to_owned()),
        (&two_names, replaced(ANNA, "Anna", "Anna M.")),
        (&two_names, replaced(&two_names, "von Chur", "von Lumnezia")),
    ] {
        assert_eq!(staying(&[entry, FATHER], &left(&leaving)), ["Hans Muster"], "{leaving}");
    }
    for prose in [
        "Meier Anna n'est plus administratrice et ses pouvoirs sont radiés.",
        "Meier Anna ist nicht mehr Mitglied des Verwaltungsrates; ihre Unterschrift ist erloschen.",
        "Meier Anna non è più membro del consiglio di amministrazione.",
    ] {
        assert_eq!(staying(&[&two_names, FATHER], prose), ["Hans Muster"], "{prose}");
    }
}

#[test]
fn leaving_person_who_may_be_another_one_ends_no_mandate() {
    let other = ANNA.replace("von Chur", "von Thun");
    let foreign = ANNA.replace("von Chur", "von Lumnezia");
    let two_names = ANNA.replace("Anna", "Anna Maria");
    for (before, leaving) in [
        // Two who fit, another residence, another role and signature, another given name, another surname.
        (&[ANNA, other.as_str()][..], foreign.clone()),
        (&[ANNA], foreign.replace("in Bern", "in Thun")),
        (&[ANNA], "Meier, Anna, von Lumnezia, in Bern, mit Kollektivprokura zu zweien".to_owned()),
        (&[ANNA], ANNA.replace("Anna", "Beat Anna")),
        (&[two_names.as_str()], ANNA.replace("Anna", "Anna Luisa")),
        (&[ANNA], ANNA.replace("Meier", "Meierhans")),
    ] {
        assert_eq!(staying(before, &left(&leaving)).len(), before.len(), "{leaving}");
    }
    // The son leaves, and the same publication names the father.
    let father = FATHER.replace("in Bern", "in Thun") + " [bisher: in Bern]";
    let son = FATHER.replace("Hans", "Hans Peter");
    let text = format!("{} {}", left(&son), entered(&father));
    assert_eq!(staying(&[FATHER], &text), ["Hans Muster"]);
}

#[test]
fn corrected_or_changed_nationality_is_that_of_the_same_person() {
    for (citizenship, iso) in [
        ("österreichische Staatsangehörige [nicht: deutsche Staatsangehörige]", "AT"),
        ("von Zug [bisher: deutsche Staatsangehörige]", "CH"),
        ("von Zug [bisher: deutscher Staatsangehöriger]", "CH"),
    ] {
        let entry = GERMAN.replace("deutsche Staatsangehörige", citizenship);
        let history = renamed(&[GERMAN, FATHER], &entry);
        assert_eq!(history.mandates.len(), 2, "{citizenship}");
        let person = &history.mandates[0].person;
        assert_eq!(person.nationality_iso.as_deref(), Some(iso));
        assert_eq!(person.nationality.is_some(), person.origin.is_none(), "not both");
    }
}

#[test]
fn list_entry_without_function_and_signature_keeps_both() {
    let moved = "Meier, Anna, von Chur, in Thun [bisher: in Bern]";
    let mandate = renamed(&[ANNA], moved).mandates.remove(0);
    assert_eq!((mandate.role.as_str(), mandate.category), ("Mitglied", RoleCategory::Board));
    assert_eq!(mandate.signature.as_deref(), Some("mit Einzelunterschrift"));
    assert_eq!(mandate.person.residence.as_deref(), Some("Thun"));
    assert_eq!(mandate.role_since(), "2010-01-04".parse().ok());
}

#[test]
fn role_written_otherwise_has_not_changed() {
    let since = |before: &str, after: &str| {
        let entry = |role: &str| ANNA.replace("Mitglied", role);
        let moved = format!("{} [bisher: in Thun]", entry(after));
        let before = entry(before).replace("in Bern", "in Thun");
        renamed(&[&before], &moved).mandates[0].role_since().map(|it| it.to_string())
    };
    for (before, after) in [
        ("Mitglied", "Mitglied des Verwaltungsrates"),
        ("administrateur président", "président"),
        ("Administration", "administratrice"),
        ("membro", "membro del consiglio di amministrazione"),
    ] {
        assert_eq!(since(before, after).as_deref(), Some("2010-01-04"), "{before} {after}");
    }
    for (before, after) in [
        ("Mitglied", "Präsidentin"),
        ("Präsidentin und Delegierte", "Präsidentin"),
        ("Mitglied des Verwaltungsrates", "Mitglied der Geschäftsleitung"),
        ("Chef Unterhalt", "Chef Verkauf"),
    ] {
        assert_eq!(since(before, after).as_deref(), Some("2020-01-06"), "{before} {after}");
    }
}

#[test]
fn president_who_moves_as_a_member_in_prose_stays_president() {
    let president = "Modèle Luc, de Sion, à Sierre, est président du conseil d'administration.";
    let moved = "L'administrateur Modèle Luc est maintenant domicilié à Prilly.";
    let notices = [registration(1, "2010-01-04", president), mutation(2, "2020-01-06", moved)];
    let mandate = history_of(notices).mandates.remove(0);
    assert!(mandate.role.starts_with("président"), "{}", mandate.role);
    assert_eq!(mandate.role_since(), "2010-01-04".parse().ok());
    assert_eq!(mandate.person.residence.as_deref(), Some("Prilly"));
}

#[test]
fn event_of_a_person_who_stays_compares_like_with_like() {
    let changed = |entry: &str| {
        let history = renamed(&[ANNA], entry);
        let event = history.events.into_iter().next_back().expect("an event").event;
        (event.old_value.unwrap_or_default(), event.new_value.unwrap_or_default(), event.summary)
    };
    for (entry, old, new, summary) in [
        (
            "in Thun, Mitglied, mit Einzelunterschrift [bisher: in Bern]",
            "Bern",
            "Thun",
            "moves from Bern to Thun",
        ),
        (
            "in Bern, Präsidentin, mit Einzelunterschrift [bisher: Mitglied]",
            "Mitglied",
            "Präsidentin",
            "is now president",
        ),
        (
            "in Thun, Präsidentin, mit Einzelprokura [bisher: in Bern, Mitglied, mit Einzelunterschrift]",
            "Mitglied, mit Einzelunterschrift",
            "Präsidentin, mit Einzelprokura",
            "is now president, with sole procuration and moves from Bern to Thun",
        ),
        (
            "in Bern, Mitglied, mit Einzelprokura [bisher: mit Einzelunterschrift]",
            "mit Einzelunterschrift",
            "mit Einzelprokura",
            "now has sole procuration",
        ),
        (
            "in Bern, Mitglied [gestrichen: mit Einzelunterschrift]",
            "Mitglied, mit Einzelunterschrift",
            "Mitglied",
            "is now a member",
        ),
        (
            "in Bern, Mitglied, mit Einzelunterschrift [gestrichen: Delegierte]",
            "Delegierte",
            "Mitglied",
            "is now a member",
        ),
    ] {
        let summary = format!("Anna Meier at Muster AG {summary}");
        let expected = (old.to_owned(), new.to_owned(), summary);
        assert_eq!(changed(&format!("Meier, Anna, von Chur, {entry}")), expected);
    }
    for (shares, former, held) in [
        (
            "mit 1000 Stammanteilen zu je CHF 100.00",
            "mit 20 Stammanteilen zu je CHF 100.00",
            "1,000 shares of CHF 100",
        ),
        (
            "avec 8 parts sociales de CHF 100",
            "avec 20 parts sociales de CHF 100",
            "8 shares of CHF 100",
        ),
        ("con 8 quote da CHF 100", "con 20 quote da CHF 100", "8 shares of CHF 100"),
        ("mit 166 Stammanteilen", "mit 20 Stammanteilen", "166 shares"),
        (
            "mit einem Stammanteil von CHF 20'000.00",
            "mit 2 Stammanteilen zu je CHF 10'000.00",
            "1 share of CHF 20,000",
        ),
    ] {
        let entry = format!(
            "Meier, Anna, von Chur, in Bern, Gesellschafterin, {shares} [bisher: {former}]"
        );
        let summary = format!("Anna Meier at Muster AG now holds {held}");
        assert_eq!(changed(&entry), (former.to_owned(), shares.to_owned(), summary));
    }
    for former in ["wie bisher", "nicht eingetragen", "ohne Stammanteile"] {
        let (_, _, summary) = changed(&format!("{ANNA} [bisher: {former}]"));
        assert!(!summary.contains("called") && !summary.contains("is now"), "{summary}");
    }
    for former in ["Meier, Anna", "Meier", "Anna Meier", "Meier, Anna, von Chur"] {
        let entry = ANNA.replace("Meier", "Huber");
        let (old, new, summary) = changed(&format!("{entry} [bisher: {former}]"));
        assert_eq!((old.as_str(), new.as_str()), ("Anna Meier", "Anna Huber"), "{former}");
        assert_eq!(summary, "Anna Meier at Muster AG is now called Anna Huber");
    }
}

#[test]
fn a_signature_has_the_day_of_its_own_last_change() {
    let since = |entries: &[&str], last: &str| {
        let mandate = renamed(entries, last).mandates.remove(0);
        [mandate.role_since(), mandate.signature_since()].map(|it| it.map(|it| it.to_string()))
    };
    let [first, last] = ["2010-01-04", "2020-01-06"].map(|it| Some(it.to_owned()));
    let joint = ANNA.replace("Einzelunterschrift", "Kollektivunterschrift zu zweien");
    let with_sole = format!("{ANNA} [bisher: mit Kollektivunterschrift zu zweien]");
    assert_eq!(since(&[&joint], &with_sole), [first.clone(), last.clone()]);
    let president = format!("{} [bisher: Mitglied]", ANNA.replace("Mitglied", "Präsidentin"));
    assert_eq!(since(&[ANNA], &president), [last, first]);
}

/// Who was on the board before becoming its liquidator as well has only the second office from that day.
#[test]
fn a_changed_role_knows_which_of_its_offices_are_earlier() {
    let entry = |role| ANNA.replace("Mitglied", role);
    let earlier = |entries: &[&str]| {
        let notices = entries.iter().zip(1..).map(|(entry, number)| match number {
            1 => registration(1, "2010-01-04", &entered(entry)),
            _ => mutation(number, &format!("201{number}-01-06"), &entered(entry)),
        });
        let mandate = history_of(notices.collect::<Vec<_>>()).mandates.remove(0);
        assert!(mandate.earlier_categories.iter().all(|it| mandate.is_in(*it)));
        mandate.earlier_categories
    };
    let liquidator =
        format!("{} [bisher: Mitglied]", entry("Mitglied des Verwaltungsrates und Liquidatorin"));
    assert_eq!(earlier(&[ANNA, &liquidator]), [RoleCategory::Board]);
    let again =
        entry("Mitglied des Verwaltungsrates und Liquidatorin").replace("Einzel", "Kollektiv");
    assert_eq!(earlier(&[ANNA, &liquidator, &again]), [RoleCategory::Board], "another signature");
    let only = format!("{} [bisher: Mitglied]", entry("Liquidatorin"));
    assert_eq!(earlier(&[ANNA, &only]), []);
}

#[test]
fn summaries_are_in_one_language() {
    for (entry, summary) in [
        ("Präsident des Verwaltungsrates, mit Einzelunterschrift", "president"),
        ("associé et gérant, avec signature individuelle", "partner and manager"),
        ("vicepresidente e delegato, con firma collettiva a due", "vice-president and delegate"),
        ("mit Kollektivprokura zu zweien", "joint procuration"),
        ("avec signature collective à trois", "“avec signature collective à trois”"),
        ("Chef Unterhalt, mit Einzelunterschrift", "“Chef Unterhalt”"),
    ] {
        let first = registration(1, "2010-01-04", &entered(FATHER));
        let next = entered(&format!("Huber, Eva, von Thun, in Thun, {entry}"));
        let history = history_of([first, mutation(2, "2020-01-06", &next)]);
        let event = history.events.into_iter().next_back().expect("an event").event;
        assert_eq!(event.summary, format!("Eva Huber joins Muster AG: {summary}"), "{entry}");
    }
}

#[test]
fn new_supervisory_authority_replaces_the_former_one() {
    let first = registration(1, "2010-01-04", &entered("Kanton Bern, in Bern, Aufsichtsbehörde"));
    for next in [
        &entered("Eidgenössische Stiftungsaufsicht, in Bern, Aufsichtsbehörde"),
        "Nouvelle autorité de surveillance: Département fédéral de l'intérieur, à Berne.",
        "Nuova autorità di vigilanza: Dipartimento federale dell'interno, in Berna.",
    ] {
        let history = history_of([first.clone(), mutation(2, "2020-01-06", next)]);
        let current: Vec<_> = history.current_mandates().map(|it| it.since).collect();
        assert_eq!(current, ["2020-01-06".parse().ok()], "{next}");
    }
}

#[test]
fn office_that_ends_leaves_the_others_or_the_membership() {
    let first = entered(
        "Meier, Hans, von Bern, in Zürich, Präsident des Verwaltungsrates, mit Kollektivunterschrift zu zweien; Keller, Anna, von Chur, in Chur, Mitglied des Verwaltungsrates, Direktorin, mit Einzelunterschrift",
    );
    let role = |text: &str, name: &str| {
        let notices = [registration(1, "2020-03-02", &first), mutation(2, "2024-03-01", text)];
        let (_, history) = fold_with_history(&gazette_facts(notices)).expect("a record");
        let mut current = history.current_mandates();
        let found = current.find(|it| it.person.last_name == name);
        found.map(|it| it.role.clone()).unwrap_or_default()
    };
    for (text, name, expected) in [
        ("Meier Hans n'est plus président et signe désormais individuellement.", "Meier", "membre"),
        (
            "Meier Hans, qui n'est plus président, signe désormais individuellement.",
            "Meier",
            "membre",
        ),
        (
            "Meier Hans ist nicht mehr Präsident und zeichnet neu mit Einzelunterschrift.",
            "Meier",
            "Mitglied",
        ),
        ("Meier Hans non è più presidente e firma ora individualmente.", "Meier", "membro"),
        (
            "Keller Anna ist nicht mehr Direktorin und zeichnet kollektiv zu zweien.",
            "Keller",
            "Mitglied des Verwaltungsrates",
        ),
        (
            "Keller Anna n'est plus directrice et signe collectivement à deux.",
            "Keller",
            "Mitglied des Verwaltungsrates",
        ),
    ] {
        assert_eq!(role(text, name), expected, "{text}");
    }
}

#[test]
fn person_who_is_renamed_and_gets_another_origin_stays_the_same() {
    for text in [
        "Keller Anna, qui s'appelle désormais Rochat-Keller Anna, est maintenant originaire du Chenit.",
        "Keller Anna heisst neu Rochat-Keller Anna und ist neu heimatberechtigt in Thun.",
        "Keller Anna, che si chiama ora Rochat-Keller Anna, è ora attinente di Lugano.",
    ] {
        let first = entered("Keller, Anna, von Chur, in Chur, Mitglied, mit Einzelunterschrift");
        let notices = [registration(1, "2020-03-02", &first), mutation(2, "2024-03-01", text)];
        let (_, history) = fold_with_history(&gazette_facts(notices)).expect("a record");
        let names: Vec<String> =
            history.current_mandates().map(|it| it.person.full_name()).collect();
        assert_eq!(names, ["Anna Rochat-Keller"], "{text}");
    }
}
