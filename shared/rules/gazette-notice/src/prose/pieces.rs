//! The text of a clause around its verb and persons: offices, signing authorities and shares.

use super::{
    clauses::Clause,
    mentions::{Case, Mention},
    parts::Sentence,
    vocabulary::{ALL, Meaning, Part, is_common_noun, is_share, part},
};
use crate::{
    clause,
    entry::Draft,
    words::{FUNCTION, QUOTA, SIGNATURE, find_signature, starts_with_any, strip_any_prefix},
};

/// A piece of text between verbs, persons and commas.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'a> {
    pub(super) text: &'a str,
    /// Its first token.
    pub(super) at: usize,
}

/// The pieces of a clause.
pub(super) fn pieces<'a>(
    sentence: &Sentence<'a>,
    clause: &Clause,
    mentions: &[Mention<'_>],
) -> Vec<Piece<'a>> {
    let is_break = |at: usize| {
        let in_mention = clause.mentions.iter().any(|it| {
            let mention = &mentions[*it];
            // Whom a person signs with is a part of the signature.
            match mention.case {
                Case::With => (mention.name.end..mention.end).contains(&at),
                _ => (mention.lead..mention.end.max(mention.name.end)).contains(&at),
            }
        });
        let part = sentence.parts[at];
        let is_detail = matches!(
            part,
            Some(Part::Means(Meaning::Resides | Meaning::Originates | Meaning::IsNamed))
        );
        in_mention
            || !clause.contains(at)
            || sentence.separates(at)
            || (matches!(part, Some(Part::Finite(_) | Part::Means(_) | Part::Negation | Part::But))
                && !is_detail)
    };
    let mut found = Vec::new();
    let mut from = clause.range.start;
    for at in clause.range.start..=clause.range.end {
        if at == clause.range.end || is_break(at) {
            if from < at {
                found.push(Piece { text: sentence.slice(from, at), at: from });
            }
            from = at + 1;
        }
    }
    found
}

/// The text without adverbs such as `maintenant` before it.
pub(super) fn strip_adverbs(text: &str) -> &str {
    let mut rest = text;
    while let Some((word, after)) = rest.split_once(' ') {
        if part(word, false) != Some(Part::Adverb) {
            break;
        }
        rest = after;
    }
    rest
}

/// A residence without the adverb inside it: `domiciliée à Sierre` for `domiciliée désormais à Sierre`.
pub(super) fn without_inner_adverb(text: &str) -> Option<String> {
    let (first, rest) = text.split_once(' ')?;
    let (second, place) = rest.split_once(' ')?;
    let is_adverb = part(second, false) == Some(Part::Adverb);
    (is_adverb && part(first, false) == Some(Part::Means(Meaning::Resides)))
        .then(|| format!("{first} {place}"))
}

/// The office, signature or shares in a piece, without the words around them; `None` if it contains none of these.
pub(super) fn statement(piece: &str) -> Option<&str> {
    // `gérante, sans être associée`
    if starts_with_any(piece, &["sans être ", "senza essere ", "ohne "])
        && !SIGNATURE.occur_in(piece)
    {
        return None;
    }
    let text = cut_adverbials(strip_introduction(without_former(piece)));
    let is_early = |at: Option<(usize, usize)>, words: usize| {
        at.is_some_and(|(at, _)| {
            text[..at].split(' ').count() <= words && !is_about_a_meeting(&text[..at])
        })
    };
    // `ragione sociale` is a name, though `socia` is a partner.
    if ["ragione sociale", "raison sociale"].iter().any(|it| text.contains(it)) {
        return None;
    }
    let is_meeting = text.split(' ').next().is_some_and(is_about_a_meeting);
    // Italian has no longer word for a partner.
    let is_partner = matches!(text, "soci" | "Soci");
    let is_statement = is_partner
        || is_early(find_signature(text), 5)
        || is_early(FUNCTION.find_first(text), 4)
        || is_early(QUOTA.find_first(text), 6)
        || is_number_of_shares(text);
    (is_statement && !is_meeting).then(|| core(text))
}

