//! Entry, deletion, departure and domicile of a company, and its branches.

use super::{
    Change, DeletionCause,
    concepts::{Concept::*, Concepts},
    decisions::{date_of_end, decision_date},
};
use crate::{nations, words::starts_with_any};

#[rustfmt::skip]
const ARTICLES: [&str; 13] = [
    "Die ", "Der ", "Das ", "Diese ", "La ", "Le ", "L'", "Cette ", "Elle ", "Il ", "Lo ", "Questa ", "Sie ",
];

#[rustfmt::skip]
const BRANCHES: [&str; 8] = [
    "Die Zweigniederlassung", "Zweigniederlassung", "La succursale", "La Succursale", "Succursale", "Der Sitz der Zweigniederlassung", "Le siège de la succursale",
    "La sede della succursale",
];

#[rustfmt::skip]
const LIMITATIONS: [&str; 6] =
    ["La limitation", "La restriction", "Die Beschränkung", "Beschränkung", "La limitazione", "La restrizione"];

#[rustfmt::skip]
const REMARKS: [&str; 12] = [
    "Der Hinweis", "Der Vermerk", "Die Bemerkung", "Die Angabe", "La mention", "La remarque", "L'observation", "L'indication", "L'annotazione", "La menzione",
    "L'osservazione", "L'indicazione",
];

#[rustfmt::skip]
const REMOVED: [&str; 13] = [
    "gelöscht", "gestrichen", "aufgehoben", "entfernt", "entfällt", "radié", "supprimé", "biffé", "levée", "cancellat", "radiat", "soppress", "stralciat",
];

fn has_any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|it| text.contains(it))
}

/// What precedes a sentence, and what the notice is about.
#[derive(Debug, Default)]
pub(super) struct Context {
    /// The notice is that of a branch: its deletion is that of a legal entity of its own in the register.
    pub(super) is_branch: bool,
    /// The sentence is the first one, which introduces the company up to the reference to the previous notice.
    pub(super) is_first: bool,
    /// The sentence before is about the company, so that a pronoun stands for it.
    pub(super) follows_company: bool,
    /// The departure that an earlier sentence announces: `Die Gesellschaft hat ihren Sitz nach Chur verlegt.`, `Transfert du siège
    /// à Sion.`
    pub(super) departure: Option<Change>,
    /// The new seat, if the sentence names no other register.
    pub(super) new_seat: Option<String>,
}

