//! Changes in sentences: entry, deletion, liquidation, bankruptcy, audit, mergers.

use std::sync::LazyLock;

use super::{
    Affair, CapitalKind, Change, Combination, Proceeding, members::untranslated, parties::combined,
};
use crate::{
    amount, date, pieces,
    words::{Table, after_any, begins},
};

/// What a sentence may speak of, the rows of [`SIGNS`].
#[derive(Clone, Copy)]
enum Sign {
    Enters,
    IsNew,
    EntersAgain,
    Corrects,
    Name,
    Statutes,
    Raises,
    Audit,
    Waives,
    WaivesNoMore,
    Bankruptcy,
    Moratorium,
    Defect,
    Dissolution,
    Revoked,
    Resumed,
    Suspended,
    Closed,
    Opened,
    Deleted,
    Company,
    Power,
    Merger,
    Goes,
    Comes,
    Demerger,
    Transfer,
}

#[rustfmt::skip]
const SIGNS: [(Sign, &[&str]); 27] = [
    (Sign::Enters, &["(neueintragung)", "(nuova iscrizione)", "(nouvelle inscription)", "neue einzelfirma", "neues einzelunternehmen"]),
    (Sign::IsNew, &["nouvelle société", "nouvelle entreprise", "nouvelle raison", "nouvelle fondation", "nouvelle association", "nouvelle coopérative", "nouvelle succursale", "nuova iscrizione"]),
    (Sign::EntersAgain, &["wieder eingetragen", "wiedereingetragen", "wiedereintragung", "réinscrit", "réinscription", "reiscri"]),
    (Sign::Corrects, &["berichtigung des ", "berichtigung der ", "nachtrag zum ", "rectification de ", "rettifica "]),
    (Sign::Name, &["raison sociale devient"]),
    (Sign::Statutes, &["statuts du ", "statuts modifiés le ", "statuten vom ", "nouveaux statuts du "]),
    (Sign::Raises, &["porté de ", "ramené de ", "réduit de "]),
    (Sign::Audit, &["eingeschränkte revision", "contrôle restreint", "contrôle ordinaire et", "revisione limitata"]),
    (Sign::Waives, &["verzicht", "renonc", "rinunci"]),
    (Sign::WaivesNoMore, &["nicht mehr verzichtet", "verzicht widerrufen", "n'est plus renoncé", "ne renonce plus", "non rinuncia più", "non si rinuncia più", "revision wurde widerrufen"]),
    (Sign::Bankruptcy, &["konkurs", "faillite", "fallimento"]),
    (Sign::Moratorium, &["nachlassstundung", "sursis concordataire", "moratoria concordataria"]),
    (Sign::Defect, &["731b", "153b", "carences dans l'organisation", "mängel in der", "lacune nell'organizzazione"]),
    (Sign::Dissolution, &["aufgelöst", "auflösung", "est dissoute", "est dissous", "dissolution", "è sciolta", "scioglimento", "est entrée en liquidation", "in liquidation getreten"]),
    (Sign::Revoked, &["widerrufen", "widerruf", "révoqué", "révocation", "aufgehoben worden", "rapporté", "annulé", "revocat", "revoca ", "gutgeheissen"]),
    (Sign::Resumed, &["durchgeführt, da", "wird nun durchgeführt", "wieder aufgenommen", "reprise de la procédure", "effet suspensif", "aufschiebende wirkung"]),
    (Sign::Suspended, &["mangels aktiven", "défaut d'actif", "faute d'actif", "mancanza di attivi", "eingestellt"]),
    (Sign::Closed, &["geschlossen", "clôtur", "clos par", "chius", "beendet"]),
    (Sign::Opened, &["eröffnet", "prononcé", "dissoute", "dissous", "aufgelöst", "aperto", "decretat", "dichiarat", "déclaré", "accordé", "gewährt", "bewilligt", "ouvert", "sciolta", "pronunciat", "auflösung", "dissolution", "scioglimento", "getreten", "entrée en"]),
    (Sign::Deleted, &["wird gelöscht", "gelöscht worden", "wurde gelöscht", "von amtes wegen gelöscht", "werden gelöscht", "daher gelöscht", "ist erloschen infolge", "est radiée", "est donc radiée", "a été radiée", "est radié d'office", "est radié par suite", "radiée par suite", "è cancellata", "è cancellato", "viene cancellata", "viene cancellato", "è radiata", "löschung infolge"]),
    // A person's power is struck out in the same words as a company.
    (Sign::Company, &["gesellschaft", "firma", "stiftung", "verein", "genossenschaft", "einzelunternehmen", "rechtseinheit", "zweigniederlassung wird", "société", "raison sociale", "raison de commerce", "raison individuelle", "fondation", "association", "entreprise", "entité", "succursale", "società", "ditta", "ragione sociale", "fondazione", "associazione", "l'inscription", "impresa"]),
    (Sign::Power, &["unterschrift", "prokura", "signature", "procuration", "pouvoirs", "firma di", "procura", "ses droits"]),
    (Sign::Merger, &["fusionsvertrag", "contrat de fusion", "contratto di fusione", "infolge fusion", "suite de fusion", "seguito di fusione"]),
    (Sign::Goes, &["übernommen", "gehen", "sont repris", "a été reprise", "ont passé", "ripresi", "infolge fusion", "par suite de fusion"]),
    (Sign::Comes, &["übernahme der aktiven", "reprise des actifs", "reprend", "übernimmt"]),
    (Sign::Demerger, &["spaltungsvertrag", "spaltungsplan", "contrat de scission", "projet de scission"]),
    (Sign::Transfer, &["vermögensübertragung", "contrat de transfert", "transfert de patrimoine", "contratto di trasferimento"]),
];

