//! `coverage`: how much of the texts of notices the reader understands.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    path::PathBuf,
};

use clap::Args;
use domain::{
    Source,
    statements::{Statement, gazette::Publication},
};

use super::arguments;
use crate::{CommandError, Context};

/// Maximum number of formulas in the report.
const MAX_FORMULAS: usize = 40;
/// A formula of fewer companies is not printed: only wording that offices repeat is of use, and it names nobody.
const MIN_COMPANIES: usize = 2;

/// Print how many statements of notices are understood, and the wordings that are not
///
/// By canton of the register office and language. In the wordings, names, numbers, dates and places are replaced, and
/// those that occur at one company only are left out. Imports nothing.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  cargo run -- coverage shab 2026-10.xml 2026-11.xml")]
pub(super) struct ReportCoverage {
    /// Source of the files; only `shab` has texts
    #[arg(value_parser = arguments::source_of_files())]
    source: Source,
    /// Files to read
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

impl ReportCoverage {
    pub(super) fn run(self) -> Result<(), CommandError> {
        if self.source != Source::Shab {
            let reason = format!("`{}` has no notices with a text; use `shab`", self.source.name());
            return Err(CommandError::new("cannot report the coverage", reason));
        }
        let mut report = Report::default();
        for file in &self.files {
            let name = file.to_string_lossy();
            let bytes = std::fs::read(file).context(&name)?;
            let batch = sources::read(self.source, &bytes).context(&name)?;
            for statement in &batch.statements {
                if let Statement::Shab(publication) = &statement.statement {
                    report.add(publication);
                }
            }
        }
        print!("{}", report.table());
        Ok(())
    }
}

/// Counts by canton and language, and the formulas that were not understood.
#[derive(Default)]
struct Report {
    offices: BTreeMap<(String, String), Counts>,
    formulas: BTreeMap<(String, String), Occurrences>,
}

#[derive(Default)]
struct Counts {
    notices: usize,
    statements: usize,
    understood: usize,
}

#[derive(Default)]
struct Occurrences {
    count: usize,
    companies: BTreeSet<String>,
}

impl Report {
    fn add(&mut self, publication: &Publication) {
        let canton =
            publication.cantons.first().map_or_else(|| "-".to_owned(), |it| it.to_string());
        let language = publication.language.clone().unwrap_or_else(|| "-".to_owned());
        let block = publication.after.as_ref().or(publication.before.as_ref());
        let company = block.map_or_else(|| publication.id.clone(), |it| it.uid.to_string());
        let counts = self.offices.entry((canton, language.clone())).or_default();
        counts.notices += 1;
        for sentence in gazette_notice::coverage(&publication.text) {
            counts.statements += 1;
            if sentence.is_understood {
                counts.understood += 1;
                continue;
            }
            let formula = self.formulas.entry((language.clone(), sentence.formula)).or_default();
            formula.count += 1;
            formula.companies.insert(company.clone());
        }
    }

    /// The report as plain text.
    fn table(&self) -> String {
        let mut text = "office language  notices statements understood   share\n".to_owned();
        for ((canton, language), it) in &self.offices {
            let share = 100.0 * it.understood as f64 / it.statements.max(1) as f64;
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{canton:<6} {language:<8} {:>8} {:>10} {:>10} {share:>6.1}%",
                it.notices, it.statements, it.understood
            );
        }
        let is_shown = |it: &Occurrences| it.companies.len() >= MIN_COMPANIES;
        let mut formulas: Vec<_> = self.formulas.iter().filter(|(_, it)| is_shown(it)).collect();
        formulas.sort_by_key(|(_, it)| std::cmp::Reverse(it.count));
        text.push_str("\n count language formula that was not understood\n");
        for ((language, formula), it) in formulas.into_iter().take(MAX_FORMULAS) {
            let _ = writeln!(text, "{:>6} {language:<8} {formula}", it.count);
        }
        text
    }
}
