//! What deserves attention in the ownership of a company, with evidence.

use domain::{
    Language, Provenance,
    statements::gleif::Category,
    terms::reasons_for_no_parent,
    wording::{self, Translations, say},
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    Link, Part, Party, Resolution, Share, Structure, UnknownShare, resolution::MAX_MEMBERS,
};

/// Kind of flag: `circular_ownership` (companies own each other), `closed_circle` (companies hold all of each other, so
/// that no owner of them is known), `shares_exceed_capital` (the known shares of a company exceed its capital, or the
/// known votes all votes), `pyramid` (somebody controls the company through others and owns a smaller part of it than
/// of the votes), `unknown_share` (the share of an owner is unknown), `reporting_exception` (an entity reported to
/// GLEIF why it names no parent), `domiciliary_address` (a company has a `c/o` address), `mass_domicile_address` (many
/// companies share the address of a company) or `depth_limit` (owners beyond the maximum number of levels or of
/// entities, or of an entity abroad whose reports were not read completely, were not followed).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[schema(as = OwnershipFlagKind)]
#[serde(rename_all = "snake_case")]
pub enum FlagKind {
    /// Companies own each other.
    CircularOwnership,
    /// Companies hold all of each other, so that nobody is known to own them.
    ClosedCircle,
    /// The known shares of a company exceed its capital, or the known votes all votes.
    SharesExceedCapital,
    /// Somebody controls the company through others and owns a smaller part of it than of the votes.
    Pyramid,
    /// The share of an owner is unknown.
    UnknownShare,
    /// An entity reported to GLEIF why it names no parent.
    ReportingException,
    /// A company has a `c/o` address.
    DomiciliaryAddress,
    /// Many companies share the address of a company.
    MassDomicileAddress,
    /// Owners beyond the greatest depth, or beyond the greatest number of parties, were not followed.
    DepthLimit,
}

impl FlagKind {
    /// Name in responses.
    pub fn name(self) -> &'static str {
        match self {
            Self::CircularOwnership => "circular_ownership",
            Self::ClosedCircle => "closed_circle",
            Self::SharesExceedCapital => "shares_exceed_capital",
            Self::Pyramid => "pyramid",
            Self::UnknownShare => "unknown_share",
            Self::ReportingException => "reporting_exception",
            Self::DomiciliaryAddress => "domiciliary_address",
            Self::MassDomicileAddress => "mass_domicile_address",
            Self::DepthLimit => "depth_limit",
        }
    }
}

/// Something that deserves attention.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Flag {
    /// Kind of flag.
    pub kind: FlagKind,
    /// The parties that it is about. Circles: in the direction from owner to owned.
    pub parties: Vec<Party>,
    /// What was found.
    #[serde(serialize_with = "Translations::serialize_english")]
    pub explanation: Translations,
    /// The statements that show it.
    pub evidence: Vec<Provenance>,
}

/// The flags of a company and its owners, sorted by kind.
pub fn flags(structure: &Structure, resolution: &Resolution) -> Vec<Flag> {
    let mut flags = circles(structure, resolution);
    flags.extend(overstated(structure, resolution));
    flags.extend(pyramid(structure, resolution));
    flags.extend(unknown_shares(structure));
    for party in structure.depths().keys() {
        flags.extend(of_profile(structure, *party));
    }
    if !structure.cut_off().is_empty() {
        flags.push(Flag {
            kind: FlagKind::DepthLimit,
            parties: structure.cut_off().iter().copied().collect(),
            explanation: Translations::of(|language| {
                let companies = structure.cut_off().len();
                let texts = [
                    [
                        "Die Eigentümer von 1 Gesellschaft wurden nicht vollständig verfolgt.",
                        "Les propriétaires d’une société n’ont pas tous été suivis.",
                        "I proprietari di 1 società non sono stati tutti seguiti.",
                        "The owners of 1 company were not all followed.",
                    ],
                    [
                        "Die Eigentümer von {} Gesellschaften wurden nicht vollständig verfolgt.",
                        "Les propriétaires de {} sociétés n’ont pas tous été suivis.",
                        "I proprietari di {} società non sono stati tutti seguiti.",
                        "The owners of {} companies were not all followed.",
                    ],
                ];
                let text = wording::in_number(language, companies as u64, texts);
                text.replace("{}", &companies.to_string())
            }),
            evidence: Vec::new(),
        });
    }
    flags.sort_by_key(|it| it.kind);
    flags
}

