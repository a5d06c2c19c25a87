//! History: changes, events, timelines, auditors.

use vynco::{
    AuditorTenureParams, ChangeListParams, Client, CompanyChange, TimelineParams, VyncoError,
};

use crate::{Checked, NESTLE, OrFail, Server, check};

/// The first company with a long auditor tenure and more than one board member.
pub async fn company_with_history(client: &Client) -> Result<String, String> {
    let tenures = client.auditors().tenures(&AuditorTenureParams::default()).await.or_fail()?;
    for tenure in tenures.data.items {
        let board = client.persons().board_members(&tenure.company_uid).await.or_fail()?;
        if board.data.len() > 1 {
            return Ok(tenure.company_uid);
        }
    }
    Err("no company with an auditor has several board members".into())
}

async fn changes(client: &Client, params: &ChangeListParams) -> Result<Vec<CompanyChange>, String> {
    Ok(client.changes().list(params).await.or_fail()?.data.items)
}

pub async fn changes_list(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let statistics = client.changes().statistics().await.or_fail()?.data;
    let auditors = |page| ChangeListParams {
        change_type: Some("AUDITOR_CHANGE".into()),
        page: Some(page),
        page_size: Some(10),
        ..Default::default()
    };
    let first = client.changes().list(&auditors(1)).await.or_fail()?.data;
    check(Some(first.total) == statistics.by_type["auditor_change"].as_i64(), first.total)?;
    check((first.page, first.page_size, first.items.len()) == (1, 10, 10), &first)?;
    check(first.items.iter().all(|it| it.change_type == "auditor_change"), &first)?;
    let second = changes(&client, &auditors(2)).await?;
    let is_new = |it: &CompanyChange| first.items.iter().all(|other| other.id != it.id);
    check(second.len() == 10 && second.iter().all(is_new), &second)?;

    let one = &first.items[0];
    let of_company = ChangeListParams {
        company_search: one.company_name.clone(),
        since: Some("2000-01-01".into()),
        until: Some("2100-01-01".into()),
        page_size: Some(100),
        ..Default::default()
    };
    let found = changes(&client, &of_company).await?;
    check(found.iter().any(|it| it.id == one.id), (one, &found))?;
    let past = ChangeListParams {
        since: Some("1899-01-01".into()),
        until: Some("1900-01-01".into()),
        ..of_company
    };
    let found = changes(&client, &past).await?;
    check(found.is_empty(), found)
}

pub async fn changes_by_company(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let uid = company_with_history(&client).await?;
    let found = client.changes().by_company(&uid).await.or_fail()?.data;
    check(found.len() > 1 && found.iter().all(|it| it.company_uid == uid), &found)?;
    check(found.iter().all(|it| !it.detected_at.is_empty() && it.description.is_some()), &found)?;
    let unknown = client.changes().by_company("CHE-000.000.000").await;
    check(matches!(unknown, Err(VyncoError::NotFound(_))), unknown)
}

pub async fn changes_statistics(server: &Server) -> Checked {
    let statistics = server.client("enterprise").changes().statistics().await.or_fail()?.data;
    let by_type = statistics.by_type.as_object().ok_or("no counts by type")?;
    let sum: i64 = by_type.values().filter_map(serde_json::Value::as_i64).sum();
    check(sum > 0 && sum == statistics.total_changes, &statistics)?;
    check(statistics.changes_this_week <= statistics.changes_this_month, &statistics)?;
    check(statistics.changes_this_month <= statistics.total_changes, &statistics)
}

pub async fn changes_review(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let any = ChangeListParams { page_size: Some(1), ..Default::default() };
    let change = changes(&client, &any).await?.swap_remove(0);
    // The second review has no effect.
    for _ in 0..2 {
        let reviewed = client.changes().review(&change.id).await.or_fail()?;
        check(reviewed.request_id.is_some(), &reviewed)?;
    }
    let unknown = client.changes().review("no-such-change").await;
    check(matches!(unknown, Err(VyncoError::NotFound(_))), unknown)
}

