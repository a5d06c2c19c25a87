use proptest::prelude::*;

use super::*;
use domain::Uid;

const RSS: &str = include_str!("../../fixtures/news/rss.xml");

const ATOM: &str = include_str!("../../fixtures/news/atom.xml");

const JSON: &str = include_str!("../../fixtures/news/feed.json");

fn item(unresolved: &Unresolved) -> &Item {
    let Statement::News(item) = &unresolved.statement else { panic!("{unresolved:?}") };
    item
}

#[test]
fn rss_is_read_with_its_companies() {
    let pending = read(RSS.as_bytes()).expect("rss");
    let first = item(&pending.unresolved[0]);
    assert_eq!((first.id.as_str(), first.title.as_str()), ("a1", "Muster & Söhne AG baut aus"));
    assert_eq!(first.summary.as_deref(), Some("Die Firma (CHE-600.000.026) baut aus ."));
    assert_eq!(first.source.as_deref(), Some("Musterzeitung"));
    assert_eq!(first.published_at.to_string(), "2026-03-03T09:00:00Z");
    let uid: Uid = "CHE-600.000.026".parse().expect("a number");
    assert_eq!(
        pending.unresolved[0].mentions,
        [Mention::Uid(uid), Mention::Name("Muster & Söhne AG".into())]
    );
    let second = &pending.unresolved[1];
    assert_eq!(second.mentions, [Mention::Isin("CH9990000018".parse().expect("valid"))]);
    assert_eq!(item(second).id, "https://news.example/a2");
}

#[test]
fn invalid_record_is_rejected_with_its_field_and_others_are_read() {
    let pending = read(RSS.as_bytes()).expect("rss");
    let reasons: Vec<&str> = pending.rejected.iter().map(|it| it.reason.as_str()).collect();
    assert_eq!(
        reasons,
        [
            "published: is missing",
            "link: `javascript:alert(1)` is not an HTTP or HTTPS address; id: is missing, and there is no link",
            "title: contains invalid UTF-8 or an undefined XML entity; title: is missing",
            "published: `gestern` is not a date in the format of RFC 2822 or RFC 3339",
        ]
    );
    assert_eq!(pending.unresolved.len(), 3);
    let number = "uid: must be a company number of the form `CHE-NNN.NNN.NNN`; got `CHE-1`";
    assert_eq!(pending.unresolved[2].left_out.reason().as_deref(), Some(number));
}

#[test]
fn atom_and_json_feed_are_read() {
    let atom = read(ATOM.as_bytes()).expect("atom").unresolved.remove(0);
    assert_eq!(item(&atom).source_url.as_deref(), Some("https://a.example/1"));
    assert_eq!(item(&atom).published_at.to_string(), "2026-03-03T08:00:00Z");
    assert_eq!(item(&atom).summary.as_deref(), Some("Kurz gesagt"));
    assert_eq!(item(&atom).source.as_deref(), Some("Atomkurier"));
    assert_eq!(atom.mentions, [Mention::Name("Muster AG".into())]);

    let pending = read(JSON.as_bytes()).expect("json");
    assert_eq!(item(&pending.unresolved[0]).id, "7");
    assert!(matches!(pending.unresolved[0].mentions[..], [Mention::Uid(_), Mention::Lei(_)]));
    assert!(pending.rejected.is_empty(), "{:?}", pending.rejected);
    let reason = |at: usize| pending.unresolved[at].left_out.reason().expect("something");
    assert_eq!(reason(1), "_gotthard.uid: is not a string");
    assert!(reason(2).starts_with("url: "), "{}", reason(2));
}

#[test]
fn record_of_an_unknown_company_is_rejected() {
    let pending = read(RSS.as_bytes()).expect("rss");
    assert_eq!(pending.mentions().len(), 3);
    let batch = pending.resolve(|_| None);
    assert_eq!((batch.statements.len(), batch.rejected.len()), (1, 6));
    let of_isin = |it: &&crate::Rejected| it.reason == "no known company has ISIN CH9990000018";
    let rejected = batch.rejected.iter().find(of_isin).expect("rejected");
    assert!(rejected.record.contains("Ausdrücklich"), "{}", rejected.record);
    assert_eq!(batch.statements[0].source, Source::News);
}

#[test]
fn next_page_must_be_on_the_same_host() {
    let next = next("https://j.example/feed", JSON.as_bytes()).expect("a page");
    assert_eq!(next.url, "https://j.example/feed?page=2");
    assert_eq!(super::next("https://j.example.evil/feed", JSON.as_bytes()), None);
    assert_eq!(super::next("https://j.example/feed?page=2", JSON.as_bytes()), None);
    assert_eq!(super::next("https://j.example/feed", RSS.as_bytes()), None);
}

#[test]
fn long_text_is_shortened_between_characters() {
    assert_eq!(shortened(&"ä".repeat(5), 3), "äää…");
    assert_eq!(shortened("äää", 3), "äää");
}

#[test]
fn file_in_another_format_is_an_error() {
    for text in ["", "text", "<html/>", "{}", "<rss>", "<!DOCTYPE rss [<!ENTITY a 'b'>]><rss/>"] {
        assert!(read(text.as_bytes()).is_err(), "{text}");
    }
}

proptest! {
    #[test]
    fn changing_one_character_never_panics(at in 0usize..5_000, with in any::<char>()) {
        for text in [RSS, ATOM, JSON] {
            let mut text: Vec<char> = text.chars().collect();
            let at = at % text.len();
            text[at] = with;
            let text: String = text.into_iter().collect();
            let _ = read(text.as_bytes()).map(|it| it.resolve(|_| None));
            let _ = next("https://j.example/feed", text.as_bytes());
        }
    }
}
