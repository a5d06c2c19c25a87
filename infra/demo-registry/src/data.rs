//! Reads the files of the folder `data`, which are part of the binary.
//!
//! There are two formats, and each file says in its first lines which one it has. A table has fields separated by `;`
//! and names its columns in the first row. A list file has lines of the form `key: value | value | …`. In both, lines
//! that begin with `#` are comments. A file that breaks its format panics when it is read, so the tests notice.

use crate::language::Language;

/// The values of a key for each language, in the order of [`Language`]; empty where the file has none.
pub(crate) type ByLanguage = [Vec<&'static str>; 4];

fn lines(file: &'static str) -> impl Iterator<Item = &'static str> {
    file.lines().filter(|it| !it.is_empty() && !it.starts_with('#'))
}

/// The rows of a table with `N` columns, without the first row.
pub(crate) fn rows<const N: usize>(file: &'static str) -> impl Iterator<Item = [&'static str; N]> {
    lines(file).skip(1).map(|line| {
        let fields: Vec<&str> = line.split(';').collect();
        fields.try_into().unwrap_or_else(|_| panic!("`{line}` does not have {N} fields"))
    })
}

/// A field that has to be a number.
pub(crate) fn number<T: std::str::FromStr>(field: &str) -> T {
    field.parse().unwrap_or_else(|_| panic!("`{field}` is not a number"))
}

/// The text of a field; `None` where the field is empty.
pub(crate) fn filled(field: &'static str) -> Option<&'static str> {
    (!field.is_empty()).then_some(field)
}

/// The values between `|`.
pub(crate) fn values(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.split('|').map(str::trim)
}

/// Every line of a list file, as key and values.
pub(crate) fn entries(
    file: &'static str,
) -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    lines(file).map(|line| {
        let (key, rest) =
            line.split_once(':').unwrap_or_else(|| panic!("`{line}` does not have a key"));
        (key, values(rest).collect())
    })
}

/// The values of a key in a list file. Several lines may have the same key.
pub(crate) fn list(file: &'static str, key: &str) -> Vec<&'static str> {
    entries(file).filter(|(it, _)| *it == key).flat_map(|(_, values)| values).collect()
}

/// The values of `key de`, `key fr`, `key it` and `key en`; with an empty key those of `de`, `fr`, `it` and `en`.
pub(crate) fn by_language(file: &'static str, key: &str) -> ByLanguage {
    Language::ALL.map(|it| list(file, format!("{key} {}", it.code()).trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_the_first_row_are_not_rows_of_a_table() {
        let found: Vec<[&str; 2]> = rows("# A comment.\none;other\n1;a b\n\n2;\n").collect();
        assert_eq!(found, [["1", "a b"], ["2", ""]]);
    }

    #[test]
    fn lines_with_the_same_key_are_joined() {
        const FILE: &str = "# A comment.\nname de: Eins | Zwei\nname fr: Un\nname de: Drei\n";
        assert_eq!(list(FILE, "name de"), ["Eins", "Zwei", "Drei"]);
        assert_eq!(by_language(FILE, "name")[1], ["Un"]);
        assert!(list(FILE, "name").is_empty());
    }
}
