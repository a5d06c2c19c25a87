//! Words in the name of a company that say little about which company it is: its state, places and countries, numbers in
//! brackets, what many companies do.
//!
//! What they mean for a score is in `omitted`.

use std::sync::LazyLock;

use domain::additions;

use crate::{
    phrases::Phrases,
    token::{Aside, Role, Token},
    vocabulary,
    words::{RawWord, Words},
};

/// The least number of digits of the number of a register.
const REGISTER_NUMBER: usize = 6;

/// States of one word that also stand before a name.
const BEFORE: &[&str] = &[
    "konkursmasse",
    "insolvenzmasse",
    "liquidationsmasse",
    "nachlassmasse",
    "fallimento",
    "faillite",
];

/// States of several words that only stand before a name. Elsewhere they are part of it: `Real Estate of Geneva`.
const ONLY_BEFORE: &[&str] = &[
    "estate of",
    "erben der",
    "hoirie de",
    "massa di",
    "masse de",
    "masse der",
    "nachlass der",
    "nachlass des",
    "succession de",
    "successione di",
];

/// German words for what a company does, before which the goods are written without a space.
const TRADES: &[&str] = &[
    "bau",
    "beratung",
    "betriebe",
    "handel",
    "handels",
    "logistik",
    "planung",
    "reinigung",
    "technik",
    "transporte",
    "verarbeitung",
    "vermietung",
    "versorgung",
    "vertrieb",
    "vertriebs",
    "verwaltung",
    "verwaltungs",
    "werkstatt",
];

/// The least number of letters of the goods in such a word. Shorter ones are mostly parts of names.
const SHORTEST_GOODS: usize = 4;

/// What a phrase is, and the code of the country in which it is. 0: unknown.
type Meaning = (Aside, u16);

static PHRASES: LazyLock<Phrases<Meaning>> = LazyLock::new(|| {
    let mut phrases = Phrases::<Meaning>::new();
    let files = [include_str!("../vocabulary/asides.tsv"), additions::STATES];
    for (kind, phrases_of_kind) in files.into_iter().flat_map(additions::entries) {
        let (kind, country) = kind.split_once(' ').unwrap_or((kind, ""));
        let country = country.bytes().fold(0, |code, it| code << 8 | u16::from(it));
        let kind = match kind {
            "state" => Aside::State,
            "country" => Aside::Country,
            "place" => Aside::Place,
            "activity" => Aside::Activity,
            "trade" => Aside::Trade,
            "number" => Aside::Number,
            "former" => Aside::Former,
            _ => unreachable!("the vocabulary has no aside {kind}"),
        };
        for phrase in phrases_of_kind {
            let known = phrases.entry(phrase);
            // A country of the same name as a city was stated first.
            *known = if known.0 == Aside::None { (kind, country) } else { *known };
            if kind == Aside::Trade && phrase.contains(' ') {
                *phrases.entry(&phrase.replace(' ', "")) = (kind, country);
            }
        }
    }
    phrases
});

/// Joins the words of a trade that is one word in another language: `Matières premières` is `Rohstoffe`.
pub(crate) fn join_trades(words: &mut Words) {
    let mut phrase = String::new();
    let mut at = 0;
    while at + 1 < words.words.len() {
        let first = words.letters_of(&words.words[at]);
        let longest = PHRASES.longest_from(first).min(words.words.len() - at);
        let count = (2..=longest).rev().find(|count| {
            let text = words.phrase(at, *count, &mut phrase);
            PHRASES.meaning(text).0 == Aside::Trade
                && vocabulary::word(&text.replace(' ', "")).spelling != 0
        });
        if let Some(count) = count {
            let rest: Vec<RawWord> = words.words.drain(at + 1..at + count).collect();
            rest.iter().for_each(|it| words.words[at].join(it));
        }
        at += 1;
    }
}

