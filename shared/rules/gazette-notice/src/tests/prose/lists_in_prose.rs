//! Lists under the name of an office that describe changes of its holders, and holders without places.

use super::{lines, notice};

fn assert_lines(cases: &[(&str, &[&str])]) {
    let wrong: Vec<String> = cases
        .iter()
        .map(|(text, expected)| (text, lines(&notice(text)), expected))
        .filter(|(_, stated, expected)| stated != *expected)
        .map(|(text, stated, expected)| {
            format!("{text}\n    {stated:?}\n    instead of {expected:?}")
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn holders_without_places_are_distinguished() {
    assert_lines(&[
        (
            "Gérants: Favre Jean, président, et Rochat Anne, tous deux avec signature collective à deux.",
            &[
                "+ Favre, Jean | Gérant, président | avec signature collective à deux",
                "+ Rochat, Anne | Gérant | avec signature collective à deux",
            ],
        ),
        (
            "Gérants: Favre Jean, président, Rochat Anne et Blanc Luc, de Vevey, à Pully, tous avec signature collective à deux.",
            &[
                "+ Favre, Jean | Gérant, président | avec signature collective à deux",
                "+ Rochat, Anne | Gérant | avec signature collective à deux",
                "+ Blanc, Luc | Gérant | avec signature collective à deux",
            ],
        ),
        (
            "Verwaltungsrat: Keller Hans, Präsident, und Meier Anna, Mitglied, beide mit Einzelunterschrift.",
            &[
                "+ Keller, Hans | Präsident | mit Einzelunterschrift",
                "+ Meier, Anna | Mitglied | mit Einzelunterschrift",
            ],
        ),
        (
            "Consiglio di amministrazione: Rossi Luca, presidente, e Bianchi Anna, membro, entrambi con firma individuale.",
            &[
                "+ Rossi, Luca | presidente | con firma individuale",
                "+ Bianchi, Anna | membro | con firma individuale",
            ],
        ),
    ]);
    let firm = "Associés: Meier Hans, pour 150 parts de CHF 100, gérant avec signature individuelle, et Modèle Holding Sàrl (CHE-105.805.080), à Sion, pour 50 parts de CHF 100.";
    let stated = lines(&notice(firm));
    assert_eq!(stated.len(), 2, "{stated:?}");
    assert_eq!(stated[1], "+ [Modèle Holding Sàrl] | Associé | ");
}

#[test]
fn list_that_tells_what_happened_is_read_as_prose() {
    assert_lines(&[
        (
            "Administration: Meier Hans, jusqu'ici président, reste administrateur et continue à signer individuellement; Keller Anna, jusqu'ici membre, est élue présidente et signe individuellement.",
            &[
                "~ Meier, Hans | administrateur | individuellement",
                "~ Keller, Anna | présidente | individuellement",
            ],
        ),
        (
            "Administration: Meier Hans n'est plus que membre et continue à signer collectivement à deux.",
            &["~ Meier, Hans | membre | collectivement à deux"],
        ),
        (
            "Administration: Meier Hans a démissionné; Keller Anna est désormais administratrice unique.",
            &["- Meier, Hans |  | ", "~ Keller, Anna | administratrice unique | "],
        ),
        (
            "Verwaltungsrat: Meier Hans ist nicht mehr Präsident, bleibt Mitglied und zeichnet neu mit Einzelunterschrift; Keller Anna ist zur Präsidentin ernannt worden.",
            &[
                "~ Meier, Hans | Mitglied | mit Einzelunterschrift",
                "~ Keller, Anna | Präsidentin | ",
            ],
        ),
        (
            "Consiglio di amministrazione: Rossi Luca rimane membro e firma ora individualmente; Bianchi Anna è nominata presidente.",
            &["~ Rossi, Luca | membro | individualmente", "~ Bianchi, Anna | presidente | "],
        ),
        // Others in the list are new.
        (
            "Associés-gérants: Meier Hans, qui reste associé mais n'est plus gérant, et Frei Luc, de Bulle, à Bulle, avec signature individuelle.",
            &[
                "~ Meier, Hans | associé | ",
                "+ Frei, Luc | Associé-gérant | avec signature individuelle",
            ],
        ),
    ]);
}

#[test]
fn first_and_second_of_two_persons_have_their_own_signatures() {
    assert_lines(&[
        (
            "Meier Hans et Frei Urs, de Bern, à Bern, sont nommés administrateurs, le premier avec signature individuelle, le second avec signature collective à deux.",
            &[
                "~ Meier, Hans | administrateur | avec signature individuelle",
                "+ Frei, Urs | administrateur | avec signature collective à deux",
            ],
        ),
        (
            "Meier Hans et Frei Urs, de Bern, à Bern, sont nommés administrateurs, le premier président, avec signature individuelle, le second secrétaire, avec signature collective à deux.",
            &[
                "~ Meier, Hans | administrateur | avec signature individuelle",
                "+ Frei, Urs | administrateur | avec signature collective à deux",
            ],
        ),
        (
            "Meier Hans und Frei Urs, von Bern, in Bern, sind Geschäftsführer, der erste mit Einzelunterschrift, der zweite mit Kollektivunterschrift zu zweien.",
            &[
                "~ Meier, Hans | Geschäftsführer | mit Einzelunterschrift",
                "+ Frei, Urs | Geschäftsführer | mit Kollektivunterschrift zu zweien",
            ],
        ),
    ]);
}

#[test]
fn second_function_has_its_own_signature() {
    assert_lines(&[
        (
            "Eingetragene Personen: Frei, Urs, von Bern, in Zürich, Gesellschafter mit einem Stammanteil von CHF 20'000.00, ohne Zeichnungsberechtigung, und Geschäftsführer mit Einzelunterschrift.",
            &["+ Frei, Urs | Gesellschafter, Geschäftsführer | mit Einzelunterschrift"],
        ),
        (
            "Eingetragene Personen: Frei, Urs, von Bern, in Zürich, Gesellschafter, ohne Zeichnungsberechtigung, sowie Geschäftsführer mit Einzelunterschrift.",
            &["+ Frei, Urs | Gesellschafter, Geschäftsführer | mit Einzelunterschrift"],
        ),
        (
            "Inscription ou modification de personnes: Frei, Urs, de Berne, à Bulle, associé pour une part de CHF 20'000, sans signature, ainsi que gérant avec signature individuelle.",
            &["+ Frei, Urs | associé, gérant | avec signature individuelle"],
        ),
        (
            "Nuove persone iscritte o modifiche: Frei, Urs, da Berna, in Lugano, socio con una quota da CHF 20'000.00, senza diritto di firma, e gerente con firma individuale.",
            &["+ Frei, Urs | socio, gerente | con firma individuale"],
        ),
    ]);
}
