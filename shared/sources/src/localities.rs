//! Localities with their postal codes, communes and coordinates: swisstopo's official directory.
//!
//! Format: the table `AMTOVZ_CSV_LV95.csv`, semicolons and byte order mark, with the columns
//! `Ortschaftsname`, `PLZ` (`PLZ4` since 2025), `Zusatzziffer`, `Gemeindename`, `BFS-Nr`,
//! `Kantonskürzel` and `E`, `N` in metres of LV95. One row for each part of a locality in a commune.
//! Free to use, the source named: © swisstopo.

use std::collections::{BTreeSet, HashMap};

use domain::{Canton, Company, Provenance, company::GeoPrecision, text::fold};
use jiff::civil::Date;

use crate::FetchPolicy;
use crate::{
    Rejected, Request, UnreadableList,
    table::{Row, Table},
};

/// What provenance calls the directory.
const SOURCE: &str = "swisstopo";

/// Limits for requests. One file.
pub const POLICY: FetchPolicy = FetchPolicy::new("localities", 2_000, 16);

const ADDRESS: &str = "https://data.geo.admin.ch/ch.swisstopo-vd.ortschaftenverzeichnis_plz/\
    ortschaftenverzeichnis_plz/ortschaftenverzeichnis_plz_2056.csv.zip";

/// The whole directory: an archive with one table in it.
pub fn request() -> Request {
    Request::get(ADDRESS)
}

/// Every locality, to be asked where a company is.
#[derive(Debug, Default)]
pub struct Localities {
    rows: Vec<Locality>,
    by_commune: HashMap<u32, Vec<usize>>,
    by_zip: HashMap<u16, Vec<usize>>,
    by_name: HashMap<String, Vec<usize>>,
    day: Option<Date>,
    /// The rows that could not be read.
    pub rejected: Vec<Rejected>,
}

#[derive(Debug)]
struct Locality {
    folded: String,
    zip: u16,
    /// `00` is the locality that bears the postal code; others share it.
    addition: u8,
    commune: String,
    commune_id: u32,
    canton: Option<Canton>,
    latitude: f64,
    longitude: f64,
}

/// Where a company is, as far as its commune and postal address tell.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// WGS84 degrees.
    pub latitude: f64,
    /// WGS84 degrees.
    pub longitude: f64,
    pub precision: GeoPrecision,
    /// The name of the commune; absent where the place may lie in several.
    pub commune: Option<String>,
    /// The number of the commune at the Federal Statistical Office.
    pub commune_id: Option<u32>,
    /// Absent outside Switzerland, and where the place may lie in several.
    pub canton: Option<Canton>,
}

/// Reads the directory.
pub fn read(bytes: &[u8]) -> Result<Localities, UnreadableList> {
    let unreadable = |reason| UnreadableList { list: "localities", reason };
    let mut table = Table::sniffed(bytes).map_err(unreadable)?;
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
    let metres = |name: &str, least: f64, most: f64| -> Result<f64, String> {
        let given: f64 = row.parsed(name)?.ok_or_else(|| format!("{name}: is empty"))?;
        match (least..=most).contains(&given) {
            true => Ok(given),
            false => Err(format!("{name}: {given} is not between {least} and {most}")),
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
    })
}

/// LV95 in metres to WGS84 in degrees of latitude and longitude, by swisstopo's approximation: within
/// a metre or two everywhere in Switzerland.
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
    /// How many there are.
    pub fn count(&self) -> u64 {
        self.rows.len() as u64
    }

    fn add(&mut self, locality: Locality) {
        let at = self.rows.len();
        self.by_commune.entry(locality.commune_id).or_default().push(at);
        self.by_zip.entry(locality.zip).or_default().push(at);
        self.by_name.entry(locality.folded.clone()).or_default().push(at);
        self.rows.push(locality);
    }

    /// The same, of this day: the file bears none that would be its own.
    #[must_use]
    pub fn dated(mut self, day: Option<Date>) -> Self {
        self.day = day;
        self
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Fills where a company is, and what its register left out of its commune. Call
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
        let source = Provenance { source: SOURCE.into(), reference: None, date: self.day };
        company.sources.push(source);
    }

    /// The place of a company by its commune, postal code and town, the commune first: a postal code
    /// can span communes and cantons, a commune cannot. A commune that merged since is not known;
    /// then the address decides.
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
        // Where the same words also lead elsewhere, what differs is not known.
        let alike: Vec<&Locality> = match &town {
            Some(town) if found.is_called(town) => {
                rows.iter().filter(|it| it.is_called(town)).copied().collect()
            }
            _ => rows,
        };
        let communes: BTreeSet<u32> = alike.iter().map(|it| it.commune_id).collect();
        let cantons: BTreeSet<Option<Canton>> = alike.iter().map(|it| it.canton).collect();
        // A town without a postal code may be one of several that bear its name far apart.
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

/// The row that agrees with postal code and town, else with the postal code, else with the town.
fn best<'a>(rows: &[&'a Locality], zip: Option<u16>, town: Option<&str>) -> Option<&'a Locality> {
    let agrees = |it: &Locality| {
        let by_zip = zip.is_some_and(|zip| zip == it.zip);
        let by_town = town.is_some_and(|town| it.is_called(town));
        (u8::from(by_zip) * 2 + u8::from(by_town), by_zip && it.addition == 0)
    };
    let best = rows.iter().copied().reduce(|best, next| match agrees(next) > agrees(best) {
        true => next,
        false => best,
    })?;
    (agrees(best).0 > 0).then_some(best)
}

