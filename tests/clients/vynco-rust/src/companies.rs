//! Companies: lists, counts, single companies, comparison, news, reports and relationships.

use vynco::{
    Client, Company, CompanyListParams, CompareRequest, ExcelExportFilter, ExcelExportRequest,
    MediaParams, NearbyParams,
};

use crate::{
    BRANCH, Checked, NESTLE, OrFail, SOLAR, Server, TAKEN_OVER, check, has_rate_limit,
    history::company_with_history,
};

async fn list(client: &Client, params: CompanyListParams) -> Result<Vec<Company>, String> {
    Ok(client.companies().list(&params).await.or_fail()?.data.items)
}

pub async fn companies_list_finds_a_well_known_company_first(server: &Server) -> Checked {
    let client = server.client("enterprise");
    for (search, uid) in [
        ("ABB", "CHE-101.049.653"),
        ("UBS", "CHE-101.329.561"),
        ("Novartis", "CHE-103.011.259"),
        ("Zurich Insurance", "CHE-101.236.480"),
        ("Nestlé", NESTLE),
    ] {
        let search = Some(search.to_owned());
        let params = CompanyListParams { search, page_size: Some(1), ..Default::default() };
        let found = list(&client, params).await?;
        check(found.len() == 1 && found[0].uid == uid, &found)?;
    }
    Ok(())
}

pub async fn companies_list_accepts_every_parameter(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let everything = client.companies().count().await.or_fail()?.data.count;
    let text = |it: &str| Some(it.to_owned());
    let any = CompanyListParams::default;
    for params in [
        CompanyListParams { canton: text("ZH"), status: text("active"), ..any() },
        CompanyListParams { canton: text("GE"), legal_form: text("GmbH"), ..any() },
        CompanyListParams { capital_min: Some(1e6), capital_max: Some(5e7), ..any() },
        CompanyListParams { changed_since: text("2024-01-01"), ..any() },
        CompanyListParams { auditor_category: text("big4"), ..any() },
        CompanyListParams { lei: text("DEMO00CHE00000000000"), ..any() },
        CompanyListParams { duns: text("000000000"), ..any() },
        CompanyListParams { isin: text("CH0000000000"), ..any() },
    ] {
        let page = client.companies().list(&params).await.or_fail()?.data;
        let is_subset = (0..everything).contains(&page.total);
        check(is_subset && page.items.len() as i64 <= page.page_size, (&params, page.total))?;
        let matches = |it: &Company| {
            let capital = it.share_capital.unwrap_or_default();
            params.canton.as_ref().is_none_or(|canton| it.canton.as_ref() == Some(canton))
                && params.capital_min.is_none_or(|minimum| capital >= minimum)
                && params.capital_max.is_none_or(|maximum| capital <= maximum)
        };
        check(page.items.iter().all(matches), &params)?;
    }
    Ok(())
}

pub async fn companies_list_is_sorted_and_paged(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let params = |page| CompanyListParams {
        sort_by: Some("shareCapital".into()),
        sort_desc: Some(true),
        page: Some(page),
        page_size: Some(20),
        ..Default::default()
    };
    let first = client.companies().list(&params(1)).await.or_fail()?.data;
    check((first.page, first.page_size, first.items.len()) == (1, 20, 20), &first)?;
    let second = list(&client, params(2)).await?;
    let both: Vec<&Company> = first.items.iter().chain(&second).collect();
    let capitals: Vec<f64> = both.iter().filter_map(|it| it.share_capital).collect();
    check(capitals.len() == 40 && capitals.is_sorted_by(|a, b| a >= b), &capitals)?;
    let mut uids: Vec<&str> = both.iter().map(|it| it.uid.as_str()).collect();
    uids.sort_unstable();
    uids.dedup();
    check(uids.len() == 40, uids)
}

pub async fn companies_get(server: &Server) -> Checked {
    let answer = server.client("enterprise").companies().get(NESTLE).await.or_fail()?;
    let company = &answer.data;
    check((company.uid.as_str(), company.name.as_str()) == (NESTLE, "Nestlé S.A."), company)?;
    check(company.canton.as_deref() == Some("VD"), company)?;
    check(company.legal_form.as_deref() == Some("Aktiengesellschaft"), company)?;
    check(company.data_source.as_deref() == Some("demo"), company)?;
    check(has_rate_limit(&answer.meta, 60_000, 3_600), &answer.meta)
}

