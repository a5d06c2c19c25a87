//! Searching texts for what was erased.

use domain::{
    Lei, Uid,
    erased::{ERASED_COMPANY, ERASED_PERSON},
    text,
};

use super::Erasures;

/// A search of texts.
pub(super) struct Search<'a> {
    pub(super) list: &'a Erasures,
    /// Names of others, as folded words. They stay, also if a name that was erased is a part of them.
    pub(super) own: Vec<Vec<String>>,
    /// What is known of the names before a text is read.
    pub(super) context: Context,
}

/// Which names count. Others may be those of somebody else.
#[derive(Clone, Copy, Default)]
pub(super) struct Context {
    /// The number of an erased company stands near: names of one word count.
    pub(super) with_short_names: bool,
    /// The number of a company of an erased person stands near: names of persons count.
    pub(super) with_persons: bool,
}

/// A word of a text: its folded form and its place.
pub(super) struct Word {
    pub(super) folded: String,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// A part of a text, and what stands for it.
struct Replaced {
    start: usize,
    end: usize,
    by: String,
}

/// Number of characters of a legal entity identifier.
const LEI_LENGTH: usize = 20;

impl Search<'_> {
    /// The texts are about this company.
    pub(super) fn about(mut self, company: Uid) -> Self {
        self.context.with_persons = self.list.is_of_person(company);
        self
    }

    /// What the company numbers and identifiers in a text say about the names next to it.
    pub(super) fn context_of(&self, text: &str) -> Context {
        let with_persons = numbers(text).any(|(_, _, uid)| self.list.is_of_person(uid));
        Context { with_short_names: !self.numbers(text).is_empty(), with_persons }
    }

    /// The text without what was erased. `None` if it contains nothing of it.
    pub(super) fn redact(&self, text: &str, context: Context) -> Option<String> {
        let mut replaced = self.numbers(text);
        replaced.extend(self.names(text, context));
        if replaced.is_empty() {
            return None;
        }
        replaced.sort_by_key(|it| it.start);
        let mut redacted = String::with_capacity(text.len());
        let mut at = 0;
        for Replaced { start, end, by } in replaced {
            if start < at {
                continue;
            }
            redacted.push_str(&text[at..start]);
            redacted.push_str(&by);
            at = end;
        }
        redacted.push_str(&text[at..]);
        Some(redacted)
    }

    /// Whether the number or the identifier of an erased company stands in a text.
    pub(super) fn states_number(&self, text: &str) -> bool {
        !self.numbers(text).is_empty()
    }

    fn numbers(&self, text: &str) -> Vec<Replaced> {
        let mut found = Vec::new();
        if !self.list.companies.is_empty() {
            let erased = numbers(text).filter(|(_, _, uid)| self.list.has_company(*uid));
            found.extend(erased.map(|(digits, end, _)| {
                let start = start_of_prefix(text, digits);
                let by = match end - digits {
                    9 if start == digits => "000000000".to_owned(),
                    _ if start == digits => "000.000.000".to_owned(),
                    _ => Uid::ERASED.to_string(),
                };
                Replaced { start, end, by }
            }));
        }
        if !self.list.leis.is_empty() {
            let is_part = |it: char| it.is_ascii_alphanumeric();
            let runs = text.split(|it| !is_part(it)).filter(|it| it.len() == LEI_LENGTH);
            for lei in runs {
                if self.list.leis.contains(&self.list.key.lei(&lei.to_ascii_uppercase())) {
                    let start = lei.as_ptr() as usize - text.as_ptr() as usize;
                    let by = Lei::ERASED.to_string();
                    found.push(Replaced { start, end: start + LEI_LENGTH, by });
                }
            }
        }
        found
    }

