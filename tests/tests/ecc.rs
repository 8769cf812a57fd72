//! Memory with an error-correcting code, of banks and of a sliding window's lanes: every flipped bit, every pair of them, and writes that meet reads.

use bloomline_assurance::soft_error::{Flippable, FLIP_INPUTS};
use bloomline_bench::built_in::BuiltIn;
use bloomline_bench::lockstep::Device;
use bloomline_bench::verilator::{Design, Initial, Port};
use bloomline_hdl::bank::{BankMemory, EccPort};
use bloomline_language::emit::{verilog, Options};
use bloomline_spec::ecc;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rust_hdl::prelude::Block;

const WORDS: u64 = 4;

/// A port and its memory, of words of P + 1 bits below C + 1 in all.
const TOP: &str = "\
module memory (
  input  wire        clock,
  input  wire [1:0]  read_address,
  input  wire        reading_0,
  input  wire        write_enable,
  input  wire [1:0]  write_address,
  input  wire [P:0]  write_data,
  output wire [P:0]  read_data,
  output wire        corrected,
  output wire        uncorrectable
);
  wire        enable;
  wire [1:0]  address;
  wire [C:0]  written;
  wire [C:0]  found;

  ecc_port port (
    .clock          (clock),
    .read_address   (read_address),
    .read_data      (read_data),
    .corrected      (corrected),
    .uncorrectable  (uncorrectable),
    .reading_0      (reading_0),
    .write_enable   (write_enable),
    .write_address  (write_address),
    .write_data     (write_data),
    .memory_read    (found),
    .memory_enable  (enable),
    .memory_address (address),
    .memory_write   (written)
  );
  MEMORY words (
    .clock         (clock),
    .read_address  (read_address),
    .read_data     (found),
    .write_enable  (enable),
    .write_address (address),
    .write_data    (written)
  );
endmodule
";

/// What the memory gives in a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Read {
    data: u64,
    corrected: bool,
    uncorrectable: bool,
}

impl Read {
    fn sound(data: u64) -> Read {
        Read {
            data,
            corrected: false,
            uncorrectable: false,
        }
    }
}

/// What it is given: nothing is written and no bit flips unless said.
#[derive(Debug, Clone, Copy, Default)]
struct Given {
    read: u64,
    reading: bool,
    write: Option<(u64, u64)>,
    /// Word and bit.
    flip: Option<(u64, u64)>,
}

struct Memory {
    simulation: BuiltIn,
    /// Mask of what is stored below the check bits.
    payload: u64,
    code_bits: u64,
}

impl Memory {
    /// Those of a bank, and of lanes with cells of several widths: the widest there is, and 26 bits, which all columns of six bits are of.
    fn every() -> Vec<Memory> {
        let lanes = [(4, 3), (13, 5), (21, 5), (28, 8)];
        let lanes = lanes.map(|(fingerprint, generation)| Memory::of_lane(fingerprint, generation));
        [Memory::of_bank()].into_iter().chain(lanes).collect()
    }

    fn of_bank() -> Memory {
        let mut memory = BankMemory::with_check_bits(WORDS as usize, 7);
        memory.connect_all();
        Memory::new(
            EccPort::new(WORDS as usize, true),
            &memory,
            "bank_memory",
            36,
        )
    }

    fn of_lane(fingerprint_bits: usize, generation_bits: usize) -> Memory {
        let port = EccPort::of_cells(WORDS as usize, fingerprint_bits, generation_bits);
        let cell_bits = fingerprint_bits + generation_bits;
        let check_bits = ecc::check_bits(cell_bits as u32) as usize;
        let mut memory = BankMemory::of_cells(2, cell_bits + check_bits);
        memory.connect_all();
        Memory::new(port, &memory, "lane_memory", cell_bits as u32)
    }

    /// As emitted, with inputs that flip bits, at power-up.
    fn new(mut port: EccPort, memory: &dyn Block, name: &str, payload_bits: u32) -> Memory {
        port.connect_all();
        let code_bits = payload_bits + ecc::check_bits(payload_bits);
        let port = verilog(&port, "ecc_port", &Options::default()).expect("it can be printed");
        let memory = verilog(memory, name, &Options::default()).expect("it can be");
        let top = TOP
            .replace("[P:0]", &format!("[{}:0]", payload_bits - 1))
            .replace("[C:0]", &format!("[{}:0]", code_bits - 1))
            .replace("MEMORY", name);
        let text = format!("{}\n{}\n{top}", port.text(), memory.text());
        let emitted = Design {
            top: "memory".into(),
            clock: Some("clock".into()),
            sources: vec![("memory.v".into(), text)],
            ports: vec![
                Port::input("read_address", 2),
                Port::input("reading_0", 1),
                Port::input("write_enable", 1),
                Port::input("write_address", 2),
                Port::input("write_data", payload_bits as usize),
                Port::output("read_data", payload_bits as usize),
                Port::output("corrected", 1),
                Port::output("uncorrectable", 1),
            ],
        };
        let flippable = Flippable::new(&emitted, name).expect("it holds a memory");
        assert_eq!(flippable.bits, code_bits);
        Memory {
            simulation: BuiltIn::open(&flippable.design, Initial::Zeros).expect("it is Verilog"),
            payload: (1 << payload_bits) - 1,
            code_bits: code_bits.into(),
        }
    }

