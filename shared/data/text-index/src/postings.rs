//! Terms and the documents that contain them.

use std::{io, iter, ops::Range, sync::Arc};

use tantivy::{
    InvertedIndexReader, Term,
    postings::{BlockSegmentPostings, TermInfo},
    query::FuzzyTermQuery,
    schema::Field,
    termdict::TermDictionary,
};

use crate::documents::Documents;

/// The terms of one field. Each lookup adds to a set of documents, so that several lookups form a union.
#[derive(Clone)]
pub(crate) struct Terms {
    field: Field,
    index: Arc<InvertedIndexReader>,
}

impl Terms {
    pub(crate) fn new(field: Field, index: Arc<InvertedIndexReader>) -> Self {
        Self { field, index }
    }

    /// Adds the documents with this term.
    pub(crate) fn add(&self, term: impl AsRef<[u8]>, to: &mut Documents) -> io::Result<()> {
        match self.dictionary().get(term)? {
            Some(term) => self.add_postings(&term, &mut BlockSegmentPostings::empty(), to),
            None => Ok(()),
        }
    }

    /// Adds the documents with a term that starts with `beginning`.
    pub(crate) fn add_beginning(&self, beginning: &str, to: &mut Documents) -> io::Result<()> {
        let range = self.dictionary().range().ge(beginning).lt(after_all(beginning));
        let mut terms = range.without_keys().into_stream()?;
        self.add_all(iter::from_fn(|| terms.advance().then(|| terms.value().clone())), to)
    }

    /// Adds the documents with a term within this number of typos: missing, extra, wrong or swapped
    /// letters (Damerau–Levenshtein distance).
    pub(crate) fn add_similar(&self, word: &str, typos: u8, to: &mut Documents) -> io::Result<()> {
        if typos == 0 {
            return self.add(word, to);
        }
        let automaton = self.near(word, typos).automaton().map_err(io::Error::other)?;
        let mut terms = self.dictionary().search(automaton).without_keys().into_stream()?;
        self.add_all(iter::from_fn(|| terms.advance().then(|| terms.value().clone())), to)
    }

    /// The terms within this number of typos, in order.
    pub(crate) fn similar(&self, word: &str, typos: u8) -> io::Result<Vec<String>> {
        let automaton = self.near(word, typos).automaton().map_err(io::Error::other)?;
        let mut terms = self.dictionary().search(automaton).into_stream()?;
        let mut similar = Vec::new();
        while terms.advance() {
            similar.extend(str::from_utf8(terms.key()).map(str::to_owned));
        }
        Ok(similar)
    }

    fn near(&self, word: &str, typos: u8) -> FuzzyTermQuery {
        FuzzyTermQuery::new(Term::from_field_text(self.field, word), typos, true)
    }

    /// Positions, among all terms in order, of the terms that start with `beginning`.
    pub(crate) fn places_of_beginning(&self, beginning: &str) -> io::Result<Range<u64>> {
        Ok(self.place_of(beginning.as_bytes())?..self.place_of(&after_all(beginning))?)
    }

    /// Number of terms before this one.
    fn place_of(&self, term: &[u8]) -> io::Result<u64> {
        let mut from_here = self.dictionary().range().ge(term).without_keys().into_stream()?;
        Ok(if from_here.advance() {
            from_here.term_ord()
        } else {
            self.dictionary().num_terms() as u64
        })
    }

    fn add_all(&self, terms: impl Iterator<Item = TermInfo>, to: &mut Documents) -> io::Result<()> {
        let mut postings = BlockSegmentPostings::empty();
        for term in terms {
            self.add_postings(&term, &mut postings, to)?;
        }
        Ok(())
    }

    fn add_postings(
        &self,
        term: &TermInfo,
        postings: &mut BlockSegmentPostings,
        to: &mut Documents,
    ) -> io::Result<()> {
        self.index.reset_block_postings_from_terminfo(term, postings)?;
        while !postings.docs().is_empty() {
            postings.docs().iter().for_each(|it| to.insert(*it));
            postings.advance();
        }
        Ok(())
    }

    fn dictionary(&self) -> &TermDictionary {
        self.index.terms()
    }
}

/// A text that sorts after every folded text with this prefix. Folded texts are ASCII.
fn after_all(beginning: &str) -> Vec<u8> {
    [beginning.as_bytes(), b"\x7f"].concat()
}