/// Adds what a sentence states about entry, deletion, departure, domicile and branches.
pub(super) fn read(
    text: &str,
    concepts: Concepts,
    context: &mut Context,
    changes: &mut Vec<Change>,
) {
    let is_pronoun =
        starts_with_any(text, &["Sie ", "Diese ", "Elle ", "Celle-ci ", "Essa ", "Questa "]);
    let is_company = concepts.has(Company) || (is_pronoun && context.follows_company);
    let is_compound = ["itzverlegung", "Wegzug"].iter().any(|it| text.contains(it));
    let moves = concepts.has(Moved) && (concepts.has(Seat) || is_compound);
    // `Dupont Jean, radié par erreur, est réinscrit comme administrateur de la société avec signature individuelle`
    let is_person = concepts.has(Signature) && !starts_with_any(text, &ARTICLES);
    let names_it =
        || context.follows_company && has_any(text, &[" sie ", " elle ", " celle-ci ", " essa "]);
    let is_re_entered = concepts.has(ReEntry)
        && (is_company || names_it() || names_re_entry(text))
        && !is_person
        && !concepts.has(Rejected);
    if is_re_entered || (concepts.has(Revoked) && is_company && is_deletion_revoked(text, concepts))
    {
        let in_liquidation = concepts.has(ForLiquidation);
        changes.push(Change::ReEntry { in_liquidation, on: date_of_end(text) });
        return;
    }
    // The entry of a branch moves, and nothing of its company. `La limitation à la succursale de Sion est levée` deletes no branch.
    if !context.is_branch
        && ((moves && starts_with_any(text, &BRANCHES)) || starts_with_any(text, &LIMITATIONS))
    {
        return;
    }
    // Art. 124 of the Commercial Register Ordinance: the office of the former seat deletes its entry.
    if moves && concepts.has(Deleted) && (is_company || !concepts.has(Signature)) {
        changes.push(departure(text, concepts));
        return;
    }
    if moves && concepts.has(Abroad) && is_company && !concepts.has(Blocked) {
        changes.push(departure(text, concepts));
        return;
    }
    // `inscrite jusqu'ici au registre du commerce du canton de Vaud` is the former register.
    let is_former = ["bisher", "bislang", "jusqu", "précédemment", "finora", "in precedenza"]
        .iter()
        .any(|it| text.contains(it));
    let stays = !concepts.has_any(&[Abroad, Deleted, Branch, Blocked])
        && (!concepts.has(OtherRegister) || is_former);
    if moves && concepts.has(Seat) && stays && !context.is_branch {
        context.new_seat = destination(text).map(str::to_owned);
    }
    let announces_move = !concepts.has_any(&[Deleted, Branch, Blocked])
        && !context.is_branch
        && (concepts.has(Seat) || text.starts_with("Sitzverlegung"))
        && destination(text).is_some();
    if moves && (is_company || announces_move) {
        context.departure = Some(departure(text, concepts));
    }
    if is_domicile(text, concepts, changes) {
        return;
    }
    let names_branch = concepts.has(Branch)
        || (concepts.has(Founded)
            && ["weigniederlassung", "uccursale"].iter().any(|it| text.contains(it)));
    if names_branch && !context.is_branch {
        // `Die Löschung der Zweigniederlassung wird widerrufen`
        let is_kept =
            concepts.has(Revoked) && has_any(text, &["öschung", "adiation", "ancellazione"]);
        let is_closed =
            concepts.has_any(&[Deleted, Revoked]) && !concepts.has(Signature) && !is_kept;
        if concepts.has(Blocked) {
            changes.extend(is_blocked(text).then_some(Change::DeletionBlocked { is_branch: true }));
        } else if is_closed || concepts.has(Founded) {
            changes.push(Change::Branch { is_new: !is_closed });
        }
        return;
    }
    let is_closed_branch = context.is_branch && concepts.has_all(&[Branch, Revoked]);
    let is_deleted = concepts.has(Deleted) || is_closed_branch;
    let is_subject = is_company || (context.is_branch && concepts.has(Branch));
    let is_other = concepts.has_any(&[Signature, OtherThing]);
    // `Löschung von Amtes wegen im Handelsregister des Kantons Zürich` after the new seat needs no word for the company.
    let has_moved = || {
        context.departure.is_some()
            || changes.iter().any(|it| matches!(it, Change::Seat { to: Some(_), .. }))
    };
    let is_removal = concepts.has_any(&[Deleted, OtherRegister])
        && starts_with_any(text, &["Löschung ", "Radiation ", "Radiée ", "Cancellazione "])
        && has_moved();
    let names_deletion =
        starts_with_any(text, &["Die Löschung", "La radiation", "La cancellazione"]);
    if concepts.has(Blocked) {
        let is_blocked = (is_subject || names_deletion) && !is_other && is_blocked(text);
        let is_branch = context.is_branch;
        changes.extend(is_blocked.then_some(Change::DeletionBlocked { is_branch }));
    } else if (is_removal || (is_deleted && is_subject)) && !is_other && !is_italian_signature(text)
    {
        let cause = cause(text, concepts);
        // A merger also deletes a company that has moved before.
        let can_depart =
            matches!(cause, None | Some(DeletionCause::ExOfficio | DeletionCause::Application));
        let departure = context.departure.take().filter(|_| can_depart);
        let deletion = || Change::Deletion { cause, on: decision_date(text) };
        changes.push(departure.unwrap_or_else(deletion));
    }
}

/// Whether a sentence says that the company is in liquidation now: `Sie befindet sich in Liquidation`.
pub(super) fn is_in_liquidation(text: &str) -> bool {
    #[rustfmt::skip]
    const FORMULAS: [&str; 9] = [
        "befindet sich in liquidation", "ist in liquidation", "steht in liquidation", "tritt in liquidation", "est en liquidation", "se trouve en liquidation", "entre en liquidation", "è in liquidazione",
        "si trova in liquidazione",
    ];
    has_any(&text.to_lowercase(), &FORMULAS)
}

