//! Charts as SVG: bars and lines, for readers with and without sight.
//!
//! A chart has a title and a description, which screen readers read, and a text with all its numbers. The colours are those of Okabe
//! and Ito (2008), which people with colour vision deficiencies can distinguish; lines also differ in their dashes. Every text is
//! escaped.

use std::fmt::Write;

/// A chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Identifier: lower-case letters, digits and hyphens. Different for each chart of a page.
    pub id: String,
    /// Title.
    pub title: String,
    /// Unit of the values, such as `companies`.
    pub unit: String,
    /// What is shown.
    pub data: Data,
}

/// What a chart shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// A horizontal bar for each name, from top to bottom.
    Bars(Vec<(String, f64)>),
    /// A line for each series. `None`: unknown, which leaves a gap.
    Lines {
        /// Names of the positions, from left to right.
        positions: Vec<String>,
        /// The name of each series and its value at each position.
        series: Vec<(String, Vec<Option<f64>>)>,
    },
}

/// Black is for texts; yellow is too light for thin lines.
const COLOURS: [&str; 6] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"];
const DASHES: [&str; 6] = ["none", "8 3", "2 3", "10 3 2 3", "5 5", "1 5"];
const WIDTH: f64 = 640.0;
const LABELS: f64 = 200.0;
const BAR: f64 = 22.0;
const HEIGHT: f64 = 320.0;
const TOP: f64 = 40.0;

impl Chart {
    /// The chart as an SVG document.
    pub fn svg(&self) -> String {
        let (height, content) = match &self.data {
            Data::Bars(bars) => self.bars(bars),
            Data::Lines { positions, series } => self.lines(positions, series),
        };
        let (id, title) = (escaped(&self.id), escaped(&self.title));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
             aria-labelledby=\"{id}-title {id}-description\" font-family=\"sans-serif\" font-size=\"12\">\
             <title id=\"{id}-title\">{title}</title>\
             <desc id=\"{id}-description\">{}</desc>\
             <text x=\"8\" y=\"20\" font-size=\"15\" font-weight=\"bold\">{title}</text>{content}</svg>",
            escaped(&self.text())
        )
    }

    /// The chart in words: title, unit and all values.
    pub fn text(&self) -> String {
        let mut text = format!("{} ({}).", self.title, self.unit);
        // Writing to a text cannot fail.
        match &self.data {
            Data::Bars(bars) => {
                for (name, value) in bars {
                    let _ = write!(text, " {name}: {}.", number(*value));
                }
            }
            Data::Lines { positions, series } => {
                for (name, values) in series {
                    let values = positions.iter().zip(values).map(|(position, value)| {
                        let value = value.map_or_else(|| "unknown".to_owned(), number);
                        format!("{position} {value}")
                    });
                    let _ = write!(text, " {name}: {}.", values.collect::<Vec<_>>().join(", "));
                }
            }
        }
        text
    }

    fn bars(&self, bars: &[(String, f64)]) -> (f64, String) {
        let longest = bars.iter().map(|it| it.1).fold(0.0, f64::max);
        let scale = (WIDTH - LABELS - 90.0) / if longest > 0.0 { longest } else { 1.0 };
        let mut content = String::new();
        for (at, (name, value)) in bars.iter().enumerate() {
            let y = TOP + at as f64 * BAR;
            let length = value.max(0.0) * scale;
            let _ = write!(
                content,
                "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\
                 <rect x=\"{LABELS}\" y=\"{y:.1}\" width=\"{length:.1}\" height=\"16\" fill=\"{}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                LABELS - 8.0,
                y + 13.0,
                escaped(&shortened(name, 30)),
                COLOURS[0],
                LABELS + length + 6.0,
                y + 13.0,
                number(*value),
            );
        }
        (TOP + bars.len() as f64 * BAR + 12.0, content)
    }

    fn lines(&self, positions: &[String], series: &[(String, Vec<Option<f64>>)]) -> (f64, String) {
        let known = series.iter().flat_map(|it| it.1.iter().flatten().copied());
        let (low, high) =
            known.fold((0.0_f64, 0.0_f64), |(low, high), it| (low.min(it), high.max(it)));
        let range = if high > low { high - low } else { 1.0 };
        let (left, right, bottom) = (70.0, WIDTH - 20.0, HEIGHT - 60.0);
        let step = (right - left) / positions.len().saturating_sub(1).max(1) as f64;
        let x = |at: usize| left + at as f64 * step;
        let y = |value: f64| bottom - (value - low) / range * (bottom - TOP);
        let mut content = String::new();
        for value in [low, high] {
            let _ = write!(
                content,
                "<line x1=\"{left}\" y1=\"{0:.1}\" x2=\"{right}\" y2=\"{0:.1}\" stroke=\"#999999\"/>\
                 <text x=\"{1}\" y=\"{2:.1}\" text-anchor=\"end\">{3}</text>",
                y(value),
                left - 6.0,
                y(value) + 4.0,
                number(value),
            );
        }
        // At most seven names fit.
        let every = positions.len().div_ceil(7).max(1);
        for (at, name) in positions.iter().enumerate().step_by(every) {
            let _ = write!(
                content,
                "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                x(at),
                bottom + 18.0,
                escaped(name),
            );
        }
        for (at, (name, values)) in series.iter().enumerate() {
            let (colour, dash) = (COLOURS[at % COLOURS.len()], DASHES[at % DASHES.len()]);
            let _ = write!(
                content,
                "<path d=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-linecap=\"round\" stroke-dasharray=\"{dash}\"/>",
                path(values, x, y),
            );
            let legend = left + at as f64 * (right - left) / series.len() as f64;
            let _ = write!(
                content,
                "<line x1=\"{legend:.1}\" y1=\"{0}\" x2=\"{1:.1}\" y2=\"{0}\" stroke=\"{colour}\" stroke-width=\"2\" \
                 stroke-dasharray=\"{dash}\"/><text x=\"{2:.1}\" y=\"{3}\">{4}</text>",
                HEIGHT - 16.0,
                legend + 24.0,
                legend + 28.0,
                HEIGHT - 12.0,
                escaped(&shortened(name, 24)),
            );
        }
        (HEIGHT, content)
    }
}

