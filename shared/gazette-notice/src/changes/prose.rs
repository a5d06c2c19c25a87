//! Changes in unlabelled sentences: entry, deletion, liquidation, bankruptcy, audit, mergers.

use std::sync::LazyLock;

use super::{
    CapitalKind, Change, Combination, ProceedingKind, ProceedingStage,
    labels::without_translations, parties::combinations,
};
use crate::{
    amount, date, punctuation,
    words::{WordTable, starts_with_any, strip_any_prefix},
};

/// A topic of a sentence: one row of [`TOPICS`].
#[derive(Clone, Copy)]
enum Topic {
    NewEntry,
    NewCompany,
    ReEntry,
    Correction,
    Name,
    Statutes,
    CapitalChange,
    Audit,
    Waiver,
    WaiverRevoked,
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
    Signature,
    Merger,
    IsTakenOver,
    TakesOver,
    Demerger,
    Transfer,
}

#[rustfmt::skip]
const TOPICS: [(Topic, &[&str]); 27] = [
    (Topic::NewEntry, &["(neueintragung)", "(nuova iscrizione)", "(nouvelle inscription)", "neue einzelfirma", "neues einzelunternehmen"]),
    (Topic::NewCompany, &["nouvelle société", "nouvelle entreprise", "nouvelle raison", "nouvelle fondation", "nouvelle association", "nouvelle coopérative", "nouvelle succursale", "nuova iscrizione"]),
    (Topic::ReEntry, &["wieder eingetragen", "wiedereingetragen", "wiedereintragung", "réinscrit", "réinscription", "reiscri"]),
    (Topic::Correction, &["berichtigung des ", "berichtigung der ", "nachtrag zum ", "rectification de ", "rettifica "]),
    (Topic::Name, &["raison sociale devient"]),
    (Topic::Statutes, &["statuts du ", "statuts modifiés le ", "statuten vom ", "nouveaux statuts du "]),
    (Topic::CapitalChange, &["porté de ", "ramené de ", "réduit de "]),
    (Topic::Audit, &["eingeschränkte revision", "contrôle restreint", "contrôle ordinaire et", "revisione limitata"]),
    (Topic::Waiver, &["verzicht", "renonc", "rinunci"]),
    (Topic::WaiverRevoked, &["nicht mehr verzichtet", "verzicht widerrufen", "n'est plus renoncé", "ne renonce plus", "non rinuncia più", "non si rinuncia più", "revision wurde widerrufen"]),
    (Topic::Bankruptcy, &["konkurs", "faillite", "fallimento"]),
    (Topic::Moratorium, &["nachlassstundung", "sursis concordataire", "moratoria concordataria"]),
    (Topic::Defect, &["731b", "153b", "carences dans l'organisation", "mängel in der", "lacune nell'organizzazione"]),
    (Topic::Dissolution, &["aufgelöst", "auflösung", "est dissoute", "est dissous", "dissolution", "è sciolta", "scioglimento", "est entrée en liquidation", "in liquidation getreten"]),
    (Topic::Revoked, &["widerrufen", "widerruf", "révoqué", "révocation", "aufgehoben worden", "rapporté", "annulé", "revocat", "revoca ", "gutgeheissen"]),
    (Topic::Resumed, &["durchgeführt, da", "wird nun durchgeführt", "wieder aufgenommen", "reprise de la procédure", "effet suspensif", "aufschiebende wirkung"]),
    (Topic::Suspended, &["mangels aktiven", "défaut d'actif", "faute d'actif", "mancanza di attivi", "eingestellt"]),
    (Topic::Closed, &["geschlossen", "clôtur", "clos par", "chius", "beendet"]),
    (Topic::Opened, &["eröffnet", "prononcé", "dissoute", "dissous", "aufgelöst", "aperto", "decretat", "dichiarat", "déclaré", "accordé", "gewährt", "bewilligt", "ouvert", "sciolta", "pronunciat", "auflösung", "dissolution", "scioglimento", "getreten", "entrée en"]),
    (Topic::Deleted, &["wird gelöscht", "gelöscht worden", "wurde gelöscht", "von amtes wegen gelöscht", "werden gelöscht", "daher gelöscht", "ist erloschen infolge", "est radiée", "est donc radiée", "a été radiée", "est radié d'office", "est radié par suite", "radiée par suite", "è cancellata", "è cancellato", "viene cancellata", "viene cancellato", "è radiata", "löschung infolge"]),
    // A signature is deleted in the same words as a company, so a deletion of the company needs
    // `Company` and no `Signature`.
    (Topic::Company, &["gesellschaft", "firma", "stiftung", "verein", "genossenschaft", "einzelunternehmen", "rechtseinheit", "zweigniederlassung wird", "société", "raison sociale", "raison de commerce", "raison individuelle", "fondation", "association", "entreprise", "entité", "succursale", "società", "ditta", "ragione sociale", "fondazione", "associazione", "l'inscription", "impresa"]),
    (Topic::Signature, &["unterschrift", "prokura", "signature", "procuration", "pouvoirs", "firma di", "procura", "ses droits"]),
    (Topic::Merger, &["fusionsvertrag", "contrat de fusion", "contratto di fusione", "infolge fusion", "suite de fusion", "seguito di fusione"]),
    (Topic::IsTakenOver, &["übernommen", "gehen", "sont repris", "a été reprise", "ont passé", "ripresi", "infolge fusion", "par suite de fusion"]),
    (Topic::TakesOver, &["übernahme der aktiven", "reprise des actifs", "reprend", "übernimmt"]),
    (Topic::Demerger, &["spaltungsvertrag", "spaltungsplan", "contrat de scission", "projet de scission"]),
    (Topic::Transfer, &["vermögensübertragung", "contrat de transfert", "transfert de patrimoine", "contratto di trasferimento"]),
];

