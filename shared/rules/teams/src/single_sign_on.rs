use std::{fmt, str::FromStr};

use access::{Role, Tier};
use auth::{
    Accounts, AnsweredFor, Author, Authority, Identity, Member, OneTimeToken, Principal,
    ProviderChoice, ProviderId, ProviderSignIn, Session, VerifiedIdToken,
};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

/// The lowest tier with single sign-on.
pub const SSO_TIER: Tier = Tier::Enterprise;
/// How often the record of a verified domain is looked up again: when somebody signs in, once a day.
pub const RECHECK_INTERVAL: SignedDuration = SignedDuration::from_hours(24);
/// How long a domain counts after its record was seen last.
pub const GRACE_PERIOD: SignedDuration = SignedDuration::from_hours(7 * 24);
/// How long sign-ins go on after the owner who chose the provider has lost this role.
pub const CONFIRMATION_PERIOD: SignedDuration = SignedDuration::from_hours(7 * 24);
/// Maximum length of a domain in characters, so that the name of its record has at most 253.
const MAX_DOMAIN_LENGTH: usize = 230;
/// The name of the record below its domain.
const RECORD: &str = "_gotthard-challenge";

/// Domains at which anybody can have an address. Nobody could verify them; the list gives an early and clear answer.
const PUBLIC_MAIL_DOMAINS: [&str; 64] = [
    "163.com",
    "alice.it",
    "aol.com",
    "bluemail.ch",
    "bluewin.ch",
    "fastmail.com",
    "free.fr",
    "freenet.de",
    "gmail.com",
    "gmx.at",
    "gmx.ch",
    "gmx.com",
    "gmx.de",
    "gmx.net",
    "googlemail.com",
    "hey.com",
    "hispeed.ch",
    "hotmail.ch",
    "hotmail.com",
    "hotmail.de",
    "hotmail.fr",
    "hotmail.it",
    "icloud.com",
    "laposte.net",
    "libero.it",
    "live.com",
    "live.de",
    "live.fr",
    "live.it",
    "mac.com",
    "mail.com",
    "mail.ru",
    "mailbox.org",
    "me.com",
    "msn.com",
    "orange.fr",
    "outlook.ch",
    "outlook.com",
    "outlook.de",
    "outlook.fr",
    "outlook.it",
    "pm.me",
    "posteo.de",
    "posteo.net",
    "proton.me",
    "protonmail.ch",
    "protonmail.com",
    "qq.com",
    "romandie.com",
    "sfr.fr",
    "sunrise.ch",
    "swissonline.ch",
    "t-online.de",
    "tiscali.it",
    "tuta.com",
    "tutanota.com",
    "virgilio.it",
    "wanadoo.fr",
    "web.de",
    "yahoo.com",
    "yahoo.de",
    "yahoo.fr",
    "yandex.ru",
    "zoho.com",
];

/// A domain of e-mail addresses, in lower case. Addresses in its subdomains do not belong to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct MailDomain(String);

/// Why a text is not the domain of a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidDomain {
    /// Not a domain name.
    #[error(
        "must be a domain such as `example.ch`, of ASCII letters, digits and hyphens; write other domains in Punycode"
    )]
    Malformed,
    /// Anybody can have an address there.
    #[error("must be a domain of your own; at this one, everybody can have an address")]
    Public,
}

impl MailDomain {
    /// The domain as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for MailDomain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for MailDomain {
    type Err = InvalidDomain;

    fn from_str(text: &str) -> Result<Self, InvalidDomain> {
        let text = text.trim().to_ascii_lowercase();
        let is_label = |it: &str| {
            (1..=63).contains(&it.len())
                && it.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-')
                && !it.starts_with('-')
                && !it.ends_with('-')
        };
        let last = text.rsplit('.').next().unwrap_or_default();
        let is_name = text.contains('.')
            && text.len() <= MAX_DOMAIN_LENGTH
            && text.split('.').all(is_label)
            // Otherwise it is an IP address.
            && last.bytes().any(|it| it.is_ascii_alphabetic());
        if !is_name {
            return Err(InvalidDomain::Malformed);
        }
        if PUBLIC_MAIL_DOMAINS.contains(&text.as_str()) {
            return Err(InvalidDomain::Public);
        }
        Ok(Self(text))
    }
}

