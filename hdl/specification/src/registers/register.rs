//! Registers, the blocks they form, and the map of all blocks of a device.

use super::address::ARRAY_DATA;
use super::numbers::ADDRESS_BITS;

/// What a host may do with a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    /// Read only, and always the reset value.
    Constant,
    /// Read only, set by the hardware.
    ReadOnly,
    /// Read and write.
    ReadWrite,
    /// Writing a 1 acts once; reads as 0.
    WritePulse,
    /// Keeps what is written, and reads as 0.
    WriteOnly,
}

impl Access {
    /// Whether a write can succeed.
    pub fn is_writable(self) -> bool {
        !matches!(self, Access::Constant | Access::ReadOnly)
    }
}

/// Bits of a register that mean one thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Name, lower case.
    pub name: &'static str,
    /// Lowest bit.
    pub lowest_bit: u32,
    /// Width in bits.
    pub width: u32,
    /// What it says, in one sentence.
    pub doc: &'static str,
}

impl Field {
    pub(crate) fn new(name: &'static str, lowest_bit: u32, width: u32, doc: &'static str) -> Field {
        Field {
            name,
            lowest_bit,
            width,
            doc,
        }
    }
}

/// A 32-bit register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Register {
    /// Name, upper case, unique in its block.
    pub name: &'static str,
    /// Byte address in the whole map.
    pub offset: u32,
    /// What a host may do with it.
    pub access: Access,
    /// Bits in use, from bit 0; the others read as 0 and must be written as 0.
    pub width: u32,
    /// Value after reset; `None` where reset leaves it to the state of the hardware.
    pub reset: Option<u32>,
    /// What it says.
    pub doc: &'static str,
    /// Its fields, lowest first; none where the register is one value.
    pub fields: Vec<Field>,
}

impl Register {
    /// A register that is one value.
    pub(crate) fn new(
        name: &'static str,
        offset: u32,
        access: Access,
        width: u32,
        reset: impl Into<Option<u32>>,
        doc: &'static str,
    ) -> Register {
        Register {
            name,
            offset,
            access,
            width,
            reset: reset.into(),
            doc,
            fields: Vec::new(),
        }
    }

    /// The register with its value divided into these fields, the lowest first.
    pub(crate) fn with_fields(self, fields: Vec<Field>) -> Register {
        Register { fields, ..self }
    }

    /// Whether the hardware changes it: what a host wrote or read last need not be what it reads next.
    pub fn is_volatile(&self) -> bool {
        // a fetch puts a word of the array in the place of what was written
        self.access == Access::ReadOnly || self.offset == ARRAY_DATA
    }

    /// Greatest value that fits the register.
    pub fn max_value(&self) -> u32 {
        u32::MAX.checked_shr(32 - self.width).unwrap_or(0)
    }
}

/// Registers that belong together, at one place of the linked list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisterBlock {
    /// Name, lower case.
    pub name: &'static str,
    /// Byte address of its first register.
    pub offset: u32,
    /// What it is for.
    pub doc: &'static str,
    /// Its registers by rising address.
    pub registers: Vec<Register>,
}

/// The register map of one geometry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisterMap {
    /// Name of the filter.
    pub name: String,
    /// Bits of a byte address.
    pub address_bits: u32,
    /// The blocks by rising address.
    pub blocks: Vec<RegisterBlock>,
}

impl RegisterMap {
    /// Every register of the filter itself by rising address: without the blocks of the card around it.
    pub fn filter_registers(&self) -> impl Iterator<Item = &Register> {
        self.registers()
            .filter(|register| register.offset < 1 << ADDRESS_BITS)
    }

    /// Every register by rising address.
    pub fn registers(&self) -> impl Iterator<Item = &Register> {
        self.blocks.iter().flat_map(|block| &block.registers)
    }

    /// A register by the name of its block and its own: `("filter", "THRESHOLD")`.
    pub fn register(&self, block: &str, name: &str) -> Option<&Register> {
        self.block(block)?
            .registers
            .iter()
            .find(|register| register.name == name)
    }

    /// A block by name.
    pub fn block(&self, name: &str) -> Option<&RegisterBlock> {
        self.blocks.iter().find(|block| block.name == name)
    }

    /// The register at a byte address.
    pub fn at(&self, offset: u32) -> Option<&Register> {
        self.registers().find(|register| register.offset == offset)
    }
}
