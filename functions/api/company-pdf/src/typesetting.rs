//! PDF files from a template and data. The typesetting system is Typst.
//!
//! Invariants: the only module that uses Typst. No I/O, no clock, no packages, no fonts of the machine: the same template and
//! the same data give the same bytes. Data is JSON, which a template reads as values and never as markup.
//!
//! `world` is what a template can see; `characters` makes texts representable in the embedded fonts.

mod characters;
mod world;

use serde_json::Value;
use typst::{
    comemo,
    diag::{SourceDiagnostic, Warned},
    foundations::Smart,
};
use typst_pdf::{PdfOptions, PdfStandard, PdfStandards};

pub(crate) use self::world::STYLE;
use self::{
    characters::Characters,
    world::{Fixed, Job},
};

/// Number of renderings after which intermediate results that were not used again are forgotten.
const KEPT_RENDERINGS: usize = 3;

/// Why there is no file.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("the document cannot be made from the template and the data: {0}")]
    Document(String),
    #[error("the document cannot be written as PDF/A: {0}")]
    Export(String),
    #[error("the data cannot be written as JSON")]
    Data(#[from] serde_json::Error),
}

/// A file.
#[derive(Clone, Debug)]
pub(crate) struct Rendered {
    pub(crate) bytes: Vec<u8>,
    /// What Typst says about the template. Empty if all is well.
    pub(crate) warnings: Vec<String>,
}

/// Renders one template with any data. Accessible PDF files for archiving: PDF/A-2a and PDF/UA-1, with the used characters
/// of the embedded fonts.
///
/// Rendering takes tens of milliseconds of processor time; do not call it on an async thread.
#[derive(Debug)]
pub(crate) struct Typesetter {
    fixed: Fixed,
    characters: Characters,
    standards: PdfStandards,
}

impl Typesetter {
    /// `template` reads its data with `json("data.json")`.
    ///
    /// # Panics
    /// If the embedded fonts cannot be read.
    pub(crate) fn new(template: &'static str) -> Self {
        let fixed = Fixed::new(template);
        let standards = PdfStandards::new(&[PdfStandard::A_2a, PdfStandard::Ua_1]);
        Self {
            characters: Characters::of(fixed.fonts()),
            fixed,
            standards: standards.expect("standards that go together"),
        }
    }

    /// The file with this data. Its date is that which the template sets.
    ///
    /// Characters that no embedded font contains are replaced by similar Latin ones.
    pub(crate) fn render(&self, mut data: Value) -> Result<Rendered, Error> {
        self.characters.make_representable(&mut data);
        let job = Job::new(&self.fixed, serde_json::to_vec(&data)?);
        let Warned { output, warnings } = typst::compile(&job);
        let document = output.map_err(|it| Error::Document(messages(&it)));
        let bytes = document.and_then(|document| {
            let options = PdfOptions {
                creator: Smart::Custom(Some("Gotthard".to_owned())),
                standards: self.standards.clone(),
                ..PdfOptions::default()
            };
            typst_pdf::pdf(&document, &options).map_err(|it| Error::Export(messages(&it)))
        });
        comemo::evict(KEPT_RENDERINGS);
        let warnings = warnings.iter().map(|it| it.message.to_string()).collect();
        Ok(Rendered { bytes: bytes?, warnings })
    }
}

fn messages(diagnostics: &[SourceDiagnostic]) -> String {
    diagnostics.iter().map(|it| it.message.to_string()).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests;
