//! What a sentence claims, by its words.

use auth::Language;
use domain::text;
use teams::dossier::CitationKind;

use super::vocabulary;
use crate::row::Row;

/// Beginnings of words that say something grave, that judge, or that ask the reader to do something, in any of the languages. They
/// are normalised (`text::fold`).
const GRAVE: &[&str] = &[
    // The end of a company, and its insolvency
    "bankrupt",
    "konkurs",
    "faillit",
    "falliment",
    "fallit",
    "insolv",
    "liquid",
    "dissol",
    "auflos",
    "aufgelos",
    "sciogl",
    "sciolt",
    "delet",
    "gelosch",
    "losch",
    "radi",
    "cancell",
    "overindebt",
    "uberschuld",
    "surendett",
    "merg",
    "fusion",
    // Crime, sanctions and supervision
    "sanction",
    "sanktion",
    "sanzion",
    "crim",
    "straf",
    "penal",
    "reato",
    "fraud",
    "betrug",
    "frode",
    "truff",
    "escro",
    "launder",
    "geldwasch",
    "blanchi",
    "ricicl",
    "terror",
    "convict",
    "verurteil",
    "condam",
    "condann",
    "corrupt",
    "korrupt",
    "licen",
    "lizenz",
    "bewilligung",
    "authoris",
    "autoris",
    "autoriz",
    "finma",
    "illegal",
    "warn",
    "avert",
    "avvert",
    // Judgements
    "safe",
    "sicher",
    "sicuro",
    "surement",
    "trustworth",
    "vertrauenswurd",
    "fiable",
    "affidabil",
    "reput",
    "serios",
    "excellent",
    "ausgezeichn",
    "meilleur",
    "miglior",
    "leading",
    "fuhrend",
    "recommend",
    "empfehl",
    "empfohl",
    "recommand",
    "raccomand",
    "advis",
    "invest",
    "unbedenklich",
    "harmless",
    "clean",
    "approved",
    "verified",
    // Requests to the reader
    "ignor",
    "instruct",
    "anweis",
    "istruzion",
    "prompt",
    "system",
    "please",
    "bitte",
    "veuillez",
    "must",
    "should",
    "muss",
    "soll",
    "doit",
    "devez",
    "dovet",
    "devono",
    "click",
    "klick",
    "clique",
    "transfer",
    "uberweis",
    "versez",
    "bonifi",
    "contact",
    "kontakt",
    "passwor",
    "send",
    "payment",
    "zahlen",
    "payez",
    "pagar",
];

/// Short words that say something grave, whole.
const GRAVE_WORDS: &[&str] = &[
    "bad", "dead", "debt", "debts", "evil", "fake", "lie", "lies", "rob", "scam", "spy", "war",
    "arm", "tot", "krieg", "dette", "dettes", "faux", "mort", "vol", "falso", "morto", "ladro",
];

/// Words that deny something.
fn negations(language: Language) -> &'static [&'static str] {
    match language {
        Language::De => &[
            "nicht", "kein", "keine", "keinen", "keinem", "keiner", "keines", "nie", "niemand",
            "ohne", "weder",
        ],
        Language::Fr => &["ne", "n", "pas", "aucun", "aucune", "jamais", "sans", "non", "ni"],
        Language::It => &["non", "nessun", "nessuna", "nessuno", "senza"],
        Language::En => {
            &["not", "no", "never", "none", "nobody", "without", "neither", "nor", "isn", "cannot"]
        }
    }
}

/// Number of letters in which two forms of a word agree.
const STEM: usize = 5;

/// Whether a sentence says nothing grave, denies nothing and uses no words that the rows do not contain.
pub(super) fn are_in(said: &str, rows: &[&Row], language: Language) -> bool {
    // What a company calls itself says nothing about it: `Konkurs Beratung AG` is not bankrupt.
    let names: Vec<String> =
        rows.iter().flat_map(|it| &it.names).map(|it| text::fold(it)).collect();
    let said = text::fold(said);
    let claimed = without(&names, &said);
    // An obligation says what the law demands of anyone: only evidence tells what is so, and what is not.
    let evidence: Vec<String> = rows
        .iter()
        .filter(|it| it.kind == CitationKind::Evidence)
        .map(|it| without(&names, &text::fold(&it.text)))
        .collect();
    let said: Vec<&str> = said.split(' ').collect();
    let claimed: Vec<&str> = claimed.split(' ').collect();
    let rows: Vec<String> = rows.iter().map(|it| text::fold(&it.text)).collect();
    let words: Vec<&str> = rows.iter().flat_map(|it| it.split(' ')).collect();
    let stated: Vec<&str> = evidence.iter().flat_map(|it| it.split(' ')).collect();
    let is_backed = |stem: &&&str| {
        let begins = |it: &&&str| it.starts_with(**stem);
        !claimed.iter().any(|it| begins(&it)) || stated.iter().any(|it| begins(&it))
    };
    let is_short_backed = |word: &&&str| !claimed.contains(word) || stated.contains(word);
    let negations = negations(language);
    let denies = |words: &[&str]| words.iter().any(|it| negations.contains(it));
    let of_row = |row: &String| denies(&row.split(' ').collect::<Vec<_>>());
    let denial_is_backed = match denies(&claimed) {
        true => evidence.iter().any(of_row),
        // A row that denies something must not be turned into its contrary.
        false => !evidence.iter().all(of_row),
    };
    GRAVE.iter().all(|it| is_backed(&it))
        && GRAVE_WORDS.iter().all(|it| is_short_backed(&it))
        && denial_is_backed
        && are_of(&said, &words, language)
}

/// A folded text without these folded names, where they stand as whole words.
fn without(names: &[String], text: &str) -> String {
    let mut text = format!(" {text} ");
    for name in names.iter().filter(|it| !it.is_empty()) {
        text = text.replace(&format!(" {name} "), " ");
    }
    text.trim().to_owned()
}

/// Whether the longer words are those of the rows, in any form, or carry no content of their own. A word with a prefix that turns
/// it around, as in `inactive`, is another word.
fn are_of(said: &[&str], words: &[&str], language: Language) -> bool {
    let (nouns, starters) = (vocabulary::nouns(language), vocabulary::starters(language));
    let neutral = vocabulary::neutral(language);
    let longer = said.iter().filter(|it| it.chars().count() >= STEM);
    let mut own = longer
        .filter(|it| !nouns.contains(**it) && !starters.contains(**it) && !neutral.contains(**it));
    own.all(|it| {
        let end = it.char_indices().nth(STEM).map_or(it.len(), |(at, _)| at);
        words.iter().any(|word| word.starts_with(&it[..end]))
    })
}
