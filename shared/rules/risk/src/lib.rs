//! Risk of a company from nine factors, each with prior, evidence and posterior.
//!
//! Invariant: no I/O, no clock. Results depend on the arguments only, and not on the order of facts.
//!
//! # Model
//!
//! Each factor is a Beta-Bernoulli model of a condition ([`FactorKind::condition`]). The prior is a published or measured
//! rate, or a weak assumption where none was found ([`Priors`]). An observation ([`Sign`]) counts as a number of Bernoulli
//! trials: adverse ones are added to alpha, mitigating ones to beta. Events lose weight with age, states do not. The
//! composite adds the weighted changes of the log-odds to the log-odds of the base rate, and is mapped to 0–1 by the
//! logistic function ([`assess`]). [`methodology`] documents all of it from the same constants.
//!
//! What is not known leaves its factor at the prior, and the factor says so.
//!
//! Reading order: `factor`, `prior`, `sign`, `facts`, `observe`, `evidence`, `assessment`. [`backtest`] compares scores with
//! what happened later.

mod assemble;
mod assessment;
pub mod backtest;
pub mod countries;
mod evidence;
mod factor;
mod facts;
mod level;
mod measure;
mod methodology;
mod observe;
mod prior;
mod sign;
pub mod terms;

pub use assemble::Registered;
pub use assessment::{Assessment, FactorBreakdown, assess};
pub use evidence::{Evidence, MAX_ROWS};
pub use factor::{Category, FactorKind};
pub use facts::{
    AddressFacts, AuditFacts, BoardFacts, CapitalFacts, Concern, CountryLink, CountryRole, Dated,
    Facts, Identity, IndustryFacts, ListHit, OfficerMandates, OwnershipFacts, StatusFacts, Subject,
};
pub use level::RiskLevel;
pub use measure::{MeasuredRates, RateCounter};
pub use methodology::{
    CountryMethod, FactorMethod, Formula, LevelMethod, Methodology, SignMethod, methodology,
};
pub use observe::SHARED_ADDRESS;
pub use prior::{Beta, Prior, Priors, Rate, RateBasis};
pub use sign::{Direction, Sign};
