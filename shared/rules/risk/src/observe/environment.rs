//! Owners, lists, countries and industry.

use domain::{
    Language, Provenance,
    lists::ListSource,
    noga::division,
    terms::{Text, reasons_for_no_parent},
    wording::{self, Translations, say},
};
use ownership::flags::{Flag, FlagKind};

use crate::{
    Sign,
    countries::{FATF_LISTS, FatfList, LISTED_ON, fatf_list, listed_name},
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
            let summary = Translations::of(|language| {
                let reasons = reasons_for_no_parent(language, &reasons);
                say!(
                    language,
                    "{name} hat der GLEIF eine Muttergesellschaft nicht offengelegt: {reasons}.",
                    "{name} n’a pas divulgué une société mère à la GLEIF: {reasons}.",
                    "{name} non ha comunicato una società madre alla GLEIF: {reasons}.",
                    "{name} did not disclose a parent to GLEIF: {reasons}.",
                )
            });
            observations.push(Observation::new(Sign::WithheldParent, &it.source, summary));
        }
    }
    if facts.held_by_persons.get() >= VISIBLE && !facts.has_holders_by_name {
        let share = facts.held_by_persons;
        let summary = Translations::of(|language| match facts.has_capital {
            true => say!(
                language,
                "Über alle Stufen gehören bekannten natürlichen Personen {share} des Kapitals.",
                "À travers tous les niveaux, {share} du capital appartiennent à des personnes physiques connues.",
                "Attraverso tutti i livelli, {share} del capitale appartiene a persone fisiche note.",
                "Over all levels, {share} of the capital belongs to known natural persons.",
            ),
            false => say!(
                language,
                "Über alle Stufen gehören bekannten natürlichen Personen {share} des Unternehmens.",
                "À travers tous les niveaux, {share} de l’entreprise appartiennent à des personnes physiques connues.",
                "Attraverso tutti i livelli, {share} dell’impresa appartiene a persone fisiche note.",
                "Over all levels, {share} of the company belongs to known natural persons.",
            ),
        });
        observations.push(Observation::new(Sign::OwnersVisible, &facts.source, summary));
    }
    observations
}

pub(super) fn listings(hits: &[ListHit]) -> Vec<Observation> {
    hits.iter().map(listing).collect()
}

fn listing(hit: &ListHit) -> Observation {
    let summary = Translations::of(|language| said_of_hit(language, hit));
    match hit.identity {
        Identity::Confirmed => {
            let sign = match (hit.concern, hit.subject) {
                (Concern::Sanction, Subject::Officer) => Sign::SanctionedOfficer,
                (Concern::Sanction, _) => Sign::Sanctioned,
                (Concern::Warning, _) => Sign::Warned,
                (Concern::PoliticallyExposed, _) => Sign::PoliticallyExposed,
                (Concern::Associate, _) => Sign::AssociateOfExposed,
            };
            Observation::new(sign, &hit.source, summary)
        }
        Identity::Possible(score) => {
            let sign = match hit.concern {
                Concern::Sanction => Sign::PossibleSanction,
                Concern::Warning => Sign::PossibleWarning,
                Concern::PoliticallyExposed | Concern::Associate => Sign::PossibleExposure,
            };
            Observation::new(sign, &hit.source, summary).with_strength(score)
        }
    }
}

/// What somebody is for the company: in English the start of the sentence, in the other languages a note after the name. An officer
/// is anybody with an entry, who may only sign.
const OWNER: Text = ["Eigentümer/in", "propriétaire", "proprietario/a", "The owner"];
const OFFICER: Text =
    ["eingetragene Person", "personne inscrite", "persona iscritta", "The officer"];

/// Who publishes the lists of a source, as it follows the word for list.
fn published_by(source: &str) -> Text {
    match ListSource::ALL.into_iter().find(|it| it.name() == source) {
        Some(ListSource::Seco) => [" des SECO", " du SECO", " della SECO", " of SECO"],
        Some(ListSource::Finma) => [" der FINMA", " de la FINMA", " della FINMA", " of FINMA"],
        Some(ListSource::Opensanctions) => [
            " aus der Sammlung von OpenSanctions",
            " réunie par OpenSanctions",
            " raccolta da OpenSanctions",
            " collected by OpenSanctions",
        ],
        None => [""; 4],
    }
}

