use proptest::prelude::*;

use super::*;

fn sentiment(title: &str) -> (Sentiment, Vec<&'static str>) {
    let tone = tone("", title, None);
    (tone.sentiment, tone.topics)
}

#[test]
fn sentiment_and_topics_are_recognised_in_four_languages() {
    use Sentiment::{Negative, Neutral, Positive};
    for (title, expected, topics) in [
        ("Muster AG meldet Konkurs an", Negative, &["bankruptcy"] as &[&str]),
        ("Muster SA dépose son bilan après des pertes", Negative, &["bankruptcy", "results"]),
        ("Fallimento della Muster SA", Negative, &["bankruptcy"]),
        ("Muster AG files for bankruptcy", Negative, &["bankruptcy"]),
        ("Muster AG steigert den Reingewinn deutlich", Positive, &["results"]),
        ("Muster SA enregistre un bénéfice record", Positive, &["results"]),
        ("Muster SA: utile in crescita", Positive, &["results"]),
        ("Muster AG reports record profit", Positive, &["results"]),
        ("Die Muster AG hält ihre Generalversammlung ab", Neutral, &[]),
        ("Muster AG übernimmt die Beispiel GmbH", Neutral, &["merger"]),
        ("Sanctions contre Muster SA", Negative, &["sanctions"]),
        ("Neue Finanzchefin bei der Muster AG", Neutral, &["personnel"]),
        ("Strafverfahren gegen Muster AG eröffnet", Negative, &["litigation"]),
    ] {
        assert_eq!(sentiment(title), (expected, topics.to_vec()), "{title}");
    }
}

#[test]
fn negation_inverts_the_sentiment() {
    for title in [
        "Muster AG ohne Verlust",
        "Muster SA: pas de perte cette année",
        "Muster AG: no bankruptcy",
        "Muster SA senza perdite",
    ] {
        let tone = tone("", title, None);
        assert_eq!(tone.sentiment, Sentiment::Positive, "{title}: {tone:?}");
        assert!(!tone.topics.contains(&"bankruptcy"), "{title}");
    }
    // A negation has no effect beyond its clause.
    assert_eq!(sentiment("Kein Kommentar: Muster AG in Konkurs").0, Sentiment::Negative);
    assert_eq!(sentiment("Muster AG wächst nicht").0, Sentiment::Negative);
}

#[test]
fn only_a_proceeding_that_ends_clears() {
    for title in [
        "Strafverfahren gegen Muster AG eingestellt",
        "Staatsanwaltschaft stellt Ermittlungen gegen Muster AG ein",
        "Enquête contre Muster SA classée sans suite",
        "Fraud charges against Muster AG dropped",
        "Judge dismisses fraud lawsuit against Muster AG",
    ] {
        let tone = tone("Muster AG", title, None);
        assert_ne!(tone.sentiment, Sentiment::Negative, "{title}: {tone:?}");
    }
    for title in [
        "Muster AG hat den Betrieb eingestellt",
        "Muster SA abandonne son usine de Sion",
        "Muster SA classée parmi les plus grandes entreprises",
        "Muster AG dismissed 50 employees",
        "Muster AG dropped from the index",
    ] {
        let tone = tone("Muster AG", title, None);
        assert_ne!(tone.sentiment, Sentiment::Positive, "{title}: {tone:?}");
    }
}

#[test]
fn result_lists_its_evidence() {
    let tone =
        tone("", "Muster AG mit Rekordgewinn", Some("Der Umsatz wächst. Der Umsatz wächst."));
    let phrases: Vec<_> = tone.evidence.iter().map(|it| (it.phrase.as_str(), it.weight)).collect();
    assert_eq!(phrases, [("rekordgewinn", 2), ("wachst", 1)]);
    // (2·2 + 1) / (5 + 2)
    assert_eq!((tone.score, tone.sentiment), (0.71, Sentiment::Positive));
    assert_eq!((tone.topics, tone.risk_relevance), (vec!["results"], 0.0));
}

#[test]
fn words_of_the_company_name_are_ignored() {
    let title = "Erfolg und Wachstum AG zieht um";
    assert_eq!(tone("", title, None).sentiment, Sentiment::Positive);
    assert_eq!(tone("Erfolg und Wachstum AG", title, None).score, 0.0);
}

#[test]
fn two_topics_have_a_higher_risk_relevance_than_one() {
    let one = tone("", "Konkurs der Muster AG", None).risk_relevance;
    let two = tone("", "Konkurs und Strafverfahren: Muster AG", None).risk_relevance;
    assert!(one < two && two <= 1.0, "{one} {two}");
}

#[test]
fn unknown_sentiment_gives_an_error_with_a_suggestion() {
    assert_eq!("NEGATIVE".parse(), Ok(WantedSentiment(Sentiment::Negative)));
    let error = "postive".parse::<WantedSentiment>().expect_err("unknown");
    assert_eq!(
        error.to_string(),
        "must be a sentiment such as `negative`; got `postive`. Did you mean `positive`?"
    );
}

#[test]
fn patterns_build_an_automaton_and_no_phrase_is_listed_twice() {
    assert!(PATTERNS.0.is_some());
    let all = POSITIVE.iter().chain(&NEGATIVE).flat_map(|it| it.split('|'));
    let mut phrases: Vec<String> = all.map(fold).filter(|it| !it.is_empty()).collect();
    let count = phrases.len();
    phrases.sort_unstable();
    phrases.dedup();
    assert_eq!(phrases.len(), count);
}

proptest! {
    #[test]
    fn score_and_risk_relevance_are_always_in_range(title in ".{0,80}", summary in ".{0,200}") {
        let tone = tone("", &title, Some(&summary));
        prop_assert!((-1.0..=1.0).contains(&tone.score));
        prop_assert!((0.0..=1.0).contains(&tone.risk_relevance));
    }
}
