//! A card on the harness: bytes and accesses in, bytes, verdicts and answers out, with the clocks in which they came.

use bloomline_model::{
    BusInputs, CardInputs, CardModel, CardOutputs, CellPipelineModel, ClockedModel, PipelineModel,
};
use bloomline_spec::{CellGeometry, Design, FilterSpec, Key, RecyclingGeometry};
use std::path::Path;

/// Clocks until a dropped command; `target.clock_hz` is ten times this.
pub const TIMEOUT: u64 = 3_000;

/// The specification of a small recycling filter on a card; without `clocks_per_bit` it has no UART.
pub fn recycling(clocks_per_bit: Option<u64>, key_bits: u32) -> RecyclingGeometry {
    let text = format!(
        "name = \"tested\"\n[filter]\nkind = \"recycling\"\nmemory_bits = 1024\nhashes = 2\naccept_two_hash_floor = true\n\
         [filter.recycle]\nphases = 2\non = \"bits-set\"\nthreshold = 200\nretain = true\n[key]\nbits = {key_bits}\ntag_bits = 5\n{}",
        card(clocks_per_bit)
    );
    FilterSpec::from_toml(&text, Path::new("tested.toml"))
        .and_then(|spec| spec.validate())
        .and_then(|sizing| sizing.with_threshold(200))
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The same for a counting filter, whose verdicts have estimates.
pub fn counting(clocks_per_bit: Option<u64>, key_bits: u32) -> CellGeometry {
    let text = format!(
        "name = \"tested\"\n[filter]\nkind = \"counting\"\nmemory_bits = 1024\nhashes = 2\naccept_two_hash_floor = true\nitems = 20\n\
         [filter.counting]\ncounter_bits = 4\nthreshold = 3\n[key]\nbits = {key_bits}\ntag_bits = 5\n{}",
        card(clocks_per_bit)
    );
    match FilterSpec::from_toml(&text, Path::new("tested.toml")).and_then(|spec| spec.design()) {
        Ok(Design::Cells(geometry)) => geometry,
        other => panic!("no legal filter of cells: {other:?}"),
    }
}

fn card(clocks_per_bit: Option<u64>) -> String {
    let clock_hz = 10 * TIMEOUT;
    let uart = clocks_per_bit.map_or(String::new(), |n| {
        format!("uart_baud = {}\n", (clock_hz + n / 2) / n)
    });
    format!("[target]\nclock_hz = {clock_hz}\n[card]\n{uart}")
}

/// A card, its inputs, and what it gave.
pub struct CardHarness<M> {
    pub card: CardModel<M>,
    /// Inputs of the next clock.
    pub inputs: CardInputs,
    /// The present clock.
    pub now: u64,
    pub clocks_per_bit: u64,
    /// Bytes on `uart_tx`, with the clock of their start bit's first.
    pub sent: Vec<(u64, u8)>,
    /// Verdicts of the stream: data and tag.
    pub verdicts: Vec<(u64, u64)>,
    line: Line,
}

/// What is in hand of a byte on `uart_tx`.
#[derive(Default)]
struct Line {
    start: Option<u64>,
    bits: u16,
}

impl CardHarness<PipelineModel> {
    /// The card of a recycling filter with a UART of so many clocks a bit, its filter running.
    pub fn with_uart(clocks_per_bit: u64) -> Self {
        let geometry = recycling(Some(clocks_per_bit), 40);
        CardHarness::new(
            CardModel::new(&geometry).expect("has a card"),
            clocks_per_bit,
        )
    }

    /// The same over AXI4-Lite.
    pub fn with_bus() -> Self {
        CardHarness::new(CardModel::new(&recycling(None, 40)).expect("has a card"), 8)
    }
}

impl CardHarness<CellPipelineModel> {
    /// The card of a counting filter over AXI4-Lite.
    pub fn counting() -> Self {
        CardHarness::new(CardModel::new(&counting(None, 40)).expect("has a card"), 8)
    }
}

impl<M: ClockedModel> CardHarness<M> {
    pub fn new(card: CardModel<M>, clocks_per_bit: u64) -> Self {
        let mut harness = CardHarness {
            card,
            inputs: CardInputs {
                m_verdict_tready: true,
                ..CardInputs::default()
            },
            now: 0,
            clocks_per_bit,
            sent: Vec::new(),
            verdicts: Vec::new(),
            line: Line::default(),
        };
        while !harness.outputs().s_item_tready {
            harness.clock();
        }
        harness
    }

    pub fn outputs(&self) -> CardOutputs {
        self.card.outputs()
    }

    pub fn clock(&mut self) {
        let outputs = self.outputs();
        self.listen(outputs.uart_tx);
        if outputs.m_verdict_tvalid && self.inputs.m_verdict_tready && !self.inputs.reset {
            self.verdicts.push((
                outputs.m_verdict_tdata.expect("valid"),
                outputs.m_verdict_tid.expect("valid"),
            ));
        }
        self.card.clock(&self.inputs);
        self.now += 1;
    }

    pub fn run(&mut self, clocks: u64) {
        for _ in 0..clocks {
            self.clock();
        }
    }

    fn listen(&mut self, tx: bool) {
        let n = self.clocks_per_bit;
        match self.line.start {
            None if !tx => {
                self.line = Line {
                    start: Some(self.now),
                    bits: 0,
                }
            }
            None => {}
            Some(start) => {
                let since = self.now - start;
                if since % n == n / 2 {
                    self.line.bits |= u16::from(tx) << (since / n);
                }
                if since / n == 9 && since % n == n / 2 {
                    assert!(tx, "a stop bit is high");
                    self.sent.push((start, (self.line.bits >> 1) as u8));
                    self.line.start = None;
                }
            }
        }
    }

    /// Shows one byte on `uart_rx`.
    pub fn send_byte(&mut self, byte: u8) {
        let bits = u16::from(byte) << 1 | 1 << 9;
        for bit in 0..10 {
            self.inputs.uart_rx = bits >> bit & 1 == 1;
            self.run(self.clocks_per_bit);
        }
    }

    pub fn send(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.send_byte(byte));
    }

    /// A command's bytes.
    pub fn command(code: u8, words: u8, address: u32, data: &[u32]) -> Vec<u8> {
        let mut bytes = vec![code, words];
        bytes.extend((address >> 2).to_be_bytes());
        bytes.extend(data.iter().flat_map(|word| word.to_be_bytes()));
        bytes
    }

    /// Writes over the UART.
    pub fn write(&mut self, address: u32, data: &[u32]) {
        self.send(&Self::command(1, data.len() as u8, address, data));
        // the last access ends on the bus, and in the record
        self.run(60);
    }

    /// Takes what was sent since the last call.
    pub fn taken(&mut self) -> Vec<u8> {
        self.sent.drain(..).map(|(_, byte)| byte).collect()
    }

    /// Sends a command and waits for so many words.
    pub fn ask(&mut self, command: &[u8], words: usize) -> Vec<u32> {
        self.sent.clear();
        self.send(command);
        let byte_clocks = 10 * self.clocks_per_bit + 1;
        self.run((4 * words as u64 + 1) * byte_clocks + 60 * words as u64);
        let bytes = self.taken();
        assert_eq!(bytes.len(), 4 * words, "{bytes:02X?}");
        bytes
            .chunks_exact(4)
            .map(|word| u32::from_be_bytes(word.try_into().expect("four")))
            .collect()
    }

    /// Reads over the UART.
    pub fn read(&mut self, address: u32, words: u8) -> Vec<u32> {
        self.ask(&Self::command(2, words, address, &[]), words.into())
    }

    /// Reads one register over the UART.
    pub fn read_one(&mut self, address: u32) -> u32 {
        self.read(address, 1)[0]
    }

    /// Writes over AXI4-Lite; the response, and clocks from the offer to ready and to the response.
    pub fn axi_write(&mut self, address: u32, data: u32, strobes: u8) -> (u8, u64, u64) {
        let offered = self.now;
        self.inputs.s_axil = BusInputs {
            awvalid: true,
            awaddr: address as u16,
            wvalid: true,
            wdata: data,
            wstrb: strobes,
            bready: true,
            ..self.inputs.s_axil
        };
        while !self.outputs().s_axil.awready {
            assert!(!self.outputs().s_axil.wready);
            self.clock();
        }
        let taken = self.now;
        self.clock();
        (self.inputs.s_axil.awvalid, self.inputs.s_axil.wvalid) = (false, false);
        loop {
            if let Some(response) = self.outputs().s_axil.written {
                let answered = self.now;
                self.clock();
                return (response, taken - offered, answered - offered);
            }
            self.clock();
        }
    }

    /// Reads over AXI4-Lite; response and data, and clocks from the offer to ready and to the answer.
    pub fn axi_read(&mut self, address: u32) -> (u8, u32, u64, u64) {
        let offered = self.now;
        self.inputs.s_axil = BusInputs {
            arvalid: true,
            araddr: address as u16,
            rready: true,
            ..self.inputs.s_axil
        };
        while !self.outputs().s_axil.arready {
            self.clock();
        }
        let taken = self.now;
        self.clock();
        self.inputs.s_axil.arvalid = false;
        loop {
            if let Some(read) = self.outputs().s_axil.read {
                let answered = self.now;
                self.clock();
                let (response, data) = (read.response, read.data);
                return (response, data, taken - offered, answered - offered);
            }
            self.clock();
        }
    }

    /// Puts an item on the stream, for as long as it stands there.
    pub fn offer(&mut self, key: u128, user: u64, tag: u64) {
        self.inputs.s_item_tvalid = true;
        self.inputs
            .set_key(&Key::from_integer(key, 40).expect("fits"));
        (self.inputs.s_item_tuser, self.inputs.s_item_tid) = (user, tag);
    }
}
