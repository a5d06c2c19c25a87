//! Dossiers.

use vynco::CreateDossierRequest;

use crate::{Checked, OrFail, SOLAR, Server, check};

pub async fn dossiers_are_written_listed_read_and_deleted(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let dossiers = client.dossiers();
    let request = CreateDossierRequest { uid: SOLAR.to_owned(), level: Some("summary".to_owned()) };
    let created = dossiers.create(&request).await.or_fail()?.data;
    check(created.company_uid == SOLAR && created.level == "summary", &created)?;
    check(created.content.contains("[[obl:ev-1]]") && !created.sources.is_empty(), &created)?;
    let generated = dossiers.generate(SOLAR).await.or_fail()?.data;
    check(generated.id != created.id && !generated.content.is_empty(), &generated)?;
    let newest = dossiers.get(SOLAR).await.or_fail()?.data;
    check(newest.id == generated.id && newest.content == generated.content, &newest)?;
    let read = dossiers.get(&created.id).await.or_fail()?.data;
    check(read.content == created.content && read.user_id == created.user_id, &read)?;
    for dossier in [&created, &generated] {
        let listed = dossiers.list().await.or_fail()?.data;
        check(listed.iter().any(|it| it.id == dossier.id), &listed)?;
        dossiers.delete(&dossier.id).await.or_fail()?;
    }
    let listed = dossiers.list().await.or_fail()?.data;
    check(listed.iter().all(|it| it.id != created.id && it.id != generated.id), &listed)
}
