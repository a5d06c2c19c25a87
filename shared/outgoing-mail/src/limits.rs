//! Which limits count for each kind of mail. All numbers are here.

use std::net::IpAddr;

use access::{Network, Tier};
use accounts::MailKind;
use auth::{Caller, Email, Owner, TeamId};
use store::MailWindow;

use crate::Budget;

/// Sign-in links that one network asks for in 10 minutes, and on a day.
const LINKS_OF_NETWORK: (u32, u32) = (20, 500);
/// The same for an IPv4 /24 or an IPv6 /48.
const LINKS_OF_BLOCK: (u32, u32) = (60, 1_500);
/// Sign-in links to one address that one network asks for in 10 minutes.
const LINKS_BY_NETWORK: u32 = 5;
/// Sign-in links to one address in 10 minutes, from all requesters.
const LINKS_TO_RECIPIENT: u32 = 10;
/// Sign-in links to one address on a day. Above it, there is one in 10 minutes.
const LINKS_TO_RECIPIENT_A_DAY: u32 = 50;

/// Invitations and questions that one team, one person or one network causes in 10 minutes.
const REQUESTED: u32 = 20;
/// The same for an IPv4 /24 or an IPv6 /48.
const REQUESTED_OF_BLOCK: u32 = 60;
/// The same for Free teams, of a network and of such a block, on a day.
const REQUESTED_OF_FREE_NETWORK: (u32, u32) = (60, 180);
/// Invitations and questions to one address in 10 minutes, and on a day.
const REQUESTED_TO_RECIPIENT: (u32, u32) = (5, 20);

/// Maximum number of mails with notifications that a team, or a person in all teams, gets on one day (UTC): a digest for each of
/// the 200 members of a team, and 300 more.
pub const MAX_NOTIFICATIONS_A_DAY: u32 = 500;

/// Questions to a member whether an account is theirs, in 10 minutes, and on a day.
const ACCOUNT_LINKS: (u32, u32) = (5, 20);

/// The parts of the deployment's mails, in percent, that invitations and questions, and notifications may use.
const SHARE_OF_REQUESTED: u32 = 20;
const SHARE_OF_NOTIFICATIONS: u32 = 50;
/// The part of all mails, in percent, above which only sign-in links and announcements are sent.
const SHARE_WITHOUT_SIGN_IN: u32 = 70;

/// Invitations and questions that a team, and a person in all teams, cause on a day.
const fn requested_a_day(tier: Tier) -> u32 {
    match tier {
        Tier::Free => 20,
        Tier::Starter => 100,
        Tier::Professional => 300,
        Tier::Enterprise => 1_000,
    }
}

/// Why a mail is sent: its kind, and who causes it.
#[derive(Clone, Copy, Debug)]
pub enum Cause<'a> {
    /// A client without a token asks for a sign-in link.
    SignIn {
        client: IpAddr,
    },
    Invitation(Requester<'a>),
    Confirmation(Requester<'a>),
    Notification(Reader<'a>),
    Digest(Reader<'a>),
    /// Somebody has signed in at the identity provider of a team with an account that may be a member's.
    AccountLink {
        team: &'a TeamId,
        /// Id of the member.
        user: &'a str,
    },
    /// Something has changed that decides who can act for a team. The announcement is counted, and no limit stops it: the person who
    /// changed it could reach the limit before.
    Security,
}

/// Who causes a mail to an address of somebody else.
#[derive(Clone, Copy, Debug)]
pub struct Requester<'a> {
    pub team: &'a TeamId,
    pub tier: Tier,
    /// Id of the user who acts, or who created the API key. `None`: not known.
    pub person: Option<&'a str>,
    pub client: IpAddr,
}

impl<'a> Requester<'a> {
    /// The caller of a request from this address.
    pub fn of(caller: &'a Caller, client: IpAddr) -> Self {
        Self { team: caller.team(), tier: caller.tier(), person: caller.author(), client }
    }
}

/// Whose notifications a mail contains.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    pub team: &'a TeamId,
    pub owner: &'a Owner,
}

impl Cause<'_> {
    pub const fn kind(&self) -> MailKind {
        match self {
            Self::SignIn { .. } => MailKind::SignIn,
            Self::Invitation(_) => MailKind::Invitation,
            Self::Confirmation(_) => MailKind::Confirmation,
            Self::Notification(_) => MailKind::Notification,
            Self::Digest(_) => MailKind::Digest,
            Self::AccountLink { .. } => MailKind::AccountLink,
            Self::Security => MailKind::Security,
        }
    }
}