/// Whether a sentence is a heading about the re-entry of the company: `Wiedereintragung gemäss Verfügung …`. A name follows where
/// it is about a person.
fn names_re_entry(text: &str) -> bool {
    const NOUNS: [&str; 4] =
        ["Wiedereintragung", "Réinscription", "Ré-inscription", "Reiscrizione"];
    #[rustfmt::skip]
    const NEXT: [&str; 30] = [
        "gemäss", "laut", "aufgrund", "auf Grund", "nach ", "von Amtes", "infolge", "auf ", "zwecks", "zum ", "durch ", "im Handelsregister", "ins Handelsregister", "d'office", "selon", "ordonnée",
        "suite ", "par ", "conformément", "en vertu", "en application", "aux fins", "ordinata", "disposta", "d'ufficio", "secondo", "giusta", "in base", "a seguito", "in seguito",
    ];
    let rest = NOUNS.iter().find_map(|it| text.strip_prefix(it));
    rest.is_some_and(|it| {
        let it = it.trim_start_matches([':', ' ']);
        it.is_empty() || starts_with_any(it, &NEXT)
    })
}

/// Whether a sentence says that the deletion of the company does not count: `Die Löschung der Gesellschaft wird widerrufen`.
fn is_deletion_revoked(text: &str, concepts: Concepts) -> bool {
    const NOUNS: [&str; 3] = ["löschung ", "radiation ", "cancellazione "];
    const ARTICLES: [&str; 3] = ["die ", "la ", "diese "];
    // What is revoked is a step towards the deletion.
    #[rustfmt::skip]
    const STEPS: [&str; 20] = [
        "antrag", "anmeldung", "begehren", "gesuch", "verfahren", "androhung", "aufforderung", "einsprache", "demande", "requête", "réquisition", "procédure", "menace", "sommation", "opposition", "domanda",
        "istanza", "procedura", "richiesta", "opposizione",
    ];
    #[rustfmt::skip]
    const COMPANY: [&str; 12] = [
        "gesellschaft", "firma", "stiftung", "verein", "genossenschaft", "unternehm", "soci", "fonda", "asso", "raison", "entreprise", "ditta",
    ];
    if concepts.has_any(&[Signature, OtherThing, Branch, Blocked, Rejected, Negated]) {
        return false;
    }
    let lower = text.to_lowercase();
    let Some((at, noun)) = NOUNS.iter().filter_map(|it| Some((lower.find(it)?, *it))).min() else {
        return false;
    };
    let (before, after) = (&lower[..at], &lower[at + noun.len()..]);
    // `die Löschung`, `die am 26.02.2021 eingetragene Löschung`, but not `gegen die Löschung`
    let is_subject = before.is_empty()
        || starts_with_any(before, &ARTICLES)
        || ARTICLES.iter().filter_map(|it| before.strip_suffix(it)).any(|it| {
            let last = it.trim_end().rsplit(' ').next().unwrap_or_default();
            !["gegen", "auf", "über", "contre", "sur", "contro", "su"].contains(&last)
        });
    is_subject
        && !has_any(before, &STEPS)
        && has_any(&after[..after.floor_char_boundary(30)], &COMPANY)
}

