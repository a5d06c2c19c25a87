//! Changes of the articles of association, and corrections of earlier notices.

use jiff::civil::{Date, date};

use crate::*;

const HEADERS: [&str; 3] = [
    "Muster AG, in Bern, CHE-600.000.012, Aktiengesellschaft (SHAB Nr. 2 vom 06.01.2026, Publ. 1000000001). ",
    "Muster SA, à Genève, CHE-600.000.012 (FOSC du 06.01.2026, p. 0/1000000001). ",
    "Muster SA, in Lugano, CHE-600.000.012 (FUSC no. 2 del 06.01.2026, Pubbl. 1000000001). ",
];

/// The text alone, and after each header and before another sentence.
fn variants(text: &str) -> Vec<String> {
    let notices = HEADERS
        .iter()
        .flat_map(|header| [format!("{header}{text}"), format!("{header}{text} Sitz neu: Thun.")]);
    notices.collect()
}

/// The days on which the articles changed.
fn statutes(text: &str) -> Vec<Option<Date>> {
    let days = read(text).changes.into_iter().filter_map(|it| match it {
        Change::Statutes { on } => Some(on),
        _ => None,
    });
    days.collect()
}

fn is_correction(text: &str) -> bool {
    read(text).changes.contains(&Change::Correction)
}

#[test]
fn day_on_which_the_articles_changed_is_read_in_three_languages() {
    const DAYS: [(&str, (i16, i8, i8)); 4] = [
        ("12.03.2014", (2014, 3, 12)),
        ("5. 1. 1999", (1999, 1, 5)),
        ("3. Mai 2016", (2016, 5, 3)),
        ("31 octobre 2016", (2016, 10, 31)),
    ];
    for template in [
        "Statutenänderung: {}.",
        "Statutendatum: {}.",
        "Statuten vom {}.",
        "Die Statuten wurden am {} geändert.",
        "Am {} wurden die Statuten in nicht publikationspflichtigen Punkten geändert.",
        "Mit Beschluss vom {} hat die Generalversammlung die Statuten revidiert.",
        "Mit Statutenänderung vom {} wurde die Bestimmung über die Sacheinlage aufgehoben.",
        "Gemäss Statutenänderung vom {} ist die Vinkulierung aufgehoben.",
        "Änderung der Stiftungsurkunde: {}.",
        "Statuts modifiés le {}.",
        "Statuts: {}.",
        "Nouveaux statuts du {}.",
        "Les statuts ont été modifiés le {} sur des points non soumis à publication.",
        "Modification des statuts le {}.",
        "Par décision du {}, l'assemblée générale a révisé les statuts.",
        "Modifica dello statuto: {}.",
        "Statuti modificati il {}.",
        "Lo statuto è stato modificato il {}.",
        "Nuovo statuto del {}.",
        "Statuto del {}.",
    ] {
        for (written, (year, month, day)) in DAYS {
            for text in variants(&template.replace("{}", written)) {
                assert_eq!(statutes(&text), [Some(date(year, month, day))], "{text}");
            }
        }
    }
}

#[test]
fn several_days_are_several_changes_and_a_change_without_a_day_has_none() {
    let two = [Some(date(2015, 2, 1)), Some(date(2015, 4, 3))];
    for text in [
        "Statutenänderung: 01.02.2015, 03.04.2015.",
        "Statutenänderung: 01.02.2015 und 03.04.2015.",
        "Statuts modifiés les 01.02.2015 et 03.04.2015.",
        "Modifica dello statuto: 01.02.2015 e 03.04.2015.",
    ] {
        assert_eq!(statutes(text), two, "{text}");
    }
    // The year, or also the month, is stated once.
    let shortened = [Some(date(2023, 2, 15)), Some(date(2023, 3, 20))];
    for text in [
        "Statuts modifiés les 15 février et 20 mars 2023.",
        "Statuts du 31 octobre 2016, modifiés en dernier lieu les 15 février et 20 mars 2023.",
        "Statutenänderung: 15. Februar und 20. März 2023.",
        "Statutenänderung: 15.02. und 20.03.2023.",
        "Statuti modificati il 15 febbraio e 20 marzo 2023.",
    ] {
        assert_eq!(statutes(text), shortened, "{text}");
    }
    let in_march = [Some(date(2023, 3, 15)), Some(date(2023, 3, 20))];
    for text in [
        "Statuts modifiés les 15 et 20 mars 2023.",
        "Die Statuten wurden am 15. und 20. März 2023 geändert.",
        "Statuti modificati il 15 e 20 marzo 2023.",
    ] {
        assert_eq!(statutes(text), in_march, "{text}");
    }
    // The first date is that of the original articles.
    for text in [
        "Statuts: 31 octobre 2016, modifiés le 15 février 2023.",
        "Statuts: 31 octobre 2016, révisés en dernier lieu le 15 février 2023.",
        "Statuten: 31.10.2016, geändert am 15.02.2023.",
        "Statuten: 31.10.2016, zuletzt geändert am 15.02.2023.",
        "Statuti: 31 ottobre 2016, modificati il 15 febbraio 2023.",
        "Statuto: 31 ottobre 2016, modificato da ultimo il 15 febbraio 2023.",
    ] {
        assert_eq!(statutes(text), [Some(date(2023, 2, 15))], "{text}");
    }
    for text in
        ["Die Statuten wurden geändert.", "Statuts modifiés.", "Lo statuto è stato modificato."]
    {
        for text in variants(text) {
            assert_eq!(statutes(&text), [None], "{text}");
        }
    }
    assert_eq!(statutes("Statutenänderung: 01.02.2015. Die Statuten wurden geändert."), [two[0]]);
}

