//! A notice of the gazette about one company, before it is written.

use domain::{Amount, Company, Uid};

use crate::{
    board::Change,
    company::{self, Background},
    identifiers,
    localities::{self, Locality},
    random::Random,
    words::{AUDIT_WORDS, FAMILY_NAMES, NATIONWIDE_FAMILY_NAMES},
};

/// What a notice is about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Topic {
    Entry,
    Name,
    Seat,
    Address,
    Purpose,
    Capital,
    Auditor,
    OptingOut,
    Board,
    /// The company takes over another one.
    TakesOver,
    /// Another company takes over this one, which is deleted.
    TakenOver,
    Moratorium,
    Dissolution,
    Bankruptcy,
    /// Its reason is another topic of the notice.
    Deletion,
    Liquidated,
    BankruptcyClosed,
    Ceased,
    Inactive,
}

/// The company as a block of a publication describes it.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) name: String,
    pub(crate) translations: Vec<String>,
    pub(crate) seat: String,
    pub(crate) address: Address,
    pub(crate) purpose: String,
    /// Whole units, and the currency.
    pub(crate) capital: Option<(i64, String)>,
    pub(crate) auditor: Option<AuditFirm>,
    pub(crate) has_opted_out: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Address {
    pub(crate) care_of: Option<String>,
    pub(crate) street: Option<String>,
    pub(crate) house_number: Option<String>,
    pub(crate) po_box: Option<String>,
    pub(crate) zip_code: String,
    pub(crate) city: String,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AuditFirm {
    pub(crate) name: String,
    /// `None` for the firms that exist: only their name is used.
    pub(crate) uid: Option<Uid>,
    pub(crate) seat: &'static str,
}

/// The other company of a merger.
#[derive(Clone, Debug)]
pub(crate) struct MergerParty {
    pub(crate) name: &'static str,
    pub(crate) seat: &'static str,
    pub(crate) uid: Uid,
}

/// One publication.
#[derive(Clone, Debug)]
pub(crate) struct Notice {
    pub(crate) day: i32,
    /// Day and number of the previous notice. Notices before 2001 have no number.
    pub(crate) previous: (i32, Option<u64>),
    pub(crate) topics: Vec<Topic>,
    /// `None` for an entry.
    pub(crate) before: Option<State>,
    /// `None` for a deletion.
    pub(crate) after: Option<State>,
    pub(crate) board: Vec<Change>,
    /// `Some` with the topics of mergers.
    pub(crate) merger_party: Option<MergerParty>,
}

impl Notice {
    /// A notice of this day, without topics.
    pub(crate) fn of_day(day: i32) -> Self {
        Self {
            day,
            previous: (day, None),
            topics: Vec::new(),
            before: None,
            after: None,
            board: Vec::new(),
            merger_party: None,
        }
    }

    pub(crate) fn has(&self, topic: Topic) -> bool {
        self.topics.contains(&topic)
    }

    /// The state that its first sentence describes.
    pub(crate) fn state(&self) -> &State {
        let state = self.before.as_ref().or(self.after.as_ref());
        state.expect("a notice has a block")
    }
}

impl State {
    /// The state that the record describes.
    pub(crate) fn of(company: &Company, background: &Background) -> Self {
        let text = |it: &Option<String>| it.clone().unwrap_or_default();
        let units = |it: Amount| it.ten_thousandths() / Amount::units(1).ten_thousandths();
        let auditor = company.auditor_name.as_deref();
        Self {
            name: company.name.clone(),
            translations: company.translations.clone().unwrap_or_default(),
            seat: text(&company.legal_seat),
            address: Address {
                care_of: company.address_care_of.clone(),
                street: company.address_street.clone(),
                house_number: company.address_house_number.clone(),
                po_box: company.address_po_box.clone(),
                zip_code: text(&company.address_zip_code),
                city: text(&company.address_city),
            },
            purpose: text(&company.purpose),
            capital: company.share_capital.map(units).zip(company.currency.clone()),
            auditor: auditor.map(|it| AuditFirm::with_name(it, background.business.place)),
            has_opted_out: company.auditor_opt_out == Some(true),
        }
    }
}

impl AuditFirm {
    pub(crate) fn any(place: &'static Locality, random: &mut Random) -> Self {
        Self::with_name(&company::audit_firm(random, place), place)
    }

    /// A firm has the same number and seat in every company of the language.
    pub(crate) fn with_name(name: &str, place: &'static Locality) -> Self {
        if company::is_real_audit_firm(name) {
            return Self { name: name.to_owned(), uid: None, seat: "Zürich" };
        }
        let (family, word) = name.split_once(' ').unwrap_or((name, ""));
        let mut families = FAMILY_NAMES.iter().flatten().chain(NATIONWIDE_FAMILY_NAMES.iter());
        let family = families.position(|it| *it == family).unwrap_or_default();
        let word = AUDIT_WORDS.iter().flatten().position(|it| *it == word).unwrap_or_default();
        let seven = u32::try_from(9_000_000 + family * 16 + word).unwrap_or_default();
        let random = &mut Random::for_key(u64::from(seven) | 5 << 60);
        let seat = localities::speaking(place.language, random).residence();
        Self { name: name.to_owned(), uid: identifiers::audit_firm_uid(seven), seat }
    }
}
