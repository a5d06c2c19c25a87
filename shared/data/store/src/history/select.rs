//! Reading a part of a history: what a request answers, and not more.

use std::collections::{BTreeSet, HashMap};

use domain::{
    Company, History, Uid,
    history::{HistoryOutline, Recorded},
};
use uuid::Uuid;

use super::{
    inconsistent_parts,
    layout::{Head, Line, Lines, Outline, PartEntry, Section, history_of, part_key, read_part},
};
use crate::{Error, READ_ATTEMPTS, Registry, keys, pause_after_conflict, table::Row};

/// What to read of a history. The tenures are always read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    /// Number of current mandates, the first in the order of [`History::board`].
    pub board: usize,
    /// Number of ended mandates, the latest ends.
    pub former: usize,
    /// Number of events that are not internal, the newest.
    pub events: usize,
    /// Whether to read the mergers, which are added to the events.
    pub mergers: bool,
}

/// Size of the events after which [`Registry::select_events`] stops, in bytes of JSON.
const MAX_EVENT_BYTES: usize = 4_000_000;

/// Reads again if parts of two revisions were read.
macro_rules! retried {
    ($read:expr) => {{
        for conflicts in 0..READ_ATTEMPTS {
            match $read.await {
                Err(Error::Changed) => pause_after_conflict(conflicts).await,
                other => return other,
            }
        }
        Err(inconsistent_parts())
    }};
}

impl Registry {
    /// A company, and of its history at least what is wanted. The history of a company with few publications is
    /// read whole.
    pub async fn company_with(
        &self,
        uid: Uid,
        wanted: Wanted,
    ) -> Result<Option<(Company, History)>, Error> {
        retried!(self.try_company_with(uid, wanted))
    }

    async fn try_company_with(
        &self,
        uid: Uid,
        wanted: Wanted,
    ) -> Result<Option<(Company, History)>, Error> {
        let Some((company, head)) = self.company_and_head(uid).await? else { return Ok(None) };
        let parts = self.lines(uid, wanted.parts(&head)).await?;
        let history = wanted.history(head, parts.into_iter().map(|(_, it)| it));
        Ok(Some((company, history)))
    }

    /// As [`Registry::company_with`], of several companies with few requests. In the order of `uids`, each once; unknown
    /// companies are left out.
    pub async fn companies_with(
        &self,
        uids: &[Uid],
        wanted: Wanted,
    ) -> Result<Vec<(Company, History)>, Error> {
        retried!(self.try_companies_with(uids, wanted))
    }

    async fn try_companies_with(
        &self,
        uids: &[Uid],
        wanted: Wanted,
    ) -> Result<Vec<(Company, History)>, Error> {
        let mut found = self.companies_and_heads(uids).await?;
        let keys = found.values().flat_map(|(company, head)| {
            wanted.parts(head).into_iter().map(|it| part_key(company.uid, &it)).collect::<Vec<_>>()
        });
        let rows = self.table.get_rows(keys.collect()).await?.into_iter();
        let mut rows: HashMap<(String, String), Row> =
            rows.map(|it| ((it.partition.clone(), it.sort.clone()), it)).collect();
        let mut companies = Vec::with_capacity(found.len());
        for uid in uids {
            let Some((company, head)) = found.remove(uid) else { continue };
            let entries = wanted.parts(&head);
            let mut parts = Vec::with_capacity(entries.len());
            for entry in entries {
                let key = part_key(*uid, &entry);
                let row = rows.remove(&(key.partition, key.sort)).ok_or(Error::Changed)?;
                parts.push(read_part::<Lines>(row, &entry)?);
            }
            companies.push((company, wanted.history(head, parts)));
        }
        Ok(companies)
    }

    async fn companies_and_heads(
        &self,
        uids: &[Uid],
    ) -> Result<HashMap<Uid, (Company, Head)>, Error> {
        let keys: BTreeSet<Uid> = uids.iter().copied().collect();
        let keys = keys.into_iter().flat_map(|it| [keys::company(it), keys::history(it)]);
        let (records, heads): (Vec<Row>, Vec<Row>) = self
            .table
            .get_rows(keys.collect())
            .await?
            .into_iter()
            .partition(|it| it.sort == keys::RECORD);
        let mut heads: HashMap<String, Row> =
            heads.into_iter().map(|it| (it.partition.clone(), it)).collect();
        let both = records.into_iter().map(|record| {
            let head = heads.remove(&record.partition);
            let head = head.map_or_else(|| Ok(Head::default()), Row::read)?;
            let company: Company = record.read()?;
            Ok((company.uid, (company, head)))
        });
        both.collect()
    }

    /// A company, and the events of its history that `select` selects: positions in the outline, in any order. Of
    /// very long events only the first are read.
    pub async fn select_events<T>(
        &self,
        uid: Uid,
        select: impl Fn(&Company, &HistoryOutline) -> (Vec<usize>, T),
    ) -> Result<Option<(Company, T, Vec<Recorded>)>, Error> {
        retried!(self.try_select_events(uid, &select))
    }

    async fn try_select_events<T>(
        &self,
        uid: Uid,
        select: &impl Fn(&Company, &HistoryOutline) -> (Vec<usize>, T),
    ) -> Result<Option<(Company, T, Vec<Recorded>)>, Error> {
        let Some((company, head)) = self.company_and_head(uid).await? else { return Ok(None) };
        let outline = self.outline(uid, &head).await?;
        let (mut selected, result) = select(&company, &outline);
        let mut bytes = 0;
        let within = selected.iter().take_while(|at| {
            let fits = bytes < MAX_EVENT_BYTES;
            bytes += outline.events[**at].size;
            fits
        });
        selected.truncate(within.count());
        let mut events = self.events_at(uid, head, &selected).await?;
        let events = selected.iter().filter_map(|at| events.remove(at)).collect();
        Ok(Some((company, result, events)))
    }

