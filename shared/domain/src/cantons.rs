//! The 26 cantons in their official order, with their BFS numbers and their names in four languages.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::text;

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

/// The text is not the code or name of a canton.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("must be a Swiss canton such as `ZH`; got `{given}`. Did you mean `{nearest}`?")]
pub struct UnknownCanton {
    given: String,
    nearest: &'static str,
}

/// Accepts the code or a name in any of the four languages, normalised by [`text::fold`].
impl FromStr for Canton {
    type Err = UnknownCanton;

    fn from_str(given: &str) -> Result<Self, UnknownCanton> {
        let wanted = text::fold(given);
        let matches = |canton: &Canton| {
            text::fold(canton.code()) == wanted
                || canton.names().iter().any(|name| text::fold(name) == wanted)
        };
        Self::ALL.into_iter().find(matches).ok_or_else(|| UnknownCanton {
            given: given.to_owned(),
            nearest: text::nearest(
                given,
                Self::ALL.iter().flat_map(|it| {
                    [(it.code(), it.code()), (it.names()[0], it.code()), (it.names()[1], it.code())]
                }),
            )
            .unwrap_or("ZH"),
        })
    }
}

impl fmt::Display for Canton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl TryFrom<String> for Canton {
    type Error = UnknownCanton;

    fn try_from(text: String) -> Result<Self, UnknownCanton> {
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
    fn parses_codes_and_names_in_four_languages() {
        for name in ["ge", "GE", "Genf", "Genève", "geneve", "Ginevra", "Geneva"] {
            assert_eq!(name.parse(), Ok(Canton::Ge), "{name}");
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
            "must be a Swiss canton such as `ZH`; got `Zürih`. Did you mean `ZH`?"
        );
        assert!("XX".parse::<Canton>().is_err());
    }
}
