//! Which limits count for each kind of mail. All numbers are here.

use std::net::IpAddr;

use access::{Network, Tier};
use auth::{Caller, Creator, Email, Entitlement, Owner, TeamId};
use store::{MailWindow, Subject};
use teams::MailKind;

use crate::mail::Budget;

/// Sign-in links that one network asks for in 10 minutes, and on a day.
const LINKS_OF_NETWORK: (u32, u32) = (20, 500);
/// The same for an IPv4 /24 or an IPv6 /48.
const LINKS_OF_BLOCK: (u32, u32) = (60, 1_500);
/// Sign-in links to one address that one network asks for in 10 minutes.
const LINKS_BY_NETWORK: u32 = 5;
/// Sign-in links to one address in 10 minutes, from all requesters.
const LINKS_TO_RECIPIENT: u32 = 10;
/// Sign-in links to one address on a day. Above it, there is one in 10 minutes, as above the limits of the requester's network.
const LINKS_TO_RECIPIENT_A_DAY: u32 = 50;

/// Invitations and questions that one team, one person or one network causes in 10 minutes.
const REQUESTED: u32 = 20;
/// The same for an IPv4 /24 or an IPv6 /48.
const REQUESTED_OF_BLOCK: u32 = 60;
/// The same for Free teams, of a network and of such a block, on a day.
const REQUESTED_OF_FREE_NETWORK: (u32, u32) = (60, 180);
/// Invitations and questions to one address in 10 minutes, and on a day.
const REQUESTED_TO_RECIPIENT: (u32, u32) = (5, 20);

/// Maximum number of mails with notifications that a team, a person in all teams, and an address get on one day (UTC): a digest
/// for each of the 200 members of a team, and 300 more. The Free teams of one creator are one team.
pub const MAX_NOTIFICATIONS_A_DAY: u32 = 500;

/// Questions to a member whether an account is theirs, in 10 minutes, and on a day.
const ACCOUNT_LINKS: (u32, u32) = (5, 20);

/// The parts of the deployment's mails, in percent, that invitations and questions, and notifications may use.
const SHARE_OF_REQUESTED: u32 = 20;
const SHARE_OF_NOTIFICATIONS: u32 = 50;
/// The part that all Free teams may use for these, so that enough is left for teams that pay.
const SHARE_OF_FREE: u32 = 20;
/// The part that sign-in links to addresses without an account may use. With [`SHARE_WITHOUT_SIGN_IN`], it leaves 15 % to those who
/// have one.
const SHARE_OF_NEW: u32 = 15;
/// The part of all mails, in percent, above which only sign-in links and announcements are sent.
const SHARE_WITHOUT_SIGN_IN: u32 = 70;

/// The counter of all mails of the deployment.
pub(crate) const ALL: &str = "all";

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
#[derive(Clone, Debug)]
pub enum Cause<'a> {
    /// A client without a token asks for a sign-in link.
    SignIn {
        client: IpAddr,
        /// Whether the address belongs to a user. What others request never stops these mails.
        has_account: bool,
    },
    Invitation(Requester),
    Confirmation(Requester),
    Notification(Reader),
    Digest(Reader),
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
#[derive(Clone, Debug)]
pub struct Requester {
    /// The team, or all Free teams of its creator.
    pub teams: Subject,
    pub tier: Tier,
    /// Who is responsible for the request. `None`: the operator.
    pub person: Option<Creator>,
    pub client: IpAddr,
}

impl Requester {
    /// The caller of a request from this address.
    pub fn of(caller: &Caller, client: IpAddr) -> Self {
        let (teams, person) = (Subject::of(caller), caller.responsible());
        Self { teams, tier: caller.tier(), person, client }
    }
}

/// Whose notifications a mail contains.
#[derive(Clone, Debug)]
pub struct Reader {
    /// The team, or all Free teams of its creator.
    pub teams: Subject,
    pub tier: Tier,
    /// The user who gets them. Of the notifications of API keys: the creator of the team. `None`: the operator.
    pub person: Option<Creator>,
}

