use domain::Uid;
use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use statements::{CompanyStatement, Source, Statement};

/// What one source states of one company on one day.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Fact {
    pub uid: Uid,
    pub source: Source,
    /// The day of publication; `None` sorts before every day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<Date>,
    /// The number of the publication, where the source numbers them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub publication: Option<u64>,
    /// SHA-256 of the statement's JSON, in hexadecimal: the same record is the same
    /// fact, however its file was laid out.
    pub fingerprint: String,
    /// When this was read first; `None` until it is stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_at: Option<Timestamp>,
    pub statement: Statement,
}

impl Fact {
    /// Facts are folded in this order, whatever the order of their arrival: by day and number of
    /// publication. Two different records of one publication cannot be told older from newer; the
    /// fingerprint decides, so that everybody decides alike.
    pub fn order(&self) -> (Option<Date>, Option<u64>, &str) {
        (self.published, self.publication, &self.fingerprint)
    }
}

impl From<CompanyStatement> for Fact {
    fn from(it: CompanyStatement) -> Self {
        let CompanyStatement { uid, source, published, statement } = it;
        Self {
            uid,
            source,
            published,
            publication: publication_number(&statement),
            fingerprint: fingerprint(&statement),
            read_at: None,
            statement,
        }
    }
}

/// The facts that the statements of a file make.
pub fn facts(statements: Vec<CompanyStatement>) -> Vec<Fact> {
    statements.into_iter().map(Fact::from).collect()
}

/// The number of the publication; of a record that quotes several, the highest.
fn publication_number(statement: &Statement) -> Option<u64> {
    match statement {
        Statement::Shab(it) | Statement::Takeover(it) => Some(it.number),
        Statement::Zefix(it) => it.sogc_pub.iter().flatten().filter_map(|it| it.sogc_id).max(),
        Statement::Lindas(_)
        | Statement::Gleif(_)
        | Statement::Finma(_)
        | Statement::News(_)
        | Statement::Shareholding(_)
        | Statement::Report(_) => None,
    }
}

/// SHA-256 of the record's JSON, in hexadecimal.
fn fingerprint(statement: &Statement) -> String {
    let written = match statement {
        Statement::Shab(it) | Statement::Takeover(it) => serde_json::to_vec(it),
        Statement::Zefix(it) => serde_json::to_vec(it),
        Statement::Lindas(it) => serde_json::to_vec(it),
        Statement::Gleif(it) => serde_json::to_vec(it),
        Statement::Finma(it) => serde_json::to_vec(it),
        Statement::News(it) => serde_json::to_vec(it),
        Statement::Shareholding(it) => serde_json::to_vec(it),
        Statement::Report(it) => serde_json::to_vec(it),
    };
    #[expect(clippy::expect_used, reason = "statements always serialise")]
    let written = written.expect("plain data");
    hex::encode(Sha256::digest(written))
}