/// What a limit counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Counts {
    /// Mails of an IPv4 address or an IPv6 /64.
    Network,
    /// Mails of an IPv4 /24 or an IPv6 /48.
    Block,
    Team,
    /// Mails of a person in all teams, also with API keys.
    Person,
    /// Mails to an address that one network asks for.
    RecipientByNetwork,
    /// Mails to an address, from all senders.
    Recipient,
    /// Mails of these kinds of the whole deployment.
    Share,
    /// Mails of the whole deployment.
    Deployment,
}

/// What happens to a mail above a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhenFull {
    /// Its sender gets an error.
    Refuse,
    /// Nothing is sent: a sign-in link that was sent in the same window and not used still works.
    EarlierLink,
    /// The next limit decides, which does not count otherwise.
    Next,
    /// It is sent nevertheless.
    Send,
}

/// One limit on a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    pub counts: Counts,
    pub window: MailWindow,
    pub max: u32,
    pub when_full: WhenFull,
    /// Name of the counter.
    pub subject: String,
}

/// The limits on a mail, in the order in which they are counted: what its sender has used up, costs nobody else.
pub fn limits(cause: &Cause<'_>, to: &Email, budget: Budget) -> Vec<Limit> {
    match cause {
        Cause::SignIn { client } => links(*client, to, budget),
        Cause::Invitation(requester) | Cause::Confirmation(requester) => {
            requested(requester, to, budget)
        }
        Cause::Notification(reader) | Cause::Digest(reader) => notifications(reader, budget),
        Cause::AccountLink { team, user } => account_links(team, user, budget),
        Cause::Security => {
            of_deployment(budget, 100).map(|it| Limit { when_full: WhenFull::Send, ..it }).into()
        }
    }
}

/// The limits on mails to an address that are given back when a link is used.
pub(crate) fn links_to(to: &Email) -> [Limit; 3] {
    let subject = format!("links#mail#{}", to.hash());
    let limit = |window, max, when_full, subject: &str| Limit {
        counts: Counts::Recipient,
        window,
        max,
        when_full,
        subject: subject.to_owned(),
    };
    let slow = format!("{subject}#slow");
    [
        limit(MailWindow::TenMinutes, LINKS_TO_RECIPIENT, WhenFull::EarlierLink, &subject),
        limit(MailWindow::Day, LINKS_TO_RECIPIENT_A_DAY, WhenFull::Next, &subject),
        limit(MailWindow::TenMinutes, 1, WhenFull::EarlierLink, &slow),
    ]
}

fn links(client: IpAddr, to: &Email, budget: Budget) -> Vec<Limit> {
    let network = Network::from(client);
    let mut limits = of_client("links", client, LINKS_OF_NETWORK, LINKS_OF_BLOCK);
    limits.push(refusing(
        Counts::RecipientByNetwork,
        MailWindow::TenMinutes,
        LINKS_BY_NETWORK,
        format!("links#mail#{}#{network}", to.hash()),
    ));
    limits.extend(links_to(to));
    limits.extend(of_deployment(budget, 100));
    limits
}

