//! The persons and firms that a sentence names, each with the clauses that describe it.

use std::ops::Range;

use super::{
    name_spans::name_end,
    parts::Sentence,
    places::places_end,
    tokens::Kind,
    vocabulary::{Meaning, Part, REPLACEMENT, is_common_noun, is_office_adjective},
};
use crate::words::{FUNCTION, LEAVING, SIGNATURE, starts_with_any};

/// How a person is connected with the verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    /// Without a preposition.
    Plain,
    /// `von`, `de`, `di`: the holder of a signature, the seller of shares.
    Of,
    /// `an`, `à`, `a`: the receiver.
    To,
    /// `durch`, `par`, `da`.
    By,
    /// `mit`, `avec`, `con`: whom another person signs with.
    With,
}

/// A person or firm as a sentence names it.
#[derive(Clone, Debug)]
pub(super) struct Mention<'a> {
    /// The tokens of the name.
    pub(super) name: Range<usize>,
    /// First token of the words before the name that belong to it: `et le gérant`.
    pub(super) lead: usize,
    /// The end of the clauses after the name that describe it.
    pub(super) end: usize,
    pub(super) case: Case,
    /// The office before the name: `l'administrateur unique`.
    pub(super) office: Option<&'a str>,
    /// Whether the office has a definite article, so that the person holds it already.
    pub(super) is_definite: bool,
    /// Whether the words before the name say that the office is the former one: `der bisherige Geschäftsführer`.
    pub(super) is_former: bool,
    /// Whether a place follows the name.
    pub(super) has_place: bool,
    /// Whether the words before the name say that the person has left.
    pub(super) has_left: bool,
}

/// The persons and firms of a sentence, in order.
pub(super) fn mentions<'a>(sentence: &Sentence<'a>) -> Vec<Mention<'a>> {
    let mut found: Vec<Mention<'a>> = Vec::new();
    let mut at = 0;
    // The end of the last name with its places.
    let mut free_from = 0;
    while at < sentence.tokens.len() {
        let Some(end) = name_end(sentence, at) else {
            at += 1;
            continue;
        };
        let (after, has_place) = places_end(sentence, end);
        let (lead, case) = lead(sentence, at, free_from);
        let (office, is_definite) = office(sentence, lead, at);
        found.push(Mention {
            name: at..end,
            lead,
            end: after,
            case,
            office,
            is_definite,
            is_former: (lead..at).any(|it| is_former(sentence.word(it))),
            has_place,
            has_left: (lead..at).any(|it| is_leaving_adjective(sentence.word(it))),
        });
        free_from = after;
        at = after.max(at + 1);
    }
    // `l'hoirie de A, représentée par B, …`: B only acts for it.
    for mention in found.iter_mut().filter(|it| it.case == Case::By) {
        let by = sentence.word(mention.lead.wrapping_sub(1));
        let before = mention.lead.wrapping_sub(2);
        let represents = starts_with_any(by, &["représent", "vertreten", "rappresentat"]);
        if represents && !sentence.is_finite(before) {
            mention.case = Case::With;
        }
    }
    // `l'hoirie de A` holds the shares, and not A.
    for mention in &mut found {
        const HEIRS: [&str; 9] = [
            "hoirie",
            "l'hoirie",
            "L'hoirie",
            "L’hoirie",
            "héritiers",
            "Erben",
            "Erbengemeinschaft",
            "eredi",
            "ereditaria",
        ];
        let from = mention.lead.saturating_sub(2);
        if (from..mention.name.start).any(|it| HEIRS.contains(&sentence.word(it))) {
            mention.case = Case::With;
        }
    }
    // `dem Verwaltungsrat gehören neu an A und B`
    for mention in found.iter_mut().filter(|it| it.case == Case::To) {
        let belongs = |it: usize| starts_with_any(sentence.word(it), &["gehör"]);
        if (0..mention.lead).any(belongs)
            && (mention.lead..mention.name.start).any(|it| sentence.word(it) == "an")
        {
            mention.case = Case::Plain;
        }
    }
    // `avec A ou B`
    for index in 1..found.len() {
        let between = found[index - 1].end..found[index].name.start;
        let is_joined = between.clone().all(|it| {
            matches!(sentence.word(it), "ou" | "oder" | "o" | "et" | "und" | "e")
                || sentence.is(it, Part::Article)
        });
        if found[index - 1].case == Case::With && is_joined {
            found[index].case = Case::With;
        }
    }
    for index in 0..found.len() {
        let limit = found.get(index + 1).map_or(sentence.tokens.len(), |it| it.lead);
        found[index].end = block_end(sentence, found[index].end, limit);
    }
    found
}

