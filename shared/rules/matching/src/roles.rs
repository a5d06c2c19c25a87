//! The role of each word in a name, and its rarity.

use crate::{
    asides,
    legal_forms::{self, BRANCH, Families, PART_OF_NAME},
    numbers,
    token::{Reading, Role, Token},
    transliteration::Script,
    vocabulary::{self, DESCRIBING},
    words::{RawWord, Words},
};

/// Joins single letters that follow each other: `S. A.` and `L.X.C` are one word.
pub(crate) fn join_single_letters(words: &mut Words) {
    let is_single = |word: &RawWord| {
        let letters = words.letters_of(word);
        letters.len() == 1 && letters.as_bytes()[0].is_ascii_alphabetic() && word.character == 0
    };
    if !words.words.windows(2).any(|it| is_single(&it[0]) && is_single(&it[1])) {
        return;
    }
    let mut joined: Vec<RawWord> = Vec::with_capacity(words.words.len());
    let mut previous_is_single = false;
    for word in &words.words {
        let is_single = is_single(word);
        match joined.last_mut() {
            Some(last) if is_single && previous_is_single && last.letters.1 == word.letters.0 => {
                last.join(word);
            }
            _ => joined.push(*word),
        }
        previous_is_single = is_single;
    }
    words.words = joined;
}

/// The legal forms of a name.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LegalForms {
    pub(crate) families: Families,
    /// First and last token of the first form.
    pub(crate) first: Option<(u8, u8)>,
}

/// Sets role, rarity and number of each token; returns the legal forms.
pub(crate) fn assign(words: &Words, tokens: &mut [Token], reading: Reading) -> LegalForms {
    let mut forms = LegalForms::default();
    match reading {
        Reading::Person => assign_person(words, tokens),
        Reading::Organisation => forms = assign_organisation(words, tokens),
        Reading::Vessel => assign_vessel(words, tokens),
    }
    // A name of small words only is compared by them.
    if !tokens.iter().any(|it| it.role == Role::Name || it.role == Role::Number) {
        let replaced = [Role::Neutral, Role::Optional, Role::Father, Role::Describing];
        tokens
            .iter_mut()
            .filter(|it| replaced.contains(&it.role))
            .for_each(|it| it.role = Role::Name);
    }
    for (token, word) in tokens.iter_mut().zip(&words.words) {
        token.bits = bits(token, words.letters_of(word), reading);
    }
    forms
}

fn assign_person(words: &Words, tokens: &mut [Token]) {
    let last = tokens.len().saturating_sub(1);
    for (at, word) in words.words.iter().enumerate() {
        let letters = words.letters_of(word);
        // `Omar bin Amir`: what follows is a name.
        if at > 0 && tokens[at - 1].role == Role::Father {
            continue;
        }
        if word.character != 0 || letters.is_empty() {
            continue;
        }
        let mut roles = vocabulary::word(letters).roles;
        if at == 0 && words.text[usize::from(word.source.1)..].trim_start().starts_with(',') {
            // `Dom, Anna`: what stands before the comma is the surname.
            (roles.title, roles.particle) = (false, false);
        }
        let is_single = letters.len() == 1 && letters.as_bytes()[0].is_ascii_alphabetic();
        tokens[at].role = if let Some(number) = person_number(letters, word) {
            tokens[at].number = number;
            Role::Number
        } else if at > 1 && at == last && is_company_suffix(letters) {
            Role::Neutral
        } else if is_single && (word.is_upper || word.has_stop || !roles.particle) {
            Role::Initial
        } else if roles.father && at > 0 && at < last {
            Role::Father
        } else if (roles.title && (at < last || roles.title_after)) || (roles.particle && at < last)
        {
            match (roles.also_name, roles.also_surname) {
                // `Li Fang Wei`: East Asian names begin with the surname.
                (_, true) if at == 0 && last > 1 => Role::Name,
                (false, false) => Role::Neutral,
                _ => Role::Optional,
            }
        } else {
            Role::Name
        };
    }
    // `Amir Hosseini`, `Li Jun`: a title or a small word leaves two names.
    if tokens.iter().filter(|it| it.role == Role::Name).count() < 2 {
        for token in tokens.iter_mut().filter(|it| it.role == Role::Optional) {
            (token.role, token.is_perhaps_title) = (Role::Name, true);
        }
    }
}

