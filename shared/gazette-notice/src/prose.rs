//! Entries in prose, the style of Geneva, Vaud, Neuchâtel and older notices of Fribourg.
//!
//! A sentence has a subject, a verb and a predicate. The verb and the predicate decide whether the
//! subject enters or leaves. Subject or predicate may name the function or the signature.

use super::{
    EntryKind,
    brackets::read_brackets,
    clause::{AND, Clause, is_name},
    entry::{Draft, MAX_LENGTH, may_be_copied},
    headings::Heading,
    item::{
        FoundEntry, apply_shared_statement, is_full_name, is_person_or_firm, read_item,
        shared_statement, singular,
    },
    punctuation,
    verbs::{Verb, has_several, verb},
    words::{FUNCTION, LEAVING, SAME_SUBJECT, SIGNATURE, starts_with_any, strip_any_prefix},
};

mod predicate;
mod subject;

use predicate::{
    apply_predicate, former_function, function_before_leaving, holders_of_grant, is_office,
    strip_introduction,
};
use subject::{
    function_and_name, is_not_a_name, is_vacant_office, names_without_places, office_heading,
    signature_and_holders, split_signature,
};

/// Adds the entries of one sentence to `found`.
pub(super) fn read_sentence(sentence: &str, found: &mut Vec<FoundEntry>) {
    let is_about_persons = SIGNATURE.occur_in(sentence)
        || FUNCTION.occur_in(sentence)
        || sentence.contains("pouvoirs");
    if sentence.len() > MAX_LENGTH || !is_about_persons {
        return;
    }
    let from = found.len();
    let mut without_verb: Vec<&str> = Vec::new();
    let mut last_kind = None;
    for item in punctuation::split_items(sentence).into_iter().flat_map(split_at_verbs) {
        if let Some(statement) = shared_statement(item) {
            apply_shared_statement(item, statement, found[from..].iter_mut().map(|(_, it)| it));
            continue;
        }
        // `sa signature est radiée` refers to the subject before; it adds no entry.
        if starts_with_any(
            item,
            &[
                "ihre ", "seine ", "deren ", "dessen ", "sa ", "ses ", "son ", "leur ", "leurs ",
                "la sua ", "le loro ", "la loro ", "il ",
            ],
        ) {
            continue;
        }
        if let Some((signature, holders)) = signature_and_holders(item) {
            add_holders(signature, holders, last_kind.unwrap_or(EntryKind::Entered), found);
            continue;
        }
        match verb(item) {
            None => without_verb.push(item),
            Some((start, end, verb)) => {
                let before = found.len();
                read_clause(&without_verb, &item[..start], verb, &item[end..], found);
                // `… ist Präsident; … ist Mitglied, beide mit Einzelunterschrift`
                let clauses = punctuation::split_clauses(&item[end..]);
                let shared = clauses.into_iter().find_map(|it| Some((it, shared_statement(it)?)));
                if let Some((clause, statement)) = shared {
                    apply_shared_statement(
                        clause,
                        statement,
                        found[from..].iter_mut().map(|(_, it)| it),
                    );
                }
                last_kind = found[before..].first().map(|(kind, _)| *kind).or(last_kind);
                without_verb.clear();
            }
        }
    }
}

/// Splits an item with several sentences: `Muster Hans, von …, ist Präsident, und Beispiel Anna, von …,
/// ist Mitglied`.
fn split_at_verbs(item: &str) -> Vec<&str> {
    if !has_several(item) {
        return vec![item];
    }
    let clauses = punctuation::split_clauses(item);
    let verbs: Vec<bool> = clauses.iter().map(|it| verb(&format!(" {it} ")).is_some()).collect();
    let last = verbs.iter().rposition(|it| *it);
    let mut starts = vec![0];
    let mut has_verb = false;
    for (at, clause) in clauses.iter().enumerate() {
        let name = strip_any_prefix(clause, AND).unwrap_or(clause);
        let is_subject =
            is_full_name(name) && clauses.get(at + 1).is_some_and(|it| Clause::of(it).is_place());
        if has_verb && is_subject && last.is_some_and(|it| it > at) {
            // `name` is a slice of `item`.
            starts.push(name.as_ptr() as usize - item.as_ptr() as usize);
            has_verb = false;
        }
        has_verb |= verbs[at];
    }
    let ends = starts[1..].iter().copied().chain([item.len()]);
    let between =
        |(start, end): (&usize, usize)| item[*start..end].trim().trim_end_matches([',', ' ']);
    let parts: Vec<&str> = starts.iter().zip(ends).map(between).collect();
    parts
        .into_iter()
        .map(|it| it.strip_suffix(", und").or(it.strip_suffix(", et")).unwrap_or(it))
        .collect()
}

