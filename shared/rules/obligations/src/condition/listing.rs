//! The conditions about listed shares. The register does not state them.

use domain::{Provenance, company::HolderKind};
use jiff::ToSpan;

use super::{Answer, Basis, FactName, Finding, finding};
use crate::{
    GroupMember, Profile,
    legal_form::{
        ASSOCIATION, COOPERATIVE, FOUNDATION, GENERAL_PARTNERSHIP, GMBH, INSTITUTE,
        LIMITED_PARTNERSHIP, SOLE_PROPRIETORSHIP, SWISS_BRANCH,
    },
};

/// Years after which a disclosure does not show any more that shares are listed. A listed company of any size has changes
/// among its holders of 3 % or more within that time, as a rule.
const LISTING_YEARS: i32 = 2;

/// Legal forms without shares.
const WITHOUT_SHARES: [&str; 6] = [
    SOLE_PROPRIETORSHIP,
    GENERAL_PARTNERSHIP,
    LIMITED_PARTNERSHIP,
    ASSOCIATION,
    FOUNDATION,
    SWISS_BRANCH,
];

pub(super) fn listed(profile: &Profile) -> Finding {
    let fact = FactName::Listing;
    if let Some(source) = profile.listing {
        return disclosed(profile, source);
    }
    // A company with listed shares cannot waive the audit (CO 727, 727a).
    if profile.company.auditor_opt_out == Some(true) && !profile.is_foundation() {
        let text = "The register states that it waived the limited audit, which a company with listed shares cannot do.";
        let source = profile.source_of("auditorOptOut");
        return finding(Answer::No, fact, Basis::Stated, text, source);
    }
    if is_one_of(profile, &WITHOUT_SHARES) || is_one_of(profile, &[GMBH, COOPERATIVE]) {
        let text = "Its legal form has no shares that an exchange could list.";
        let source = profile.source_of("legalFormCode");
        return finding(Answer::No, fact, Basis::Stated, text, source);
    }
    if let Some(source) = securities(profile) {
        let text = "It has securities with identification numbers (ISIN). Whether they are shares, and whether they are listed, is \
                    not known.";
        return finding(Answer::Unknown, fact, Basis::Unknown, text, Some(source));
    }
    // Some have participation certificates, which have ISINs.
    if is_one_of(profile, &[INSTITUTE]) {
        let text = "An institute of public law has no shares that an exchange could list, and no source names other securities.";
        let source = profile.source_of("legalFormCode");
        return finding(Answer::No, fact, Basis::Assumed, text, source);
    }
    let text = "No known notice of the exchange names it. The register does not state whether its shares are listed.";
    finding(Answer::Unknown, fact, Basis::Unknown, text, None)
}

/// Whether a source points to listed shares or bonds.
pub(crate) fn may_be_listed(profile: &Profile) -> bool {
    profile.listing.is_some() || securities(profile).is_some()
}

fn securities(profile: &Profile) -> Option<Provenance> {
    let of_isin = || profile.company.isin.and_then(|_| profile.source_of("isin"));
    profile.securities.cloned().or_else(of_isin)
}

/// Whether a disclosure is so recent that it shows that the shares are still listed.
fn is_recent(profile: &Profile, source: &Provenance) -> bool {
    let oldest = profile.day.checked_sub(LISTING_YEARS.years()).ok();
    source.date.is_some_and(|it| oldest.is_none_or(|oldest| it >= oldest))
}

/// The company with listed shares that controls it, as far as the register and the exchange show it.
pub(super) fn listed_above<'a>(profile: &Profile<'a>) -> Option<&'a GroupMember> {
    profile.group.listed(|it| is_recent(profile, it))
}

fn disclosed(profile: &Profile, source: &Provenance) -> Finding {
    let when = source.date.map_or_else(|| "on an unknown day".to_owned(), |it| format!("on {it}"));
    let (answer, basis, text) = match is_recent(profile, source) {
        true => {
            let text = format!(
                "A holder of its shares was disclosed to the exchange {when}: its shares are listed."
            );
            (Answer::Yes, Basis::Stated, text)
        }
        false => {
            let text = format!(
                "The newest known disclosure of a holder to the exchange was {when}: its shares were listed then. Whether \
                 they still are is not known."
            );
            (Answer::Unknown, Basis::Unknown, text)
        }
    };
    finding(answer, FactName::Listing, basis, text, Some(source.clone()))
}

fn is_one_of(profile: &Profile, forms: &[&str]) -> bool {
    profile.legal_form().is_some_and(|it| forms.contains(&it))
}

/// Whether a listed company controls it.
pub(super) fn subsidiary_of_listed(profile: &Profile) -> Finding {
    let company = profile.company;
    let fact = FactName::Group;
    if is_one_of(profile, &WITHOUT_SHARES) || is_one_of(profile, &[INSTITUTE]) {
        let text = "Its legal form has no shares by which a listed company could control it.";
        let source = profile.source_of("legalFormCode");
        return finding(Answer::No, fact, Basis::Stated, text, source);
    }
    if is_one_of(profile, &[COOPERATIVE]) {
        let text = "Each member of a cooperative has one vote (CO 885), so that no listed company controls it by its shares.";
        let source = profile.source_of("legalFormCode");
        return finding(Answer::No, fact, Basis::Stated, text, source);
    }
    if let Some(listed) = listed_above(profile) {
        let text = format!(
            "{} controls it, and its shares are listed: a holder of them was disclosed to the exchange.",
            listed.name
        );
        return finding(Answer::Yes, fact, Basis::Stated, text, listed.listing.clone());
    }
    let is_never_listed = |it: &GroupMember| it.listing.is_none() && !it.has_shares;
    if let Some(source) = &profile.group.all_owners
        && profile.group.above.iter().all(is_never_listed)
    {
        let text = "All its owners are known over all levels, and no company with shares that an exchange could list controls it.";
        return finding(Answer::No, fact, Basis::Stated, text, Some(source.clone()));
    }
    let parents = [
        (company.direct_parent_lei, "directParentLei"),
        (company.ultimate_parent_lei, "ultimateParentLei"),
    ];
    let parent = parents.into_iter().find(|(lei, _)| lei.is_some() && *lei != company.lei);
    if let Some((lei, member)) = parent {
        let name = lei.map(|it| it.to_string()).unwrap_or_default();
        let text = format!(
            "It reported to GLEIF a parent that consolidates it (LEI {name}). Whether the parent is listed, or belongs to a \
             listed company, is not known; subsidiaries of listed companies are exempt."
        );
        return finding(Answer::Unknown, fact, Basis::Unknown, text, profile.source_of(member));
    }
    if profile.group.above.iter().all(is_never_listed)
        && company
            .parent_exceptions
            .iter()
            .any(|it| it.reasons.iter().any(|it| it == "NATURAL_PERSONS"))
    {
        let text = "It reported to GLEIF that natural persons control it: no other company consolidates it, and so no listed one.";
        let source = profile.source_of("parentExceptions");
        return finding(Answer::No, fact, Basis::Stated, text, source);
    }
    let persons = company.quota_holders.iter().filter(|it| it.kind == HolderKind::Person);
    if persons.clone().filter_map(|it| it.percentage).sum::<f64>() >= 50.0 {
        let text =
            "The register names natural persons as partners with at least half of the capital.";
        let source = persons.map(|it| it.source.clone()).next();
        return finding(Answer::No, fact, Basis::Stated, text, source);
    }
    let text = "Whether a listed company controls it is not known; subsidiaries of listed companies are exempt.";
    finding(Answer::Unknown, fact, Basis::Unknown, text, None)
}
