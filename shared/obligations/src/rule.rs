//! The rules: when an obligation applies.

use jiff::civil::{Date, date};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    FactName, Finding, Profile,
    condition::Condition::{self, *},
};

macro_rules! rules {
    ($($name:ident $code:tt $meaning:tt $condition:expr;)*) => {
        /// Name of a rule that says when an obligation applies. `meaning` in `GET /v1/methodology/obligations/{id}`
        /// explains each.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
        #[schema(as = ObligationRule)]
        pub enum Rule {
            $(#[doc = $meaning] #[serde(rename = $code)] $name,)*
        }

        impl Rule {
            /// Every rule.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Name in responses.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$name => $code),* }
            }

            /// To whom it applies, in one sentence.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$name => $meaning),* }
            }

            const fn condition(self) -> &'static Condition {
                match self { $(Self::$name => const { &$condition }),* }
            }
        }
    };
}

/// Corporation.
const AG: &str = "0106";
/// Corporation with unlimited partners.
const KMAG: &str = "0105";
/// Limited liability company.
const GMBH: &str = "0107";
/// Cooperative.
const COOPERATIVE: &str = "0108";
const ASSOCIATION: &str = "0109";
const FOUNDATION: &str = "0110";
/// Branch of a foreign company.
const FOREIGN_BRANCH: &str = "0111";
const SOLE_PROPRIETORSHIP: &str = "0101";
const GENERAL_PARTNERSHIP: &str = "0103";
const LIMITED_PARTNERSHIP: &str = "0104";
const KMGK: &str = "0114";
const SICAV: &str = "0115";
const SICAF: &str = "0116";

const CAPITAL_COMPANIES: Condition = Form(&[AG, KMAG, GMBH, COOPERATIVE]);
/// Those to which the rules of the Code of Obligations on audits apply, to foundations by analogy (CC 83b para. 3).
/// Associations have thresholds of their own.
pub(crate) const AUDITED_FORMS: Condition = Form(&[AG, KMAG, GMBH, COOPERATIVE, FOUNDATION]);
const PERSONAL_BUSINESSES: Condition =
    Form(&[SOLE_PROPRIETORSHIP, GENERAL_PARTNERSHIP, LIMITED_PARTNERSHIP]);
const LEGAL_ENTITIES: Condition =
    Form(&[AG, KMAG, GMBH, COOPERATIVE, ASSOCIATION, FOUNDATION, KMGK, SICAV, SICAF]);
/// Art. 39 of the Debt Enforcement and Bankruptcy Act.
const SUBJECT_TO_BANKRUPTCY: Condition = Form(&[
    SOLE_PROPRIETORSHIP,
    GENERAL_PARTNERSHIP,
    LIMITED_PARTNERSHIP,
    AG,
    KMAG,
    GMBH,
    COOPERATIVE,
    ASSOCIATION,
    FOUNDATION,
    KMGK,
    SICAV,
    SICAF,
]);
/// Legal entities that keep full books in any case.
const ENTITIES_WITH_BOOKS: Condition = Form(&[AG, KMAG, GMBH, COOPERATIVE, KMGK, SICAV, SICAF]);
/// CO 957 para. 2 no. 2.
const ASSOCIATION_THAT_MUST_REGISTER: Condition = All(&[
    Form(&[ASSOCIATION]),
    Undecided(
        FactName::Register,
        "An association keeps full books if it must be in the register, for example because it runs a business (CC 61 \
         para. 2). Whether it must be or registered voluntarily is not known.",
    ),
]);
const FOUNDATION_WITHOUT_AUDITOR: Condition = All(&[Form(&[FOUNDATION]), OptedOut]);
const FOUNDATION_WITH_AUDITOR: Condition = All(&[Form(&[FOUNDATION]), Not(&OptedOut)]);
/// The day on which the transparency act replaced the lists of CO 697l.
const LISTS_ENDED: Date = date(2026, 10, 1);
/// Those whose holders announced beneficial owners until then.
const WITH_OWNER_LIST: Condition = All(&[Form(&[AG, KMAG, GMBH]), Not(&Listed)]);

