//! Distance of two words in weighted edits.
//!
//! Optimal string alignment (Damerau–Levenshtein without overlapping transpositions). Edits that typing and
//! transliteration often cause cost less than 100, which is the cost of an arbitrary edit.

/// The number of letters of a word that are compared.
pub(crate) const MAX_LETTERS: usize = 48;

/// Pairs of letters that are often written for each other, and the cost of the substitution.
const CONFUSIONS: &[(u8, u8, u16)] = &[
    (b'i', b'y', 25),
    (b'i', b'j', 30),
    (b'j', b'y', 30),
    (b'c', b'k', 25),
    (b'k', b'q', 25),
    (b'c', b'q', 30),
    (b'c', b's', 40),
    (b's', b'z', 30),
    (b'v', b'w', 25),
    (b'f', b'v', 40),
    (b'b', b'p', 60),
    (b'd', b't', 50),
    (b'g', b'k', 50),
    (b'g', b'j', 50),
    (b'c', b'j', 60),
    (b'j', b'z', 50),
    (b'b', b'v', 60),
    (b'o', b'u', 45),
    (b'e', b'i', 45),
    (b'a', b'e', 50),
    (b'u', b'w', 40),
    (b'm', b'n', 80),
    (b'0', b'o', 15),
    (b'1', b'i', 15),
    (b'1', b'l', 15),
    (b'3', b'e', 15),
    (b'4', b'a', 15),
    (b'5', b's', 15),
    (b'8', b'b', 15),
];

const ALPHABET: usize = 36;

const SUBSTITUTIONS: [[u16; ALPHABET]; ALPHABET] = substitutions();

const fn index(letter: u8) -> usize {
    match letter {
        b'a'..=b'z' => (letter - b'a') as usize,
        b'0'..=b'9' => (letter - b'0') as usize + 26,
        _ => 0,
    }
}

