//! Shares, capital that the board may create, contributions in kind, a missing auditor and a deletion that is not possible yet.
//!
//! Sources of the words: the Code of Obligations (art. 622, 623, 634, 634b, 653, 653s, former 651, 777c, 935) and the formulas
//! of the register offices.

use std::{borrow::Cow, cmp::Ordering, sync::LazyLock};

use super::{Change, PossibleCapital, ShareMeasure};
use crate::{
    Decimal, amount, punctuation,
    words::{WordTable, starts_with_any},
};

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

/// Words that deny a statement, or say what may be.
#[rustfmt::skip]
const DENIED: [&str; 20] = [
    "rückgängig", "widerruf", "annul", "révoqu", "revocat",
    " nicht ", " können ", " kann ", " auf verlangen", " jederzeit ", " ne peu", " pas ", " peut ", " peuvent ", " pourra", " non ", " può ", " possono ", " potrà",
    " potranno ",
];

fn has_any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|it| text.contains(it))
}

/// What happened to the shares.
fn share_measure(topics: Topics, lower: &str, current: &str) -> Option<ShareMeasure> {
    if !topics.has(Topic::Shares) && !topics.has(Topic::Bearer) || has_any(current, &DENIED) {
        return None;
    }
    conversion(topics, lower, current).or_else(|| split(lower, current))
}

/// A conversion of bearer shares into registered shares, or the other way round.
fn conversion(topics: Topics, lower: &str, current: &str) -> Option<ShareMeasure> {
    const CONVERTED: [&str; 5] = ["umgewandelt", "umwandlung", "conver", "transform", "trasform"];
    if !topics.has(Topic::Bearer) || !topics.has(Topic::Registered) {
        return None;
    }
    let (bearer, registered) = (first_of(current, BEARER), first_of(current, REGISTERED));
    match (bearer, registered) {
        (Some(bearer), Some(registered)) if has_any(current, &CONVERTED) => {
            let (bearer_is_new, registered_is_new) =
                (is_target(current, bearer, registered), is_target(current, registered, bearer));
            match (bearer_is_new, registered_is_new) {
                (false, true) => Some(ShareMeasure::BearerToRegistered),
                (true, false) => Some(ShareMeasure::RegisteredToBearer),
                _ => None,
            }
        }
        // `100 Namenaktien zu CHF 1'000 [bisher: 100 Inhaberaktien zu CHF 1'000]`
        (bearer, registered) => {
            let former = former_value(lower)?;
            let (was_bearer, was_registered) =
                (has_any(former, BEARER), has_any(former, REGISTERED));
            match (bearer.is_some(), registered.is_some(), was_bearer, was_registered) {
                (false, true, true, false) => Some(ShareMeasure::BearerToRegistered),
                (true, false, false, true) => Some(ShareMeasure::RegisteredToBearer),
                _ => None,
            }
        }
    }
}

fn first_of(text: &str, words: &[&str]) -> Option<usize> {
    words.iter().filter_map(|it| text.find(it)).min()
}

/// Whether ` in ` or ` en ` precedes the word at this place, after the other kind of share and not long before:
/// `in 100 Namenaktien`.
fn is_target(text: &str, at: usize, other: usize) -> bool {
    let from = if other < at { other } else { 0 };
    let from = text.floor_char_boundary(from.max(at.saturating_sub(45)));
    let before = &text[from..at];
    [" in ", " en "].iter().any(|it| before.contains(it)) || before.starts_with("in ")
}

/// The former value in brackets: `[bisher: …]`, `(auparavant …)`.
fn former_value(lower: &str) -> Option<&str> {
    #[rustfmt::skip]
    const FORMER: [&str; 7] =
        ["bisher", "früher", "vorher", "auparavant", "précédemment", "jusqu'ici", "finora"];
    let groups = punctuation::bracket_groups(lower);
    groups
        .into_iter()
        .map(|(from, to)| &lower[from + 1..to])
        .find(|it| starts_with_any(it, &FORMER))
}

