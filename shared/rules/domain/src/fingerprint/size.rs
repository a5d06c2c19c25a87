use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Amount, AuditorCategory, Company};

/// Size of a company by its number of employees: `micro` below 10, `small` below 50, `medium` below 250, `large` from
/// 250.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SizeCategory {
    /// Fewer than 10 employees.
    Micro,
    /// 10 to 49 employees.
    Small,
    /// 50 to 249 employees.
    Medium,
    /// 250 or more employees.
    Large,
}

impl SizeCategory {
    /// Name in requests and responses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Micro => "micro",
            Self::Small => "small",
            Self::Medium => "medium",
            Self::Large => "large",
        }
    }
}

/// Fact on which an estimated size is based.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum SizeBasis {
    /// Number of employees.
    Employees,
    /// The company waived the limited audit, or the foundation is exempt from having an auditor.
    AuditOptOut,
    /// Nominal capital.
    Capital,
    /// Category of the auditor.
    Auditor,
}

/// What an estimate of the size is based on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SizeFacts {
    /// Number of employees.
    pub employees: Option<u32>,
    /// Whether the company has no auditor because it waived the limited audit, or because the foundation is exempt.
    pub is_without_audit: bool,
    /// Nominal capital in a currency that counts at par.
    pub capital: Option<Amount>,
    /// Category of the auditor.
    pub auditor: Option<AuditorCategory>,
}

/// Whether capital in this currency counts at par: CHF, EUR, USD and GBP do, and capital without a currency.
pub fn counts_at_par(currency: Option<&str>) -> bool {
    currency.is_none_or(|it| ["CHF", "EUR", "USD", "GBP"].contains(&it))
}

/// Estimates the size of a company, as [`SizeFacts::size`].
pub fn size(company: &Company) -> Option<(SizeCategory, SizeBasis)> {
    let counts = counts_at_par(company.currency.as_deref());
    let facts = SizeFacts {
        employees: company.employee_count,
        is_without_audit: company.auditor_opt_out == Some(true) && company.auditor_name.is_none(),
        capital: company.share_capital.filter(|_| counts),
        auditor: company.auditor_category,
    };
    facts.size()
}

impl SizeFacts {
    /// Estimates the size of a company, and states on which fact the estimate is based. `None` if no such
    /// fact is known.
    ///
    /// The limits by employees are those of the Federal Statistical Office. Only companies with up to ten
    /// full-time positions may waive the audit (CO 727a). CHF, EUR, USD and GBP count at par; capital in another
    /// currency is ignored.
    pub fn size(self) -> Option<(SizeCategory, SizeBasis)> {
        use SizeCategory::{Large, Medium, Micro, Small};
        if let Some(employees) = self.employees {
            let size = match employees {
                ..10 => Micro,
                10..50 => Small,
                50..250 => Medium,
                250.. => Large,
            };
            return Some((size, SizeBasis::Employees));
        }
        if self.is_without_audit {
            return Some((Micro, SizeBasis::AuditOptOut));
        }
        let by_capital = self.capital.map(|it| match it {
            it if it >= Amount::units(10_000_000) => Large,
            it if it >= Amount::units(1_000_000) => Medium,
            _ => Small,
        });
        let by_auditor = self.auditor.and_then(|it| match it {
            it if AuditorCategory::BIG_FOUR.contains(&it) => Some(Large),
            AuditorCategory::Big4Competitor => Some(Medium),
            AuditorCategory::None => None,
            _ => Some(Small),
        });
        let rank = |it: &(SizeCategory, SizeBasis)| it.0 as u8;
        let capital = by_capital.map(|it| (it, SizeBasis::Capital));
        let auditor = by_auditor.map(|it| (it, SizeBasis::Auditor));
        // The larger of the two. If they are equal, the capital, because the company itself decides on it.
        auditor.into_iter().chain(capital).max_by_key(rank)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_is_based_on_employees_then_opt_out_then_capital_or_auditor() {
        use SizeBasis::{AuditOptOut, Auditor, Capital, Employees};
        use SizeCategory::{Large, Medium, Micro, Small};
        let size_with = |change: &dyn Fn(&mut Company)| {
            let uid = "CHE-107.787.577".parse().expect("well-formed");
            let mut company = Company::new(uid, "Muster AG");
            change(&mut company);
            size(&company.completed())
        };
        assert_eq!(size_with(&|_| {}), None);
        for (employees, size) in [(0, Micro), (9, Micro), (10, Small), (50, Medium), (250, Large)] {
            let found = size_with(&|it| it.employee_count = Some(employees));
            assert_eq!(found, Some((size, Employees)), "{employees}");
        }
        assert_eq!(size_with(&|it| it.auditor_opt_out = Some(true)), Some((Micro, AuditOptOut)));
        let capital = |units| size_with(&|it| it.share_capital = Some(Amount::units(units)));
        assert_eq!(capital(100_000), Some((Small, Capital)));
        assert_eq!(capital(1_000_000), Some((Medium, Capital)));
        assert_eq!(capital(10_000_000), Some((Large, Capital)));
        let audited = size_with(&|it| {
            it.share_capital = Some(Amount::units(100_000));
            it.auditor_name = Some("KPMG AG".to_owned());
        });
        assert_eq!(audited, Some((Large, Auditor)));
        let yen = size_with(&|it| {
            it.share_capital = Some(Amount::units(100_000_000));
            it.currency = Some("JPY".to_owned());
        });
        assert_eq!(yen, None);
    }
}
