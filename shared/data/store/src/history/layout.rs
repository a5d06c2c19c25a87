//! How a history is stored.
//!
//! A short history is one item. A long one is split into parts, so that a request reads only what it answers: the
//! item then holds the tenures, the mergers and the list of parts. Each part has the revision at which it was last
//! written, and the list repeats it: a reader sees when parts of two revisions meet.

use std::collections::{BTreeMap, HashMap};

use domain::{
    ChangeKind, History, Uid,
    auditors::Tenure,
    history::{EventOutline, HistoryOutline, Recorded},
    persons::Mandate,
};
use jiff::civil::Date;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use uuid::Uuid;

use crate::{
    Error, changed,
    keys::{self, Key},
    table::{REVISION, Read, Row, Write},
};

/// Maximum size of a history in one item, in bytes of JSON.
const SHORT: usize = 64_000;
/// Size of a part, in bytes of JSON. Compression reduces it to a fifth or less.
const PART_BYTES: usize = 64_000;
/// Parts of a very long history are larger, so that all fit in one transaction. A part of this size fits in an item
/// (400 KB) even if it cannot be compressed.
const MAX_PART_BYTES: usize = 256_000;
/// Number of parts from which on they become larger.
const MANY_PARTS: usize = 48;
/// Maximum number of mergers next to the list of parts.
const MAX_MERGERS: usize = 100;

/// A section of a long history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Section {
    /// Valid events in the order of publication.
    Events,
    /// Current mandates in the order of [`History::board`].
    Board,
    /// Ended mandates: the latest end last, and of those with the same end the first entered last.
    Former,
    /// Replaced events by their ids.
    Replaced,
    SamePersons,
    /// Date, kind and size of each valid event.
    Outline,
}

impl Section {
    fn name(self) -> &'static str {
        match self {
            Self::Events => "EVENTS",
            Self::Board => "BOARD",
            Self::Former => "FORMER",
            Self::Replaced => "REPLACED",
            Self::SamePersons => "SAME-PERSONS",
            Self::Outline => "OUTLINE",
        }
    }
}

/// One entry of a history, as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Line {
    Event(Recorded),
    /// A replaced event, and the id of the event that replaces it, if that is published.
    Replaced(Recorded, Option<Uuid>),
    /// A mandate, and its position in the order of entry.
    Mandate(usize, Mandate),
    Tenure(Tenure),
    SamePersons(Uuid, Uuid),
}

impl Line {
    /// The section in a long history. Tenures are not in a section.
    fn section(&self) -> Option<Section> {
        match self {
            Self::Event(_) => Some(Section::Events),
            Self::Mandate(_, it) if it.is_current() => Some(Section::Board),
            Self::Mandate(..) => Some(Section::Former),
            Self::Replaced(..) => Some(Section::Replaced),
            Self::SamePersons(..) => Some(Section::SamePersons),
            Self::Tenure(_) => None,
        }
    }

    /// A valid event.
    fn event(&self) -> Option<&Recorded> {
        match self {
            Self::Event(it) => Some(it),
            _ => None,
        }
    }
}

/// The entries of one part.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Lines {
    pub(super) lines: Vec<Line>,
}

/// Date, kind and size of each valid event, in columns, which are compressed best.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Outline {
    dates: Vec<Date>,
    kinds: Vec<ChangeKind>,
    sizes: Vec<usize>,
}

impl Outline {
    pub(super) fn events(&self) -> Vec<EventOutline> {
        let columns = self.dates.iter().zip(&self.kinds).zip(&self.sizes);
        columns
            .map(|((date, kind), size)| EventOutline { date: *date, kind: *kind, size: *size })
            .collect()
    }
}

/// The content of a part.
#[derive(Clone, Debug, PartialEq)]
enum Content {
    Lines(Lines),
    Outline(Outline),
}

/// An entry of the list of parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PartEntry {
    pub(super) section: Section,
    pub(super) part: usize,
    /// Revision of the history at which the part was last written.
    pub(super) revision: usize,
    /// Number of entries.
    pub(super) count: usize,
    /// Number of events that are not internal.
    #[serde(default)]
    pub(super) listed: usize,
    /// Id of the first replaced event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) first: Option<Uuid>,
}

