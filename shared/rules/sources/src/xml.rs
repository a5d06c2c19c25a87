//! A safe reader for untrusted XML.
//!
//! It fetches nothing and expands only the five predefined entities and character references. A document
//! type with more than a name is an error, because it could define entities.

use std::io::BufRead;

use quick_xml::{Reader, events::Event};

/// Maximum nesting of elements. Real feeds and reports are less deep.
const MAX_DEPTH: usize = 512;

/// Maximum number of attributes of an element. Real elements have fewer.
const MAX_ATTRIBUTES: usize = 512;

/// Replaces undefined entities and bytes that are no text. What contains it cannot be read.
pub(crate) const REPLACEMENT: char = '\u{fffd}';

/// A piece of a document.
#[derive(Debug, PartialEq)]
pub(crate) enum Piece {
    Start(Tag),
    Text(String),
    End,
}

/// An opening tag.
#[derive(Debug, PartialEq)]
pub(crate) struct Tag {
    /// Name with its prefix.
    pub(crate) name: String,
    attributes: Vec<(String, String)>,
}

impl Tag {
    /// The name without its prefix.
    pub(crate) fn local(&self) -> &str {
        self.name.rsplit(':').next().unwrap_or_default()
    }

    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(known, _)| known == name)?;
        Some(found.1.trim())
    }

    /// All attributes, in the order of the document.
    pub(crate) fn attributes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.attributes.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Removes the attributes for which `is_kept` returns false.
    pub(crate) fn retain(&mut self, mut is_kept: impl FnMut(&str, &str) -> bool) {
        self.attributes.retain(|(name, value)| is_kept(name, value));
    }

    /// The namespace prefixes that this tag declares, with their namespaces.
    pub(crate) fn declarations(&self) -> impl Iterator<Item = (&str, &str)> {
        self.attributes
            .iter()
            .filter_map(|(name, value)| Some((name.strip_prefix("xmlns:")?, value.as_str())))
    }
}

/// A document as a sequence of pieces. An empty element is a start and an end. The document is read piece by
/// piece, so that a large file is never in memory as a whole.
pub(crate) struct Xml<R> {
    reader: Reader<R>,
    buffer: Vec<u8>,
    depth: usize,
}

impl<'a> Xml<&'a [u8]> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self::streamed(text.as_bytes())
    }
}

impl<R: BufRead> Xml<R> {
    pub(crate) fn streamed(input: R) -> Self {
        let mut reader = Reader::from_reader(input);
        reader.config_mut().expand_empty_elements = true;
        Self { reader, buffer: Vec::new(), depth: 0 }
    }

    /// The next piece. `None` at the end of a complete document.
    pub(crate) fn next(&mut self) -> Result<Option<Piece>, String> {
        loop {
            self.buffer.clear();
            let event = self.reader.read_event_into(&mut self.buffer);
            let event = event.map_err(|it| it.to_string())?;
            return Ok(Some(match event {
                Event::Start(start) => {
                    self.depth += 1;
                    if self.depth > MAX_DEPTH {
                        return Err(format!("nests deeper than {MAX_DEPTH} elements"));
                    }
                    let mut attributes = Vec::new();
                    // The check for duplicates takes quadratic time.
                    for attribute in start.attributes().with_checks(false) {
                        if attributes.len() == MAX_ATTRIBUTES {
                            return Err(format!("has more than {MAX_ATTRIBUTES} attributes"));
                        }
                        let attribute = attribute.map_err(|it| it.to_string())?;
                        let value = String::from_utf8_lossy(&attribute.value);
                        attributes.push((text(attribute.key.as_ref()), unescaped(&value)));
                    }
                    Piece::Start(Tag { name: text(start.name().as_ref()), attributes })
                }
                Event::End(_) => {
                    self.depth = self.depth.saturating_sub(1);
                    Piece::End
                }
                Event::Text(words) => Piece::Text(text(&words)),
                Event::CData(words) => Piece::Text(text(&words)),
                Event::GeneralRef(name) => Piece::Text(entity(&text(&name)).to_string()),
                Event::DocType(kind) if has_more_than_a_name(&kind) => {
                    return Err("has a document type, which could define entities".into());
                }
                Event::DocType(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) => continue,
                Event::Eof if self.depth > 0 => return Err("ends inside an element".into()),
                Event::Eof => return Ok(None),
                // Cannot occur with `expand_empty_elements`.
                Event::Empty(_) => continue,
            }));
        }
    }
}

