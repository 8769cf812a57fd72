use super::parse::IpHeader;

/// Gives the IP packet in a frame another DSCP, and where it is IPv4 the checksum of the change: the old checksum need not
/// be right, and stays as wrong as it was.
///
/// The header is one that the parser has found in this frame.
pub fn mark(frame: &mut [u8], header: IpHeader, dscp: u8) {
    let half = |frame: &[u8], at: usize| u16::from_be_bytes([frame[at], frame[at + 1]]);
    let before = half(frame, header.offset);
    if header.version == 6 {
        let after = before & !(0x3F << 6) | u16::from(dscp) << 6;
        frame[header.offset..header.offset + 2].copy_from_slice(&after.to_be_bytes());
        return;
    }
    frame[header.offset + 1] = frame[header.offset + 1] & 3 | dscp << 2;
    let after = half(frame, header.offset);
    let checksum = half(frame, header.offset + 10);
    let sum = u32::from(!checksum) + u32::from(!before) + u32::from(after);
    let carried = fold(fold(sum)) as u16;
    frame[header.offset + 10..header.offset + 12].copy_from_slice(&(!carried).to_be_bytes());
}

/// The low 16 bits plus the bits above.
fn fold(sum: u32) -> u32 {
    (sum & 0xFFFF) + (sum >> 16)
}
