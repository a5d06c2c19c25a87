//! What decides the name of a company, drawn first, so that a branch can look up the name of its head office.

use domain::{Canton, Status, Uid};

use crate::{
    REAL,
    business::Business,
    forms, identifiers,
    language::Language,
    letterbox::{self, Letterbox},
    life::{Life, form_and_status},
    localities::{self, CantonShare},
    names::NamedPerson,
    random::Random,
    showcase::{self, Showcase, Slot},
    trades::Trade,
};

/// A company's business, name and place in the register.
pub(crate) struct Identity {
    pub(crate) business: Business,
    pub(crate) life: Life,
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
            life: Life::draw(index, form, status),
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
            life: Life::of_showcase(showcase),
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
        let status = self.life.status;
        let head_office = |at: usize| {
            let (form, of_head) = form_and_status(&mut Random::for_company(at));
            let life = Life::draw(at, form, of_head);
            let may_be = matches!(form, forms::CORPORATION | forms::LIMITED_LIABILITY)
                && life.can_have_branch(status);
            may_be.then_some((at, life))
        };
        let earlier = (index - first) as u64;
        let mut candidates =
            (0..8).filter(|_| earlier > 0).map(|_| first + random.below(earlier) as usize);
        let head_office = match candidates.find_map(head_office) {
            Some((at, life)) => {
                self.life = Life::of_branch(index, &life, self.business.form, status);
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
