/// One entry of the device's list of blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// Byte address of its first register.
    pub address: u32,
    /// What it is: a `BLOCK_..` constant of the register map.
    pub kind: u32,
    /// Version of that kind of block.
    pub version: u32,
}
