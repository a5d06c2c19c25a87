mod changes;
mod company;
mod entries;
mod equity;
mod existence;
mod formalities;
mod joining;
mod limits;
mod misread;
mod prose;

const ENTERED: &str = "Eingetragene Personen neu oder mutierend:";

/// A whole number as the parser returns it.
pub(crate) const fn decimal(number: i64) -> crate::Decimal {
    crate::Decimal::from_ten_thousandths(number * 10_000)
}
