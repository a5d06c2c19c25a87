//! The score of two names.
//!
//! `score = ceiling(bits) × quality × factors`
//!
//! * **bits**: rarity of the words that agree. The ceiling is 0.97 for names that nobody else has and lower for common
//!   ones, so that equal names have equal scores only if they are equally rare.
//! * **quality**: the part of the words (by rarity) that agrees, each by its similarity.
//! * **factors**: contradictions between the names. Each is below 1 and can turn a match into none.

use smallvec::SmallVec;

use crate::{
    THRESHOLD,
    align::{Alignment, Pair, align, joined_whole},
    name::{PreparedName, ones},
    omitted::Omitted,
    similarity::Agreement,
    token::{Aside, Reading, Role, Token},
};

/// The highest score of names without further evidence.
pub(crate) const HIGHEST: f32 = 0.97;

/// The score of two names, and what it follows from.
#[derive(Debug)]
pub(crate) struct NameScore {
    /// 0–0.97.
    pub(crate) score: f32,
    pub(crate) alignment: Alignment,
    /// Words that say little and are missing in one of the names.
    pub(crate) omitted: Omitted,
    /// The highest score of names in which these words agree, by their rarity.
    pub(crate) ceiling: f32,
    pub(crate) factors: Factors,
}

/// What lowers the score of two names: 1 if nothing does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Factors {
    /// Words of both names contradict each other.
    pub(crate) conflict: f32,
    /// Words of one name are missing in the other.
    pub(crate) missing: f32,
    /// Names differ in several places.
    pub(crate) deviations: f32,
    /// Only initials agree.
    pub(crate) initials: f32,
    /// The words have another order.
    pub(crate) order: f32,
    /// The words after `bin` differ.
    pub(crate) father: f32,
    /// The numbers differ.
    pub(crate) numbers: f32,
    /// The legal forms differ.
    pub(crate) legal_form: f32,
    /// A name is a weak alias.
    pub(crate) weak: f32,
}

impl Factors {
    /// What words that are different, missing, misspelled or abbreviated take together, apart from the similarity of each.
    pub(crate) fn differences(&self) -> f32 {
        self.conflict * self.missing * self.deviations * self.initials
    }

    fn product(&self) -> f32 {
        self.differences() * self.order * self.father * self.numbers * self.legal_form * self.weak
    }
}

/// Compares two names.
pub(crate) fn name_score(a: &PreparedName, b: &PreparedName) -> NameScore {
    let alignment = align(a, b);
    let (free_a, free_b) = (alignment.free_a != 0, alignment.free_b != 0);
    // The same letters, or nearly: only the spaces differ.
    let may_be_joined = free_a && free_b
        || (free_a || free_b) && a.tokens.len() != b.tokens.len() && a.letters == b.letters;
    let joined = if may_be_joined { joined_whole(a, b) } else { None };
    let mut alignment = joined.unwrap_or(alignment);
    let omitted = Omitted::of(a, b, &mut alignment);
    let is_person = a.reading == Reading::Person && b.reading == Reading::Person;
    let is_vessel = a.reading == Reading::Vessel || b.reading == Reading::Vessel;
    let (mut agreeing, mut possible, mut bits) = (0.0, 0.0, 0.0);
    for pair in &alignment.pairs {
        agreeing += pair.bits * pair.similarity;
        possible += pair.bits;
        bits += pair.bits * pair.similarity * pair.similarity;
    }
    let number_bits = equal_number_bits(a, b);
    // A name of a number only.
    let (agreeing, possible, bits) =
        (agreeing + number_bits, possible + number_bits, bits + number_bits);
    let (missing_a, missing_b) =
        (missing_bits(a, alignment.free_a), missing_bits(b, alignment.free_b));
    let conflict = missing_a.min(missing_b);
    let rest = (missing_a - missing_b).abs();
    let quality = if possible > 0.0 { agreeing / (possible + conflict) } else { 0.0 };
    let factors = Factors {
        conflict: if conflict > 1.0 { 0.74 } else { 1.0 },
        missing: if is_person {
            missing_in_person(a, b, &alignment, bits)
        } else {
            missing_in_organisation(a, b, &alignment, possible, rest)
        },
        deviations: deviations(&alignment),
        initials: initials(&alignment.pairs),
        order: order(&alignment.pairs, is_person),
        father: father(a, b, &alignment),
        numbers: numbers(a, b, is_person),
        legal_form: legal_form(a, b),
        weak: if a.is_weak || b.is_weak { 0.95 } else { 1.0 },
    };
    // Ships have short names and few are spelled in several ways.
    let quality = if is_vessel { quality * quality } else { quality };
    let ceiling = ceiling(bits);
    let score = ceiling * quality * factors.product();
    let has_number = factors.numbers == 1.0 && number_list(a).count() != number_list(b).count();
    let score = omitted.lowered(score, has_number).clamp(0.0, HIGHEST);
    let may_be_whole = score < LEAST_WHOLE && !is_person && !is_vessel && factors.numbers == 1.0;
    let is_whole = may_be_whole && (omitted.is_trade_of_full_name || contains_whole(&alignment));
    let score = if is_whole { LEAST_WHOLE } else { score };
    NameScore { score, alignment, omitted, ceiling, factors }
}

