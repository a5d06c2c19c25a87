//! Sentiment of invented headlines in four languages, with a floor for its figures.

use domain::media::{Sentiment, tone};

/// Sentiment, name of the company and headline in each line.
const HEADLINES: &str = include_str!("headlines.tsv");

#[test]
fn headlines_have_the_right_sentiment_with_the_required_accuracy() {
    let mut wrong = Vec::new();
    let (mut count, mut falsely_negative) = (0, 0);
    for line in HEADLINES.lines() {
        let [expected, name, title] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("three columns: {line}");
        };
        let found = tone(name, title, None);
        count += 1;
        if found.sentiment.name() != expected {
            falsely_negative += usize::from(found.sentiment == Sentiment::Negative);
            wrong.push((expected, title, found.sentiment, found.evidence));
        }
    }
    assert!(count >= 120, "{count}");
    assert!(wrong.len() * 10 <= count, "{} of {count}: {wrong:#?}", wrong.len());
    assert!(falsely_negative * 40 <= count, "{falsely_negative} of {count}: {wrong:#?}");
}
