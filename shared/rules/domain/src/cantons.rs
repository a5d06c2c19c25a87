//! The 26 cantons in their official order, with their BFS numbers and their names in four languages.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    choice::{Choice, UnknownValue, sign_around},
    text,
};

macro_rules! cantons {
    ($($variant:ident = $code:literal, $number:literal, $de:literal, $fr:literal, $it:literal, $en:literal;)*) => {
        /// Swiss canton: two upper-case letters.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
        #[serde(try_from = "String", into = "String")]
        #[schema(example = "ZH")]
        pub enum Canton {
            $(#[schema(rename = $code)] $variant,)*
        }

        impl Canton {
            /// All cantons in the official order.
            pub const ALL: [Self; 26] = [$(Self::$variant),*];

            /// The two-letter code.
            pub fn code(self) -> &'static str {
                match self { $(Self::$variant => $code,)* }
            }

            /// Number assigned by the Federal Statistical Office, 1 to 26.
            pub fn bfs_number(self) -> u8 {
                match self { $(Self::$variant => $number,)* }
            }

            /// Names in German, French, Italian and English.
            pub fn names(self) -> [&'static str; 4] {
                match self { $(Self::$variant => [$de, $fr, $it, $en],)* }
            }
        }
    };
}

cantons! {
    Zh = "ZH", 1, "Zürich", "Zurich", "Zurigo", "Zurich";
    Be = "BE", 2, "Bern", "Berne", "Berna", "Bern";
    Lu = "LU", 3, "Luzern", "Lucerne", "Lucerna", "Lucerne";
    Ur = "UR", 4, "Uri", "Uri", "Uri", "Uri";
    Sz = "SZ", 5, "Schwyz", "Schwytz", "Svitto", "Schwyz";
    Ow = "OW", 6, "Obwalden", "Obwald", "Obvaldo", "Obwalden";
    Nw = "NW", 7, "Nidwalden", "Nidwald", "Nidvaldo", "Nidwalden";
    Gl = "GL", 8, "Glarus", "Glaris", "Glarona", "Glarus";
    Zg = "ZG", 9, "Zug", "Zoug", "Zugo", "Zug";
    Fr = "FR", 10, "Freiburg", "Fribourg", "Friburgo", "Fribourg";
    So = "SO", 11, "Solothurn", "Soleure", "Soletta", "Solothurn";
    Bs = "BS", 12, "Basel-Stadt", "Bâle-Ville", "Basilea Città", "Basel-Stadt";
    Bl = "BL", 13, "Basel-Landschaft", "Bâle-Campagne", "Basilea Campagna", "Basel-Landschaft";
    Sh = "SH", 14, "Schaffhausen", "Schaffhouse", "Sciaffusa", "Schaffhausen";
    Ar = "AR", 15, "Appenzell Ausserrhoden", "Appenzell Rhodes-Extérieures", "Appenzello Esterno", "Appenzell Ausserrhoden";
    Ai = "AI", 16, "Appenzell Innerrhoden", "Appenzell Rhodes-Intérieures", "Appenzello Interno", "Appenzell Innerrhoden";
    Sg = "SG", 17, "St. Gallen", "Saint-Gall", "San Gallo", "St. Gallen";
    Gr = "GR", 18, "Graubünden", "Grisons", "Grigioni", "Graubünden";
    Ag = "AG", 19, "Aargau", "Argovie", "Argovia", "Aargau";
    Tg = "TG", 20, "Thurgau", "Thurgovie", "Turgovia", "Thurgau";
    Ti = "TI", 21, "Tessin", "Tessin", "Ticino", "Ticino";
    Vd = "VD", 22, "Waadt", "Vaud", "Vaud", "Vaud";
    Vs = "VS", 23, "Wallis", "Valais", "Vallese", "Valais";
    Ne = "NE", 24, "Neuenburg", "Neuchâtel", "Neuchâtel", "Neuchâtel";
    Ge = "GE", 25, "Genf", "Genève", "Ginevra", "Geneva";
    Ju = "JU", 26, "Jura", "Jura", "Giura", "Jura";
}

const CANTON: Choice = Choice::of("a Swiss canton such as `ZH`").listed_at("/v1/reference/cantons");

