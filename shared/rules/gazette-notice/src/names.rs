//! Splits the name of a person into surname, given names, title and alias.

use super::{
    Subject,
    given_names::is_given_name,
    words::{ALIAS, strip_any_prefix},
};

/// The order of surname and given names in a name without a comma.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Order {
    /// `Muster Hans`, as in Geneva, Vaud, Neuchâtel and Fribourg.
    SurnameFirst,
    /// `Hans Muster`.
    GivenFirst,
}

impl Order {
    /// The order of most of these names.
    ///
    /// Surname first if they are undecided, because most offices that use no comma write so.
    pub(super) fn of<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let vote = |name: &str| {
            let name = split_titles(name).0;
            let mut words = name.split(' ').filter(|it| !is_particle(it));
            let (Some(first), Some(last)) = (words.next(), words.next_back()) else { return 0 };
            i32::from(is_given_name(last)) - i32::from(is_given_name(first))
        };
        if names.map(vote).sum::<i32>() < 0 { Self::GivenFirst } else { Self::SurnameFirst }
    }
}

/// Reads the name of a person from its clauses: one, or surname and given names.
pub(super) fn person(clauses: &[&str], order: Order) -> Subject {
    let mut parts: Vec<&str> = Vec::new();
    let mut also_known_as = None;
    for clause in clauses {
        match strip_any_prefix(clause, ALIAS_PREFIXES) {
            Some(alias) => also_known_as = Some(alias.trim().to_owned()),
            None => parts.push(clause),
        }
    }
    let (last, first, title) = match parts.as_slice() {
        [] => (String::new(), String::new(), None),
        [whole] => {
            let (name, title) = split_titles(whole);
            let (last, first) = split_name(&name, order);
            (last.to_owned(), first.to_owned(), title)
        }
        [last, first @ ..] => {
            let (last, title_before) = split_titles(last);
            let (first, title_after) = split_titles(&first.join(" "));
            (last, first, title_before.or(title_after))
        }
    };
    let (first, alias) = split_alias(first);
    Subject::Person {
        last_name: last,
        first_name: first,
        title,
        also_known_as: also_known_as.or(alias),
    }
}

#[rustfmt::skip]
const ALIAS_PREFIXES: &[&str] = &[
    "genannt ", "auch genannt ", "dite ", "dit ", "detto ", "detta ", "alias ",
    "auch bekannt als ",
];

/// Splits `Johann genannt Hans` or `Johann (dit Jean)` into given names and alias.
fn split_alias(first: String) -> (String, Option<String>) {
    if let Some((at, end)) = ALIAS.find_first(&first) {
        let alias = first[end..].trim_end_matches(')').trim();
        return (first[..at].trim_end().to_owned(), Some(alias.to_owned()));
    }
    (first, None)
}

#[rustfmt::skip]
const TITLES: [&str; 66] = [
    "Dr.", "Dr", "Prof.", "PD", "lic.", "lic.iur.", "Dr.iur.", "Dr.med.", "iur.", "jur.",
    "utr.", "oec.", "publ.", "rer.", "pol.", "phil.", "med.", "dent.", "vet.", "sc.", "nat.",
    "techn.", "h.c.", "dipl.", "Dipl.", "Ing.", "ing.", "Me", "avv.", "dott.", "HSG", "ETH", "EPF", "EPFL", "FH", "HTL", "Maître", "Me.", "Avv.", "Dott.", "Dott.ssa",
    "dott.ssa", "Arch.", "arch.", "Geom.", "geom.", "Rag.", "Ing", "MLaw", "MBA", "M.A.", "Fürsprech", "Dr.-Ing.", "Dipl.-Ing.", "PhD", "Ph.D.", "Prof", "Docteur",
    "eidg.", "Lic.", "LL.M.", "don", "mons.", "Mons.", "rev.", "Rev.",
];

/// Whether the word is an academic title.
pub(super) fn is_title(word: &str) -> bool {
    TITLES.contains(&word)
}

/// The name with another surname, if the surname can be distinguished from the given names.
pub(super) fn with_surname(name: &[String], surname: &str) -> Option<Vec<String>> {
    match name {
        [_, given, ..] => Some(vec![surname.to_owned(), given.clone()]),
        [whole] => {
            let words: Vec<&str> = whole.split(' ').collect();
            let (first, last) = (words.first()?, words.last()?);
            match (is_given_name(first), is_given_name(last)) {
                (false, true) => {
                    let (_, given) = split_name(whole, Order::SurnameFirst);
                    Some(vec![format!("{surname} {given}")])
                }
                (true, false) => {
                    let (_, given) = split_name(whole, Order::GivenFirst);
                    Some(vec![format!("{given} {surname}")])
                }
                _ => None,
            }
        }
        [] => None,
    }
}