/// A split or a consolidation: it is named, or the numbers of shares change while the sum of their nominal values stays.
fn split(lower: &str, current: &str) -> Option<ShareMeasure> {
    #[rustfmt::skip]
    const SPLIT: [&str; 12] = [
        "aktiensplit", "aktien-split", "splitting der aktien", "gesplittet", "split des actions", "split d'actions", "fractionnement des", "fractionnement d'actions",
        "division des actions", "frazionamento delle", "split delle azioni", "suddivisione delle azioni",
    ];
    #[rustfmt::skip]
    const CONSOLIDATED: [&str; 6] = [
        "zusammenlegung der aktien", "zusammenlegung von aktien", "regroupement d'actions", "regroupement des actions", "raggruppamento delle azioni",
        "raggruppamento di azioni",
    ];
    #[rustfmt::skip]
    const BECOMES: [&str; 14] = [
        " aufgeteilt", "zerlegt", "aufteilung", "zerlegung", "zusammengelegt", "umgewandelt", " divisée", "fractionnée", "regroupée", "échangée", "suddivise", "frazionate",
        "raggruppate", "sostituite",
    ];
    if has_any(current, &SPLIT) {
        return Some(ShareMeasure::Split);
    }
    if has_any(current, &CONSOLIDATED) {
        return Some(ShareMeasure::Consolidated);
    }
    let (before, after) = match (former_value(lower), has_any(current, &BECOMES)) {
        (Some(former), _) => (only(share_blocks(former))?, only(share_blocks(current))?),
        (None, true) => {
            let [before, after] = share_blocks(current)[..] else { return None };
            (before, after)
        }
        (None, false) => return None,
    };
    let sum = |it: ShareBlock| it.count.checked_mul(it.value);
    let has_same_sum = sum(before).is_some() && sum(before) == sum(after);
    match after.count.cmp(&before.count) {
        Ordering::Greater if has_same_sum => Some(ShareMeasure::Split),
        Ordering::Less if has_same_sum => Some(ShareMeasure::Consolidated),
        _ => None,
    }
}

/// A number of shares of one nominal value.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ShareBlock {
    count: i64,
    /// Nominal value of one share, in ten-thousandths.
    value: i64,
}

