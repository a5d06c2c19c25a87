//! The locations of companies as a k-d tree without pointers, for finding those near a point.
//!
//! The middle place of a stretch splits it: places before it are on one side of a plane through it, places
//! after it on the other. The planes cut the globe along its three axes in turn, so that the poles and the
//! date line need no special treatment.

use std::{cmp::Ordering, ops::Range};

use tantivy::SegmentReader;

use super::{
    row::Row,
    schema::{Number, Place},
};
use crate::{best::Best, codes, columns::Column, layout::Fields, segment};

/// The mean radius of the earth (IUGG).
const EARTH_RADIUS_KM: f64 = 6371.0088;

/// A stretch of at most this many places is searched linearly, which is faster.
const UNDIVIDED: usize = 8;

/// Extra search radius of a few millimetres, to compensate for rounding.
const MARGIN: f64 = 1e-9;

/// The places of an open index.
pub(super) struct Places {
    count: u32,
    occupants: Column,
    latitudes: Column,
    longitudes: Column,
}

/// A place within the radius.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) document: u32,
    pub(super) distance_km: f64,
    pub(super) latitude: f64,
    pub(super) longitude: f64,
}

impl Places {
    pub(super) fn of(segment: &SegmentReader) -> tantivy::Result<Self> {
        let column = |it: Place| segment::column(segment, &it.name());
        let occupants = column(Place::Occupant)?;
        Ok(Self {
            count: occupants.first_that(|it| it == 0),
            occupants,
            latitudes: column(Place::Latitude)?,
            longitudes: column(Place::Longitude)?,
        })
    }

    /// The nearest places within the radius, nearest first, then by document.
    pub(super) fn nearest(&self, to: Point, radius_km: f64, wanted: usize) -> Vec<Found> {
        let (best, at) = (Best::new(wanted), to.on_the_globe());
        let mut search = Search { places: self, to, at, best, radius_km, reach: reach(radius_km) };
        if wanted > 0 {
            search.look(0..self.count as usize, 0, [0.0; AXES]);
        }
        let found = |(distance, document, place): (u64, u32, u32)| {
            let Point { latitude, longitude } = self.point(place);
            Found { document, distance_km: f64::from_bits(distance), latitude, longitude }
        };
        search.best.into_sorted().into_iter().map(found).collect()
    }

    fn point(&self, place: u32) -> Point {
        let (north, east) = (self.latitudes.get(place), self.longitudes.get(place));
        Point::of(north, east)
    }
}

/// A point on the globe, in WGS 84 degrees.
#[derive(Clone, Copy)]
pub(super) struct Point {
    latitude: f64,
    longitude: f64,
}

const AXES: usize = 3;

impl Point {
    /// `None` if the coordinates are out of range.
    pub(super) fn new(latitude: f64, longitude: f64) -> Option<Self> {
        let on_the_globe = latitude.abs() <= 90.0 && longitude.abs() <= 180.0;
        on_the_globe.then_some(Self { latitude, longitude })
    }

    /// From the stored numbers of a place.
    fn of(latitude: u64, longitude: u64) -> Self {
        let degrees = |it: Option<f64>| it.unwrap_or_default();
        Self {
            latitude: degrees(codes::latitude_of(latitude)),
            longitude: degrees(codes::longitude_of(longitude)),
        }
    }

    /// Cartesian coordinates on a globe of radius 1: towards 0° east, 90° east and the north pole.
    fn on_the_globe(self) -> [f64; AXES] {
        let (north, up) = self.latitude.to_radians().sin_cos();
        let (east, ahead) = self.longitude.to_radians().sin_cos();
        [up * ahead, up * east, north]
    }

    /// Great-circle distance by the haversine formula.
    fn distance_km(self, other: Self) -> f64 {
        let half_sine = |one: f64, other: f64| ((other - one).to_radians() / 2.0).sin().powi(2);
        let cosines = self.latitude.to_radians().cos() * other.latitude.to_radians().cos();
        let chord = half_sine(self.latitude, other.latitude)
            + cosines * half_sine(self.longitude, other.longitude);
        2.0 * EARTH_RADIUS_KM * chord.clamp(0.0, 1.0).sqrt().asin()
    }
}

