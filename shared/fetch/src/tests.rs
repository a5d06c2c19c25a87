//! Against sources that are played, in their real formats; the clock stands still and jumps.

mod limits;
mod lists;
mod paging;
mod played;
mod privacy;
mod wire;
