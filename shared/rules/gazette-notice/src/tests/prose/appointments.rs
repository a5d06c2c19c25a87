//! Persons who get an office.

use super::{assert_stated, lines};

#[test]
fn inverted_and_passive_appointments_are_read() {
    assert_stated(
        &[
            (
                "Zum Geschäftsführer wurde {A}, von {A o}, in {A r}, gewählt.",
                &["+ {A:} | Geschäftsführer | "],
            ),
            (
                "Zum Geschäftsführer wurde gewählt: {A}, von {A o}, in {A r}, mit Einzelunterschrift.",
                &["+ {A:} | Geschäftsführer | mit Einzelunterschrift"],
            ),
            (
                "Als Mitglied des Verwaltungsrates wurde neu {A}, von {A o}, in {A r}, gewählt; Kollektivunterschrift zu zweien.",
                &["+ {A:} | Mitglied des Verwaltungsrates | Kollektivunterschrift zu zweien"],
            ),
            (
                "Neu gehört dem Verwaltungsrat an: niemand. Gewählt wurde als Präsidentin {A}, von {A o}, in {A r}.",
                &["+ {A:} | Präsidentin | "],
            ),
            (
                "A été nommé administrateur {A}, de {A o}, à {A r}, avec signature individuelle.",
                &["+ {A:} | administrateur | avec signature individuelle"],
            ),
            (
                "Est nommée gérante avec signature collective à deux {A}, de {A o}, à {A r}.",
                &["+ {A:} | gérante | avec signature collective à deux"],
            ),
            (
                "Sont nommés administrateurs: {A}, de {A o}, à {A r}, et {B}, de {B o}, à {B r}, avec signature collective à deux.",
                &[
                    "+ {A:} | administrateur | avec signature collective à deux",
                    "+ {B:} | administrateur | avec signature collective à deux",
                ],
            ),
            (
                "{A}, de {A o}, à {A r}, a été élu président du conseil d'administration.",
                &["+ {A:} | président du conseil d'administration | "],
            ),
            (
                "È stato nominato amministratore unico {A}, da {A o}, in {A r}, con firma individuale.",
                &["+ {A:} | amministratore unico | con firma individuale"],
            ),
            (
                "Quale nuovo gerente è stato eletto {A}, da {A o}, in {A r}, con firma individuale.",
                &["+ {A:} | gerente | con firma individuale"],
            ),
            (
                "{A}, da {A o}, in {A r}, è stata nominata membro del consiglio di amministrazione con firma collettiva a due.",
                &["+ {A:} | membro del consiglio di amministrazione | con firma collettiva a due"],
            ),
            (
                "Sono stati eletti membri {A}, da {A o}, in {A r}, e {B}, da {B o}, in {B r}, entrambi con firma collettiva a due.",
                &[
                    "+ {A:} | membro | con firma collettiva a due",
                    "+ {B:} | membro | con firma collettiva a due",
                ],
            ),
        ],
        lines,
    );
}

#[test]
fn office_before_the_name_is_read() {
    assert_stated(
        &[
            (
                "Neuer Verwaltungsratspräsident ist {A}, von {A o}, in {A r}, mit Einzelunterschrift.",
                &["+ {A:} | Verwaltungsratspräsident | mit Einzelunterschrift"],
            ),
            (
                "Präsident ist {A}, von {A o}, in {A r}; Sekretärin ist {B}, von {B o}, in {B r}.",
                &["+ {A:} | Präsident | ", "+ {B:} | Sekretärin | "],
            ),
            (
                "Der Geschäftsführer {A} zeichnet neu mit Einzelunterschrift.",
                &["~ {A:} | Geschäftsführer | mit Einzelunterschrift"],
            ),
            (
                "L'administrateur unique {A} signe désormais individuellement.",
                &["~ {A:} | administrateur unique | individuellement"],
            ),
            ("Le gérant {A} est démissionnaire.", &["- {A:} | gérant | "]),
            (
                "Nouvel administrateur: {A}, de {A o}, à {A r}, avec signature individuelle.",
                &["+ {A:} | administrateur | avec signature individuelle"],
            ),
            ("Il presidente {A} è dimissionario.", &["- {A:} | presidente | "]),
            (
                "L'amministratrice unica {A} ha lasciato la carica.",
                &["- {A:} | amministratrice unica | "],
            ),
            (
                "Nuovo presidente è {A}, da {A o}, in {A r}, con firma individuale.",
                &["+ {A:} | presidente | con firma individuale"],
            ),
        ],
        lines,
    );
}

#[test]
fn several_offices_before_a_signature_are_no_part_of_it() {
    assert_stated(
        &[
            (
                "{A}, de {A o}, à {A r}, est nommé administrateur, président et directeur avec signature individuelle.",
                &["+ {A:} | administrateur, président et directeur | avec signature individuelle"],
            ),
            (
                "{A}, von {A o}, in {A r}, ist Präsident, Mitglied der Direktion mit Kollektivunterschrift zu zweien.",
                &[
                    "+ {A:} | Präsident, Mitglied der Direktion | mit Kollektivunterschrift zu zweien",
                ],
            ),
            (
                "{A}, da {A o}, in {A r}, è nominato presidente, direttore con firma individuale.",
                &["+ {A:} | presidente, direttore | con firma individuale"],
            ),
        ],
        lines,
    );
}

