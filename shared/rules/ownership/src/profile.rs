use domain::{
    Lei, Provenance,
    legal_forms::{BRANCHES, FOREIGN_BRANCH},
    statements::gleif::Exception,
};

/// What is known about a party, besides its links.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    /// Name. Empty if unknown.
    pub name: String,
    /// Who owns it, by its legal form.
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

/// Who owns an entity, by its legal form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Its capital is divided among owners: corporations, limited liability companies. Also if the form is unknown.
    #[default]
    WithOwners,
    /// Belongs to its partners, without a capital: general and limited partnerships (CO 552, 594), simple partnerships.
    Partnership,
    /// Is a part of its owner, without a capital: sole proprietorships and branches.
    Part,
    /// Belongs to its members, whom no register names: cooperatives (CO 828, 837).
    Cooperative,
    /// Has no owner: foundations (CC 80) and associations (CC 60).
    WithoutOwners,
    /// Belongs to the state: institutions and units of public law.
    Public,
}

/// Whether the register publishes no holders of the legal form with this code in eCH-0097: corporations (CO 620), with unlimited
/// partners or not, cooperatives, investment companies, and companies abroad that have a branch here.
pub fn has_undisclosed_holders(code: &str) -> bool {
    matches!(code, "0105" | "0106" | "0108" | "0115" | "0116" | "0355" | FOREIGN_BRANCH)
}

impl Form {
    /// By the code of the legal form in eCH-0097.
    pub fn of_code(code: &str) -> Self {
        match code {
            "0101" => Self::Part,
            _ if BRANCHES.contains(&code) => Self::Part,
            "0103" | "0104" | "0114" | "0302" => Self::Partnership,
            "0108" | "0355" => Self::Cooperative,
            "0109" | "0110" => Self::WithoutOwners,
            "0117" | "0327" | "0328" | "0329" => Self::Public,
            _ if code.starts_with("02") => Self::Public,
            _ => Self::WithOwners,
        }
    }

    /// Whether the law knows owners of it.
    pub fn can_have_owners(self) -> bool {
        !matches!(self, Self::WithoutOwners | Self::Public)
    }
}

#[cfg(test)]
mod tests {
    use domain::legal_forms::LEGAL_FORMS;

    use super::*;

    fn of_form(form: Form) -> Vec<&'static str> {
        let of_form = LEGAL_FORMS.iter().filter(|it| Form::of_code(it.code) == form);
        of_form.map(|it| it.names[3]).collect()
    }

    #[test]
    fn only_foundations_associations_and_public_bodies_have_no_owner() {
        assert_eq!(of_form(Form::WithoutOwners), ["Association", "Foundation"]);
        assert_eq!(of_form(Form::Cooperative), ["Cooperative", "Other cooperative"]);
        let forms = LEGAL_FORMS.iter().map(|it| Form::of_code(it.code));
        for form in forms.filter(|it| !it.can_have_owners()) {
            assert!(matches!(form, Form::WithoutOwners | Form::Public));
        }
    }

    #[test]
    fn sole_proprietorships_branches_and_partnerships_have_no_capital() {
        let parts = [
            "Sole proprietorship",
            "Branch of a foreign company",
            "Branch",
            "Permanent establishment or swiss representation of a foreign company",
        ];
        assert_eq!(of_form(Form::Part), parts);
        let partnerships = [
            "General partnership",
            "Limited partnership",
            "Limited partnership for collective investment",
            "Simple partnership",
        ];
        assert_eq!(of_form(Form::Partnership), partnerships);
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
