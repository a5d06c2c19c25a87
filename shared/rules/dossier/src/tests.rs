//! Dossiers as a whole: what is composed, and what a hostile text or model can do.

mod drafts;
mod facts;
mod hostile;
mod support;

use auth::Language;
use teams::DossierLevel;

use support::{Case, sentences};

#[test]
fn what_is_composed_holds_in_every_language_and_level() {
    let case = Case::new();
    for language in Language::ALL {
        for level in DossierLevel::ALL {
            let brief = case.brief(level, language);
            let written = brief.checked(&brief.composed());
            assert_eq!(written.dropped, 0, "{language:?} {level:?}: {}", brief.composed());
            assert_eq!(written, brief.checked(&brief.composed()), "the same facts, the same text");
            let tags: Vec<String> =
                sentences(&written.text.content).into_iter().flat_map(|it| it.ids).collect();
            assert!(!tags.is_empty());
            let mut expected: Vec<&str> = Vec::new();
            for tag in &tags {
                if !expected.contains(&tag.as_str()) {
                    expected.push(tag);
                }
            }
            let cited: Vec<&str> = written.text.citations.iter().map(|it| it.id.as_str()).collect();
            assert_eq!(cited, expected, "complete and in order");
        }
    }
}

#[test]
fn every_sentence_has_a_tag_and_longer_levels_say_more() {
    let case = Case::new();
    let numbers = DossierLevel::ALL.map(|level| {
        let brief = case.brief(level, Language::De);
        let written = brief.checked(&brief.composed());
        let sentences = sentences(&written.text.content);
        assert!(sentences.iter().all(|it| !it.ids.is_empty()), "{}", written.text.content);
        sentences.len()
    });
    assert!(numbers[0] >= 8 && numbers.is_sorted_by(|one, other| one < other), "{numbers:?}");
}

#[test]
fn a_dossier_reads_like_prose() {
    let case = Case::new();
    let brief = case.brief(DossierLevel::Standard, Language::De);
    let content = brief.checked(&brief.composed()).text.content;
    for expected in [
        "## Das Wichtigste\n\nMuster & Co. Treuhand AG (CHE-600.000.012) hat die Rechtsform Aktiengesellschaft und den Sitz in \
         Zürich [[obl:ev-1]]. Das Unternehmen ist aktiv [[obl:ev-2]]. Die Quellen zeigen keines der schweren Warnzeichen",
        "Das Nominalkapital beträgt CHF 100’000 [[obl:",
        "## Organe und Zeichnungsberechtigte",
        "Anna Beispiel (Winterthur) ist eingetragen als Mitglied des Verwaltungsrats, mit Einzelunterschrift; im Register (publiziert am 3. Mai 2019)",
        "\n\n| Bestimmung | Gegenstand | Adressaten | Gilt |\n|---|---|---|---|\n| Art. ",
        "| Art. 957 Abs. 1 OR [[obl:co-957]] | Buchführung und Rechnungslegung | Das Unternehmen | ja |",
    ] {
        assert!(content.contains(expected), "{expected}\n\n{content}");
    }
}

#[test]
fn rows_name_source_reference_and_date_and_their_hash_covers_them() {
    let case = Case::new();
    let brief = case.brief(DossierLevel::Standard, Language::En);
    let row = brief.rows().iter().find(|it| it.text.starts_with("Anna")).expect("an officer");
    assert_eq!(row.source.source, "shab");
    let mut later = row.clone();
    later.source.date = Some(jiff::civil::date(2020, 1, 1));
    assert_ne!(row.hash(), later.hash());
    let written = brief.checked(&brief.composed());
    assert_eq!(written.sources, ["gotthard", "news", "shab", "zefix"]);
    assert_eq!(written.text.evidence_hashes.len(), brief.rows().len());
}
