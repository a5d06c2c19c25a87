//! Shares of a limited liability company that persons give, take over and hold: `A cède 60 de ses 150 parts de CHF 100 à
//! B`.

use super::{
    clause_content::ClauseContent,
    clauses::Clause,
    mentions::Case,
    naming::Named,
    parts::Sentence,
    persons::ShareBlock,
    reading::Reading,
    share_phrases::{Phrase, number, phrases, with_bare_numbers},
    vocabulary::{Meaning, Part, is_holder},
};

/// Reads a clause about shares. Returns false if it states more than that.
pub(super) fn read(
    reading: &mut Reading<'_, '_>,
    clause: &Clause,
    content: &ClauseContent<'_>,
    named: &[Named],
) -> bool {
    let phrases = phrases(reading.sentence, clause);
    if phrases.is_empty() {
        return false;
    }
    if let Some(shares) = changed_value(reading.sentence, clause, &phrases) {
        let of_clause = |wanted: Case| named.iter().find(|it| it.case == wanted).map(|it| it.id);
        let holder = of_clause(Case::Plain).or_else(|| of_clause(Case::Of));
        for id in holder.into_iter().chain(reading.subjects.clone()).take(1) {
            reading.persons.keep(id, None);
            reading.persons.hold(id, shares.clone());
            reading.subjects = vec![id];
        }
        return true;
    }
    let with_case = |wanted: &[Case]| -> Vec<&Named> {
        named.iter().filter(|it| wanted.contains(&it.case)).collect()
    };
    let is_each = clause.tokens().any(|it| is_each(reading.sentence.word(it)));
    let is_in_block = |it: &Phrase<'_>| {
        let blocks = clause.mentions.iter().map(|mention| &reading.mentions[*mention]);
        blocks.clone().any(|block| (block.name.end..block.end).contains(&it.at))
    };
    // `nouvel associé pour 10 parts` is what the buyer has then.
    let is_of_buyer = |it: &Phrase<'_>| {
        // `à l'associé A, désormais titulaire de 20 parts`
        let is_of_holder =
            || (it.at.saturating_sub(5)..it.at).any(|at| is_holder(reading.sentence.word(at)));
        (it.is_holding || is_of_holder())
            && is_in_block(it)
            && clause.finite.is_some_and(|verb| it.at > verb)
    };
    let moved: Vec<Phrase<'_>> = phrases.iter().copied().filter(|it| !is_of_buyer(it)).collect();
    // `A, associé pour 8 parts, est désormais titulaire de 12 parts par suite de cession de 4 parts`
    let is_held = |it: &&Phrase<'_>| {
        let is_former = is_in_block(it) && clause.finite.is_some_and(|verb| it.at < verb);
        !is_former && !it.is_moved
    };
    let held: Vec<Phrase<'_>> = phrases.iter().filter(is_held).copied().collect();
    if content.has(Meaning::Cedes) && !moved.is_empty() {
        let phrases = moved;
        // `A, associé pour 20 parts, cède 5 parts`: what is before the verb is what A had.
        let after: Vec<Phrase<'_>> = phrases
            .iter()
            .copied()
            .filter(|it| clause.finite.is_some_and(|verb| it.at > verb))
            .collect();
        let buyers = buyers(named);
        // What the only seller had: `A, titulaire de 20 parts, …`
        let had = clause.finite.and_then(|verb| {
            let is_seller = |it: &&Named| it.case == Case::Plain && it.start < verb;
            let mut sellers = named.iter().filter(is_seller);
            let seller = sellers.next().filter(|_| sellers.next().is_none())?;
            let mut before = phrases.iter().filter(|it| (seller.start..verb).contains(&it.at));
            let phrase = before.next().filter(|_| before.next().is_none())?;
            // `désormais titulaire de 15 parts`
            let is_new = (seller.start..phrase.at).any(|it| reading.sentence.is(it, Part::Adverb));
            (!is_new).then_some(*phrase)
        });
        // `… en cède 8`
        let part_of = had.and_then(|it| part_of(reading.sentence, clause, &it));
        let is_one_buyer = buyers.len() == 1;
        let is_of_seller = after.is_empty()
            && had.is_some()
            && phrases.len() == 1
            && !(part_of.is_some() && is_one_buyer);
        let after = match (part_of, had, after.as_slice()) {
            (Some(part), _, []) if is_one_buyer => vec![part],
            // What is left of the shares that A had.
            (None, Some(had), [given]) if is_one_buyer && given.of.is_none() && !given.is_all => {
                let of = had.count.filter(|it| given.count <= Some(*it));
                vec![Phrase { of, nominal: given.nominal.or(had.nominal), ..*given }]
            }
            _ => after,
        };
        let phrases = if after.is_empty() { phrases } else { after };
        let phrases = apportioned(reading, clause, &buyers, &phrases).unwrap_or(phrases);
        let is_seller = |it: &&Named| !buyers.iter().any(|buyer| buyer.id == it.id);
        let plain = with_case(&[Case::Plain]);
        let plain: Vec<&Named> = plain.into_iter().filter(is_seller).collect();
        let sellers = if plain.is_empty() { with_case(&[Case::By, Case::Of]) } else { plain };
        let mut sellers: Vec<usize> = sellers.iter().map(|it| it.id).collect();
        if sellers.is_empty() {
            sellers.clone_from(&reading.subjects);
        }
        for id in &sellers {
            if let Some(draft) = reading.persons.draft(*id) {
                draft.make_quota_former();
            }
        }
        if is_of_seller {
            for buyer in &buyers {
                receive(reading, buyer.id, None, 1);
            }
            for seller in &sellers {
                reading.persons.keep(*seller, None);
            }
        } else {
            give(reading, &sellers, &buyers, &phrases, is_each);
            all_of_seller(reading, &sellers, &buyers, &phrases);
        }
        if !sellers.is_empty() {
            reading.subjects = sellers;
        }
        return true;
    }
    if content.has(Meaning::Acquires) {
        let mut sellers: Vec<usize> =
            with_case(&[Case::By, Case::Of]).iter().map(|it| it.id).collect();
        // `Seine 20 Stammanteile hat B übernommen`
        let are_of_subject = sellers.is_empty() && phrases.iter().any(|it| it.is_all);
        if are_of_subject && content.refers_back && !with_case(&[Case::Plain]).is_empty() {
            sellers.clone_from(&reading.subjects);
        }
        let buyers = with_case(&[Case::Plain]);
        let mut ids: Vec<usize> = buyers.iter().map(|it| it.id).collect();
        // `ses 20 parts ont été reprises par B`
        let is_passive = clause.finite.is_some_and(|it| {
            let verb = reading.sentence.parts[it];
            let is_had = matches!(reading.sentence.word(it), "ont" | "a");
            verb == Some(Part::Finite(Meaning::Is))
                || (is_had && reading.sentence.word(it + 1).starts_with("été"))
        });
        if is_passive && ids.is_empty() && !sellers.is_empty() {
            ids = std::mem::replace(&mut sellers, reading.subjects.clone());
        }
        if ids.is_empty() {
            ids.clone_from(&reading.subjects);
        }
        take_over(reading, &sellers, &ids, &phrases, is_each);
        if !ids.is_empty() {
            reading.subjects = ids;
        }
        return true;
    }
    let holds = content.has(Meaning::Holds)
        || content.has(Meaning::Grants)
        // `gli restano 10 quote`
        || (content.has(Meaning::Keeps) && !content.has_office())
        || clause.tokens().any(|it| is_holder(reading.sentence.word(it)));
    if !holds || content.is_negated {
        return false;
    }
    let phrases = if held.is_empty() { phrases } else { held };
    let phrases = with_bare_numbers(reading.sentence, clause, &phrases);
    hold(reading, content, &with_case(&[Case::Plain]), &phrases, is_each)
}

