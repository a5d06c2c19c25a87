use domain::{Provenance, statements::six::Shareholding};
use facts::{Fact, latest_disclosures};
use jiff::civil::Date;
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

/// A significant shareholder of a listed company, from the holder's latest disclosure to the stock exchange.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SignificantShareholder {
    /// Names of the direct shareholders, as disclosed.
    shareholders: Vec<String>,
    /// Names of the beneficial owners, as disclosed.
    beneficial_owners: Vec<String>,
    /// Voting rights from purchase positions, in percent: shares, and rights or duties to buy shares. Absent if not
    /// disclosed.
    voting_rights_percentage: Option<f64>,
    /// Voting rights from sale positions, in percent: rights or duties to sell shares, for example written call options.
    /// Absent if not disclosed.
    sale_positions_percentage: Option<f64>,
    /// Threshold below which the holding fell, in percent. The exact share need not be disclosed then. Absent
    /// otherwise.
    below_threshold_percentage: Option<f64>,
    /// Date when the holding crossed a threshold. Absent if not disclosed.
    transaction_date: Option<Date>,
    /// Reasons for the disclosure.
    reasons: Vec<String>,
    /// The disclosure and its date of publication.
    source: Provenance,
}

impl SignificantShareholder {
    fn of(holding: &Shareholding, fact: &Fact) -> Self {
        Self {
            shareholders: holding.shareholders.clone(),
            beneficial_owners: holding.beneficial_owners.clone(),
            // The exchange writes 0 for a share that need not be disclosed.
            voting_rights_percentage: holding.purchase_rate.filter(|it| *it > 0.0),
            sale_positions_percentage: holding.sale_rate,
            // And if there is no threshold.
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

/// The latest disclosure of each holder, largest voting share first. Holders that fell below a threshold come
/// last.
pub(super) fn significant_shareholders(facts: &[Fact]) -> Vec<SignificantShareholder> {
    let mut holders: Vec<SignificantShareholder> = latest_disclosures(facts)
        .into_iter()
        .map(|(it, fact)| SignificantShareholder::of(it, fact))
        .collect();
    let rate = |it: &SignificantShareholder| it.voting_rights_percentage.unwrap_or_default();
    holders.sort_by(|one, other| {
        one.is_below().cmp(&other.is_below()).then_with(|| rate(other).total_cmp(&rate(one)))
    });
    holders
}
