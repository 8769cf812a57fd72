//! The card's UART, bridge and mailbox, byte for byte on the pins.

use crate::card_model_support::{CardHarness, TIMEOUT};
use bloomline_driver::mailbox::{Record, Request, RECORD, RECORD_WORDS, REQUEST};
use bloomline_model::PipelineModel;
use bloomline_spec::registers::{address, MAGIC};
use bloomline_spec::{UART_SYNC_BYTE, UART_SYNC_RUN};

type Card = CardHarness<PipelineModel>;

/// Clocks a bit: the least, and an odd number.
const BITS: [u64; 2] = [8, 13];

fn record(harness: &mut Card) -> Record {
    let words = harness.read(RECORD, RECORD_WORDS as u8);
    Record::decode(&words.try_into().expect("five")).expect("a record is never damaged")
}

/// Sends the words as a request and gives the record afterwards.
fn post(harness: &mut Card, words: &[u32]) -> Record {
    harness.write(REQUEST, words);
    record(harness)
}

fn request(write: bool, address: u32, data: u32, expect: u32) -> Request {
    Request {
        tag: 0xBEEF,
        write,
        address,
        data,
        expect,
    }
}

#[test]
fn a_read_is_answered_most_significant_byte_first() {
    for n in BITS {
        let mut harness = Card::with_uart(n);
        harness.send(&Card::command(2, 2, address::MAGIC, &[]));
        harness.run(9 * 10 * n + 200);
        let expected = [MAGIC.to_be_bytes(), 1_u32.to_be_bytes()].concat();
        assert_eq!(harness.taken(), expected, "{n} clocks a bit");
    }
}

#[test]
fn an_answer_begins_as_soon_as_the_record_is_made() {
    let n = 8;
    let mut harness = Card::with_uart(n);
    let start = harness.now;
    harness.send(&Card::command(2, 1, address::MAGIC, &[]));
    harness.run(50 * n);
    // received in the middle of the last stop bit, shown by the queue two clocks later, acted upon in the next; ACCESS for two clocks, BUS for six, CHECK for
    // 16, the load, and the start bit
    let received = start + 5 * 10 * n + 2 + n / 2 + 9 * n;
    let expected = received + 2 + 1 + 1 + 2 + 6 + 16 + 1;
    assert_eq!(
        harness.sent.first().map(|&(clock, _)| clock),
        Some(expected),
        "{:?}",
        harness.sent
    );
    // and every byte follows the one before, a clock after its stop bit
    for (place, &(clock, _)) in harness.sent.iter().enumerate() {
        assert_eq!(clock, expected + place as u64 * (10 * n + 1));
    }
}

#[test]
fn a_burst_of_writes_is_an_item_and_reads_back() {
    for n in BITS {
        let mut harness = Card::with_uart(n);
        for seen in [0, 0b0011] {
            harness.write(address::ITEM_OPERATION, &[2, 0x8899_AABB, 0xCC]);
            let item = harness.read(address::ITEM_RESULT, 6);
            assert_eq!(item[0] & 0x8000_000F, seen);
            // 0x114 and 0x118 are no registers and read as 0
            assert_eq!(item[1..], [0, 0, 2, 0x8899_AABB, 0xCC]);
        }
    }
}

#[test]
fn commands_of_one_address_stay_there() {
    let mut harness = Card::with_uart(8);
    harness.send(&Card::command(3, 3, address::MAX_AGE, &[5, 6, 7]));
    harness.run(60);
    assert_eq!(harness.read_one(address::MAX_AGE), 7);
    assert_eq!(harness.read_one(address::BITS_ACTIVE), 0);
    let words = harness.ask(&Card::command(4, 3, address::MAX_AGE, &[]), 3);
    assert_eq!(words, [7; 3]);
    assert_eq!(record(&mut harness).count, 3 + 2 + 3);
}

#[test]
fn length_0_is_256_words() {
    let mut harness = Card::with_uart(8);
    let words = harness.ask(&Card::command(4, 0, address::MAGIC, &[]), 256);
    assert_eq!(words, [MAGIC; 256]);
    assert_eq!(record(&mut harness).count, 256);
}

#[test]
fn addresses_wrap_round_the_bus() {
    let mut harness = Card::with_uart(8);
    assert_eq!(harness.read(0xFFFF_FFFC, 2), [0, MAGIC]);
    let record = record(&mut harness);
    assert_eq!((record.count, record.address), (2, 0));
}

#[test]
fn an_unknown_command_is_passed_over_with_its_length_and_address() {
    for code in [0, 5, 0x80, 0xFF] {
        let mut harness = Card::with_uart(8);
        harness.send(&Card::command(code, 2, address::MAX_AGE, &[]));
        assert_eq!(harness.read_one(address::MAGIC), MAGIC, "command {code}");
        assert_eq!(record(&mut harness).count, 1, "only the read was made");
    }
}

