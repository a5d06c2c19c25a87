//! How much of the texts of publications the reader understands.

use std::collections::BTreeMap;

use domain::statements::Statement;
use facts::Fact;
use jiff::civil::Date;
use store::{COVERED_DAYS, Coverage, SourceStatus};

/// The coverage by publication date. `status` is that of the source: days that are too old for it are left out, because reading a
/// text once more for each of its sentences would make the import of many years slow.
pub(crate) fn of(facts: &[Fact], status: &SourceStatus) -> BTreeMap<Date, Coverage> {
    let mut texts: BTreeMap<Date, Vec<&str>> = BTreeMap::new();
    for fact in facts {
        if let (Statement::Shab(publication), Some(day)) = (&fact.statement, fact.published) {
            texts.entry(day).or_default().push(&publication.text);
        }
    }
    let oldest = status.coverage.keys().rev().nth(COVERED_DAYS - 1);
    let days = texts.into_iter().rev().take(COVERED_DAYS);
    let days = days.take_while(|(day, _)| oldest.is_none_or(|oldest| day >= oldest));
    days.map(|(day, texts)| (day, of_texts(&texts))).collect()
}

fn of_texts(texts: &[&str]) -> Coverage {
    let mut coverage = Coverage { publications: texts.len() as u64, ..Coverage::default() };
    for sentence in texts.iter().flat_map(|it| gazette_notice::coverage(it)) {
        coverage.statements += 1;
        coverage.understood += u64::from(sentence.is_understood);
    }
    coverage
}