fn only(share_blocks: Vec<ShareBlock>) -> Option<ShareBlock> {
    match share_blocks[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// The numbers of shares with their nominal values: `1'000 Namenaktien zu CHF 100.00`, `100 actions de CHF 1'000, nominatives`.
fn share_blocks(lower: &str) -> Vec<ShareBlock> {
    const NOUNS: [&str; 6] =
        ["aktien", "stammanteile", "actions", "parts sociales", "azioni", "quote sociali"];
    const AT: [&str; 15] = [
        " zu ",
        " von ",
        " à ",
        " de ",
        " da ",
        " di ",
        " nominale ",
        " nominatives ",
        " nominative ",
        " je ",
        " nennwert ",
        " mit ",
        " einem ",
        " nom. ",
        " nominal ",
    ];
    let words: Vec<(usize, &str)> =
        lower.split(' ').map(|it| (it.as_ptr() as usize - lower.as_ptr() as usize, it)).collect();
    let mut found = Vec::new();
    for (index, (_, word)) in words.iter().enumerate() {
        let is_number = word.starts_with(|it: char| it.is_ascii_digit());
        let Some(count) = is_number.then(|| Decimal::parse(word)).flatten() else { continue };
        // The noun is one of the next words, and the amount follows it at once.
        let after = words.iter().skip(index + 1).take(4);
        let Some((at, noun)) = after
            .take_while(|(_, it)| !it.starts_with(|it: char| it.is_ascii_digit()))
            .find(|(at, _)| {
                NOUNS.iter().any(|it| lower[*at..].starts_with(it) || ends_in(lower, *at, it))
            })
        else {
            continue;
        };
        let mut rest = &lower[at + noun.len()..];
        let limit = rest.floor_char_boundary(60);
        rest = &rest[..limit];
        while let Some(next) = AT.iter().find_map(|it| rest.strip_prefix(it)) {
            // The blank before the next word.
            let blank = rest.len() - next.len() - 1;
            rest = &rest[blank..];
        }
        let rest = rest.trim_start().to_uppercase();
        if let Some((Some(_), value)) = amount(&rest) {
            let count = count.ten_thousandths() / 10_000;
            found.push(ShareBlock { count, value: value.ten_thousandths() });
        }
    }
    found
}

/// Whether the word at this place ends in the noun: `namenaktien`.
fn ends_in(text: &str, at: usize, noun: &str) -> bool {
    let word = text[at..].split([' ', ',', ';']).next().unwrap_or_default();
    word.ends_with(noun)
}

/// Whether a sentence begins as a label does: `Marge de fluctuation du capital selon statuts`.
fn is_entitled(topic: Topic, current: &str) -> bool {
    const BY: [&str; 6] =
        [" gemäss ", " laut ", " selon ", " conformément ", " secondo ", " giusta "];
    let words = TOPICS[topic as usize].1;
    starts_with_any(current, words) && has_any(current, &BY)
}

/// Whether a sentence introduces or changes (`false`) or ends (`true`) capital that the board may create. `None` for others: an
/// increase within a capital band is a change of the capital only.
///
/// What follows the noun up to the next kind of capital decides; if nothing does, the noun before it (`suppression du capital
/// autorisé`) or the verb of the sentence.
fn possible_capital(topic: Topic, is_labelled: bool, label: &str, current: &str) -> Option<bool> {
    #[rustfmt::skip]
    const USED: [&str; 20] = [
        "aus genehmigt", "aus bedingt", "aus dem genehmigt", "aus dem bedingt", "im rahmen", "innerhalb", "gestützt auf", "aufgrund", "wandelrecht", "optionsrecht", "teilweise",
        "dans le cadre", "dans les limites", "sur la base", "au moyen", "par suite d", "nell'ambito", "nei limiti", "sulla base", "in base",
    ];
    #[rustfmt::skip]
    const INTRODUCED: [&str; 32] = [
        "eingeführt", "einführung", "beschlossen", "geschaffen", "schaffung", "angepasst", "anpassung", "geändert", "änderung", "erneuert", "verlängert", "ermächtigt",
        "neu ", "introdui", "introduction", "adopt", "modifi", "créé", "création", "renouvel", "prolong", "autorise", "institu", "introdott", "introduzione", "istitui",
        "modific", "rinnov", "prorog", "creat", "décidé", "deciso",
    ];
    const REFUSED: [&str; 5] = [" nicht ", "abgelehnt", "rejeté", "respint", "rückgängig"];
    // `Genehmigte Kapitalerhöhung: …` is a label; what it says decides.
    let is_used =
        has_any(current, &USED) && !has_any(current, &["ermächtigt", "autorise", "autorizzat"]);
    if has_any(current, &REFUSED) || (is_used && !is_labelled) {
        return None;
    }
    if has_any(label, &ENDED) {
        return Some(true);
    }
    let current = &*without_rights(current);
    let (before, after, is_before_other) = context_of(topic, current);
    let what = |text: &str| match (has_any(text, &ENDED), has_any(text, &INTRODUCED)) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    };
    // `introduite le 3 mai 2023 est supprimée`: the last one is the verb. Before another kind of capital, the first one is:
    // `è soppresso ed è introdotto un margine …`.
    let first = |words: &[&str]| words.iter().filter_map(|it| after.find(it)).min();
    let last = |words: &[&str]| words.iter().filter_map(|it| after.rfind(it)).max();
    let both = match is_before_other {
        true => first(&ENDED).zip(first(&INTRODUCED)).map(|(ended, other)| ended < other),
        false => last(&ENDED).zip(last(&INTRODUCED)).map(|(ended, other)| ended > other),
    };
    let stated = both.or_else(|| what(after)).or_else(|| what(before)).or_else(|| what(current));
    stated.or(is_labelled.then_some(false))
}

/// The text without what it says of the right of the shareholders to subscribe: `mit Aufhebung des Bezugsrechts`.
fn without_rights(text: &str) -> Cow<'_, str> {
    const RIGHTS: [&str; 5] = [
        "bezugsrecht",
        "vorwegzeichnung",
        "droit de souscription",
        "droits de souscription",
        "diritto",
    ];
    let Some(at) = RIGHTS.iter().filter_map(|it| text.find(it)).min() else {
        return Cow::Borrowed(text);
    };
    let from = text.floor_char_boundary(at.saturating_sub(35));
    let to = text.floor_char_boundary(at + 60);
    // Not across the noun of the capital.
    let from = text[from..at].rfind([',', ';']).map_or(from, |it| from + it);
    let from =
        ["aufhebung", "suppression", "soppressione", "entzug", "ausschluss", "einschränkung"]
            .iter()
            .filter_map(|it| text[from..at].rfind(it))
            .max()
            .map_or(at, |it| from + it);
    let until = text[at..to].find([',', ';']).map_or(to, |it| at + it);
    let until = match ["aufgehoben", "supprimé", "soppress", "entzogen"]
        .iter()
        .filter_map(|it| Some(text[at..until].find(it)? + it.len()))
        .min()
    {
        Some(end) => at + end,
        None => text[at..].find(' ').map_or(text.len(), |it| at + it),
    };
    Cow::Owned(format!("{}{}", &text[..from], &text[until..]))
}