/// The end of the clauses that describe a person: at the next verb, or where the next person begins.
fn block_end(sentence: &Sentence<'_>, from: usize, limit: usize) -> usize {
    let ends = |at: &usize| {
        let part = sentence.parts[*at];
        // `X, nommé président, et Y sont membres`
        let is_elected = part == Some(Part::Means(Meaning::Appoints))
            && *at > 0
            && sentence.tokens[*at - 1].kind == Kind::Comma
            && !sentence.separates(*at + 1);
        if is_elected {
            return false;
        }
        // `subentra a B quale presidente`: without a comma, the office is not that of B.
        let is_predicate = matches!(sentence.word(*at), "quale" | "comme" | "als")
            && !sentence.separates(at.wrapping_sub(1))
            && *at > from;
        if is_predicate || (*at == from && matches!(sentence.word(*at), "quale" | "comme" | "als"))
        {
            return true;
        }
        // `…, in Chur, in den Verwaltungsrat gewählt`
        let is_body = sentence.word(*at) == "in"
            && matches!(sentence.word(at + 1), "den" | "die" | "das")
            && FUNCTION.occur_in(sentence.word(at + 2));
        if is_body {
            return true;
        }
        // `succède à B en qualité d'administrateur`
        let is_quality = matches!(sentence.word(*at), "en" | "in")
            && matches!(sentence.word(*at + 1), "qualité" | "qualità")
            && !sentence.separates(at.wrapping_sub(1));
        if is_quality {
            return true;
        }
        // `engagée par la signature individuelle de A et par la signature collective de B`
        let is_next_signature = part == Some(Part::And)
            && matches!(sentence.word(*at + 1), "par" | "durch" | "dalla" | "da")
            && (*at + 2..*at + 5).any(|it| SIGNATURE.occur_in(sentence.word(it)));
        if is_next_signature {
            return true;
        }
        let is_verb = matches!(
            part,
            Some(Part::Finite(_) | Part::Relative | Part::But | Part::Negation)
        ) || matches!(part, Some(Part::Means(it)) if !matches!(it, Meaning::Resides | Meaning::Originates | Meaning::IsNamed))
            || part == Some(Part::Pronoun) && sentence.is_finite(*at + 1)
            || part == Some(Part::Possessive);
        is_verb
            || REPLACEMENT.contains(&sentence.word(*at))
            || matches!(sentence.tokens[*at].kind, Kind::Semicolon | Kind::Colon)
    };
    let end = (from..limit).find(ends).unwrap_or(limit);
    // Words that introduce what ends the block belong to it.
    let mut end = end;
    while end > from {
        let is_introduction = matches!(
            sentence.parts[end - 1],
            Some(
                Part::And
                    | Part::But
                    | Part::Article
                    | Part::Adverb
                    | Part::Still
                    | Part::Preposition
                    | Part::Pronoun
            )
        ) || sentence.separates(end - 1)
            || matches!(
                sentence.word(end - 1),
                "nicht" | "ne" | "non" | "se" | "si" | "sich" | "y" | "kein" | "keine"
            );
        if !is_introduction {
            break;
        }
        end -= 1;
    }
    end
}

