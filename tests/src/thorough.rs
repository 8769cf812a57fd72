//! Torture of every kind in turn, for tests that ask what it reaches.

use bloomline_bench::filter::{Act, TortureMix};
use bloomline_spec::RecyclingGeometry;

/// A mix of another kind for every seed; every third run is heavy on registers, every third lets the half fill up, at full rate
/// or held up by its reader.
pub fn thorough_mix(geometry: &RecyclingGeometry, seed: u64, clocks: u64) -> TortureMix {
    let mut mix = TortureMix::draw(geometry, seed, clocks);
    let span = geometry.half_bits() as u32;
    match seed % 3 {
        1 => {
            (mix.write, mix.read) = (0.03, 0.1);
            let patterns = [0x5555_5555, 0xaaaa_aaaa, 0x1248_1248, u32::MAX, 0];
            mix.thresholds = patterns.map(|bits| bits % (span + 1)).to_vec();
            // in the end those whose room is 16 to 31: the decision loop counts sixteens apart
            mix.thresholds.extend([0, 1, span - 1, span, 20, 24, 33]);
            mix.ages = [patterns.as_slice(), &[1, 2, 20]].concat();
        }
        2 => {
            (mix.write, mix.reset, mix.idle, mix.hold_verdict) = (0.0, 0.0, 0.0, 0.0);
            (mix.keys, mix.repeat) = (u64::MAX, 0.0);
            mix.script = vec![Act::opening(span)];
            // one of two with a reader that is slower than the filter
            if seed % 2 == 1 {
                let interval = f64::from(geometry.timing().initiation_interval);
                mix.hold_verdict = 1.0 - 0.2 / interval;
            }
        }
        _ => {}
    }
    mix
}
