use std::cmp::Reverse;

use domain::{
    Canton, ChangeKind, Event, Provenance, Uid,
    changes::{LegalEvent, PublishedEvent},
    search::{
        PageNumber, PageSize, Values, WantedChangeKind, WantedLegalEvent,
        changes::{ChangeQuery, UtcDay},
    },
    text::fold,
};
use jiff::{Timestamp, civil::Date};
use proptest::{collection::vec, option, prelude::*, sample::select};
use tempfile::TempDir;
use uuid::Uuid;

use super::{Builder, Changes, FeedQuery};
use crate::{
    Error,
    damage::{assert_refuses_truncated_files, now},
};

fn uid(number: u32) -> Uid {
    Uid::from_number(number).expect("nine digits")
}

fn day(of_june: i8) -> Date {
    Date::constant(2026, 6, of_june)
}

fn event(sequence: u64, kind: ChangeKind, name: &str) -> PublishedEvent {
    PublishedEvent {
        sequence,
        recorded_at: Timestamp::from_second(sequence as i64).expect("a moment"),
        replaces: Vec::new(),
        event: Event {
            id: Uuid::new_v5(&Uuid::NAMESPACE_OID, &sequence.to_be_bytes()),
            uid: uid(1),
            company_name: name.to_owned(),
            canton: None,
            kind,
            field: Some("auditorName".into()),
            old_value: None,
            new_value: Some("Prüf & Söhne AG".into()),
            summary: "The auditor changed.".into(),
            date: day(1),
            source: Provenance { source: "gazette".into(), reference: None, date: None },
            subject: None,
            legal_event: None,
            journal_date: None,
            decision_date: None,
            currencies: None,
            transfer: None,
        },
    }
}

fn named(sequence: u64, name: &str) -> PublishedEvent {
    event(sequence, ChangeKind::NameChange, name)
}

fn changes(events: &[PublishedEvent]) -> Changes {
    let directory = TempDir::new().expect("a directory");
    built(directory.path(), events)
}

fn built(directory: &std::path::Path, events: &[PublishedEvent]) -> Changes {
    let mut builder = Builder::new();
    events.iter().for_each(|it| builder.push(it).expect("written"));
    let summary = builder.finish(directory).expect("an index");
    assert_eq!(summary.events, events.len() as u64);
    let changes = Changes::open(directory, directory).expect("the index");
    assert_eq!(changes.change_count(), summary.events);
    assert_eq!(changes.last_sequence(), summary.last_sequence);
    changes
}

fn sequences(events: &[PublishedEvent]) -> Vec<u64> {
    events.iter().map(|it| it.sequence).collect()
}

fn found(changes: &Changes, query: &ChangeQuery) -> Vec<u64> {
    let hits = now(changes.search(query, None)).expect("an answer");
    assert_eq!(hits.total, hits.events.len() as u64);
    sequences(&hits.events)
}

fn searched(changes: &Changes, search: &str) -> Vec<u64> {
    found(changes, &ChangeQuery { company_search: Some(search.into()), ..Default::default() })
}

#[test]
fn event_is_found_by_its_id() {
    let all = [named(1, "Muster AG"), named(2, "Muster AG"), named(3, "Muster AG")];
    let changes = changes(&all);
    for it in &all {
        assert_eq!(now(changes.event(it.event.id)).expect("an answer").as_ref(), Some(it));
    }
    assert_eq!(now(changes.event(Uuid::nil())).expect("an answer"), None);
    // An id that differs in its last bit only.
    let similar = Uuid::from_u128(all[0].event.id.as_u128() ^ 1);
    assert_eq!(now(changes.event(similar)).expect("an answer"), None);
}

#[test]
fn companies_are_searched_by_words_prefixes_and_typos() {
    let changes = changes(&[
        named(1, "Müller Maschinenbau AG"),
        named(2, "Keller Bau GmbH"),
        named(3, "Kellner Bau SA"),
        named(4, "Mueller Maschinenbau SA"),
    ]);
    assert_eq!(searched(&changes, "muller masch"), [4, 1]);
    assert_eq!(searched(&changes, "maschinenbau MÜLLER"), [4, 1]);
    assert_eq!(searched(&changes, "Müller Maschinenbau GmbH"), [4, 1]);
    assert_eq!(searched(&changes, "müllermaschinenbau"), [4, 1]);
    assert_eq!(searched(&changes, "keller"), [2], "what matches as written hides typos");
    assert_eq!(searched(&changes, "keler"), [2]);
    assert_eq!(searched(&changes, "kelner bau"), [3, 2]);
    assert_eq!(searched(&changes, "CHE-000.000.001"), [4, 3, 2, 1]);
    assert_eq!(searched(&changes, "  "), [4, 3, 2, 1]);
    assert!(searched(&changes, "?!").is_empty());
    assert!(searched(&changes, "CHE-999.999.999").is_empty());
}

