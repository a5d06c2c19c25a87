//! Ranking of the companies that match a search.
//!
//! | Tier | Companies                                                              |
//! |------|------------------------------------------------------------------------|
//! | 1    | have this name and the legal form of the search                        |
//! | 2    | have this name with any legal form                                     |
//! | 3    | have it as former name or as translation                               |
//! | 4    | have a name that starts with the search                                |
//! | 5    | have such a former name or translation                                 |
//! | 6    | match every word of the search                                         |
//! | 7    | match them with typos                                                  |
//!
//! Within a tier, companies are sorted by relevance. Only the tiers needed for the page are computed.

use std::io;

use super::{
    Companies,
    names::{Named, Search},
    schema::{Number, Term},
};
use crate::{documents::Documents, tiers::Tiers, words::bare};

/// Maximum number of names to look up by prefix. If more names match, scanning finds enough of them quickly.
const FEW_NAMES: u64 = 1_000;

impl Companies {
    /// The first `wanted` companies of those found.
    pub(crate) fn ranked(&self, found: &Named, wanted: usize) -> io::Result<Vec<u32>> {
        let mut ranking = Tiers::new(&found.all, wanted);
        for search in &found.searches {
            self.rank(search, &mut ranking)?;
        }
        Ok(ranking.into_best())
    }

    fn rank(&self, search: &Search, ranking: &mut Tiers) -> io::Result<()> {
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

    fn rank_name_beginnings(&self, beginning: &str, ranking: &mut Tiers) -> io::Result<()> {
        let places = self.terms(Term::Name).places_of_beginning(beginning)?;
        if places.end - places.start <= FEW_NAMES {
            let mut names = self.none();
            self.terms(Term::Name).add_beginning(beginning, &mut names)?;
            ranking.take(&names);
        } else {
            // Ranks start at 1.
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