#[test]
fn an_access_beyond_the_registers_is_refused_by_the_bridge() {
    let mut harness = Card::with_uart(8);
    harness.write(0x200, &[0x1234]);
    let after = record(&mut harness);
    assert_eq!((after.write, after.response), (true, 3));
    assert_eq!((after.address, after.data), (0x200, 0x1234));
    assert_eq!(harness.read_one(0xFFFF_0000), 0);
    let after = record(&mut harness);
    assert_eq!((after.write, after.response, after.data), (false, 3, 0));
}

#[test]
fn refusals_of_the_device_stand_in_the_record() {
    let mut harness = Card::with_uart(8);
    for (byte, response) in [(address::MAX_AGE, 0), (address::MAGIC, 2), (0x1FC, 3)] {
        harness.write(byte, &[9]);
        let after = record(&mut harness);
        assert_eq!((after.response, after.data), (response, 9), "{byte:#x}");
    }
}

#[test]
fn a_command_that_is_not_complete_in_time_is_dropped() {
    let n = 8;
    // of a read with one byte missing, of a write with none of its data, of one in the middle of a word
    let read = Card::command(2, 1, address::MAGIC, &[]);
    let write = Card::command(1, 2, address::MAX_AGE, &[5, 6]);
    for (bytes, whole) in [
        (&read, 1),
        (&read, 5),
        (&write, 6),
        (&write, 8),
        (&write, 12),
    ] {
        let mut harness = Card::with_uart(n);
        harness.send(&bytes[..whole]);
        harness.run(TIMEOUT);
        assert_eq!(
            harness.read_one(address::MAGIC),
            MAGIC,
            "{whole} of {bytes:02X?}"
        );
        let max_age = harness.read_one(address::MAX_AGE);
        assert_eq!(max_age, if whole == 12 { 5 } else { 0 });
    }
}

#[test]
fn the_last_byte_may_come_in_the_last_clock_of_the_time_and_no_later() {
    let n = 8;
    // From the clock in which a byte is shown first to the one in which the bridge may take it.
    let to_head = 2 + n / 2 + 9 * n + 1;
    for (late, answered) in [(0, true), (1, false)] {
        let mut harness = Card::with_uart(n);
        let command = Card::command(2, 1, address::MAGIC, &[]);
        let first_taken = harness.now + to_head;
        harness.send(&command[..5]);
        // it acts a clock later, and the clock of the drop is first_taken + 2 + TIMEOUT
        let last_taken = first_taken + 1 + TIMEOUT + late;
        harness.run(last_taken - to_head - harness.now);
        harness.send(&command[5..]);
        harness.run(60 * n);
        assert_eq!(
            harness.taken().len(),
            if answered { 4 } else { 0 },
            "{late}"
        );
        // what came late is the beginning of the next command: its five other bytes are passed over with it
        if !answered {
            harness.send(&[0; 5]);
        }
        assert_eq!(harness.read_one(address::MAGIC), MAGIC);
    }
}

#[test]
fn a_burst_that_outlives_its_time_is_dropped_in_its_next_data() {
    // The bytes come all the time, and somewhere the time is over, wherever the bridge is in that clock.
    for n in 8..14 {
        let mut harness = Card::with_uart(n);
        let words: Vec<u32> = (1..=10).collect();
        harness.send(&Card::command(3, 10, address::MAX_AGE, &words));
        harness.run(TIMEOUT + 60);
        let written = u64::from(harness.read_one(address::MAX_AGE));
        let byte = 10 * n;
        // data word i is complete with byte 6 + 4 i of the command
        let in_time = (TIMEOUT - 5 * byte) / (4 * byte);
        assert!(
            written.abs_diff(in_time.min(10)) <= 1,
            "{n} clocks a bit: {written} written, {in_time} in time"
        );
    }
}

#[test]
fn what_the_queue_does_not_hold_is_dropped() {
    let n = 8;
    let mut harness = Card::with_uart(n);
    // While a long answer is sent, the bridge takes nothing: 16 bytes are kept, the others lost.
    let long = Card::command(4, 8, address::MAGIC, &[]);
    let short = Card::command(2, 1, address::VERSION, &[]);
    let mut bytes = long;
    bytes.extend([short.as_slice(), &short, &short].concat());
    harness.send(&bytes);
    harness.run(100 * 10 * n);
    // The third command lost its last two bytes, and with them what waited is not trusted.
    assert_eq!(harness.taken().len(), 8 * 4);
    harness.run(TIMEOUT);
    assert_eq!(harness.read_one(address::MAGIC), MAGIC);
}

