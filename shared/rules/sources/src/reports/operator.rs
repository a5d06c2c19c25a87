use domain::{Amount, Isin, Lei, Uid, statements::reports::Report};
use jiff::civil::Date;
use serde::Deserialize;
use serde_json::Value;

use crate::{
    Mention,
    left_out::{LeftOut, from_json, leave_out_illegible},
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

/// A record of the file. An unknown field is left out and counted, because a misspelt one would otherwise be lost unseen.
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
    let draft = |mut json: Value| {
        let (record, mut left_out) = (json.to_string(), LeftOut::default());
        leave_out_illegible(&mut json, &mut left_out);
        let read: Result<Record, String> = from_json(json, &mut left_out);
        let report = read.and_then(|it| it.report(&left_out));
        Draft { report, record, left_out }
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
            Ok(row) => {
                let mut left_out = LeftOut::default();
                let report = of_row(&row, &mut left_out).and_then(|it| it.report(&left_out));
                Draft { report, record: row.joined(), left_out }
            }
            Err(broken) => {
                let (report, left_out) = (Err(broken.reason), LeftOut::default());
                Draft { report, record: broken.record, left_out }
            }
        });
    }
    Ok(drafts)
}

fn of_row(row: &Row, left_out: &mut LeftOut) -> Result<Record, String> {
    let fiscal_year = row.parsed("fiscalYear")?.ok_or("fiscalYear: is empty")?;
    Ok(Record {
        uid: row.optional("uid", left_out),
        lei: row.optional("lei", left_out),
        isin: row.optional("isin", left_out),
        company: row.optional("company", left_out),
        report_type: row.optional("reportType", left_out),
        fiscal_year,
        period_end: row.optional("periodEnd", left_out),
        currency: row.optional("currency", left_out),
        revenue: row.optional("revenue", left_out),
        operating_income: row.optional("operatingIncome", left_out),
        net_income: row.optional("netIncome", left_out),
        total_assets: row.optional("totalAssets", left_out),
        equity: row.optional("equity", left_out),
        employees: row.optional("employees", left_out),
        source_url: row.optional("sourceUrl", left_out),
        publication_date: row.optional("publicationDate", left_out),
        description: row.optional("description", left_out),
    })
}

impl Record {
    fn report(self, left_out: &LeftOut) -> Result<(Mention, Report), String> {
        // Without its type, half a year would become a year.
        if left_out.has(&["reportType"]) {
            return Err("reportType: cannot be read".into());
        }
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
