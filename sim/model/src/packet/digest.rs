use super::parse::ParsedFrame;
use crc::{Crc, CRC_64_XZ};

const DIGEST: Crc<u64> = Crc::<u64>::new(&CRC_64_XZ);

/// The digest of a frame: CRC-64/XZ over its bytes, those that change with each hop as 0 if `mask_hops`.
pub fn frame_digest(frame: &[u8], parsed: &ParsedFrame, mask_hops: bool) -> u64 {
    let hops = parsed.hops.as_ref().filter(|_| mask_hops);
    let mut digest = DIGEST.digest();
    for (at, &byte) in frame.iter().enumerate() {
        let masked = hops.is_some_and(|hops| at == hops.count || hops.checksum.contains(&at));
        digest.update(&[if masked { 0 } else { byte }]);
    }
    digest.finalize()
}
