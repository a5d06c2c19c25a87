use accounts::Note;

use crate::{
    kind::Kind,
    resources::{Limit, Resource, path_within},
};

/// Maximum number of notes about a company. Their texts are bounded, so a list of them stays below 5 MB.
const MAX_NOTES: u32 = 200;

impl Resource for Note {
    const KIND: Kind = Kind::Note;

    fn path(&self) -> String {
        path_within(self.company_uid, &self.id)
    }

    fn limits(&self) -> Vec<Limit> {
        vec![Limit::within(self.company_uid, MAX_NOTES)]
    }
}
