//! Localities with postal codes, communes and coordinates, from swisstopo's official directory.
//!
//! Format: the table `AMTOVZ_CSV_LV95.csv`, semicolons and byte order mark, with the columns
//! `Ortschaftsname`, `PLZ` (`PLZ4` since 2025), `Zusatzziffer`, `Gemeindename`, `BFS-Nr`,
//! `Kantonskürzel`, `E`, `N` in metres of LV95 and `Validity`, the date since which the row is valid. One row for
//! each part of a locality in a commune.
//! Licence: open use, with attribution: © swisstopo.

use std::collections::{BTreeSet, HashMap};

use domain::{Canton, Company, LOCALITIES, Provenance, company::GeoPrecision, text::fold};
use jiff::civil::Date;

use crate::FetchPolicy;
use crate::{
    Rejected, Request, UnreadableList,
    table::{Row, Table},
};

/// Limits for requests. A load is one file.
pub const POLICY: FetchPolicy = FetchPolicy::new("localities", 2_000, 16);

const ADDRESS: &str = "https://data.geo.admin.ch/ch.swisstopo-vd.ortschaftenverzeichnis_plz/\
    ortschaftenverzeichnis_plz/ortschaftenverzeichnis_plz_2056.csv.zip";

/// Request for the complete directory: a ZIP archive with one table.
pub fn request() -> Request {
    Request::get(ADDRESS)
}

/// All localities, indexed to find the location of a company.
#[derive(Debug, Default)]
pub struct Localities {
    rows: Vec<Locality>,
    by_commune: HashMap<u32, Vec<usize>>,
    by_zip: HashMap<u16, Vec<usize>>,
    by_name: HashMap<String, Vec<usize>>,
    day: Option<Date>,
    /// Rows that could not be read.
    pub rejected: Vec<Rejected>,
}

#[derive(Debug)]
struct Locality {
    folded: String,
    zip: u16,
    /// 0 for the main locality of the postal code; other localities share the code.
    addition: u8,
    commune: String,
    commune_id: u32,
    canton: Option<Canton>,
    latitude: f64,
    longitude: f64,
    /// Absent if the directory does not state it.
    valid_since: Option<Date>,
}

/// Location of a company, derived from its commune and postal address.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// WGS 84, in degrees.
    pub latitude: f64,
    /// WGS 84, in degrees.
    pub longitude: f64,
    pub precision: GeoPrecision,
    /// Name of the commune. Absent if the location may be in several communes.
    pub commune: Option<String>,
    /// Number of the commune at the Federal Statistical Office. Absent if the name is.
    pub commune_id: Option<u32>,
    /// Absent outside Switzerland, and if the location may be in several cantons.
    pub canton: Option<Canton>,
    /// Date since which the row of the directory is valid. Absent if the directory does not state it.
    pub valid_since: Option<Date>,
}

/// Reads the directory.
pub fn read(bytes: &[u8]) -> Result<Localities, UnreadableList> {
    let unreadable = |reason| UnreadableList { list: "localities", reason };
    let mut table = Table::detect(bytes).map_err(unreadable)?;
    let zip = if table.has("PLZ4") { "PLZ4" } else { "PLZ" };
    table
        .require(&["Ortschaftsname", zip, "Gemeindename", "BFS-Nr", "E", "N"])
        .map_err(unreadable)?;
    let mut localities = Localities::default();
    while let Some(row) = table.next() {
        match row.and_then(|row| locality(&row, zip).map_err(|reason| row.rejected(reason))) {
            Ok(locality) => localities.add(locality),
            Err(rejected) => localities.rejected.push(rejected),
        }
    }
    Ok(localities)
}

