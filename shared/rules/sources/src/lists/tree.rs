use std::io::BufRead;

use crate::{
    left_out::LeftOut,
    text::single_spaced,
    xml::{Piece, REPLACEMENT, Tag, Xml},
};

/// Maximum size of a record: its texts in bytes, and [`ELEMENT`] for each element. Real records have less than a
/// tenth. The rest of a larger record is not kept.
const MAX_SIZE: usize = 4 * 1024 * 1024;

/// What an element counts in addition to its text.
const ELEMENT: usize = 200;

/// An element of a record with everything in it. Only one record is in memory at a time.
pub(super) struct Element {
    tag: Tag,
    children: Vec<Element>,
    text: String,
}

impl Element {
    fn new(tag: Tag) -> Self {
        Self { tag, children: Vec::new(), text: String::new() }
    }

    /// The name without its prefix.
    pub(super) fn name(&self) -> &str {
        self.tag.local()
    }

    /// The value of an attribute. `None` if it is empty.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.stated(name).filter(|it| !it.is_empty())
    }

    /// The value of an attribute, which may be empty.
    pub(super) fn stated(&self, name: &str) -> Option<&str> {
        self.tag.attribute(name)
    }

    /// The children with this name.
    pub(super) fn children<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> {
        self.children.iter().filter(move |it| it.name() == name)
    }

    /// The first child whose name satisfies the condition.
    pub(super) fn child(&self, is_wanted: impl Fn(&str) -> bool) -> Option<&Self> {
        self.children.iter().find(|it| is_wanted(it.name()))
    }

    /// The first child that has a child with this name.
    pub(super) fn child_with(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|it| it.children(name).next().is_some())
    }

    /// The text of this element without its children, with single spaces. `None` if it is empty.
    pub(super) fn text(&self) -> Option<String> {
        single_spaced(&self.text)
    }

    /// The text of the first child with this name.
    pub(super) fn text_of(&self, name: &str) -> Option<String> {
        self.children(name).find_map(Self::text)
    }

    /// Leaves out the texts and attributes of which a character could not be read.
    pub(super) fn leave_out_illegible(&mut self, left_out: &mut LeftOut) {
        let Self { tag, children, text } = self;
        let element = tag.local().to_owned();
        let mut is_legible = |member: &str, it: &str| {
            let is_legible = !it.contains(REPLACEMENT);
            if !is_legible {
                left_out.add(format!("{member}: contains a character that cannot be read"));
            }
            is_legible
        };
        if !is_legible(&element, text) {
            text.clear();
        }
        tag.retain(|name, value| is_legible(name, value));
        children.iter_mut().for_each(|it| it.leave_out_illegible(left_out));
    }

    /// The element as text, for quarantine.
    pub(super) fn to_text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    fn write(&self, to: &mut String) {
        to.push('<');
        to.push_str(&self.tag.name);
        for (name, value) in self.tag.attributes() {
            to.extend([" ", name, "=\"", value, "\""]);
        }
        to.push('>');
        to.push_str(self.text.trim());
        self.children.iter().for_each(|it| it.write(to));
        to.extend(["</", &self.tag.name, ">"]);
    }
}

/// A record, and whether all of it was kept.
pub(super) struct Record {
    pub(super) root: Element,
    pub(super) is_complete: bool,
}

/// Reads an element to its end. Elements whose name is in `skipped` are left out with everything in them.
pub(super) fn record<R: BufRead>(
    xml: &mut Xml<R>,
    tag: Tag,
    skipped: &[&str],
) -> Result<Record, String> {
    let mut open = vec![Element::new(tag)];
    let mut size = 0;
    while let Some(piece) = xml.next()? {
        match piece {
            Piece::Start(tag) if skipped.contains(&tag.local()) => skip(xml)?,
            Piece::Start(tag) => {
                size += ELEMENT + tag.attributes().map(|(_, value)| value.len()).sum::<usize>();
                open.push(Element::new(tag));
            }
            Piece::Text(text) => {
                size += text.len();
                if let Some(element) = open.last_mut().filter(|_| size <= MAX_SIZE) {
                    element.text.push_str(&text);
                }
            }
            Piece::End => {
                let Some(done) = open.pop() else { break };
                match open.last_mut() {
                    Some(parent) if size <= MAX_SIZE => parent.children.push(done),
                    Some(_) => {}
                    None => return Ok(Record { root: done, is_complete: size <= MAX_SIZE }),
                }
            }
        }
    }
    Err("ends inside an element".to_owned())
}

/// Reads to the end of the element that was just opened.
pub(super) fn skip<R: BufRead>(xml: &mut Xml<R>) -> Result<(), String> {
    let mut depth = 1;
    while depth > 0 {
        match xml.next()? {
            Some(Piece::Start(_)) => depth += 1,
            Some(Piece::End) => depth -= 1,
            Some(Piece::Text(_)) => {}
            None => return Err("ends inside an element".to_owned()),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Record {
        let mut xml = Xml::new(text);
        let Ok(Some(Piece::Start(tag))) = xml.next() else { panic!("an element") };
        record(&mut xml, tag, &["added"]).expect("xml")
    }

    #[test]
    fn skipped_elements_are_left_out() {
        let record = read("<a b='1'> x <added><c>old</c></added><c> new\n text </c></a>");
        assert_eq!(
            record.root.to_text(),
            "<a b=\"1\">x<c> new\n text </c></a>".replace(" new\n text ", "new\n text")
        );
        assert_eq!(record.root.text_of("c").as_deref(), Some("new text"));
        assert!(record.is_complete);
    }

    #[test]
    fn record_that_is_too_large_is_cut() {
        let record = read(&format!("<a>{}</a>", "<b>text</b>".repeat(MAX_SIZE / ELEMENT)));
        assert!(!record.is_complete);
        assert!(record.root.children.len() < MAX_SIZE / ELEMENT);
    }
}