/// The first token of the words that lead to a name, and the case that they give it.
fn lead(sentence: &Sentence<'_>, name: usize, limit: usize) -> (usize, Case) {
    let mut from = name;
    let mut case = Case::Plain;
    // Whether the preposition stands before a body: `membri del consiglio A`.
    let mut is_of_body = false;
    while from > limit {
        let at = from - 1;
        let word = sentence.word(at);
        // `L'organe de révision Modèle SA`: this `de` gives no case.
        if matches!(word, "révision" | "revisione" | "amministrazione")
            && at >= limit + 2
            && matches!(sentence.word(at - 1), "de" | "di")
        {
            from = at - 2;
            if case == Case::Plain {
                case = contracted_case(sentence.word(from));
            }
            continue;
        }
        // `le membre de l'administration A`, `il membro del comitato A`
        if from == name
            && let Some(member) = member_before_body(sentence, at, limit)
        {
            from = member;
            case = contracted_case(sentence.word(member));
            if starts_with_any(sentence.word(member), &["l'", "l’"]) {
                break;
            }
            continue;
        }
        // `en qualité de liquidateur A`
        let before = sentence.word(at.wrapping_sub(1));
        let is_of = case_of(word) == Case::Of;
        if is_of && matches!(before, "qualité" | "qualità" | "titre") {
            break;
        }
        // `entra a far parte del consiglio di amministrazione A`
        if is_of && matches!(before, "parte" | "partie") {
            return (name, Case::Plain);
        }
        let is_count = matches!(word, "deux" | "trois" | "due" | "tre" | "quatre" | "quattro");
        match sentence.parts[at] {
            _ if sentence.separates(at) => break,
            // `signature collective à deux`
            _ if is_count && at > 0 && matches!(sentence.word(at - 1), "à" | "a") => break,
            // `der Gesellschafter und Geschäftsführer A`
            Some(Part::And)
                if at > limit
                    && is_office(sentence.word(at + 1))
                    && !starts_with_any(sentence.word(at + 1), &["l'", "l’"])
                    && is_office(sentence.word(at - 1))
                    && (sentence.is(at.wrapping_sub(2), Part::Article)
                        || matches!(sentence.word(at.wrapping_sub(2)), "Il" | "il")
                        || starts_with_any(sentence.word(at - 1), &["l'", "l’"])) => {}
            Some(Part::And) => {
                from = at;
                break;
            }
            Some(Part::Preposition) if case == Case::Plain => {
                case = case_of(word);
                is_of_body = (from..name).any(|it| is_office(sentence.word(it)));
            }
            Some(Part::Preposition | Part::Article | Part::Adverb) => {}
            // `des ausgeschiedenen Muster Hans`
            _ if is_leaving_adjective(word) => {}
            None if is_common_noun(word) => {}
            None if is_office(word) || is_office_adjective(word) => {
                // `membri del consiglio A` are no members of A.
                if std::mem::take(&mut is_of_body) {
                    case = Case::Plain;
                }
                if case == Case::Plain {
                    case = contracted_case(word);
                }
                // `est nommée gérante l'associée A`
                if starts_with_any(word, &["l'", "l’"]) {
                    from = at;
                    // `à l'associée A`
                    let before = at.wrapping_sub(1);
                    if at > limit && sentence.is(before, Part::Preposition) && case == Case::Plain {
                        (from, case) = (before, case_of(sentence.word(before)));
                    }
                    break;
                }
            }
            _ => break,
        }
        from = at;
    }
    (from, case)
}

/// The token of the member in `membre du conseil d'administration`, if the name of the body ends at a token.
fn member_before_body(sentence: &Sentence<'_>, end: usize, limit: usize) -> Option<usize> {
    #[rustfmt::skip]
    const BODIES: [&str; 15] = [
        "de l'administration", "du conseil d'administration", "du conseil de fondation", "du conseil", "du comité", "de la direction", "dell'amministrazione",
        "del consiglio d'amministrazione", "del consiglio di amministrazione", "del consiglio di fondazione", "del consiglio direttivo", "del consiglio",
        "del comitato", "della direzione", "della gerenza",
    ];
    let longest = end.saturating_sub(4).max(limit);
    (longest..end).find(|member| {
        let of_body = sentence.slice(member + 1, end + 1).replace('’', "'");
        is_office(sentence.word(*member)) && BODIES.contains(&of_body.as_str())
    })
}

