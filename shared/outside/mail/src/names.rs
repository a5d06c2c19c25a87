//! Which texts of customers may stand in a mail.
//!
//! Everybody can create a team and have mails sent to others. So texts that somebody else has chosen stand in no subject, and
//! mail programs can make no link of them.

use std::fmt;

use jiff::{SignedDuration, Timestamp};

/// How long a team must have had its name.
const MIN_AGE: SignedDuration = SignedDuration::from_hours(7 * 24);
/// Number of digits from which a text may be a telephone number.
const TELEPHONE_NUMBER: usize = 7;

/// The name of a team that may stand in the text of a mail, but in no subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownName(String);

impl ShownName {
    /// `None`: the team has had the name for less than a week, or mail programs might make a link of it. `since` is when a
    /// user has given it to the team; `None` for a name that the operator has given.
    pub fn of_team(name: String, since: Option<Timestamp>, now: Timestamp) -> Option<Self> {
        let is_old = since.is_none_or(|it| now.duration_since(it) >= MIN_AGE);
        (is_old && is_plain(&name)).then_some(Self(name))
    }
}

impl fmt::Display for ShownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether no mail program makes a link of the text: it contains nothing that looks like an address of a page, of a mailbox or of
/// a telephone.
pub(crate) fn is_plain(text: &str) -> bool {
    let text: Vec<char> = text.chars().map(ascii).collect();
    let at = |index: usize| text.get(index).copied().unwrap_or(' ');
    let is_end_of_domain =
        |dot: usize| at(dot) == '.' && at(dot + 1).is_alphabetic() && at(dot + 2).is_alphabetic();
    let is_scheme = |colon: usize| at(colon) == ':' && !at(colon + 1).is_whitespace();
    let digits = text.iter().filter(|it| it.is_numeric()).count();
    digits < TELEPHONE_NUMBER
        && !text.iter().any(|it| matches!(it, '/' | '\\' | '@'))
        && (0..text.len()).all(|it| !is_end_of_domain(it) && !is_scheme(it))
}

/// The ASCII character that programs read a character of an address as.
fn ascii(it: char) -> char {
    match it {
        '。' | '．' | '｡' | '․' => '.',
        '／' | '⁄' | '∕' => '/',
        '＠' => '@',
        '：' => ':',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_which_a_program_makes_a_link_are_left_out() {
        for text in [
            "www.evil.example",
            "Ihr Konto: https://evil.example",
            "evil.example",
            "evil。example",
            "evil．ch",
            "EVIL.CH gewinnen",
            "evil.münchen",
            "evil.xn--p1ai",
            "eva@example",
            "eva＠example",
            "evil/login",
            "evil\\login",
            "javascript:alert",
            "tel:117",
            "Rufen Sie 044 123 45 67 an",
        ] {
            assert!(!is_plain(text), "{text}");
        }
        for text in [
            "Muster Treuhand AG",
            "Dr. Muster & Partner",
            "Muster S.A.",
            "Team 2026: Zürich",
            "<b>A & B",
            "Version 1.2",
            "",
        ] {
            assert!(is_plain(text), "{text}");
        }
    }

    #[test]
    fn the_name_of_a_team_is_shown_after_a_week() {
        let given: Timestamp = "2026-11-20T12:00:00Z".parse().expect("a time");
        let shown = |name: &str, since, now| ShownName::of_team(name.to_owned(), since, now);
        let week = given + MIN_AGE;
        assert_eq!(shown("Muster", Some(given), week - SignedDuration::from_secs(1)), None);
        assert_eq!(shown("Muster", Some(given), week), Some(ShownName("Muster".to_owned())));
        assert_eq!(shown("muster.ch", Some(given), week), None);
        assert!(shown("Muster", None, given).is_some(), "the operator has given the name");
    }
}
