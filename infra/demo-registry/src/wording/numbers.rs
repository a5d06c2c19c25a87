use crate::localities::Style;

/// `CHF 100'000.00`; in French and Italian `CHF 100'000`.
pub(super) fn money(units: i64, currency: &str, style: Style) -> String {
    let cents = if style == Style::German { ".00" } else { "" };
    format!("{currency} {}{cents}", grouped(units))
}

/// `100'000`.
pub(super) fn grouped(number: i64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() * 4 / 3 + 1);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push('\'');
        }
        grouped.push(digit);
    }
    grouped
}
