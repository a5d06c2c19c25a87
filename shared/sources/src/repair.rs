use std::borrow::Cow;

/// Undoes UTF-8 that was read as Latin-1 (`ZÃ¼rich` for `Zürich`), only where the whole text
/// survives the way back: a text that merely contains such letters is left alone.
pub(crate) fn repair(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return text.into();
    }
    let latin1: Option<Vec<u8>> = text.chars().map(|it| u8::try_from(u32::from(it)).ok()).collect();
    match latin1.map(String::from_utf8) {
        Some(Ok(repaired)) => repaired.into(),
        _ => text.into(),
    }
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
    }
}
