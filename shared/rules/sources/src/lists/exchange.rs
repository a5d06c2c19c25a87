//! How the lists are fetched.

use std::time::Duration;

use domain::lists::List;

use crate::{FetchPolicy, Request, finma, lists::ListFormat};

/// The request whose response is a list.
#[derive(Clone, Debug)]
pub struct ListExchange {
    /// The format of the response.
    pub format: ListFormat,
    /// The request.
    pub request: Request,
    /// Limits of the request.
    pub policy: FetchPolicy,
}

/// The list SECO has about 42 MB, collections of OpenSanctions several hundred.
const fn policy(name: &'static str, max_mebibytes: usize) -> FetchPolicy {
    FetchPolicy { timeout: Duration::from_mins(5), ..FetchPolicy::new(name, 1_000, max_mebibytes) }
}

/// How a list is fetched. `opensanctions` is the address of the file of OpenSanctions for which the operator has a
/// licence; a name that ends in `.csv` is the simplified table. `None`: the list is not fetched.
pub fn exchange(list: List, opensanctions: Option<&str>) -> Option<ListExchange> {
    Some(match list {
        List::Seco => ListExchange {
            format: ListFormat::Seco,
            request: Request::get(list.url()),
            policy: policy("SECO", 256),
        },
        List::Opensanctions => {
            let address = opensanctions?;
            let path = address.split(['?', '#']).next().unwrap_or_default();
            let format = match path.ends_with(".csv") {
                true => ListFormat::Targets,
                false => ListFormat::FollowTheMoney,
            };
            let request = Request::get(address);
            ListExchange { format, request, policy: policy("OpenSanctions", 1_024) }
        }
        List::FinmaWarning => ListExchange {
            format: ListFormat::FinmaWarning,
            // All warnings, by date.
            request: Request::post_form(
                "https://www.finma.ch/en/api/search/getresult",
                &[("ds", "{1C6B8731-638C-4003-A93C-A625BF7A6800}"), ("Order", "1")],
            ),
            policy: policy("FINMA", 32),
        },
        List::FinmaAuthorised => ListExchange {
            format: ListFormat::FinmaAuthorised,
            request: Request::get(finma::ADDRESS),
            policy: policy("FINMA", 32),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opensanctions_is_fetched_only_from_an_address_of_the_operator() {
        assert!(exchange(List::Opensanctions, None).is_none());
        for (address, format) in [
            ("https://data.example/a/entities.ftm.json", ListFormat::FollowTheMoney),
            ("https://data.example/a/targets.simple.csv?key=a.json", ListFormat::Targets),
        ] {
            let exchange = exchange(List::Opensanctions, Some(address)).expect("configured");
            assert_eq!((exchange.format, exchange.request.url.as_str()), (format, address));
        }
    }

    #[test]
    fn response_of_a_list_is_in_a_format_of_that_list() {
        for list in List::ALL {
            let exchange = exchange(list, Some("https://data.example/")).expect("configured");
            assert_eq!(exchange.format.list(), list);
        }
    }
}
