//! Where companies are: the larger localities of every canton.

use std::sync::LazyLock;

use domain::Canton;

use crate::{data, language::Language, random::Random};

/// A locality: the place that a postal code belongs to.
pub(crate) struct Locality {
    pub(crate) name: &'static str,
    pub(crate) zip_code: &'static str,
    /// The commune's official name.
    pub(crate) commune: &'static str,
    /// The commune's number at the Federal Statistical Office.
    pub(crate) commune_number: u32,
    pub(crate) canton: Canton,
    /// WGS 84 degrees.
    pub(crate) latitude: f64,
    /// WGS 84 degrees.
    pub(crate) longitude: f64,
    pub(crate) language: Language,
    /// How many companies it has compared to the others of its canton.
    pub(crate) weight: u32,
}

/// How a register office writes notices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    German,
    French,
    Italian,
    /// Whole French sentences, as in Geneva, Vaud and Neuchâtel. The others write lists.
    Prose,
}

impl Locality {
    /// The name without the canton that some have in it: `Wetzikon` for `Wetzikon ZH`.
    pub(crate) fn plain_name(&self) -> &'static str {
        match self.name.rsplit_once(' ') {
            Some((name, canton)) if canton == self.canton.code() => name,
            _ => self.name,
        }
    }

    /// How the register office of this place writes.
    pub(crate) fn style(&self) -> Style {
        match (self.language, self.canton) {
            (Language::French, Canton::Ge | Canton::Vd | Canton::Ne) => Style::Prose,
            (Language::French, _) => Style::French,
            (Language::Italian, _) => Style::Italian,
            (Language::German | Language::English, _) => Style::German,
        }
    }

    /// The commune as a notice writes an officer's residence. For communes with an article, which French notices
    /// contract, the first commune of the canton.
    pub(crate) fn residence(&self) -> &'static str {
        if has_article(self.commune) { of_canton(self.canton)[0].commune } else { self.commune }
    }

    /// Another commune of the same canton and language; `None` where there is none.
    pub(crate) fn other(&self, random: &mut Random) -> Option<&'static Self> {
        let is_other = |it: &&Self| it.commune != self.commune && it.language == self.language;
        let mut drawn = (0..6).map(|_| random.weighted(of_canton(self.canton), |it| it.weight));
        drawn.find(is_other)
    }
}

/// A place of origin.
pub(crate) fn origin(random: &mut Random) -> &'static str {
    let mut drawn = (0..9).map(|_| any(random).commune);
    drawn.find(|it| !has_article(it)).unwrap_or("Zürich")
}

/// A locality where this language is spoken, each as likely.
pub(crate) fn speaking(language: Language, random: &mut Random) -> &'static Locality {
    let mut drawn = (0..40).map(|_| any(random));
    drawn.find(|it| it.language == language).unwrap_or(&LOCALITIES[0])
}

fn any(random: &mut Random) -> &'static Locality {
    &LOCALITIES[random.below(LOCALITIES.len() as u64) as usize]
}

fn has_article(commune: &str) -> bool {
    ["La ", "Le ", "Les "].iter().any(|it| commune.starts_with(it))
}

/// The localities of a canton.
pub(crate) fn of_canton(canton: Canton) -> &'static [Locality] {
    let from = LOCALITIES.partition_point(|it| it.canton < canton);
    let to = LOCALITIES.partition_point(|it| it.canton <= canton);
    &LOCALITIES[from..to]
}

/// The first locality with this postal code, which has to be in the table.
pub(crate) fn by_zip_code(zip_code: &str) -> &'static Locality {
    let locality = LOCALITIES.iter().find(|it| it.zip_code == zip_code);
    locality.unwrap_or_else(|| panic!("`{zip_code}` is not in the table of localities"))
}

