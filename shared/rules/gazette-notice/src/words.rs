//! The words that identify the parts of a notice, in German, French and Italian.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

/// A set of words, searched in one pass. ASCII letters match in either case; a match may be part of a
/// longer word.
pub(super) struct Words(Option<AhoCorasick>);

impl Words {
    fn of(words: &[&str]) -> Self {
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .kind(Some(AhoCorasickKind::DFA))
            .match_kind(MatchKind::LeftmostLongest)
            .build(words);
        // Building fails only if there are too many words.
        Self(automaton.ok())
    }

    /// Whether the text contains at least one of the words.
    pub(super) fn occur_in(&self, text: &str) -> bool {
        self.0.as_ref().is_some_and(|it| it.is_match(text))
    }

    /// Start and end of the first match.
    pub(super) fn find_first(&self, text: &str) -> Option<(usize, usize)> {
        self.0.as_ref()?.find(text).map(|it| (it.start(), it.end()))
    }

    /// Start of the last match.
    pub(super) fn find_last(&self, text: &str) -> Option<usize> {
        self.0.as_ref()?.find_iter(text).map(|it| it.start()).last()
    }
}

/// Whether a text names a new auditor: `Nouvel organe de révision`, `Revisionsstelle ist neu`.
pub(super) fn names_new_auditor(text: &str) -> bool {
    #[rustfmt::skip]
    const NEW: [&str; 14] = [
        "neue revisionsstelle", "neuer revisionsstelle", "neuen revisionsstelle", "revisionsstelle neu", "revisionsstelle ist neu", "revisionsstelle ist nun", "neue kontrollstelle",
        "nouvel organe de révision", "nouveau réviseur", "organe de révision est désormais", "organe de révision est maintenant", "nuovo ufficio di revisione", "nuovo organo di revisione",
        "ufficio di revisione è ora",
    ];
    // Fast path: few texts name an auditor.
    if !AUDITOR.occur_in(text) {
        return false;
    }
    let lower = text.to_lowercase();
    NEW.iter().any(|it| lower.contains(it))
}

/// Start and end of the first signature in a text. `fondé de procuration` is an office.
pub(super) fn find_signature(text: &str) -> Option<(usize, usize)> {
    let (start, end) = SIGNATURE.find_first(text)?;
    let offices = ["fondé de ", "fondée de ", "fondés de ", "fondées de "];
    if !offices.iter().any(|it| text[..start].ends_with(it)) {
        return Some((start, end));
    }
    SIGNATURE.find_first(&text[end..]).map(|(from, to)| (end + from, end + to))
}

/// Rows of words, searched together in one pass. ASCII letters match in either case.
pub(super) struct WordTable {
    automaton: Option<AhoCorasick>,
    /// The row of each word, by pattern number.
    rows: Vec<u32>,
}

impl WordTable {
    /// Builds a table of at most 64 rows.
    pub(super) fn of<'a>(rows: impl Iterator<Item = &'a [&'a str]>) -> Self {
        let words: Vec<(u32, &str)> = (0..)
            .zip(rows)
            .flat_map(|(row, words)| words.iter().map(move |it| (row, *it)))
            .collect();
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .kind(Some(AhoCorasickKind::DFA))
            .build(words.iter().map(|(_, word)| word))
            .ok();
        Self { automaton, rows: words.iter().map(|(row, _)| *row).collect() }
    }

