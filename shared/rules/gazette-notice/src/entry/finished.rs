//! The entry that a draft becomes, once all of its text is read.

use super::Draft;
use crate::{
    Entry, EntryKind, Subject, given_names,
    names::{self, Order},
    quota, roles, signature,
    words::{BEFORE_SIGNATURE, SIGNATURE, SUPERVISORY, is_firm_name},
};

impl Draft {
    /// Whether this is a firm. A firm has a register number, a legal form, or a domicile without an
    /// origin.
    ///
    /// An auditor without an origin always counts as a firm, because some firms have the name of a
    /// person.
    pub(crate) fn is_entity(&self) -> bool {
        if self.uid.is_some() || self.ch_id.is_some() {
            return true;
        }
        if self.origin.is_some() || self.nationality.is_some() {
            return false;
        }
        let [first, rest @ ..] = self.name.as_slice() else { return false };
        let has_given_name =
            rest.first().unwrap_or(first).split(' ').any(given_names::is_given_name);
        let is_supervisory = self.functions.iter().any(|it| SUPERVISORY.occur_in(it));
        if is_firm_name(first) || rest.iter().any(|it| is_firm_name(it)) {
            return true;
        }
        is_supervisory || (self.domicile.is_some() && !has_given_name)
    }

    pub(crate) fn into_entry(self, kind: EntryKind, order: Order) -> Entry {
        let is_entity = self.is_entity();
        let function = self.function();
        let function_in_signature = self.signature.as_deref().map_or("", before_signature);
        let office =
            roles::office(&[function.as_deref().unwrap_or(""), function_in_signature].join(" "));
        let subject = if is_entity {
            Subject::Entity { name: self.full_name(), uid: self.uid, ch_id: self.ch_id }
        } else {
            let clauses: Vec<&str> = self.name.iter().map(String::as_str).collect();
            names::person(&clauses, order)
        };
        let kind = match kind {
            EntryKind::Entered if self.was_entered => EntryKind::Changed,
            kind => kind,
        };
        Entry {
            kind,
            subject,
            origin: self.origin,
            nationality: self.nationality,
            domicile: self.domicile,
            role: office.map(|it| it.role),
            organ: office.and_then(|it| it.organ),
            function,
            signature_kind: self.signature.as_deref().and_then(signature::kind),
            signature: self.signature,
            ended_function: self.ended_function,
            share_change: self.share_change.filter(|_| self.quota.is_none()),
            quota: self.quota.as_deref().map(quota::quota),
            before: self.before,
            is_partial: self.is_partial && kind == EntryKind::Changed,
            is_successor: self.is_successor && kind == EntryKind::Entered,
            raw: self.raw,
        }
    }
}

/// The function before the signature in a clause that has both: `Geschäftsführer mit
/// Einzelunterschrift`.
fn before_signature(signature: &str) -> &str {
    let start = SIGNATURE.find_first(signature).map_or(0, |(at, _)| at);
    BEFORE_SIGNATURE.find_last(&signature[..start]).map_or("", |it| &signature[..it])
}