fn locality(row: &Row, zip: &str) -> Result<Locality, String> {
    let metres = |name: &str, min: f64, max: f64| -> Result<f64, String> {
        let given: f64 = row.parsed(name)?.ok_or_else(|| format!("{name}: is empty"))?;
        match (min..=max).contains(&given) {
            true => Ok(given),
            false => Err(format!("{name}: {given} is not between {min} and {max}")),
        }
    };
    let commune_id = row.parsed("BFS-Nr")?.ok_or("BFS-Nr: is empty")?;
    let code = row.parsed(zip)?.filter(|it| (1000..=9999).contains(it));
    let (latitude, longitude) =
        wgs84(metres("E", 2_480_000.0, 2_840_000.0)?, metres("N", 1_070_000.0, 1_300_000.0)?);
    Ok(Locality {
        folded: fold(row.required("Ortschaftsname")?),
        zip: code.ok_or_else(|| format!("{zip}: is not a number of four digits"))?,
        addition: row.parsed("Zusatzziffer")?.unwrap_or_default(),
        commune: row.required("Gemeindename")?.to_owned(),
        commune_id,
        canton: row.parsed("Kantonskürzel")?,
        latitude,
        longitude,
        valid_since: row.parsed("Validity").unwrap_or_default(),
    })
}

/// Converts LV95 coordinates in metres to WGS 84 latitude and longitude in degrees, with swisstopo's
/// approximation formula. The error is at most two metres in Switzerland.
pub fn wgs84(east: f64, north: f64) -> (f64, f64) {
    let y = (east - 2_600_000.0) / 1e6;
    let x = (north - 1_200_000.0) / 1e6;
    let longitude =
        2.677_909_4 + 4.728_982 * y + 0.791_484 * y * x + 0.1306 * y * x * x - 0.0436 * y * y * y;
    let latitude = 16.902_389_2 + 3.238_272 * x
        - 0.270_978 * y * y
        - 0.002_528 * x * x
        - 0.0447 * y * y * x
        - 0.0140 * x * x * x;
    (latitude * 100.0 / 36.0, longitude * 100.0 / 36.0)
}

impl Localities {
    fn add(&mut self, locality: Locality) {
        let at = self.rows.len();
        self.by_commune.entry(locality.commune_id).or_default().push(at);
        self.by_zip.entry(locality.zip).or_default().push(at);
        self.by_name.entry(locality.folded.clone()).or_default().push(at);
        self.rows.push(locality);
    }

    /// Sets the date of the directory, which the file does not contain. It is the date of rows without one.
    #[must_use]
    pub fn dated(mut self, day: Option<Date>) -> Self {
        self.day = day;
        self
    }

    /// Number of localities.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no localities.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Sets the coordinates of a company, and its commune and canton if they are missing. Call
    /// [`completed`](Company::completed) again afterwards.
    pub fn locate(&self, company: &mut Company) {
        let (zip, city) = (company.address_zip_code.as_deref(), company.address_city.as_deref());
        let Some(place) = self.find(company.legal_seat_id, zip, city) else { return };
        company.latitude = Some(place.latitude);
        company.longitude = Some(place.longitude);
        company.geo_precision = Some(place.precision);
        if company.legal_seat.is_none() {
            company.legal_seat.clone_from(&place.commune);
            company.legal_seat_id = company.legal_seat_id.or(place.commune_id);
        }
        company.canton = company.canton.or(place.canton);
        // The date of the row and not that of the directory: a record changes only if its location changes.
        let date = place.valid_since.or(self.day);
        let source = Provenance { source: LOCALITIES.into(), reference: None, date };
        company.sources.push(source);
    }

    /// Finds the location for a commune, postal code and town. The commune takes precedence, because a
    /// postal code can span several communes and cantons. If the commune is unknown, for example after a
    /// merger of communes, the address is used.
    pub fn find(
        &self,
        commune_id: Option<u32>,
        zip: Option<&str>,
        town: Option<&str>,
    ) -> Option<Place> {
        let zip: Option<u16> = zip.and_then(|it| it.trim().parse().ok());
        let town = town.map(fold).filter(|it| !it.is_empty());
        let of_commune = commune_id.and_then(|it| self.by_commune.get(&it));
        if let Some(rows) = of_commune {
            let rows: Vec<&Locality> = rows.iter().map(|at| &self.rows[*at]).collect();
            return match best(&rows, zip, town.as_deref()) {
                Some(found) => Some(found.place(GeoPrecision::Locality)),
                None => center(&rows).map(|it| it.place(GeoPrecision::Commune)),
            };
        }
        let candidates = match (zip, &town) {
            (Some(zip), _) => self.by_zip.get(&zip),
            (None, Some(town)) => self.by_name.get(town),
            (None, None) => None,
        };
        let rows: Vec<&Locality> = candidates?.iter().map(|at| &self.rows[*at]).collect();
        let found = best(&rows, zip, town.as_deref())?;
        // If several rows match equally well, the fields in which they differ are unknown.
        let matching: Vec<&Locality> = match &town {
            Some(town) if found.is_called(town) => {
                rows.iter().filter(|it| it.is_called(town)).copied().collect()
            }
            _ => rows,
        };
        let communes: BTreeSet<u32> = matching.iter().map(|it| it.commune_id).collect();
        let cantons: BTreeSet<Option<Canton>> = matching.iter().map(|it| it.canton).collect();
        // Without postal code, several distant towns may have this name.
        if zip.is_none() && communes.len() > 1 {
            return None;
        }
        let mut place = found.place(GeoPrecision::Locality);
        if communes.len() > 1 {
            (place.commune, place.commune_id) = (None, None);
        }
        if cantons.len() > 1 {
            place.canton = None;
        }
        Some(place)
    }
}