/// The text after the signature that another one replaces: `anstelle der Einzelunterschrift nun Kollektivunterschrift`.
fn without_former(text: &str) -> &str {
    #[rustfmt::skip]
    const INSTEAD: [&str; 7] = [
        "anstelle der ", "anstatt der ", "statt der ", "statt ", "au lieu de ", "en lieu et place de ", "invece della ",
    ];
    // `neu anstatt mit Kollektivprokura mit Kollektivunterschrift zu zweien`
    let plain = strip_adverbs(text);
    if let Some(former) = strip_any_prefix(plain, &["anstatt mit ", "statt mit "])
        && let Some(at) = former.find(" mit ")
    {
        return &former[at + 1..];
    }
    const NOW: [&str; 6] = [" nun ", " neu ", " nunmehr ", " désormais ", " maintenant ", " ora "];
    if !starts_with_any(text, &INSTEAD) {
        return text;
    }
    let now = NOW.iter().find_map(|it| text.split_once(it));
    now.map_or(text, |(_, after)| after)
}

/// The text from the noun phrase that names the office or the signature: `administrateur` of `sa démission d'administrateur`,
/// `mit Einzelunterschrift` of `die Gesellschaft neu mit Einzelunterschrift`.
fn core(text: &str) -> &str {
    let first = [FUNCTION.find_first(text), find_signature(text)];
    let Some(first) = first.into_iter().flatten().map(|(at, _)| at).min() else { return text };
    let mut start = 0;
    let mut from = 0;
    let mut before = "";
    while let Some(space) = text[from..first].find(' ') {
        let (word, after) = (&text[from..from + space], from + space + 1);
        let is_of_body = BODIES.contains(&std::mem::replace(&mut before, word));
        let is_structure = !is_of_body
            && !is_kept(word, &text[after..])
            && (is_common_noun(word)
                || is_filler(word)
                || matches!(
                    part(word, false),
                    Some(it) if !matches!(it, Part::Means(Meaning::Resides | Meaning::Originates | Meaning::IsNamed))
                ));
        if is_structure {
            start = after;
        }
        from = after;
    }
    let end = text.len() - trailing_length(text, first);
    strip_any_prefix(&text[start..end], &CONTRACTED).unwrap_or(&text[start..end])
}

/// Nouns that the name of a body goes on after: `consiglio di amministrazione`.
#[rustfmt::skip]
const BODIES: [&str; 12] = [
    "consiglio", "conseil", "comité", "comitato", "organo", "organe", "ufficio", "collegio", "collège", "bureau", "autorité", "autorità",
];

/// The length of the small words at the end of a text, after its office: `Verwaltungsrat nicht`, `administrateur de`.
fn trailing_length(text: &str, office: usize) -> usize {
    let mut end = text.len();
    while let Some(space) = text[..end].rfind(' ').filter(|it| *it > office) {
        let word = &text[space + 1..end];
        let is_small =
            matches!(
                part(word, false),
                Some(
                    Part::Preposition
                        | Part::Article
                        | Part::Adverb
                        | Part::Still
                        | Part::And
                        | Part::Possessive
                        | Part::Relative
                )
            ) || matches!(word, "nicht" | "ne" | "non" | "se" | "si" | "sich" | "wieder");
        // `… zu` and `à` begin nothing here.
        if !is_small {
            break;
        }
        end = space;
    }
    text.len() - end
}

/// `20 parts`, `20 Stammanteile`, `20 quote` without more words.
pub(super) fn is_number_of_shares(text: &str) -> bool {
    let mut words =
        text.split(' ').skip_while(|it| !it.starts_with(|it: char| it.is_ascii_digit()));
    words.next().is_some() && words.next().is_some_and(is_share)
}

/// Whether the text is about who decided: `Beschluss der Gesellschafterversammlung`.
fn is_about_a_meeting(text: &str) -> bool {
    const MEETINGS: [&str; 12] = [
        "ersammlung",
        "Beschluss",
        "beschluss",
        "ssemblée",
        "décision",
        "ssemblea",
        "decisione",
        "résolution",
        "Protokoll",
        "procès-verbal",
        "verbale",
        "Zirkular",
    ];
    MEETINGS.iter().any(|it| text.contains(it))
}

