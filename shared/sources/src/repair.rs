use std::borrow::Cow;

/// Undoes UTF-8 that was read as Latin-1 (`ZÃ¼rich` for `Zürich`), be it twice, only where the whole text
/// survives the way back: a text that merely contains such letters is left alone. What comes out is not
/// repaired again.
pub(crate) fn repair(text: &str) -> Cow<'_, str> {
    match undone(text) {
        None => text.into(),
        // Each way back halves what is not ASCII at least.
        Some(mut repaired) => {
            while let Some(again) = undone(&repaired) {
                repaired = again;
            }
            repaired.into()
        }
    }
}

/// The text before it was read as Latin-1; nothing for one that was not.
fn undone(text: &str) -> Option<String> {
    let mut letters = text.chars().skip_while(char::is_ascii);
    // A sound text fails at its first letter with an accent: none of them begins a sequence of UTF-8 that
    // the letter behind it continues.
    let (first, second) = (letters.next()?, letters.next()?);
    if !matches!(first, '\u{c2}'..='\u{f4}') || !matches!(second, '\u{80}'..='\u{bf}') {
        return None;
    }
    let latin1: Option<Vec<u8>> = text.chars().map(|it| u8::try_from(u32::from(it)).ok()).collect();
    String::from_utf8(latin1?).ok()
}

/// Repairs a text in its place, and takes away the blanks around it.
pub(crate) fn repair_and_trim(text: &mut String) {
    let repaired = repair(text);
    let trimmed = repaired.trim();
    // Nearly every text is in order, and stays where it is.
    let is_changed = matches!(repaired, Cow::Owned(_)) || trimmed.len() != text.len();
    let changed = is_changed.then(|| trimmed.to_owned());
    drop(repaired);
    if let Some(changed) = changed {
        *text = changed;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_text_read_in_the_wrong_encoding_is_repaired() {
        assert_eq!(repair("ZÃ¼rich"), "Zürich");
        assert_eq!(repair("SociÃ©tÃ© gÃ©nÃ©rale"), "Société générale");
        assert_eq!(repair("ZÃ\u{83}Â¼rich"), "Zürich");
    }

    #[test]
    fn a_sound_text_is_left_alone() {
        for text in ["Zürich", "São Paulo", "Ã", "Müller Ã¼", "Łódź", "plain"] {
            assert_eq!(repair(text), text);
        }
    }

    proptest! {
        #[test]
        fn what_was_garbled_comes_back(text in "[a-zäöüéèàçÄÖÜ ]{0,40}") {
            let garbled: String = text.bytes().map(char::from).collect();
            prop_assert_eq!(repair(&garbled), text);
        }

        #[test]
        fn what_is_repaired_is_not_repaired_again(text in "[\\u{80}-\\u{ff} a]{0,12}") {
            let repaired = repair(&text).into_owned();
            prop_assert_eq!(&repair(&repaired), &repaired);
        }
    }
}
