//! Evidence rows.

use auth::Language;
use domain::Provenance;
use jiff::civil::Date;
use sha2::{Digest, Sha256};
use teams::dossier::CitationKind;

/// Maximum length of the text of a row in characters.
const MAX_TEXT: usize = 700;

/// A section of a dossier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// Status, warnings and level of the risk.
    Overview,
    /// Names, numbers, dates and activity.
    Identity,
    /// What happened.
    History,
    /// Officers and signatories.
    Board,
    /// Who owns and controls the company.
    Owners,
    /// Auditors.
    Audit,
    /// Factors of the risk.
    Risk,
    /// Provisions that apply.
    Duties,
    /// News.
    News,
    /// What the dossier does not contain.
    Limits,
}

impl Section {
    /// Every section, in the order of the text.
    pub const ALL: [Self; 10] = [
        Self::Overview,
        Self::Identity,
        Self::History,
        Self::Board,
        Self::Owners,
        Self::Audit,
        Self::Risk,
        Self::Duties,
        Self::News,
        Self::Limits,
    ];

    /// Name in drafts.
    pub fn key(self) -> &'static str {
        match self {
            Self::Overview => "overview",
            Self::Identity => "identity",
            Self::History => "history",
            Self::Board => "board",
            Self::Owners => "owners",
            Self::Audit => "audit",
            Self::Risk => "risk",
            Self::Duties => "duties",
            Self::News => "news",
            Self::Limits => "limits",
        }
    }

    /// Heading in a language.
    pub fn heading(self, language: Language) -> &'static str {
        let headings = match self {
            Self::Overview => ["Das Wichtigste", "L’essentiel", "In breve", "Key points"],
            Self::Identity => ["Identität", "Identité", "Identità", "Identity"],
            Self::History => ["Chronik", "Chronologie", "Cronologia", "History"],
            Self::Board => [
                "Organe und Zeichnungsberechtigte",
                "Organes et signatures",
                "Organi e firme",
                "Officers and signatories",
            ],
            Self::Owners => [
                "Eigentum und Kontrolle",
                "Propriété et contrôle",
                "Proprietà e controllo",
                "Ownership and control",
            ],
            Self::Audit => ["Revision", "Révision", "Revisione", "Audit"],
            Self::Risk => ["Risiko", "Risque", "Rischio", "Risk"],
            Self::Duties => [
                "Anwendbare Pflichten",
                "Obligations applicables",
                "Obblighi applicabili",
                "Applicable obligations",
            ],
            Self::News => ["Meldungen", "Actualités", "Notizie", "News"],
            Self::Limits => ["Grenzen", "Limites", "Limiti", "Limits"],
        };
        language.of(headings)
    }
}

/// One sentence with its source. A text cites it by its id.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Id in tags: `ev-` and a number, or the id of an obligation.
    pub id: String,
    /// What the id names.
    pub kind: CitationKind,
    /// Section to which it belongs.
    pub section: Section,
    /// One sentence that ends with a full stop.
    pub text: String,
    /// Names in the sentence, in which a full stop ends nothing.
    pub names: Vec<String>,
    /// Where the statement comes from.
    pub source: Provenance,
    /// The cells of its line, if it is part of the table of its section, as are provisions.
    pub cells: Option<[String; 4]>,
    /// Whether the sentence quotes a text that anybody can influence. Such a row is given to no model and cited by our own
    /// sentence only.
    pub is_quotation: bool,
}

impl Row {
    /// The sentence without its full stop.
    pub(crate) fn clause(&self) -> &str {
        self.text.strip_suffix('.').unwrap_or(&self.text)
    }

    /// SHA-256 of text, source, reference and date.
    pub fn hash(&self) -> String {
        let date = self.source.date.map(|it| it.to_string()).unwrap_or_default();
        let parts = [
            self.text.as_str(),
            &self.source.source,
            self.source.reference.as_deref().unwrap_or_default(),
            &date,
        ];
        hex::encode(Sha256::digest(parts.join("\u{1f}")))
    }

    /// The sentence as a line of a draft.
    pub(crate) fn line(&self) -> String {
        format!("{} {}.", self.clause(), tag(&self.id))
    }
}

