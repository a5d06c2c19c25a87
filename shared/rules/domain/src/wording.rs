//! Sentences in four languages, and the numbers, dates and lists in them.

use jiff::civil::Date;
use serde::{Deserialize, Serialize, Serializer};

use crate::{Amount, Language};

/// A text in German, French, Italian and English, for [`Language::of`], as it is written within a sentence.
pub type Text = [&'static str; 4];

/// A text in four languages.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Translations {
    /// German.
    pub de: String,
    /// French.
    pub fr: String,
    /// Italian.
    pub it: String,
    /// English.
    pub en: String,
}

impl Translations {
    /// What a function says in each language.
    pub fn of(said: impl Fn(Language) -> String) -> Self {
        let [de, fr, it, en] = Language::ALL.map(said);
        Self { de, fr, it, en }
    }

    /// The text in a language.
    pub fn in_language(&self, language: Language) -> &str {
        language.of([&self.de, &self.fr, &self.it, &self.en])
    }

    /// Serialises the English text only: for a member that never varies with the language.
    pub fn serialize_english<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.en)
    }
}

/// `format!` with the German, French, Italian or English text.
#[macro_export]
macro_rules! say {
    ($language:expr, $de:literal, $fr:literal, $it:literal, $en:literal $(,)?) => {
        match $language {
            $crate::Language::De => format!($de),
            $crate::Language::Fr => format!($fr),
            $crate::Language::It => $crate::wording::elided(format!($it)),
            $crate::Language::En => format!($en),
        }
    };
}
pub use crate::say;

/// Italian articles and the prepositions joined with them, and their forms before a vowel.
const ARTICLES: [(&str, &str); 12] = [
    ("il", "l’"),
    ("del", "dell’"),
    ("dal", "dall’"),
    ("al", "all’"),
    ("nel", "nell’"),
    ("sul", "sull’"),
    ("Il", "L’"),
    ("Del", "Dell’"),
    ("Dal", "Dall’"),
    ("Al", "All’"),
    ("Nel", "Nell’"),
    ("Sul", "Sull’"),
];

/// An Italian text in which articles before the 8th and the 11th are shortened: `dell’11 maggio`.
pub fn elided(mut text: String) -> String {
    let dates = ["8", "11"].into_iter().flat_map(|day| MONTHS[2].map(|it| format!("{day} {it}")));
    for date in dates.filter(|it| text.contains(it)).collect::<Vec<_>>() {
        for (full, short) in ARTICLES {
            let written = format!("{full} {date}");
            let mut parts = text.split(&written);
            let mut shortened = parts.next().unwrap_or_default().to_owned();
            for part in parts {
                // `al 8 marzo` is also the end of `dal 8 marzo`.
                match shortened.ends_with(char::is_alphabetic) {
                    true => shortened.extend([full, " "]),
                    false => shortened.push_str(short),
                }
                shortened.push_str(&date);
                shortened.push_str(part);
            }
            text = shortened;
        }
    }
    text
}

/// The months, in lower case where the language writes them so.
pub const MONTHS: [[&str; 12]; 4] = [
    [
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ],
    [
        "janvier",
        "février",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "août",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
    ],
    [
        "gennaio",
        "febbraio",
        "marzo",
        "aprile",
        "maggio",
        "giugno",
        "luglio",
        "agosto",
        "settembre",
        "ottobre",
        "novembre",
        "dicembre",
    ],
    [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
];

/// A date in words: `3. Mai 2001`.
pub fn date(language: Language, date: Date) -> String {
    let months = language.of([&MONTHS[0], &MONTHS[1], &MONTHS[2], &MONTHS[3]]);
    let month = usize::try_from(date.month()).unwrap_or(1).saturating_sub(1).min(11);
    let (day, month, year) = (date.day(), months[month], date.year());
    match (language, day) {
        (Language::De, _) => format!("{day}. {month} {year}"),
        (Language::Fr, 1) => format!("1er {month} {year}"),
        (Language::It, 1) => format!("1º {month} {year}"),
        _ => format!("{day} {month} {year}"),
    }
}

/// That something was published on a day, in brackets: such a day is later than that on which it took effect.
pub fn published(language: Language, day: Date) -> String {
    let day = date(language, day);
    say!(
        language,
        "(publiziert am {day})",
        "(publication du {day})",
        "(pubblicazione del {day})",
        "(published on {day})",
    )
}

/// A number with separated thousands.
pub fn number(language: Language, number: u64) -> String {
    grouped(language, &number.to_string())
}

fn grouped(language: Language, digits: &str) -> String {
    let separator = match language {
        Language::En => ',',
        Language::De | Language::Fr | Language::It => '’',
    };
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(separator);
        }
        text.push(digit);
    }
    text
}

/// An amount with separated thousands: `100’000` or `0.5`.
pub fn amount(language: Language, amount: Amount) -> String {
    let text = amount.to_string();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.as_str()),
    };
    match digits.split_once('.') {
        Some((units, decimals)) => format!("{sign}{}.{decimals}", grouped(language, units)),
        None => format!("{sign}{}", grouped(language, digits)),
    }
}

