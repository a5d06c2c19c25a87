//! The part of each token in its sentence, also where it depends on the neighbours.

use super::{
    tokens::{Kind, Token},
    vocabulary::{Meaning, Part, REPLACEMENT, is_share, part},
};
use crate::words::{FUNCTION, SIGNATURE, starts_with_any};

/// A sentence, split into tokens with their parts.
pub(super) struct Sentence<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: Vec<Token<'a>>,
    pub(super) parts: Vec<Option<Part>>,
}

impl<'a> Sentence<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let tokens = super::tokens::tokens(text);
        let mut parts: Vec<Option<Part>> =
            (0..tokens.len()).map(|at| part_at(&tokens, at)).collect();
        for at in 0..parts.len() {
            parts[at] = separable_verb(&tokens, &parts, at);
        }
        Self { text, tokens, parts }
    }

    /// The text of a range of tokens.
    pub(super) fn slice(&self, from: usize, to: usize) -> &'a str {
        match (self.tokens.get(from), to.checked_sub(1).and_then(|it| self.tokens.get(it))) {
            (Some(first), Some(last)) if from < to => &self.text[first.start..last.end()],
            _ => "",
        }
    }

    pub(super) fn word(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |it| it.text)
    }

    pub(super) fn is(&self, at: usize, part: Part) -> bool {
        self.parts.get(at).is_some_and(|it| *it == Some(part))
    }

    pub(super) fn is_finite(&self, at: usize) -> bool {
        matches!(self.parts.get(at), Some(Some(Part::Finite(_))))
    }

    /// Whether a clause can end at this token: a mark, or the end of the sentence.
    pub(super) fn separates(&self, at: usize) -> bool {
        self.tokens.get(at).is_none_or(Token::separates)
    }

    pub(super) fn is_lower_case(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|it| it.is_word() && !it.is_capitalised())
    }
}

