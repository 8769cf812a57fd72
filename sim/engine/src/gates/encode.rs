//! Encoder of the few AVX and AVX2 instructions that [`super::native`] uses.
//!
//! Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, "VEX Prefix" and the pages of the instructions.

/// Prefixes as VEX encodes them.
const PREFIX_66: u8 = 1;
const PREFIX_F3: u8 = 2;

/// Bitwise operations, by their opcode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Bitwise {
    And = 0xdb,
    /// `!first & second`.
    AndNot = 0xdf,
    Or = 0xeb,
    Xor = 0xef,
}

impl Bitwise {
    /// The operands can change places.
    pub(super) fn commutes(self) -> bool {
        self != Bitwise::AndNot
    }
}

/// The second source of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operand {
    Register(u8),
    /// A slot of the planes.
    Slot(u32),
}

/// Code of a function whose first argument (register `rdi`) points to the planes.
#[derive(Debug)]
pub(super) struct Encoder {
    bytes: Vec<u8>,
    /// Vectors of 256 bits, otherwise of 128.
    wide: bool,
    /// Bytes of a slot.
    stride: u32,
}

impl Encoder {
    pub(super) fn new(wide: bool, stride: u32) -> Self {
        let bytes = vec![];
        Self {
            bytes,
            wide,
            stride,
        }
    }

    /// An instruction of the map 0F; `register` and `first` are vector registers.
    fn instruction(&mut self, prefix: u8, opcode: u8, [register, first]: [u8; 2], second: Operand) {
        // The VEX prefix holds the registers' bits inverted.
        let r = u8::from(register < 8) << 7;
        let tail = (!first & 15) << 3 | u8::from(self.wide) << 2 | prefix;
        match second {
            Operand::Register(other) if other >= 8 => {
                self.bytes.extend([0xc4, r | 0x41, tail, opcode]);
            }
            _ => self.bytes.extend([0xc5, r | tail, opcode]),
        }
        let register = (register & 7) << 3;
        match second {
            Operand::Register(other) => self.bytes.push(0xc0 | register | other & 7),
            Operand::Slot(slot) => {
                // Displacement of 32 bits from rdi.
                self.bytes.push(0x80 | register | 7);
                self.bytes.extend((slot * self.stride).to_le_bytes());
            }
        }
    }

    /// `to = operation(first, second)`.
    pub(super) fn bitwise(&mut self, operation: Bitwise, to: u8, first: u8, second: Operand) {
        self.instruction(PREFIX_66, operation as u8, [to, first], second);
    }

    pub(super) fn load(&mut self, to: u8, slot: u32) {
        self.instruction(PREFIX_F3, 0x6f, [to, 0], Operand::Slot(slot));
    }

    pub(super) fn store(&mut self, slot: u32, from: u8) {
        self.instruction(PREFIX_F3, 0x7f, [from, 0], Operand::Slot(slot));
    }

    /// All bits of a register one: it equals itself.
    pub(super) fn ones(&mut self, to: u8) {
        self.instruction(PREFIX_66, 0x76, [to, to], Operand::Register(to));
    }

    /// Returns to the caller.
    pub(super) fn finish(mut self) -> Vec<u8> {
        // vzeroupper; ret
        self.bytes.extend([0xc5, 0xf8, 0x77, 0xc3]);
        self.bytes
    }
}
