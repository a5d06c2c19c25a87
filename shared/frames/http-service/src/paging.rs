//! Pages that are limited in bytes, and the header `Link` (RFC 8288) to the next items.

use std::{convert::Infallible, ops::Range};

use axum::extract::FromRequestParts;
use domain::search::{PageNumber, SizeOfPage};
use http::{HeaderName, Uri, header, request::Parts};
use percent_encoding::percent_decode_str;
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

/// The header `Link`.
pub type Link = [(HeaderName, String); 1];

/// Limits pages, and builds the link to the next items from the URI of the request.
#[derive(Clone, Debug)]
pub struct Paginator(Uri);

impl<S: Sync> FromRequestParts<S> for Paginator {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(parts.uri.clone()))
    }
}

/// Maximum size of the items of a response, in bytes of JSON. The gateway accepts 6 MB from a function, in which
/// every quotation mark counts twice.
pub const MAX_PAGE_BYTES: usize = 4_000_000;

/// Number of items to skip at the start of a page, the parameter `offset`. The header `Link` sets it if a page is
/// too large for one response.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(from = "u32")]
pub struct Offset(pub u32);

impl From<u32> for Offset {
    fn from(offset: u32) -> Self {
        Self(offset)
    }
}

/// The query of lists without pages.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct OffsetQuery {
    /// Number of items to skip. Do not compute it: use the URL in the header `Link`.
    #[param(value_type = Option<u32>, minimum = 0, maximum = 4294967295_u32, default = 0, example = 0)]
    pub offset: Offset,
}

/// The items of a list that a request asks for.
#[derive(Clone, Debug)]
pub struct Selection {
    /// Their positions in the list.
    pub range: Range<usize>,
    /// Position of the first item of the page.
    start: usize,
    /// Number of the following page, if there is one.
    next_page: Option<u64>,
}

impl Selection {
    /// A page of a list of `total` items, without its first `offset` items.
    pub fn page<const BY_DEFAULT: u32, const MAXIMUM: u32>(
        page: PageNumber,
        size: SizeOfPage<BY_DEFAULT, MAXIMUM>,
        offset: Offset,
        total: usize,
    ) -> Self {
        let Range { start, end } = page.places(size, total as u64);
        let number = u64::from(page.get());
        let has_next = number * u64::from(size.get()) < total as u64;
        let range = start.saturating_add(offset.0 as usize).min(end)..end;
        Self { range, start, next_page: has_next.then_some(number + 1) }
    }

    /// A list of `total` items without pages, without its first `offset` items.
    pub fn list(offset: Offset, total: usize) -> Self {
        Self { range: (offset.0 as usize).min(total)..total, start: 0, next_page: None }
    }
}

impl Paginator {
    /// As many of the selected items as fit in a response, at least one, and the header with the link to the next
    /// ones: the rest of the page, or the following page. `items` may lack items at the end.
    pub fn fit<T: Serialize>(
        &self,
        public_url: &str,
        selection: &Selection,
        items: impl IntoIterator<Item = T>,
    ) -> (Vec<T>, Option<Link>) {
        let items = fitting(items);
        let next = selection.range.start + items.len();
        let link = if next < selection.range.end {
            Some(self.link(public_url, &["offset"], "offset", (next - selection.start) as u64))
        } else {
            selection.next_page.map(|it| self.link(public_url, &["page", "offset"], "page", it))
        };
        (items, link)
    }

    /// The link to the URI of the request, with the parameter `name` set and without those in `replaced`.
    fn link(&self, public_url: &str, replaced: &[&str], name: &str, value: u64) -> Link {
        let is_replaced = |pair: &&str| {
            let given = pair.split('=').next().unwrap_or_default();
            replaced.iter().any(|it| percent_decode_str(given).eq(it.bytes()))
        };
        // Copied without escaping: a URI cannot contain `>`, which would end the link.
        let given = self.0.query().unwrap_or_default().split('&');
        let mut query: Vec<&str> = given.filter(|it| !it.is_empty() && !is_replaced(it)).collect();
        let next = format!("{name}={value}");
        query.push(&next);
        let (path, query) = (self.0.path(), query.join("&"));
        [(header::LINK, format!("<{public_url}{path}?{query}>; rel=\"next\""))]
    }
}