fn requested(requester: &Requester<'_>, to: &Email, budget: Budget) -> Vec<Limit> {
    let Requester { team, tier, person, client } = *requester;
    let mut limits = Vec::new();
    for window in [MailWindow::TenMinutes, MailWindow::Day] {
        let max = match window {
            MailWindow::TenMinutes => REQUESTED,
            MailWindow::Hour | MailWindow::Day => requested_a_day(tier),
        };
        limits.push(refusing(Counts::Team, window, max, format!("requested#team#{team}")));
        if let Some(person) = person {
            let subject = format!("requested#user#{person}");
            limits.push(refusing(Counts::Person, window, max, subject));
        }
    }
    let (network_a_day, block_a_day) = match tier {
        Tier::Free => REQUESTED_OF_FREE_NETWORK,
        // Paying teams are known.
        Tier::Starter | Tier::Professional | Tier::Enterprise => (u32::MAX, u32::MAX),
    };
    let (network, block) = ((REQUESTED, network_a_day), (REQUESTED_OF_BLOCK, block_a_day));
    limits.extend(of_client("requested", client, network, block));
    let subject = format!("requested#mail#{}", to.hash());
    let (soon, a_day) = REQUESTED_TO_RECIPIENT;
    for (window, max) in [(MailWindow::TenMinutes, soon), (MailWindow::Day, a_day)] {
        limits.push(refusing(Counts::Recipient, window, max, subject.clone()));
    }
    limits.extend(share("requested", budget, SHARE_OF_REQUESTED));
    limits.extend(of_deployment(budget, SHARE_WITHOUT_SIGN_IN));
    limits
}

fn notifications(reader: &Reader<'_>, budget: Budget) -> Vec<Limit> {
    let Reader { team, owner } = reader;
    let (window, max) = (MailWindow::Day, MAX_NOTIFICATIONS_A_DAY);
    let subject = format!("notifications#team#{team}");
    let mut limits = vec![refusing(Counts::Team, window, max, subject)];
    if let Some(user) = owner.user() {
        let subject = format!("notifications#user#{user}");
        limits.push(refusing(Counts::Person, window, max, subject));
    }
    limits.extend(share("notifications", budget, SHARE_OF_NOTIFICATIONS));
    limits.extend(of_deployment(budget, SHARE_WITHOUT_SIGN_IN));
    limits
}

/// Sign-ins of others with single sign-on do not use up the member's sign-in links.
fn account_links(team: &TeamId, user: &str, budget: Budget) -> Vec<Limit> {
    let subject = format!("account-links#{team}#{user}");
    let (soon, a_day) = ACCOUNT_LINKS;
    let mut limits: Vec<Limit> = [(MailWindow::TenMinutes, soon), (MailWindow::Day, a_day)]
        .map(|(window, max)| refusing(Counts::Person, window, max, subject.clone()))
        .into();
    limits.extend(of_deployment(budget, SHARE_WITHOUT_SIGN_IN));
    limits
}

/// The limits of a client's network and of the block around it: in 10 minutes, and on a day.
fn of_client(kinds: &str, client: IpAddr, network: (u32, u32), block: (u32, u32)) -> Vec<Limit> {
    let small = Network::from(client);
    let counted = [(Counts::Network, small, network), (Counts::Block, small.block(), block)];
    let mut limits = Vec::new();
    for (counts, network, (soon, a_day)) in counted {
        for (window, max) in [(MailWindow::TenMinutes, soon), (MailWindow::Day, a_day)] {
            // The network and its block are never the same: the one has no prefix, or a longer one.
            let subject = format!("{kinds}#address#{network}");
            limits.push(refusing(counts, window, max, subject));
        }
    }
    limits.retain(|it| it.max < u32::MAX);
    limits
}

fn share(kinds: &str, budget: Budget, percent: u32) -> [Limit; 2] {
    of_all(Counts::Share, format!("all#{kinds}"), budget, percent)
}

fn of_deployment(budget: Budget, percent: u32) -> [Limit; 2] {
    of_all(Counts::Deployment, "all".to_owned(), budget, percent)
}

/// One counter of the deployment is enough: DynamoDB makes 1,000 changes of an item in a second.
fn of_all(counts: Counts, subject: String, budget: Budget, percent: u32) -> [Limit; 2] {
    let part = |all: u32| u32::try_from(u64::from(all) * u64::from(percent) / 100).unwrap_or(all);
    [(MailWindow::Hour, budget.per_hour), (MailWindow::Day, budget.per_day)]
        .map(|(window, all)| refusing(counts, window, part(all), subject.clone()))
}

