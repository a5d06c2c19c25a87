//! Texts in characters that the fonts contain.

use deunicode::deunicode_char;
use serde_json::Value;
use typst::text::Font;
use unicode_normalization::UnicodeNormalization;

/// The characters that every embedded font contains.
///
/// A character without a shape would make the file invalid: PDF/A forbids the placeholder for missing ones.
#[derive(Debug)]
pub(crate) struct Characters {
    fonts: Vec<Font>,
}

impl Characters {
    pub(crate) fn of(fonts: &[Font]) -> Self {
        Self { fonts: fonts.to_vec() }
    }

    /// Replaces what cannot be shown, in all texts of the data.
    pub(crate) fn make_representable(&self, data: &mut Value) {
        match data {
            Value::String(text) => *text = self.representable(text),
            Value::Array(items) => items.iter_mut().for_each(|it| self.make_representable(it)),
            Value::Object(members) => {
                members.values_mut().for_each(|it| self.make_representable(it));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// The text in composed characters. Control characters become spaces; characters without a shape become Latin letters,
    /// or else a question mark.
    pub(crate) fn representable(&self, text: &str) -> String {
        let mut shown = String::with_capacity(text.len());
        for character in text.nfc() {
            if self.contain(character) {
                shown.push(character);
            } else if character.is_control() || character.is_whitespace() {
                shown.push(' ');
            } else if !is_invisible(character) {
                let latin = deunicode_char(character).unwrap_or("?");
                shown.extend(latin.chars().filter(|it| self.contain(*it)));
            }
        }
        shown
    }

    fn contain(&self, character: char) -> bool {
        let shape = |font: &Font| font.info().coverage.contains(character as u32);
        !character.is_control()
            && !is_invisible(character)
            && !is_private(character)
            && self.fonts.iter().all(shape)
    }
}

/// Characters that change the direction or the joining of others, and marks of encodings. Names of companies need none.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}'
            | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Characters whose meaning is not defined.
fn is_private(character: char) -> bool {
    matches!(character, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}')
}
