use teams::Note;

use crate::{
    kind::Kind,
    resources::{Limit, Resource, path_within},
};

/// Maximum number of notes about a company. Their texts are bounded, so a list of them stays below 5 MB.
const MAX_NOTES_OF_A_COMPANY: u32 = 200;
/// Maximum number of notes of a team.
const MAX_NOTES: u32 = 10_000;

impl Resource for Note {
    const KIND: Kind = Kind::Note;

    fn path(&self) -> String {
        path_within(self.company_uid, &self.id)
    }

    fn limits(&self) -> Vec<Limit> {
        vec![Limit::within(self.company_uid, MAX_NOTES_OF_A_COMPANY), Limit::of_team(MAX_NOTES)]
    }
}