impl Reader {
    /// The owner of notifications of a team.
    pub fn of(team: &TeamId, entitlement: &Entitlement, owner: &Owner) -> Self {
        let creator = || entitlement.creator.clone();
        let person = owner.user().map(Creator::user).or_else(creator);
        Self { teams: Subject::of_team(team, entitlement), tier: entitlement.tier, person }
    }
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
    /// Mails of a team, or of all Free teams that one user has created.
    Team,
    /// Mails of a person in all teams, also with API keys.
    Person,
    /// Mails to an address that one network asks for.
    RecipientByNetwork,
    /// Mails to an address, from all senders.
    Recipient,
    /// The same above another limit that says [`WhenFull::Slower`]. Counts nothing below it.
    RecipientSlowly,
    /// Mails of these kinds, or of these senders, of the whole deployment.
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
    /// Nothing is sent to an address without an account. Its sender does not learn whether it has one.
    NothingSent,
    /// [`Counts::RecipientSlowly`] decides.
    Slower,
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
        Cause::SignIn { client, has_account } => links(*client, *has_account, to, budget),
        Cause::Invitation(requester) | Cause::Confirmation(requester) => {
            requested(requester, to, budget)
        }
        Cause::Notification(reader) | Cause::Digest(reader) => notifications(reader, to, budget),
        Cause::AccountLink { team, user } => account_links(team, user, budget),
        Cause::Security => {
            of_deployment(budget, 100).map(|it| Limit { when_full: WhenFull::Send, ..it }).into()
        }
    }
}

/// The limits on mails to an address that are given back when a link is used.
pub(crate) fn links_to(to: &Email) -> [Limit; 3] {
    let subject = format!("links#mail#{}", to.mailbox_hash());
    let (soon, day) = (MailWindow::TenMinutes, MailWindow::Day);
    let slow = format!("{subject}#slow");
    let (of_ten, of_day) = (LINKS_TO_RECIPIENT, LINKS_TO_RECIPIENT_A_DAY);
    [
        refusing(Counts::Recipient, soon, of_ten, subject.clone()).or(WhenFull::EarlierLink),
        refusing(Counts::Recipient, day, of_day, subject).or(WhenFull::Slower),
        refusing(Counts::RecipientSlowly, soon, 1, slow).or(WhenFull::EarlierLink),
    ]
}

/// What a client learns does not depend on whether the address has an account.
fn links(client: IpAddr, has_account: bool, to: &Email, budget: Budget) -> Vec<Limit> {
    let network = Network::from(client);
    let mut limits = vec![refusing(
        Counts::RecipientByNetwork,
        MailWindow::TenMinutes,
        LINKS_BY_NETWORK,
        format!("links#mail#{}#{network}", to.mailbox_hash()),
    )];
    let when_full = if has_account { WhenFull::Slower } else { WhenFull::NothingSent };
    let of_client = of_client("links", client, LINKS_OF_NETWORK, LINKS_OF_BLOCK);
    limits.extend(of_client.into_iter().map(|it| it.or(when_full)));
    limits.extend(links_to(to));
    if !has_account {
        let share = share("new-addresses", budget, SHARE_OF_NEW);
        limits.extend(share.map(|it| it.or(WhenFull::NothingSent)));
    }
    limits.extend(of_deployment(budget, 100));
    limits
}

