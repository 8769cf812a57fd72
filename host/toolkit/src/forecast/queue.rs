//! Throughput and latency as the verdict queue limits them.

use super::line::{exact, Line};
use bloomline_spec::PipelineTiming;

/// Latency without back-pressure; `stages` is how the clocks to the decision are called.
pub fn latency(timing: &PipelineTiming, stages: &str) -> Line {
    let formula = match timing.verdict_queue_depth {
        0 => format!("{stages} + 1, from acceptance to verdict; there is no queue behind"),
        _ => format!(
            "{stages} + {}, from acceptance to verdict without back-pressure",
            timing.verdict_clocks
        ),
    };
    exact(
        "latency_clocks",
        timing.latency_clocks().into(),
        "clocks",
        &formula,
    )
}

/// The share of the full rate that the queue leaves, where it leaves less than all.
pub fn lines(timing: &PipelineTiming) -> Option<Line> {
    let rate = timing.queue_rate();
    (rate < 1.0).then(|| {
        exact(
            "verdict_queue_rate",
            rate,
            "",
            &format!(
                "features.verdict_queue / (front_clocks + decision_stage + {}), of the items a clock: so many are accepted in a row, and the first place \
                 is free again so many clocks later (hdl/docs/pipeline.md, \"A verdict queue of another depth\")",
                timing.verdict_clocks + 6
            ),
        )
    })
}

/// What a queue that is too small costs.
pub fn warning(timing: &PipelineTiming) -> Option<String> {
    let rate = timing.queue_rate();
    (rate < 1.0).then(|| {
        format!(
            "features.verdict_queue = {} is less than the verdicts that are on their way at the full rate: a stream of items that want a verdict goes \
             through at {:.1} % of it, every verdict right; {} places leave all of it",
            timing.verdict_queue_depth,
            100.0 * rate,
            timing.full_rate_queue_depth()
        )
    })
}
