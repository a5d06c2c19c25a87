use super::*;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + seconds).expect("a time")
}

fn request() -> DossierRequest {
    DossierRequest {
        company_uid: "CHE-600.000.012".parse().expect("a number"),
        level: DossierLevel::Standard,
        language: Language::De,
        as_of: None,
    }
}

fn dossier() -> Dossier {
    Dossier::new(uuid::Uuid::from_u128(7), request(), "Muster AG", Principal::user("a-user"), at(0))
}

fn leased(dossier: &Dossier, token: Uuid, now: Timestamp) -> Dossier {
    match dossier.started(token, now + SignedDuration::from_secs(30), now) {
        LeaseOutcome::Leased(dossier) => *dossier,
        other => panic!("{other:?}"),
    }
}

fn writing() -> Writing {
    Writing {
        model: "extractive-1".into(),
        prompt_version: "1".into(),
        generation: "a".into(),
        evidence_hash: "b".into(),
        dropped_sentences: 0,
        sources: Vec::new(),
        day: jiff::civil::date(2026, 11, 25),
    }
}

#[test]
fn one_process_at_a_time_writes_and_a_dossier_ends_once() {
    let (one, other) = (Uuid::new_v4(), Uuid::new_v4());
    let first = leased(&dossier(), one, at(0));
    assert_eq!(leased(&first, one, at(1)), first, "the answer was lost");
    assert_eq!(first.started(other, at(60), at(29)), LeaseOutcome::Busy);
    let second = leased(&first, other, at(30));
    assert_eq!(second.completed(one, &writing(), at(31)), None);
    assert_eq!(second.released(one, "it failed"), None);
    let done = second.completed(other, &writing(), at(31)).expect("leased");
    assert_eq!(done.started(one, at(60), at(32)), LeaseOutcome::Ended(Box::new(done.clone())));
    assert_eq!(done.failed("late", at(33)), done);
}

#[test]
fn a_dossier_fails_after_too_many_attempts_with_the_last_reason() {
    let mut tried = dossier();
    for _ in 0..MAX_ATTEMPTS {
        let token = Uuid::new_v4();
        tried = leased(&tried, token, at(0)).released(token, "the model did not answer").expect("");
    }
    let LeaseOutcome::Ended(failed) = tried.started(Uuid::new_v4(), at(30), at(1)) else {
        panic!()
    };
    let view = DossierView::of(&failed, None, at(1));
    assert_eq!(view.status, DossierStatus::Failed);
    assert_eq!(view.error_message.as_deref(), Some("the model did not answer"));
}

#[test]
fn a_dossier_that_nobody_writes_fails_by_itself() {
    let view = |seconds| DossierView::of(&dossier(), None, at(seconds)).status;
    assert_eq!(view(7_200), DossierStatus::Pending);
    assert_eq!(view(7_201), DossierStatus::Failed);
}

#[test]
fn requests_with_another_level_language_or_day_are_other_requests() {
    let others = [
        DossierRequest { level: DossierLevel::Detailed, ..request() },
        DossierRequest { language: Language::Fr, ..request() },
        DossierRequest { as_of: Some(jiff::civil::date(2026, 1, 1)), ..request() },
    ];
    for other in others {
        assert_ne!(other.key(), request().key());
    }
}

#[test]
fn levels_are_read_in_any_case_and_by_their_older_name() {
    for (text, level) in
        [("Summary", DossierLevel::Summary), ("comprehensive", DossierLevel::Detailed)]
    {
        assert_eq!(serde_json::from_value::<DossierLevel>(text.into()).ok(), Some(level));
    }
    let error = serde_json::from_value::<DossierLevel>("short".into()).expect_err("unknown");
    assert!(error.to_string().contains("got `short`"), "{error}");
}
