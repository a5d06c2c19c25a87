//! Which IP addresses belong to the public internet.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Why a URL is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Forbidden {
    #[error("the URL must start with `https://`")]
    NoTls,
    #[error("the URL must not contain a user name or password")]
    Credentials,
    #[error("the URL must not contain a fragment")]
    Fragment,
    #[error("the URL must have a host")]
    NoHost,
    #[error("the host is not on the public internet")]
    NotPublic,
}

/// Networks of IPv4 that are not public: the special-purpose registry of the IANA, multicast, and addresses at which a
/// cloud serves metadata and credentials.
const NOT_PUBLIC_V4: [(Ipv4Addr, u32); 18] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    // Shared by the customers of a carrier.
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    // Metadata of Azure, in a network that is public.
    (Ipv4Addr::new(168, 63, 129, 16), 32),
    // Link-local. Also the metadata, credentials and name servers of other clouds.
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    // Also metadata of Oracle's cloud.
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 31, 196, 0), 24),
    (Ipv4Addr::new(192, 52, 193, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(192, 175, 48, 0), 24),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    // Multicast, reserved and broadcast.
    (Ipv4Addr::new(224, 0, 0, 0), 3),
];

/// The only network of IPv6 with public addresses.
const PUBLIC_V6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// Networks in [`PUBLIC_V6`] that are not public, or lead to an IPv4 address inside the address.
const NOT_PUBLIC_V6: [(Ipv6Addr, u32); 5] = [
    // Protocol assignments, such as Teredo.
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    // 6to4.
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
    (Ipv6Addr::new(0x2620, 0x4f, 0x8000, 0, 0, 0, 0, 0), 48),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];