fn case_of(preposition: &str) -> Case {
    match preposition {
        "von" | "vom" | "de" | "du" | "des" | "d'" | "di" | "del" | "della" | "dei" | "delle"
        | "dell'" | "dello" => Case::Of,
        "an" | "à" | "au" | "aux" | "a" | "ad" | "al" | "alla" | "ai" | "alle" | "allo"
        | "all'" | "zu" | "auf" => Case::To,
        "durch" | "par" | "da" | "dal" | "dalla" | "dai" => Case::By,
        // A c/o host is not appointed.
        "mit" | "avec" | "con" | "chez" | "presso" => Case::With,
        _ => Case::Plain,
    }
}

/// The case of an office that is written together with its preposition: `dell'amministratore`.
fn contracted_case(word: &str) -> Case {
    match word {
        _ if starts_with_any(word, &["dell'", "dell’", "d'", "d’"]) => Case::Of,
        _ if starts_with_any(word, &["all'", "all’"]) => Case::To,
        _ if starts_with_any(word, &["dall'", "dall’"]) => Case::By,
        _ => Case::Plain,
    }
}

/// Whether the word before a name says that the person has left: `ausgeschiedene`, `démissionnaire`.
fn is_leaving_adjective(word: &str) -> bool {
    LEAVING.occur_in(word)
        && (["ene", "enen", "ener"].iter().any(|it| word.ends_with(it))
            || word.starts_with("démissionnaire")
            || word.starts_with("dimissionari"))
}

/// Whether the word before a name says that the office ends with the notice: `bisherige`, `l'ancien`.
fn is_former(word: &str) -> bool {
    #[rustfmt::skip]
    const FORMER: [&str; 9] = [
        "bisherig", "ehemalig", "ancien", "l'ancien", "l’ancien", "précédent", "ex-", "precedente", "finora",
    ];
    starts_with_any(&word.to_lowercase(), &FORMER)
}

/// Whether the text names an office. Italian has no longer word for partners.
fn is_office(text: &str) -> bool {
    let is_function = FUNCTION.occur_in(text) && !matches!(text, "sociale" | "sociali");
    is_function || matches!(text, "soci" | "Soci" | "socio" | "socia" | "Socio" | "Socia")
}

/// The office among the words that lead to a name, and whether they have a definite article.
fn office<'a>(sentence: &Sentence<'a>, lead: usize, name: usize) -> (Option<&'a str>, bool) {
    let is_skipped = |at: &usize| {
        matches!(
            sentence.parts[*at],
            Some(Part::And | Part::Article | Part::Preposition | Part::Adverb)
        ) || (sentence.parts[*at].is_none()
            && starts_with_any(
                sentence.word(*at),
                &["bisherig", "ancien", "précédent", "deux", "trois", "due "],
            ))
            || is_common_noun(sentence.word(*at))
            || is_leaving_adjective(sentence.word(*at))
    };
    let Some(from) = (lead..name).find(|it| !is_skipped(it)) else { return (None, false) };
    // `als Revisionsstelle die Muster AG`
    let is_small = |at: usize| {
        matches!(sentence.parts[at], Some(Part::Article | Part::Preposition | Part::Adverb))
    };
    let end = (from..name).rev().find(|it| !is_small(*it)).map_or(name, |it| it + 1);
    let text = sentence.slice(from, end);
    if !is_office(text) {
        return (None, false);
    }
    #[rustfmt::skip]
    const CONTRACTED: [&str; 14] = [
        "l'", "l’", "L'", "L’", "dell'", "dell’", "all'", "all’", "dall'", "dall’", "gl'", "d'", "d’", "nell'",
    ];
    let contraction = CONTRACTED.iter().find(|it| text.starts_with(**it));
    let is_new =
        (lead..from).any(|it| starts_with_any(sentence.word(it), &["neu", "nouve", "nuov"]));
    let has_article = (lead..from).any(|it| {
        #[rustfmt::skip]
        const DEFINITE: [&str; 22] = [
            "die", "der", "das", "dem", "den", "des", "le", "la", "les", "il", "lo", "i", "gli", "du", "au", "aux", "del", "della", "al", "alla", "dal", "vom",
        ];
        DEFINITE.contains(&sentence.word(it).to_lowercase().as_str())
    });
    let office = contraction.map_or(text, |it| &text[it.len()..]);
    (Some(office), (has_article || contraction.is_some()) && !is_new)
}
