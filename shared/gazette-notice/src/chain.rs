//! The entries of one item, and what it says of several at once.

use super::{
    EntryKind,
    entry::{AND, Bare, Clause, Draft, Part, can_be_shared, is_name},
    names, pieces,
    words::{FUNCTION, SIGNATURE, after_any, begins, names_a_firm},
};

/// A draft and whether it comes or goes.
pub(super) type Found = (EntryKind, Draft);

/// The entries of one item. What it says of all of them, `beide mit Einzelunterschrift`, goes to them
/// and to the entries found since `from`.
pub(super) fn chain(bare: &Bare<'_>, found: &mut [Found], from: usize) -> Vec<Draft> {
    let parts: Vec<Part<'_>> =
        pieces::clauses(&bare.text).into_iter().map(|it| (it, Clause::of(it))).collect();
    let mut drafts: Vec<Draft> = Vec::new();
    let mut current: Vec<Part<'_>> = Vec::new();
    let mut is_placed = false;
    for (at, part) in parts.iter().copied().enumerate() {
        // From here on it is about somebody else.
        if begins(part.0, &["en remplacement d", "anstelle ", "in sostituzione d"]) {
            break;
        }
        if let Some(said) = of_all(part.0) {
            drafts.extend(close(&mut current));
            is_placed = false;
            let earlier = found[from..].iter_mut().map(|(_, it)| it);
            share(part.0, said, earlier.chain(drafts.iter_mut()));
            continue;
        }
        match next_entry(&parts, at).filter(|_| is_placed) {
            Some((rest, name)) => {
                current
                    .extend(Some(rest).filter(|it| !it.is_empty()).map(|it| (it, Clause::of(it))));
                drafts.extend(close(&mut current));
                current.push((name, Clause::Other(name)));
                is_placed = false;
            }
            None => {
                is_placed |= !current.is_empty() && part.1.is_place();
                current.push(part);
            }
        }
    }
    drafts.extend(close(&mut current));
    let count = drafts.len();
    for draft in &mut drafts {
        draft.mark(bare, count);
    }
    drafts
}

fn close(current: &mut Vec<Part<'_>>) -> Option<Draft> {
    let parts = std::mem::take(current);
    (!parts.is_empty()).then(|| Draft::of(&parts))
}

/// What is said of all entries before: `beide mit Einzelunterschrift`, `tous administrateurs`.
pub(super) fn of_all(clause: &str) -> Option<&str> {
    #[rustfmt::skip]
    const ALL: [&str; 27] = [
        "beide zeichnen ", "beide ", "alle zeichnen ", "alle ", "sämtliche ", "tous deux signent ",
        "tous deux ", "toutes deux ", "tous trois ", "tous avec", "tous ", "toutes ",
        "lesquels signent ", "lesquelles signent ", "lesquels ", "lesquelles ", "les deux ",
        "les trois ", "ambedue ", "entrambi ", "entrambe ", "tutti ", "tutte ", "i quali ",
        "qui signent ", "signent ", "zeichnen ",
    ];
    let said = match after_any(clause, &["tous avec", "toutes avec"]) {
        Some(_) => clause.split_once(' ')?.1,
        None => after_any(clause, &ALL)?.trim(),
    };
    (SIGNATURE.are_in(said) || FUNCTION.are_in(said)).then_some(said)
}

/// Nothing is said of more entries at once: what `alle` are need not be sought further back.
const MOST: usize = 64;

/// Gives the last drafts, two of them after `beide`, what they lack of these words.
pub(super) fn share<'a>(
    clause: &str,
    said: &str,
    drafts: impl DoubleEndedIterator<Item = &'a mut Draft>,
) {
    const BOTH: [&str; 6] = ["beide", "tous deux", "toutes deux", "les deux", "entramb", "ambedue"];
    let mut common = Draft::default();
    common.take(Clause::of(said));
    let function = common.function().map(|it| singular(&it));
    let count = if begins(clause, &BOTH) { 2 } else { MOST };
    if !can_be_shared(said, count) {
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

/// Whether the clause at `at` begins another entry than the clauses before it, in which a place
/// stands: it is followed by an origin. Answers what still belongs to the open one, and the name.
fn next_entry<'a>(parts: &[Part<'a>], at: usize) -> Option<(&'a str, &'a str)> {
    let (clause, class) = parts[at];
    let follows = |by: usize| parts.get(at + by).map(|(_, class)| *class);
    let is_before_origin = follows(1).is_some_and(Clause::is_origin);
    let name = after_any(clause, AND).filter(|it| is_name(it) && !FUNCTION.are_in(it));
    if let Some(name) = name {
        let is_surname = follows(2).is_some_and(Clause::is_origin)
            && matches!(follows(1), Some(Clause::Other(_)));
        let is_firm = names_a_firm(name) && follows(1).is_some_and(Clause::is_place);
        return (is_before_origin || is_surname || is_firm).then_some(("", name));
    }
    if !is_before_origin {
        return None;
    }
    match class {
        Clause::Other(text) if is_name(text) && !FUNCTION.are_in(text) => Some(("", text)),
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

/// Whether a name without a place can be trusted to be one: in two to five words, each capitalised.
pub(super) fn is_person_or_firm(draft: &Draft) -> bool {
    draft.name.iter().any(|it| names_a_firm(it)) || is_full_name(&draft.name.join(" "))
}

pub(super) fn is_full_name(name: &str) -> bool {
    let mut words = 0;
    for word in name.split(' ') {
        words += 1;
        let is_known = names::is_particle(word) || is_name(word);
        if words > 6 || !is_known || word.starts_with(|it: char| it.is_ascii_digit()) {
            return false;
        }
    }
    words > 1 && !FUNCTION.are_in(name)
}

/// A function of several persons as one of each: `Verwaltungsratsmitglieder`, `associés gérants`.
pub(super) fn singular(function: &str) -> String {
    const PLURALS: [&str; 10] =
        ["eurs", "és", "ées", "ants", "antes", "ents", "ires", "trices", "bres", "aires"];
    // Every plural is its singular and an ending.
    let stem = |word: &str| match word {
        _ if word.ends_with("mitglieder") || word == "Mitglieder" => word.len() - "er".len(),
        _ if PLURALS.iter().any(|it| word.ends_with(it)) && FUNCTION.are_in(word) => {
            word.len() - "s".len()
        }
        _ => word.len(),
    };
    let mut singular = String::with_capacity(function.len());
    for part in function.split_inclusive([' ', '-']) {
        let word = part.trim_end_matches([' ', '-']);
        singular.push_str(&word[..stem(word)]);
        singular.push_str(&part[word.len()..]);
    }
    singular
}