static WORDS: LazyLock<Table> = LazyLock::new(|| Table::of(SIGNS.iter().map(|(_, it)| *it)));

/// The signs in a sentence.
#[derive(Clone, Copy)]
struct Signs(u64);

impl Signs {
    fn has(self, sign: Sign) -> bool {
        // The rows stand in the order of the signs.
        self.0 >> (sign as u32) & 1 == 1
    }

    fn has_any(self, signs: &[Sign]) -> bool {
        signs.iter().any(|it| self.has(*it))
    }
}

/// No sentence about the company itself is longer; the sentences of a purpose are.
const LONGEST: usize = 4_000;

/// Reads the changes that a sentence states.
pub(super) fn sentence(text: &str, found: &mut Vec<Change>) {
    let signs = |text: &str| Signs(WORDS.rows_in(text));
    if text.len() > LONGEST {
        return;
    }
    let all = signs(text);
    if all.0 == 0 {
        return;
    }
    if all.has(Sign::Enters) || (all.has(Sign::IsNew) && begins(text, &["Nouvelle ", "Nuova "])) {
        found.push(Change::NewEntry);
    }
    if all.has(Sign::Corrects) {
        found.push(Change::Correction);
    }
    // The words of a bracket are those of an earlier notice.
    let said = pieces::without(text, |it| it.starts_with('['));
    let signs = if said.len() == text.len() { all } else { signs(&said) };
    if signs.has(Sign::Name)
        && let Some((_, name)) = said.split_once("raison sociale devient")
    {
        let to = untranslated(name.trim_start_matches([':', ' ']));
        found.push(Change::Name { to: to.to_owned() });
    }
    if signs.has(Sign::Statutes) {
        const STATUTES: [&str; 4] =
            ["Statuts du ", "Statuts modifiés le ", "Statuten vom ", "Nouveaux statuts du "];
        let statutes = after_any(&said, &STATUTES).and_then(date);
        found.extend(statutes.map(|on| Change::Statutes { on }));
    }
    if signs.has(Sign::Raises) {
        found.extend(raised(&said));
    }
    if signs.has(Sign::Audit) && signs.has_any(&[Sign::Waives, Sign::WaivesNoMore]) {
        found.push(Change::OptingOut { waived: !signs.has(Sign::WaivesNoMore) });
    }
    found.extend(proceeding(signs));
    if let Some(combination) = combination(signs) {
        found.extend(combined(combination, &said));
    }
    if signs.has(Sign::Deleted) && signs.has(Sign::Company) && !signs.has(Sign::Power) {
        found.push(Change::Deletion);
    }
    if signs.has(Sign::EntersAgain) {
        found.push(Change::ReEntry);
    }
}

/// `Capital-actions porté de CHF 100'000 à CHF 200'000`.
fn raised(text: &str) -> Option<Change> {
    let verbs = ["porté de ", "ramené de ", "réduit de "];
    let (verb, at) =
        verbs.iter().find_map(|it| Some((text.find(it)?, text.find(it)? + it.len())))?;
    let about = text[..verb].trim_end().to_lowercase();
    about.contains("capital").then_some(())?;
    // `Capital-actions entièrement libéré porté de …` is the whole of it.
    let is_paid = about.ends_with(" libéré") && !about.ends_with("ement libéré");
    let capital = match (about.contains("participation"), is_paid) {
        (true, true) => CapitalKind::PaidParticipation,
        (true, false) => CapitalKind::Participation,
        (false, true) => CapitalKind::Paid,
        (false, false) if about.contains("action") => CapitalKind::Shares,
        (false, false) => CapitalKind::Quotas,
    };
    let (currency, from) = amount(&text[at..])?;
    let (_, rest) = text[at..].split_once(" à ")?;
    let (_, to) = amount(rest)?;
    Some(Change::Capital { capital, currency, to, from: Some(from) })
}

fn proceeding(signs: Signs) -> Option<Change> {
    let affairs = [
        (Sign::Bankruptcy, Affair::Bankruptcy),
        (Sign::Moratorium, Affair::Moratorium),
        (Sign::Defect, Affair::OrganisationalDefect),
        (Sign::Dissolution, Affair::Liquidation),
    ];
    // What undoes or ends an affair is said with the words that opened it.
    let proceedings = [
        (Sign::Revoked, Proceeding::Revoked),
        (Sign::Resumed, Proceeding::Resumed),
        (Sign::Suspended, Proceeding::Suspended),
        (Sign::Closed, Proceeding::Closed),
        (Sign::Opened, Proceeding::Opened),
    ];
    let (_, affair) = affairs.into_iter().find(|(sign, _)| signs.has(*sign))?;
    let (_, proceeding) = proceedings.into_iter().find(|(sign, _)| signs.has(*sign))?;
    Some(Change::Proceeding { affair, proceeding })
}

fn combination(signs: Signs) -> Option<Combination> {
    if signs.has(Sign::Merger) {
        let goes = signs.has(Sign::Goes) && !signs.has(Sign::Comes);
        return Some(if goes { Combination::IsTakenOverBy } else { Combination::TakesOver });
    }
    if signs.has(Sign::Demerger) {
        return Some(Combination::Demerger);
    }
    signs.has(Sign::Transfer).then_some(Combination::AssetTransfer)
}