/// Square of the straight-line distance, on a globe of radius 1, that corresponds to a distance along the surface.
fn reach(distance_km: f64) -> f64 {
    let half_angle = (distance_km / EARTH_RADIUS_KM / 2.0).min(std::f64::consts::FRAC_PI_2);
    (2.0 * half_angle.sin() + MARGIN).powi(2)
}

/// State of a search through the tree.
struct Search<'a> {
    places: &'a Places,
    to: Point,
    /// The same point in Cartesian coordinates.
    at: [f64; AXES],
    /// Distances as bits: non-negative floats sort like their bits.
    best: Best<(u64, u32, u32)>,
    /// Places farther away are not among the nearest.
    radius_km: f64,
    /// See [`reach`].
    reach: f64,
}

impl Search<'_> {
    /// Searches a stretch whose distance along each axis is at least `gaps`.
    fn look(&mut self, stretch: Range<usize>, axis: usize, gaps: [f64; AXES]) {
        if gaps.iter().map(|it| it * it).sum::<f64>() > self.reach {
            return;
        }
        if stretch.len() <= UNDIVIDED {
            stretch.for_each(|it| self.offer(it as u32));
            return;
        }
        let (before, middle, after) = divided(stretch);
        let beyond = self.at[axis] - self.places.point(middle as u32).on_the_globe()[axis];
        let (near, far) = if beyond < 0.0 { (before, after) } else { (after, before) };
        let mut gaps_of_far = gaps;
        gaps_of_far[axis] = beyond.abs();
        self.look(near, (axis + 1) % AXES, gaps);
        self.offer(middle as u32);
        self.look(far, (axis + 1) % AXES, gaps_of_far);
    }

    fn offer(&mut self, place: u32) {
        let distance_km = self.to.distance_km(self.places.point(place));
        if distance_km > self.radius_km {
            return;
        }
        let document = self.places.occupants.get(place).saturating_sub(1) as u32;
        self.best.offer((distance_km.to_bits(), document, place));
        if let Some((farthest, ..)) = self.best.bar()
            && f64::from_bits(farthest) < self.radius_km
        {
            self.radius_km = f64::from_bits(farthest);
            self.reach = reach(self.radius_km);
        }
    }
}

/// Splits a stretch into the places before its middle, the middle, and the places after it.
fn divided(stretch: Range<usize>) -> (Range<usize>, usize, Range<usize>) {
    let middle = stretch.start + stretch.len() / 2;
    (stretch.start..middle, middle, middle + 1..stretch.end)
}

/// The numbers of a place, in the order of [`Place`]; all 0 for no place.
pub(super) type Numbers = [u64; Place::ALL.len()];

/// The places of the companies that are not deleted, in tree order. `rows` are in document order.
pub(super) fn arranged(rows: &[Row]) -> Vec<Numbers> {
    let gone = codes::status(domain::Status::Cancelled);
    let registered = (1..).zip(rows).filter(|(_, it)| it.number(Number::Status) != gone);
    let mut places: Vec<_> = registered
        .filter_map(|(occupant, row)| {
            let (latitude, longitude) = row.place?;
            let at = Point::of(latitude, longitude).on_the_globe();
            Some((at, [occupant, latitude, longitude]))
        })
        .collect();
    arrange(&mut places, 0);
    places.into_iter().map(|(_, numbers)| numbers).collect()
}

fn arrange(places: &mut [([f64; AXES], Numbers)], axis: usize) {
    if places.len() <= UNDIVIDED {
        return;
    }
    let (before, middle, after) = divided(0..places.len());
    let along_axis = |(one, _): &([f64; AXES], _), (other, _): &([f64; AXES], _)| -> Ordering {
        one[axis].total_cmp(&other[axis])
    };
    places.select_nth_unstable_by(middle, along_axis);
    arrange(&mut places[before], (axis + 1) % AXES);
    arrange(&mut places[after], (axis + 1) % AXES);
}
