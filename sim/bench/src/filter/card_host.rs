//! Host model on the UART: valid and broken commands, mailbox requests, noise, breaks and idle time.

use super::host_mix::HostMix;
use super::offers::{array_place, item_words};
use super::uart_pins::{PinReader, PinWriter};
use bloomline_spec::registers::address;
use bloomline_spec::{Common, Uart, UART_SYNC_BYTE, UART_SYNC_RUN};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// Byte addresses of the mailbox on the bridge's bus.
const REQUEST: u32 = 0xA5A5_A500;
const RECORD: u32 = 0xA5A5_A520;
const RECORD_BYTES: usize = 20;
/// Commands of uartbone.
const WRITE: u8 = 1;
const READ: u8 = 2;
const WRITE_FIXED: u8 = 3;
const READ_FIXED: u8 = 4;

/// What is on its way to the card, and what came back.
pub(super) struct UartTraffic {
    common: Common,
    mix: HostMix,
    clocks_per_bit: u64,
    timeout: u64,
    writer: PinWriter,
    reader: PinReader,
    heard: Vec<u8>,
    /// Clocks in which both directions were silent, and those to wait for before the next act.
    silent: u64,
    patience: u64,
    /// What was asked for last is the record; a request follows it.
    asked_record: bool,
    request_follows: bool,
    /// Accesses that the bridge has made, as last heard.
    count: u32,
}

impl UartTraffic {
    /// A line at rest.
    pub fn new(common: &Common, uart: &Uart, mix: HostMix) -> Self {
        Self {
            common: common.clone(),
            clocks_per_bit: uart.clocks_per_bit.into(),
            timeout: uart.timeout_clocks.into(),
            writer: PinWriter::new(uart.clocks_per_bit, mix.off),
            reader: PinReader::new(uart.clocks_per_bit),
            mix,
            heard: Vec::new(),
            silent: 0,
            patience: 0,
            asked_record: false,
            request_follows: false,
            count: 0,
        }
    }

    /// `uart_rx` in this clock, in which `uart_tx` shows this.
    pub fn clock(&mut self, rng: &mut ChaCha8Rng, keys: u64, tx: bool) -> bool {
        self.heard.extend(self.reader.clock(tx));
        let silent = tx && self.writer.at_rest();
        self.silent = if silent { self.silent + 1 } else { 0 };
        if self.writer.at_rest() && self.silent >= self.patience {
            self.listen();
            self.act(rng, keys);
        }
        self.writer.clock()
    }

    /// The count, where the record was asked for and came.
    fn listen(&mut self) {
        let record = self.heard.last_chunk::<RECORD_BYTES>();
        if let Some(record) = record.filter(|_| self.asked_record) {
            self.count = u32::from_be_bytes([record[4], record[5], record[6], record[7]]);
        }
        self.asked_record = false;
        self.heard.clear();
    }

    /// So long after an answer's last low bit that no more of it comes.
    fn until_answered(&self) -> u64 {
        12 * self.clocks_per_bit + 200
    }

    fn act(&mut self, rng: &mut ChaCha8Rng, keys: u64) {
        self.patience = match rng.random_range(0..3) {
            _ if rng.random_bool(self.mix.waits) => self.until_answered(),
            0 => rng.random_range(0..40 * self.clocks_per_bit),
            _ => 0,
        };
        if std::mem::take(&mut self.request_follows) {
            return self.request(rng);
        }
        if rng.random_ratio(1, 6) {
            return self.synchronise(rng, keys);
        }
        let mut left = rng.random_range(0..self.mix.acts.iter().sum());
        let chosen = self.mix.acts.iter().position(|&weight| {
            let here = left < weight;
            left = left.saturating_sub(weight);
            here
        });
        match chosen.unwrap_or(0) {
            0 => self.item(rng, keys),
            1 => self.registers(rng),
            2 => {
                self.read_record();
                self.request_follows = true;
            }
            3 => self.broken(rng, keys),
            4 => self.noise(rng),
            5 => self.low(rng),
            6 => self.nearly_timed_out(rng, keys),
            7 => self.long_burst(rng),
            _ => self.array(rng),
        }
    }

    fn item(&mut self, rng: &mut ChaCha8Rng, keys: u64) {
        let words = item_words(rng, &self.common, keys);
        let from = match rng.random_range(0..8) {
            0 => 1,
            1 => words.len() - 1,
            _ => 0,
        };
        let start = match from {
            0 => address::ITEM_OPERATION,
            word => address::ITEM_KEY + 4 * (word as u32 - 1),
        };
        self.writer.bytes(&command(WRITE, start, &words[from..]));
        if rng.random_bool(0.6) {
            let words = [1, 1, 2, 4][rng.random_range(0..4)];
            self.writer.bytes(&read(READ, address::ITEM_RESULT, words));
        }
    }

    fn registers(&mut self, rng: &mut ChaCha8Rng) {
        let start = some_address(rng);
        let words = rng.random_range(1..6);
        let rising = rng.random_bool(0.7);
        let bytes = if rng.random_bool(0.6) {
            read(if rising { READ } else { READ_FIXED }, start, words)
        } else {
            let data: Vec<u32> = (0..words).map(|_| some_data(rng)).collect();
            command(if rising { WRITE } else { WRITE_FIXED }, start, &data)
        };
        self.writer.bytes(&bytes);
    }

