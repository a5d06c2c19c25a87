//! The rules: when an obligation applies.

use jiff::civil::{Date, date};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    FactName, Finding, Profile,
    condition::Condition::{self, *},
    legal_form::*,
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

pub(crate) const CAPITAL_COMPANIES: Condition = Form(&[AG, KMAG, GMBH, COOPERATIVE]);
const PERSONAL_BUSINESSES: Condition =
    Form(&[SOLE_PROPRIETORSHIP, GENERAL_PARTNERSHIP, LIMITED_PARTNERSHIP]);
/// Legal persons in the words of the FATF: whatever can own property and is no natural person.
const LEGAL_ENTITIES: Condition = Form(&[
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
const INSTITUTE_OF_PUBLIC_LAW: Condition = All(&[
    Form(&[INSTITUTE]),
    Undecided(
        FactName::LegalForm,
        "The law that created an institute of public law decides; it is not part of this catalogue.",
    ),
]);
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
/// Foundations to which the rules of the Code of Obligations on audits may apply, by analogy (CC 83b para. 3).
const FOUNDATION_WITH_AUDIT: Condition =
    All(&[FOUNDATION_WITH_AUDITOR, AuditedAsOrdinaryFoundation]);
/// CO 903.
const COOPERATIVE_WITH_SHARES: Condition = All(&[
    Form(&[COOPERATIVE]),
    Undecided(
        FactName::LegalForm,
        "Of cooperatives, this is about those with share certificates; whether it has some is not known.",
    ),
]);
const NEITHER_PENSION_SCHEME_NOR_PUBLIC: Condition = Undecided(
    FactName::LegalForm,
    "Pension schemes, and entities that are at least 75 % public, are exempt. Whether this cooperative is one is not known.",
);
/// Whether the accounts of a bankrupt company are still audited.
const STILL_AUDITED: Condition = Any(&[
    NotBankrupt,
    Undecided(
        FactName::Dissolution,
        "Whether the accounts of a bankrupt company are audited is not part of this catalogue.",
    ),
]);
/// Public companies: CO 727 para. 1 no. 1.
const PUBLIC_COMPANY: Condition = All(&[CAPITAL_COMPANIES, Any(&[Listed, PublicByBonds])]);
/// The day on which the transparency act replaced the lists of CO 697l.
const LISTS_ENDED: Date = date(2026, 10, 1);
/// Those whose holders announced beneficial owners until then.
const WITH_OWNER_LIST: Condition = All(&[Form(&[AG, KMAG, GMBH]), Not(&Listed)]);

rules! {
    Everyone "everyone" "Everyone." Always("It applies to everyone.");
    Customer "customer" "Those who have the company as a customer." Always("It applies to every relationship with a customer.");
    UnlistedCustomer "unlisted_customer" "Those who have a company as a customer that is neither listed nor a subsidiary of a listed company." All(&[Not(&Listed), Not(&SubsidiaryOfListed)]);
    Registered "registered" "Entities in the commercial register." Registered;
    LegalPerson "legal_person" "Legal entities and partnerships." Any(&[LEGAL_ENTITIES, INSTITUTE_OF_PUBLIC_LAW]);
    FinancialIntermediary "financial_intermediary" "Financial intermediaries (AMLA 2), with or without a licence of FINMA." Any(&[IntermediaryByLicence, FinancialIndustry]);
    Licensed "licensed" "Financial intermediaries that FINMA has authorised." IntermediaryByLicence;
    DomiciliaryCustomer "domiciliary_customer" "Those who have a domiciliary company as a customer." Domiciliary;
    TransparencyRegister "transparency_register" "Capital companies, cooperatives, investment companies and branches of foreign companies that are not exempt: listed companies, their subsidiaries, pension schemes and entities that are at least 75 % public are." All(&[Form(&[AG, KMAG, GMBH, COOPERATIVE, FOREIGN_BRANCH, KMGK, SICAV, SICAF]), Not(&Listed), Not(&SubsidiaryOfListed), Any(&[Not(&Form(&[COOPERATIVE])), NEITHER_PENSION_SCHEME_NOR_PUBLIC])]);
    OwnerAnnouncement "owner_announcement" "Holders of unlisted corporations and limited liability companies." WITH_OWNER_LIST;
    FormerOwnerList "former_owner_list" "Unlisted corporations and limited liability companies that were registered before 1 October 2026." All(&[WITH_OWNER_LIST, RegisteredBefore(LISTS_ENDED)]);
    BalanceProtection "balance_protection" "Capital companies and cooperatives that are not in liquidation." All(&[CAPITAL_COMPANIES, NotInLiquidation]);
    CapitalLoss "capital_loss" "Capital companies that are not in liquidation, and cooperatives with share certificates." All(&[Any(&[Form(&[AG, KMAG, GMBH]), COOPERATIVE_WITH_SHARES]), NotInLiquidation]);
    OrdinaryAudit "ordinary_audit" "Companies that have listed shares or outstanding bonds, exceed two of three thresholds in two consecutive years, must prepare consolidated accounts, or have a licence that requires it." Any(&[All(&[CAPITAL_COMPANIES, STILL_AUDITED, OrdinaryAudit]), FOUNDATION_WITH_AUDIT]);
    LimitedAudit "limited_audit" "Companies that need no ordinary audit, also if they waived the limited one." All(&[CAPITAL_COMPANIES, STILL_AUDITED, Not(&OrdinaryAudit)]);
    Audited "audited" "Companies with an auditor that the law requires." Any(&[All(&[CAPITAL_COMPANIES, STILL_AUDITED, Not(&WaivedForTheYear)]), FOUNDATION_WITH_AUDIT]);
    OptedOut "opted_out" "Companies that waived the limited audit." All(&[CAPITAL_COMPANIES, OptedOut]);
    FoundationAudit "foundation_audit" "Foundations, except family, ecclesiastical and pension foundations." All(&[Form(&[FOUNDATION]), Any(&[OptedOut, AuditedAsOrdinaryFoundation])]);
    AssociationAudit "association_audit" "Associations that exceed two of three thresholds in two consecutive years." All(&[Form(&[ASSOCIATION]), LargeAssociation]);
    SwissRepresentative "swiss_representative" "Capital companies and cooperatives that are not in liquidation." All(&[CAPITAL_COMPANIES, NotInLiquidation]);
    BoardOfDirectors "board_of_directors" "Corporations, also those with unlimited partners, that are not in liquidation." All(&[Form(&[AG, KMAG]), NotInLiquidation]);
    OrganisationalDefect "organisational_defect" "Capital companies and cooperatives with a published defect of their organisation or domicile." All(&[CAPITAL_COMPANIES, Defect]);
    RegisterDefect "register_defect" "Entities other than sole proprietorships with a published defect of their organisation or domicile." All(&[Not(&Form(&[SOLE_PROPRIETORSHIP])), Defect]);
    Listed "listed" "Companies with listed shares." Listed;
    BankruptcyEnforcement "bankruptcy_enforcement" "Registered debtors who are subject to bankruptcy and not bankrupt." All(&[SUBJECT_TO_BANKRUPTCY, NotBankrupt]);
    SoleProprietorRegistration "sole_proprietor_registration" "Sole proprietorships with a turnover of at least CHF 100,000." All(&[Form(&[SOLE_PROPRIETORSHIP]), TurnoverFrom(100_000)]);
    FullBookkeeping "full_bookkeeping" "Legal entities, and sole proprietorships and partnerships with a turnover of at least CHF 500,000; foundations that have an auditor, and associations that must be in the register." Any(&[ENTITIES_WITH_BOOKS, FOUNDATION_WITH_AUDITOR, ASSOCIATION_THAT_MUST_REGISTER, INSTITUTE_OF_PUBLIC_LAW, All(&[PERSONAL_BUSINESSES, TurnoverFrom(500_000)])]);
    SimpleBookkeeping "simple_bookkeeping" "Sole proprietorships and partnerships with a turnover below CHF 500,000, foundations that are exempt from having an auditor, and associations that need not be in the register." Any(&[FOUNDATION_WITHOUT_AUDITOR, ASSOCIATION_THAT_MUST_REGISTER, All(&[PERSONAL_BUSINESSES, Not(&TurnoverFrom(500_000))])]);
    SustainabilityReport "sustainability_report" "Public or supervised companies with at least 500 full-time positions and a large balance sheet or turnover." All(&[Any(&[PUBLIC_COMPANY, AuditedByLicence]), LargeForSustainability]);
    DeletedAfterLiquidation "deleted_after_liquidation" "Companies, partnerships and cooperatives that were deleted after a liquidation in the last ten years: who keeps their books." All(&[Form(&[GENERAL_PARTNERSHIP, LIMITED_PARTNERSHIP, AG, KMAG, GMBH, COOPERATIVE]), BooksAfterDeletion]);
}

impl Rule {
    /// Whether the rule applies to a company, and why. To a company that was deleted from the register, only what follows from
    /// the deletion applies.
    pub fn evaluate(self, profile: &Profile) -> Finding {
        match profile.is_deleted() && self != Self::DeletedAfterLiquidation {
            true => Condition::Registered.evaluate(profile),
            false => self.condition().evaluate(profile),
        }
    }
}

#[cfg(test)]
mod tests;