fn has_more_than_a_name(document_type: &[u8]) -> bool {
    !document_type.trim_ascii().iter().all(u8::is_ascii_alphanumeric)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The character that the reference `&name;` means.
fn entity(name: &str) -> char {
    let number = match name.strip_prefix('#') {
        Some(digits) => match digits.strip_prefix(['x', 'X']) {
            Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16).ok(),
            None => digits.parse().ok(),
        },
        None => {
            return match name {
                "amp" => '&',
                "lt" => '<',
                "gt" => '>',
                "quot" => '"',
                "apos" => '\'',
                _ => REPLACEMENT,
            };
        }
    };
    number.and_then(char::from_u32).filter(|it| *it != '\0').unwrap_or(REPLACEMENT)
}

/// Replaces the entities in the text of an attribute or of HTML. Unknown entities do not change.
pub(crate) fn unescaped(text: &str) -> String {
    let mut unescaped = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        unescaped.push_str(before);
        let known = after.split_once(';').filter(|(name, _)| {
            name.len() <= 10 && name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'#')
        });
        match known {
            Some(("nbsp", after)) => {
                unescaped.push(' ');
                rest = after;
            }
            Some((name, after)) if entity(name) != REPLACEMENT => {
                unescaped.push(entity(name));
                rest = after;
            }
            _ => {
                unescaped.push('&');
                rest = after;
            }
        }
    }
    unescaped.push_str(rest);
    unescaped
}

/// The text of HTML, without tags and with single spaces.
pub(crate) fn plain(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut in_tag = false;
    for it in html.chars() {
        match it {
            // Every tag separates text. This is right for `<p>`; for `<b>` it adds a space at worst.
            '<' => {
                in_tag = true;
                text.push(' ');
            }
            '>' if in_tag => in_tag = false,
            other if !in_tag => text.push(other),
            _ => {}
        }
    }
    unescaped(&text).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn all(text: &str) -> Result<Vec<Piece>, String> {
        let mut xml = Xml::new(text);
        let mut pieces = Vec::new();
        while let Some(piece) = xml.next()? {
            pieces.push(piece);
        }
        Ok(pieces)
    }

    #[test]
    fn only_predefined_entities_are_expanded() {
        let pieces = all("<a b='x &amp; y'>1 &lt; 2 &#228; &bomb;</a>").expect("xml");
        let text: String = pieces
            .iter()
            .filter_map(|it| match it {
                Piece::Text(text) => Some(text.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(text, "1 < 2 ä \u{fffd}");
        let Piece::Start(tag) = &pieces[0] else { panic!("{pieces:?}") };
        assert_eq!(tag.attribute("b"), Some("x & y"));
    }

    #[test]
    fn document_type_with_more_than_a_name_is_an_error() {
        for hostile in [
            "<!DOCTYPE a [<!ENTITY bomb 'boom'>]><a>&bomb;</a>",
            "<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>",
            "<!DOCTYPE a PUBLIC \"x\" \"http://a.example/\"><a/>",
        ] {
            assert!(all(hostile).is_err(), "{hostile}");
        }
        assert!(all("<!DOCTYPE html><html/>").is_ok());
    }

    #[test]
    fn truncated_or_too_deep_document_is_an_error() {
        assert!(all("<a><b></b>").is_err());
        assert!(all("<a></b>").is_err());
        assert!(all(&"<a>".repeat(MAX_DEPTH + 1)).is_err());
        assert!(all(&format!("<a {}/>", "b='' ".repeat(MAX_ATTRIBUTES + 1))).is_err());
    }

    #[test]
    fn html_is_converted_to_plain_text() {
        assert_eq!(
            plain("<p>Ein &amp; zwei,<br/>drei&nbsp;vier</p> R&D &unknown;"),
            "Ein & zwei, drei vier R&D &unknown;"
        );
    }

    proptest! {
        #[test]
        fn arbitrary_text_never_panics(text in "[<>&;/!\\[\\]a-c\"'= #x0-9ä]{0,60}") {
            let _ = (all(&text), plain(&text));
        }
    }
}
