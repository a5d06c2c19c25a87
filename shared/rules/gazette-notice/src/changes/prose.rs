//! Changes in unlabelled sentences.

use std::sync::LazyLock;

use super::{
    Change,
    combinations::combinations,
    concepts::{self, Concept, Concepts},
    existence::{self, Context},
    firm_names::without_translations,
    formalities::{self, ARTICLES, CORRECTING},
    holders::is_about_holder,
    parties::first_number,
    proceedings,
};
use crate::{
    punctuation,
    words::{WordTable, starts_with_any},
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
    Audit,
    Waiver,
    WaiverRevoked,
}

#[rustfmt::skip]
const TOPICS: [(Topic, &[&str]); 9] = [
    (Topic::NewEntry, &["(neueintragung)", "(nuova iscrizione)", "(nouvelle inscription)", "neue einzelfirma", "neues einzelunternehmen"]),
    (Topic::NewCompany, &["nouvelle société", "nouvelle entreprise", "nouvelle raison", "nouvelle fondation", "nouvelle association", "nouvelle coopérative", "nouvelle succursale", "nuova iscrizione"]),
    (Topic::ReEntry, &["(wiedereintragung)", "(réinscription)", "(ré-inscription)", "(reiscrizione)"]),
    (Topic::Correction, CORRECTING),
    (Topic::Name, &["raison sociale devient"]),
    (Topic::Statutes, ARTICLES),
    (Topic::Audit, &["eingeschränkte revision", "eingeschränkten revision", "contrôle restreint", "révision restreinte", "contrôle ordinaire et", "revisione limitata"]),
    (Topic::Waiver, &["verzicht", "renonc", "rinunci"]),
    (Topic::WaiverRevoked, &["nicht mehr verzichtet", "verzichtet nicht", "verzicht widerrufen", "n'est plus renoncé", "ne renonce plus", "non rinuncia più", "non si rinuncia più", "revision wurde widerrufen"]),
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
pub(super) fn read_sentence(text: &str, context: &mut Context, found: &mut Vec<Change>) {
    if text.len() > MAX_LENGTH {
        return;
    }
    let topics_of = |text: &str| Topics(WORDS.matching_rows(text));
    let all = topics_of(text);
    if all.has(Topic::NewEntry)
        || (all.has(Topic::NewCompany) && starts_with_any(text, &["Nouvelle ", "Nuova "]))
    {
        found.push(Change::NewEntry);
    }
    if all.has(Topic::ReEntry) {
        found.push(Change::ReEntry { in_liquidation: false, on: None });
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
    if !is_about_holder(&current_text) {
        super::company::read(&current_text, found);
    }
    add_waiver(topics, &current_text, found);
    let statement = if context.is_first { without_header(&current_text) } else { &current_text };
    add_formalities(topics, statement, found);
    if !statement.is_empty() {
        read_existence(statement, context, found);
    }
}

/// Adds the waiver of the audit that the text after the label of the auditor states: `Organe de révision: il est renoncé à un
/// contrôle restreint`.
pub(super) fn read_waiver(text: &str, found: &mut Vec<Change>) {
    if text.len() <= MAX_LENGTH {
        add_waiver(Topics(WORDS.matching_rows(text)), text, found);
    }
}

fn add_waiver(topics: Topics, current_text: &str, found: &mut Vec<Change>) {
    if topics.has(Topic::Audit) && topics.has_any(&[Topic::Waiver, Topic::WaiverRevoked]) {
        // `Der Verzicht auf die eingeschränkte Revision ist widerrufen worden`
        #[rustfmt::skip]
        let is_revoked = [
            "widerrufen", "aufgehoben", "annulliert", "hinfällig", "zurückgezogen", "révoqu",
            "annulé", "supprimé", "retirée", "revocat", "annullat", "soppress", "ritirat",
        ];
        let is_revoked = is_revoked.iter().any(|it| current_text.contains(it));
        found.push(Change::OptingOut { waived: !topics.has(Topic::WaiverRevoked) && !is_revoked });
    }
}

/// Adds changes of the articles and corrections that the text of a remark states.
pub(super) fn read_formalities(text: &str, found: &mut Vec<Change>) {
    if text.len() <= MAX_LENGTH {
        add_formalities(Topics(WORDS.matching_rows(text)), text, found);
    }
}

fn add_formalities(topics: Topics, text: &str, found: &mut Vec<Change>) {
    if topics.has(Topic::Statutes) {
        found.extend(formalities::statutes(text));
    }
    if topics.has(Topic::Correction) && formalities::is_correction(text) {
        found.push(Change::Correction);
    }
}

/// Whether a label says that the notice corrects an earlier one: `Berichtigung des im SHAB … publizierten TR-Eintrags`.
pub(super) fn is_correction(label: &str) -> bool {
    !label.is_empty()
        && Topics(WORDS.matching_rows(label)).has(Topic::Correction)
        && formalities::is_correction(label)
}

/// The first sentence without the introduction of the company and the reference to the previous notice, after which a full
/// stop may be missing.
fn without_header(text: &str) -> &str {
    let reference = ["(SHAB ", "(FOSC ", "(FUSC "].iter().find_map(|it| text.find(it));
    let end = reference.and_then(|at| Some(at + text[at..].find(')')? + 1));
    end.map_or(text, |it| text[it..].trim_start())
}

/// Adds what a sentence states about the company's existence.
pub(super) fn read_existence(text: &str, context: &mut Context, found: &mut Vec<Change>) {
    // `d’office`
    let straight = text.contains('’').then(|| text.replace('’', "'"));
    let text = straight.as_deref().unwrap_or(text);
    let words = concepts::find(text);
    let concepts = Concepts::of(&words);
    // A purpose states what the company may do.
    let is_purpose = concepts.has(Concept::Possible) && !concepts.has(Concept::Blocked);
    if !words.is_empty() && !is_purpose && !is_about_holder(text) {
        proceedings::read(text, &words, concepts, found);
        let kinds = [
            Concept::Merger,
            Concept::Combining,
            Concept::SplitUp,
            Concept::SpinOff,
            Concept::Demerger,
            Concept::Transfer,
        ];
        if concepts.has_any(&kinds) {
            found.extend(combinations(None, text));
        } else if ["absorbée", "incorporata"].iter().any(|it| text.contains(it)) {
            found.extend(combinations(Some(Concept::Merger), text));
        } else if transfers_assets(text) {
            found.extend(combinations(Some(Concept::Transfer), text));
        }
        existence::read(text, concepts, context, found);
    }
    context.follows_company = concepts.has(Concept::Company);
}

/// Whether a sentence states a transfer of assets and liabilities to a registered company without naming it so.
fn transfers_assets(text: &str) -> bool {
    const BOTH: [(&str, &str); 3] =
        [("Aktiven", "Passiven"), ("actifs", "passifs"), ("attivi", "passivi")];
    let moves = ["übertrag", "überträg", "transfér", "transfèr", "cédé", "trasferi", "cedut"];
    BOTH.iter().any(|(one, other)| text.contains(one) && text.contains(other))
        && moves.iter().any(|it| text.contains(it))
        && first_number(text).is_some()
}
