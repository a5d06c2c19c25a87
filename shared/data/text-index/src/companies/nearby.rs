//! Companies near a point.

use domain::Uid;

use super::{
    Companies,
    places::{Found, Point},
};
use crate::Error;

/// A company near a point, with its distance.
#[derive(Clone, Debug, PartialEq)]
pub struct Neighbour {
    pub uid: Uid,
    /// Great-circle distance.
    pub distance_km: f64,
    /// WGS 84 degrees with six decimals.
    pub latitude: f64,
    /// WGS 84 degrees with six decimals.
    pub longitude: f64,
}

impl Companies {
    /// The nearest companies that are not deleted, nearest first, then by relevance. Empty for invalid
    /// coordinates.
    pub fn nearby(
        &self,
        latitude: f64,
        longitude: f64,
        radius_km: f64,
        limit: usize,
    ) -> Result<Vec<Neighbour>, Error> {
        let point = Point::new(latitude, longitude).filter(|_| radius_km >= 0.0);
        let Some(point) = point else { return Ok(Vec::new()) };
        let found = self.places.nearest(point, radius_km, limit).into_iter();
        let neighbour = |it: Found| {
            let Found { distance_km, latitude, longitude, .. } = it;
            Some(Neighbour { uid: self.uid(it.document)?, distance_km, latitude, longitude })
        };
        Ok(found.filter_map(neighbour).collect())
    }
}
