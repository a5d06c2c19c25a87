//! Filters on changes.

use std::{io, ops::RangeInclusive};

use domain::{Canton, ChangeKind, Uid, search::changes::ChangeQuery};
use jiff::civil::Date;

use super::{
    Changes,
    schema::{Key, Number},
};
use crate::{codes, documents::Documents};

impl Changes {
    /// The changes that match the query, of these companies if any are given.
    pub(crate) fn find(&self, query: &ChangeQuery, among: Option<&[Uid]>) -> io::Result<Documents> {
        let mut found = self.of_companies_named(query.company_search.as_deref())?;
        self.leave_out_replaced(&mut found);
        let kinds: Vec<ChangeKind> = query.kinds.iter().map(|it| it.0).collect();
        if kinds.is_empty() && !query.include_internal {
            self.leave_out_internal(&mut found);
        }
        self.narrow(&mut found, &kinds, &query.canton, &query.uids)?;
        let legal_events = query.legal_event.iter().map(|it| codes::legal_event(it.0)).collect();
        self.index.column(Number::LegalEvent).retain_any(&mut found, legal_events);
        if let Some(among) = among {
            let among = among.iter().map(|it| it.number().into());
            found.intersect(&self.index.keyed(Key::ByUid, among)?);
        }
        if query.since.is_some() || query.until.is_some() {
            let first = query.since.map_or(Date::MIN, |it| it.0);
            let last = query.until.map_or(Date::MAX, |it| it.0);
            self.keep_dated(first..=last, &mut found);
        }
        Ok(found)
    }

    /// The changes of companies that match the search, with the rules of the search for companies. All changes
    /// without a search.
    fn of_companies_named(&self, search: Option<&str>) -> io::Result<Documents> {
        let Some(search) = search.map(str::trim).filter(|it| !it.is_empty()) else {
            return Ok(self.index.every());
        };
        if let Ok(uid) = search.parse::<Uid>() {
            return self.index.keyed(Key::ByUid, [uid.number().into()]);
        }
        let in_order = self.index.column(Number::InNameOrder);
        let mut found = self.index.none();
        self.names.changes(&self.names.find(search)?, self.index.count, |position| {
            found.insert(in_order.get(position) as u32);
        });
        Ok(found)
    }

    /// Keeps changes with one of the kinds, cantons and companies. Empty lists do not filter.
    pub(crate) fn narrow(
        &self,
        found: &mut Documents,
        kinds: &[ChangeKind],
        cantons: &[Canton],
        uids: &[Uid],
    ) -> io::Result<()> {
        if !uids.is_empty() {
            let uids = uids.iter().map(|it| it.number().into());
            found.intersect(&self.index.keyed(Key::ByUid, uids)?);
        }
        let kinds = kinds.iter().map(|it| codes::change(*it));
        self.index.column(Number::Kind).retain_any(found, kinds.collect());
        let cantons = cantons.iter().map(|it| codes::canton(*it));
        self.index.column(Number::Canton).retain_any(found, cantons.collect());
        Ok(())
    }

    /// Removes replaced changes, which are in the feed but in no list.
    pub(crate) fn leave_out_replaced(&self, found: &mut Documents) {
        let replaced = self.index.column(Number::Replaced);
        if !replaced.is_empty() {
            replaced.retain(found, |it| it == 0);
        }
    }

    pub(crate) fn leave_out_internal(&self, found: &mut Documents) {
        let internal = codes::change(ChangeKind::Other);
        self.index.column(Number::Kind).retain(found, |it| it != internal);
    }

    pub(crate) fn keep_dated(&self, days: RangeInclusive<Date>, found: &mut Documents) {
        if days.start() > days.end() {
            *found = self.index.none();
            return;
        }
        let (first, last) = (codes::day(*days.start()), codes::day(*days.end()));
        let dates = self.index.column(Number::Date);
        let range = dates.first_that(|it| it <= last)..dates.first_that(|it| it < first);
        found.intersect(&Documents::from_range(range, self.index.count));
    }
}
