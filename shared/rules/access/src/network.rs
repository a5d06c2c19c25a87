use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};

/// Length of the IPv6 prefix that one subscriber has at least, in bits.
const SUBSCRIBER: u8 = 64;
/// Length of the longest IPv6 prefix that providers give to one customer, in bits (RFC 6177).
const SITE: u8 = 48;
/// Length of the prefix of neighbouring IPv4 addresses, in bits.
const NEIGHBOURS: u8 = 24;

/// The addresses that are counted as one client: an IPv4 address, or a prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Network {
    first: IpAddr,
    /// Length in bits; `None` for a single IPv4 address.
    prefix: Option<u8>,
}

impl Network {
    /// The /48 of an IPv6 network; `None` for an IPv4 address and for a /48.
    ///
    /// A customer with a /48 has 65,536 networks of the size /64, so limits for a /64 alone would not limit
    /// this customer.
    pub fn site(self) -> Option<Self> {
        match (self.first, self.prefix) {
            (IpAddr::V6(first), Some(SUBSCRIBER)) => Some(Self::prefix(first, SITE)),
            _ => None,
        }
    }

    /// The IPv4 /24 or the IPv6 /48 that contains this network: one customer or neighbours.
    pub fn block(self) -> Self {
        match self.first {
            IpAddr::V4(first) => {
                let mask = u32::MAX << (32 - u32::from(NEIGHBOURS));
                let first = Ipv4Addr::from_bits(first.to_bits() & mask);
                Self { first: first.into(), prefix: Some(NEIGHBOURS) }
            }
            IpAddr::V6(_) => self.site().unwrap_or(self),
        }
    }

    fn prefix(address: Ipv6Addr, length: u8) -> Self {
        let mask = u128::MAX << (128 - u32::from(length));
        let first = Ipv6Addr::from_bits(address.to_bits() & mask);
        Self { first: first.into(), prefix: Some(length) }
    }
}

/// The network of a client: the IPv4 address, or the /64 of the IPv6 address.
impl From<IpAddr> for Network {
    fn from(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => Self { first: address.into(), prefix: None },
            IpAddr::V6(address) => Self::prefix(address, SUBSCRIBER),
        }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.prefix {
            None => write!(f, "{}", self.first),
            Some(length) => write!(f, "{}/{length}", self.first),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn network(address: &str) -> Network {
        address.parse::<IpAddr>().expect("an address").into()
    }

    #[test]
    fn addresses_of_one_subscriber_are_one_network() {
        assert_eq!(network("2001:db8:1:2::1"), network("2001:db8:1:2:ffff::9"));
        assert_ne!(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
        assert_ne!(network("192.0.2.1"), network("192.0.2.2"));
        assert_eq!(network("::ffff:192.0.2.1"), network("192.0.2.1"));
    }

    #[test]
    fn networks_of_one_site_have_the_same_48_bits() {
        let site = network("2001:db8:1:2::1").site().expect("a site");
        assert_eq!(site.to_string(), "2001:db8:1::/48");
        assert_eq!(network("2001:db8:1:ffff::1").site(), Some(site));
        assert_ne!(network("2001:db8:2:2::1").site(), Some(site));
        assert_eq!((site.site(), network("192.0.2.1").site()), (None, None));
        assert_eq!(network("::ffff:192.0.2.1").site(), None);
    }

    #[test]
    fn a_block_is_an_ipv4_24_or_an_ipv6_48() {
        let block = |address| network(address).block();
        assert_eq!(block("192.0.2.1").to_string(), "192.0.2.0/24");
        assert_eq!(block("192.0.2.1"), block("::ffff:192.0.2.255"));
        assert_ne!(block("192.0.2.1"), block("192.0.3.1"));
        assert_eq!(block("2001:db8:1:2::1").to_string(), "2001:db8:1::/48");
        for address in ["192.0.2.1", "2001:db8:1:2::1"] {
            assert_eq!(block(address).block(), block(address));
            assert_eq!(block(address).site(), None);
        }
    }

    proptest! {
        #[test]
        fn networks_are_equal_if_and_only_if_their_texts_are(
            (one, other, shared) in (any::<u128>(), any::<u128>(), 0_u32..=128),
        ) {
            // Addresses that share their first bits, so that equal networks occur.
            let low = u128::MAX.checked_shr(shared).unwrap_or(0);
            let other = (one & !low) | (other & low);
            let [one, other] = [one, other].map(|it| Network::from(IpAddr::from(it.to_be_bytes())));
            prop_assert_eq!(one == other, one.to_string() == other.to_string());
            if shared >= 64 {
                prop_assert_eq!(one, other);
            }
            if shared >= 48 {
                prop_assert_eq!(one.site(), other.site());
            }
        }
    }
}
