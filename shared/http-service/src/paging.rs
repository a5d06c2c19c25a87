//! The way from one page to the next, where no member of the answer tells it: the header `Link` (RFC 8288).

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use domain::search::{PageNumber, SizeOfPage};
use http::{HeaderName, Uri, header, request::Parts};
use percent_encoding::percent_decode_str;

/// The header `Link`.
pub type Link = [(HeaderName, String); 1];

/// What was asked, of which another page may be asked.
#[derive(Clone, Debug)]
pub struct Asked(Uri);

impl<S: Sync> FromRequestParts<S> for Asked {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(parts.uri.clone()))
    }
}

impl Asked {
    /// The items of this page of a list, and the header that leads to the next.
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

    /// The header that leads to the page after this one, of a list of so many; none on the last page.
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
        // As they were given: a URI holds nothing that could end the address.
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

    fn next(address: &'static str, page: u32, total: u64) -> Option<String> {
        let page = PageNumber::try_from(page).expect("a page");
        let size = SizeOfPage::<20, 100>::default();
        let asked = Asked(Uri::from_static(address));
        let header = asked.next("https://api.example/api", page, size, total);
        header.map(|[(_, address)]| address)
    }

    #[test]
    fn the_next_page_is_asked_for_as_this_one_was() {
        let asked = "/v1/changes/CHE-600.000.026?limit=20&p%61ge=2&includeInternal=true";
        let expected = "<https://api.example/api/v1/changes/CHE-600.000.026?limit=20&includeInternal=true&page=3>; rel=\"next\"";
        assert_eq!(next(asked, 2, 41).as_deref(), Some(expected));
    }

    #[test]
    fn the_last_page_leads_nowhere() {
        assert_eq!(next("/v1/changes/CHE-600.000.026", 2, 40), None);
        assert_eq!(next("/v1/changes/CHE-600.000.026", 1, 0), None);
        let first = next("/v1/changes/CHE-600.000.026", 1, 21).expect("another page");
        assert!(first.ends_with("/CHE-600.000.026?page=2>; rel=\"next\""), "{first}");
    }
}