    /// Words of the array, each asked for and as a rule looked at.
    fn array(&mut self, rng: &mut ChaCha8Rng) {
        for _ in 0..rng.random_range(1..4) {
            let place = array_place(rng);
            let fetch = command(WRITE, address::ARRAY_ADDRESS, &[place]);
            self.writer.bytes(&fetch);
            let looks = [1, 1, 1, 2, 0][rng.random_range(0..5)];
            for _ in 0..looks {
                self.writer.bytes(&read(READ, address::ARRAY_DATA, 1));
            }
        }
    }

    fn read_record(&mut self) {
        self.writer.bytes(&read(READ, RECORD, 5));
        self.asked_record = true;
        self.patience = self.until_answered();
    }

    /// A request at the count that was heard, or a bad one; perhaps twice; and the record it leaves.
    fn request(&mut self, rng: &mut ChaCha8Rng) {
        let write = rng.random_bool(0.7);
        let (start, data) = match rng.random_range(0..3) {
            0 => (address::ITEM_OPERATION, rng.random_range(0..4)),
            1 => {
                let highest = self.common.key_words() - 1;
                (address::ITEM_KEY + 4 * highest, rng.random_range(0..4))
            }
            _ => (some_address(rng) + rng.random_range(0..4), some_data(rng)),
        };
        let mark = match rng.random_range(0..24) {
            0 => 0xB2,
            _ => 0xB1,
        };
        let low = match rng.random_range(0..24) {
            0 => 1 << rng.random_range(1..8),
            _ => 0,
        };
        let head = mark << 24 | rng.random::<u16>() as u32 >> 1 << 9 | low | u32::from(write);
        let expect = match rng.random_range(0..16) {
            0 => self.count.wrapping_add(1),
            1 => self.count.wrapping_sub(1),
            _ => self.count,
        };
        let mut words = sealed([head, start, data, expect], rng.random_ratio(1, 24));
        // one bit of any, or the top bit of a byte
        let damaged = match rng.random_range(0..12) {
            0 => Some(rng.random_range(0..192)),
            1 => Some(8 * rng.random_range(0..24) + 7),
            _ => None,
        };
        if let Some(bit) = damaged {
            words[bit / 32] ^= 1 << (bit % 32);
        }
        let first = match rng.random_range(0..16) {
            0 => rng.random_range(1..6),
            _ => 0,
        };
        let bytes = command(WRITE, REQUEST + 4 * first as u32, &words[first..]);
        for _ in 0..1 + u32::from(rng.random_ratio(1, 6)) {
            self.writer.bytes(&bytes);
        }
        self.read_record();
        // often the next request goes by the count of this record
        self.request_follows = rng.random_bool(0.5);
    }

    /// A run of synchronisation bytes that is as long as it must be, or nearly; often behind the beginning of a command.
    fn synchronise(&mut self, rng: &mut ChaCha8Rng, keys: u64) {
        if rng.random_bool(0.5) {
            let mut bytes = match rng.random_bool(0.3) {
                true => read(READ, some_address(rng), rng.random_range(1..4)),
                false => command(
                    WRITE,
                    address::ITEM_OPERATION,
                    &item_words(rng, &self.common, keys),
                ),
            };
            bytes.truncate(rng.random_range(0..bytes.len()));
            self.writer.bytes(&bytes);
        }
        let run = match rng.random_range(0..4) {
            0 => rng.random_range(1..UART_SYNC_RUN),
            1 => rng.random_range(UART_SYNC_RUN..3 * UART_SYNC_RUN),
            _ => UART_SYNC_RUN,
        };
        self.writer.bytes(&vec![UART_SYNC_BYTE; run]);
    }

    /// A command that ends early, has a byte too many or too few, or is none.
    fn broken(&mut self, rng: &mut ChaCha8Rng, keys: u64) {
        let mut bytes = match rng.random_range(0..3) {
            0 => read(READ, some_address(rng), rng.random_range(1..4)),
            1 => {
                let words = item_words(rng, &self.common, keys);
                command(WRITE, address::ITEM_OPERATION, &words)
            }
            _ => {
                let mut bytes = read(READ, some_address(rng), rng.random());
                bytes[0] = rng.random();
                bytes
            }
        };
        let place = rng.random_range(0..bytes.len());
        match rng.random_range(0..4) {
            0 => bytes.truncate(place),
            1 => {
                bytes.remove(place);
            }
            2 => bytes.insert(place, rng.random()),
            _ => bytes[place] ^= 1 << rng.random_range(0..8),
        }
        self.writer.bytes(&bytes);
        if rng.random_bool(0.6) {
            self.writer.level(true, self.timeout + 20);
        }
    }

