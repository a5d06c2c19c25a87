//! A division or section, as callers name it.

use crate::choice::{Choice, UnknownValue};

use super::{DIVISIONS, Division, SECTIONS, Section};

const INDUSTRY: Choice =
    Choice::of("a division or section of NOGA 2008, such as `Financial services`")
        .listed_at("/v1/reports/industries");

/// A division or section of NOGA 2008.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Industry {
    /// A division.
    Division(&'static Division),
    /// A section.
    Section(&'static Section),
}

impl Industry {
    /// The industry with this name, in English or an official language, or with this code: two digits of a division or the letter of
    /// a section. Case and accents do not matter. A name that a division and its section share means the division.
    pub fn named(given: &str) -> Result<Self, UnknownValue> {
        let letter = given.chars().next().filter(|_| given.len() == 1);
        let section = letter.and_then(|it| super::section(it.to_ascii_uppercase()));
        if let Some(section) = section {
            return Ok(Self::Section(section));
        }
        let all = || {
            let divisions = DIVISIONS.iter().map(Self::Division);
            divisions.chain(SECTIONS.iter().map(Self::Section))
        };
        let names = all().map(|it| (it.name(), it));
        let codes = DIVISIONS.iter().map(|it| (it.code, Self::Division(it)));
        let official = all().flat_map(|it| it.official().map(|name| (name, it)));
        INDUSTRY.read(given, names.chain(codes).chain(official))
    }

    /// English name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Division(it) => it.name,
            Self::Section(it) => it.name,
        }
    }

    /// Official names in German, French and Italian.
    pub const fn official(self) -> [&'static str; 3] {
        match self {
            Self::Division(it) => it.official,
            Self::Section(it) => it.official,
        }
    }

    /// Two digits of a division, or the letter of a section.
    pub fn code(self) -> String {
        match self {
            Self::Division(it) => it.code.to_owned(),
            Self::Section(it) => it.code.to_string(),
        }
    }

    /// Letter of the section that it is or belongs to.
    pub const fn section(self) -> char {
        match self {
            Self::Division(it) => it.section,
            Self::Section(it) => it.code,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_and_code_of_the_list_means_its_industry() {
        let divisions = DIVISIONS.iter().map(Industry::Division);
        for industry in divisions.chain(SECTIONS.iter().map(Industry::Section)) {
            assert_eq!(Industry::named(&industry.code()), Ok(industry));
            let named = Industry::named(industry.name()).expect("an industry");
            assert_eq!(named.name(), industry.name());
            for name in industry.official() {
                let found = Industry::named(&name.to_uppercase()).expect("an industry");
                assert_eq!(found.section(), industry.section(), "{name}");
            }
        }
        assert_eq!(Industry::named("k"), Industry::named("K"));
        assert_eq!(Industry::named("k").map(Industry::name), Ok("Finance and insurance"));
    }

    #[test]
    fn what_is_no_industry_is_refused_with_the_nearest_one_or_the_list() {
        for (given, help) in [
            ("Finanical services", "Did you mean `Financial services`?"),
            ("4", "`/v1/reports/industries` lists them"),
            ("", "`/v1/reports/industries` lists them"),
        ] {
            let refused = Industry::named(given).expect_err("no industry").to_string();
            assert!(refused.contains(help), "{refused}");
        }
    }
}
