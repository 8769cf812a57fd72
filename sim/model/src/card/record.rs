use super::mailbox::checked;

/// Byte address of the record on the bridge's bus.
const RECORD: u32 = 0xA5A5_A520;
const RECORD_WORDS: u32 = 5;
const RECORD_MARK: u32 = 0xB2;

/// The last access that the bridge made to the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Record {
    pub tag: u16,
    pub write: bool,
    pub response: u8,
    /// Accesses since reset, this one included; wraps.
    pub count: u32,
    pub address: u32,
    pub data: u32,
}

impl Record {
    /// Which word of the record a byte address is.
    pub fn place(address: u32) -> Option<usize> {
        let place = address.checked_sub(RECORD)? / 4;
        (place < RECORD_WORDS).then_some(place as usize)
    }

    /// As it is read.
    pub fn word(&self, place: usize) -> u32 {
        let head = RECORD_MARK << 24
            | u32::from(self.tag) << 8
            | u32::from(self.response) << 1
            | u32::from(self.write);
        checked([head, self.count, self.address, self.data])[place]
    }
}
