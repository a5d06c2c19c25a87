//! Which characters a text may contain that a person chooses and others read: names, titles, labels, notes.
//!
//! Others see these texts in lists, in subjects of mails and in addresses of webhooks. A character that is invisible or
//! changes the direction of the text lets a name look like another one, or like a message of this service.

use icu_properties::{CodePointSetData, props::DefaultIgnorableCodePoint};
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// Why a text is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnsuitableText {
    #[error(
        "must not contain the character U+{code:04X} ({what}); it is character number {position}",
        code = u32::from(*character),
        what = describe(*character)
    )]
    Character {
        character: char,
        /// Number of the character in the text, from 1.
        position: usize,
    },
    #[error("must contain a character that is visible")]
    Invisible,
}

/// Checks a name, title or label of one line. It contains a visible character, and none that is invisible, a control, format or
/// private character, separates lines or paragraphs, or has no meaning in Unicode. Joiners are allowed where a script or an emoji
/// needs them.
///
/// # Errors
/// Names the first character that is not allowed.
pub fn check_line(text: &str) -> Result<(), UnsuitableText> {
    let characters: Vec<char> = text.chars().collect();
    let wrong = characters.iter().enumerate().find(|(index, character)| {
        let after = characters.get(index + 1).copied();
        let before = index.checked_sub(1).and_then(|it| characters.get(it)).copied();
        !is_in_line(**character) && !joins(before, **character, after)
    });
    if let Some((index, character)) = wrong {
        return Err(UnsuitableText::Character { character: *character, position: index + 1 });
    }
    visible(text)
}

/// Checks a text that may have several lines, such as a note. It contains a visible character, and neither control characters
/// except line breaks and tabs nor characters that change the direction of the text. Other characters, such as those that word
/// processors copy, are allowed.
///
/// # Errors
/// Names the first character that is not allowed.
pub fn check_lines(text: &str) -> Result<(), UnsuitableText> {
    check_search(text)?;
    visible(text)
}

/// Checks a text to search for, as [`check_lines`]. It may be empty.
///
/// # Errors
/// Names the first character that is not allowed.
pub fn check_search(text: &str) -> Result<(), UnsuitableText> {
    let is_wrong =
        |it: char| changes_direction(it) || (it.is_control() && !matches!(it, '\n' | '\r' | '\t'));
    match text.chars().enumerate().find(|(_, it)| is_wrong(*it)) {
        Some((index, character)) => {
            Err(UnsuitableText::Character { character, position: index + 1 })
        }
        None => Ok(()),
    }
}

fn is_in_line(character: char) -> bool {
    use GeneralCategory::{
        Control, Format, LineSeparator, ParagraphSeparator, PrivateUse, Surrogate, Unassigned,
    };
    !is_ignorable(character)
        && !matches!(
            character.general_category(),
            Control
                | Format
                | LineSeparator
                | ParagraphSeparator
                | PrivateUse
                | Surrogate
                | Unassigned
        )
}

/// Whether the character is shown as nothing (Unicode, property `Default_Ignorable_Code_Point`): format characters, variation selectors,
/// the grapheme joiner, the Hangul fillers and others, also those that Unicode has reserved.
fn is_ignorable(character: char) -> bool {
    CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(character)
}

const NON_JOINER: char = '\u{200c}';
const JOINER: char = '\u{200d}';

/// Whether the character is a joiner between letters of a script that needs it (Arabic and Indic scripts, whose letters have no
/// case), or between the parts of an emoji.
fn joins(before: Option<char>, character: char, after: Option<char>) -> bool {
    use GeneralCategory::{ModifierSymbol, NonspacingMark, OtherLetter, OtherSymbol, SpacingMark};
    let (Some(before), Some(after)) = (before, after) else { return false };
    let (before, after) = (before.general_category(), after.general_category());
    let is_of_script = |it| matches!(it, OtherLetter | NonspacingMark | SpacingMark);
    let joins_letters = is_of_script(before)
        && is_of_script(after)
        && (before == OtherLetter || after == OtherLetter);
    let joins_symbols = matches!(before, OtherSymbol | ModifierSymbol) && after == OtherSymbol;
    match character {
        NON_JOINER => joins_letters,
        JOINER => joins_letters || joins_symbols,
        _ => false,
    }
}