/// Words that say that something ends.
#[rustfmt::skip]
const ENDED: [&str; 26] = [
    "aufgehoben", "gestrichen", "gelöscht", "entfällt", "erloschen", "abgelaufen", "streichung", "aufhebung", "wegfall", "weggefallen", "dahingefallen", "hinfällig",
    "herausgenommen", "entfernt", "supprim", "suppression", "abrog", "radié", "biffé", "échu", "caduc", "expiré", "soppress", "cancellat", "stralciat", "scadut",
];

/// Text shortly before the noun of a topic, text after it up to the next one or the end of the clause, and whether another one
/// follows.
fn context_of(topic: Topic, text: &str) -> (&str, &str, bool) {
    let places = |topic: Topic| {
        let words = TOPICS[topic as usize].1;
        words.iter().filter_map(|it| Some((text.find(it)?, it.len()))).min()
    };
    let Some((at, length)) = places(topic) else { return ("", text, false) };
    let others =
        [Topic::Band, Topic::Authorised, Topic::Conditional].into_iter().filter_map(places);
    let next = others.map(|it| it.0).filter(|it| *it > at).min().unwrap_or(text.len());
    let after = &text[at + length..next];
    // What was so before is no statement: `wird verlängert, nachdem die bisherige abgelaufen ist`.
    const END: [&str; 6] = [";", ", nachdem", ", da ", ", weil ", ", après", ", dopo "];
    let end = END.iter().filter_map(|it| after.find(it)).min().unwrap_or(after.len());
    let after = &after[..end];
    let before = &text[text.floor_char_boundary(at.saturating_sub(25))..at];
    (before, after, next < text.len())
}