/// Other names: in Romansh, abbreviated, or of a half canton.
#[rustfmt::skip]
const OTHER_NAMES: [(&str, Canton); 33] = [
    ("Turitg", Canton::Zh), ("Sviz", Canton::Sz), ("Sursilvania", Canton::Ow), ("Sutsilvania", Canton::Nw),
    ("Glaruna", Canton::Gl), ("Friburg", Canton::Fr), ("Soloturn", Canton::So), ("Schaffusa", Canton::Sh),
    ("Son Gagl", Canton::Sg), ("Grischun", Canton::Gr), ("Vad", Canton::Vd), ("Vallais", Canton::Vs), ("Genevra", Canton::Ge),
    ("Basel", Canton::Bs), ("Bâle", Canton::Bs), ("Basilea", Canton::Bs), ("Basle", Canton::Bs),
    ("Basel City", Canton::Bs), ("Basilea-Citad", Canton::Bs),
    ("Baselland", Canton::Bl), ("Baselbiet", Canton::Bl), ("Basel Country", Canton::Bl), ("Basilea-Champagna", Canton::Bl),
    ("Ausserrhoden", Canton::Ar), ("Appenzell A.Rh.", Canton::Ar), ("Appenzell AR", Canton::Ar), ("Appenzell Dadora", Canton::Ar),
    ("Innerrhoden", Canton::Ai), ("Appenzell I.Rh.", Canton::Ai), ("Appenzell AI", Canton::Ai), ("Appenzell Dadens", Canton::Ai),
    ("Sankt Gallen", Canton::Sg), ("St-Gall", Canton::Sg),
];

/// The name of a folded text that begins with the word "canton".
fn after_canton(folded: &str) -> Option<&str> {
    let (first, name) = folded.split_once(' ')?;
    let is_canton = ["kanton", "canton", "cantone", "chantun"].contains(&first);
    let particles = ["de ", "du ", "d ", "of ", "di ", "del ", "dei "];
    is_canton.then(|| particles.iter().find_map(|it| name.strip_prefix(it)).unwrap_or(name))
}

/// Accepts the code, or a name in German, French, Italian, Romansh or English, also after the word "canton".
impl FromStr for Canton {
    type Err = UnknownValue;

    fn from_str(given: &str) -> Result<Self, UnknownValue> {
        // Records contain codes.
        if let Some(canton) = Self::ALL.into_iter().find(|it| it.code() == given) {
            return Ok(canton);
        }
        let codes = Self::ALL.into_iter().map(|it| (it.code(), it));
        let names = Self::ALL.into_iter().flat_map(|it| it.names().map(|name| (name, it)));
        let known = codes.chain(names).chain(OTHER_NAMES);
        let folded = text::fold(given);
        let named = after_canton(&folded).filter(|_| sign_around(given).is_none());
        match named.map(|it| CANTON.read(it, known.clone())) {
            Some(Ok(canton)) => Ok(canton),
            _ => CANTON.read(given, known),
        }
    }
}

impl fmt::Display for Canton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl TryFrom<String> for Canton {
    type Error = UnknownValue;

    fn try_from(text: String) -> Result<Self, UnknownValue> {
        text.parse()
    }
}

impl From<Canton> for String {
    fn from(canton: Canton) -> String {
        canton.code().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_codes_and_names_in_five_languages() {
        for name in [
            "ge",
            "GE",
            "Genf",
            "Genève",
            "geneve",
            "Ginevra",
            "Geneva",
            "Genevra",
            "canton de Genève",
        ] {
            assert_eq!(name.parse(), Ok(Canton::Ge), "{name}");
        }
        for (name, canton) in [
            ("Kanton St. Gallen", Canton::Sg),
            ("Saint-Gall", Canton::Sg),
            ("Sankt Gallen", Canton::Sg),
            ("canton d'Uri", Canton::Ur),
            ("Cantone dei Grigioni", Canton::Gr),
            ("Appenzell A. Rh.", Canton::Ar),
            ("Bâle", Canton::Bs),
        ] {
            assert_eq!(name.parse(), Ok(canton), "{name}");
        }
        for canton in Canton::ALL {
            assert_eq!(canton.code().parse(), Ok(canton));
        }
    }

    #[test]
    fn unknown_canton_gives_an_error_with_a_suggestion() {
        let error = "Zürih".parse::<Canton>().expect_err("no canton");
        assert_eq!(
            error.to_string(),
            "must be a Swiss canton such as `ZH`; got `Zürih`. Did you mean `Zürich`?"
        );
        let error = "XX".parse::<Canton>().expect_err("no canton").to_string();
        assert!(error.ends_with("got `XX`. `/v1/reference/cantons` lists them"), "{error}");
        for given in ["-ZH", "!Zürich", "ZH*", "-canton de Vaud", "canton", ""] {
            assert!(given.parse::<Canton>().is_err(), "{given}");
        }
    }
}
