//! Splitting a file that is too large to be read at once.
//!
//! Only an array of JSON records can be split: each part is an array too. The file is streamed, so its size does not matter.

use bytes::Bytes;
use domain::Source;
use futures_util::{TryStreamExt, pin_mut};
use jiff::civil::Date;
use objects::Objects;

use crate::{CannotSplit, Error, MAX_FILE_BYTES, incoming};

/// Size of a part in bytes. A single record may be larger, up to [`MAX_FILE_BYTES`].
const PART: usize = 16 * 1024 * 1024;

/// Splits a file into files of the same source. Returns their keys, in the order of the records. The same file has the same parts,
/// so that splitting it twice stores nothing more.
pub(crate) async fn split(
    objects: &Objects,
    source: Source,
    (key, size): (&str, u64),
    today: Date,
) -> Result<Vec<String>, Error> {
    let date = incoming::date(key).unwrap_or(today);
    let mut parts = Parts::new(PART);
    let mut keys = Vec::new();
    let mut save = async |part: Bytes| -> Result<(), Error> {
        let key = incoming::key(source, date, &part);
        objects.put(&key, part).await?;
        keys.push(key);
        Ok(())
    };
    let cannot = |reason| Error::TooLarge { key: key.to_owned(), size, reason };
    let stream = objects.stream(key, size);
    pin_mut!(stream);
    while let Some(bytes) = stream.try_next().await? {
        parts.read(&bytes).map_err(cannot)?;
        for part in parts.take() {
            save(part).await?;
        }
    }
    if let Some(last) = parts.finish().map_err(cannot)? {
        save(last).await?;
    }
    Ok(keys)
}

/// The parts of a JSON array that is read piece by piece. Only strings, brackets and commas are looked at: each part is valid JSON
/// if the array is.
struct Parts {
    size: usize,
    state: State,
    /// Number of open brackets and braces within the record.
    depth: usize,
    /// What is read of the record so far.
    record: Vec<u8>,
    /// The records of the part so far.
    part: Vec<u8>,
    complete: Vec<Bytes>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    BeforeArray,
    InRecord,
    InString { is_escaped: bool },
    AfterArray,
}

impl Parts {
    fn new(size: usize) -> Self {
        let state = State::BeforeArray;
        let (record, part, complete) = (Vec::new(), Vec::new(), Vec::new());
        Self { size, state, depth: 0, record, part, complete }
    }

    fn read(&mut self, bytes: &[u8]) -> Result<(), CannotSplit> {
        for &byte in bytes {
            match self.state {
                State::BeforeArray => match byte {
                    b'[' => self.state = State::InRecord,
                    // A byte order mark.
                    0xef | 0xbb | 0xbf => {}
                    _ if byte.is_ascii_whitespace() => {}
                    _ => return Err(CannotSplit::NoArray),
                },
                State::InString { is_escaped } => {
                    self.record.push(byte);
                    self.state = match byte {
                        b'"' if !is_escaped => State::InRecord,
                        _ => State::InString { is_escaped: byte == b'\\' && !is_escaped },
                    };
                }
                State::InRecord => self.read_in_record(byte)?,
                State::AfterArray if byte.is_ascii_whitespace() => {}
                State::AfterArray => return Err(CannotSplit::NoArray),
            }
            // With the brackets around it.
            if self.record.len() as u64 + 2 > MAX_FILE_BYTES {
                return Err(CannotSplit::LargeRecord);
            }
        }
        Ok(())
    }

    fn read_in_record(&mut self, byte: u8) -> Result<(), CannotSplit> {
        match byte {
            b',' | b']' if self.depth == 0 => {
                self.end_record();
                if byte == b']' {
                    self.state = State::AfterArray;
                }
                return Ok(());
            }
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth = self.depth.checked_sub(1).ok_or(CannotSplit::NoArray)?,
            b'"' => self.state = State::InString { is_escaped: false },
            _ if self.record.is_empty() && byte.is_ascii_whitespace() => return Ok(()),
            _ => {}
        }
        self.record.push(byte);
        Ok(())
    }

