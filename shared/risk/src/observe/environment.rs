//! Owners, lists, countries and industry.

use domain::{Provenance, countries::country_name};
use ownership::flags::{Flag, FlagKind};

use crate::{
    Sign,
    countries::{FATF_LISTS, FatfList, LISTED_ON, fatf_list},
    evidence::Observation,
    facts::{
        Concern, CountryLink, CountryRole, Identity, IndustryFacts, ListHit, OwnershipFacts,
        Subject,
    },
};

/// Codes of GLEIF for a parent that exists but is not disclosed. The other codes say that there is no parent, or that it has
/// no identifier.
const WITHHELD: [&str; 6] = [
    "NON_PUBLIC",
    "BINDING_LEGAL_COMMITMENTS",
    "LEGAL_OBSTACLES",
    "CONSENT_NOT_OBTAINED",
    "DETRIMENT_NOT_EXCLUDED",
    "DISCLOSURE_DETRIMENTAL",
];

/// The part of the capital, in percent, from which the owners are visible. What remains is less than a share that makes a
/// beneficial owner (25 %, AMLA 2a (3)), or exactly that.
const VISIBLE: f64 = 75.0;

pub(super) fn ownership(facts: &OwnershipFacts) -> Vec<Observation> {
    let of_flag = |flag: &Flag| {
        let sign = match flag.kind {
            FlagKind::CircularOwnership => Sign::CircularOwnership,
            FlagKind::ClosedCircle | FlagKind::SharesExceedCapital => Sign::ContradictoryShares,
            FlagKind::Pyramid => Sign::Pyramid,
            FlagKind::DomiciliaryAddress => Sign::CareOfAddress,
            // That of the company itself belongs to another factor.
            FlagKind::MassDomicileAddress if !flag.parties.contains(&facts.company) => {
                Sign::OwnerAtSharedAddress
            }
            // Nothing is known, or the reasons are looked at below.
            FlagKind::MassDomicileAddress
            | FlagKind::UnknownShare
            | FlagKind::DepthLimit
            | FlagKind::ReportingException => return None,
        };
        let source = flag.evidence.first().unwrap_or(&facts.source);
        Some(Observation::new(sign, source, flag.explanation.clone()))
    };
    let mut observations: Vec<Observation> = facts.flags.iter().filter_map(of_flag).collect();
    for (name, it) in &facts.exceptions {
        let reasons = it.exception.reasons.iter().filter(|it| WITHHELD.contains(&it.as_str()));
        let reasons: Vec<&str> = reasons.map(String::as_str).collect();
        if !reasons.is_empty() {
            let summary = format!(
                "{name} did not disclose a parent to GLEIF, for the reason {}.",
                reasons.join(", ")
            );
            observations.push(Observation::new(Sign::WithheldParent, &it.source, summary));
        }
    }
    if facts.held_by_persons.get() >= VISIBLE && !facts.has_holders_by_name {
        let summary =
            format!("Known natural persons hold {} of the capital.", facts.held_by_persons);
        observations.push(Observation::new(Sign::OwnersVisible, &facts.source, summary));
    }
    observations
}

pub(super) fn listings(hits: &[ListHit]) -> Vec<Observation> {
    hits.iter().map(listing).collect()
}