/// The item of a history: all of it, or the contents of a long one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Head {
    /// All entries of a short history; the tenures of a long one.
    pub(super) lines: Vec<Line>,
    /// The parts of a long history. Empty for a short one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) parts: Vec<PartEntry>,
    /// The newest mergers of a long history, a copy of the events.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) mergers: Vec<Recorded>,
}

impl Head {
    pub(super) fn is_short(&self) -> bool {
        self.parts.is_empty()
    }

    pub(super) fn of(&self, section: Section) -> impl DoubleEndedIterator<Item = &PartEntry> {
        self.parts.iter().filter(move |it| it.section == section)
    }

    /// The outline of a short history.
    pub(super) fn outline(&self) -> Result<HistoryOutline, Error> {
        let events = outline(self.lines.iter().filter_map(Line::event))?.events();
        let current = self.lines.iter().filter(|it| it.section() == Some(Section::Board));
        Ok(HistoryOutline { events, current_mandates: current.count() })
    }
}

/// A history as it is stored in the table.
#[derive(Clone, Debug, Default)]
pub(crate) struct StoredHistory {
    pub(crate) history: History,
    head: Head,
    parts: BTreeMap<(Section, usize), Content>,
    /// Number of times it was written. 0 if it is not stored yet.
    pub(super) revision: usize,
}

impl StoredHistory {
    /// Reads the item of a history and all its parts, in the order of their keys. [`Error::Changed`]: the rows are
    /// of different revisions.
    pub(crate) fn of(rows: Vec<Row>) -> Result<Self, Error> {
        let (Read { value: head, revision }, mut rows) = head_and_rows(rows)?;
        let mut parts = BTreeMap::new();
        let mut lines = head.lines.clone();
        for entry in &head.parts {
            let content = take_content(&mut rows, entry)?;
            if let Content::Lines(part) = &content {
                lines.extend(part.lines.iter().cloned());
            }
            parts.insert((entry.section, entry.part), content);
        }
        Ok(Self { history: history_of(lines), head, parts, revision })
    }

    /// Whether this history is stored in the same way.
    pub(crate) fn is_stored_as(&self, history: &History) -> Result<bool, Error> {
        let (head, parts) = encode(history.clone())?;
        let is_same_head = (&head.lines, &head.mergers) == (&self.head.lines, &self.head.mergers);
        let parts = parts.into_iter().map(|(entry, it)| ((entry.section, entry.part), it));
        Ok(is_same_head && parts.collect::<BTreeMap<_, _>>() == self.parts)
    }

    /// The writes that replace this history, on condition that its revision is still the same: the parts that
    /// differ, the mark of a changed company, and an outbox item if events are not published yet.
    pub(crate) fn replace_with(&self, uid: Uid, history: History) -> Result<Vec<Write>, Error> {
        let has_unpublished = history.has_unpublished();
        let revision = self.revision + 1;
        let (mut head, parts) = encode(history)?;
        let revision_before = |section, part| {
            let entry = self.head.parts.iter().find(|it| (it.section, it.part) == (section, part));
            entry.map(|it| it.revision)
        };
        let mut writes = Vec::new();
        for (mut entry, content) in parts {
            let place = (entry.section, entry.part);
            let unchanged = self.parts.get(&place).is_some_and(|it| *it == content);
            entry.revision = revision;
            match revision_before(entry.section, entry.part).filter(|_| unchanged) {
                Some(before) => entry.revision = before,
                None => {
                    let key = part_key(uid, &entry);
                    let write = match &content {
                        Content::Lines(it) => Write::put_compressed(key, it)?,
                        Content::Outline(it) => Write::put_compressed(key, it)?,
                    };
                    writes.push(write.at_revision(revision));
                }
            }
            head.parts.push(entry);
        }
        let is_left = |it: &&PartEntry| {
            !head.parts.iter().any(|new| (new.section, new.part) == (it.section, it.part))
        };
        let surplus = self.head.parts.iter().filter(is_left);
        writes.extend(surplus.map(|it| Write::delete(part_key(uid, it))));
        let head = Write::put_document(keys::history(uid), &head)?;
        writes.push(head.revise(self.revision, revision));
        writes.push(changed::mark(uid)?);
        if has_unpublished {
            writes.push(Write::put_document(keys::outbox(uid), &uid)?);
        }
        Ok(writes)
    }
}

