//! The conditions about one fact of a company.

use domain::{Language, legal_forms::LegalForm, wording};

use super::{
    Answer, Basis, Condition, FactName, Finding, audit, finding, licence, listing, purpose, state,
};
use crate::{
    Profile,
    group::with_controlled,
    legal_form::SPECIAL,
    size::{ASSOCIATION, is_of_public_interest_size, newest, ordinary_audit},
};

pub(super) fn evaluate(condition: &Condition, profile: &Profile) -> Finding {
    match condition {
        Condition::Always(why) => {
            finding(Answer::Yes, FactName::Everyone, Basis::General, *why, None)
        }
        Condition::Registered => state::registered(profile),
        Condition::Form(codes) => legal_form(profile, codes),
        Condition::Listed => listing::listed(profile),
        Condition::SubsidiaryOfListed => listing::subsidiary_of_listed(profile),
        Condition::PublicByBonds => audit::public_by_bonds(profile),
        Condition::Consolidates => audit::consolidates(profile),
        Condition::IntermediaryByLicence => licence::intermediary(profile),
        Condition::FinancialIndustry => financial_industry(profile),
        Condition::Domiciliary => domiciliary(profile),
        Condition::OptedOut => audit::opted_out(profile),
        Condition::WaivedForTheYear => audit::waived_for_the_year(profile),
        Condition::AuditedByLicence => licence::audited(profile),
        Condition::OrdinaryAudit => audit::ordinary(profile),
        Condition::AuditedAsOrdinaryFoundation => purpose::audited_as_ordinary_foundation(profile),
        Condition::LargeForAudit => audit::large(profile, ordinary_audit(profile.day)),
        Condition::LargeAssociation => audit::large(profile, ASSOCIATION),
        Condition::LargeForSustainability => large_for_sustainability(profile),
        Condition::TurnoverFrom(francs) => turnover(profile, *francs),
        Condition::Defect => defect(profile),
        Condition::NotBankrupt => state::not_bankrupt(profile),
        Condition::NotInLiquidation => state::not_in_liquidation(profile),
        Condition::BooksAfterDeletion => state::books_after_deletion(profile),
        Condition::RegisteredBefore(day) => state::registered_before(profile, *day),
        Condition::Undecided(fact, why) => {
            finding(Answer::Unknown, *fact, Basis::Unknown, *why, None)
        }
        Condition::All(_) | Condition::Any(_) | Condition::Not(_) => condition.evaluate(profile),
    }
}

fn legal_form(profile: &Profile, codes: &[&str]) -> Finding {
    let Some(code) = profile.legal_form() else {
        let text = "The legal form is not known.";
        return finding(Answer::Unknown, FactName::LegalForm, Basis::Unknown, text, None);
    };
    if code == SPECIAL {
        let text = "It has a special legal form. The law that created it decides which rules apply; it is not part of this \
                    catalogue.";
        let source = profile.source_of("legalFormCode");
        return finding(Answer::Unknown, FactName::LegalForm, Basis::Unknown, text, source);
    }
    let name = LegalForm::by_code(code).map_or(code, |it| it.names[3]);
    let answer = Answer::of(Some(codes.contains(&code)));
    let text = format!("Its legal form is {name} ({code}).");
    finding(answer, FactName::LegalForm, Basis::Stated, text, profile.source_of("legalFormCode"))
}

/// NOGA divisions and groups in which many are financial intermediaries: financial services, insurance, fiduciaries and gambling.
const INTERMEDIARY_INDUSTRIES: [&str; 5] = ["64", "65", "66", "692", "92"];
/// NOGA group of holding companies, which as such are no financial intermediaries.
const HOLDINGS: &str = "642";