/// The path of a line. After an unknown value it begins anew; a value between two unknown ones is a point.
fn path(values: &[Option<f64>], x: impl Fn(usize) -> f64, y: impl Fn(f64) -> f64) -> String {
    let mut path = String::new();
    let mut is_drawing = false;
    for (at, value) in values.iter().enumerate() {
        if let Some(value) = value {
            let command = if is_drawing { "L" } else { "M" };
            let _ = write!(path, "{command}{:.1} {:.1}", x(at), y(*value));
            if !is_drawing {
                path.push_str("h0.1");
            }
        }
        is_drawing = value.is_some();
    }
    path
}

/// At most so many characters.
fn shortened(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    text.chars().take(longest - 1).chain(['…']).collect()
}

/// A number with at most two decimals, and an apostrophe between thousands.
fn number(value: f64) -> String {
    let rounded = format!("{:.2}", value.abs());
    let (whole, decimals) = rounded.split_once('.').unwrap_or((&rounded, ""));
    let mut number = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            number.push('\'');
        }
        number.push(digit);
    }
    let decimals = decimals.trim_end_matches('0');
    if !decimals.is_empty() {
        number.push('.');
        number.push_str(decimals);
    }
    let is_negative = value < 0.0 && number != "0";
    if is_negative { format!("−{number}") } else { number }
}

