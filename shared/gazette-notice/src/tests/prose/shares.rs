//! Transfers of the shares of a limited liability company.

use super::assert_stated;
use crate::*;

/// Kind, name, number and nominal value of all shares of each entry.
pub(super) fn shares(text: &str) -> Vec<String> {
    let shares = |entry: &Entry| {
        let name = match &entry.subject {
            Subject::Person { last_name, first_name, .. } => format!("{last_name}, {first_name}"),
            Subject::Entity { name, .. } => format!("[{name}]"),
        };
        let sign = match entry.kind {
            EntryKind::Entered => '+',
            EntryKind::Changed => '~',
            EntryKind::Left => '-',
        };
        let quota = entry.quota.as_ref();
        let count = quota.and_then(|it| it.shares).map_or_else(String::new, |it| it.to_string());
        let total = quota
            .and_then(|it| it.total)
            .map_or_else(String::new, |it| (it.ten_thousandths() / 10_000).to_string());
        format!("{sign} {name} | {count} | {total}")
    };
    read(text).entries.iter().map(shares).collect()
}

#[test]
fn transfers_state_the_shares_of_each() {
    assert_stated(
        &[
            (
                "{A} cède 60 de ses 150 parts de CHF 100 à {B}, de {B o}, à {B r}, et reste titulaire de 90 parts.",
                &["~ {A:} | 90 | 9000", "+ {B:} | 60 | 6000"],
            ),
            (
                "L'associé {A} a cédé ses 20 parts sociales de CHF 1'000 à {B}, de {B o}, à {B r}, nouvel associé; {A} n'est plus associé.",
                &["- {A:} | 20 | 20000", "+ {B:} | 20 | 20000"],
            ),
            (
                "{A}, de {A o}, à {A r}, acquiert 5 parts de CHF 100 de {B}.",
                &["+ {A:} | 5 | 500", "~ {B:} |  | "],
            ),
            (
                "{A} überträgt 40 seiner 100 Stammanteile zu je CHF 200.00 an {B}, von {B o}, in {B r}.",
                &["~ {A:} | 60 | 12000", "+ {B:} | 40 | 8000"],
            ),
            (
                "{A} hat 10 Stammanteile zu CHF 1'000.00 an {B}, von {B o}, in {B r}, abgetreten und hält noch 10 Stammanteile.",
                &["~ {A:} | 10 | 10000", "+ {B:} | 10 | 10000"],
            ),
            ("{A} hält neu 15 Stammanteile zu CHF 100.00.", &["~ {A:} | 15 | 1500"]),
            (
                "{A} cede 10 delle sue 20 quote da CHF 1'000.00 a {B}, da {B o}, in {B r}.",
                &["~ {A:} | 10 | 10000", "+ {B:} | 10 | 10000"],
            ),
            (
                "{A} ha ceduto 5 quote da CHF 1'000.00 a {B}, da {B o}, in {B r}, e rimane titolare di 15 quote.",
                &["~ {A:} | 15 | 15000", "+ {B:} | 5 | 5000"],
            ),
            (
                "Il socio {A} cede tutte le sue quote a {B}, da {B o}, in {B r}, che detiene 20 quote da CHF 1'000.00.",
                &["- {A:} |  | ", "+ {B:} | 20 | 20000"],
            ),
        ],
        shares,
    );
}