pub(super) fn part_key(uid: Uid, entry: &PartEntry) -> Key {
    keys::history_part(uid, entry.section.name(), entry.part)
}

fn sort_key(entry: &PartEntry) -> String {
    format!("{}{}#{:03}", keys::HISTORY, entry.section.name(), entry.part)
}

/// The item of a history with its revision, and the other rows by their sort keys.
fn head_and_rows(rows: Vec<Row>) -> Result<(Read<Head>, HashMap<String, Row>), Error> {
    let mut rows = rows.into_iter();
    let head = rows.next().map(Row::read_revised).transpose()?.unwrap_or_default();
    Ok((head, rows.map(|it| (it.sort.clone(), it)).collect()))
}

/// Takes a part out of the rows of its history. [`Error::Changed`]: there is none of this revision.
fn take_content(rows: &mut HashMap<String, Row>, entry: &PartEntry) -> Result<Content, Error> {
    let row = rows.remove(&sort_key(entry)).ok_or(Error::Changed)?;
    Ok(match entry.section {
        Section::Outline => Content::Outline(read_part(row, entry)?),
        _ => Content::Lines(read_part(row, entry)?),
    })
}

/// Reads a part. [`Error::Changed`]: it has another revision than the list of parts.
pub(super) fn read_part<T: DeserializeOwned>(row: Row, entry: &PartEntry) -> Result<T, Error> {
    if row.number(REVISION) != Some(entry.revision) {
        return Err(Error::Changed);
    }
    row.read()
}

/// The items of a history that is stored for the first time: key, JSON and revision. For bulk loading.
pub(crate) fn items(uid: Uid, history: History) -> Result<Vec<(Key, String, u64)>, Error> {
    let (mut head, parts) = encode(history)?;
    let mut items = Vec::new();
    for (mut entry, content) in parts {
        entry.revision = 1;
        let json = match &content {
            Content::Lines(it) => serde_json::to_string(it),
            Content::Outline(it) => serde_json::to_string(it),
        };
        items.push((part_key(uid, &entry), json.map_err(unwritable)?, 1));
        head.parts.push(entry);
    }
    items.push((keys::history(uid), serde_json::to_string(&head).map_err(unwritable)?, 1));
    Ok(items)
}

/// Joins the entries of a history. The entries of each kind must be in the order of the parts.
pub(super) fn history_of(lines: Vec<Line>) -> History {
    let mut history = History::default();
    let mut mandates = Vec::new();
    for line in lines {
        match line {
            Line::Event(it) => history.events.push(it),
            Line::Replaced(it, _) => history.replaced.push(it),
            Line::Mandate(at, it) => mandates.push((at, it)),
            Line::Tenure(it) => history.tenures.push(it),
            Line::SamePersons(one, other) => history.same_persons.push((one, other)),
        }
    }
    mandates.sort_by_key(|(at, _)| *at);
    history.mandates = mandates.into_iter().map(|(_, it)| it).collect();
    history
}

/// Joins a history from its item and its parts, in the order of their keys.
pub(crate) fn read_history(rows: Vec<Row>) -> Result<History, Error> {
    let (Read { value: head, .. }, mut rows) = head_and_rows(rows)?;
    let mut lines = head.lines;
    for entry in &head.parts {
        // The outline is read too, although it repeats the events: a history with a broken part is broken.
        if let Content::Lines(part) = take_content(&mut rows, entry)? {
            lines.extend(part.lines);
        }
    }
    Ok(history_of(lines))
}