/// A text in XML, without the characters that XML does not allow.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\t' => escaped.push(' '),
            '\u{fffe}' | '\u{ffff}' => {}
            it if it.is_control() => {}
            it => escaped.push(it),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bars(names: &[(&str, f64)]) -> Chart {
        Chart {
            id: "cantons".into(),
            title: "Companies by canton".into(),
            unit: "companies".into(),
            data: Data::Bars(
                names.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect(),
            ),
        }
    }

    fn lines(values: Vec<Option<f64>>) -> Chart {
        let positions = (0..values.len()).map(|it| format!("2026-Q{it}")).collect();
        let data = Data::Lines { positions, series: vec![("Entries".into(), values)] };
        Chart { data, ..bars(&[]) }
    }

    /// Checks that tags are closed in order and that no `&` begins anything but a reference.
    fn assert_well_formed(svg: &str) {
        let mut open: Vec<&str> = Vec::new();
        for tag in svg.split('<').skip(1) {
            let (tag, text) = tag.split_once('>').expect("tags end");
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            assert!(!text.contains('>'), "{text}");
            let name = tag.split([' ', '/']).find(|it| !it.is_empty()).expect("a name");
            if tag.starts_with('/') {
                assert_eq!(open.pop(), Some(name), "{svg}");
            } else if !tag.ends_with('/') {
                open.push(name);
            }
        }
        assert!(open.is_empty(), "{open:?}");
        for reference in svg.split('&').skip(1) {
            let known = ["amp;", "lt;", "gt;", "quot;", "#39;"];
            assert!(known.iter().any(|it| reference.starts_with(it)), "{reference}");
        }
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    #[test]
    fn a_chart_has_a_role_a_title_and_its_numbers_in_words() {
        let chart = bars(&[("ZH", 123_456.0), ("UR", 7.25)]);
        let svg = chart.svg();
        assert_well_formed(&svg);
        for part in [
            "role=\"img\"",
            "aria-labelledby=\"cantons-title cantons-description\"",
            "<title id=\"cantons-title\">Companies by canton</title>",
            "ZH: 123&#39;456. UR: 7.25.</desc>",
        ] {
            assert!(svg.contains(part), "{part} is not in {svg}");
        }
        assert_eq!(chart.text(), "Companies by canton (companies). ZH: 123'456. UR: 7.25.");
    }

    #[test]
    fn unknown_values_are_gaps() {
        let chart = lines(vec![Some(1.0), None, Some(3.0), Some(4.0)]);
        assert_well_formed(&chart.svg());
        assert_eq!(chart.svg().matches("M70.0").count(), 1);
        let path = path(&[Some(1.0), None, Some(3.0), Some(4.0)], |it| it as f64, |it| it);
        assert_eq!(path, "M0.0 1.0h0.1M2.0 3.0h0.1L3.0 4.0");
        assert!(
            chart.text().ends_with("Entries: 2026-Q0 1, 2026-Q1 unknown, 2026-Q2 3, 2026-Q3 4.")
        );
    }

    #[test]
    fn charts_without_values_or_with_equal_ones_are_drawn() {
        for chart in [
            bars(&[]),
            bars(&[("ZH", 0.0)]),
            lines(vec![]),
            lines(vec![None]),
            lines(vec![Some(-2.0); 30]),
        ] {
            assert_well_formed(&chart.svg());
        }
    }

    #[test]
    fn numbers_are_grouped_and_rounded() {
        let numbers = [0.0, -0.001, 999.0, 1_000.0, 1_234_567.891, -12.5].map(number);
        assert_eq!(numbers, ["0", "0", "999", "1'000", "1'234'567.89", "−12.5"]);
    }

    proptest! {
        #[test]
        fn no_text_leaves_its_place(name in "\\PC*|[<>&\"'\\x00-\\x1f]{0,20}", value in -1e12..1e12_f64) {
            let mut chart = bars(&[(&name, value)]);
            chart.title.clone_from(&name);
            chart.id.clone_from(&name);
            assert_well_formed(&chart.svg());
            let data = Data::Lines { positions: vec![name.clone()], series: vec![(name, vec![Some(value)])] };
            assert_well_formed(&Chart { data, ..chart }.svg());
        }
    }
}
