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
fn what_is_lost_is_no_good_news() {
    for title in [
        "Die Muster AG verlor zwei Grossaufträge",
        "Muster AG hat ihren grössten Auftrag verloren",
        "Der Muster AG entgeht ein Millionenauftrag",
        "Grossauftrag an Muster AG storniert",
        "Muster SA a perdu deux contrats majeurs",
        "Un contrat majeur échappe à Muster SA",
        "Commande de Muster SA annulée",
        "Muster SA perde una grande commessa",
        "Sfumata la commessa: annullati gli ordini della Muster SA",
        "Muster AG loses two major contracts",
        "Muster AG: order worth millions cancelled",
    ] {
        let tone = tone("", title, None);
        assert_eq!(tone.sentiment, Sentiment::Negative, "{title}: {tone:?}");
        assert!(tone.evidence.iter().all(|it| it.weight < 0), "{title}: {tone:?}");
    }
    for title in [
        "Muster AG verliert keinen Auftrag",
        "Muster AG verliert keinen Grossauftrag",
        "Muster AG hat den Auftrag nicht verloren",
        "Muster SA n’a perdu aucun contrat",
        "Muster SA non perde la commessa",
        "Muster AG has not lost the contract",
        "Muster AG schreibt nach dem Verlust von 2024 wieder schwarze Zahlen und gewinnt Aufträge",
    ] {
        let tone = tone("", title, None);
        assert_ne!(tone.sentiment, Sentiment::Negative, "{title}: {tone:?}");
    }
}

#[test]
fn insolvency_is_negative_whatever_verb_grants_it() {
    for title in [
        "Muster AG erhält Nachlassstundung",
        "Gericht bewilligt Muster AG die Nachlassstundung",
        "Muster SA obtient un sursis concordataire",
        "Muster SA ottiene la moratoria concordataria",
        "Court grants Muster AG a debt restructuring moratorium",
        "Konkurs über Muster AG eröffnet",
        "Faillite de Muster SA prononcée",
        "Aperto il fallimento della Muster SA",
        "Muster AG enters bankruptcy",
    ] {
        let tone = tone("", title, Some("Das Unternehmen bleibt zuversichtlich."));
        assert_eq!(tone.sentiment, Sentiment::Negative, "{title}: {tone:?}");
        assert_eq!(tone.topics.first(), Some(&"bankruptcy"), "{title}");
    }
}

#[test]
fn a_lawsuit_is_litigation_in_four_languages() {
    for (title, is_against) in [
        ("Streit um Leitungen: Muster AG vor Gericht", true),
        ("Ein Lieferant klagt gegen Muster AG", true),
        ("Rechtsstreit mit Muster AG dauert an", true),
        ("Muster SA assignée en justice par un client", true),
        ("Litige entre Muster SA et la commune", true),
        ("Muster SA citata in giudizio da un fornitore", true),
        ("Querela contro Muster SA", true),
        ("Supplier sues Muster AG", true),
        ("Muster AG taken to court by a supplier", true),
        ("Muster AG klagt gegen einen Lieferanten", false),
        ("Muster AG zieht vor Gericht", false),
        ("Muster AG sues a supplier", false),
    ] {
        let name = if title.contains("SA") { "Muster SA" } else { "Muster AG" };
        let tone = tone(name, title, None);
        assert_eq!(tone.topics, ["litigation"], "{title}: {tone:?}");
        assert_eq!(tone.risk_relevance, 0.6, "{title}");
        assert_eq!(tone.sentiment == Sentiment::Negative, is_against, "{title}: {tone:?}");
    }
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
