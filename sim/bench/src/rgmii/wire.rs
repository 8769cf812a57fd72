use bloomline_model::mac::Gmii;
use bloomline_spec::mac::{FRAME_START_BYTE, PREAMBLE_BYTE, PREAMBLE_BYTES};

/// A frame with its FCS.
pub fn with_fcs(frame: &[u8]) -> Vec<u8> {
    [frame, &crc32fast::hash(frame).to_le_bytes()].concat()
}

/// A frame as it stands on the line: preamble, frame, FCS.
pub fn on_the_line(frame: &[u8]) -> Vec<Gmii> {
    let preamble = [PREAMBLE_BYTE; PREAMBLE_BYTES];
    let bytes = [&preamble[..], &[FRAME_START_BYTE], &with_fcs(frame)].concat();
    bytes.into_iter().map(Gmii::byte).collect()
}
