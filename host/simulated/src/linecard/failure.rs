//! Failures of a line card's run, with the lane.

use bloomline_bench::path::Problem;
use bloomline_spec::LANES;

/// What was wrong, and in which lane if in one.
pub(super) type Wrong = (Option<usize>, Problem);

/// The pins to the PHYs, for messages.
pub(super) const PORTS_OUT: [&str; LANES] = ["rgmii_0_tx", "rgmii_1_tx"];

/// A rule of a pin's protocol that was broken.
pub(super) fn protocol(
    lane: Option<usize>,
    port: &'static str,
    rule: &'static str,
    got: String,
) -> Wrong {
    (lane, Problem::Protocol { port, rule, got })
}