#[test]
fn internal_events_are_listed_on_request() {
    let changes = changes(&[named(1, "Muster AG"), event(2, ChangeKind::Other, "Muster AG")]);
    let all = ChangeQuery::default;
    assert_eq!(found(&changes, &all()), [1]);
    assert_eq!(found(&changes, &ChangeQuery { include_internal: true, ..all() }), [2, 1]);
    let other = [WantedChangeKind(ChangeKind::Other)].into();
    assert_eq!(found(&changes, &ChangeQuery { kinds: other, ..all() }), [2]);
    assert_eq!(sequences(&now(changes.feed(&FeedQuery::default(), 9)).expect("an answer")), [1, 2]);
}

#[test]
fn lists_are_sorted_by_publication_date_and_the_feed_by_sequence() {
    let dated = |sequence, of_june| {
        let mut it = named(sequence, "Muster AG");
        it.event.date = day(of_june);
        it
    };
    // The third event is a publication that was read late.
    let changes = changes(&[dated(1, 5), dated(2, 9), dated(3, 2), dated(4, 5)]);
    assert_eq!(found(&changes, &ChangeQuery::default()), [2, 4, 1, 3]);
    assert_eq!(searched(&changes, "muster"), [2, 4, 1, 3]);
    let feed = |after, kinds: &[ChangeKind]| {
        let query = FeedQuery { after, kinds: kinds.to_vec(), ..FeedQuery::default() };
        sequences(&now(changes.feed(&query, 2)).expect("an answer"))
    };
    for kinds in [&[][..], &[ChangeKind::NameChange]] {
        assert_eq!(
            [0, 1, 2, 3, 4].map(|it| feed(it, kinds)),
            [vec![1, 2], vec![2, 3], vec![3, 4], vec![4], vec![],]
        );
    }
}

#[test]
fn replaced_events_are_in_the_feed_but_in_no_list() {
    let mut all = [named(1, "Muster AG"), named(2, "Muster AG"), named(3, "Muster AG")];
    all[2].replaces = vec![all[0].event.id];
    let changes = changes(&all);
    assert_eq!(found(&changes, &ChangeQuery::default()), [3, 2]);
    assert_eq!(searched(&changes, "muster"), [3, 2]);
    assert_eq!(changes.statistics(day(1)).total, 2);
    assert_eq!(now(changes.feed(&FeedQuery::default(), 9)).expect("an answer"), all);
    assert_eq!(now(changes.event(all[0].event.id)).expect("an answer").as_ref(), Some(&all[0]));
}

#[test]
fn statistics_count_the_current_week_and_month() {
    let dated = |sequence, month, of_month, kind| {
        let mut it = event(sequence, kind, "Muster AG");
        it.event.date = Date::constant(2026, month, of_month);
        it
    };
    // The first of July 2026 is a Wednesday.
    let changes = changes(&[
        dated(1, 6, 28, ChangeKind::Merger),
        dated(2, 6, 29, ChangeKind::Merger),
        dated(3, 7, 1, ChangeKind::Deletion),
        dated(4, 7, 31, ChangeKind::Deletion),
        dated(5, 7, 1, ChangeKind::Other),
    ]);
    let statistics = changes.statistics(Date::constant(2026, 7, 1));
    assert_eq!((statistics.total, statistics.this_week, statistics.this_month), (4, 2, 2));
    let by_kind: Vec<_> = statistics.by_kind.into_iter().collect();
    assert_eq!(by_kind, [(ChangeKind::Merger, 2), (ChangeKind::Deletion, 2)]);
    for today in [Date::MIN, Date::MAX] {
        assert_eq!(changes.statistics(today).this_week, 0);
    }
}

#[test]
fn empty_index_answers_queries() {
    let changes = changes(&[]);
    assert!(found(&changes, &ChangeQuery::default()).is_empty());
    assert!(searched(&changes, "muster").is_empty());
    assert!(now(changes.feed(&FeedQuery::default(), 9)).expect("an answer").is_empty());
    assert_eq!(changes.statistics(day(1)), Default::default());
}

#[test]
fn truncated_files_are_refused() {
    let directory = TempDir::new().expect("a directory");
    let events: Vec<_> = (1..100).map(|it| named(it, &format!("Muster {it} AG"))).collect();
    built(directory.path(), &events);
    assert_refuses_truncated_files(directory.path(), |it| Changes::open(it, it).map(drop));
    let nothing = TempDir::new().expect("a directory");
    assert!(matches!(Changes::open(nothing.path(), nothing.path()), Err(Error::Unreadable { .. })));
}

const NAMES: [&str; 4] = ["Alpha AG", "Alpha Beta", "Gamma Alphabet", "Delta"];
const KINDS: [ChangeKind; 3] = [ChangeKind::Merger, ChangeKind::NameChange, ChangeKind::Other];

prop_compose! {
    fn events()(
        name in select(&NAMES),
        kind in select(&KINDS),
        company in 1u32..4,
        canton in option::of(select(&Canton::ALL[..3])),
        legal_event in option::of(select(&LegalEvent::ALL[..3])),
        date in 1i8..10,
    ) -> PublishedEvent {
        let mut it = event(0, kind, name);
        (it.event.uid, it.event.canton, it.event.date) = (uid(company), canton, day(date));
        it.event.legal_event = legal_event;
        it
    }
}

