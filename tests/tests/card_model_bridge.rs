//! The card gives the bytes that the bridge in software gives: two writings of uartbone and the mailbox, over one register file.

use crate::card_model_support::{recycling, CardHarness, TIMEOUT};
use bloomline_driver::mailbox::{Record, Request, RECORD, REQUEST};
use bloomline_driver::serve::{Bridge, Responder, UartResponder};
use bloomline_driver::{Transport, TransportError, Within};
use bloomline_model::{CardModel, PipelineModel};
use bloomline_spec::registers::{address, RecyclingCounter};
use bloomline_spec::{UART_SYNC_BYTE, UART_SYNC_RUN};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::{Duration, Instant};

const N: u64 = 8;
const CLOCK_HZ: u64 = 10 * TIMEOUT;

/// The registers of a card over AXI4-Lite, for the bridge in software.
struct OverBus {
    harness: CardHarness<PipelineModel>,
    /// Of the card with the UART: the only registers in which the two differ.
    geometry_hash: u64,
}

impl Transport for OverBus {
    fn read(&mut self, address: u32, _within: Within) -> Result<u32, TransportError> {
        if address >= 0x200 {
            return Err(TransportError::NoRegister { address });
        }
        match address {
            address::GEOMETRY_HASH_LO => return Ok(self.geometry_hash as u32),
            address::GEOMETRY_HASH_HI => return Ok((self.geometry_hash >> 32) as u32),
            _ => {}
        }
        let (response, data, ..) = self.harness.axi_read(address);
        answer(response, address).map(|()| data)
    }

    fn write(&mut self, address: u32, value: u32, _within: Within) -> Result<(), TransportError> {
        if address >= 0x200 {
            return Err(TransportError::NoRegister { address });
        }
        let (response, ..) = self.harness.axi_write(address, value, 15);
        // what was set off is done before the next access, as it is over the slow pins of the other
        self.harness.run(200);
        answer(response, address)
    }
}

fn answer(response: u8, address: u32) -> Result<(), TransportError> {
    match response {
        0 => Ok(()),
        2 => Err(TransportError::Refused { address }),
        _ => Err(TransportError::NoRegister { address }),
    }
}

/// Registers that show no time: what they read as depends on the accesses alone.
fn some_address(rng: &mut ChaCha8Rng) -> u32 {
    let counters = [
        RecyclingCounter::Items,
        RecyclingCounter::Seen,
        RecyclingCounter::Inserted,
    ];
    let fixed = [
        address::MAGIC,
        address::FILTER,
        address::THRESHOLD,
        address::MAX_AGE,
        address::CONTROL,
        address::BITS_ACTIVE,
        address::MESSAGES,
        address::COUNTERS,
        address::ITEM_PORT,
        address::ITEM_RESULT,
        address::ITEM_OPERATION,
        address::ITEM_KEY,
        address::ITEM_KEY + 4,
        0x118,
        0x1FC,
        0x200,
        0xFFFF_FFFC,
        RECORD + 16,
        REQUEST,
        REQUEST + 16,
    ];
    match rng.random_range(0..8) {
        0 => counters[rng.random_range(0..counters.len())].address_lo(),
        1 => RECORD,
        _ => fixed[rng.random_range(0..fixed.len())],
    }
}

fn command(rng: &mut ChaCha8Rng, count: u32) -> Vec<u8> {
    let data = |rng: &mut ChaCha8Rng| rng.random::<u32>() >> rng.random_range(0..32);
    let code = rng.random_range(1..5);
    let words = [1, 1, 2, 3, 5][rng.random_range(0..5)];
    // bursts stay where nothing shows time
    let start = match words {
        1 => some_address(rng),
        _ => [
            address::MAGIC,
            address::ITEM_OPERATION,
            RECORD,
            0x200,
            0xFFFF_FFF8,
        ][rng.random_range(0..5)],
    };
    let writes = code % 2 == 1;
    match rng.random_range(0..10) {
        0..3 => {
            let asked = Request {
                tag: rng.random(),
                write: rng.random(),
                address: some_address(rng) + rng.random_range(0..2),
                data: data(rng),
                expect: count.wrapping_add(u32::from(rng.random_bool(0.1))),
            };
            let mut words = asked.encode();
            if rng.random_bool(0.2) {
                words[rng.random_range(0..6)] ^= 1 << rng.random_range(0..32);
            }
            CardHarness::<PipelineModel>::command(1, 6, REQUEST, &words)
        }
        3..9 => {
            let data: Vec<u32> = (0..words).map(|_| data(rng)).collect();
            let data = if writes { &data[..] } else { &[] };
            CardHarness::<PipelineModel>::command(code, words, start, data)
        }
        // a command that synchronisation ends, and the run alone
        9 if rng.random_bool(0.5) => {
            let mut bytes = CardHarness::<PipelineModel>::command(1, 2, REQUEST, &[data(rng); 2]);
            bytes.truncate(rng.random_range(0..bytes.len()));
            bytes.extend([UART_SYNC_BYTE; UART_SYNC_RUN]);
            bytes
        }
        // no command
        _ => {
            let mut bytes: Vec<u8> = (0..6).map(|_| rng.random()).collect();
            bytes[0] = rng.random_range(5..=255);
            bytes
        }
    }
}

#[test]
fn random_commands_give_the_bytes_of_the_bridge_in_software() {
    let geometry = recycling(Some(N), 40);
    let card = || CardModel::new(&geometry).expect("has a card");
    let mut answered = 0;
    for seed in 0..12 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut harness = CardHarness::new(card(), N);
        let device = OverBus {
            harness: CardHarness::with_bus(),
            geometry_hash: geometry.geometry_hash(),
        };
        let mut software = UartResponder::new(Bridge::new(device, Duration::from_secs(1)));
        let start = Instant::now();
        let at = |clock: u64| start + Duration::from_nanos(clock * 1_000_000_000 / CLOCK_HZ);
        let mut count = 0;
        for _ in 0..150 {
            let mut bytes = command(&mut rng, count);
            let cut = rng.random_bool(0.1);
            if cut {
                bytes.truncate(rng.random_range(1..bytes.len()));
            }
            let expected = software.answer(&bytes, at(harness.now));
            harness.send(&bytes);
            // the last answer, or a cut command's end
            harness.run(if cut { TIMEOUT } else { 2_500 });
            let got = harness.taken();
            assert_eq!(got, expected, "seed {seed}: {bytes:02X?}");
            answered += got.len();
            count = harness.card.status().accesses;
        }
        // and in the end the same record
        let record = harness.read(RECORD, 5);
        let read = CardHarness::<PipelineModel>::command(2, 5, RECORD, &[]);
        let software_record = software.answer(&read, at(harness.now));
        let words: Vec<u8> = record.iter().flat_map(|word| word.to_be_bytes()).collect();
        assert_eq!(words, software_record, "seed {seed}");
        let record = Record::decode(&record.try_into().expect("five")).expect("is whole");
        assert!(record.count > 100, "{record:?}");
    }
    assert!(answered > 4_000, "{answered} bytes");
}
