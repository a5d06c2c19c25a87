//! Properties of the change feed for publications that arrive in any order and form. The table is simulated in
//! memory.

use std::collections::{BTreeMap, BTreeSet};

use domain::{Event, Source, changes::PublishedEvent, history::Recorded};
use jiff::Timestamp;
use proptest::{collection::vec, prelude::*, sample::subsequence};
use serde_json::{Value, json};
use uuid::Uuid;

use super::*;

const COMPANIES: [&str; 2] = ["CHE-600.000.012", "CHE-600.000.029"];
const DAYS: [&str; 3] = ["2024-01-08", "2024-01-09", "2024-03-04"];
const TEXTS: [&str; 7] = [
    "Statutenänderung: 01.01.2024.",
    "Eingetragene Personen neu oder mutierend: Muster, Eva, von Chur, in Bern, Mitglied, mit Einzelunterschrift.",
    "Ausgeschiedene Personen und erloschene Unterschriften: Muster, Eva, von Chur, in Bern, Mitglied, mit Einzelunterschrift. Eingetragene Personen neu oder mutierend: Beispiel, Urs, von Chur, in Thun, mit Einzelprokura.",
    "Eingetragene Personen neu oder mutierend: Zweite Revision AG (CHE-600.000.041), in Thun, Revisionsstelle.",
    "Die Gesellschaft wird mit Beschluss der Generalversammlung vom 30.12.2023 aufgelöst.",
    // Each company can take over the other, and can state that it is taken over.
    "Übernahme der Aktiven und Passiven der Muster AG, in Bern (CHE-600.000.012), und der Muster AG, in Bern (CHE-600.000.029), gemäss Fusionsvertrag vom 19.12.2023.",
    "Aktiven und Passiven gehen infolge Fusion auf die Muster AG, in Bern (CHE-600.000.012), über.",
];

/// The form in which a publication arrives.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    /// Copy of the text in the register.
    Copy,
    /// Original in the gazette.
    Own,
    /// Original in the gazette, with a different text. Only one of the two originals counts.
    Corrected,
    Withdrawn,
}

const FORMS: [Form; 4] = [Form::Copy, Form::Own, Form::Corrected, Form::Withdrawn];

/// A publication, and the forms in which it arrives.
#[derive(Clone, Debug)]
struct Publication {
    number: u64,
    company: &'static str,
    day: &'static str,
    text: &'static str,
    corrected: &'static str,
    forms: Vec<Form>,
}

impl Publication {
    fn fact(&self, form: Form) -> Fact {
        let (source, record) = match form {
            Form::Copy => (Source::Zefix, self.copy()),
            Form::Own => (Source::Shab, self.own(self.text).json()),
            Form::Corrected => (Source::Shab, self.own(self.corrected).json()),
            Form::Withdrawn => (Source::Shab, self.own(self.text).cancelled().json()),
        };
        let batch = sources::read(source, record.to_string().as_bytes()).expect("json");
        assert_eq!(batch.rejected, []);
        facts::facts(batch.statements).into_iter().next().expect("a fact")
    }

    fn copy(&self) -> Value {
        json!({
            "uid": self.company, "name": "Muster AG", "canton": "BE", "status": "ACTIVE",
            "sogcPub": [{ "sogcDate": self.day, "sogcId": self.number, "message": self.text }],
        })
    }

    fn own(&self, text: &str) -> publications::Publication {
        let mutation = publications::Publication::mutation(self.company, "Muster AG");
        mutation.number(self.number).on(self.day).text(text)
    }
}

prop_compose! {
    fn publications()(
        all in vec((0..COMPANIES.len(), 0..DAYS.len(), 0..TEXTS.len(), 0..TEXTS.len(),
            subsequence(FORMS.to_vec(), 1..=FORMS.len())), 1..7)
    ) -> Vec<Publication> {
        (1_000_000_001..).zip(all).map(|(number, (company, day, text, corrected, forms))| {
            let (company, day) = (COMPANIES[company], DAYS[day]);
            let (text, corrected) = (TEXTS[text], TEXTS[corrected]);
            Publication { number, company, day, text, corrected, forms }
        }).collect()
    }
}

prop_compose! {
    /// Publications in order of arrival, some of them twice. The flag says whether events are published after
    /// this arrival.
    fn arrivals()(publications in publications())(
        arrivals in Just(publications.iter().flat_map(|publication| {
            publication.forms.iter().map(|form| (publication.clone(), *form))
        }).collect::<Vec<_>>()).prop_flat_map(|all| {
            let twice = subsequence(all.clone(), 0..=all.len());
            twice.prop_map(move |twice| [all.clone(), twice].concat())
        }).prop_shuffle(),
        publish in vec(any::<bool>(), 48),
    ) -> Vec<((Publication, Form), bool)> {
        arrivals.into_iter().zip(publish).collect()
    }
}

