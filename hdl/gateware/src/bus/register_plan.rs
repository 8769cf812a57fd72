//! Sources and destinations of the registers of one kind of filter.

use bloomline_spec::registers::{address, field, Access, Field, Register, RegisterBlock};
use bloomline_spec::{CellGeometry, Design, RecyclingGeometry, RegisterMap};
use std::ops::Range;

/// A register that always reads as the same value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FixedRegister {
    /// Byte address.
    pub offset: u32,
    /// What it reads as.
    pub value: u32,
}

/// A register that the pipeline drives, or that a host writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValueRegister {
    /// Name in the register map.
    pub name: &'static str,
    /// Byte address.
    pub offset: u32,
    /// Width in bits.
    pub width: usize,
    /// Value after reset; 0 for one that the pipeline drives.
    pub reset: u32,
}

/// A word of a keyed hash's secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SecretRegister {
    /// Byte address.
    pub offset: u32,
    /// Value at power-up: the specification's.
    pub initial: u32,
}

/// A counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CounterRegister {
    /// Name in the register map, without `_LO`.
    pub name: &'static str,
    /// Byte address of its low half; the high half, where there is one, is the next register.
    pub low: u32,
}

/// The registers of a filter, sorted by who gives their values; each list by rising address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisterPlan {
    /// Constants; CONTROL and HASH_KEY are among them, since they read as 0.
    pub fixed: Vec<FixedRegister>,
    /// Values from the pipeline, read only.
    pub live: Vec<ValueRegister>,
    /// Fields of the registers, each with the register's name.
    pub fields: Vec<(&'static str, &'static str)>,
    /// Values that a host writes.
    pub values: Vec<ValueRegister>,
    /// Width of CONTROL; 0 where there is none.
    pub control_bits: usize,
    /// Its bits that are commands to be served; a restart is none.
    pub commands: u32,
    /// Those that clear.
    pub clears: u32,
    /// Whether one of them recycles without a clear.
    pub recycles: bool,
    /// Whether one of them restarts control logic.
    pub restarts: bool,
    /// Words of a keyed hash's next secret, which a host writes and nobody reads, the lowest first; empty without one.
    pub secret_words: Vec<SecretRegister>,
    /// Whether the write of the secret's last word brings it into force, where there is no CONTROL.
    pub secret_by_last_word: bool,
    /// Whether a rekey without a clear brings a secret into force for one half alone.
    pub secret_per_half: bool,
    /// Counters.
    pub counters: Vec<CounterRegister>,
    /// The first so many of them are counted outside of the register file.
    pub outside: usize,
    /// Whether they have 64 bits, so that each has a high half.
    pub long_counters: bool,
    /// Which of `values` make a write pending until the pipeline has acted on it, beside one that is loaded; a write waits while one is.
    pub awaited: Range<usize>,
    /// The first of `values` that keeps only the bits of `kept_bits`, as all behind it do; the others of theirs are 0.
    pub kept_from: usize,
    /// See `kept_from`.
    pub kept_bits: u32,
    /// Whether the pipeline loads the last of `values` too, and can hold reads meanwhile; a write to it is awaited.
    pub loaded: bool,
    /// Whether writing the one before asks for a word of the array; reads and writes wait until it is there.
    pub fetches: bool,
}

impl RegisterPlan {
    /// The registers of a recycling filter: a new threshold and bits to be set in the array are awaited, and the array's
    /// address asks for a word.
    pub fn of(geometry: &RecyclingGeometry) -> Self {
        let map = Design::from(geometry).inner_register_map();
        let access = geometry.has_array_logic();
        let mut plan = Self::sorted(&map, geometry.hash().secret, 0..1, access);
        plan.secret_per_half = geometry.has_secret_per_half();
        plan.fetches = access;
        plan.recycles = true;
        plan.clears &= !(1 << field::CONTROL_RECYCLE);
        if plan.secret_per_half {
            plan.clears &= !(1 << field::CONTROL_REKEY);
        }
        if geometry.self_check() {
            plan.restarts = true;
            plan.commands &= !(1 << field::CONTROL_RESTART);
            plan.clears &= plan.commands;
        }
        plan
    }

    /// The registers of a filter of cells: an access to the array, which the last two registers ask for, is awaited.
    pub fn of_cells(geometry: &CellGeometry) -> Self {
        let map = Design::from(geometry).inner_register_map();
        let access = geometry.has_array_logic();
        let mut plan = Self::sorted(&map, geometry.hash().secret, 0..0, access);
        if access {
            plan.awaited = plan.values.len() - 2..plan.values.len() - 1;
        }
        plan
    }

    /// The registers of a sliding-window filter: nothing but a clear is awaited.
    pub fn of_window(geometry: impl Into<Design>) -> Self {
        let design = geometry.into();
        Self::sorted(
            &design.inner_register_map(),
            design.hash().secret,
            0..0,
            false,
        )
    }

