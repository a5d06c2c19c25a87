//! Countries, as adjectives of citizenship (`deutscher`) and as places of origin (`de Roumanie`).

/// ISO code of the country of a citizenship: `DE` for `deutscher Staatsangehöriger`, `FR` for
/// `ressortissante française`. `None` if the country is not known.
pub(super) fn country_of_citizen(text: &str) -> Option<&'static str> {
    let lower = text.to_lowercase();
    // The adjective is near the noun, so only the first words count.
    let mut words = lower.split([' ', ',', '/', '-']).take(12);
    let adjective = words
        .find_map(|word| {
            // Inflection changes only the end of an adjective.
            ADJECTIVES.iter().find(|(_, stems)| stems.iter().any(|it| word.starts_with(it)))
        })
        .map(|(code, _)| *code);
    // `Staatsangehöriger von Portugal`
    adjective.or_else(|| {
        [" von ", " de ", " du ", " della ", " del ", " d'"]
            .iter()
            .find_map(|it| country_named(text.split_once(it)?.1))
    })
}

/// ISO code of the country with this name, as in origins in Geneva and Vaud: `de Roumanie`, `du
/// Portugal`.
pub(super) fn country_named(place: &str) -> Option<&'static str> {
    let place = place.trim().trim_start_matches("la ").trim_start_matches("les ");
    let place = place.trim_start_matches("l'").trim_start_matches("l’");
    COUNTRIES.iter().find(|(_, names)| names.contains(&place)).map(|(code, _)| *code)
}

/// ISO code and stems of the adjectives.
const ADJECTIVES: [(&str, &[&str]); 52] = [
    ("DE", &["deutsch", "alleman", "tedesc", "germanic"]),
    ("AT", &["österreich", "österr.", "autrichien", "austriac"]),
    ("FR", &["französ", "franz.", "français", "frances"]),
    ("IT", &["italien", "ital.", "italian"]),
    ("LI", &["liechtenstein"]),
    ("PT", &["portugies", "portugais", "portoghes"]),
    ("ES", &["spanisch", "espagnol", "spagnol"]),
    ("GB", &["britisch", "britanni", "englisch", "anglais", "ingles"]),
    ("IE", &["irisch", "irlandais", "irlandes"]),
    ("US", &["us", "amerikanisch", "américain", "statunitens", "american"]),
    ("NL", &["niederländ", "holländ", "néerlandais", "olandes"]),
    ("BE", &["belgisch", "belge", "belga"]),
    ("LU", &["luxemburg", "luxembourg", "lussemburg"]),
    ("DK", &["dänisch", "danois", "danes"]),
    ("SE", &["schwedisch", "suédois", "svedes"]),
    ("NO", &["norweg", "norvég", "norveg"]),
    ("FI", &["finnisch", "finlandais", "finlandes"]),
    ("PL", &["polnisch", "polonais", "polacc"]),
    ("CZ", &["tschechisch", "tchèque", "ceca", "ceco"]),
    ("SK", &["slowakisch", "slovaque", "slovacc"]),
    ("HU", &["ungarisch", "hongrois", "ungheres"]),
    ("RO", &["rumänisch", "roumain", "rumen", "romen"]),
    ("BG", &["bulgar"]),
    ("GR", &["griechisch", "grec", "grecque", "greco", "greca"]),
    ("HR", &["kroatisch", "croate", "croat"]),
    ("SI", &["slowenisch", "slovène", "sloven"]),
    ("RS", &["serbisch", "serbe", "serbo", "serba"]),
    ("BA", &["bosnisch", "bosnien", "bosniac"]),
    ("MK", &["mazedonisch", "nordmazedonisch", "macédonien", "macedon"]),
    ("XK", &["kosovarisch", "kosovar", "kosova"]),
    ("AL", &["albanisch", "albanais", "albanes"]),
    ("ME", &["montenegrinisch", "monténégrin", "montenegrin"]),
    ("TR", &["türkisch", "turc", "turque", "turco", "turca"]),
    ("RU", &["russisch", "russe", "russo", "russa"]),
    ("UA", &["ukrainisch", "ukrainien", "ucrain"]),
    ("CN", &["chinesisch", "chinois", "cinese"]),
    ("JP", &["japanisch", "japonais", "giappones"]),
    ("IN", &["indisch", "indien", "indian"]),
    ("LK", &["sri-lankisch", "srilankisch", "sri", "srilankais"]),
    ("VN", &["vietnam"]),
    ("TH", &["thailänd", "thaïland", "thailand"]),
    ("BR", &["brasil", "brésil"]),
    ("CA", &["kanad", "canad"]),
    ("AU", &["austral"]),
    ("IL", &["israel", "israél"]),
    ("IR", &["iranisch", "iranien", "iranian"]),
    ("MA", &["marokkan", "marocain", "marocchin"]),
    ("TN", &["tunes", "tunis"]),
    ("ER", &["eritre", "érythré"]),
    ("ZA", &["südafrikan", "sud-africain", "sudafrican"]),
    ("SG", &["singapur", "singapour"]),
    ("MX", &["mexikan", "mexic", "messican"]),
];

