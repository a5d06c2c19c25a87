//! The network outside AWS: connections to hosts that we choose, requests to addresses that customers give, and TXT records.

pub mod dns;
pub mod outgoing;
pub mod transport;