/// The best match: a row with the postal code and town, else with the postal code, else with the town.
fn best<'a>(rows: &[&'a Locality], zip: Option<u16>, town: Option<&str>) -> Option<&'a Locality> {
    let match_quality = |it: &Locality| {
        let by_zip = zip.is_some_and(|zip| zip == it.zip);
        let by_town = town.is_some_and(|town| it.is_called(town));
        (u8::from(by_zip) * 2 + u8::from(by_town), by_zip && it.addition == 0)
    };
    let best = rows.iter().copied().reduce(|best, next| {
        match match_quality(next) > match_quality(best) {
            true => next,
            false => best,
        }
    })?;
    (match_quality(best).0 > 0).then_some(best)
}

/// The locality with the name of the commune, else the first.
fn center<'a>(rows: &[&'a Locality]) -> Option<&'a Locality> {
    let named = rows.iter().find(|it| it.is_called(&fold(&it.commune)));
    named.or_else(|| rows.first()).copied()
}

impl Locality {
    /// Compares names with and without the canton's code at the end, because the register uses both forms.
    fn is_called(&self, folded: &str) -> bool {
        let canton = || self.canton.map(|it| fold(it.code()));
        let without_canton = |it| match canton() {
            Some(code) => without_last_word(it, &code),
            None => it,
        };
        self.folded == folded || without_canton(&self.folded) == without_canton(folded)
    }

    fn place(&self, precision: GeoPrecision) -> Place {
        Place {
            latitude: rounded(self.latitude),
            longitude: rounded(self.longitude),
            precision,
            commune: Some(self.commune.clone()),
            commune_id: Some(self.commune_id),
            canton: self.canton,
            valid_since: self.valid_since,
        }
    }
}

fn without_last_word<'a>(text: &'a str, word: &str) -> &'a str {
    text.strip_suffix(word).and_then(|it| it.strip_suffix(' ')).unwrap_or(text)
}

