use std::collections::BTreeMap;

use domain::{Provenance, text};
use jiff::civil::Date;
use serde::Serialize;
use serde_with::skip_serializing_none;
use sources::{Fact, Statement, six::Shareholding};
use utoipa::ToSchema;

/// Who holds voting rights of a listed company, by the holder's newest report to the exchange.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SignificantShareholder {
    /// Who holds directly, as reported.
    shareholders: Vec<String>,
    /// To whom it belongs in the end, as reported.
    beneficial_owners: Vec<String>,
    /// Of the voting rights, in percent: by shares and other purchase positions.
    voting_rights_percentage: Option<f64>,
    /// Of the voting rights, in percent: what sale positions could take away.
    sale_positions_percentage: Option<f64>,
    /// The threshold in percent below which the holding fell; how much is left need not be reported then.
    below_threshold_percentage: Option<f64>,
    /// The day on which the holding crossed a threshold.
    transaction_date: Option<Date>,
    /// Why it was reported.
    reasons: Vec<String>,
    /// The report, and the day of its publication.
    source: Provenance,
}

impl SignificantShareholder {
    fn of(holding: &Shareholding, fact: &Fact) -> Self {
        Self {
            shareholders: holding.shareholders.clone(),
            beneficial_owners: holding.beneficial_owners.clone(),
            voting_rights_percentage: holding.purchase_rate,
            sale_positions_percentage: holding.sale_rate,
            // Zero is how the exchange writes none.
            below_threshold_percentage: holding.below_threshold.filter(|it| *it > 0.0),
            transaction_date: holding.transaction,
            reasons: holding.reasons.clone(),
            source: fact.provenance(),
        }
    }

    fn is_below(&self) -> bool {
        self.below_threshold_percentage.is_some()
    }
}

/// Of each holder the newest report: those with most voting rights first, those who fell below a threshold
/// last.
pub(super) fn significant_shareholders(facts: &[Fact]) -> Vec<SignificantShareholder> {
    let mut reports: Vec<(&Shareholding, &Fact)> = facts
        .iter()
        .filter_map(|fact| match &fact.statement {
            Statement::Shareholding(holding) => Some((&**holding, fact)),
            _ => None,
        })
        .collect();
    reports.sort_by_key(|(it, fact)| (it.published, it.transaction, &fact.fingerprint));
    // A correction may name another holder than the report did.
    let by_report: BTreeMap<&str, _> =
        reports.iter().map(|report| (report.0.id.as_str(), *report)).collect();
    let standing = reports.into_iter().filter(|(it, fact)| by_report[it.id.as_str()].1 == *fact);
    let by_holder: BTreeMap<Vec<String>, _> =
        standing.map(|report| (holder(report.0), report)).collect();
    let mut holders: Vec<SignificantShareholder> =
        by_holder.into_values().map(|(it, fact)| SignificantShareholder::of(it, fact)).collect();
    let rate = |it: &SignificantShareholder| it.voting_rights_percentage.unwrap_or_default();
    holders.sort_by(|one, other| {
        one.is_below().cmp(&other.is_below()).then_with(|| rate(other).total_cmp(&rate(one)))
    });
    holders
}

/// By what a holder is told from others: to whom it belongs in the end, or else who holds directly, in any
/// order; a report without names is of nobody else.
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
