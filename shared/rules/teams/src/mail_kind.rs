/// Every kind of mail that is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MailKind {
    /// A link that signs in. Anybody may ask for it, for any address.
    SignIn,
    /// An invitation to a team.
    Invitation,
    /// The question whether an address should get the notifications of a team.
    Confirmation,
    /// One notification.
    Notification,
    /// The notifications of a day.
    Digest,
    /// The question whether an account at the identity provider of a team is the recipient's.
    AccountLink,
    /// An announcement to the owners of a team about what decides who can act for it, such as its single sign-on.
    Security,
}

impl MailKind {
    pub const ALL: [Self; 7] = [
        Self::SignIn,
        Self::Invitation,
        Self::Confirmation,
        Self::Notification,
        Self::Digest,
        Self::AccountLink,
        Self::Security,
    ];
}
