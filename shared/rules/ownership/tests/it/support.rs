//! Small structures: companies and persons are numbers, links are one line each.

use std::collections::BTreeMap;

use domain::{Provenance, Uid};
use ownership::{
    Criteria, Form, Link, LinkKind, MaxDepth, Party, Percent, Profile, Resolution, Share,
    Structure, UnknownShare,
};
use uuid::Uuid;

pub(crate) fn company(number: u32) -> Party {
    Party::Company(Uid::from_number(number).expect("nine digits"))
}

pub(crate) fn person(number: u128) -> Party {
    Party::Person(Uuid::from_u128(number))
}

pub(crate) fn source(reference: &str) -> Provenance {
    Provenance { source: "shab".into(), reference: Some(reference.into()), date: None }
}

pub(crate) fn link(owner: Party, owned: Party, kind: LinkKind, share: Share) -> Link {
    let source = source(&format!("{owner} {owned}"));
    Link { owner, owned, kind, share, since: None, source, confidence: 1.0 }
}

pub(crate) fn known(percent: f64) -> Share {
    Share::Known(Percent::new(percent).expect("a share"))
}

pub(crate) fn shares(owner: Party, owned: Party, percent: f64) -> Link {
    link(owner, owned, LinkKind::Shares, known(percent))
}

pub(crate) fn unknown(owner: Party, owned: Party, kind: LinkKind) -> Link {
    link(owner, owned, kind, Share::Unknown(UnknownShare::NotStated))
}

pub(crate) fn profile(name: &str, form: Form) -> Profile {
    Profile { name: name.into(), form, ..Profile::default() }
}

pub(crate) fn above(root: Party, links: &[Link]) -> Structure {
    with_profiles(root, links, [])
}

pub(crate) fn with_profiles<const N: usize>(
    root: Party,
    links: &[Link],
    profiles: [(Party, Profile); N],
) -> Structure {
    Structure::above(root, links.to_vec(), BTreeMap::from(profiles), MaxDepth::default())
}

pub(crate) fn resolved(structure: &Structure) -> Resolution {
    Resolution::of(structure, &Criteria::default())
}

pub(crate) fn resolve(root: Party, links: &[Link]) -> Resolution {
    resolved(&above(root, links))
}

/// Integrated share of the capital in percent.
pub(crate) fn share_of(resolution: &Resolution, party: Party) -> f64 {
    let holder = resolution.holders.iter().find(|it| it.party == party);
    holder.map_or(0.0, |it| it.capital.get())
}

pub(crate) fn controls(resolution: &Resolution, party: Party) -> bool {
    resolution.controllers.iter().any(|it| it.party == party)
}

#[track_caller]
pub(crate) fn assert_close(actual: f64, expected: f64) {
    assert!((actual - expected).abs() < 1e-9, "{actual} instead of {expected}");
}
