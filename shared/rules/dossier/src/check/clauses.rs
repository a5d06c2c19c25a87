//! The clauses of a sentence.

/// Words that join clauses, in any of the languages.
const JOINING: &[&str] = &[
    "und", "sowie", "aber", "während", "et", "mais", "tandis", "e", "ed", "ma", "mentre", "and",
    "but", "while", "whereas",
];
/// Fewer words than this are no clause of their own: `Anna and Peter hold` has one clause.
const WORDS: usize = 4;

/// The parts of a sentence that state something of their own. A part that is too short for that belongs to the next one, the last
/// to the one before it.
pub(super) fn clauses(said: &str) -> Vec<String> {
    let mut parts: Vec<Vec<&str>> = vec![Vec::new()];
    let words: Vec<&str> = said.split_whitespace().collect();
    for (at, word) in words.iter().enumerate() {
        let is_joining = JOINING.contains(word);
        if let Some(part) = parts.last_mut() {
            part.push(word);
        }
        // `May 3, 2001` is one date.
        let ends_in_comma = word.ends_with(',')
            && words.get(at + 1).is_some_and(|it| !it.starts_with(|it: char| it.is_ascii_digit()));
        if (is_joining || ends_in_comma || word.ends_with(';'))
            && parts.last().is_some_and(|it| is_clause(it))
        {
            parts.push(Vec::new());
        }
    }
    if parts.len() > 1 && parts.last().is_some_and(|it| !is_clause(it)) {
        let rest = parts.pop().unwrap_or_default();
        if let Some(last) = parts.last_mut() {
            last.extend(rest);
        }
    }
    parts.into_iter().map(|it| joined(&it)).filter(|it| !it.is_empty()).collect()
}

/// Whether words can be a clause: enough of them, and a verb among them, which has a small letter.
fn is_clause(words: &[&str]) -> bool {
    let own = words.iter().filter(|it| !JOINING.contains(it));
    let has_verb = own.clone().skip(1).any(|it| it.starts_with(char::is_lowercase));
    own.count() >= WORDS && has_verb
}

/// The words without a joining word at the end, which belongs to no clause.
fn joined(words: &[&str]) -> String {
    let end = words.iter().rposition(|it| !JOINING.contains(it)).map_or(0, |it| it + 1);
    words[..end].join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_end_at_joining_words_but_lists_of_names_stay_together() {
        assert_eq!(
            clauses("The company is active and its nominal capital is CHF 100,000"),
            ["The company is active", "its nominal capital is CHF 100,000"]
        );
        let whole = "Anna Muster and Peter Beispiel hold 60 % of the capital";
        assert_eq!(clauses(whole), [whole]);
        let whole = "The entry of the company is of May 3, 2001";
        assert_eq!(clauses(whole), [whole]);
    }
}
