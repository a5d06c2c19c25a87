//! Pipelines: companies in stages.

use std::collections::HashMap;
use std::time::SystemTime;

use vynco::{AddEntryRequest, CreatePipelineRequest, UpdateEntryRequest, VyncoError};

use crate::{BRANCH, Checked, NESTLE, OrFail, SOLAR, Server, check};

fn entry(company_uid: &str) -> AddEntryRequest {
    let company_uid = company_uid.into();
    AddEntryRequest { company_uid, stage: None, tier: None, assigned_to_user_id: None }
}

fn counts<const N: usize>(counts: [(&str, i64); N]) -> HashMap<String, i64> {
    counts.into_iter().map(|(name, count)| (name.to_owned(), count)).collect()
}

pub async fn pipelines_contain_companies_in_stages(server: &Server) -> Checked {
    let client = server.client("starter");
    let pipelines = client.pipelines();
    let stages = Some(vec!["Lead".into(), "Won".into()]);
    let request = CreatePipelineRequest { name: "Clients".into(), stages };
    let members = client.teams().members().await.or_fail()?.data;
    let user = members.first().ok_or("no member")?.id.clone();
    let created = pipelines.create(&request).await.or_fail()?.data;
    check(created.name == "Clients" && created.stages == ["Lead", "Won"], &created)?;
    check(created.team_id == client.teams().me().await.or_fail()?.data.id, &created)?;
    let now = SystemTime::UNIX_EPOCH.elapsed().map_err(|it| it.to_string())?.as_secs();
    check(created.created_at.abs_diff(now as i64) < 60, "seconds since 1970")?;
    let listed = pipelines.list().await.or_fail()?.data;
    check(listed.iter().any(|it| it.id == created.id && it.name == "Clients"), &listed)?;

    let first = pipelines.add_entry(&created.id, &entry(NESTLE)).await.or_fail()?.data;
    check(first.pipeline_id == created.id && first.company_uid == NESTLE, &first)?;
    check(first.company_name == "Nestlé S.A." && first.canton.as_deref() == Some("VD"), &first)?;
    check((first.stage.as_str(), first.tier) == ("Lead", 3), &first)?;
    check(first.assigned_to_user_id.is_none() && first.notes.is_none(), &first)?;
    let request = AddEntryRequest {
        stage: Some("Won".into()),
        tier: Some(1),
        assigned_to_user_id: Some(user.clone()),
        ..entry(SOLAR)
    };
    let second = pipelines.add_entry(&created.id, &request).await.or_fail()?.data;
    check((second.stage.as_str(), second.tier) == ("Won", 1), &second)?;
    check(second.assigned_to_user_id.as_deref() == Some(user.as_str()), &second)?;
    let again = pipelines.add_entry(&created.id, &entry(NESTLE)).await;
    check(matches!(again, Err(VyncoError::Conflict(_))), &again)?;
    let unknown_stage = AddEntryRequest { stage: Some("Lost".into()), ..entry(BRANCH) };
    let refused = pipelines.add_entry(&created.id, &unknown_stage).await;
    check(matches!(refused, Err(VyncoError::Validation(_))), &refused)?;

    let change = UpdateEntryRequest {
        stage: Some("Won".into()),
        tier: Some(2),
        assigned_to_user_id: Some(user.clone()),
        notes: Some("Call back.".into()),
    };
    let moved = pipelines.update_entry(&created.id, &first.id, &change).await.or_fail()?.data;
    check((moved.stage.as_str(), moved.tier) == ("Won", 2), &moved)?;
    check(moved.assigned_to_user_id.as_deref() == Some(user.as_str()), &moved)?;
    check(moved.notes.as_deref() == Some("Call back."), &moved)?;
    check(moved.created_at == first.created_at && moved.updated_at >= moved.created_at, &moved)?;

    let statistics = pipelines.stats(&created.id).await.or_fail()?.data;
    check(statistics.by_stage == counts([("Lead", 0), ("Won", 2)]), &statistics)?;
    check(statistics.by_tier == counts([("1", 1), ("2", 1)]), &statistics)?;
    check(statistics.total == 2, &statistics)?;
    let full = pipelines.get(&created.id).await.or_fail()?.data;
    check(full.name == "Clients" && full.stages == ["Lead", "Won"], &full)?;
    let uids: Vec<&str> = full.entries.iter().map(|it| it.company_uid.as_str()).collect();
    check(full.total_entries == 2 && uids == [NESTLE, SOLAR], &full)?;

    pipelines.remove_entry(&created.id, &first.id).await.or_fail()?;
    let left = pipelines.get(&created.id).await.or_fail()?.data;
    check(left.entries.len() == 1 && left.entries[0].id == second.id, &left)?;
    let removed = pipelines.remove_entry(&created.id, &first.id).await;
    check(matches!(removed, Err(VyncoError::NotFound(_))), &removed)?;
    pipelines.delete(&created.id).await.or_fail()?;
    let gone = pipelines.get(&created.id).await;
    check(matches!(gone, Err(VyncoError::NotFound(_))), &gone)
}