pub async fn companies_get_full(server: &Server) -> Checked {
    let full = server.client("enterprise").companies().get_full(NESTLE).await.or_fail()?.data;
    check(full.company.uid == NESTLE && full.company.name == "Nestlé S.A.", &full)?;
    check(full.persons.is_empty() && full.relationships.is_empty(), &full)
}

pub async fn companies_count_and_statistics_agree(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let count = client.companies().count().await.or_fail()?;
    check(count.data.count > 0 && has_rate_limit(&count.meta, 60_000, 3_600), &count)?;
    let statistics = client.companies().statistics().await.or_fail()?.data;
    check(statistics.total == count.data.count, &statistics)?;
    for parts in [&statistics.by_status, &statistics.by_canton, &statistics.by_legal_form] {
        check(parts.values().sum::<i64>() == count.data.count, parts)?;
    }
    Ok(())
}

pub async fn companies_nearby_are_sorted_nearest_first(server: &Server) -> Checked {
    let params = NearbyParams { lat: 47.559, lng: 7.588, radius_km: Some(2.0), limit: Some(10) };
    let near = server.client("enterprise").companies().nearby(&params).await.or_fail()?.data;
    let distances: Vec<f64> = near.iter().map(|it| it.distance).collect();
    check(!near.is_empty() && near.len() <= 10 && distances.is_sorted(), &distances)?;
    check(near.iter().all(|it| it.distance <= 2.0 && it.latitude > 47.0), &near)
}

pub async fn companies_similar_are_scored(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let similar = client.companies().similar(NESTLE, Some(5)).await.or_fail()?.data;
    check(similar.company_uid == NESTLE && similar.company_name == "Nestlé S.A.", &similar)?;
    let scores: Vec<i32> = similar.results.iter().map(|it| it.similarity_score).collect();
    check(scores.len() == 5 && scores.is_sorted_by(|a, b| a >= b), &similar)?;
    check(similar.results.iter().all(|it| !it.matching_dimensions.is_empty()), &similar)?;
    let many = client.companies().similar(NESTLE, None).await.or_fail()?.data;
    check(many.results.len() > 5, many.results.len())
}

pub async fn companies_compare(server: &Server) -> Checked {
    let request = CompareRequest { uids: vec![SOLAR.into(), NESTLE.into()] };
    let client = server.client("enterprise");
    let compared = client.companies().compare(&request).await.or_fail()?.data;
    check(compared.uids == [SOLAR, NESTLE], &compared)?;
    check(compared.names == ["Muster Solarwerke AG", "Nestlé S.A."], &compared)?;
    let canton = compared.dimensions.iter().find(|it| it.field == "canton");
    let values = canton.map(|it| it.values.iter().map(Option::as_deref).collect::<Vec<_>>());
    check(values == Some(vec![Some("ZH"), Some("VD")]), &compared.dimensions)?;
    let alone = CompareRequest { uids: vec![SOLAR.into()] };
    let refused = client.companies().compare(&alone).await;
    check(matches!(refused, Err(vynco::VyncoError::Validation(_))), &refused)
}

pub async fn companies_classification(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let params = CompanyListParams { canton: Some("ZH".into()), ..Default::default() };
    let companies = list(&client, params).await?;
    let classified = companies.iter().find(|it| it.noga_code.is_some()).ok_or("no industry")?;
    let found = client.companies().classification(&classified.uid).await.or_fail()?.data;
    check(found.company_uid == classified.uid && found.sector_name.is_some(), &found)?;
    check(found.group_name == classified.industry && found.method == "KeywordMatch", &found)?;
    // Each level that the code names is a beginning of it.
    let code = classified.noga_code.clone().unwrap_or_default();
    let levels = [&found.group_code, &found.industry_code, &found.sub_industry_code];
    let named: Vec<&String> = levels.into_iter().flatten().collect();
    check(!named.is_empty() && named.iter().all(|it| code.starts_with(*it)), (&code, &named))?;
    let unknown = client.companies().classification(SOLAR).await.or_fail()?.data;
    check(unknown.method == "None" && unknown.industry_code.is_none(), &unknown)
}

pub async fn companies_fingerprint(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let it = client.companies().fingerprint(SOLAR).await.or_fail()?.data;
    check((it.company_uid.as_str(), it.name.as_str()) == (SOLAR, "Muster Solarwerke AG"), &it)?;
    check((it.canton.as_str(), it.legal_form.as_str()) == ("ZH", "Aktiengesellschaft"), &it)?;
    check((it.revenue, it.net_income) == (Some(48_500_000.0), Some(1_200_000.0)), &it)?;
    check(it.employee_count_estimate == Some(195) && it.subsidiary_count == 1, &it)
}

