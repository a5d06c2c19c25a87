//! The name of a person, out of the clauses it is written in.

use super::{
    Subject,
    given_names::is_given,
    words::{ALIAS, after_any},
};

/// How an office writes a name without a comma.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Order {
    /// `Muster Hans`, as in Geneva, Vaud, Neuchâtel and Fribourg.
    SurnameFirst,
    /// `Hans Muster`.
    GivenFirst,
}

impl Order {
    /// The order in which most of these names stand; surname first where they do not say, since that
    /// is how the offices that write no comma write.
    pub(super) fn of<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let vote = |name: &str| {
            let name = plain(name).0;
            let mut words = name.split(' ').filter(|it| !is_particle(it));
            let (Some(first), Some(last)) = (words.next(), words.next_back()) else { return 0 };
            i32::from(is_given(last)) - i32::from(is_given(first))
        };
        if names.map(vote).sum::<i32>() < 0 { Self::GivenFirst } else { Self::SurnameFirst }
    }
}

/// Reads the clauses before the origin. At least one.
pub(super) fn person(clauses: &[&str], order: Order) -> Subject {
    let mut parts: Vec<&str> = Vec::new();
    let mut also_known_as = None;
    for clause in clauses {
        match after_any(clause, ALSO) {
            Some(alias) => also_known_as = Some(alias.trim().to_owned()),
            None => parts.push(clause),
        }
    }
    let (last, first, title) = match parts.as_slice() {
        [] => (String::new(), String::new(), None),
        [whole] => {
            let (name, title) = plain(whole);
            let (last, first) = split(&name, order);
            (last.to_owned(), first.to_owned(), title)
        }
        [last, first @ ..] => {
            let (last, one) = plain(last);
            let (first, other) = plain(&first.join(" "));
            (last, first, one.or(other))
        }
    };
    let (first, inner) = alias(first);
    Subject::Person {
        last_name: last,
        first_name: first,
        title,
        also_known_as: also_known_as.or(inner),
    }
}

#[rustfmt::skip]
const ALSO: &[&str] = &[
    "genannt ", "auch genannt ", "dite ", "dit ", "detto ", "detta ", "alias ",
    "auch bekannt als ",
];

/// Takes `Johann genannt Hans` and `Johann (dit Jean)` apart.
fn alias(first: String) -> (String, Option<String>) {
    if let Some((at, end)) = ALIAS.first_in(&first) {
        let alias = first[end..].trim_end_matches(')').trim();
        return (first[..at].trim_end().to_owned(), Some(alias.to_owned()));
    }
    (first, None)
}

/// The name without its academic titles, and these.
fn plain(name: &str) -> (String, Option<String>) {
    #[rustfmt::skip]
    const TITLES: [&str; 30] = [
        "Dr.", "Dr", "Prof.", "PD", "lic.", "lic.iur.", "Dr.iur.", "Dr.med.", "iur.", "jur.",
        "utr.", "oec.", "publ.", "rer.", "pol.", "phil.", "med.", "dent.", "vet.", "sc.", "nat.",
        "techn.", "h.c.", "dipl.", "Dipl.", "Ing.", "ing.", "Me", "avv.", "dott.",
    ];
    let (titles, words): (Vec<&str>, Vec<&str>) =
        name.split(' ').filter(|it| !it.is_empty()).partition(|it| TITLES.contains(it));
    // A word alone is a name, whatever it looks like.
    if words.is_empty() {
        return (name.to_owned(), None);
    }
    (words.join(" "), (!titles.is_empty()).then(|| titles.join(" ")))
}

/// A surname may begin with such a word, and the next belongs to it.
pub(super) fn is_particle(word: &str) -> bool {
    #[rustfmt::skip]
    const PARTICLES: [&str; 36] = [
        "von", "Von", "vom", "Vom", "van", "Van", "de", "De", "du", "Du", "des", "Des", "di", "Di",
        "da", "Da", "do", "dos", "Dos", "del", "Del", "della", "Della", "den", "der", "dal", "Dal",
        "zu", "zum", "zur", "Zur", "la", "La", "le", "Le", "El",
    ];
    PARTICLES.contains(&word)
}

/// A name without a comma as surname and given names.
fn split(name: &str, order: Order) -> (&str, &str) {
    let name = name.trim();
    let is_space = |(at, _): &(usize, char)| name.as_bytes()[*at] == b' ';
    let at = match order {
        Order::SurnameFirst => {
            let mut spaces = name.char_indices().filter(is_space).map(|(at, _)| at);
            let mut from = 0;
            loop {
                let Some(to) = spaces.next() else { break None };
                if !is_particle(&name[from..to]) {
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
            Subject::Entity { .. } => unreachable!("a person"),
        }
    }

    fn names(clauses: &[&str], order: Order) -> (String, String) {
        let (last, first, ..) = read(clauses, order);
        (last, first)
    }

    #[test]
    fn a_comma_stands_behind_the_surname() {
        let both = |one: &str, other: &str| (one.to_owned(), other.to_owned());
        let order = Order::SurnameFirst;
        assert_eq!(
            names(&["Muster-Beispiel", "Hans Peter"], order),
            both("Muster-Beispiel", "Hans Peter")
        );
        assert_eq!(names(&["Muster Hans Peter"], order), both("Muster", "Hans Peter"));
        assert_eq!(names(&["von Muster Hans"], order), both("von Muster", "Hans"));
        assert_eq!(names(&["De la Test Anna"], order), both("De la Test", "Anna"));
        assert_eq!(
            names(&["Hans Peter von Muster"], Order::GivenFirst),
            both("von Muster", "Hans Peter")
        );
    }

    #[test]
    fn titles_and_by_names_are_taken_apart() {
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
    fn most_names_of_a_notice_say_in_which_order_they_stand() {
        let order = |names: &[&str]| Order::of(names.iter().copied());
        assert_eq!(order(&["Hans Muster", "Anna Beispiel"]), Order::GivenFirst);
        assert_eq!(order(&["Muster Hans", "Werner Anna"]), Order::SurnameFirst);
        assert_eq!(order(&["Test Xhem"]), Order::SurnameFirst);
    }
}
