use std::borrow::Cow;

/// Repairs UTF-8 that was decoded as Latin-1 one or more times (`ZÃ¼rich` for `Zürich`). Changes a text
/// only if all of it can be decoded again as UTF-8. Repairing the result again does not change it.
pub(crate) fn repair(text: &str) -> Cow<'_, str> {
    match decoded_again(text) {
        None => text.into(),
        // Terminates: each step at least halves the number of non-ASCII characters.
        Some(mut repaired) => {
            while let Some(again) = decoded_again(&repaired) {
                repaired = again;
            }
            repaired.into()
        }
    }
}

/// The text before it was decoded as Latin-1. `None` if it was not.
fn decoded_again(text: &str) -> Option<String> {
    let mut letters = text.chars().skip_while(char::is_ascii);
    // Fast path: in a correct text, the first non-ASCII letter and its successor are not the start of a
    // UTF-8 sequence.
    let (first, second) = (letters.next()?, letters.next()?);
    if !matches!(first, '\u{c2}'..='\u{f4}') || !matches!(second, '\u{80}'..='\u{bf}') {
        return None;
    }
    let latin1: Option<Vec<u8>> = text.chars().map(|it| u8::try_from(u32::from(it)).ok()).collect();
    String::from_utf8(latin1?).ok()
}

/// Repairs a text in place and removes surrounding whitespace.
pub(crate) fn repair_and_trim(text: &mut String) {
    let repaired = repair(text);
    let trimmed = repaired.trim();
    // Nearly all texts are correct; they are not copied.
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
    fn text_decoded_with_the_wrong_encoding_is_repaired() {
        assert_eq!(repair("ZÃ¼rich"), "Zürich");
        assert_eq!(repair("SociÃ©tÃ© gÃ©nÃ©rale"), "Société générale");
        assert_eq!(repair("ZÃ\u{83}Â¼rich"), "Zürich");
    }

    #[test]
    fn correct_text_does_not_change() {
        for text in ["Zürich", "São Paulo", "Ã", "Müller Ã¼", "Łódź", "plain"] {
            assert_eq!(repair(text), text);
        }
    }

    proptest! {
        #[test]
        fn repair_restores_the_original_text(text in "[a-zäöüéèàçÄÖÜ ]{0,40}") {
            let garbled: String = text.bytes().map(char::from).collect();
            prop_assert_eq!(repair(&garbled), text);
        }

        #[test]
        fn repairing_twice_equals_repairing_once(text in "[\\u{80}-\\u{ff} a]{0,12}") {
            let repaired = repair(&text).into_owned();
            prop_assert_eq!(&repair(&repaired), &repaired);
        }
    }
}
