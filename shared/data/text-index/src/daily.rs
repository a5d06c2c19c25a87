use std::sync::{Mutex, PoisonError};

use jiff::civil::Date;

/// Caches a result that depends on the current date. Keeps the result of the last date asked for.
pub(crate) struct Daily<T> {
    last: Mutex<Option<(Date, T)>>,
}

impl<T> Default for Daily<T> {
    fn default() -> Self {
        Self { last: Mutex::new(None) }
    }
}

impl<T: Clone> Daily<T> {
    /// The result for this date. Concurrent callers wait for one computation.
    pub(crate) fn get(&self, today: Date, count: impl FnOnce() -> T) -> T {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((day, counted)) = &*last
            && *day == today
        {
            return counted.clone();
        }
        let counted = count();
        *last = Some((today, counted.clone()));
        counted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_once_per_day() {
        let (daily, mut counted) = (Daily::default(), 0);
        let [first, next] = [1, 2].map(|it| Date::constant(2026, 11, it));
        let results = [first, first, next, next, first].map(|day| {
            daily.get(day, || {
                counted += 1;
                counted
            })
        });
        assert_eq!(results, [1, 1, 2, 2, 3]);
    }
}
