//! Sets of keys with the structure of real traffic, on which linear hashes go wrong. The sets are finite except the endless
//! [`consecutive`] and [`stride`]; none repeats a key before 2^64 of them.

use super::Record;
use itertools::Itertools;
use std::net::{IpAddr, Ipv4Addr};

/// `start`, `start + 1`, ...
pub fn consecutive(start: u64) -> impl Iterator<Item = u64> + Clone {
    stride(start, 1)
}

/// `start`, `start + step`, `start + 2 step`, ... modulo 2^64. An even step repeats after fewer than 2^64 keys.
pub fn stride(start: u64, step: u64) -> impl Iterator<Item = u64> + Clone {
    (0_u64..).map(move |index| start.wrapping_add(index.wrapping_mul(step)))
}

/// All points of a grid, row by row: `column + (row << 32)`.
pub fn grid(columns: u32, rows: u32) -> impl Iterator<Item = u64> + Clone {
    (0..u64::from(rows))
        .cartesian_product(0..u64::from(columns))
        .map(|(row, column)| column | row << 32)
}

/// UDP frames of 64 bytes from the 65,536 addresses of the /16 around `network` to one server, the source port counting up.
pub fn slash16(network: Ipv4Addr) -> impl Iterator<Item = Record> + Clone {
    let [a, b, ..] = network.octets();
    (0..=u16::MAX).map(move |host| {
        let [c, d] = host.to_be_bytes();
        udp(
            [a, b, c, d].into(),
            SERVER,
            host.wrapping_add(1024),
            53,
            u64::from(host),
        )
    })
}

/// UDP frames of 64 bytes from one port of `scanner` to the 65,536 ports of `target`.
pub fn port_scan(scanner: Ipv4Addr, target: Ipv4Addr) -> impl Iterator<Item = Record> + Clone {
    (0..=u16::MAX).map(move |port| udp(scanner, target, 40_000, port, u64::from(port)))
}

/// An address from the range that RFC 5737 sets aside for examples.
const SERVER: Ipv4Addr = Ipv4Addr::new(192, 0, 2, 53);

/// One frame a microsecond.
fn udp(
    source: Ipv4Addr,
    destination: Ipv4Addr,
    source_port: u16,
    destination_port: u16,
    index: u64,
) -> Record {
    Record {
        source: IpAddr::V4(source),
        destination: IpAddr::V4(destination),
        protocol: 17,
        source_port,
        destination_port,
        timestamp_ns: 1000 * index,
        frame_bytes: 64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn sets_have_their_size_and_no_key_twice() {
        let distinct =
            |keys: Vec<u64>| (keys.len(), keys.into_iter().collect::<HashSet<u64>>().len());
        assert_eq!(distinct(grid(300, 20).collect()), (6000, 6000));
        // C(104, 1..3) would need more than 64 bits; C(64,1) + C(64,2) + C(64,3).
        assert_eq!(
            distinct(stride(5, 1 << 12).take(10_000).collect()),
            (10_000, 10_000)
        );
        let hosts: HashSet<Record> = slash16(Ipv4Addr::new(10, 7, 9, 9)).collect();
        assert_eq!(hosts.len(), 65_536);
        assert!(hosts
            .iter()
            .all(|record| record.source.to_string().starts_with("10.7.")));
        let ports: HashSet<u16> = port_scan([1, 1, 1, 1].into(), [2, 2, 2, 2].into())
            .map(|r| r.destination_port)
            .collect();
        assert_eq!(ports.len(), 65_536);
    }

    #[test]
    fn consecutive_keys_wrap_at_the_end() {
        assert_eq!(
            consecutive(u64::MAX).take(2).collect::<Vec<_>>(),
            [u64::MAX, 0]
        );
    }
}
