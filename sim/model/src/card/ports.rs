use super::bus::{BusInputs, BusOutputs};
use bloomline_spec::{Common, Key, MAX_KEY_BITS};

const MAX_KEY_WORDS: usize = (MAX_KEY_BITS / 64) as usize;

/// Values of all input ports of a card in one clock, but for the clock itself. Port names are those of the gateware; a card
/// has either `uart_rx` or the bus, and the other is ignored. At rest by default, with `uart_rx` high.
///
/// Bits beyond a port's width are ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct CardInputs {
    pub reset: bool,
    pub s_item_tvalid: bool,
    /// The key, word 0 the lowest.
    pub s_item_tdata: [u64; MAX_KEY_WORDS],
    /// The operation in bits 1:0; above them the amount, where a kind has one.
    pub s_item_tuser: u64,
    pub s_item_tid: u64,
    pub m_verdict_tready: bool,
    pub uart_rx: bool,
    /// `s_axil_*`.
    pub s_axil: BusInputs,
}

/// Values of all output ports of a card in one clock. A card has either `uart_tx` or the bus; the other is as at rest.
///
/// `None` stands for a payload whose valid is low: its bits mean nothing and are not compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct CardOutputs {
    pub s_item_tready: bool,
    pub m_verdict_tvalid: bool,
    pub m_verdict_tdata: Option<u64>,
    pub m_verdict_tid: Option<u64>,
    pub uart_tx: bool,
    /// `s_axil_*`.
    pub s_axil: BusOutputs,
}

impl Default for CardInputs {
    fn default() -> CardInputs {
        CardInputs {
            reset: false,
            s_item_tvalid: false,
            s_item_tdata: [0; MAX_KEY_WORDS],
            s_item_tuser: 0,
            s_item_tid: 0,
            m_verdict_tready: false,
            uart_rx: true,
            s_axil: BusInputs::default(),
        }
    }
}

/// Whether the host comes over a UART.
fn has_uart(common: &Common) -> bool {
    common.card().is_some_and(|card| card.uart.is_some())
}

impl CardInputs {
    /// Puts a key on `s_item_tdata`.
    pub fn set_key(&mut self, key: &Key) {
        self.s_item_tdata = [0; MAX_KEY_WORDS];
        self.s_item_tdata[..key.words().len()].copy_from_slice(key.words());
    }

    /// Reads the packed words, every input but `clock`. Missing words count as 0.
    pub fn unpack(words: &[u64], common: &Common) -> CardInputs {
        let mut words = words.iter().copied();
        let mut next = || words.next().unwrap_or(0);
        let mut inputs = CardInputs {
            reset: next() & 1 == 1,
            s_item_tvalid: next() & 1 == 1,
            ..CardInputs::default()
        };
        inputs.s_item_tdata[..key_words(common)].fill_with(&mut next);
        inputs.s_item_tuser = next();
        inputs.s_item_tid = next();
        inputs.m_verdict_tready = next() & 1 == 1;
        if has_uart(common) {
            inputs.uart_rx = next() & 1 == 1;
        } else {
            inputs.s_axil = BusInputs {
                awvalid: next() & 1 == 1,
                awaddr: next() as u16,
                wvalid: next() & 1 == 1,
                wdata: next() as u32,
                wstrb: next() as u8,
                bready: next() & 1 == 1,
                arvalid: next() & 1 == 1,
                araddr: next() as u16,
                rready: next() & 1 == 1,
            };
        }
        inputs
    }

    /// Writes the packed words, every input but `clock`; words beyond `words` are dropped.
    pub fn pack(&self, common: &Common, words: &mut [u64]) {
        let before = [self.reset.into(), self.s_item_tvalid.into()];
        let behind = [
            self.s_item_tuser,
            self.s_item_tid,
            self.m_verdict_tready.into(),
        ];
        let bus = &self.s_axil;
        let axil = [
            bus.awvalid.into(),
            bus.awaddr.into(),
            bus.wvalid.into(),
            bus.wdata.into(),
            bus.wstrb.into(),
            bus.bready.into(),
            bus.arvalid.into(),
            bus.araddr.into(),
            bus.rready.into(),
        ];
        let uart = [self.uart_rx.into()];
        let host: &[u64] = if has_uart(common) { &uart } else { &axil };
        let values = before
            .iter()
            .chain(&self.s_item_tdata[..key_words(common)])
            .chain(&behind)
            .chain(host);
        words
            .iter_mut()
            .zip(values)
            .for_each(|(word, &value)| *word = value);
    }
}

fn key_words(common: &Common) -> usize {
    common.key_bits().div_ceil(64) as usize
}

impl CardOutputs {
    /// Writes the packed words, every output, and which of their bits are to be compared (a payload only while it is
    /// valid). Words beyond either slice are dropped.
    pub fn pack(&self, common: &Common, words: &mut [u64], care: &mut [u64]) {
        let bit = |value: bool| (u64::from(value), 1);
        let payload = |value: Option<u64>, width: u32| match value {
            Some(value) => (value, u64::MAX >> (64 - width)),
            None => (0, 0),
        };
        let stream = [
            bit(self.s_item_tready),
            bit(self.m_verdict_tvalid),
            payload(self.m_verdict_tdata, common.verdict_bits()),
            payload(self.m_verdict_tid, common.stream_tag_bits()),
        ];
        let BusOutputs {
            awready,
            wready,
            written,
            arready,
            read,
        } = self.s_axil;
        let axil = [
            bit(awready),
            bit(wready),
            bit(written.is_some()),
            payload(written.map(u64::from), 2),
            bit(arready),
            bit(read.is_some()),
            payload(read.map(|read| read.data.into()), 32),
            payload(read.map(|read| read.response.into()), 2),
        ];
        let uart = [bit(self.uart_tx)];
        let host: &[(u64, u64)] = if has_uart(common) { &uart } else { &axil };
        let values = stream.iter().chain(host);
        for ((word, mask), &(value, cared)) in words.iter_mut().zip(care).zip(values) {
            *word = value;
            *mask = cared;
        }
    }
}