/// Splits a name into the name without academic titles, and the titles.
fn split_titles(name: &str) -> (String, Option<String>) {
    let (titles, words): (Vec<&str>, Vec<&str>) =
        name.split(' ').filter(|it| !it.is_empty()).partition(|it| TITLES.contains(it));
    // A name that consists of titles only is a name.
    if words.is_empty() {
        return (name.to_owned(), None);
    }
    (words.join(" "), (!titles.is_empty()).then(|| titles.join(" ")))
}

/// Whether the word is the first part of a surname, as in `von Muster`.
pub(super) fn is_particle(word: &str) -> bool {
    #[rustfmt::skip]
    const PARTICLES: [&str; 51] = [
        "von", "Von", "vom", "Vom", "van", "Van", "de", "De", "du", "Du", "des", "Des", "di", "Di",
        "da", "Da", "do", "dos", "Dos", "del", "Del", "della", "Della", "den", "der", "dal", "Dal",
        "zu", "zum", "zur", "Zur", "la", "La", "le", "Le", "El", "el", "ten", "Ten", "ter", "af", "bin",
        "Al", "Abu", "Ibn", "Bin", "Do", "Das", "Ter", "Den", "Dello",
    ];
    PARTICLES.contains(&word)
}

/// Whether the word before a name that starts with the surname is the first part of it. `Ben` and `Mac` are given names too,
/// and no part of the surname where they stand before it.
pub(super) fn starts_surname(word: &str) -> bool {
    is_particle(word) || matches!(word, "Ben" | "Mac")
}

/// Surnames that often follow another one.
#[rustfmt::skip]
const IBERIAN: [&str; 74] = [
    "Silva", "Ferreira", "Pereira", "Santos", "Oliveira", "Costa", "Rodrigues", "Martins", "Fernandes", "Gonçalves", "Gomes", "Lopes", "Marques", "Alves", "Almeida", "Ribeiro",
    "Pinto", "Carvalho", "Teixeira", "Moreira", "Correia", "Mendes", "Nunes", "Soares", "Vieira", "Monteiro", "Cardoso", "Rocha", "Neves", "Coelho", "Cruz", "Cunha", "Pires",
    "Ramos", "Reis", "Simões", "Antunes", "Matos", "Fonseca", "Machado", "Araújo", "Barbosa", "Tavares", "Lourenço", "Castro", "Figueiredo", "Azevedo", "Freitas", "Magalhães",
    "Henriques", "García", "Garcia", "Fernández", "Fernandez", "González", "Gonzalez", "Rodríguez", "Rodriguez", "López", "Lopez", "Martínez", "Martinez", "Sánchez", "Sanchez",
    "Pérez", "Perez", "Gómez", "Gomez", "Jiménez", "Hernández", "Álvarez", "Torres", "Domínguez", "Suárez",
];

