//! The Swiss gazette of commerce (SHAB, FOSC, FUSC).

pub mod notice;
