//! Chooses the dividers of a PLL.
//!
//! The PLL of an ECP5 (EHXPLLL) with its feedback taken from the output that is used, and that of a Gowin part (rPLL) with its internal
//! feedback:
//!
//! ```text
//! input --/input_divider--> phase detector --> VCO --/output_divider--+--> output
//!                             ^                                       |
//!                             +------------/feedback_divider----------+
//! ```
//!
//! so output = input * feedback / input_divider, and VCO = output * output_divider.

use serde::Deserialize;

/// What a PLL can do; every pair is the least and the most, in hertz.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PllLimits {
    /// Input.
    pub input_hz: [u64; 2],
    /// Phase detector: the input after its divider.
    pub phase_detector_hz: [u64; 2],
    /// Oscillator of the PLL.
    pub vco_hz: [u64; 2],
    /// Output.
    pub output_hz: [u64; 2],
    /// Greatest value of each of the three dividers; the least is 1.
    pub divider_max: u64,
    /// Values of the output divider where it takes only some; empty where it takes every one up to `divider_max`.
    #[serde(default)]
    pub output_dividers: Vec<u64>,
}

/// Dividers that make a clock exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PllSetting {
    /// `CLKI_DIV`, or `IDIV_SEL` + 1.
    pub input_divider: u64,
    /// `CLKFB_DIV`, or `FBDIV_SEL` + 1.
    pub feedback_divider: u64,
    /// `CLKOP_DIV`, or `ODIV_SEL`.
    pub output_divider: u64,
    /// Frequency of the PLL's oscillator in hertz.
    pub vco_hz: u64,
}

/// That a clock cannot be made, and the nearest slower and faster clocks of whole hertz that can.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfReach {
    /// The greatest that is less.
    pub below_hz: Option<u64>,
    /// The least that is greater.
    pub above_hz: Option<u64>,
}

impl PllLimits {
    /// The dividers that make `output_hz` from `input_hz` exactly: of all that do, those with the fastest phase detector, then
    /// with the VCO nearest to the middle of its range.
    ///
    /// # Errors
    /// [`OutOfReach`] when none do.
    pub fn settle(&self, input_hz: u64, output_hz: u64) -> Result<PllSetting, OutOfReach> {
        self.input_dividers(input_hz)
            .filter_map(|input_divider| {
                let scaled = output_hz.checked_mul(input_divider)?;
                let feedback_divider = scaled / input_hz;
                let exact = feedback_divider * input_hz == scaled;
                let in_range = (1..=self.divider_max).contains(&feedback_divider);
                (exact && in_range).then_some((input_divider, feedback_divider))
            })
            .find_map(|(input_divider, feedback_divider)| {
                let (output_divider, vco_hz) = self.output_divider(output_hz)?;
                Some(PllSetting {
                    input_divider,
                    feedback_divider,
                    output_divider,
                    vco_hz,
                })
            })
            .ok_or_else(|| self.nearest(input_hz, output_hz))
    }

    /// Every clock of whole hertz that can be made from `input_hz`, in no order, some more than once.
    pub fn reachable(&self, input_hz: u64) -> impl Iterator<Item = u64> + '_ {
        self.input_dividers(input_hz)
            .flat_map(move |input_divider| {
                (1..=self.divider_max).filter_map(move |feedback_divider| {
                    let scaled = input_hz.checked_mul(feedback_divider)?;
                    (scaled % input_divider == 0).then_some(scaled / input_divider)
                })
            })
            .filter(|&output_hz| self.output_divider(output_hz).is_some())
    }

    /// Dividers that give the phase detector a frequency it can take, the smallest first.
    fn input_dividers(&self, input_hz: u64) -> impl Iterator<Item = u64> {
        let [least, most] = self.phase_detector_hz;
        let usable = within(input_hz, self.input_hz);
        (1..=self.divider_max).filter(move |&divider| {
            usable
                && input_hz >= least.saturating_mul(divider)
                && input_hz <= most.saturating_mul(divider)
        })
    }

    /// The output divider for an output, and the frequency of the VCO that it makes.
    fn output_divider(&self, output_hz: u64) -> Option<(u64, u64)> {
        if !within(output_hz, self.output_hz) {
            return None;
        }
        let middle = u64::midpoint(self.vco_hz[0], self.vco_hz[1]);
        let any = (1..=self.divider_max).filter(|_| self.output_dividers.is_empty());
        any.chain(self.output_dividers.iter().copied())
            .filter_map(|divider| Some((divider, output_hz.checked_mul(divider)?)))
            .filter(|&(_, vco_hz)| within(vco_hz, self.vco_hz))
            .min_by_key(|&(_, vco_hz)| vco_hz.abs_diff(middle))
    }

    fn nearest(&self, input_hz: u64, output_hz: u64) -> OutOfReach {
        let (mut below_hz, mut above_hz) = (None, None);
        for reachable in self.reachable(input_hz) {
            if reachable < output_hz {
                below_hz = below_hz.max(Some(reachable));
            } else if reachable > output_hz {
                above_hz = Some(above_hz.map_or(reachable, |least: u64| least.min(reachable)));
            }
        }
        OutOfReach { below_hz, above_hz }
    }
}

