//! Links made from what the sources state.

pub mod exchange;
pub mod gleif;
pub mod register;
