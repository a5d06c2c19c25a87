use std::{cmp::Ordering, fmt};

use domain::Language;
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

/// A share in percent: finite and not negative. It exceeds 100 only if sources contradict each other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Percent(f64);

impl Percent {
    /// The whole.
    pub const WHOLE: Self = Self(100.0);

    /// `None` if the number is negative, infinite or not a number.
    pub fn new(percent: f64) -> Option<Self> {
        // Adding 0 turns -0 into 0.
        (percent.is_finite() && percent >= 0.0).then_some(Self(percent + 0.0))
    }

    /// The share in percent.
    pub fn get(self) -> f64 {
        self.0
    }

    /// The share as a fraction of the whole.
    pub fn fraction(self) -> f64 {
        self.0 / 100.0
    }
}

impl Eq for Percent {}

impl Ord for Percent {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Percent {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Serialize for Percent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0)
    }
}

/// Two decimals at most: `25 %`, `33.33 %`.
impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rounded = format!("{:.2}", self.0);
        write!(f, "{} %", rounded.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// The share that an owner holds, or the reason why it is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Share {
    /// The share is known.
    Known(Percent),
    /// The share is unknown.
    Unknown(UnknownShare),
}

impl Share {
    /// The share, if it is known.
    pub fn known(self) -> Option<Percent> {
        match self {
            Self::Known(percent) => Some(percent),
            Self::Unknown(_) => None,
        }
    }
}

/// Why a share is unknown: `not_stated` (the source names the owner but not the share), `not_registered` (the shares of
/// partners of a partnership are not registered), `capital_unknown` (the nominal value of the partner's shares is
/// known, but not the capital of the company), `currencies_differ` (the partner's shares and the capital are in
/// different currencies), `below_threshold` (the holder reported only that its share fell below a threshold),
/// `indirect` (the ultimate parent holds its share through other companies) or `no_share` (the link gives control but
/// is not a share in the company).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum UnknownShare {
    /// The source names the owner but not its share.
    NotStated,
    /// The law does not require that the share is registered: partnerships.
    NotRegistered,
    /// The nominal value of the partner's shares is known, but not the capital of the company.
    CapitalUnknown,
    /// The partner's shares and the capital of the company are in different currencies.
    CurrenciesDiffer,
    /// The holder reported only that it fell below a threshold.
    BelowThreshold,
    /// The owner is the ultimate parent. It holds its share through other companies.
    Indirect,
    /// The link gives control but is no share in the company.
    NoShare,
}

impl UnknownShare {
    /// The reason in plain words.
    pub fn explanation(self, language: Language) -> &'static str {
        language.of(match self {
            Self::NotStated => [
                "die Quelle nennt das Eigentum, aber nicht den Anteil",
                "la source nomme le propriétaire mais pas sa part",
                "la fonte nomina il proprietario ma non la sua quota",
                "the source names the owner but not its share",
            ],
            Self::NotRegistered => [
                "die Anteile an einer Personengesellschaft sind nicht eingetragen",
                "les parts d’une société de personnes ne sont pas inscrites",
                "le quote di una società di persone non sono iscritte",
                "the shares of partners of a partnership are not registered",
            ],
            Self::CapitalUnknown => [
                "der Nennwert der Stammanteile ist bekannt, aber nicht das Kapital der Gesellschaft",
                "la valeur nominale des parts est connue, mais pas le capital de la société",
                "il valore nominale delle quote è noto, ma non il capitale della società",
                "the nominal value of the partner’s shares is known, but not the capital of the company",
            ],
            Self::CurrenciesDiffer => [
                "die Stammanteile und das Kapital sind in verschiedenen Währungen",
                "les parts et le capital sont dans des monnaies différentes",
                "le quote e il capitale sono in valute diverse",
                "the partner’s shares and the capital are in different currencies",
            ],
            Self::BelowThreshold => [
                "gemeldet wurde nur, dass ein Schwellenwert unterschritten ist",
                "seul le passage sous un seuil a été annoncé",
                "è stato comunicato solo il passaggio sotto una soglia",
                "the holder reported only that it fell below a threshold",
            ],
            Self::Indirect => [
                "die oberste Muttergesellschaft hält ihren Anteil über andere Gesellschaften",
                "la société mère ultime détient sa part par d’autres sociétés",
                "la società madre ultima detiene la sua quota tramite altre società",
                "the ultimate parent holds its share through other companies",
            ],
            Self::NoShare => [
                "ein Amt ist kein Anteil an der Gesellschaft",
                "une fonction n’est pas une part de la société",
                "una carica non è una quota della società",
                "an office is no share in the company",
            ],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_finite_shares_from_zero_are_accepted() {
        for wrong in [-0.1, f64::NAN, f64::INFINITY] {
            assert_eq!(Percent::new(wrong), None, "{wrong}");
        }
        assert_eq!(Percent::new(-0.0), Percent::new(0.0));
        assert_eq!(Percent::new(120.0).map(Percent::get), Some(120.0), "sources can contradict");
    }

    #[test]
    fn shares_are_printed_with_two_decimals_at_most() {
        let text = |it: f64| Percent::new(it).expect("a share").to_string();
        assert_eq!([text(100.0), text(33.333), text(12.5)], ["100 %", "33.33 %", "12.5 %"]);
    }
}
