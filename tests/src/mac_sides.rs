//! The MAC's blocks of one clock side by side: their emitted Verilog as one design, their models as the reference.

use crate::faults::{module_with_fault, Fault};
use bloomline_bench::lockstep::Reference;
use bloomline_bench::verilator::{Design, Port};
use bloomline_hdl::mac::mac_loop_verilog;
use bloomline_model::mac::{
    Beat, FrameEnd, FrameGateModel, Gmii, MacReceiverModel, MacTransmitterModel,
    TransmitBufferModel,
};
use std::ops::Range;

/// Inputs of one clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MacInputs {
    /// Of all four blocks.
    pub reset: bool,
    /// To the receiver; the gate has what the receiver gives.
    pub line: Gmii,
    /// The gate's FIFO is full.
    pub full: bool,
    /// To the buffer.
    pub buffer: Option<Beat>,
    /// The buffer's reader is ready.
    pub buffer_ready: bool,
    /// To the transmitter.
    pub transmit: Option<Beat>,
}

/// A block in the design: module, its inputs with what drives them, its outputs with their widths.
struct Block {
    module: &'static str,
    inputs: &'static [(&'static str, &'static str)],
    outputs: &'static [(&'static str, usize)],
}

const INPUTS: [(&str, usize); 14] = [
    ("reset", 1),
    ("gmii_data", 8),
    ("gmii_valid", 1),
    ("gmii_error", 1),
    ("full", 1),
    ("b_tvalid", 1),
    ("b_tdata", 8),
    ("b_tlast", 1),
    ("b_tuser", 1),
    ("b_tready", 1),
    ("t_tvalid", 1),
    ("t_tdata", 8),
    ("t_tlast", 1),
    ("t_tuser", 1),
];

const BLOCKS: [Block; 4] = [
    Block {
        module: "mac_receiver",
        inputs: &[
            ("gmii_data", "gmii_data"),
            ("gmii_valid", "gmii_valid"),
            ("gmii_error", "gmii_error"),
        ],
        outputs: &[
            ("m_tvalid", 1),
            ("m_tdata", 8),
            ("m_tlast", 1),
            ("m_tuser", 1),
            ("frame_good", 1),
            ("frame_bad_fcs", 1),
            ("frame_runt", 1),
            ("frame_error", 1),
        ],
    },
    Block {
        module: "frame_gate",
        inputs: &[
            ("s_tvalid", "mac_receiver_m_tvalid"),
            ("s_tdata", "mac_receiver_m_tdata"),
            ("s_tlast", "mac_receiver_m_tlast"),
            ("s_tuser", "mac_receiver_m_tuser"),
            ("full", "full"),
        ],
        outputs: &[("write", 1), ("word", 10), ("overflow", 1)],
    },
    Block {
        module: "transmit_buffer",
        inputs: &[
            ("s_tvalid", "b_tvalid"),
            ("s_tdata", "b_tdata"),
            ("s_tlast", "b_tlast"),
            ("s_tuser", "b_tuser"),
            ("m_tready", "b_tready"),
        ],
        outputs: &[
            ("s_tready", 1),
            ("m_tvalid", 1),
            ("m_tdata", 8),
            ("m_tlast", 1),
            ("m_tuser", 1),
        ],
    },
    Block {
        module: "mac_transmitter",
        inputs: &[
            ("s_tvalid", "t_tvalid"),
            ("s_tdata", "t_tdata"),
            ("s_tlast", "t_tlast"),
            ("s_tuser", "t_tuser"),
        ],
        outputs: &[
            ("s_tready", 1),
            ("gmii_data", 8),
            ("gmii_valid", 1),
            ("gmii_error", 1),
            ("frame_sent", 1),
            ("frame_broken", 1),
            ("underrun", 1),
        ],
    },
];

/// Place of the buffer's `s_tready` among the outputs.
const BUFFER_READY: usize = 11;
/// Place of the transmitter's.
const TRANSMIT_READY: usize = 16;
/// Words of the outputs, one a port.
const OUTPUT_WORDS: usize = 23;

impl Block {
    fn instance(&self, module: &str) -> String {
        let inputs = self.inputs.iter().map(|(port, driver)| (*port, *driver));
        let mut pins: Vec<String> = [("clock", "clock"), ("reset", "reset")]
            .into_iter()
            .chain(inputs)
            .map(|(port, driver)| format!(".{port}({driver})"))
            .collect();
        pins.extend(
            self.outputs
                .iter()
                .map(|(port, _)| format!(".{port}({module}_{port})")),
        );
        format!("  {module} {module}_i ({});\n", pins.join(", "))
    }

    fn ports(&self, module: &str) -> impl Iterator<Item = Port> {
        let module = module.to_owned();
        self.outputs
            .iter()
            .map(move |(port, width)| Port::output(format!("{module}_{port}"), *width))
    }
}

