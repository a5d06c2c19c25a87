//! Watchlists and their events.

use vynco::{AddCompaniesRequest, CreateWatchlistRequest, VyncoError};

use crate::{Checked, NESTLE, OrFail, Server, check, history::company_with_history};

pub async fn watchlists_contain_companies_and_their_events(server: &Server) -> Checked {
    let client = server.client("professional");
    let changed = company_with_history(&client).await?;
    let request = CreateWatchlistRequest { name: "Clients".into(), description: None };
    let created = client.watchlists().create(&request).await.or_fail()?.data;
    check(created.name == "Clients" && created.description.is_empty(), &created)?;
    let again = client.watchlists().create(&request).await;
    check(matches!(again, Err(VyncoError::Conflict(_))), &again)?;

    let uids = AddCompaniesRequest { uids: vec![NESTLE.into(), changed.clone()] };
    let added = client.watchlists().add_companies(&created.id, &uids).await.or_fail()?.data;
    check(added.added == 2, &added)?;
    let companies = client.watchlists().companies(&created.id).await.or_fail()?.data;
    let lists_both = companies.uids.contains(&changed) && companies.companies.len() == 2;
    check(lists_both, &companies)?;
    let listed = client.watchlists().list().await.or_fail()?.data;
    let summary = listed.iter().find(|it| it.id == created.id).ok_or("no summary")?;
    check(summary.company_count == 2, summary)?;
    let events = client.watchlists().events(&created.id, Some(3)).await.or_fail()?.data;
    check(!events.events.is_empty() && events.events.len() <= 3, &events)?;
    check(events.events.iter().all(|it| it.company_uid == changed), &events)?;

    client.watchlists().remove_company(&created.id, &changed).await.or_fail()?;
    let left = client.watchlists().companies(&created.id).await.or_fail()?.data;
    check(left.uids == [NESTLE], &left)?;
    client.watchlists().delete(&created.id).await.or_fail()?;
    let gone = client.watchlists().companies(&created.id).await;
    check(matches!(gone, Err(VyncoError::NotFound(_))), &gone)
}
