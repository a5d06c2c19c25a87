//! The companies around a place.

use domain::Uid;

use super::{
    Companies,
    places::{Found, Point},
};
use crate::Error;

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
