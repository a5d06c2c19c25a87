use std::io;

use domain::{
    lists::{EntryKind, ListEntry, Programme, Translations},
    text::fold,
};

use crate::OpenList;

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

/// What the entries of a list are filtered by.
#[derive(Debug)]
pub(crate) struct Browsed {
    position: u32,
    kind: EntryKind,
    /// The folded names, each word after a blank.
    names: String,
    /// The folded identifiers and names of the programmes, each in a line.
    programmes: String,
}

impl Browsed {
    fn of(position: u32, entry: &ListEntry) -> Self {
        let names: Vec<String> =
            entry.names.iter().map(|it| format!(" {}", fold(&it.text))).collect();
        let programmes: Vec<String> = entry.programmes.iter().flat_map(texts).collect();
        let (names, programmes) = (names.join("\n"), programmes.join("\n"));
        Self { position, kind: entry.kind, names, programmes }
    }

    fn matches(&self, words: &[String], kind: Option<EntryKind>, programme: &str) -> bool {
        kind.is_none_or(|it| it == self.kind)
            && words.iter().all(|it| self.names.contains(it))
            && self.programmes.contains(programme)
    }
}

fn texts(programme: &Programme) -> Vec<String> {
    let of = |it: &Translations| -> Vec<String> {
        [&it.de, &it.fr, &it.it, &it.en, &it.other].into_iter().flatten().cloned().collect()
    };
    let all = programme.id.iter().cloned().chain(of(&programme.key)).chain(of(&programme.name));
    all.map(|it| fold(&it)).collect()
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
