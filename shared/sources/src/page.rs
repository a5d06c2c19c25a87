use domain::Uid;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use statements::Source;

use crate::six;

/// What is asked of a source next: where a fetch stands. A job on a queue carries it, so that a long
/// load goes on where it was left.
///
/// Asking for a page twice is harmless: a fact that is known already changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "page", rename_all = "snake_case")]
pub enum Page {
    /// The gazette's publications from one day to another; of a single day a page, from 0.
    Shab {
        first: Date,
        last: Date,
        #[serde(default, skip_serializing_if = "is_zero")]
        number: u64,
    },
    /// Which companies the register published of on a day.
    Zefix { day: Date },
    /// The full records of these companies.
    ZefixCompanies { uids: Vec<Uid> },
    /// The companies of the graph behind this one.
    Lindas {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<String>,
        /// The day of the graph, once it is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        day: Option<Date>,
    },
    /// The page of identifiers that stands at this address.
    Gleif {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        address: Option<String>,
    },
    /// The whole list.
    Finma,
    /// A page of one of the exchange's lists, from 0.
    Six {
        list: six::List,
        first: Date,
        last: Date,
        #[serde(default, skip_serializing_if = "is_zero")]
        number: u64,
    },
    /// A feed, or a later page of one, from 0.
    News {
        address: String,
        #[serde(default, skip_serializing_if = "is_zero")]
        number: u64,
    },
    /// A file of figures.
    Reports { address: String },
}

impl Page {
    /// Whose page it is.
    pub fn source(&self) -> Source {
        match self {
            Self::Shab { .. } => Source::Shab,
            Self::Zefix { .. } | Self::ZefixCompanies { .. } => Source::Zefix,
            Self::Lindas { .. } => Source::Lindas,
            Self::Gleif { .. } => Source::Gleif,
            Self::Finma => Source::Finma,
            Self::Six { .. } => Source::Six,
            Self::News { .. } => Source::News,
            Self::Reports { .. } => Source::Reports,
        }
    }
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use serde_json::json;

    use super::*;

    /// Messages outlive deployments: what is in a queue must be readable by the next version.
    #[test]
    fn pages_are_written_as_they_ever_were() {
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
            (Page::Gleif { address: None }, json!({ "page": "gleif" })),
            (
                Page::Gleif { address: Some(address()) },
                json!({ "page": "gleif", "address": address() }),
            ),
            (Page::Finma, json!({ "page": "finma" })),
            (
                Page::Six { list: six::List::SignificantShareholders, first, last, number: 2 },
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
