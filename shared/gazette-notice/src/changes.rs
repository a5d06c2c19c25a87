//! The changes that a notice states about the company itself.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::{CompanyNumber, Decimal, date, markup::PlainText, sentences::Sentence};

mod labels;
mod parties;
mod prose;

/// A change to a company. `to` is the new value, `from` the former one if the notice states it.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Change {
    /// Entered in the register for the first time.
    NewEntry,
    /// Entered again after a deletion.
    ReEntry,
    /// Deleted from the register.
    Deletion,
    Name {
        to: String,
    },
    LegalForm {
        to: String,
    },
    /// A move. `to` is absent if the notice states only the former seat.
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
    /// `currency` is an ISO 4217 code. Absent if the text has none.
    Capital {
        capital: CapitalKind,
        currency: Option<String>,
        to: Decimal,
        from: Option<Decimal>,
    },
    /// The company waives the limited audit, or revokes its waiver (`waived: false`).
    OptingOut {
        waived: bool,
    },
    /// A merger, demerger or asset transfer with another company.
    Combination {
        combination: Combination,
        party: Party,
    },
    /// A step of a liquidation, bankruptcy or moratorium.
    Proceeding {
        proceeding: ProceedingKind,
        stage: ProceedingStage,
    },
    /// The articles of association, as amended on this date.
    Statutes {
        on: Date,
    },
    /// The notice corrects or supplements an earlier one.
    Correction,
}

/// The capital that a change is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CapitalKind {
    /// Share capital of a company limited by shares.
    Shares,
    /// Nominal capital of a limited liability company.
    Quotas,
    /// Participation capital: shares without voting rights.
    Participation,
    /// Paid-in part of the share capital or nominal capital.
    Paid,
    /// Paid-in part of the participation capital.
    PaidParticipation,
}

/// How two companies merge, or transfer assets to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Combination {
    /// The company takes over the other one.
    TakesOver,
    /// The other company takes over this one.
    IsTakenOverBy,
    /// A part of one company goes to the other.
    Demerger,
    /// Assets go to the other company or come from it.
    AssetTransfer,
}

/// The other company of a combination, as named in the notice.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Party {
    pub name: String,
    pub uid: Option<CompanyNumber>,
    pub seat: Option<String>,
}

/// A proceeding that ends a company or protects it from its creditors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ProceedingKind {
    Liquidation,
    /// Dissolution for a defect in the organisation (art. 731b of the Code of Obligations) or a missing
    /// domicile (art. 153b of the Commercial Register Ordinance).
    OrganisationalDefect,
    Bankruptcy,
    /// Debt-restructuring moratorium.
    Moratorium,
}

/// The stage of a proceeding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ProceedingStage {
    Opened,
    /// Cancelled: the company continues.
    Revoked,
    /// Suspended for lack of assets.
    Suspended,
    Resumed,
    Closed,
}

/// A reference to an earlier notice.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    /// Publication date.
    pub date: Option<Date>,
    /// Publication number. Absent in references to notices before 2001.
    pub publication: Option<u64>,
}

/// All changes that the notice states.
pub(super) fn changes(plain: &PlainText, sentences: &[Sentence<'_>]) -> Vec<Change> {
    let mut found = Vec::new();
    let mut is_first = true;
    for sentence in sentences {
        match labels::label(sentence.label) {
            Some(label) => labels::read_labelled(label, sentence.text, &mut found),
            None if sentence.label.is_empty() => {
                if is_first {
                    read_first_sentence(sentence.text, &mut found);
                }
                prose::read_sentence(sentence.text, &mut found);
            }
            None => {}
        }
        is_first = false;
    }
    // Old notices mark the new name and seat, which may be in prose.
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
    merge_seat_changes(&mut found);
    // A conversion may be stated twice: as `Umwandlung` and as `Rechtsform neu`.
    let mut legal_forms = 0;
    found.retain(|it| {
        legal_forms += usize::from(matches!(it, Change::LegalForm { .. }));
        legal_forms < 2 || !matches!(it, Change::LegalForm { .. })
    });
    found
}

/// Reads the former seat from the first sentence: `Muster AG, bisher in Bern`.
fn read_first_sentence(text: &str, found: &mut Vec<Change>) {
    let former_seat = [
        "bisher in ",
        "Sitz: [bisher: ",
        "précédemment à ",
        "jusqu'ici à ",
        "finora in ",
        "finora a ",
    ];
    if let Some(from) = former_seat.iter().find_map(|it| Some(&text[text.find(it)? + it.len()..])) {
        let end = from.find([',', ']', '(']).unwrap_or(from.len());
        let from = from[..end].trim();
        found.push(Change::Seat { to: None, from: (!from.is_empty()).then(|| from.to_owned()) });
    }
}

/// Merges the former seat of the first sentence into the change that states the new seat.
fn merge_seat_changes(found: &mut Vec<Change>) {
    let former = found.iter().find_map(|it| match it {
        Change::Seat { to: None, from } => Some(from.clone()),
        _ => None,
    });
    let Some(former) = former else { return };
    let has_new_seat = found.iter().any(|it| matches!(it, Change::Seat { to: Some(_), .. }));
    if !has_new_seat {
        return;
    }
    found.retain(|it| !matches!(it, Change::Seat { to: None, .. }));
    let seat = found.iter_mut().find_map(|it| match it {
        Change::Seat { from, .. } => Some(from),
        _ => None,
    });
    if let Some(from) = seat {
        *from = from.take().or(former);
    }
}

/// Reads the reference to the previous notice: `(SHAB Nr. 2 vom 06.01.2026, Publ. 1006529604)`, `(FOSC du 25.03.2026, p. 0/1006606590)`.
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
