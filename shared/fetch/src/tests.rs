//! Against sources that are played, in their real formats; the clock stands still and jumps.

mod lists;
mod paging;
mod patience;
mod played;
mod privacy;
mod wire;
