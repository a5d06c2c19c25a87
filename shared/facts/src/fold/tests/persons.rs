use super::*;

const FATHER: &str = "Muster, Hans, von Chur, in Bern, Präsident, mit Einzelunterschrift";
const SON: &str = "Muster, Hans, von Chur, in Thun, Mitglied, mit Einzelunterschrift";

fn history_of(notices: impl IntoIterator<Item = Value>) -> History {
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
