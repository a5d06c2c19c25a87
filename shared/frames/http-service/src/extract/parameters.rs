//! Reads the parameters of a query or a path. [`domain::parameters`] says what is accepted.

use std::borrow::Cow;

use domain::{
    invalid_input::{InvalidInput, MISSING},
    parameters::Parameters,
};
use percent_encoding::percent_decode_str;
use problem_details::Problem;
use serde::de::DeserializeOwned;
use serde_json::Value;
use utoipa::IntoParams;

/// Maximum number of parameters in a query.
const MAX_PARAMETERS: usize = 100;
/// Maximum length of a query in bytes, as sent. The API gateway accepts 10,240 bytes for the request line
/// and all headers together.
const MAX_QUERY_BYTES: usize = 10_000;

/// The parameters of a query.
pub(super) fn of_query(query: &str) -> Result<Parameters, Problem> {
    if query.len() > MAX_QUERY_BYTES {
        let detail = format!("must have at most {MAX_QUERY_BYTES} bytes; got `{}`", query.len());
        return Err(Problem::invalid("query", detail));
    }
    let mut pairs = Vec::new();
    let given = query.split('&').filter(|it| !it.is_empty());
    let count = given.clone().count();
    if count > MAX_PARAMETERS {
        let detail = format!("must have at most {MAX_PARAMETERS} parameters; got {count}");
        return Err(Problem::invalid("query", detail));
    }
    for pair in given {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let plain_name = decoded(name).map_err(|()| not_utf8("query", name))?;
        let value = decoded(value).map_err(|()| not_utf8(&plain_name, value))?;
        pairs.push((plain_name.into_owned(), value.into_owned()));
    }
    Ok(Parameters::grouped(pairs))
}

/// Reads a `T`, or lists every invalid parameter.
pub(super) fn read<T: DeserializeOwned>(parameters: Parameters) -> Result<T, Problem> {
    parameters.read().map_err(invalid_query)
}

/// The problem with invalid parameters.
pub(super) fn invalid_query(invalid: InvalidInput) -> Problem {
    Problem::all_invalid(invalid.errors("query"))
}

/// Reads a `T`, as [`read`]. The error of a missing parameter shows how to give it.
pub(super) fn read_described<T: DeserializeOwned + IntoParams>(
    parameters: Parameters,
) -> Result<T, Problem> {
    let error: InvalidInput = match parameters.read() {
        Ok(read) => return Ok(read),
        Err(error) => error,
    };
    let described = T::into_params(|| None);
    let with_example = |(name, detail): (String, String)| {
        let parameter = described.iter().find(|it| it.name == name && detail == MISSING);
        let described = parameter.and_then(|it| serde_json::to_value(it).ok()).unwrap_or_default();
        let example = match &described["example"] {
            Value::Null => String::new(),
            Value::String(text) => format!("; for example `{name}={text}`"),
            other => format!("; for example `{name}={other}`"),
        };
        (name, detail + &example)
    };
    Err(Problem::all_invalid(error.errors("query").into_iter().map(with_example).collect()))
}

fn decoded(text: &str) -> Result<Cow<'_, str>, ()> {
    let spaced = text.replace('+', " ");
    let decoded = percent_decode_str(&spaced).decode_utf8().map_err(|_| ())?;
    Ok(Cow::Owned(decoded.into_owned()))
}

pub(super) fn not_utf8(member: &str, given: &str) -> Problem {
    Problem::invalid(member, format!("must be valid UTF-8; got `{given}`"))
}

#[cfg(test)]
mod tests {
    use domain::search::CompanyQuery;

    use super::*;

    fn read(query: &str) -> Result<CompanyQuery, String> {
        let parameters = of_query(query).map_err(|it| it.detail)?;
        super::read(parameters).map_err(|it| it.detail)
    }

    #[test]
    fn accepts_both_spellings_encoded_spaces_lists_and_decimals() {
        let query = read("search=Z%C3%BCrcher+K%20AG&canton=zh,Bern&canton=VD&changed_since=2026-01-01&capitalMin=1000000.0&sortDesc=True")
            .expect("valid");
        assert_eq!(query.search.as_deref(), Some("Zürcher K AG"));
        assert_eq!(query.canton.len(), 3);
        assert!(query.changed_since.is_some() && query.sort_desc);
        assert_eq!(query.capital_min.map(|it| it.0), Some(domain::Amount::units(1_000_000)));
        assert_eq!(read("page=2.0&pageSize=5,0").expect("valid").page.get(), 2);
        assert_eq!(
            read("capitalMin=0,5").expect("valid").capital_min.map(|it| it.0),
            "0.5".parse().ok()
        );
    }

    #[test]
    fn errors_name_the_parameter_the_value_and_the_rule() {
        for (query, detail) in [
            ("cantn=ZH", "cantn: unknown parameter with the value `ZH`; did you mean `canton`?"),
            (
                "canton=XX",
                "canton: must be a Swiss canton such as `ZH`; got `XX`. `/v1/reference/cantons` lists them",
            ),
            (
                "capitalMin=5&capitalMax=1",
                "capitalMin: must not be above `capitalMax`; got `5` and `1`",
            ),
            (
                "sortBy=nmae",
                "sortBy: must be a sort order such as `name`; got `nmae`. Did you mean `name`?",
            ),
            ("page=0", "page: must be at least 1; got `0`"),
            ("pageSize=101", "pageSize: must be 1 to 100; got `101`"),
            ("page=abc", "page: must be a whole number; got `abc`"),
            ("page=-1", "page: must not be negative; got `-1`"),
            ("page=1.5", "page: must be a whole number; got `1.5`"),
            ("page=.0", "page: must be a whole number; got ``"),
            ("page=1&page=2", "page: must be given once, not 2 times; got `1,2`"),
            ("capitalMin=much", "capitalMin: must be an amount such as `100000`"),
            ("foundedAfter=31.12.2020", "foundedAfter: must be a date such as `2026-01-31`"),
            ("hasLei=maybe", "hasLei: must be `true` or `false`; got `maybe`"),
            ("tag=!", "tag: must be the name of a tag, with at least one letter or digit; got `!`"),
            ("search=%ff", "search: must be valid UTF-8; got `%ff`"),
            ("changedSince=2026-01-01&changed_since=2026-01-01", "changedSince: "),
            (
                "uids=CHE-107.787.577,nestle",
                "uids: must be a company number of the form `CHE-NNN.NNN.NNN`; got `nestle`",
            ),
            ("dataQualityMin=1.5", "dataQualityMin: must be between 0 and 1; got `1.5`"),
        ] {
            let actual = read(query).expect_err(query);
            assert!(actual.starts_with(detail), "{query}: {actual}");
        }
    }
}
