use std::sync::Arc;

use tokio::sync::Mutex;

/// What was read last, with its key: the memory of a process has room for one. It is not read again until another one is needed.
/// Clones share it.
#[derive(Debug)]
pub struct Last<K, V>(Arc<Mutex<Option<(K, V)>>>);

impl<K, V> Default for Last<K, V> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<K, V> Clone for Last<K, V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<K: PartialEq, V: Clone> Last<K, V> {
    /// What belongs to a key: what was read last, or else the result of `read`. Concurrent callers wait.
    pub async fn get<E>(
        &self,
        key: K,
        read: impl Future<Output = Result<Option<V>, E>>,
    ) -> Result<Option<V>, E> {
        let mut last = self.0.lock().await;
        if let Some((_, known)) = last.as_ref().filter(|(it, _)| *it == key) {
            return Ok(Some(known.clone()));
        }
        // Its memory is free before the next one is read.
        *last = None;
        let value = read.await?;
        *last = value.clone().map(|it| (key, it));
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_what_was_read_last_is_remembered() {
        let last = Last::default();
        let get = async |key, value| last.get(key, async { Ok::<_, ()>(value) }).await;
        assert_eq!(get(1, Some("one")).await, Ok(Some("one")));
        assert_eq!(get(1, None).await, Ok(Some("one")));
        assert_eq!(get(2, Some("two")).await, Ok(Some("two")));
        assert_eq!(get(1, None).await, Ok(None), "it is read again");
        assert_eq!(get(1, Some("one")).await, Ok(Some("one")));
        assert_eq!(last.get(2, async { Err("silent") }).await, Err("silent"));
        assert_eq!(get(2, None).await, Ok(None));
    }
}
