//! Members of a body with an office in it.

use super::{assert_stated, lines};

#[test]
fn several_persons_with_as_many_offices_have_one_each() {
    assert_stated(
        &[
            (
                "{A}, de {A o}, à {A r}, et {B}, de {B o}, à {B r}, sont élues présidente et secrétaire.",
                &["+ {A:} | présidente | ", "+ {B:} | secrétaire | "],
            ),
            (
                "{A}, von {A o}, in {A r}, und {B}, von {B o}, in {B r}, wurden als Präsident und Kassier gewählt.",
                &["+ {A:} | Präsident | ", "+ {B:} | Kassier | "],
            ),
            (
                "{A}, de {A o}, à {A r}, et {B}, de {B o}, à {B r}, sont élus vice-présidents et secrétaires.",
                &[
                    "+ {A:} | vice-président et secrétaire | ",
                    "+ {B:} | vice-président et secrétaire | ",
                ],
            ),
        ],
        lines,
    );
}

#[test]
fn a_member_with_an_office_is_both() {
    assert_stated(
        &[
            (
                "Nouveaux membres du conseil de fondation avec signature collective à deux: {A}, de {A o}, à {A r}, trésorier, et {B}, de {B o}, à {B r}.",
                &[
                    "+ {A:} | membre du conseil de fondation, trésorier | avec signature collective à deux",
                    "+ {B:} | membre du conseil de fondation | avec signature collective à deux",
                ],
            ),
            (
                "Associées-gérantes: {A}, de {A o}, à {A r}, présidente, pour 30 parts de CHF 100, et {B}, de {B o}, à {B r}, pour 70 parts de CHF 100, toutes deux avec signature individuelle.",
                &[
                    "+ {A:} | Associée-gérante, présidente | avec signature individuelle",
                    "+ {B:} | Associée-gérante | avec signature individuelle",
                ],
            ),
            (
                "Mitglieder des Verwaltungsrates: {A}, von {A o}, in {A r}, Präsidentin, mit Einzelunterschrift; {B}, von {B o}, in {B r}, mit Einzelprokura.",
                &[
                    "+ {A:} | Mitglied des Verwaltungsrates, Präsidentin | mit Einzelunterschrift",
                    "+ {B:} | Mitglied des Verwaltungsrates | mit Einzelprokura",
                ],
            ),
            (
                "Gérante: {A}, de {A o}, à {A r}, associée, avec signature individuelle.",
                &["+ {A:} | Gérante, associée | avec signature individuelle"],
            ),
            (
                "Administratrices: {A}, de {A o}, à {A r}, directrice, et {B}, de {B o}, à {B r}.",
                &["+ {A:} | Administratrice, directrice | ", "+ {B:} | Administratrice | "],
            ),
            (
                "Nuovi amministratori: {A}, da {A o}, in {A r}, segretario, con firma individuale.",
                &["+ {A:} | amministratore, segretario | con firma individuale"],
            ),
            (
                "{A}, de {A o}, à {A r}, caissière, et {B}, de {B o}, à {B r}, sont membres du comité avec signature collective à deux.",
                &[
                    "+ {A:} | membre du comité, caissière | avec signature collective à deux",
                    "+ {B:} | membre du comité | avec signature collective à deux",
                ],
            ),
            (
                "{A}, da {A o}, in {A r}, vicepresidente, è stato nominato membro del comitato.",
                &["+ {A:} | membro del comitato, vicepresidente | "],
            ),
            (
                "Sont nommés administrateurs: {A}, de {A o}, à {A r}, président, et {B}, de {B o}, à {B r}.",
                &["+ {A:} | administrateur, président | ", "+ {B:} | administrateur | "],
            ),
        ],
        lines,
    );
}

