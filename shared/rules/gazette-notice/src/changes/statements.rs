//! The types of the changes.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::{CompanyNumber, Decimal};

/// A change to a company. `to` is the new value, `from` the former one if the notice states it.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Change {
    /// Entered in the register for the first time.
    NewEntry,
    /// Entered again after a deletion. `on` is the date of the decision.
    ReEntry {
        in_liquidation: bool,
        on: Option<Date>,
    },
    /// Deleted from the register. `on` is the date of the decision.
    Deletion {
        cause: Option<DeletionCause>,
        on: Option<Date>,
    },
    /// Deleted from the register of its former seat, because it moved. In Switzerland, it stays registered (art. 124 of
    /// the Commercial Register Ordinance); `abroad`, its registration ends.
    Departure {
        to: Option<String>,
        abroad: bool,
    },
    /// The company loses its legal domicile, or has one again.
    Domicile {
        exists: bool,
    },
    /// A branch of the company is entered or deleted.
    Branch {
        is_new: bool,
    },
    Name {
        to: String,
    },
    LegalForm {
        to: String,
    },
    /// The company comes from the register of another canton.
    MovedIn,
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
        transfer: Option<AssetTransfer>,
    },
    /// A step of a dissolution, bankruptcy or moratorium. `on` is the date of the decision.
    Proceeding {
        step: Step,
        on: Option<Date>,
    },
    /// The articles of association, as adopted or amended on this date. Absent if the text states none.
    Statutes {
        on: Option<Date>,
    },
    /// The notice corrects or supplements an earlier one.
    Correction,
    /// The shares change without a change of the capital.
    Shares {
        measure: ShareMeasure,
    },
    /// The articles allow the board to create capital, or no longer (`ended`). A change of the terms is not ended.
    PossibleCapital {
        capital: PossibleCapital,
        ended: bool,
    },
    /// A founder or subscriber pays for shares in kind, or the company acquires assets from one. `terms` is what the notice
    /// says of it.
    Contribution {
        terms: String,
    },
    /// The company has no auditor although it must have one.
    NoAuditor,
    /// The company, or a branch of it, is to be deleted, but something is missing, such as the consent of the tax authorities.
    DeletionBlocked {
        is_branch: bool,
    },
}

/// What happens to the shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ShareMeasure {
    BearerToRegistered,
    RegisteredToBearer,
    /// More shares of a lower nominal value.
    Split,
    /// Fewer shares of a higher nominal value.
    Consolidated,
}

/// Capital that the board may create.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PossibleCapital {
    /// Capital band (art. 653s of the Code of Obligations).
    Band,
    /// Authorised capital (art. 651 of the Code of Obligations until 2022).
    Authorised,
    /// Conditional capital (art. 653 of the Code of Obligations).
    Conditional,
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

/// How two companies merge, or transfer assets to each other. The subject is the company of the notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Combination {
    /// Takes over the other company.
    TakesOver,
    /// The other company takes over this one.
    IsTakenOverBy,
    /// A merger whose direction the text does not state.
    Merger,
    /// Is founded by the merger of the other companies, and takes them over.
    Combines,
    /// Transfers all its assets to the other company and others, and ends.
    SplitsUp,
    /// Transfers a part of its assets to the other company.
    SpinsOff,
    /// Takes over assets by the demerger of the other company.
    ReceivesByDemerger,
    /// A demerger whose direction the text does not state.
    Demerger,
    /// Transfers assets to the other company.
    TransfersAssets,
    /// Takes over assets of the other company.
    ReceivesAssets,
    /// A transfer of assets whose direction the text does not state.
    AssetTransfer,
}

impl Combination {
    /// Whether it ends the company of the notice.
    pub fn ends_company(self) -> bool {
        matches!(self, Self::IsTakenOverBy | Self::SplitsUp)
    }

    /// Whether the company of the notice takes over the whole other company.
    pub fn takes_over(self) -> bool {
        matches!(self, Self::TakesOver | Self::Combines)
    }
}

/// The amounts of a demerger or a transfer of assets, in one currency.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AssetTransfer {
    pub assets: Option<Decimal>,
    pub liabilities: Option<Decimal>,
    pub consideration: Option<Decimal>,
    /// ISO 4217 code.
    pub currency: String,
}

impl AssetTransfer {
    pub(super) fn in_currency(currency: &str) -> Self {
        Self { assets: None, liabilities: None, consideration: None, currency: currency.to_owned() }
    }
}

/// The other company of a combination, as named in the notice.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Party {
    pub name: String,
    pub uid: Option<CompanyNumber>,
    pub seat: Option<String>,
}

/// Why a company is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DeletionCause {
    /// The liquidation is completed.
    Liquidation,
    /// The bankruptcy is closed.
    Bankruptcy,
    /// The bankruptcy was suspended, or the company has no assets.
    NoAssets,
    Merger,
    SplitUp,
    /// The business has ceased or has passed to someone else.
    Ceased,
    ExOfficio,
    Application,
}

/// A step of a proceeding that ends a company or protects it from its creditors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Step {
    DissolvedByResolution,
    /// Dissolved by a court for a reason other than the following ones.
    DissolvedByCourt,
    /// Dissolved for a defect in the organisation (art. 731b of the Code of Obligations). The liquidation follows the
    /// rules on bankruptcy, but the company is not bankrupt.
    DissolvedForDefect,
    /// Dissolved by the office for a missing domicile (former art. 153b of the Commercial Register Ordinance).
    DissolvedWithoutDomicile,
    /// The dissolution is revoked or has lapsed: the company continues.
    DissolutionRevoked,
    /// The liquidation is completed, but the company is not deleted yet.
    LiquidationCompleted,
    BankruptcyOpened,
    BankruptcyRevoked,
    /// An appeal against the bankruptcy has suspensive effect.
    BankruptcyStayed,
    BankruptcyPostponed,
    BankruptcyPostponementEnded,
    /// The proceedings are suspended for lack of assets (art. 230 of the Debt Enforcement and Bankruptcy Act).
    Suspended,
    Resumed,
    /// The proceedings of a bankruptcy or of a liquidation by its rules are closed.
    Closed,
    /// A moratorium; the text does not state whether it is provisional.
    MoratoriumGranted,
    MoratoriumProvisional,
    MoratoriumDefinitive,
    MoratoriumExtended,
    MoratoriumEnded,
    CompositionConfirmed,
    CompositionWithAssignment,
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
