//! The conditions about one fact of a company.

use domain::{Provenance, legal_forms::LegalForm};

use super::{Answer, Basis, Condition, FactName, Finding, Reason};
use crate::{
    Profile,
    size::{
        AnnualFigures, SizeTest, exceeds_two_of_three, is_of_public_interest_size, ordinary_audit,
    },
};

pub(super) fn evaluate(condition: &Condition, profile: &Profile) -> Finding {
    match condition {
        Condition::Always(why) => {
            finding(Answer::Yes, FactName::Everyone, Basis::General, *why, None)
        }
        Condition::Registered => registered(profile),
        Condition::Form(codes) => legal_form(profile, codes),
        Condition::Listed => listed(profile),
        Condition::Licensed => licensed(profile),
        Condition::FinancialIndustry => financial_industry(profile),
        Condition::Domiciliary => domiciliary(profile),
        Condition::OptedOut => opted_out(profile),
        Condition::LargeForAudit => large_for_audit(profile),
        Condition::LargeForSustainability => {
            let test = is_of_public_interest_size(profile.figures, profile.day);
            let rule = "at least 500 full-time positions, and more than CHF 20 million balance sheet total or CHF 40 million \
                        turnover";
            sized(test, rule)
        }
        Condition::TurnoverFrom(francs) => turnover(profile, *francs),
        Condition::Defect => defect(profile),
        Condition::All(_) | Condition::Any(_) | Condition::Not(_) => condition.evaluate(profile),
    }
}

fn finding(
    answer: Answer,
    fact: FactName,
    basis: Basis,
    explanation: impl Into<String>,
    source: Option<Provenance>,
) -> Finding {
    let explanation = explanation.into();
    Finding { answer, reasons: vec![Reason { fact, basis, explanation, source }] }
}

fn registered(profile: &Profile) -> Finding {
    let source = profile.source_of("status");
    let (answer, text) = match profile.is_deleted() {
        true => (Answer::No, "The company was deleted from the register."),
        false => (Answer::Yes, "The company is in the commercial register."),
    };
    finding(answer, FactName::Register, Basis::Stated, text, source)
}

fn legal_form(profile: &Profile, codes: &[&str]) -> Finding {
    let Some(code) = profile.legal_form() else {
        let text = "The legal form is not known.";
        return finding(Answer::Unknown, FactName::LegalForm, Basis::Unknown, text, None);
    };
    let name = LegalForm::by_code(code).map_or(code, |it| it.names[3]);
    let answer = Answer::of(Some(codes.contains(&code)));
    let text = format!("Its legal form is {name} ({code}).");
    finding(answer, FactName::LegalForm, Basis::Stated, text, profile.source_of("legalFormCode"))
}

fn listed(profile: &Profile) -> Finding {
    match profile.listing {
        Some(source) => {
            let text = "A holder of its shares was disclosed to the exchange: its shares are, or were, listed.";
            let source = Some(source.clone());
            finding(Answer::Yes, FactName::Listing, Basis::Stated, text, source)
        }
        None => {
            let text = "No known notice of the exchange names it; its shares are assumed not to be listed.";
            finding(Answer::No, FactName::Listing, Basis::Assumed, text, None)
        }
    }
}

fn licensed(profile: &Profile) -> Finding {
    let source = profile.source_of("isFinmaRegulated");
    match profile.company.is_finma_regulated {
        Some(true) => {
            let text = "FINMA has authorised it.";
            finding(Answer::Yes, FactName::Licence, Basis::Stated, text, source)
        }
        Some(false) => {
            let text = "The list of FINMA does not name it any more.";
            finding(Answer::No, FactName::Licence, Basis::Stated, text, source)
        }
        None => {
            let text = "No known list of FINMA names it; it is assumed to have no licence.";
            finding(Answer::No, FactName::Licence, Basis::Assumed, text, None)
        }
    }
}

/// NOGA divisions of financial services, insurance and their auxiliaries.
const FINANCIAL_DIVISIONS: [&str; 3] = ["64", "65", "66"];
/// NOGA group of holding companies, which as such are no financial intermediaries.
const HOLDINGS: &str = "642";

