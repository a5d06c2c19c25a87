//! How unusual the values of companies are among those of their peers.
//!
//! The robust z-score of a value is 0.6745 · (x − median) ÷ MAD, where MAD is the median of the distances from the median: like
//! deviations from the mean, but extreme values do not hide themselves (Iglewicz, Hoaglin 1993). If more than half of the values are
//! equal, MAD is 0, and the mean distance from the median replaces it: (x − median) ÷ (1.2533 · mean distance). If all values are
//! equal, the score is 0: the feature says nothing.

use domain::{noga, percentile};
use rustc_hash::FxHashMap;

use crate::{
    LegalFormCode, Noga,
    columns::Companies,
    features::{Features, MAX_FEATURES, Point},
    groups::{UNKNOWN, division_name},
    quantiles::median,
};

/// Fewer peers say too little.
pub const MIN_PEERS: usize = 30;

/// With whom companies are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Peers {
    /// Division and legal form.
    Division(Noga, LegalFormCode),
    /// Section and legal form, where the division has too few companies.
    Section(char, LegalFormCode),
    /// Legal form, where the section has too few, or the industry is unknown.
    LegalForm(LegalFormCode),
    /// All companies, where the legal form has too few or is unknown, or if the request compares with all.
    All,
}

impl Peers {
    /// Name of the peers: industry and legal form.
    pub fn name(self) -> String {
        match self {
            Self::Division(division, form) => {
                format!("{}, {}", division_name(division), form.name())
            }
            Self::Section(section, form) => {
                let name = noga::section(section).map_or(UNKNOWN, |it| it.name);
                format!("{name}, {}", form.name())
            }
            Self::LegalForm(form) => form.name(),
            Self::All => "All companies".to_owned(),
        }
    }
}

/// With whom a request compares companies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// With those of the same industry and legal form, because a bank is not unusual for being a bank.
    IndustryAndLegalForm,
    /// With all companies of the selection.
    None,
}

impl Comparison {
    /// Every comparison.
    pub const ALL: [Self; 2] = [Self::IndustryAndLegalForm, Self::None];

    /// Name in requests.
    pub fn name(self) -> &'static str {
        match self {
            Self::IndustryAndLegalForm => "industry_and_legal_form",
            Self::None => "none",
        }
    }

    /// The comparison with this name.
    pub fn named(given: &str) -> Result<Self, crate::InvalidRequest> {
        crate::groups::named("peers", given, Self::ALL, Self::name)
    }
}

/// The robust z-scores of companies among their peers.
pub(crate) struct Scores {
    /// The z-scores of each of the points.
    pub(crate) points: Vec<Point>,
    /// The number of the group of each point.
    group_of: Vec<u32>,
    groups: Vec<Group>,
}

/// Companies with whom others are compared.
struct Group {
    peers: Peers,
    /// The positions of the points of the companies.
    members: Vec<u32>,
    /// The scale of each feature.
    scales: Vec<Scale>,
}

impl Scores {
    /// The scores of the points. A company is one of its peers.
    pub(crate) fn of(companies: &Companies, features: &Features, comparison: Comparison) -> Self {
        let levels = Levels::of(companies, comparison);
        let (group_of, mut groups) = levels.groups(&features.rows);
        for group in &mut groups {
            let scale = |at| {
                let values =
                    group.members.iter().map(|it| f64::from(features.points[*it as usize][at]));
                Scale::of(&mut values.collect::<Vec<f64>>())
            };
            group.scales = (0..features.features.len()).map(scale).collect();
        }
        let scored = |(point, group): (&Point, &u32)| {
            let mut scores = [0.0; MAX_FEATURES];
            for (at, scale) in groups[*group as usize].scales.iter().enumerate() {
                scores[at] = scale.score(f64::from(point[at])) as f32;
            }
            scores
        };
        let points = features.points.iter().zip(&group_of).map(scored).collect();
        Self { points, group_of, groups }
    }

    /// The peers of a point and how many there are, with itself.
    pub(crate) fn peers(&self, at: usize) -> (Peers, usize) {
        let group = self.group(at);
        (group.peers, group.members.len())
    }

    /// Median and percentile of the scaled value of a feature of a point among its peers.
    pub(crate) fn among_peers(&self, features: &Features, at: usize, feature: usize) -> (f64, f64) {
        let group = self.group(at);
        let values =
            group.members.iter().map(|it| f64::from(features.points[*it as usize][feature]));
        let percentile = percentile(f64::from(features.points[at][feature]), values);
        (group.scales[feature].median, percentile.unwrap_or(50.0))
    }

    fn group(&self, at: usize) -> &Group {
        &self.groups[self.group_of[at] as usize]
    }
}

/// The middle of values and the distance that counts as 1.
struct Scale {
    median: f64,
    /// `None` if all values are equal.
    unit: Option<f64>,
}

/// The z-score of a normal distribution is 1 / 0.6745 MADs.
const NORMAL_MAD: f64 = 0.6745;
/// √(π ÷ 2): deviations in a mean distance of a normal distribution.
const NORMAL_MEAN_DISTANCE: f64 = 1.2533;

impl Scale {
    fn of(values: &mut [f64]) -> Self {
        let middle = median(values).unwrap_or_default();
        for value in values.iter_mut() {
            *value = (*value - middle).abs();
        }
        let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
        let mad = median(values).unwrap_or_default();
        let unit = if mad > 0.0 { mad / NORMAL_MAD } else { mean * NORMAL_MEAN_DISTANCE };
        Self { median: middle, unit: (unit > 0.0).then_some(unit) }
    }

    fn score(&self, value: f64) -> f64 {
        self.unit.map_or(0.0, |unit| (value - self.median) / unit)
    }
}

