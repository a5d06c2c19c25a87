use std::{fmt, str::FromStr};

use access::Role;
use auth::{OneTimeToken, Principal, ProviderId};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

/// How often the record of a verified domain is looked up again: when somebody signs in, once a day.
pub const RECHECK_INTERVAL: SignedDuration = SignedDuration::from_hours(24);
/// How long a domain counts after its record was seen last.
pub const GRACE_PERIOD: SignedDuration = SignedDuration::from_hours(7 * 24);
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
    /// The name servers did not answer.
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

    /// The domain after a look-up. A domain whose record has been missing for the grace period is not verified any more.
    #[must_use]
    pub fn after(&self, check: Check, now: Timestamp) -> Self {
        let seen_at = match check {
            Check::Found => Some(now),
            Check::Missing => self.seen_at.filter(|it| now.duration_since(*it) < GRACE_PERIOD),
            Check::NotAnswered => self.seen_at,
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
    /// The highest role that a sign-in may give: the role of the user who chose the provider. Otherwise an
    /// admin could become an owner by means of a provider that the admin controls.
    pub highest_role: Role,
    /// Who changed the settings last.
    pub updated_by: Principal,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

impl SingleSignOn {
    /// The provider, and our registration there.
    pub fn provider(&self) -> ProviderId {
        ProviderId::of(&self.issuer, &self.client_id)
    }

    /// Whether a sign-in with this provider still gives this role.
    pub fn gives(&self, provider: &ProviderId, role: Role) -> bool {
        self.provider() == *provider && role <= self.highest_role
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

    #[test]
    fn a_domain_counts_for_seven_days_after_its_record_was_seen_last() {
        let domain = SsoDomain::new("example.ch".parse().expect("a domain"));
        assert!(!domain.is_due(NOW), "only verified domains");
        let verified = domain.after(Check::Found, NOW);
        let second = SignedDuration::from_secs(1);
        assert!(!verified.is_due(NOW + RECHECK_INTERVAL - second));
        assert!(verified.is_due(NOW + RECHECK_INTERVAL));
        let last = NOW + GRACE_PERIOD - second;
        assert_eq!(verified.after(Check::Missing, last).status(), DomainStatus::Verified);
        assert_eq!(verified.after(Check::Missing, last).seen_at, verified.seen_at);
        let later = NOW + GRACE_PERIOD;
        assert_eq!(verified.after(Check::Missing, later).status(), DomainStatus::Pending);
        assert_eq!(verified.after(Check::NotAnswered, later).status(), DomainStatus::Verified);
    }
}