fn listing(hit: &ListHit) -> Observation {
    let list = match hit.concern {
        Concern::Sanction => "a sanctions list",
        Concern::Warning => "a list of warnings",
        Concern::PoliticallyExposed => "a list of politically exposed persons",
        Concern::Associate => "a list of associates of politically exposed persons",
    };
    let who = match hit.subject {
        Subject::Company => "The company",
        Subject::Owner => "The owner",
        Subject::Officer => "The officer",
    };
    let name = &hit.name;
    let searched =
        hit.version.as_ref().map(|it| format!(" List of {}, version {}.", it.date, it.id));
    let searched = searched.unwrap_or_default();
    match hit.identity {
        Identity::Confirmed => {
            let sign = match (hit.concern, hit.subject) {
                (Concern::Sanction, Subject::Officer) => Sign::SanctionedOfficer,
                (Concern::Sanction, _) => Sign::Sanctioned,
                (Concern::Warning, _) => Sign::Warned,
                (Concern::PoliticallyExposed, _) => Sign::PoliticallyExposed,
                (Concern::Associate, _) => Sign::AssociateOfExposed,
            };
            Observation::new(sign, &hit.source, format!("{who} {name} is on {list}.{searched}"))
        }
        Identity::Possible(score) => {
            let sign = match hit.concern {
                Concern::Sanction => Sign::PossibleSanction,
                Concern::Warning => Sign::PossibleWarning,
                Concern::PoliticallyExposed | Concern::Associate => Sign::PossibleExposure,
            };
            let summary =
                format!("{who} {name} may be on {list}: the names resemble each other.{searched}");
            Observation::new(sign, &hit.source, summary).with_strength(score)
        }
    }
}

pub(super) fn geography(links: &[CountryLink]) -> Vec<Observation> {
    links.iter().filter_map(country).collect()
}

fn country(link: &CountryLink) -> Option<Observation> {
    let list = fatf_list(&link.country)?;
    let (sign, who) = match (link.role, list) {
        (CountryRole::Owner, FatfList::CallForAction) => (Sign::OwnerFromCallForAction, "owner"),
        (CountryRole::Owner, FatfList::IncreasedMonitoring) => {
            (Sign::OwnerFromIncreasedMonitoring, "owner")
        }
        (CountryRole::Officer, FatfList::CallForAction) => {
            (Sign::OfficerFromCallForAction, "officer")
        }
        (CountryRole::Officer, FatfList::IncreasedMonitoring) => {
            (Sign::OfficerFromIncreasedMonitoring, "officer")
        }
    };
    let what = match list {
        FatfList::CallForAction => "subject to a call for action",
        FatfList::IncreasedMonitoring => "under increased monitoring",
    };
    let country = country_name(&link.country).unwrap_or(&link.country);
    let summary = format!(
        "The {who} {} is in {country}, which was {what} by the FATF on {LISTED_ON}, according to secondary sources (the lists: \
         {FATF_LISTS}).",
        link.name
    );
    Some(Observation::new(sign, &link.source, summary))
}

/// NOGA division of hotels and of restaurants.
const HOSPITALITY: [&str; 2] = ["55", "56"];

/// Beginnings of the NOGA 2008 codes of what FATF Recommendation 22 names: wholesale and retail of watches and jewellery
/// (dealers in precious metals and stones), real estate agents, lawyers and accountants, casinos.
const EXPOSED: [&str; 5] = ["4648", "4777", "683", "69", "92"];

pub(super) fn industry(facts: &IndustryFacts) -> Vec<Observation> {
    let mut observations = Vec::new();
    let mut add = |sign, source: &Provenance, summary| {
        observations.push(Observation::new(sign, source, summary));
    };
    let begins = |codes: &[&str]| {
        facts.noga_code.as_deref().is_some_and(|code| codes.iter().any(|it| code.starts_with(it)))
    };
    let name = facts.name.as_deref().or(facts.noga_code.as_deref()).unwrap_or_default();
    if begins(&HOSPITALITY) {
        let summary = format!(
            "The industry is {name}. Hotels and restaurants became insolvent 2.2 times as often as the average company \
             (Dun & Bradstreet, 2012)."
        );
        add(Sign::Hospitality, &facts.source, summary);
    }
    if begins(&EXPOSED) {
        let summary = format!(
            "The industry is {name}, which FATF Recommendation 22 names as exposed to money laundering."
        );
        add(Sign::ExposedIndustry, &facts.source, summary);
    }
    if facts.is_supervised {
        let summary = "FINMA has authorised the company and supervises it.".to_owned();
        add(Sign::Supervised, &facts.licence, summary);
    }
    observations
}