/// Rounds to five decimals, which is about one metre: the precision of the coordinates.
fn rounded(degrees: f64) -> f64 {
    (degrees * 1e5).round() / 1e5
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Invented localities at possible coordinates: a postal code in two cantons, a commune with two
    /// localities, a locality without canton, and three rows with an error.
    const DIRECTORY: &str = include_str!("../fixtures/localities/directory.csv");
    /// The same localities with the columns of the files since 2025.
    const NEWER: &str = include_str!("../fixtures/localities/directory_plz4.csv");

    fn directory() -> Localities {
        read(DIRECTORY.as_bytes()).expect("a table")
    }

    #[test]
    fn known_points_are_converted() {
        for (east, north, latitude, longitude) in [
            (2_600_000.0, 1_200_000.0, 46.951_08, 7.438_64),
            // The example in swisstopo's documentation: 46°2'38.87", 8°43'49.79".
            (2_700_000.0, 1_100_000.0, 46.044_13, 8.730_50),
        ] {
            let (lat, lon) = wgs84(east, north);
            assert!((lat - latitude).abs() < 2e-5, "{lat}");
            assert!((lon - longitude).abs() < 2e-5, "{lon}");
        }
    }

    #[test]
    fn commune_takes_precedence_over_a_postal_code_in_two_cantons() {
        let directory = directory();
        let canton = |commune| {
            let place = directory.find(commune, Some("8901"), Some("Musterlingen")).expect("found");
            (place.canton, place.commune_id, place.precision)
        };
        assert_eq!(canton(Some(9001)), (Some(Canton::Zh), Some(9001), GeoPrecision::Locality));
        assert_eq!(canton(Some(9002)), (Some(Canton::Tg), Some(9002), GeoPrecision::Locality));
        assert_eq!(canton(None), (None, None, GeoPrecision::Locality));
        // A commune that is not in the directory.
        assert_eq!(canton(Some(1)), (None, None, GeoPrecision::Locality));
    }

    #[test]
    fn address_outside_the_commune_gives_the_location_of_the_commune() {
        let place = directory().find(Some(9001), Some("3000"), Some("Bern")).expect("found");
        assert_eq!(place.precision, GeoPrecision::Commune);
        assert_eq!(place.commune.as_deref(), Some("Musterlingen"));
    }

    #[test]
    fn locality_is_found_with_and_without_canton_code() {
        let directory = directory();
        for town in ["Buchs AG", "Buchs", "BUCHS"] {
            let place = directory.find(None, Some("5001"), Some(town)).expect(town);
            assert_eq!(place.canton, Some(Canton::Ag), "{town}");
        }
        assert_eq!(
            directory.find(None, None, Some("Oberdorf")).expect("one").commune_id,
            Some(9001)
        );
        assert_eq!(directory.find(None, None, Some("Musterlingen")), None);
        assert_eq!(directory.find(None, None, None), None);
    }

    #[test]
    fn locating_keeps_the_data_of_the_register() {
        let mut company = Company::new("CHE-600.000.026".parse().expect("a number"), "Muster AG");
        company.legal_seat_id = Some(9001);
        company.address_zip_code = Some("8901".into());
        let day = "2008-07-01".parse().ok();
        directory().dated("2026-03-02".parse().ok()).locate(&mut company);
        assert_eq!(company.geo_precision, Some(GeoPrecision::Locality));
        assert_eq!(company.legal_seat.as_deref(), Some("Musterlingen"));
        assert_eq!(company.canton, Some(Canton::Zh));
        assert_eq!(
            (company.sources[0].source.as_str(), company.sources[0].date),
            ("swisstopo", day)
        );
        assert!(company.is_enriched());
        company.legal_seat = Some("Anderswo".into());
        company.canton = Some(Canton::Be);
        directory().locate(&mut company);
        assert_eq!(
            (company.legal_seat.as_deref(), company.canton),
            (Some("Anderswo"), Some(Canton::Be))
        );
    }

    #[test]
    fn locality_outside_the_cantons_has_no_canton() {
        assert_eq!(directory().find(Some(9004), None, None).expect("found").canton, None);
    }

    #[test]
    fn invalid_row_is_rejected_with_its_column() {
        let directory = directory();
        assert_eq!(directory.len(), 5);
        let reasons: Vec<&str> = directory.rejected.iter().map(|it| it.reason.as_str()).collect();
        assert_eq!(reasons[0], "E: 680000 is not between 2480000 and 2840000");
        assert_eq!(reasons[1], "PLZ: is not a number of four digits");
        assert!(
            reasons[2].starts_with("Kantonskürzel: must be a Swiss canton such as `ZH`; got `XX`"),
            "{reasons:?}"
        );
    }

    #[test]
    fn column_name_of_newer_files_is_read() {
        let newer = read(NEWER.as_bytes()).expect("a table");
        assert_eq!((newer.len(), newer.rejected.len()), (5, 3));
        assert_eq!(newer.rejected[1].reason, "PLZ4: is not a number of four digits");
        let find = |it: &Localities| it.find(Some(9002), Some("8901"), Some("Musterlingen"));
        assert_eq!(find(&newer), find(&directory()));
        assert!(find(&newer).is_some());
        assert!(read(b"a;b\n").is_err());
    }

    proptest! {
        #[test]
        fn changing_one_character_never_panics(at in 0usize..5_000, with in any::<char>()) {
            let mut text: Vec<char> = DIRECTORY.chars().collect();
            let at = at % text.len();
            text[at] = with;
            if let Ok(found) = read(text.into_iter().collect::<String>().as_bytes()) {
                let _ = found.find(Some(9001), Some("8901"), Some("Oberdorf"));
            }
        }
    }
}