/// ISO code and names.
const COUNTRIES: [(&str, &[&str]); 40] = [
    ("DE", &["Allemagne", "Deutschland", "Germania"]),
    ("AT", &["Autriche", "Österreich", "Austria"]),
    ("FR", &["France", "Frankreich", "Francia"]),
    ("IT", &["Italie", "Italien", "Italia"]),
    ("LI", &["Liechtenstein"]),
    ("PT", &["Portugal", "Portogallo"]),
    ("ES", &["Espagne", "Spanien", "Spagna"]),
    ("GB", &["Grande-Bretagne", "Royaume-Uni", "Grossbritannien", "Angleterre", "Gran Bretagna"]),
    ("IE", &["Irlande", "Irland"]),
    ("US", &["USA", "Etats-Unis", "États-Unis", "Vereinigten Staaten"]),
    ("NL", &["Pays-Bas", "Niederlande", "Hollande"]),
    ("BE", &["Belgique", "Belgien", "Belgio"]),
    ("LU", &["Luxembourg", "Luxemburg"]),
    ("DK", &["Danemark", "Dänemark"]),
    ("SE", &["Suède", "Schweden", "Svezia"]),
    ("NO", &["Norvège", "Norwegen"]),
    ("FI", &["Finlande", "Finnland"]),
    ("PL", &["Pologne", "Polen", "Polonia"]),
    ("CZ", &["République tchèque", "Tchéquie"]),
    ("SK", &["Slovaquie"]),
    ("HU", &["Hongrie", "Ungarn"]),
    ("RO", &["Roumanie", "Rumänien", "Romania"]),
    ("BG", &["Bulgarie", "Bulgarien"]),
    ("GR", &["Grèce", "Griechenland", "Grecia"]),
    ("HR", &["Croatie", "Kroatien", "Croazia"]),
    ("RS", &["Serbie", "Serbien"]),
    ("BA", &["Bosnie-Herzégovine", "Bosnie et Herzégovine"]),
    ("MK", &["Macédoine", "Macédoine du Nord"]),
    ("XK", &["Kosovo"]),
    ("AL", &["Albanie", "Albanien"]),
    ("TR", &["Turquie", "Türkei", "Turchia"]),
    ("RU", &["Russie", "Russland", "Russia"]),
    ("UA", &["Ukraine", "Ucraina"]),
    ("CN", &["Chine", "China", "Cina"]),
    ("JP", &["Japon", "Japan"]),
    ("IN", &["Inde", "Indien", "India"]),
    ("BR", &["Brésil", "Brasilien", "Brasile"]),
    ("CA", &["Canada", "Kanada"]),
    ("MA", &["Maroc", "Marokko", "Marocco"]),
    ("TN", &["Tunisie", "Tunesien", "Tunisia"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn citizenships_and_country_names_give_iso_code() {
        for (text, code) in [
            ("deutscher Staatsangehöriger", Some("DE")),
            ("ressortissante française", Some("FR")),
            ("citoyen belge", Some("BE")),
            ("cittadino germanico", Some("DE")),
            ("US-amerikanische Staatsangehörige", Some("US")),
            ("staatenlos", None),
        ] {
            assert_eq!(country_of_citizen(text), code, "{text}");
        }
        assert_eq!(country_named("Roumanie"), Some("RO"));
        assert_eq!(country_named("Onex"), None);
    }
}
