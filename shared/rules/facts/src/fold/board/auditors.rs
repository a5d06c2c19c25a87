//! The auditors of a company: when an entry starts, changes or ends a tenure.

use std::sync::LazyLock;

use domain::{Uid, auditors::Tenure, legal_forms::LegalForm, text};
use gazette_notice::{Entry, EntryKind, Role};

use super::{Board, person};
use crate::fold::ParsedPublication;

/// Whether an entry is about an auditor.
pub(crate) fn is_auditor(entry: &Entry) -> bool {
    entry.role == Some(Role::Auditor)
}

fn leaves_as_auditor(entry: &Entry) -> bool {
    is_auditor(entry) && entry.kind == EntryKind::Left
}

/// Whether a publication can change the company's auditor.
pub(crate) fn is_about_auditors(publication: &ParsedPublication) -> bool {
    publication.deleted.is_some() || publication.notice.entries.iter().any(is_auditor)
}

/// Whether the blocks of a publication name the firm of this tenure as the auditor.
pub(crate) fn names_auditor(publication: &ParsedPublication, tenure: &Tenure) -> bool {
    publication.auditor.as_ref().is_some_and(|it| is_firm_of(tenure, &it.name, it.uid))
}

/// Whether the firm of a tenure has this company number or name.
fn is_firm_of(tenure: &Tenure, name: &str, uid: Option<Uid>) -> bool {
    (uid.is_some() && uid == tenure.auditor_uid) || firm_key(name) == firm_key(&tenure.auditor_name)
}

/// The name of a firm, with the code of its legal form for the form as written: `Muster AG` and `Muster Aktiengesellschaft`
/// are the same.
fn firm_key(name: &str) -> String {
    let name = text::fold(name);
    // `S.A.` and `SA`
    let letters = name.rsplit(' ').take_while(|it| it.len() == 1).count();
    let words: Vec<&str> = name.split(' ').collect();
    let (start, end) = words.split_at(words.len() - letters);
    let name = [start.join(" "), end.concat()].join(" ");
    let name = name.trim();
    let form = FORMS.iter().find_map(|(form, code)| {
        let start = name.strip_suffix(form)?.strip_suffix(' ')?;
        Some(format!("{start} {code}"))
    });
    form.unwrap_or_else(|| name.to_owned())
}

/// The folded names and short names of the legal forms of audit firms, with their codes.
static FORMS: LazyLock<Vec<(String, &str)>> = LazyLock::new(|| {
    let forms = ["0106", "0107"].into_iter().filter_map(LegalForm::by_code);
    let named = forms.flat_map(|it| {
        it.names.iter().chain(&it.short_names).map(|name| (text::fold(name), it.code))
    });
    named.collect()
});

impl Board {
    /// Adds the auditor that the blocks name, if no auditor is known: the publication of the appointment is not.
    pub(super) fn add_auditor_of_blocks(&mut self, publication: &ParsedPublication) {
        let is_known = self.tenures.iter().any(Tenure::is_current);
        let Some(auditor) = publication.auditor.as_ref().filter(|_| !is_known) else { return };
        self.tenures.push(Tenure {
            auditor_name: auditor.name.clone(),
            auditor_uid: auditor.uid,
            appointed_as: None,
            appointed_at: None,
            resigned_at: None,
            source: publication.source.clone(),
        });
    }
    pub(super) fn apply_auditor(&mut self, entry: &Entry, publication: &ParsedPublication) {
        let firm = person(entry);
        let name = firm.full_name();
        // The entry of a renamed firm, or of one with another number, states the former one.
        let former = entry.before.as_deref().map(text::fold);
        let (date, source) = (publication.date, publication.source.clone());
        let is_firm = |it: &Tenure| {
            let has_former_name = former.as_ref().is_some_and(|former| {
                let is_number = |uid: Uid| former.contains(&text::fold(&uid.to_string()));
                let rest = former.strip_prefix(&text::fold(&it.auditor_name));
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
                    || it.auditor_uid.is_some_and(is_number)
            });
            is_firm_of(it, &name, firm.uid) || has_former_name
        };
        let known = self.tenures.iter_mut().find(|it| it.is_current() && is_firm(it));
        match (entry.kind, known) {
            (EntryKind::Left, Some(tenure)) => {
                tenure.resigned_at = Some(date);
                tenure.source = source;
            }
            // The same firm with another name, number or seat.
            (_, Some(tenure)) => {
                tenure.rename(name, firm.uid);
                if let (Some(old), Some(new)) = (tenure.auditor_uid, firm.uid)
                    && old != new
                {
                    tenure.appointed_as.get_or_insert_with(|| old.to_string());
                    tenure.auditor_uid = Some(new);
                }
                tenure.source = source;
            }
            (kind, None) => {
                let entries = &publication.notice.entries;
                if entry.is_successor && !entries.iter().any(leaves_as_auditor) {
                    // Not one that the publication appoints or names, too.
                    let is_named = |it: &Tenure| {
                        let mut firms = entries.iter().filter(|it| is_auditor(it)).map(person);
                        firms.any(|firm| is_firm_of(it, &firm.full_name(), firm.uid))
                    };
                    let is_former = |it: &&mut Tenure| it.is_current() && !is_named(it);
                    for former in self.tenures.iter_mut().filter(is_former) {
                        former.resigned_at = Some(date);
                        former.source = source.clone();
                    }
                }
                self.tenures.push(Tenure {
                    auditor_name: name,
                    auditor_uid: firm.uid,
                    appointed_as: None,
                    appointed_at: (kind == EntryKind::Entered).then_some(date),
                    resigned_at: (kind == EntryKind::Left).then_some(date),
                    source,
                });
            }
        }
    }
}
