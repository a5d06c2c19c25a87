//! Pages of lists.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Number of a page, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "u32")]
pub struct PageNumber(u32);

impl PageNumber {
    /// The number.
    pub fn get(self) -> u32 {
        self.0
    }

    /// The index range of this page in a list of `total` items. Empty after the last page.
    pub fn places<const BY_DEFAULT: u32, const MAXIMUM: u32>(
        self,
        size: SizeOfPage<BY_DEFAULT, MAXIMUM>,
        total: u64,
    ) -> Range<usize> {
        let size = u64::from(size.get());
        let skip = (u64::from(self.get()) - 1) * size;
        if skip >= total {
            return 0..0;
        }
        skip as usize..(skip + size).min(total) as usize
    }
}

impl Default for PageNumber {
    fn default() -> Self {
        Self(1)
    }
}

impl TryFrom<u32> for PageNumber {
    type Error = String;

    fn try_from(page: u32) -> Result<Self, String> {
        if page == 0 { Err(format!("must be at least 1; got `{page}`")) } else { Ok(Self(page)) }
    }
}

/// Maximum number of items per page, 1 to 100, by default 20.
pub type PageSize = SizeOfPage<20, 100>;

/// Maximum number of items per page, from 1 to `MAXIMUM`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "u32")]
pub struct SizeOfPage<const BY_DEFAULT: u32, const MAXIMUM: u32>(u32);

impl<const BY_DEFAULT: u32, const MAXIMUM: u32> SizeOfPage<BY_DEFAULT, MAXIMUM> {
    /// The maximum.
    pub const FULL: Self = Self(MAXIMUM);

    /// The number.
    pub fn get(self) -> u32 {
        self.0
    }
}

impl<const BY_DEFAULT: u32, const MAXIMUM: u32> Default for SizeOfPage<BY_DEFAULT, MAXIMUM> {
    fn default() -> Self {
        Self(BY_DEFAULT)
    }
}

impl<const BY_DEFAULT: u32, const MAXIMUM: u32> TryFrom<u32> for SizeOfPage<BY_DEFAULT, MAXIMUM> {
    type Error = String;

    fn try_from(size: u32) -> Result<Self, String> {
        if (1..=MAXIMUM).contains(&size) {
            Ok(Self(size))
        } else {
            Err(format!("must be 1 to {MAXIMUM}; got `{size}`"))
        }
    }
}

/// One page of a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Page<T> {
    /// Items of this page.
    pub items: Vec<T>,
    /// Number of matching items on all pages. A page is the last one if `page` × `pageSize` is at least `total`.
    pub total: u64,
    /// Page number, starting at 1.
    pub page: u32,
    /// Maximum number of items per page.
    pub page_size: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_page_ends_with_the_list_and_later_pages_are_empty() {
        let places = |page, total| {
            let size = PageSize::try_from(20).expect("a size");
            PageNumber::try_from(page).expect("a page").places(size, total)
        };
        assert_eq!(places(1, 50), 0..20);
        assert_eq!(places(3, 50), 40..50);
        assert!(places(4, 50).is_empty() && places(u32::MAX, 50).is_empty());
        assert!(places(1, 0).is_empty());
    }
}