/// A generation (`II`) or digits.
fn person_number(letters: &str, word: &RawWord) -> Option<u32> {
    let generation =
        || (word.is_upper && letters.len() > 1).then(|| numbers::roman(letters, "")).flatten();
    let is_generation = matches!(letters, "ii" | "iii" | "iv" | "vii" | "viii");
    if is_generation { generation() } else { numbers::digits(letters) }
}

/// Words for a company, which some sources add to the name of a person.
fn is_company_suffix(letters: &str) -> bool {
    let is_long_form = letters.len() > 3 && legal_forms::families(letters) & !PART_OF_NAME != 0;
    is_legal_suffix(letters)
        || is_long_form
        || matches!(letters, "corp" | "co" | "company" | "group" | "corporation" | "holding")
}

/// Legal forms that are no other words.
fn is_legal_suffix(letters: &str) -> bool {
    matches!(letters, "llc" | "ltd" | "gmbh" | "inc" | "plc" | "limited" | "ltda" | "sarl")
}

fn assign_vessel(words: &Words, tokens: &mut [Token]) {
    for (at, word) in words.words.iter().enumerate() {
        let letters = words.letters_of(word);
        if word.character == 0
            && at == 0
            && tokens.len() > 1
            && vocabulary::word(letters).roles.vessel
        {
            tokens[at].role = Role::Neutral;
        } else {
            set_number(words, tokens, at);
        }
    }
    // M/V is one word after `join_single_letters`.
}

fn assign_organisation(words: &Words, tokens: &mut [Token]) -> LegalForms {
    for (at, word) in words.words.iter().enumerate() {
        if word.character == 0 {
            let letters = words.letters_of(word);
            let known = vocabulary::word(letters);
            let is_letter = letters.len() == 1 && letters.as_bytes()[0].is_ascii_alphabetic();
            if is_letter && word.is_upper && word.has_stop {
                tokens[at].role = Role::Initial;
            } else if known.roles.connecting && (letters.len() > 1 || !word.is_upper) {
                tokens[at].role = Role::Neutral;
            } else if known.company_bits > 0.0 && known.company_bits <= DESCRIBING {
                tokens[at].role = Role::Describing;
            } else {
                set_number(words, tokens, at);
            }
        }
    }
    asides::mark(words, tokens);
    let forms = mark_legal_forms(words, tokens);
    mark_truncated(words, tokens);
    asides::mark_place_after_form(words, tokens);
    forms
}

/// Reads a number at a position: digits, words and Roman numerals.
fn set_number(words: &Words, tokens: &mut [Token], at: usize) {
    let letters = words.letters_of(&words.words[at]);
    let before = at.checked_sub(1).map(|it| words.letters_of(&words.words[it]));
    let roman = || {
        let word = &words.words[at];
        before.filter(|_| word.is_upper).and_then(|before| numbers::roman(letters, before))
    };
    if let Some(number) = numbers::digits(letters).or_else(|| numbers::word(letters)).or_else(roman)
    {
        tokens[at].role = Role::Number;
        tokens[at].number = number;
    }
}

