//! Exports that a job writes.

use std::time::Duration;

use vynco::{BulkProfilesRequest, CreateExportRequest, ExportDownload};

use crate::{Checked, OrFail, SOLAR, Server, check};

/// The export, once it has ended.
async fn finished(client: &vynco::Client, id: &str) -> Result<ExportDownload, String> {
    for _ in 0..120 {
        let found = client.exports().get(id).await.or_fail()?.data;
        if ["completed", "failed"].contains(&found.job.status.as_str()) {
            return Ok(found);
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    Err(format!("{id} has not ended"))
}

pub async fn exports_are_created_polled_and_downloaded(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let request = CreateExportRequest {
        format: Some("ndjson".to_owned()),
        canton: Some("ZG".to_owned()),
        status: Some("active".to_owned()),
        changed_since: Some("2000-01-01".to_owned()),
        max_rows: Some(3),
        ..Default::default()
    };
    let created = client.exports().create(&request).await.or_fail()?.data;
    let found = finished(&client, &created.id).await?;
    check(found.job.status == "completed" && found.job.total_rows == Some(3), &found)?;
    let data = found.data.clone().unwrap_or_default();
    check(data.lines().count() == 3, &data)?;
    check(data.lines().all(|it| it.contains("\"canton\":\"ZG\"")), &data)?;
    let file = client.exports().download(&created.id).await.or_fail()?;
    check(file.bytes == data.as_bytes(), &file)?;
    check(file.filename == format!("export-{}.ndjson", created.id), &file)?;
    check(file.content_type == "application/x-ndjson; charset=utf-8", &file)
}

pub async fn exports_of_profiles(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let request = BulkProfilesRequest {
        uids: vec![SOLAR.to_owned()],
        include_timeline: Some(true),
        include_board: Some(true),
    };
    let created = client.exports().bulk_profiles(&request).await.or_fail()?.data;
    let data = finished(&client, &created.id).await?.data.unwrap_or_default();
    check(data.contains("\"board\":[") && data.contains("\"timeline\":["), &data)
}
