//! The stored items of a table, for tests that damage them or put back an earlier state.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use local::cloud::clients::dynamodb_client;
use store::{
    BulkItem,
    keys::Key,
    table::{Client, DOCUMENT, PARTITION, REVISION, SORT},
};
use tests::Service;

pub(crate) type Item = HashMap<String, AttributeValue>;

/// The items of a table.
#[derive(Clone)]
pub(crate) struct Items {
    client: Client,
    table: String,
}

impl Items {
    /// The items of the registry.
    pub(crate) fn of(service: &Service) -> Self {
        Self::of_table(service, 0)
    }

    /// The items of the teams.
    pub(crate) fn of_tenants(service: &Service) -> Self {
        Self::of_table(service, 1)
    }

    fn of_table(service: &Service, position: usize) -> Self {
        let client = dynamodb_client(&service.cloud.endpoints.dynamodb);
        Self { client, table: service.cloud.tables[position].clone() }
    }

    pub(crate) async fn delete(&self, key: &Key) {
        let request = self.client.delete_item().table_name(&self.table);
        request.set_key(Some(attributes(key))).send().await.expect("deleted");
    }

    pub(crate) async fn get(&self, key: &Key) -> Item {
        let request = self.client.get_item().table_name(&self.table).consistent_read(true);
        let answer = request.set_key(Some(attributes(key))).send().await.expect("read");
        answer.item.expect("an item")
    }

    /// The item with this key, if there is one.
    pub(crate) async fn find(&self, key: &Key) -> Option<Item> {
        let request = self.client.get_item().table_name(&self.table).consistent_read(true);
        request.set_key(Some(attributes(key))).send().await.expect("read").item
    }

    /// All items, sorted by key.
    pub(crate) async fn all(&self) -> Vec<Item> {
        let pages = self.client.scan().table_name(&self.table).into_paginator().items().send();
        let mut items = pages.collect::<Result<Vec<Item>, _>>().await.expect("read");
        items.sort_by_key(|it| {
            [PARTITION, SORT].map(|name| it[name].as_s().expect("a key").clone())
        });
        items
    }

    pub(crate) async fn put(&self, item: Item) {
        let request = self.client.put_item().table_name(&self.table);
        request.set_item(Some(item)).send().await.expect("written");
    }

    /// Replaces the document of an item by one that cannot be decoded. Returns the item as it was.
    pub(crate) async fn damage(&self, key: &Key) -> Item {
        let item = self.get(key).await;
        let mut damaged = item.clone();
        damaged.insert(DOCUMENT.to_owned(), AttributeValue::S("{\"uid\": \"CHE-6".to_owned()));
        self.put(damaged).await;
        item
    }
}

/// An item as the table stores it.
pub(crate) fn item(BulkItem { key, document, revision }: &BulkItem) -> Item {
    let mut item = attributes(key);
    item.insert(DOCUMENT.to_owned(), AttributeValue::S(document.clone()));
    if let Some(revision) = revision {
        item.insert(REVISION.to_owned(), AttributeValue::N(revision.to_string()));
    }
    item
}

fn attributes(key: &Key) -> Item {
    let text = |it: &String| AttributeValue::S(it.clone());
    Item::from([(PARTITION.to_owned(), text(&key.partition)), (SORT.to_owned(), text(&key.sort))])
}
