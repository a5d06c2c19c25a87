//! Prints what the product states about invented notices. Input: a file of JSON lines
//! `{"company": "...", "canton": "FR", "notices": [{"date": "2024-03-01", "rubric": "new|change|deletion", "text": "..."}]}`.
use facts::fold_with_history;
use publications::Publication;
use serde_json::{Value, json};

fn main() {
    let file = std::env::args().nth(1).expect("a file");
    for line in
        std::fs::read_to_string(file).expect("a file").lines().filter(|it| !it.trim().is_empty())
    {
        let set: Value = serde_json::from_str(line).expect("JSON");
        let name = set["company"].as_str().expect("company").to_owned();
        let canton = set["canton"].as_str().unwrap_or("ZH").to_owned();
        let uid = "CHE-107.251.578";
        let mut publications = Vec::new();
        for (index, notice) in set["notices"].as_array().expect("notices").iter().enumerate() {
            let number = u32::try_from(index).expect("few") + 1;
            let made = match notice["rubric"].as_str().unwrap_or("change") {
                "new" => Publication::registration(uid, &name),
                "deletion" => Publication::deletion(uid, &name),
                _ => Publication::mutation(uid, &name),
            };
            let mut it = made
                .number(number.into())
                .on(notice["date"].as_str().expect("date"))
                .in_canton(&canton)
                .json();
            it["content"]["publicationText"] = json!(notice["text"]);
            if notice["rubric"].as_str().unwrap_or("change") == "change" {
                it["content"]["commonsNew"] = Value::Null;
            }
            publications.push(it);
        }
        let batch =
            sources::gazette::read(Value::from(publications).to_string().as_bytes()).expect("JSON");
        for rejected in &batch.rejected {
            println!("REJECTED {rejected:?}");
        }
        println!("==== {name}");
        let Some((company, history)) = fold_with_history(&facts::facts(batch.statements)) else {
            println!("no record");
            continue;
        };
        for it in &history.events {
            let e = &it.event;
            println!(
                "event {} {} [{}] {:?} legal={:?} old={:?} new={:?} journal={:?} decided={:?} | {}",
                e.date,
                e.kind,
                e.severity().name(),
                e.field,
                e.legal_event.map(|it| it.code()),
                e.old_value,
                e.new_value,
                e.journal_date.map(|d| d.to_string()),
                e.decision_date.map(|d| d.to_string()),
                e.summary
            );
        }
        for it in &history.mandates {
            println!("mandate {}", serde_json::to_string(it).expect("json"));
        }
        for it in &history.tenures {
            println!("tenure {}", serde_json::to_string(it).expect("json"));
        }
        let mut record = serde_json::to_value(&company).expect("json");
        if let Some(map) = record.as_object_mut() {
            map.retain(|_, v| !v.is_null());
            map.remove("sources");
        }
        println!("record {record}");
    }
}
