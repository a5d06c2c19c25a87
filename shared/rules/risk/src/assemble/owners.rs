//! Facts from the resolved owners.

use domain::Provenance;
use ownership::{Profile, ReportingException, Resolution, Structure, flags::flags};

use crate::{CountryLink, CountryRole, Facts, OwnershipFacts};

impl Facts {
    /// Adds the owners: their flags, what they withhold, and their countries. Without any link to the company or profile of
    /// it the facts do not change: nothing is known about the owners.
    #[must_use]
    pub fn with_ownership(mut self, structure: &Structure, resolution: &Resolution) -> Self {
        let company = structure.root();
        let ownership = || structure.links_to(company).filter(|it| it.kind.is_ownership());
        let own_profile = structure.profile(company);
        let Some(source) = ownership()
            .map(|it| &it.source)
            .max_by_key(|it| (it.date, &it.source, &it.reference))
            .or_else(|| own_profile.and_then(source_of_profile))
            .cloned()
        else {
            return self;
        };
        let parties = structure.depths().keys();
        let exceptions = parties.clone().flat_map(|it| {
            let of_party = |one: &ReportingException| (structure.name(*it), one.clone());
            structure.exceptions_of(*it).map(of_party).collect::<Vec<_>>()
        });
        self.ownership = Some(OwnershipFacts {
            company,
            flags: flags(structure, resolution),
            exceptions: exceptions.collect(),
            has_holders_by_name: structure.has_holders_by_name(),
            has_capital: structure.has_capital(),
            held_by_persons: resolution.attributed_to_persons,
            source,
        });
        // The nationality of a person is not the country in which the person lives.
        let owners = parties.filter(|it| **it != company && !it.is_person());
        let countries = owners.filter_map(|party| {
            let country = structure.profile(*party)?.country.clone()?;
            let link = structure.links().iter().find(|it| it.owner == *party)?;
            Some(CountryLink {
                country,
                role: CountryRole::Owner,
                name: structure.name(*party),
                source: link.source.clone(),
            })
        });
        let countries: Vec<CountryLink> = countries.collect();
        if !countries.is_empty() {
            self.countries.get_or_insert_default().extend(countries);
        }
        self
    }
}

/// A statement from which the profile shows something about the owners.
fn source_of_profile(profile: &Profile) -> Option<&Provenance> {
    let exception = profile.exceptions.first().map(|it| &it.source);
    exception.or(profile.domiciliary.as_ref())
}
