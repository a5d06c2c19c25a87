use domain::Uid;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::{Source, finma, gazette, gleif, lindas, news, reports, six, zefix};

/// What a source states of one company on one day: what a reader makes of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct CompanyStatement {
    pub uid: Uid,
    pub source: Source,
    /// The day of publication; `None` where the file does not say it.
    pub published: Option<Date>,
    pub statement: Statement,
}

/// The statement itself, in the words of its source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Statement {
    Shab(Box<gazette::Publication>),
    /// A publication of another company, which takes this one over. No reader states it: it follows
    /// from a [`Shab`](Self::Shab) of that company.
    Takeover(Box<gazette::Publication>),
    Zefix(Box<zefix::CompanyFull>),
    Lindas(Box<lindas::Organisation>),
    Gleif(Box<gleif::Entity>),
    Finma(Box<finma::Licensee>),
    News(Box<news::Item>),
    Shareholding(Box<six::Shareholding>),
    Report(Box<reports::Report>),
}