/// Who is on which list.
fn said_of_hit(language: Language, hit: &ListHit) -> String {
    let list = language.of(match hit.concern {
        Concern::Sanction => [
            "einer Sanktionsliste",
            "une liste de sanctions",
            "una lista di sanzioni",
            "a sanctions list",
        ],
        Concern::Warning => [
            "einer Warnliste",
            "une liste d’avertissements",
            "una lista di avvertimenti",
            "a list of warnings",
        ],
        Concern::PoliticallyExposed => [
            "einer Liste politisch exponierter Personen",
            "une liste de personnes politiquement exposées",
            "una lista di persone politicamente esposte",
            "a list of politically exposed persons",
        ],
        Concern::Associate => [
            "einer Liste von Personen, die politisch exponierten Personen nahestehen",
            "une liste de proches de personnes politiquement exposées",
            "una lista di persone vicine a persone politicamente esposte",
            "a list of associates of politically exposed persons",
        ],
    });
    let list = format!("{list}{}", language.of(published_by(&hit.source.source)));
    let who = language.of(match hit.subject {
        Subject::Company => ["das Unternehmen", "l’entreprise", "l’impresa", "The company"],
        Subject::Owner => OWNER,
        Subject::Officer => OFFICER,
    });
    let name = &hit.name;
    let mut said = match hit.identity {
        Identity::Confirmed => say!(
            language,
            "{name} ({who}) steht auf {list}.",
            "{name} ({who}) figure sur {list}.",
            "{name} ({who}) figura in {list}.",
            "{who} {name} is on {list}.",
        ),
        Identity::Possible(_) => say!(
            language,
            "{name} ({who}) steht möglicherweise auf {list}; die Namen ähneln sich.",
            "{name} ({who}) figure peut-être sur {list}; les noms se ressemblent.",
            "{name} ({who}) figura forse in {list}; i nomi si somigliano.",
            "{who} {name} may be on {list}: the names resemble each other.",
        ),
    };
    if let Some(date) = hit.list_date {
        let day = wording::date(language, date);
        said.push_str(&say!(
            language,
            " Liste vom {day}.",
            " Liste du {day}.",
            " Lista del {day}.",
            " List of {day}.",
        ));
    }
    said
}

pub(super) fn geography(links: &[CountryLink]) -> Vec<Observation> {
    links.iter().filter_map(country).collect()
}

fn country(link: &CountryLink) -> Option<Observation> {
    let list = fatf_list(&link.country)?;
    let sign = match (link.role, list) {
        (CountryRole::Owner, FatfList::CallForAction) => Sign::OwnerFromCallForAction,
        (CountryRole::Owner, FatfList::IncreasedMonitoring) => Sign::OwnerFromIncreasedMonitoring,
        (CountryRole::Officer, FatfList::CallForAction) => Sign::OfficerFromCallForAction,
        (CountryRole::Officer, FatfList::IncreasedMonitoring) => {
            Sign::OfficerFromIncreasedMonitoring
        }
    };
    let summary = Translations::of(|language| said_of_country(language, link, list));
    Some(Observation::new(sign, &link.source, summary))
}