fn requested(requester: &Requester, to: &Email, budget: Budget) -> Vec<Limit> {
    let Requester { teams, tier, person, client } = requester;
    let tier = *tier;
    let mut limits = Vec::new();
    for window in [MailWindow::TenMinutes, MailWindow::Day] {
        let max = match window {
            MailWindow::TenMinutes => REQUESTED,
            MailWindow::Hour | MailWindow::Day => requested_a_day(tier),
        };
        limits.push(refusing(Counts::Team, window, max, format!("requested#{teams}")));
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
    limits.extend(of_client("requested", *client, network, block));
    let subject = format!("requested#mail#{}", to.mailbox_hash());
    let (soon, a_day) = REQUESTED_TO_RECIPIENT;
    for (window, max) in [(MailWindow::TenMinutes, soon), (MailWindow::Day, a_day)] {
        limits.push(refusing(Counts::Recipient, window, max, subject.clone()));
    }
    limits.extend(share_of_free(tier, budget));
    limits.extend(share("requested", budget, SHARE_OF_REQUESTED));
    limits.extend(of_deployment(budget, SHARE_WITHOUT_SIGN_IN));
    limits
}

fn notifications(reader: &Reader, to: &Email, budget: Budget) -> Vec<Limit> {
    let Reader { teams, tier, person } = reader;
    let limit = |counts, of: String| {
        refusing(counts, MailWindow::Day, MAX_NOTIFICATIONS_A_DAY, format!("notifications#{of}"))
    };
    let mut limits = vec![limit(Counts::Team, teams.to_string())];
    limits.extend(person.as_ref().map(|it| limit(Counts::Person, format!("user#{it}"))));
    limits.push(limit(Counts::Recipient, format!("mail#{}", to.mailbox_hash())));
    limits.extend(share_of_free(*tier, budget));
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

/// The limits of all Free teams together. None for other teams.
fn share_of_free(tier: Tier, budget: Budget) -> Vec<Limit> {
    match tier {
        Tier::Free => share("free", budget, SHARE_OF_FREE).into(),
        Tier::Starter | Tier::Professional | Tier::Enterprise => Vec::new(),
    }
}

fn share(kinds: &str, budget: Budget, percent: u32) -> [Limit; 2] {
    of_all(Counts::Share, format!("all#{kinds}"), budget, percent)
}

fn of_deployment(budget: Budget, percent: u32) -> [Limit; 2] {
    of_all(Counts::Deployment, ALL.to_owned(), budget, percent)
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

impl Limit {
    /// The same limit, with something else that happens above it.
    fn or(self, when_full: WhenFull) -> Self {
        Self { when_full, ..self }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const TEAM: &str = "a-team";

    fn eva() -> Email {
        "eva@example.ch".parse().expect("an address")
    }

    /// A team that a user has created.
    fn created(tier: Tier) -> Entitlement {
        Entitlement { tier, creator: Some(Creator::user("eva")) }
    }

    /// What the limits on a kind of mail count, for a Free team.
    fn counted(kind: MailKind, has_account: bool) -> String {
        let (team, free) = (TeamId(TEAM.to_owned()), created(Tier::Free));
        let client = "192.0.2.7".parse().expect("an address");
        let teams = Subject::of_team(&team, &free);
        let person = free.creator.clone();
        let requester = Requester { teams, tier: Tier::Free, person, client };
        let reader = Reader::of(&team, &free, &Owner::ApiKeys);
        let cause = match kind {
            MailKind::SignIn => Cause::SignIn { client, has_account },
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
        let deployment = "Share 20 in 1h, Share 200 in 1d, Share 20 in 1h, Share 200 in 1d, \
                          Deployment 70 in 1h, Deployment 700 in 1d";
        let requested = format!(
            "Team 20 in 10m, Person 20 in 10m, Team 20 in 1d, Person 20 in 1d, Network 20 in 10m, \
             Network 60 in 1d, Block 60 in 10m, Block 180 in 1d, Recipient 5 in 10m, \
             Recipient 20 in 1d, {deployment}"
        );
        let notifications = "Team 500 in 1d, Person 500 in 1d, Recipient 500 in 1d, \
                             Share 20 in 1h, Share 200 in 1d, Share 50 in 1h, Share 500 in 1d, \
                             Deployment 70 in 1h, Deployment 700 in 1d";
        let by_all = "RecipientByNetwork 5 in 10m, Network 20 in 10m, Network 500 in 1d, \
                      Block 60 in 10m, Block 1500 in 1d, Recipient 10 in 10m, Recipient 50 in 1d, \
                      RecipientSlowly 1 in 10m, ";
        let all = "Deployment 100 in 1h, Deployment 1000 in 1d";
        let links = format!("{by_all}Share 15 in 1h, Share 150 in 1d, {all}");
        assert_eq!(counted(MailKind::SignIn, true), format!("{by_all}{all}"));
        for kind in MailKind::ALL {
            let expected = match kind {
                MailKind::SignIn => &links,
                MailKind::Invitation | MailKind::Confirmation => &requested,
                MailKind::Notification | MailKind::Digest => notifications,
                MailKind::AccountLink => {
                    "Person 5 in 10m, Person 20 in 1d, Deployment 70 in 1h, Deployment 700 in 1d"
                }
                MailKind::Security => "Deployment 100 in 1h, Deployment 1000 in 1d",
            };
            assert_eq!(counted(kind, false), expected, "{kind:?}");
        }
    }

    #[test]
    fn what_others_cause_counts_nothing_of_what_a_person_needs_to_sign_in() {
        let teams = Subject::Team(TeamId(TEAM.to_owned()));
        let client = "2001:db8::1".parse().expect("an address");
        let requester = Requester { teams, tier: Tier::Enterprise, person: None, client };
        let counters = |cause: Cause<'_>| -> BTreeSet<String> {
            let limits = limits(&cause, &eva(), Budget::default()).into_iter();
            limits.filter(|it| it.counts != Counts::Deployment).map(|it| it.subject).collect()
        };
        let links = counters(Cause::SignIn { client, has_account: true });
        let requested = Cause::Invitation(requester.clone());
        assert!(links.is_disjoint(&counters(requested)), "{links:?}");
        assert!(links.is_disjoint(&counters(Cause::Confirmation(requester))), "{links:?}");
        // Requests by others make links rarer, at most one in ten minutes to an address: one that works is always there.
        let sign_in = Cause::SignIn { client, has_account: true };
        for limit in limits(&sign_in, &eva(), Budget::default()) {
            let is_own = match limit.counts {
                Counts::RecipientByNetwork | Counts::Deployment => true,
                _ => matches!(limit.when_full, WhenFull::Slower | WhenFull::EarlierLink),
            };
            assert!(is_own, "{limit:?}");
        }
    }

    /// What a creator, and everybody with Free teams, causes: never more than these, whatever the number of teams.
    #[test]
    fn the_mails_of_a_free_team_count_for_its_creator_and_for_all_free_teams() {
        let counters = |team: &str, tier| -> BTreeSet<String> {
            let (team, entitlement) = (TeamId(team.to_owned()), created(tier));
            let reader = Reader::of(&team, &entitlement, &Owner::ApiKeys);
            let notified = limits(&Cause::Notification(reader), &eva(), Budget::default());
            notified.into_iter().map(|it| it.subject).collect()
        };
        assert_eq!(counters("one", Tier::Free), counters("two", Tier::Free));
        assert!(counters("one", Tier::Free).contains("all#free"));
        let paid = counters("one", Tier::Starter);
        assert!(paid.contains("notifications#team#one") && !paid.contains("all#free"), "{paid:?}");
    }

    #[test]
    fn the_shares_leave_mails_to_those_who_sign_in_with_an_account() {
        const { assert!(SHARE_WITHOUT_SIGN_IN + SHARE_OF_NEW < 100) };
        const { assert!(SHARE_OF_FREE < SHARE_OF_NOTIFICATIONS) };
    }

    #[test]
    fn a_higher_tier_never_has_a_lower_limit() {
        assert!(Tier::ALL.map(requested_a_day).is_sorted());
    }
}
