//! Requests to the sources. The crate `fetch` sends them.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// An HTTP request to a source.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    pub method: Method,
    pub url: String,
    pub headers: Vec<(&'static str, &'static str)>,
    /// Body, in the media type of the header `content-type`.
    pub body: Option<String>,
    /// Whether it is sent with the operator's account for the commercial register.
    pub needs_account: bool,
    /// Whether status 404 means that there is nothing, instead of an error.
    pub may_be_missing: bool,
}

/// HTTP method of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Get,
    Post,
}

impl Request {
    /// A `GET` request.
    pub(crate) fn get(url: impl Into<String>) -> Self {
        Self {
            method: Method::Get,
            url: url.into(),
            headers: Vec::new(),
            body: None,
            needs_account: false,
            may_be_missing: false,
        }
    }

    /// A `GET` request with query parameters.
    pub(crate) fn get_with(address: &str, parameters: &[(&str, &str)]) -> Self {
        Self::get(format!("{address}?{}", form(parameters)))
    }

    /// A `POST` request with a form.
    pub(crate) fn post_form(url: &str, parameters: &[(&str, &str)]) -> Self {
        Self {
            method: Method::Post,
            headers: vec![("content-type", "application/x-www-form-urlencoded")],
            body: Some(form(parameters)),
            ..Self::get(url)
        }
    }

    pub(crate) fn accepting(mut self, media_type: &'static str) -> Self {
        self.headers.push(("accept", media_type));
        self
    }
}

/// All characters except the unreserved ones of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

fn form(parameters: &[(&str, &str)]) -> String {
    let encoded = |it| utf8_percent_encode(it, RESERVED).to_string();
    let pairs = parameters.iter().map(|(name, value)| [encoded(name), encoded(value)].join("="));
    pairs.collect::<Vec<_>>().join("&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_encoded() {
        let request =
            Request::get_with("https://a.example/b", &[("page[size]", "5"), ("q", "ä &")]);
        assert_eq!(request.url, "https://a.example/b?page%5Bsize%5D=5&q=%C3%A4%20%26");
    }
}
