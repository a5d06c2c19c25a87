//! The companies most like one.

use std::cmp::Reverse;

use domain::{
    Uid,
    similarity::{
        AUDITOR_POINTS, CANTON_POINTS, CAPITAL_POINTS, INDUSTRY_POINTS, LEGAL_FORM_POINTS, Profile,
        Similarity, compare,
    },
};

use super::{Companies, schema::Number};
use crate::{Error, best::Best, codes, documents::Documents};

impl Companies {
    /// The companies most like the profile that are not deleted, the most alike first, equally
    /// alike ones by relevance; those that have nothing in common are left out.
    ///
    /// Capital in a currency that is none of the usual ones is like no other.
    pub fn similar(
        &self,
        profile: &Profile<'_>,
        except: Uid,
        limit: usize,
    ) -> Result<Vec<(Uid, Similarity)>, Error> {
        let mut candidates = self.living();
        candidates.subtract(&self.numbered(&[except])?);
        let industry = profile.industry.map(|it| codes::division_number(codes::noga(it)));
        let dimensions = [
            Dimension::new(Number::Noga, INDUSTRY_POINTS, industry),
            Dimension::new(Number::Canton, CANTON_POINTS, profile.canton.map(codes::canton)),
            Dimension::new(
                Number::LegalForm,
                LEGAL_FORM_POINTS,
                profile.legal_form_code.map(codes::legal_form),
            ),
            Dimension::new(
                Number::Auditor,
                AUDITOR_POINTS,
                profile.auditor_category.map(codes::auditor),
            ),
        ];
        let mut best = Best::new(limit);
        self.compare_all(profile, candidates, 0, &dimensions, &mut best);
        let answer = |(_, document): (Reverse<u32>, u32)| {
            Some((self.uid(document)?, compare(profile, &self.profile(document))))
        };
        Ok(best.into_sorted().into_iter().filter_map(answer).collect())
    }

    /// Offers the candidates, who have so many points already, unless all that may come to that
    /// does not lift them among the best: first those who share the next dimension, then the rest.
    fn compare_all(
        &self,
        profile: &Profile<'_>,
        candidates: Documents,
        points: u32,
        dimensions: &[Dimension],
        best: &mut Best<(Reverse<u32>, u32)>,
    ) {
        let capital = if profile.capital.is_some() { CAPITAL_POINTS } else { 0 };
        let at_best = points + capital + dimensions.iter().map(|it| it.points).sum::<u32>();
        let hopeless = |document, best: &Best<_>| {
            best.bar().is_some_and(|bar| (Reverse(at_best), document) >= bar)
        };
        if candidates.iter().next().is_none_or(|first| hopeless(first, best)) {
            return;
        }
        if let [next, rest @ ..] = dimensions {
            let mut shared = candidates.clone();
            self.column(next.number).retain(&mut shared, |it| next.is_shared_by(it));
            let mut others = candidates;
            others.subtract(&shared);
            self.compare_all(profile, shared, points + next.points, rest, best);
            self.compare_all(profile, others, points, rest, best);
            return;
        }
        for document in candidates.iter() {
            // The rest comes later and has no more to gain.
            if hopeless(document, best) {
                return;
            }
            let score = points + compare(&capital_of(profile), &self.capital(document)).score;
            if score > 0 {
                best.offer((Reverse(score), document));
            }
        }
    }

    fn profile(&self, document: u32) -> Profile<'static> {
        let number = |it: Number| self.column(it).get(document);
        Profile {
            industry: codes::division_of(number(Number::Noga)).map(|it| it.code),
            canton: codes::canton_of(number(Number::Canton)),
            legal_form_code: codes::legal_form_of(number(Number::LegalForm)).map(|it| it.code),
            auditor_category: codes::auditor_of(number(Number::Auditor)),
            ..self.capital(document)
        }
    }

    /// The capital and nothing else.
    fn capital(&self, document: u32) -> Profile<'static> {
        let currency = self.column(Number::Currency).get(document);
        let capital = codes::capital_of(self.column(Number::Capital).get(document));
        Profile {
            capital: capital.filter(|_| currency != codes::OTHER_CURRENCY),
            currency: codes::currency_of(currency),
            ..Profile::default()
        }
    }
}

/// A member that two companies share or not.
struct Dimension {
    number: Number,
    points: u32,
    /// What the profile has; `None` where that is not known.
    wanted: Option<u64>,
}

impl Dimension {
    fn new(number: Number, points: u32, wanted: Option<u64>) -> Self {
        // What is not known has the code 0 and is shared by nobody.
        Self { number, points, wanted: wanted.filter(|it| *it > 0) }
    }

    fn is_shared_by(&self, value: u64) -> bool {
        let kind = if self.number == Number::Noga { codes::division_number(value) } else { value };
        self.wanted == Some(kind)
    }
}

/// The capital and nothing else.
fn capital_of<'a>(profile: &Profile<'a>) -> Profile<'a> {
    Profile { capital: profile.capital, currency: profile.currency, ..Profile::default() }
}
