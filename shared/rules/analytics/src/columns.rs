//! The columns that analyses read: a row for each company, and a row for each of its changes.
//!
//! Companies are in the order of the documents of the search index, so that the rows that a search finds are a set of rows here,
//! and the first rows are the largest companies. Changes are sorted by the row of their company, then by day, then by sequence
//! number. Nothing is relative to today.
//!
//! A value is `None` if no source states it. A table need not have all columns, because each is fetched on its own: a column that
//! was not fetched has no rows, and an analysis that reads it panics. Each analysis says which columns it [`Needs`](crate::Needs).

use std::{
    collections::{HashMap, hash_map::Entry},
    ops::Range,
    sync::Arc,
};

use domain::{
    AuditorCategory, Canton, ChangeKind, Status, Uid, auditors::Tenure, changes::LegalEvent,
    company::StatusReason,
};
use obligations::{Basis, RegimeKind};
use serde::{Deserialize, Serialize};

use crate::{Count, Currency, Day, FirmId, LegalFormCode, Money, Noga, Window};

/// The values of a column, one for each row. Clones share them.
pub type Column<T> = Arc<Vec<T>>;

macro_rules! table {
    (
        $(#[$table_doc:meta])* $table:ident,
        $(#[$row_doc:meta])* $row:ident,
        $(#[$column_doc:meta])* $column:ident;
        $($(#[$doc:meta])* $field:ident $variant:ident $name:literal: $kind:ty;)*
    ) => {
        $(#[$table_doc])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $table {
            /// Number of rows.
            pub rows: u32,
            $($(#[$doc])* pub $field: Column<$kind>,)*
        }

        $(#[$row_doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $row {
            $($(#[$doc])* pub $field: $kind,)*
        }

        $(#[$column_doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $column {
            $($(#[$doc])* $variant,)*
        }

        impl $column {
            /// Every column, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Name in files.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }
        }

        #[cfg(test)]
        impl $table {
            /// A row, to build other tables from it.
            pub(crate) fn row(&self, row: usize) -> $row {
                $row { $($field: self.$field[row],)* }
            }
        }

        impl $table {
            /// Adds a row at the end. The table must have all columns.
            pub fn push(&mut self, row: $row) {
                self.rows += 1;
                $(Arc::make_mut(&mut self.$field).push(row.$field);)*
            }

            /// The same table with these columns only.
            #[must_use]
            pub fn with_only(mut self, columns: &[$column]) -> Self {
                $(if !columns.contains(&$column::$variant) {
                    self.$field = Column::default();
                })*
                self
            }
        }
    };
}

table! {
    /// A row for each company of the register.
    Companies,
    /// The row of a company.
    CompanyRow,
    /// A column of [`Companies`].
    CompanyColumn;

    /// Company number.
    uid Uid "uid": Uid;
    /// Status in the register.
    status Status "status": Option<Status>;
    /// Reason for the status.
    reason Reason "reason": Option<StatusReason>;
    /// Canton of the seat.
    canton Canton "canton": Option<Canton>;
    /// Legal form.
    legal_form LegalForm "legalForm": Option<LegalFormCode>;
    /// NOGA 2008 code.
    noga Noga "noga": Option<Noga>;
    /// Nominal capital, in units of `currency`.
    capital Capital "capital": Option<Money>;
    /// Currency of the capital. The franc if none is stated, as until 2022 no other was allowed.
    currency Currency "currency": Option<Currency>;
    /// Day of the foundation.
    founding Founding "founding": Option<Day>;
    /// Day of the first entry in the register.
    registration Registration "registration": Option<Day>;
    /// Day of the deletion from the register.
    deletion Deletion "deletion": Option<Day>;
    /// Number of current officers and signatories. `None` if no publication has ever named one.
    officers Officers "officers": Option<Count>;
    /// Number of current officers on the board or in the management. `None` if no publication has ever named an officer.
    leaders Leaders "leaders": Option<Count>;
    /// Number of those who can sign. `None` if no publication has ever named an officer.
    signers Signers "signers": Option<Count>;
    /// Number of those who can sign alone. `None` if no publication has ever named an officer.
    sole_signers SoleSigners "soleSigners": Option<Count>;
    /// Audit firm of the record: the last one of a deleted company.
    auditor Auditor "auditor": Option<FirmId>;
    /// Category of the auditor.
    auditor_category AuditorCategory "auditorCategory": Option<AuditorCategory>;
    /// Day of the appointment of the current auditor, if it is the firm of the record.
    auditor_since AuditorSince "auditorSince": Option<Day>;
    /// Whether the limited audit was waived, or the foundation is exempt.
    opted_out OptedOut "optedOut": Option<bool>;
    /// Number of employees.
    employees Employees "employees": Option<Count>;
    /// Whether FINMA has authorised the company.
    finma Finma "finma": Option<bool>;
    /// Day of the newest change.
    last_change LastChange "lastChange": Option<Day>;
    /// Number of companies at the same address, with this one.
    at_address AtAddress "atAddress": Option<Count>;
    /// Completeness of the record, in percent.
    quality Quality "quality": Option<u8>;
    /// Confidence of the classification, in percent. `None` if a source states the industry, and if none is known.
    industry_confidence IndustryConfidence "industryConfidence": Option<u8>;
    /// Kind of audit that the law would require without a waiver. Never [`RegimeKind::Unknown`].
    audit_kind AuditKind "auditKind": Option<RegimeKind>;
    /// Basis of `audit_kind`.
    audit_basis AuditBasis "auditBasis": Option<Basis>;
    /// Day on which a waiver was entered that is valid only for later financial years.
    waiver_since WaiverSince "waiverSince": Option<Day>;
    /// Number of changes: rows of [`Changes`].
    changes Changes "changes": u32;
}

table! {
    /// A row for each change that is valid and changes the record: neither replaced nor internal.
    Changes,
    /// The row of a change.
    ChangeRow,
    /// A column of [`Changes`].
    ChangeColumn;

    /// Day of the publication.
    day Day "day": Day;
    /// Change type.
    kind Kind "kind": ChangeKind;
    /// Legal event.
    legal_event LegalEvent "legalEvent": Option<LegalEvent>;
    /// Of a move of the seat to another canton: canton before. `None` if no earlier publication states it.
    from_canton FromCanton "fromCanton": Option<Canton>;
    /// Of a move of the seat to another canton: canton after. `None` for all other changes.
    to_canton ToCanton "toCanton": Option<Canton>;
    /// Of a change of the capital in francs: capital before.
    old_capital OldCapital "oldCapital": Option<Money>;
    /// Of a change of the capital in francs: capital after.
    new_capital NewCapital "newCapital": Option<Money>;
    /// Of a change of the auditor: firm before.
    from_auditor FromAuditor "fromAuditor": Option<FirmId>;
    /// Of a change of the auditor: firm after.
    to_auditor ToAuditor "toAuditor": Option<FirmId>;
    /// Of a change of an officer on the board or in the management: whether the person entered or left.
    leading Leading "leading": Option<Leading>;
}

/// What an officer on the board or in the management did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Leading {
    /// The person entered office.
    Entered,
    /// The person left office.
    Left,
}

impl CompanyRow {
    /// A company of which nothing is known.
    pub fn unknown(uid: Uid) -> Self {
        Self {
            uid,
            status: None,
            reason: None,
            canton: None,
            legal_form: None,
            noga: None,
            capital: None,
            currency: None,
            founding: None,
            registration: None,
            deletion: None,
            officers: None,
            leaders: None,
            signers: None,
            sole_signers: None,
            auditor: None,
            auditor_category: None,
            auditor_since: None,
            opted_out: None,
            employees: None,
            finma: None,
            last_change: None,
            at_address: None,
            quality: None,
            industry_confidence: None,
            audit_kind: None,
            audit_basis: None,
            waiver_since: None,
            changes: 0,
        }
    }
}

impl ChangeRow {
    /// A change of which only day and type are known.
    pub fn new(day: Day, kind: ChangeKind) -> Self {
        Self {
            day,
            kind,
            legal_event: None,
            from_canton: None,
            to_canton: None,
            old_capital: None,
            new_capital: None,
            from_auditor: None,
            to_auditor: None,
            leading: None,
        }
    }
}

impl Companies {
    /// Whether a company is registered: also if it is in liquidation. `None` if its status is unknown.
    pub fn is_registered(&self, row: u32) -> Option<bool> {
        self.status[row as usize].map(|it| it != Status::Cancelled)
    }

    /// The capital, if it is in francs.
    pub fn francs(&self, row: u32) -> Option<Money> {
        let is_franc = self.currency[row as usize].is_none_or(Currency::is_franc);
        self.capital[row as usize].filter(|_| is_franc)
    }

    /// The day since which a company exists: that of its first entry in the register, or else of its foundation.
    pub fn start(&self, row: u32) -> Option<Day> {
        self.registration[row as usize].or(self.founding[row as usize])
    }

    /// Age in days, until today or the deletion: 0 before its start. `None` if the day of its start is unknown.
    pub fn age_in_days(&self, row: u32, today: Day) -> Option<u32> {
        let last = self.deletion[row as usize].map_or(today, |it| it.min(today));
        let days = last.since(self.start(row)?);
        Some(u32::try_from(days).unwrap_or(0))
    }

    /// Share of those who can sign who can do it alone. `None` if nobody is known who can sign.
    pub fn sole_signer_share(&self, row: u32) -> Option<f64> {
        let signers = self.signers[row as usize]?.get();
        let sole = self.sole_signers[row as usize]?.get();
        (signers > 0).then(|| f64::from(sole) / f64::from(signers))
    }

    /// Where the changes of each company are in the table of changes.
    pub fn places_of_changes(&self) -> Places {
        let mut ends: Vec<u32> = Vec::with_capacity(self.changes.len() + 1);
        ends.push(0);
        let mut end = 0_u32;
        for count in self.changes.iter() {
            end = end.saturating_add(*count);
            ends.push(end);
        }
        Places { ends }
    }
}

/// Where the changes of each company are in the table of changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Places {
    /// The end of the changes of each company, after a 0.
    ends: Vec<u32>,
}

impl Places {
    /// The rows of the changes of a company.
    pub fn of(&self, row: u32) -> Range<usize> {
        let row = row as usize;
        self.ends[row] as usize..self.ends[row + 1] as usize
    }
}

impl Changes {
    /// The rows of changes in a window, of the changes of one company.
    pub fn within(&self, of_company: Range<usize>, window: Window) -> Range<usize> {
        let days = &self.day[of_company.clone()];
        let first = days.partition_point(|it| *it < window.since);
        let end = days.partition_point(|it| *it <= window.until).max(first);
        of_company.start + first..of_company.start + end
    }

    /// The number of changes in a window, of the changes of one company.
    pub fn count(&self, of_company: Range<usize>, window: Window) -> u32 {
        u32::try_from(self.within(of_company, window).len()).unwrap_or(u32::MAX)
    }
}

/// The audit firms that the columns name. Firms with company numbers are the same if their numbers are; others, if their
/// normalised names are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Firms {
    firms: Vec<Firm>,
    ids: HashMap<String, FirmId>,
}

/// An audit firm.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Firm {
    /// What identifies it, as [`Tenure::firm_key`].
    pub key: String,
    /// Name.
    pub name: String,
}

impl Firms {
    /// The firm of a tenure, which is added if it is new.
    pub fn id(&mut self, tenure: &Tenure) -> FirmId {
        self.add(Firm { key: tenure.firm_key(), name: tenure.auditor_name.clone() })
    }

    /// The firm with this key, which is added if it is new.
    pub fn add(&mut self, firm: Firm) -> FirmId {
        let id = FirmId::at(self.firms.len());
        match self.ids.entry(firm.key.clone()) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(place) => {
                self.firms.push(firm);
                *place.insert(id)
            }
        }
    }

    /// A firm.
    pub fn get(&self, id: FirmId) -> &Firm {
        &self.firms[id.position()]
    }

    /// All firms.
    pub fn iter(&self) -> impl Iterator<Item = &Firm> {
        self.firms.iter()
    }

    /// Number of firms.
    pub fn len(&self) -> usize {
        self.firms.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.firms.is_empty()
    }
}