const fn is_vowel(letter: u8) -> bool {
    matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

const fn substitutions() -> [[u16; ALPHABET]; ALPHABET] {
    let mut costs = [[100; ALPHABET]; ALPHABET];
    let vowels = b"aeiouy";
    let mut i = 0;
    while i < vowels.len() {
        let mut j = 0;
        while j < vowels.len() {
            costs[index(vowels[i])][index(vowels[j])] = 70;
            j += 1;
        }
        i += 1;
    }
    // Digits that differ are another number, not a spelling.
    let mut i = 26;
    while i < ALPHABET {
        let mut j = 26;
        while j < ALPHABET {
            costs[i][j] = 1000;
            j += 1;
        }
        i += 1;
    }
    let mut i = 0;
    while i < CONFUSIONS.len() {
        let (one, other, cost) = CONFUSIONS[i];
        costs[index(one)][index(other)] = cost;
        costs[index(other)][index(one)] = cost;
        i += 1;
    }
    let mut i = 0;
    while i < ALPHABET {
        costs[i][i] = 0;
        i += 1;
    }
    costs
}

/// The cost of a letter that the other word does not have.
fn gap(word: &[u8], at: usize) -> u16 {
    let letter = word[at];
    if at > 0 && word[at - 1] == letter && !letter.is_ascii_digit() {
        return 30;
    }
    let is_next_to_vowel = || {
        let neighbours = [at.checked_sub(1), Some(at + 1)];
        neighbours.into_iter().flatten().filter_map(|it| word.get(it)).any(|it| is_vowel(*it))
    };
    match letter {
        b'h' if at > 0 => 40,
        b'0'..=b'9' => 300,
        // Part of a diphthong.
        _ if is_vowel(letter) && is_next_to_vowel() => 50,
        _ if is_vowel(letter) => 80,
        _ => 100,
    }
}

static COSTS: [[u16; ALPHABET]; ALPHABET] = SUBSTITUTIONS;

/// The lowest cost of an edit of each letter: a gap, or a substitution by another letter. The last one is any digit.
static MIN_COSTS: [u16; 27] = min_costs();

const fn min_costs() -> [u16; 27] {
    let mut costs = [100; 27];
    let mut i = 0;
    while i < 26 {
        let mut j = 0;
        while j < 26 {
            if i != j && SUBSTITUTIONS[i][j] < costs[i] {
                costs[i] = SUBSTITUTIONS[i][j];
            }
            j += 1;
        }
        i += 1;
    }
    // The cheapest gaps of a letter that the other word does not have: not of a double letter, whose first one costs more.
    costs[(b'h' - b'a') as usize] = 40;
    let vowels = b"aeiouy";
    let mut i = 0;
    while i < vowels.len() {
        let at = index(vowels[i]);
        costs[at] = if costs[at] < 50 { costs[at] } else { 50 };
        i += 1;
    }
    costs[26] = ANY_DIGIT;
    costs
}

/// The cheapest edit of a digit or by a digit.
const ANY_DIGIT: u16 = 15;

/// A cost that [`distance`] does not fall below, from the letters that the words contain (`name::mask`): every letter that
/// only one of them has must be edited.
pub(crate) fn least_distance(one: u32, other: u32) -> u16 {
    let has_digit = (one | other) >> 26 != 0;
    let cost = |letters: u32| {
        let each = |it: usize| if has_digit { ANY_DIGIT } else { MIN_COSTS[it] };
        crate::name::ones(letters).map(each).sum::<u16>()
    };
    cost(one & !other).max(cost(other & !one))
}

/// The cost of the cheapest edits from one word to another, in hundredths of an arbitrary edit. `None` if it is
/// higher than `limit` or a word has more than [`MAX_LETTERS`] letters.
pub(crate) fn distance(one: &[u8], other: &[u8], limit: u16) -> Option<u16> {
    if one.len() > MAX_LETTERS || other.len() > MAX_LETTERS {
        return (one == other).then_some(0);
    }
    let same_start = one.iter().zip(other).take_while(|(x, y)| x == y).count();
    // One equal letter stays, because the cost of the next one depends on it.
    let skip = same_start.saturating_sub(1);
    let (one, other) = (&one[skip..], &other[skip..]);
    let width = other.len();
    // The costs of the first letters of `other` and of those of `one` so far, one letter less, and two letters less.
    let (mut current, mut previous, mut before) =
        ([0_u16; MAX_LETTERS + 1], [0_u16; MAX_LETTERS + 1], [0_u16; MAX_LETTERS + 1]);
    let (mut gaps, mut indices) = ([0_u16; MAX_LETTERS], [0_u8; MAX_LETTERS]);
    for (j, letter) in other.iter().enumerate() {
        (gaps[j], indices[j]) = (gap(other, j), index(*letter) as u8);
        previous[j + 1] = previous[j] + gaps[j];
    }
    let mut lowest_before = 0;
    for (i, &letter) in one.iter().enumerate() {
        let gap_of_one = gap(one, i);
        current[0] = previous[0] + gap_of_one;
        let mut lowest = current[0];
        let costs = &COSTS[index(letter)];
        let letter_before = i.checked_sub(1).map(|it| one[it]);
        for j in 0..width {
            // Few people mistype the first letter.
            let is_first = i == 0 && j == 0 && skip == 0;
            let substitution = costs[usize::from(indices[j])];
            let first = if is_first && substitution >= 100 { 40 } else { 0 };
            let substituted = previous[j] + substitution + first;
            let deleted = previous[j + 1] + gap_of_one;
            let inserted = current[j] + gaps[j];
            let mut cost = substituted.min(deleted).min(inserted);
            if j > 0 && other[j - 1] == letter && letter_before == Some(other[j]) {
                cost = cost.min(before[j - 1] + 80);
            }
            current[j + 1] = cost;
            lowest = lowest.min(cost);
        }
        // A transposition can still use the row before.
        if lowest > limit && lowest_before + 80 > limit {
            return None;
        }
        lowest_before = lowest;
        (before, previous, current) = (previous, current, before);
    }
    let cost = previous[width];
    (cost <= limit).then_some(cost)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(one: &str, other: &str) -> u16 {
        distance(one.as_bytes(), other.as_bytes(), 10_000).expect("short words")
    }

    #[test]
    fn frequent_confusions_cost_less_than_arbitrary_edits() {
        assert_eq!(cost("keller", "keller"), 0);
        assert_eq!(cost("keler", "keller"), 30);
        assert_eq!(cost("citygroup", "citigroup"), 25);
        assert_eq!(cost("sech1n", "sechin"), 15);
        assert_eq!(cost("vital", "vitol"), 70);
        assert_eq!(cost("ford", "fjord"), 100);
        assert_eq!(cost("brnuo", "bruno"), 80);
        assert!(cost("a320", "a330") >= 600);
    }

    #[test]
    fn cost_is_the_same_in_both_directions() {
        for (one, other) in
            [("wladimir", "vladimir"), ("jeong", "jung"), ("", "abc"), ("hathaway", "halloway")]
        {
            assert_eq!(cost(one, other), cost(other, one), "{one} {other}");
        }
    }

    #[test]
    fn no_words_cost_less_than_their_letters_tell() {
        let words = [
            "wladimir", "vladimir", "jeong", "jung", "", "abc", "hathaway", "halloway", "sech1n",
            "sechin", "a320", "a330", "o0", "00", "xylophon", "silofon", "bcdfg", "aeiou", "h",
        ];
        for (one, other) in words.iter().flat_map(|one| words.map(|other| (*one, other))) {
            let mask = |it: &str| crate::name::mask(it.as_bytes());
            let least = least_distance(mask(one), mask(other));
            assert!(least <= cost(one, other), "{one} {other}: {least}");
        }
        assert!(least_distance(crate::name::mask(b"neznamov"), crate::name::mask(b"keller")) > 250);
    }

    #[test]
    fn costs_over_the_limit_are_none() {
        assert_eq!(distance(b"gandhi", b"gokhale", 200), None);
    }
}
