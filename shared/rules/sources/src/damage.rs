//! Damages a member of a record, for tests of what readers do then.

use serde_json::{Value, json};

/// Values that no member has, and bytes that are no text.
const VALUES: [&[u8]; 6] = [b"", b"?", b"1974-02-6", b"1974-01-32", b"2026-13-45T99", b"\xff\xfe"];

/// A record with one damaged member.
pub(crate) struct Damaged {
    pub record: Vec<u8>,
    /// The path of the member, the name of its column, or the text before it was damaged.
    pub member: String,
    /// What was there before.
    pub before: String,
}

/// A record in JSON with each of its members damaged in each way, also by a value of another type.
pub(crate) fn json(record: &str) -> impl Iterator<Item = Damaged> {
    let json: Value = serde_json::from_str(record).expect("JSON");
    let mut paths = Vec::new();
    collect(&json, &mut String::new(), &mut paths);
    paths.into_iter().flat_map(move |path| {
        let before = json.pointer(&path).expect("a member").to_string();
        let with = |value: Value| {
            let mut json = json.clone();
            *json.pointer_mut(&path).expect("a member") = value;
            json.to_string()
        };
        let text = with(json!("DAMAGE"));
        let (start, end) = text.split_once("DAMAGE").expect("a place");
        let others = [Value::Null, json!(7), json!(true), json!([7]), json!({"a": 1})];
        let texts = VALUES.map(|it| [start.as_bytes(), it, end.as_bytes()].concat());
        let records = texts.into_iter().chain(others.map(|it| with(it).into_bytes()));
        let damaged =
            records.map(|record| Damaged { record, member: path.clone(), before: before.clone() });
        damaged.collect::<Vec<_>>()
    })
}

/// A row of a table with each of its fields damaged in each way. The members are named by their positions.
pub(crate) fn row(record: &str, delimiter: u8) -> impl Iterator<Item = Damaged> {
    let mut reader = csv::ReaderBuilder::new();
    let reader = reader.has_headers(false).delimiter(delimiter);
    let mut reader = reader.from_reader(record.as_bytes());
    let row = reader.byte_records().next().expect("a row").expect("read");
    let places = (0..row.len()).flat_map(|at| VALUES.map(|value| (at, value)));
    places.map(move |(at, value)| {
        let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new());
        let fields = row.iter().enumerate().map(|(it, field)| if it == at { value } else { field });
        writer.write_record(fields).expect("written");
        Damaged {
            record: writer.into_inner().expect("written"),
            member: at.to_string(),
            before: String::from_utf8_lossy(&row[at]).into_owned(),
        }
    })
}

/// A record in XML with each value of an attribute and each text between tags damaged in each way. The members are named by
/// their texts.
pub(crate) fn xml(record: &str) -> impl Iterator<Item = Damaged> {
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
    let places = values.into_iter().flat_map(|place| VALUES.map(|value| (place, value)));
    places.map(move |((start, end), value)| {
        let (text, before) = (record.as_bytes(), record[start..end].to_owned());
        let record = [&text[..start], value, &text[end..]].concat();
        Damaged { record, member: before.clone(), before }
    })
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
