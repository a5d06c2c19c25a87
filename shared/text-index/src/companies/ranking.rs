//! Which of the companies that a search finds come first.
//!
//! | Tier | Companies                                                              |
//! |------|------------------------------------------------------------------------|
//! | 1    | bear the name, with the legal form that the search names               |
//! | 2    | bear the name, whatever their legal form                               |
//! | 3    | bore it once, or bear it in another language                           |
//! | 4    | have a name that begins with the search                                |
//! | 5    | had one, or have one in another language                               |
//! | 6    | have every word in their names                                         |
//! | 7    | have them with typos                                                   |
//!
//! Within a tier the order of relevance holds. Tiers are made as far as the page asks for.

use std::io;

use super::{
    Companies,
    names::{Named, Search},
    schema::{Number, Term},
};
use crate::{documents::Documents, words::bare};

/// Up to so many names are looked up; where more begin so, they are met soon enough.
const FEW_NAMES: u64 = 1_000;

impl Companies {
    /// The first so many of the companies that were found.
    pub(crate) fn ranked(&self, found: &Named, wanted: usize) -> io::Result<Vec<u32>> {
        let mut ranking = Ranking { left: found.all.clone(), best: Vec::new(), wanted };
        if let Some(search) = &found.search {
            self.rank(search, &mut ranking)?;
        }
        ranking.take_all();
        Ok(ranking.best)
    }

    fn rank(&self, search: &Search, ranking: &mut Ranking) -> io::Result<()> {
        let bare = bare(&search.text);
        if search.text != search.words {
            ranking.take(&self.with_term(Term::Name, &search.text)?);
        }
        ranking.take(&self.with_term(Term::BareName, &bare)?);
        ranking.take(&self.with_term(Term::BareOtherName, &bare)?);
        if ranking.is_full() {
            return Ok(());
        }
        self.rank_name_beginnings(&search.words, ranking)?;
        if ranking.is_full() {
            return Ok(());
        }
        let mut other_names = self.none();
        self.terms(Term::OtherName).add_beginning(&search.words, &mut other_names)?;
        ranking.take(&other_names);
        ranking.take(&search.as_written);
        Ok(())
    }

    fn rank_name_beginnings(&self, beginning: &str, ranking: &mut Ranking) -> io::Result<()> {
        let places = self.terms(Term::Name).places_of_beginning(beginning)?;
        if places.end - places.start <= FEW_NAMES {
            let mut names = self.none();
            self.terms(Term::Name).add_beginning(beginning, &mut names)?;
            ranking.take(&names);
        } else {
            // Ranks count from 1.
            let ranks = places.start + 1..places.end + 1;
            let column = self.column(Number::NameRank);
            ranking.take_where(|document| ranks.contains(&column.get(document)));
        }
        Ok(())
    }

    fn with_term(&self, kind: Term, term: &str) -> io::Result<Documents> {
        let mut found = self.none();
        self.terms(kind).add(term, &mut found)?;
        Ok(found)
    }
}

/// The best so far, and those that are left.
struct Ranking {
    left: Documents,
    best: Vec<u32>,
    wanted: usize,
}

impl Ranking {
    fn is_full(&self) -> bool {
        self.best.len() >= self.wanted
    }

    /// Those of the tier that are left come next.
    fn take(&mut self, tier: &Documents) {
        let mut next = tier.clone();
        next.intersect(&self.left);
        self.best.extend(next.iter().take(self.wanted - self.best.len()));
        self.left.subtract(&next);
    }

    /// Those that are left and in the tier come next, looked at one by one.
    fn take_where(&mut self, in_tier: impl Fn(u32) -> bool) {
        let missing = self.wanted - self.best.len();
        let next: Vec<u32> = self.left.iter().filter(|it| in_tier(*it)).take(missing).collect();
        next.iter().for_each(|it| self.left.remove(*it));
        self.best.extend(next);
    }

    /// Those that are left come next.
    fn take_all(&mut self) {
        self.best.extend(self.left.iter().take(self.wanted - self.best.len()));
    }
}
