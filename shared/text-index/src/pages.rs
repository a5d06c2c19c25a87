//! Which part of a list a page is.

use std::ops::Range;

use domain::search::{PageNumber, PageSize};

/// The places of the page in a list of so many; none beyond the last page. Lists are no longer than
/// an index has documents.
pub(crate) fn places(page: PageNumber, size: PageSize, total: u64) -> Range<usize> {
    let size = u64::from(size.get());
    let skip = (u64::from(page.get()) - 1) * size;
    if skip >= total {
        return 0..0;
    }
    skip as usize..(skip + size).min(total) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_page_ends_with_the_list_and_there_is_nothing_beyond() {
        let places = |page, total| {
            let size = PageSize::try_from(20).expect("a size");
            places(PageNumber::try_from(page).expect("a page"), size, total)
        };
        assert_eq!(places(1, 50), 0..20);
        assert_eq!(places(3, 50), 40..50);
        assert!(places(4, 50).is_empty() && places(u32::MAX, 50).is_empty());
        assert!(places(1, 0).is_empty());
    }
}