    fn noise(&mut self, rng: &mut ChaCha8Rng) {
        for _ in 0..rng.random_range(1..24) {
            let inverted = match rng.random_range(0..4) {
                0 => rng.random_range(0..1 << 10),
                _ => 0,
            };
            let byte = match rng.random_bool(0.5) {
                true => rng.random_range(0..6),
                false => rng.random(),
            };
            self.writer.damaged_byte(byte, inverted);
        }
        if rng.random_bool(0.5) {
            self.writer.level(true, self.timeout + 20);
        }
    }

    /// Glitches around half a bit, breaks around a frame and longer.
    fn low(&mut self, rng: &mut ChaCha8Rng) {
        let n = self.clocks_per_bit;
        let clocks = match rng.random_range(0..3) {
            0 => rng.random_range(1..n + 2),
            1 => rng.random_range(9 * n..11 * n),
            _ => rng.random_range(11 * n..60 * n),
        };
        self.writer.level(false, clocks);
        self.writer.level(true, rng.random_range(1..2 * n));
    }

    /// A command that pauses until its time is over within some clocks.
    fn nearly_timed_out(&mut self, rng: &mut ChaCha8Rng, keys: u64) {
        let bytes = match rng.random_bool(0.5) {
            true => read(READ, address::MAGIC, 1),
            false => {
                let words = item_words(rng, &self.common, keys);
                command(WRITE, address::ITEM_OPERATION, &words)
            }
        };
        let before = rng.random_range(1..bytes.len());
        let shown = self.writer.frame_clocks() * before as u64;
        // the next byte meets the clock of the drop where 1 is drawn
        let beside = [0, 1, 1, 1, 1, 2, 3][rng.random_range(0..7)];
        let pause = (self.timeout + beside).saturating_sub(shown);
        self.writer.bytes(&bytes[..before]);
        self.writer.level(true, pause);
        // the rest of it, or a whole other command
        if rng.random_bool(0.3) {
            self.writer.bytes(&bytes[before..]);
        } else {
            self.writer.bytes(&read(READ, address::MAGIC, 1));
        }
        self.writer.level(true, self.timeout + 20);
    }

    /// A burst of many words, or a flood: commands that come while a long answer is sent, more than the queue holds.
    fn long_burst(&mut self, rng: &mut ChaCha8Rng) {
        if rng.random_bool(0.5) {
            let words = rng.random_range(8..14);
            self.writer
                .bytes(&read(READ_FIXED, some_address(rng), words));
            for _ in 0..rng.random_range(3..8) {
                self.writer.bytes(&read(READ, some_address(rng), 1));
            }
            return self.writer.level(true, self.timeout + 20);
        }
        let words = match rng.random_range(0..4) {
            0 => 0,
            _ => rng.random_range(8..40),
        };
        let start = some_address(rng);
        if rng.random_bool(0.5) {
            self.writer.bytes(&read(READ_FIXED, start, words));
        } else {
            let data: Vec<u32> = (0..words.max(8)).map(|_| some_data(rng)).collect();
            let mut bytes = command(WRITE, start, &data);
            bytes[1] = words;
            self.writer.bytes(&bytes);
        }
    }
}

/// Mostly the filter's and the item port's, some just beyond, some far off.
fn some_address(rng: &mut ChaCha8Rng) -> u32 {
    match rng.random_range(0..12) {
        0 => address::CONTROL,
        1 => address::STATUS,
        2..4 => address::ITEM_RESULT,
        4..6 => 0x100 + 4 * rng.random_range(0..64),
        6 => [0x200, 0x204, 0x1000, 0xFFFF_FFFC][rng.random_range(0..4)],
        7 | 8 => [REQUEST, RECORD][rng.random_range(0..2)] + 4 * rng.random_range(0..8),
        9 => rng.random::<u32>() & !3,
        _ => 4 * rng.random_range(0..128),
    }
}

fn some_data(rng: &mut ChaCha8Rng) -> u32 {
    match rng.random_range(0..3) {
        0 => rng.random_range(0..4),
        1 => rng.random::<u32>() >> rng.random_range(0..32),
        _ => rng.random(),
    }
}

fn header(code: u8, words: u8, start: u32) -> Vec<u8> {
    let mut bytes = vec![code, words];
    bytes.extend((start >> 2).to_be_bytes());
    bytes
}

fn read(code: u8, start: u32, words: u8) -> Vec<u8> {
    header(code, words, start)
}

fn command(code: u8, start: u32, words: &[u32]) -> Vec<u8> {
    let mut bytes = header(code, words.len() as u8, start);
    bytes.extend(words.iter().flat_map(|word| word.to_be_bytes()));
    bytes
}

/// A request's four words and their check, seven bits a byte; with `more` a bit of no meaning is 1.
fn sealed(words: [u32; 4], more: bool) -> [u32; 6] {
    let mut plain = words.map(u32::to_be_bytes).concat();
    plain.extend(crc32fast::hash(&plain).to_be_bytes());
    plain.push(u8::from(more));
    let bit = |place: usize| plain[place / 8] >> (7 - place % 8) & 1;
    std::array::from_fn(|word| {
        u32::from_be_bytes(std::array::from_fn(|byte| {
            let first = 7 * (4 * word + byte);
            (first..first + 7).fold(1, |byte, place| byte << 1 | bit(place))
        }))
    })
}