    fn names(&self, text: &str, context: Context) -> Vec<Replaced> {
        let list = self.list;
        let Context { with_short_names, with_persons } = context;
        let of_companies = list.lengths.iter().filter(|it| with_short_names || **it > 1);
        let of_persons = list.person_lengths.iter().filter(|_| with_persons);
        let mut lengths: Vec<usize> = of_companies.chain(of_persons).copied().collect();
        if lengths.is_empty() {
            return Vec::new();
        }
        lengths.sort_unstable_by(|one, other| other.cmp(one));
        lengths.dedup();
        let words = words(text);
        let mut found = Vec::new();
        let mut at = 0;
        'words: while at < words.len() {
            if let Some(length) = self.own_name_at(&words[at..]) {
                at += length;
                continue;
            }
            for length in lengths.iter().copied() {
                let Some(window) = words.get(at..at + length) else { continue };
                let name = window.iter().map(|it| it.folded.as_str()).collect::<Vec<_>>().join(" ");
                let hash = list.key.name(&name);
                let is_company = (with_short_names || length > 1) && list.names.contains(&hash);
                let by = match is_company {
                    true => ERASED_COMPANY,
                    false if with_persons && list.person_names.contains(&hash) => ERASED_PERSON,
                    false => continue,
                };
                let (start, end) = (window[0].start, window[length - 1].end);
                found.push(Replaced { start, end, by: by.to_owned() });
                at += length;
                continue 'words;
            }
            at += 1;
        }
        found
    }

    /// The number of words of the longest name of others with which these words begin.
    fn own_name_at(&self, words: &[Word]) -> Option<usize> {
        let begins = |name: &&Vec<String>| {
            let window = words.get(..name.len());
            window.is_some_and(|it| it.iter().map(|it| &it.folded).eq(name.iter()))
        };
        self.own.iter().filter(begins).map(Vec::len).max().filter(|it| *it > 0)
    }
}

/// The company numbers in a text: start and end of the digits, and the number.
pub(super) fn numbers(text: &str) -> impl Iterator<Item = (usize, usize, Uid)> {
    let mut end_of_last = 0;
    let digits = text.bytes().enumerate().filter(|(_, it)| it.is_ascii_digit());
    digits.filter_map(move |(at, _)| {
        if at < end_of_last {
            return None;
        }
        let (end, uid) = number_at(text, at)?;
        end_of_last = end;
        Some((at, end, uid))
    })
}

/// The company number whose digits begin here, and its end.
fn number_at(text: &str, start: usize) -> Option<(usize, Uid)> {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    if start > 0 && is_digit(start - 1) {
        return None;
    }
    let digits = |from: usize, count: usize| (from..from + count).all(is_digit);
    let separator = |at: usize| matches!(bytes.get(at), Some(b'.' | b' '));
    let end = if digits(start, 9) && !is_digit(start + 9) {
        start + 9
    } else if digits(start, 3)
        && separator(start + 3)
        && digits(start + 4, 3)
        && separator(start + 7)
        && digits(start + 8, 3)
        && !is_digit(start + 11)
    {
        start + 11
    } else {
        return None;
    };
    Some((end, text[start..end].parse().ok()?))
}

/// Where the prefix `CHE-` of digits begins that begin here.
fn start_of_prefix(text: &str, digits: usize) -> usize {
    let before = text[..digits].strip_suffix(['-', ' ']).unwrap_or(&text[..digits]);
    let prefix = before.len().checked_sub(3).and_then(|it| before.get(it..));
    match prefix.is_some_and(|it| it.eq_ignore_ascii_case("CHE")) {
        true => before.len() - 3,
        false => digits,
    }
}

/// The words of a text, folded as names are.
pub(super) fn words(text: &str) -> Vec<Word> {
    let is_part = |it: char| it.is_alphanumeric() || ('\u{300}'..='\u{36f}').contains(&it);
    let mut words = Vec::new();
    let mut start = None;
    let ends = text.char_indices().map(|(at, it)| (at, is_part(it))).chain([(text.len(), false)]);
    for (at, is_part) in ends {
        match (start, is_part) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                let folded = text::fold(&text[from..at]);
                let folded = folded.split(' ').filter(|it| !it.is_empty());
                words.extend(folded.map(|it| Word { folded: it.to_owned(), start: from, end: at }));
                start = None;
            }
            _ => {}
        }
    }
    words
}