fn circles(structure: &Structure, resolution: &Resolution) -> Vec<Flag> {
    let open = resolution.circles.iter().map(|circle| {
        let explanation = Translations::of(|language| {
            let names = names(language, structure, &circle.circle);
            match circle.circle.as_slice() {
                [_] => say!(
                    language,
                    "{names} hält eigene Anteile.",
                    "{names} détient ses propres parts.",
                    "{names} detiene quote proprie.",
                    "{names} holds its own shares.",
                ),
                [_, _] => say!(
                    language,
                    "{names} besitzen sich gegenseitig.",
                    "{names} se détiennent mutuellement.",
                    "{names} si detengono a vicenda.",
                    "{names} own each other.",
                ),
                _ => say!(
                    language,
                    "Kreis aus {names}: Jede Gesellschaft besitzt einen Teil der nächsten, die letzte einen Teil der ersten.",
                    "Cercle de {names}: chaque société possède une partie de la suivante, et la dernière une partie de la première.",
                    "Cerchio di {names}: ogni società possiede una parte della successiva, e l’ultima una parte della prima.",
                    "Circle of {names}: each owns a part of the next, and the last a part of the first.",
                ),
            }
        });
        Flag {
            kind: FlagKind::CircularOwnership,
            parties: circle.circle.clone(),
            explanation,
            evidence: evidence_of(structure, |it| {
                circle.members.contains(&it.owner) && circle.members.contains(&it.owned)
            }),
        }
    });
    let closed = resolution.closed_circles.iter().map(|members| Flag {
        kind: FlagKind::ClosedCircle,
        parties: members.clone(),
        explanation: Translations::of(|language| closed_circle(language, structure, members)),
        evidence: evidence_of(structure, |it| {
            members.contains(&it.owner) && members.contains(&it.owned)
        }),
    });
    open.chain(closed).collect()
}

fn closed_circle(language: Language, structure: &Structure, members: &[Party]) -> String {
    let (names, companies) = (names(language, structure, members), members.len());
    match companies > MAX_MEMBERS {
        true => say!(
            language,
            "{companies} Gesellschaften besitzen sich gegenseitig, mehr als die {MAX_MEMBERS}, die aufgelöst werden. Ihre Eigentümer gelten als unbekannt: {names}.",
            "{companies} sociétés se détiennent mutuellement, plus que les {MAX_MEMBERS} qui sont résolues. Leurs propriétaires comptent comme inconnus: {names}.",
            "{companies} società si detengono a vicenda, più delle {MAX_MEMBERS} che vengono risolte. I loro proprietari contano come sconosciuti: {names}.",
            "{companies} companies own each other, more than the {MAX_MEMBERS} that are resolved. Their owners count as unknown: {names}.",
        ),
        false => say!(
            language,
            "Alle oder fast alle Anteile von {names} halten diese Gesellschaften selbst: Kein Eigentümer ausserhalb ist bekannt.",
            "Toutes ou presque toutes les parts de {names} sont détenues entre elles: aucun propriétaire extérieur n’est connu.",
            "Tutte o quasi tutte le quote di {names} sono detenute tra loro: nessun proprietario esterno è noto.",
            "All, or nearly all, shares of {names} are held among themselves: no owner outside is known.",
        ),
    }
}