/// In-memory replacement for [`Registry`].
#[derive(Default)]
struct InMemory {
    facts: BTreeMap<Uid, Vec<Fact>>,
    histories: BTreeMap<Uid, History>,
    feed: Vec<PublishedEvent>,
}

impl InMemory {
    /// Records a fact, and the takeovers of other companies that it states.
    fn record(&mut self, fact: Fact) {
        for takeover in facts::takeovers(std::slice::from_ref(&fact)) {
            self.record_one(takeover);
        }
        self.record_one(fact);
    }

    fn record_one(&mut self, fact: Fact) {
        let uid = fact.uid;
        let facts = self.facts.entry(uid).or_default();
        if is_known(&fact, facts) {
            return;
        }
        facts.push(fact);
        let history = folded(facts).continuing(&self.history(uid));
        self.put(uid, history);
    }

    fn publish(&mut self) {
        let uids: Vec<Uid> = self.histories.keys().copied().collect();
        for uid in uids {
            let mut history = self.history(uid);
            // At most two events at a time, as for a company whose events do not fit in one transaction.
            while history.has_unpublished() {
                let mut last = self.feed.len() as u64;
                let published = history.publish(&mut last, Timestamp::UNIX_EPOCH, 2);
                assert!((1..=2).contains(&published.len()));
                self.feed.extend(published);
                self.put(uid, history);
                history = self.history(uid);
            }
        }
    }

    fn put(&mut self, uid: Uid, history: History) {
        self.histories.insert(uid, layout::stored_and_read(history));
    }

    fn history(&self, uid: Uid) -> History {
        self.histories.get(&uid).cloned().unwrap_or_default()
    }

    /// The changes that a generation lists through this sequence number, in order.
    fn listed(&self, until: u64) -> Vec<PublishedEvent> {
        let histories = self.histories.keys().map(|it| self.history(*it).published_through(until));
        let events = histories.flat_map(|it| it.events);
        let mut listed: Vec<_> = events.filter_map(|it| it.published()).collect();
        listed.sort_by_key(|it| it.sequence);
        listed
    }
}

/// The history of facts. Empty if they are not enough for a record.
fn folded(facts: &[Fact]) -> History {
    let folded = facts::fold_with_history(&without_repetitions(facts));
    folded.map(|(_, history)| history).unwrap_or_default()
}

/// Applies feed entries as the description of the feed says.
fn replayed(mut held: Vec<PublishedEvent>, feed: &[PublishedEvent]) -> Vec<PublishedEvent> {
    for change in feed {
        held.retain(|it| !change.replaces.contains(&it.event.id));
        held.push(change.clone());
    }
    held
}

/// Events without their ids.
fn without_ids<'a>(events: impl IntoIterator<Item = &'a Recorded>) -> Vec<Event> {
    events.into_iter().map(|it| Event { id: Uuid::nil(), ..it.event.clone() }).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn replaying_the_feed_from_any_sequence_number_gives_the_current_generation(arrivals in arrivals()) {
        let mut registry = InMemory::default();
        let count = arrivals.len();
        for (at, ((publication, form), publish)) in arrivals.into_iter().enumerate() {
            registry.record(publication.fact(form));
            if !publish && at + 1 < count {
                continue;
            }
            let before = registry.feed.clone();
            registry.publish();
            prop_assert_eq!(&registry.feed[..before.len()], &before[..], "published entries do not change");
        }
        let feed = &registry.feed;
        prop_assert!((1..).zip(feed).all(|(sequence, it)| it.sequence == sequence), "sequence numbers have no gaps");
        let ids: BTreeSet<Uuid> = feed.iter().map(|it| it.event.id).collect();
        prop_assert_eq!(ids.len(), feed.len(), "event ids are unique");
        for uid in registry.histories.keys() {
            let history = registry.history(*uid);
            for it in history.events.iter().chain(&history.replaced) {
                let published = it.published().expect("published");
                prop_assert_eq!(&published, &feed[published.sequence as usize - 1], "the history and the feed are equal");
            }
            // The events depend neither on the order of arrival nor on what was published before.
            prop_assert_eq!(without_ids(&history.events), without_ids(&folded(&registry.facts[uid]).events));
        }
        let end = feed.len();
        for cursor in 0..=end {
            let held = replayed(Vec::new(), &feed[..cursor]);
            prop_assert_eq!(&held, &registry.listed(cursor as u64), "a generation through sequence number {}", cursor);
            prop_assert_eq!(replayed(held, &feed[cursor..]), registry.listed(end as u64));
        }
    }
}