pub async fn companies_news(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let news = client.companies().news(SOLAR).await.or_fail()?.data;
    let dates: Vec<&str> = news.iter().map(|it| it.published_at.as_str()).collect();
    check(dates.len() == 3 && dates.is_sorted_by(|a, b| a > b), &dates)?;
    let newest = &news[0];
    check(newest.title == "Muster Solarwerke AG mit Rekordgewinn", newest)?;
    check(newest.summary.as_deref() == Some("Das Unternehmen legt zu."), newest)?;
    check(newest.source.as_deref() == Some("Musterzeitung"), newest)?;
    check(newest.source_type == "press", newest)?;
    check(newest.url.as_deref() == Some("https://news.example/record"), newest)?;
    let none = client.companies().news(NESTLE).await.or_fail()?.data;
    check(none.is_empty(), none)
}

pub async fn companies_media(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let all = client.companies().media(SOLAR, &MediaParams::default()).await.or_fail()?.data;
    let labels: Vec<_> = all.items.iter().filter_map(|it| it.sentiment_label.as_deref()).collect();
    check(all.total == 3 && labels == ["positive", "neutral", "negative"], &all)?;
    let negative = MediaParams { sentiment: Some("negative".into()), ..Default::default() };
    let negative = client.companies().media(SOLAR, &negative).await.or_fail()?.data;
    check(
        negative.total == 1 && negative.items[0].topics.as_deref() == Some(&["bankruptcy".into()]),
        &negative,
    )?;
    check(negative.items[0].sentiment_score.is_some_and(|it| it < 0.0), &negative)?;
    check(negative.items[0].risk_relevance.is_some_and(|it| it > 0.5), &negative)?;
    let since = Some("2026-11-02".into());
    let late = MediaParams { since, limit: Some(1), ..Default::default() };
    let late = client.companies().media(SOLAR, &late).await.or_fail()?.data;
    check(late.total == 2 && late.items.len() == 1 && late.items[0].id == all.items[0].id, &late)
}

pub async fn companies_reports(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let reports = client.companies().reports(SOLAR).await.or_fail()?.data;
    let years: Vec<_> = reports.iter().map(|it| it.fiscal_year).collect();
    check(years == [Some(2025), Some(2024)], &reports)?;
    let last = &reports[0];
    check(last.report_type == "annual" && last.description == "Geschäftsbericht 2025", last)?;
    check(last.source_url.as_deref() == Some("https://solarwerke.example/2025.pdf"), last)?;
    check(last.publication_date == "2026-03-27", last)?;
    let none = client.companies().reports(NESTLE).await.or_fail()?.data;
    check(none.is_empty(), none)
}

pub async fn companies_pdf(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let profile = client.companies().pdf(SOLAR).await.or_fail()?.data;
    check(profile.company.uid == SOLAR, &profile)?;
    check(profile.recent_events.iter().all(|it| !it.summary.is_empty()), &profile)?;
    check(!profile.generated_at.is_empty(), &profile)?;
    let bare = client.companies().pdf(NESTLE).await.or_fail()?.data;
    check(bare.company.uid == NESTLE && bare.board_members.is_empty(), bare)
}

pub async fn companies_relationships(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let related = client.companies().relationships(SOLAR).await.or_fail()?.data;
    let mut kinds: Vec<(&str, &str)> =
        related.iter().map(|it| (it.related_uid.as_str(), it.relationship_type.as_str())).collect();
    kinds.sort_unstable();
    check(kinds == [(BRANCH, "branch_office"), (TAKEN_OVER, "acquisition")], &related)
}

pub async fn companies_hierarchy(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let head = client.companies().hierarchy(SOLAR).await.or_fail()?.data;
    let below: Vec<&str> = head.subsidiaries.iter().map(|it| it.uid.as_str()).collect();
    check(head.parent.is_none() && below == [BRANCH], &head)?;
    let branch = client.companies().hierarchy(BRANCH).await.or_fail()?.data;
    let above = branch.parent.as_ref().map(|it| (it.uid.as_str(), it.confidence.as_deref()));
    check(above == Some((SOLAR, Some("register"))) && branch.subsidiaries.is_empty(), &branch)
}

