//! Empty: this crate only selects features of dependencies. See its `Cargo.toml`.
