//! The words and punctuation marks of a sentence.

use crate::punctuation::bracket_groups;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Comma,
    /// A semicolon separates clauses.
    Semicolon,
    Colon,
    /// A whole bracketed group.
    Bracket,
}

/// A token, and its offset in the sentence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    pub(super) start: usize,
}

impl Token<'_> {
    pub(super) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub(super) fn is_word(&self) -> bool {
        self.kind == Kind::Word
    }

    pub(super) fn is_capitalised(&self) -> bool {
        self.is_word() && self.text.starts_with(char::is_uppercase)
    }

    /// Whether a clause can end here.
    pub(super) fn separates(&self) -> bool {
        matches!(self.kind, Kind::Comma | Kind::Semicolon | Kind::Colon)
    }
}

/// The tokens of a sentence, in order.
pub(super) fn tokens(sentence: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::with_capacity(sentence.len() / 6 + 1);
    let mut from = 0;
    for (open, close) in bracket_groups(sentence) {
        // A bracket inside a word is part of it: `Inhaber(in)`.
        let is_inside = sentence[..open].ends_with(char::is_alphabetic)
            && !sentence[close + 1..].starts_with([' ', ',', ';', '.', ':'])
            && close + 1 < sentence.len();
        if is_inside || open < from {
            continue;
        }
        push_words(&mut tokens, sentence, from, open);
        tokens.push(Token { kind: Kind::Bracket, text: &sentence[open..=close], start: open });
        from = close + 1;
    }
    push_words(&mut tokens, sentence, from, sentence.len());
    tokens
}

fn push_words<'a>(tokens: &mut Vec<Token<'a>>, sentence: &'a str, from: usize, to: usize) {
    let text = &sentence[from..to];
    let mut at = from;
    for piece in text.split(' ') {
        let start = at;
        at += piece.len() + 1;
        let word = piece.trim_end_matches([',', ';', ':']);
        if !word.is_empty() {
            tokens.push(Token { kind: Kind::Word, text: word, start });
        }
        for (offset, mark) in piece[word.len()..].char_indices() {
            let kind = match mark {
                ',' => Kind::Comma,
                ';' => Kind::Semicolon,
                _ => Kind::Colon,
            };
            let start = start + word.len() + offset;
            tokens.push(Token { kind, text: &sentence[start..=start], start });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_brackets_are_tokens_of_their_own() {
        let sentence = "Muster Hans (CHE-1, x), von Bern; CHF 1,50: ja";
        let found: Vec<&str> = tokens(sentence).iter().map(|it| it.text).collect();
        assert_eq!(
            found,
            ["Muster", "Hans", "(CHE-1, x)", ",", "von", "Bern", ";", "CHF", "1,50", ":", "ja"]
        );
        for token in tokens(sentence) {
            assert_eq!(&sentence[token.start..token.end()], token.text);
        }
    }
}