/// The text without the articles, prepositions and adverbs before an office: `Präsident` for `neu zum Präsident`.
pub(super) fn strip_introduction(text: &str) -> &str {
    const AS_BEFORE: [&str; 5] = [
        "wie bisher ",
        "comme jusqu'ici ",
        "comme précédemment ",
        "come finora ",
        "come in precedenza ",
    ];
    let text = strip_any_prefix(text, &AS_BEFORE).unwrap_or(text);
    let mut rest = strip_any_prefix(text, ALL).unwrap_or(text).trim();
    while let Some((word, after)) = rest.split_once(' ') {
        let is_skipped = matches!(
            part(word, true),
            Some(
                Part::Preposition
                    | Part::Article
                    | Part::Adverb
                    | Part::Possessive
                    | Part::And
                    | Part::Still
                    | Part::Pronoun
                    | Part::Relative
                    | Part::Means(Meaning::Appoints)
            )
        ) || is_filler(word);
        if is_kept(word, after) || !is_skipped || FUNCTION.occur_in(word) {
            break;
        }
        rest = after.trim_start();
    }
    strip_any_prefix(rest, &CONTRACTED).unwrap_or(rest)
}

/// Articles and prepositions that are written together with the next word.
#[rustfmt::skip]
const CONTRACTED: [&str; 14] = [
    "l'", "l’", "d'", "d’", "dell'", "dell’", "all'", "all’", "dall'", "dall’", "nell'", "nell’", "qu'", "sull'",
];

/// Whether the word belongs to the signature or the shares after it: `mit Einzelunterschrift`.
fn is_kept(word: &str, after: &str) -> bool {
    #[rustfmt::skip]
    const KEPT: [&str; 14] = [
        "mit", "avec", "con", "ohne", "sans", "senza", "pour", "per", "Mit", "Avec", "Con", "une", "einer", "una",
    ];
    KEPT.contains(&word)
        && (SIGNATURE.occur_in(after) || QUOTA.occur_in(after) || is_number_of_shares(after))
}

/// Whether the word only leads to an office: `en qualité de`, `alla carica di`.
fn is_filler(word: &str) -> bool {
    #[rustfmt::skip]
    const FILLERS: [&str; 57] = [
        "qualité", "fonction", "fonctions", "charge", "carica", "cariche", "funzione", "funzioni", "qualità", "dimissioni", "dato", "être", "essere", "Amt", "Funktion", "Eigenschaft", "tant",
        "poste", "mandat", "mandato", "titre", "titolo", "que", "sein", "seno", "veste", "sich", "se", "si", "ne", "non", "nicht", "y", "ainsi", "unter", "lui", "ihm", "ihr",
        "gli", "ihnen", "Mandat", "Ämter", "mandati", "quale", "quali", "Quale", "Quali", "aus", "Aus", "ein", "Ein", "société", "società", "parte", "partie", "far", "faire",
    ];
    FILLERS.contains(&word)
}

/// The text before words about the time or the reason.
fn cut_adverbials(text: &str) -> &str {
    #[rustfmt::skip]
    const ADVERBIALS: [&str; 48] = [
        " im Handelsregister", " au registre du commerce", " nel registro di commercio",
        " avec les mêmes pouvoirs", " con gli stessi poteri", " mit den gleichen Befugnissen", " unter Beibehaltung ",
        " statt ", " au lieu ", " invece ", " anstatt ",
        " depuis ", " dès ", " à partir ", " à compter ", " avec effet ", " avec entrée ", " pour la durée ", " pour une durée ", " pour une période ", " par décision ",
        " selon ", " suite à ", " par suite ", " ab dem ", " ab ", " seit ", " per sofort", " mit Wirkung ", " mit sofortiger ", " auf die Dauer ", " für die Dauer ",
        " für eine Amtsdauer", " gemäss ", " durch Beschluss", " infolge ", " a partire ", " con effetto ", " per la durata ", " dal 1", " dal 2", " dal 3", " per decisione ",
        " a decorrere ", " in seguito ", " le 1", " le 2", " le 3",
    ];
    let end = ADVERBIALS.iter().filter_map(|it| text.find(it)).min();
    end.map_or(text, |it| &text[..it]).trim()
}

