//! Further formulas of the offices that write prose.

use super::{assert_stated, lines};

#[test]
fn formulas_of_the_offices_are_read() {
    assert_stated(
        &[
            (
                "{A}, nommé président, et {B}, nommée secrétaire, restent membres du conseil d'administration et continuent de signer collectivement à deux.",
                &[
                    "~ {A:} | président, membre du conseil d'administration | collectivement à deux",
                    "~ {B:} | secrétaire, membre du conseil d'administration | collectivement à deux",
                ],
            ),
            (
                "L'associé gérant {A} a cédé ses 10 parts de CHF 1'000 à {B}, de France, à Annemasse, F, nouvelle associée gérante avec signature individuelle.",
                &[
                    "~ {A:} | associé gérant | ",
                    "+ {B:} | associée gérante | avec signature individuelle",
                ],
            ),
            (
                "{A}, de {A o}, à {A r}, est fondé de procuration avec signature collective à deux.",
                &["+ {A:} | fondé de procuration | avec signature collective à deux"],
            ),
            (
                "Procuration collective à deux, limitée à la succursale, a été conférée à {A}, de {A o}, à {A r}.",
                &["+ {A:} |  | Procuration collective à deux, limitée à la succursale"],
            ),
            (
                "{A}, dont la procuration est radiée, est nommé directeur et signe collectivement à deux.",
                &["~ {A:} | directeur | collectivement à deux"],
            ),
            (
                "{A}, jusqu'ici directrice, quitte ses fonctions et reste administratrice avec signature collective à deux.",
                &["~ {A:} | administratrice | avec signature collective à deux"],
            ),
            (
                "{A} ist aus dem Vorstand ausgeschieden; an ihrer Stelle wurde {B}, von {B o}, in {B r}, gewählt.",
                &["- {A:} |  | ", "+ {B:} | Vorstand | "],
            ),
            (
                "Der Geschäftsführer {A} führt anstelle der Einzelunterschrift nun Kollektivunterschrift zu zweien.",
                &["~ {A:} | Geschäftsführer | Kollektivunterschrift zu zweien"],
            ),
            (
                "{A} wurde die Einzelunterschrift entzogen; er zeichnet kollektiv zu zweien.",
                &["~ {A:} |  | kollektiv zu zweien"],
            ),
            (
                "{A} wird neu als Präsident im Handelsregister eingetragen.",
                &["~ {A:} | Präsident | "],
            ),
            (
                "Contrex Révision Sàrl n'est plus organe de révision; elle est remplacée par Fidalp Audit SA, à {A r}.",
                &[
                    "- [Contrex Révision Sàrl] | organe de révision | ",
                    "+ [Fidalp Audit SA] | organe de révision | ",
                ],
            ),
            (
                "{A}, finora vicepresidente, assume la carica di presidente mantenendo la firma collettiva a due.",
                &["~ {A:} | presidente | firma collettiva a due"],
            ),
            (
                "{A} non fa più parte del consiglio di amministrazione e i suoi poteri sono estinti.",
                &["- {A:} |  | "],
            ),
            ("Il diritto di firma di {A} è estinto.", &["- {A:} |  | diritto di firma"]),
            (
                "A {A}, da {A o}, in {A r}, è stata concessa la firma individuale.",
                &["+ {A:} |  | firma individuale"],
            ),
            (
                "{A}, socio, titolare di 10 quote da CHF 1'000.00, è nominato gerente con firma individuale.",
                &["~ {A:} | socio, gerente | con firma individuale"],
            ),
        ],
        lines,
    );
}
