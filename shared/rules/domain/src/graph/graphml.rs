//! Export as GraphML (<http://graphml.graphdrawing.org>), in the form that Gephi and yEd read.

use std::io;

use quick_xml::{
    Writer,
    events::{BytesDecl, BytesText, Event},
};

use super::{Graph, Link, Node};

type Xml = Writer<Vec<u8>>;

/// Attributes of nodes and edges: id, element, name, type.
const KEYS: [(&str, &str, &str, &str); 16] = [
    ("name", "node", "name", "string"),
    ("uid", "node", "uid", "string"),
    ("kind", "node", "type", "string"),
    ("capital", "node", "capital", "double"),
    ("currency", "node", "currency", "string"),
    ("canton", "node", "canton", "string"),
    ("status", "node", "status", "string"),
    ("role", "node", "role", "string"),
    ("person", "node", "personId", "string"),
    ("link", "edge", "type", "string"),
    ("label", "edge", "label", "string"),
    ("source", "edge", "provenanceSource", "string"),
    ("reference", "edge", "provenanceReference", "string"),
    ("date", "edge", "provenanceDate", "string"),
    ("confidence", "edge", "confidence", "double"),
    ("percentage", "edge", "percentage", "double"),
];

impl Graph {
    /// The graph as an XML document.
    pub fn graphml(&self) -> io::Result<Vec<u8>> {
        let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
        xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        xml.create_element("graphml")
            .with_attribute(("xmlns", "http://graphml.graphdrawing.org/xmlns"))
            .write_inner_content(|xml| {
                for (id, of, name, kind) in KEYS {
                    let key = [("id", id), ("for", of), ("attr.name", name), ("attr.type", kind)];
                    xml.create_element("key").with_attributes(key).write_empty()?;
                }
                let graph = xml.create_element("graph");
                let graph = graph.with_attributes([("id", "G"), ("edgedefault", "directed")]);
                graph.write_inner_content(|xml| {
                    self.nodes.iter().try_for_each(|it| node(xml, it))?;
                    self.links.iter().try_for_each(|it| edge(xml, it))
                })?;
                Ok(())
            })?;
        Ok(xml.into_inner())
    }
}

fn node(xml: &mut Xml, node: &Node) -> io::Result<()> {
    xml.create_element("node").with_attribute(("id", node.id.as_str())).write_inner_content(
        |xml| {
            data(xml, "name", Some(&node.name))?;
            data(xml, "uid", node.uid.as_ref())?;
            data(xml, "kind", Some(node.kind.name()))?;
            data(xml, "capital", node.capital.as_ref())?;
            data(xml, "currency", node.currency.as_ref())?;
            data(xml, "canton", node.canton.as_ref())?;
            data(xml, "status", node.status.as_ref())?;
            data(xml, "role", node.role.as_ref())?;
            data(xml, "person", node.person_id.as_ref())
        },
    )?;
    Ok(())
}

fn edge(xml: &mut Xml, link: &Link) -> io::Result<()> {
    let ends = [("source", link.source.as_str()), ("target", link.target.as_str())];
    xml.create_element("edge").with_attributes(ends).write_inner_content(|xml| {
        data(xml, "link", Some(link.kind.name()))?;
        data(xml, "label", Some(&link.label))?;
        let proof = link.provenance.as_ref();
        data(xml, "source", proof.map(|it| &it.source))?;
        data(xml, "reference", proof.and_then(|it| it.reference.as_ref()))?;
        data(xml, "date", proof.and_then(|it| it.date))?;
        data(xml, "confidence", link.confidence)?;
        data(xml, "percentage", link.percentage)
    })?;
    Ok(())
}

fn data(xml: &mut Xml, key: &str, value: Option<impl ToString>) -> io::Result<()> {
    let Some(value) = value else { return Ok(()) };
    // XML does not allow these characters, not even escaped.
    let is_allowed = |it: &char| {
        matches!(it, '\t' | '\n' | '\r') || (*it >= ' ' && !matches!(it, '\u{fffe}' | '\u{ffff}'))
    };
    let text: String = value.to_string().chars().filter(is_allowed).collect();
    let element = xml.create_element("data").with_attribute(("key", key));
    element.write_text_content(BytesText::new(&text))?;
    Ok(())
}
