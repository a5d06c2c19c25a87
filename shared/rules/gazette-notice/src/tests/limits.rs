//! Arbitrary and hostile texts: no panic, and output in proportion to the input.

use proptest::prelude::*;

use super::ENTERED;
use crate::*;

/// Random sequences of the fragments of notices.
fn notice_fragments() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "Eingetragene Personen:",
        "Personne(s) inscrite(s):",
        "Ausgeschiedene Personen",
        "Muster",
        "Hans",
        "von Bern",
        "de",
        "in Thun",
        "à",
        ",",
        ";",
        ".",
        ":",
        "[",
        "]",
        "(",
        ")",
        "[bisher: ",
        "Mitglied",
        "mit Einzelunterschrift",
        "beide",
        "und",
        "et",
        "ist",
        "n'est plus",
        "CHF 1'000",
        "mit 2 Stammanteilen",
        "Die Unterschrift von",
        "erloschen",
        "<F>",
        "<E>",
        "<B>",
        "&amp;",
        "&",
        "é",
        "ß",
        "\u{a0}",
        "’",
        "Firma neu:",
        "(SHAB Nr. 1 vom",
        "Fusion:",
        "(CHE-600.000.012)",
        "de et à",
        "raison sociale devient",
        "Capital porté de CHF 1 à CHF 2",
        "en remplacement de",
        "𝄞",
        "İ",
    ]);
    prop::collection::vec((piece, prop::bool::ANY), 0..60).prop_map(|pieces| {
        pieces
            .into_iter()
            .fold(String::new(), |text, (piece, space)| text + piece + if space { " " } else { "" })
    })
}

/// The size of a notice as JSON, in bytes.
fn json_length(notice: &Notice) -> usize {
    serde_json::to_string(notice).expect("a notice serialises").len()
}

#[test]
fn long_correction_is_not_read() {
    let text = format!("Berichtigung: {}", " e non ;".repeat(30_000));
    assert_eq!(read(&text).entries, []);
}

#[test]
fn output_size_is_proportional_to_input_size() {
    let repeated = |fragment: &str| fragment.repeat(60_000 / fragment.len());
    let placed = repeated("Muster Hans, von Bern, in Thun, und ");
    for text in [
        format!("{ENTERED} {placed}[bisher: {}]", repeated("Mitglied, ")),
        format!("{ENTERED} {placed}alle Mitglied {}", repeated("und Präsident ")),
        format!(
            "{ENTERED} {} alle Mitglied {}",
            repeated("Muster, Hans, in Thun; "),
            repeated("x ")
        ),
        format!("bisher in {}, Bern. {}", repeated("x"), repeated("Sitz neu: Thun. ")),
        repeated(&format!(
            "{} sind Mitglied {}. ",
            "A B, in C, ".repeat(150),
            "und so ".repeat(250)
        )),
        repeated(&format!("Unterschrift{} an {}. ", "x".repeat(2_000), "A B, in C, ".repeat(150))),
        format!("{ENTERED} Muster, in Bern, {}", repeated(" mit Prokura mit Stammanteil")),
    ] {
        let (output, input) = (json_length(&read(&text)), text.len());
        assert!(output <= 16 * input, "{output} bytes from {input} bytes: {}…", &text[..60]);
    }
}

#[test]
fn at_most_4000_entries_are_read() {
    let names = |count: usize| format!("{ENTERED} {}", "M, in B; ".repeat(count));
    assert_eq!(read(&names(100)).entries.len(), 100);
    assert_eq!(read(&names(20_000)).entries.len(), 4_000);
    let sentences = "Revisionsstelle: Fidu AG. ".repeat(8_000);
    assert_eq!(read(&sentences).entries.len(), 4_000);
}

#[test]
fn text_beyond_maximum_length_is_ignored() {
    let name = "Firma neu: Muster AG. ";
    let padding = |length: usize| "é".repeat(length / 2);
    let within = format!("{}. {name}", padding(MAX_TEXT_LENGTH / 2));
    assert_eq!(read(&within).changes.len(), 1);
    let beyond = format!("x{}. {name}", padding(MAX_TEXT_LENGTH));
    assert_eq!(read(&beyond).changes, []);
}

proptest! {
    #[test]
    fn arbitrary_text_does_not_panic(text in ".{0,200}") {
        read(&text);
    }

    #[test]
    fn random_notice_fragments_do_not_panic(text in notice_fragments()) {
        let notice = read(&text);
        // The raw texts of the entries do not overlap.
        let raw_length: usize = notice.entries.iter().map(|it| it.raw.len()).sum();
        prop_assert!(raw_length <= 2 * text.len(), "{raw_length} bytes from {}", text.len());
        prop_assert!(notice.changes.len() <= text.len());
    }

    #[test]
    fn truncated_notices_do_not_panic(from in 0usize..400, to in 0usize..400) {
        let text = "Muster AG, in Bern (SHAB Nr. 2 vom 06.01.2026). Ausgeschiedene Personen: Muster, Jörg, von Bern, in Thun, \
                    Mitglied, mit Einzelunterschrift [bisher: Präsident]; Fidu SA (CHE-600.000.012), à Bulle, réviseur. Favre \
                    Anne, de Bulle, à Gruyères, est nommée gérante; sa signature est radiée. Die Prokura von Muster Hans ist \
                    erloschen. Aktienkapital neu: CHF 2 [bisher: CHF 1].";
        let cut: String = text.chars().skip(from).take(to).collect();
        read(&cut);
    }
}
