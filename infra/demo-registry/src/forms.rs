//! The legal forms of the register, by eCH-0097 code, and how common they are.

pub(crate) const SOLE_TRADER: &str = "0101";
pub(crate) const GENERAL_PARTNERSHIP: &str = "0103";
pub(crate) const LIMITED_PARTNERSHIP: &str = "0104";
pub(crate) const CORPORATION: &str = "0106";
pub(crate) const LIMITED_LIABILITY: &str = "0107";
pub(crate) const COOPERATIVE: &str = "0108";
pub(crate) const ASSOCIATION: &str = "0109";
pub(crate) const FOUNDATION: &str = "0110";
pub(crate) const FOREIGN_BRANCH: &str = "0111";
pub(crate) const PUBLIC_INSTITUTION: &str = "0117";
pub(crate) const BRANCH: &str = "0151";

/// How many companies of ten thousand have each legal form.
#[rustfmt::skip]
pub(crate) const FORMS: [(u32, &str); 11] = [
    (3360, LIMITED_LIABILITY),
    (3050, CORPORATION),
    (2470, SOLE_TRADER),
    ( 305, BRANCH),
    ( 205, FOUNDATION),
    ( 175, GENERAL_PARTNERSHIP),
    ( 155, ASSOCIATION),
    ( 125, COOPERATIVE),
    (  62, FOREIGN_BRANCH),
    (  60, LIMITED_PARTNERSHIP),
    (  33, PUBLIC_INSTITUTION),
];

/// Whether companies of this legal form have an auditor or waive the audit (Code of Obligations, Art. 727a, 818 and 906).
pub(crate) fn may_waive_audit(form: &str) -> bool {
    matches!(form, CORPORATION | LIMITED_LIABILITY | COOPERATIVE)
}

/// Whether companies of this legal form have statutes, and so a day of founding.
pub(crate) fn has_statutes(form: &str) -> bool {
    !matches!(
        form,
        SOLE_TRADER | GENERAL_PARTNERSHIP | LIMITED_PARTNERSHIP | BRANCH | FOREIGN_BRANCH
    )
}
