//! Bit positions within the parser's buses: decoded word and parser state.

use crate::prelude::*;

/// A part of a bus.
#[derive(Clone, Copy)]
pub(super) struct Field {
    pub low: usize,
    pub width: usize,
}

impl Field {
    const fn at(low: usize, width: usize) -> Field {
        Field { low, width }
    }

    const fn behind(before: Field, width: usize) -> Field {
        Field::at(before.low + before.width, width)
    }

    /// The part of a bus of `bus_bits` bits.
    pub fn of(self, bus_bits: usize) -> Slice {
        Slice::new(bus_bits, self.low, self.width)
    }

    /// Its lowest bit.
    pub fn place(self) -> Const {
        Const::number(self.low)
    }
}

/// Bits of the number of a word: word j is the four bytes from 4 j + 2 on.
pub(super) const PLACE_BITS: usize = 5;
/// Number of the last word the parser reads, from byte 122 on.
pub(super) const LAST_PLACE: usize = (bloomline_spec::PARSE_BYTES as usize - 2) / 4 - 1;
/// Number of the first, from byte 10 on.
pub(super) const FIRST_PLACE: usize = 2;
/// Bits of the number of a word that a header's length points at.
pub(super) const FAR_BITS: usize = 10;

/// Words of the longest IP header that the parser reads one by one: that of version 6.
pub(super) const HEADER_WORDS: usize = 10;
/// Lengths of headers, in words, that the parser of two words a clock tells apart: behind a longer one it reads no word, because the
/// first header that says its length as an extension does is word 8 or a later one.
pub(super) const RING: usize = LAST_PLACE - (FIRST_PLACE + 6);

/// What [`super::WordFacts`] says of a word.
pub(super) mod fact {
    use super::{Field, FAR_BITS, PLACE_BITS};

    pub const WORD: Field = Field::at(0, 32);
    /// What a header of the number in bits 31:24 is.
    pub const KIND_HIGH: Field = Field::behind(WORD, 3);
    /// In bits 23:16.
    pub const KIND_MIDDLE: Field = Field::behind(KIND_HIGH, 3);
    /// In bits 15:8.
    pub const KIND_LOW: Field = Field::behind(KIND_MIDDLE, 3);
    /// What follows the type in bits 15:0.
    pub const TYPE: Field = Field::behind(KIND_LOW, 3);
    /// Bits 31:28 are 4.
    pub const IS_4: Field = Field::behind(TYPE, 1);
    /// Bits 31:28 are 6.
    pub const IS_6: Field = Field::behind(IS_4, 1);
    /// The first word of an IPv4 header whose lengths agree.
    pub const FITS_4: Field = Field::behind(IS_6, 1);
    /// Bits 12:0 are not 0.
    pub const FRAGMENT_4: Field = Field::behind(FITS_4, 1);
    /// Bits 15:3 are not 0.
    pub const FRAGMENT_6: Field = Field::behind(FRAGMENT_4, 1);
    pub const PLACE: Field = Field::behind(FRAGMENT_6, PLACE_BITS);
    /// Word behind this one.
    pub const NEXT: Field = Field::behind(PLACE, FAR_BITS);
    /// Word behind an IPv4 header that begins here.
    pub const BEHIND_IPV4: Field = Field::behind(NEXT, FAR_BITS);
    /// Word behind an extension of 8 (b + 1) bytes.
    pub const BEHIND_OPTIONS: Field = Field::behind(BEHIND_IPV4, FAR_BITS);
    /// Word behind one of 4 (b + 2) bytes.
    pub const BEHIND_AUTHENTICATION: Field = Field::behind(BEHIND_OPTIONS, FAR_BITS);
    /// Word behind a fragment header.
    pub const BEHIND_FRAGMENT: Field = Field::behind(BEHIND_AUTHENTICATION, FAR_BITS);
    /// For each of the five: that word is not read any more.
    pub const DEEP_NEXT: Field = Field::behind(BEHIND_FRAGMENT, 1);
    pub const DEEP_IPV4: Field = Field::behind(DEEP_NEXT, 1);
    pub const DEEP_OPTIONS: Field = Field::behind(DEEP_IPV4, 1);
    pub const DEEP_AUTHENTICATION: Field = Field::behind(DEEP_OPTIONS, 1);
    pub const DEEP_FRAGMENT: Field = Field::behind(DEEP_AUTHENTICATION, 1);
    /// The frame has the word.
    pub const WHOLE: Field = Field::behind(DEEP_FRAGMENT, 1);
    pub const BITS: usize = WHOLE.low + WHOLE.width;
}

