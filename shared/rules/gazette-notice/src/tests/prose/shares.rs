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

#[test]
fn a_number_without_a_noun_is_a_part_of_the_shares_named_before() {
    assert_stated(
        &[
            (
                "{A}, associé pour 10 parts de CHF 1'000, en a cédé 4 à {B}, de {B o}, à {B r}.",
                &["~ {A:} | 6 | 6000", "+ {B:} | 4 | 4000"],
            ),
            (
                "{A}, titulaire de 20 parts de CHF 1'000, en cède huit à {B}, de {B o}, à {B r}.",
                &["~ {A:} | 12 | 12000", "+ {B:} | 8 | 8000"],
            ),
            (
                "{A}, titulaire de 20 parts de CHF 1'000, en cède 20 à {B}, de {B o}, à {B r}.",
                &["- {A:} |  | ", "+ {B:} | 20 | 20000"],
            ),
            (
                "{A}, Gesellschafter mit 20 Stammanteilen zu CHF 1'000.00, hat davon 8 an {B}, von {B o}, in {B r}, abgetreten.",
                &["~ {A:} | 12 | 12000", "+ {B:} | 8 | 8000"],
            ),
            (
                "{A}, socio per 20 quote da CHF 1'000.00, ne ha cedute 8 a {B}, da {B o}, in {B r}, nuova socia.",
                &["~ {A:} | 12 | 12000", "+ {B:} | 8 | 8000"],
            ),
            (
                "{A}, Inhaber von 20 Stammanteilen zu CHF 1'000.00, überträgt 5 Stammanteile an {B}, von {B o}, in {B r}.",
                &["~ {A:} | 15 | 15000", "+ {B:} | 5 | 5000"],
            ),
            (
                "{A} a cédé 5 parts de CHF 1'000 à l'associée {B}.",
                &["~ {A:} |  | ", "~ {B:} |  | "],
            ),
            (
                "{A} ha ceduto 15 quote da CHF 500.00 al socio {B}, e 25 a {C}, da {C o}, in {C r}, nuova socia.",
                &["~ {A:} |  | ", "~ {B:} |  | ", "+ {C:} |  | "],
            ),
            // How many each buyer gets, and what is left, is not read.
            (
                "{A}, titulaire de 20 parts de CHF 1'000, en cède 8 à {B}, de {B o}, à {B r}, et 12 à {C}, de {C o}, à {C r}.",
                &["~ {A:} |  | ", "+ {B:} |  | ", "+ {C:} |  | "],
            ),
            (
                "{A}, désormais titulaire de 15 parts de CHF 1'000, a cédé 5 parts à {B}, de {B o}, à {B r}.",
                &["~ {A:} |  | ", "+ {B:} | 5 | "],
            ),
        ],
        shares,
    );
}

#[test]
fn what_a_buyer_has_now_is_not_given_away() {
    assert_stated(
        &[
            (
                "{A} n'est plus associé; il a cédé ses 8 parts de CHF 500 à l'associée-gérante {B}, désormais titulaire de 40 parts de CHF 500, qui continue à signer individuellement.",
                &["- {A:} | 8 | 4000", "~ {B:} | 40 | 20000"],
            ),
            (
                "{A} n'est plus associée. Elle a cédé ses 8 parts de CHF 500 à l'associé {B}, maintenant titulaire de 40 parts de CHF 500.",
                &["- {A:} | 8 | 4000", "~ {B:} | 40 | 20000"],
            ),
            (
                "{A} non è più socio; ha ceduto le sue 8 quote da CHF 500 al socio {B}, ora titolare di 40 quote da CHF 500.",
                &["- {A:} | 8 | 4000", "~ {B:} | 40 | 20000"],
            ),
        ],
        shares,
    );
}
