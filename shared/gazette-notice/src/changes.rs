//! What a notice states of the company itself.

use domain::{Amount, Uid};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::{date, markup::Plain, sentences::Sentence};

mod affairs;
mod members;
mod parties;

/// Something that becomes of a company.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Change {
    /// Entered in the register for the first time.
    NewEntry,
    ReEntry,
    Deletion,
    Name {
        to: String,
    },
    LegalForm {
        to: String,
    },
    Seat {
        to: Option<String>,
        from: Option<String>,
    },
    Address {
        to: String,
    },
    Purpose {
        to: String,
    },
    Capital {
        capital: CapitalKind,
        currency: Option<String>,
        to: Amount,
        from: Option<Amount>,
    },
    /// The limited audit is waived, or no more.
    OptingOut {
        waived: bool,
    },
    Combination {
        combination: Combination,
        party: Party,
    },
    Proceeding {
        affair: Affair,
        proceeding: Proceeding,
    },
    Statutes {
        on: Date,
    },
    /// Corrects or supplements an earlier notice.
    Correction,
}

/// Which capital a change is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CapitalKind {
    /// Of a company limited by shares.
    Shares,
    /// Of a limited liability company.
    Quotas,
    Participation,
    /// As much of the capital as is paid in.
    Paid,
    /// As much of the participation capital as is paid in.
    PaidParticipation,
}

/// How two companies become one, or parts of one another's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Combination {
    /// The company takes the other one over.
    TakesOver,
    /// The other one takes the company over.
    IsTakenOverBy,
    Demerger,
    /// Assets go to the other company, or come from it.
    AssetTransfer,
}

/// The other company of a combination, as the notice names it.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Party {
    pub name: String,
    pub uid: Option<Uid>,
    pub seat: Option<String>,
}

/// What ends a company.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Affair {
    Liquidation,
    /// For a lack in its organisation (OR 731b) or of a domicile (153b of the ordinance).
    OrganisationalDefect,
    Bankruptcy,
    Moratorium,
}

/// How far it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Proceeding {
    Opened,
    /// Undone: the company goes on.
    Revoked,
    /// For want of assets.
    Suspended,
    Resumed,
    Closed,
}

/// An earlier notice, as a later one names it.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    pub date: Option<Date>,
    /// The number of the publication, from 2001 on.
    pub publication: Option<u64>,
}

/// Every change that the notice states, in order.
pub(super) fn changes(plain: &Plain, sentences: &[Sentence<'_>]) -> Vec<Change> {
    let mut found = Vec::new();
    let mut head = true;
    for sentence in sentences {
        match members::member(sentence.label) {
            Some(member) => members::labelled(member, sentence.text, &mut found),
            None if sentence.label.is_empty() => {
                if head {
                    opening(sentence.text, &mut found);
                }
                affairs::sentence(sentence.text, &mut found);
            }
            None => {}
        }
        head = false;
    }
    // Old notices mark what is new, in prose too.
    if let Some(to) = &plain.new_name
        && !found.iter().any(|it| matches!(it, Change::Name { .. }))
    {
        found.push(Change::Name { to: to.clone() });
    }
    if let Some(to) = &plain.new_seat
        && !found.iter().any(|it| matches!(it, Change::Seat { to: Some(_), .. }))
    {
        found.push(Change::Seat { to: Some(to.clone()), from: plain.seat.clone() });
    }
    join_seats(&mut found);
    // A conversion and the new form are one change, said twice.
    let mut forms = 0;
    found.retain(|it| {
        forms += usize::from(matches!(it, Change::LegalForm { .. }));
        forms < 2 || !matches!(it, Change::LegalForm { .. })
    });
    found
}

/// What the first sentence says beside the name: a new entry, a move from elsewhere.
fn opening(text: &str, found: &mut Vec<Change>) {
    let moved = [
        "bisher in ",
        "Sitz: [bisher: ",
        "précédemment à ",
        "jusqu'ici à ",
        "finora in ",
        "finora a ",
    ];
    if let Some(from) = moved.iter().find_map(|it| Some(&text[text.find(it)? + it.len()..])) {
        let end = from.find([',', ']', '(']).unwrap_or(from.len());
        let from = from[..end].trim();
        found.push(Change::Seat { to: None, from: (!from.is_empty()).then(|| from.to_owned()) });
    }
}

/// A seat's two ends may be told in two places.
fn join_seats(found: &mut Vec<Change>) {
    let start = found.iter().find_map(|it| match it {
        Change::Seat { to: None, from } => Some(from.clone()),
        _ => None,
    });
    let Some(start) = start else { return };
    let has_end = found.iter().any(|it| matches!(it, Change::Seat { to: Some(_), .. }));
    if !has_end {
        return;
    }
    found.retain(|it| !matches!(it, Change::Seat { to: None, .. }));
    let seat = found.iter_mut().find_map(|it| match it {
        Change::Seat { from, .. } => Some(from),
        _ => None,
    });
    if let Some(from) = seat {
        *from = from.take().or(start);
    }
}

/// The notice before: `(SHAB Nr. 2 vom 06.01.2026, Publ. 1006529604)`, `(FOSC du 25.03.2026, p. 0/1006606590)`.
pub(super) fn previous(text: &str) -> Option<Reference> {
    let (at, name) = ["(SHAB ", "(FOSC ", "(FUSC "]
        .iter()
        .filter_map(|it| text.find(it).map(|at| (at, it)))
        .min_by_key(|(at, _)| *at)?;
    let inner = &text[at + name.len()..];
    let inner = &inner[..inner.find(')').unwrap_or(inner.len())];
    let day =
        ["vom ", "du ", "del "].iter().find_map(|it| date(&inner[inner.find(it)? + it.len()..]));
    let number =
        ["Publ. ", "Pubbl. ", "pubbl. ", "publ. ", "p. 0/", "S. 0/", "pag. 0/", "pagina 0/"]
            .iter()
            .find_map(|it| Some(&inner[inner.find(it)? + it.len()..]));
    let digits = number.map(|it| &it[..it.bytes().take(12).take_while(u8::is_ascii_digit).count()]);
    Some(Reference { date: day, publication: digits.and_then(|it| it.parse().ok()) })
}
