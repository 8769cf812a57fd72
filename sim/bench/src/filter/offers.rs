//! Item and register requests of a constrained-random run, held until accepted as AXI requires.

use bloomline_model::Inputs;
use bloomline_spec::registers::address;
use bloomline_spec::{Common, MAX_KEY_BITS};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// Words of the packed outputs that handshakes look at; their order is that of the ports.
mod output {
    pub const TREADY: usize = 0;
    pub const AWREADY: usize = 4;
    pub const BVALID: usize = 6;
    pub const ARREADY: usize = 8;
    pub const RVALID: usize = 9;
}

const KEY_WORDS: usize = (MAX_KEY_BITS / 64) as usize;

/// The inputs, and which transfers are under way: what is offered stays until it is taken.
pub(super) struct Offers {
    pub inputs: Inputs,
    key_bits: u32,
    user_bits: u32,
    tag_bits: u32,
    item: bool,
    writing: bool,
    reading: bool,
    /// Writes offered so far, and clocks until the address and the data of the last one are.
    writes: u32,
    address_in: u32,
    data_in: u32,
    /// The next transfer of a kind is offered while the answer of the one before waits to be taken.
    pub eager: bool,
}

impl Offers {
    /// Nothing on offer.
    pub fn new(common: &Common) -> Self {
        Self {
            inputs: Inputs::default(),
            key_bits: common.key_bits(),
            user_bits: common.operation_bits(),
            tag_bits: common.tag_bits(),
            item: false,
            writing: false,
            reading: false,
            writes: 0,
            address_in: 0,
            data_in: 0,
            eager: false,
        }
    }

    /// An item waits to be taken.
    pub fn item(&self) -> bool {
        self.item
    }

    /// A write is under way, and another one must wait.
    pub fn writing(&self) -> bool {
        let offered = self.inputs.s_axil_awvalid || self.inputs.s_axil_wvalid;
        offered || (self.writing && !self.eager)
    }

    /// A read is under way, and another one must wait.
    pub fn reading(&self) -> bool {
        self.inputs.s_axil_arvalid || (self.reading && !self.eager)
    }

    /// Offers an item with the key that stands for `value`; bits of `user` and `tag` beyond their ports are dropped.
    pub fn offer_item(&mut self, value: u64, user: u64, tag: u64) {
        set_key(&mut self.inputs, self.key_bits, value);
        self.inputs.s_item_tuser = user & (u64::MAX >> (64 - self.user_bits));
        self.inputs.s_item_tid = tag & (u64::MAX >> (64 - self.tag_bits));
        self.inputs.s_item_tvalid = true;
        self.item = true;
    }

    /// Begins a write. Of five, one has its address two clocks before its data, one its data three before its address.
    pub fn offer_write(&mut self, byte: u32, data: u32, strobe: u8) {
        self.writes += 1;
        (self.address_in, self.data_in) = match self.writes % 5 {
            3 => (0, 2),
            4 => (3, 0),
            _ => (0, 0),
        };
        self.inputs.s_axil_awvalid = self.address_in == 0;
        self.inputs.s_axil_wvalid = self.data_in == 0;
        self.inputs.s_axil_awaddr = byte as u8;
        self.inputs.s_axil_wdata = data;
        self.inputs.s_axil_wstrb = strobe;
        self.writing = true;
    }

    /// Begins a write that concerns the secret of a keyed hash: one of its registers, or a rekey.
    pub fn offer_secret(&mut self, rng: &mut ChaCha8Rng) {
        if rng.random_bool(0.3) {
            // A clear with it is the rarer: it leaves no half under an older secret.
            let command = if rng.random_range(0..4) == 0 { 3 } else { 2 };
            return self.offer_write(address::CONTROL, command, 15);
        }
        let byte = address::HASH_KEY + 4 * rng.random_range(0..4);
        let patterns = [0, u32::MAX, rng.random(), rng.random()];
        self.offer_write(byte, patterns[rng.random_range(0..patterns.len())], 15);
    }

    /// Begins a read.
    pub fn offer_read(&mut self, byte: u8) {
        self.inputs.s_axil_arvalid = true;
        self.inputs.s_axil_araddr = byte;
        self.reading = true;
    }

    /// Draws the readies of this clock, of which the verdict's is low with probability `hold_verdict`.
    pub fn draw_readies(&mut self, rng: &mut ChaCha8Rng, hold_verdict: f64) {
        self.inputs.m_verdict_tready = !rng.random_bool(hold_verdict);
        self.inputs.s_axil_bready = rng.random_bool(0.5);
        self.inputs.s_axil_rready = rng.random_bool(0.5);
    }