/// What a word is to a parser that stands where it stands: [`super::ParserLook`]'s.
pub(super) mod look {
    use super::{kind, Field, FAR_BITS};

    /// The word is read.
    pub const READS: Field = Field::at(0, 1);
    /// The IP packet is one of version 6.
    pub const SIX: Field = Field::behind(READS, 1);
    /// The word is the first of an IP header.
    pub const FIRST: Field = Field::behind(SIX, 1);
    /// Its lengths agree.
    pub const FITS: Field = Field::behind(FIRST, 1);
    /// Behind labels, no IP.
    pub const STRANGER: Field = Field::behind(FITS, 1);
    /// The last word that is read of a header behind which another may stand.
    pub const LEAVES: Field = Field::behind(STRANGER, 1);
    /// The IPv6 header itself is left.
    pub const FROM_IPV6: Field = Field::behind(LEAVES, 1);
    /// The next word is not read any more.
    pub const DEEP: Field = Field::behind(FROM_IPV6, 1);
    /// Number of the next word that is read.
    pub const AT: Field = Field::behind(DEEP, FAR_BITS);
    /// A fragment that is not the first.
    pub const FRAGMENT: Field = Field::behind(AT, 1);
    /// Number of the header that follows, and what it is.
    pub const NEXT: Field = Field::behind(FRAGMENT, 8);
    pub const KIND: Field = Field::behind(NEXT, kind::BITS);
    /// The word of an IPv4 header with TTL and checksum, if it is read.
    pub const CHECKSUM: Field = Field::behind(KIND, 1);
    /// That of an IPv6 header with payload length and hop limit.
    pub const LENGTH_6: Field = Field::behind(CHECKSUM, 1);
    pub const BITS: usize = LENGTH_6.low + LENGTH_6.width;
}

/// What the parser keeps between words.
pub(super) mod state {
    use super::{Field, FAR_BITS, FIRST_PLACE, PLACE_BITS};

    /// What the next word is read as.
    pub const MODE: Field = Field::at(0, 4);
    /// Word within an IP header.
    pub const STEP: Field = Field::behind(MODE, 4);
    /// Number of the next word to be read; at the end, that behind the last header.
    pub const AT: Field = Field::behind(STEP, FAR_BITS);
    /// How the parse ended.
    pub const ENDING: Field = Field::behind(AT, 2);
    /// The IP packet is one of version 6.
    pub const SIX: Field = Field::behind(ENDING, 1);
    /// The first word of an IP header is read.
    pub const IN_IP: Field = Field::behind(SIX, 1);
    /// Number of that word.
    pub const IP_PLACE: Field = Field::behind(IN_IP, PLACE_BITS);
    /// Length the header says: total of IPv4, payload of IPv6.
    pub const LENGTH: Field = Field::behind(IP_PLACE, 16);
    /// Word behind the IPv4 header, and whether it is not read any more.
    pub const BEHIND_IPV4: Field = Field::behind(LENGTH, FAR_BITS);
    pub const DEEP_IPV4: Field = Field::behind(BEHIND_IPV4, 1);
    /// A fragment that is not the first.
    pub const FRAGMENT: Field = Field::behind(DEEP_IPV4, 1);
    /// Number of the header that follows, and what it is.
    pub const NEXT: Field = Field::behind(FRAGMENT, 8);
    pub const KIND: Field = Field::behind(NEXT, 3);
    /// DSCP and checksum of IPv4.
    pub const DSCP: Field = Field::behind(KIND, 6);
    pub const CHECKSUM: Field = Field::behind(DSCP, 16);
    /// The word that holds TTL and checksum, or the hop limit, is read.
    pub const HOPS: Field = Field::behind(CHECKSUM, 1);
    pub const BITS: usize = HOPS.low + HOPS.width;
    /// State before a frame's first word.
    pub const INITIAL: u128 = (FIRST_PLACE as u128) << AT.low;
}