#[test]
fn withdrawal_replaces_the_events_of_the_publication() {
    let publication = Publication {
        number: 1_000_000_001,
        company: COMPANIES[0],
        day: DAYS[0],
        text: TEXTS[2],
        corrected: TEXTS[0],
        forms: Vec::new(),
    };
    let mut registry = InMemory::default();
    for form in [Form::Copy, Form::Own, Form::Withdrawn, Form::Own] {
        registry.record(publication.fact(form));
        registry.publish();
    }
    let ids = |range: std::ops::Range<usize>| -> Vec<Uuid> {
        registry.feed[range].iter().map(|it| it.event.id).collect()
    };
    assert_eq!(registry.feed.len(), 5, "{:#?}", registry.feed);
    // Each event of the copy is replaced by the same event of the original.
    for (own, copy) in registry.feed[2..4].iter().zip(&registry.feed[..2]) {
        assert_eq!(own.replaces, [copy.event.id]);
        assert_eq!((&own.event.subject, &own.event.kind), (&copy.event.subject, &copy.event.kind));
    }
    let replaces: BTreeSet<Uuid> = registry.feed[4].replaces.iter().copied().collect();
    assert_eq!(replaces, ids(2..4).into_iter().collect());
    assert_eq!(registry.feed[4].event.kind, domain::ChangeKind::PublicationCancelled);
    let history = registry.history(COMPANIES[0].parse().expect("a number"));
    assert_eq!((history.events.len(), history.replaced.len()), (1, 4));
    assert_eq!(history.replacement(ids(0..1)[0]), Some(ids(2..3)[0]));
}

#[test]
fn removed_events_are_replaced_by_a_remaining_event() {
    let publication = |text| Publication {
        number: 1_000_000_001,
        company: COMPANIES[0],
        day: DAYS[0],
        text,
        corrected: text,
        forms: Vec::new(),
    };
    let fold = |text| folded(&[publication(text).fact(Form::Own)]);
    let mut history = fold(TEXTS[2]);
    let mut last = 0;
    let published = history.publish(&mut last, Timestamp::UNIX_EPOCH, usize::MAX);
    assert_eq!((published.len(), last), (2, 2));
    // Simulates a reader that now finds only the departure, not the new officer.
    let mut left = fold(TEXTS[2]);
    left.events.pop();
    let mut history = left.continuing(&history);
    assert!(history.has_unpublished());
    let again = history.publish(&mut last, Timestamp::UNIX_EPOCH, usize::MAX);
    assert_eq!((again.len(), last), (1, 3));
    assert_eq!(again[0].replaces, [published[0].event.id, published[1].event.id]);
    assert_eq!(again[0].event.summary, published[0].event.summary);
    assert!(!history.has_unpublished());
}

/// The fact that a list states about a company on a date.
fn listed(name: &str, day: &str) -> Fact {
    let json = json!({ "results": { "bindings": [{
        "entity": { "value": "https://register.ld.admin.ch/zefix/company/1" },
        "legalName": { "value": name }, "uid": { "value": "CHE600000012" },
    }] } });
    let batch = sources::read(Source::Lindas, json.to_string().as_bytes()).expect("json");
    facts::facts(batch.dated(day.parse().ok()).statements).remove(0)
}

/// The record after reading these lists in this order.
fn read(lists: &[(&str, &str)]) -> Option<Company> {
    let mut facts: Vec<Fact> = Vec::new();
    for (name, day) in lists {
        let fact = listed(name, day);
        if !is_known(&fact, &facts) {
            facts.push(fact);
        }
    }
    facts::fold(&without_repetitions(&facts))
}

#[test]
fn repeated_list_counts_once_in_either_order() {
    let (first, again) = (("A", "2026-01-01"), ("A", "2026-01-03"));
    assert_eq!(read(&[first, again]), read(&[again, first]));
    assert_eq!(read(&[first, again]), read(&[first]));
    let other = ("B", "2026-01-02");
    let back = read(&[first, other, again]);
    assert_eq!(
        back.as_ref().map(|it| it.name.as_str()),
        Some("A"),
        "the third list restores the first name"
    );
    for lists in [[other, again, first], [again, other, first], [again, first, other]] {
        assert_eq!(read(&lists), back, "{lists:?}");
    }
}

#[test]
fn late_list_counts_until_the_next_list_is_read() {
    // The list of 3 January repeated known values, so that it was not stored.
    let late = [("A", "2026-01-01"), ("A", "2026-01-03"), ("B", "2026-01-02")];
    let name = |lists: &[(&str, &str)]| read(lists).map(|it| it.name);
    assert_eq!(name(&late).as_deref(), Some("B"));
    assert_eq!(name(&[&late[..], &[("A", "2026-01-04")]].concat()).as_deref(), Some("A"));
}
