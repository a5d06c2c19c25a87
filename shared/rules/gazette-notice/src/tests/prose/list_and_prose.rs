//! The same change, stated once in a list and once in prose, is read as the same facts.

use super::{PERSONS, notice, variants};
use crate::*;

/// What both styles state: kind, name, origin, residence, role, kind of signature and number of shares.
fn facts(text: &str) -> Vec<String> {
    let fact = |entry: &Entry| {
        let name = match &entry.subject {
            Subject::Person { last_name, first_name, .. } => format!("{last_name}, {first_name}"),
            Subject::Entity { name, .. } => format!("[{name}]"),
        };
        let shares = entry.quota.as_ref().and_then(|it| it.shares);
        format!(
            "{:?} {name} {:?} {:?} {:?} {:?} {shares:?}",
            entry.kind, entry.origin, entry.domicile, entry.role, entry.signature_kind
        )
    };
    read(text).entries.iter().map(fact).collect()
}

/// A change in list style, and in prose.
const CHANGES: [(&str, &str); 14] = [
    (
        "Eingetragene Personen neu oder mutierend: {A:}, von {A o}, in {A r}, Präsident des Verwaltungsrates, mit Einzelunterschrift.",
        "{A}, von {A o}, in {A r}, wurde zum Präsidenten des Verwaltungsrates mit Einzelunterschrift gewählt.",
    ),
    (
        "Eingetragene Personen neu oder mutierend: {A:}, von {A o}, in {A r}, mit Kollektivprokura zu zweien.",
        "{A}, von {A o}, in {A r}, wurde Kollektivprokura zu zweien erteilt.",
    ),
    (
        "Eingetragene Personen neu oder mutierend: {A:}, von {A o}, in {A r}, Gesellschafter, ohne Zeichnungsberechtigung, mit 20 Stammanteilen zu je CHF 1'000.00.",
        "Neuer Gesellschafter ohne Zeichnungsberechtigung ist {A}, von {A o}, in {A r}, mit 20 Stammanteilen zu je CHF 1'000.00.",
    ),
    (
        "Eingetragene Personen neu oder mutierend: Fidalp Audit AG, in {A r}, Revisionsstelle.",
        "Neue Revisionsstelle ist die Fidalp Audit AG, in {A r}.",
    ),
    (
        "Ausgeschiedene Personen und erloschene Unterschriften: {A:}, von {A o}, in {A r}, Mitglied.",
        "{A}, von {A o}, in {A r}, ist als Mitglied ausgeschieden.",
    ),
    (
        "Inscription ou modification de personnes: {A:}, de {A o}, à {A r}, administrateur, avec signature individuelle.",
        "{A}, de {A o}, à {A r}, est nommé administrateur avec signature individuelle.",
    ),
    (
        "Inscription ou modification de personnes: {A:}, de {A o}, à {A r}, directeur, avec signature collective à deux; {B:}, de {B o}, à {B r}, directrice, avec signature collective à deux.",
        "{A}, de {A o}, à {A r}, et {B}, de {B o}, à {B r}, sont nommés directeurs avec signature collective à deux.",
    ),
    (
        "Personnes et signatures radiées: {A:}, de {A o}, à {A r}, administrateur.",
        "{A}, de {A o}, à {A r}, n'est plus administrateur; ses pouvoirs sont radiés.",
    ),
    (
        "Inscription ou modification de personnes: {A:}, de {A o}, à {A r}, associé gérant, pour 20 parts de CHF 1'000, avec signature individuelle.",
        "{A}, de {A o}, à {A r}, est associé gérant pour 20 parts de CHF 1'000 avec signature individuelle.",
    ),
    (
        "Inscription ou modification de personnes: Fidalp Audit SA, à {A r}, organe de révision.",
        "Fidalp Audit SA, à {A r}, est désignée comme organe de révision.",
    ),
    (
        "Nuove persone iscritte o modifiche: {A:}, da {A o}, in {A r}, gerente, con firma individuale.",
        "{A}, da {A o}, in {A r}, è nominato gerente con firma individuale.",
    ),
    (
        "Nuove persone iscritte o modifiche: {A:}, da {A o}, in {A r}, membro del consiglio di amministrazione, con firma collettiva a due.",
        "Quale membro del consiglio di amministrazione è stato eletto {A}, da {A o}, in {A r}, con firma collettiva a due.",
    ),
    (
        "Persone dimissionarie e firme cancellate: {A:}, da {A o}, in {A r}, gerente.",
        "{A}, da {A o}, in {A r}, non è più gerente e i suoi poteri sono estinti.",
    ),
    (
        "Nuove persone iscritte o modifiche: Fidalp Revisioni SA, in {A r}, ufficio di revisione.",
        "Fidalp Revisioni SA, in {A r}, è nominata ufficio di revisione.",
    ),
];

#[test]
fn both_styles_state_the_same() {
    let mut failures = Vec::new();
    for (list, prose) in CHANGES {
        let (lists, proses) = (variants(list), variants(prose));
        assert_eq!(lists.len(), PERSONS.len());
        for (list, prose) in lists.iter().zip(&proses) {
            let (of_list, of_prose) = (facts(&notice(list)), facts(&notice(prose)));
            if of_list != of_prose || of_list.is_empty() {
                failures.push(format!("{prose}\n    {of_prose:?}\n    in a list: {of_list:?}"));
            }
        }
    }
    assert!(failures.is_empty(), "{} differences:\n{}", failures.len(), failures.join("\n"));
}
