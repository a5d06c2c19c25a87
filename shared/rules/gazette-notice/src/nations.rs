//! Countries, as adjectives of citizenship (`deutscher`) and as places of origin (`de Roumanie`).

use std::{collections::HashMap, sync::LazyLock};

use aho_corasick::{AhoCorasick, MatchKind};

use countries::COUNTRIES;

mod countries;

/// ISO code of the country of a citizenship: `DE` for `deutscher Staatsangehöriger`, `FR` for
/// `ressortissante française`, `PT` for `Staatsangehöriger von Portugal`. `None` if the country is not known.
pub(super) fn country_of_citizen(text: &str) -> Option<&'static str> {
    const STATELESS: [&str; 3] = ["staatenlos", "apatrid", "apolid"];
    let text = fold(text);
    if STATELESS.iter().any(|it| text.starts_with(it)) {
        return None;
    }
    // A match starts at a space: with a word.
    let found = CITIZENS.automaton.as_ref()?.find(&format!(" {text}"))?;
    Some(CITIZENS.codes[found.pattern().as_usize()]).filter(|it| !it.is_empty())
}

/// ISO code of the country with this name, as in origins in Geneva and Vaud: `de Roumanie`, `du
/// Portugal`. `None` also if the name is that of several countries.
pub(super) fn country_named(place: &str) -> Option<&'static str> {
    code_of(place).filter(|it| !it.is_empty())
}

/// Whether the text is the name of a foreign country, or of several: `Corée`, `France et d'Italie`.
pub(super) fn is_foreign(place: &str) -> bool {
    const JOINS: [&str; 4] = [" und ", " et ", " e ", " ed "];
    #[rustfmt::skip]
    const PREPOSITIONS: [&str; 12] =
        ["von ", "aus ", "de ", "du ", "des ", "d'", "d’", "del ", "della ", "dell'", "dal ", "dalla "];
    let Some((one, other)) = JOINS.iter().find_map(|it| place.split_once(it)) else {
        return code_of(place).is_some();
    };
    let other = PREPOSITIONS.iter().find_map(|it| other.strip_prefix(it)).unwrap_or(other);
    code_of(place).is_some() || (code_of(one).is_some() && is_foreign(other))
}

/// Whether the text names a foreign country without saying which one.
pub(super) fn is_unclear(place: &str) -> bool {
    match code_of(place) {
        Some(code) => code.is_empty(),
        None => place.contains(' ') && is_foreign(place),
    }
}

/// The code in the table for a name of a country.
fn code_of(place: &str) -> Option<&'static str> {
    const LONGEST: usize = 80;
    if place.len() > LONGEST || !place.contains(char::is_uppercase) {
        return None;
    }
    let folded = fold(place);
    let name = ARTICLES.iter().find_map(|it| folded.strip_prefix(it)).unwrap_or(&folded);
    NAMES.get(name).copied().or_else(|| official_name(name))
}

#[rustfmt::skip]
const ARTICLES: [&str; 14] = [
    "la ", "le ", "les ", "l ", "die ", "der ", "den ", "dem ", "des ", "das ", "il ", "lo ", "gli ", "i ",
];

/// The code of `Republik Kosovo`, `royaume du Maroc` and the like: a form of state, and then the name.
fn official_name(folded: &str) -> Option<&'static str> {
    #[rustfmt::skip]
    const FORMS: [&str; 32] = [
        "republik", "republique", "repubblica", "bundesrepublik", "volksrepublik", "konigreich", "konigreichs", "royaume", "regno", "furstentum", "principaute",
        "principato", "grossherzogtum", "grand", "granducato", "staat", "etat", "stato", "sultanat", "sultanato", "emirat", "emirato", "federation",
        "foderation", "federazione", "bundesstaat", "commonwealth", "union", "unione", "confederation", "rep", "staates",
    ];
    let mut rest = folded;
    let mut has_form = false;
    // Few words precede the name: `République démocratique fédérale d'Éthiopie`.
    for _ in 0..6 {
        let (word, after) = rest.split_once(' ')?;
        has_form |= FORMS.contains(&word);
        rest = after;
        if let Some(code) = NAMES.get(rest).filter(|_| has_form) {
            return Some(code);
        }
    }
    None
}

/// The code of each name.
static NAMES: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
    let rows = COUNTRIES.iter();
    rows.flat_map(|(code, names, _)| names.split(", ").map(|it| (fold(it), *code))).collect()
});

/// What the words of a citizenship begin with.
struct Citizens {
    automaton: Option<AhoCorasick>,
    /// The code of each pattern.
    codes: Vec<&'static str>,
}

static CITIZENS: LazyLock<Citizens> = LazyLock::new(|| {
    // Inflection changes only the end of an adjective, and many begin with the name: `kamerunisch`.
    let stems = COUNTRIES.iter().flat_map(|(code, names, stems)| {
        let stems = names.split(", ").chain(stems.split(", ").filter(|it| !it.is_empty()));
        stems.map(move |it| (*code, format!(" {}", fold(it))))
    });
    let (codes, patterns): (Vec<_>, Vec<_>) = stems.unzip();
    // The longest stem: `usbekisch` does not begin with `US`.
    let automaton = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(patterns);
    Citizens { automaton: automaton.ok(), codes }
});

