//! How hard it is to see who owns a company, as a score.
//!
//! The score is a sum of points, which [`opacity`] states with a reason each. The weights are our judgement, not measured:
//! what hides owners completely weighs most, what only makes the search longer weighs less.
//!
//! | Contributor | Points |
//! |---|---|
//! | `no_beneficial_owner`: no natural person was found who owns a part, of known or unknown size, or has control, the legal form has owners, and they are not all known to end at parties without owners | 20 |
//! | `shareholders_not_public`: part of the capital ends at companies whose legal form has no public holders, such as corporations; it
//!   counts for neither of the two above, because it says something about the law, not about the company | 20 |
//! | `unattributed`: other part of the capital whose last owners are unknown | 1 for each 4 %, at most 25 |
//! | `circular_ownership`: companies own each other | 15 |
//! | `contradictory_shares`: known shares exceed the capital, or a circle is closed | 10 |
//! | `depth`: levels of owners above the first | 5 for each, at most 15 |
//! | `pyramid`: control through companies that are owned only partly | 10 |
//! | `foreign_owners`: owners abroad, whose owners are not in the Swiss register | 5 |
//! | `reporting_exception`: an entity reported why it names no parent | 10; 5 if all reasons are harmless |
//! | `domiciliary_address`: a company has a `c/o` address | 5 |
//! | `mass_domicile_address`: many companies share an address | 10 |

use domain::{Language, statements::gleif::Category, terms::reasons_for_no_parent};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    BeneficialOwner, Part, Party, Percent, Reason, ReportingException, Resolution, Structure,
    flags::{Flag, FlagKind},
};

/// How hard it is to see who owns a company.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Opacity {
    /// 0 (transparent) to 100.
    pub score: u8,
    /// Level of the score.
    pub level: OpacityLevel,
    /// What contributes to the score. The points add up to the score, or to more than 100.
    pub contributors: Vec<Contributor>,
}

/// Level of opacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OpacityLevel {
    /// 0 to 19.
    Transparent,
    /// 20 to 39.
    Normal,
    /// 40 to 64.
    Opaque,
    /// From 65.
    HighlyOpaque,
}

impl OpacityLevel {
    fn of(score: u8) -> Self {
        match score {
            0..20 => Self::Transparent,
            20..40 => Self::Normal,
            40..65 => Self::Opaque,
            65.. => Self::HighlyOpaque,
        }
    }
}

/// A contribution to the score.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contributor {
    /// Code, as in the table of this module.
    pub code: &'static str,
    /// What was found, in English.
    pub description: String,
    /// Points, more than 0.
    pub points: u8,
}

/// Reasons for naming no parent that say that there is none, or who it is: natural persons own the entity, or nobody
/// consolidates it.
const HARMLESS: [&str; 3] = ["NATURAL_PERSONS", "NON_CONSOLIDATING", "NO_KNOWN_PERSON"];

/// The opacity of the company at the root of a structure.
pub fn opacity(structure: &Structure, resolution: &Resolution, flags: &[Flag]) -> Opacity {
    let count = |kind: FlagKind| flags.iter().filter(|it| it.kind == kind).count();
    let mut contributors = Vec::new();
    let mut add = |code, points: u8, description: String| {
        if points > 0 {
            contributors.push(Contributor { code, description, points });
        }
    };
    let can_have_owners = structure.form(structure.root()).can_have_owners();
    // Persons whose shares are too small to make them beneficial owners hide nothing, nor do those whose shares are not known, nor
    // the state.
    // Nobody can see who holds a corporation: this distinguishes no corporation from another.
    let is_undisclosed =
        |it: &&Part| structure.profile(it.party).is_some_and(|it| it.has_undisclosed_holders);
    let undisclosed = resolution.unattributed.iter().filter(is_undisclosed);
    let undisclosed: f64 = undisclosed.map(|it| it.percentage.get()).sum();
    if can_have_owners
        && undisclosed == 0.0
        && resolution.attributed_to_persons.get() == 0.0
        && !resolution.is_fully_attributed()
        && structure.persons_with_unknown_shares(structure.root()).next().is_none()
        && !resolution.beneficial_owners.iter().any(is_owner)
    {
        add(
            "no_beneficial_owner",
            20,
            "No natural person was found who owns or controls the company.".into(),
        );
    }
    if can_have_owners {
        if undisclosed > 0.0 {
            let part = part_of_all(undisclosed);
            add(
                "shareholders_not_public",
                20,
                format!(
                    "{part} of the capital ends at companies whose holders the law does not make public, as those of every corporation."
                ),
            );
        }
        let unattributed = part_of_all(resolution.unattributed_percentage.get() - undisclosed);
        // At most 25, because the part is at most 100 %.
        let points = (unattributed.get() / 4.0).round().clamp(0.0, 25.0) as u8;
        add(
            "unattributed",
            points,
            format!("The last owners of {unattributed} of the capital are unknown."),
        );
    }
    let circles = count(FlagKind::CircularOwnership);
    if circles > 0 {
        add(
            "circular_ownership",
            15,
            format!("Circles of companies that own each other: {circles}."),
        );
    }
    let contradictions = count(FlagKind::SharesExceedCapital) + count(FlagKind::ClosedCircle);
    if contradictions > 0 {
        add(
            "contradictory_shares",
            10,
            format!(
                "Companies or circles whose known shares contradict each other: {contradictions}."
            ),
        );
    }
    let levels = structure.depth();
    add("depth", levels.saturating_sub(1).min(3) * 5, format!("Levels of owners: {levels}."));
    if count(FlagKind::Pyramid) > 0 {
        add(
            "pyramid",
            10,
            "The company is controlled through companies that are owned only partly.".into(),
        );
    }
    let foreign = structure.depths().keys().filter(|it| is_foreign(structure, **it)).count();
    if foreign > 0 {
        add("foreign_owners", 5, format!("Owners abroad: {foreign}."));
    }
    exceptions(structure, &mut add);
    let addresses = [
        (FlagKind::DomiciliaryAddress, 5, "Companies with a `c/o` address"),
        (FlagKind::MassDomicileAddress, 10, "Companies at an address of many companies"),
    ];
    for (kind, points, what) in addresses {
        if count(kind) > 0 {
            add(kind.name(), points, format!("{what}: {}.", count(kind)));
        }
    }
    let score = contributors.iter().fold(0_u8, |sum, it| sum.saturating_add(it.points)).min(100);
    Opacity { score, level: OpacityLevel::of(score), contributors }
}