/// A contribution in kind or an acquisition of assets from the shareholders, with what the sentence says of it.
fn contribution(is_labelled: bool, label: &str, text: &str, current: &str) -> Option<Change> {
    #[rustfmt::skip]
    const BRINGS: [&str; 33] = [
        "übernimmt", "übernommen", "übernahm", "einbring", "eingebracht", "bringt", "gemäss vertrag", "gemäss sacheinlage", "gemäss sachübernahme", "gemäss öffentlich", "wofür", "sacheinlagevertrag", "beabsichtigt",
        "reprend", "repris", "fait apport", "apporte", "a apporté", "selon contrat", "selon convention", "selon traité", "selon bilan", "reçoit", "libéré", "assume", "riprende", "ripreso", "conferisce", "conferit", "secondo contratto", "giusta contratto", "in cambio", "en contrepartie",
    ];
    let lower_label = label.to_lowercase();
    if has_any(current, &ENDED)
        || has_any(&lower_label, &ENDED)
        || has_any(current, &["keine sach", "aucun apport", "nessun conferimento"])
    {
        return None;
    }
    // The label alone can precede `siehe Statuten`.
    let is_stated =
        has_any(current, &BRINGS) || (is_labelled && text.contains(|it: char| it.is_ascii_digit()));
    is_stated.then(|| {
        let said = match is_labelled || label.is_empty() {
            true => text.trim().to_owned(),
            false => format!("{label}: {text}"),
        };
        Change::Contribution { terms: said[..said.floor_char_boundary(MAX_TERMS)].to_owned() }
    })
}

/// Maximum length of the terms of a contribution, in bytes.
const MAX_TERMS: usize = 1_000;

/// Whether a sentence says that the company has no auditor, and not that it needs none.
fn is_without_auditor(current: &str) -> bool {
    #[rustfmt::skip]
    const NOW: [&str; 9] = [
        "zurzeit ", "zur zeit ", "derzeit ", "momentan ", "gegenwärtig ", "actuellement ", "à l'heure actuelle ", "attualmente ", "al momento ",
    ];
    const WITHOUT_NOW: [&str; 4] = [
        "ohne revisionsstelle",
        "ohne zugelassene revisionsstelle",
        "sans organe de révision",
        "senza ufficio di revisione",
    ];
    #[rustfmt::skip]
    const WITHOUT: [&str; 27] = [
        "hat keine revisionsstelle", "hat keine zugelassene revisionsstelle", "hat keine eingetragene revisionsstelle", "verfügt über keine revisionsstelle",
        "verfügt über keine zugelassene revisionsstelle", "verfügt über keine eingetragene revisionsstelle", "ist ohne revisionsstelle", "ist ohne zugelassene revisionsstelle",
        "n'a plus d'organe de révision", "n'a pas d'organe de révision", "ne dispose plus d'un organe de révision", "ne dispose plus d'organe de révision", "ne dispose pas d'un organe de révision",
        "ne dispose pas d'organe de révision", "dépourvue d'organe de révision", "dépourvue d'un organe de révision", "dépourvue de l'organe de révision", "est sans organe de révision",
        "priva di ufficio di revisione", "priva dell'ufficio di revisione", "priva di un ufficio di revisione", "non ha più un ufficio di revisione", "non ha più ufficio di revisione",
        "non dispone più di un ufficio di revisione", "non dispone di un ufficio di revisione", "è senza ufficio di revisione", "sprovvista di ufficio di revisione",
    ];
    // A company without duty of audit needs none.
    #[rustfmt::skip]
    const FREE: [&str; 23] = [
        "opting", "art. 727", "art 727", "voraussetzung", "ne remplit pas", "non adempie",
        "verzicht", "befrei", "pflicht", "braucht", "benötigt", "renonc", "dispens", "libéré de", "pas soumis", "pas tenu", "obligation", "rinunc", "esonerat", "esent", "dispensat", "obbligo",
        "nicht mehr erforderlich",
    ];
    let without_adverb = NOW.iter().fold(current.to_owned(), |it, now| it.replace(now, ""));
    // `Zurzeit ohne Revisionsstelle`: without the adverb, it can also be a company that needs none.
    let is_now = without_adverb.len() < current.len() && has_any(&without_adverb, &WITHOUT_NOW);
    (is_now || has_any(&without_adverb, &WITHOUT)) && !has_any(current, &FREE)
}