pub async fn companies_ubo(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let branch = client.companies().ubo(BRANCH).await.or_fail()?.data;
    let links: Vec<(&str, &str)> = branch
        .ownership_chain
        .iter()
        .map(|it| (it.from_uid.as_str(), it.to_uid.as_str()))
        .collect();
    check(links == [(SOLAR, BRANCH)] && branch.chain_depth == 1, &branch)?;
    let uid = company_with_history(&client).await?;
    let directed = client.companies().ubo(&uid).await.or_fail()?.data;
    let person = directed.ubo_persons.first().ok_or("no person")?;
    check(!person.name.is_empty() && person.path_length >= 1, &directed)
}

pub async fn ownership_trace(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let trace = client.ownership().trace(BRANCH, &Default::default()).await.or_fail()?.data;
    let parent = trace.ultimate_parent.as_ref().map(|it| it.uid.as_str());
    check(parent == Some(SOLAR) && trace.ownership_chain.len() == 1, &trace)
}

pub async fn graph_analyze(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let request = vynco::NetworkAnalysisRequest {
        uids: vec![SOLAR.into(), BRANCH.into()],
        overlay: "ownership".into(),
    };
    let group = client.graph().analyze(&request).await.or_fail()?.data;
    let clusters: Vec<usize> = group.clusters.iter().map(|it| it.company_uids.len()).collect();
    check(group.nodes.len() >= 2 && group.links.len() == 1 && clusters == [2], &group)
}

pub async fn companies_structure(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let of = async |uid| -> Result<[Vec<String>; 4], String> {
        let it = client.companies().structure(uid).await.or_fail()?.data;
        let sides = [it.head_offices, it.branch_offices, it.acquisitions, it.acquired_by];
        Ok(sides.map(|side| side.into_iter().map(|it| it.uid).collect()))
    };
    let one = |uid: &str| vec![uid.to_owned()];
    let head = of(SOLAR).await?;
    check(head == [vec![], one(BRANCH), one(TAKEN_OVER), vec![]], &head)?;
    let branch = of(BRANCH).await?;
    check(branch == [one(SOLAR), vec![], vec![], vec![]], &branch)?;
    let gone = of(TAKEN_OVER).await?;
    check(gone == [vec![], vec![], vec![], one(SOLAR)], &gone)
}

pub async fn companies_acquisitions(server: &Server) -> Checked {
    let client = server.client("enterprise");
    for side in [SOLAR, TAKEN_OVER] {
        let found = client.companies().acquisitions(side).await.or_fail()?.data;
        check(found.len() == 1, &found)?;
        check(
            (found[0].acquirer_uid.as_str(), found[0].acquired_uid.as_str()) == (SOLAR, TAKEN_OVER),
            &found,
        )?;
        check(found[0].acquired_name.as_deref() == Some("Probe Photovoltaik GmbH"), &found)?;
        check(found[0].created_at.starts_with("2026-03-24"), &found)?;
    }
    let none = client.companies().acquisitions(BRANCH).await.or_fail()?.data;
    check(none.is_empty(), none)
}

pub async fn companies_export_csv(server: &Server) -> Checked {
    let client = server.client("professional");
    let filter = ExcelExportFilter { canton: Some("ZG".to_owned()), ..Default::default() };
    let fields = Some(vec!["uid".to_owned(), "canton".to_owned()]);
    let request = ExcelExportRequest { uids: None, filter: Some(filter), fields: fields.clone() };
    let exported = client.companies().export_csv(&request).await.or_fail()?;
    check(exported.content_type.starts_with("text/csv"), &exported.content_type)?;
    check(exported.filename == "companies-export.csv", &exported.filename)?;
    let table = String::from_utf8_lossy(&exported.bytes).into_owned();
    let (header, rows) = table.split_once("\r\n").unwrap_or_default();
    check(header == "uid,canton" && rows.lines().all(|it| it.ends_with(",ZG")), &table)?;
    check(rows.lines().count() > 10, &table)?;
    #[expect(deprecated, reason = "the old name of the same method")]
    let excel = {
        let request =
            ExcelExportRequest { uids: Some(vec![SOLAR.to_owned()]), filter: None, fields };
        client.companies().export_excel(&request).await.or_fail()?
    };
    check(excel.bytes.starts_with(b"uid,canton\r\nCHE-"), &excel.bytes)
}
