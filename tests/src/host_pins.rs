//! The pins of the emitted host port; with faulty twins of its modules in it, of which an input chooses one.

use crate::faults::{module_with_fault, Fault};
use bloomline_bench::verilator::{Design, Port};
use bloomline_hdl::host_port::host_port_verilog;
use bloomline_spec::host_port::{HostAddress, HostAuth};
use std::collections::BTreeSet;

/// The card of the tests.
pub const HOST_CARD: HostAddress = HostAddress {
    mac: [0x02, 0x00, 0x5E, 0x10, 0x00, 0x01],
    ip: [10, 0, 0, 2],
    udp_port: 1234,
};
/// The secret under which it takes requests, where it asks for tags.
pub const HOST_SECRET: u128 = 0x0123_4567_89AB_CDEF_0F1E_2D3C_4B5A_6978;
/// Bits of its registers' addresses.
pub const HOST_BUS_BITS: u32 = 11;

const INPUTS: [(&str, usize); 19] = [
    ("reset", 1),
    ("s_rx_tvalid", 1),
    ("s_rx_tdata", 8),
    ("s_rx_tlast", 1),
    ("s_rx_tuser", 1),
    ("m_rx_tready", 1),
    ("s_tx_tvalid", 1),
    ("s_tx_tdata", 8),
    ("s_tx_tlast", 1),
    ("m_tx_tready", 1),
    ("awready", 1),
    ("wready", 1),
    ("bvalid", 1),
    ("bresp", 2),
    ("arready", 1),
    ("rvalid", 1),
    ("rdata", 32),
    ("rresp", 2),
    ("locked", 1),
];

const OUTPUTS: [(&str, usize); 24] = [
    ("s_rx_tready", 1),
    ("m_rx_tvalid", 1),
    ("m_rx_tdata", 8),
    ("m_rx_tlast", 1),
    ("m_rx_tuser", 1),
    ("s_tx_tready", 1),
    ("m_tx_tvalid", 1),
    ("m_tx_tdata", 8),
    ("m_tx_tlast", 1),
    ("awvalid", 1),
    ("awaddr", HOST_BUS_BITS as usize),
    ("wvalid", 1),
    ("wdata", 32),
    ("wstrb", 4),
    ("bready", 1),
    ("arvalid", 1),
    ("araddr", HOST_BUS_BITS as usize),
    ("rready", 1),
    ("busy", 1),
    ("frame_taken", 1),
    ("frame_missed", 1),
    ("frame_refused", 1),
    ("answer_sent", 1),
    ("access_late", 1),
];

/// A beat of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HostBeat {
    /// The byte.
    pub data: u8,
    /// The frame's last.
    pub last: bool,
    /// With it: the frame is bad.
    pub user: bool,
}

/// What is driven in a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "named as the ports are")]
pub struct HostInputs {
    pub reset: bool,
    pub s_rx: Option<HostBeat>,
    pub m_rx_ready: bool,
    pub s_tx: Option<HostBeat>,
    pub m_tx_ready: bool,
    pub awready: bool,
    pub wready: bool,
    /// With its code.
    pub b: Option<u8>,
    pub arready: bool,
    /// With its code and data.
    pub r: Option<(u8, u32)>,
    /// No secret is loaded, where tags are asked for.
    pub locked: bool,
}

/// What is seen in a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "named as the ports are")]
pub struct HostOutputs {
    pub s_rx_ready: bool,
    pub m_rx: Option<HostBeat>,
    pub s_tx_ready: bool,
    pub m_tx: Option<HostBeat>,
    pub aw: Option<u32>,
    pub w: Option<(u32, u8)>,
    pub bready: bool,
    pub ar: Option<u32>,
    pub rready: bool,
    pub busy: bool,
    pub taken: bool,
    pub missed: bool,
    pub refused: bool,
    pub sent: bool,
    pub late: bool,
}

fn words_of(beat: Option<HostBeat>) -> [u64; 4] {
    let shown = beat.unwrap_or_default();
    [
        beat.is_some().into(),
        shown.data.into(),
        shown.last.into(),
        shown.user.into(),
    ]
}

impl HostInputs {
    /// As the design takes them, with the `which`th fault.
    pub fn pack(&self, which: usize) -> Vec<u64> {
        let [tx_valid, tx_data, tx_last, _] = words_of(self.s_tx);
        let [rx_valid, rx_data, rx_last, rx_user] = words_of(self.s_rx);
        let (r_code, r_data) = self.r.unwrap_or_default();
        vec![
            which as u64,
            self.reset.into(),
            rx_valid,
            rx_data,
            rx_last,
            rx_user,
            self.m_rx_ready.into(),
            tx_valid,
            tx_data,
            tx_last,
            self.m_tx_ready.into(),
            self.awready.into(),
            self.wready.into(),
            self.b.is_some().into(),
            self.b.unwrap_or_default().into(),
            self.arready.into(),
            self.r.is_some().into(),
            r_data.into(),
            r_code.into(),
            self.locked.into(),
        ]
    }
}

impl HostOutputs {
    /// Words of a clock's outputs.
    pub const WORDS: usize = OUTPUTS.len();

