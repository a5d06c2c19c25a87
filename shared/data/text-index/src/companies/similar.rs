//! Companies similar to a profile.

use std::cmp::Reverse;

use domain::{
    Uid,
    similar_companies::{
        AUDITOR_POINTS, CANTON_POINTS, CAPITAL_POINTS, INDUSTRY_POINTS, LEGAL_FORM_POINTS, Profile,
        Similarity, compare,
    },
};

use super::{Companies, schema::Number};
use crate::{Error, best::Best, codes, documents::Documents};

impl Companies {
    /// The companies that are most similar to the profile, by score, then by relevance. Deleted companies and
    /// those with a score of 0 are left out.
    ///
    /// Capital in an unusual currency is never similar to another.
    pub fn similar(
        &self,
        profile: &Profile<'_>,
        except: Uid,
        limit: usize,
    ) -> Result<Vec<(Uid, Similarity)>, Error> {
        let mut candidates = self.not_deleted();
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

    /// Offers the candidates, which already have `points`, unless the points they can still get are not enough
    /// for the best. Candidates that share the next dimension come first, then the rest.
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
            // The rest comes later and cannot get more points.
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

    /// A profile with the capital only.
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

/// A member that two companies may have in common.
struct Dimension {
    number: Number,
    points: u32,
    /// The value in the profile. `None`: not known.
    wanted: Option<u64>,
}

impl Dimension {
    fn new(number: Number, points: u32, wanted: Option<u64>) -> Self {
        // Code 0 means not known and is never shared.
        Self { number, points, wanted: wanted.filter(|it| *it > 0) }
    }

    fn is_shared_by(&self, value: u64) -> bool {
        let kind = if self.number == Number::Noga { codes::division_number(value) } else { value };
        self.wanted == Some(kind)
    }
}

/// A profile with the capital only.
fn capital_of<'a>(profile: &Profile<'a>) -> Profile<'a> {
    Profile { capital: profile.capital, currency: profile.currency, ..Profile::default() }
}