    /// The rows with a word in the text, as a bit set.
    pub(super) fn matching_rows(&self, text: &str) -> u64 {
        let found = self.automaton.iter().flat_map(|it| it.find_overlapping_iter(text));
        found.fold(0, |rows, it| rows | 1 << (self.rows[it.pattern().as_usize()] % 64))
    }
}

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident = $list:expr;)*) => {
        $($(#[$doc])* pub(super) static $name: LazyLock<Words> = LazyLock::new(|| Words::of(&$list));)*
    };
}

words! {
    /// A signing authority, or its absence.
    SIGNATURE = [
        "unterschrift", "prokura", "prokuren", "zeichnungsberecht", "zeichnungsrecht", "unterschriftsberecht",
        "signature", "procuration", "firma individual", "firma collettiv", "firme collettiv",
        "diritto di firma", "senza firma", "con firma", "procura ", "procura,", "con procura",
        "collectivement", "individuellement", "collettivamente", "individualmente", "kollektiv zu", "zeichnet einzeln",
    ];

    /// Words before a signature within a clause: `Mitglied mit Einzelunterschrift`.
    BEFORE_SIGNATURE = [" mit ", " ohne ", " avec ", " sans ", " con ", " senza ", " zeichnet ", " signe "];

    /// A share of the capital.
    QUOTA = [
        "stammeinlage", "stammanteil", "kommanditsumme", "kommanditeinlage", "kommandite von",
        "haftsumme", "gesellschaftsanteil", "part sociale", "parts sociales", "part de fr", "part de chf",
        "parts de fr", "parts de chf", "parts sociale", "commandite de", "quota da", "quota di",
        "quote da", "quote di", "quota sociale", "quote sociali", "accomandita di",
    ];

    /// Words before a quota within a clause.
    BEFORE_QUOTA = [" mit ", " pour ", " avec ", " con ", " per ", " détenant ", " und einer ", " et une "];

    /// A function in a company, in any body.
    FUNCTION = [
        "mitglied", "präsident", "praesident", "gesellschafter", "geschäftsführ", "inhaber", "direktor",
        "direktion", "delegiert", "liquidator", "kommanditär", "komplementär", "aktuar", "kassier",
        "obmann", "obfrau", "beisitz", "revisionsstelle", "revisor", "kontrollstelle", "aufsichts",
        "sekretär", "sachwalter", "verwalter", "verwaltung", "verwaltungsrat", "leiter", "vorsitz",
        "prokurist", "quästor", "stiftungsrat", "vorstand", "bevollmächtigt", "protokollführ",
        "rechnungsführ", "vertreter", "zeichnungsberechtigte", "suppleant", "beauftragt",
        "administrat", "associé", "gérant", "gérance", "gerenza", "titulaire", "organe de révision", "réviseur", "réviseuse",
        "président", "membre", "secrétaire", "directeur", "directrice", "direction", "trésori",
        "caissi", "liquidateur", "liquidatrice", "commandit", "délégué", "fondé de pouvoir",
        "fondée de pouvoir", "fondés de pouvoir", "fondé de procuration", "fondée de procuration", "fondés de procuration", "contrôleur", "autorité de surveillance",
        "organe de contrôle", "curateur", "suppléant", "commissaire", "commissari", "indéfiniment responsable", "chef de",
        "socio", "socia", "soci ", "gerente", "gerenti", "presidente", "membro", "membri",
        "ufficio di revisione", "organo di revisione", "revisore", "amministrat", "titolare",
        "amministrazione", "direttore", "direttrice", "segretari", "liquidatore", "liquidatrice", "cassier", "delegato",
        "accomandant", "autorità di vigilanza", "procuratore", "presidenza", "présidence", "präsidium",
    ];

    /// Functions usually held by firms or authorities, not by persons.
    SUPERVISORY = [
        "revisionsstelle", "revisor", "kontrollstelle", "aufsichtsbehörde", "aufsichtsstelle",
        "organe de révision", "organe de contrôle", "réviseur", "autorité de surveillance",
        "ufficio di revisione", "organo di revisione", "revisore", "autorità di vigilanza",
    ];

    /// A person's citizenship.
    CITIZEN = [
        "staatsangehörig", "staatsbürger", "staatenlos", "bürger der ", "us-bürger", "ressortissant", "citoyen", "apatride", "nationalité", "nationalität", "nazionalità",
        "cittadin", "apolide",
    ];

    /// Leaving or deletion, in a heading or a predicate.
    LEAVING = [
        "ausgeschieden", "ausscheiden", "zurückgetreten", "ausgetreten", "weggefallen", "verstorben",
        "gestorben", "abberufen", "abgewählt", "erloschen", "gelöscht", "gestrichen", "widerrufen",
        "nicht mehr", "entlassen", "abgesetzt", "enthoben", "entzogen", "destitu", "radié", "éteint", "démissionn", "décédé", "sorti", "révoqué",
        "quitté", "supprimé", "retiré", "annulé", "n'est plus", "ne sont plus", "dimissionari",
        "cancellat", "radiat", "decedut", "uscent", "uscit", "revocat", "non è più", "non sono più",
    ];

    /// A trade or kind of organisation, in the name of a firm.
    TRADE = [
        "treuhand", "revision", "fiduciaire", "fiduciaria", "audit", "gesellschaft", "partner",
        "bundesamt", "kantonal", "departement", "département", "banque", "consulting", "consult",
        "genossenschaft", "stiftung", "holding",
    ];

    /// Words before the alias of a person.
    ALIAS = [
        " genannt ", " auch genannt ", " dit ", " dite ", " detto ", " detta ", " alias ", " auch bekannt als ",
        " (genannt ", " (dit ", " (dite ", " (detto ", " (detta ", " (alias ",
    ];

    /// Words of prose about persons that name neither an office nor a signature.
    ABOUT_PERSONS = [
        "pouvoirs", "poteri", "wohnhaft", "wohnt", "domicil", "wohnsitz", "stammanteil", "stammeinlage", "quota ", "firma ", "firme ", "parts ", "quote ", "cognome", "namen", " nom ", "heisst", "appelle",
        "chiama", "originaire", "heimatberechtigt", "bürger", "attinent", "démission", "dimission", "ausgeschieden", "zurückgetreten", "retiré",
        "décéd", "decedut", "verstorben", "residen", "réside", "risiede", "zeichnet ", "zeichnen ", "signe ", "signent ",
    ];

    /// Words of every sentence about the capital, the name, the seat, the address or the purpose of the company.
    ABOUT_COMPANY = [
        "kapital", "capital", "die firma", "ihre firma", "firmiert", "raison sociale", "ragione sociale", "ditta", "domizil", "adresse", "indirizzo",
        "recapito", "firma der gesellschaft", "heisst neu", "ihren namen", "den namen geändert", "bureaux", "sitz ", "siège ", "sede ", "bezweckt n",
        "befindet sich neu", "befinden sich neu", "domiziliert", "uffici in", "domiciliée", "domicile légal", "raison de commerce", "raison individuelle", "locaux", "uffici trasf", "pour but ", "but de la", "but est", "scopo ",
    ];

    /// The name of the company itself in prose. Not `firma` alone, which is a signature in Italian.
    NAME_OF_COMPANY = [
        "raison sociale", "raison de commerce", "ragione sociale", "die firma lautet", "ihre firma", "firmiert",
    ];

    /// A holder of shares in prose.
    SHAREHOLDER = [
        "gesellschafter", "kommanditär", "aktionär", "associé", "actionnaire", "commanditaire", "socio ", "socia ", "azionista", "accomandant",
        "accomandatario",
    ];

    /// An auditor in prose, whose name can change too.
    AUDITOR = ["révision", "revision", "réviseur", "revisor"];

    /// Words in every heading of persons.
    PERSON_HEADING = ["person", "zeichnungsberechtigte", "unterschrift", "signature", "firme"];

    /// Words in a heading of persons who enter or change.
    ENTERING = [
        "eingetragen", "neu", "mutier", "geändert", "änderung", "inscri", "nouve", "modifi",
        "iscritt", "nuov",
    ];

    /// Start of a heading of persons; finds headings without a full stop before them.
    HEADING_START = [
        "Eingetragene Person", "Ausgeschiedene Person", "Gelöschte Person", "Personne et signature",
        "Personne(s)", "Personnes et signatures", "Inscription ou modification", "Persone dimissionarie",
        "Nuove persone", "Persone iscritte", "Personen neu",
    ];

    /// Words before the former details of an entry.
    FORMER = [
        "bisher", "précédemment", "jusqu'ici", "jusqu'à présent", "auparavant", "anciennement",
        "finora", "precedentemente", "in precedenza", "nicht:", "non:", "et non", "und nicht",
    ];
}

/// Whether the text starts with one of the prefixes. ASCII letters match in either case.
pub(super) fn starts_with_any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|it| strip_prefix(text, it).is_some())
}

