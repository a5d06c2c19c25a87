//! Mail to users: its texts, and its delivery with Amazon SES or into a local directory.
//!
//! Invariants: no error contains an address or a text of a mail, because mails contain links that work without signing in; no
//! subject contains a text that a customer has chosen.

mod delivery;
mod messages;
mod names;
mod news;
mod single_sign_on;

use uuid::Uuid;

pub use delivery::{Mailer, NotSent};
pub use messages::{confirmation, invitation, sign_in};
pub use names::ShownName;
pub use news::{MAX_ENTRIES, Reader, digest, notification};
pub use single_sign_on::{SsoNotice, sso_account, sso_notice};

/// A mail to one address.
#[derive(Clone, PartialEq, Eq)]
pub struct Mail {
    pub to: auth::Email,
    pub subject: String,
    pub text: String,
    pub html: String,
    /// Identifies the mail if it is sent again. `None`: it never is.
    pub id: Option<Uuid>,
    /// Link that ends the mails of this kind, with one request and without signing in (RFC 8058).
    pub unsubscribe: Option<String>,
}

impl std::fmt::Debug for Mail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Mail(…)")
    }
}
