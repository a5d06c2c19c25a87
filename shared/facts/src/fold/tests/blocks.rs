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

/// The block of the company after these changes. The full stop of the sentence is no part of a purpose.
fn block(mut block: Value, changed: &[bool; 5]) -> Value {
    let at = |changed: bool, old: &'static str, new: &'static str| if changed { new } else { old };
    let company = &mut block["company"];
    company["name"] = json!(at(changed[0], "Muster AG", "Neumuster AG"));
    company["seat"] = json!(at(changed[1], "Luzern", "Sursee"));
    company["address"] = json!({
        "street": at(changed[2], "Hirschengraben", "Bahnhofstrasse"),
        "houseNumber": at(changed[2], "3", "7"),
        "swissZipCode": at(changed[2], "6003", "6210"),
        "town": at(changed[2], "Luzern", "Sursee"),
    });
    block["purpose"] = json!(at(changed[3], "Betrieb einer Bäckerei.", "Handel mit Möbeln"));
    block["capital"] = json!({ "nominal": at(changed[4], "100000", "250000") });
    block
}

/// The record after a registration and a mutation with these changes. `in_blocks`: the block of the new state says them, the text
/// does not.
fn record(changed: [bool; 5], texts: [&str; 5], in_blocks: bool) -> Company {
    let unchanged = [false; 5];
    let mut first = registration(1, "2020-03-02", "");
    first["content"]["commonsNew"] = block(first["content"]["commonsNew"].clone(), &unchanged);
    let stated = texts.into_iter().zip(changed).filter(|(_, changed)| *changed && !in_blocks);
    let text: Vec<&str> = stated.map(|(text, _)| text).collect();
    let mut second = mutation(2, "2021-05-03", &text.join(" "));
    let base = second["content"]["commonsActual"].clone();
    second["content"]["commonsActual"] = block(base.clone(), &unchanged);
    second["content"]["commonsNew"] = if in_blocks { block(base, &changed) } else { Value::Null };
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
