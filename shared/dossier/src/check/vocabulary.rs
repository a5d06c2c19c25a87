//! Words that are no names.

use std::{collections::HashSet, sync::LazyLock};

use auth::Language;
use domain::text;

use crate::words::pick;

/// Words by language, normalised (`text::fold`).
type Vocabulary = LazyLock<[HashSet<String>; 4]>;

static NOUNS: Vocabulary = LazyLock::new(|| Language::ALL.map(|it| folded(all_nouns(it))));
static STARTERS: Vocabulary = LazyLock::new(|| Language::ALL.map(|it| folded(all_starters(it))));

fn folded(words: &[&str]) -> HashSet<String> {
    words.iter().map(|it| text::fold(it)).collect()
}

/// Nouns with a capital letter that are no names, normalised (`text::fold`).
pub(super) fn nouns(language: Language) -> &'static HashSet<String> {
    let [de, fr, it, en] = &*NOUNS;
    pick(language, [de, fr, it, en])
}

/// Words with which a sentence may begin, and other words that carry no content, normalised (`text::fold`).
pub(super) fn starters(language: Language) -> &'static HashSet<String> {
    let [de, fr, it, en] = &*STARTERS;
    pick(language, [de, fr, it, en])
}

fn all_nouns(language: Language) -> &'static [&'static str] {
    match language {
        Language::De => &[
            "gesellschaft", "unternehmen", "firma", "register", "handelsregister", "kapital", "nominalkapital", "aktienkapital",
            "stammkapital", "sitz", "adresse", "zweck", "name", "namen", "eintrag", "eintragung", "eintrage", "rechtsform",
            "verwaltungsrat", "verwaltungsrats", "mitglied", "mitglieder", "geschaftsleitung", "leitung", "leitungsorgan", "organ",
            "organe", "organen", "person", "personen", "unterschrift", "einzelunterschrift", "kollektivunterschrift", "prokura",
            "revision", "revisionsstelle", "revisor", "mandat", "eigentum", "eigentumer", "anteil", "anteile", "kontrolle",
            "stimmen", "kette", "quelle", "quellen", "risiko", "faktor", "faktoren", "stufe", "wert", "methode", "pflicht",
            "pflichten", "bestimmung", "bestimmungen", "gesetz", "artikel", "publikation", "publikationen", "datum", "tag", "jahr",
            "jahre", "jahren", "monat", "angabe", "angaben", "anderung", "wechsel", "status", "schweiz", "dossier", "grund",
            "ausgangswert", "hinweis", "hinweise", "katalog", "muttergesellschaft", "gruppe", "berechtigte", "berechtigten",
            "hohe", "bezug", "ende", "zeit", "form", "prozent", "franken",
        ],
        Language::Fr => &["suisse", "registre", "confederation"],
        Language::It => &["svizzera", "registro", "confederazione"],
        Language::En => &["switzerland", "swiss", "register"],
    }
}

fn all_starters(language: Language) -> &'static [&'static str] {
    match language {
        Language::De => &[
            "der", "die", "das", "den", "dem", "des", "ein", "eine", "einer", "eines", "er", "sie", "es", "ihr", "ihre", "sein",
            "seine", "dies", "diese", "dieser", "dieses", "im", "in", "an", "am", "auf", "aus", "bei", "beim", "mit", "nach", "von",
            "vom", "fur", "seit", "uber", "unter", "zu", "zum", "zur", "zudem", "ferner", "weiter", "weitere", "ausserdem",
            "derzeit", "aktuell", "daneben", "dabei", "damit", "insgesamt", "laut", "gemass", "als", "auch", "bekannt", "davon",
            "ob", "wer", "alle", "wird", "wurde", "wurden", "haben", "werden", "sowie",
        ],
        Language::Fr => &[
            "le", "la", "les", "l", "un", "une", "des", "du", "de", "il", "elle", "ils", "elles", "son", "sa", "ses", "ce", "cette",
            "ces", "en", "dans", "depuis", "par", "pour", "avec", "selon", "sous", "sur", "a", "au", "aux", "de plus", "enfin",
            "actuellement", "outre", "ainsi", "aussi", "on", "dont", "leur", "leurs", "elle", "etait", "seront",
        ],
        Language::It => &[
            "il", "lo", "la", "i", "gli", "le", "l", "un", "una", "uno", "di", "del", "della", "dei", "delle", "da", "dal", "dalla",
            "in", "nel", "nella", "con", "per", "secondo", "su", "sul", "sulla", "essa", "esso", "suo", "sua", "questo", "questa",
            "inoltre", "attualmente", "infine", "anche", "sono", "e", "a", "ha", "della", "degli", "stata", "stato",
        ],
        Language::En => &[
            "the", "a", "an", "its", "it", "this", "that", "these", "those", "in", "on", "of", "at", "by", "for", "from", "since",
            "with", "under", "according", "as", "to", "there", "he", "she", "they", "their", "his", "her", "all", "also",
            "additionally", "furthermore", "moreover", "currently", "overall", "further", "both", "which", "where", "while",
        ],
    }
}