impl<'de> Deserialize<'de> for MailDomain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// Whether a team has verified that a domain is its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DomainStatus {
    /// The record has not been seen, or was removed. Nobody can sign in with an address of this domain.
    Pending,
    /// The record was seen.
    Verified,
}

/// A domain of a team. The stored form.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SsoDomain {
    /// The domain.
    pub domain: MailDomain,
    /// The text that the team publishes. Random, and different for each team and domain.
    pub challenge: String,
    /// When the record was seen last. `None`: the team has not verified the domain.
    pub seen_at: Option<Timestamp>,
}

/// What a look-up of a domain's record has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// The record is there.
    Found,
    /// The domain has no such record.
    Missing,
    /// The name servers did not answer. So the record was not seen, as when it is missing.
    NotAnswered,
}

impl SsoDomain {
    /// A domain that is not verified yet, with a new challenge.
    pub fn new(domain: MailDomain) -> Self {
        let token = OneTimeToken::generate();
        Self { domain, challenge: format!("gotthard-{}", token.expose()), seen_at: None }
    }

    /// Whether the domain counts.
    pub fn status(&self) -> DomainStatus {
        match self.seen_at {
            Some(_) => DomainStatus::Verified,
            None => DomainStatus::Pending,
        }
    }

    /// The name of the TXT record with which the domain is verified.
    pub fn record_name(&self) -> String {
        format!("{RECORD}.{}", self.domain)
    }

    /// What the texts of the record show.
    pub fn check(&self, texts: &[String]) -> Check {
        match texts.iter().any(|it| it.trim() == self.challenge) {
            true => Check::Found,
            false => Check::Missing,
        }
    }

    /// Whether the record has to be looked up before a sign-in.
    pub fn is_due(&self, now: Timestamp) -> bool {
        self.seen_at.is_some_and(|it| now.duration_since(it) >= RECHECK_INTERVAL)
    }

    /// The domain, if its record was seen later than the domain says. A domain that is not verified stays so.
    #[must_use]
    pub fn seen(&self, at: Option<Timestamp>) -> Self {
        Self { seen_at: self.seen_at.map(|it| at.map_or(it, |at| it.max(at))), ..self.clone() }
    }

    /// The domain after a look-up. A domain whose record was not seen for the grace period is not verified any more.
    #[must_use]
    pub fn after(&self, check: Check, now: Timestamp) -> Self {
        let seen_at = match check {
            Check::Found => Some(now),
            Check::Missing | Check::NotAnswered => {
                self.seen_at.filter(|it| now.duration_since(*it) < GRACE_PERIOD)
            }
        };
        Self { seen_at, ..self.clone() }
    }
}

/// Single sign-on of a team: its identity provider, and the domains of its users. The stored form. The client secret is
/// stored apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SingleSignOn {
    /// The provider, as it names itself.
    pub issuer: String,
    /// Our registration at the provider.
    pub client_id: String,
    /// Whether a client secret is stored.
    pub has_client_secret: bool,
    /// The domains whose users may sign in.
    pub domains: Vec<SsoDomain>,
    /// The choice of this provider.
    pub choice: ProviderChoice,
    /// The owner who answers for the provider: who chose or confirmed it.
    pub chosen_by: Author,
    /// Until when another owner must confirm the provider, because `chosen_by` is no longer an owner.
    pub confirm_before: Option<Timestamp>,
    /// Who changed the settings last.
    pub updated_by: Principal,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

/// What an owner or an admin sets. The domains keep their state, unless the provider changes.
#[derive(Clone, Debug, PartialEq)]
pub struct SsoChange {
    pub issuer: String,
    pub client_id: String,
    /// Whether a client secret comes with it, which replaces the stored one.
    pub has_secret: bool,
    pub domains: Vec<MailDomain>,
}

/// A person who controls the provider, or a domain, decides who its users are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "only an owner can choose the identity provider (`issuer` and `clientId`) of the team and add domains; admins can change the client secret and leave out domains"
)]
pub struct OnlyOwners;

/// What the owners of a team are told about its single sign-on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum SsoNews {
    /// The team has another provider.
    Chosen,
    /// Single sign-on was removed.
    Removed,
    /// The owner who answers for the provider is no longer an owner. Another one must confirm it.
    #[serde(rename_all = "camelCase")]
    Unconfirmed { confirm_before: Timestamp },
}

