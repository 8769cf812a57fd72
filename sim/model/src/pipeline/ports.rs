use bloomline_spec::ports::{every_filter_port, Direction, Port};
use bloomline_spec::{Common, Key, MAX_KEY_BITS};

const MAX_KEY_WORDS: usize = (MAX_KEY_BITS / 64) as usize;

/// Values of all input ports in one clock, but for the clock itself. Port names are those of the gateware.
///
/// Bits beyond a port's width are ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub struct Inputs {
    pub reset: bool,
    pub s_item_tvalid: bool,
    /// The key, word 0 the lowest.
    pub s_item_tdata: [u64; MAX_KEY_WORDS],
    /// The operation in bits 1:0; above them the amount, where a kind has one.
    pub s_item_tuser: u64,
    pub s_item_tid: u64,
    pub m_verdict_tready: bool,
    pub s_axil_awvalid: bool,
    pub s_axil_awaddr: u8,
    pub s_axil_wvalid: bool,
    pub s_axil_wdata: u32,
    pub s_axil_wstrb: u8,
    pub s_axil_bready: bool,
    pub s_axil_arvalid: bool,
    pub s_axil_araddr: u8,
    pub s_axil_rready: bool,
}

/// Values of all output ports in one clock. Port names are those of the gateware.
///
/// `None` stands for a payload whose valid is low: its bits mean nothing and are not compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub struct Outputs {
    pub s_item_tready: bool,
    pub m_verdict_tvalid: bool,
    pub m_verdict_tdata: Option<u64>,
    pub m_verdict_tid: Option<u64>,
    pub s_axil_awready: bool,
    pub s_axil_wready: bool,
    pub s_axil_bvalid: bool,
    pub s_axil_bresp: Option<u8>,
    pub s_axil_arready: bool,
    pub s_axil_rvalid: bool,
    pub s_axil_rdata: Option<u32>,
    pub s_axil_rresp: Option<u8>,
}

/// The ports that [`Inputs`] packs, in packing order: every input but `clock`, those that a filter's features leave out among them.
pub fn input_ports(common: &Common) -> Vec<Port> {
    every_filter_port(common)
        .into_iter()
        .filter(|port| port.direction == Direction::Input && port.name != "clock")
        .collect()
}

/// The ports that [`Outputs`] packs, in packing order: every output. One that is not there reads 0.
pub fn output_ports(common: &Common) -> Vec<Port> {
    every_filter_port(common)
        .into_iter()
        .filter(|port| port.direction == Direction::Output)
        .collect()
}

impl Inputs {
    /// Puts a key on `s_item_tdata`.
    pub fn set_key(&mut self, key: &Key) {
        self.s_item_tdata = [0; MAX_KEY_WORDS];
        self.s_item_tdata[..key.words().len()].copy_from_slice(key.words());
    }

    /// Reads the words of [`input_ports`] for keys of `key_bits` bits. Missing words count as 0.
    pub fn unpack(words: &[u64], key_bits: u32) -> Inputs {
        let mut words = words.iter().copied();
        let mut next = || words.next().unwrap_or(0);
        let mut inputs = Inputs {
            reset: next() & 1 == 1,
            s_item_tvalid: next() & 1 == 1,
            ..Inputs::default()
        };
        let key_words = (key_bits.div_ceil(64) as usize).min(MAX_KEY_WORDS);
        inputs.s_item_tdata[..key_words].fill_with(&mut next);
        inputs.s_item_tuser = next();
        inputs.s_item_tid = next();
        inputs.m_verdict_tready = next() & 1 == 1;
        inputs.s_axil_awvalid = next() & 1 == 1;
        inputs.s_axil_awaddr = next() as u8;
        inputs.s_axil_wvalid = next() & 1 == 1;
        inputs.s_axil_wdata = next() as u32;
        inputs.s_axil_wstrb = next() as u8;
        inputs.s_axil_bready = next() & 1 == 1;
        inputs.s_axil_arvalid = next() & 1 == 1;
        inputs.s_axil_araddr = next() as u8;
        inputs.s_axil_rready = next() & 1 == 1;
        inputs
    }

    /// Writes the words of [`input_ports`] for keys of `key_bits` bits; words beyond `words` are dropped.
    pub fn pack(&self, key_bits: u32, words: &mut [u64]) {
        let key_words = (key_bits.div_ceil(64) as usize).min(MAX_KEY_WORDS);
        let before = [self.reset.into(), self.s_item_tvalid.into()];
        let behind = [
            self.s_item_tuser,
            self.s_item_tid,
            self.m_verdict_tready.into(),
            self.s_axil_awvalid.into(),
            self.s_axil_awaddr.into(),
            self.s_axil_wvalid.into(),
            self.s_axil_wdata.into(),
            self.s_axil_wstrb.into(),
            self.s_axil_bready.into(),
            self.s_axil_arvalid.into(),
            self.s_axil_araddr.into(),
            self.s_axil_rready.into(),
        ];
        let values = before
            .iter()
            .chain(&self.s_item_tdata[..key_words])
            .chain(&behind);
        words
            .iter_mut()
            .zip(values)
            .for_each(|(word, &value)| *word = value);
    }
}

impl Outputs {
    /// Writes the words of [`output_ports`] and which of their bits are to be compared (a payload only while it is
    /// valid); `verdict_bits` and `tag_bits` are the widths of `m_verdict_tdata` and `m_verdict_tid`. Words beyond either
    /// slice are dropped.
    pub fn pack(&self, verdict_bits: u32, tag_bits: u32, words: &mut [u64], care: &mut [u64]) {
        let bit = |value: bool| (u64::from(value), 1);
        let payload = |value: Option<u64>, width: u32| match value {
            Some(value) => (value, u64::MAX >> (64 - width)),
            None => (0, 0),
        };
        let values = [
            bit(self.s_item_tready),
            bit(self.m_verdict_tvalid),
            payload(self.m_verdict_tdata, verdict_bits),
            payload(self.m_verdict_tid, tag_bits),
            bit(self.s_axil_awready),
            bit(self.s_axil_wready),
            bit(self.s_axil_bvalid),
            payload(self.s_axil_bresp.map(u64::from), 2),
            bit(self.s_axil_arready),
            bit(self.s_axil_rvalid),
            payload(self.s_axil_rdata.map(u64::from), 32),
            payload(self.s_axil_rresp.map(u64::from), 2),
        ];
        for ((word, mask), (value, cared)) in words.iter_mut().zip(care).zip(values) {
            *word = value;
            *mask = cared;
        }
    }
}
