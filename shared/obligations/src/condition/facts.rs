//! The conditions about one fact of a company.

use domain::{Provenance, legal_forms::LegalForm};
use jiff::{ToSpan, civil::Date};

use super::{Answer, Basis, Condition, FactName, Finding, audit, finding};
use crate::{
    Profile,
    size::{is_of_public_interest_size, newest},
};

pub(super) fn evaluate(condition: &Condition, profile: &Profile) -> Finding {
    match condition {
        Condition::Always(why) => {
            finding(Answer::Yes, FactName::Everyone, Basis::General, *why, None)
        }
        Condition::Registered => registered(profile),
        Condition::Form(codes) => legal_form(profile, codes),
        Condition::Listed => listed(profile),
        Condition::SubsidiaryOfListed => subsidiary_of_listed(profile),
        Condition::Licensed => licensed(profile),
        Condition::FinancialIndustry => financial_industry(profile),
        Condition::Domiciliary => domiciliary(profile),
        Condition::OptedOut => audit::opted_out(profile),
        Condition::AuditedByLicence => audit::by_licence(profile),
        Condition::OrdinaryAudit => audit::ordinary(profile),
        Condition::LargeForAudit => audit::large(profile),
        Condition::LargeForSustainability => {
            let test = is_of_public_interest_size(profile.figures, profile.day);
            let rule = "at least 500 full-time positions, and more than CHF 20 million balance sheet total or CHF 40 million \
                        turnover";
            audit::sized(test, rule)
        }
        Condition::TurnoverFrom(francs) => turnover(profile, *francs),
        Condition::Defect => defect(profile),
        Condition::RegisteredBefore(day) => registered_before(profile, *day),
        Condition::Undecided(fact, why) => {
            finding(Answer::Unknown, *fact, Basis::Unknown, *why, None)
        }
        Condition::All(_) | Condition::Any(_) | Condition::Not(_) => condition.evaluate(profile),
    }
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

/// Years after which a disclosure does not show any more that shares are listed. A listed company of any size has changes
/// among its holders of 3 % or more within that time, as a rule.
const LISTING_YEARS: i32 = 2;

fn listed(profile: &Profile) -> Finding {
    let oldest = profile.day.checked_sub(LISTING_YEARS.years()).ok();
    let is_recent = |source: &Provenance| {
        source.date.is_some_and(|it| oldest.is_none_or(|oldest| it >= oldest))
    };
    let when = |source: &Provenance| {
        source.date.map_or_else(|| "on an unknown day".to_owned(), |it| format!("on {it}"))
    };
    let unknown = |text: String, source: Option<Provenance>| {
        finding(Answer::Unknown, FactName::Listing, Basis::Unknown, text, source)
    };
    if let Some(source) = profile.listing {
        let when = when(source);
        if is_recent(source) {
            let text = format!(
                "A holder of its shares was disclosed to the exchange {when}: its shares are listed."
            );
            let source = Some(source.clone());
            return finding(Answer::Yes, FactName::Listing, Basis::Stated, text, source);
        }
        let text = format!(
            "The newest known disclosure of a holder to the exchange was {when}: its shares were listed then. Whether \
             they still are is not known."
        );
        return unknown(text, Some(source.clone()));
    }
    // A company with listed shares or bonds cannot waive the audit (CO 727, 727a).
    let has_waived = profile.company.auditor_opt_out == Some(true);
    let of_isin = || profile.company.isin.and_then(|_| profile.source_of("isin"));
    let securities = profile.securities.cloned().or_else(of_isin);
    if let Some(source) = securities.filter(|_| !has_waived) {
        let text = "It has securities with identification numbers (ISIN). Whether they are shares, and whether they are listed, is \
                    not known.";
        return unknown(text.to_owned(), Some(source));
    }
    let text = "No known notice of the exchange names it; its shares are assumed not to be listed.";
    finding(Answer::No, FactName::Listing, Basis::Assumed, text, None)
}

fn subsidiary_of_listed(profile: &Profile) -> Finding {
    let company = profile.company;
    let parents = [
        (company.direct_parent_lei, "directParentLei"),
        (company.ultimate_parent_lei, "ultimateParentLei"),
    ];
    let parent = parents.into_iter().find(|(lei, _)| lei.is_some() && *lei != company.lei);
    let Some((lei, member)) = parent else {
        let text = "No parent that consolidates it is known; it is assumed to be no subsidiary of a listed company.";
        return finding(Answer::No, FactName::Group, Basis::Assumed, text, None);
    };
    let name = lei.map(|it| it.to_string()).unwrap_or_default();
    let text = format!(
        "It reported to GLEIF a parent that consolidates it (LEI {name}). Whether the parent is listed, or belongs to a \
         listed company, is not known; subsidiaries of listed companies are exempt."
    );
    finding(Answer::Unknown, FactName::Group, Basis::Unknown, text, profile.source_of(member))
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

fn turnover(profile: &Profile, francs: i64) -> Finding {
    let known =
        newest(profile.figures, profile.day).and_then(|it| Some((it, it.revenue_in_francs()?)));
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

fn registered_before(profile: &Profile, day: Date) -> Finding {
    let fact = FactName::Registration;
    let Some(registered) = profile.company.registration_date else {
        let text = "The day of its entry in the register is not known.";
        return finding(Answer::Unknown, fact, Basis::Unknown, text, None);
    };
    let text = format!("It was entered in the register on {registered}.");
    let source = profile.source_of("registrationDate");
    finding(Answer::of(Some(registered < day)), fact, Basis::Stated, text, source)
}
