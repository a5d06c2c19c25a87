//! How much of the texts of publications the reader understands.

use std::collections::BTreeMap;

use facts::Fact;
use jiff::civil::Date;
use statements::Statement;
use store::{COVERED_DAYS, Coverage};

/// The coverage by publication date, of the newest days only: reading a text once more for each of its sentences would make the
/// import of many years slow.
pub(crate) fn of(facts: &[Fact]) -> BTreeMap<Date, Coverage> {
    let publications = || {
        facts.iter().filter_map(|fact| match &fact.statement {
            Statement::Shab(publication) => Some((fact.published?, publication)),
            _ => None,
        })
    };
    let mut days: Vec<Date> = publications().map(|(day, _)| day).collect();
    days.sort_unstable();
    days.dedup();
    let oldest = days.iter().rev().nth(COVERED_DAYS - 1).or(days.first()).copied();
    let mut coverage: BTreeMap<Date, Coverage> = BTreeMap::new();
    for (day, publication) in publications().filter(|(day, _)| Some(*day) >= oldest) {
        let of_day = coverage.entry(day).or_default();
        of_day.publications += 1;
        for sentence in gazette_notice::coverage(&publication.text) {
            of_day.statements += 1;
            of_day.understood += u64::from(sentence.is_understood);
        }
    }
    coverage
}
