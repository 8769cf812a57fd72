//! Lockstep loop: steps device and reference together and compares their outputs.

use super::{Device, LockstepError, Reference, Stimulus, Waveform};
use crate::verilator::{Design, Port};
use std::time::{Duration, Instant};

/// Bounds of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// A run that reaches this many clocks is an error: a stimulus that waits for a `ready` that never comes would not end.
    pub max_clocks: u64,
}

impl Default for Limits {
    /// A thousand million clocks, about a quarter of an hour.
    fn default() -> Self {
        Self {
            max_clocks: 1_000_000_000,
        }
    }
}

/// A run without a mismatch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// Clocks run.
    pub clocks: u64,
    /// Time they took.
    pub elapsed: Duration,
}

impl Outcome {
    /// Clocks a second.
    pub fn clocks_per_second(&self) -> f64 {
        self.clocks as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

/// What an observer sees of a clock that matched.
#[derive(Debug)]
pub struct Clock<'a, R> {
    /// The clock, from 0.
    pub cycle: u64,
    /// Its inputs.
    pub inputs: &'a [u64],
    /// The device's outputs.
    pub outputs: &'a [u64],
    /// The reference in the state of this clock, before it takes the inputs.
    pub reference: &'a R,
}

/// Runs `device` against `reference` until `stimulus` ends. `observe` is called after each clock that matched; `seed` is only
/// reported. `design` gives the layout of the buffers and the names for the report.
///
/// The loop compares whole words under the care mask and allocates nothing.
///
/// # Errors
/// [`LockstepError::Mismatch`] at the first clock that differs, [`LockstepError::Device`] when the device fails,
/// [`LockstepError::TooLong`] beyond `limits`; none of them with a waveform.
pub fn compare<D: Device, R: Reference, S: Stimulus>(
    design: &Design,
    device: &mut D,
    reference: &mut R,
    stimulus: &mut S,
    seed: u64,
    limits: Limits,
    mut observe: impl FnMut(&Clock<'_, R>),
) -> Result<Outcome, LockstepError> {
    let mut inputs = vec![0; design.input_words()];
    let output_words = design.output_words();
    let (mut expected, mut care, mut got) = (
        vec![0; output_words],
        vec![0; output_words],
        vec![0; output_words],
    );
    let start = Instant::now();
    let mut cycle = 0;
    loop {
        expected.fill(0);
        care.fill(0);
        inputs.fill(0);
        reference.outputs(&mut expected, &mut care);
        if !stimulus.next(&expected, &mut inputs) {
            return Ok(Outcome {
                clocks: cycle,
                elapsed: start.elapsed(),
            });
        }
        if cycle >= limits.max_clocks {
            return Err(LockstepError::TooLong {
                clocks: cycle,
                seed,
            });
        }
        if let Err(source) = device.step(&inputs, &mut got) {
            return Err(LockstepError::Device {
                cycle,
                seed,
                source,
                waveform: Waveform::None,
            });
        }
        let difference = expected
            .iter()
            .zip(&got)
            .zip(&care)
            .fold(0, |all, ((e, g), c)| all | ((e ^ g) & c));
        if difference != 0 {
            return Err(mismatch(design, cycle, seed, &expected, &care, &got));
        }
        observe(&Clock {
            cycle,
            inputs: &inputs,
            outputs: &got,
            reference,
        });
        reference.clock(&inputs);
        cycle += 1;
    }
}

#[cold]
pub(crate) fn mismatch(
    design: &Design,
    cycle: u64,
    seed: u64,
    expected: &[u64],
    care: &[u64],
    got: &[u64],
) -> LockstepError {
    let differs = |(port, at): &(&Port, usize)| {
        (*at..at + port.words()).any(|word| (expected[word] ^ got[word]) & care[word] != 0)
    };
    // Only bits outside every port could differ in no port, and a device leaves them zero.
    let (name, bits, at, words) = match design.outputs().find(differs) {
        Some((port, at)) => (port.name.clone(), port.width, at, port.words()),
        None => (
            "(bits above a port's width)".to_string(),
            64 * expected.len(),
            0,
            expected.len(),
        ),
    };
    let range = at..at + words;
    LockstepError::Mismatch {
        cycle,
        port: name,
        expected: hexadecimal(&expected[range.clone()], &care[range.clone()], bits),
        got: hexadecimal(&got[range], &vec![u64::MAX; words], bits),
        seed,
        waveform: Waveform::None,
    }
}

/// The low `bits` bits as hexadecimal digits, most significant first; a digit with a bit outside `care` is `-`.
fn hexadecimal(words: &[u64], care: &[u64], bits: usize) -> String {
    let digits = bits.div_ceil(4);
    let digit = |index: usize| {
        let nibble = |buffer: &[u64]| (buffer[index / 16] >> (4 * (index % 16))) as u32 & 0xf;
        let wanted = (1_u32 << (bits - 4 * index).min(4)) - 1;
        if nibble(care) & wanted == wanted {
            char::from_digit(nibble(words), 16).unwrap_or('?')
        } else {
            '-'
        }
    };
    "0x".chars().chain((0..digits).rev().map(digit)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_shows_width_and_cared_digits() {
        assert_eq!(hexadecimal(&[0x1a2], &[0x1ff], 9), "0x1a2");
        assert_eq!(hexadecimal(&[0x1a2], &[0x0ff], 9), "0x-a2");
        assert_eq!(
            hexadecimal(&[0xf, 0x3], &[u64::MAX, 3], 66),
            "0x3000000000000000f"
        );
        assert_eq!(hexadecimal(&[1], &[1], 1), "0x1");
    }
}