/// The characters with the property `Bidi_Control` (Unicode, PropList.txt).
fn changes_direction(character: char) -> bool {
    matches!(
        character,
        '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

/// The blank of Braille, a symbol without dots.
const BLANK: char = '\u{2800}';

fn visible(text: &str) -> Result<(), UnsuitableText> {
    use GeneralCategory::{EnclosingMark, NonspacingMark};
    let is_visible = |it: char| {
        is_in_line(it)
            && !it.is_whitespace()
            && it != BLANK
            && !matches!(it.general_category(), EnclosingMark | NonspacingMark)
    };
    text.chars().any(is_visible).then_some(()).ok_or(UnsuitableText::Invisible)
}

fn describe(character: char) -> &'static str {
    match character.general_category() {
        _ if changes_direction(character) => "changes the direction of the text",
        GeneralCategory::Control => "a control character",
        GeneralCategory::Format => "an invisible format character",
        GeneralCategory::LineSeparator | GeneralCategory::ParagraphSeparator => {
            "separates lines or paragraphs"
        }
        GeneralCategory::PrivateUse => "for private use",
        _ if is_ignorable(character) => "an invisible character",
        _ => "not assigned in Unicode",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_in_any_script_are_allowed() {
        for name in [
            "Müller & Söhne Treuhand",
            "O’Brien – Büro №\u{a0}5",
            "می‌خواهم",
            "क्‍ष",
            "র‍্য",
            "日本語　会社",
            "👩‍💻 Team ❤‍🔥 👩🏽‍💻",
            "e\u{301}quipe",
        ] {
            assert_eq!(check_line(name), Ok(()), "{name}");
        }
        assert_eq!(check_lines("a\r\n\tb\u{ad}\u{200b}\u{f0b7}"), Ok(()));
    }

    #[test]
    fn a_character_that_is_not_allowed_is_named() {
        for (text, message) in [
            (
                "Bank\u{202e}GA",
                "U+202E (changes the direction of the text); it is character number 5",
            ),
            ("a\u{2066}b", "U+2066 (changes the direction of the text)"),
            ("a\u{2028}b", "U+2028 (separates lines or paragraphs)"),
            ("a\u{2029}b", "U+2029 (separates lines or paragraphs)"),
            ("a\nb", "U+000A (a control character)"),
            ("a\u{85}b", "U+0085 (a control character)"),
            ("a\u{200b}b", "U+200B (an invisible format character)"),
            ("\u{feff}ab", "U+FEFF (an invisible format character); it is character number 1"),
            ("a\u{ad}b", "U+00AD (an invisible format character)"),
            ("a\u{e0041}b", "U+E0041 (an invisible format character)"),
            // Joiners between letters that need none.
            ("a\u{200d}b", "U+200D (an invisible format character)"),
            ("می\u{200c}", "U+200C (an invisible format character)"),
            ("a\u{e000}b", "U+E000 (for private use)"),
            // Two names with different ones look the same.
            ("a\u{fe0f}b", "U+FE0F (an invisible character)"),
            ("a\u{e0100}b", "U+E0100 (an invisible character)"),
            ("a\u{34f}b", "U+034F (an invisible character)"),
            ("가\u{3164}나", "U+3164 (an invisible character); it is character number 2"),
            ("가\u{115f}나", "U+115F (an invisible character)"),
            ("a\u{17b4}b", "U+17B4 (an invisible character)"),
            ("a\u{2065}b", "U+2065 (an invisible character)"),
            ("a\u{378}b", "U+0378 (not assigned in Unicode)"),
            ("a\u{ffff}b", "U+FFFF (not assigned in Unicode)"),
        ] {
            let refused = check_line(text).expect_err(message).to_string();
            assert!(refused.starts_with("must not contain the character "), "{refused}");
            assert!(refused.contains(message), "{refused}");
        }
        for text in ["a\n\u{202e}b", "a\u{0}b", "\u{200f}"] {
            assert!(check_lines(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_text_without_a_visible_character_is_refused() {
        for text in ["", " ", "\u{a0}\u{3000}", "\u{2800}\u{2800}", "\u{301}"] {
            assert_eq!(check_line(text), Err(UnsuitableText::Invisible), "{text:?}");
            assert_eq!(check_lines(text), Err(UnsuitableText::Invisible), "{text:?}");
        }
        for text in ["\u{3164}", "\u{fe0f}"] {
            assert!(check_line(text).is_err(), "{text:?}");
            assert_eq!(check_lines(text), Err(UnsuitableText::Invisible), "{text:?}");
        }
        assert_eq!(check_lines("\u{200b}\n"), Err(UnsuitableText::Invisible));
    }

    proptest! {
        #[test]
        fn a_name_has_no_character_that_moves_or_hides_others(text in "\\PC{0,3}(?s:.){0,8}\\PC{0,3}") {
            if check_line(&text).is_ok() {
                for (index, character) in text.chars().enumerate() {
                    let is_joiner = [NON_JOINER, JOINER].contains(&character);
                    prop_assert!(!changes_direction(character) && !character.is_control());
                    prop_assert!(is_in_line(character) || (is_joiner && index > 0));
                    prop_assert!(!is_ignorable(character) || is_joiner);
                    let separates = ['\u{2028}', '\u{2029}', '\u{feff}'].contains(&character);
                    prop_assert!(!separates);
                }
                prop_assert!(!text.trim().is_empty());
            }
        }

        #[test]
        fn one_such_character_anywhere_is_enough_to_refuse_a_name(
            before in "[a-zà-ÿ日]{0,5}", after in "[a-zà-ÿ日]{0,5}",
            wrong in prop::sample::select("\u{0}\u{1b}\u{7f}\u{9f}\u{ad}\u{34f}\u{61c}\u{115f}\u{1160}\u{3164}\u{fe00}\u{ffa0}\u{e01ef}\u{180e}\u{200b}\u{200e}\u{200f}\u{2028}\u{2029}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2060}\u{2066}\u{2067}\u{2068}\u{2069}\u{feff}\u{fff9}\u{e0001}\u{f0000}".chars().collect::<Vec<_>>()),
        ) {
            let position = before.chars().count() + 1;
            let expected = UnsuitableText::Character { character: wrong, position };
            prop_assert_eq!(check_line(&format!("{before}{wrong}{after}")), Err(expected));
        }
    }
}
