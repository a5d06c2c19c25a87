//! The entries of one item, and statements about several entries such as `beide mit
//! Einzelunterschrift`.
//!
//! An item is the text between two semicolons. It has one entry or several: `Muster Hans, von Bern, in
//! Thun, und Probe Anna, von Chur, in Chur`.

use super::{
    EntryKind,
    brackets::WithoutBrackets,
    clause::{AND, Clause, Part, is_name},
    entry::{Draft, may_be_copied},
    given_names, names, punctuation,
    singular::singular,
    words::{FUNCTION, SIGNATURE, is_firm_name, starts_with_any, strip_any_prefix},
};

/// A draft, and whether the person or firm enters, changes or leaves.
pub(super) type FoundEntry = (EntryKind, Draft);

/// Reads the entries of one item.
///
/// A statement about several entries is applied to the entries of the item and to `found[from..]`, the
/// earlier entries of the same list.
pub(super) fn read_item(
    item: &WithoutBrackets<'_>,
    found: &mut [FoundEntry],
    from: usize,
) -> Vec<Draft> {
    let (text, restated) = match split_restated(&item.text) {
        Some((former, restated)) => (former, Some(restated)),
        None => (&*item.text, None),
    };
    let parts: Vec<Part<'_>> =
        punctuation::split_clauses(text).into_iter().map(|it| (it, Clause::of(it))).collect();
    let mut drafts: Vec<Draft> = Vec::new();
    let mut current: Vec<Part<'_>> = Vec::new();
    let mut has_place = false;
    for (at, part) in parts.iter().copied().enumerate() {
        // The rest is about the predecessor.
        if starts_with_any(part.0, &["en remplacement d", "anstelle ", "in sostituzione d"]) {
            break;
        }
        if let Some(statement) = shared_statement(part.0) {
            drafts.extend(finish_entry(&mut current));
            has_place = false;
            let earlier = found[from..].iter_mut().map(|(_, it)| it);
            apply_shared_statement(part.0, statement, earlier.chain(drafts.iter_mut()));
            continue;
        }
        // `…, président, Rochat Anne et Blanc Luc, …`
        if let Some((first, second)) = two_names_after_statement(&parts, at) {
            drafts.extend(finish_entry(&mut current));
            drafts.extend(finish_entry(&mut vec![(first, Clause::Other(first))]));
            current.push((second, Clause::Other(second)));
            has_place = false;
            continue;
        }
        let next = start_of_named_entry(&parts, at).map(|it| ("", it));
        match next.or_else(|| start_of_next_entry(&parts, at).filter(|_| has_place)) {
            Some((rest, name)) => {
                current
                    .extend(Some(rest).filter(|it| !it.is_empty()).map(|it| (it, Clause::of(it))));
                drafts.extend(finish_entry(&mut current));
                current.push((name, Clause::Other(name)));
                has_place = false;
            }
            None => {
                has_place |= !current.is_empty() && part.1.is_place();
                current.push(part);
            }
        }
    }
    drafts.extend(finish_entry(&mut current));
    if let (Some(restated), Some(draft)) = (restated, drafts.last_mut()) {
        draft.restate(punctuation::split_clauses(restated));
    }
    let count = drafts.len();
    for draft in &mut drafts {
        draft.apply_brackets(item, count);
    }
    drafts
}

