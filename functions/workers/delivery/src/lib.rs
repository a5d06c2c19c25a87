//! Notifies teams of what happens to the companies that they watch, and stores what their webhooks get.
//!
//! Invariant: the cursor passes an event of the change feed only after its notifications and its deliveries to webhooks are
//! stored, and its mails are queued. The id of a notification is derived from team and event, that of a delivery from webhook
//! and event, so a job that is killed, repeated or delivered late neither loses nor repeats one.
//!
//! | Module | Contents |
//! |---|---|
//! | `worker` | the next part of the feed, and storing notifications |
//! | `webhooks` | which webhooks get an event |
//! | `risk` | which companies have moved to another risk level |

mod risk;
mod webhooks;
mod worker;

pub use worker::{Delivered, Error, Worker};