/// The head without its list of parts, and the parts. No parts if the history is short.
fn encode(history: History) -> Result<(Head, Vec<(PartEntry, Content)>), Error> {
    let mut lines = Vec::new();
    for line in lines_of(history) {
        lines.push((size(&line)?, line));
    }
    let total: usize = lines.iter().map(|(size, _)| size).sum();
    if total <= SHORT {
        let lines = lines.into_iter().map(|(_, it)| it).collect();
        return Ok((Head { lines, ..Head::default() }, Vec::new()));
    }
    let events = || lines.iter().filter_map(|(_, it)| it.event());
    let outline = outline(events())?;
    let mergers = events().filter(|it| it.event.kind == ChangeKind::Merger);
    let mut mergers: Vec<Recorded> = mergers.rev().take(MAX_MERGERS).cloned().collect();
    mergers.reverse();
    let mut limit = PART_BYTES;
    while limit < MAX_PART_BYTES && total / limit > MANY_PARTS {
        limit *= 2;
    }
    let mut head = Head { mergers, ..Head::default() };
    let mut parts: Vec<(PartEntry, Lines)> = Vec::new();
    let mut bytes = 0;
    for (size, line) in lines {
        let Some(section) = line.section() else {
            head.lines.push(line);
            continue;
        };
        let part = match parts.last() {
            Some((it, _)) if it.section != section => 0,
            Some((it, _)) if bytes + size > limit => it.part + 1,
            Some((it, _)) => it.part,
            None => 0,
        };
        if parts.last().is_none_or(|(it, _)| (it.section, it.part) != (section, part)) {
            let first = match &line {
                Line::Replaced(it, _) => Some(it.event.id),
                _ => None,
            };
            let entry = PartEntry { section, part, revision: 0, count: 0, listed: 0, first };
            parts.push((entry, Lines::default()));
            bytes = 0;
        }
        bytes += size;
        if let Some((entry, part)) = parts.last_mut() {
            entry.count += 1;
            entry.listed +=
                usize::from(matches!(&line, Line::Event(it) if !it.event.is_internal()));
            part.lines.push(line);
        }
    }
    let mut parts: Vec<(PartEntry, Content)> =
        parts.into_iter().map(|(entry, it)| (entry, Content::Lines(it))).collect();
    let (section, count) = (Section::Outline, outline.dates.len());
    let entry = PartEntry { section, part: 0, revision: 0, count, listed: 0, first: None };
    parts.push((entry, Content::Outline(outline)));
    Ok((head, parts))
}

/// The entries of a history, section by section.
fn lines_of(history: History) -> Vec<Line> {
    let published =
        history.events.iter().chain(&history.replaced).filter(|it| it.sequence.is_some());
    let replacements: HashMap<Uuid, Uuid> =
        published.flat_map(|it| it.replaces.iter().map(|id| (*id, it.event.id))).collect();
    let mut replaced = history.replaced;
    replaced.sort_by_key(|it| it.event.id);
    let replaced = replaced.into_iter().map(|it| {
        let by = replacements.get(&it.event.id).copied();
        Line::Replaced(it, by)
    });
    let mandates = history.mandates.into_iter().enumerate();
    let (mut board, mut former): (Vec<_>, Vec<_>) = mandates.partition(|(_, it)| it.is_current());
    board.sort_by_key(|(at, it)| (it.category, *at));
    former.sort_by_key(|(at, it)| (it.until, std::cmp::Reverse(*at)));
    let mandates = board.into_iter().chain(former).map(|(at, it)| Line::Mandate(at, it));
    let same = history.same_persons.into_iter().map(|(one, other)| Line::SamePersons(one, other));
    let events = history.events.into_iter().map(Line::Event);
    let tenures = history.tenures.into_iter().map(Line::Tenure);
    events.chain(mandates).chain(replaced).chain(same).chain(tenures).collect()
}

fn outline<'a>(events: impl Iterator<Item = &'a Recorded>) -> Result<Outline, Error> {
    let mut outline = Outline::default();
    for Recorded { event, .. } in events {
        outline.dates.push(event.date);
        outline.kinds.push(event.kind);
        outline.sizes.push(size(event)?);
    }
    Ok(outline)
}

fn size(item: &impl Serialize) -> Result<usize, Error> {
    serde_json::to_vec(item).map(|it| it.len()).map_err(unwritable)
}

fn unwritable(error: serde_json::Error) -> Error {
    Error::Unwritable(error.into())
}

/// The history as it is read after it was stored.
#[cfg(test)]
pub(super) fn stored_and_read(history: History) -> History {
    let (head, parts) = encode(history).expect("json");
    let lines = parts.into_iter().flat_map(|(_, it)| match it {
        Content::Lines(it) => it.lines,
        Content::Outline(_) => Vec::new(),
    });
    history_of(head.lines.into_iter().chain(lines).collect())
}
