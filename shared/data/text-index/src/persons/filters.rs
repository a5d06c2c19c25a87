//! Searching persons and ranking the results.
//!
//! | Tier | Persons                                                        |
//! |------|----------------------------------------------------------------|
//! | 1    | have a name of exactly these words, in any order               |
//! | 2    | match every word                                               |
//! | 3    | match every word, the last one as a prefix                     |
//! | 4    | match them with typos                                          |
//!
//! Within a tier, persons are sorted by relevance: see `Summary::relevance`.

use std::{io, ops::Range};

use domain::{
    places,
    search::persons::{PersonQuery, PersonSort},
};

use super::{
    Persons,
    schema::{Key, Number, RoleKind, Term},
    summary::{in_any_order, nationality},
};
use crate::{
    best::sorted_by,
    documents::Documents,
    names::{MAX_WORDS, Names},
    tiers::Tiers,
    words::folded,
};

/// Typos are allowed if fewer persons match without.
const FEW: u64 = 5;

/// The persons that match a search.
pub(crate) struct Found {
    pub(crate) all: Documents,
    /// The tiers, best first.
    tiers: Vec<Documents>,
}

impl Persons {
    pub(crate) fn find(&self, query: &PersonQuery) -> io::Result<Found> {
        let persons = if query.include_entities { self.index.every() } else { self.people() };
        let mut found = match query.q.as_deref().map(str::trim) {
            None | Some("") => Found { all: persons, tiers: Vec::new() },
            Some(search) => self.named(search, &persons, FEW)?,
        };
        self.filter(query, &mut found.all)?;
        Ok(found)
    }

    /// The persons that match the name. Typos are allowed if fewer than `enough` match without.
    pub(crate) fn named(&self, search: &str, among: &Documents, enough: u64) -> io::Result<Found> {
        let text = folded(search);
        let words: Vec<&str> = text.split_ascii_whitespace().take(MAX_WORDS).collect();
        if words.is_empty() {
            return Ok(Found { all: self.index.none(), tiers: Vec::new() });
        }
        let names = Names {
            words: self.index.terms(Term::Word),
            beginnings: self.index.terms(Term::WordBeginning),
            among,
            in_all_languages: false,
        };
        let mut exactly = self.index.none();
        self.index.terms(Term::Name).add(in_any_order(&text), &mut exactly)?;
        let whole = names.with_whole_words(&words)?;
        let as_written = names.as_written(&words)?;
        let all = names.forgiving(&words, &as_written, enough)?;
        Ok(Found { all, tiers: vec![exactly, whole, as_written] })
    }

    fn filter(&self, query: &PersonQuery, found: &mut Documents) -> io::Result<()> {
        if let Some(origin) = &query.place_of_origin {
            found.intersect(&self.originating(origin)?);
        }
        if let Some(country) = &query.nationality_iso {
            let country = nationality(country.as_str());
            found.intersect(&self.index.keyed(Key::Nationality, [country])?);
        }
        if let Some(is_active) = query.is_active {
            self.index.column(Number::CurrentCount).retain(found, |it| (it > 0) == is_active);
        }
        if let Some(kinds) = wanted_roles(query) {
            found.intersect(&self.index.keyed(Key::RoleKind, kinds)?);
        }
        Ok(())
    }

    /// The persons whose places of origin contain all words of this place, or of one of its names in other languages.
    fn originating(&self, origin: &str) -> io::Result<Documents> {
        let origin = folded(origin);
        let mut found = self.index.none();
        for name in [origin.as_str()].into_iter().chain(places::other_names(&origin)) {
            found.unite(&self.with_origin(name)?);
        }
        Ok(found)
    }

    fn with_origin(&self, name: &str) -> io::Result<Documents> {
        let mut words = name.split_ascii_whitespace().take(MAX_WORDS);
        let with_word = |word| -> io::Result<Documents> {
            let mut found = self.index.none();
            self.index.terms(Term::OriginWord).add(word, &mut found)?;
            Ok(found)
        };
        let Some(first) = words.next() else { return Ok(self.index.none()) };
        words.try_fold(with_word(first)?, |mut found, word| {
            found.intersect(&with_word(word)?);
            Ok(found)
        })
    }

    /// These places of the persons found, in the order of the query.
    pub(crate) fn page(
        &self,
        query: &PersonQuery,
        found: &Found,
        places: Range<usize>,
    ) -> Vec<u32> {
        let by = |number, places| {
            sorted_by(self.index.column(number), &found.all, query.sort_desc, places)
        };
        match query.sort_by {
            PersonSort::Name => by(Number::NameRank, places),
            PersonSort::RoleCount => by(Number::RoleCount, places),
            PersonSort::Relevance => {
                let mut tiers = Tiers::new(&found.all, places.end);
                found.tiers.iter().for_each(|it| tiers.take(it));
                let mut best = tiers.into_best();
                best.drain(..places.start.min(best.len()));
                best
            }
        }
    }

    /// All persons, without firms and authorities.
    pub(crate) fn people(&self) -> Documents {
        Documents::from_range(0..self.first_entity(), self.index.count)
    }
}

/// The kinds of roles of which a person must have at least one. `None` if the query does not filter roles, or
/// only by whether they are current, which the counts of the person answer.
fn wanted_roles(query: &PersonQuery) -> Option<Vec<u64>> {
    let (categories, authorities) = (&query.role_category, &query.signing_authority);
    if categories.is_empty() && authorities.is_empty() && query.canton.is_empty() {
        return None;
    }
    let is_wanted = |it: &RoleKind| {
        (categories.is_empty() || categories.iter().any(|wanted| wanted.0 == it.category))
            && (authorities.is_empty()
                || authorities.iter().any(|wanted| Some(wanted.0) == it.authority))
            && (query.canton.is_empty() || it.canton.is_some_and(|it| query.canton.contains(&it)))
            && query.is_active.is_none_or(|wanted| wanted == it.is_current)
    };
    Some(RoleKind::every().filter(is_wanted).map(RoleKind::code).collect())
}