/// A part of the capital, from nothing to all of it.
fn part_of_all(percent: f64) -> Percent {
    Percent::new(percent.max(0.0)).unwrap_or(Percent::WHOLE).min(Percent::WHOLE)
}

fn exceptions(structure: &Structure, add: &mut impl FnMut(&'static str, u8, String)) {
    let parties = structure.depths().keys();
    let all: Vec<(Party, &ReportingException)> =
        parties.flat_map(|party| structure.exceptions_of(*party).map(|it| (*party, it))).collect();
    let reasons =
        |it: &ReportingException| reasons_for_no_parent(Language::En, &it.exception.reasons);
    if !all.is_empty() {
        let mut codes = all.iter().flat_map(|(_, it)| &it.exception.reasons);
        let is_harmless = codes.all(|it| HARMLESS.contains(&it.as_str()));
        let points = if is_harmless { 5 } else { 10 };
        let said = |(party, it): &(Party, &ReportingException)| {
            let parent = match it.exception.category {
                Category::DirectParent => "direct",
                Category::UltimateParent => "ultimate",
            };
            format!("{}, {parent} parent: {}", structure.name(*party), reasons(it))
        };
        let said: Vec<String> = all.iter().map(said).collect();
        add(
            "reporting_exception",
            points,
            format!("Parents not named, with the reason reported to GLEIF: {}.", said.join("; ")),
        );
    }
}

/// Whether a row is an owner, not a person of the statutory fallback.
fn is_owner(row: &BeneficialOwner) -> bool {
    row.reasons.iter().any(|it| !matches!(it, Reason::StatutoryFallback { .. }))
}

fn is_foreign(structure: &Structure, party: Party) -> bool {
    if party == structure.root() || party.is_person() {
        return false;
    }
    let country = structure.profile(party).and_then(|it| it.country.as_deref());
    country.map_or(matches!(party, Party::Foreign(_)), |it| it != "CH")
}

/// The [percentile](domain::percentile) of a score among those of peers, without its decimals. The caller chooses the peers, for
/// example companies of the same legal form and size.
pub fn percentile(score: u8, peers: &[u8]) -> Option<u8> {
    domain::percentile(score, peers.iter().copied()).map(|it| it as u8)
}

/// Signs that a company in the chain of owners has no business of its own.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShellCompany {
    /// Levels of owners above the company.
    pub depth: u8,
    /// Whether its industry is known.
    pub has_industry: bool,
    /// The signs, in English.
    pub rationale: String,
}

/// Whether the root looks like a shell company: its industry is unknown, it has an address that is not its own, and it has
/// owners above the first level. `None` if one of the three is missing or was not looked up. A heuristic, no proof.
pub fn shell_company(structure: &Structure) -> Option<ShellCompany> {
    let profile = structure.profile(structure.root())?;
    let address = match (&profile.domiciliary, &profile.mass_domicile) {
        (Some(_), _) => "has a `c/o` address",
        (None, Some(_)) => "shares its address with many companies",
        (None, None) => return None,
    };
    let depth = structure.depth();
    let has_industry = profile.has_industry?;
    (!has_industry && depth > 1).then(|| ShellCompany {
        depth,
        has_industry,
        rationale: format!(
            "{} {address}, no source states its industry, and there are {depth} levels of owners.",
            structure.name(structure.root())
        ),
    })
}
