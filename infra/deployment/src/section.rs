//! The generated sections of a file. Each stands between two comments, such as `# >>> cargo openapi: functions` and
//! `# <<< cargo openapi: functions`.

/// A file does not have the comments around a section.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the comments `>>> {0}` and `<<< {0}` around a generated section are missing")]
pub struct Missing(String);

/// With what a comment of one line begins in YAML, TOML, Python; Rust; Markdown.
const COMMENTS: [&str; 3] = ["#", "//", "<!--"];

/// The text with the section between its comments replaced.
pub fn replace(text: &str, name: &str, generated: &str) -> Result<String, Missing> {
    let title = format!("cargo openapi: {name}");
    let is = |line: &str, marker: &str| {
        let line = line.trim().trim_end_matches("-->").trim_end();
        line.strip_suffix(marker).is_some_and(|it| COMMENTS.contains(&it.trim_end()))
    };
    let (begin, end) = (format!(">>> {title}"), format!("<<< {title}"));
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let position = |marker| lines.iter().position(|it| is(it, marker));
    match (position(&begin), position(&end)) {
        (Some(begin), Some(end)) if begin < end => {
            Ok(lines[..=begin].concat() + generated + &lines[end..].concat())
        }
        _ => Err(Missing(title)),
    }
}
