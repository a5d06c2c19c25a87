//! Tests with fake sources that respond in the real formats. The clock is paused and advances at once.

mod fake_sources;
mod limits;
mod lists;
mod paging;
mod privacy;
mod wire;
