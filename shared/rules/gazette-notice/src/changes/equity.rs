//! Shares, capital that the board may create, contributions in kind, and a missing auditor.
//!
//! Sources of the words: the Code of Obligations (art. 622, 623, 634, 634b, 653, 653s, former 651, 777c, 935) and the formulas
//! of the register offices.

mod auditor;
mod contribution;
mod possible_capital;
mod shares;

use std::sync::LazyLock;

use self::{
    auditor::is_without_auditor,
    contribution::contribution,
    possible_capital::{is_entitled, possible_capital},
    shares::share_measure,
};
use super::{Change, PossibleCapital};
use crate::{punctuation, words::WordTable};

/// A topic of a sentence: one row of [`TOPICS`].
#[derive(Clone, Copy)]
enum Topic {
    Shares,
    Bearer,
    Registered,
    Band,
    Authorised,
    Conditional,
    Contribution,
    Auditor,
}

#[rustfmt::skip]
const TOPICS: [(Topic, &[&str]); 8] = [
    (Topic::Shares, &["aktie", "stammanteil", "actions", "parts sociales", "azioni", "quote sociali"]),
    (Topic::Bearer, BEARER),
    (Topic::Registered, REGISTERED),
    (Topic::Band, &["kapitalband", "kapitalbandes", "marge de fluctuation", "margine di variazione", "margine di fluttuazione"]),
    (Topic::Authorised, &["genehmigtes kapital", "genehmigte kapital", "genehmigten kapital", "genehmigtes aktienkapital", "genehmigte aktienkapital", "genehmigten aktienkapital", "genehmigtem aktienkapital", "capital autorisé", "capital-actions autorisé", "augmentation autorisée", "capitale autorizzato", "capitale azionario autorizzato", "aumento autorizzato"]),
    (Topic::Conditional, &["bedingtes kapital", "bedingte kapital", "bedingten kapital", "bedingtes aktienkapital", "bedingte aktienkapital", "bedingten aktienkapital", "bedingtem aktienkapital", "capital conditionnel", "capital-actions conditionnel", "augmentation conditionnelle", "capitale condizionale", "capitale azionario condizionale", "aumento condizionale"]),
    (Topic::Contribution, &["sacheinlage", "sachübernahme", "apport en nature", "apports en nature", "reprise de biens", "reprises de biens", "conferimento in natura", "conferimenti in natura", "assunzione di beni", "assunzioni di beni", "qualifizierte tatbestände", "faits qualifiés", "fattispecie qualificat"]),
    (Topic::Auditor, &["keine revisionsstelle", "keine zugelassene revisionsstelle", "keine eingetragene revisionsstelle", "ohne revisionsstelle", "organe de révision", "ufficio di revisione"]),
];

const BEARER: &[&str] = &["inhaberaktie", "au porteur", "al portatore"];
const REGISTERED: &[&str] = &["namenaktie", "namensaktie", "nominativ"];

static WORDS: LazyLock<WordTable> =
    LazyLock::new(|| WordTable::of(TOPICS.iter().map(|(_, it)| *it)));

/// The topics of a text, as a bit set.
#[derive(Clone, Copy)]
struct Topics(u64);

impl Topics {
    fn of(text: &str) -> Self {
        // Most sentences have no label.
        Self(if text.is_empty() { 0 } else { WORDS.matching_rows(text) })
    }

    fn has(self, topic: Topic) -> bool {
        // The rows of `TOPICS` have the order of the variants.
        self.0 >> (topic as u32) & 1 == 1
    }
}

/// Maximum length of a sentence, in bytes. A contribution in kind can list what it consists of.
const MAX_LENGTH: usize = 6_000;

/// Adds what a sentence and its label state. `is_free` says that the label names nothing else, such as the purpose.
pub(super) fn read(label: &str, text: &str, is_free: bool, found: &mut Vec<Change>) {
    if text.len() > MAX_LENGTH {
        return;
    }
    // Fast path: few sentences have such a topic, and lists of persons are long.
    let labelled = Topics::of(label);
    let topics = if is_free || labelled.0 > 0 { Topics::of(text) } else { Topics(0) };
    if labelled.0 | topics.0 == 0 {
        return;
    }
    let has = |topic| labelled.has(topic) || (is_free && topics.has(topic));
    let lower = text.to_lowercase().replace('’', "'");
    let current = punctuation::remove_groups(&lower, |it| it.starts_with('['));
    if labelled.has(Topic::Shares) || is_free {
        found.extend(
            share_measure(topics, &lower, &current).map(|measure| Change::Shares { measure }),
        );
    }
    for (topic, capital) in [
        (Topic::Band, PossibleCapital::Band),
        (Topic::Authorised, PossibleCapital::Authorised),
        (Topic::Conditional, PossibleCapital::Conditional),
    ] {
        if has(topic) {
            let is_labelled = labelled.has(topic) || is_entitled(topic, &current);
            let ended = possible_capital(topic, is_labelled, &label.to_lowercase(), &current);
            found.extend(ended.map(|ended| Change::PossibleCapital { capital, ended }));
        }
    }
    if has(Topic::Contribution) {
        found.extend(contribution(labelled.has(Topic::Contribution), label, text, &current));
    }
    if is_free && topics.has(Topic::Auditor) && is_without_auditor(&current) {
        found.push(Change::NoAuditor);
    }
}

/// Words that say that something ends.
#[rustfmt::skip]
const ENDED: [&str; 26] = [
    "aufgehoben", "gestrichen", "gelöscht", "entfällt", "erloschen", "abgelaufen", "streichung", "aufhebung", "wegfall", "weggefallen", "dahingefallen", "hinfällig",
    "herausgenommen", "entfernt", "supprim", "suppression", "abrog", "radié", "biffé", "échu", "caduc", "expiré", "soppress", "cancellat", "stralciat", "scadut",
];

fn has_any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|it| text.contains(it))
}
