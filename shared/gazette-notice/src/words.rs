//! The words by which the parts of a notice are told apart, in the three languages of the gazette.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

/// A set of words, found in one pass, ASCII letters in either case.
pub(super) struct Words(Option<AhoCorasick>);

impl Words {
    fn of(words: &[&str]) -> Self {
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .kind(Some(AhoCorasickKind::DFA))
            .match_kind(MatchKind::LeftmostLongest)
            .build(words);
        // Fails only on more words than fit a machine word.
        Self(automaton.ok())
    }

    pub(super) fn are_in(&self, text: &str) -> bool {
        self.0.as_ref().is_some_and(|it| it.is_match(text))
    }

    /// Where the first of them stands.
    pub(super) fn first_in(&self, text: &str) -> Option<(usize, usize)> {
        self.0.as_ref()?.find(text).map(|it| (it.start(), it.end()))
    }

    /// Where the last of them starts.
    pub(super) fn last_in(&self, text: &str) -> Option<usize> {
        self.0.as_ref()?.find_iter(text).map(|it| it.start()).last()
    }
}

/// Rows of words, found together in one pass, ASCII letters in either case.
pub(super) struct Table {
    automaton: Option<AhoCorasick>,
    /// The row of each word.
    rows: Vec<u32>,
}

impl Table {
    /// At most 64 rows.
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

    /// The rows of which a word is in the text, as bits.
    pub(super) fn rows_in(&self, text: &str) -> u64 {
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
    /// A power to sign, or its absence.
    SIGNATURE = [
        "unterschrift", "prokura", "prokuren", "zeichnungsberecht", "zeichnungsrecht", "unterschriftsberecht",
        "signature", "procuration", "firma individual", "firma collettiv", "firme collettiv",
        "diritto di firma", "senza firma", "con firma", "procura ", "procura,", "con procura",
        "collectivement", "individuellement", "collettivamente", "individualmente", "kollektiv zu", "zeichnet einzeln",
    ];

    /// What stands before a power within a clause: `Mitglied mit Einzelunterschrift`.
    WITH = [" mit ", " ohne ", " avec ", " sans ", " con ", " senza ", " zeichnet ", " signe "];

    /// A share of the capital.
    QUOTA = [
        "stammeinlage", "stammanteil", "kommanditsumme", "kommanditeinlage", "kommandite von",
        "haftsumme", "gesellschaftsanteil", "part sociale", "parts sociales", "part de fr", "part de chf",
        "parts de fr", "parts de chf", "parts sociale", "commandite de", "quota da", "quota di",
        "quote da", "quote di", "quota sociale", "quote sociali", "accomandita di",
    ];

    /// What stands before a share within a clause.
    HOLDING = [" mit ", " pour ", " avec ", " con ", " per ", " détenant ", " und einer ", " et une "];

    /// A function in a company, whatever the organ.
    FUNCTION = [
        "mitglied", "präsident", "praesident", "gesellschafter", "geschäftsführ", "inhaber", "direktor",
        "direktion", "delegiert", "liquidator", "kommanditär", "komplementär", "aktuar", "kassier",
        "obmann", "obfrau", "beisitz", "revisionsstelle", "revisor", "kontrollstelle", "aufsichts",
        "sekretär", "sachwalter", "verwalter", "verwaltung", "verwaltungsrat", "leiter", "vorsitz",
        "prokurist", "quästor", "stiftungsrat", "vorstand", "bevollmächtigt", "protokollführ",
        "rechnungsführ", "vertreter", "zeichnungsberechtigte", "suppleant", "beauftragt",
        "administrat", "associé", "gérant", "titulaire", "organe de révision", "réviseur", "réviseuse",
        "président", "membre", "secrétaire", "directeur", "directrice", "direction", "trésori",
        "caissi", "liquidateur", "liquidatrice", "commandit", "délégué", "fondé de pouvoir",
        "fondée de pouvoir", "fondés de pouvoir", "contrôleur", "autorité de surveillance",
        "organe de contrôle", "curateur", "suppléant", "indéfiniment responsable", "chef de",
        "socio", "socia", "soci ", "gerente", "gerenti", "presidente", "membro", "membri",
        "ufficio di revisione", "organo di revisione", "revisore", "amministrat", "titolare",
        "direttore", "direttrice", "segretari", "liquidatore", "liquidatrice", "cassiere", "delegato",
        "accomandant", "autorità di vigilanza", "procuratore",
    ];

    /// The organs that are firms or offices more often than persons.
    SUPERVISOR = [
        "revisionsstelle", "revisor", "kontrollstelle", "aufsichtsbehörde", "aufsichtsstelle",
        "organe de révision", "organe de contrôle", "réviseur", "autorité de surveillance",
        "ufficio di revisione", "organo di revisione", "revisore", "autorità di vigilanza",
    ];

    /// A person's citizenship.
    CITIZEN = [
        "staatsangehörig", "staatsbürger", "staatenlos", "bürger der ", "us-bürger", "ressortissant", "citoyen", "apatride",
        "cittadin", "apolide",
    ];

    /// Who leaves, in a heading or a predicate.
    GONE = [
        "ausgeschieden", "ausscheiden", "zurückgetreten", "ausgetreten", "weggefallen", "verstorben",
        "gestorben", "abberufen", "abgewählt", "erloschen", "gelöscht", "gestrichen", "widerrufen",
        "nicht mehr", "entlassen", "entzogen", "radié", "éteint", "démissionn", "décédé", "sorti", "révoqué",
        "quitté", "supprimé", "retiré", "annulé", "n'est plus", "ne sont plus", "dimissionari",
        "cancellat", "radiat", "decedut", "uscent", "uscit", "revocat", "non è più", "non sono più",
    ];

    /// What firms do, in their names.
    TRADE = [
        "treuhand", "revision", "fiduciaire", "fiduciaria", "audit", "gesellschaft", "partner",
        "bundesamt", "kantonal", "departement", "département", "banque", "consulting", "consult",
        "genossenschaft", "stiftung", "holding",
    ];

    /// What another name of a person follows.
    ALIAS = [
        " genannt ", " auch genannt ", " dit ", " dite ", " detto ", " detta ", " alias ", " auch bekannt als ",
        " (genannt ", " (dit ", " (dite ", " (detto ", " (detta ", " (alias ",
    ];

    /// What goes on about the same subject: `…, ihre Unterschrift ist erloschen`.
    SAME = [
        ", ihre ", ", seine ", ", sa ", ", ses ", ", leur ", " et ses ", " et sa ", " et leurs ", " et leur ",
    ];

    /// What a heading of persons speaks of.
    PEOPLE = ["person", "zeichnungsberechtigte", "unterschrift", "signature", "firme"];

    /// What makes such a heading one of persons who enter or change.
    ENTERING = [
        "eingetragen", "neu", "mutier", "geändert", "änderung", "inscri", "nouve", "modifi",
        "iscritt", "nuov",
    ];

    /// How a heading of persons begins where the full stop before it was forgotten.
    ANCHOR = [
        "Eingetragene Person", "Ausgeschiedene Person", "Gelöschte Person", "Personne et signature",
        "Personne(s)", "Personnes et signatures", "Inscription ou modification", "Persone dimissionarie",
        "Nuove persone", "Persone iscritte", "Personen neu",
    ];

    /// What a text says of an entry's earlier state.
    BEFORE = [
        "bisher", "précédemment", "jusqu'ici", "jusqu'à présent", "auparavant", "anciennement",
        "finora", "precedentemente", "in precedenza", "nicht:", "non:", "et non", "und nicht",
    ];
}

/// Whether one of these begins the text.
pub(super) fn begins(text: &str, words: &[&str]) -> bool {
    words.iter().any(|it| after(text, it).is_some())
}

/// What follows the word at the beginning of the text, ASCII letters in either case.
#[inline]
pub(super) fn after<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    // Most texts differ in the first letter.
    if !text.as_bytes().first()?.eq_ignore_ascii_case(word.as_bytes().first()?) {
        return None;
    }
    let head = text.get(..word.len())?;
    head.eq_ignore_ascii_case(word).then(|| &text[word.len()..])
}

