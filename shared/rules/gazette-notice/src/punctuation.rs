//! Splits text at punctuation outside brackets.

use std::borrow::Cow;

/// The outermost bracketed groups, as the offsets of their opening and closing brackets.
///
/// An unmatched bracket is plain text, so that it does not hide the rest of the notice.
pub(super) fn bracket_groups(text: &str) -> Vec<(usize, usize)> {
    if !text.bytes().any(|it| matches!(it, b')' | b']')) {
        return Vec::new();
    }
    let mut open: Vec<(u8, usize)> = Vec::new();
    let mut unclosed = [0usize; 2];
    let mut pairs = Vec::new();
    let kind = |opening: u8| usize::from(opening == b'[');
    for (at, byte) in text.bytes().enumerate() {
        let opening = match byte {
            b'(' | b'[' => {
                unclosed[kind(byte)] += 1;
                open.push((byte, at));
                continue;
            }
            b')' => b'(',
            b']' => b'[',
            _ => continue,
        };
        if unclosed[kind(opening)] == 0 {
            continue;
        }
        while let Some((other, from)) = open.pop() {
            unclosed[kind(other)] -= 1;
            if other == opening {
                pairs.push((from, at));
                break;
            }
        }
    }
    // Pairs are in the order of their closing brackets, so an outer pair follows its inner ones.
    let mut outermost: Vec<(usize, usize)> = Vec::with_capacity(pairs.len());
    for pair in pairs.into_iter().rev() {
        if outermost.last().is_none_or(|outer| pair.1 < outer.0) {
            outermost.push(pair);
        }
    }
    outermost.reverse();
    outermost
}

/// The offsets of the accepted bytes outside brackets.
pub(super) fn positions_outside_brackets(text: &str, is_wanted: impl Fn(u8) -> bool) -> Vec<usize> {
    let mut groups = bracket_groups(text).into_iter().peekable();
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

/// Splits a text at semicolons.
pub(super) fn split_items(text: &str) -> Vec<&str> {
    split_at(text, &positions_outside_brackets(text, |it| it == b';'))
}

/// Splits a text at commas. A comma directly before a digit is a decimal comma.
pub(super) fn split_clauses(text: &str) -> Vec<&str> {
    let mut commas = positions_outside_brackets(text, |it| it == b',');
    commas.retain(|at| !text.as_bytes().get(at + 1).is_some_and(u8::is_ascii_digit));
    split_at(text, &commas)
}

/// The trimmed pieces between the separators. Pieces without a letter or digit are dropped.
fn split_at<'a>(text: &'a str, separators: &[usize]) -> Vec<&'a str> {
    let mut pieces = Vec::with_capacity(separators.len() + 1);
    let mut from = 0;
    for at in separators {
        pieces.push(text[from..*at].trim());
        from = at + 1;
    }
    pieces.push(text[from..].trim());
    pieces.retain(|it| it.bytes().any(|it| it.is_ascii_alphanumeric() || !it.is_ascii()));
    pieces
}

/// Removes the groups for which `is_removed` returns true. It is called once for each group.
pub(super) fn remove_groups<'a>(
    text: &'a str,
    mut is_removed: impl FnMut(&'a str) -> bool,
) -> Cow<'a, str> {
    let mut kept = String::new();
    let mut from = 0;
    for (open, close) in bracket_groups(text) {
        if is_removed(&text[open..=close]) {
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
    fn punctuation_in_brackets_does_not_split() {
        assert_eq!(split_items("a; b [bisher: c; d]; e"), ["a", "b [bisher: c; d]", "e"]);
        assert_eq!(
            split_clauses("Bern (Ohio, USA), x, CHF 1,50"),
            ["Bern (Ohio, USA)", "x", "CHF 1,50"]
        );
    }

    #[test]
    fn unmatched_bracket_is_plain_text() {
        assert_eq!(split_items("a (b; c"), ["a (b", "c"]);
        assert_eq!(split_items("a) b; c]"), ["a) b", "c]"]);
        assert_eq!(split_items("(a [b; c) d; e"), ["(a [b; c) d", "e"]);
    }

    #[test]
    fn remove_groups_removes_selected_groups() {
        let mut seen = Vec::new();
        let rest = remove_groups("X (CHE) Y [bisher: (Z)].", |group| {
            seen.push(group);
            group.starts_with('[')
        });
        assert_eq!(rest, "X (CHE) Y.");
        assert_eq!(seen, ["(CHE)", "[bisher: (Z)]"]);
    }
}
