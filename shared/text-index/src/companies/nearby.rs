//! The companies around a place.

use std::f64::consts::FRAC_PI_2;

use domain::Uid;

use super::{Companies, schema::Number};
use crate::{Error, best::Best, codes, columns::Column, documents::Documents};

/// The mean radius of the earth (IUGG).
const EARTH_RADIUS_KM: f64 = 6371.0088;

/// The parts of the radius that are tried, one after the other.
const PARTS: [f64; 4] = [1.0 / 64.0, 1.0 / 16.0, 1.0 / 4.0, 1.0];

/// A company and how far away it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Neighbour {
    pub uid: Uid,
    /// Along the great circle.
    pub distance_km: f64,
    /// WGS84 degrees, to a millionth.
    pub latitude: f64,
    /// WGS84 degrees, to a millionth.
    pub longitude: f64,
}

impl Companies {
    /// The nearest companies that are not deleted, the nearest first, equally near ones by
    /// relevance. A place that is on no globe is near to nothing.
    pub fn nearby(
        &self,
        latitude: f64,
        longitude: f64,
        radius_km: f64,
        limit: usize,
    ) -> Result<Vec<Neighbour>, Error> {
        let Some(surroundings) = Surroundings::of(latitude, longitude, radius_km) else {
            return Ok(Vec::new());
        };
        let (latitudes, longitudes) =
            (self.column(Number::Latitude), self.column(Number::Longitude));
        let place = |document: u32| {
            let north = codes::latitude_of(latitudes.get(document))?;
            Some((north, codes::longitude_of(longitudes.get(document))?))
        };
        let mut around = self.living();
        surroundings.narrow(&mut around, latitudes, longitudes);

        let mut best = Best::new(limit);
        // In a city a small part of the circle holds enough companies.
        for radius_km in PARTS.map(|it| radius_km * it) {
            let Some(surroundings) = Surroundings::of(latitude, longitude, radius_km) else {
                break;
            };
            let mut inside = around.clone();
            surroundings.narrow(&mut inside, latitudes, longitudes);
            best = Best::new(limit);
            let mut count = 0;
            for document in inside.iter() {
                let Some((north, east)) = place(document) else { continue };
                let distance_km = surroundings.distance_km(north, east);
                if distance_km <= radius_km {
                    // The bits of distances, which are not negative, have their order.
                    best.offer((distance_km.to_bits(), document));
                    count += 1;
                }
            }
            if count >= limit {
                break;
            }
        }
        let neighbour = |(distance, document): (u64, u32)| {
            let (latitude, longitude) = place(document)?;
            Some(Neighbour {
                uid: self.uid(document)?,
                distance_km: f64::from_bits(distance),
                latitude,
                longitude,
            })
        };
        Ok(best.into_sorted().into_iter().filter_map(neighbour).collect())
    }
}

/// A circle on the globe, and a box of degrees that holds it.
struct Surroundings {
    latitude: f64,
    longitude: f64,
    latitudes: [f64; 2],
    longitudes: [f64; 2],
}

impl Surroundings {
    fn of(latitude: f64, longitude: f64, radius_km: f64) -> Option<Self> {
        let on_the_globe = latitude.abs() <= 90.0 && longitude.abs() <= 180.0 && radius_km >= 0.0;
        if !on_the_globe {
            return None;
        }
        // A little more than the circle, so that rounding loses nothing.
        let angle = radius_km / EARTH_RADIUS_KM + 1e-7;
        let (south, north) = (latitude - angle.to_degrees(), latitude + angle.to_degrees());
        let mut longitudes = [-180.0, 180.0];
        let over_a_pole = south <= -90.0 || north >= 90.0 || angle >= FRAC_PI_2;
        if !over_a_pole {
            let width =
                (angle.sin() / latitude.to_radians().cos()).clamp(-1.0, 1.0).asin().to_degrees();
            let (west, east) = (longitude - width, longitude + width);
            // Beyond the date line the box is two; the circle itself decides then.
            if west >= -180.0 && east <= 180.0 {
                longitudes = [west, east];
            }
        }
        Some(Self { latitude, longitude, latitudes: [south, north], longitudes })
    }

    /// Leaves out those that lie outside the box.
    fn narrow(&self, documents: &mut Documents, latitudes: &Column, longitudes: &Column) {
        let north = self.latitudes.map(|it| codes::latitude(it.clamp(-90.0, 90.0)));
        let east = self.longitudes.map(|it| codes::longitude(it.clamp(-180.0, 180.0)));
        for (column, bounds) in [(latitudes, north), (longitudes, east)] {
            if let [Some(least), Some(most)] = bounds {
                column.retain(documents, |it| least <= it && it <= most);
            }
        }
    }

    /// By the haversine formula.
    fn distance_km(&self, latitude: f64, longitude: f64) -> f64 {
        let half_sine = |one: f64, other: f64| ((other - one).to_radians() / 2.0).sin().powi(2);
        let cosines = self.latitude.to_radians().cos() * latitude.to_radians().cos();
        let chord =
            half_sine(self.latitude, latitude) + cosines * half_sine(self.longitude, longitude);
        2.0 * EARTH_RADIUS_KM * chord.clamp(0.0, 1.0).sqrt().asin()
    }
}
