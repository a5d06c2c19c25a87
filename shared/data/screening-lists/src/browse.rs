use std::io;

use domain::{collation::NameKey, lists::EntryKind, text::fold};

use crate::{OpenList, browsed::Browsed};

/// What a list is browsed for. Everything that is given must apply.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Browse {
    /// Words of which each must be the beginning of a word of the names.
    pub text: Option<String>,
    /// The kind of the entries.
    pub kind: Option<EntryKind>,
    /// A part of the identifier or of a name of a programme.
    pub programme: Option<String>,
}

impl OpenList {
    /// The positions of the entries that apply, by name. The first call reads all entries.
    pub fn browse(&self, wanted: &Browse) -> io::Result<Vec<u32>> {
        let browsed = match self.browsed.get() {
            Some(browsed) => browsed,
            None => {
                let mut in_order = Vec::with_capacity(self.subjects.len());
                for position in (0..).take(self.subjects.len()) {
                    let entry = self.entry(position)?;
                    let name = NameKey::of(entry.name().unwrap_or_default());
                    in_order.push(((name, entry.id.clone()), Browsed::of(position, &entry)));
                }
                in_order.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
                // Another thread may have been faster, with the same result.
                self.browsed.get_or_init(|| in_order.into_iter().map(|(_, it)| it).collect())
            }
        };
        let folded = fold(wanted.text.as_deref().unwrap_or_default());
        let words: Vec<String> =
            folded.split(' ').filter(|it| !it.is_empty()).map(|it| format!(" {it}")).collect();
        let programme = fold(wanted.programme.as_deref().unwrap_or_default());
        let found = browsed.iter().filter(|it| it.matches(&words, wanted.kind, &programme));
        Ok(found.map(|it| it.position).collect())
    }
}