fn financial_industry(profile: &Profile) -> Finding {
    let Some(code) = profile.company.noga_code.as_deref() else {
        let text = "Its industry is not known.";
        return finding(Answer::Unknown, FactName::Industry, Basis::Unknown, text, None);
    };
    let industry = profile.company.industry.as_deref().unwrap_or("unnamed");
    let source = profile.source_of("nogaCode");
    let is_financial = FINANCIAL_DIVISIONS.iter().any(|it| code.starts_with(it));
    if is_financial && !code.starts_with(HOLDINGS) {
        let text = format!(
            "Its industry is {industry} (NOGA {code}). Whether it acts as a financial intermediary, and belongs to a \
             self-regulatory organisation, is not known."
        );
        return finding(Answer::Unknown, FactName::Industry, Basis::Unknown, text, source);
    }
    let text = format!(
        "Its industry is {industry} (NOGA {code}); it is assumed not to be a financial intermediary."
    );
    finding(Answer::No, FactName::Industry, Basis::Assumed, text, source)
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

fn opted_out(profile: &Profile) -> Finding {
    let company = profile.company;
    let fact = FactName::AuditWaiver;
    match (company.auditor_opt_out, &company.auditor_name) {
        (Some(true), _) => {
            let text = "The register states that it waived the limited audit, for which it must have no more than ten \
                        full-time positions and need no ordinary audit.";
            let source = profile.source_of("auditorOptOut");
            finding(Answer::Yes, fact, Basis::Stated, text, source)
        }
        (_, Some(auditor)) => {
            let text = format!("The register names an auditor: {auditor}.");
            finding(Answer::No, fact, Basis::Stated, text, profile.source_of("auditorName"))
        }
        (Some(false), None) => {
            let text = "The register states no waiver of the limited audit.";
            finding(Answer::No, fact, Basis::Stated, text, profile.source_of("auditorOptOut"))
        }
        (None, None) => {
            let text = "Neither an auditor nor a waiver of the limited audit is known.";
            finding(Answer::Unknown, fact, Basis::Unknown, text, None)
        }
    }
}

fn large_for_audit(profile: &Profile) -> Finding {
    let limits = ordinary_audit(profile.day);
    let rule = format!(
        "two of: over CHF {} million balance sheet total, over CHF {} million turnover, over {} full-time positions",
        limits.balance / 1_000_000,
        limits.turnover / 1_000_000,
        limits.positions
    );
    sized(exceeds_two_of_three(profile.figures, limits, profile.day), &rule)
}

fn sized(SizeTest { answer, years }: SizeTest, rule: &str) -> Finding {
    let known: Vec<String> = years.iter().map(described).collect();
    let known = match known.as_slice() {
        [] => "no figures of the last two financial years are known".to_owned(),
        years => years.join("; "),
    };
    let verdict = match answer {
        Answer::Yes => "Exceeded in two consecutive years",
        Answer::No => "Not exceeded in two consecutive years",
        Answer::Unknown => "Cannot be decided",
    };
    let basis = match answer {
        Answer::Unknown => Basis::Unknown,
        Answer::Yes | Answer::No => Basis::Stated,
    };
    let note = match years.is_empty() {
        true => "",
        false => {
            " Reports often state those of a group, and employees instead of full-time positions."
        }
    };
    let text = format!("Size ({rule}): {verdict}: {known}.{note}");
    let source = years.into_iter().next().map(|it| it.source);
    finding(answer, FactName::Size, basis, text, source)
}

fn described(it: &AnnualFigures) -> String {
    let currency = it.currency.as_deref().unwrap_or("in an unknown currency");
    let amount = |it: Option<domain::Amount>| match it {
        Some(amount) => format!("{currency} {amount}"),
        None => "unknown".to_owned(),
    };
    let employees = it.employees.map_or_else(|| "unknown".to_owned(), |it| it.to_string());
    let (balance, turnover) = (amount(it.total_assets), amount(it.revenue));
    let year = it.fiscal_year;
    format!("{year}: balance sheet total {balance}, turnover {turnover}, employees {employees}")
}

fn turnover(profile: &Profile, francs: i64) -> Finding {
    let last = profile.figures.iter().max_by_key(|it| it.fiscal_year);
    let last = last.filter(|it| it.fiscal_year + 2 >= profile.day.year());
    let known = last.and_then(|it| Some((it, it.revenue_in_francs()?)));
    let Some((year, revenue)) = known else {
        let text = format!("Its turnover is not known; the threshold is CHF {francs}.");
        return finding(Answer::Unknown, FactName::Turnover, Basis::Unknown, text, None);
    };
    let answer = Answer::of(Some(revenue >= domain::Amount::units(francs)));
    let text = format!(
        "Its turnover of {} was CHF {revenue}; the threshold is CHF {francs}.",
        year.fiscal_year
    );
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