    /// Of the design's outputs.
    pub fn unpack(words: &[u64]) -> Self {
        let bit = |place: usize| words[place] != 0;
        let number = |place: usize| words[place] as u32;
        Self {
            s_rx_ready: bit(0),
            m_rx: bit(1).then(|| HostBeat {
                data: words[2] as u8,
                last: bit(3),
                user: bit(3) && bit(4),
            }),
            s_tx_ready: bit(5),
            m_tx: bit(6).then(|| HostBeat {
                data: words[7] as u8,
                last: bit(8),
                user: false,
            }),
            aw: bit(9).then(|| number(10)),
            w: bit(11).then(|| (number(12), words[13] as u8)),
            bready: bit(14),
            ar: bit(15).then(|| number(16)),
            rready: bit(17),
            busy: bit(18),
            taken: bit(19),
            missed: bit(20),
            refused: bit(21),
            sent: bit(22),
            late: bit(23),
        }
    }
}

/// The design `host_bench`: the host port; of each module in it that has faults stand a faulty twin a fault beside the sound one, with the same inputs,
/// and the input `which` says whose outputs count: 0 the sound ones', else the twin's of the fault before this number.
///
/// # Panics
/// When a fault's text is not just once in its module.
pub fn host_design(faults: &[Fault]) -> Design {
    design_with(HostAuth::None, faults)
}

/// The same where the host port asks for tags under [`HOST_SECRET`].
///
/// # Panics
/// As [`host_design`].
pub fn tagged_host_design(faults: &[Fault]) -> Design {
    design_with(HostAuth::SipHash24, faults)
}

fn design_with(auth: HostAuth, faults: &[Fault]) -> Design {
    let emitted = host_port_verilog(&HOST_CARD, auth, HOST_BUS_BITS, "")
        .expect("can be printed")
        .text();
    let mut text = emitted.clone();
    let modules: BTreeSet<&str> = faults.iter().map(|fault| &*fault.module).collect();
    for module in modules {
        let head = format!("\nmodule {module} (");
        let sound = format!("{module}_sound");
        let (_, rest) = emitted.split_once(&head).expect("the module is there");
        let (ports, _) = rest.split_once("\n);").expect("it has ports");
        text = text.replacen(&head, &format!("\nmodule {sound} ("), 1);
        let mut twins = vec![(0, sound)];
        for (fault, number) in faults.iter().zip(1..) {
            if fault.module == module {
                let twin = format!("{module}_twin_{number}");
                text += &module_with_fault(&emitted, fault, &twin);
                twins.push((number, twin));
            }
        }
        text += &chooser(module, ports, &twins);
    }
    let mut declared = vec![
        "input wire clock".to_owned(),
        "input wire [7:0] which".to_owned(),
    ];
    let mut ports = vec![Port::input("which", 8)];
    for (name, width) in INPUTS {
        declared.push(format!("input wire {}{name}", range(width)));
        ports.push(Port::input(name, width));
    }
    for (name, width) in OUTPUTS {
        declared.push(format!("output wire {}{name}", range(width)));
        ports.push(Port::output(name, width));
    }
    let names = INPUTS.iter().chain(&OUTPUTS).map(|(name, _)| *name);
    let mut pins: Vec<String> = names
        .filter(|&name| name != "locked")
        .map(|name| format!(".{name}({name})"))
        .collect();
    if auth == HostAuth::SipHash24 {
        pins.push(format!(
            ".secret_0(128'h{HOST_SECRET:x}), .locked_0(locked)"
        ));
    }
    let top = format!(
        "module host_bench ({});\n  host_port port (.clock(clock), {});\nendmodule\n",
        declared.join(", "),
        pins.join(", ")
    );
    Design {
        top: "host_bench".into(),
        clock: Some("clock".into()),
        sources: vec![("host_bench.v".into(), text + &top)],
        ports,
    }
}

fn range(width: usize) -> String {
    match width {
        1 => String::new(),
        width => format!("[{}:0] ", width - 1),
    }
}

/// A module of these emitted ports, in which all `twins` stand and the outputs are those of the one whose number the bench's input has.
fn chooser(module: &str, ports: &str, twins: &[(usize, String)]) -> String {
    let declared = ports.replace("output reg ", "output wire");
    let mut outputs = Vec::new();
    let mut names = Vec::new();
    for line in declared.lines() {
        let code = line
            .split("//")
            .next()
            .unwrap_or("")
            .trim()
            .trim_end_matches(',')
            .trim();
        let mut words: Vec<&str> = code.split_whitespace().collect();
        let Some(name) = words.pop() else { continue };
        names.push(name);
        if words.first() == Some(&"output") {
            outputs.push((name, words[2..].join(" ")));
        }
    }
    let mut body = String::new();
    for (number, twin) in twins {
        let own = |name: &str| outputs.iter().any(|(output, _)| *output == name);
        for (name, range) in &outputs {
            body += &format!("  wire {range} of_{number}_{name};\n");
        }
        let pins: Vec<String> = names
            .iter()
            .map(|name| match own(name) {
                true => format!(".{name}(of_{number}_{name})"),
                false => format!(".{name}({name})"),
            })
            .collect();
        body += &format!("  {twin} number_{number} ({});\n", pins.join(", "));
    }
    for (name, _) in &outputs {
        let choice: String = twins[1..]
            .iter()
            .map(|(number, _)| format!("host_bench.which == 8'd{number} ? of_{number}_{name} : "))
            .collect();
        body += &format!("  assign {name} = {choice}of_0_{name};\n");
    }
    format!("\nmodule {module} ({declared}\n);\n{body}endmodule\n")
}
