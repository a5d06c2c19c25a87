use domain::Event;

use super::*;

/// The events of the kind in the company's only mutation.
fn events(kind: ChangeKind, text: &str) -> Vec<Event> {
    let facts = gazette_facts([registration(1, "2020-03-02", ""), mutation(2, "2022-03-01", text)]);
    let (_, history) = fold_with_history(&facts).expect("company record");
    let events = history.events.into_iter().map(|it| it.event);
    events.filter(|it| it.kind == kind).collect()
}

#[test]
fn change_of_the_articles_is_an_event_with_its_day() {
    for text in [
        "Statutenänderung: 24.02.2022.",
        "Die Statuten wurden am 24. Februar 2022 geändert.",
        "Statuts modifiés le 24 février 2022.",
        "Modification des statuts: 24.02.2022.",
        "Modifica dello statuto: 24.02.2022.",
        "Lo statuto è stato modificato il 24 febbraio 2022.",
    ] {
        let [event] = events(ChangeKind::StatutesChange, text).try_into().expect(text);
        assert_eq!(event.new_value.as_deref(), Some("2022-02-24"), "{text}");
        assert_eq!(event.decision_date, "2022-02-24".parse().ok(), "{text}");
        assert_eq!(event.severity(), domain::changes::Severity::Low, "{text}");
        assert_eq!(
            event.summary,
            "Change of the articles of association of Muster AG on 24 February 2022"
        );
    }
}

#[test]
fn day_of_the_articles_after_the_publication_is_left_out() {
    let [event] = events(ChangeKind::StatutesChange, "Statutenänderung: 24.02.2032.")
        .try_into()
        .expect("one event");
    assert_eq!((event.new_value, event.decision_date), (None, None));
}

#[test]
fn first_articles_are_no_change() {
    let facts = gazette_facts([registration(1, "2020-03-02", "Statutendatum: 24.02.2020.")]);
    let (_, history) = fold_with_history(&facts).expect("company record");
    assert!(history.events.iter().all(|it| it.event.kind == ChangeKind::NewRegistration));
}

#[test]
fn correction_is_an_event_next_to_what_it_states() {
    for text in [
        "Berichtigung des im SHAB Nr. 3 vom 05.01.2022 publizierten TR-Eintrags Nr. 17.",
        "L'inscription no 17 du 05.01.2022 est rectifiée en ce sens que l'adresse est nouvelle.",
        "L'iscrizione no. 17 del 05.01.2022 è rettificata.",
    ] {
        let both = format!("{text} Zweck neu: Handel mit Waren.");
        for text in [text, &both] {
            let [event] = events(ChangeKind::Correction, text).try_into().expect(text);
            assert_eq!(event.summary, "A publication on Muster AG is corrected");
            assert_eq!(event.severity(), domain::changes::Severity::Medium);
        }
        assert_eq!(events(ChangeKind::Other, &both), []);
    }
}