/// What follows the first of these that begins the text.
pub(super) fn after_any<'a>(text: &'a str, words: &[&str]) -> Option<&'a str> {
    words.iter().find_map(|it| after(text, it))
}

/// The legal forms and words that are part of a firm's name and of no person's.
pub(super) fn names_a_firm(name: &str) -> bool {
    #[rustfmt::skip]
    const FORMS: [&str; 46] = [
        "AG", "A.G.", "GmbH", "SA", "S.A.", "Sàrl", "S.à.r.l.", "S.à", "Sarl", "Sagl", "Ltd",
        "Ltd.", "Limited", "Inc", "Inc.", "Corp", "Corp.", "LLC", "LLP", "KG", "KlG", "KmG", "SE",
        "plc", "PLC", "BV", "B.V.", "NV", "N.V.", "SpA", "S.p.A.", "Srl", "S.r.l.", "SNC", "SICAV",
        "Genossenschaft", "Stiftung", "Verein", "Fondation", "Association", "Fondazione",
        "Associazione", "Cie", "Co.", "Société", "Società",
    ];
    if TRADE.are_in(name) && name.split([' ', ',', '(', ')']).any(names_a_trade) {
        return true;
    }
    let mut words = name.split([' ', ',', '(', ')']);
    words.any(|word| FORMS.contains(&word) || word.ends_with("-AG") || word == "&")
}

/// Whether the word begins or ends with what firms do: `Treuhandbüro`, `Wirtschaftsprüfungsgesellschaft`.
fn names_a_trade(word: &str) -> bool {
    TRADE.first_in(word).is_some_and(|(start, end)| start == 0 || end == word.len())
}
