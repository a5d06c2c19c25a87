//! The header `Link` (RFC 8288) to the next page, for lists whose body does not contain page numbers.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use domain::search::{PageNumber, SizeOfPage};
use http::{HeaderName, Uri, header, request::Parts};
use percent_encoding::percent_decode_str;

/// The header `Link`.
pub type Link = [(HeaderName, String); 1];

/// Takes one page of a list, and builds the link to the next page from the URI of the request.
#[derive(Clone, Debug)]
pub struct Paginator(Uri);

impl<S: Sync> FromRequestParts<S> for Paginator {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(parts.uri.clone()))
    }
}

impl Paginator {
    /// The items of a page, and the header with the link to the next page.
    pub fn page<'a, T, const BY_DEFAULT: u32, const MAXIMUM: u32>(
        &self,
        public_url: &str,
        all: &'a [T],
        page: PageNumber,
        size: SizeOfPage<BY_DEFAULT, MAXIMUM>,
    ) -> (&'a [T], Option<Link>) {
        let total = all.len() as u64;
        (&all[page.places(size, total)], self.next(public_url, page, size, total))
    }

    /// The header with the link to the next page of a list of `total` items; `None` on the last page.
    fn next<const BY_DEFAULT: u32, const MAXIMUM: u32>(
        &self,
        public_url: &str,
        page: PageNumber,
        size: SizeOfPage<BY_DEFAULT, MAXIMUM>,
        total: u64,
    ) -> Option<Link> {
        if u64::from(page.get()) * u64::from(size.get()) >= total {
            return None;
        }
        let is_page = |pair: &&str| {
            let name = pair.split('=').next().unwrap_or_default();
            percent_decode_str(name).eq(*b"page")
        };
        // Copied without escaping: a URI cannot contain `>`, which would end the link.
        let given = self.0.query().unwrap_or_default().split('&');
        let mut query: Vec<&str> = given.filter(|it| !it.is_empty() && !is_page(it)).collect();
        let next = format!("page={}", u64::from(page.get()) + 1);
        query.push(&next);
        let (path, query) = (self.0.path(), query.join("&"));
        Some([(header::LINK, format!("<{public_url}{path}?{query}>; rel=\"next\""))])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(uri: &'static str, page: u32, total: u64) -> Option<String> {
        let page = PageNumber::try_from(page).expect("a page");
        let size = SizeOfPage::<20, 100>::default();
        let paginator = Paginator(Uri::from_static(uri));
        let header = paginator.next("https://api.example/api", page, size, total);
        header.map(|[(_, link)]| link)
    }

    #[test]
    fn link_repeats_the_query_with_the_next_page_number() {
        let uri = "/v1/changes/CHE-600.000.026?limit=20&p%61ge=2&includeInternal=true";
        let expected = "<https://api.example/api/v1/changes/CHE-600.000.026?limit=20&includeInternal=true&page=3>; rel=\"next\"";
        assert_eq!(next(uri, 2, 41).as_deref(), Some(expected));
    }

    #[test]
    fn last_page_has_no_link() {
        assert_eq!(next("/v1/changes/CHE-600.000.026", 2, 40), None);
        assert_eq!(next("/v1/changes/CHE-600.000.026", 1, 0), None);
        let first = next("/v1/changes/CHE-600.000.026", 1, 21).expect("another page");
        assert!(first.ends_with("/CHE-600.000.026?page=2>; rel=\"next\""), "{first}");
    }
}