/// The tag of an id.
pub(crate) fn tag(id: &str) -> String {
    format!("[[obl:{id}]]")
}

/// A text of a source, so that it cannot be read as a tag, as the end of a quotation or as a line of its own. Invisible characters
/// are removed, and a long text is cut.
pub fn clean(text: &str) -> String {
    cut(text, MAX_TEXT)
}

/// As [`clean`], with at most so many characters.
pub(crate) fn cut(text: &str, max: usize) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut length = 0;
    for character in text.chars() {
        let character = match character {
            // What separates: also no-break spaces and line separators.
            it if it.is_whitespace() => ' ',
            // Invisible or reordering: controls, soft hyphen, zero width, directions, variation selectors, tags, private use.
            it if it.is_control() || is_invisible(it) => continue,
            // Tags and quotations, in every width.
            '[' | '［' | '⟦' | '〚' | '【' => '(',
            ']' | '］' | '⟧' | '〛' | '】' => ')',
            '«' | '《' => '‹',
            '»' | '》' => '›',
            it => it,
        };
        if character == ' ' && (clean.is_empty() || clean.ends_with(' ')) {
            continue;
        }
        if length == max {
            let end = clean.trim_end().len();
            clean.truncate(end);
            clean.push('…');
            return clean;
        }
        clean.push(character);
        length += 1;
    }
    clean.truncate(clean.trim_end().len());
    clean
}

fn is_invisible(character: char) -> bool {
    matches!(
        u32::from(character),
        0xad | 0x34f | 0x61c | 0x115f..=0x1160 | 0x17b4..=0x17b5 | 0x180b..=0x180f | 0x200b..=0x200f
            | 0x202a..=0x202e | 0x2060..=0x206f | 0x3164 | 0xfe00..=0xfe0f | 0xfeff | 0xffa0
            | 0xfff0..=0xfffb | 0xe000..=0xf8ff | 0xe0000..=0x10ffff
    )
}

/// Collects rows and numbers them.
pub(crate) struct Rows {
    pub(crate) rows: Vec<Row>,
    next: u32,
}

impl Rows {
    pub(crate) fn new() -> Self {
        Self { rows: Vec::new(), next: 1 }
    }

    /// Adds a sentence. `names` are the names in it.
    pub(crate) fn add(
        &mut self,
        section: Section,
        text: impl AsRef<str>,
        names: impl IntoIterator<Item = String>,
        source: &Provenance,
    ) {
        let row = self.row(section, text.as_ref(), names.into_iter().collect(), source);
        self.rows.push(row);
    }

    /// Adds a sentence that quotes a text of somebody.
    pub(crate) fn quote(&mut self, section: Section, text: impl AsRef<str>, source: &Provenance) {
        let row = self.row(section, text.as_ref(), Vec::new(), source);
        self.rows.push(Row { is_quotation: true, ..row });
    }

    fn row(
        &mut self,
        section: Section,
        text: &str,
        names: Vec<String>,
        source: &Provenance,
    ) -> Row {
        let id = format!("ev-{}", self.next);
        self.next += 1;
        Row {
            id,
            kind: CitationKind::Evidence,
            section,
            text: text.to_owned(),
            names,
            source: source.clone(),
            cells: None,
            is_quotation: false,
        }
    }

    /// Adds a provision, which is a line of a table.
    pub(crate) fn obligation(
        &mut self,
        id: &str,
        text: String,
        cells: [String; 4],
        regulation: &str,
        url: Option<&str>,
    ) {
        self.rows.push(Row {
            id: id.to_owned(),
            kind: CitationKind::Obligation,
            section: Section::Duties,
            text,
            names: Vec::new(),
            source: Provenance {
                source: regulation.to_owned(),
                reference: url.map(str::to_owned),
                date: None,
            },
            cells: Some(cells),
            is_quotation: false,
        });
    }
}

/// The source of what this service has computed.
pub(crate) fn computed(day: Date) -> Provenance {
    Provenance { source: "gotthard".to_owned(), reference: None, date: Some(day) }
}
