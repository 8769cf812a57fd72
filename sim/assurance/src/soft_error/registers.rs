//! Flips bits of registers.

use crate::mutation::{mutate, Mutated, MutationError, Scope};
use bloomline_bench::verilator::Design;
use bloomline_toolchain::Toolchain;

/// What a register of a recycling filter is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RegisterGroup {
    /// Keys, hashes, positions, words and flags of slots in flight.
    Pipeline,
    /// What stands in each stage, and the sequencer's state.
    Control,
    /// Bits set, messages, and how many are left before the next recycle.
    Occupancy,
    /// Epochs, phase, spare values, coverage.
    Epochs,
    /// The queue of verdicts and its credit.
    Verdicts,
    /// Registers that a host reads and writes, and their bus.
    Host,
    /// 64-bit counters.
    Counters,
}

impl RegisterGroup {
    /// Every group.
    pub const ALL: [RegisterGroup; 7] = [
        RegisterGroup::Pipeline,
        RegisterGroup::Control,
        RegisterGroup::Occupancy,
        RegisterGroup::Epochs,
        RegisterGroup::Verdicts,
        RegisterGroup::Host,
        RegisterGroup::Counters,
    ];

    /// In a few words.
    pub fn words(self) -> &'static str {
        match self {
            RegisterGroup::Pipeline => "keys, hashes, words and flags in flight",
            RegisterGroup::Control => "slots and sequencer",
            RegisterGroup::Occupancy => "bits set, room",
            RegisterGroup::Epochs => "epochs, coverage",
            RegisterGroup::Verdicts => "verdict queue",
            RegisterGroup::Host => "host registers",
            RegisterGroup::Counters => "counters",
        }
    }

    /// The group of a register by its block.
    fn of(name: &str) -> RegisterGroup {
        let (block, rest) = name.split_once('.').unwrap_or((name, ""));
        let kind = block.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
        match kind {
            "bank" if rest.starts_with("coverage") => RegisterGroup::Epochs,
            "sequencer" | "slots" => RegisterGroup::Control,
            "occupancy" | "decision" | "limit" => RegisterGroup::Occupancy,
            "epochs" => RegisterGroup::Epochs,
            "verdicts" | "verdict_in" => RegisterGroup::Verdicts,
            "registers" | "reader" => RegisterGroup::Host,
            "counter" => RegisterGroup::Counters,
            _ => RegisterGroup::Pipeline,
        }
    }
}

/// A bit of a register that can be flipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisterFlip {
    /// Value of the selecting input: in the clock in which it has it, the bit is loaded inverted.
    pub number: u32,
    /// The block that it is in, with dots between; of a register of the top module the signal that it loads.
    pub register: String,
    /// What it is for.
    pub group: RegisterGroup,
}

/// Draws `count` bits of the registers of `design`, of the emitted recycling filter, all of them if it has fewer; `seed` says which. The text's last input
/// selects one (0: none).
///
/// # Errors
/// [`MutationError`] when yosys is missing or refuses the text.
pub fn flip_registers(
    toolchain: &Toolchain,
    design: &Design,
    count: u16,
    seed: u64,
) -> Result<(Mutated, Vec<RegisterFlip>), MutationError> {
    let mutated = mutate(toolchain, design, Scope::RegisterBits, count, seed)?;
    let flips = mutated.mutants.iter().map(|mutant| {
        let register = register_of(&mutant.change);
        RegisterFlip {
            number: mutant.number,
            group: RegisterGroup::of(&register),
            register,
        }
    });
    let flips = flips.collect();
    Ok((mutated, flips))
}

/// The block that the register is in, and where yosys knows it the signal that it loads, from yosys' words of the change.
fn register_of(change: &str) -> String {
    let behind = |option: &str| {
        let (_, rest) = change.split_once(option)?;
        rest.split(' ').next()
    };
    let cell = behind("-cell ").unwrap_or(change);
    let path = cell.trim_start_matches("$flatten").replace('\\', "");
    let block = path.split('$').next().unwrap_or("").trim_end_matches('.');
    match (block, behind("-wire ")) {
        ("", Some(wire)) => wire.to_owned(),
        ("", None) => path,
        (block, _) => block.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_are_grouped_by_their_block() {
        let of = |change: &str| {
            let register = register_of(change);
            (RegisterGroup::of(&register), register)
        };
        let change = |cell: &str| {
            format!(
                "-mode inv -module onehit -cell {cell} -port D -portbit 0 -src onehit.v:1.1-2.2"
            )
        };
        let groups = [
            (
                r"$flatten\bank_3.\collision.\word.$procdff$4958",
                RegisterGroup::Pipeline,
                "bank_3.collision.word",
            ),
            (
                r"$flatten\bank_3.\coverage.$procdff$1",
                RegisterGroup::Epochs,
                "bank_3.coverage",
            ),
            (
                r"$flatten\verdicts.$procdff$4826",
                RegisterGroup::Verdicts,
                "verdicts",
            ),
            (
                r"$flatten\counter_6.$procdff$9",
                RegisterGroup::Counters,
                "counter_6",
            ),
            (
                r"$procdff$4711 -wire verdict_in",
                RegisterGroup::Verdicts,
                "verdict_in",
            ),
        ];
        for (cell, group, register) in groups {
            assert_eq!(of(&change(cell)), (group, register.to_owned()));
        }
    }
}
