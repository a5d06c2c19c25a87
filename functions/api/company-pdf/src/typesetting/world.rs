//! What a template can see: itself, the style of all templates, the data and the embedded fonts.

use typst::{
    Library, LibraryExt, World,
    diag::{FileError, FileResult},
    foundations::{Bytes, Datetime, Duration},
    syntax::{FileId, RootedPath, Source, VirtualPath, VirtualRoot},
    text::{Font, FontBook},
    utils::LazyHash,
};

/// Inter, under the SIL Open Font License (`fonts/OFL.txt`): Latin with all accents, Greek and Cyrillic.
const FONTS: [&[u8]; 2] = [
    include_bytes!("../../fonts/Inter-Regular.ttf"),
    include_bytes!("../../fonts/Inter-SemiBold.ttf"),
];

/// What templates import.
pub(crate) const STYLE: &str = include_str!("../../template/style.typ");

const TEMPLATE: &str = "template.typ";
const STYLE_FILE: &str = "style.typ";
const DATA: &str = "data.json";

/// What is the same for all data.
#[derive(Debug)]
pub(crate) struct Fixed {
    library: LazyHash<Library>,
    book: LazyHash<FontBook>,
    fonts: Vec<Font>,
    template: Source,
    style: Source,
    data: FileId,
}

impl Fixed {
    /// # Panics
    /// If the embedded fonts cannot be read.
    pub(crate) fn new(template: &'static str) -> Self {
        let fonts = FONTS.iter().flat_map(|it| Font::iter(Bytes::new(*it)));
        let fonts: Vec<Font> = fonts.collect();
        assert_eq!(fonts.len(), FONTS.len(), "each file contains one font");
        Self {
            library: LazyHash::new(Library::default()),
            book: LazyHash::new(FontBook::from_fonts(&fonts)),
            fonts,
            template: Source::new(file_id(TEMPLATE), template.to_owned()),
            style: Source::new(file_id(STYLE_FILE), STYLE.to_owned()),
            data: file_id(DATA),
        }
    }

    pub(crate) fn fonts(&self) -> &[Font] {
        &self.fonts
    }
}

fn file_id(name: &str) -> FileId {
    let path = VirtualPath::new(name).expect("a file name");
    FileId::new(RootedPath::new(VirtualRoot::Project, path))
}

/// One rendering.
pub(crate) struct Job<'a> {
    fixed: &'a Fixed,
    data: Bytes,
}

impl<'a> Job<'a> {
    pub(crate) fn new(fixed: &'a Fixed, data: Vec<u8>) -> Self {
        Self { fixed, data: Bytes::new(data) }
    }
}

impl World for Job<'_> {
    fn library(&self) -> &LazyHash<Library> {
        &self.fixed.library
    }

    fn book(&self) -> &LazyHash<FontBook> {
        &self.fixed.book
    }

    fn main(&self) -> FileId {
        self.fixed.template.id()
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        let sources = [&self.fixed.template, &self.fixed.style];
        let source = sources.into_iter().find(|it| it.id() == id);
        source.cloned().ok_or(FileError::AccessDenied)
    }

    fn file(&self, id: FileId) -> FileResult<Bytes> {
        match id == self.fixed.data {
            true => Ok(self.data.clone()),
            false => Err(FileError::AccessDenied),
        }
    }

    fn font(&self, index: usize) -> Option<Font> {
        self.fixed.fonts.get(index).cloned()
    }

    /// There is no clock.
    fn today(&self, _: Option<Duration>) -> Option<Datetime> {
        None
    }
}
