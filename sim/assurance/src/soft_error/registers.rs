//! Flips bits of registers.

use super::{Run, Session, Workload};
use bloomline_engine::{Design, EngineError, Initial, LaneCount, RegisterName};
use bloomline_spec::RecyclingGeometry;

/// Function of a register in a recycling filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RegisterGroup {
    /// Keys, hashes, positions, words and flags of slots in flight.
    Pipeline,
    /// Slots of the pipeline, and the sequencer's state.
    Control,
    /// Bits set, messages, and how many are left before the next recycle.
    Occupancy,
    /// Epochs, phase, spare values, coverage.
    Epochs,
    /// The queue of verdicts and its credit.
    Verdicts,
    /// Registers that a host reads and writes, and their bus.
    Host,
    /// The counters, as far as they are registers: the low bits, and what carries them to memory.
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

    /// Heading of its row in a table.
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
            "sequencer" | "slots" | "self_check" => RegisterGroup::Control,
            "occupancy" | "decision" | "limit" => RegisterGroup::Occupancy,
            "epochs" => RegisterGroup::Epochs,
            "verdicts" | "verdict_in" => RegisterGroup::Verdicts,
            "registers" if rest.starts_with("counters.") => RegisterGroup::Counters,
            "registers" | "reader" => RegisterGroup::Host,
            _ => RegisterGroup::Pipeline,
        }
    }
}

/// A bit of a register that can be flipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisterBit {
    /// Path of the register, without the top module.
    pub register: String,
    /// The bit, from 0.
    pub bit: usize,
    /// Function of the register.
    pub group: RegisterGroup,
}

/// Every bit of every register of the emitted recycling filter, in the order of the text. Memories are not among them.
pub fn register_bits(design: &Design) -> Vec<RegisterBit> {
    let top = format!("{}.", design.top());
    let bits = |register: RegisterName<'_>| {
        let path = register.path.strip_prefix(&top).unwrap_or(register.path);
        let group = RegisterGroup::of(path);
        let register_bit = move |bit| RegisterBit {
            register: path.to_owned(),
            bit,
            group,
        };
        (0..register.width).map(register_bit).collect::<Vec<_>>()
    };
    design.registers().flat_map(bits).collect()
}

/// Runs a workload in as many lanes as there are flips; in lane `i` the bit `flips[i].0` is inverted ahead of clock `flips[i].1`, or nothing. Inputs and
/// handshakes are each lane's own.
///
/// # Errors
/// [`EngineError`] for a register that the design does not have, more flips than [`LaneCount::L512`] has lanes, and a design of several clocks.
pub fn run_with_flips(
    design: &Design,
    geometry: &RecyclingGeometry,
    workload: &Workload,
    flips: &[Option<(&RegisterBit, u64)>],
) -> Result<Vec<Run>, EngineError> {
    let count = match flips.len() {
        0..=64 => LaneCount::L64,
        65..=128 => LaneCount::L128,
        129..=256 => LaneCount::L256,
        _ => LaneCount::L512,
    };
    let mut lanes = design.open_lanes(count, Initial::Zeros)?;
    let (words_in, words_out) = (design.input_words(), design.output_words());
    let mut sessions: Vec<Session<'_>> = flips
        .iter()
        .map(|flip| workload.begin(flip.map(|(_, clock)| clock)))
        .collect();
    let mut due: Vec<(u64, usize)> = flips
        .iter()
        .enumerate()
        .filter_map(|(lane, flip)| Some(((*flip)?.1, lane)))
        .collect();
    // the next one last
    due.sort_unstable_by(|a, b| b.cmp(a));
    let mut inputs = vec![vec![0; count.lanes()]; words_in];
    let mut set = inputs.clone();
    let mut packed = vec![0; words_in];
    let mut outputs = vec![vec![0; count.lanes()]; words_out];
    let mut out = vec![0; words_out];
    let mut running = vec![true; flips.len()];
    for word in 0..words_in {
        lanes.set_input_everywhere(word, 0)?;
    }
    for clock in 0.. {
        let mut any = false;
        for (lane, session) in sessions.iter_mut().enumerate() {
            if let Some(values) = running[lane].then(|| session.inputs()).flatten() {
                any = true;
                packed.fill(0);
                values.pack(geometry.key_bits(), &mut packed);
                for (inputs, value) in inputs.iter_mut().zip(&packed) {
                    inputs[lane] = *value;
                }
            } else {
                running[lane] = false;
            }
        }
        if !any {
            break;
        }
        while let Some((_, lane)) = due.pop_if(|(at, _)| *at == clock) {
            if let Some((flip, _)) = flips[lane] {
                let mut mask = vec![0; count.lanes() / 64];
                mask[lane / 64] = 1 << (lane % 64);
                let path = format!("{}.{}", design.top(), flip.register);
                lanes.flip(&path, flip.bit, &mask)?;
            }
        }
        for (word, (inputs, set)) in inputs.iter().zip(&mut set).enumerate() {
            if inputs != set {
                lanes.set_input(word, inputs)?;
                set.copy_from_slice(inputs);
            }
        }
        lanes.clock();
        for (word, outputs) in outputs.iter_mut().enumerate() {
            lanes.output(word, outputs)?;
        }
        for (lane, session) in sessions.iter_mut().enumerate() {
            if running[lane] {
                for (out, outputs) in out.iter_mut().zip(&outputs) {
                    *out = outputs[lane];
                }
                session.take(&out);
            }
        }
    }
    Ok(sessions.into_iter().map(Session::finish).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_are_grouped_by_their_block() {
        for (register, group) in [
            ("bank_3.collision.word", RegisterGroup::Pipeline),
            ("bank_3.coverage.left", RegisterGroup::Epochs),
            ("verdicts.credit_r", RegisterGroup::Verdicts),
            ("registers.counters.low_6", RegisterGroup::Counters),
            ("registers.bready", RegisterGroup::Host),
        ] {
            assert_eq!(RegisterGroup::of(register), group, "{register}");
        }
    }
}
