use std::collections::HashMap;

use jiff::civil::Date;

use crate::{
    left_out::LeftOut,
    reports::{
        Draft,
        figures::{self, Observation, entity, figure, may_be_figure, scaled},
    },
    xml::{Piece, Tag, Xml},
};

/// Entity and period of a fact.
#[derive(Default)]
struct Context {
    scheme: String,
    identifier: String,
    start: Option<Date>,
    end: Option<Date>,
    /// Whether the fact is about a segment or another part of the company.
    has_dimensions: bool,
}

/// A tagged number, unparsed.
struct Tagged {
    concept: String,
    context: String,
    unit: String,
    scale: i32,
    decimals: i32,
    is_negative: bool,
    format: Option<String>,
    words: String,
}

/// An open element.
enum Open {
    /// A fact. Facts can be nested.
    Fact(Box<Tagged>),
    /// Text that is displayed but is not part of the surrounding fact.
    Excluded,
    Other,
}

/// Everything read from a document.
#[derive(Default)]
struct Document {
    namespaces: HashMap<String, String>,
    contexts: HashMap<String, Context>,
    units: HashMap<String, Vec<String>>,
    facts: Vec<Tagged>,
}

/// Reads inline XBRL 1.1: XHTML in which numbers are tagged. One document, one report.
pub(super) fn read(text: &str) -> Result<Vec<Draft>, String> {
    let document = document(text)?;
    if document.contexts.is_empty() {
        return Err("neither a table nor JSON nor inline XBRL: contains no XBRL context".into());
    }
    let mut observations = Vec::new();
    let mut entities: Vec<(&str, &str)> = Vec::new();
    for fact in &document.facts {
        let Some((found, context)) = observation(fact, &document) else { continue };
        let entity_id = (context.scheme.as_str(), context.identifier.as_str());
        if !entities.contains(&entity_id) {
            entities.push(entity_id);
        }
        observations.push(found);
    }
    let report = match entities.as_slice() {
        [(scheme, identifier)] => entity(scheme, identifier)
            .and_then(|mention| Ok((mention, figures::report(observations)?))),
        [] => Err("contains no figure".to_owned()),
        _ => Err(format!("entity: expected one; got {}", entities.len())),
    };
    let record = entities.iter().map(|(_, it)| *it).collect::<Vec<_>>().join(", ");
    Ok(vec![Draft {
        report,
        record: format!("inline XBRL of {record}"),
        left_out: LeftOut::default(),
    }])
}

fn document(text: &str) -> Result<Document, String> {
    let mut xml = Xml::new(text);
    let mut document = Document::default();
    let mut open: Vec<Open> = Vec::new();
    // The id of the open context or unit, and the text of the open element.
    let mut context: Option<String> = None;
    let mut unit: Option<String> = None;
    let mut names: Vec<String> = Vec::new();
    let mut words = String::new();
    while let Some(piece) = xml.next()? {
        match piece {
            Piece::Start(tag) => {
                for (prefix, namespace) in tag.declarations() {
                    document.namespaces.insert(prefix.to_owned(), namespace.to_owned());
                }
                words.clear();
                let local = tag.local();
                match local {
                    "context" => context = tag.attribute("id").map(str::to_owned),
                    "unit" => unit = tag.attribute("id").map(str::to_owned),
                    _ => {}
                }
                if let Some(id) = &context {
                    let known = document.contexts.entry(id.clone()).or_default();
                    match local {
                        "identifier" => {
                            known.scheme = tag.attribute("scheme").unwrap_or_default().to_owned();
                        }
                        "explicitMember" | "typedMember" => known.has_dimensions = true,
                        _ => {}
                    }
                }
                names.push(local.to_owned());
                open.push(opened(&tag));
            }
            Piece::Text(text) => {
                if context.is_some() || unit.is_some() {
                    words.push_str(&text);
                }
                push_text(&mut open, &text);
            }
            Piece::End => {
                let name = names.pop().unwrap_or_default();
                if let Some(Open::Fact(fact)) = open.pop() {
                    document.facts.push(*fact);
                }
                let text = words.trim();
                if let Some(known) = context.as_ref().and_then(|it| document.contexts.get_mut(it)) {
                    let day = || text.get(..10).and_then(|it| it.parse().ok());
                    match name.as_str() {
                        "identifier" => known.identifier = text.to_owned(),
                        "startDate" => known.start = day(),
                        "endDate" | "instant" => known.end = day(),
                        _ => {}
                    }
                }
                if let Some(id) = &unit
                    && name == "measure"
                {
                    document.units.entry(id.clone()).or_default().push(text.to_owned());
                }
                match name.as_str() {
                    "context" => context = None,
                    "unit" => unit = None,
                    _ => {}
                }
                words.clear();
            }
        }
    }
    Ok(document)
}