    /// The registers of a block beside the filter's, by their addresses within it, with its counters from `first_counter` on: nothing is awaited,
    /// there are no commands.
    pub fn of_block(block: &RegisterBlock, first_counter: u32) -> Self {
        let registers = block.registers.iter().map(|register| Register {
            offset: register.offset - block.offset,
            ..register.clone()
        });
        let mut plan = Self::sorted_from(registers, first_counter, None, 0..0, false);
        plan.control_bits = 0;
        plan.secret_by_last_word = !plan.secret_words.is_empty();
        plan
    }

    /// The same where the values from the first on whose name begins with `prefix` keep only these bits.
    pub fn with_kept(mut self, prefix: &str, bits: u32) -> Self {
        let first = self
            .values
            .iter()
            .position(|register| register.name.starts_with(prefix));
        self.kept_from = first.unwrap_or(self.values.len());
        self.kept_bits = bits;
        self
    }

    /// Bit w: a host may write the register at word w.
    pub fn writable_words(&self) -> u128 {
        let control = (self.control_bits > 0).then_some(address::CONTROL);
        let secret = self.secret_words.iter().map(|r| r.offset);
        let values = self.values.iter().map(|r| r.offset);
        words(values.chain(secret).chain(control))
    }

    /// Bit w: there is a register at word w.
    pub fn mapped_words(&self) -> u128 {
        let values = self.live.iter().chain(&self.values).map(|r| r.offset);
        let halves = if self.long_counters { 2 } else { 1 };
        let half = |c: &CounterRegister| [c.low, c.low + 4].into_iter().take(halves);
        let counters = self.counters.iter().flat_map(half);
        words(
            self.fixed
                .iter()
                .map(|r| r.offset)
                .chain(values)
                .chain(counters),
        )
    }

    /// The same with an input in the place of the constant register at `offset`, called `name`, of so many bits.
    pub fn with_live(mut self, offset: u32, name: &'static str, width: usize) -> Self {
        self.fixed.retain(|register| register.offset != offset);
        self.live.push(ValueRegister {
            name,
            offset,
            width,
            reset: 0,
        });
        self.live.sort_by_key(|register| register.offset);
        self
    }

    fn sorted(
        map: &RegisterMap,
        secret: Option<u128>,
        awaited: Range<usize>,
        loaded: bool,
    ) -> Self {
        let registers = map.filter_registers().cloned();
        Self::sorted_from(registers, address::FIRST_COUNTER, secret, awaited, loaded)
    }

    fn sorted_from(
        registers: impl Iterator<Item = Register>,
        first_counter: u32,
        secret: Option<u128>,
        awaited: Range<usize>,
        loaded: bool,
    ) -> Self {
        let mut plan = Self {
            fixed: Vec::new(),
            live: Vec::new(),
            fields: Vec::new(),
            values: Vec::new(),
            control_bits: 1,
            commands: 1,
            clears: 1,
            recycles: false,
            restarts: false,
            secret_words: Vec::new(),
            secret_by_last_word: false,
            secret_per_half: false,
            counters: Vec::new(),
            outside: 0,
            long_counters: false,
            awaited,
            kept_from: 0,
            kept_bits: 0,
            loaded,
            fetches: false,
        };
        for register in registers {
            let fields = register.fields.iter();
            plan.fields
                .extend(fields.map(|field| (register.name, field.name)));
            let value = ValueRegister {
                name: register.name,
                offset: register.offset,
                width: register.width as usize,
                reset: register.reset.unwrap_or(0),
            };
            match register.access {
                Access::Constant | Access::WritePulse | Access::WriteOnly => {
                    plan.fixed.push(FixedRegister {
                        offset: register.offset,
                        value: value.reset,
                    });
                    if register.access == Access::WritePulse {
                        let bit = |field: &Field| 1 << field.lowest_bit;
                        plan.control_bits = value.width;
                        plan.commands = register.fields.iter().map(bit).sum();
                        plan.clears = plan.commands;
                    } else if register.access == Access::WriteOnly {
                        let word = plan.secret_words.len();
                        plan.secret_words.push(SecretRegister {
                            offset: register.offset,
                            initial: (secret.unwrap_or(0) >> (32 * word)) as u32,
                        });
                    }
                }
                Access::ReadWrite => plan.values.push(value),
                Access::ReadOnly if register.offset < first_counter => {
                    plan.live.push(value);
                }
                Access::ReadOnly => {
                    if let Some(name) = register.name.strip_suffix("_LO") {
                        plan.counters.push(CounterRegister {
                            name,
                            low: register.offset,
                        });
                    } else {
                        plan.long_counters = true;
                    }
                }
            }
        }
        plan.kept_from = plan.values.len();
        plan
    }

    /// Names of the awaited registers.
    pub fn awaited(&self) -> impl Iterator<Item = &str> {
        let loaded = self.values.iter().rev().take(usize::from(self.loaded));
        let awaited = self.values[self.awaited.clone()].iter().chain(loaded);
        awaited.map(|register| register.name)
    }
}

/// A bit for each word of the byte addresses.
fn words(offsets: impl Iterator<Item = u32>) -> u128 {
    offsets.fold(0, |words, offset| words | 1 << (offset / 4))
}
