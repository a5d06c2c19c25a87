//! Clauses that say in one breath what is so and what is no longer so.

use super::{assert_stated, details::details, lines};

#[test]
fn only_who_is_named_after_no_longer_leaves() {
    assert_stated(
        &[
            (
                "L'organe de révision est Fidalp Audit SA, à {A r}, et non plus Contrex Révision Sàrl.",
                &[
                    "+ [Fidalp Audit SA] | organe de révision | ",
                    "- [Contrex Révision Sàrl] | organe de révision | ",
                ],
            ),
            (
                "L'organe de révision n'est plus Contrex Révision Sàrl, mais Fidalp Audit SA, à {A r}.",
                &[
                    "+ [Fidalp Audit SA] | organe de révision | ",
                    "- [Contrex Révision Sàrl] | organe de révision | ",
                ],
            ),
            (
                "Organe de révision: Fidalp Audit SA, à {A r}, et non plus Contrex Révision Sàrl.",
                &[
                    "+ [Fidalp Audit SA] | Organe de révision | ",
                    "- [Contrex Révision Sàrl] | Organe de révision | ",
                ],
            ),
            (
                "Fidalp Audit SA, à {A r}, est organe de révision en lieu et place de Contrex Révision Sàrl.",
                &[
                    "+ [Fidalp Audit SA] | organe de révision | ",
                    "- [Contrex Révision Sàrl] | organe de révision | ",
                ],
            ),
            (
                "Revisionsstelle ist die Aaretal Treuhand AG, in {A r}, und nicht mehr die Emmen Revisions GmbH.",
                &[
                    "+ [Aaretal Treuhand AG] | Revisionsstelle | ",
                    "- [Emmen Revisions GmbH] | Revisionsstelle | ",
                ],
            ),
            (
                "Nicht mehr die Emmen Revisions GmbH, sondern neu die Aaretal Treuhand AG, in {A r}, ist Revisionsstelle.",
                &[
                    "+ [Aaretal Treuhand AG] | Revisionsstelle | ",
                    "- [Emmen Revisions GmbH] | Revisionsstelle | ",
                ],
            ),
            (
                "Ufficio di revisione non è più Fidinvest Sagl, bensì Ceresio Revisioni SA, in {A r}.",
                &[
                    "+ [Ceresio Revisioni SA] | Ufficio di revisione | ",
                    "- [Fidinvest Sagl] | Ufficio di revisione | ",
                ],
            ),
            (
                "L'ufficio di revisione è Ceresio Revisioni SA, in {A r}, e non più Fidinvest Sagl.",
                &[
                    "+ [Ceresio Revisioni SA] | ufficio di revisione | ",
                    "- [Fidinvest Sagl] | ufficio di revisione | ",
                ],
            ),
            (
                "Le président est {A}, de {A o}, à {A r}, et non plus {B}.",
                &["+ {A:} | président | ", "- {B:} | président | "],
            ),
            (
                "Nicht mehr {B}, sondern {A}, von {A o}, in {A r}, ist Präsident.",
                &["+ {A:} | Präsident | ", "- {B:} | Präsident | "],
            ),
            (
                "Gerente non è più {B}, bensì {A}, da {A o}, in {A r}.",
                &["+ {A:} | Gerente | ", "- {B:} | Gerente | "],
            ),
        ],
        |text| {
            let mut found = lines(text);
            found.sort();
            found
        },
    );
}

#[test]
fn another_office_or_signature_is_no_departure() {
    assert_stated(
        &[
            ("{A} est administrateur et non plus président.", &["~ {A:} | administrateur | "]),
            ("{A} ist nicht mehr Präsident, sondern Mitglied.", &["~ {A:} | Mitglied | "]),
            ("{A} ist Mitglied und nicht mehr Präsident.", &["~ {A:} | Mitglied | "]),
            ("{A} non è più presidente bensì membro.", &["~ {A:} | membro | "]),
            (
                "{A}, président et non plus secrétaire, signe individuellement.",
                &["~ {A:} | président | individuellement"],
            ),
            (
                "{A}, administrateur, ne signe plus individuellement mais collectivement à deux.",
                &["~ {A:} | administrateur | collectivement à deux"],
            ),
            (
                "{A} signe désormais collectivement à deux et non plus individuellement.",
                &["~ {A:} |  | collectivement à deux"],
            ),
            (
                "La signature de {A} est désormais collective à deux et non plus individuelle.",
                &["~ {A:} |  | signature collective à deux"],
            ),
            (
                "La signature individuelle de {A} est remplacée par une signature collective à deux.",
                &["~ {A:} |  | signature collective à deux"],
            ),
            (
                "{A}, Mitglied, zeichnet nicht mehr einzeln, sondern kollektiv zu zweien.",
                &["~ {A:} | Mitglied | kollektiv zu zweien"],
            ),
            (
                "{A} zeichnet neu kollektiv zu zweien und nicht mehr einzeln.",
                &["~ {A:} |  | kollektiv zu zweien"],
            ),
            (
                "{A} und {B} zeichnen nicht mehr kollektiv zu zweien, sondern einzeln.",
                &["~ {A:} |  | einzeln", "~ {B:} |  | einzeln"],
            ),
            (
                "Die Einzelunterschrift von {A} ist in eine Kollektivunterschrift zu zweien umgewandelt worden.",
                &["~ {A:} |  | Kollektivunterschrift zu zweien"],
            ),
            (
                "{A}, membro, non firma più individualmente ma collettivamente a due.",
                &["~ {A:} | membro | collettivamente a due"],
            ),
            (
                "{A} firma ora collettivamente a due e non più individualmente.",
                &["~ {A:} |  | collettivamente a due"],
            ),
            (
                "La firma individuale di {A} è modificata in firma collettiva a due.",
                &["~ {A:} |  | firma collettiva a due"],
            ),
            (
                "La société Modelo SA (CHE-600.000.012), à {B r}, acquiert les 20 parts de {A}, qui n'est plus associé mais reste gérant.",
                &["+ [Modelo SA] |  | ", "~ {A:} | gérant | "],
            ),
            (
                "{A} n'est plus administrateur mais conserve la signature individuelle.",
                &["~ {A:} |  | signature individuelle"],
            ),
            (
                "{A} n'est plus président mais reste administrateur, {B}, jusqu'ici secrétaire, est nommée présidente, et {C}, de {C o}, à {C r}, est nommé secrétaire.",
                &["~ {A:} | administrateur | ", "~ {B:} | présidente | ", "+ {C:} | secrétaire | "],
            ),
        ],
        lines,
    );
}

