use crate::Uid;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::{
    Source,
    statements::{finma, gazette, gleif, lindas, news, reports, six, zefix},
};

/// What a source states about one company on one day. A reader produces one of these per record.
#[derive(Clone, Debug, PartialEq)]
pub struct CompanyStatement {
    pub uid: Uid,
    pub source: Source,
    /// Date of publication. `None` if the file does not state it.
    pub published: Option<Date>,
    pub statement: Statement,
}

/// A statement in the form of its source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Statement {
    Shab(Box<gazette::Publication>),
    /// The publication of another company that takes this one over. Readers never produce it: it is derived
    /// from the [`Shab`](Self::Shab) statement of that company.
    Takeover(Box<gazette::Publication>),
    Zefix(Box<zefix::CompanyFull>),
    Lindas(Box<lindas::Organisation>),
    Gleif(Box<gleif::Entity>),
    /// A record of the official level 2 files. Their excerpt is part of [`Gleif`](Self::Gleif).
    GleifReport(Box<gleif::Report>),
    Finma(Box<finma::Licensee>),
    News(Box<news::Item>),
    Shareholding(Box<six::Shareholding>),
    Report(Box<reports::Report>),
}