fn within(value: u64, [least, most]: [u64; 2]) -> bool {
    (least..=most).contains(&value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const MHZ: u64 = 1_000_000;

    fn limits() -> PllLimits {
        PllLimits {
            input_hz: [8 * MHZ, 400 * MHZ],
            phase_detector_hz: [10 * MHZ, 400 * MHZ],
            vco_hz: [400 * MHZ, 800 * MHZ],
            output_hz: [3_125_000, 400 * MHZ],
            divider_max: 128,
            output_dividers: Vec::new(),
        }
    }

    #[test]
    fn an_output_divider_is_one_of_those_there_are() {
        let limits = PllLimits {
            output_dividers: vec![2, 4, 8],
            divider_max: 64,
            ..limits()
        };
        // 75 * 8 = 600 is the middle of the range; 150 * 4 likewise, and 300 * 2
        for (output, divider) in [(75, 8), (150, 4), (300, 2)] {
            let setting = limits
                .settle(25 * MHZ, output * MHZ)
                .expect("it can be made");
            assert_eq!(setting.output_divider, divider, "{output}");
        }
        // 49 * 8 is below the range
        assert!(limits.settle(49 * MHZ, 49 * MHZ).is_err());
    }

    #[test]
    fn dividers_are_those_computed_by_hand() {
        // input, output in MHz; dividers of input, feedback, output; VCO in MHz
        for (input, output, dividers, vco) in [
            (100, 125, (4, 5, 5), 625), // 25 MHz at the phase detector; 500, 625 and 750 are in range
            (100, 100, (1, 1, 6), 600),
            (100, 250, (2, 5, 2), 500), // 500 and 750: 500 is nearer to 600
            (25, 100, (1, 4, 6), 600),
            (25, 125, (1, 5, 5), 625),
            (12, 48, (1, 4, 12), 576), // 576 and 624 are as near: the smaller divider
            (100, 400, (1, 4, 1), 400), // 400 and 800 are as near
            (400, 400, (1, 1, 1), 400),
            (100, 10, (10, 1, 60), 600), // no input divider above 10 leaves 10 MHz
        ] {
            let setting = limits().settle(input * MHZ, output * MHZ);
            let expected = PllSetting {
                input_divider: dividers.0,
                feedback_divider: dividers.1,
                output_divider: dividers.2,
                vco_hz: vco * MHZ,
            };
            assert_eq!(setting, Ok(expected), "{input} to {output} MHz");
        }
    }

    #[test]
    fn every_clock_said_to_be_reachable_is_made_exactly_within_the_limits() {
        let limits = limits();
        for input_hz in [
            8 * MHZ,
            10 * MHZ,
            12 * MHZ,
            25 * MHZ,
            33_333_333,
            100 * MHZ,
            400 * MHZ,
        ] {
            let clocks: BTreeSet<u64> = limits.reachable(input_hz).collect();
            assert_eq!(clocks.is_empty(), input_hz < 10 * MHZ, "{input_hz}");
            for output_hz in clocks {
                let setting = limits.settle(input_hz, output_hz).expect("reachable");
                let case = format!("{input_hz} to {output_hz}: {setting:?}");
                assert_eq!(
                    output_hz * setting.input_divider,
                    input_hz * setting.feedback_divider,
                    "{case}"
                );
                assert_eq!(setting.vco_hz, output_hz * setting.output_divider, "{case}");
                assert!((400 * MHZ..=800 * MHZ).contains(&setting.vco_hz), "{case}");
                assert!((3_125_000..=400 * MHZ).contains(&output_hz), "{case}");
                assert!(10 * MHZ * setting.input_divider <= input_hz, "{case}");
                for divider in [
                    setting.input_divider,
                    setting.feedback_divider,
                    setting.output_divider,
                ] {
                    assert!((1..=128).contains(&divider), "{case}");
                }
            }
        }
    }

    #[test]
    fn a_clock_is_refused_exactly_where_no_dividers_make_it() {
        let limits = limits();
        let input = 100;
        for output in 1..=450 {
            // every whole number of MHz, by trying all dividers
            let exists = (1..=10)
                .any(|divider| (1..=128).any(|feedback| input * feedback == output * divider))
                && (4..=400).contains(&output);
            let settled = limits.settle(input * MHZ, output * MHZ);
            assert_eq!(settled.is_ok(), exists, "{output} MHz: {settled:?}");
        }
    }

    #[test]
    fn a_refused_clock_names_its_nearest_neighbours() {
        let limits = limits();
        let refused = limits
            .settle(100 * MHZ, 123 * MHZ)
            .expect_err("not reachable");
        // 100 * 11 / 9 = 122.22 is no whole number of hertz, 100 * 6 / 5 = 120 and 125 are
        let expected = OutOfReach {
            below_hz: Some(120 * MHZ),
            above_hz: Some(125 * MHZ),
        };
        assert_eq!(refused, expected);
        let above = limits.settle(100 * MHZ, 500 * MHZ).expect_err("too fast");
        assert_eq!(above.below_hz, Some(400 * MHZ));
        assert_eq!(above.above_hz, None);
        let below = limits.settle(100 * MHZ, 1).expect_err("too slow");
        assert_eq!((below.below_hz, below.above_hz), (None, Some(10 * MHZ)));
    }

    #[test]
    fn no_number_overflows() {
        for (input, output) in [(u64::MAX, 1), (1, u64::MAX), (0, 0), (100 * MHZ, u64::MAX)] {
            assert!(limits().settle(input, output).is_err());
        }
    }
}
