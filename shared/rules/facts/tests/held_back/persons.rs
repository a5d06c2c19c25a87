//! Compares a person of the set with the same person as the product states it.

use std::collections::BTreeSet;

use domain::{Amount, persons::SigningAuthority, text::fold};
use gazette_notice::Role;

use crate::{expected, stated};

/// The members of the person that the product states differently.
pub(crate) fn differences(
    expected: &expected::Person,
    stated: &stated::Person,
) -> Vec<&'static str> {
    let role = stated.role.as_deref().unwrap_or_default();
    let (roles_expected, roles_stated) =
        (roles(expected.roles.iter().map(String::as_str)), roles([role]));
    let role = match () {
        () if roles_stated.is_empty() => "missing role",
        () if roles_stated.is_superset(&roles_expected) => "additional role",
        () if roles_stated.is_subset(&roles_expected) => "one of several roles missing",
        () => "other role",
    };
    let or_missing = |is_missing: bool, missing: &'static str, wrong: &'static str| {
        if is_missing { missing } else { wrong }
    };
    let signature =
        or_missing(stated.signing_authority.is_none(), "missing signature", "wrong signature");
    let quota = or_missing(stated.holding.is_none(), "missing quota", "wrong quota");
    let compared = [
        (role, roles_expected == roles_stated),
        (signature, has_signature(expected, stated)),
        (quota, has_quota(expected, stated)),
        ("origin", has_origin(expected, stated)),
        ("residence", has_residence(expected, stated)),
    ];
    compared.into_iter().filter(|(_, is_same)| !is_same).map(|(member, _)| member).collect()
}

/// The functions in these texts, by the roles that the product maps them to. A function that it maps to none is
/// compared as written.
fn roles<'a>(texts: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    let functions = texts.into_iter().flat_map(functions);
    functions.map(|it| role(&it).map_or_else(|| fold(&it), |role| format!("{role:?}"))).collect()
}

/// The functions in a text: `socio e gerente` and `associé-gérant` are two.
fn functions(text: &str) -> Vec<String> {
    let mut text = text.to_lowercase();
    for partner in ["associé", "associée", "socio", "socia"] {
        for joint in ["-g", " g"] {
            text = text.replace(&format!("{partner}{joint}"), &format!("{partner}, g"));
        }
    }
    // `administrateur président`, `amministratrice vicepresidente`
    for member in ["administrateur", "administratrice", "amministratore", "amministratrice"] {
        for office in ["prés", "pres", "vice", "secr", "segr", "délég", "deleg"] {
            text = text.replace(&format!("{member} {office}"), &format!("{member}, {office}"));
        }
    }
    for and in [" und ", " sowie ", " et ", " e ", " ed "] {
        text = text.replace(and, ", ");
    }
    text.split(", ").map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned).collect()
}

/// The role that the product maps a function to.
fn role(function: &str) -> Option<Role> {
    let text = format!("Eingetragene Personen: Muster, Hans, von Bern, in Bern, {function}.");
    let entry = gazette_notice::read(&text).entries.into_iter().next()?;
    entry.role.filter(|it| *it != Role::Other)
}

fn has_signature(expected: &expected::Person, stated: &stated::Person) -> bool {
    let Some(signature) = &expected.signature else { return true };
    let Some(stated) = stated.signing_authority else { return false };
    signing_authorities(signature).contains(&stated)
}

/// The signing authorities that a text can mean. It does not always say whether a procuration is collective.
fn signing_authorities(text: &str) -> Vec<SigningAuthority> {
    use SigningAuthority as S;
    let text = text.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|it| text.contains(it));
    let is_procuration = has(&["prokura", "procura"]);
    if has(&["ohne", "sans", "senza"]) {
        vec![S::None]
    } else if has(&["kollektiv", "collecti", "collettiv"]) {
        vec![if is_procuration { S::CollectiveProcuration } else { S::CollectiveTwo }]
    } else if has(&["einzel", "individu"]) {
        vec![if is_procuration { S::SoleProcuration } else { S::Sole }]
    } else if is_procuration {
        vec![S::SoleProcuration, S::CollectiveProcuration, S::Collective]
    } else {
        panic!("the table lacks a signing authority")
    }
}

fn has_quota(expected: &expected::Person, stated: &stated::Person) -> bool {
    let Some(quota) = &expected.quota else { return true };
    let Some(holding) = &stated.holding else { return false };
    let total = i64::try_from(quota.count).ok().map(|it| Amount::units(it * quota.nominal));
    // A text can state the value of a single share without the number.
    holding.count.unwrap_or(1) == quota.count
        && holding.total == total
        && holding.currency.as_deref() == Some(quota.currency.as_str())
}

/// Compares places of origin and nationality together, each without its preposition.
fn has_origin(expected: &expected::Person, stated: &stated::Person) -> bool {
    let origins = |texts: &[String]| -> BTreeSet<String> {
        let texts = texts.iter().map(|it| it.replace(" und ", ", ").replace(" et ", ", "));
        let texts = texts.map(|it| it.replace(" e ", ", "));
        texts.flat_map(|it| it.split(", ").map(without_preposition).collect::<Vec<_>>()).collect()
    };
    expected.origin.is_empty() || origins(&expected.origin) == origins(&stated.origin)
}

fn without_preposition(place: &str) -> String {
    let place = fold(place);
    let prepositions = ["von ", "de ", "du ", "des ", "d ", "da ", "dal ", "di "];
    let plain = prepositions.iter().find_map(|it| place.strip_prefix(it));
    plain.map(str::to_owned).unwrap_or(place)
}

fn has_residence(expected: &expected::Person, stated: &stated::Person) -> bool {
    let stated = stated.residence.as_deref().map(fold);
    expected.residence.as_deref().is_none_or(|it| stated == Some(fold(it)))
}
