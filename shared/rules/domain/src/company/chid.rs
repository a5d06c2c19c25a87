//! Company numbers of before 2014 (CHID).

/// The number in the form `CH-020.3.000.000-0`: register office, kind of company, serial number, check digit. Sources write it also
/// without punctuation. `None`: the text is no such number.
pub fn chid(given: &str) -> Option<String> {
    let plain: String = given.chars().filter(|it| !matches!(it, ' ' | '-' | '.')).collect();
    let digits = plain.strip_prefix("CH").or_else(|| plain.strip_prefix("ch"))?;
    if digits.len() != 11 || !digits.bytes().all(|it| it.is_ascii_digit()) {
        return None;
    }
    let part = |range: std::ops::Range<usize>| &digits[range];
    Some(format!(
        "CH-{}.{}.{}.{}-{}",
        part(0..3),
        part(3..4),
        part(4..7),
        part(7..10),
        part(10..11)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_one_form() {
        for given in
            ["CH10030216915", "CH-100.3.021.691-5", "ch 100 3 021 691 5", "CH-100-3021691-5"]
        {
            assert_eq!(chid(given).as_deref(), Some("CH-100.3.021.691-5"), "{given}");
        }
        for given in ["", "CHE-107.787.577", "CH1003021691", "CH100302169155", "CH1003021691é"] {
            assert_eq!(chid(given), None, "{given}");
        }
    }
}
