use std::io;

use domain::{lists::EntryKind, text::fold};

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
                let positions = self.by_name.iter().copied();
                let browsed: io::Result<Vec<Browsed>> =
                    positions.map(|it| Ok(Browsed::of(it, &self.entry(it)?))).collect();
                // Another thread may have been faster, with the same result.
                let browsed = browsed?;
                self.browsed.get_or_init(|| browsed)
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
