//! The kinds of change that the register publishes.

/// A kind of change: its name on the wire and what it is called.
#[derive(Debug, PartialEq)]
pub struct ChangeType {
    /// `snake_case`, as in `category` and `changeType`.
    pub code: &'static str,
    /// In plain English.
    pub name: &'static str,
}

/// Every kind, in the order of a company's life.
#[rustfmt::skip]
pub const CHANGE_TYPES: [ChangeType; 16] = [
    ChangeType { code: "new_registration",    name: "Entry in the register" },
    ChangeType { code: "name_change",         name: "Change of name" },
    ChangeType { code: "legal_form_change",   name: "Change of legal form" },
    ChangeType { code: "seat_change",         name: "Change of seat" },
    ChangeType { code: "address_change",      name: "Change of address" },
    ChangeType { code: "purpose_change",      name: "Change of purpose" },
    ChangeType { code: "capital_change",      name: "Change of capital" },
    ChangeType { code: "board_change",        name: "Change of officers, partners or signatures" },
    ChangeType { code: "auditor_change",      name: "Change of auditor" },
    ChangeType { code: "audit_opt_out",       name: "Waiver of the limited audit" },
    ChangeType { code: "merger",              name: "Merger, demerger or transfer of assets" },
    ChangeType { code: "liquidation",         name: "Dissolution and liquidation" },
    ChangeType { code: "bankruptcy",          name: "Bankruptcy or moratorium" },
    ChangeType { code: "revocation",          name: "Revocation of a dissolution or bankruptcy" },
    ChangeType { code: "deletion",            name: "Deletion from the register" },
    ChangeType { code: "re_registration",     name: "Re-entry in the register" },
];
