//! Dossiers and their texts.
//!
//! Invariants: at most one dossier is being written for a request; a text exists exactly as long as its completed dossier.

use domain::Uid;
use teams::{Dossier, DossierRequest, DossierText};
use uuid::Uuid;

use crate::{
    Error, TeamKey, Tenants, keys,
    kind::Kind,
    resources::{Copy, Limit, Refused, Resource},
    table::Write,
};

/// Maximum number of dossiers of a team. They are kept until the team deletes them.
pub const MAX_DOSSIERS: u32 = 500;

impl Resource for Dossier {
    const KIND: Kind = Kind::Dossier;

    fn path(&self) -> String {
        self.id.to_string()
    }

    fn limits(&self) -> Vec<Limit> {
        vec![Limit::of_team(MAX_DOSSIERS)]
    }

    fn copies(&self, team: &TeamKey) -> Vec<Copy> {
        let of_company = keys::dossier_of_company(team, self.request.company_uid, self.id);
        let mut copies = vec![Copy { key: of_company, is_unique: false }];
        if self.is_running() {
            let key = keys::running_dossier(team, &self.request.key());
            copies.push(Copy { key, is_unique: true });
        }
        copies
    }
}

impl Tenants {
    /// The dossier that is being written for a request.
    pub async fn running_dossier(
        &self,
        team: &TeamKey,
        request: &DossierRequest,
    ) -> Result<Option<Dossier>, Error> {
        self.table.get(keys::running_dossier(team, &request.key())).await
    }

    /// The dossiers of a team, newest first. Consistent.
    pub async fn dossiers(&self, team: &TeamKey) -> Result<Vec<Dossier>, Error> {
        let mut dossiers: Vec<Dossier> = self.resources(team, "").await?;
        dossiers.reverse();
        Ok(dossiers)
    }

    /// The newest dossier of a team about a company. Consistent.
    pub async fn newest_dossier_of(
        &self,
        team: &TeamKey,
        uid: Uid,
    ) -> Result<Option<Dossier>, Error> {
        let found = self.newest(keys::dossiers_of_company(team, uid), None, 1).await?;
        Ok(found.into_iter().next())
    }

    /// The text of a completed dossier.
    pub async fn dossier_text(
        &self,
        team: &TeamKey,
        id: Uuid,
    ) -> Result<Option<DossierText>, Error> {
        self.table.get(keys::dossier_text(team, id)).await
    }

    /// Changes a dossier and stores its text with the change. `None`: the dossier does not exist any more, or `complete` returned
    /// `None`; then the text is not stored either.
    pub async fn complete_dossier(
        &self,
        team: &TeamKey,
        id: Uuid,
        text: &DossierText,
        complete: impl FnMut(&Dossier) -> Option<Dossier>,
    ) -> Result<Option<Dossier>, Refused> {
        let put = Write::put_document(keys::dossier_text(team, id), text)?;
        self.change_with(team, &id.to_string(), complete, vec![put]).await
    }

    /// Deletes a dossier with its text. `None`: it does not exist, or `may` does not allow it.
    pub async fn delete_dossier(
        &self,
        team: &TeamKey,
        id: Uuid,
        may: impl Fn(&Dossier) -> bool,
    ) -> Result<Option<Dossier>, Error> {
        let text = keys::dossier_text(team, id);
        self.delete_with(team, &id.to_string(), may, vec![text]).await
    }
}
