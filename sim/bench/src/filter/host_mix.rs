//! Probabilities of a host's actions in a constrained-random run.

/// What the host of a torture run does.
#[derive(Debug, Clone, PartialEq)]
pub struct HostMix {
    /// Weights of what it does next, in the order of [`HostMix::ACTS`].
    pub acts: [u32; HostMix::ACTS.len()],
    /// Share of what it does that waits until the line was silent for a while.
    pub waits: f64,
    /// Its bits are longer than the card's by this share (UART).
    pub off: f64,
    /// Probability a clock that it takes an answer (AXI4-Lite).
    pub ready: f64,
    /// Probability a clock that it begins an access (AXI4-Lite).
    pub begins: f64,
}

impl HostMix {
    /// What a host over a UART does, by place of its weight.
    pub const ACTS: [&'static str; 9] = [
        "items",
        "registers",
        "mailbox",
        "broken commands",
        "noise",
        "glitches and breaks",
        "silence",
        "long bursts and floods",
        "words of the array",
    ];
}
