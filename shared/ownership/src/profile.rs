use domain::{Lei, Provenance};
use statements::gleif::Exception;

/// What is known about a party, besides its links.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    /// Name. Empty if unknown.
    pub name: String,
    /// Whether the law knows owners of this legal form.
    pub form: Form,
    /// Whether the register does not publish who holds the shares, because of the legal form.
    pub has_undisclosed_holders: bool,
    /// Legal entity identifier, if the entity is not identified by it.
    pub lei: Option<Lei>,
    /// Country of the seat, or the nationality of a person: ISO 3166-1 alpha-2 code.
    pub country: Option<String>,
    /// Whether the industry is known. `None` if it was not looked up.
    pub has_industry: Option<bool>,
    /// Evidence that the company has no rooms of its own: a `c/o` address.
    pub domiciliary: Option<Provenance>,
    /// Evidence that many companies share the address.
    pub mass_domicile: Option<MassDomicile>,
    /// Reasons that the entity reported to GLEIF for naming no parent.
    pub exceptions: Vec<ReportingException>,
}

/// An address shared by many companies.
#[derive(Clone, Debug, PartialEq)]
pub struct MassDomicile {
    /// Number of companies at the address.
    pub companies: usize,
    /// Where the address is stated.
    pub source: Provenance,
}

/// A reason for naming no parent, with its source.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportingException {
    /// The category and the reasons.
    pub exception: Exception,
    /// The record that states it.
    pub source: Provenance,
}

/// Whether the law knows owners of a legal form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Has owners: corporations, partnerships, sole proprietorships, branches. Also if the form is unknown.
    #[default]
    WithOwners,
    /// Has no owner: foundations (CC 80), associations (CC 60), cooperatives (CO 828; each
    /// member has one vote, CO 885).
    WithoutOwners,
    /// Belongs to the state: institutions and units of public law.
    Public,
}

/// Whether the register publishes no holders of the legal form with this code in eCH-0097: corporations (CO 620), with unlimited
/// partners or not, investment companies, and companies abroad that have a branch here.
pub fn has_undisclosed_holders(code: &str) -> bool {
    matches!(code, "0105" | "0106" | "0111" | "0115" | "0116")
}

impl Form {
    /// By the code of the legal form in eCH-0097.
    pub fn of_code(code: &str) -> Self {
        match code {
            "0108" | "0109" | "0110" | "0355" => Self::WithoutOwners,
            "0117" | "0327" | "0328" | "0329" => Self::Public,
            _ if code.starts_with("02") => Self::Public,
            _ => Self::WithOwners,
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::legal_forms::LEGAL_FORMS;

    use super::*;

    #[test]
    fn foundations_associations_and_cooperatives_have_no_owner() {
        let ownerless: Vec<_> = LEGAL_FORMS
            .iter()
            .filter(|it| Form::of_code(it.code) == Form::WithoutOwners)
            .map(|it| it.names[3])
            .collect();
        assert_eq!(ownerless, ["Cooperative", "Association", "Foundation", "Other cooperative"]);
    }

    #[test]
    fn units_of_public_law_belong_to_the_state() {
        for code in ["0117", "0220", "0224", "0230", "0234"] {
            assert_eq!(Form::of_code(code), Form::Public, "{code}");
        }
        assert_eq!(Form::of_code("0106"), Form::WithOwners);
        assert_eq!(Form::of_code(""), Form::WithOwners, "an unknown form can have owners");
    }
}