/// Reads one sentence. The items before it without a verb (`earlier`) are further subjects of it.
fn read_clause(
    earlier: &[&str],
    subject: &str,
    verb: Verb,
    predicate: &str,
    found: &mut Vec<FoundEntry>,
) {
    let from = found.len();
    let subject = subject.trim().trim_end_matches(',');
    let predicate = predicate.trim();
    // `…, ihre Unterschrift ist erloschen` starts a second sentence about the same subject.
    let predicate =
        SAME_SUBJECT.find_first(predicate).map_or(predicate, |(at, _)| &predicate[..at]);
    match verb {
        Verb::IsGranted => {
            if let Some((signature, "")) = split_signature(subject) {
                add_holders(signature, predicate, EntryKind::Entered, found);
            }
        }
        Verb::Signs => read_signing(subject, predicate, found),
        _ => {
            // The words after a comma may be about the predecessor: `en remplacement de …,
            // démissionnaire`.
            // What is in brackets was so before: `ist Präsident [gestrichen: Mitglied]`.
            let outside = punctuation::remove_groups(predicate, |_| true);
            let main_clause = outside.split(',').next().unwrap_or_default();
            let complement = strip_introduction(predicate);
            let leaves = verb != Verb::Is
                || LEAVING.occur_in(main_clause)
                || (!is_office(complement) && LEAVING.occur_in(&outside));
            if let Some((signature, holders)) = split_signature(subject) {
                if leaves && !holders.is_empty() {
                    add_holders(signature, holders, EntryKind::Left, found);
                } else if let Some(holders) = holders_of_grant(predicate) {
                    add_holders(signature, holders, EntryKind::Entered, found);
                }
                return;
            }
            let holders =
                strip_any_prefix(complement, &["die ", "der ", "la ", "le "]).unwrap_or(complement);
            if verb == Verb::Is && is_name(holders) && is_vacant_office(subject) {
                return add_elected(subject, holders, found);
            }
            let function = if verb == Verb::IsNoMore {
                Some(former_function(predicate))
            } else {
                function_before_leaving(predicate)
            };
            if leaves {
                add_subjects(earlier, subject, EntryKind::Left, found);
                let count = found.len() - from;
                let function =
                    function.filter(|it| FUNCTION.occur_in(it) && may_be_copied(it, count));
                let function = function.map(|it| singular(&it));
                for (_, draft) in &mut found[from..] {
                    if let Some(function) = function.as_ref().filter(|_| !draft.has_function()) {
                        draft.set_function(function);
                    }
                }
            } else if is_office(complement) {
                add_subjects(earlier, subject, EntryKind::Entered, found);
                apply_predicate(complement, &mut found[from..]);
                add_predecessor(predicate, found);
            }
        }
    }
    // A new entry always states an origin or a domicile; without one, the person was entered before.
    for (kind, draft) in &mut found[from..] {
        if *kind == EntryKind::Entered && !draft.has_place() {
            *kind = EntryKind::Changed;
        }
    }
}

/// Reads `Neue Revisionsstelle ist Muster AG, in Bern`.
fn add_elected(subject: &str, holders: &str, found: &mut Vec<FoundEntry>) {
    let Some(Heading::Function(_, office)) = office_heading(subject) else { return };
    let from = found.len();
    add_subjects(&[], holders, EntryKind::Entered, found);
    let mut elected = Draft::default();
    elected.add(Clause::of(office));
    if !elected.has_function() && elected.signature.is_none() {
        elected.set_function(office);
    }
    for (_, draft) in &mut found[from..] {
        draft.fill_missing_from(&elected);
    }
}

/// Reads the predecessor in `…, en remplacement de Muster Jean, démissionnaire`.
fn add_predecessor(predicate: &str, found: &mut Vec<FoundEntry>) {
    let Some((_, rest)) = predicate.split_once("en remplacement de ") else { return };
    if let Some((at, _)) = LEAVING.find_first(rest) {
        let name = rest[..at].split(',').next().unwrap_or_default();
        add_subjects(&[], name, EntryKind::Left, found);
    }
}

/// Reads `Muster Hans, von …, zeichnet mit …` and `Für die Zweigniederlassung zeichnen mit … Muster
/// Hans, …`.
fn read_signing(subject: &str, predicate: &str, found: &mut Vec<FoundEntry>) {
    let from = found.len();
    let mut predicate = predicate;
    while let Some(rest) = strip_any_prefix(
        predicate,
        &[
            "neu ",
            "nun ",
            "nunmehr ",
            "jetzt ",
            "künftig ",
            "beide ",
            "alle ",
            "désormais ",
            "maintenant ",
            "dorénavant ",
        ],
    ) {
        predicate = rest;
    }
    if let Some((signature, holders)) = signature_and_holders(predicate) {
        return add_holders(signature, holders, EntryKind::Entered, found);
    }
    if SIGNATURE.occur_in(predicate) {
        add_subjects(&[], subject, EntryKind::Entered, found);
        apply_predicate(predicate, &mut found[from..]);
    }
}

/// Adds the holders of a signature, as entering or leaving.
fn add_holders(signature: &str, holders: &str, kind: EntryKind, found: &mut Vec<FoundEntry>) {
    let from = found.len();
    add_subjects(&[], holders, kind, found);
    if signature.is_empty() || !may_be_copied(signature, found.len() - from) {
        return;
    }
    for (_, draft) in found[from..].iter_mut().filter(|(_, it)| it.signature.is_none()) {
        draft.signature = Some(signature.to_owned());
    }
}

/// Adds the persons and firms among the subjects of a sentence.
fn add_subjects(earlier: &[&str], subject: &str, kind: EntryKind, found: &mut Vec<FoundEntry>) {
    for text in earlier.iter().copied().chain([subject]) {
        let (function, text) = function_and_name(text);
        if is_not_a_name(text) {
            continue;
        }
        let item = read_brackets(text);
        let drafts: Vec<Draft> =
            names_without_places(&item.text).unwrap_or_else(|| read_item(&item, &mut [], 0));
        let count = drafts.len();
        let function = function.filter(|it| may_be_copied(it, count)).map(singular);
        for mut draft in drafts {
            if !is_person_or_firm(&draft) {
                continue;
            }
            if let Some(function) = function.as_ref().filter(|_| !draft.has_function()) {
                draft.set_function(function);
            }
            draft.apply_brackets(&item, count);
            found.push((kind, draft));
        }
    }
}