/// What the clause states about all its persons, and the statements about each (`beide mit Einzelunterschrift`).
#[derive(Debug, Default)]
pub(super) struct Common {
    pub(super) draft: Draft,
    /// Starts with a word such as `beide`.
    pub(super) shared: Option<Shared>,
    /// What is said of the first and of the second of two persons: `le premier avec signature individuelle, …`.
    pub(super) each: Vec<Draft>,
}

/// A statement about the last two or all persons.
#[derive(Clone, Debug)]
pub(super) struct Shared {
    pub(super) draft: Draft,
    pub(super) is_about_two: bool,
}

/// Reads a statement that starts with a word for all persons: `tous deux avec signature individuelle`, `beide von Bern`.
pub(super) fn shared(text: &str) -> Option<Shared> {
    // `chacun 25 parts` is read with the verb.
    let rest = Some(strip_any_prefix(text, ALL)?.trim()).filter(|it| !is_number_of_shares(it))?;
    let mut draft = Draft::default();
    let verbs = ["signent ", "zeichnen ", "firmano ", "signe "];
    let rest = strip_any_prefix(rest, &verbs).unwrap_or(rest);
    let class = clause::Clause::of(rest);
    if class.is_place() {
        draft.add(class);
    } else {
        draft.add(clause::Clause::of(statement(rest)?));
    }
    const TWO: [&str; 6] = ["beide", "tous deux", "toutes deux", "les deux", "entramb", "ambedue"];
    Some(Shared { draft, is_about_two: starts_with_any(text, &TWO) })
}

/// Words that limit the signature before them.
#[rustfmt::skip]
const LIMITS: [&str; 11] = [
    "beschränkt", "eingeschränkt", "limité", "restreint", "limitat", "pas avec ", "nicht mit ", "non con ", "ausgenommen ", "sauf avec ", "mais pas avec ",
];

/// Words for the first and for the second of two persons.
#[rustfmt::skip]
const ORDINALS: [&[&str]; 2] = [
    &["le premier ", "la première ", "der erste ", "die erste ", "ersterer ", "erstere ", "il primo ", "la prima "],
    &[
        "le second ", "la seconde ", "le deuxième ", "la deuxième ", "et le second ", "et la seconde ", "der zweite ", "die zweite ", "letzterer ", "letztere ", "il secondo ",
        "la seconda ",
    ],
];

/// Reads the pieces of a clause.
pub(super) fn common(pieces: &[Piece<'_>]) -> Common {
    let mut common = Common::default();
    for piece in pieces {
        // `beschränkt auf die Zweigniederlassung`, `mais pas avec B`
        let limit = strip_introduction(piece.text);
        if let Some(signature) =
            common.draft.signature.as_mut().filter(|_| starts_with_any(limit, &LIMITS))
        {
            signature.push_str(", ");
            signature.push_str(limit);
        } else if let Some(shared) = shared(piece.text) {
            common.shared = Some(shared);
        } else if let Some(rest) = strip_any_prefix(piece.text, ORDINALS[common.each.len().min(1)])
            && let Some(text) = statement(rest)
        {
            let mut own = Draft::default();
            own.add_statement(text);
            common.each.push(own);
        } else if let Some(own) = common.each.last_mut()
            && let Some(text) = statement(piece.text)
        {
            own.add_statement(text);
        } else if let Some(text) = statement(piece.text)
            && (!is_number_of_shares(text)
                || FUNCTION.occur_in(text)
                || QUOTA.occur_in(text)
                || find_signature(text).is_some())
        {
            common.draft.add_statement(text);
        }
    }
    common
}
