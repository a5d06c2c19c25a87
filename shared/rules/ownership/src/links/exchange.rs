//! Links from disclosures of significant shareholdings to the stock exchange.

use domain::{Provenance, Uid, statements::six::Shareholding};

use crate::{Link, LinkKind, Party, Percent, Share, UnknownShare};

/// Confidence in a disclosed share. The rate also contains rights to buy shares, which give no votes yet.
const CONFIDENCE: f64 = 0.8;

/// The link from a significant shareholder to the listed company. The caller names the holder, because the disclosure
/// does not state whether it is a person or a legal entity.
pub fn of_shareholding(
    listed: Uid,
    holder: Party,
    disclosure: &Shareholding,
    source: &Provenance,
) -> Link {
    // The exchange writes 0 if the holding fell below no threshold.
    let is_below = disclosure.below_threshold.is_some_and(|it| it > 0.0);
    let share = match disclosure.purchase_rate.and_then(Percent::new) {
        _ if is_below => Share::Unknown(UnknownShare::BelowThreshold),
        Some(percent) => Share::Known(percent),
        None => Share::Unknown(UnknownShare::NotStated),
    };
    Link {
        owner: holder,
        owned: Party::Company(listed),
        kind: LinkKind::VotingRights,
        share,
        since: disclosure.transaction,
        source: source.clone(),
        confidence: CONFIDENCE,
    }
}

/// The names of the holders of a disclosure: its beneficial owners, or else its direct shareholders.
pub fn holders(disclosure: &Shareholding) -> &[String] {
    match disclosure.beneficial_owners.as_slice() {
        [] => &disclosure.shareholders,
        owners => owners,
    }
}

/// The [`holders`] of a disclosure together as a party of unknown nature, with its name. `None` if the disclosure names nobody.
pub fn unidentified_holder(listed: Uid, disclosure: &Shareholding) -> Option<(Party, String)> {
    let mut names = holders(disclosure).to_vec();
    names.sort_unstable();
    let name = names.join(", ");
    (!name.is_empty()).then(|| (Party::unidentified_named(&name, listed), name))
}