#[test]
fn a_glitch_a_break_and_noise_lose_nothing_behind_them() {
    for n in BITS {
        let mut harness = Card::with_uart(n);
        for (low, high) in [(1, 20), (n / 2, 20), (11 * n, 3), (40 * n, 3)] {
            harness.inputs.uart_rx = false;
            harness.run(low);
            harness.inputs.uart_rx = true;
            harness.run(high);
            assert_eq!(harness.read_one(address::MAGIC), MAGIC, "{low} clocks low");
        }
    }
}

#[test]
fn a_good_request_makes_its_access_once() {
    let mut harness = Card::with_uart(8);
    let write = request(true, address::MAX_AGE, 77, 0);
    let after = post(&mut harness, &write.encode());
    assert!(after.answers(&write), "{after:?}");
    assert_eq!((after.response, after.tag), (0, 0xBEEF));
    // again: the count has moved on
    assert_eq!(post(&mut harness, &write.encode()), after);
    let read = request(false, address::MAX_AGE, 0, 1);
    let after = post(&mut harness, &read.encode());
    assert!(after.answers(&read));
    assert_eq!((after.response, after.data), (0, 77));
    // its last word alone makes it again, were it not for the count
    harness.write(REQUEST + 20, &read.encode()[5..]);
    assert_eq!(record(&mut harness), after);
}

#[test]
fn a_request_is_refused_as_the_device_refuses() {
    let mut harness = Card::with_uart(8);
    for (count, (write, byte, response)) in (0..).zip([
        (true, address::MAGIC, 2),
        (false, 0x118, 3),
        (true, 0x200, 3),
        (false, 0xA5A5_A520, 3),
    ]) {
        let asked = request(write, byte, 5, count);
        let after = post(&mut harness, &asked.encode());
        assert!(after.answers(&asked), "{asked:?}: {after:?}");
        assert_eq!(after.response, response);
        assert_eq!(after.data, if write { 5 } else { 0 });
    }
}

#[test]
fn a_bad_request_does_nothing() {
    let good = request(true, address::MAX_AGE, 77, 0).encode();
    let mut bad = Vec::new();
    for word in 0..6 {
        for bit in [0, 7, 12, 31] {
            let mut damaged = good;
            damaged[word] ^= 1 << bit;
            bad.push(damaged.to_vec());
        }
    }
    // another mark, another count, bits of no meaning: each with a check that is right
    bad.push(request(true, address::MAX_AGE, 77, 1).encode().to_vec());
    bad.push(vec![0; 6]);
    bad.push(vec![u32::MAX; 6]);
    // words in the wrong order
    bad.push(good.iter().rev().copied().collect());
    let mut harness = Card::with_uart(8);
    for words in bad {
        assert_eq!(
            post(&mut harness, &words),
            Record::default(),
            "{words:08X?}"
        );
    }
    assert_eq!(post(&mut harness, &good).count, 1);
}

#[test]
fn a_request_may_come_in_pieces_and_its_last_word_makes_it() {
    let mut harness = Card::with_uart(8);
    let words = request(true, address::MAX_AGE, 3, 0).encode();
    harness.write(REQUEST + 20, &words[5..]);
    assert_eq!(record(&mut harness).count, 0, "the others are 0 still");
    for place in [3, 0, 4, 2, 1] {
        harness.write(REQUEST + 4 * place as u32, &words[place..=place]);
        assert_eq!(record(&mut harness).count, 0);
    }
    assert_eq!(post(&mut harness, &words[5..]).count, 0, "that was word 0");
    harness.write(REQUEST, &words[..1]);
    harness.write(REQUEST + 20, &words[5..]);
    assert_eq!(record(&mut harness).count, 1);
}

#[test]
fn the_mailbox_is_read_and_written_where_it_is_for_that() {
    let mut harness = Card::with_uart(8);
    // a read of the request and a write of the record go to the device, which has neither
    assert_eq!(harness.read_one(REQUEST), 0);
    let after = record(&mut harness);
    assert_eq!((after.count, after.response), (1, 3));
    harness.write(RECORD, &[1]);
    let after = record(&mut harness);
    assert_eq!((after.count, after.response, after.write), (2, 3, true));
    // behind its fifth word
    assert_eq!(harness.read(RECORD + 16, 2)[1], 0);
    assert_eq!(record(&mut harness).count, 3);
}

#[test]
fn the_record_at_reset_is_zero_with_its_mark_and_check() {
    let mut harness = Card::with_uart(8);
    assert_eq!(record(&mut harness), Record::default());
    harness.read_one(address::MAGIC);
    assert_eq!(record(&mut harness).count, 1);
    harness.inputs.reset = true;
    harness.clock();
    harness.inputs.reset = false;
    assert_eq!(record(&mut harness), Record::default());
}