#[test]
fn reference_to_the_articles_is_no_change() {
    for text in [
        "Die Übertragbarkeit der Namenaktien ist nach Massgabe der Statuten beschränkt.",
        "Vinkulierung neu: Die Übertragbarkeit der Namenaktien ist gemäss Statuten neu beschränkt.",
        "Mitteilungen neu: Gemäss den Statuten erfolgen sie per Brief.",
        "Sacheinlage gemäss den Statuten vom 01.02.2015.",
        "Les communications sont modifiées selon les statuts.",
        "Actions nominatives liées selon statuts.",
        "Le comunicazioni sono modificate secondo lo statuto.",
        "Nouveau siège statutaire à Lausanne.",
    ] {
        for text in variants(text) {
            assert_eq!(statutes(&text), [], "{text}");
        }
    }
}

#[test]
fn correction_of_an_earlier_entry_is_read_in_three_languages() {
    const ENTRIES: [(&str, &str); 2] = [("1234", "05.01.2026"), ("17", "5.1.2026")];
    for template in [
        "Berichtigung des im SHAB Nr. 3 vom {day} publizierten TR-Eintrags Nr. {number} vom {day}: Der Name lautet Meier.",
        "In Berichtigung des Tagesregister-Eintrags Nr. {number} vom {day} lautet der Name Meier.",
        "Der TR-Eintrag Nr. {number} vom {day} wird dahin berichtigt, dass der Name Meier lautet.",
        "Berichtigung: Die Revisionsstelle heisst richtig Muster Revision AG.",
        "Nachtrag zum im SHAB vom {day} publizierten TR-Eintrag Nr. {number}.",
        "Die Eintragung Nr. {number} vom {day} wird von Amtes wegen korrigiert.",
        "Rectification de l'inscription no {number} du {day}: le nom exact est Meier.",
        "L'inscription no {number} du {day} est rectifiée en ce sens que le nom est Meier.",
        "Rectificatif: l'organe de révision est Fidu SA.",
        "L'avis paru dans la FOSC du {day} est corrigé.",
        "Rettifica dell'iscrizione no. {number} del {day}: il nome corretto è Meier.",
        "L'iscrizione no. {number} del {day} è rettificata nel senso che il nome è Meier.",
        "Rettifica: l'ufficio di revisione è Revisione SA.",
        "Correzione della pubblicazione del {day}.",
        "Bemerkungen: Berichtigung des TR-Eintrags Nr. {number} vom {day}.",
        "Die im SHAB vom {day} irrtümlich publizierte Adresse lautet richtig Seeweg 1, 3600 Thun.",
        "L'inscription no {number} du {day} est complétée en ce sens que le but est modifié.",
        "C'est par erreur que l'inscription no {number} du {day} mentionne un gérant.",
        "Errata corrige: il nome è Meier.",
        "Rectification du nom d'une personne inscrite: Meier, Anna, de Thoune, à Berne.",
        "Rettifica del cognome di una persona iscritta: Meier, Anna, da Thun, in Bern.",
        "Der Name der Revisionsstelle lautet richtig Muster Revision AG.",
        "Le nom exact de l'organe de révision est Fidu SA.",
        "Il nome esatto dell'ufficio di revisione è Revisione SA.",
        "Nell'iscrizione no. {number} del {day} il nome è stato indicato erroneamente.",
    ] {
        for (number, day) in ENTRIES {
            let text = template.replace("{number}", number).replace("{day}", day);
            for text in variants(&text) {
                assert!(is_correction(&text), "{text}");
            }
        }
    }
}

#[test]
fn names_and_activities_are_no_corrections() {
    for text in [
        "Rettifica Motori SA, in Lugano, CHE-600.000.012 (FUSC no. 2 del 06.01.2026, Pubbl. 1000000001).",
        "Korrektur Druck AG, in Bern, CHE-600.000.012 (SHAB Nr. 2 vom 06.01.2026, Publ. 1000000001).",
        "Rettifica di Motori SA, in Lugano, CHE-600.000.012, società anonima.",
        "Zweck neu: Berichtigung von Plänen, Korrektur und Publikation von Schriften.",
        "Nouveau but: rectification de pièces et publication d'annonces.",
        "Statuts modifiés le 12.03.2014.",
    ] {
        assert!(!is_correction(text), "{text}");
    }
}
