//! NOGA 2008, the Swiss nomenclature of economic activities: all sections and divisions, and the classes
//! that the classifier can recognise.
//!
//! Structure and codes are those of the Federal Statistical Office; down to the four-digit class they
//! are also those of NACE Rev. 2. The official names are long, so this project uses short names of its
//! own in filters and in `industry`. Documents in German, French and Italian contain the official names of
//! sections and divisions, as the office publishes them on i14y.admin.ch.

mod industry;
mod tables;

pub use industry::Industry;
pub use tables::{CLASSES, DIVISIONS, SECTIONS};

/// A section: the highest level, identified by a letter.
#[derive(Debug, PartialEq)]
pub struct Section {
    /// Letter `A` to `U`.
    pub code: char,
    /// English name.
    pub name: &'static str,
    /// Official names in German, French and Italian; of `T` only their first parts.
    pub official: [&'static str; 3],
}

/// A division: the first two digits of a NOGA code.
#[derive(Debug, PartialEq)]
pub struct Division {
    /// Two digits, such as `62`.
    pub code: &'static str,
    /// Letter of its section.
    pub section: char,
    /// English name: the `industry` of a company.
    pub name: &'static str,
    /// Official names in German, French and Italian, for readers of these languages.
    pub official: [&'static str; 3],
}

/// A class: the first four digits of a NOGA code. Only classes that [`industry`](crate::industry) can
/// recognise are listed.
#[derive(Debug, PartialEq)]
pub struct Class {
    /// Four digits, such as `6201`.
    pub code: &'static str,
    /// English name: the `subIndustry` of a company.
    pub name: &'static str,
}

/// The section with this letter.
pub fn section(code: char) -> Option<&'static Section> {
    SECTIONS.iter().find(|it| it.code == code)
}

/// The division of a code of at least two digits, such as `62`, `6201` or `620100`.
pub fn division(code: &str) -> Option<&'static Division> {
    let digits = code.get(..2)?;
    DIVISIONS.iter().find(|it| it.code == digits)
}

/// The division with this English name.
pub fn division_named(name: &str) -> Option<&'static Division> {
    DIVISIONS.iter().find(|it| it.name == name)
}

/// The class of a code of at least four digits, such as `6201` or `620100`, if it is in [`CLASSES`].
pub fn class(code: &str) -> Option<&'static Class> {
    let digits = code.get(..4)?;
    let at = CLASSES.binary_search_by(|it| it.code.cmp(digits)).ok()?;
    CLASSES.get(at)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::text::fold;

    #[test]
    fn every_division_belongs_to_a_section_and_every_section_has_divisions() {
        for it in &DIVISIONS {
            assert!(section(it.section).is_some(), "{it:?}");
        }
        for it in &SECTIONS {
            assert!(DIVISIONS.iter().any(|division| division.section == it.code), "{it:?}");
        }
    }

    #[test]
    fn official_names_are_different_and_complete() {
        for language in 0..3 {
            let names: HashSet<&str> = DIVISIONS.iter().map(|it| it.official[language]).collect();
            assert_eq!(names.len(), DIVISIONS.len());
            assert!(names.iter().all(|it| it.trim() == *it && it.len() > 4), "{names:?}");
        }
        let informatics = division("6201").map(|it| it.official[1]);
        assert_eq!(informatics, Some("Programmation, conseil et autres activités informatiques"));
    }

    #[test]
    fn tables_are_sorted() {
        assert!(SECTIONS.iter().map(|it| it.code).eq('A'..='U'));
        assert!(DIVISIONS.is_sorted_by(|a, b| a.code < b.code && a.section <= b.section));
        assert!(DIVISIONS.iter().all(|it| it.code.len() == 2));
    }

    #[test]
    fn every_class_belongs_to_a_division_and_is_found_by_its_code() {
        assert!(CLASSES.is_sorted_by(|a, b| a.code < b.code));
        for it in &CLASSES {
            assert!(it.code.len() == 4 && division(it.code).is_some(), "{it:?}");
            assert_eq!(class(it.code), Some(it));
        }
        assert_eq!(class("620100").map(|it| it.name), Some("Programming"));
        for code in ["", "62", "6299", "é201"] {
            assert_eq!(class(code), None, "{code}");
        }
        let names: HashSet<String> = CLASSES.iter().map(|it| fold(it.name)).collect();
        assert_eq!(names.len(), CLASSES.len());
    }

    #[test]
    fn folded_names_are_unique() {
        let divisions: HashSet<String> = DIVISIONS.iter().map(|it| fold(it.name)).collect();
        let sections: HashSet<String> = SECTIONS.iter().map(|it| fold(it.name)).collect();
        assert_eq!((divisions.len(), sections.len()), (DIVISIONS.len(), SECTIONS.len()));
    }

    #[test]
    fn names_need_no_escaping_in_a_url() {
        let names = DIVISIONS.iter().map(|it| it.name).chain(SECTIONS.iter().map(|it| it.name));
        for name in names {
            assert!(!name.contains(['/', '?', '#', '%']) && name.trim() == name, "{name}");
        }
    }

    #[test]
    fn division_of_a_longer_code_is_given_by_its_first_two_digits() {
        for code in ["62", "620", "6201", "620100"] {
            assert_eq!(
                division(code).map(|it| it.name),
                Some("Software and IT services"),
                "{code}"
            );
        }
        for code in ["", "6", "04", "J", "é2"] {
            assert_eq!(division(code), None, "{code}");
        }
        assert_eq!(section('J').map(|it| it.name), Some("Media, telecoms and IT"));
        assert_eq!(section('V'), None);
    }
}
