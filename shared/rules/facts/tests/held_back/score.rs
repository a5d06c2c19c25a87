//! Counts what is right, wrong and missed.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    ops::AddAssign,
};

use domain::text::fold;

use crate::{
    expected::{Expected, Person},
    persons::differences,
    stated::{self, Stated},
};

/// Statements that are right, statements that are wrong, and those that are missed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    right: usize,
    wrong: usize,
    missed: usize,
}

impl Counts {
    fn of<T: Ord>(expected: &BTreeSet<T>, stated: &BTreeSet<T>) -> Self {
        let right = expected.intersection(stated).count();
        Self { right, wrong: stated.len() - right, missed: expected.len() - right }
    }

    pub(crate) fn f1(self) -> f64 {
        let all = 2 * self.right + self.wrong + self.missed;
        if all == 0 { 1.0 } else { 2.0 * self.right as f64 / all as f64 }
    }

    fn share(self, of: usize) -> f64 {
        if of == 0 { 1.0 } else { self.right as f64 / of as f64 }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.missed += other.missed;
    }
}

/// Precision, recall and F1.
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let precision = self.share(self.right + self.wrong);
        let recall = self.share(self.right + self.missed);
        write!(f, "{precision:.3} {recall:.3} {:.3}", self.f1())
    }
}

/// The figures of several notices.
#[derive(Clone, Debug, Default)]
pub(crate) struct Score {
    pub(crate) notices: usize,
    /// Notices without any fault.
    faultless: usize,
    /// Persons and firms by action and name.
    pub(crate) persons: Counts,
    /// Persons and firms with function, signing authority, shares, origin and residence.
    pub(crate) exact: Counts,
    pub(crate) events: Counts,
    /// One statement for each notice.
    pub(crate) status: Counts,
    /// Notices with the right date of the decision, or rightly with none.
    decisions: usize,
    /// Number of faults of each kind.
    pub(crate) faults: BTreeMap<String, usize>,
}

impl Score {
    /// The figures of one notice.
    pub(crate) fn of(expected: &Expected, stated: &Stated) -> Self {
        let mut score = Self { notices: 1, ..Self::default() };
        score.add_persons(expected, &stated.persons);
        score.events = Counts::of(&expected.events, &stated.events);
        for missed in expected.events.difference(&stated.events) {
            score.add_fault(format!("event missed: {missed}"));
        }
        for wrong in stated.events.difference(&expected.events) {
            score.add_fault(format!("event wrong: {wrong}"));
        }
        let status = BTreeSet::from([expected.status_after.as_str()]);
        score.status = Counts::of(&status, &stated.status.into_iter().collect());
        if stated.status != Some(expected.status_after.as_str()) {
            let stated = stated.status.unwrap_or("none");
            score.add_fault(format!("status: {} stated as {stated}", expected.status_after));
        }
        let decisions: BTreeSet<_> = expected.court_date.into_iter().collect();
        if decisions == stated.decisions {
            score.decisions = 1;
        } else {
            let kind = match (decisions.is_empty(), stated.decisions.is_empty()) {
                (false, true) => "missed",
                _ => "wrong",
            };
            score.add_fault(format!("date of the decision {kind}"));
        }
        score.faultless = usize::from(score.faults.is_empty());
        score
    }

    fn add_persons(&mut self, expected: &Expected, stated: &[stated::Person]) {
        let is_tolerated = |it: &&stated::Person| {
            it.action == "changed"
                && expected.mentioned_unchanged.iter().any(|name| same(name, &it.name))
        };
        let mut rest: Vec<&stated::Person> = stated.iter().filter(|it| !is_tolerated(it)).collect();
        for person in &expected.persons {
            let is_named = |it: &&stated::Person| same(&it.name, &person.name);
            let is_same = |it: &&stated::Person| is_named(it) && it.action == person.action;
            if let Some(at) = rest.iter().position(is_same) {
                self.add_found(person, rest.remove(at));
                continue;
            }
            self.add_missed();
            match rest.iter().position(is_named) {
                Some(at) => {
                    let other = rest.remove(at).action;
                    self.add_wrong();
                    self.add_fault(format!("person who {} stated as {other}", person.action));
                }
                None => {
                    let kind = if person.name.contains(", ") { "person" } else { "firm" };
                    self.add_fault(format!(
                        "{kind} who {} missed{}",
                        person.action,
                        near(&rest, person)
                    ));
                }
            }
        }
        for wrong in rest {
            self.add_wrong();
            let kind = if wrong.name.contains(", ") { "person" } else { "firm" };
            self.add_fault(format!("{kind} wrongly stated as {}", wrong.action));
        }
    }

    fn add_missed(&mut self) {
        self.persons.missed += 1;
        self.exact.missed += 1;
    }

    fn add_wrong(&mut self) {
        self.persons.wrong += 1;
        self.exact.wrong += 1;
    }

    fn add_found(&mut self, expected: &Person, stated: &stated::Person) {
        self.persons.right += 1;
        let differences = differences(expected, stated);
        if differences.is_empty() {
            self.exact.right += 1;
        } else {
            self.exact.wrong += 1;
            self.exact.missed += 1;
        }
        for member in differences {
            self.add_fault(format!("{member} of a person who {}", expected.action));
        }
    }

    fn add_fault(&mut self, kind: String) {
        *self.faults.entry(kind).or_default() += 1;
    }

    /// Exact persons, events and status together.
    pub(crate) fn all(&self) -> Counts {
        let mut all = self.exact;
        all += self.events;
        all += self.status;
        all
    }
}

/// Whether a statement that is not expected has a name with the words of a missed person, or with some of them.
fn near(rest: &[&stated::Person], missed: &Person) -> &'static str {
    let words = |name: &str| -> BTreeSet<String> {
        fold(name).split_whitespace().map(str::to_owned).collect()
    };
    let missed = words(&missed.name);
    let all = rest.iter().map(|it| words(&it.name)).collect::<Vec<_>>();
    if all.contains(&missed) {
        ", stated with another division of the name"
    } else if all.iter().any(|it| it.is_superset(&missed)) {
        ", stated with more words in the name"
    } else if all.iter().any(|it| it.intersection(&missed).count() > 0) {
        ", stated with fewer or other words in the name"
    } else {
        ""
    }
}

impl AddAssign<&Self> for Score {
    fn add_assign(&mut self, other: &Self) {
        self.notices += other.notices;
        self.faultless += other.faultless;
        self.persons += other.persons;
        self.exact += other.exact;
        self.events += other.events;
        self.status += other.status;
        self.decisions += other.decisions;
        for (kind, count) in &other.faults {
            *self.faults.entry(kind.clone()).or_default() += count;
        }
    }
}

/// The heading of the table of [`Score`]s. The first four columns are precision, recall and F1; the last three are shares of the
/// notices, `faultless` of those without any fault.
pub(crate) const HEADING: &str = "notices | persons           | exact persons     | events            | all together      \
                                  | status, date of the decision, faultless";

/// One row of the table.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |count: usize| count as f64 / self.notices.max(1) as f64;
        let Self { notices, persons, exact, events, .. } = self;
        let all = self.all();
        let shares = [self.status.right, self.decisions, self.faultless].map(share);
        let [status, decisions, faultless] = shares;
        write!(f, "{notices:7} | {persons} | {exact} | {events} | {all} | ")?;
        write!(f, "{status:.3} {decisions:.3} {faultless:.3}")
    }
}

/// Whether two names are equal without case, accents and punctuation. The comma between family name and first name counts.
fn same(one: &str, other: &str) -> bool {
    one.split(", ").map(fold).eq(other.split(", ").map(fold))
}