pub async fn changes_diff(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let uid = company_with_history(&client).await?;
    let timeline = client.companies().timeline(&uid, &TimelineParams::default()).await.or_fail()?;
    let diff = client.changes().diff(&uid, "1900-01-01", None).await.or_fail()?.data;
    check((diff.uid.as_str(), diff.since.as_str()) == (uid.as_str(), "1900-01-01"), &diff)?;
    check(diff.changes.len() as i64 == diff.total_changes, &diff)?;
    check(diff.total_changes == timeline.data.total_events, (&diff, &timeline.data))?;
    check(diff.changes.iter().all(|it| !it.field.is_empty() && it.from != it.to), &diff)?;
    let before = client.changes().diff(&uid, "1900-01-01", Some("1900-01-02")).await.or_fail()?;
    check(before.data.total_changes == 0 && before.data.until == "1900-01-02", before.data)
}

pub async fn companies_timeline(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let uid = company_with_history(&client).await?;
    let all = client.companies().timeline(&uid, &TimelineParams::default()).await.or_fail()?.data;
    let dates: Vec<&str> = all.events.iter().map(|it| it.date.as_str()).collect();
    check(all.uid == uid && all.events.len() as i64 == all.total_events, &all)?;
    check(dates.len() > 1 && dates.is_sorted_by(|a, b| a >= b), &dates)?;

    let boards = TimelineParams { change_type: Some("board_change".into()), ..Default::default() };
    let boards = client.companies().timeline(&uid, &boards).await.or_fail()?.data;
    let of_all = all.events.iter().filter(|it| it.category == "board_change").count();
    check(boards.events.iter().all(|it| it.category == "board_change"), &boards)?;
    check(of_all > 0 && boards.events.len() == of_all, (of_all, &boards))?;

    let (since, until) = (Some(dates[0].to_owned()), Some("2100-01-01".to_owned()));
    let newest = TimelineParams { since, until, change_type: None };
    let newest = client.companies().timeline(&uid, &newest).await.or_fail()?.data;
    let of_that_day = dates.iter().filter(|it| **it == dates[0]).count();
    check(newest.events.len() == of_that_day, (of_that_day, &newest))
}

pub async fn companies_events(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let uid = company_with_history(&client).await?;
    let all = client.companies().events(&uid, None).await.or_fail()?.data;
    check(all.count == all.events.len() as i64 && all.count > 1, &all)?;
    for event in &all.events {
        check(event.ce_type == format!("ch.gotthard.company.{}", event.category), event)?;
        check(event.company_uid == uid && !event.ce_time.is_empty(), event)?;
        check(server.url() == event.ce_source && event.detail_json.is_object(), event)?;
    }
    let one = client.companies().events(&uid, Some(1)).await.or_fail()?.data;
    check(one.count == 1 && one.events[0].id == all.events[0].id, &one)
}

pub async fn auditors_tenures(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let params = AuditorTenureParams {
        min_years: Some(5.0),
        canton: Some("ZH".into()),
        page: Some(1),
        page_size: Some(20),
    };
    let long = client.auditors().tenures(&params).await.or_fail()?.data;
    check(long.items.len() == 20 && long.total > 20, &long)?;
    let years: Vec<f64> = long.items.iter().filter_map(|it| it.tenure_years).collect();
    check(years.len() == 20 && years.iter().all(|it| *it >= 5.0), &years)?;
    check(years.is_sorted_by(|a, b| a >= b), &years)?;
    let all = client.auditors().tenures(&AuditorTenureParams::default()).await.or_fail()?.data;
    check(all.total > long.total, (all.total, long.total))
}

pub async fn auditors_history(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let uid = company_with_history(&client).await?;
    let found = client.auditors().history(&uid).await.or_fail()?.data;
    check(found.company_uid == uid && !found.history.is_empty(), &found)?;
    let names = |it: &vynco::AuditorTenure| it.company_uid == uid && !it.auditor_name.is_empty();
    check(found.history.iter().all(names), &found)?;
    let current = found.current_auditor.as_ref().ok_or("no current auditor")?;
    check(current.is_current && current.resigned_at.is_none(), current)?;
    check(found.history.iter().any(|it| it.id == current.id), &found)?;
    let none = client.auditors().history(NESTLE).await.or_fail()?.data;
    check(none.current_auditor.is_none() && none.history.is_empty(), none)
}
