//! Whether the index finds what the matcher calls a match, over invented names with the errors that occur in practice.

use std::time::{Duration, Instant};

use screening::{Candidates, Kind, Name, Prepared, Subject, compare, explain};

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

struct Generator {
    random: Random,
    given: Vec<&'static str>,
    surnames: Vec<&'static str>,
    company: Vec<&'static str>,
}

impl Generator {
    fn new(seed: u64) -> Self {
        Self {
            random: Random(seed),
            given: words(include_str!("../vocabulary/given_names.tsv")),
            surnames: words(include_str!("../vocabulary/surnames.tsv")),
            company: words(include_str!("../vocabulary/company_words.tsv")),
        }
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

    fn person(&mut self) -> Vec<String> {
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

    fn company(&mut self) -> Vec<String> {
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

    /// The name with one or two of the errors that occur in practice.
    fn perturbed(&mut self, kind: Kind, name: &[String]) -> Vec<String> {
        let mut name = name.to_vec();
        for _ in 0..=self.random.below(2) {
            let at = self.random.below(name.len());
            match (self.random.below(8), kind) {
                (0 | 1, _) => name[at] = self.mistyped(&name[at]),
                (2, _) => name[at] = self.transliterated(&name[at]),
                (3, Kind::Person) => name.reverse(),
                (4, Kind::Person) if name.len() > 1 => name[0] = name[0][..1].to_uppercase() + ".",
                (5, Kind::Person) if name.len() > 2 => drop(name.remove(1)),
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

fn subject(kind: Kind, name: &[String]) -> Prepared {
    Prepared::new(&Subject { kind, names: vec![Name::new(name.join(" "))], ..Subject::default() })
}

struct Measured {
    recall: f64,
    mean_candidates: f64,
    mean: Duration,
    p99: Duration,
}

/// Builds an index of `count` names and searches `queries` perturbed ones.
fn measure(count: usize, queries: usize) -> Measured {
    let mut generator = Generator::new(17);
    let mut names = Vec::with_capacity(count);
    let mut listed = Vec::with_capacity(count);
    for at in 0..count {
        let kind = if at % 4 == 0 { Kind::Organisation } else { Kind::Person };
        let name = if kind == Kind::Person { generator.person() } else { generator.company() };
        listed.push(subject(kind, &name));
        names.push((kind, name));
    }
    let start = Instant::now();
    let index = Candidates::new(&listed);
    println!("built an index of {count} names in {:?}", start.elapsed());
    let (mut matches, mut found, mut candidates) = (0, 0, 0);
    let mut times = Vec::new();
    let mut finding = Duration::ZERO;
    for _ in 0..queries {
        let at = generator.random.below(count);
        let (kind, name) = &names[at];
        let name = generator.perturbed(*kind, name);
        let start = Instant::now();
        let query = subject(*kind, &name);
        let ids = index.find(&query);
        finding += start.elapsed();
        let hits = ids.iter().filter(|id| compare(&query, &listed[**id as usize]).is_match());
        let explained: Vec<_> =
            hits.take(50).map(|id| explain(&query, &listed[*id as usize])).collect();
        times.push(start.elapsed());
        candidates += ids.len();
        std::hint::black_box(explained);
        if compare(&query, &listed[at]).is_match() {
            matches += 1;
            found += usize::from(ids.contains(&(at as u32)));
            if !ids.contains(&(at as u32)) {
                println!("not found: {name:?}, listed as {:?}", names[at].1);
            }
        }
    }
    times.sort();
    println!("{:?} to find candidates", finding / queries as u32);
    let total: Duration = times.iter().sum();
    let measured = Measured {
        recall: f64::from(found as u32) / f64::from(matches as u32),
        mean_candidates: candidates as f64 / queries as f64,
        mean: total / queries as u32,
        p99: times[queries * 99 / 100],
    };
    println!(
        "{matches} matches of {queries} queries, recall {:.4}, {:.0} candidates, {:?} a screening, p99 {:?}",
        measured.recall, measured.mean_candidates, measured.mean, measured.p99
    );
    measured
}

#[test]
fn matches_are_candidates() {
    let measured = measure(20_000, 2_000);
    assert!(measured.recall >= 0.995, "recall {:.4}", measured.recall);
    assert!(measured.mean_candidates <= 300.0, "{:.0} candidates", measured.mean_candidates);
}

/// `cargo test -p screening --release --test candidates -- --ignored --nocapture`
#[test]
#[ignore = "needs a release build and a minute"]
fn lists_of_300_000_names_are_screened_quickly() {
    let measured = measure(300_000, 20_000);
    assert!(measured.recall >= 0.995, "recall {:.4}", measured.recall);
    assert!(measured.mean <= Duration::from_millis(2), "{:?} a screening", measured.mean);
    assert!(measured.p99 <= Duration::from_millis(10), "p99 {:?}", measured.p99);
}

/// `cargo test -p screening --release --test candidates -- --ignored --nocapture`
#[test]
#[ignore = "needs a release build"]
fn a_pair_of_names_is_compared_in_10_microseconds() {
    let mut generator = Generator::new(3);
    let mut pairs = Vec::new();
    for _ in 0..2_000 {
        let name = generator.person();
        let other = generator.perturbed(Kind::Person, &name);
        pairs.push((subject(Kind::Person, &name), subject(Kind::Person, &other)));
    }
    let start = Instant::now();
    let count = 50;
    for _ in 0..count {
        for (one, other) in &pairs {
            std::hint::black_box(compare(one, other));
        }
    }
    let each = start.elapsed() / (count * 2_000);
    let start = Instant::now();
    for (one, other) in pairs.iter().zip(pairs.iter().rev()) {
        std::hint::black_box(compare(&one.0, &other.1));
    }
    println!(
        "{each:?} a pair of similar names, {:?} a pair of other names",
        start.elapsed() / 2_000
    );
    assert!(each <= Duration::from_micros(10), "{each:?} a pair");
}