/// Splits a name without a comma into surname and given names.
fn split_name(name: &str, order: Order) -> (&str, &str) {
    let name = name.trim();
    let is_space = |(at, _): &(usize, char)| name.as_bytes()[*at] == b' ';
    let at = match order {
        Order::SurnameFirst => {
            // A second surname is before the first given name: `Zbinden Chollet Yvonne`.
            let mut words = name.match_indices(' ').map(|(at, _)| at);
            let follows_particle =
                |at: usize| name[..at].rsplit(' ').next().is_some_and(starts_surname);
            let is_given = |at: &usize| {
                !follows_particle(*at)
                    && name[at + 1..].split(' ').next().is_some_and(is_given_name)
            };
            // `Tavares Mendes Edmilson`: Portuguese and Spanish names have two surnames.
            let is_surname = |at: &usize| {
                let mut rest = name[at + 1..].split(' ');
                rest.next().is_some_and(|it| IBERIAN.contains(&it)) && rest.next().is_some()
            };
            let double = name.match_indices(' ').map(|(at, _)| at).find(is_surname);
            if let Some(at) = double.filter(|_| !words.clone().any(|it| is_given(&it))) {
                let end = name[at + 1..].find(' ').map_or(name.len(), |it| at + 1 + it);
                return (&name[..end], name[end..].trim());
            }
            if let Some(at) = words.find(is_given) {
                return (&name[..at], name[at..].trim());
            }
            let mut spaces = name.char_indices().filter(is_space).map(|(at, _)| at);
            let mut from = 0;
            loop {
                let Some(to) = spaces.next() else { break None };
                if !starts_surname(&name[from..to]) {
                    break Some(to);
                }
                from = to + 1;
            }
        }
        Order::GivenFirst => {
            let mut at = name.rfind(' ');
            while let Some(space) = at {
                let before = name[..space].rfind(' ');
                let word = &name[before.map_or(0, |it| it + 1)..space];
                if before.is_none() || !is_particle(word) {
                    break;
                }
                at = before;
            }
            at
        }
    };
    match (at, order) {
        (None, _) => (name, ""),
        (Some(at), Order::SurnameFirst) => (&name[..at], name[at..].trim()),
        (Some(at), Order::GivenFirst) => (name[at..].trim(), &name[..at]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(clauses: &[&str], order: Order) -> (String, String, Option<String>, Option<String>) {
        match person(clauses, order) {
            Subject::Person { last_name, first_name, title, also_known_as } => {
                (last_name, first_name, title, also_known_as)
            }
            Subject::Entity { .. } => unreachable!("expected a person"),
        }
    }

    fn names(clauses: &[&str], order: Order) -> (String, String) {
        let (last, first, ..) = read(clauses, order);
        (last, first)
    }

    #[test]
    fn surname_and_given_names_are_split_with_and_without_comma() {
        let expected = |last: &str, first: &str| (last.to_owned(), first.to_owned());
        let order = Order::SurnameFirst;
        assert_eq!(
            names(&["Muster-Beispiel", "Hans Peter"], order),
            expected("Muster-Beispiel", "Hans Peter")
        );
        assert_eq!(names(&["Muster Hans Peter"], order), expected("Muster", "Hans Peter"));
        assert_eq!(names(&["von Muster Hans"], order), expected("von Muster", "Hans"));
        assert_eq!(names(&["De la Test Anna"], order), expected("De la Test", "Anna"));
        for (name, surname, given) in [
            ("Al Muster Omar", "Al Muster", "Omar"),
            ("Ben Ali Xhem", "Ben Ali", "Xhem"),
            ("Abu Test Xhem", "Abu Test", "Xhem"),
            ("Das Probe Xhem", "Das Probe", "Xhem"),
            ("Do Probe Xhem", "Do Probe", "Xhem"),
            ("Van der Probe Xhem", "Van der Probe", "Xhem"),
            ("Mac Muster Xhem", "Mac Muster", "Xhem"),
            ("O'Muster Xhem", "O'Muster", "Xhem"),
        ] {
            assert_eq!(names(&[name], order), expected(surname, given));
        }
        assert_eq!(
            names(&["Hans Peter von Muster"], Order::GivenFirst),
            expected("von Muster", "Hans Peter")
        );
    }

    #[test]
    fn titles_and_aliases_are_extracted() {
        let order = Order::SurnameFirst;
        let (_, first, title, _) = read(&["Muster", "Dr. iur. Hans"], order);
        assert_eq!((first.as_str(), title.as_deref()), ("Hans", Some("Dr. iur.")));
        let (_, first, title, _) = read(&["Muster", "Hans Dr."], order);
        assert_eq!((first.as_str(), title.as_deref()), ("Hans", Some("Dr.")));
        let (_, first, _, also) = read(&["Muster", "Johann", "genannt Hansi"], order);
        assert_eq!((first.as_str(), also.as_deref()), ("Johann", Some("Hansi")));
        let (_, first, _, also) = read(&["Muster", "Jean (dit Jeannot)"], order);
        assert_eq!((first.as_str(), also.as_deref()), ("Jean", Some("Jeannot")));
    }

    #[test]
    fn order_is_that_of_most_names() {
        let order = |names: &[&str]| Order::of(names.iter().copied());
        assert_eq!(order(&["Hans Muster", "Anna Beispiel"]), Order::GivenFirst);
        assert_eq!(order(&["Muster Hans", "Werner Anna"]), Order::SurnameFirst);
        assert_eq!(order(&["Test Xhem"]), Order::SurnameFirst);
    }
}