/// A fraction in percent, with two decimals at most: `12.5 %`.
pub fn percent(fraction: f64) -> String {
    let rounded = format!("{:.2}", fraction * 100.0);
    format!("{} %", rounded.trim_end_matches('0').trim_end_matches('.'))
}

/// Of two texts, that about one thing or that about several. In French, none is one.
pub fn in_number(language: Language, count: u64, [one, several]: [Text; 2]) -> &'static str {
    let is_one = count == 1 || (count == 0 && language == Language::Fr);
    language.of(if is_one { one } else { several })
}

/// A list in words: `A, B und C`.
pub fn list(language: Language, items: &[String]) -> String {
    let and = language.of(["und", "et", "e", "and"]);
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} {and} {last}", first.join(", ")),
    }
}

/// The first names of a list in words, and how many there are more: `A, B und 3 weitere Namen`.
pub fn shortened(language: Language, names: &[String], max: usize) -> String {
    let more = names.len().saturating_sub(max) as u64;
    if more == 0 {
        return list(language, names);
    }
    let rest = in_number(
        language,
        more,
        [
            ["ein weiterer Name", "un autre nom", "un altro nome", "one other name"],
            ["{} weitere Namen", "{} autres noms", "altri {} nomi", "{} other names"],
        ],
    );
    let rest = rest.replace("{}", &number(language, more));
    let mut shown = names[..max].to_vec();
    shown.push(rest);
    list(language, &shown)
}

/// The line of a post office box. Sources store either the whole line or only the number, which alone would look like a house
/// number.
pub fn po_box(language: Language, stored: &str) -> String {
    let word = language.of(["Postfach", "Case postale", "Casella postale", "PO box"]);
    match stored.trim().is_empty() || stored.chars().any(char::is_alphabetic) {
        true => stored.to_owned(),
        false => format!("{word} {stored}"),
    }
}

/// The line that names with whom somebody has an address: most sources store the whole line, some only the name.
pub fn care_of(stored: &str) -> String {
    const WORDS: [&str; 8] =
        ["c/o", "p.a.", "p. a.", "p/a", "per adresse ", "per adr", "chez ", "presso "];
    let line = stored.trim_start().to_lowercase();
    match line.is_empty() || WORDS.iter().any(|it| line.starts_with(it)) {
        true => stored.to_owned(),
        false => format!("c/o {stored}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_an_address_have_their_word_once() {
        let boxes = Language::ALL.map(|it| po_box(it, "479"));
        assert_eq!(
            boxes,
            ["Postfach 479", "Case postale 479", "Casella postale 479", "PO box 479"]
        );
        for stored in ["", " ", "Postfach", "Case postale 479", "CP 479"] {
            assert_eq!(po_box(Language::De, stored), stored);
        }
        assert_eq!(care_of("Treuhand AG"), "c/o Treuhand AG");
        for stored in ["", "c/o Treuhand AG", "C/O Treuhand AG", "p.A. Treuhand AG", "chez Fidu SA"]
        {
            assert_eq!(care_of(stored), stored);
        }
    }

    #[test]
    fn a_text_is_about_one_thing_or_about_several() {
        let names = [["Name", "nom", "nome", "name"], ["Namen", "noms", "nomi", "names"]];
        for (count, expected) in [
            (0, ["Namen", "nom", "nomi", "names"]),
            (1, ["Name", "nom", "nome", "name"]),
            (2, ["Namen", "noms", "nomi", "names"]),
        ] {
            assert_eq!(Language::ALL.map(|it| in_number(it, count, names)), expected);
        }
    }

    #[test]
    fn numbers_and_dates_are_written_as_each_language_writes_them() {
        let day = jiff::civil::date(2001, 5, 1);
        let texts = Language::ALL.map(|it| date(it, day));
        assert_eq!(texts, ["1. Mai 2001", "1er mai 2001", "1º maggio 2001", "1 May 2001"]);
        assert_eq!(number(Language::De, 1_234_567), "1’234’567");
        assert_eq!(amount(Language::En, "1234567.5".parse().expect("it")), "1,234,567.5");
        assert_eq!(percent(0.125), "12.5 %");
        for (full, short) in [
            ("Il 8 marzo, dal 11 maggio al 18 maggio", "L’8 marzo, dall’11 maggio al 18 maggio"),
            ("Dal 8 marzo (dal 11 maggio) al 8 marzo", "Dall’8 marzo (dall’11 maggio) all’8 marzo"),
            (
                "nel 8 marzo, del 1º maggio, del 28 marzo",
                "nell’8 marzo, del 1º maggio, del 28 marzo",
            ),
            ("n. 8 e 11 altri", "n. 8 e 11 altri"),
        ] {
            assert_eq!(elided(full.to_owned()), short);
        }
        let names = ["A", "B", "C"].map(str::to_owned);
        assert_eq!(shortened(Language::De, &names, 3), "A, B und C");
        assert_eq!(shortened(Language::It, &names, 1), "A e altri 2 nomi");
        assert_eq!(shortened(Language::It, &names, 2), "A, B e un altro nome");
    }
}
