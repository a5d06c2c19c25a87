/// A language of company names and purposes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    German,
    French,
    Italian,
    English,
}

impl Language {
    pub(crate) const ALL: [Self; 4] = [Self::German, Self::French, Self::Italian, Self::English];

    /// The code in data files and in the gazette, such as `de`.
    pub(crate) fn code(self) -> &'static str {
        ["de", "fr", "it", "en"][self as usize]
    }

    pub(crate) fn by_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.code() == code)
    }
}
