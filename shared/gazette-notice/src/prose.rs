//! Entries in sentences, as Geneva, Vaud, Neuchâtel and the older notices of Fribourg write them.
//!
//! A sentence has a subject, a verb and a predicate. The verb and the predicate say whether the
//! subject comes or goes; either may name the function or the power.

use super::{
    EntryKind,
    chain::{Found, chain, is_full_name, is_person_or_firm, of_all, share, singular},
    entry::{Clause, Draft, LONGEST, Part, bare, can_be_shared, is_name},
    headings::{Heading, heading},
    pieces, powers,
    verbs::{Verb, has_several, verb},
    words::{FUNCTION, GONE, SAME, SIGNATURE, after_any, begins, names_a_firm},
};

/// Reads the entries of one sentence.
pub(super) fn read(sentence: &str, found: &mut Vec<Found>) {
    let speaks_of_persons =
        SIGNATURE.are_in(sentence) || FUNCTION.are_in(sentence) || sentence.contains("pouvoirs");
    if sentence.len() > LONGEST || !speaks_of_persons {
        return;
    }
    let from = found.len();
    let mut without_verb: Vec<&str> = Vec::new();
    let mut goes = None;
    for item in pieces::items(sentence).into_iter().flat_map(sentences_in) {
        if let Some(said) = of_all(item) {
            share(item, said, found[from..].iter_mut().map(|(_, it)| it));
            continue;
        }
        // `sa signature est radiée` is said of the subject before.
        if begins(
            item,
            &[
                "ihre ", "seine ", "deren ", "dessen ", "sa ", "ses ", "son ", "leur ", "leurs ",
                "la sua ", "le loro ", "la loro ", "il ",
            ],
        ) {
            continue;
        }
        if let Some((power, holders)) = power_and_holders(item) {
            give(power, holders, goes.unwrap_or(EntryKind::Entered), found);
            continue;
        }
        match verb(item) {
            None => without_verb.push(item),
            Some((start, end, verb)) => {
                let before = found.len();
                clause(&without_verb, &item[..start], verb, &item[end..], found);
                // `… ist Präsident; … ist Mitglied, beide mit Einzelunterschrift`
                let clauses = pieces::clauses(&item[end..]);
                let common = clauses.into_iter().find_map(|it| Some((it, of_all(it)?)));
                if let Some((clause, said)) = common {
                    share(clause, said, found[from..].iter_mut().map(|(_, it)| it));
                }
                goes = found[before..].first().map(|(kind, _)| *kind).or(goes);
                without_verb.clear();
            }
        }
    }
}

