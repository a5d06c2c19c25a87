use std::collections::HashMap;

use domain::lists::{ListAddress, Programme, Translations};
use jiff::civil::Date;

use crate::lists::{output::Identifiers, tree::Element};

/// What targets refer to.
#[derive(Default)]
pub(super) struct Header {
    pub(super) date: Option<Date>,
    /// Identifiers of all targets.
    pub(super) identifiers: Identifiers,
    /// Programmes by the identifier of their sets of sanctions.
    programmes: HashMap<String, Programme>,
    places: HashMap<String, ListAddress>,
}

impl Header {
    pub(super) fn dated(date: Option<Date>) -> Self {
        Self { date, ..Self::default() }
    }

    pub(super) fn add_programme(&mut self, programme: &Element) {
        let common = Programme {
            id: programme.attribute("ssid").map(str::to_owned),
            key: translations(programme.children("program-key")),
            name: translations(programme.children("program-name")),
            origin: programme.text_of("origin"),
            ..Programme::default()
        };
        for set in programme.children("sanctions-set") {
            let Some(id) = set.attribute("ssid") else { continue };
            // A set is repeated for each language.
            let of_set = |it: &&Element| it.attribute("ssid") == Some(id);
            let measure = translations(programme.children("sanctions-set").filter(of_set));
            let measure_id = Some(id.to_owned());
            let programme = Programme { measure_id, measure, ..common.clone() };
            self.programmes.insert(id.to_owned(), programme);
        }
    }

    pub(super) fn add_place(&mut self, place: &Element) {
        if let Some(id) = place.attribute("ssid") {
            self.places.insert(id.to_owned(), address_of(place));
        }
    }

    /// The programme of a set of sanctions. If the file does not contain it, only its identifier is known.
    pub(super) fn programme(&self, set: &str) -> Programme {
        let unknown = || Programme { measure_id: Some(set.to_owned()), ..Programme::default() };
        self.programmes.get(set).cloned().unwrap_or_else(unknown)
    }

    /// An address or place of birth: what it states itself, and the rest from the place to which it points.
    pub(super) fn address(&self, element: &Element) -> ListAddress {
        let place = element.attribute("place-id").and_then(|it| self.places.get(it));
        let (own, place) = (address_of(element), place.cloned().unwrap_or_default());
        ListAddress {
            text: own.text.or(place.text),
            care_of: own.care_of.or(place.care_of),
            street: own.street.or(place.street),
            post_box: own.post_box.or(place.post_box),
            postal_code: own.postal_code.or(place.postal_code),
            city: own.city.or(place.city),
            region: own.region.or(place.region),
            country: own.country.or(place.country),
        }
    }
}

fn address_of(element: &Element) -> ListAddress {
    ListAddress {
        text: None,
        care_of: element.text_of("c-o"),
        street: element.text_of("address-details"),
        post_box: element.text_of("p-o-box"),
        postal_code: element.text_of("zip-code"),
        city: element.text_of("location"),
        region: element.text_of("area"),
        country: element.children("country").find_map(country),
    }
}

/// The code of a country, or its name if it has no code.
pub(super) fn country(element: &Element) -> Option<String> {
    let code = element.attribute("iso-code").or_else(|| element.attribute("code"));
    code.map(str::to_ascii_uppercase).or_else(|| element.text())
}

/// The texts of the elements by their language.
fn translations<'a>(elements: impl Iterator<Item = &'a Element>) -> Translations {
    let mut translations = Translations::default();
    for element in elements {
        let text = match element.attribute("lang") {
            Some("ger" | "deu" | "de") => &mut translations.de,
            Some("fre" | "fra" | "fr") => &mut translations.fr,
            Some("ita" | "it") => &mut translations.it,
            Some("eng" | "en") => &mut translations.en,
            _ => continue,
        };
        // The first of several, which is usually the only one.
        *text = text.take().or_else(|| element.text());
    }
    translations
}