/// The localities as a table in the format of swisstopo's directory.
pub(crate) fn directory() -> String {
    let mut table = "Ortschaftsname;PLZ4;Gemeindename;BFS-Nr;Kantonskürzel;E;N\n".to_owned();
    for it in LOCALITIES.iter() {
        let (east, north) = lv95(it.latitude, it.longitude);
        let Locality { name, zip_code, commune, commune_number, canton, .. } = it;
        table.push_str(&format!(
            "{name};{zip_code};{commune};{commune_number};{};{east:.0};{north:.0}\n",
            canton.code()
        ));
    }
    table
}

/// Converts WGS 84 degrees to LV95 metres, with swisstopo's approximation formula.
fn lv95(latitude: f64, longitude: f64) -> (f64, f64) {
    let phi = (latitude * 3_600.0 - 169_028.66) / 10_000.0;
    let lambda = (longitude * 3_600.0 - 26_782.5) / 10_000.0;
    let east = 2_600_072.37 + 211_455.93 * lambda
        - 10_938.51 * lambda * phi
        - 0.36 * lambda * phi.powi(2)
        - 44.54 * lambda.powi(3);
    let north = 1_200_147.07 + 308_807.95 * phi + 3_745.25 * lambda.powi(2) + 76.63 * phi.powi(2)
        - 194.56 * lambda.powi(2) * phi
        + 119.79 * phi.powi(3);
    (east, north)
}

/// A canton's share of the companies.
pub(crate) struct CantonShare {
    pub(crate) canton: Canton,
    /// Companies per 10,000.
    pub(crate) companies: u32,
    /// The number of the canton's register office.
    pub(crate) register_office: u32,
}

impl CantonShare {
    pub(crate) fn of(canton: Canton) -> &'static Self {
        // The table has a row for every canton, in their official order.
        &CANTONS[canton as usize]
    }

    pub(crate) fn draw(random: &mut Random) -> &'static Self {
        random.weighted(&CANTONS, |it| it.companies)
    }
}

/// In the official order of the cantons.
pub(crate) static CANTONS: LazyLock<Vec<CantonShare>> = LazyLock::new(|| {
    let share = |[canton, companies, office]: [&str; 3]| CantonShare {
        canton: canton_by_code(canton),
        companies: data::number(companies),
        register_office: data::number(office),
    };
    data::rows(include_str!("../data/cantons.csv")).map(share).collect()
});

/// In the official order of the cantons.
static LOCALITIES: LazyLock<Vec<Locality>> = LazyLock::new(|| {
    let rows = data::rows(include_str!("../data/localities.csv"));
    let locality = |[
        name,
        zip_code,
        commune,
        number,
        canton,
        latitude,
        longitude,
        language,
        weight,
    ]: [&'static str; 9]| {
        Locality {
            name,
            zip_code,
            commune,
            commune_number: data::number(number),
            canton: canton_by_code(canton),
            latitude: data::number(latitude),
            longitude: data::number(longitude),
            language: Language::by_code(language).expect("a language code"),
            weight: data::number(weight),
        }
    };
    rows.map(locality).collect()
});

fn canton_by_code(code: &str) -> Canton {
    let canton = Canton::ALL.into_iter().find(|it| it.code() == code);
    canton.unwrap_or_else(|| panic!("`{code}` is not a canton"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn localities_are_sorted_by_canton_and_are_in_switzerland() {
        for canton in Canton::ALL {
            assert_eq!(CantonShare::of(canton).canton, canton);
            let places = of_canton(canton);
            assert!(
                !places.is_empty() && places.iter().all(|it| it.canton == canton),
                "{canton:?}"
            );
            for place in places {
                assert!((45.8..47.85).contains(&place.latitude), "{}", place.name);
                assert!((5.9..10.5).contains(&place.longitude), "{}", place.name);
                assert!(place.weight > 0 && place.language != Language::English, "{}", place.name);
            }
        }
        let total: u32 = CANTONS.iter().map(|it| it.companies).sum();
        assert_eq!(total, 10_000);
        let basel = &of_canton(Canton::Bs)[0];
        assert!((basel.latitude - 47.559).abs() < 0.01 && (basel.longitude - 7.588).abs() < 0.01);
    }
}
