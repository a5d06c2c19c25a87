//! Cutting a text at its punctuation, brackets left whole.

use std::borrow::Cow;

/// The outermost bracketed groups, as the offsets of their brackets. A bracket without a partner is
/// a character like any other: a forgotten one must not swallow the rest of the notice.
pub(super) fn groups(text: &str) -> Vec<(usize, usize)> {
    if !text.bytes().any(|it| matches!(it, b')' | b']')) {
        return Vec::new();
    }
    let mut open: Vec<(u8, usize)> = Vec::new();
    let mut waiting = [0usize; 2];
    let mut pairs = Vec::new();
    let kind = |opening: u8| usize::from(opening == b'[');
    for (at, byte) in text.bytes().enumerate() {
        let opening = match byte {
            b'(' | b'[' => {
                waiting[kind(byte)] += 1;
                open.push((byte, at));
                continue;
            }
            b')' => b'(',
            b']' => b'[',
            _ => continue,
        };
        if waiting[kind(opening)] == 0 {
            continue;
        }
        while let Some((other, from)) = open.pop() {
            waiting[kind(other)] -= 1;
            if other == opening {
                pairs.push((from, at));
                break;
            }
        }
    }
    // Pairs come in the order of their ends, an outer one after its inner ones.
    let mut outermost: Vec<(usize, usize)> = Vec::with_capacity(pairs.len());
    for pair in pairs.into_iter().rev() {
        if outermost.last().is_none_or(|outer| pair.1 < outer.0) {
            outermost.push(pair);
        }
    }
    outermost.reverse();
    outermost
}

/// The offsets of this punctuation outside brackets.
pub(super) fn outside(text: &str, is_wanted: impl Fn(u8) -> bool) -> Vec<usize> {
    let mut groups = groups(text).into_iter().peekable();
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match groups.peek() {
            Some((from, to)) if *from == at => {
                at = to + 1;
                groups.next();
                continue;
            }
            _ if is_wanted(bytes[at]) => found.push(at),
            _ => {}
        }
        at += 1;
    }
    found
}

/// The items between semicolons.
pub(super) fn items(text: &str) -> Vec<&str> {
    cut(text, &outside(text, |it| it == b';'))
}

/// The clauses between commas. A comma before a digit is a decimal comma or a house number's.
pub(super) fn clauses(text: &str) -> Vec<&str> {
    let mut commas = outside(text, |it| it == b',');
    commas.retain(|at| !text.as_bytes().get(at + 1).is_some_and(u8::is_ascii_digit));
    cut(text, &commas)
}

fn cut<'a>(text: &'a str, at: &[usize]) -> Vec<&'a str> {
    let mut pieces = Vec::with_capacity(at.len() + 1);
    let mut from = 0;
    for at in at {
        pieces.push(text[from..*at].trim());
        from = at + 1;
    }
    pieces.push(text[from..].trim());
    // Stray punctuation states nothing.
    pieces.retain(|it| it.bytes().any(|it| it.is_ascii_alphanumeric() || !it.is_ascii()));
    pieces
}

/// The text without the groups for which `goes` answers true; it is asked once for each.
pub(super) fn without<'a>(text: &'a str, mut goes: impl FnMut(&'a str) -> bool) -> Cow<'a, str> {
    let mut kept = String::new();
    let mut from = 0;
    for (open, close) in groups(text) {
        if goes(&text[open..=close]) {
            kept.push_str(text[from..open].trim_end_matches(' '));
            from = close + 1;
        }
    }
    if from == 0 {
        return Cow::Borrowed(text);
    }
    kept.push_str(&text[from..]);
    Cow::Owned(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_keep_their_punctuation() {
        assert_eq!(items("a; b [bisher: c; d]; e"), ["a", "b [bisher: c; d]", "e"]);
        assert_eq!(clauses("Bern (Ohio, USA), x, CHF 1,50"), ["Bern (Ohio, USA)", "x", "CHF 1,50"]);
    }

    #[test]
    fn a_forgotten_bracket_swallows_nothing() {
        assert_eq!(items("a (b; c"), ["a (b", "c"]);
        assert_eq!(items("a) b; c]"), ["a) b", "c]"]);
        assert_eq!(items("(a [b; c) d; e"), ["(a [b; c) d", "e"]);
    }

    #[test]
    fn groups_can_be_taken_out() {
        let mut seen = Vec::new();
        let left = without("X (CHE) Y [bisher: (Z)].", |group| {
            seen.push(group);
            group.starts_with('[')
        });
        assert_eq!(left, "X (CHE) Y.");
        assert_eq!(seen, ["(CHE)", "[bisher: (Z)]"]);
    }
}
