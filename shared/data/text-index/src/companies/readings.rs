//! Reading a search that no name matches without what people write beside names: state, legal form, branch, and place.

use std::io;

use domain::{
    Canton,
    additions::{Addition, LONGEST_ADDITION, addition},
    legal_forms::BRANCHES,
};

use super::{
    Companies,
    names::Search,
    schema::{Number, Term},
};
use crate::{
    codes,
    documents::Documents,
    names::{LONGEST_PLACE, MAX_WORDS, Names},
    words::bare,
};

impl Companies {
    /// The folded search without additions: with all other words, then with a place after the whole name of a company. And the
    /// branches, if the search names one and any match.
    pub(crate) fn readings(
        &self,
        text: &str,
        names: &Names<'_>,
    ) -> io::Result<(Vec<Search>, Option<Documents>)> {
        let words: Vec<&str> = text.split_ascii_whitespace().take(MAX_WORDS).collect();
        let (name, is_branch) = without_additions(&words);
        let mut readings = vec![self.as_written(name.join(" "), names)?];
        for end in (1..name.len()).rev().take(LONGEST_PLACE + 1) {
            let (name, place) = name.split_at(end);
            let mut found = self.located_in(&place.join(" "))?;
            if found.count() > 0 {
                let text = without_additions(name).0.join(" ");
                let mut named = self.none();
                self.terms(Term::BareName).add(bare(&text), &mut named)?;
                self.terms(Term::BareOtherName).add(bare(&text), &mut named)?;
                found.intersect(&named);
                readings.push(Search { words: text.clone(), text, as_written: found });
            }
        }
        let branches = is_branch.then(|| self.branches());
        let is_found = |branches: &Documents| {
            let mut matching = self.none();
            readings.iter().for_each(|it| matching.unite(&it.as_written));
            matching.intersect(branches);
            matching.count() > 0
        };
        let branches = branches.filter(is_found);
        Ok((readings, branches))
    }

    /// The companies with their seat in a place, written as folded words: a municipality, also after its postal code, or a canton.
    pub(crate) fn located_in(&self, place: &str) -> io::Result<Documents> {
        let is_code = |it: &str| it.len() == 4 && it.bytes().all(|it| it.is_ascii_digit());
        let place = match place.split_once(' ') {
            Some((code, town)) if is_code(code) => town,
            _ => place,
        };
        let mut found = self.seated_in([place])?;
        // `AG` after a comma is a legal form.
        if let (0, None, Ok(canton)) = (found.count(), addition(place), place.parse::<Canton>()) {
            found = self.every();
            let wanted = [codes::canton(canton)].into_iter().collect();
            self.column(Number::Canton).retain_any(&mut found, wanted);
        }
        Ok(found)
    }

    fn branches(&self) -> Documents {
        let mut branches = self.every();
        let wanted = BRANCHES.into_iter().map(codes::legal_form).collect();
        self.column(Number::LegalForm).retain_any(&mut branches, wanted);
        branches
    }
}

/// The words without those before a former name, without states and legal forms at the end, and without words for a branch after
/// the first word; and whether there was one of the latter. At least one word is left.
fn without_additions<'a>(words: &[&'a str]) -> (Vec<&'a str>, bool) {
    let mut rest = words.to_vec();
    while rest.len() > 1 && addition(rest[0]) == Some(Addition::Former) {
        rest.remove(0);
    }
    let mut is_branch = false;
    let mut at = rest.len();
    while at > 1 {
        at -= 1;
        // The longest addition that ends here, after at least one other word.
        let starts = at.saturating_sub(LONGEST_ADDITION - 1).max(1)..=at;
        let found = starts.into_iter().find_map(|start| {
            let kind = addition(&rest[start..=at].join(" "))?;
            let is_beside = match kind {
                Addition::Branch => true,
                Addition::State | Addition::LegalForm => at + 1 == rest.len(),
                Addition::Former => false,
            };
            is_beside.then_some((start, kind))
        });
        if let Some((start, kind)) = found {
            rest.drain(start..=at);
            is_branch |= kind == Addition::Branch;
            at = start;
        }
    }
    (rest, is_branch)
}