/// What a header is, by its number.
pub(super) mod kind {
    pub const NONE: u128 = 0;
    pub const HOPS: u128 = 1;
    pub const OPTIONS: u128 = 2;
    pub const FRAGMENT: u128 = 3;
    pub const AUTHENTICATION: u128 = 4;
    pub const PORTS: u128 = 5;
    pub const BITS: usize = 3;
}

/// Bits of a header's kind where each has a bit of its own; none is set for [`kind::NONE`].
pub(super) mod header {
    use super::kind;

    pub const HOPS: usize = kind::HOPS as usize - 1;
    pub const OPTIONS: usize = kind::OPTIONS as usize - 1;
    pub const FRAGMENT: usize = kind::FRAGMENT as usize - 1;
    pub const AUTHENTICATION: usize = kind::AUTHENTICATION as usize - 1;
    pub const PORTS: usize = kind::PORTS as usize - 1;
    pub const BITS: usize = 5;
}

/// What follows a type.
pub(super) mod ether {
    pub const NO_IP: u128 = 0;
    pub const TAG: u128 = 1;
    pub const LABEL: u128 = 2;
    pub const IPV4: u128 = 3;
    pub const IPV6: u128 = 4;
    pub const BITS: usize = 3;
}

/// What a word is read as. Bit 3: nothing more is read.
pub(super) mod mode {
    pub const TYPE: u128 = 0;
    pub const LABEL: u128 = 1;
    pub const VERSION: u128 = 2;
    pub const IP: u128 = 3;
    pub const OPTIONS: u128 = 4;
    pub const AUTHENTICATION: u128 = 5;
    pub const FRAGMENT: u128 = 6;
    pub const PORTS: u128 = 7;
    pub const END: u128 = 8;
    pub const BITS: usize = 4;
}

/// How a parse ended.
pub(super) mod ending {
    pub const NO_IP: u128 = 0;
    pub const IP: u128 = 1;
    pub const MALFORMED: u128 = 2;
    pub const TOO_DEEP: u128 = 3;
    pub const BITS: usize = 2;
}

/// What [`super::TunnelStep`] keeps between words.
pub(super) mod tunnel {
    use super::{inside, walk, Field};

    /// What the next word of the outer packet is read as.
    pub const WALK: Field = Field::at(0, walk::BITS);
    /// Words that are passed over before it.
    pub const LEFT: Field = Field::behind(WALK, 8);
    /// What the inside is.
    pub const INSIDE: Field = Field::behind(LEFT, inside::BITS);
    /// GTP-U: a word stands between the TEID and the extension headers.
    pub const OPTIONAL: Field = Field::behind(INSIDE, 1);
    /// GTP-U: that word says whether an extension header follows.
    pub const EXTENDED: Field = Field::behind(OPTIONAL, 1);
    pub const BITS: usize = EXTENDED.low + EXTENDED.width;
}

/// What a word behind the outer headers is read as.
pub(super) mod walk {
    /// Not behind them yet.
    pub const OUTER: u128 = 0;
    /// Flags of VXLAN.
    pub const VXLAN: u128 = 1;
    /// First word of GTP-U.
    pub const GTP: u128 = 2;
    /// Its TEID.
    pub const TEID: u128 = 3;
    /// Sequence number, N-PDU number, type of the first extension header.
    pub const SEQUENCE: u128 = 4;
    /// First word of an extension header.
    pub const EXTENSION: u128 = 5;
    /// A later word of it.
    pub const REST: u128 = 6;
    /// A word in front of the inside, or its first.
    pub const INSIDE: u128 = 7;
    /// Nothing more is read.
    pub const END: u128 = 8;
    pub const BITS: usize = 4;
}

/// What the inside of a tunnel is.
pub(super) mod inside {
    pub const IPV4: u128 = 0;
    pub const IPV6: u128 = 1;
    /// IP of the version that it begins with, or something else.
    pub const VERSION: u128 = 2;
    pub const ETHERNET: u128 = 3;
    pub const BITS: usize = 2;
}

/// Number that the first word of an inside without an Ethernet header has: that of an IP packet behind 14 bytes.
pub(super) const INSIDE_PLACE: usize = FIRST_PLACE + 1;
