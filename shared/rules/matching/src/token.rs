//! The words of a prepared name, and their roles.

use crate::{legal_forms::Families, transliteration::Script};

/// How the words of a name are understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// The name of a person.
    Person,
    /// The name of an organisation.
    Organisation,
    /// The name of a ship.
    Vessel,
}

/// What a word that says little is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Aside {
    /// It is none.
    #[default]
    None,
    /// The company's state: `in Liquidation`.
    State,
    Country,
    Place,
    /// What companies of any kind do: `Trading`.
    Activity,
    /// What companies of one kind do: `Construction`. It is left out where the name is shortened, not in a full name.
    Trade,
    /// A number of a register, or any number in brackets.
    Number,
    /// The word before a former name: `vormals`.
    Former,
}

impl Aside {
    /// The part of the score above the threshold that remains if one of two names lacks such a word.
    pub(crate) fn remaining(self) -> f32 {
        match self {
            Self::None => 1.0,
            Self::State | Self::Former => 0.98,
            Self::Country | Self::Place | Self::Number => 0.88,
            Self::Activity | Self::Trade => 0.86,
        }
    }
}

/// The role of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Distinguishes the subject.
    Name,
    /// A title or a small word that is also a name (`Amir`, `Li`): it agrees with the same word, and may be missing.
    Optional,
    /// A single letter for a name.
    Initial,
    /// A number.
    Number,
    /// Only describes a company: Group, Holding.
    Describing,
    /// A word before the father's name: bin.
    Father,
    /// A title, particle, connecting word or legal form.
    Neutral,
}

/// One word of a name.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) role: Role,
    pub(crate) script: Script,
    /// Whether a full stop follows a short word, which may be the start of a longer one: `Joh.`
    pub(crate) is_abbreviated: bool,
    /// Whether all its letters are capitals.
    pub(crate) is_upper: bool,
    /// Whether it is written in capitals and other words of the name are not.
    pub(crate) is_abbreviation: bool,
    /// Whether it is a frequent given name.
    pub(crate) is_given: bool,
    /// Whether it is a title or a small word that is a [`Role::Name`] because little else is left. A name without any other
    /// word in its place agrees: `Haji Muster`, `Muster`.
    pub(crate) is_perhaps_title: bool,
    /// Rarity in bits.
    pub(crate) bits: f32,
    /// Which letters it contains, a bit for each.
    pub(crate) mask: u32,
    pub(crate) letters: (u16, u16),
    /// Where its letters are before `ae`, `oe` and `ue` were merged. Ends at 0 if there is none.
    pub(crate) plain: (u16, u16),
    pub(crate) source: (u16, u16),
    pub(crate) character: u32,
    /// The number of a [`Role::Number`].
    pub(crate) number: u32,
    pub(crate) sound: u64,
    /// The set of names of which it is a familiar form.
    pub(crate) familiar: u16,
    pub(crate) spelling: u16,
    pub(crate) place: u16,
    /// Legal forms that are also part of the name: Stiftung.
    pub(crate) families: Families,
    /// Whether it says little about which company it is, and why.
    pub(crate) aside: Aside,
    /// The code of the country of which it is the name, or in which the place is. 0: unknown.
    pub(crate) country: u16,
    /// The number of its readings in the name. 0: none.
    pub(crate) readings: u8,
}

/// The most rarity in bits that a word for what a company does has where a name lacks it.
const TRADE: f32 = 5.0;

impl Token {
    /// The rarity in bits that counts if the other name lacks the word: names are shortened by what the company does.
    pub(crate) fn missing_bits(&self) -> f32 {
        match self.aside {
            Aside::Activity | Aside::Trade => self.bits.min(TRADE),
            _ => self.bits,
        }
    }

    /// Whether the word is compared with words of other names.
    pub(crate) fn is_content(&self) -> bool {
        matches!(self.role, Role::Name | Role::Optional | Role::Initial | Role::Describing)
    }
}