fn financial_industry(profile: &Profile) -> Finding {
    let exempt = purpose::exempt_pensions(profile);
    if let Some(exempt) = exempt.or_else(|| licence::insurer_without_life(profile)) {
        return exempt;
    }
    let Some(code) = profile.company.noga_code.as_deref() else {
        let text = "Its industry is not known.";
        return finding(Answer::Unknown, FactName::Industry, Basis::Unknown, text, None);
    };
    let industry = profile.company.industry.as_deref().unwrap_or("unnamed");
    let source = profile.source_of("nogaCode");
    let is_likely = INTERMEDIARY_INDUSTRIES.iter().any(|it| code.starts_with(it));
    let (answer, basis, conclusion) = match is_likely && !code.starts_with(HOLDINGS) {
        true => (Answer::Unknown, Basis::Unknown, "no source shows whether it does"),
        false => (
            Answer::No,
            Basis::Assumed,
            "no source shows that it does, and it is assumed that it does not",
        ),
    };
    let text = format!(
        "Its industry is {industry} (NOGA {code}). Not the industry decides, but whether it professionally accepts, keeps or \
         transfers assets of others, or helps to invest them (AMLA 2 para. 3): {conclusion}."
    );
    finding(answer, FactName::Industry, basis, text, source)
}

fn domiciliary(profile: &Profile) -> Finding {
    let company = profile.company;
    if company.address_care_of.is_some() {
        let text = "It has a care-of address: a sign of a domiciliary company, but no proof.";
        let source = profile.source_of("addressCareOf");
        return finding(Answer::Unknown, FactName::Domicile, Basis::Unknown, text, source);
    }
    if company.noga_code.as_deref().is_some_and(|it| it.starts_with(HOLDINGS)) {
        let text = "It holds or manages participations; whether it has a business of its own is not known.";
        let source = profile.source_of("nogaCode");
        return finding(Answer::Unknown, FactName::Domicile, Basis::Unknown, text, source);
    }
    let has_address = company.address_street.is_some() || company.address_city.is_some();
    if !has_address && company.noga_code.is_none() {
        let text = "Neither its address nor its industry is known.";
        return finding(Answer::Unknown, FactName::Domicile, Basis::Unknown, text, None);
    }
    let text = "It has no care-of address and is no holding company; it is assumed not to be a domiciliary company.";
    finding(
        Answer::No,
        FactName::Domicile,
        Basis::Assumed,
        text,
        profile.source_of("addressStreet"),
    )
}

/// The size of CO 964a, of a company together with those that it controls. Its reports may contain these or leave them out.
fn large_for_sustainability(profile: &Profile) -> Finding {
    let mut test = is_of_public_interest_size(profile.figures, profile.day);
    let together = with_controlled(profile.figures, profile.group, profile.day);
    let counted = match (test.answer, together) {
        (Answer::No, Some(together)) => {
            test = is_of_public_interest_size(&together, profile.day);
            if test.answer == Answer::Yes {
                test.answer = Answer::Unknown;
            }
            ", together with the companies that it controls and of which figures of the newest year are known"
        }
        (Answer::No, None) => {
            "; companies that it controls count too, but no figures of such of the newest year are known"
        }
        (Answer::Yes | Answer::Unknown, _) => "; companies that it controls count too",
    };
    let rule = format!(
        "at least 500 full-time positions, and more than CHF 20 million balance sheet total or CHF 40 million turnover{counted}"
    );
    let mut size = audit::sized(test, &rule);
    if size.answer == Answer::No {
        size.reasons.iter_mut().for_each(|it| it.basis = Basis::Assumed);
    }
    size
}

fn turnover(profile: &Profile, francs: i64) -> Finding {
    let limit = domain::Amount::units(francs);
    let threshold = wording::amount(Language::En, limit);
    let known =
        newest(profile.figures, profile.day).and_then(|it| Some((it, it.revenue_in_francs()?)));
    let Some((year, revenue)) = known else {
        let text = format!("Its turnover is not known; the threshold is CHF {threshold}.");
        return finding(Answer::Unknown, FactName::Turnover, Basis::Unknown, text, None);
    };
    let answer = Answer::of(Some(revenue >= limit));
    let (year_of, revenue) = (year.fiscal_year, wording::amount(Language::En, revenue));
    let text =
        format!("Its turnover of {year_of} was CHF {revenue}; the threshold is CHF {threshold}.");
    finding(answer, FactName::Turnover, Basis::Stated, text, Some(year.source.clone()))
}

fn defect(profile: &Profile) -> Finding {
    match profile.defect() {
        Some((text, source)) => {
            finding(Answer::Yes, FactName::Organisation, Basis::Stated, text, source)
        }
        None => {
            let text =
                "No known publication states a defect of its organisation that was not repaired.";
            finding(Answer::No, FactName::Organisation, Basis::Assumed, text, None)
        }
    }
}
