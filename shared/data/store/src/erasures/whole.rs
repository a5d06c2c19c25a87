//! Ids and addresses in texts of JSON.
//!
//! An id is random, so that it is no part of something else. An address may be a part of another one: `a@x.ch` is not in
//! `laura@x.ch`.

use auth::Email;
use uuid::Uuid;

/// The ids in a text.
pub(super) fn ids(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|it: char| !it.is_ascii_alphanumeric() && it != '-');
    // With the letter of an escape before it: `\n0199…`.
    let ends = words.filter_map(|it| it.get(it.len().checked_sub(36)?..));
    ends.filter(|it| Uuid::try_parse(it).is_ok())
}

/// The addresses in a text.
pub(super) fn addresses(text: &str) -> impl Iterator<Item = Email> {
    text.match_indices('@').filter_map(|(at, _)| {
        let start = text[..at].char_indices().rev().take_while(|(_, it)| is_part(*it)).last()?.0;
        let start = start + escape_at(text, start);
        let after = &text[at + 1..];
        let length = after.find(|it: char| !is_part(it) || it == '@').unwrap_or(after.len());
        let address = &text[start..at + 1 + length];
        address.trim_end_matches(['.', '-', '\'']).parse().ok()
    })
}

pub(super) fn contains(text: &str, address: &Email) -> bool {
    places(text, address.as_str()).next().is_some()
}

/// The text with another one in place of an address.
pub(super) fn replace(text: &str, address: &Email, by: &str) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut end = 0;
    for start in places(text, address.as_str()) {
        replaced.push_str(&text[end..start]);
        replaced.push_str(by);
        end = start + address.as_str().len();
    }
    replaced.push_str(&text[end..]);
    replaced
}

fn places<'a>(text: &'a str, address: &'a str) -> impl Iterator<Item = usize> {
    text.match_indices(address).map(|it| it.0).filter(move |start| {
        let start_of_word = text[..*start].char_indices().rev().take_while(|(_, it)| is_part(*it));
        let begins = match start_of_word.last() {
            None => true,
            Some((first, _)) => first + escape_at(text, first) == *start,
        };
        let mut after = text[start + address.len()..].chars();
        let ends = match after.next() {
            // The end of a sentence.
            Some('.') => !after.next().is_some_and(char::is_alphanumeric),
            next => !next.is_some_and(|it| it.is_alphanumeric() || it == '-' || it == '_'),
        };
        begins && ends
    })
}

/// Whether a character can be a part of an address.
fn is_part(character: char) -> bool {
    character.is_alphanumeric() || "!$%&'*+-=?^_`{|}~.".contains(character)
}

/// The length of the rest of an escape, such as `n` of `\n`, with which a word begins here.
fn escape_at(text: &str, start: usize) -> usize {
    let backslashes = text[..start].chars().rev().take_while(|it| *it == '\\').count();
    match (backslashes % 2, text[start..].chars().next()) {
        (1, Some('u')) => 5.min(text.len() - start),
        (1, Some('b' | 'f' | 'n' | 'r' | 't')) => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_found_only_as_a_whole() {
        let address: Email = "a@x.ch".parse().expect("an address");
        for (text, replaced) in [
            (r#"{"to":"a@x.ch"}"#, r#"{"to":"?"}"#),
            (r#"{"to":"laura@x.ch"}"#, r#"{"to":"laura@x.ch"}"#),
            (r#"{"to":"a@x.ch.example"}"#, r#"{"to":"a@x.ch.example"}"#),
            (r#"{"to":"b.a@x.ch, a@x.ch."}"#, r#"{"to":"b.a@x.ch, ?."}"#),
            (r#"{"text":"write to\na@x.ch"}"#, r#"{"text":"write to\n?"}"#),
            (r#"{"text":"\u003ca@x.ch\u003e"}"#, r#"{"text":"\u003c?\u003e"}"#),
            ("EMAIL#a@x.ch", "EMAIL#?"),
        ] {
            assert_eq!(replace(text, &address, "?"), replaced);
            assert_eq!(contains(text, &address), text != replaced, "{text}");
            assert_eq!(addresses(text).any(|it| it == address), text != replaced, "{text}");
        }
    }

    #[test]
    fn ids_are_found_in_keys_and_texts() {
        let id = "0199c0de-0ac1-7000-8000-000000000000";
        for text in [
            format!("TEAM#{id}#live"),
            format!(r#"{{"note":"see\n{id}"}}"#),
            format!("exports/{id}.csv"),
        ] {
            assert_eq!(ids(&text).collect::<Vec<_>>(), [id], "{text}");
        }
    }
}