prop_compose! {
    fn queries()(
        kinds in vec(select(&KINDS), 0..2),
        company_search in option::weighted(0.3, select(&["alpha", "al", "beta alpha", "delta"])),
        companies in vec(1u32..4, 0..2),
        canton in vec(select(&Canton::ALL[..3]), 0..2),
        legal_events in vec(select(&LegalEvent::ALL[..3]), 0..2),
        since in option::weighted(0.3, 1i8..10),
        until in option::weighted(0.3, 1i8..10),
        include_internal in any::<bool>(),
        page in 1u32..4,
        page_size in 1u32..8,
    ) -> ChangeQuery {
        ChangeQuery {
            kinds: kinds.into_iter().map(WantedChangeKind).collect(),
            since: since.map(|it| UtcDay(day(it))),
            until: until.map(|it| UtcDay(day(it))),
            company_search: company_search.map(str::to_owned),
            uids: companies.into_iter().map(uid).collect(),
            canton: canton.into_iter().collect(),
            legal_event: legal_events.into_iter().map(WantedLegalEvent).collect(),
            include_internal,
            page: PageNumber::try_from(page).expect("a page"),
            page_size: PageSize::try_from(page_size).expect("a size"),
            ..ChangeQuery::default()
        }
    }
}

/// Whether the company name matches the search. The names are chosen so that no word is a typo of another.
fn is_named(event: &Event, search: &str) -> bool {
    let (name, search) = (fold(&event.company_name), fold(search));
    let (before, last) = search.rsplit_once(' ').unwrap_or(("", &search));
    before.split_ascii_whitespace().all(|word| name.split(' ').any(|it| it == word))
        && name.split(' ').any(|it| it.starts_with(last))
}

fn passes(event: &Event, query: &ChangeQuery) -> bool {
    let kinds: Vec<ChangeKind> = query.kinds.iter().map(|it| it.0).collect();
    (kinds.contains(&event.kind) || kinds.is_empty())
        && (!event.is_internal() || query.include_internal || !kinds.is_empty())
        && query.company_search.as_ref().is_none_or(|it| is_named(event, it))
        && (query.uids.contains(&event.uid) || query.uids.is_empty())
        && (event.canton.is_some_and(|it| query.canton.contains(&it)) || query.canton.is_empty())
        && (query.legal_event.is_empty()
            || event
                .legal_event
                .is_some_and(|it| query.legal_event.contains(&WantedLegalEvent(it))))
        && query.since.is_none_or(|it| event.date >= it.0)
        && query.until.is_none_or(|it| event.date <= it.0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn list_equals_a_scan_of_all_events(
        events in vec(events(), 0..60),
        queries in vec((queries(), option::weighted(0.2, vec(1u32..4, 0..3))), 20),
        after in 0u64..70,
        limit in 0usize..10,
    ) {
        let events: Vec<PublishedEvent> =
            (1..).zip(events).map(|(sequence, it)| PublishedEvent {
                event: Event { id: event(sequence, KINDS[0], "").event.id, ..it.event },
                sequence,
                ..it
            }).collect();
        let changes = changes(&events);
        for (query, among) in queries {
            let among: Option<Vec<Uid>> = among.map(|it| it.into_iter().map(uid).collect());
            let mut newest: Vec<&PublishedEvent> = events.iter().collect();
            newest.sort_by_key(|it| Reverse((it.event.date, it.sequence)));
            let expected: Vec<u64> = newest.into_iter()
                .filter(|it| among.as_ref().is_none_or(|among| among.contains(&it.event.uid)))
                .filter(|it| passes(&it.event, &query)).map(|it| it.sequence).collect();
            let hits = now(changes.search(&query, among.as_deref())).expect("an answer");
            prop_assert_eq!(hits.total, expected.len() as u64, "{:?}", &query);
            let (page, size) = (query.page.get() as usize, query.page_size.get() as usize);
            let expected: Vec<u64> =
                expected.into_iter().skip((page - 1) * size).take(size).collect();
            prop_assert_eq!(sequences(&hits.events), expected, "{:?}", &query);

            let feed = FeedQuery {
                after,
                kinds: query.kinds.iter().map(|it| it.0).collect(),
                cantons: query.canton.to_vec(),
                uids: query.uids.to_vec(),
            };
            let of_feed =
                ChangeQuery { include_internal: true, since: None, until: None, company_search: None, legal_event: Values::default(), ..query };
            let expected: Vec<u64> = events.iter()
                .filter(|it| it.sequence > after && passes(&it.event, &of_feed))
                .map(|it| it.sequence).take(limit).collect();
            prop_assert_eq!(sequences(&now(changes.feed(&feed, limit)).expect("an answer")), expected);
        }
    }

    #[test]
    fn no_search_text_causes_a_panic(searches in vec(".{0,60}", 40)) {
        let changes = changes(&[named(1, "Müller & Söhne AG"), named(2, ""), named(3, "本田 !")]);
        for search in searches {
            searched(&changes, &search);
        }
    }
}
