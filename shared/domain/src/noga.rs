//! placeholder until data lands
#[derive(Debug, PartialEq)]
pub struct Division { pub code: &'static str, pub section: char, pub name: &'static str }
pub const DIVISIONS: &[Division] = &[];
