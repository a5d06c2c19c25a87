//! Entries of a whole notice: lists under headings, and the prose between them.

use super::{
    Entry, EntryKind,
    brackets::read_brackets,
    changes,
    clause::{Clause, is_name},
    entry::{Draft, MAX_LENGTH, may_be_copied},
    headings::{Heading, heading},
    item::{FoundEntry, is_person_or_firm, read_item, split_restated},
    names::Order,
    prose::{self, Prose},
    punctuation,
    roles::{self, Role},
    sentence::Sentence,
    singular::singular,
    words::{FUNCTION, LEAVING, SUPERVISORY, is_firm_name, names_new_auditor, starts_with_any},
};

/// Maximum number of entries that are read. No real notice has as many.
///
/// The limit bounds the cost of a text that consists of names only.
const MAX_ENTRIES: usize = 4_000;

/// What a notice states about persons and firms.
#[derive(Debug)]
pub(super) struct Persons {
    /// In the order of the text.
    pub(super) entries: Vec<Entry>,
    /// Whether sentences outside lists name persons or firms.
    pub(super) has_prose: bool,
    /// Number of clauses that are left out because they are not sure.
    pub(super) unsure: u32,
}

/// Reads what a notice states about persons and firms.
pub(super) fn persons(sentences: &[Sentence<'_>]) -> Persons {
    let mut found: Vec<FoundEntry> = Vec::new();
    let mut prose = Prose::default();
    let mut list: Option<EntryKind> = None;
    for sentence in sentences {
        if found.len() + prose.len() >= MAX_ENTRIES {
            break;
        }
        if !sentence.label.is_empty() && changes::is_correction(sentence.label) {
            list = None;
            prose.read_correction(sentence.text, found.len());
        } else if is_prose(sentence.label) {
            list = None;
            let text = format!("{}: {}", sentence.label, sentence.text);
            prose.read_sentence(&text, found.len());
        } else if let Some(office) = office_with_changes(sentence) {
            list = None;
            for item in punctuation::split_items(sentence.text) {
                if prose::tells_change(item) {
                    prose.read_holders(item, &office, found.len());
                } else {
                    read_labelled(&Sentence { text: item, ..*sentence }, &mut found);
                }
            }
        } else if !sentence.label.is_empty() {
            list = read_labelled(sentence, &mut found);
        } else if is_restated(sentence.text) {
            read_persons(sentence.text, EntryKind::Changed, &mut found);
        } else if let Some(kind) = list.filter(|_| continues_list(sentence.text)) {
            read_persons(sentence.text, kind, &mut found);
        } else {
            list = None;
            // `Berichtigung des im SHAB Nr. 42 publizierten Eintrags: Keller, Anna, …`
            match sentence.text.split_once(": ").filter(|it| changes::is_correction(it.0)) {
                Some((_, corrected)) => prose.read_correction(corrected, found.len()),
                None => prose.read_sentence(sentence.text, found.len()),
            }
        }
    }
    let (has_prose, unsure) = (prose.names_persons, prose.unsure);
    let found = prose.into_entries(found);
    let names: Vec<String> = found
        .iter()
        .filter(|(_, it)| it.name.len() == 1 && !it.is_entity())
        .map(|(_, it)| it.full_name())
        .collect();
    let order = Order::of(names.iter().map(String::as_str));
    let entries = found.into_iter().map(|(kind, draft)| draft.into_entry(kind, order)).collect();
    Persons { entries, has_prose, unsure }
}

/// Whether the label is the start of a sentence: `Sont nommés administrateurs`.
fn is_prose(label: &str) -> bool {
    !label.is_empty()
        && (prose::is_clause(label) && heading(label).is_none() || prose::has_verb(label))
}

/// The office or body that a label names, if the list after it describes changes of the holders: `Administration: A n'est plus
/// que membre; B est élue présidente`.
fn office_with_changes(sentence: &Sentence<'_>) -> Option<String> {
    // Fast path: most sentences have no label.
    if sentence.label.is_empty() {
        return None;
    }
    let Some(Heading::Function(_, function)) = heading(sentence.label) else { return None };
    let is_other = |it: Role| matches!(it, Role::Auditor | Role::SupervisoryAuthority);
    roles::office(function).filter(|it| !is_other(it.role))?;
    prose::tells_change(sentence.text).then(|| singular(function))
}

/// Reads a labelled sentence.
///
/// Returns the kind of the list if it may continue in the next sentence.
fn read_labelled(sentence: &Sentence<'_>, found: &mut Vec<FoundEntry>) -> Option<EntryKind> {
    match heading(sentence.label)? {
        Heading::Persons(kind) => {
            read_persons(sentence.text, kind, found);
            Some(kind)
        }
        Heading::Function(kind, function) => {
            let from = found.len();
            let needs_no_place = SUPERVISORY.occur_in(function);
            let is_entry = |it: &Draft| {
                it.has_place() || needs_no_place || it.signature.is_some() || is_person_or_firm(it)
            };
            let (text, no_longer) = split_no_longer(sentence.text);
            // A company has one auditor, so that the one who is replaced leaves.
            let is_auditor = roles::office(function).is_some_and(|it| it.role == Role::Auditor);
            let (text, replaced) = if is_auditor { split_replaced(text) } else { (text, None) };
            read_items(text, kind, found, is_entry);
            for former in no_longer.into_iter().chain(replaced) {
                read_items(former, EntryKind::Left, found, is_entry);
            }
            share_last_signature(text, function, &mut found[from..]);
            let is_new = is_auditor && names_new_auditor(sentence.label);
            found[from..].iter_mut().for_each(|(_, it)| it.is_successor = is_new);
            // `Nouveaux administrateurs avec signature individuelle`
            let mut stated = Draft::default();
            stated.add_statement(function);
            let function = singular(stated.function().as_deref().unwrap_or(function));
            for (_, draft) in &mut found[from..] {
                draft.fill_signature(&stated);
                match draft.function() {
                    None => draft.set_function(&function),
                    // `Associés: X, gérant` and `Administrateurs: X, président` are both.
                    Some(own) if is_beside(&function, &own) => {
                        draft.set_function(&format!("{function}, {own}"));
                    }
                    Some(_) => {}
                }
            }
            None
        }
        Heading::Signature(kind, signature) => {
            let from = found.len();
            read_items(sentence.text, kind, found, |it| it.has_place() || is_person_or_firm(it));
            for (_, draft) in found[from..].iter_mut().filter(|(_, it)| it.signature.is_none()) {
                draft.signature = Some(signature.to_owned());
            }
            None
        }
    }
}

/// Gives all holders of an office the signature of the last one, if it is the only one: `Administrateurs: A, de …, à …, et B,
/// de …, à …, avec signature collective à deux`.
fn share_last_signature(text: &str, function: &str, holders: &mut [FoundEntry]) {
    let [earlier @ .., (_, last)] = holders else { return };
    let is_plural = singular(function) != function;
    let is_one_item = punctuation::split_items(text).len() == 1;
    let is_only = earlier.iter().all(|(_, it)| it.signature.is_none());
    let Some(signature) = last.signature.clone() else { return };
    if !is_plural || !is_one_item || !is_only || !may_be_copied(&signature, earlier.len()) {
        return;
    }
    for (_, draft) in earlier {
        draft.signature = Some(signature.clone());
    }
}

/// The text, and what follows words such as `et non plus`: the previous holder of the function of the heading.
fn split_no_longer(text: &str) -> (&str, Option<&str>) {
    #[rustfmt::skip]
    const NO_LONGER: [&str; 6] =
        [", et non plus ", " et non plus ", ", und nicht mehr ", " und nicht mehr ", ", e non più ", " e non più "];
    let found = NO_LONGER.iter().find_map(|it| text.split_once(it));
    found.map_or((text, None), |(holder, former)| (holder, Some(former)))
}

/// The text, and what follows words such as `en remplacement de`.
fn split_replaced(text: &str) -> (&str, Option<&str>) {
    #[rustfmt::skip]
    const REPLACING: [&str; 14] = [
        ", en remplacement de la société ", ", en remplacement de ", " en remplacement de ", ", en lieu et place de ", ", à la place de ", ", anstelle von ", ", anstelle der ",
        " anstelle der ", " anstelle von ", ", an Stelle der ", ", in sostituzione di ", " in sostituzione di ", ", in luogo di ", ", al posto di ",
    ];
    let Some((holder, former)) = REPLACING.iter().find_map(|it| text.split_once(it)) else {
        return (text, None);
    };
    // `…, à Sion, radiée`, `…, dont le mandat est échu`
    let has_details = |at: &usize| {
        let clause = &former[at + 2..];
        let clause = clause.split(',').next().unwrap_or_default();
        LEAVING.occur_in(clause) || starts_with_any(clause, &["dont ", "deren ", "il cui "])
    };
    let end = former.match_indices(", ").map(|(at, _)| at).find(has_details);
    (holder, Some(&former[..end.unwrap_or(former.len())]))
}

/// Whether the function of a heading is held beside the person's own one: partners, owners and liquidators are not members of
/// a body, and a member can have an office in it.
fn is_beside(heading: &str, own: &str) -> bool {
    let role = |it: &str| roles::office(it).map(|it| it.role);
    if roles::is_membership(heading) {
        let is_partner = role(heading) == Some(Role::Manager) && role(own) == Some(Role::Partner);
        let is_director = role(heading) == Some(Role::Member) && role(own) == Some(Role::Director);
        return is_partner || is_director || roles::is_office_of_member(own);
    }
    let is_of_heading =
        matches!(role(heading), Some(Role::Partner | Role::Liquidator | Role::Owner));
    let is_same = matches!(
        role(own),
        Some(Role::ManagingPartner | Role::GeneralPartner | Role::LimitedPartner)
    );
    is_of_heading && !is_same && role(own) != role(heading)
}

fn read_persons(text: &str, kind: EntryKind, found: &mut Vec<FoundEntry>) {
    read_items(text, kind, found, |it| {
        it.has_place() || it.signature.is_some() || it.has_function()
    });
}

/// Reads the items of a list. Drafts that `is_entry` rejects are skipped.
fn read_items(
    text: &str,
    kind: EntryKind,
    found: &mut Vec<FoundEntry>,
    is_entry: impl Fn(&Draft) -> bool,
) {
    let from = found.len();
    for item in punctuation::split_items(text).into_iter().filter(|it| it.len() <= MAX_LENGTH) {
        if found.len() >= MAX_ENTRIES {
            break;
        }
        let item = read_brackets(item);
        for draft in read_item(&item, found, from) {
            if is_entry(&draft)
                && !is_nobody(&draft.full_name())
                && draft.name.first().is_some_and(|it| is_name(it) || is_firm_name(it))
            {
                found.push((kind, draft));
            }
        }
    }
}

/// Whether a list says that it is empty: `Organe de révision: aucun`.
fn is_nobody(name: &str) -> bool {
    const NOBODY: [&str; 13] = [
        "aucun", "aucune", "néant", "vacant", "keine", "keiner", "kein", "niemand", "vakant",
        "nessuno", "nessuna", "nessun", "vacante",
    ];
    NOBODY.contains(&name.trim_end_matches('.').to_lowercase().as_str())
}

/// Whether an unlabelled sentence without a verb states what was registered about a person, and then what is new: `A, gérant,
/// signature individuelle, nouveau: gérant, signature collective à deux`.
fn is_restated(text: &str) -> bool {
    let names_person = || {
        let item = read_brackets(text);
        let clauses = punctuation::split_clauses(&item.text);
        clauses.len() <= 40
            && clauses.first().is_some_and(|it| is_name(it) && !FUNCTION.occur_in(it))
            && !prose::has_verb(&item.text)
    };
    text.len() <= MAX_LENGTH && split_restated(text).is_some() && names_person()
}

/// Whether an unlabelled sentence continues the list before it. Fribourg ends every entry with a full
/// stop.
fn continues_list(text: &str) -> bool {
    #[rustfmt::skip]
    const SENTENCE_STARTS: [&str; 22] = [
        "die ", "der ", "das ", "le ", "la ", "les ", "l'", "il ", "lo ", "gli ", "mit ",
        "gemäss ", "unter ", "bei ", "laut ", "selon ", "par ", "suite ", "con ", "per ", "[",
        "für ",
    ];
    if starts_with_any(text, &SENTENCE_STARTS) {
        return false;
    }
    let first = punctuation::split_items(text).first().copied().unwrap_or_default();
    let first = read_brackets(first);
    let clauses = punctuation::split_clauses(&first.text);
    let is_place = |it: &&str| Clause::of(it).is_place();
    clauses.len() > 1
        && clauses.len() <= 40
        && is_name(clauses[0])
        && clauses.iter().skip(1).take(5).any(is_place)
        && !prose::has_verb(&first.text)
}
