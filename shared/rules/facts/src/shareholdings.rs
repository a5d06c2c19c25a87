//! Selection among the disclosures of significant shareholders.

use std::collections::BTreeMap;

use domain::{
    statements::{Statement, six::Shareholding},
    text,
};

use crate::Fact;

/// The latest disclosure of each shareholder of a listed company, with its fact. Earlier versions of a corrected
/// disclosure are left out. The facts can be in any order, and can contain other statements.
pub fn latest_disclosures(facts: &[Fact]) -> Vec<(&Shareholding, &Fact)> {
    let mut disclosures: Vec<(&Shareholding, &Fact)> = facts
        .iter()
        .filter_map(|fact| match &fact.statement {
            Statement::Shareholding(holding) => Some((&**holding, fact)),
            _ => None,
        })
        .collect();
    disclosures.sort_by_key(|(it, fact)| (it.published, it.transaction, &fact.fingerprint));
    // A correction may name another holder than the disclosure did.
    let by_id: BTreeMap<&str, _> = disclosures.iter().map(|it| (it.0.id.as_str(), *it)).collect();
    let latest_versions =
        disclosures.into_iter().filter(|(it, fact)| by_id[it.id.as_str()].1 == *fact);
    let by_holder: BTreeMap<Vec<String>, _> =
        latest_versions.map(|it| (holder(it.0), it)).collect();
    by_holder.into_values().collect()
}

/// The key that identifies a holder: the beneficial owners, or else the direct shareholders, sorted. A
/// disclosure without names gets a key of its own.
fn holder(holding: &Shareholding) -> Vec<String> {
    let named = [&holding.beneficial_owners, &holding.shareholders];
    let names = named.into_iter().find(|it| !it.is_empty());
    let mut names: Vec<String> = match names {
        Some(names) => names.iter().map(|it| text::fold(it)).collect(),
        None => vec![holding.id.clone()],
    };
    names.sort_unstable();
    names
}

#[cfg(test)]
mod tests {
    use domain::{Source, Uid, statements::CompanyStatement};
    use jiff::civil::date;

    use super::*;

    fn disclosure(id: &str, day: i8, holder: &str, percent: f64) -> Fact {
        let published = date(2026, 1, day);
        let holding = Shareholding {
            id: id.into(),
            issuer: "Muster AG".into(),
            issuer_id: None,
            published,
            transaction: None,
            purchase_rate: Some(percent),
            sale_rate: None,
            below_threshold: None,
            shareholders: Vec::new(),
            beneficial_owners: vec![holder.into()],
            reasons: Vec::new(),
        };
        Fact::from(CompanyStatement {
            uid: Uid::from_number(600_000_012).expect("nine digits"),
            source: Source::Six,
            published: Some(published),
            statement: Statement::Shareholding(Box::new(holding)),
        })
    }

    fn latest(facts: &[Fact]) -> Vec<(&str, Option<f64>)> {
        let disclosures = latest_disclosures(facts).into_iter();
        disclosures.map(|(it, _)| (it.beneficial_owners[0].as_str(), it.purchase_rate)).collect()
    }

    #[test]
    fn only_the_latest_disclosure_of_each_holder_counts_in_any_order() {
        let mut facts = vec![
            disclosure("T1", 5, "Holder A", 5.0),
            disclosure("T2", 9, "HOLDER A", 12.0),
            disclosure("T3", 7, "Holder B", 3.0),
        ];
        let expected = [("HOLDER A", Some(12.0)), ("Holder B", Some(3.0))];
        assert_eq!(latest(&facts), expected);
        facts.reverse();
        assert_eq!(latest(&facts), expected);
    }

    #[test]
    fn a_correction_replaces_a_disclosure_although_it_names_another_holder() {
        let facts = [disclosure("T1", 5, "Holder A", 5.0), disclosure("T1", 6, "Holder C", 5.0)];
        assert_eq!(latest(&facts), [("Holder C", Some(5.0))]);
    }
}