/// The two parts of an item that states what was registered, and then what is new, as Fribourg does: `A, gérant, signature
/// individuelle, nouveau: gérant, signature collective à deux`. `None` if nothing but the name stands before.
pub(super) fn split_restated(item: &str) -> Option<(&str, &str)> {
    #[rustfmt::skip]
    const NEW: [&str; 10] = [
        "nouveau: ", "nouvelle: ", "nouveau ", "nouvelle ", "neu: ", "neu ", "nuovo: ", "nuova: ", "nuovo ", "nuova ",
    ];
    let mark_of = |text: &str| NEW.iter().find(|it| text.starts_with(**it)).copied();
    let mut clauses = item.match_indices(", n").map(|(at, _)| at);
    let (former, mark, restated) = clauses.find_map(|at| {
        let mark = mark_of(&item[at + 2..])?;
        Some((&item[..at], mark, &item[at + 2 + mark.len()..]))
    })?;
    let is_statement = |it: &&str| {
        let is_other = matches!(Clause::of(it), Clause::Other(_));
        matches!(Clause::of(it), Clause::Signature(_) | Clause::Quota(_))
            || (is_other && FUNCTION.occur_in(it))
    };
    // `…, e B, da Chiasso, in Chiasso, nuova gerente`: an entry of its own.
    let is_stated = |text: &str| {
        let clauses = punctuation::split_clauses(text);
        let is_after_statement = clauses.last().is_some_and(is_statement);
        clauses.iter().skip(1).any(is_statement) && (mark.contains(':') || is_after_statement)
    };
    let first = punctuation::split_clauses(restated).first().copied().unwrap_or_default();
    let states = is_statement(&first) || Clause::of(first).is_place();
    (is_stated(former) && states).then_some((former, restated))
}

fn finish_entry(current: &mut Vec<Part<'_>>) -> Option<Draft> {
    let parts = std::mem::take(current);
    (!parts.is_empty()).then(|| Draft::from_clauses(&parts))
}

/// The statement in a clause about several entries: `mit Einzelunterschrift` of `beide mit
/// Einzelunterschrift`. `None` for other clauses.
pub(super) fn shared_statement(clause: &str) -> Option<&str> {
    #[rustfmt::skip]
    const ALL: [&str; 27] = [
        "beide zeichnen ", "beide ", "alle zeichnen ", "alle ", "sämtliche ", "tous deux signent ",
        "tous deux ", "toutes deux ", "tous trois ", "tous avec", "tous ", "toutes ",
        "lesquels signent ", "lesquelles signent ", "lesquels ", "lesquelles ", "les deux ",
        "les trois ", "ambedue ", "entrambi ", "entrambe ", "tutti ", "tutte ", "i quali ",
        "qui signent ", "signent ", "zeichnen ",
    ];
    let statement = match strip_any_prefix(clause, &["tous avec", "toutes avec"]) {
        Some(_) => clause.split_once(' ')?.1,
        None => strip_any_prefix(clause, &ALL)?.trim(),
    };
    (SIGNATURE.occur_in(statement) || FUNCTION.occur_in(statement)).then_some(statement)
}

/// Maximum number of entries that a statement about all (`alle`) applies to.
const MAX_SHARING_ENTRIES: usize = 64;

/// Applies a statement to the last drafts where they have no signature or function of their own.
///
/// It applies to two drafts if the clause says `beide` (both), otherwise to all.
pub(super) fn apply_shared_statement<'a>(
    clause: &str,
    statement: &str,
    drafts: impl DoubleEndedIterator<Item = &'a mut Draft>,
) {
    const BOTH: [&str; 6] = ["beide", "tous deux", "toutes deux", "les deux", "entramb", "ambedue"];
    let mut common = Draft::default();
    common.add(Clause::of(statement));
    let function = common.function().map(|it| singular(&it));
    let count = if starts_with_any(clause, &BOTH) { 2 } else { MAX_SHARING_ENTRIES };
    if !may_be_copied(statement, count) {
        return;
    }
    for draft in drafts.rev().take(count) {
        if draft.signature.is_none() {
            draft.signature.clone_from(&common.signature);
        }
        if let Some(function) = function.as_ref().filter(|_| !draft.has_function()) {
            draft.set_function(function);
        }
    }
}

/// The name of the entry that starts in the clause at `at`, if the name itself shows that: a full name or a firm after `et`, or
/// a full name after a function, signature or quota. Administrators without places follow each other so.
fn start_of_named_entry<'a>(parts: &[Part<'a>], at: usize) -> Option<&'a str> {
    let before = parts[..at].last()?;
    let (clause, class) = parts[at];
    if !matches!(class, Clause::Other(_)) {
        return None;
    }
    if let Some(name) = strip_any_prefix(clause, AND) {
        let is_place_next = || parts.get(at + 1).is_some_and(|(_, next)| next.is_place());
        let is_firm = is_firm_name(name) && is_place_next() && !FUNCTION.occur_in(name);
        return (is_firm || is_known_full_name(name)).then_some(name);
    }
    (is_statement(before) && is_known_full_name(clause)).then_some(clause)
}