/// `Muster Hans, von …, ist Präsident, und Beispiel Anna, von …, ist Mitglied` as two.
fn sentences_in(item: &str) -> Vec<&str> {
    if !has_several(item) {
        return vec![item];
    }
    let clauses = pieces::clauses(item);
    let verbs: Vec<bool> = clauses.iter().map(|it| verb(&format!(" {it} ")).is_some()).collect();
    let last = verbs.iter().rposition(|it| *it);
    let mut starts = vec![0];
    let mut has_verb = false;
    for (at, clause) in clauses.iter().enumerate() {
        let name = after_any(clause, super::entry::AND).unwrap_or(clause);
        let is_subject =
            is_full_name(name) && clauses.get(at + 1).is_some_and(|it| Clause::of(it).is_place());
        if has_verb && is_subject && last.is_some_and(|it| it > at) {
            // Both are slices of one text.
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

/// Reads one subject, verb and predicate. The items before it without a verb share it.
fn clause(earlier: &[&str], subject: &str, verb: Verb, predicate: &str, found: &mut Vec<Found>) {
    let from = found.len();
    let subject = subject.trim().trim_end_matches(',');
    let predicate = predicate.trim();
    // `…, ihre Unterschrift ist erloschen` is said of the subject before.
    let predicate = SAME.first_in(predicate).map_or(predicate, |(at, _)| &predicate[..at]);
    match verb {
        Verb::IsGiven => {
            if let Some(power) = power_of(subject).filter(|(_, rest)| rest.is_empty()) {
                give(power.0, predicate, EntryKind::Entered, found);
            }
        }
        Verb::Signs => signs(subject, predicate, found),
        _ => {
            // What stands behind a comma is said of somebody else: `en remplacement de …, démissionnaire`.
            let main = predicate.split(',').next().unwrap_or_default();
            let what = what(predicate);
            let goes = verb != Verb::Is
                || GONE.are_in(main)
                || (!is_office(what) && GONE.are_in(predicate));
            if let Some((power, holders)) = power_of(subject) {
                if goes && !holders.is_empty() {
                    give(power, holders, EntryKind::Left, found);
                } else if let Some(holders) = given(predicate) {
                    give(power, holders, EntryKind::Entered, found);
                }
                return;
            }
            let holders = after_any(what, &["die ", "der ", "la ", "le "]).unwrap_or(what);
            if verb == Verb::Is && is_name(holders) && is_vacant(subject) {
                return elected(subject, holders, found);
            }
            let function =
                if verb == Verb::IsNoMore { Some(no_more(predicate)) } else { gone_as(predicate) };
            if goes {
                subjects(earlier, subject, EntryKind::Left, found);
                let count = found.len() - from;
                let function =
                    function.filter(|it| FUNCTION.are_in(it) && can_be_shared(it, count));
                let function = function.map(|it| singular(&it));
                for (_, draft) in &mut found[from..] {
                    if let Some(function) = function.as_ref().filter(|_| !draft.has_function()) {
                        draft.set_function(function);
                    }
                }
            } else if is_office(what) {
                subjects(earlier, subject, EntryKind::Entered, found);
                predicate_of(what, &mut found[from..]);
                replaced(predicate, found);
            }
        }
    }
    // Who is named without a place is entered already.
    for (kind, draft) in &mut found[from..] {
        if *kind == EntryKind::Entered && !draft.is_placed() {
            *kind = EntryKind::Changed;
        }
    }
}

/// Whether a subject names an office and nobody: `Neue Revisionsstelle`, `L'administrateur unique`.
fn is_vacant(subject: &str) -> bool {
    subject.len() <= 80
        && office_and_name(subject).0.is_none()
        && matches!(office_of(subject), Some(Heading::Organ(..)))
}

fn office_of(subject: &str) -> Option<Heading<'_>> {
    const ARTICLES: [&str; 7] = ["die ", "der ", "das ", "l'", "l’", "le ", "la "];
    let office = after_any(subject, &ARTICLES).unwrap_or(subject);
    let new = ["neue ", "neuer ", "neues ", "einziges ", "nouvel ", "nouveau ", "nouvelle "];
    heading(after_any(office, &new).unwrap_or(office))
}

/// `Neue Revisionsstelle ist Muster AG, in Bern`.
fn elected(subject: &str, holders: &str, found: &mut Vec<Found>) {
    let Some(Heading::Organ(_, office)) = office_of(subject) else { return };
    let from = found.len();
    subjects(&[], holders, EntryKind::Entered, found);
    let mut common = Draft::default();
    common.take(Clause::of(office));
    if !common.has_function() && common.signature.is_none() {
        common.set_function(office);
    }
    for (_, draft) in &mut found[from..] {
        draft.complete(&common);
    }
}

/// `…, en remplacement de Muster Jean, démissionnaire, dont la signature est radiée`.
fn replaced(predicate: &str, found: &mut Vec<Found>) {
    let Some((_, rest)) = predicate.split_once("en remplacement de ") else { return };
    if let Some((at, _)) = GONE.first_in(rest) {
        let name = rest[..at].split(',').next().unwrap_or_default();
        subjects(&[], name, EntryKind::Left, found);
    }
}

/// `Muster Hans, von …, zeichnet mit …`, or `Für die Zweigniederlassung zeichnen mit … Muster Hans, …`.
fn signs(subject: &str, predicate: &str, found: &mut Vec<Found>) {
    let from = found.len();
    let mut predicate = predicate;
    while let Some(rest) = after_any(
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
    if let Some((power, holders)) = power_and_holders(predicate) {
        return give(power, holders, EntryKind::Entered, found);
    }
    if SIGNATURE.are_in(predicate) {
        subjects(&[], subject, EntryKind::Entered, found);
        predicate_of(predicate, &mut found[from..]);
    }
}

/// Enters the holders of a power, or takes it from them.
fn give(power: &str, holders: &str, kind: EntryKind, found: &mut Vec<Found>) {
    let from = found.len();
    subjects(&[], holders, kind, found);
    if power.is_empty() || !can_be_shared(power, found.len() - from) {
        return;
    }
    for (_, draft) in found[from..].iter_mut().filter(|(_, it)| it.signature.is_none()) {
        draft.signature = Some(power.to_owned());
    }
}

/// Reads the subjects of a sentence; what is neither a person nor a firm is none.
fn subjects(earlier: &[&str], subject: &str, kind: EntryKind, found: &mut Vec<Found>) {
    for text in earlier.iter().copied().chain([subject]) {
        let (function, text) = office_and_name(text);
        if is_common(text) {
            continue;
        }
        let bare = bare(text);
        let drafts: Vec<Draft> = enumerated(&bare.text).unwrap_or_else(|| chain(&bare, &mut [], 0));
        let count = drafts.len();
        let function = function.filter(|it| can_be_shared(it, count)).map(singular);
        for mut draft in drafts {
            if !is_person_or_firm(&draft) {
                continue;
            }
            if let Some(function) = function.as_ref().filter(|_| !draft.has_function()) {
                draft.set_function(function);
            }
            draft.mark(&bare, count);
            found.push((kind, draft));
        }
    }
}

/// `Muster Hans, Beispiel Anna und Test Rolf`: names without a place.
fn enumerated(text: &str) -> Option<Vec<Draft>> {
    let clauses = pieces::clauses(text);
    if clauses.iter().skip(1).any(|it| Clause::of(it).is_place()) {
        return None;
    }
    let mut names: Vec<Vec<&str>> = Vec::new();
    for clause in clauses {
        let clause = after_any(clause, super::entry::AND).unwrap_or(clause);
        let two = [" und ", " et ", " e ", " sowie "].iter().find_map(|it| clause.split_once(it));
        match two.filter(|(one, other)| is_full_name(one) && is_full_name(other)) {
            Some((one, other)) => names.extend([vec![one], vec![other]]),
            None if is_full_name(clause) || names.is_empty() => names.push(vec![clause]),
            None => names.last_mut().into_iter().for_each(|it| it.push(clause)),
        }
    }
    let draft = |name: &Vec<&str>| {
        let parts: Vec<Part<'_>> = name.iter().map(|it| (*it, Clause::of(it))).collect();
        Draft::of(&parts)
    };
    Some(names.iter().map(draft).collect())
}

/// Takes `L'administrateur Muster Jean` apart. Without an article there is no function before a name.
fn office_and_name(subject: &str) -> (Option<&str>, &str) {
    #[rustfmt::skip]
    const ARTICLES: [&str; 12] =
        [
        "die ", "der ", "das ", "le ", "la ", "les ", "l'", "l’", "il ", "lo ", "la ", "gli ",
    ];
    let Some(rest) = after_any(subject, &ARTICLES) else { return (None, subject) };
    let rest = after_any(rest, &["bisherige ", "bisherigen ", "neue ", "ancien ", "ancienne "])
        .unwrap_or(rest);
    let mut end = 0;
    for word in rest.split_inclusive(' ') {
        let is_name = word.starts_with(char::is_uppercase) && !FUNCTION.are_in(word);
        if is_name || word.contains(',') {
            break;
        }
        end += word.len();
    }
    let function = rest[..end].trim();
    let has_name = is_name(&rest[end..]);
    if has_name && FUNCTION.are_in(function) {
        (Some(function), &rest[end..])
    } else {
        (None, subject)
    }
}

/// Whether a subject is no name: `Die Gesellschaft`, `Für die Zweigniederlassung`.
fn is_common(subject: &str) -> bool {
    #[rustfmt::skip]
    const COMMON: [&str; 40] = [
        "die ", "der ", "das ", "den ", "dem ", "le ", "la ", "les ", "l'", "l’", "il ", "lo ",
        "gli ", "für ", "mit ", "gemäss ", "durch ", "unter ", "sie ", "er ", "es ", "elle ",
        "ils ", "elles ", "par ", "selon ", "pour ", "avec ", "zum ", "zur ", "als ", "ein ",
        "eine ", "un ", "une ", "dans ", "in ", "en ", "sa ", "son ",
    ];
    subject.is_empty() || begins(subject, &COMMON)
}

/// `mit Einzelprokura Muster Hans, von …`, `Signature individuelle de Muster Jean, président`.
fn power_and_holders(text: &str) -> Option<(&str, &str)> {
    let (power, rest) = power_of(text)?;
    let is_holder = is_name(rest) && verb(text).is_none();
    is_holder.then_some((power, rest))
}

/// Takes a power and its holders apart: `Die Kollektivprokura zu zweien von Muster Hans`.
fn power_of(subject: &str) -> Option<(&str, &str)> {
    let text = after_any(subject, &["die ", "la ", "les ", "l'", "le ", "il "]).unwrap_or(subject);
    let text = after_any(text, &["bisherige ", "bisherigen "]).unwrap_or(text);
    let (power, rest) = match after_any(text, &["pouvoirs ", "pouvoir "]) {
        Some(rest) => ("", rest),
        None => {
            let end = powers::leading(text)?;
            (&text[..end], text[end..].trim_start_matches([' ', ':']))
        }
    };
    // A name alone may follow only where no article leads: `mit Einzelprokura Muster Hans`.
    let of = after_any(
        rest,
        &[
            "von ",
            "des ",
            "der ",
            "an ",
            "de ",
            "d'",
            "d’",
            "à ",
            "conférée à ",
            "conférées à ",
            "conférés à ",
            "conférée ",
            "pour ",
            "de l'",
            "di ",
            "a ",
        ],
    );
    let holders = of.unwrap_or(rest).trim();
    let is_known = holders.is_empty() || is_name(holders) || FUNCTION.are_in(holders);
    is_known.then_some((power, holders))
}

/// `erteilt an Muster Hans`.
fn given(predicate: &str) -> Option<&str> {
    ["erteilt an ", "conférée à ", "conférées à ", "conferita a "]
        .iter()
        .find_map(|it| Some(&predicate[predicate.find(it)? + it.len()..]))
        .or_else(|| {
            let holders = after_any(predicate, &["an "])?;
            Some(holders.trim_end_matches("erteilt worden").trim_end_matches("erteilt").trim())
        })
}

/// The predicate without the words before the office.
fn what(predicate: &str) -> &str {
    #[rustfmt::skip]
    const BEFORE: [&str; 40] = [
        "neu ", "neuer ", "neue ", "neues ", "nun ", "nunmehr ", "jetzt ", "gewählt als ",
        "ernannt zum ", "als ", "zum ", "zur ", "weiterhin ", "désormais ", "maintenant ",
        "actuellement ", "nommé ", "nommée ", "nommés ", "nommées ", "élu ", "élue ", "élus ",
        "élues ", "désigné ", "désignée ", "inscrit ", "inscrite ", "inscrits ", "également ",
        "nouvel ", "nouvelle ", "nouveau ", "nouveaux ", "comme ", "en qualité de ",
        "en qualité d'", "stato nominato ", "ora ", "été ",
    ];
    let mut what = predicate;
    while let Some(rest) = after_any(what, &BEFORE) {
        what = rest;
    }
    what
}

/// Whether the predicate begins with an office or a power.
fn is_office(what: &str) -> bool {
    let begins_early = |it: Option<(usize, usize)>| {
        it.is_some_and(|(at, _)| what[..at].split(' ').count() <= 3 && !what[..at].contains(','))
    };
    // A firm is no officer because its purpose names one.
    let is_common =
        begins(what, &["die ", "der ", "das ", "eine ", "ein ", "une ", "la ", "le ", "les "]);
    !is_common && (begins_early(FUNCTION.first_in(what)) || begins_early(SIGNATURE.first_in(what)))
}

/// Sorts a predicate and gives it to its subjects.
fn predicate_of(what: &str, found: &mut [Found]) {
    if !can_be_shared(what, found.len()) {
        return;
    }
    let mut common = Draft::default();
    for clause in pieces::clauses(what) {
        // From here on it is about somebody else.
        const ELSE: [&str; 6] =
            ["en remplacement", "dont ", "anstelle ", "démissionnaire", "suite ", "remplaç"];
        if begins(clause, &ELSE) {
            break;
        }
        match of_all(clause) {
            Some(said) => common.take(Clause::of(said)),
            None => common.take(Clause::of(clause)),
        }
    }
    for (_, draft) in found {
        // The predicate is newer than what stands beside the name.
        let mut new = common.clone();
        new.complete(draft);
        draft.complete(&new);
        draft.signature = new.signature.clone();
        if let Some(function) = common.function().filter(|it| !names_a_firm(it)) {
            draft.set_function(&function);
        }
        draft.is_known |= common.is_known;
        draft.before = draft.before.take().or_else(|| common.before.clone());
    }
}

/// `associé ni gérant` of what somebody is no more.
fn no_more(predicate: &str) -> String {
    let end = predicate.find([',', '.']).unwrap_or(predicate.len());
    predicate[..end].trim().replace(" ni ", " et ")
}

/// `als Revisionsstelle zurückgetreten`.
fn gone_as(predicate: &str) -> Option<String> {
    let rest = after_any(predicate, &["als ", "comme ", "quale "])?;
    let (at, _) = GONE.first_in(rest)?;
    Some(rest[..at].trim().to_owned())
}
