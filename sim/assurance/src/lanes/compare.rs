//! Lockstep of all lanes with one reference.

use crate::faults::FaultError;
use bloomline_bench::lockstep::{Reference, Stimulus};
use bloomline_bench::verilator::{Design, Port};
use bloomline_engine::{EngineError, Lanes};

/// The first clock in which a lane differs from the reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The clock, from 0.
    pub clock: u64,
    /// The first port that differs in it, in the order of the design's ports.
    pub port: String,
}

/// Why lanes could not be compared with their reference.
#[derive(Debug, thiserror::Error)]
pub enum LanesError {
    /// Lane 0, the unchanged design, differs from the reference, so differences of other lanes say nothing.
    #[error(
        "seed {seed}: {top} differs from its reference without any change, in clock {clock} at port {port}; \
         run the same seed in lockstep and mend the design, the model or the stimulus first"
    )]
    Unchanged {
        /// Top module.
        top: String,
        /// Seed of the run.
        seed: u64,
        /// The clock, from 0.
        clock: u64,
        /// The port.
        port: String,
    },
    /// A lane differs from the reference of its own.
    #[error(
        "{top}, lane {lane}: differs from its reference in clock {clock} at port {port}; run the seed of this lane in lockstep for a waveform"
    )]
    Differs {
        /// Top module.
        top: String,
        /// The lane, from 0.
        lane: usize,
        /// The clock, from 0.
        clock: u64,
        /// The first port that differs.
        port: String,
    },
    /// There are not as many lanes as runs.
    #[error("{runs} runs do not fit into {lanes} lanes; open more lanes or give fewer runs")]
    TooMany {
        /// Runs.
        runs: usize,
        /// Lanes.
        lanes: usize,
    },
    /// A fault cannot be put into the text.
    #[error(transparent)]
    Fault(#[from] FaultError),
    /// The text has no signal that puts a change in force.
    #[error("{top} has no signal {site}; declare it as a wire that is 0")]
    NoSite {
        /// Top module.
        top: String,
        /// The signal.
        site: String,
    },
    /// The built-in simulator does not read or run the text.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// Runs every lane with the inputs of one run until the stimulus ends, or until each lane in `watched` (lane `l` is bit `l % 64` of
/// word `l / 64`) has differed from the reference. Returns the first difference of each lane; lanes that are not watched have none.
///
/// `design` gives the layout of inputs and outputs; inputs that the lanes have beyond it stay as they were set. `before` is called
/// ahead of each clock with its number and the lanes, and may flip bits.
///
/// # Errors
/// [`LanesError::Unchanged`] when lane 0 differs.
pub fn first_differences<R: Reference, S: Stimulus>(
    design: &Design,
    lanes: &mut Lanes,
    watched: &[u64],
    reference: &mut R,
    stimulus: &mut S,
    seed: u64,
    mut before: impl FnMut(u64, &mut Lanes) -> Result<(), EngineError>,
) -> Result<Vec<Option<Difference>>, LanesError> {
    let (input_words, output_words) = (design.input_words(), design.output_words());
    let (mut inputs, mut set) = (vec![0; input_words], vec![0; input_words]);
    let (mut expected, mut care) = (vec![0; output_words], vec![0; output_words]);
    let mut found = vec![None; lanes.lanes()];
    let mut left = watched.to_vec();
    // lane 0 is always compared
    left[0] |= 1;
    for (word, value) in set.iter().enumerate() {
        lanes.set_input_everywhere(word, *value)?;
    }
    let wide = widths(design);
    let mut differing = vec![0; left.len()];
    for clock in 0.. {
        expected.fill(0);
        care.fill(0);
        inputs.fill(0);
        reference.outputs(&mut expected, &mut care);
        if !stimulus.next(&expected, &mut inputs) {
            break;
        }
        before(clock, lanes)?;
        for (word, (new, old)) in inputs.iter().zip(&mut set).enumerate() {
            if new != old {
                lanes.set_input_everywhere(word, *new)?;
                *old = *new;
            }
        }
        lanes.clock();
        differing.fill(0);
        for (care, wide) in care.iter_mut().zip(&wide) {
            *care &= wide;
        }
        for (word, (expected, care)) in expected.iter().zip(&care).enumerate() {
            let mut bits = *care;
            while bits != 0 {
                let bit = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let wanted = 0u64.wrapping_sub(expected >> bit & 1);
                let plane = lanes.output_bit(word, bit)?;
                for (differing, plane) in differing.iter_mut().zip(plane) {
                    *differing |= plane ^ wanted;
                }
            }
        }
        let mut any = false;
        for (differing, left) in differing.iter_mut().zip(&left) {
            *differing &= left;
            any |= *differing != 0;
        }
        if any {
            for (lane, found) in found.iter_mut().enumerate() {
                if differing[lane / 64] >> (lane % 64) & 1 == 0 {
                    continue;
                }
                let port = port_of(design, lanes, lane, &expected, &care)?;
                if lane == 0 {
                    return Err(LanesError::Unchanged {
                        top: design.top.clone(),
                        seed,
                        clock,
                        port,
                    });
                }
                *found = Some(Difference { clock, port });
            }
            for (left, differing) in left.iter_mut().zip(&differing) {
                *left &= !differing;
            }
            if left[0] == 1 && left[1..].iter().all(|left| *left == 0) {
                break;
            }
        }
        reference.clock(&inputs);
    }
    Ok(found)
}

/// The first port in which a lane differs in the last clock.
fn port_of(
    design: &Design,
    lanes: &Lanes,
    lane: usize,
    expected: &[u64],
    care: &[u64],
) -> Result<String, EngineError> {
    let mut wrong = vec![false; expected.len()];
    for (word, (expected, care)) in expected.iter().zip(care).enumerate() {
        for bit in (0..64).filter(|bit| *care >> bit & 1 == 1) {
            let plane = lanes.output_bit(word, bit)?;
            wrong[word] |= (plane[lane / 64] >> (lane % 64) ^ *expected >> bit) & 1 != 0;
        }
    }
    Ok(first_port(design, |word| wrong[word]))
}

/// The first port with a word that differs.
pub(super) fn first_port(design: &Design, differs: impl Fn(usize) -> bool) -> String {
    let mut outputs = design.outputs();
    let found = outputs.find(|(port, at)| (*at..at + port.words()).any(&differs));
    found.map_or(String::new(), |(port, _)| port.name.clone())
}

/// The bits that each word of the outputs has.
pub(super) fn widths(design: &Design) -> Vec<u64> {
    let words = |(port, _): (&Port, usize)| {
        let width = port.width;
        (0..port.words()).map(move |word| u64::MAX >> (64 - (width - 64 * word).min(64)))
    };
    design.outputs().flat_map(words).collect()
}