/// Whether a sentence says that a deletion is due but not possible yet. The announcement of a deletion that an objection can
/// prevent is something else.
fn is_blocked(text: &str) -> bool {
    const DELETION: [&str; 6] =
        ["löschung", "gelöscht", "radiation", "radié", "cancellazione", "cancellat"];
    #[rustfmt::skip]
    const BLOCKED: [&str; 22] = [
        "noch nicht", "vorläufig nicht", "kann nicht", "nicht erfolgen", "nicht vorgenommen", "nicht vollzogen", "steht noch aus", "mangels zustimmung", "mangels der zustimmung", "fehlender zustimmung", "fehlt",
        "ne peut", "ne pourra", "pas encore", "différée", "en suspens", "faisant défaut", "fait défaut", "non può", "non ancora", "in sospeso", "mancando il consenso",
    ];
    #[rustfmt::skip]
    const CONDITION: [&str; 11] = [
        "sofern", "falls", "es sei denn", "einsprache", "à moins que", "opposition", "si aucun", "salvo opposizione", "qualora", "opposizione", "wird sie",
    ];
    // An objection that was raised, not one that can be.
    #[rustfmt::skip]
    const OBJECTED: [&str; 11] = [
        "einsprache erhoben", "widersetzt", "nicht zugestimmt", "s'est opposé", "s'oppose", "s'y oppose", "s'y est opposé", "s'y étant opposé", "a fait opposition", "a formé opposition",
        "si è oppost",
    ];
    const IF: [&str; 12] = [
        "sofern",
        "falls",
        "es sei denn",
        "keine einsprache",
        "wird",
        "werden",
        "à moins que",
        " si aucun",
        "aucune",
        "qualora",
        "salvo",
        "nessuna",
    ];
    let lower = text.to_lowercase();
    let is_due = has_any(&lower, &BLOCKED) && !has_any(&lower, &CONDITION);
    let is_objected = has_any(&lower, &OBJECTED) && !has_any(&lower, &IF);
    has_any(&lower, &DELETION) && (is_due || is_objected)
}

/// Whether a sentence says in which register the company was: `jusqu'ici inscrite au registre du commerce du canton de Vaud`.
pub(super) fn names_former_register(text: &str) -> bool {
    #[rustfmt::skip]
    const FORMER: [&str; 14] = [
        "bisher", "Bisher", "bislang", "zuvor", "früher", "jusqu'ici", "jusqu’ici", "jusqu'à présent", "jusqu'alors", "précédemment", "auparavant", "finora",
        "in precedenza", "precedentemente",
    ];
    #[rustfmt::skip]
    const REGISTERS: [&str; 8] = [
        "egister des Kantons", "egisteramt des Kantons", "egisters des Kantons", "registre du commerce d", "registre du canton", "registro di commercio d",
        "registro del Cantone", "registro del cantone",
    ];
    #[rustfmt::skip]
    const FROM_CANTON: [&str; 6] = [
        "aus dem Kanton ", "aus dem Handelsregister des Kantons ", "en provenance du canton ", "venant du canton ", "proveniente dal Cantone ",
        "proveniente dal cantone ",
    ];
    let follows = |word: &&str| {
        text.match_indices(*word).any(|(at, _)| {
            let rest = &text[at..text.floor_char_boundary(at + 120)];
            has_any(rest, &REGISTERS)
        })
    };
    FORMER.iter().any(follows) || has_any(text, &FROM_CANTON)
}

/// Whether `firma` is the Italian word for a signature: `la sua firma è cancellata`. In German, it is a company.
fn is_italian_signature(text: &str) -> bool {
    let lower = text.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|it| lower.contains(it));
    has(&["firma ", "firme "])
        && has(&["cancellat", "radiat", "estint", "soppress"])
        && !has(&["società", "ditta", "fondazione", "associazione", "cooperativa", "impresa"])
}

/// Adds the loss or the return of the legal domicile. Returns whether the sentence is about one.
fn is_domicile(text: &str, concepts: Concepts, changes: &mut Vec<Change>) -> bool {
    // `Der Hinweis, wonach die Gesellschaft über kein Rechtsdomizil verfügt, ist gelöscht`
    if concepts.has(NoDomicile) && starts_with_any(text, &REMARKS) && has_any(text, &REMOVED) {
        return true;
    }
    // A former domicile also ends when there is a new one.
    let is_former = has_any(text, &["bisherige ", "ancien ", "précédent ", "precedente "]);
    if is_former && concepts.has(NoDomicile) && !has_any(text, &["ohne ", "sans ", "senza "]) {
        return true;
    }
    // The dissolution for a missing domicile is a step of its own.
    if concepts.has_any(&[Dissolution, Revoked, DomicileLaw])
        || concepts.has_all(&[Deleted, ExOfficio])
    {
        return false;
    }
    let exists = match (concepts.has(DomicileAgain), concepts.has(NoDomicile)) {
        (true, _) => true,
        (false, true) => false,
        (false, false) => return false,
    };
    changes.push(Change::Domicile { exists });
    true
}

