//! Notes about companies, and tags of companies.

use vynco::{CreateNoteRequest, CreateTagRequest, UpdateNoteRequest, VyncoError};

use crate::{Checked, NESTLE, OrFail, SOLAR, Server, check};

fn note(content: &str) -> CreateNoteRequest {
    CreateNoteRequest { content: content.into(), note_type: None, rating: None, is_private: None }
}

pub async fn companies_notes_are_created_changed_and_deleted(server: &Server) -> Checked {
    let client = server.client("starter");
    let companies = client.companies();
    let request = CreateNoteRequest {
        note_type: Some("rating".into()),
        rating: Some(4),
        is_private: Some(true),
        ..note("Call in May.")
    };
    let first = companies.create_note(NESTLE, &request).await.or_fail()?.data;
    check(first.company_uid == NESTLE && first.content == "Call in May.", &first)?;
    check(first.note_type == "rating" && first.rating == Some(4) && first.is_private, &first)?;
    check(!first.created_at.is_empty() && first.created_at == first.updated_at, &first)?;
    let request = note("Auditor changed.");
    let second = companies.create_note(NESTLE, &request).await.or_fail()?.data;
    check(second.note_type == "note" && second.rating.is_none() && !second.is_private, &second)?;
    let listed = companies.notes(NESTLE).await.or_fail()?.data;
    let ids: Vec<&str> = listed.iter().map(|it| it.id.as_str()).collect();
    check(ids == [second.id.as_str(), first.id.as_str()], &listed)?;

    let change = UpdateNoteRequest {
        content: Some("Call in June.".into()),
        note_type: Some("flag".into()),
        rating: None,
        is_private: Some(false),
    };
    let changed = companies.update_note(NESTLE, &first.id, &change).await.or_fail()?.data;
    check(changed.content == "Call in June." && changed.note_type == "flag", &changed)?;
    check(changed.rating == Some(4) && !changed.is_private, &changed)?;
    check(
        changed.created_at == first.created_at && changed.updated_at != first.updated_at,
        &changed,
    )?;
    let invalid = CreateNoteRequest { rating: Some(6), ..note("x") };
    let refused = companies.create_note(NESTLE, &invalid).await;
    check(matches!(refused, Err(VyncoError::Validation(_))), &refused)?;

    for id in [&first.id, &second.id] {
        companies.delete_note(NESTLE, id).await.or_fail()?;
    }
    let left = companies.notes(NESTLE).await.or_fail()?.data;
    check(left.is_empty(), &left)?;
    let gone = companies.delete_note(NESTLE, &first.id).await;
    check(matches!(gone, Err(VyncoError::NotFound(_))), &gone)
}

pub async fn companies_are_tagged_and_the_tags_are_counted(server: &Server) -> Checked {
    let client = server.client("starter");
    let companies = client.companies();
    let tag = |name: &str, color: Option<&str>| CreateTagRequest {
        tag_name: name.into(),
        color: color.map(Into::into),
    };
    let red = tag("High risk", Some("#C1121F"));
    let created = companies.create_tag(NESTLE, &red).await.or_fail()?.data;
    check(created.company_uid == NESTLE && created.tag_name == "High risk", &created)?;
    check(created.color == red.color && !created.created_at.is_empty(), &created)?;
    let again = companies.create_tag(NESTLE, &tag("HIGH RISK", None)).await.or_fail()?.data;
    check(again.id == created.id && again.tag_name == "High risk", &again)?;
    let plain = companies.create_tag(NESTLE, &tag("Client", None)).await.or_fail()?.data;
    check(plain.color.is_none(), &plain)?;
    let other = companies.create_tag(SOLAR, &tag("High risk", None)).await.or_fail()?.data;
    let listed = companies.tags(NESTLE).await.or_fail()?.data;
    let ids: Vec<&str> = listed.iter().map(|it| it.id.as_str()).collect();
    check(ids == [created.id.as_str(), plain.id.as_str()], &listed)?;
    let all = companies.all_tags().await.or_fail()?.data;
    let counts: Vec<_> = all.iter().map(|it| (it.tag_name.as_str(), it.count)).collect();
    check(counts == [("High risk", 2), ("Client", 1)], &all)?;
    let invalid = companies.create_tag(NESTLE, &tag("x", Some("red"))).await;
    check(matches!(invalid, Err(VyncoError::Validation(_))), &invalid)?;

    for tag in [&created, &plain, &other] {
        companies.delete_tag(&tag.company_uid, &tag.id).await.or_fail()?;
    }
    let left = companies.all_tags().await.or_fail()?.data;
    check(left.is_empty(), &left)?;
    let gone = companies.delete_tag(NESTLE, &created.id).await;
    check(matches!(gone, Err(VyncoError::NotFound(_))), &gone)
}