/// Why a provider signs nobody in, or not this user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAdmitted {
    /// Nobody answers for the provider any more.
    #[error(
        "the owner who chose the identity provider is no longer an owner of the team; an owner must confirm it with `POST /v1/teams/me/sso/confirm`"
    )]
    Unconfirmed,
    /// Everybody can have an account there.
    #[error(
        "everybody can have an account at this identity provider; an owner must choose another one"
    )]
    OfEverybody,
    /// A private account, or one of another organisation.
    #[error(
        "the account does not belong to an organisation whose domain the team has verified: the claim `hd` of the ID token is missing or names another domain"
    )]
    OtherOrganisation,
}

impl SingleSignOn {
    /// The provider, and our registration there.
    pub fn provider(&self) -> ProviderId {
        ProviderId::of(&self.issuer, &self.client_id)
    }

    /// The settings after a change by a user with this role. Another provider is another choice, for which the owner answers:
    /// no domain is verified, and no account is linked. To save the same one is no confirmation.
    pub fn changed(
        old: Option<&Self>,
        change: &SsoChange,
        (user, role): (&str, Role),
        now: Timestamp,
    ) -> Result<Self, OnlyOwners> {
        let SsoChange { issuer, client_id, has_secret, domains } = change;
        let provider = ProviderId::of(issuer, client_id);
        let same = old.filter(|it| it.provider() == provider);
        let known = |new: &MailDomain| same.and_then(|it| it.domain(new.as_str())).cloned();
        let adds = domains.iter().any(|it| known(it).is_none());
        if (same.is_none() || adds) && role != Role::Owner {
            return Err(OnlyOwners);
        }
        let domains =
            domains.iter().map(|it| known(it).unwrap_or_else(|| SsoDomain::new(it.clone())));
        let (choice, chosen_by) = match same {
            Some(same) => (same.choice.clone(), same.chosen_by.clone()),
            None => (
                ProviderChoice::new_random(),
                Author { user: user.to_owned(), since: now, through: None },
            ),
        };
        Ok(Self {
            issuer: issuer.clone(),
            client_id: client_id.clone(),
            has_client_secret: *has_secret || same.is_some_and(|it| it.has_client_secret),
            domains: domains.collect(),
            choice,
            chosen_by,
            confirm_before: same.and_then(|it| it.confirm_before),
            updated_by: Principal::user(user),
            updated_at: now,
        })
    }

    /// The settings after an owner has confirmed the provider, and answers for it.
    #[must_use]
    pub fn confirmed(&self, owner: &str, now: Timestamp) -> Self {
        Self {
            chosen_by: Author { user: owner.to_owned(), since: now, through: None },
            confirm_before: None,
            updated_by: Principal::user(owner),
            updated_at: now,
            ..self.clone()
        }
    }

    /// Whether the account was linked with the present choice of the provider.
    pub fn counts(&self, identity: &Identity) -> bool {
        self.provider() == identity.provider && self.choice == identity.choice
    }

    /// The domain of the organisation whose account this is, if everybody can have an account at the provider. It must be verified,
    /// as that of the e-mail address.
    pub fn organisation<'a>(
        &self,
        token: &'a VerifiedIdToken,
    ) -> Result<Option<&'a str>, NotAdmitted> {
        match Accounts::of(&self.issuer) {
            Accounts::OfOneOrganisation => Ok(None),
            Accounts::OfHostedDomains => match token.hosted_domain() {
                Some(domain) => Ok(Some(domain)),
                None => Err(NotAdmitted::OtherOrganisation),
            },
            Accounts::OfEverybody => Err(NotAdmitted::OfEverybody),
        }
    }

    /// Says that the owner who answers for the provider loses this role now. `None`: the user does not answer for it, or
    /// the confirmation of another one is needed already.
    #[must_use]
    pub fn without_owner(&self, user: &str, now: Timestamp) -> Option<Self> {
        if self.chosen_by.user != user || self.confirm_before.is_some() {
            return None;
        }
        Some(Self { confirm_before: Some(now + CONFIRMATION_PERIOD), ..self.clone() })
    }

    /// The domain with this name.
    pub fn domain(&self, name: &str) -> Option<&SsoDomain> {
        self.domains.iter().find(|it| it.domain.as_str() == name)
    }

    /// Whether the team has verified the domain with this name.
    pub fn has_verified(&self, name: &str) -> bool {
        self.domain(name).is_some_and(|it| it.status() == DomainStatus::Verified)
    }
}

