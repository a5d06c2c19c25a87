//! What the crate promises, through its public interface.

mod analytics;
mod beneficial_owners;
mod bods;
mod circles;
mod control;
mod flags;
mod integrated;
mod links;
mod properties;
mod same_owner;
mod support;
