//! What goes out to customers: mails within their limits, and signed deliveries of webhooks.

pub mod mail;
pub mod webhooks;
