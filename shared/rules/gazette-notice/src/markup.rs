//! Removes markup: the old `<F>…<E>` tags, the `<FT TYPE="F">…</FT>` tags of Zefix, XML entities and
//! repeated white space.

use std::borrow::Cow;

/// A notice without markup, and the names and seats that were marked.
#[derive(Debug, Default, PartialEq)]
pub(super) struct PlainText {
    pub(super) text: String,
    pub(super) name: Option<String>,
    pub(super) seat: Option<String>,
    pub(super) new_name: Option<String>,
    pub(super) new_seat: Option<String>,
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    Name,
    Seat,
    NewName,
    NewSeat,
    /// The office's list of supporting documents, which is not part of the notice.
    SupportingDocuments,
    Other,
}

impl Mark {
    fn from_letter(letter: &str) -> Option<Self> {
        Some(match letter {
            "F" => Self::Name,
            "S" => Self::Seat,
            "N" => Self::NewName,
            "5" => Self::NewSeat,
            "B" => Self::SupportingDocuments,
            _ if letter.len() == 1
                && letter.bytes().all(|it| it.is_ascii_uppercase() || it.is_ascii_digit()) =>
            {
                Self::Other
            }
            _ => return None,
        })
    }
}

enum Tag {
    Open(Mark),
    Close,
    /// A tag that only separates text, such as `<br />` or the `<Z>` between supporting documents.
    Space,
}

/// Maximum length of a tag, in bytes. A `<` without a `>` within this length is plain text.
const MAX_TAG_LENGTH: usize = 32;

/// The tag at the beginning of the text, and its length.
fn tag(rest: &str) -> Option<(Tag, usize)> {
    let window = &rest.as_bytes()[..rest.len().min(MAX_TAG_LENGTH)];
    let end = window.iter().position(|it| *it == b'>')?;
    let inner = rest[1..end].trim_end_matches('/').trim_end();
    let tag = match inner {
        "E" | "/FT" => Tag::Close,
        "Z" | "U" | "br" | "BR" | "p" | "/p" => Tag::Space,
        _ => match inner.strip_prefix("FT TYPE=") {
            Some(letter) => Tag::Open(Mark::from_letter(letter.trim_matches(['"', '\'']))?),
            None => Tag::Open(Mark::from_letter(inner)?),
        },
    };
    Some((tag, end + 1))
}

/// Removes the markup, and takes the marked names and seats from it.
pub(super) fn remove_markup(marked: &str) -> PlainText {
    let marked = unescape(marked);
    let mut plain = PlainText { text: String::with_capacity(marked.len()), ..PlainText::default() };
    let mut open: Option<(Mark, usize)> = None;
    let mut rest = marked.as_ref();
    while let Some(at) = rest.find('<') {
        let (before, from) = rest.split_at(at);
        push(&mut plain.text, before, open);
        let Some((tag, length)) = tag(from) else {
            push(&mut plain.text, "<", open);
            rest = &from[1..];
            continue;
        };
        rest = &from[length..];
        match tag {
            Tag::Open(mark) => {
                plain.store_marked(open);
                open = Some((mark, plain.text.len()));
            }
            Tag::Close => {
                plain.store_marked(open);
                open = None;
            }
            Tag::Space => push(&mut plain.text, " ", open),
        }
    }
    push(&mut plain.text, rest, open);
    plain.store_marked(open);
    plain.text.truncate(plain.text.trim_end().len());
    plain
}

impl PlainText {
    /// Stores the text of the mark that ends here. The first text of each mark counts.
    fn store_marked(&mut self, open: Option<(Mark, usize)>) {
        let Some((mark, from)) = open else { return };
        let value = match mark {
            Mark::Name => &mut self.name,
            Mark::Seat => &mut self.seat,
            Mark::NewName => &mut self.new_name,
            Mark::NewSeat => &mut self.new_seat,
            Mark::SupportingDocuments | Mark::Other => return,
        };
        // In old notices the mark includes the punctuation.
        let text = self.text[from..].trim().trim_end_matches([',', '.']).trim_end();
        if value.is_none() && !text.is_empty() {
            *value = Some(text.to_owned());
        }
    }
}

/// Appends the text, with repeated white space as one space. Supporting documents are skipped.
fn push(plain: &mut String, text: &str, open: Option<(Mark, usize)>) {
    if matches!(open, Some((Mark::SupportingDocuments, _))) {
        return;
    }
    if text.starts_with(char::is_whitespace) && !plain.is_empty() && !plain.ends_with(' ') {
        plain.push(' ');
    }
    for word in text.split_whitespace() {
        plain.push_str(word);
        plain.push(' ');
    }
    if !text.ends_with(char::is_whitespace) && !text.is_empty() {
        plain.pop();
    }
}

/// Replaces the XML entities, and those of HTML that occur in notices.
fn unescape(text: &str) -> Cow<'_, str> {
    const ENTITIES: [(&str, &str); 8] = [
        ("&amp;", "&"),
        ("&apos;", "'"),
        ("&#39;", "'"),
        ("&#039;", "'"),
        ("&quot;", "\""),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&nbsp;", " "),
    ];
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let entity = ENTITIES.iter().find(|(entity, _)| rest.starts_with(entity));
        let (entity, character) = entity.copied().unwrap_or(("&", "&"));
        plain.push_str(character);
        rest = &rest[entity.len()..];
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_markup_is_removed_and_names_and_seats_are_extracted() {
        let plain = remove_markup(
            "<F>Muster AG,<E> bisher in <S>Olten,<E> <Q>AG<E>. Sitz neu: <5>Bern.<E> Firma neu: \
             <N>Neu AG<E>.<B>Beleg 1. Anmeldung<Z>2. Statuten<E>",
        );
        assert_eq!(
            plain.text,
            "Muster AG, bisher in Olten, AG. Sitz neu: Bern. Firma neu: Neu AG."
        );
        assert_eq!(plain.name.as_deref(), Some("Muster AG"));
        assert_eq!(plain.seat.as_deref(), Some("Olten"));
        assert_eq!(plain.new_seat.as_deref(), Some("Bern"));
        assert_eq!(plain.new_name.as_deref(), Some("Neu AG"));
    }

    #[test]
    fn zefix_markup_and_entities_are_removed() {
        let plain =
            remove_markup("<FT TYPE=\"F\">Fils &amp; C&apos;ie</FT>,<br />à\u{a0}Nyon &  x");
        assert_eq!(plain.text, "Fils & C'ie, à Nyon & x");
        assert_eq!(plain.name.as_deref(), Some("Fils & C'ie"));
    }

    #[test]
    fn text_that_is_not_a_tag_is_kept() {
        for text in ["a < b > c", "<", "<<>>", "<F", "&", "&bogus;", "<ähnlich>"] {
            assert_eq!(remove_markup(text).text, text);
        }
    }
}
