use crate::{
    left_out::LeftOut,
    news::{Draft, Feed},
    xml::{Piece, Tag, Xml},
};

/// Reads RSS 2.0 or Atom. Both are lists of entries with flat children; only the element names differ.
pub(super) fn read(text: &str) -> Result<Feed, String> {
    let mut xml = Xml::new(text);
    let mut feed = Feed::default();
    let mut path: Vec<Tag> = Vec::new();
    let mut entry: Option<Entry> = None;
    let mut title = String::new();
    while let Some(piece) = xml.next()? {
        match piece {
            Piece::Start(tag) => {
                if path.is_empty() && !matches!(tag.local(), "rss" | "feed" | "RDF") {
                    return Err(format!("`{}` is neither RSS nor Atom", tag.name));
                }
                if entry.is_none() && matches!(tag.local(), "item" | "entry") {
                    entry = Some(Entry { depth: path.len(), ..Entry::default() });
                } else if let Some(entry) = &mut entry {
                    entry.open(&tag, path.len());
                }
                path.push(tag);
            }
            Piece::Text(text) => match &mut entry {
                Some(entry) => entry.push_text(&text),
                None if is_title_of_feed(&path) => title.push_str(&text),
                None => {}
            },
            Piece::End => {
                path.pop();
                match &mut entry {
                    Some(done) if done.depth == path.len() => {
                        if let Some(done) = entry.take() {
                            feed.drafts.push((Ok(done.draft), done.record, LeftOut::default()));
                        }
                    }
                    Some(open) => open.close(path.len()),
                    None => {}
                }
            }
        }
    }
    feed.title = Some(title.trim().to_owned()).filter(|it| !it.is_empty());
    Ok(feed)
}

/// Whether the path is the title of the feed itself. A feed's image also has a title.
fn is_title_of_feed(path: &[Tag]) -> bool {
    let names: Vec<&str> = path.iter().map(Tag::local).collect();
    matches!(names[..], ["rss" | "RDF", "channel", "title"] | ["feed", "title"])
}

/// A record being read.
#[derive(Default)]
struct Entry {
    /// Nesting depth of the entry.
    depth: usize,
    draft: Draft,
    /// The open child and its text so far.
    child: Option<(Child, String)>,
    /// Element names and text of the entry, for quarantine.
    record: String,
}

/// The children of an entry that are read.
enum Child {
    Title,
    Id,
    Link,
    Summary,
    /// Used as the summary if there is none.
    Content,
    Published,
    /// Used as the publication date if there is none.
    Updated,
    Company(String),
}

impl Entry {
    fn open(&mut self, tag: &Tag, depth: usize) {
        self.record.push_str(&format!("<{}>", tag.name));
        if depth != self.depth + 1 {
            return;
        }
        let is_plain = !tag.name.contains(':');
        let child = match tag.local() {
            // Elements such as `media:title` and `itunes:summary` do not describe the entry.
            "title" if is_plain => Child::Title,
            "guid" | "id" if is_plain => Child::Id,
            "link" if is_plain => match tag.attribute("href") {
                Some(address) => {
                    let is_main = tag.attribute("rel").is_none_or(|it| it == "alternate");
                    if is_main && self.draft.link.is_none() {
                        self.record.push_str(address);
                        self.draft.link = Some(address.to_owned());
                    }
                    return;
                }
                None => Child::Link,
            },
            "description" | "summary" if is_plain => Child::Summary,
            "content" | "encoded" => Child::Content,
            "pubDate" | "published" => Child::Published,
            // RSS 1.0 uses `dc:date`.
            "updated" | "date" => Child::Updated,
            "category" => {
                let kind = tag.attribute("domain").or_else(|| tag.attribute("scheme"));
                let Some(kind) = kind else { return };
                if let Some(term) = tag.attribute("term") {
                    self.record.push_str(term);
                    self.draft.companies.push((kind.to_owned(), term.to_owned()));
                    return;
                }
                Child::Company(kind.to_owned())
            }
            _ => return,
        };
        self.child = Some((child, String::new()));
    }

    fn push_text(&mut self, text: &str) {
        self.record.push_str(text);
        if let Some((_, content)) = &mut self.child {
            content.push_str(text);
        }
    }

    /// Closes the open child if `depth` is its depth. Deeper elements are part of the child.
    fn close(&mut self, depth: usize) {
        if depth != self.depth + 1 {
            return;
        }
        let Some((child, content)) = self.child.take() else { return };
        let draft = &mut self.draft;
        let member = match child {
            Child::Title => &mut draft.title,
            Child::Id => &mut draft.id,
            Child::Link => &mut draft.link,
            Child::Summary => {
                draft.summary = Some(content);
                return;
            }
            Child::Content => &mut draft.summary,
            Child::Published => {
                draft.published = Some(content);
                return;
            }
            Child::Updated => &mut draft.published,
            Child::Company(kind) => {
                draft.companies.push((kind, content));
                return;
            }
        };
        member.get_or_insert(content);
    }
}