/// Finds the legal forms, the longest first. What follows the word for a branch names the branch, not the company.
fn mark_legal_forms(words: &Words, tokens: &mut [Token]) -> LegalForms {
    let mut forms = LegalForms::default();
    let mut at = 0;
    let mut buffer = String::new();
    let tokens = if let Some((branch, count)) = branch(words, &mut buffer) {
        // `Ufficio di rappresentanza Muster SA`: the name follows.
        let at = if branch == 0 { 0..count } else { branch..tokens.len() };
        tokens[at].iter_mut().for_each(|it| it.role = Role::Neutral);
        if branch == 0 { tokens } else { &mut tokens[..branch] }
    } else {
        tokens
    };
    let is_mixed_case = words.words.iter().any(|it| !it.is_upper);
    while at < tokens.len() {
        let longest = legal_forms::longest_from(words.letters_of(&words.words[at]));
        let longest = longest.min(tokens.len() - at);
        let found = (1..=longest).rev().find_map(|count| {
            let form = words.phrase(at, count, &mut buffer);
            let found = legal_forms::families_of_words(form, at + count == words.words.len());
            let is_certain =
                is_legal_suffix(form) || (is_mixed_case && words.words[at].is_upper && at > 0);
            let may_be_word =
                count == 1 && form.len() <= 3 && !is_certain && !is_at_edge(words, tokens, at);
            (found != 0 && !may_be_word && count < tokens.len()).then_some((found, count))
        });
        let Some((found, count)) = found else {
            at += 1;
            continue;
        };
        forms.families |= found;
        forms.first = forms.first.or(Some((at as u8, (at + count - 1) as u8)));
        let is_word_of_name =
            count == 1 && found & PART_OF_NAME != 0 && words.letters_of(&words.words[at]).len() > 4;
        if is_word_of_name {
            tokens[at].role = Role::Name;
            tokens[at].families = found;
        } else {
            tokens[at..at + count].iter_mut().for_each(|it| it.role = Role::Neutral);
        }
        at += count;
    }
    forms
}

/// Position and number of words of the first words for a branch. `None`: the name has none, or they are all of it.
fn branch(words: &Words, buffer: &mut String) -> Option<(usize, usize)> {
    let count = words.words.len();
    (0..count).find_map(|at| {
        let longest = legal_forms::longest_from(words.letters_of(&words.words[at]));
        let phrase = (1..=longest.min(count - at)).rev().find(|&length| {
            legal_forms::families(words.phrase(at, length, buffer)) & BRANCH != 0
        })?;
        (phrase < count).then_some((at, phrase))
    })
}

/// Whether a short form stands at the end, or at the start where such forms do.
fn is_at_edge(words: &Words, tokens: &[Token], at: usize) -> bool {
    let is_form = |it: usize| {
        tokens[it].role == Role::Neutral
            || tokens[it].role == Role::Describing
            || legal_forms::families(words.letters_of(&words.words[it])) != 0
    };
    let is_end = at > 0 && (at + 1..tokens.len()).all(is_form);
    is_end
        || ((0..at).all(is_form) && legal_forms::stands_before(words.letters_of(&words.words[at])))
}

/// Sources cut long names, so the last word may be the start of a legal form.
fn mark_truncated(words: &Words, tokens: &mut [Token]) {
    let Some(last) = tokens.len().checked_sub(1).filter(|it| *it > 1) else { return };
    let letters = words.letters_of(&words.words[last]);
    let long = [
        "company",
        "corporation",
        "limited",
        "incorporated",
        "gesellschaft",
        "aktiengesellschaft",
        "aktsionernoe",
    ];
    let is_start = |it: &&str| it.len() > letters.len() && it.starts_with(letters);
    if letters.len() >= 4 && tokens[last].role == Role::Name && long.iter().any(is_start) {
        tokens[last].role = Role::Describing;
    }
}

/// The rarity of a token in bits. It does not depend on the list, so that a score can be replayed on any other one.
fn bits(token: &Token, letters: &str, reading: Reading) -> f32 {
    match token.role {
        Role::Initial => 3.0,
        Role::Describing => 1.0,
        Role::Number => 4.0,
        Role::Neutral | Role::Father => 0.0,
        Role::Name | Role::Optional => estimate(token, letters, reading),
    }
}

/// The rarity of a word in the vocabulary, otherwise of an unknown one: long words are rarer.
fn estimate(token: &Token, letters: &str, reading: Reading) -> f32 {
    let known = vocabulary::word(letters);
    let is_single = matches!(token.script, Script::Han | Script::Hangul);
    let unknown = match letters.len() {
        _ if is_single => 6.0,
        length => 7.0 + 0.6 * length.min(12) as f32,
    };
    let bits = match reading {
        _ if is_single => unknown,
        Reading::Person => known.person_bits,
        Reading::Organisation | Reading::Vessel
            if known.place != 0 && known.company_bits == 0.0 =>
        {
            6.0
        }
        Reading::Organisation | Reading::Vessel => known.company_bits,
    };
    if bits > 0.0 { bits } else { unknown }
}