/// The locality that the commune is named after, else the first.
fn center<'a>(rows: &[&'a Locality]) -> Option<&'a Locality> {
    let named = rows.iter().find(|it| it.is_called(&fold(&it.commune)));
    named.or_else(|| rows.first()).copied()
}

impl Locality {
    /// The register writes some names with the letters of the canton behind them, and some without.
    fn is_called(&self, folded: &str) -> bool {
        let canton = || self.canton.map(|it| fold(it.code()));
        let bare = |it| match canton() {
            Some(code) => without_last_word(it, &code),
            None => it,
        };
        self.folded == folded || bare(&self.folded) == bare(folded)
    }

    fn place(&self, precision: GeoPrecision) -> Place {
        Place {
            latitude: rounded(self.latitude),
            longitude: rounded(self.longitude),
            precision,
            commune: Some(self.commune.clone()),
            commune_id: Some(self.commune_id),
            canton: self.canton,
        }
    }
}

fn without_last_word<'a>(text: &'a str, word: &str) -> &'a str {
    text.strip_suffix(word).and_then(|it| it.strip_suffix(' ')).unwrap_or(text)
}

/// To five decimals, about a metre: more would pretend to be exact.
fn rounded(degrees: f64) -> f64 {
    (degrees * 1e5).round() / 1e5
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Invented places where real ones can be: one postal code in two cantons, a commune of two
    /// localities, a locality of no canton.
    const DIRECTORY: &str = "\u{feff}Ortschaftsname;PLZ;Zusatzziffer;Gemeindename;BFS-Nr;Kantonskürzel;E;N;Sprache;Validity\n\
        Musterlingen;8901;00;Musterlingen;9001;ZH;2680000.0;1240000.0;de;2008-07-01\n\
        Oberdorf;8901;02;Musterlingen;9001;ZH;2681000.0;1241000.0;de;2008-07-01\n\
        Musterlingen;8901;00;Grenzach TG;9002;TG;2690000.0;1250000.0;de;2008-07-01\n\
        Buchs AG;5001;00;Buchs (AG);9003;AG;2650000.0;1249000.0;de;2008-07-01\n\
        Enklave;9901;00;Enklave;9004;;2757000.0;1215000.0;de;2008-07-01\n\
        Draussen;9902;00;Draussen;9005;ZH;680000.0;240000.0;de;2008-07-01\n\
        Kurz;99;00;Kurz;9006;ZH;2680000.0;1240000.0;de;2008-07-01\n\
        Unkanton;9903;00;Unkanton;9007;XX;2680000.0;1240000.0;de;2008-07-01\n";

    fn directory() -> Localities {
        read(DIRECTORY.as_bytes()).expect("a table")
    }

    #[test]
    fn known_points_are_where_they_are() {
        for (east, north, latitude, longitude) in [
            (2_600_000.0, 1_200_000.0, 46.951_08, 7.438_64),
            // The example of swisstopo's own description: 46°2'38.87", 8°43'49.79".
            (2_700_000.0, 1_100_000.0, 46.044_13, 8.730_50),
        ] {
            let (lat, lon) = wgs84(east, north);
            assert!((lat - latitude).abs() < 2e-5, "{lat}");
            assert!((lon - longitude).abs() < 2e-5, "{lon}");
        }
    }

    #[test]
    fn the_commune_decides_where_a_postal_code_spans_two() {
        let directory = directory();
        let canton = |commune| {
            let place = directory.find(commune, Some("8901"), Some("Musterlingen")).expect("found");
            (place.canton, place.commune_id, place.precision)
        };
        assert_eq!(canton(Some(9001)), (Some(Canton::Zh), Some(9001), GeoPrecision::Locality));
        assert_eq!(canton(Some(9002)), (Some(Canton::Tg), Some(9002), GeoPrecision::Locality));
        assert_eq!(canton(None), (None, None, GeoPrecision::Locality));
        // A commune that the directory does not know (any more).
        assert_eq!(canton(Some(1)), (None, None, GeoPrecision::Locality));
    }

    #[test]
    fn an_address_outside_its_commune_leaves_the_commune() {
        let place = directory().find(Some(9001), Some("3000"), Some("Bern")).expect("found");
        assert_eq!(place.precision, GeoPrecision::Commune);
        assert_eq!(place.commune.as_deref(), Some("Musterlingen"));
    }

    #[test]
    fn a_locality_is_known_with_and_without_the_letters_of_its_canton() {
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
    fn a_company_is_located_and_what_the_register_says_stands() {
        let mut company = Company::new("CHE-600.000.026".parse().expect("a number"), "Muster AG");
        company.legal_seat_id = Some(9001);
        company.address_zip_code = Some("8901".into());
        let day = "2026-03-02".parse().ok();
        directory().dated(day).locate(&mut company);
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
    fn a_locality_of_no_canton_has_none() {
        assert_eq!(directory().find(Some(9004), None, None).expect("found").canton, None);
    }

    #[test]
    fn a_row_that_cannot_be_read_is_rejected_with_its_column() {
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
    fn the_column_of_the_newer_files_is_read_alike() {
        let newer = DIRECTORY.replacen(";PLZ;", ";PLZ4;", 1);
        assert_eq!(read(newer.as_bytes()).expect("a table").len(), 5);
        assert!(read(b"a;b\n").is_err());
    }

    proptest! {
        #[test]
        fn no_change_of_one_character_makes_the_reader_panic(at in 0usize..5_000, with in any::<char>()) {
            let mut text: Vec<char> = DIRECTORY.chars().collect();
            let at = at % text.len();
            text[at] = with;
            if let Ok(found) = read(text.into_iter().collect::<String>().as_bytes()) {
                let _ = found.find(Some(9001), Some("8901"), Some("Oberdorf"));
            }
        }
    }
}
