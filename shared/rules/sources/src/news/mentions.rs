use domain::Uid;

use crate::Mention;

/// Legal forms at the end of a registered name.
const FORMS: [&str; 12] = [
    "AG",
    "SA",
    "S.A.",
    "GmbH",
    "Sàrl",
    "Sarl",
    "S.à",
    "Sagl",
    "Ltd",
    "Ltd.",
    "LLC",
    "Genossenschaft",
];

/// Words inside a registered name that do not start with a capital letter.
const LINKS: [&str; 13] =
    ["&", "+", "und", "et", "e", "and", "de", "du", "des", "di", "für", "von", "of"];

/// Words before a name that are not part of it.
const ARTICLES: [&str; 14] =
    ["Die", "Der", "Das", "Den", "Dem", "La", "Le", "Les", "Il", "Lo", "The", "Bei", "Von", "Für"];

/// Maximum number of words before the legal form of a name.
const MAX_NAME_WORDS: usize = 8;

/// Parses an explicit reference to a company. `None` for other kinds of category.
pub(crate) fn explicit(kind: &str, value: &str) -> Result<Option<Mention>, String> {
    let value = value.trim();
    Ok(Some(match kind.to_ascii_lowercase().as_str() {
        "uid" => Mention::Uid(value.parse().map_err(|it| format!("uid: {it}"))?),
        "lei" => Mention::Lei(value.parse().map_err(|it| format!("lei: {it}"))?),
        "isin" => Mention::Isin(value.parse().map_err(|it| format!("isin: {it}"))?),
        "company" if !value.is_empty() => Mention::Name(value.to_owned()),
        _ => return Ok(None),
    }))
}

/// The companies that a text may mention: identifiers with valid check digits, and words that look like a
/// registered name, from the first capital letter to the legal form. The caller has to look up whether
/// such a company exists.
pub(crate) fn mentioned(text: &str) -> Vec<Mention> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut mentions = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let trimmed = word.trim_matches(|it: char| !it.is_alphanumeric());
        if trimmed.starts_with("CHE") {
            let uid = trimmed.parse::<Uid>().ok().filter(|it| it.has_valid_check_digit());
            mentions.extend(uid.map(Mention::Uid));
        } else if let Ok(lei) = trimmed.parse() {
            mentions.push(Mention::Lei(lei));
        } else if let Ok(isin) = trimmed.parse() {
            mentions.push(Mention::Isin(isin));
        } else if is_form(word) {
            mentions.extend(name(&words[..at], word).map(Mention::Name));
        }
    }
    mentions
}

fn is_form(word: &str) -> bool {
    FORMS.contains(&word.trim_end_matches([',', ';', ':', '!', '?', ')', '"', '»', '’']))
        || FORMS.contains(&word.trim_end_matches('.'))
}

/// The name in `before` (the words before the legal form) with its legal form.
fn name(before: &[&str], form: &str) -> Option<String> {
    let mut first = before.len();
    for (at, word) in before.iter().enumerate().rev().take(MAX_NAME_WORDS) {
        let is_capital = word.starts_with(|it: char| it.is_uppercase() || it.is_ascii_digit());
        // A word at the end of a sentence or clause is not part of the name.
        let ends_clause =
            word.ends_with(['.', ',', ';', ':', '!', '?', ')', '"', '»']) && word.len() > 2;
        if ends_clause || is_form(word) || !(is_capital || LINKS.contains(word)) {
            break;
        }
        first = at;
    }
    let mut words = &before[first..];
    while let Some((head, rest)) = words.split_first() {
        if !LINKS.contains(head) && !ARTICLES.contains(head) {
            break;
        }
        words = rest;
    }
    if words.is_empty() {
        return None;
    }
    let form = form.trim_end_matches([',', ';', ':', '!', '?', ')', '"', '»', '’']);
    let form = if FORMS.contains(&form) { form } else { form.trim_end_matches('.') };
    Some(format!("{} {form}", words.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        mentioned(text).iter().map(Mention::to_string).collect()
    }

    #[test]
    fn name_is_recognized_from_its_first_capital_to_its_legal_form() {
        for (text, name) in [
            ("Die Muster Maschinenbau AG ernennt einen Chef", "name `Muster Maschinenbau AG`"),
            ("Gestern hat Müller & Söhne GmbH, Bern, geschlossen", "name `Müller & Söhne GmbH`"),
            ("Nouveau site. La Société de Test Sàrl.", "name `Société de Test Sàrl`"),
            ("Rachat par Exemple S.A. hier", "name `Exemple S.A.`"),
        ] {
            assert_eq!(names(text), [name], "{text}");
        }
        assert!(names("und die AG sowie SA").is_empty());
        assert!(names("nichts dergleichen").is_empty());
    }

    #[test]
    fn only_identifiers_with_valid_check_digits_are_recognized() {
        assert_eq!(names("(CHE-600.000.026), CHE-600.000.027"), ["CHE-600.000.026"]);
        assert_eq!(names("ISIN: CH9990000018."), ["ISIN CH9990000018"]);
        assert_eq!(names("LEI 999900MUSTERAGCH0105"), ["LEI 999900MUSTERAGCH0105"]);
    }
}
