use domain::{
    lists::{EntryKind, ListEntry, Programme, Translations},
    text::fold,
};

/// What the entries of a list are filtered by.
#[derive(Debug)]
pub(crate) struct Browsed {
    pub(crate) position: u32,
    kind: EntryKind,
    /// The folded names, each word after a blank.
    names: String,
    /// The folded identifiers and names of the programmes, each in a line.
    programmes: String,
}

impl Browsed {
    pub(crate) fn of(position: u32, entry: &ListEntry) -> Self {
        let names: Vec<String> =
            entry.names.iter().map(|it| format!(" {}", fold(&it.text))).collect();
        let programmes: Vec<String> = entry.programmes.iter().flat_map(texts).collect();
        let (names, programmes) = (names.join("\n"), programmes.join("\n"));
        Self { position, kind: entry.kind, names, programmes }
    }

    pub(crate) fn matches(
        &self,
        words: &[String],
        kind: Option<EntryKind>,
        programme: &str,
    ) -> bool {
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
