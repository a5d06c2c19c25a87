use jiff::civil::Date;
use obligations::CATALOGUE;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Category of a factor in the risk-based approach of the Financial Action Task Force (FATF, guidance to
/// Recommendation 1): `customer`, `country`, `product` (products and industries), `delivery` (how the relationship comes
/// about, for example through somebody else's address).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = RiskFactorCategory)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// Who the company is.
    Customer,
    /// Where its owners and officers are.
    Country,
    /// What it does.
    Product,
    /// How a relationship with it comes about.
    Delivery,
}

macro_rules! factors {
    ($($name:ident $code:tt $category:ident $weight:literal $condition:tt [$($obligation:literal)*])*) => {
        /// One of the nine factors: `ownership_opacity` (the ultimate owners cannot be seen), `sanctions_and_exposure`
        /// (the company, an owner or an officer is on a list of sanctions, warnings or politically exposed persons),
        /// `geography` (owned or directed from a country with strategic deficiencies in fighting money laundering),
        /// `industry` (exposed to insolvency or money laundering), `audit` (no independent auditor checks the accounts
        /// continuously), `board` (not stable, or its members act for many companies), `address` (no lasting premises
        /// of its own), `legal_form_and_capital` (the capital does not protect the creditors) or `age_and_status` (the
        /// company is about to end, or has ended).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
        #[schema(as = RiskFactorName)]
        pub enum FactorKind {
            $(#[doc = $condition] #[serde(rename = $code)] $name,)*
        }

        impl FactorKind {
            /// Every factor, in the order of answers.
            pub const ALL: [Self; 9] = [$(Self::$name),*];

            /// Name in responses.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$name => $code),* }
            }

            /// Category in the risk-based approach of the FATF.
            pub const fn category(self) -> Category {
                match self { $(Self::$name => Category::$category),* }
            }

            /// Its part of the weights of all factors, which sum to 1.
            pub fn weight(self) -> f64 {
                self.judged_weight() / WEIGHT_SCALE
            }

            /// Part of the change of its log-odds that counts in the composite, 0 to 1. Our judgement: the factors
            /// depend on each other (a company without a board often has no auditor), so all but the status of the company
            /// count less than 1; factors that weigh heavily in law (sanctions, countries) count more than signs that many
            /// sound companies show. An auditor or a waiver decides the factor `audit` and is no measure of the risk, so it counts
            /// least.
            const fn judged_weight(self) -> f64 {
                match self { $(Self::$name => $weight),* }
            }

            /// The condition whose probability the factor estimates.
            pub const fn condition(self) -> &'static str {
                match self { $(Self::$name => $condition),* }
            }

            /// Ids of the obligations that make the factor relevant.
            pub const fn obligations(self) -> &'static [&'static str] {
                match self { $(Self::$name => &[$($obligation),*]),* }
            }
        }
    };
}

factors! {
    OwnershipOpacity "ownership_opacity" Customer 0.6 "The last owners of the company cannot be seen." ["amla-4" "amlo-finma-9a" "leta-4" "fatf-24"]
    Listings "sanctions_and_exposure" Customer 0.8 "The company, an owner or an officer is on a list of sanctions, warnings or politically exposed persons." ["emba-2" "amla-6" "fatf-6" "fatf-12"]
    Geography "geography" Country 0.8 "The company is owned or directed from a country with strategic deficiencies in fighting money laundering." ["amlo-finma-13" "fatf-10"]
    Industry "industry" Product 0.3 "The industry of the company exposes it to insolvency or to money laundering." ["amlo-finma-13" "fatf-10"]
    Audit "audit" Customer 0.15 "No independent auditor checks the accounts continuously." ["co-727" "co-727a" "co-730a"]
    Board "board" Customer 0.4 "The board of the company is not stable, or its members act for many companies." ["co-716a" "co-718" "fatf-24"]
    Address "address" Delivery 0.4 "The company has no lasting premises of its own." ["amlo-finma-9a" "co-939"]
    Capital "legal_form_and_capital" Customer 0.4 "The capital of the company does not protect its creditors." ["co-725a" "co-725b"]
    Status "age_and_status" Customer 1.0 "The company is about to end, or has ended." ["co-725" "co-731b" "co-939"]
}

/// By what the weights are multiplied in the composite: their sum before they were made to sum to 1.
pub(crate) const WEIGHT_SCALE: f64 = {
    let (mut sum, mut at) = (0.0, 0);
    while at < FactorKind::ALL.len() {
        sum += FactorKind::ALL[at].judged_weight();
        at += 1;
    }
    sum
};

impl FactorKind {
    /// Those of [`Self::obligations`] that are in force on a day.
    pub fn obligations_on(self, day: Date) -> impl Iterator<Item = &'static str> {
        let is_in_force =
            move |id: &&str| CATALOGUE.obligation(id).is_some_and(|it| it.version(day).is_some());
        self.obligations().iter().copied().filter(is_in_force)
    }

    /// Position in [`Self::ALL`].
    pub(crate) fn index(self) -> usize {
        self as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_obligation_is_in_the_catalogue_and_only_those_in_force_are_named() {
        for id in FactorKind::ALL.into_iter().flat_map(|it| it.obligations()) {
            assert!(CATALOGUE.obligation(id).is_some(), "{id}");
        }
        let on = |day: Date| FactorKind::OwnershipOpacity.obligations_on(day).collect::<Vec<_>>();
        let first = jiff::civil::date(2026, 10, 1);
        assert!(on(first).contains(&"leta-4"));
        assert!(!on(first.yesterday().expect("a day")).contains(&"leta-4"));
    }

    #[test]
    fn order_of_the_factors_is_the_order_of_declaration() {
        for (at, factor) in FactorKind::ALL.into_iter().enumerate() {
            assert_eq!(factor.index(), at);
            assert_eq!(serde_json::to_value(factor).expect("json"), factor.code());
            assert!((0.0..=1.0).contains(&factor.judged_weight()), "{factor:?}");
        }
        let sum: f64 = FactorKind::ALL.into_iter().map(FactorKind::weight).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{sum}");
    }
}