#[test]
fn another_residence_is_no_departure() {
    assert_stated(
        &[
            ("{A} n'est plus domicilié à {B r}, mais à {C r}.", &["~ {A:} |  | {C r} | "]),
            ("{A} ist nicht mehr in {B r}, sondern in {C r} wohnhaft.", &["~ {A:} |  | {C r} | "]),
            ("{A} non è più domiciliato a {B r} ma a {C r}.", &["~ {A:} |  | {C r} | "]),
            (
                "L'administrateur {A} est désormais domicilié à {C r} et l'administratrice {B} à {B r}.",
                &["~ {A:} |  | {C r} | ", "~ {B:} |  | {B r} | "],
            ),
        ],
        details,
    );
}

#[test]
fn lists_state_only_what_is_so() {
    assert_stated(
        &[
            (
                "Eingetragene Personen neu oder mutierend: {A:}, von {A o}, in {A r}, Mitglied und nicht mehr Präsident, mit Kollektivunterschrift zu zweien.",
                &["+ {A:} | Mitglied | mit Kollektivunterschrift zu zweien"],
            ),
            (
                "Inscription ou modification de personnes: {A:}, de {A o}, à {A r}, administrateur et non plus président, avec signature collective à deux.",
                &["+ {A:} | administrateur | avec signature collective à deux"],
            ),
            (
                "Nuove persone iscritte o modifiche: {A:}, da {A o}, in {A r}, membro e non più presidente, con firma collettiva a due.",
                &["+ {A:} | membro | con firma collettiva a due"],
            ),
        ],
        lines,
    );
}

#[test]
fn who_keeps_something_does_not_leave() {
    assert_stated(
        &[
            ("{A} cessa dalla carica di presidente rimanendo membro.", &["~ {A:} | membro | "]),
            (
                "{A} cesse d'être président, tout en restant administrateur.",
                &["~ {A:} | administrateur | "],
            ),
            ("{A}, associé gérant, n'est plus gérant.", &["~ {A:} | associé | "]),
            (
                "{A}, Gesellschafter und Geschäftsführer, ist nicht mehr Geschäftsführer.",
                &["~ {A:} | Gesellschafter | "],
            ),
            ("{A}, socio e gerente, non è più gerente.", &["~ {A:} | socio | "]),
            (
                "La signature collective à deux conférée à {A} est supprimée et remplacée par la signature individuelle.",
                &["~ {A:} |  | signature individuelle"],
            ),
            ("{A}, radiée comme directrice, est nommée administratrice.", &[]),
            (
                "{A} est élu président; {B} est élue secrétaire; ils signent collectivement à deux.",
                &[
                    "~ {A:} | président | collectivement à deux",
                    "~ {B:} | secrétaire | collectivement à deux",
                ],
            ),
            ("{A} est confirmé comme administrateur.", &["~ {A:} | administrateur | "]),
        ],
        lines,
    );
}

#[test]
fn each_person_of_a_sentence_gets_only_the_own_statement() {
    assert_stated(
        &[
            (
                "{A} signe désormais individuellement, {B} collectivement à deux.",
                &["~ {A:} |  | individuellement", "~ {B:} |  | collectivement à deux"],
            ),
            (
                "{A} zeichnet neu einzeln, {B} kollektiv zu zweien.",
                &["~ {A:} |  | einzeln", "~ {B:} |  | kollektiv zu zweien"],
            ),
            (
                "{A} firma individualmente, {B} collettivamente a due.",
                &["~ {A:} |  | individualmente", "~ {B:} |  | collettivamente a due"],
            ),
            (
                "{A} est radié et {B}, de {B o}, à {B r}, nommée présidente.",
                &["- {A:} |  | ", "+ {B:} | présidente | "],
            ),
            (
                "{A} n'étant plus gérante, {B} signe désormais individuellement.",
                &["- {A:} | gérante | ", "~ {B:} |  | individuellement"],
            ),
            ("{A} et {B} sont respectivement président et secrétaire.", &[]),
            (
                "La communauté héréditaire de {A}, représentée par {B}, est associée pour 20 parts de CHF 1'000.",
                &[],
            ),
        ],
        lines,
    );
}