/// The text without the prefix. ASCII letters match in either case.
#[inline]
pub(super) fn strip_prefix<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    // Fast path: most texts differ in the first letter.
    if !text.as_bytes().first()?.eq_ignore_ascii_case(word.as_bytes().first()?) {
        return None;
    }
    let head = text.get(..word.len())?;
    head.eq_ignore_ascii_case(word).then(|| &text[word.len()..])
}

/// The text without the first of the prefixes that matches.
pub(super) fn strip_any_prefix<'a>(text: &'a str, words: &[&str]) -> Option<&'a str> {
    words.iter().find_map(|it| strip_prefix(text, it))
}

#[rustfmt::skip]
const FORMS: [&str; 46] = [
    "AG", "A.G.", "GmbH", "SA", "S.A.", "Sàrl", "S.à.r.l.", "S.à", "Sarl", "Sagl", "Ltd",
    "Ltd.", "Limited", "Inc", "Inc.", "Corp", "Corp.", "LLC", "LLP", "KG", "KlG", "KmG", "SE",
    "plc", "PLC", "BV", "B.V.", "NV", "N.V.", "SpA", "S.p.A.", "Srl", "S.r.l.", "SNC", "SICAV",
    "Genossenschaft", "Stiftung", "Verein", "Fondation", "Association", "Fondazione",
    "Associazione", "Cie", "Co.", "Société", "Società",
];

/// Whether the word is a legal form: `AG`, `Sàrl`.
pub(super) fn is_legal_form(word: &str) -> bool {
    FORMS.contains(&word) || word.ends_with("-AG")
}

/// Whether the name contains a legal form or another word that occurs only in names of firms.
pub(super) fn is_firm_name(name: &str) -> bool {
    if TRADE.occur_in(name) && name.split([' ', ',', '(', ')']).any(is_trade_word) {
        return true;
    }
    let mut words = name.split([' ', ',', '(', ')']);
    words.any(|word| is_legal_form(word) || word == "&")
}

/// Whether the word starts or ends with a trade: `Treuhandbüro`, `Wirtschaftsprüfungsgesellschaft`.
fn is_trade_word(word: &str) -> bool {
    TRADE.find_first(word).is_some_and(|(start, end)| start == 0 || end == word.len())
}