/// Marks the asides of the name of an organisation. Those that are never part of a name get [`Role::Neutral`].
pub(crate) fn mark(words: &Words, tokens: &mut [Token]) {
    let brackets = in_brackets(words);
    let is_in_brackets = |at: usize| brackets & 1 << at != 0;
    let mut at = 0;
    let mut phrase = String::new();
    while at < tokens.len() {
        // `Muster AG 2`: the number after the legal form is not in the name.
        let is_after_form = at > 0 && at + 1 == tokens.len() && is_ending(words, at - 1);
        if is_numeral(words, tokens, at) && (is_in_brackets(at) || is_after_form) {
            tokens[at].aside = Aside::Number;
        }
        let word = words.letters_of(&words.words[at]);
        let longest = PHRASES.longest_from(word).min(tokens.len() - at);
        let found = (1..=longest).rev().find_map(|count| {
            let text = words.phrase(at, count, &mut phrase);
            let (kind, country) = PHRASES.meaning(text);
            let is_found = match kind {
                Aside::None => false,
                // Without a name before it, the name is the former one.
                Aside::Former => {
                    at == 0 && count < tokens.len() && word.len() > 3 && word != "alias"
                }
                Aside::State if ONLY_BEFORE.contains(&text) => at == 0,
                // A single word that is also one of names: `Nachfolger`, `Succession`.
                Aside::State => {
                    count > 1
                        || is_in_brackets(at)
                        || (at == 0 && BEFORE.contains(&word))
                        || (at > 0 && (at + 1..tokens.len()).all(|it| is_ending(words, it)))
                }
                Aside::Number => {
                    let is_last = at + count + 1 == tokens.len()
                        && tokens[at + count].role == Role::Number
                        && at > 0
                        && is_ending(words, at - 1);
                    at > 0 && at + count < tokens.len() && (is_in_brackets(at) || is_last)
                }
                Aside::Country | Aside::Place | Aside::Activity | Aside::Trade => true,
            };
            is_found.then_some((kind, country, count))
        });
        let (kind, country, count) = found.unwrap_or((Aside::None, 0, 1));
        let digits = register_number(words, at);
        match kind {
            _ if digits > 0 && digits < tokens.len() => {
                set_neutral(&mut tokens[at..at + digits], Aside::Number);
                at += digits;
                continue;
            }
            Aside::State | Aside::Former => set_neutral(&mut tokens[at..at + count], kind),
            Aside::Number => {
                let digits =
                    |it: &&RawWord| words.letters_of(it).bytes().any(|it| it.is_ascii_digit());
                let numbers = words.words[at + count..].iter().take_while(digits).count();
                if numbers > 0 {
                    set_neutral(&mut tokens[at..at + count], Aside::Number);
                    for token in &mut tokens[at + count..at + count + numbers] {
                        // A short number may distinguish funds: `(No. 4)`, `(No. 5)`.
                        let is_short = token.role == Role::Number && token.number < 10_000;
                        token.role = if is_short { Role::Number } else { Role::Neutral };
                        token.aside = Aside::Number;
                    }
                    at += numbers;
                }
            }
            Aside::None if tokens[at].place != 0 => tokens[at].aside = Aside::Place,
            Aside::None if is_compound_trade(word) => tokens[at].aside = Aside::Trade,
            Aside::None => {}
            kind => tokens[at..at + count]
                .iter_mut()
                .for_each(|it| (it.aside, it.country) = (kind, country)),
        }
        at += count;
    }
}

/// Whether a German compound says what a company does with which goods: `Rohstoffhandel`, `Metallbau`.
fn is_compound_trade(word: &str) -> bool {
    let goods = TRADES.iter().find_map(|it| word.strip_suffix(it));
    goods.is_some_and(|it| it.len() >= SHORTEST_GOODS)
}

/// Whether a word is a number in digits or a small one in Roman ones.
fn is_numeral(words: &Words, tokens: &[Token], at: usize) -> bool {
    let roman = ["ii", "iii", "iv", "vi", "vii", "viii", "ix"];
    tokens[at].role == Role::Number || roman.contains(&words.letters_of(&words.words[at]))
}

