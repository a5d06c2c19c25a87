//! What decides the name of a company, drawn first, so that a branch can look up the name of its head office.

use domain::{Canton, Status, Uid};

use crate::{
    REAL,
    business::Business,
    forms, identifiers,
    language::Language,
    letterbox::{self, Letterbox},
    localities::{self, CantonShare},
    names::NamedPerson,
    random::Random,
    showcase::{self, Showcase, Slot},
    trades::Trade,
};

/// A company's business, name and place in the register.
pub(crate) struct Identity {
    pub(crate) business: Business,
    pub(crate) status: Status,
    /// Without the addition of companies in liquidation.
    pub(crate) name: String,
    /// The owner or partners whom the name contains.
    pub(crate) named_persons: Vec<NamedPerson>,
    /// Of a branch. Without a number where no head office was found in the register.
    pub(crate) head_office: Option<(Option<Uid>, String)>,
    /// The shared address, where the company has one.
    pub(crate) letterbox: Option<Letterbox>,
    pub(crate) showcase: Option<&'static Showcase>,
}

fn form_and_status(random: &mut Random) -> (&'static str, Status) {
    let form = random.one_of(&forms::FORMS);
    let status =
        random.one_of(&[(93, Status::Active), (3, Status::BeingCancelled), (4, Status::Cancelled)]);
    (form, status)
}

/// The shared address of this canton for the company with this index.
fn letterbox(index: usize, canton: Canton) -> Letterbox {
    let mut letterbox = Letterbox::of(index, canton);
    let host = showcase::letterbox_host();
    if canton == showcase::LETTERBOX_CANTON && letterbox::share_addresses(index, host.index) {
        host.name.clone_into(&mut letterbox.host);
    }
    letterbox
}

impl Identity {
    /// The number of the company, which has this index.
    pub(crate) fn uid(&self, index: usize) -> Uid {
        self.showcase.map_or_else(|| identifiers::uid(index), Showcase::uid)
    }

    /// The identity of the company with this index. `random` is the generator for its record.
    pub(crate) fn draw(index: usize, random: &mut Random) -> Self {
        let slot = showcase::slot(index);
        if let Some(Slot::Company(showcase)) = slot {
            return Self::of_showcase(showcase);
        }
        let (mut form, mut status) = form_and_status(random);
        let mut canton = CantonShare::draw(random).canton;
        if let Some(Slot::Letterbox(letterbox_form)) = slot {
            (form, status, canton) = (letterbox_form, Status::Active, showcase::LETTERBOX_CANTON);
        }
        let trade = match slot {
            Some(_) => showcase::letterbox_trade(random),
            None => Trade::draw(random, form),
        };
        let is_letterbox = slot.is_some() || letterbox::is_drawn(canton, form, trade, random);
        let letterbox = is_letterbox.then(|| letterbox(index, canton));
        let place = match &letterbox {
            Some(letterbox) => letterbox.place,
            None => random.weighted(localities::of_canton(canton), |it| it.weight),
        };
        let english_names = match canton {
            Canton::Zg | Canton::Ge => 180,
            Canton::Zh | Canton::Bs | Canton::Vd => 110,
            _ => 50,
        };
        let may_be_english = matches!(form, forms::CORPORATION | forms::LIMITED_LIABILITY);
        let language = match may_be_english && random.chance(english_names) {
            true => Language::English,
            false => place.language,
        };
        let business = Business { form, place, language, trade };
        let mut identity = Self {
            business,
            status,
            name: String::new(),
            named_persons: Vec::new(),
            head_office: None,
            letterbox,
            showcase: None,
        };
        match form {
            forms::BRANCH => identity.become_branch(index, random),
            _ => {
                (identity.name, identity.named_persons) =
                    identity.business.name_and_persons(random);
            }
        }
        identity
    }

    fn of_showcase(showcase: &'static Showcase) -> Self {
        Self {
            business: Business {
                form: showcase.form,
                place: showcase.place,
                language: showcase.place.language,
                trade: showcase.trade,
            },
            status: showcase.status(),
            name: showcase.name.to_owned(),
            named_persons: Vec::new(),
            head_office: showcase.head_office().map(|it| (Some(it.uid()), it.name.to_owned())),
            letterbox: None,
            showcase: Some(showcase),
        }
    }

    /// Makes this a branch of an earlier company, or of one outside the register if none is found.
    fn become_branch(&mut self, index: usize, random: &mut Random) {
        let first = REAL.len() + showcase::COUNT;
        let may_be_head_office = |it: &usize| {
            let (form, status) = form_and_status(&mut Random::for_company(*it));
            matches!(form, forms::CORPORATION | forms::LIMITED_LIABILITY)
                && status == Status::Active
        };
        let earlier = (index - first) as u64;
        let mut candidates =
            (0..8).filter(|_| earlier > 0).map(|_| first + random.below(earlier) as usize);
        let head_office = match candidates.find(may_be_head_office) {
            Some(at) => {
                let head_office = Self::draw(at, &mut Random::for_company(at));
                self.business.trade = head_office.business.trade;
                (Some(identifiers::uid(at)), head_office.name)
            }
            None => {
                let form = forms::CORPORATION;
                (None, Business { form, ..self.business }.name(random))
            }
        };
        self.name = self.business.branch_of(&head_office.1);
        self.head_office = Some(head_office);
    }
}
