use domain::{Amount, Uid};
use jiff::civil::Date;
use serde::Deserialize;
use serde_json::Value;
use statements::{Isin, Lei, reports::Report};

use crate::{
    Mention,
    reports::Draft,
    table::{Row, Table},
};

/// Columns of the table, except `description`.
const COLUMNS: [&str; 16] = [
    "uid",
    "lei",
    "isin",
    "company",
    "reportType",
    "fiscalYear",
    "periodEnd",
    "currency",
    "revenue",
    "operatingIncome",
    "netIncome",
    "totalAssets",
    "equity",
    "employees",
    "sourceUrl",
    "publicationDate",
];

/// A record of the file. Unknown fields are an error, because a misspelt field would otherwise be lost.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Record {
    uid: Option<Uid>,
    lei: Option<Lei>,
    isin: Option<Isin>,
    company: Option<String>,
    report_type: Option<String>,
    fiscal_year: i16,
    period_end: Option<Date>,
    currency: Option<String>,
    revenue: Option<Amount>,
    operating_income: Option<Amount>,
    net_income: Option<Amount>,
    total_assets: Option<Amount>,
    equity: Option<Amount>,
    employees: Option<u32>,
    source_url: Option<String>,
    publication_date: Option<Date>,
    description: Option<String>,
}

pub(super) fn read_json(text: &str) -> Result<Vec<Draft>, String> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Document {
        Records(Vec<Value>),
        Reports { reports: Vec<Value> },
    }
    let document = serde_json::from_str(text).map_err(|it| match it.is_data() {
        true => "neither an array of reports nor an object with `reports`".to_owned(),
        false => it.to_string(),
    })?;
    let (Document::Records(records) | Document::Reports { reports: records }) = document;
    let draft = |record: Value| {
        let read = serde_path_to_error::deserialize::<_, Record>(&record).map_err(|it| {
            match it.path().to_string().as_str() {
                "." => it.inner().to_string(),
                member => format!("{member}: {}", it.inner()),
            }
        });
        Draft { report: read.and_then(Record::report), record: record.to_string() }
    };
    Ok(records.into_iter().map(draft).collect())
}

pub(super) fn read_table(bytes: &[u8]) -> Result<Vec<Draft>, String> {
    let mut table = Table::detect(bytes)?;
    table.require(&["fiscalYear"])?;
    let known =
        |name: &str| COLUMNS.iter().chain(&["description"]).any(|it| it.eq_ignore_ascii_case(name));
    if let Some(unknown) = table.names().filter(|it| !known(it)).min() {
        return Err(format!("the header has the unknown column `{unknown}`"));
    }
    let mut drafts = Vec::new();
    while let Some(row) = table.next() {
        drafts.push(match row {
            Ok(row) => Draft {
                report: of_row(&row).and_then(Record::report),
                record: row.rejected(String::new()).record,
            },
            Err(broken) => Draft { report: Err(broken.reason), record: broken.record },
        });
    }
    Ok(drafts)
}

fn of_row(row: &Row) -> Result<Record, String> {
    let owned = |name| row.text(name).map(|it| it.map(str::to_owned));
    Ok(Record {
        uid: row.parsed("uid")?,
        lei: row.parsed("lei")?,
        isin: row.parsed("isin")?,
        company: owned("company")?,
        report_type: owned("reportType")?,
        fiscal_year: row.parsed("fiscalYear")?.ok_or("fiscalYear: is empty")?,
        period_end: row.parsed("periodEnd")?,
        currency: owned("currency")?,
        revenue: row.parsed("revenue")?,
        operating_income: row.parsed("operatingIncome")?,
        net_income: row.parsed("netIncome")?,
        total_assets: row.parsed("totalAssets")?,
        equity: row.parsed("equity")?,
        employees: row.parsed("employees")?,
        source_url: owned("sourceUrl")?,
        publication_date: row.parsed("publicationDate")?,
        description: owned("description")?,
    })
}

impl Record {
    fn report(self) -> Result<(Mention, Report), String> {
        let mention = (self.uid.map(Mention::Uid))
            .or(self.lei.map(Mention::Lei))
            .or(self.isin.map(Mention::Isin))
            .or(self.company.map(Mention::Name))
            .ok_or("uid: one of uid, lei, isin and company is required")?;
        let report = Report {
            report_type: self.report_type.unwrap_or_else(|| "annual".into()),
            fiscal_year: self.fiscal_year,
            period_end: self.period_end,
            currency: self.currency,
            revenue: self.revenue,
            operating_income: self.operating_income,
            net_income: self.net_income,
            total_assets: self.total_assets,
            equity: self.equity,
            employees: self.employees,
            source_url: self.source_url,
            publication_date: self.publication_date,
            description: self.description,
        };
        Ok((mention, report))
    }
}
