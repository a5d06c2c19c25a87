use domain::Uid;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

/// A page to fetch from a source. A job contains it, so that a long load can continue after an
/// interruption.
///
/// Fetching a page twice has no effect: statements that are already known change nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "page", rename_all = "snake_case")]
pub enum Page {
    /// Publications of the gazette from `first` to `last` (both inclusive). `number` is the page within a
    /// single day and starts at 0.
    Shab {
        first: Date,
        last: Date,
        #[serde(default, skip_serializing_if = "is_zero")]
        number: u64,
    },
    /// List of the companies with a publication on this day.
    Zefix { day: Date },
    /// Full records of these companies.
    ZefixCompanies { uids: Vec<Uid> },
    /// Companies of the graph after the entity `after`.
    Lindas {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<String>,
        /// Date of the graph. Absent on the first page.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        day: Option<Date>,
    },
    /// Page of legal entities at this address. The first page if absent. `number` starts at 0.
    Gleif {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        address: Option<String>,
        #[serde(default, skip_serializing_if = "is_zero")]
        number: u64,
    },
    /// The complete list.
    Finma,
    /// Page of a list of the exchange. `number` starts at 0.
    Six {
        list: List,
        first: Date,
        last: Date,
        #[serde(default, skip_serializing_if = "is_zero")]
        number: u64,
    },
    /// Page of a feed. `number` starts at 0.
    News {
        address: String,
        #[serde(default, skip_serializing_if = "is_zero")]
        number: u64,
    },
    /// A file with figures of annual reports.
    Reports { address: String },
}

/// A list of the exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum List {
    OfficialNotices,
    SignificantShareholders,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use serde_json::json;

    use super::*;

    /// The next version must be able to read messages that are in a queue during a deployment.
    #[test]
    fn serialized_form_of_pages_does_not_change() {
        let (first, last) = (date(2026, 3, 2), date(2026, 3, 3));
        let uid: Uid = "CHE-600.000.012".parse().expect("a number");
        let address = || "https://a.example/b".to_owned();
        let key = || "https://register.ld.admin.ch/zefix/company/1".to_owned();
        for (page, written) in [
            (
                Page::Shab { first, last, number: 0 },
                json!({ "page": "shab", "first": "2026-03-02", "last": "2026-03-03" }),
            ),
            (
                Page::Shab { first, last: first, number: 1 },
                json!({ "page": "shab", "first": "2026-03-02", "last": "2026-03-02", "number": 1 }),
            ),
            (Page::Zefix { day: first }, json!({ "page": "zefix", "day": "2026-03-02" })),
            (
                Page::ZefixCompanies { uids: vec![uid] },
                json!({ "page": "zefix_companies", "uids": ["CHE-600.000.012"] }),
            ),
            (Page::Lindas { after: None, day: None }, json!({ "page": "lindas" })),
            (
                Page::Lindas { after: Some(key()), day: Some(first) },
                json!({ "page": "lindas", "after": key(), "day": "2026-03-02" }),
            ),
            (Page::Gleif { address: None, number: 0 }, json!({ "page": "gleif" })),
            (
                Page::Gleif { address: Some(address()), number: 2 },
                json!({ "page": "gleif", "address": address(), "number": 2 }),
            ),
            (Page::Finma, json!({ "page": "finma" })),
            (
                Page::Six { list: List::SignificantShareholders, first, last, number: 2 },
                json!({ "page": "six", "list": "significant_shareholders",
                    "first": "2026-03-02", "last": "2026-03-03", "number": 2 }),
            ),
            (
                Page::News { address: address(), number: 0 },
                json!({ "page": "news", "address": address() }),
            ),
            (
                Page::Reports { address: address() },
                json!({ "page": "reports", "address": address() }),
            ),
        ] {
            assert_eq!(serde_json::to_value(&page).expect("plain data"), written);
            assert_eq!(serde_json::from_value::<Page>(written).expect("a page"), page);
        }
    }
}
