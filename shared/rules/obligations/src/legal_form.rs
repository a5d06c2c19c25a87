//! The codes of the legal forms that rules name.

pub(crate) use domain::legal_forms::{FOREIGN_BRANCH, SWISS_BRANCH};

/// Corporation.
pub(crate) const AG: &str = "0106";
/// Corporation with unlimited partners.
pub(crate) const KMAG: &str = "0105";
/// Limited liability company.
pub(crate) const GMBH: &str = "0107";
/// Cooperative.
pub(crate) const COOPERATIVE: &str = "0108";
pub(crate) const ASSOCIATION: &str = "0109";
pub(crate) const FOUNDATION: &str = "0110";
pub(crate) const SOLE_PROPRIETORSHIP: &str = "0101";
pub(crate) const GENERAL_PARTNERSHIP: &str = "0103";
pub(crate) const LIMITED_PARTNERSHIP: &str = "0104";
/// Institute of public law.
pub(crate) const INSTITUTE: &str = "0117";
/// Special legal forms, such as corporations that an act of the Confederation or a canton created.
pub(crate) const SPECIAL: &str = "0113";
pub(crate) const KMGK: &str = "0114";
pub(crate) const SICAV: &str = "0115";
pub(crate) const SICAF: &str = "0116";
