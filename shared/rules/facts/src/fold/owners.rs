//! The shares (quotas) of the partners of a limited liability company over time.
//!
//! An entry states the shares that its person holds from then on, or does not mention them: then they stay. The share of
//! the capital follows from the capital of the same day, so that a period also ends when the capital changes.

use domain::{
    Amount,
    legal_forms::LegalForm,
    owners::{Capital, LLC},
    persons::{Holding, HoldingPeriod, Mandate},
};
use gazette_notice::{CapitalKind, Change, Entry, EntryKind, Quota, ShareChange};
use jiff::civil::Date;

use super::ParsedPublication;
use crate::notice::amount;

/// What the publications so far state about the company that matters for its owners.
#[derive(Debug, Default)]
pub(super) struct OwnedCompany {
    capital: Option<Capital>,
    /// Whether it is a limited liability company. `None` while no publication states the legal form.
    is_llc: Option<bool>,
}

/// The shares in an entry.
pub(super) fn holding(quota: &Quota) -> Holding {
    let single = quota.total.filter(|_| quota.shares == Some(1));
    Holding {
        text: quota.text.clone(),
        count: quota.shares,
        nominal_value: quota.nominal_value.or(single).map(amount),
        total: quota.total.map(amount),
        currency: quota.currency.clone(),
    }
}

/// The shares of a person after an entry: `before` are those up to then.
pub(super) fn held_after(entry: &Entry, before: Option<&Holding>) -> Option<Holding> {
    if entry.kind == EntryKind::Left {
        return None;
    }
    match &entry.quota {
        Some(quota) if is_nothing(quota) => None,
        Some(quota) => Some(with_known_value(holding(quota), before)),
        None if gives_up_shares(entry) => None,
        None => match entry.share_change {
            None => before.cloned(),
            // How many the person has now is not known.
            Some(ShareChange::Unknown) => None,
            Some(ShareChange::By(more)) => before.and_then(|it| changed_by(it, more)),
        },
    }
}

/// The shares with the nominal value that was known before, if the entry states only their number: `reste titulaire de 20 parts`.
fn with_known_value(stated: Holding, before: Option<&Holding>) -> Holding {
    let value = before.and_then(|it| it.nominal_value);
    let is_number_only =
        stated.count.is_some() && stated.nominal_value.is_none() && stated.total.is_none();
    let (Some(value), Some(count), true) = (value, stated.count, is_number_only) else {
        return stated;
    };
    let total = i64::try_from(count).ok().and_then(|it| value.ten_thousandths().checked_mul(it));
    let currency = before.and_then(|it| it.currency.clone());
    Holding {
        nominal_value: Some(value),
        total: total.map(Amount::from_ten_thousandths),
        currency: stated.currency.clone().or(currency),
        ..stated
    }
}

/// The shares after a change of their number. `None` if it is not known how many the person had, or if none is left.
fn changed_by(before: &Holding, more: i64) -> Option<Holding> {
    let had = before.count?;
    let count = had.checked_add_signed(more).filter(|it| *it > 0)?;
    let value = before.nominal_value?;
    let number = had.to_string();
    let text = match before.text.contains(&number) {
        true => before.text.replacen(&number, &count.to_string(), 1),
        false => count.to_string(),
    };
    let total = value.ten_thousandths().checked_mul(i64::try_from(count).ok()?)?;
    let total = Some(Amount::from_ten_thousandths(total));
    Some(Holding { text, count: Some(count), total, ..before.clone() })
}

fn is_nothing(quota: &Quota) -> bool {
    quota.shares == Some(0) || quota.total.is_some_and(|it| it.ten_thousandths() == 0)
}

/// The word for a partner in each language, as a part of a lower-case text.
const PARTNER: [&str; 5] = ["gesellschafter", "associé", "socio", "socia", "soci "];

pub(super) fn names_partner(text: &str) -> bool {
    let text = text.to_lowercase();
    PARTNER.iter().any(|it| text.contains(it))
}

/// Whether an entry of a person who stays says that it is no longer a partner: `nicht mehr Gesellschafter`, or
/// `Geschäftsführer [bisher: Gesellschafter und Geschäftsführer]`.
fn gives_up_shares(entry: &Entry) -> bool {
    #[rustfmt::skip]
    const NO_LONGER: [&str; 12] = [
        "nicht mehr gesellschafter", "ohne stammanteil", "keine stammanteile", "keinen stammanteil", "n'est plus associé",
        "n’est plus associé", "ne détient plus", "sans part sociale", "non è più socio", "non è più socia",
        "non detiene più", "senza quote",
    ];
    let raw = entry.raw.to_lowercase();
    if NO_LONGER.iter().any(|it| raw.contains(it)) {
        return true;
    }
    let was_partner = entry.before.as_deref().is_some_and(names_partner);
    was_partner && entry.function.as_deref().is_some_and(|it| !names_partner(it))
}