/// The design `mac_sides`; behind the outputs of the blocks those of their faulty twins, which have the same inputs. With it, for each fault
/// the words of its block and of the twin.
///
/// # Panics
/// When a fault is in no block, or its text not just once in it.
pub fn mac_sides(faults: &[Fault]) -> (Design, Vec<[Range<usize>; 2]>) {
    let mut text = mac_loop_verilog("").expect("can be printed").text();
    let emitted = text.clone();
    let mut ports: Vec<Port> = INPUTS
        .iter()
        .map(|(name, width)| Port::input(*name, *width))
        .collect();
    let mut instances = String::new();
    let mut places = Vec::new();
    let mut words = 0;
    for block in &BLOCKS {
        instances += &block.instance(block.module);
        ports.extend(block.ports(block.module));
        places.push(words..words + block.outputs.len());
        words += block.outputs.len();
    }
    assert_eq!(words, OUTPUT_WORDS);
    let mut twins = Vec::new();
    for (i, fault) in faults.iter().enumerate() {
        let at = BLOCKS.iter().position(|block| block.module == fault.module);
        let at = at.unwrap_or_else(|| panic!("{}: no block {}", fault.name, fault.module));
        let block = &BLOCKS[at];
        let twin = format!("{}_twin_{i}", block.module);
        text += &module_with_fault(&emitted, fault, &twin);
        instances += &block.instance(&twin);
        ports.extend(block.ports(&twin));
        twins.push([places[at].clone(), words..words + block.outputs.len()]);
        words += block.outputs.len();
    }
    let declared: Vec<String> = ports
        .iter()
        .map(|port| {
            let range = match port.width {
                1 => String::new(),
                width => format!("[{}:0] ", width - 1),
            };
            format!("{} wire {range}{}", port.direction, port.name)
        })
        .collect();
    let top = format!(
        "module mac_sides (input wire clock, {});\n{instances}endmodule\n",
        declared.join(", ")
    );
    let design = Design {
        top: "mac_sides".into(),
        clock: Some("clock".into()),
        sources: vec![("mac_sides.v".into(), text + &top)],
        ports,
    };
    (design, twins)
}

fn beat_of(words: &[u64]) -> Option<Beat> {
    (words[0] != 0).then(|| Beat {
        data: words[1] as u8,
        last: words[2] != 0,
        user: words[3] != 0,
    })
}

fn words_of(beat: Option<Beat>) -> [u64; 4] {
    let shown = beat.unwrap_or_default();
    [
        beat.is_some().into(),
        shown.data.into(),
        shown.last.into(),
        shown.user.into(),
    ]
}

impl MacInputs {
    /// Writes them into the design's input buffer.
    pub fn pack(&self, words: &mut [u64]) {
        words[0] = self.reset.into();
        words[1] = self.line.data.into();
        words[2] = self.line.valid.into();
        words[3] = self.line.error.into();
        words[4] = self.full.into();
        words[5..9].copy_from_slice(&words_of(self.buffer));
        words[9] = self.buffer_ready.into();
        words[10..14].copy_from_slice(&words_of(self.transmit));
    }

    fn unpack(words: &[u64]) -> Self {
        Self {
            reset: words[0] != 0,
            line: Gmii {
                data: words[1] as u8,
                valid: words[2] != 0,
                error: words[3] != 0,
            },
            full: words[4] != 0,
            buffer: beat_of(&words[5..9]),
            buffer_ready: words[9] != 0,
            transmit: beat_of(&words[10..14]),
        }
    }
}

/// Whether the predicted outputs say that the buffer and the transmitter take a beat.
pub fn mac_ready(predicted: &[u64]) -> [bool; 2] {
    [BUFFER_READY, TRANSMIT_READY].map(|place| predicted[place] != 0)
}

/// Whether the predicted outputs show a beat of the receiver's, and a frame's last.
pub fn mac_beat(predicted: &[u64]) -> [bool; 2] {
    [predicted[0] != 0, predicted[0] != 0 && predicted[2] != 0]
}

/// The models of the four blocks.
#[derive(Debug, Clone, Default)]
pub struct MacReference {
    /// Receiver.
    pub receiver: MacReceiverModel,
    /// Gate behind it.
    pub gate: FrameGateModel,
    /// Buffer.
    pub buffer: TransmitBufferModel,
    /// Transmitter.
    pub transmitter: MacTransmitterModel,
}

impl Reference for MacReference {
    fn outputs(&mut self, outputs: &mut [u64], care: &mut [u64]) {
        care[..OUTPUT_WORDS].fill(u64::MAX);
        let beat = self.receiver.beat();
        outputs[..4].copy_from_slice(&words_of(beat));
        let ends = beat.is_some_and(|beat| beat.last);
        care[1..4].copy_from_slice(&[beat.is_some(), beat.is_some(), ends].map(mask));
        let end = self.receiver.end();
        let told = [
            FrameEnd::Good,
            FrameEnd::BadFcs,
            FrameEnd::Runt,
            FrameEnd::Error,
        ];
        for (word, event) in outputs[4..8].iter_mut().zip(told) {
            *word = (end == Some(event)).into();
        }
        let write = self.gate.write(beat);
        let [valid, data, last, user] = words_of(write);
        (outputs[8], outputs[9]) = (valid, user << 9 | last << 8 | data);
        care[9] = mask(write.is_some());
        outputs[10] = self.gate.overflow().into();
        outputs[BUFFER_READY] = self.buffer.ready().into();
        let offered = self.buffer.offered();
        outputs[12..16].copy_from_slice(&words_of(offered));
        care[13..16].fill(mask(offered.is_some()));
        let shown = self.transmitter.outputs();
        outputs[TRANSMIT_READY..OUTPUT_WORDS].copy_from_slice(&[
            self.transmitter.ready().into(),
            shown.gmii.data.into(),
            shown.gmii.valid.into(),
            shown.gmii.error.into(),
            shown.sent.into(),
            shown.broken.into(),
            shown.underrun.into(),
        ]);
    }

    fn clock(&mut self, inputs: &[u64]) {
        let inputs = MacInputs::unpack(inputs);
        let beat = self.receiver.beat();
        self.gate.clock(inputs.reset, beat, inputs.full);
        self.receiver.clock(inputs.reset, inputs.line);
        self.buffer
            .clock(inputs.reset, inputs.buffer, inputs.buffer_ready);
        self.transmitter.clock(inputs.reset, inputs.transmit);
    }
}

fn mask(care: bool) -> u64 {
    if care {
        u64::MAX
    } else {
        0
    }
}