/// The text as lower-case words without accents. Notices write `Österreich`, `Oesterreich` and `Etats-Unis`, `États-Unis`.
fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for letter in text.chars().flat_map(char::to_lowercase) {
        let plain = match letter {
            'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'æ' => 'a',
            'è' | 'é' | 'ê' | 'ë' => 'e',
            'ì' | 'í' | 'î' | 'ï' => 'i',
            'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' => 'o',
            'ù' | 'ú' | 'û' | 'ü' => 'u',
            'ç' => 'c',
            'ñ' => 'n',
            'ß' => {
                folded.push('s');
                's'
            }
            letter if letter.is_alphanumeric() => letter,
            _ => ' ',
        };
        let is_umlaut = plain == 'e' && folded.ends_with(['a', 'o', 'u']);
        let is_second_space = plain == ' ' && (folded.is_empty() || folded.ends_with(' '));
        if !is_umlaut && !is_second_space {
            folded.push(plain);
        }
    }
    folded.truncate(folded.trim_end().len());
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn citizenships_give_iso_code() {
        for (text, code) in [
            ("deutscher Staatsangehöriger", "DE"),
            ("ressortissante française", "FR"),
            ("citoyen belge", "BE"),
            ("cittadino germanico", "DE"),
            ("US-amerikanische Staatsangehörige", "US"),
            ("amerikanischer Staatsangehöriger", "US"),
            ("usbekischer Staatsangehöriger", "UZ"),
            ("vietnamesischer Staatsangehöriger", "VN"),
            ("ressortissant vietnamien", "VN"),
            ("cittadina vietnamita", "VN"),
            ("ressortissante nigériane", "NG"),
            ("ressortissant nigérien", "NE"),
            ("cittadino nigeriano", "NG"),
            ("cittadino ceco", "CZ"),
            ("cittadina malese", "MY"),
            ("ressortissant malien", "ML"),
            ("sud-coréenne, ressortissante", "KR"),
            ("südkoreanische Staatsangehörige", "KR"),
            ("ressortissant sud-africain", "ZA"),
            ("oesterreichischer Staatsangehöriger", "AT"),
            ("ressortissante saoudienne", "SA"),
            ("dominikanische Staatsangehörige", "DO"),
            ("australischer Staatsangehöriger", "AU"),
            ("sri-lankischer Staatsangehöriger", "LK"),
            ("Staatsangehöriger von Portugal", "PT"),
            ("citoyen des Etats-Unis d'Amérique", "US"),
            ("Staatsangehörige des Vereinigten Königreichs", "GB"),
            ("cittadino della Repubblica Dominicana", "DO"),
            ("ressortissant de la République démocratique du Congo", "CD"),
            ("cittadino camerunese", "CM"),
        ] {
            assert_eq!(country_of_citizen(text), Some(code), "{text}");
        }
        for unknown in [
            "staatenlos",
            "kongolesischer Staatsangehöriger",
            "ressortissante coréenne",
            "jugoslawischer Staatsangehöriger",
            "cittadino cecoslovacco",
        ] {
            assert_eq!(country_of_citizen(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn names_of_countries_give_iso_code() {
        for (place, code) in [
            ("Roumanie", "RO"),
            ("Viêt Nam", "VN"),
            ("Emirats Arabes Unis", "AE"),
            ("Corée du Sud", "KR"),
            ("la République démocratique du Congo", "CD"),
            ("République du Congo", "CG"),
            ("Republik Kosovo", "XK"),
            ("der Islamischen Republik Iran", "IR"),
            ("royaume du Maroc", "MA"),
            ("l'Inde", "IN"),
            ("la Côte d’Ivoire", "CI"),
            ("den USA", "US"),
            ("Birmanie", "MM"),
            ("Mazedonien", "MK"),
            ("Tschechei", "CZ"),
            ("Zaïre", "CD"),
            ("Oesterreich", "AT"),
            ("Paesi Bassi", "NL"),
        ] {
            assert_eq!(country_named(place), Some(code), "{place}");
        }
        // Communes of Switzerland, and what is no place.
        for other in [
            "Onex",
            "Saint-Martin",
            "Granges",
            "République",
            "Republik und Kanton Genf",
            "Grandson",
        ] {
            assert!(!is_foreign(other), "{other}");
        }
        assert_eq!(country_named("Corée"), None);
        for foreign in ["Corée", "Kongo", "Yougoslavie", "France et d'Italie", "Kosovo"] {
            assert!(is_foreign(foreign), "{foreign}");
        }
        assert!(!is_foreign("Genève et du Portugal"), "a Swiss citizen too");
    }

    #[test]
    fn every_name_has_one_code() {
        let mut known: HashMap<String, &str> = HashMap::new();
        for (code, names, _) in COUNTRIES {
            for name in names.split(", ") {
                let other = known.insert(fold(name), code);
                assert_eq!(other.unwrap_or(code), *code, "{name}");
            }
        }
    }
}
