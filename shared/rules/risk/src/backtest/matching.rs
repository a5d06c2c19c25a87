use std::collections::BTreeMap;

use jiff::civil::Date;

/// A company that failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Legal form: only survivors of the same form match.
    pub legal_form: String,
    /// Day of the entry in the register.
    pub registered: Date,
    /// Day of the failure.
    pub failed: Date,
}

/// A company that may have survived.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Legal form.
    pub legal_form: String,
    /// Day of the entry in the register.
    pub registered: Date,
    /// Day of its own end. `None` if it is registered and not in liquidation.
    pub ended: Option<Date>,
}

/// A case, and the survivors that match it, as positions in the lists.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// Position of the case.
    pub case: usize,
    /// Positions of the survivors, the most similar first.
    pub survivors: Vec<usize>,
}

/// For each case up to `per_case` survivors of the same legal form whose entry in the register is nearest to that of the
/// case. A survivor was registered a year before the failure, and had not ended on its day. Each candidate is used once:
/// cases choose in the order of the list.
pub fn match_survivors(cases: &[Case], candidates: &[Candidate], per_case: usize) -> Vec<Match> {
    let mut by_form: BTreeMap<&str, Vec<(Date, usize)>> = BTreeMap::new();
    for (at, candidate) in candidates.iter().enumerate() {
        by_form.entry(&candidate.legal_form).or_default().push((candidate.registered, at));
    }
    by_form.values_mut().for_each(|it| it.sort_unstable());
    let mut is_used = vec![false; candidates.len()];
    let matched = cases.iter().enumerate().map(|(case_at, case)| {
        let same_form = by_form.get(case.legal_form.as_str()).map_or(&[][..], Vec::as_slice);
        let distance = |it: &(Date, usize)| (it.0 - case.registered).get_days().abs();
        let start = same_form.partition_point(|it| it.0 < case.registered);
        // Two lists that begin at the case and become less similar.
        let (mut older, mut younger) =
            (same_form[..start].iter().rev().peekable(), same_form[start..].iter().peekable());
        let mut survivors = Vec::new();
        while survivors.len() < per_case {
            let next = match (older.peek(), younger.peek()) {
                (Some(one), Some(other)) if distance(one) < distance(other) => older.next(),
                (_, Some(_)) => younger.next(),
                (_, None) => older.next(),
            };
            let Some((registered, at)) = next else { break };
            let has_survived = candidates[*at].ended.is_none_or(|it| it > case.failed);
            let was_there = (case.failed - *registered).get_days() >= 365;
            if has_survived && was_there && !is_used[*at] {
                is_used[*at] = true;
                survivors.push(*at);
            }
        }
        Match { case: case_at, survivors }
    });
    matched.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Date {
        text.parse().expect("a day")
    }

    fn candidate(form: &str, registered: &str, ended: Option<&str>) -> Candidate {
        Candidate { legal_form: form.into(), registered: day(registered), ended: ended.map(day) }
    }

    #[test]
    fn survivors_have_the_form_of_the_case_and_a_similar_age() {
        let case = |registered| Case {
            legal_form: "0107".into(),
            registered: day(registered),
            failed: day("2020-06-01"),
        };
        let candidates = [
            candidate("0106", "2010-01-01", None),
            candidate("0107", "2010-03-01", None),
            candidate("0107", "2009-12-01", Some("2020-05-31")),
            candidate("0107", "2009-11-01", Some("2020-06-02")),
            candidate("0107", "2019-12-01", None),
            candidate("0107", "2015-01-01", None),
        ];
        let matches = match_survivors(&[case("2010-01-01"), case("2010-01-01")], &candidates, 2);
        // 1 is two months younger, 3 two months older; 2 had ended; 4 was not registered a year before; 0 has another form.
        assert_eq!(matches[0], Match { case: 0, survivors: vec![1, 3] });
        assert_eq!(matches[1].survivors, [5], "each candidate is used once");
    }

    #[test]
    fn case_without_survivors_has_none() {
        let case = Case {
            legal_form: "0106".into(),
            registered: day("2010-01-01"),
            failed: day("2020-01-01"),
        };
        assert_eq!(match_survivors(&[case], &[], 3)[0].survivors, Vec::<usize>::new());
    }
}
