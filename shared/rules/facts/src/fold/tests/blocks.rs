//! What the blocks of a publication say and what its text says is one statement: a publication without the block of the new
//! state gives the same record.

use super::*;

/// The changes of one language, as its offices write them: name, seat, address, purpose, capital.
const TEXTS: [[&str; 5]; 3] = [
    [
        "Firma neu: Neumuster AG.",
        "Sitz neu: Sursee.",
        "Domizil neu: Bahnhofstrasse 7, 6210 Sursee.",
        "Zweck neu: Handel mit Möbeln.",
        "Aktienkapital neu: CHF 250'000.00 [bisher: CHF 100'000.00].",
    ],
    [
        "Nouvelle raison sociale: Neumuster AG.",
        "Nouveau siège: Sursee.",
        "Nouvelle adresse: Bahnhofstrasse 7, 6210 Sursee.",
        "Nouveau but: Handel mit Möbeln.",
        "Nouveau capital-actions: CHF 250'000.00 [précédemment: CHF 100'000.00].",
    ],
    [
        "Nuova ragione sociale: Neumuster AG.",
        "Nuova sede: Sursee.",
        "Nuovo recapito: Bahnhofstrasse 7, 6210 Sursee.",
        "Nuovo scopo: Handel mit Möbeln.",
        "Nuovo capitale azionario: CHF 250'000.00 [finora: CHF 100'000.00].",
    ],
];

const PURPOSE: &str = "Betrieb einer Bäckerei.";

/// A publication whose blocks state everything that can change.
fn detailed(publication: Publication) -> Publication {
    let publication = publication.address(["Hirschengraben", "3", "6003", "Luzern"]);
    publication.purpose(PURPOSE).capital("100000")
}

/// The same changes in the block of the new state. The full stop of the sentence is no part of a purpose.
const IN_BLOCK: [fn(Publication) -> Publication; 5] = [
    |it| it.new_name("Neumuster AG"),
    |it| it.new_seat("Sursee"),
    |it| it.new_address(["Bahnhofstrasse", "7", "6210", "Sursee"]),
    |it| it.new_purpose(PURPOSE, "Handel mit Möbeln"),
    |it| it.new_capital("250000"),
];

/// The record after a registration and a mutation with these changes. `in_blocks`: the block of the new state says them, the text
/// does not.
fn record(changed: [bool; 5], texts: [&str; 5], in_blocks: bool) -> Company {
    let first = detailed(registration(1, "2020-03-02", ""));
    let stated = texts.into_iter().zip(changed).filter(|(_, changed)| *changed && !in_blocks);
    let text: Vec<&str> = stated.map(|(text, _)| text).collect();
    let second = detailed(mutation(2, "2021-05-03", &text.join(" ")));
    let changes = IN_BLOCK.into_iter().zip(changed).filter(|(_, changed)| *changed);
    let second = match in_blocks {
        true => changes.fold(second, |second, (change, _)| change(second)),
        false => second.without_block_after(),
    };
    let company = fold(&gazette_facts([first, second])).expect("company record");
    // The same publication proves both.
    Company { data_quality_score: None, ..company }
}

#[test]
fn text_and_blocks_of_a_publication_give_the_same_record() {
    for texts in TEXTS {
        for set in 0_u8..32 {
            let changed = std::array::from_fn(|at| set >> at & 1 == 1);
            let (of_text, of_blocks) =
                (record(changed, texts, false), record(changed, texts, true));
            assert_eq!(of_text, of_blocks, "{changed:?} {}", texts[0]);
        }
    }
}

#[test]
fn addresses_of_texts_have_the_members_of_blocks() {
    let line = |text: &str| {
        let company = record_of_address(text);
        [
            company.address_care_of,
            company.address_street,
            company.address_house_number,
            company.address_addon,
            company.address_po_box,
            company.address_zip_code,
            company.address_city,
        ]
        .map(Option::unwrap_or_default)
    };
    for (text, expected) in [
        (
            "Domizil neu: Seestrasse 7a, 3600 Thun.",
            ["", "Seestrasse", "7a", "", "", "3600", "Thun"],
        ),
        (
            "Domizil neu: c/o Huber Treuhand AG, Seestrasse 7, 3600 Thun.",
            ["c/o Huber Treuhand AG", "Seestrasse", "7", "", "", "3600", "Thun"],
        ),
        (
            "Domizil neu: Seestrasse 7, Postfach 12, 8001 Zürich.",
            ["", "Seestrasse", "7", "", "Postfach 12", "8001", "Zürich"],
        ),
        (
            "Nouvelle adresse: Rue du Lac 5, Case postale, 1260 Nyon.",
            ["", "Rue du Lac", "5", "", "Case postale", "1260", "Nyon"],
        ),
        (
            "Nouvelle adresse: c/o Modèle SA, Avenue de la Gare 12-14, 1003 Lausanne.",
            ["c/o Modèle SA", "Avenue de la Gare", "12-14", "", "", "1003", "Lausanne"],
        ),
        (
            "Domizil neu: Technopark, Technoparkstrasse 1, 8005 Zürich.",
            ["", "Technoparkstrasse", "1", "Technopark", "", "8005", "Zürich"],
        ),
        (
            "Nouvelle adresse: chez Jean Dupont, Rue du Lac 5, 1260 Nyon.",
            ["chez Jean Dupont", "Rue du Lac", "5", "", "", "1260", "Nyon"],
        ),
        (
            "Nuovo recapito: Via Nassa 5, 6900 Lugano.",
            ["", "Via Nassa", "5", "", "", "6900", "Lugano"],
        ),
        (
            "Nuovo recapito: Contrada Maggiore, 6612 Ascona.",
            ["", "Contrada Maggiore", "", "", "", "6612", "Ascona"],
        ),
        // Without a post code, it is not certain what the parts are: the known address stays.
        ("Nouvelle adresse: rue du Lac 5.", ["", "Hirschengraben", "3", "", "", "6003", "Luzern"]),
    ] {
        assert_eq!(line(text), expected, "{text}");
    }
}

fn record_of_address(text: &str) -> Company {
    record([false, false, true, false, false], ["", "", text, "", ""], false)
}