/// Marks what follows the legal form and a comma as the place: `Muster AG, Buchs`.
pub(crate) fn mark_place_after_form(words: &Words, tokens: &mut [Token]) {
    let is_form = |at: usize| tokens[at].role == Role::Neutral && tokens[at].aside == Aside::None;
    let has_comma = |at: usize| {
        let between = words.words[at - 1].source.1..words.words[at].source.0;
        words.text[usize::from(between.start)..usize::from(between.end)].contains(',')
    };
    let first = (1..tokens.len()).find(|it| is_form(*it - 1) && has_comma(*it));
    let rest = &mut tokens[first.unwrap_or(words.words.len())..];
    if rest.len() <= 4 {
        let unknown = |it: &&mut Token| it.role == Role::Name && it.aside == Aside::None;
        rest.iter_mut().filter(unknown).for_each(|it| it.aside = Aside::Place);
    }
}

fn set_neutral(tokens: &mut [Token], kind: Aside) {
    tokens.iter_mut().for_each(|it| (it.role, it.aside) = (Role::Neutral, kind));
}

/// Whether a word is a legal form, a state or a number, which end a name.
fn is_ending(words: &Words, at: usize) -> bool {
    let word = words.letters_of(&words.words[at]);
    word == "che"
        || word.bytes().all(|it| it.is_ascii_digit())
        || crate::legal_forms::families(word) != 0
        || PHRASES.meaning(word).0 == Aside::State
}

/// The number of words from a position that are the number of a register: `CHE-123.456.789 MWST`, `0123456`.
fn register_number(words: &Words, at: usize) -> usize {
    let word = |at: usize| words.words.get(at).map_or("", |it| words.letters_of(it));
    let is_number = |it: &str, least| it.len() >= least && it.bytes().all(|it| it.is_ascii_digit());
    let (first, count) = match word(at).strip_prefix("che") {
        Some("") => (at + 1, 1),
        Some(digits) if is_number(digits, 9) => return 1,
        _ if is_number(word(at), REGISTER_NUMBER) => return 1,
        _ => return 0,
    };
    let groups = (first..).take_while(|it| is_number(word(*it), 3)).count();
    let digits: usize = (first..first + groups).map(|it| word(it).len()).sum();
    if digits < REGISTER_NUMBER {
        return 0;
    }
    let is_tax = matches!(word(first + groups), "mwst" | "tva" | "iva" | "hr");
    count + groups + usize::from(is_tax)
}

/// The words in brackets, a bit for each.
fn in_brackets(words: &Words) -> u32 {
    if !words.text.contains(['(', '[']) {
        return 0;
    }
    let mut inside = 0;
    let (mut depth, mut from) = (0_u32, 0);
    for (at, word) in words.words.iter().enumerate() {
        let start = usize::from(word.source.0);
        for sign in words.text.get(from..start).unwrap_or_default().chars() {
            match sign {
                '(' | '[' => depth += 1,
                ')' | ']' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        from = start;
        inside |= u32::from(depth > 0) << at;
    }
    inside
}

/// Where a former name starts in a text: the ranges of bytes of the names before and after the word for it.
pub(crate) fn former(text: &str) -> Option<(&str, &str)> {
    let mut end_of_before = None;
    let mut from = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let (start, end) = (from, from + word.len());
        from = end;
        let is_marked = text[..start].trim_end().ends_with([',', '(', ';', '-', '–'])
            || word.trim_start().starts_with('(');
        let folded = crate::transliteration::fold(word.trim());
        let is_former = start > 0
            && (folded.len() > 3
                || is_marked
                || folded == "fka"
                || folded == "gia"
                || folded == "anc")
            && PHRASES.meaning(&folded).0 == Aside::Former;
        if is_former {
            end_of_before = end_of_before.or(Some(start));
        } else if let Some(before) = end_of_before {
            // `formerly known as`
            if matches!(folded.as_str(), "known" | "as" | "firmierend" | "unter") {
                continue;
            }
            let separators = |it: char| !it.is_alphanumeric() && it != '.';
            let before = text[..before].trim_end_matches(separators);
            let after = text[start..].trim_matches(separators);
            let has_letters = |it: &str| it.chars().filter(|it| it.is_alphabetic()).count() > 2;
            return (has_letters(before) && has_letters(after)).then_some((before, after));
        }
    }
    None
}