/// The cause of a deletion, in the order of precedence.
fn cause(text: &str, concepts: Concepts) -> Option<DeletionCause> {
    let has_liquidation = concepts.has(Closed) && text.contains("iquida");
    // These are also part of longer words of the table: `est d'office radiée`.
    let is_ex_officio = text.contains("d'office") || text.contains("d'ufficio");
    let concepts = if is_ex_officio { concepts.with(ExOfficio) } else { concepts };
    let causes = [
        (Merger, DeletionCause::Merger),
        (SplitUp, DeletionCause::SplitUp),
        (NoAssets, DeletionCause::NoAssets),
        (Bankruptcy, DeletionCause::Bankruptcy),
        (Ceased, DeletionCause::Ceased),
        (ExOfficio, DeletionCause::ExOfficio),
        (OnApplication, DeletionCause::Application),
    ];
    let mut causes = causes.into_iter().filter(|(concept, _)| concepts.has(*concept));
    match causes.next().map(|(_, cause)| cause) {
        None
        | Some(DeletionCause::Ceased | DeletionCause::ExOfficio | DeletionCause::Application)
            if has_liquidation =>
        {
            Some(DeletionCause::Liquidation)
        }
        cause => cause,
    }
}

/// The departure to another register. Abroad, it ends the company's registration in Switzerland (art. 163 and 164 of the
/// Private International Law Act).
fn departure(text: &str, concepts: Concepts) -> Change {
    let to = destination(text);
    let in_country = |it: &str| {
        let parts = it.split(['(', ')', ',', '/']);
        parts.map(str::trim).any(|it| nations::country_named(it).is_some())
    };
    // `Konstanz (Deutschland)`: the country follows the place.
    let rest = to.and_then(|it| text.split_once(it)).map_or("", |(_, rest)| rest);
    let rest = &rest[..rest.floor_char_boundary(40)];
    let is_abroad = !concepts.has(OtherRegister)
        && (concepts.has(Abroad) || to.is_some_and(in_country) || in_country(rest));
    Change::Departure { to: to.map(str::to_owned), abroad: is_abroad }
}

/// The new seat: `Zürich` in `infolge Verlegung des Sitzes nach Zürich im Handelsregister …`.
fn destination(text: &str) -> Option<&str> {
    #[rustfmt::skip]
    const END: [&str; 27] = [
        ",", ";", " (", " im ", " in das ", " ins ", " und ", " verlegt", " von ", " gemäss", " wird", " wurde", " aus dem",
        " hat", " ist", " est ", " a été", " et ", " au registre", " du registre", " è ", " e ", " ed ", " dal ", " d'office", " nel ",
        " viene",
    ];
    let (at, _) = ["verleg", "Verleg", "Wegzug", "ransf", "rasfer", "Sitz"]
        .iter()
        .filter_map(|it| Some((text.find(it)?, it)))
        .min()?;
    // The nearest of them, as `à` can also be part of another phrase.
    let (after, length) = [" nach ", " à ", " ad ", " a "]
        .iter()
        .filter_map(|it| Some((text[at..].find(it)? + at, it.len())))
        .min()?;
    let place = &text[after + length..];
    let end = END.iter().filter_map(|it| place.find(it)).min().unwrap_or(place.len());
    let place = name_of_place(&place[..end]);
    let is_place = place.starts_with(char::is_uppercase) && place.len() <= 60;
    is_place.then_some(place)
}

/// The place at the start of a text: its words in capitals, and what joins them. `Stein am Rhein` in `Stein am Rhein laut
/// Beschluss`.
fn name_of_place(text: &str) -> &str {
    const JOINS: [&str; 19] = [
        "am", "an", "der", "bei", "ob", "im", "in", "sur", "sous", "près", "de", "du", "des", "la",
        "le", "les", "di", "del", "della",
    ];
    let text = text.trim_start();
    let (mut at, mut end) = (0, 0);
    for word in text.split(' ') {
        at += word.len();
        match word.starts_with(|it: char| it.is_uppercase() || it == '(') {
            true => end = at,
            false if JOINS.contains(&word) || word.starts_with("d'") => {}
            false => break,
        }
        at += 1;
    }
    &text[..end]
}
