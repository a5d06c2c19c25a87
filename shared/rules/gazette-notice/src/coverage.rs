//! Which sentences of a notice state something that [`read`](super::read) understands.
//!
//! The reader itself keeps no account of it, so that it stays fast. Instead, a notice is read again without each of its
//! sentences: a sentence is understood if the result differs, or if it states something alone.

use super::{
    Change, Entry, MAX_TEXT_LENGTH, changes, lists,
    markup::{PlainText, remove_markup},
    sentence::Sentence,
    sentences::sentences,
};

mod formula;

/// Maximum number of sentences of a notice that are looked at, as the time grows with its square.
const MAX_SENTENCES: usize = 200;

/// A sentence of a notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// Whether the reader understands a statement in the sentence.
    pub is_understood: bool,
    /// The wording with placeholders for what can be a name, a number, a date or a place: `# …` and so on. Contains no
    /// personal data.
    pub formula: String,
}

/// The sentences of a notice except the first one, if it only introduces the company. At most 200.
pub fn coverage(text: &str) -> Vec<Coverage> {
    let plain = remove_markup(&text[..text.floor_char_boundary(MAX_TEXT_LENGTH)]);
    // Marks in the text state a new name or seat without a sentence.
    let unmarked = PlainText::default();
    let mut all = sentences(&plain.text);
    all.truncate(MAX_SENTENCES);
    let whole = content(&unmarked, &all);
    let introduces =
        |at: usize| at == 0 && all[at].label.is_empty() && changes::is_header(all[at].text);
    (0..all.len())
        .filter(|at| !introduces(*at))
        .map(|at| {
            let mut others = all.clone();
            let one = others.remove(at);
            // Read alone, it must not be taken for the first sentence.
            let start = Sentence { label: "", text: "Beispiel AG, in Bern, CHE-000.000.000" };
            let is_understood = content(&unmarked, &others) != whole
                || content(&unmarked, &[start, one]) != content(&unmarked, &[start]);
            Coverage { is_understood, formula: formula::formula(one.label, one.text) }
        })
        .collect()
}

fn content(plain: &PlainText, sentences: &[Sentence<'_>]) -> (Vec<Entry>, Vec<Change>) {
    (lists::persons(sentences).entries, changes::changes(plain, sentences))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn not_understood(text: &str) -> Vec<String> {
        let sentences = coverage(text);
        sentences.into_iter().filter(|it| !it.is_understood).map(|it| it.formula).collect()
    }

    #[test]
    fn only_sentences_without_a_statement_are_left_over() {
        for (text, formula) in [
            (
                "Brotlaube AG, in Thun, CHE-123.456.788, Aktiengesellschaft (SHAB Nr. 12 vom 18.01.2024, Publ. 1). \
                 Die Gesellschaft wünscht Herrn Lüthi aus Spiez am 3. Mai 2024 alles Gute. Eingetragene Personen neu \
                 oder mutierend: Kehrli, Rahel, von Spiez, in Thun, Mitglied des Verwaltungsrates, mit Einzelunterschrift. \
                 Sitz neu: Spiez.",
                "Die Gesellschaft wünscht Herrn … aus … am # …",
            ),
            (
                "Fournil SA, à Sion, CHE-123.456.788 (FOSC du 18.01.2024, p. 0/1). La société salue Luc Bonvin, de \
                 Sierre, le 3 mai 2024. Favre Anne, de Sion, à Sion, est nommée administratrice avec signature \
                 individuelle.",
                "La société salue … de … le # mai #",
            ),
            (
                "Forno SA, a Lugano, CHE-123.456.788 (FUSC del 18.01.2024, Pubbl. 1). La società ringrazia Ugo Ferrari \
                 per il 3 maggio 2024. Persone iscritte: Bianchi, Eva, da Lugano, in Lugano, amministratrice unica, con \
                 firma individuale.",
                "La società ringrazia … per il # maggio #",
            ),
        ] {
            let found = not_understood(text);
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].starts_with(formula), "{found:?}");
        }
    }

    #[test]
    fn a_repeated_statement_is_understood() {
        let text = "Brotlaube AG, in Thun, CHE-123.456.788 (SHAB Nr. 12 vom 18.01.2024, Publ. 1). Die Gesellschaft wird \
                    aufgelöst. Die Gesellschaft wird aufgelöst.";
        assert_eq!(not_understood(text), [] as [String; 0]);
    }
}
