//! The former details of an entry: `Meier, Anna, in Bern, mit Einzelunterschrift` of `[bisher: …]`.

use super::{
    Quota,
    clause::{Clause, is_name},
    entry::Draft,
    given_names::is_given_name,
    names, punctuation,
    quota::quota,
    words::{FUNCTION, is_firm_name},
};

/// What an entry says that was so before. Absent members are not stated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FormerDetails {
    /// Former name, as written: `Meier, Anna`, `Meier` or a firm.
    pub name: Option<String>,
    /// Former function, as written.
    pub function: Option<String>,
    /// Former signing authority, as written.
    pub signature: Option<String>,
    /// Former share of the capital.
    pub quota: Option<Quota>,
    /// Former place of origin or nationality, as written.
    pub citizenship: Option<String>,
    /// Former place of residence or seat, as written.
    pub domicile: Option<String>,
}

/// Reads the former details of an entry: [`Entry::before`](super::Entry::before).
pub fn former_details(details: &str) -> FormerDetails {
    let clauses = punctuation::split_clauses(details.trim());
    let names = names_in(&clauses);
    let mut draft = Draft::default();
    for clause in &clauses[names..] {
        draft.add(Clause::of(clause));
    }
    draft.complete();
    let nationality = draft.nationality.as_ref().map(|it| it.text.clone());
    FormerDetails {
        name: (names > 0).then(|| clauses[..names].join(", ")),
        function: draft.function(),
        quota: draft.quota_text().map(quota),
        citizenship: draft.origin.clone().or(nationality),
        domicile: draft.domicile.clone(),
        signature: draft.signature,
    }
}

/// The number of clauses that make a name: a firm, a full name, a family name and given names, or a family name that stands alone.
fn names_in(clauses: &[&str]) -> usize {
    let is_other =
        |clause: &str| matches!(Clause::of(clause), Clause::Other(_)) && !FUNCTION.occur_in(clause);
    let are_names = |clause: &str| {
        clause.split(' ').all(|it| is_name(it) || names::is_particle(it))
            && !clause.starts_with(|it: char| it.is_ascii_digit())
    };
    let has_given_name = |clause: &str| clause.split(' ').any(is_given_name);
    let Some(first) = clauses.first() else { return 0 };
    let has_given_names_next =
        clauses.get(1).is_some_and(|it| is_other(it) && are_names(it) && has_given_name(it));
    // `von Arx, Maria Luisa` begins like an origin.
    if has_given_names_next && are_names(first) && !FUNCTION.occur_in(first) {
        return 2;
    }
    if !is_other(first) {
        return 0;
    }
    if is_firm_name(first) {
        return 1;
    }
    // A single word that stands before other details can be an unknown function.
    let is_name = match first.contains(' ') {
        true => has_given_name(first),
        false => clauses.len() == 1,
    };
    usize::from(are_names(first) && is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn former_names_are_distinguished_from_other_details() {
        let name = |details: &str| former_details(details).name;
        for details in [
            "Meier, Anna",
            "Meier",
            "Anna Meier",
            "Meier Anna",
            "von Arx, Maria Luisa",
            "Beispiel Treuhand AG",
        ] {
            assert_eq!(name(details).as_deref(), Some(details));
        }
        assert_eq!(name("Meier, Anna, von Chur, in Bern").as_deref(), Some("Meier, Anna"));
        for details in [
            "mit 120 Stammanteilen zu je CHF 100.00",
            "120 Stammanteile zu je CHF 100.00",
            "ohne Stammanteile",
            "avec 20 parts sociales de CHF 1'000",
            "con 20 quote da CHF 1'000",
            "wie bisher",
            "nicht eingetragen",
            "in Bern",
            "von Chur",
            "Mitglied",
            "mit Einzelunterschrift",
            "gérant, signature individuelle",
            "socio e gerente",
            "deutscher Staatsangehöriger",
        ] {
            assert_eq!(name(details), None, "{details}");
        }
    }

    #[test]
    fn former_details_are_read_by_their_kind() {
        let former = former_details(
            "Meier, Anna, von Chur, in Bern, Mitglied, mit Einzelunterschrift, mit 20 Stammanteilen zu je CHF 100.00",
        );
        let some = |it: &str| Some(it.to_owned());
        assert_eq!(former.citizenship, some("Chur"));
        assert_eq!(former.domicile, some("Bern"));
        assert_eq!(former.function, some("Mitglied"));
        assert_eq!(former.signature, some("mit Einzelunterschrift"));
        assert_eq!(former.quota.and_then(|it| it.shares), Some(20));
    }
}
