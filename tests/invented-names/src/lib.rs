//! Invented names of persons and companies, and the errors with which people write names, for tests and measurements.
//!
//! Invariants: no I/O, no clock; everything depends on the seed.

mod disturbed;

pub use disturbed::{Disturbance, People};

/// Pseudo-random numbers from a fixed seed (`SplitMix64`).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ value >> 31
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn of<'a, T>(&mut self, values: &'a [T]) -> &'a T {
        &values[self.below(values.len())]
    }

    /// Like names of people: the first values are the most frequent.
    fn frequent<'a, T>(&mut self, values: &'a [T]) -> &'a T {
        let (one, other) = (self.below(values.len()), self.below(values.len()));
        &values[one.min(other)]
    }
}

/// The words of a vocabulary file.
fn words(file: &'static str) -> Vec<&'static str> {
    let lines =
        file.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t'));
    lines.flat_map(|(_, words)| words.split(' ')).collect()
}

/// Makes names. The same seed gives the same names.
pub struct Names {
    random: Random,
    given: Vec<&'static str>,
    surnames: Vec<&'static str>,
    company: Vec<&'static str>,
}

impl Names {
    /// A generator with this seed.
    pub fn new(seed: u64) -> Self {
        Self {
            random: Random(seed),
            given: words(include_str!("../../../shared/rules/matching/vocabulary/given_names.tsv")),
            surnames: words(include_str!("../../../shared/rules/matching/vocabulary/surnames.tsv")),
            company: words(include_str!(
                "../../../shared/rules/matching/vocabulary/company_words.tsv"
            )),
        }
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.random.below(end)
    }

    /// A word that nobody lists.
    fn rare(&mut self) -> String {
        let syllables = self.random.below(3) + 2;
        let mut word = String::new();
        for _ in 0..syllables {
            word += self.random.of::<&str>(&[
                "b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "sch", "st",
                "kr", "",
            ]);
            word += self.random.of::<&str>(&["a", "e", "i", "o", "u", "ei", "au", "ie"]);
            word += self.random.of::<&str>(&["", "", "n", "r", "l", "s", "nd", "rt", "ck"]);
        }
        word
    }

    /// The words of the name of a person: given names, then surnames. One surname in three is a frequent one.
    pub fn person(&mut self) -> Vec<String> {
        let mut name = vec![(*self.random.frequent(&self.given)).to_owned()];
        if self.random.below(3) == 0 {
            name.push((*self.random.frequent(&self.given)).to_owned());
        }
        let is_rare = self.random.below(3) > 0;
        name.push(if is_rare {
            self.rare()
        } else {
            (*self.random.frequent(&self.surnames)).to_owned()
        });
        if self.random.below(6) == 0 {
            name.push(self.rare());
        }
        name
    }

    /// The words of the name of a company. The last one is the legal form.
    pub fn company(&mut self) -> Vec<String> {
        let mut name = vec![self.rare()];
        for _ in 0..self.random.below(3) {
            name.push((*self.random.of(&self.company)).to_owned());
        }
        if self.random.below(4) == 0 {
            name.push(self.rare());
        }
        name.push((*self.random.of(&["AG", "SA", "GmbH", "Sàrl", "Ltd", "LLC"])).to_owned());
        name
    }

    /// The name with one or two of the errors that occur in practice. `is_person`: also initials, and the words in reverse.
    pub fn perturbed(&mut self, is_person: bool, name: &[String]) -> Vec<String> {
        let mut name = name.to_vec();
        for _ in 0..=self.random.below(2) {
            let at = self.random.below(name.len());
            match (self.random.below(8), is_person) {
                (0 | 1, _) => name[at] = self.mistyped(&name[at]),
                (2, _) => name[at] = self.transliterated(&name[at]),
                (3, true) => name.reverse(),
                (4, true) if name.len() > 1 => name[0] = name[0][..1].to_uppercase() + ".",
                (5, true) if name.len() > 2 => drop(name.remove(1)),
                (3, _) => *name.last_mut().expect("a legal form") = "Holding AG".to_owned(),
                (4, _) => drop(name.pop()),
                (6, _) if name.len() > 1 && at + 1 < name.len() => {
                    let next = name.remove(at + 1);
                    name[at] += &next;
                }
                _ => name[at] = name[at].to_uppercase(),
            }
            if name.is_empty() {
                name.push("AG".to_owned());
            }
        }
        name
    }

    fn mistyped(&mut self, word: &str) -> String {
        let mut letters: Vec<char> = word.chars().collect();
        let at = self.random.below(letters.len());
        let letter = char::from(b'a' + self.random.below(26) as u8);
        match self.random.below(4) {
            0 => letters[at] = letter,
            1 => letters.insert(at, letter),
            2 if letters.len() > 1 => drop(letters.remove(at)),
            _ if at > 0 => letters.swap(at, at - 1),
            _ => letters.push(letter),
        }
        letters.into_iter().collect()
    }

    fn transliterated(&mut self, word: &str) -> String {
        let (from, to) = self.random.of(&[
            ("k", "c"),
            ("v", "w"),
            ("i", "y"),
            ("sch", "sh"),
            ("z", "s"),
            ("ck", "k"),
            ("ie", "i"),
            ("f", "ph"),
            ("u", "ou"),
            ("o", "oe"),
        ]);
        word.replace(from, to)
    }
}