impl OwnedCompany {
    /// Takes over what the next publication states: its block, or else its text.
    pub(super) fn apply(&mut self, publication: &ParsedPublication) {
        let block = publication.block();
        if let Some(code) = block.and_then(|it| it.legal_form_code.as_deref()) {
            self.is_llc = Some(code == LLC);
        }
        if let Some(value) = block.and_then(|it| it.capital) {
            // The blocks name a currency only if it is not the franc.
            let currency = block.and_then(|it| it.currency.clone());
            let currency = currency.unwrap_or_else(|| "CHF".to_owned());
            self.capital = Some(Capital { amount: value, currency });
        }
        if publication.after.is_some() {
            return;
        }
        for change in &publication.notice.changes {
            match change {
                Change::LegalForm { to } => {
                    let form = LegalForm::named(to);
                    self.is_llc = form.map(|it| it.code == LLC).or(self.is_llc);
                }
                Change::Capital {
                    capital: CapitalKind::Shares | CapitalKind::Quotas,
                    to,
                    currency,
                    ..
                } => {
                    let currency = currency.clone();
                    self.capital = currency.map(|it| Capital { amount: amount(*to), currency: it });
                }
                _ => {}
            }
        }
    }

    /// Whether these are shares of the company: limited partners answer for an amount, but hold no shares.
    fn has_shares(&self, holding: &Holding) -> bool {
        let text = holding.text.to_lowercase();
        let is_liability =
            ["kommandit", "commandit", "accomandit"].iter().any(|it| text.contains(it));
        self.is_llc != Some(false) && !is_liability
    }

    /// The shares of a person who leaves without having been known before.
    pub(super) fn held_until(
        &self,
        mandate: &Mandate,
        publication: &ParsedPublication,
    ) -> Vec<HoldingPeriod> {
        let holding = mandate.holding.as_ref().filter(|it| self.has_shares(it));
        let period = |it| HoldingPeriod {
            until: Some(publication.date),
            ..HoldingPeriod::of(it, None, None, publication.source.clone())
        };
        holding.map(period).into_iter().collect()
    }

    /// Starts and ends the periods of the mandates, after a publication has changed their shares.
    pub(super) fn settle(&self, mandates: &mut [Mandate], publication: &ParsedPublication) {
        let mut holders: Vec<(&mut Mandate, Option<HoldingPeriod>)> = mandates
            .iter_mut()
            .filter(|it| has_open_period(it) || (it.is_current() && it.holding.is_some()))
            .map(|it| {
                let next = self.period(it, publication);
                (it, next)
            })
            .collect();
        let values = holders.iter().map(|(_, next)| match next {
            Some(it) => (it.total, it.currency.as_deref()),
            None => (None, None),
        });
        let percentages = match &self.capital {
            Some(capital) => capital.percentages(values),
            None => vec![None; holders.len()],
        };
        for ((mandate, next), percentage) in holders.iter_mut().zip(percentages) {
            let next = next.take().map(|it| HoldingPeriod { percentage, ..it });
            settle(mandate, next, publication.date);
        }
    }

    /// The period that starts with a publication, if the mandate has shares.
    fn period(&self, mandate: &Mandate, publication: &ParsedPublication) -> Option<HoldingPeriod> {
        let holding = mandate.holding.as_ref().filter(|_| mandate.is_current())?;
        if !self.has_shares(holding) {
            return None;
        }
        // The first entry that is known of a person who was registered before does not say since when.
        let is_unknown = mandate.holdings.is_empty() && mandate.since.is_none();
        let since = (!is_unknown).then_some(publication.date);
        Some(HoldingPeriod::of(holding, None, since, publication.source.clone()))
    }
}

fn has_open_period(mandate: &Mandate) -> bool {
    mandate.holdings.last().is_some_and(|it| it.until.is_none())
}

/// Ends the open period of a mandate unless the next one continues it.
fn settle(mandate: &mut Mandate, next: Option<HoldingPeriod>, day: Date) {
    if let Some(open) = mandate.holdings.last_mut().filter(|it| it.until.is_none()) {
        let continues = next
            .as_ref()
            .is_some_and(|next| open.has_same_shares(next) && open.percentage == next.percentage);
        if continues {
            return;
        }
        open.until = Some(day);
    }
    mandate.holdings.extend(next);
}