/// The two full names in the clause at `at`, if it follows a function, signature or quota.
fn two_names_after_statement<'a>(parts: &[Part<'a>], at: usize) -> Option<(&'a str, &'a str)> {
    let before = parts[..at].last()?;
    let (clause, class) = parts[at];
    // Fast path: most clauses are no names.
    let may_be_names = matches!(class, Clause::Other(_))
        && clause.starts_with(char::is_uppercase)
        && clause.bytes().filter(|it| *it == b' ').count() >= 4;
    if !may_be_names {
        return None;
    }
    let (first, second) =
        [" et ", " und ", " e ", " ed "].iter().find_map(|it| clause.split_once(it))?;
    let are_names = is_statement(before) && is_known_full_name(first) && is_known_full_name(second);
    are_names.then_some((first, second))
}

fn is_statement((text, class): &Part<'_>) -> bool {
    match class {
        Clause::Signature(_) | Clause::Quota(_) => true,
        Clause::Other(_) => FUNCTION.occur_in(text),
        _ => false,
    }
}

/// Whether a text is the full name of a person with a known given name.
fn is_known_full_name(text: &str) -> bool {
    is_full_name(text) && text.split(' ').any(given_names::is_given_name)
}

/// Checks whether the next entry starts in the clause at `at`, that is, whether an origin follows it.
///
/// The caller makes sure that the entry before has a place. Returns the part of the clause that still belongs to
/// that entry, and the name of the next one.
fn start_of_next_entry<'a>(parts: &[Part<'a>], at: usize) -> Option<(&'a str, &'a str)> {
    let (clause, class) = parts[at];
    let class_after = |by: usize| parts.get(at + by).map(|(_, class)| *class);
    let is_before_origin = class_after(1).is_some_and(Clause::is_origin);
    let name = strip_any_prefix(clause, AND).filter(|it| is_name(it) && !FUNCTION.occur_in(it));
    if let Some(name) = name {
        let is_surname = class_after(2).is_some_and(Clause::is_origin)
            && matches!(class_after(1), Some(Clause::Other(_)));
        let is_firm = is_firm_name(name) && class_after(1).is_some_and(Clause::is_place);
        return (is_before_origin || is_surname || is_firm).then_some(("", name));
    }
    if !is_before_origin {
        return None;
    }
    match class {
        Clause::Other(text) if is_name(text) && !FUNCTION.occur_in(text) => Some(("", text)),
        Clause::Origin(_) | Clause::OriginAndDomicile(_) | Clause::Citizenship(_) => None,
        // `in Thun und Muster Hans, von …`
        _ => {
            let conjunctions = [" und ", " sowie ", " et ", " ed ", " e "];
            let cut =
                conjunctions.iter().filter_map(|it| Some((clause.rfind(it)?, it.len()))).max();
            let (cut, length) = cut?;
            let name = &clause[cut + length..];
            (name.contains(' ') && is_name(name)).then_some((&clause[..cut], name))
        }
    }
}

/// Whether the name of a draft without a place is plausible: a firm's, or a full name.
pub(super) fn is_person_or_firm(draft: &Draft) -> bool {
    draft.name.iter().any(|it| is_firm_name(it)) || is_full_name(&draft.name.join(" "))
}

/// Whether the text looks like the full name of a person: two to six capitalised words or particles,
/// without a function.
pub(super) fn is_full_name(name: &str) -> bool {
    let mut words = 0;
    for word in name.split(' ') {
        words += 1;
        let is_name_part = names::is_particle(word) || is_name(word);
        if words > 6 || !is_name_part || word.starts_with(|it: char| it.is_ascii_digit()) {
            return false;
        }
    }
    words > 1 && !FUNCTION.occur_in(name)
}