    /// Packs the inputs of this clock; what it hands over is withdrawn for the next one, and a reset ends every transfer.
    pub fn hand_over(&mut self, predicted: &[u64], packed: &mut [u64]) {
        self.inputs.pack(self.key_bits, packed);
        let shows = |word: usize| predicted[word] & 1 == 1;
        if (self.item && shows(output::TREADY)) || self.inputs.reset {
            self.inputs.s_item_tvalid = false;
            self.item = false;
        }
        if shows(output::AWREADY) || self.inputs.reset {
            self.inputs.s_axil_awvalid = false;
            self.inputs.s_axil_wvalid = false;
            (self.address_in, self.data_in) = (0, 0);
        }
        let comes = |clocks: &mut u32, valid: &mut bool| {
            if *clocks > 0 {
                *clocks -= 1;
                *valid = *clocks == 0;
            }
        };
        comes(&mut self.address_in, &mut self.inputs.s_axil_awvalid);
        comes(&mut self.data_in, &mut self.inputs.s_axil_wvalid);
        if (shows(output::BVALID) && self.inputs.s_axil_bready) || self.inputs.reset {
            self.writing = false;
        }
        if shows(output::ARREADY) || self.inputs.reset {
            self.inputs.s_axil_arvalid = false;
        }
        if (shows(output::RVALID) && self.inputs.s_axil_rready) || self.inputs.reset {
            self.reading = false;
        }
    }
}

/// Puts the key that stands for `value` on the item port: different values of as many bits as the key has give different
/// keys.
pub(super) fn set_key(inputs: &mut Inputs, key_bits: u32, value: u64) {
    inputs.s_item_tdata = spread_key(key_bits, value);
}

/// The words of that key.
pub(super) fn spread_key(key_bits: u32, value: u64) -> [u64; KEY_WORDS] {
    let mut key = [0; KEY_WORDS];
    let words = key_bits.div_ceil(64) as usize;
    let mut spread = value;
    for word in &mut key[..words] {
        *word = spread;
        spread = spread.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    let used = key_bits - 64 * (words as u32 - 1);
    key[words - 1] &= u64::MAX >> (64 - used);
    key
}

/// What a host writes from ITEM_OPERATION on for an item: a random operation and the key of a value below `keys`.
pub(super) fn item_words(rng: &mut ChaCha8Rng, common: &Common, keys: u64) -> Vec<u32> {
    let operation = rng.random::<u32>() >> (32 - common.operation_bits());
    let key = spread_key(common.key_bits(), rng.random_range(0..keys));
    let halves = key
        .iter()
        .flat_map(|&word| [word as u32, (word >> 32) as u32]);
    std::iter::once(operation)
        .chain(halves.take(common.key_words() as usize))
        .collect()
}

/// What a host that does not know the size of the array writes to ARRAY_ADDRESS: a word near its beginning, or beyond its end.
pub(super) fn array_place(rng: &mut ChaCha8Rng) -> u32 {
    rng.random::<u32>() >> rng.random_range(25..32)
}

/// The share of clocks in which verdicts are held back from a filter that takes an item in so many clocks, to hold it up as much
/// as `hold` holds up one that takes an item a clock.
pub(super) fn held(hold: f64, interval_clocks: u32) -> f64 {
    match hold {
        0.0 => 0.0,
        hold => 1.0 - (1.0 - hold) / f64::from(interval_clocks),
    }
}

/// Keys drawn at random, some of them again.
pub(super) struct Repeats {
    last: [u64; 8],
}

impl Repeats {
    /// Nothing drawn yet.
    pub fn new() -> Self {
        Self { last: [0; 8] }
    }

    /// A value below `keys`, or with probability `repeat` one of the last eight.
    pub fn draw(&mut self, rng: &mut ChaCha8Rng, repeat: f64, keys: u64) -> u64 {
        let chosen = if rng.random_bool(repeat) {
            self.last[rng.random_range(0..8)]
        } else {
            rng.random_range(0..keys)
        };
        self.last[rng.random_range(0..8)] = chosen;
        chosen
    }
}

/// The reset port of a torture run: low, but for pulses of one to three clocks.
#[derive(Default)]
pub(super) struct ResetPulses {
    left: u32,
}

impl ResetPulses {
    /// The port in the next clock; a pulse begins with probability `begin`.
    pub fn draw(&mut self, rng: &mut ChaCha8Rng, begin: f64) -> bool {
        if self.left > 0 {
            self.left -= 1;
        } else if rng.random_bool(begin) {
            self.left = rng.random_range(1..4);
        }
        self.left > 0
    }
}