    fn clock(&mut self, given: Given) -> Read {
        let (address, data) = given.write.unwrap_or_default();
        let (word, bit) = given.flip.unwrap_or_default();
        let mut inputs = vec![
            given.read,
            given.reading.into(),
            given.write.is_some().into(),
            address,
            data,
        ];
        let flips = [given.flip.is_some().into(), word, bit];
        inputs.extend(&flips[..FLIP_INPUTS.len()]);
        let mut outputs = [0; 3];
        self.simulation
            .step(&inputs, &mut outputs)
            .expect("it runs");
        Read {
            data: outputs[0],
            corrected: outputs[1] == 1,
            uncorrectable: outputs[2] == 1,
        }
    }

    /// Reads a word; the clocks until it is there, and one more in which it may be written back.
    fn read(&mut self, address: u64, reading: bool) -> Read {
        let given = Given {
            read: address,
            reading,
            ..Given::default()
        };
        for _ in 0..4 {
            self.clock(Given {
                reading: false,
                ..given
            });
        }
        let read = self.clock(given);
        self.clock(Given::default());
        self.clock(Given::default());
        read
    }

    fn write(&mut self, address: u64, data: u64) {
        self.clock(Given {
            write: Some((address, data)),
            ..Given::default()
        });
        self.clock(Given::default());
    }

    fn flip(&mut self, address: u64, bit: u64) {
        self.clock(Given {
            flip: Some((address, bit)),
            ..Given::default()
        });
    }
}

#[test]
fn a_flipped_bit_in_any_place_of_a_word_is_corrected_and_written_back_only_where_the_read_counts() {
    for mut memory in Memory::every() {
        corrects_any_bit(&mut memory);
    }
}

fn corrects_any_bit(memory: &mut Memory) {
    let (payload, code_bits) = (memory.payload, memory.code_bits);
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for (bit, address) in (0..code_bits).zip((0..WORDS).cycle()) {
        for data in [0, payload, random.random::<u64>() & payload] {
            memory.write(address, data);
            assert_eq!(memory.read(address, true), Read::sound(data));
            memory.flip(address, bit);
            let corrected = Read {
                corrected: true,
                ..Read::sound(data)
            };
            assert_eq!(
                memory.read(address, false),
                corrected,
                "bit {bit}, {data:#x}"
            );
            assert_eq!(
                memory.read(address, true),
                corrected,
                "bit {bit}, {data:#x}"
            );
            assert_eq!(memory.read(address, true), Read::sound(data), "bit {bit}");
        }
    }
}

#[test]
fn two_flipped_bits_in_any_places_of_a_word_are_detected_and_nothing_is_written_back() {
    for mut memory in Memory::every() {
        detects_any_two_bits(&mut memory);
    }
}

fn detects_any_two_bits(memory: &mut Memory) {
    let (payload, code_bits) = (memory.payload, memory.code_bits);
    let mut random = ChaCha8Rng::seed_from_u64(2);
    for a in 0..code_bits {
        for b in 0..a {
            let (address, data) = (
                random.random_range(0..WORDS),
                random.random::<u64>() & payload,
            );
            memory.write(address, data);
            memory.flip(address, a);
            memory.flip(address, b);
            let detected = Read {
                data: (data ^ 1 << a ^ 1 << b) & payload,
                corrected: false,
                uncorrectable: true,
            };
            assert_eq!(memory.read(address, true), detected, "bits {a} and {b}");
            assert_eq!(memory.read(address, true), detected, "bits {a} and {b}");
        }
    }
}

/// Rounds of the test below, each with one flipped bit, a clock of mixed reads and writes for every other, and reads of every word at its end.
const ROUNDS: u64 = 500;
const MIXED_CLOCKS: u64 = 40;

#[test]
fn with_one_flipped_bit_a_word_every_read_gives_what_was_written_last_up_to_two_clocks_behind_it() {
    for mut memory in [Memory::of_bank(), Memory::of_lane(13, 5)] {
        gives_what_was_written_last(&mut memory);
    }
}

fn gives_what_was_written_last(memory: &mut Memory) {
    let (payload, code_bits) = (memory.payload, memory.code_bits);
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let mut words = [0; WORDS as usize];
    // by the clock in which its word is there: what a read has to give
    let mut due = [None; 4];
    let mut corrected = 0;
    for round in 0..ROUNDS {
        for clock in 0..MIXED_CLOCKS + WORDS + 4 {
            let mixed = clock < MIXED_CLOCKS;
            let given = Given {
                read: match mixed {
                    true => random.random_range(0..WORDS),
                    false => clock % WORDS,
                },
                reading: true,
                write: (mixed && random.random_bool(0.4)).then(|| {
                    let data = random.random::<u64>() & payload;
                    (random.random_range(0..WORDS), data)
                }),
                flip: (clock == 5).then(|| {
                    let bit = random.random_range(0..code_bits);
                    (random.random_range(0..WORDS), bit)
                }),
            };
            let read = memory.clock(given);
            if let Some(expected) = due[3] {
                assert_eq!(read.data, expected, "round {round}, clock {clock}");
            }
            assert!(!read.uncorrectable, "round {round}, clock {clock}");
            corrected += u32::from(read.corrected);
            if let Some((address, data)) = given.write {
                words[address as usize] = data;
            }
            // a read of two clocks ago sees no more writes than those up to the clock behind it
            let settled = due[0].map(|address: u64| words[address as usize]);
            due = [Some(given.read), settled, due[1], due[2]];
        }
    }
    assert!(corrected > ROUNDS as u32 / 2, "{corrected}");
}