rules! {
    Everyone "everyone" "Everyone." Always("It applies to everyone.");
    Customer "customer" "Those who have the company as a customer." Always("It applies to every relationship with a customer.");
    UnlistedCustomer "unlisted_customer" "Those who have a company as a customer that is neither listed nor a subsidiary of a listed company." All(&[Not(&Listed), Not(&SubsidiaryOfListed)]);
    Registered "registered" "Entities in the commercial register." Registered;
    LegalPerson "legal_person" "Legal entities." LEGAL_ENTITIES;
    FinancialIntermediary "financial_intermediary" "Financial intermediaries." Any(&[Licensed, FinancialIndustry]);
    Licensed "licensed" "Companies that FINMA has authorised." Licensed;
    DomiciliaryCustomer "domiciliary_customer" "Those who have a domiciliary company as a customer." Domiciliary;
    TransparencyRegister "transparency_register" "Capital companies, cooperatives, investment companies and branches of foreign companies that are neither listed nor subsidiaries of listed companies." All(&[Form(&[AG, KMAG, GMBH, COOPERATIVE, FOREIGN_BRANCH, KMGK, SICAV, SICAF]), Not(&Listed), Not(&SubsidiaryOfListed)]);
    OwnerAnnouncement "owner_announcement" "Holders of unlisted corporations and limited liability companies." WITH_OWNER_LIST;
    FormerOwnerList "former_owner_list" "Unlisted corporations and limited liability companies that were registered before 1 October 2026." All(&[WITH_OWNER_LIST, RegisteredBefore(LISTS_ENDED)]);
    BalanceProtection "balance_protection" "Capital companies and cooperatives." CAPITAL_COMPANIES;
    OrdinaryAudit "ordinary_audit" "Companies that are listed, exceed two of three thresholds in two consecutive years, or have a licence that requires it." All(&[AUDITED_FORMS, OrdinaryAudit]);
    LimitedAudit "limited_audit" "Companies that need no ordinary audit, also if they waived the limited one." All(&[CAPITAL_COMPANIES, Not(&OrdinaryAudit)]);
    Audited "audited" "Companies with an auditor that the law requires." All(&[AUDITED_FORMS, Not(&OptedOut)]);
    OptedOut "opted_out" "Companies that waived the limited audit." All(&[CAPITAL_COMPANIES, OptedOut]);
    FoundationAudit "foundation_audit" "Foundations." Form(&[FOUNDATION]);
    SwissRepresentative "swiss_representative" "Capital companies and cooperatives." CAPITAL_COMPANIES;
    BoardOfDirectors "board_of_directors" "Corporations, also those with unlimited partners." Form(&[AG, KMAG]);
    OrganisationalDefect "organisational_defect" "Companies with a published defect of their organisation or domicile." Defect;
    Listed "listed" "Companies with listed shares." Listed;
    BankruptcyEnforcement "bankruptcy_enforcement" "Registered debtors who are subject to bankruptcy." SUBJECT_TO_BANKRUPTCY;
    SoleProprietorRegistration "sole_proprietor_registration" "Sole proprietorships with a turnover of at least CHF 100,000." All(&[Form(&[SOLE_PROPRIETORSHIP]), TurnoverFrom(100_000)]);
    FullBookkeeping "full_bookkeeping" "Legal entities, and sole proprietorships and partnerships with a turnover of at least CHF 500,000; foundations that have an auditor, and associations that must be in the register." Any(&[ENTITIES_WITH_BOOKS, FOUNDATION_WITH_AUDITOR, ASSOCIATION_THAT_MUST_REGISTER, All(&[PERSONAL_BUSINESSES, TurnoverFrom(500_000)])]);
    SimpleBookkeeping "simple_bookkeeping" "Sole proprietorships and partnerships with a turnover below CHF 500,000, foundations that are exempt from having an auditor, and associations that need not be in the register." Any(&[FOUNDATION_WITHOUT_AUDITOR, ASSOCIATION_THAT_MUST_REGISTER, All(&[PERSONAL_BUSINESSES, Not(&TurnoverFrom(500_000))])]);
    SustainabilityReport "sustainability_report" "Listed or supervised companies with at least 500 full-time positions and a large balance sheet or turnover." All(&[Any(&[Listed, Licensed]), LargeForSustainability]);
}

impl Rule {
    /// Whether the rule applies to a company, and why. To a company that was deleted from the register no rule about its
    /// state applies.
    pub fn evaluate(self, profile: &Profile) -> Finding {
        let registered = Condition::Registered.evaluate(profile);
        match profile.is_deleted() {
            true => registered,
            false => self.condition().evaluate(profile),
        }
    }
}

#[cfg(test)]
mod tests;