#[test]
fn coordinated_names_share_one_verb() {
    assert_stated(
        &[
            (
                "{A}, von {A o}, in {A r}, und {B}, von {B o}, in {B r}, sind neu Mitglieder des Verwaltungsrates mit Kollektivunterschrift zu zweien.",
                &[
                    "+ {A:} | Mitglied des Verwaltungsrates | mit Kollektivunterschrift zu zweien",
                    "+ {B:} | Mitglied des Verwaltungsrates | mit Kollektivunterschrift zu zweien",
                ],
            ),
            (
                "{A}, von {A o}, in {A r}, Präsident, und {B}, von {B o}, in {B r}, zeichnen beide mit Einzelunterschrift.",
                &[
                    "+ {A:} | Präsident | mit Einzelunterschrift",
                    "+ {B:} |  | mit Einzelunterschrift",
                ],
            ),
            (
                "{A}, von {A o}, in {A r}, {B}, von {B o}, in {B r}, und {C}, von {C o}, in {C r}, wurden als Mitglieder gewählt, alle mit Kollektivunterschrift zu zweien.",
                &[
                    "+ {A:} | Mitglied | mit Kollektivunterschrift zu zweien",
                    "+ {B:} | Mitglied | mit Kollektivunterschrift zu zweien",
                    "+ {C:} | Mitglied | mit Kollektivunterschrift zu zweien",
                ],
            ),
            (
                "{A}, de {A o}, à {A r}, et {B}, de {B o}, à {B r}, sont administrateurs, tous deux avec signature individuelle.",
                &[
                    "+ {A:} | administrateur | avec signature individuelle",
                    "+ {B:} | administrateur | avec signature individuelle",
                ],
            ),
            (
                "{A} et {B}, tous deux de {A o}, à {A r}, sont nommés gérants.",
                &["+ {A:} | gérant | ", "+ {B:} | gérant | "],
            ),
            ("{A} et {B} ont démissionné.", &["- {A:} |  | ", "- {B:} |  | "]),
            (
                "{A}, da {A o}, in {A r}, e {B}, da {B o}, in {B r}, sono nuovi gerenti, entrambi con firma individuale.",
                &[
                    "+ {A:} | gerente | con firma individuale",
                    "+ {B:} | gerente | con firma individuale",
                ],
            ),
            ("{A} e {B} non sono più membri.", &["- {A:} | membro | ", "- {B:} | membro | "]),
            (
                "{A}, von {A o}, in {A r}, ist Präsident, und {B}, von {B o}, in {B r}, ist Mitglied.",
                &["+ {A:} | Präsident | ", "+ {B:} | Mitglied | "],
            ),
        ],
        lines,
    );
}

#[test]
fn bodies_before_a_colon_are_headings() {
    assert_stated(
        &[
            (
                "Administration: {A}, de {A o}, à {A r}, président, et {B}, de {B o}, à {B r}, lesquels signent collectivement à deux.",
                &[
                    "+ {A:} | président | collectivement à deux",
                    "+ {B:} | Administration | collectivement à deux",
                ],
            ),
            (
                "Organe: {A}, de {A o}, à {A r}, administrateur, avec signature individuelle.",
                &["+ {A:} | administrateur | avec signature individuelle"],
            ),
            (
                "Organe: {A}, von {A o}, in {A r}, Präsident; {B}, von {B o}, in {B r}, Mitglied.",
                &["+ {A:} | Präsident | ", "+ {B:} | Mitglied | "],
            ),
            (
                "Organi: {A}, da {A o}, in {A r}, gerente, con firma individuale.",
                &["+ {A:} | gerente | con firma individuale"],
            ),
            (
                "Gérance: {A}, de {A o}, à {A r}, avec signature individuelle.",
                &["+ {A:} | Gérance | avec signature individuelle"],
            ),
            (
                "Amministrazione: {A}, da {A o}, in {A r}, presidente, con firma individuale.",
                &["+ {A:} | presidente | con firma individuale"],
            ),
        ],
        lines,
    );
}

#[test]
fn relative_clauses_are_no_function() {
    assert_stated(
        &[
            (
                "{A}, de {A o}, à {A r}, est nommé gérant en remplacement de {B}, démissionnaire, dont la signature est radiée.",
                &["+ {A:} | gérant | ", "- {B:} |  | "],
            ),
            (
                "{A}, de {A o}, à {A r}, est administrateur, qui signe individuellement.",
                &["+ {A:} | administrateur | individuellement"],
            ),
            (
                "{A}, von {A o}, in {A r}, der bisher nicht eingetragen war, ist Präsident.",
                &["+ {A:} | Präsident | "],
            ),
            (
                "Anstelle des ausgeschiedenen {B} wurde {A}, von {A o}, in {A r}, zum Präsidenten gewählt.",
                &["+ {A:} | Präsident | ", "- {B:} |  | "],
            ),
            (
                "{A}, da {A o}, in {A r}, è nominato gerente in sostituzione di {B}, dimissionario, i cui poteri sono estinti.",
                &["+ {A:} | gerente | ", "- {B:} |  | "],
            ),
            (
                "{A}, da {A o}, in {A r}, che firma individualmente, è nuovo gerente.",
                &["+ {A:} | gerente | individualmente"],
            ),
        ],
        lines,
    );
}