    /// The id of the event that replaces the event with this id in the history of a company.
    pub async fn replacement(&self, uid: Uid, id: Uuid) -> Result<Option<Uuid>, Error> {
        retried!(self.try_replacement(uid, id))
    }

    async fn try_replacement(&self, uid: Uid, id: Uuid) -> Result<Option<Uuid>, Error> {
        let head = self.head(uid).await?;
        let last = head.of(Section::Replaced).rfind(|it| it.first <= Some(id)).cloned();
        let mut lines = head.lines;
        if let Some(entry) = last {
            lines.extend(self.lines(uid, vec![entry]).await?.into_iter().flat_map(|it| it.1.lines));
        }
        Ok(lines.into_iter().find_map(|it| match it {
            Line::Replaced(replaced, by) if replaced.event.id == id => by,
            _ => None,
        }))
    }

    async fn company_and_head(&self, uid: Uid) -> Result<Option<(Company, Head)>, Error> {
        let (record, history) = (keys::company(uid), keys::history(uid));
        let mut company = None;
        let mut head = Head::default();
        for row in self.table.get_rows(vec![record.clone(), history]).await? {
            match row.sort == record.sort {
                true => company = Some(row.read()?),
                false => head = row.read()?,
            }
        }
        Ok(company.map(|company| (company, head)))
    }

    async fn head(&self, uid: Uid) -> Result<Head, Error> {
        let row = self.table.get_row(keys::history(uid)).await?;
        row.map_or_else(|| Ok(Head::default()), Row::read)
    }

    async fn outline(&self, uid: Uid, head: &Head) -> Result<HistoryOutline, Error> {
        let Some(entry) = head.of(Section::Outline).next() else { return head.outline() };
        let row = self.table.get_row(part_key(uid, entry)).await?.ok_or(Error::Changed)?;
        let outline: Outline = read_part(row, entry)?;
        let current_mandates = head.of(Section::Board).map(|it| it.count).sum();
        Ok(HistoryOutline { events: outline.events(), current_mandates })
    }

    /// The events at these positions.
    async fn events_at(
        &self,
        uid: Uid,
        head: Head,
        positions: &[usize],
    ) -> Result<HashMap<usize, Recorded>, Error> {
        let positions: BTreeSet<usize> = positions.iter().copied().collect();
        if head.is_short() {
            let events = history_of(head.lines).events.into_iter().enumerate();
            return Ok(events.filter(|(at, _)| positions.contains(at)).collect());
        }
        let mut parts = Vec::new();
        let mut starts = HashMap::new();
        let mut start = 0;
        for entry in head.of(Section::Events) {
            if positions.range(start..start + entry.count).next().is_some() {
                parts.push(entry.clone());
                starts.insert(entry.part, start);
            }
            start += entry.count;
        }
        let mut events = HashMap::new();
        for (entry, part) in self.lines(uid, parts).await? {
            let of_part = part.lines.into_iter().zip(starts[&entry.part]..);
            events.extend(of_part.filter_map(|(line, at)| match line {
                Line::Event(it) if positions.contains(&at) => Some((at, it)),
                _ => None,
            }));
        }
        Ok(events)
    }

    /// The entries of these parts, in order.
    async fn lines(
        &self,
        uid: Uid,
        parts: Vec<PartEntry>,
    ) -> Result<Vec<(PartEntry, Lines)>, Error> {
        let keys = parts.iter().map(|it| part_key(uid, it)).collect();
        let rows = self.table.get_rows(keys).await?;
        let mut rows: HashMap<String, Row> =
            rows.into_iter().map(|it| (it.sort.clone(), it)).collect();
        let read = parts.into_iter().map(|entry| {
            let row = rows.remove(&part_key(uid, &entry).sort).ok_or(Error::Changed)?;
            Ok((entry.clone(), read_part(row, &entry)?))
        });
        read.collect()
    }
}

impl Wanted {
    /// The parts of a long history that contain what is wanted, in the order of the history.
    fn parts(self, head: &Head) -> Vec<PartEntry> {
        let mut events = until(self.events, head.of(Section::Events).rev(), |it| it.listed);
        events.reverse();
        let board = until(self.board, head.of(Section::Board), |it| it.count);
        let former = until(self.former, head.of(Section::Former).rev(), |it| it.count);
        [events, board, former].concat()
    }

    /// The history of what was read.
    fn history(self, head: Head, parts: impl IntoIterator<Item = Lines>) -> History {
        let mut lines = head.lines;
        lines.extend(parts.into_iter().flat_map(|it| it.lines));
        let mut history = history_of(lines);
        let read: BTreeSet<Uuid> = history.events.iter().map(|it| it.event.id).collect();
        let is_missing = |it: &Recorded| self.mergers && !read.contains(&it.event.id);
        let mergers = head.mergers.into_iter().filter(is_missing);
        history.events.splice(0..0, mergers);
        history
    }
}

/// The first of these parts that together have `wanted` entries.
fn until<'a>(
    wanted: usize,
    parts: impl Iterator<Item = &'a PartEntry>,
    count: impl Fn(&PartEntry) -> usize,
) -> Vec<PartEntry> {
    let mut sum = 0;
    let needed = parts.take_while(|it| {
        let is_needed = sum < wanted;
        sum += count(it);
        is_needed
    });
    needed.cloned().collect()
}