fn refusing(counts: Counts, window: MailWindow, max: u32, subject: String) -> Limit {
    Limit { counts, window, max, when_full: WhenFull::Refuse, subject }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const TEAM: &str = "a-team";

    fn eva() -> Email {
        "eva@example.ch".parse().expect("an address")
    }

    /// What the limits on a kind of mail count, for a Free team.
    fn counted(kind: MailKind) -> String {
        let (team, owner) = (TeamId(TEAM.to_owned()), Owner::User("eva".to_owned()));
        let client = "192.0.2.7".parse().expect("an address");
        let requester = Requester { team: &team, tier: Tier::Free, person: Some("eva"), client };
        let reader = Reader { team: &team, owner: &owner };
        let cause = match kind {
            MailKind::SignIn => Cause::SignIn { client },
            MailKind::Invitation => Cause::Invitation(requester),
            MailKind::Confirmation => Cause::Confirmation(requester),
            MailKind::Notification => Cause::Notification(reader),
            MailKind::Digest => Cause::Digest(reader),
            MailKind::AccountLink => Cause::AccountLink { team: &team, user: "eva" },
            MailKind::Security => Cause::Security,
        };
        assert_eq!(cause.kind(), kind);
        let budget = Budget { per_hour: 100, per_day: 1_000 };
        let limits = limits(&cause, &eva(), budget);
        let counters: BTreeSet<_> = limits.iter().map(|it| (&it.subject, it.window)).collect();
        assert_eq!(counters.len(), limits.len(), "two limits with one counter: {limits:?}");
        let described = limits.iter().map(|it| {
            let Limit { counts, window, max, .. } = it;
            format!("{counts:?} {max} in {}", window.name())
        });
        described.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn each_kind_of_mail_has_the_limits_in_this_table() {
        let deployment =
            "Share 20 in 1h, Share 200 in 1d, Deployment 70 in 1h, Deployment 700 in 1d";
        let requested = format!(
            "Team 20 in 10m, Person 20 in 10m, Team 20 in 1d, Person 20 in 1d, Network 20 in 10m, \
             Network 60 in 1d, Block 60 in 10m, Block 180 in 1d, Recipient 5 in 10m, \
             Recipient 20 in 1d, {deployment}"
        );
        let notifications = "Team 500 in 1d, Person 500 in 1d, Share 50 in 1h, Share 500 in 1d, \
                             Deployment 70 in 1h, Deployment 700 in 1d";
        let links = "Network 20 in 10m, Network 500 in 1d, Block 60 in 10m, Block 1500 in 1d, \
                     RecipientByNetwork 5 in 10m, Recipient 10 in 10m, Recipient 50 in 1d, \
                     Recipient 1 in 10m, Deployment 100 in 1h, Deployment 1000 in 1d";
        for kind in MailKind::ALL {
            let expected = match kind {
                MailKind::SignIn => links,
                MailKind::Invitation | MailKind::Confirmation => &requested,
                MailKind::Notification | MailKind::Digest => notifications,
                MailKind::AccountLink => {
                    "Person 5 in 10m, Person 20 in 1d, Deployment 70 in 1h, Deployment 700 in 1d"
                }
                MailKind::Security => "Deployment 100 in 1h, Deployment 1000 in 1d",
            };
            assert_eq!(counted(kind), expected, "{kind:?}");
        }
    }

    #[test]
    fn what_others_cause_counts_nothing_of_what_a_person_needs_to_sign_in() {
        let team = TeamId(TEAM.to_owned());
        let client = "2001:db8::1".parse().expect("an address");
        let requester = Requester { team: &team, tier: Tier::Enterprise, person: None, client };
        let counters = |cause: Cause<'_>| -> BTreeSet<String> {
            let limits = limits(&cause, &eva(), Budget::default()).into_iter();
            limits.filter(|it| it.counts != Counts::Deployment).map(|it| it.subject).collect()
        };
        let links = counters(Cause::SignIn { client });
        assert!(links.is_disjoint(&counters(Cause::Invitation(requester))), "{links:?}");
        assert!(links.is_disjoint(&counters(Cause::Confirmation(requester))), "{links:?}");
    }

    #[test]
    fn a_higher_tier_never_has_a_lower_limit() {
        assert!(Tier::ALL.map(requested_a_day).is_sorted());
    }
}