/// Who is in which country, and what the FATF says of it.
fn said_of_country(language: Language, link: &CountryLink, list: FatfList) -> String {
    let name = &link.name;
    let country = listed_name(&link.country).map_or(link.country.as_str(), |it| language.of(it));
    let who = language.of(match link.role {
        CountryRole::Owner => OWNER,
        CountryRole::Officer => OFFICER,
    });
    let day = wording::date(language, LISTED_ON);
    let what = match list {
        FatfList::CallForAction => say!(
            language,
            "Das Land stand am {day} auf der schwarzen Liste der FATF",
            "Le pays figurait le {day} sur la liste noire du GAFI",
            "Il {day} il Paese figurava nella lista nera del GAFI",
            "The country was subject to a call for action by the FATF on {day}",
        ),
        FatfList::IncreasedMonitoring => say!(
            language,
            "Das Land stand am {day} unter verstärkter Beobachtung der FATF",
            "Le pays était le {day} sous surveillance accrue du GAFI",
            "Il {day} il Paese era sotto osservazione rafforzata del GAFI",
            "The country was under increased monitoring by the FATF on {day}",
        ),
    };
    say!(
        language,
        "{name} ({who}): {country}. {what}, nach sekundären Quellen (die Listen: {FATF_LISTS}).",
        "{name} ({who}): {country}. {what}, selon des sources secondaires (les listes: {FATF_LISTS}).",
        "{name} ({who}): {country}. {what}, secondo fonti secondarie (le liste: {FATF_LISTS}).",
        "{who} {name} is in {country}. {what}, according to secondary sources (the lists: {FATF_LISTS}).",
    )
}

/// NOGA division of hotels and of restaurants.
const HOSPITALITY: [&str; 2] = ["55", "56"];

/// Beginnings of the NOGA 2008 codes of what FATF Recommendation 22 names: wholesale and retail of watches and jewellery
/// (dealers in precious metals and stones), real estate agents, lawyers and accountants, casinos.
const EXPOSED: [&str; 5] = ["4648", "4777", "683", "69", "92"];

pub(super) fn industry(facts: &IndustryFacts) -> Vec<Observation> {
    let mut observations = Vec::new();
    let mut add = |sign, source: &Provenance, said: &dyn Fn(Language) -> String| {
        observations.push(Observation::new(sign, source, Translations::of(said)));
    };
    let begins = |codes: &[&str]| {
        facts.noga_code.as_deref().is_some_and(|code| codes.iter().any(|it| code.starts_with(it)))
    };
    let name = |language: Language| {
        let english = facts.name.as_deref().or(facts.noga_code.as_deref()).unwrap_or_default();
        // Divisions have official names in the other languages.
        let division = facts.noga_code.as_deref().and_then(division);
        division.map_or(english, |it| {
            let [de, fr, italian] = it.official;
            language.of([de, fr, italian, english])
        })
    };
    if begins(&HOSPITALITY) {
        add(Sign::Hospitality, &facts.source, &|language| {
            let name = name(language);
            say!(
                language,
                "Branche: {name}. Hotels und Restaurants gingen 2.2-mal so oft in Konkurs wie das durchschnittliche Unternehmen (Dun & Bradstreet, 2012).",
                "Branche: {name}. Les hôtels et restaurants sont tombés en faillite 2.2 fois plus souvent que l’entreprise moyenne (Dun & Bradstreet, 2012).",
                "Settore: {name}. Alberghi e ristoranti sono falliti 2.2 volte più spesso dell’impresa media (Dun & Bradstreet, 2012).",
                "The industry is {name}. Hotels and restaurants became insolvent 2.2 times as often as the average company (Dun & Bradstreet, 2012).",
            )
        });
    }
    if begins(&EXPOSED) {
        add(Sign::ExposedIndustry, &facts.source, &|language| {
            let name = name(language);
            say!(
                language,
                "Branche: {name}. Empfehlung 22 der FATF führt sie als anfällig für Geldwäscherei auf.",
                "Branche: {name}. La recommandation 22 du GAFI la cite comme exposée au blanchiment d’argent.",
                "Settore: {name}. La raccomandazione 22 del GAFI lo indica come esposto al riciclaggio di denaro.",
                "The industry is {name}, which FATF Recommendation 22 names as exposed to money laundering.",
            )
        });
    }
    if facts.is_supervised {
        add(Sign::Supervised, &facts.licence, &|language| {
            say!(
                language,
                "Die FINMA hat das Unternehmen bewilligt und beaufsichtigt es.",
                "La FINMA a autorisé l’entreprise et la surveille.",
                "La FINMA ha autorizzato l’impresa e la sorveglia.",
                "FINMA has authorised the company and supervises it.",
            )
        });
    }
    observations
}