/// The score of names that agree, by their rarity.
fn ceiling(bits: f32) -> f32 {
    HIGHEST - 0.27 * (-bits / 7.0).exp2()
}

fn missing_bits(name: &PreparedName, tokens: u32) -> f32 {
    ones(tokens).map(|at| name.tokens[at].missing_bits()).sum()
}

fn count(name: &PreparedName, tokens: u32) -> i32 {
    ones(tokens).filter(|&at| name.tokens[at].role == Role::Name).count() as i32
}

/// Persons leave out given names and parts of double surnames, but a single word does not identify them.
fn missing_in_person(a: &PreparedName, b: &PreparedName, alignment: &Alignment, bits: f32) -> f32 {
    let missing = count(a, alignment.free_a).max(count(b, alignment.free_b));
    if alignment.free_a == 0 && alignment.free_b == 0 {
        return 1.0;
    }
    let names = |it: &Pair| it.agreement != Agreement::Initial;
    let full: usize = alignment.pairs.iter().filter(|it| names(it)).map(words).sum();
    if full < 2 {
        // With an initial: `N. Nazarbayev` against `Nursultan Abishevich Nazarbayev`.
        return if alignment.pairs.len() > 1 { 0.9 } else { 0.62 };
    }
    // `Ali Tikriti` against `Ali Hassan Mohammed Tikriti`.
    let least = if ends_agree(a, b, alignment) { 0.84 } else { 0.0 };
    let each: f32 = if bits < 12.0 { 0.91 } else { 0.94 };
    let initials = if missing == 0 { 0.985 } else { 1.0 };
    // More than two missing names are rarely left out.
    let names = each.powi(missing.min(2)) * 0.9_f32.powi((missing - 2).max(0));
    names.max(least) * initials
}

/// The score that a name keeps in which the whole other name stands.
const LEAST_WHOLE: f32 = THRESHOLD as f32 + 0.01;

/// The rarity in bits of a name that is hardly ever a part of another one by chance.
const RARE_WHOLE: f32 = 14.0;

/// Whether all words of one name stand together in the other, before or after at most two more: `Neue Muster Handels AG`. They
/// are several and rare.
fn contains_whole(alignment: &Alignment) -> bool {
    let (is_a_longer, free) = match (alignment.free_a, alignment.free_b) {
        (0, 0) => return false,
        (free, 0) => (true, free),
        (0, free) => (false, free),
        _ => return false,
    };
    let bits: f32 = alignment.pairs.iter().map(|it| it.bits).sum();
    let words: usize = alignment.pairs.iter().map(words).sum();
    if free.count_ones() > 2 || words < 2 || bits < RARE_WHOLE {
        return false;
    }
    // The words in the longer name, and the same in the shorter one.
    let in_both = |it: &Pair| if is_a_longer { (it.a, it.b) } else { (it.b, it.a) };
    let mut places: SmallVec<[_; 12]> = alignment.pairs.iter().map(in_both).collect();
    places.sort_unstable();
    let is_between = |before: u8, after: u8| (before + 1..after).any(|it| free & 1 << it != 0);
    let follow = |one: &((u8, u8), (u8, u8)), next: &((u8, u8), (u8, u8))| {
        one.1 < next.1 && !is_between(one.0.1, next.0.0)
    };
    alignment.pairs.iter().all(|it| it.similarity >= 0.95) && places.is_sorted_by(follow)
}

/// Whether one name is the first and the last word of the other.
fn ends_agree(a: &PreparedName, b: &PreparedName, alignment: &Alignment) -> bool {
    let ends = |name: &PreparedName| {
        let is_name = |it: &Token| it.role == Role::Name;
        Some((name.tokens.iter().position(is_name)?, name.tokens.iter().rposition(is_name)?))
    };
    let (Some(ends_a), Some(ends_b)) = (ends(a), ends(b)) else { return false };
    let agree = |a: usize, b: usize| {
        let is_pair = |it: &Pair| usize::from(it.a.0) == a && usize::from(it.b.0) == b;
        alignment.pairs.iter().any(|it| is_pair(it) && it.similarity >= 0.95)
    };
    let missing = (alignment.free_a | alignment.free_b).count_ones();
    (alignment.free_a == 0 || alignment.free_b == 0)
        && missing <= 3
        && agree(ends_a.0, ends_b.0)
        && agree(ends_a.1, ends_b.1)
}

/// How many words of a pair agree: a joined word counts as the words it joins.
fn words(pair: &Pair) -> usize {
    usize::from((pair.a.1 - pair.a.0).max(pair.b.1 - pair.b.0)) + 1
}

