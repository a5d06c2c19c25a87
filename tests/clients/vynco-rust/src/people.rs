//! Persons and the graph.

use vynco::{BoardMember, BoardMemberParams, Client, PersonSearchParams, VyncoError};

use crate::{Checked, OrFail, Server, check, history::company_with_history};

/// A company and its board members.
async fn board(client: &Client) -> Result<(String, Vec<BoardMember>), String> {
    let uid = company_with_history(client).await?;
    let board = client.persons().board_members(&uid).await.or_fail()?.data;
    Ok((uid, board))
}

pub async fn persons_board_members(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let (_, board) = board(&client).await?;
    let is_complete = |it: &BoardMember| {
        let categories = [
            "board",
            "management",
            "owner",
            "partner",
            "signatory",
            "auditor",
            "liquidator",
            "supervisor",
            "other",
        ];
        it.last_name.is_some()
            && !it.role.is_empty()
            && categories.contains(&it.role_category.as_str())
    };
    check(board.len() > 1 && board.iter().all(is_complete), &board)?;
    let unknown = client.persons().board_members("CHE-000.000.000").await;
    check(matches!(unknown, Err(VyncoError::NotFound(_))), unknown)
}

pub async fn persons_board_members_paged(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let (uid, board) = board(&client).await?;
    for (page, member) in (1..).zip(&board) {
        let params = BoardMemberParams { page: Some(page), page_size: Some(1) };
        let found = client.persons().board_members_paged(&uid, &params).await.or_fail()?.data;
        let same = |it: &BoardMember| (&it.id, &it.role) == (&member.id, &member.role);
        check(found.len() == 1 && same(&found[0]), (page, &found))?;
    }
    let past_the_end = BoardMemberParams { page: Some(board.len() as i64 + 1), page_size: Some(1) };
    let past_the_end =
        client.persons().board_members_paged(&uid, &past_the_end).await.or_fail()?.data;
    check(past_the_end.is_empty(), past_the_end)
}

pub async fn persons_search(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let (_, board) = board(&client).await?;
    let last_name = board[0].last_name.clone().ok_or("no last name")?;
    let first_name = board[0].first_name.clone().unwrap_or_default();
    let q = Some(format!("{first_name} {last_name}"));
    let params = PersonSearchParams { q, page: Some(1), page_size: Some(50) };
    let found = client.persons().search(&params).await.or_fail()?.data;
    check(found.total >= 1 && found.page_size == 50, &found)?;
    let person = found.items.iter().find(|it| it.id == board[0].id).ok_or("not found")?;
    check(person.full_name.contains(&last_name), person)?;
    check(person.role_count.is_some_and(|it| it >= 1), person)?;
    let everybody = client.persons().search(&PersonSearchParams::default()).await.or_fail()?.data;
    check(everybody.total > found.total, (everybody.total, found.total))
}

pub async fn persons_get(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let (uid, board) = board(&client).await?;
    let person = client.persons().get(&board[0].id).await.or_fail()?.data;
    check(person.id == board[0].id && person.last_name == board[0].last_name, &person)?;
    let role = person.roles.iter().find(|it| it.company_uid == uid).ok_or("no such role")?;
    check(role.role_function == board[0].role && role.is_current == Some(true), role)?;
    let unknown = client.persons().get("00000000-0000-0000-0000-000000000000").await;
    check(matches!(unknown, Err(VyncoError::NotFound(_))), unknown)
}

pub async fn persons_network(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let (uid, board) = board(&client).await?;
    let network = client.persons().network(&board[0].id).await.or_fail()?.data;
    check(network.person.id == board[0].id, &network.person)?;
    check(network.companies.iter().any(|it| it.uid == uid), &network)?;
    check(network.stats.total_companies == network.companies.len() as i64, &network)?;
    check(network.stats.co_director_count == network.co_directors.len() as i64, &network)?;
    // Another member of the same board is in the network.
    let peer = board.iter().find(|it| it.id != board[0].id).ok_or("no other board member")?;
    let co_director = network
        .co_directors
        .iter()
        .find(|it| it.person_id == peer.id)
        .ok_or("not in the network")?;
    check(co_director.companies.iter().any(|it| it.uid == uid), co_director)
}

pub async fn graph_get(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let (uid, board) = board(&client).await?;
    let graph = client.graph().get(&uid).await.or_fail()?.data;
    let roots: Vec<&str> =
        graph.nodes.iter().filter(|it| it.node_type == "root").map(|it| it.uid.as_str()).collect();
    check(roots == [uid.as_str()], &graph)?;
    for member in &board {
        let is_member = |it: &vynco::GraphNode| it.person_id.as_ref() == Some(&member.id);
        let node = graph.nodes.iter().find(|it| is_member(it)).ok_or("a member is missing")?;
        let connects = |it: &vynco::GraphLink| it.source == node.id && it.target == uid;
        check(graph.links.iter().any(connects), (node, &graph.links))?;
    }
    let exists = |id: &str| graph.nodes.iter().any(|it| it.id == id);
    check(graph.links.iter().all(|it| exists(&it.source) && exists(&it.target)), &graph)
}

pub async fn graph_export(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let (uid, _) = board(&client).await?;
    let graph = client.graph().get(&uid).await.or_fail()?.data;
    let export = client.graph().export(&uid, "graphml").await.or_fail()?;
    let text = String::from_utf8_lossy(&export.bytes);
    check(export.content_type.contains("xml") && export.filename.ends_with(".graphml"), &export)?;
    check(text.contains(&format!("<node id=\"{uid}\">")), &text)?;
    let counted = (text.matches("<node ").count(), text.matches("<edge ").count());
    check(counted == (graph.nodes.len(), graph.links.len()), counted)
}