/// Whether an address belongs to the public internet. Private, loopback, link-local and metadata addresses do not, nor
/// do IPv6 addresses that contain an IPv4 address.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(it) => !NOT_PUBLIC_V4
            .iter()
            .any(|(network, length)| (it.to_bits() ^ network.to_bits()).leading_zeros() >= *length),
        IpAddr::V6(it) => {
            let is_in = |(network, length): &(Ipv6Addr, u32)| {
                (it.to_bits() ^ network.to_bits()).leading_zeros() >= *length
            };
            // ISATAP (RFC 5214): the end of the address contains an IPv4 address.
            let is_isatap = matches!(it.segments(), [.., 0 | 0x200, 0x5efe, _, _]);
            is_in(&PUBLIC_V6) && !NOT_PUBLIC_V6.iter().any(is_in) && !is_isatap
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn is_public_text(text: &str) -> bool {
        is_public(text.parse().expect(text))
    }

    /// The first and last address of each network, and the addresses next to them.
    #[test]
    fn networks_that_are_not_public_are_refused_up_to_their_exact_ends() {
        for (before, first, last, after) in [
            ("", "0.0.0.0", "0.255.255.255", "1.0.0.0"),
            ("9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0"),
            ("100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0"),
            ("126.255.255.255", "127.0.0.0", "127.255.255.255", "128.0.0.0"),
            ("168.63.129.15", "168.63.129.16", "168.63.129.16", "168.63.129.17"),
            ("169.253.255.255", "169.254.0.0", "169.254.255.255", "169.255.0.0"),
            ("172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0"),
            ("191.255.255.255", "192.0.0.0", "192.0.0.255", "192.0.1.0"),
            ("192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0"),
            ("192.31.195.255", "192.31.196.0", "192.31.196.255", "192.31.197.0"),
            ("192.52.192.255", "192.52.193.0", "192.52.193.255", "192.52.194.0"),
            ("192.88.98.255", "192.88.99.0", "192.88.99.255", "192.88.100.0"),
            ("192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0"),
            ("192.175.47.255", "192.175.48.0", "192.175.48.255", "192.175.49.0"),
            ("198.17.255.255", "198.18.0.0", "198.19.255.255", "198.20.0.0"),
            ("198.51.99.255", "198.51.100.0", "198.51.100.255", "198.51.101.0"),
            ("203.0.112.255", "203.0.113.0", "203.0.113.255", "203.0.114.0"),
            ("223.255.255.255", "224.0.0.0", "255.255.255.255", ""),
            ("", "::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2000::"),
            ("2000:ffff:ffff::", "2001::", "2001:1ff:ffff::", "2001:200::"),
            ("2001:db7:ffff::", "2001:db8::", "2001:db8:ffff::", "2001:db9::"),
            ("2001:ffff:ffff::", "2002::", "2002:ffff:ffff::", "2003::"),
            ("2620:4f:7fff::", "2620:4f:8000::", "2620:4f:8000:ffff::", "2620:4f:8001::"),
            ("3ffe:ffff:ffff::", "3fff::", "3fff:fff:ffff::", "3fff:1000::"),
            ("3fff:ffff:ffff::", "4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ""),
        ] {
            for address in [first, last] {
                assert!(!is_public_text(address), "{address}");
            }
            for address in [before, after].into_iter().filter(|it| !it.is_empty()) {
                assert!(is_public_text(address), "{address}");
            }
        }
    }

    #[test]
    fn special_ipv6_addresses_are_not_public() {
        for (address, name) in [
            ("::", "unspecified"),
            ("::1", "loopback"),
            ("::127.0.0.1", "IPv4-compatible"),
            ("::ffff:127.0.0.1", "IPv4-mapped"),
            ("::ffff:8.8.8.8", "IPv4-mapped, of a public address"),
            ("::ffff:0:10.0.0.1", "IPv4-translated"),
            ("64:ff9b::a9fe:a9fe", "NAT64"),
            ("64:ff9b:1:ffff::1", "local NAT64"),
            ("100::1", "discarded"),
            ("2001::1", "Teredo"),
            ("2001:2::1", "benchmarks"),
            ("2001:20::1", "ORCHID"),
            ("2002:a00:1::1", "6to4"),
            ("2a00:1450::5efe:a00:1", "ISATAP"),
            ("2a00:1450::200:5efe:a00:1", "ISATAP"),
            ("5f00::1", "segment routing"),
            ("fc00::1", "unique local"),
            ("fd00:ec2::254", "metadata of AWS"),
            ("fd20:ce::254", "metadata of Google Cloud"),
            ("fe80::1", "link-local"),
            ("febf:ffff::1", "link-local"),
            ("fec0::1", "site-local"),
            ("ff02::1", "multicast"),
        ] {
            assert!(!is_public_text(address), "{address} ({name})");
        }
    }

    #[test]
    fn addresses_of_hosts_on_the_internet_are_public() {
        for address in [
            "1.1.1.1",
            "91.198.174.192",
            "2001:4860:4860::8888",
            "2606:4700::1111",
            "2a00:1450:400a::",
            "2a00:1450:400a::5eff:a00:1",
        ] {
            assert!(is_public_text(address), "{address}");
        }
    }

    proptest! {
        #[test]
        fn no_ipv4_address_is_reached_through_ipv6(v4: u32, isatap: u64) {
            let v4 = u128::from(v4);
            let nat64 = 0x64_ff9b_u128 << 96;
            let six_to_four = (0x2002_u128 << 112) | (v4 << 80) | 1;
            let isatap = (u128::from(isatap) << 64) | (0x5efe_u128 << 32) | v4;
            for bits in [v4, (0xffff_u128 << 32) | v4, nat64 | v4, six_to_four, isatap] {
                prop_assert!(!is_public(Ipv6Addr::from_bits(bits).into()));
            }
        }

        #[test]
        fn what_the_standard_library_calls_special_is_not_public(bits: u32) {
            let it = Ipv4Addr::from_bits(bits);
            let is_special = it.is_private() || it.is_loopback() || it.is_link_local()
                || it.is_documentation() || it.is_multicast() || it.is_unspecified();
            prop_assert!(!is_special || !is_public(it.into()), "{it}");
        }
    }
}