fn overstated(structure: &Structure, resolution: &Resolution) -> Vec<Flag> {
    let flag = |part: &Part| Flag {
        kind: FlagKind::SharesExceedCapital,
        parties: vec![part.party],
        explanation: Translations::of(|language| {
            let (name, sum) = (structure.name(part.party), part.percentage);
            say!(
                language,
                "Die bekannten Anteile an {name} oder die Stimmen darin ergeben zusammen {sum}. Mindestens eine Angabe ist falsch; deshalb zählt keine.",
                "Les parts connues de {name}, ou les voix, totalisent {sum}. Au moins une indication est fausse; aucune ne compte donc.",
                "Le quote note di {name}, o i voti, danno in totale {sum}. Almeno un’indicazione è sbagliata; perciò nessuna conta.",
                "The known shares of {name}, or the votes in it, add up to {sum}. At least one statement is wrong, so none of them counts.",
            )
        }),
        evidence: evidence_of(structure, |it| it.owned == part.party && it.share.known().is_some()),
    };
    resolution.overstated.iter().map(flag).collect()
}

/// A pyramid separates control from ownership (R. La Porta, F. Lopez-de-Silanes, A. Shleifer, "Corporate ownership around
/// the world", Journal of Finance 54, 1999): an ultimate controller decides through companies that it owns only partly.
/// Only what is certain is flagged: the controller's share would be smaller than its votes even if it held everything
/// that is unattributed.
fn pyramid(structure: &Structure, resolution: &Resolution) -> Vec<Flag> {
    let unattributed = resolution.unattributed_percentage.get();
    let controllers = resolution.controllers.iter().filter(|it| it.is_ultimate);
    let flags = controllers.filter_map(|controller| {
        let holder = resolution.holders.iter().find(|it| it.party == controller.party)?;
        let votes = holder.controlled_votes;
        let at_most = holder.capital.get() + unattributed;
        if controller.steps.len() < 2 || at_most >= votes.get() - 1e-6 {
            return None;
        }
        let companies: Vec<Party> = controller.steps.iter().map(|it| it.company).collect();
        let intermediate = companies.len() - 1;
        let (name, capital) = (structure.name(controller.party), holder.capital);
        let explanation = Translations::of(|language| {
            let companies = [
                ["Zwischengesellschaft", "société intermédiaire", "società intermedia", "company"],
                [
                    "Zwischengesellschaften",
                    "sociétés intermédiaires",
                    "società intermedie",
                    "companies",
                ],
            ];
            let companies = wording::in_number(language, intermediate as u64, companies);
            say!(
                language,
                "{name} hat {votes} der Stimmen über {intermediate} {companies}, besitzt aber nur {capital} des Kapitals.",
                "{name} dispose de {votes} des voix par {intermediate} {companies}, mais ne possède que {capital} du capital.",
                "{name} dispone di {votes} dei voti tramite {intermediate} {companies}, ma possiede solo {capital} del capitale.",
                "{name} has {votes} of the votes through {intermediate} intermediate {companies}, but owns only {capital} of the capital.",
            )
        });
        let is_step = |it: &Link| {
            let mut steps = controller.steps.iter();
            steps.any(|step| step.company == it.owned && step.through.contains(&it.owner))
        };
        Some(Flag {
            kind: FlagKind::Pyramid,
            parties: [controller.party].into_iter().chain(companies).collect(),
            explanation,
            evidence: evidence_of(structure, is_step),
        })
    });
    flags.collect()
}