/// The levels at which a company can have peers.
struct Levels<'a> {
    companies: &'a Companies,
    comparison: Comparison,
    /// The section of each division.
    sections: FxHashMap<Noga, char>,
}

impl<'a> Levels<'a> {
    fn of(companies: &'a Companies, comparison: Comparison) -> Self {
        let section = |it: &noga::Division| Some((Noga::new(it.code)?, it.section));
        let sections = noga::DIVISIONS.iter().filter_map(section).collect();
        Self { companies, comparison, sections }
    }

    /// The levels of a company, the closest first.
    fn of_row(&self, row: u32) -> impl Iterator<Item = Peers> {
        let at = row as usize;
        let (form, division) = match self.comparison {
            Comparison::IndustryAndLegalForm => {
                (self.companies.legal_form[at], self.companies.noga[at].map(Noga::division))
            }
            Comparison::None => (None, None),
        };
        let section = division.and_then(|it| self.sections.get(&it)).copied();
        let levels = [
            form.zip(division).map(|(form, division)| Peers::Division(division, form)),
            form.zip(section).map(|(form, section)| Peers::Section(section, form)),
            form.map(Peers::LegalForm),
            Some(Peers::All),
        ];
        levels.into_iter().flatten()
    }

    /// The groups with which the rows are compared, and the number of the group of each. The group of a level has all companies
    /// of it, also those that have closer peers.
    fn groups(&self, rows: &[u32]) -> (Vec<u32>, Vec<Group>) {
        let mut counts: FxHashMap<Peers, usize> = FxHashMap::default();
        for level in rows.iter().flat_map(|it| self.of_row(*it)) {
            *counts.entry(level).or_default() += 1;
        }
        let has_enough = |it: &Peers| *it == Peers::All || counts[it] >= MIN_PEERS;
        let closest = rows.iter().map(|it| self.of_row(*it).find(has_enough).unwrap_or(Peers::All));
        let mut groups: Vec<Group> = Vec::new();
        let mut numbers: FxHashMap<Peers, u32> = FxHashMap::default();
        let mut group_of = Vec::with_capacity(rows.len());
        for peers in closest {
            group_of.push(*numbers.entry(peers).or_insert_with(|| {
                groups.push(Group { peers, members: Vec::new(), scales: Vec::new() });
                groups.len() as u32 - 1
            }));
        }
        for (at, row) in (0_u32..).zip(rows) {
            for number in self.of_row(*row).filter_map(|it| numbers.get(&it)) {
                groups[*number as usize].members.push(at);
            }
        }
        (group_of, groups)
    }
}

#[cfg(test)]
mod tests {
    use domain::Amount;

    use super::*;
    use crate::{
        Rows,
        columns::Changes,
        features::Feature,
        test::{companies, day},
    };

    #[test]
    fn scores_of_a_normal_distribution_are_its_deviations() {
        let mut random = crate::random::Random::new(1);
        let values: Vec<f64> = (0..20_000).map(|_| 5.0 + 3.0 * random.normal()).collect();
        let scale = Scale::of(&mut values.clone());
        assert!((scale.score(11.0) - 2.0).abs() < 0.05, "{}", scale.score(11.0));
        let mostly_equal = Scale::of(&mut [1.0, 1.0, 1.0, 1.0, 6.0]);
        assert!((mostly_equal.score(6.0) - 5.0 / 1.2533).abs() < 1e-9, "mean distance 1");
        assert_eq!(Scale::of(&mut [4.0; 9]).score(4.0), 0.0);
        assert_eq!(Scale::of(&mut []).score(4.0), 0.0);
        assert_eq!(Scale::of(&mut [4.0]).score(4.0), 0.0);
    }

    /// 40 banks and 20 insurers that are corporations, 10 banks of another form, 40 shops without an industry, one without anything.
    #[test]
    fn peers_are_of_the_closest_level_with_enough_companies() {
        let companies = companies(111, |at, row| {
            let (noga, form) = match at {
                0..40 => ("6419", "0106"),
                40..60 => ("6512", "0106"),
                60..70 => ("6419", "0108"),
                70..110 => ("", "0108"),
                _ => ("", ""),
            };
            row.noga = Noga::new(noga);
            row.legal_form = LegalFormCode::new(form);
            row.capital = Some(Amount::units(at as i64).into());
        });
        let all = Rows::all(111);
        let features = Features::of(
            &companies,
            &Changes::default(),
            &all,
            &[Feature::Capital],
            day("2026-11-30"),
        );
        let features = features.expect("valid");
        let scores = Scores::of(&companies, &features, Comparison::IndustryAndLegalForm);
        let kind = |peers: Peers| match peers {
            Peers::Division(..) => "industry_and_legal_form",
            Peers::Section(..) => "section_and_legal_form",
            Peers::LegalForm(_) => "legal_form",
            Peers::All => "all",
        };
        let peers = [0, 40, 60, 70, 110]
            .map(|it| scores.peers(it))
            .map(|(peers, count)| (kind(peers), count));
        let expected = [
            ("industry_and_legal_form", 40),
            ("section_and_legal_form", 60),
            ("legal_form", 50),
            ("legal_form", 50),
            ("all", 111),
        ];
        assert_eq!(peers, expected);
        assert_eq!(scores.peers(40).0.name(), "Finance and insurance, Aktiengesellschaft");
        assert_eq!(scores.among_peers(&features, 0, 0).1, 1.25, "the smallest of 40");
        let scores = Scores::of(&companies, &features, Comparison::None);
        assert!((0..111).all(|it| scores.peers(it) == (Peers::All, 111)));
    }
}