#[test]
fn a_member_who_gets_an_office_stays_a_member() {
    assert_stated(
        &[
            (
                "L'administratrice {A}, nommée secrétaire, signe désormais collectivement à deux.",
                &["~ {A:} | administratrice, secrétaire | collectivement à deux"],
            ),
            (
                "Le membre du conseil {A} est élu vice-président.",
                &["~ {A:} | membre du conseil, vice-président | "],
            ),
            (
                "L'amministratore {A} è nominato presidente.",
                &["~ {A:} | amministratore, presidente | "],
            ),
            (
                "L'administratrice {A} est nommée directrice.",
                &["~ {A:} | administratrice, directrice | "],
            ),
            (
                "L'administratrice {A}, présidente, signe désormais individuellement.",
                &["~ {A:} | administratrice, présidente | individuellement"],
            ),
            (
                "L'amministratore unico {A} è nominato presidente.",
                &["~ {A:} | amministratore, presidente | "],
            ),
            (
                "L'administrateur {A} est élu liquidateur et continue à signer individuellement.",
                &["~ {A:} | administrateur, liquidateur | individuellement"],
            ),
            (
                "Die Gesellschafterin und Geschäftsführerin {A} ist Liquidatorin und zeichnet einzeln.",
                &["~ {A:} | Gesellschafterin und Geschäftsführerin, Liquidatorin | einzeln"],
            ),
            (
                "Die bisherige Geschäftsführerin {A} ist Liquidatorin.",
                &["~ {A:} | Liquidatorin | "],
            ),
            ("{A}, jusqu'ici administrateur, est nommé président.", &["~ {A:} | président | "]),
            ("Le président {A} est désormais administrateur.", &["~ {A:} | administrateur | "]),
        ],
        lines,
    );
}

#[test]
fn a_member_with_an_office_who_leaves_had_both() {
    assert_stated(
        &[
            (
                "{A}, vice-président, n'est plus administrateur.",
                &["- {A:} | administrateur, vice-président | "],
            ),
            (
                "Les administratrices {A}, présidente, et {B} ont démissionné.",
                &["- {A:} | administratrice, présidente | ", "- {B:} | administratrice | "],
            ),
            (
                "{A}, trésorière, et {B}, secrétaire, ne sont plus membres du comité; leurs signatures sont radiées.",
                &[
                    "- {A:} | membre du comité, trésorière | ",
                    "- {B:} | membre du comité, secrétaire | ",
                ],
            ),
            (
                "Il vicepresidente {A} e {B}, segretaria, non sono più membri del comitato.",
                &[
                    "- {A:} | membro del comitato, vicepresidente | ",
                    "- {B:} | membro del comitato, segretaria | ",
                ],
            ),
            (
                "{A}, segretaria, e {B} non sono più membri del comitato.",
                &["- {A:} | membro del comitato, segretaria | ", "- {B:} | membro del comitato | "],
            ),
        ],
        lines,
    );
}

#[test]
fn the_body_that_a_person_leaves_is_no_office() {
    assert_stated(
        &[
            (
                "{A} et {B} se sont retirés du conseil de fondation.",
                &["- {A:} |  | ", "- {B:} |  | "],
            ),
            (
                "{A}, presidente, è uscito dal consiglio d'amministrazione; la sua firma è cancellata.",
                &["- {A:} | presidente | "],
            ),
            ("{A} ist aus dem Stiftungsrat ausgeschieden.", &["- {A:} |  | "]),
            (
                "Est sorti du comité {A}; y entre {B}, de {B o}, à {B r}, secrétaire.",
                &["- {A:} |  | ", "+ {B:} | secrétaire | "],
            ),
            (
                "L'administrateur {A} s'est retiré du conseil d'administration; il est nommé directeur avec signature individuelle.",
                &["~ {A:} | directeur | avec signature individuelle"],
            ),
            ("{A} ist nicht mehr Verwaltungsrat.", &["- {A:} | Verwaltungsrat | "]),
            (
                "Le membre de l'administration {A} signe désormais individuellement.",
                &["~ {A:} | membre de l'administration | individuellement"],
            ),
            (
                "Il membro del consiglio d'amministrazione {A} firma ora individualmente.",
                &["~ {A:} | membro del consiglio d'amministrazione | individualmente"],
            ),
        ],
        lines,
    );
}