fn part_at(tokens: &[Token<'_>], at: usize) -> Option<Part> {
    let token = tokens[at];
    if !token.is_word() {
        return None;
    }
    let is_first = at == 0 || tokens[at - 1].kind == Kind::Colon;
    let word = |at: usize| tokens.get(at).map_or("", |it| it.text);
    let next = word(at + 1);
    match token.text {
        // The French verb; the Italian preposition is not before a participle.
        "a" => {
            let is_participle = |it: &str| {
                it.starts_with(char::is_lowercase)
                    && ["é", "is", "it", "û", "u"].iter().any(|end| it.ends_with(end))
            };
            let is_verb = is_participle(next) || ["désormais", "également"].contains(&next);
            Some(if is_verb { Part::Finite(Meaning::Has) } else { Part::Preposition })
        }
        // The Italian noun is the signature.
        "firma" | "Firma" => {
            #[rustfmt::skip]
            const AFTER_VERB: [&str; 13] = [
                "individualmente", "collettivamente", "con", "ora", "congiuntamente", "singolarmente", "da", "d'ora", "più", "ancora", "sempre", "anche",
                "pure",
            ];
            let is_noun = ["con", "la", "senza", "sua", "di", "una", "della"]
                .contains(&word(at.wrapping_sub(1)));
            (AFTER_VERB.contains(&next) && !is_noun).then_some(Part::Finite(Meaning::Signs))
        }
        "entre" => (word(at.wrapping_sub(1)) == "y"
            || ["au", "dans", "comme", "en", "à"].contains(&next))
        .then_some(Part::Finite(Meaning::Appoints)),
        // `tout en restant administrateur`
        "restant" | "demeurant" | "conservant" if word(at.wrapping_sub(1)) == "en" => {
            Some(Part::Finite(Meaning::Keeps))
        }
        // `hat … übertragen`, but not `sie übertragen …`
        "übertragen" | "verkauft" | "erhalten"
            if tokens
                .get(at + 1)
                .is_none_or(|it| it.separates() || matches!(it.text, "und" | "sowie"))
                && tokens[..at]
                    .iter()
                    .any(|it| matches!(it.text, "hat" | "haben" | "wurde" | "wurden")) =>
        {
            Some(Part::Means(if token.text == "erhalten" {
                Meaning::Grants
            } else {
                Meaning::Cedes
            }))
        }
        // `übernimmt 10 Stammanteile`, but `übernimmt das Präsidium`
        "übernimmt" | "übernehmen" if tokens[at..].iter().take(40).any(|it| is_share(it.text)) => {
            Some(Part::Finite(Meaning::Acquires))
        }
        // `reprend ses fonctions`, but `reprend 10 parts`
        "reprend" | "reprennent" | "riprende" | "riprendono"
            if (at + 1..at + 5).any(|it| resumes(word(it)))
                && !tokens[at..].iter().take(40).any(|it| is_share(it.text)) =>
        {
            Some(Part::Finite(Meaning::Keeps))
        }
        // `nimmt seine Funktion als Geschäftsführer wieder auf`
        "nimmt" | "nehmen"
            if tokens[at..]
                .windows(2)
                .take(40)
                .any(|it| it[0].text == "wieder" && it[1].text == "auf") =>
        {
            Some(Part::Finite(Meaning::Keeps))
        }
        // A conjunction in other words: `ainsi que`.
        "que" if word(at.wrapping_sub(1)) == "ainsi" => Some(Part::And),
        "que" => Some(Part::Relative),
        // `il quale` refers to the person before, `quale` alone is `as`.
        "quale" | "quali" | "Quale" | "Quali" => Some(match word(at.wrapping_sub(1)) {
            "il" | "la" | "i" | "le" | "del" | "della" | "dei" => Part::Relative,
            _ => Part::Preposition,
        }),
        // `administrateur inscrit, nommé liquidateur`
        "eingetragen" | "inscrit" | "inscrite" | "iscritta" | "iscritto"
            if tokens.get(at + 1).is_some_and(|it| it.kind == Kind::Comma)
                && (FUNCTION.occur_in(word(at.wrapping_sub(1)))
                    || matches!(word(at.wrapping_sub(1)), "unique" | "unico" | "unica")) =>
        {
            None
        }
        // `eingetragen im Handelsregister` describes a firm.
        "eingetragen" | "inscrit" | "inscrite" | "iscritta" | "iscritto"
            if (at + 1..at + 4).any(|it| {
                let next = word(it).to_lowercase();
                ["handelsregister", "registre", "registro"].iter().any(|it| next.starts_with(it))
            }) =>
        {
            None
        }
        text => part(text, is_first),
    }
}

/// Whether the word is what somebody resumes: an office, and not shares.
fn resumes(word: &str) -> bool {
    #[rustfmt::skip]
    const OFFICES: [&str; 10] =
        ["fonction", "fonctions", "poste", "mandat", "charge", "funzione", "funzioni", "carica", "cariche", "mandato"];
    OFFICES.contains(&word)
}

/// Separable German verbs: `tritt … zurück`, `tritt in … ein`, `scheidet aus`. Elsewhere these words are prepositions and
/// articles.
fn separable_verb(tokens: &[Token<'_>], parts: &[Option<Part>], at: usize) -> Option<Part> {
    let word = tokens[at].text;
    if !["ein", "aus", "ab", "zurück", "nieder"].contains(&word) {
        return parts[at];
    }
    let is_last = tokens.get(at + 1).is_none_or(Token::separates)
        || matches!(parts[at + 1], Some(Part::And | Part::But));
    let verbs = ["tritt", "treten", "scheidet", "scheiden", "legt", "legen", "Tritt", "Scheidet"];
    let has_verb = tokens[..at].iter().rev().take(60).any(|it| verbs.contains(&it.text));
    match word {
        _ if !is_last || !has_verb => Some(Part::Preposition),
        "ein" => Some(Part::Means(Meaning::Appoints)),
        "ab" => Some(Part::Means(Meaning::Cedes)),
        _ => Some(Part::Means(Meaning::Leaves)),
    }
}

/// The kind of place that starts at a token: true for an origin, false for a domicile.
pub(super) fn place_start(sentence: &Sentence<'_>, at: usize) -> Option<bool> {
    #[rustfmt::skip]
    const ORIGIN: [&str; 19] = [
        "von", "aus", "de", "du", "des", "da", "dal", "dalla", "dall'", "di", "originaire", "originaires", "heimatberechtigt", "Bürger", "Bürgerin", "attinente",
        "d'", "Heimat", "vom",
    ];
    #[rustfmt::skip]
    const DOMICILE: [&str; 19] = [
        "in", "à", "au", "aux", "a", "ad", "nel", "en", "wohnhaft", "domicilié", "domiciliée", "domiciliés", "domiciliato", "domiciliata", "domiciliati",
        "residente", "mit", "avec", "con",
    ];
    let word = sentence.word(at);
    // `in sostituzione di B`
    if REPLACEMENT.contains(&sentence.word(at + 1)) {
        return None;
    }
    if ["mit", "avec", "con"].contains(&word) {
        return ["Sitz", "siège", "sede"].contains(&sentence.word(at + 1)).then_some(false);
    }
    let has_capital = (at + 1..at + 5)
        .take_while(|it| !sentence.separates(*it))
        .any(|it| sentence.tokens[it].is_capitalised());
    let is_elided = starts_with_any(word, &["d'", "d’"])
        && word
            .get(2..)
            .or_else(|| word.get(4..))
            .is_some_and(|it| it.starts_with(char::is_uppercase));
    if is_elided || word.starts_with("d’") && word.chars().nth(2).is_some_and(char::is_uppercase)
    {
        return Some(true);
    }
    match word {
        _ if !has_capital || SIGNATURE.occur_in(sentence.word(at + 1)) => None,
        _ if ORIGIN.contains(&word) => Some(true),
        _ if DOMICILE.contains(&word) && !sentence.word(at + 1).starts_with("Liqui") => Some(false),
        _ => None,
    }
}