/// Another word in the name of an organisation is another organisation, unless it only describes it.
fn missing_in_organisation(
    a: &PreparedName,
    b: &PreparedName,
    alignment: &Alignment,
    possible: f32,
    rest: f32,
) -> f32 {
    let is_content = |name: &PreparedName, tokens| {
        ones(tokens).any(|at| name.tokens[at].role != Role::Describing)
    };
    if is_content(a, alignment.free_a) || is_content(b, alignment.free_b) {
        let is_word =
            |name: &PreparedName, tokens| ones(tokens).any(|at| name.tokens[at].role == Role::Name);
        if is_word(a, alignment.free_a) || is_word(b, alignment.free_b) {
            (possible / (possible + rest)).min(0.72)
        } else {
            0.87
        }
    } else if alignment.free_a != 0 || alignment.free_b != 0 {
        0.97
    } else {
        1.0
    }
}

/// One difference is a typo or a shorter form; several make it less likely that names are the same.
fn deviations(alignment: &Alignment) -> f32 {
    let differs = |it: &&Pair| {
        it.similarity < 0.9 && matches!(it.agreement, Agreement::Similar | Agreement::Sound)
    };
    let differing = alignment.pairs.iter().filter(differs).count();
    let missing = usize::from(alignment.free_a != 0 || alignment.free_b != 0);
    0.91_f32.powi((differing + missing).saturating_sub(1) as i32)
}

fn initials(pairs: &[Pair]) -> f32 {
    let initials = pairs.iter().filter(|it| it.agreement == Agreement::Initial).count();
    let full = pairs.len() - initials;
    match (initials, full) {
        (0, _) => 1.0,
        (_, 0) => 0.6,
        (count, 1) => 0.92 * 0.95_f32.powi(count as i32 - 1),
        (count, _) => 0.97_f32.powi(count as i32),
    }
}

fn order(pairs: &[Pair], is_person: bool) -> f32 {
    let inversions = pairs
        .iter()
        .enumerate()
        .flat_map(|(at, x)| pairs[at + 1..].iter().map(move |y| (x, y)))
        .filter(|(x, y)| (x.a.0 < y.a.0) != (x.b.0 < y.b.0));
    match (inversions.count(), is_person) {
        (0, _) => 1.0,
        (_, true) => 0.985,
        (_, false) => 0.95,
    }
}

/// `A bin B` is the son of `B bin A`.
fn father(a: &PreparedName, b: &PreparedName, alignment: &Alignment) -> f32 {
    let (fathers_a, fathers_b) = (fathers(a), fathers(b));
    if fathers_a == 0 || fathers_b == 0 {
        return 1.0;
    }
    let contains =
        |fathers: u32, (first, last): (u8, u8)| (first..=last).any(|it| fathers & 1 << it != 0);
    let contradicts = |it: &Pair| contains(fathers_a, it.a) != contains(fathers_b, it.b);
    if alignment.pairs.iter().any(contradicts) { 0.7 } else { 1.0 }
}

/// The names after `bin`.
fn fathers(name: &PreparedName) -> u32 {
    let mut fathers = 0;
    let mut is_next = false;
    for (at, token) in name.tokens.iter().enumerate() {
        if token.role == Role::Father {
            is_next = true;
        } else if is_next && token.role == Role::Name {
            fathers |= 1 << at;
            is_next = false;
        }
    }
    fathers
}

fn number_list(name: &PreparedName) -> impl Iterator<Item = u32> + Clone {
    name.tokens.iter().filter(|it| it.role == Role::Number).map(|it| it.number)
}

/// How often a number is in a name.
fn occurrences(name: &PreparedName, number: u32) -> usize {
    number_list(name).filter(|it| *it == number).count()
}

/// Rarity of the numbers that both names have. A number that one name repeats agrees as often as it is in the other.
fn equal_number_bits(a: &PreparedName, b: &PreparedName) -> f32 {
    let is_first = |at: usize, number: u32| !number_list(a).take(at).any(|it| it == number);
    let different = number_list(a).enumerate().filter(|&(at, it)| is_first(at, it));
    let equal = different.map(|(_, it)| occurrences(a, it).min(occurrences(b, it)));
    equal.sum::<usize>() as f32 * 4.0
}

/// Numbers distinguish funds, buildings and ships that have the same words.
fn numbers(a: &PreparedName, b: &PreparedName, is_person: bool) -> f32 {
    let lacks = |one: &PreparedName, other: &PreparedName| {
        number_list(one).any(|it| occurrences(one, it) > occurrences(other, it))
    };
    // Of numbers in brackets, only those of both names are compared.
    let is_aside = |it: &PreparedName| {
        it.tokens.iter().filter(|it| it.role == Role::Number).all(|it| it.aside == Aside::Number)
    };
    if (number_list(a).next().is_none() && is_aside(b))
        || (number_list(b).next().is_none() && is_aside(a))
    {
        return 1.0;
    }
    match (lacks(a, b), lacks(b, a), is_person) {
        (false, false, _) => 1.0,
        (true, true, _) => 0.45,
        (_, _, true) => 0.88,
        (_, _, false) => 0.71,
    }
}

fn legal_form(a: &PreparedName, b: &PreparedName) -> f32 {
    if a.reading != Reading::Organisation || b.reading != Reading::Organisation {
        return 1.0;
    }
    match (a.families, b.families) {
        (0, 0) => 1.0,
        (0, _) | (_, 0) => 0.99,
        (one, other) if one & other != 0 => 1.0,
        _ => 0.95,
    }
}
