//! Writing single items and batches.

use aws_sdk_dynamodb::{
    error::{ProvideErrorMetadata, SdkError},
    types::{AttributeValue, DeleteRequest, PutRequest, WriteRequest},
};
use serde::Serialize;

use super::{
    EXPIRES, Item, Table, attributes,
    documents::{compressed, document},
    pause_before_next, unavailable,
    write::with_key,
};
use crate::{Error, keys::Key};

impl Table {
    pub(crate) async fn put<T: Serialize>(&self, key: Key, item: &T) -> Result<(), Error> {
        let request = self.client.put_item().table_name(&self.name);
        request.set_item(Some(with_key(item, &key)?)).send().await.map_err(unavailable)?;
        Ok(())
    }

    /// As [`Table::put`], for an item that expires at a time in seconds since the Unix epoch.
    pub(crate) async fn put_expiring<T: Serialize>(
        &self,
        key: Key,
        item: &T,
        expires: i64,
    ) -> Result<(), Error> {
        let mut item = with_key(item, &key)?;
        item.insert(EXPIRES.to_owned(), AttributeValue::N(expires.to_string()));
        let request = self.client.put_item().table_name(&self.name);
        request.set_item(Some(item)).send().await.map_err(unavailable)?;
        Ok(())
    }

    /// Puts the item if the key is free: no item, an expired one, or this same item from an earlier try
    /// whose answer was lost (its `field` has `value`). `Ok(false)`: another item has the key.
    pub(crate) async fn put_if_free<T: Serialize>(
        &self,
        key: Key,
        item: &T,
        now: i64,
        (field, value): (&str, &str),
    ) -> Result<bool, Error> {
        let request = self
            .client
            .put_item()
            .table_name(&self.name)
            .set_item(Some(with_key(item, &key)?))
            .condition_expression("attribute_not_exists(pk) OR #expires <= :now OR #field = :value")
            .expression_attribute_names("#expires", EXPIRES)
            .expression_attribute_names("#field", field)
            .expression_attribute_values(":value", AttributeValue::S(value.to_owned()))
            .expression_attribute_values(":now", AttributeValue::N(now.to_string()));
        Ok(if_condition_held(request.send().await)?.is_some())
    }

    /// Puts a document that is never changed, and that expires at a time in seconds since the Unix epoch. An item with
    /// this key stays as it is: it is the same one, from an earlier try whose answer was lost.
    pub(crate) async fn put_new<T: Serialize>(
        &self,
        key: Key,
        item: &T,
        expires: i64,
    ) -> Result<(), Error> {
        self.put_new_item(document(item, &key)?, expires).await
    }

    /// As [`Table::put_new`], compressed.
    pub(crate) async fn put_new_compressed<T: Serialize>(
        &self,
        key: Key,
        item: &T,
        expires: i64,
    ) -> Result<(), Error> {
        self.put_new_item(compressed(item, &key)?, expires).await
    }

    async fn put_new_item(&self, mut item: Item, expires: i64) -> Result<(), Error> {
        item.insert(EXPIRES.to_owned(), AttributeValue::N(expires.to_string()));
        let request = self.client.put_item().table_name(&self.name).set_item(Some(item));
        let request = request.condition_expression("attribute_not_exists(pk)");
        if_condition_held(request.send().await)?;
        Ok(())
    }

    /// Sets text fields of an existing item. [`Error::Changed`]: the item does not exist.
    pub(crate) async fn set(&self, key: Key, fields: Vec<(&str, String)>) -> Result<(), Error> {
        let assignments: Vec<String> =
            (0..fields.len()).map(|it| format!("#field{it} = :value{it}")).collect();
        let mut request = self
            .client
            .update_item()
            .table_name(&self.name)
            .set_key(Some(attributes(&key)))
            .condition_expression("attribute_exists(pk)")
            .update_expression(format!("SET {}", assignments.join(", ")));
        for (number, (field, value)) in fields.into_iter().enumerate() {
            request = request
                .expression_attribute_names(format!("#field{number}"), field)
                .expression_attribute_values(format!(":value{number}"), AttributeValue::S(value));
        }
        if_condition_held(request.send().await)?.map(|_| ()).ok_or(Error::Changed)
    }

    /// Sets one text field of an item, which is created if it does not exist.
    pub(crate) async fn put_field(
        &self,
        key: Key,
        field: &str,
        value: String,
    ) -> Result<(), Error> {
        let request = self
            .client
            .update_item()
            .table_name(&self.name)
            .set_key(Some(attributes(&key)))
            .update_expression("SET #field = :value")
            .expression_attribute_names("#field", field)
            .expression_attribute_values(":value", AttributeValue::S(value));
        request.send().await.map(drop).map_err(unavailable)
    }

    /// Puts many documents in batches. Unprocessed items are sent again.
    pub(crate) async fn put_documents<T: Serialize>(
        &self,
        items: impl IntoIterator<Item = (Key, T)>,
    ) -> Result<(), Error> {
        let mut writes = Vec::new();
        for (key, item) in items {
            let put = PutRequest::builder().set_item(Some(document(&item, &key)?));
            let put = put.build().map_err(unavailable)?;
            writes.push(WriteRequest::builder().put_request(put).build());
        }
        self.write_all(writes).await
    }

    /// Deletes many items in batches. Missing items are ignored.
    pub(crate) async fn delete_all(&self, keys: Vec<Key>) -> Result<(), Error> {
        let mut writes = Vec::with_capacity(keys.len());
        for key in keys {
            let delete = DeleteRequest::builder().set_key(Some(attributes(&key)));
            let delete = delete.build().map_err(unavailable)?;
            writes.push(WriteRequest::builder().delete_request(delete).build());
        }
        self.write_all(writes).await
    }

    async fn write_all(&self, writes: Vec<WriteRequest>) -> Result<(), Error> {
        for chunk in writes.chunks(25) {
            let mut left = chunk.to_vec();
            for attempt in 0.. {
                let request = self.many.batch_write_item().request_items(&self.name, left);
                let answer = request.send().await.map_err(unavailable)?;
                let unprocessed = answer.unprocessed_items.unwrap_or_default().remove(&self.name);
                left = unprocessed.unwrap_or_default();
                if left.is_empty() {
                    break;
                }
                pause_before_next(attempt).await?;
            }
        }
        Ok(())
    }
}

/// The answer to a conditional write. `None`: the condition did not hold.
pub(super) fn if_condition_held<T, E, R>(
    answer: Result<T, SdkError<E, R>>,
) -> Result<Option<T>, Error>
where
    E: ProvideErrorMetadata + std::error::Error + Send + Sync + 'static,
    R: std::fmt::Debug + Send + Sync + 'static,
{
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(error) if error.code() == Some("ConditionalCheckFailedException") => Ok(None),
        Err(error) => Err(unavailable(error)),
    }
}
