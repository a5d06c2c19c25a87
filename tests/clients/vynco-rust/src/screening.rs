//! Screening against the invented lists of the server.

use vynco::{BatchScreeningRequest, SanctionsSearchParams, ScreeningRequest};

use crate::{Checked, NESTLE, OrFail, Server, check};

pub async fn screening_finds_a_listed_name(server: &Server) -> Checked {
    let client = server.client("starter");
    let request = |name: &str, sources: Option<Vec<String>>| ScreeningRequest {
        name: name.to_owned(),
        uid: None,
        sources,
    };
    let listed = client.screening().screen(&request("Mikalaj Dovreshenka", None)).await;
    let listed = listed.or_fail()?.data;
    check(listed.risk_level != "clear" && listed.hit_count >= 1, &listed)?;
    check(listed.sources_checked.iter().any(|it| it == "seco"), &listed)?;
    let hit = listed.hits.first().ok_or("no hit")?;
    check((0.7..=1.0).contains(&hit.score) && hit.entity_type == "person", hit)?;
    let seco = Some(vec!["seco".to_owned()]);
    let clear = client.screening().screen(&request("Annemarie Unverdächtig", seco)).await;
    let clear = clear.or_fail()?.data;
    check(clear.risk_level == "clear" && clear.hits.is_empty(), &clear)?;
    check(clear.sources_checked == ["seco"], &clear)
}

pub async fn screening_of_companies_by_number(server: &Server) -> Checked {
    let request = BatchScreeningRequest { uids: vec![NESTLE.to_owned()] };
    let screened = server.client("starter").screening().batch(&request).await.or_fail()?.data;
    let result = screened.results.first().ok_or("no result")?;
    check(result.uid == NESTLE && result.company_name.contains("Nestl"), result)?;
    check(result.risk_level == "clear" && result.total_hits == 0, result)
}

pub async fn sanctions_are_browsed_with_filters(server: &Server) -> Checked {
    let wanted = SanctionsSearchParams {
        search: Some("dovreshenka".to_owned()),
        entity_type: Some("person".to_owned()),
        ..SanctionsSearchParams::default()
    };
    let client = server.client("starter");
    let found = client.screening().browse_sanctions(&wanted).await.or_fail()?.data;
    check(found.total == 2 && found.items.len() == 2, &found)?;
    check(found.items.iter().all(|it| it.name.contains("Dovreshenka")), &found)
}