/// Single sign-on of a team, and the present membership of the owner who chose the provider.
#[derive(Clone, Debug, PartialEq)]
pub struct CurrentSso {
    pub settings: SingleSignOn,
    /// `None`: the owner has left the team, or is erased.
    pub chooser: Option<Member>,
}

impl CurrentSso {
    /// Whether an owner answers for the provider. The membership decides, however it has ended.
    pub fn answered_for(&self) -> AnsweredFor {
        let since = self.settings.chosen_by.since;
        let authority = Authority::of_member(self.chooser.as_ref(), since);
        match (authority, self.settings.confirm_before) {
            (Authority::Of(Role::Owner), None) => AnsweredFor::ByOwner,
            _ => AnsweredFor::ByNobody,
        }
    }

    /// Until when an owner must confirm the provider. `None`: no confirmation is needed.
    pub fn confirm_before(&self) -> Option<Timestamp> {
        match self.answered_for() {
            AnsweredFor::ByOwner => None,
            // Nobody has stored when the owner lost the role: it may have been at once.
            AnsweredFor::ByNobody => Some(
                self.settings
                    .confirm_before
                    .unwrap_or(self.settings.chosen_by.since + CONFIRMATION_PERIOD),
            ),
        }
    }

    /// Whether the provider signs in users at present.
    pub fn is_confirmed(&self, now: Timestamp) -> Result<(), NotAdmitted> {
        match self.confirm_before() {
            Some(end) if end <= now => Err(NotAdmitted::Unconfirmed),
            _ => Ok(()),
        }
    }

    /// Whether an owner answers for the provider, if this is the present choice and the provider still signs in users of the domain.
    /// `None`: what was delegated after this sign-in has no rights.
    pub fn vouches(&self, sign_in: &ProviderSignIn, now: Timestamp) -> Option<AnsweredFor> {
        let counts = self.settings.choice == sign_in.choice
            && self.settings.has_verified(&sign_in.domain)
            && self.is_confirmed(now).is_ok();
        counts.then(|| self.answered_for())
    }

    /// Whether a session was started with the present choice of the provider, which still signs in users of its domain.
    pub fn keeps(&self, session: &Session, now: Timestamp) -> bool {
        session.provider.as_ref() == Some(&self.settings.provider())
            && session.choice.as_ref() == Some(&self.settings.choice)
            && session.domain.as_ref().is_some_and(|it| self.settings.has_verified(it))
            && self.is_confirmed(now).is_ok()
    }

