//! A small map that shows where in Switzerland a company is.

use serde::Serialize;

/// The border of Switzerland as longitudes and latitudes in degrees: our own outline, exact to a few kilometres. Enclaves
/// are left out.
const OUTLINE: [(f64, f64); 69] = [
    (5.96, 46.13),
    (6.13, 46.14),
    (6.30, 46.23),
    (6.22, 46.34),
    (6.52, 46.46),
    (6.82, 46.43),
    (6.80, 46.14),
    (6.90, 46.05),
    (7.04, 45.93),
    (7.18, 45.87),
    (7.39, 45.91),
    (7.66, 45.98),
    (7.87, 45.92),
    (8.01, 46.02),
    (8.15, 46.18),
    (8.10, 46.27),
    (8.31, 46.42),
    (8.45, 46.46),
    (8.47, 46.28),
    (8.61, 46.13),
    (8.83, 45.99),
    (8.91, 45.83),
    (9.03, 45.82),
    (9.08, 45.92),
    (9.02, 46.05),
    (9.25, 46.23),
    (9.30, 46.50),
    (9.45, 46.50),
    (9.46, 46.37),
    (9.63, 46.29),
    (9.72, 46.29),
    (9.95, 46.38),
    (10.05, 46.28),
    (10.16, 46.24),
    (10.14, 46.39),
    (10.05, 46.53),
    (10.30, 46.55),
    (10.49, 46.61),
    (10.46, 46.76),
    (10.39, 47.00),
    (10.11, 46.85),
    (9.88, 46.93),
    (9.61, 47.06),
    (9.48, 47.06),
    (9.52, 47.27),
    (9.67, 47.39),
    (9.56, 47.50),
    (9.26, 47.66),
    (8.90, 47.65),
    (8.79, 47.74),
    (8.57, 47.81),
    (8.41, 47.67),
    (8.44, 47.57),
    (8.20, 47.62),
    (7.91, 47.55),
    (7.68, 47.54),
    (7.59, 47.58),
    (7.40, 47.43),
    (7.17, 47.49),
    (6.99, 47.50),
    (6.88, 47.37),
    (7.05, 47.33),
    (6.85, 47.17),
    (6.69, 47.05),
    (6.43, 46.93),
    (6.46, 46.78),
    (6.13, 46.59),
    (6.06, 46.41),
    (6.10, 46.24),
];
const WEST: f64 = 5.96;
const EAST: f64 = 10.49;
const SOUTH: f64 = 45.82;
const NORTH: f64 = 47.81;
/// Cosine of the latitude of the middle: the length of a degree of longitude in degrees of latitude.
const SHORTER: f64 = 0.6845;

/// Width on the page, in millimetres.
const WIDTH: f64 = 56.0;

/// The map of the template. Points are in a rectangle of width 1.
#[derive(Debug, Serialize)]
pub(super) struct Map {
    /// What the map shows, for people who cannot see it.
    alt: String,
    width: f64,
    height: f64,
    outline: Vec<(f64, f64)>,
    dot: (f64, f64),
}

impl Map {
    /// The map with a dot at these coordinates in degrees. `None` outside Switzerland.
    pub(super) fn of(longitude: f64, latitude: f64, alt: String) -> Option<Self> {
        let is_inside = (WEST..=EAST).contains(&longitude) && (SOUTH..=NORTH).contains(&latitude);
        is_inside.then(|| Self {
            alt,
            width: WIDTH,
            height: point(EAST, SOUTH).1,
            outline: OUTLINE
                .iter()
                .map(|(longitude, latitude)| point(*longitude, *latitude))
                .collect(),
            dot: point(longitude, latitude),
        })
    }
}

/// A place on the map. Equirectangular: exact enough for a country of this size.
fn point(longitude: f64, latitude: f64) -> (f64, f64) {
    let width = (EAST - WEST) * SHORTER;
    let thousandths = |it: f64| (it * 1_000.0).round() / 1_000.0;
    (thousandths((longitude - WEST) * SHORTER / width), thousandths((NORTH - latitude) / width))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outline_fills_the_map() {
        let points: Vec<(f64, f64)> = OUTLINE.iter().map(|it| point(it.0, it.1)).collect();
        let bound = |select: fn(&(f64, f64)) -> f64, better: fn(f64, f64) -> f64| {
            points.iter().map(select).reduce(better).expect("points")
        };
        assert_eq!((bound(|it| it.0, f64::min), bound(|it| it.0, f64::max)), (0.0, 1.0));
        assert_eq!(
            (bound(|it| it.1, f64::min), bound(|it| it.1, f64::max)),
            (0.0, point(EAST, SOUTH).1)
        );
    }

    #[test]
    fn places_outside_switzerland_have_no_map() {
        assert!(Map::of(8.54, 47.37, String::new()).is_some());
        for (longitude, latitude) in [(0.0, 0.0), (13.4, 52.5), (f64::NAN, 47.0)] {
            assert!(Map::of(longitude, latitude, String::new()).is_none());
        }
    }
}
