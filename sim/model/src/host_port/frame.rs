use bloomline_spec::host_port::{HostAddress, HOST_FRAME_BYTES, HOST_TIME_TO_LIVE};

const ALL: [u8; 6] = [0xFF; 6];
const SHORTEST: usize = 42;
const TO_IP: usize = 14;
const IP_HEADER: usize = 20;
const ARP_REQUEST: [u8; 10] = [0x08, 0x06, 0, 1, 0x08, 0, 6, 4, 0, 1];
const ARP_REPLY: [u8; 10] = [0x08, 0x06, 0, 1, 0x08, 0, 6, 4, 0, 2];
const ICMP: u8 = 1;
const UDP: u8 = 17;

/// What a good frame asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Asked {
    /// Who has the card's IP address.
    Arp,
    /// The same bytes back: the ICMP message from its identifier on.
    Echo(Vec<u8>),
    /// What is in a datagram, from this port.
    Datagram(u16, Vec<u8>),
}

/// Whether the frame is to the card.
pub(super) fn to_card(card: &HostAddress, frame: &[u8]) -> bool {
    frame.starts_with(&card.mac)
}

/// What the frame asks for, if it is good.
pub(super) fn asked(card: &HostAddress, frame: &[u8]) -> Option<Asked> {
    let lengths = SHORTEST..=HOST_FRAME_BYTES;
    if !lengths.contains(&frame.len()) || frame[6] & 1 == 1 {
        return None;
    }
    if frame[12..22] == ARP_REQUEST && frame[38..42] == card.ip {
        return (to_card(card, frame) || frame.starts_with(&ALL)).then_some(Asked::Arp);
    }
    if !to_card(card, frame) || frame[12..15] != [0x08, 0x00, 0x45] {
        return None;
    }
    let half = |at: usize| u16::from_be_bytes([frame[at], frame[at + 1]]);
    let packet = frame[TO_IP..].get(..usize::from(half(16)))?;
    let (header, body) = packet.split_at_checked(IP_HEADER)?;
    if body.len() < 8 || half(20) & !0x4000 != 0 || frame[30..34] != card.ip {
        return None;
    }
    if !sums_up(&[header]) {
        return None;
    }
    match (frame[23], &body[..2]) {
        (ICMP, [8, 0]) => sums_up(&[body]).then(|| Asked::Echo(body[4..].to_vec())),
        (UDP, _) => {
            let length = half(38).to_be_bytes();
            let pseudo = [&frame[26..34], &[0, UDP], &length].concat();
            let right = half(40) == 0 || sums_up(&[&pseudo, body]);
            (half(36) == card.udp_port && usize::from(half(38)) == body.len() && right)
                .then(|| Asked::Datagram(half(34), body[8..].to_vec()))
        }
        _ => None,
    }
}

/// The ARP reply to a request.
pub(super) fn arp_reply(card: &HostAddress, request: &[u8]) -> Vec<u8> {
    let parts = [
        &request[6..12],
        &card.mac,
        &ARP_REPLY,
        &card.mac,
        &card.ip,
        &request[22..32],
    ];
    parts.concat()
}

/// The echo reply with the message's bytes from the identifier on.
pub(super) fn echo_reply(card: &HostAddress, request: &[u8], rest: &[u8]) -> Vec<u8> {
    let check = checksum(&[&[0; 4][..], rest]).to_be_bytes();
    let message = [&[0, 0][..], &check, rest].concat();
    ip_answer(card, request, ICMP, &message)
}

/// A datagram back to a port.
pub(super) fn datagram(card: &HostAddress, request: &[u8], to: u16, payload: &[u8]) -> Vec<u8> {
    let length = 8 + payload.len() as u16;
    let header = [card.udp_port, to, length, 0].map(u16::to_be_bytes);
    ip_answer(
        card,
        request,
        UDP,
        &[header.as_flattened(), payload].concat(),
    )
}

fn ip_answer(card: &HostAddress, request: &[u8], protocol: u8, body: &[u8]) -> Vec<u8> {
    let total = ((IP_HEADER + body.len()) as u16).to_be_bytes();
    let before = [
        &[0x45, 0][..],
        &total,
        &[0, 0, 0x40, 0, HOST_TIME_TO_LIVE, protocol],
    ]
    .concat();
    let addresses = [&card.ip[..], &request[26..30]].concat();
    let check = checksum(&[&before, &addresses]).to_be_bytes();
    let ethernet = [&request[6..12], &card.mac, &[0x08, 0x00]].concat();
    [&ethernet[..], &before, &check, &addresses, body].concat()
}

/// The internet checksum over `parts` of even length but for the last (RFC 1071).
fn checksum(parts: &[&[u8]]) -> u16 {
    let mut sum: u32 = parts
        .iter()
        .flat_map(|part| part.chunks(2))
        .map(|pair| u32::from(pair[0]) << 8 | u32::from(pair.get(1).copied().unwrap_or(0)))
        .sum();
    while sum > 0xFFFF {
        sum = (sum & 0xFFFF) + (sum >> 16);
    }
    !sum as u16
}

/// Whether the checksum that is among them is right.
fn sums_up(parts: &[&[u8]]) -> bool {
    checksum(parts) == 0
}