    /// Adds the record to the part, or begins the next part with it.
    fn end_record(&mut self) {
        let record = std::mem::take(&mut self.record);
        if record.is_empty() {
            return;
        }
        if !self.part.is_empty() && self.part.len() + record.len() + 2 > self.size {
            self.end_part();
        }
        self.part.push(if self.part.is_empty() { b'[' } else { b',' });
        self.part.extend(record);
    }

    fn end_part(&mut self) {
        let mut part = std::mem::take(&mut self.part);
        part.push(b']');
        self.complete.push(part.into());
    }

    /// The parts that are complete.
    fn take(&mut self) -> Vec<Bytes> {
        std::mem::take(&mut self.complete)
    }

    /// The last part. `None` for an array without records.
    fn finish(mut self) -> Result<Option<Bytes>, CannotSplit> {
        match self.state {
            State::AfterArray => {}
            State::BeforeArray => return Err(CannotSplit::NoArray),
            State::InRecord | State::InString { .. } => return Err(CannotSplit::NoEnd),
        }
        if !self.part.is_empty() {
            self.end_part();
        }
        Ok(self.complete.pop())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    /// The parts of a text that is read in pieces of this length.
    fn parts(text: &str, size: usize, piece: usize) -> Result<Vec<String>, CannotSplit> {
        let mut parts = Parts::new(size);
        let mut found = Vec::new();
        for piece in text.as_bytes().chunks(piece) {
            parts.read(piece)?;
            found.extend(parts.take());
        }
        found.extend(parts.finish()?);
        Ok(found.iter().map(|it| String::from_utf8(it.to_vec()).expect("text")).collect())
    }

    #[test]
    fn records_are_split_between_them_and_nowhere_else() {
        let text =
            "\u{feff} [ {\"a\": \"x, ] } \\\" \\\\\"} ,\n[1,2], {\"b\": {\"c\": []}}, 7 ] \n";
        let one = |it: &str| it.to_owned();
        let expected = [
            one(r#"[{"a": "x, ] } \" \\"} ]"#),
            one("[[1,2]]"),
            one(r#"[{"b": {"c": []}}]"#),
            one("[7 ]"),
        ];
        assert_eq!(parts(text, 1, 3), Ok(expected.to_vec()));
        assert_eq!(parts("[]", 10, 10), Ok(vec![]));
    }

    #[test]
    fn what_is_no_array_of_records_or_has_no_end_is_refused() {
        for text in [r#"{"a": 1}"#, "uid;name\n", "[1] [2]", "", "[1}"] {
            assert_eq!(parts(text, 10, 4), Err(CannotSplit::NoArray), "{text}");
        }
        for text in ["[1, 2", r#"["abc"#, "[{}"] {
            assert_eq!(parts(text, 10, 4), Err(CannotSplit::NoEnd), "{text}");
        }
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<i32>().prop_map(Value::from),
            r#"[a-z"\\\[\]{},: ]{0,8}"#.prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 20, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec(inner, 0..4).prop_map(|it| json!({ "a, \"]": it })),
            ]
        })
    }

    proptest! {
        #[test]
        fn the_parts_have_the_same_records_in_the_same_order(
            records in prop::collection::vec(any_json(), 0..12),
            size in 1_usize..80,
            piece in 1_usize..20,
            is_pretty in any::<bool>(),
        ) {
            let records = Value::from(records);
            let text = if is_pretty { format!("{records:#}") } else { records.to_string() };
            let parts = parts(&text, size, piece).expect("an array");
            let read = |it: &String| serde_json::from_str::<Vec<Value>>(it).expect("an array");
            prop_assert!(parts.iter().all(|it| !read(it).is_empty()));
            let all: Vec<Value> = parts.iter().flat_map(read).collect();
            prop_assert_eq!(Value::from(all), records);
        }

        #[test]
        fn no_text_is_split_into_something_larger_or_panics(text in ".{0,200}", piece in 1_usize..20) {
            let _refused = parts(&text, 10, piece);
        }
    }
}
