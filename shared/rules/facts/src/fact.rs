use domain::{
    Source, Uid,
    statements::{CompanyStatement, Statement},
};
use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// What one source states about one company on one day.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Fact {
    pub uid: Uid,
    pub source: Source,
    /// Date of publication. `None` if the source does not state it; such facts sort first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<Date>,
    /// Number of the publication, if the source has numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub publication: Option<u64>,
    /// SHA-256 of the statement's JSON, in hexadecimal. Equal records are the same fact, whatever the layout of
    /// their files.
    pub fingerprint: String,
    /// When the fact was first read. `None` until it is stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_at: Option<Timestamp>,
    pub statement: Statement,
}

impl Fact {
    /// The sort key of facts: date and number of the publication, then the fingerprint. The fingerprint makes
    /// the order unique if one publication has several records. The order in which facts arrive is irrelevant.
    pub fn order(&self) -> (Option<Date>, Option<u64>, &str) {
        (self.published, self.publication, &self.fingerprint)
    }
}

impl Fact {
    /// A news item as a fact without a date of its own.
    pub fn of_news(uid: Uid, source: Source, statement: Statement) -> Self {
        Self::from(CompanyStatement { uid, source, published: None, statement })
    }

    /// The same fact with another wording of its statement.
    pub(crate) fn stating(self, statement: Statement) -> Self {
        Self { fingerprint: fingerprint(&statement), statement, ..self }
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

/// Makes a fact of each statement.
pub fn facts(statements: Vec<CompanyStatement>) -> Vec<Fact> {
    statements.into_iter().map(Fact::from).collect()
}

/// The number of the publication; the highest one for a record that quotes several.
fn publication_number(statement: &Statement) -> Option<u64> {
    match statement {
        Statement::Shab(it) | Statement::Takeover(it) => Some(it.number),
        Statement::Zefix(it) => it.sogc_pub.iter().flatten().filter_map(|it| it.sogc_id).max(),
        Statement::Lindas(_)
        | Statement::Gleif(_)
        | Statement::GleifReport(_)
        | Statement::Finma(_)
        | Statement::News(_)
        | Statement::Shareholding(_)
        | Statement::Report(_) => None,
    }
}

/// SHA-256 of the record's JSON, in hexadecimal.
fn fingerprint(statement: &Statement) -> String {
    let json = match statement {
        Statement::Shab(it) | Statement::Takeover(it) => serde_json::to_vec(it),
        Statement::Zefix(it) => serde_json::to_vec(it),
        Statement::Lindas(it) => serde_json::to_vec(it),
        Statement::Gleif(it) => serde_json::to_vec(it),
        Statement::GleifReport(it) => serde_json::to_vec(it),
        Statement::Finma(it) => serde_json::to_vec(it),
        Statement::News(it) => serde_json::to_vec(it),
        Statement::Shareholding(it) => serde_json::to_vec(it),
        Statement::Report(it) => serde_json::to_vec(it),
    };
    #[expect(clippy::expect_used, reason = "plain data with string keys")]
    let json = json.expect("statements always serialise");
    hex::encode(Sha256::digest(json))
}
