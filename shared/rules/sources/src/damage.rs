//! Damages a member of a record, for tests of what readers do then.

use serde_json::{Value, json};

/// Values that no member has, and bytes that are no text.
pub(crate) const VALUES: [&[u8]; 6] =
    [b"", b"?", b"1974-02-6", b"1974-01-32", b"2026-13-45T99", b"\xff\xfe"];

/// Number of different damages.
pub(crate) const KINDS: usize = VALUES.len() * 6;

/// A record in JSON with one damaged member, the path of the member, and what was there before.
pub(crate) fn json(record: &str, at: usize, damage: usize) -> (Vec<u8>, String, String) {
    let mut json: Value = serde_json::from_str(record).expect("JSON");
    let mut paths = Vec::new();
    collect(&json, &mut String::new(), &mut paths);
    let path = paths.swap_remove(at % paths.len());
    let member = json.pointer_mut(&path).expect("a member");
    let before = member.to_string();
    // Also a value of another type.
    let others = [Value::Null, json!(7), json!(true), json!([7]), json!({"a": 1})];
    let (kind, value) = (damage / VALUES.len(), VALUES[damage % VALUES.len()]);
    *member = if kind == 0 { json!("DAMAGE") } else { others[kind % others.len()].clone() };
    let text = json.to_string();
    let damaged = match text.split_once("DAMAGE") {
        Some((start, end)) => [start.as_bytes(), value, end.as_bytes()].concat(),
        None => text.into_bytes(),
    };
    (damaged, path, before)
}

/// A row of a table with one damaged field, and what was there before.
pub(crate) fn row(record: &str, at: usize, delimiter: u8, damage: usize) -> (Vec<u8>, String) {
    let bytes = VALUES[damage % VALUES.len()];
    let mut reader = csv::ReaderBuilder::new();
    let reader = reader.has_headers(false).delimiter(delimiter);
    let mut reader = reader.from_reader(record.as_bytes());
    let row = reader.byte_records().next().expect("a row").expect("read");
    let at = at % row.len();
    let before = String::from_utf8_lossy(&row[at]).into_owned();
    let writer = Vec::new();
    let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(writer);
    let fields = row.iter().enumerate().map(|(it, field)| if it == at { bytes } else { field });
    writer.write_record(fields).expect("written");
    (writer.into_inner().expect("written"), before)
}

/// A record in XML with one damaged value of an attribute or text between tags, and what was there before.
pub(crate) fn xml(record: &str, at: usize, damage: usize) -> (Vec<u8>, String) {
    let mut values: Vec<(usize, usize)> = Vec::new();
    for (start, _) in record.match_indices("=\"") {
        let start = start + 2;
        values.push((start, start + record[start..].find('"').expect("an end")));
    }
    for (start, _) in record.match_indices('>') {
        let text = record[start + 1..].split('<').next().unwrap_or_default();
        // The end of CDATA is no text.
        if !text.trim().is_empty() && !text.contains("]]") {
            values.push((start + 1, start + 1 + text.len()));
        }
    }
    let (start, end) = values[at % values.len()];
    let (text, bytes) = (record.as_bytes(), VALUES[damage % VALUES.len()]);
    ([&text[..start], bytes, &text[end..]].concat(), record[start..end].to_owned())
}

/// The paths of everything in a value.
fn collect(json: &Value, path: &mut String, paths: &mut Vec<String>) {
    let parts: Vec<(String, &Value)> = match json {
        Value::Object(members) => members.iter().map(|(name, it)| (name.clone(), it)).collect(),
        Value::Array(items) => {
            items.iter().enumerate().map(|(at, it)| (at.to_string(), it)).collect()
        }
        _ => Vec::new(),
    };
    for (name, it) in parts {
        let length = path.len();
        path.extend(["/", &name]);
        paths.push(path.clone());
        collect(it, path, paths);
        path.truncate(length);
    }
}
