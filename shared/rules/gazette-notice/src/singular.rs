//! The singular of functions in the plural, in the nominative.

use crate::words::FUNCTION;

/// Endings of plurals and of German oblique cases, and what they become.
#[rustfmt::skip]
const ENDINGS: [(&str, &str); 39] = [
    // German
    ("itglieder", "itglied"), ("itgliedern", "itglied"), ("räsidenten", "räsident"), ("irektoren", "irektor"), ("iquidatoren", "iquidator"),
    ("evisoren", "evisor"), ("rokuristen", "rokurist"), ("elegierten", "elegierter"), ("orsitzenden", "orsitzender"), ("ührern", "ührer"),
    ("chaftern", "chafter"), ("ungsräte", "ungsrat"), ("ungsräten", "ungsrat"), ("ührerinnen", "ührerin"), ("chafterinnen", "chafterin"),
    ("irektors", "irektor"), ("ührers", "ührer"), ("chafters", "chafter"), ("itglieds", "itglied"), ("itgliedes", "itglied"), ("iquidators", "iquidator"),
    ("ekretärs", "ekretär"),
    // French
    ("eurs", "eur"), ("és", "é"), ("ées", "ée"), ("ants", "ant"), ("antes", "ante"), ("ents", "ent"), ("ires", "ire"), ("trices", "trice"), ("bres", "bre"),
    // Italian
    ("embri", "embro"), ("gerenti", "gerente"), ("presidenti", "presidente"), ("soci", "socio"), ("Soci", "Socio"), ("tori", "tore"), ("sori", "sore"), ("trici", "trice"),
];

/// The function of each of several persons: `Mitglied` for `Mitglieder`, `associé gérant` for `associés gérants`.
pub(super) fn singular(function: &str) -> String {
    let mut singular = String::with_capacity(function.len());
    for part in function.split_inclusive([' ', '-']) {
        let word = part.trim_end_matches([' ', '-']);
        // Italian has no longer word for a partner.
        let is_function = FUNCTION.occur_in(word) || matches!(word, "soci" | "Soci");
        let ending = ENDINGS.iter().find(|(plural, _)| is_function && word.ends_with(plural));
        match ending {
            Some((plural, ending)) => {
                singular.push_str(&word[..word.len() - plural.len()]);
                singular.push_str(ending);
            }
            None => singular.push_str(word),
        }
        singular.push_str(&part[word.len()..]);
    }
    singular
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_and_oblique_cases_become_the_singular() {
        for (plural, expected) in [
            ("Mitglieder des Verwaltungsrates", "Mitglied des Verwaltungsrates"),
            ("Verwaltungsratsmitglieder", "Verwaltungsratsmitglied"),
            ("Präsidenten des Verwaltungsrates", "Präsident des Verwaltungsrates"),
            ("associés gérants", "associé gérant"),
            ("administratrices-présidentes", "administratrice-présidentes"),
            ("membri del consiglio di amministrazione", "membro del consiglio di amministrazione"),
            ("soci e gerenti", "socio e gerente"),
            ("Geschäftsführer", "Geschäftsführer"),
        ] {
            assert_eq!(singular(plural), expected);
        }
    }
}
