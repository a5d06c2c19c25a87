//! Addresses that dozens of companies share: each is c/o a fiduciary, one of whose people is a director of most of the
//! companies.

use domain::Canton;

use crate::{
    forms,
    localities::{self, Locality},
    names, people,
    random::Random,
    trades::Trade,
    words::NAME_WORDS,
};

/// How many neighbouring indexes share the addresses: one in each canton.
const BLOCK: usize = 8_192;

const ADDRESS: u64 = 4 << 60;

/// Of a thousand suitable companies of a canton, how many share an address.
fn share(canton: Canton) -> u64 {
    match canton {
        Canton::Zg => 800,
        Canton::Sz => 500,
        Canton::Ge | Canton::Ti => 250,
        Canton::Zh => 80,
        _ => 0,
    }
}

/// An address that many companies share.
pub(crate) struct Letterbox {
    pub(crate) place: &'static Locality,
    /// The fiduciary at this address.
    pub(crate) host: String,
    pub(crate) street: &'static str,
    pub(crate) house_number: String,
    /// The key of the person who is a director of most of the companies.
    pub(crate) director: u64,
}

impl Letterbox {
    /// The shared address of this canton for the company with this index.
    pub(crate) fn of(index: usize, canton: Canton) -> Self {
        let block = index / BLOCK;
        let random = &mut Random::for_key(ADDRESS | (canton as u64) << 52 | (block as u64) << 24);
        // The first locality is the main one of the canton.
        let place = &localities::of_canton(canton)[0];
        let fiduciary = NAME_WORDS.fiduciary[place.language as usize][0];
        let suffix = NAME_WORDS.corporation[place.language as usize][0];
        Self {
            place,
            host: format!("{} {fiduciary} {suffix}", names::coined(random)),
            street: names::street(random, place),
            house_number: random.between(1, 90).to_string(),
            director: people::letterbox_director(canton, block),
        }
    }
}

/// Whether a company shares its address, drawn at random.
pub(crate) fn is_drawn(canton: Canton, form: &str, trade: &Trade, random: &mut Random) -> bool {
    let is_suitable =
        matches!(form, forms::CORPORATION | forms::LIMITED_LIABILITY) && trade.fits_letterbox();
    is_suitable && random.chance(share(canton))
}

/// Whether companies with these indexes share the addresses.
pub(crate) fn share_addresses(one: usize, other: usize) -> bool {
    one / BLOCK == other / BLOCK
}