/// The first of these items, as many as fit in a response, at least one.
pub fn fitting<T: Serialize>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut bytes = 0;
    let mut fitting = Vec::new();
    for item in items {
        bytes += json_size(&item);
        if bytes > MAX_PAGE_BYTES && !fitting.is_empty() {
            break;
        }
        fitting.push(item);
    }
    fitting
}

/// The size of an item in bytes of JSON.
fn json_size(item: &impl Serialize) -> usize {
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    // An item that cannot be written as JSON fails when the response is written.
    let _ = serde_json::to_writer(&mut count, item);
    count.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The items and the link of a page of 20.
    fn next(uri: &'static str, page: u32, offset: u32, total: usize) -> (usize, Option<String>) {
        long_items(uri, page, offset, total, 1)
    }

    fn long_items(
        uri: &'static str,
        page: u32,
        offset: u32,
        total: usize,
        length: usize,
    ) -> (usize, Option<String>) {
        let page = PageNumber::try_from(page).expect("a page");
        let size = SizeOfPage::<20, 100>::default();
        let selection = Selection::page(page, size, Offset(offset), total);
        let items = selection.range.clone().map(|_| "x".repeat(length));
        let paginator = Paginator(Uri::from_static(uri));
        let (items, link) = paginator.fit("https://api.example/api", &selection, items);
        (items.len(), link.map(|[(_, link)]| link))
    }

    #[test]
    fn link_repeats_the_query_with_the_next_page_number() {
        let uri = "/v1/changes/CHE-600.000.026?limit=20&p%61ge=2&offset=3&includeInternal=true";
        let expected = "<https://api.example/api/v1/changes/CHE-600.000.026?limit=20&includeInternal=true&page=3>; rel=\"next\"";
        assert_eq!(next(uri, 2, 3, 41), (17, Some(expected.to_owned())));
    }

    #[test]
    fn last_page_has_no_link() {
        assert_eq!(next("/v1/changes/CHE-600.000.026", 2, 0, 40), (20, None));
        assert_eq!(next("/v1/changes/CHE-600.000.026", 1, 0, 0), (0, None));
        assert_eq!(next("/v1/changes/CHE-600.000.026", 2, 4_000_000_000, 40), (0, None));
        let first = next("/v1/changes/CHE-600.000.026", 1, 0, 21).1.expect("another page");
        assert!(first.ends_with("/CHE-600.000.026?page=2>; rel=\"next\""), "{first}");
    }

    #[test]
    fn page_that_is_too_large_is_continued_until_all_items_were_returned() {
        let length = MAX_PAGE_BYTES / 8;
        let mut offset = 0;
        for _ in 0..2 {
            let (count, link) = long_items("/v1/x?page=1", 1, offset, 30, length);
            offset += count as u32;
            let link = link.expect("a link");
            assert!(
                link.ends_with(&format!("/v1/x?page=1&offset={offset}>; rel=\"next\"")),
                "{link}"
            );
        }
        let (count, link) = long_items("/v1/x?page=1&offset=14", 1, offset, 30, length);
        assert_eq!(offset + count as u32, 20);
        assert!(link.expect("a link").ends_with("/v1/x?page=2>; rel=\"next\""));
    }

    #[test]
    fn item_larger_than_a_page_is_returned_alone() {
        assert_eq!(long_items("/v1/x", 1, 0, 1, 2 * MAX_PAGE_BYTES), (1, None));
        let (count, link) = long_items("/v1/x", 1, 0, 2, 2 * MAX_PAGE_BYTES);
        assert_eq!(count, 1);
        assert!(link.expect("a link").ends_with("/v1/x?offset=1>; rel=\"next\""));
    }
}