/// Owners of which no link states the share. An ultimate parent that holds its share through others is none of them.
fn unknown_shares(structure: &Structure) -> Vec<Flag> {
    let is_known = |owner: Party, owned: Party| {
        structure.links_to(owned).any(|it| it.owner == owner && it.share.known().is_some())
    };
    let links = structure.links().iter().filter(|it| it.kind.is_ownership());
    let unknown = links.filter_map(|link| {
        let Share::Unknown(reason) = link.share else { return None };
        if reason == UnknownShare::Indirect || is_known(link.owner, link.owned) {
            return None;
        }
        Some(Flag {
            kind: FlagKind::UnknownShare,
            parties: vec![link.owner, link.owned],
            explanation: Translations::of(|language| {
                let [owner, owned] = [link.owner, link.owned].map(|it| structure.name(it));
                let reason = reason.explanation(language);
                say!(
                    language,
                    "Der Anteil von {owner} an {owned} ist nicht bekannt: {reason}.",
                    "La part de {owner} dans {owned} n’est pas connue: {reason}.",
                    "La quota di {owner} in {owned} non è nota: {reason}.",
                    "The share of {owner} in {owned} is unknown: {reason}.",
                )
            }),
            evidence: vec![link.source.clone()],
        })
    });
    unknown.collect()
}

fn of_profile(structure: &Structure, party: Party) -> Vec<Flag> {
    let Some(profile) = structure.profile(party) else { return Vec::new() };
    let name = structure.name(party);
    let flag = |kind, said: &dyn Fn(Language) -> String, source: &Provenance| Flag {
        kind,
        parties: vec![party],
        explanation: Translations::of(said),
        evidence: vec![source.clone()],
    };
    let exceptions = structure.exceptions_of(party).map(|it| {
        let said = |language: Language| {
            let reasons = reasons_for_no_parent(language, &it.exception.reasons);
            let parent = language.of(match it.exception.category {
                Category::DirectParent => ["direkte", "directe", "diretta", "direct"],
                Category::UltimateParent => ["oberste", "ultime", "ultima", "ultimate"],
            });
            say!(
                language,
                "{name} hat der GLEIF gemeldet, warum keine {parent} Muttergesellschaft genannt wird: {reasons}.",
                "{name} a indiqué à la GLEIF pourquoi aucune société mère {parent} n’est nommée: {reasons}.",
                "{name} ha comunicato alla GLEIF perché non è indicata alcuna società madre {parent}: {reasons}.",
                "{name} reported to GLEIF why it names no {parent} parent: {reasons}.",
            )
        };
        flag(FlagKind::ReportingException, &said, &it.source)
    });
    let domiciliary = profile.domiciliary.iter().map(|source| {
        let said = |language: Language| {
            say!(
                language,
                "{name} hat eine Adresse mit dem Zusatz c/o: Eigene Räume fehlen vielleicht.",
                "{name} a une adresse c/o: des locaux propres font peut-être défaut.",
                "{name} ha un indirizzo c/o: forse mancano locali propri.",
                "{name} has a `c/o` address: it may have no offices of its own.",
            )
        };
        flag(FlagKind::DomiciliaryAddress, &said, source)
    });
    let shared = profile.mass_domicile.iter().map(|it| {
        let said = |language: Language| {
            let companies = wording::number(language, it.companies as u64);
            say!(
                language,
                "{name} hat dieselbe Adresse wie {companies} Gesellschaften.",
                "{name} a la même adresse que {companies} sociétés.",
                "{name} ha lo stesso indirizzo di {companies} società.",
                "{name} shares its address with {companies} companies.",
            )
        };
        flag(FlagKind::MassDomicileAddress, &said, &it.source)
    });
    exceptions.chain(domiciliary).chain(shared).collect()
}

fn names(language: Language, structure: &Structure, parties: &[Party]) -> String {
    let names: Vec<String> = parties.iter().map(|it| structure.name(*it)).collect();
    wording::list(language, &names)
}

/// The sources of the ownership links with this property, each once.
fn evidence_of(structure: &Structure, has: impl Fn(&Link) -> bool) -> Vec<Provenance> {
    let mut evidence: Vec<Provenance> = Vec::new();
    for link in structure.links().iter().filter(|it| it.kind.is_ownership() && has(it)) {
        if !evidence.contains(&link.source) {
            evidence.push(link.source.clone());
        }
    }
    evidence
}