fn opened(tag: &Tag) -> Open {
    match tag.local() {
        "exclude" => Open::Excluded,
        "nonFraction" if tag.attribute("xsi:nil").is_none_or(|it| it == "false" || it == "0") => {
            match tagged(tag) {
                Some(fact) => Open::Fact(Box::new(fact)),
                None => Open::Other,
            }
        }
        _ => Open::Other,
    }
}

fn tagged(tag: &Tag) -> Option<Tagged> {
    let concept = tag.attribute("name")?;
    if !may_be_figure(concept.rsplit(':').next()?) {
        return None;
    }
    let number = |name: &str| match tag.attribute(name) {
        None => Some(0),
        Some(given) => given.parse().ok(),
    };
    let decimals = match tag.attribute("decimals") {
        None | Some("INF") => i32::MAX,
        Some(given) => given.parse().ok()?,
    };
    Some(Tagged {
        concept: concept.to_owned(),
        context: tag.attribute("contextRef")?.to_owned(),
        unit: tag.attribute("unitRef")?.to_owned(),
        scale: number("scale")?,
        decimals,
        is_negative: match tag.attribute("sign") {
            None => false,
            Some("-") => true,
            Some(_) => return None,
        },
        format: tag.attribute("format").map(str::to_owned),
        words: String::new(),
    })
}

/// Adds text to all open facts, up to the innermost excluded element.
fn push_text(open: &mut [Open], text: &str) {
    for it in open.iter_mut().rev() {
        match it {
            Open::Excluded => break,
            Open::Fact(fact) => fact.words.push_str(text),
            Open::Other => {}
        }
    }
}

fn observation<'a>(fact: &Tagged, document: &'a Document) -> Option<(Observation, &'a Context)> {
    let (prefix, local) = fact.concept.split_once(':')?;
    let (figure, rank) = figure(document.namespaces.get(prefix)?, local)?;
    let context = document.contexts.get(&fact.context).filter(|it| !it.has_dimensions)?;
    // Only units with one measure: an amount per share has two.
    let [measure] = document.units.get(&fact.unit)?.as_slice() else { return None };
    let (prefix, code) = measure.split_once(':')?;
    let is_currency = document.namespaces.get(prefix).map_or(prefix, String::as_str);
    let is_currency = is_currency.contains("iso4217") && code.len() == 3;
    let value = scaled(&displayed(&fact.words, fact.format.as_deref())?, fact.scale)?;
    let observation = Observation {
        figure,
        rank,
        value: if fact.is_negative { value.checked_neg()? } else { value },
        decimals: fact.decimals,
        currency: is_currency.then(|| code.to_owned()),
        start: context.start,
        end: context.end?,
    };
    Some((observation, context))
}

/// Converts a displayed number to plain decimals. `None` for unknown formats, because a number such as
/// `1.234` is ambiguous.
fn displayed(words: &str, format: Option<&str>) -> Option<String> {
    let format = format.map(|it| it.rsplit(':').next().unwrap_or_default().replace('-', ""));
    let words = words.trim();
    let with_point = |point: char| -> Option<String> {
        let grouped = |it: char| it.is_whitespace() || matches!(it, ',' | '.' | '\'' | '’');
        let mut plain = String::new();
        for it in words.chars() {
            match it {
                '0'..='9' => plain.push(it),
                it if it == point && !plain.contains('.') => plain.push('.'),
                it if it != point && grouped(it) => {}
                _ => return None,
            }
        }
        Some(plain)
    };
    match format.as_deref() {
        None => Some(words.to_owned()),
        Some("numdotdecimal" | "numdotdecimalapos") => with_point('.'),
        Some("numcommadecimal" | "numcommadecimalapos") => with_point(','),
        Some("fixedzero" | "zerodash" | "numdash") => Some("0".to_owned()),
        Some(_) => None,
    }
}
