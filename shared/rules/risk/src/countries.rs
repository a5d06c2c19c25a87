//! Countries with strategic deficiencies, as the FATF lists them.

use domain::terms::Text;
use jiff::civil::{Date, date};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// List of the Financial Action Task Force: `call_for_action` (high-risk jurisdictions) or `increased_monitoring`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FatfList {
    /// High-risk jurisdictions subject to a call for action.
    CallForAction,
    /// Jurisdictions under increased monitoring.
    IncreasedMonitoring,
}

/// Day of the lists: the plenary of February 2026, as secondary sources report it. Later decisions of the FATF are not included.
pub const LISTED_ON: Date = date(2026, 2, 13);

/// Address of the lists.
pub const FATF_LISTS: &str = "https://www.fatf-gafi.org/en/countries/black-and-grey-lists.html";

/// ISO 3166-1 alpha-2 codes of the countries for which the FATF calls for action.
pub const CALL_FOR_ACTION: [&str; 3] = ["IR", "KP", "MM"];

/// ISO 3166-1 alpha-2 codes of the countries under increased monitoring.
pub const INCREASED_MONITORING: [&str; 22] = [
    "AO", "BG", "BO", "CD", "CI", "CM", "DZ", "HT", "KE", "KW", "LA", "LB", "MC", "NA", "NP", "PG",
    "SS", "SY", "VE", "VG", "VN", "YE",
];

/// The list on which a country is: always the list of [`LISTED_ON`], also for an assessment of another day.
pub fn fatf_list(country: &str) -> Option<FatfList> {
    if CALL_FOR_ACTION.contains(&country) {
        Some(FatfList::CallForAction)
    } else if INCREASED_MONITORING.contains(&country) {
        Some(FatfList::IncreasedMonitoring)
    } else {
        None
    }
}

/// The name of a country of the lists.
pub(crate) fn listed_name(country: &str) -> Option<Text> {
    Some(match country {
        "AO" => ["Angola", "Angola", "Angola", "Angola"],
        "BG" => ["Bulgarien", "Bulgarie", "Bulgaria", "Bulgaria"],
        "BO" => ["Bolivien", "Bolivie", "Bolivia", "Bolivia"],
        "CD" => [
            "Demokratische Republik Kongo",
            "République démocratique du Congo",
            "Repubblica democratica del Congo",
            "Democratic Republic of the Congo",
        ],
        "CI" => ["Côte d’Ivoire", "Côte d’Ivoire", "Costa d’Avorio", "Côte d’Ivoire"],
        "CM" => ["Kamerun", "Cameroun", "Camerun", "Cameroon"],
        "DZ" => ["Algerien", "Algérie", "Algeria", "Algeria"],
        "HT" => ["Haiti", "Haïti", "Haiti", "Haiti"],
        "IR" => ["Iran", "Iran", "Iran", "Iran"],
        "KE" => ["Kenia", "Kenya", "Kenya", "Kenya"],
        "KP" => ["Nordkorea", "Corée du Nord", "Corea del Nord", "North Korea"],
        "KW" => ["Kuwait", "Koweït", "Kuwait", "Kuwait"],
        "LA" => ["Laos", "Laos", "Laos", "Laos"],
        "LB" => ["Libanon", "Liban", "Libano", "Lebanon"],
        "MC" => ["Monaco", "Monaco", "Monaco", "Monaco"],
        "MM" => ["Myanmar", "Myanmar", "Myanmar", "Myanmar"],
        "NA" => ["Namibia", "Namibie", "Namibia", "Namibia"],
        "NP" => ["Nepal", "Népal", "Nepal", "Nepal"],
        "PG" => [
            "Papua-Neuguinea",
            "Papouasie-Nouvelle-Guinée",
            "Papua Nuova Guinea",
            "Papua New Guinea",
        ],
        "SS" => ["Südsudan", "Soudan du Sud", "Sudan del Sud", "South Sudan"],
        "SY" => ["Syrien", "Syrie", "Siria", "Syria"],
        "VE" => ["Venezuela", "Venezuela", "Venezuela", "Venezuela"],
        "VG" => [
            "Britische Jungferninseln",
            "Îles Vierges britanniques",
            "Isole Vergini britanniche",
            "British Virgin Islands",
        ],
        "VN" => ["Vietnam", "Vietnam", "Vietnam", "Vietnam"],
        "YE" => ["Jemen", "Yémen", "Yemen", "Yemen"],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use domain::countries::country_name;

    use super::*;

    #[test]
    fn every_code_is_that_of_a_country_and_on_one_list() {
        for code in CALL_FOR_ACTION.iter().chain(&INCREASED_MONITORING) {
            assert_eq!(listed_name(code).map(|[.., it]| it), country_name(code), "{code}");
            assert!(country_name(code).is_some(), "{code}");
        }
        assert!(CALL_FOR_ACTION.iter().all(|it| !INCREASED_MONITORING.contains(it)));
        assert!(INCREASED_MONITORING.is_sorted());
        assert_eq!(fatf_list("CH"), None);
        assert_eq!(fatf_list("IR"), Some(FatfList::CallForAction));
    }
}