static WORDS: LazyLock<WordTable> =
    LazyLock::new(|| WordTable::of(TOPICS.iter().map(|(_, it)| *it)));

/// The topics of a sentence, as a bit set.
#[derive(Clone, Copy)]
struct Topics(u64);

impl Topics {
    fn has(self, topic: Topic) -> bool {
        // The rows of `TOPICS` have the order of the variants.
        self.0 >> (topic as u32) & 1 == 1
    }

    fn has_any(self, topics: &[Topic]) -> bool {
        topics.iter().any(|it| self.has(*it))
    }
}

/// Maximum length of a sentence about the company, in bytes. Only the purpose has longer ones.
const MAX_LENGTH: usize = 4_000;

/// Adds the changes that a sentence states.
pub(super) fn read_sentence(text: &str, found: &mut Vec<Change>) {
    let topics_of = |text: &str| Topics(WORDS.matching_rows(text));
    if text.len() > MAX_LENGTH {
        return;
    }
    let all = topics_of(text);
    if all.0 == 0 {
        return;
    }
    if all.has(Topic::NewEntry)
        || (all.has(Topic::NewCompany) && starts_with_any(text, &["Nouvelle ", "Nuova "]))
    {
        found.push(Change::NewEntry);
    }
    if all.has(Topic::Correction) {
        found.push(Change::Correction);
    }
    // Square brackets quote former values.
    let current_text = punctuation::remove_groups(text, |it| it.starts_with('['));
    let topics = if current_text.len() == text.len() { all } else { topics_of(&current_text) };
    if topics.has(Topic::Name)
        && let Some((_, name)) = current_text.split_once("raison sociale devient")
    {
        let to = without_translations(name.trim_start_matches([':', ' ']));
        found.push(Change::Name { to: to.to_owned() });
    }
    if topics.has(Topic::Statutes) {
        const STATUTES: [&str; 4] =
            ["Statuts du ", "Statuts modifiés le ", "Statuten vom ", "Nouveaux statuts du "];
        let statutes = strip_any_prefix(&current_text, &STATUTES).and_then(date);
        found.extend(statutes.map(|on| Change::Statutes { on }));
    }
    if topics.has(Topic::CapitalChange) {
        found.extend(capital_change(&current_text));
    }
    if topics.has(Topic::Audit) && topics.has_any(&[Topic::Waiver, Topic::WaiverRevoked]) {
        found.push(Change::OptingOut { waived: !topics.has(Topic::WaiverRevoked) });
    }
    found.extend(proceeding(topics));
    if let Some(combination) = combination(topics) {
        found.extend(combinations(combination, &current_text));
    }
    if topics.has(Topic::Deleted) && topics.has(Topic::Company) && !topics.has(Topic::Signature) {
        found.push(Change::Deletion);
    }
    if topics.has(Topic::ReEntry) {
        found.push(Change::ReEntry);
    }
}

/// Reads `Capital-actions porté de CHF 100'000 à CHF 200'000`.
fn capital_change(text: &str) -> Option<Change> {
    let verbs = ["porté de ", "ramené de ", "réduit de "];
    let (verb, at) =
        verbs.iter().find_map(|it| Some((text.find(it)?, text.find(it)? + it.len())))?;
    let capital_name = text[..verb].trim_end().to_lowercase();
    capital_name.contains("capital").then_some(())?;
    // `Capital-actions entièrement libéré porté de …` states the nominal capital, not the paid-in one.
    let is_paid = capital_name.ends_with(" libéré") && !capital_name.ends_with("ement libéré");
    let capital = match (capital_name.contains("participation"), is_paid) {
        (true, true) => CapitalKind::PaidParticipation,
        (true, false) => CapitalKind::Participation,
        (false, true) => CapitalKind::Paid,
        (false, false) if capital_name.contains("action") => CapitalKind::Shares,
        (false, false) => CapitalKind::Quotas,
    };
    let (currency, from) = amount(&text[at..])?;
    let (_, rest) = text[at..].split_once(" à ")?;
    let (_, to) = amount(rest)?;
    Some(Change::Capital { capital, currency, to, from: Some(from) })
}

fn proceeding(topics: Topics) -> Option<Change> {
    let kinds = [
        (Topic::Bankruptcy, ProceedingKind::Bankruptcy),
        (Topic::Moratorium, ProceedingKind::Moratorium),
        (Topic::Defect, ProceedingKind::OrganisationalDefect),
        (Topic::Dissolution, ProceedingKind::Liquidation),
    ];
    // The sentence about the end of a proceeding also has the words of its opening, so `Opened` is
    // last.
    let stages = [
        (Topic::Revoked, ProceedingStage::Revoked),
        (Topic::Resumed, ProceedingStage::Resumed),
        (Topic::Suspended, ProceedingStage::Suspended),
        (Topic::Closed, ProceedingStage::Closed),
        (Topic::Opened, ProceedingStage::Opened),
    ];
    let (_, proceeding) = kinds.into_iter().find(|(topic, _)| topics.has(*topic))?;
    let (_, stage) = stages.into_iter().find(|(topic, _)| topics.has(*topic))?;
    Some(Change::Proceeding { proceeding, stage })
}

fn combination(topics: Topics) -> Option<Combination> {
    if topics.has(Topic::Merger) {
        let is_taken_over = topics.has(Topic::IsTakenOver) && !topics.has(Topic::TakesOver);
        return Some(if is_taken_over {
            Combination::IsTakenOverBy
        } else {
            Combination::TakesOver
        });
    }
    if topics.has(Topic::Demerger) {
        return Some(Combination::Demerger);
    }
    topics.has(Topic::Transfer).then_some(Combination::AssetTransfer)
}