#[test]
fn reset_in_the_middle_of_anything_leaves_the_uart_as_at_power_up() {
    let asked = request(true, address::ITEM_OPERATION, 2, 0).encode();
    let mut bytes = Card::command(1, 6, REQUEST, &asked);
    bytes.extend(Card::command(2, 5, RECORD, &[]));
    let whole = (bytes.len() + 20) as u64 * 81;
    let probe = |harness: &mut Card| {
        let asked = request(true, address::MAX_AGE, 4, 0);
        let after = post(harness, &asked.encode());
        assert!(after.answers(&asked), "{after:?}");
        assert_eq!(
            harness.read(address::ITEM_RESULT, 6)[3],
            0,
            "ITEM_OPERATION"
        );
    };
    for reset_at in (0..whole).step_by(53) {
        let mut harness = Card::with_uart(8);
        let mut left = bytes.iter();
        let mut sending = std::iter::empty().collect::<Vec<bool>>().into_iter();
        for _ in 0..reset_at {
            if sending.len() == 0 {
                if let Some(&byte) = left.next() {
                    let frame = u16::from(byte) << 1 | 1 << 9;
                    sending = (0..80)
                        .map(|clock| frame >> (clock / 8) & 1 == 1)
                        .collect::<Vec<bool>>()
                        .into_iter();
                }
            }
            harness.inputs.uart_rx = sending.next().unwrap_or(true);
            harness.clock();
        }
        harness.inputs.uart_rx = true;
        harness.inputs.reset = true;
        harness.clock();
        assert!(harness.outputs().uart_tx);
        harness.inputs.reset = false;
        // an answer may have been cut off on the pin: the line rests, then what it gave is thrown away
        harness.run(200);
        harness.taken();
        probe(&mut harness);
    }
}

#[test]
fn a_run_of_synchronisation_bytes_ends_half_a_command_without_waiting() {
    let n = 8;
    let run = [UART_SYNC_BYTE; UART_SYNC_RUN];
    let request = Card::command(1, 6, REQUEST, &[0x8080_8080; 6]);
    for cut in [
        &[2, 1, 0][..],
        &request[..6],
        &request[..15],
        &Card::command(1, 9, address::MAX_AGE, &[])[..],
        &run[1..],
    ] {
        for more in [0, 1, 5] {
            let mut harness = Card::with_uart(n);
            harness.send(cut);
            harness.send(&run);
            harness.send(&run[..more]);
            assert_eq!(harness.read_one(address::MAGIC), MAGIC, "{cut:x?} {more}");
        }
    }
    // One byte less ends nothing.
    let mut harness = Card::with_uart(n);
    harness.send(&run[1..]);
    harness.send(&Card::command(2, 1, address::MAGIC, &[]));
    harness.run(200 * n);
    assert!(harness.taken().is_empty());
}

#[test]
fn the_word_that_a_run_would_complete_is_not_written() {
    let mut harness = Card::with_uart(8);
    harness.send(&Card::command(1, 3, address::MAX_AGE, &[]));
    harness.send(&[UART_SYNC_BYTE; UART_SYNC_RUN]);
    let word = u32::from_be_bytes([UART_SYNC_BYTE; 4]);
    assert_eq!(
        harness.read_one(address::MAX_AGE),
        word,
        "of the cut command"
    );
    let after = record(&mut harness);
    assert_eq!(
        (after.write, after.count),
        (false, 2),
        "one word, and the read"
    );
}

#[test]
fn nothing_behind_a_byte_that_was_dropped_is_carried_out() {
    let n = 8;
    let write = |value: u32| Card::command(1, 1, address::MAX_AGE, &[value]);
    for silence in [false, true] {
        let mut harness = Card::with_uart(n);
        // An answer of 256 bytes, during which the queue takes sixteen of those that come.
        harness.send(&Card::command(4, 64, address::MAGIC, &[]));
        harness.send(&[1, 2, 3]);
        (0..4).for_each(|_| harness.send(&write(77)));
        // to the answer's end, and not for the time-out behind it
        harness.run(220 * 10 * n);
        assert_eq!(harness.taken(), MAGIC.to_be_bytes().repeat(64));
        harness.send(&write(78));
        harness.send(&Card::command(2, 1, address::MAGIC, &[]));
        harness.run(300 * n);
        assert!(harness.taken().is_empty());
        match silence {
            true => harness.run(TIMEOUT),
            false => harness.send(&[UART_SYNC_BYTE; UART_SYNC_RUN]),
        }
        assert_eq!(harness.read_one(address::MAX_AGE), 0);
        assert_eq!(record(&mut harness).count, 64 + 1);
        harness.send(&write(79));
        assert_eq!(harness.read_one(address::MAX_AGE), 79);
    }
}
