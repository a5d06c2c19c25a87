//! The columns of the tables.

use std::sync::Arc;

use analytics::columns::{ChangeColumn, ChangeRow, Changes, Companies, CompanyColumn, CompanyRow};

use crate::{
    decode::Decoded,
    value::{Column, Field, Kind},
};

/// A table of columns.
pub(crate) trait Table {
    const NAME: &'static str;
    type Column: Copy + 'static;
    type Row;

    const COLUMNS: &'static [Self::Column];

    fn column(column: Self::Column) -> Column;

    /// The codes of a row, in the order of the columns.
    fn codes(row: &Self::Row) -> impl Iterator<Item = Option<i64>>;

    fn has(&self, column: Self::Column) -> bool;

    /// Fills a column. `Err`: the number of a row whose value has no meaning.
    fn fill(&mut self, column: Self::Column, values: &Decoded) -> Result<(), usize>;

    fn set_rows(&mut self, rows: u32);
}

macro_rules! table {
    ($name:literal, $table:ident, $row:ident, $column:ident: $($field:ident $variant:ident,)+) => {
        impl Table for $table {
            const NAME: &'static str = $name;
            type Column = $column;
            type Row = $row;

            const COLUMNS: &'static [$column] = $column::ALL;

            fn column(column: $column) -> Column {
                match column {
                    $($column::$variant => described(column.name(), |it: &$row| it.$field),)+
                }
            }

            fn codes(row: &$row) -> impl Iterator<Item = Option<i64>> {
                [$(Field::to_code(row.$field)),+].into_iter()
            }

            fn has(&self, column: $column) -> bool {
                // A table without rows has all columns.
                match column {
                    $($column::$variant => self.$field.len() == self.rows as usize,)+
                }
            }

            fn fill(&mut self, column: $column, values: &Decoded) -> Result<(), usize> {
                match column {
                    $($column::$variant => self.$field = Arc::new(values.fields()?),)+
                }
                Ok(())
            }

            fn set_rows(&mut self, rows: u32) {
                self.rows = rows;
            }
        }
    };
}

/// The name of the table of firms.
pub(crate) const FIRMS_NAME: &str = "firms";
/// Its columns.
pub(crate) const FIRMS: [Column; 2] = [
    Column { name: "key", kind: Kind::Text, is_optional: false },
    Column { name: "name", kind: Kind::Text, is_optional: false },
];

fn described<R, F: Field>(name: &'static str, _: fn(&R) -> F) -> Column {
    Column { name, kind: F::KIND, is_optional: F::IS_OPTIONAL }
}

table! {
    "companies", Companies, CompanyRow, CompanyColumn:
    uid Uid,
    status Status,
    reason Reason,
    canton Canton,
    legal_form LegalForm,
    noga Noga,
    capital Capital,
    currency Currency,
    founding Founding,
    registration Registration,
    deletion Deletion,
    officers Officers,
    leaders Leaders,
    signers Signers,
    sole_signers SoleSigners,
    auditor Auditor,
    auditor_category AuditorCategory,
    auditor_since AuditorSince,
    opted_out OptedOut,
    employees Employees,
    finma Finma,
    last_change LastChange,
    at_address AtAddress,
    quality Quality,
    industry_confidence IndustryConfidence,
    audit_kind AuditKind,
    audit_basis AuditBasis,
    waiver_since WaiverSince,
    changes Changes,
}

table! {
    "changes", Changes, ChangeRow, ChangeColumn:
    day Day,
    kind Kind,
    legal_event LegalEvent,
    from_canton FromCanton,
    to_canton ToCanton,
    old_capital OldCapital,
    new_capital NewCapital,
    from_auditor FromAuditor,
    to_auditor ToAuditor,
    leading Leading,
}