    /// Whether the provider signs in the user of this token, as far as the token and the provider decide.
    pub fn admits(&self, token: &VerifiedIdToken, now: Timestamp) -> Result<(), NotAdmitted> {
        self.is_confirmed(now)?;
        match self.settings.organisation(token)? {
            Some(domain) if !self.settings.has_verified(domain) => {
                Err(NotAdmitted::OtherOrganisation)
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::constant(1_795_177_800, 0);

    #[test]
    fn a_domain_is_compared_in_lower_case() {
        for text in ["example.ch", " Example.CH ", "xn--zrich-kva.ch", "a.b-c.example"] {
            let domain: MailDomain = text.parse().expect(text);
            assert_eq!(domain.as_str(), text.trim().to_lowercase());
        }
    }

    #[test]
    fn what_is_not_a_domain_of_a_team_is_refused() {
        let long = format!("{}.ch", vec!["x"; 120].join("."));
        for text in [
            "",
            "ch",
            "localhost",
            "example.ch.",
            ".example.ch",
            "example..ch",
            "-x.ch",
            "_dmarc.example.ch",
            "*.example.ch",
            "eva@example.ch",
            "https://example.ch",
            "example.ch/x",
            "zürich.ch",
            "127.0.0.1",
            "example.ch evil.example",
            &long,
        ] {
            assert_eq!(text.parse::<MailDomain>(), Err(InvalidDomain::Malformed), "{text}");
        }
        for text in ["gmail.com", "Bluewin.ch", "zoho.com", "163.com"] {
            assert_eq!(text.parse::<MailDomain>(), Err(InvalidDomain::Public), "{text}");
        }
        assert!(PUBLIC_MAIL_DOMAINS.is_sorted());
    }

    #[test]
    fn a_domain_is_verified_by_its_own_challenge() {
        let domain = SsoDomain::new("example.ch".parse().expect("a domain"));
        let other = SsoDomain::new("example.ch".parse().expect("a domain"));
        assert_ne!(domain.challenge, other.challenge);
        assert_eq!(domain.record_name(), "_gotthard-challenge.example.ch");
        assert_eq!(domain.status(), DomainStatus::Pending);
        let texts = |texts: &[&str]| texts.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        for missing in [&texts(&[]), &texts(&[&other.challenge, "v=spf1 -all", ""])] {
            assert_eq!(domain.check(missing), Check::Missing, "{missing:?}");
        }
        let longer = format!("{}x", domain.challenge);
        assert_eq!(domain.check(&texts(&[&longer])), Check::Missing);
        let padded = format!(" {} ", domain.challenge);
        assert_eq!(domain.check(&texts(&["v=spf1 -all", &padded])), Check::Found);
        assert_eq!(domain.after(Check::Found, NOW).status(), DomainStatus::Verified);
        assert_eq!(domain.after(Check::NotAnswered, NOW).status(), DomainStatus::Pending);
    }

    fn settings() -> SingleSignOn {
        SingleSignOn {
            issuer: "https://login.example".into(),
            client_id: "client".into(),
            has_client_secret: false,
            domains: Vec::new(),
            choice: ProviderChoice::new_random(),
            chosen_by: Author { user: "eva".into(), since: NOW, through: None },
            confirm_before: None,
            updated_by: Principal::user("eva"),
            updated_at: NOW,
        }
    }

    /// Nobody answers for a provider that does not name its owner.
    #[test]
    fn settings_without_choice_or_chooser_cannot_be_read() {
        let stored = serde_json::to_value(settings()).expect("plain data");
        assert!(serde_json::from_value::<SingleSignOn>(stored.clone()).is_ok());
        for member in ["choice", "chosenBy"] {
            let mut incomplete = stored.clone();
            incomplete.as_object_mut().expect("an object").remove(member);
            assert!(serde_json::from_value::<SingleSignOn>(incomplete).is_err(), "{member}");
        }
    }

    #[test]
    fn the_present_membership_of_the_chooser_decides_whether_a_confirmation_is_needed() {
        let second = SignedDuration::from_secs(1);
        let member = |role, since| Member {
            team: auth::TeamId("team".into()),
            user: "eva".into(),
            role,
            since,
        };
        let sso =
            |settings: &SingleSignOn, chooser| CurrentSso { settings: settings.clone(), chooser };
        let mut settings = settings();
        for (name, seen_at) in [("example.ch", Some(NOW)), ("pending.example", None)] {
            let domain = SsoDomain::new(name.parse().expect("a domain"));
            settings.domains.push(SsoDomain { seen_at, ..domain });
        }
        let answered = sso(&settings, Some(member(Role::Owner, NOW)));
        assert_eq!(answered.answered_for(), AnsweredFor::ByOwner);
        assert_eq!(answered.confirm_before(), None);
        // However the membership has ended or shrunk, also if nobody has stored it.
        let rejoined = member(Role::Owner, NOW + second);
        for chooser in [None, Some(member(Role::Admin, NOW)), Some(rejoined)] {
            let sso = sso(&settings, chooser);
            assert_eq!(sso.answered_for(), AnsweredFor::ByNobody);
            assert_eq!(sso.confirm_before(), Some(NOW + CONFIRMATION_PERIOD));
        }
        assert_eq!(settings.without_owner("hans", NOW), None);
        let left = settings.without_owner("eva", NOW + second).expect("eva has chosen it");
        let end = NOW + second + CONFIRMATION_PERIOD;
        let unconfirmed = sso(&left, Some(member(Role::Owner, NOW)));
        assert_eq!(unconfirmed.answered_for(), AnsweredFor::ByNobody, "until it is confirmed");
        assert_eq!(unconfirmed.is_confirmed(end - second), Ok(()));
        let sign_in = |choice: &ProviderChoice, domain: &str| ProviderSignIn {
            choice: choice.clone(),
            domain: domain.to_owned(),
        };
        let present = sign_in(&left.choice, "example.ch");
        assert_eq!(unconfirmed.vouches(&present, end - second), Some(AnsweredFor::ByNobody));
        assert_eq!(unconfirmed.vouches(&present, end), None);
        assert_eq!(answered.vouches(&present, end), Some(AnsweredFor::ByOwner));
        let other_choice = sign_in(&ProviderChoice::new_random(), "example.ch");
        for other in [
            other_choice,
            sign_in(&left.choice, "pending.example"),
            sign_in(&left.choice, "dropped.example"),
        ] {
            assert_eq!(answered.vouches(&other, end), None, "{other:?}");
        }
        assert_eq!(unconfirmed.is_confirmed(end), Err(NotAdmitted::Unconfirmed));
        assert_eq!(left.without_owner("eva", end), None, "not prolonged");
    }

    #[test]
    fn another_provider_is_chosen_by_an_owner_and_starts_anew() {
        let change = |client: &str| SsoChange {
            issuer: "https://login.example".into(),
            client_id: client.into(),
            has_secret: false,
            domains: vec!["example.ch".parse().expect("a domain")],
        };
        let changed = |old: Option<&SingleSignOn>, client: &str, role| {
            SingleSignOn::changed(old, &change(client), ("eva", role), NOW)
        };
        assert_eq!(changed(None, "one", Role::Admin), Err(OnlyOwners));
        let mut first = changed(None, "one", Role::Owner).expect("set up");
        first.domains[0] = first.domains[0].after(Check::Found, NOW);
        assert_eq!(changed(Some(&first), "two", Role::Admin), Err(OnlyOwners));
        let same = changed(Some(&first), "one", Role::Admin).expect("changed");
        assert_eq!((&same.choice, &same.domains), (&first.choice, &first.domains));
        assert_eq!(same.chosen_by, first.chosen_by);
        let more = SsoChange {
            domains: ["example.ch", "muster.example"]
                .map(|it| it.parse().expect("a domain"))
                .into(),
            ..change("one")
        };
        let more = |role| SingleSignOn::changed(Some(&first), &more, ("eva", role), NOW);
        assert_eq!(
            more(Role::Admin),
            Err(OnlyOwners),
            "whoever has a domain decides about its users"
        );
        assert_eq!(more(Role::Owner).expect("changed").domains.len(), 2);
        let other = changed(Some(&first), "two", Role::Owner).expect("changed");
        let back = changed(Some(&other), "one", Role::Owner).expect("changed");
        for later in [other, back] {
            assert_ne!(later.choice, first.choice);
            assert_eq!(later.domains[0].status(), DomainStatus::Pending);
            assert_ne!(later.domains[0].challenge, first.domains[0].challenge);
        }
        // Saving the same provider is no confirmation by another owner.
        let left = first.without_owner("eva", NOW).expect("unconfirmed");
        let saved = changed(Some(&left), "one", Role::Owner).expect("changed");
        assert_eq!(saved.confirm_before, left.confirm_before);
        let confirmed = left.confirmed("hans", NOW);
        assert_eq!((confirmed.confirm_before, confirmed.choice), (None, first.choice));
    }

    #[test]
    fn a_later_sight_of_the_record_counts_for_verified_domains_only() {
        let pending = SsoDomain::new("example.ch".parse().expect("a domain"));
        assert_eq!(pending.seen(Some(NOW)).status(), DomainStatus::Pending);
        let verified = pending.after(Check::Found, NOW);
        let later = NOW + SignedDuration::from_secs(1);
        assert_eq!(verified.seen(Some(later)).seen_at, Some(later));
        assert_eq!(verified.seen(Some(NOW - GRACE_PERIOD)).seen_at, Some(NOW));
        assert_eq!(verified.seen(None).seen_at, Some(NOW));
    }

    #[test]
    fn a_domain_counts_for_seven_days_after_its_record_was_seen_last() {
        let domain = SsoDomain::new("example.ch".parse().expect("a domain"));
        assert!(!domain.is_due(NOW), "only verified domains");
        let verified = domain.after(Check::Found, NOW);
        let second = SignedDuration::from_secs(1);
        assert!(!verified.is_due(NOW + RECHECK_INTERVAL - second));
        assert!(verified.is_due(NOW + RECHECK_INTERVAL));
        let last = NOW + GRACE_PERIOD - second;
        for not_seen in [Check::Missing, Check::NotAnswered] {
            assert_eq!(verified.after(not_seen, last).status(), DomainStatus::Verified);
            assert_eq!(verified.after(not_seen, last).seen_at, verified.seen_at);
            let later = NOW + GRACE_PERIOD;
            assert_eq!(verified.after(not_seen, later).status(), DomainStatus::Pending);
        }
    }
}
