//! What a sentence states does not depend on the other sentences, nor on blanks.

use proptest::prelude::*;

use super::{lines, notice, variants};

/// Statements about different persons.
const STATEMENTS: [&str; 9] = [
    "Zum Präsidenten wurde Frei Rolf, von Olten, in Olten, gewählt",
    "Keller Max ist aus dem Verwaltungsrat ausgeschieden; seine Unterschrift ist erloschen",
    "Neue Sekretärin ist Huber Ruth, von Biel, in Nidau, mit Kollektivunterschrift zu zweien",
    "Rey Alain n'est plus président mais reste administrateur avec signature individuelle",
    "Roy Sylvie, de Fully, à Saxon, est nommée gérante avec signature individuelle",
    "Moret Paul a démissionné; ses pouvoirs sont radiés",
    "È stato nominato gerente Rossi Mario, da Locarno, in Ascona, con firma individuale",
    "Bianchi Sandra è dimissionaria; i suoi poteri sono estinti",
    "La procuration de Blanc Eric est radiée",
];

proptest! {
    #[test]
    fn sentences_state_the_same_in_any_company(
        chosen in prop::sample::subsequence(STATEMENTS.to_vec(), 1..6).prop_shuffle(),
    ) {
        let alone: Vec<String> =
            chosen.iter().flat_map(|it| lines(&notice(&format!("{it}.")))).collect();
        for separator in [". ", "."] {
            let text = notice(&format!("{}.", chosen.join(separator)));
            prop_assert_eq!(&lines(&text), &alone, "{}", text);
        }
    }

    #[test]
    fn unrelated_sentence_changes_no_statement(
        chosen in prop::sample::subsequence(STATEMENTS.to_vec(), 1..4).prop_shuffle(),
        at in 0usize..4,
        unrelated in prop::sample::select(vec![
            "Die Mitteilungen an die Gesellschafter erfolgen schriftlich",
            "Die Gesellschaft hat ihren Sitz nach Thun verlegt",
            "La société a transféré son siège à Nyon",
            "Les communications aux associés se font par lettre",
            "La società ha modificato lo scopo",
            "Gemäss Erklärung der Geschäftsführung untersteht die Gesellschaft keiner Revision",
        ]),
    ) {
        let plain = lines(&notice(&format!("{}.", chosen.join(". "))));
        let mut more = chosen.clone();
        more.insert(at.min(chosen.len()), unrelated);
        prop_assert_eq!(lines(&notice(&format!("{}.", more.join(". ")))), plain, "{}", unrelated);
    }
}

#[test]
fn statements_about_the_company_are_about_no_person() {
    for template in [
        "Die Gesellschaft wird von {A r} aus durch die Geschäftsführung vertreten.",
        "La société a pour but l'administration de biens à {A r}.",
        "La gérance a son siège à {B r}.",
        "Das Tribunal Cantonal hat die Revisionsstelle abgewiesen.",
        "La società è amministrata secondo lo statuto di {C r}.",
        "Die Verwaltung besteht aus drei Mitgliedern.",
    ] {
        for text in variants(template) {
            assert_eq!(lines(&notice(&text)), [""; 0], "{text}");
        }
    }
}
