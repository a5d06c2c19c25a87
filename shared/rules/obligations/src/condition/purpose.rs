//! What the purpose or the name of a company says about the law that applies to it.

use domain::{
    industry::{Industry, classify},
    text::fold,
};

use super::{Answer, Basis, FactName, Finding, finding};
use crate::Profile;

/// NOGA division of insurers and pension funds.
const INSURANCE_AND_PENSIONS: &str = "65";
/// Least confidence of the classification: other activities would show that the foundation does not pay pensions itself.
const SURE: f64 = 0.9;
/// Parts of the phrases that indicate pension funds, among those of the division.
const PENSIONS: [&str; 11] = [
    "vorsorge",
    "personalfursorge",
    "wohlfahrtsfonds",
    "pension",
    "prevoyance professionnelle",
    "prevoyance en faveur du personnel",
    "de prevoyance",
    "previdenza professionale",
    "previdenza a favore del personale",
    "di previdenza",
    "occupational benefits",
];
/// What foundations for vested benefits, for private pensions (pillar 3a) and for investments say. Other rules apply to them.
const OTHER_PENSIONS: [&str; 11] = [
    "freizugigkeit",
    "libre passage",
    "libero passaggio",
    "vested benefits",
    "3a",
    "gebundene",
    "prevoyance liee",
    "previdenza vincolata",
    "anlagestiftung",
    "fondation de placement",
    "fondazione d investimento",
];

/// The member of the record that says that it is a foundation for occupational pensions. `None` if none does.
fn pensions_in(profile: &Profile) -> Option<&'static str> {
    if !profile.is_foundation() {
        return None;
    }
    let purpose = profile.company.purpose.as_deref().unwrap_or_default();
    let texts = [("purpose", purpose), ("name", profile.company.name.as_str())];
    let is_other = |text: &str| OTHER_PENSIONS.iter().any(|it| text.contains(it));
    if texts.iter().any(|(_, text)| is_other(&fold(text))) {
        return None;
    }
    let says_so = |text: &str| classify(text).is_some_and(|it| is_pensions(&it));
    texts.into_iter().find(|(_, text)| says_so(text)).map(|(member, _)| member)
}

pub(super) fn is_pension_foundation(profile: &Profile) -> bool {
    pensions_in(profile).is_some()
}

fn is_pensions(industry: &Industry) -> bool {
    let main = industry.evidence.first().map_or("", |it| &it.phrase);
    industry.division.code == INSURANCE_AND_PENSIONS
        && industry.confidence >= SURE
        && PENSIONS.iter().any(|it| main.contains(it))
}

/// Whether the rules of the Civil Code about audits apply to a foundation. Its kind decides.
pub(super) fn audited_as_ordinary_foundation(profile: &Profile) -> Finding {
    match pensions_in(profile) {
        Some(member) => {
            let text = format!(
                "Its {member} says that it is for occupational pensions: its audit is that of the law on occupational pensions, \
                 without a waiver (Occupational Pensions Act 52a-52c; CC 89a)."
            );
            let source = profile.source_of(member);
            finding(Answer::No, FactName::Industry, Basis::Stated, text, source)
        }
        None => {
            let text = "Family and ecclesiastical foundations need no auditor (CC 87), and pension foundations are audited under \
                        the law on occupational pensions, without a waiver. Which kind of foundation it is is not known.";
            finding(Answer::Unknown, FactName::LegalForm, Basis::Unknown, text, None)
        }
    }
}

/// Why a foundation for occupational pensions is no financial intermediary. `None` for others.
pub(super) fn exempt_pensions(profile: &Profile) -> Option<Finding> {
    let member = pensions_in(profile)?;
    let text = format!(
        "Its {member} says that it is for occupational pensions. The act does not apply to such institutions if they are exempt from \
         taxes (AMLA 2 para. 4 let. b), as they are as a rule (Occupational Pensions Act 80 para. 2)."
    );
    let source = profile.source_of(member);
    Some(finding(Answer::No, FactName::Industry, Basis::Assumed, text, source))
}

/// Phrases of purposes for other insurance than life insurance, in folded words.
const NON_LIFE: [&str; 13] = [
    "schadenversicherung",
    "schadensversicherung",
    "sachversicherung",
    "nichtlebensversicherung",
    "assurance dommages",
    "assurances dommages",
    "assurance de dommages",
    "assurance non vie",
    "assurances non vie",
    "assicurazioni contro i danni",
    "assicurazione contro i danni",
    "assicurazioni danni",
    "non life insurance",
];
/// Beginnings of words of purposes for life insurance, or for units of collective investment schemes.
const LIFE_OR_FUNDS: [&str; 10] = [
    "leben",
    "vie",
    "vita",
    "life",
    "kapitalanlage",
    "anlagefonds",
    "placement",
    "fonds",
    "fondi",
    "fund",
];

/// Whether the purpose is for other insurance than life insurance only.
pub(super) fn is_non_life_insurance(profile: &Profile) -> bool {
    let purpose = fold(profile.company.purpose.as_deref().unwrap_or_default());
    let rest = NON_LIFE.iter().fold(purpose.clone(), |rest, it| rest.replace(it, ""));
    let is_other = |word: &str| LIFE_OR_FUNDS.iter().any(|it| word.starts_with(it));
    rest.len() < purpose.len() && !rest.split(' ').any(is_other)
}
