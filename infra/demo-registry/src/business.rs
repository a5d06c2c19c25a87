//! The business of a company.

use crate::{language::Language, localities::Locality, trades::Trade};

/// What a name and a purpose are made for.
pub(crate) struct Business {
    /// The eCH-0097 code.
    pub(crate) form: &'static str,
    pub(crate) place: &'static Locality,
    /// The language of the words. The suffix of a name is in that of the place.
    pub(crate) language: Language,
    pub(crate) trade: &'static Trade,
}
