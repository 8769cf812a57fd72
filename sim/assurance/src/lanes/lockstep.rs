//! Lockstep of every lane with a reference of its own.

use super::compare::{first_port, widths};
use super::LanesError;
use bloomline_bench::lockstep::{Reference, Stimulus};
use bloomline_bench::verilator::Design;
use bloomline_engine::Lanes;

/// Runs lane `i` with the reference and stimulus `sides[i]`, until every stimulus has ended; lanes beyond them stand idle. All words of all
/// inputs are each lane's own. `observe` is called after each clock of a lane that matched, with the lane, the clock and its reference, before that
/// takes the inputs. Returns the clocks of all lanes together.
///
/// # Errors
/// [`LanesError::Differs`] at the first clock in which a lane differs from its reference, [`LanesError::Engine`] for more sides than lanes.
pub fn lockstep<R: Reference, S: Stimulus>(
    design: &Design,
    lanes: &mut Lanes,
    sides: &mut [(R, S)],
    mut observe: impl FnMut(usize, u64, &R),
) -> Result<u64, LanesError> {
    let (input_words, output_words) = (design.input_words(), design.output_words());
    let count = lanes.lanes();
    if sides.len() > count {
        return Err(LanesError::TooMany {
            runs: sides.len(),
            lanes: count,
        });
    }
    let wide = widths(design);
    let mut inputs = vec![vec![0; count]; input_words];
    let mut set: Vec<Option<Vec<u64>>> = vec![None; input_words];
    let mut outputs = vec![vec![0; count]; output_words];
    let mut of_lane = vec![0; input_words];
    let (mut expected, mut care) = (
        vec![vec![0; output_words]; sides.len()],
        vec![vec![0; output_words]; sides.len()],
    );
    let mut running = vec![true; sides.len()];
    let mut clocks = 0;
    for clock in 0.. {
        for (lane, (reference, stimulus)) in sides.iter_mut().enumerate() {
            expected[lane].fill(0);
            care[lane].fill(0);
            of_lane.fill(0);
            running[lane] = running[lane] && {
                reference.outputs(&mut expected[lane], &mut care[lane]);
                stimulus.next(&expected[lane], &mut of_lane)
            };
            for (inputs, value) in inputs.iter_mut().zip(&of_lane) {
                inputs[lane] = *value;
            }
        }
        if running.iter().all(|running| !running) {
            break;
        }
        for (word, inputs) in inputs.iter().enumerate() {
            if set[word].as_ref() != Some(inputs) {
                lanes.set_input(word, inputs)?;
                set[word] = Some(inputs.clone());
            }
        }
        lanes.clock();
        for (word, outputs) in outputs.iter_mut().enumerate() {
            lanes.output(word, outputs)?;
        }
        for (lane, (reference, _)) in sides.iter_mut().enumerate() {
            if !running[lane] {
                continue;
            }
            let differs = |word: usize| {
                (outputs[word][lane] ^ expected[lane][word]) & care[lane][word] & wide[word] != 0
            };
            if (0..output_words).any(differs) {
                let port = first_port(design, differs);
                return Err(LanesError::Differs {
                    top: design.top.clone(),
                    lane,
                    clock,
                    port,
                });
            }
            observe(lane, clock, reference);
            for (value, inputs) in of_lane.iter_mut().zip(&inputs) {
                *value = inputs[lane];
            }
            reference.clock(&of_lane);
            clocks += 1;
        }
    }
    Ok(clocks)
}
