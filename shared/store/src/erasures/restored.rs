//! Erasures that a restored backup has undone.

use std::collections::{BTreeMap, HashMap};

use auth::{Email, Member, TeamId, User};
use futures_util::{TryStreamExt, pin_mut};
use jiff::Timestamp;

use super::{
    Erased, Erasure, Listed, TEAM, USER, hash,
    items::{StoredItem, items_with_key},
};
use crate::{Error, Tenants, erasure::ADDRESS, keys};

impl Tenants {
    /// Finds the users, teams and addresses in the table that are in the list of erasures, and starts to erase them again. Reads
    /// the whole table twice. For the operator, after a backup was restored.
    pub async fn undone_erasures(&self) -> Result<Vec<Erasure>, Error> {
        let mut listed: HashMap<String, Listed> = HashMap::new();
        let rows = self.table.scan_after("ERASED", None);
        pin_mut!(rows);
        while let Some(page) = rows.try_next().await? {
            for row in page {
                if let Some(hash) = row.partition.strip_prefix(keys::ERASED).map(str::to_owned) {
                    listed.insert(hash, row.read()?);
                }
            }
        }
        let mut found: BTreeMap<String, (Erased, Timestamp)> = BTreeMap::new();
        let mut after = None;
        loop {
            let (items, next) = self.table.scan_page(after.as_ref()).await?;
            for item in items {
                let key = item.key();
                let kinds: Vec<StoredItem> = items_with_key(&key.partition, &key.sort).collect();
                let values = |name: &str| -> Option<String> {
                    kinds.iter().find_map(|it| it.value(name, &key)).map(str::to_owned)
                };
                if let Some(team) = values("team")
                    && let Some(it) = listed.get(&hash(TEAM, &team))
                {
                    let keeps_evidence_for = it.keeps_evidence_for.clone();
                    let erased = Erased::Team { team: TeamId(team.clone()), keeps_evidence_for };
                    found.insert(hash(TEAM, &team), (erased, it.erased_at));
                }
                let user: Option<User> = match key.sort == "USER" {
                    true => item.read().ok(),
                    false => None,
                };
                if let Some(User { id, email, .. }) = user
                    && let Some(it) = listed.get(&hash(USER, &id))
                {
                    let teams: Vec<Member> = self.table.query(keys::teams_of_user(&id)).await?;
                    let teams = teams.into_iter().map(|it| it.team).collect();
                    let erased = Erased::User { user: id.clone(), email, teams };
                    found.insert(hash(USER, &id), (erased, it.erased_at));
                }
                let email =
                    item.document().and_then(|it| Some(it.get("email")?.as_str()?.to_owned()));
                if let Some(email) = email
                    && let Some(it) = listed.get(&hash(ADDRESS, &email))
                    && let Ok(email) = email.parse::<Email>()
                {
                    found.insert(
                        hash(ADDRESS, email.as_str()),
                        (Erased::Address { email }, it.erased_at),
                    );
                }
            }
            after = next;
            if after.is_none() {
                break;
            }
        }
        let mut erasures = Vec::with_capacity(found.len());
        for (erased, since) in found.into_values() {
            erasures.push(self.erase_again(erased, since).await?);
        }
        Ok(erasures)
    }
}
