use std::{fmt, ops::Deref, sync::Arc};

use crate::{Component, Components};

/// The address of the API for clients, such as `https://api.example/api`, without a slash at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl(Arc<str>);

impl PublicUrl {
    pub fn new(url: &str) -> Self {
        Self(url.trim_end_matches('/').into())
    }
}

impl From<PublicUrl> for Arc<str> {
    fn from(url: PublicUrl) -> Self {
        url.0
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Deref for PublicUrl {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

/// `PUBLIC_URL`, which is required.
impl Component for PublicUrl {
    fn open(components: &Components) -> Self {
        Self::new(&components.required_setting("PUBLIC_URL"))
    }
}