/// The number without a noun of how many of these shares somebody gives away: `en a cédé 8`, `hat davon 8 abgetreten`.
fn part_of<'a>(sentence: &Sentence<'a>, clause: &Clause, had: &Phrase<'a>) -> Option<Phrase<'a>> {
    let part = Phrase { is_all: false, is_holding: false, ..*had };
    if had.of.is_some() {
        return Some(part);
    }
    let refers =
        |at: &usize| matches!(sentence.word(*at), "en" | "ne" | "davon" | "deren" | "dont");
    let from = clause.tokens().filter(|it| *it > had.at).find(refers)?;
    let is_sale = |at: usize| {
        matches!(
            sentence.parts[at],
            Some(Part::Means(Meaning::Cedes) | Part::Finite(Meaning::Cedes))
        )
    };
    let at = clause.tokens().filter(|it| *it > from).find(|it| {
        let follows = *it == from + 1 || is_sale(it - 1);
        follows && number(sentence.word(*it)).is_some()
    })?;
    let count = number(sentence.word(at)).filter(|it| had.count.is_some_and(|had| *it <= had))?;
    Some(Phrase { at, count: Some(count), of: had.count, ..part })
}

/// The new value of a single share: `hat ihre Stammeinlage von CHF 5'000 auf CHF 10'000 erhöht`, `la quota di A ammonta ora a
/// CHF 10'000`.
fn changed_value(
    sentence: &Sentence<'_>,
    clause: &Clause,
    phrases: &[Phrase<'_>],
) -> Option<ShareBlock> {
    #[rustfmt::skip]
    const CHANGED: [&str; 21] = [
        "erhöht", "herabgesetzt", "reduziert", "porté", "portée", "augmenté", "augmentée", "réduit", "réduite", "ramenée", "aumentato", "aumentata", "ridotto", "ridotta",
        "portato", "portata", "beträgt", "s'élève", "ammonta", "erhöhte", "diminuée",
    ];
    let first = phrases.first()?;
    let is_single =
        matches!(first.noun, "part" | "quota" | "Stammanteil" | "Stammeinlage" | "Anteil");
    let changes = clause.tokens().any(|it| CHANGED.contains(&sentence.word(it)));
    if !is_single || !changes {
        return None;
    }
    let is_amount = |at: usize| {
        let word = sentence.word(at);
        let is_currency =
            word == "Fr." || (word.len() == 3 && word.bytes().all(|it| it.is_ascii_uppercase()));
        is_currency && sentence.word(at + 1).starts_with(|it: char| it.is_ascii_digit())
    };
    let amount = clause.tokens().find(|at| {
        let before = sentence.word(at.wrapping_sub(1));
        *at > first.at
            && is_amount(*at)
            && matches!(before, "auf" | "à" | "a" | "beträgt" | "neu" | "nun" | "désormais")
    })?;
    let nominal = sentence.slice(amount, amount + 2).trim_end_matches(['.', ',']);
    Some(ShareBlock { count: 1, noun: first.noun.to_owned(), nominal: Some(nominal.to_owned()) })
}

/// Whether the word means that the number before or after it is that of each: `chacun 5 parts`.
fn is_each(word: &str) -> bool {
    matches!(
        word,
        "chacun"
            | "chacune"
            | "je"
            | "jeder"
            | "jede"
            | "ciascuno"
            | "ciascuna"
            | "ognuno"
            | "ognuna"
    )
}

/// Those to whom shares go: after a preposition, and those whom a conjunction joins to them.
fn buyers(named: &[Named]) -> Vec<&Named> {
    let mut found: Vec<&Named> = Vec::new();
    for person in named {
        let is_joined = person.case == Case::Plain && person.is_after_verb && !found.is_empty();
        if person.case == Case::To || is_joined {
            found.push(person);
        }
    }
    found
}

/// The number that each of several buyers gets of the shares: `ses 50 parts à raison de 30 à A et de 20 à B`.
fn apportioned<'a>(
    reading: &Reading<'a, '_>,
    clause: &Clause,
    buyers: &[&Named],
    phrases: &[Phrase<'a>],
) -> Option<Vec<Phrase<'a>>> {
    let [all] = phrases else { return None };
    if buyers.len() < 2 {
        return None;
    }
    let mut from = all.at + 1;
    let mut each = Vec::with_capacity(buyers.len());
    for buyer in buyers {
        let mut numbers = clause.tokens().filter(|at| {
            let word = reading.sentence.word(*at);
            (from.max(buyer.start.saturating_sub(5))..buyer.start).contains(at)
                && word.bytes().all(|it| it.is_ascii_digit())
                && !word.is_empty()
        });
        let at = numbers.next().filter(|_| numbers.next().is_none())?;
        let count = Some(number(reading.sentence.word(at))?);
        each.push(Phrase { at, count, of: all.of, is_all: false, ..*all });
        from = buyer.start;
    }
    let sum: u64 = each.iter().filter_map(|it| it.count).sum();
    if all.is_all {
        each.iter_mut().for_each(|it| it.of = Some(sum));
    }
    (all.count.is_none_or(|it| it == sum)).then_some(each)
}

