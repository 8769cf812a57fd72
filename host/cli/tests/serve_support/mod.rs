//! A running `bloomline serve`, and the reference model as a device.

use bloomline_driver::{Transport, TransportError, Within};
use bloomline_model::{Inputs, PipelineModel};
use bloomline_spec::registers::{RESPONSE_DECERR, RESPONSE_OKAY};
use bloomline_spec::RecyclingGeometry;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The tools folder, for a command that runs outside the source tree.
pub fn tools() -> PathBuf {
    match std::env::var_os("BLOOMLINE_TOOLS") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tools"),
    }
}

/// The line card of the example with the fastest UART that there is, and its own threshold.
pub fn line_card() -> String {
    let (_, text) = bloomline_spec::LINECARD_EXAMPLES[0];
    let edits = [
        ("uart_baud = 1_000_000", "uart_baud = 15_625_000"),
        ("threshold = \"auto\"", "threshold = 20000"),
    ];
    edits.iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    })
}

/// A process that serves a card, ended with the test.
pub struct Serving {
    child: Child,
    /// Where clients reach it.
    pub url: String,
}

impl Serving {
    /// `bloomline serve` with these arguments in `folder`, once it is ready.
    pub fn start(folder: &Path, arguments: &[&str]) -> Serving {
        Serving::start_and(folder, arguments, || {})
    }

    /// The same, where `meanwhile` happens before it is ready.
    pub fn start_and(folder: &Path, arguments: &[&str], meanwhile: impl FnOnce()) -> Serving {
        let mut child = Command::new(env!("CARGO_BIN_EXE_bloomline"))
            .current_dir(folder)
            .env("BLOOMLINE_TOOLS", tools())
            .arg("serve")
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the command starts");
        meanwhile();
        let mut url = String::new();
        BufReader::new(child.stdout.take().expect("it is piped"))
            .read_line(&mut url)
            .expect("it prints text");
        let url = url.trim_end().to_owned();
        assert!(!url.is_empty(), "it says where the card is");
        Serving { child, url }
    }

    /// Interrupts it as Ctrl-C does, and waits for its end.
    pub fn interrupt(mut self) -> ExitStatus {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status();
        assert!(sent.expect("kill runs").success());
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("it can be asked") {
                return status;
            }
            assert!(start.elapsed() < Duration::from_secs(20), "it does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Whether it still runs.
    pub fn is_alive(&mut self) -> bool {
        self.child.try_wait().expect("it can be asked").is_none()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The cycle-accurate model of a recycling filter, reached over its AXI4-Lite ports.
pub struct ModelDevice {
    model: PipelineModel,
    inputs: Inputs,
}

impl ModelDevice {
    /// Fresh out of a reset of four clocks.
    pub fn new(geometry: &RecyclingGeometry) -> ModelDevice {
        let mut device = ModelDevice {
            model: PipelineModel::new(geometry),
            inputs: Inputs {
                m_verdict_tready: true,
                s_axil_wstrb: 0b1111,
                ..Inputs::default()
            },
        };
        device.inputs.reset = true;
        device.run(4);
        device.inputs.reset = false;
        device
    }

    /// Lets clocks pass.
    pub fn run(&mut self, clocks: u64) {
        for _ in 0..clocks {
            self.model.clock(&self.inputs);
        }
    }

    fn answer(&mut self, address: u32) -> Result<u32, TransportError> {
        loop {
            let shown = self.model.outputs();
            self.model.clock(&self.inputs);
            self.inputs.s_axil_awvalid &= !shown.s_axil_awready;
            self.inputs.s_axil_wvalid &= !shown.s_axil_wready;
            self.inputs.s_axil_arvalid &= !shown.s_axil_arready;
            let (response, data) = if shown.s_axil_bvalid && self.inputs.s_axil_bready {
                (shown.s_axil_bresp, 0)
            } else if shown.s_axil_rvalid && self.inputs.s_axil_rready {
                (shown.s_axil_rresp, shown.s_axil_rdata.unwrap_or(0))
            } else {
                continue;
            };
            self.inputs.s_axil_bready = false;
            self.inputs.s_axil_rready = false;
            return match response.map(u32::from) {
                Some(RESPONSE_OKAY) => Ok(data),
                Some(RESPONSE_DECERR) => Err(TransportError::NoRegister { address }),
                _ => Err(TransportError::Refused { address }),
            };
        }
    }
}

impl Transport for ModelDevice {
    fn read(&mut self, address: u32, _: Within) -> Result<u32, TransportError> {
        self.inputs.s_axil_araddr = address as u8;
        self.inputs.s_axil_arvalid = true;
        self.inputs.s_axil_rready = true;
        self.answer(address)
    }

    fn write(&mut self, address: u32, value: u32, _: Within) -> Result<(), TransportError> {
        self.inputs.s_axil_awaddr = address as u8;
        self.inputs.s_axil_wdata = value;
        self.inputs.s_axil_awvalid = true;
        self.inputs.s_axil_wvalid = true;
        self.inputs.s_axil_bready = true;
        self.answer(address).map(|_| ())
    }
}