/// Reads what each holder has: the number that follows the holder, before the next one.
fn hold(
    reading: &mut Reading<'_, '_>,
    content: &ClauseContent<'_>,
    named: &[&Named],
    phrases: &[Phrase<'_>],
    is_each: bool,
) -> bool {
    let mut holders: Vec<usize> = named.iter().map(|it| it.id).collect();
    if holders.is_empty() {
        holders.clone_from(&reading.subjects);
    }
    // What the clause says of the office as well is read with it.
    let has_office = content.office().is_some_and(|it| !it.split(' ').any(is_holder));
    let has_more = has_office && (content.has(Meaning::Appoints) || content.has(Meaning::Is));
    let is_one = phrases.len() == 1 && (holders.len() == 1 || is_each);
    for (at, id) in holders.iter().enumerate() {
        let own = named.get(at).and_then(|it| {
            let end = named.get(at + 1).map_or(usize::MAX, |it| it.start);
            let mut inside = phrases.iter().filter(|phrase| (it.start..end).contains(&phrase.at));
            inside.next().filter(|_| inside.next().is_none())
        });
        // `hält 15 und B 5 Stammanteile`: not every number has its noun.
        let are_paired = phrases.len() >= holders.len() && named.len() == holders.len();
        let phrase = match (is_one, are_paired) {
            (true, _) => phrases.first(),
            (_, true) => own,
            _ => None,
        };
        if content.has(Meaning::Keeps) {
            reading.persons.keep(*id, None);
        } else if !has_more {
            reading.persons.appoint(*id, None);
        }
        let shares = phrase.and_then(|it| Some(it.block(it.count?)));
        if let Some(shares) = shares {
            reading.persons.hold(*id, shares);
        }
    }
    if !has_more {
        reading.subjects = holders;
    }
    !has_more
}

/// Moves shares from the sellers to the buyers, each with the number before or after the name.
fn give(
    reading: &mut Reading<'_, '_>,
    sellers: &[usize],
    buyers: &[&Named],
    phrases: &[Phrase<'_>],
    is_each: bool,
) {
    let several = u64::try_from(sellers.len().max(1)).unwrap_or(1);
    for buyer in buyers {
        let before = phrases.iter().rfind(|it| it.at < buyer.start);
        let (phrase, times) = match (sellers, phrases) {
            // `cèdent chacun 5 parts à Z`; without `chacun`, the number is that of all together.
            ([_, _, ..], [one]) if buyers.len() == 1 => {
                (Some(one), if is_each { several } else { 1 })
            }
            ([_, _, ..], _) => (None, 1),
            // `à A et B, chacun 5 parts`, `10 parts à A et B, à raison de 5 parts chacun`
            (_, [.., last]) if is_each && buyers.len() > 1 => (Some(last), 1),
            // Shares before the first of several buyers belong to all of them, in an unknown proportion.
            _ if buyers.len() > 1 && phrases.len() < buyers.len() => (None, 1),
            _ => (before.or(phrases.first()), 1),
        };
        receive(reading, buyer.id, phrase, times);
    }
    let [seller] = sellers else {
        for seller in sellers {
            reading.persons.keep(*seller, None);
            match phrases {
                // `chacun 5 de leurs 10 parts`
                [one @ Phrase { count: Some(given), of: Some(of), .. }]
                    if is_each && given < of =>
                {
                    reading.persons.hold(*seller, one.block(of - given));
                }
                [one @ Phrase { count: Some(given), is_all: false, .. }] if is_each => {
                    reading.persons.note_sold(*seller, one.block(*given));
                }
                _ => reading.persons.clear_shares(*seller),
            }
        }
        return;
    };
    let shared_by_each = is_each && buyers.len() > 1;
    let given: Option<u64> = match phrases {
        [one] if shared_by_each => {
            one.count.and_then(|it| it.checked_mul(u64::try_from(buyers.len()).ok()?))
        }
        [first, ..] if shared_by_each => first.count,
        _ => phrases.iter().map(|it| it.count).sum(),
    };
    let Some(first) = phrases.first() else { return };
    if let Some(given) = given {
        reading.persons.note_sold(*seller, first.block(given));
    }
    match (first.of, given) {
        (Some(of), Some(given)) if given < of => {
            reading.persons.keep(*seller, None);
            reading.persons.hold(*seller, first.block(of - given));
        }
        (Some(of), Some(given)) if given == of => {
            reading.persons.sell_all(*seller, Some(first.block(given)))
        }
        _ if first.is_all && phrases.len() == 1 => {
            reading.persons.sell_all(*seller, first.count.map(|it| first.block(it)))
        }
        _ => reading.persons.keep(*seller, None),
    }
}

/// Gives the buyers the shares that the sellers had.
fn take_over(
    reading: &mut Reading<'_, '_>,
    sellers: &[usize],
    buyers: &[usize],
    phrases: &[Phrase<'_>],
    is_each: bool,
) {
    let [buyer] = buyers else {
        let phrase = phrases.first().filter(|_| is_each && phrases.len() == 1);
        for buyer in buyers {
            receive(reading, *buyer, phrase, 1);
        }
        for seller in sellers {
            reading.persons.keep(*seller, None);
        }
        return;
    };
    match phrases {
        [one] if sellers.len() > 1 && is_each => {
            receive(reading, *buyer, Some(one), u64::try_from(sellers.len()).unwrap_or(1));
        }
        [one] => receive(reading, *buyer, Some(one), 1),
        // `5 parts de A et 5 parts de B`
        _ if phrases.len() == sellers.len() => {
            for phrase in phrases {
                receive(reading, *buyer, Some(phrase), 1);
            }
        }
        _ => receive(reading, *buyer, None, 1),
    }
    for seller in sellers {
        reading.persons.keep(*seller, None);
    }
    if let ([seller], [one]) = (sellers, phrases) {
        if let Some(count) = one.count {
            reading.persons.note_sold(*seller, one.block(count));
        }
        match (one.count, one.of) {
            (Some(given), Some(of)) if given < of => {
                reading.persons.hold(*seller, one.block(of - given));
            }
            (count, _) if one.is_all => {
                reading.persons.sell_all(*seller, count.map(|it| one.block(it)));
            }
            _ => {}
        }
    }
}

/// The shares of the only seller, if the clause moves all of them to one buyer and the text states their number elsewhere:
/// `A, titulaire de 20 parts, a cédé ses parts à B`.
fn all_of_seller(
    reading: &mut Reading<'_, '_>,
    sellers: &[usize],
    buyers: &[&Named],
    phrases: &[Phrase<'_>],
) {
    let ([seller], [buyer], [Phrase { count: None, is_all: true, .. }]) =
        (sellers, buyers, phrases)
    else {
        return;
    };
    let quota = reading.persons.draft(*seller).and_then(|it| it.former_quota().map(str::to_owned));
    let draft = reading.persons.draft(buyer.id).filter(|it| it.has_place() && !it.has_quota());
    if let (Some(quota), Some(draft)) = (quota, draft) {
        draft.set_quota(&quota);
    }
}

fn receive(reading: &mut Reading<'_, '_>, buyer: usize, phrase: Option<&Phrase<'_>>, times: u64) {
    reading.persons.appoint(buyer, None);
    // What the text says the buyer has then outweighs what the buyer gets.
    if reading.persons.draft(buyer).is_some_and(|it| it.has_quota()) {
        return;
    }
    match phrase.and_then(|it| Some((it, it.count?.checked_mul(times)?))) {
        Some((phrase, count)) => reading.persons.receive(buyer, phrase.block(count)),
        None => reading.persons.clear_shares(buyer),
    }
}
