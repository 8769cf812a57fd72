//! The card's bus, item port and reset, as its page has them.

use crate::card_model_support::{recycling, CardHarness};
use bloomline_model::{BusInputs, ClockedModel};
use bloomline_spec::registers::{address, RegisterMap, MAGIC};

const OKAY: u8 = 0;
const SLVERR: u8 = 2;
const DECERR: u8 = 3;
const ALL: u8 = 15;
const KEY_0: u32 = address::ITEM_KEY;
const KEY_1: u32 = address::ITEM_KEY + 4;

fn busy(result: u32) -> bool {
    result >> 31 == 1
}

fn sequence(result: u32) -> u32 {
    result >> 24 & 0x7F
}

/// Offers an item by registers; it is on its way when this returns.
fn host_item<M: ClockedModel>(harness: &mut CardHarness<M>, key: u64, operation: u32) {
    for (byte, data) in [
        (address::ITEM_OPERATION, operation),
        (KEY_0, key as u32),
        (KEY_1, (key >> 32) as u32),
    ] {
        assert_eq!(harness.axi_write(byte, data, ALL).0, OKAY);
    }
}

/// Waits until the host's item is done; ITEM_RESULT.
fn result<M: ClockedModel>(harness: &mut CardHarness<M>) -> u32 {
    for _ in 0..100 {
        let result = harness.axi_read(address::ITEM_RESULT).1;
        if !busy(result) {
            return result;
        }
    }
    panic!("the item is never done");
}

#[test]
fn accesses_to_both_slaves_take_the_clocks_of_the_register_file() {
    let mut harness = CardHarness::with_bus();
    for byte in [address::MAX_AGE, address::ITEM_OPERATION] {
        assert_eq!(harness.axi_write(byte, 1, ALL), (OKAY, 2, 3), "{byte:#x}");
        assert_eq!(harness.axi_read(byte), (OKAY, 1, 1, 4), "{byte:#x}");
    }
}

#[test]
fn the_item_port_reads_as_the_map_says_and_refuses_what_it_says() {
    let mut harness = CardHarness::with_bus();
    let map = RegisterMap::of(recycling(None, 40));
    for byte in (0x100..0x200).step_by(4) {
        let (response, data, ..) = harness.axi_read(byte);
        match map.at(byte) {
            Some(register) => {
                assert_eq!((response, Some(data)), (OKAY, register.reset), "{byte:#x}");
                // bits 1:0 of an address are ignored
                assert_eq!(harness.axi_read(byte + 3).1, data);
                if register.access.is_writable() {
                    let too_wide = register.max_value().wrapping_add(1);
                    if too_wide != 0 {
                        assert_eq!(
                            harness.axi_write(byte, too_wide, ALL).0,
                            SLVERR,
                            "{byte:#x}"
                        );
                    }
                    assert_eq!(harness.axi_write(byte, 0, 7).0, SLVERR, "{byte:#x}");
                } else {
                    assert_eq!(harness.axi_write(byte, 0, ALL).0, SLVERR, "{byte:#x}");
                }
            }
            None => {
                assert_eq!((response, data), (DECERR, 0), "{byte:#x}");
                assert_eq!(harness.axi_write(byte, 0, 3).0, DECERR, "{byte:#x}");
            }
        }
    }
    assert_eq!(
        harness.axi_read(address::ITEM_RESULT).1,
        0,
        "nothing was offered"
    );
}

#[test]
fn a_query_after_a_test_and_insert_is_seen_and_each_counts_one() {
    let mut harness = CardHarness::with_bus();
    let key = 0xAB_1234_5678;
    for (operation, seen) in [(0, false), (2, false), (0, true)] {
        let before = sequence(result(&mut harness));
        host_item(&mut harness, key, operation);
        let after = result(&mut harness);
        assert_eq!((sequence(after), after & 1 == 1), (before + 1, seen));
    }
    assert_eq!(harness.verdicts, [], "none of them is the stream's");
}

#[test]
fn an_insert_is_done_without_a_verdict() {
    let mut harness = CardHarness::with_bus();
    host_item(&mut harness, 7, 2);
    result(&mut harness);
    host_item(&mut harness, 7, 0);
    assert_eq!(result(&mut harness), 2 << 24 | 0b0011);
    host_item(&mut harness, 8, 1);
    assert_eq!(result(&mut harness), 3 << 24, "the verdict before is gone");
    host_item(&mut harness, 8, 0);
    assert_eq!(result(&mut harness) & 1, 1);
}

#[test]
fn key_words_alone_repeat_the_operation() {
    let mut harness = CardHarness::with_bus();
    host_item(&mut harness, 1 << 32 | 5, 2);
    result(&mut harness);
    // the highest word alone repeats the lower ones too
    assert_eq!(harness.axi_write(KEY_1, 1, ALL).0, OKAY);
    assert_eq!(result(&mut harness), 2 << 24 | 0b0011);
}

#[test]
fn the_sequence_counts_modulo_128() {
    let mut harness = CardHarness::with_bus();
    for item in 1..=130 {
        host_item(&mut harness, item, 0);
        assert_eq!(sequence(result(&mut harness)), item as u32 % 128);
    }
}

#[test]
fn the_estimate_of_a_counting_filter_stands_beside_the_flags() {
    let mut harness = CardHarness::counting();
    for count in 1..=4 {
        host_item(&mut harness, 9, 2);
        result(&mut harness);
        assert_eq!(harness.axi_read(address::ITEM_ESTIMATE).1, count);
    }
    // a remove has a verdict like a query
    host_item(&mut harness, 9, 3);
    let before = sequence(result(&mut harness));
    assert_eq!(harness.axi_read(address::ITEM_ESTIMATE).1, 3);
    host_item(&mut harness, 9, 1);
    assert_eq!(result(&mut harness), (before + 1) << 24);
    assert_eq!(harness.axi_read(address::ITEM_ESTIMATE).1, 0);
}

#[test]
fn writes_are_refused_while_an_item_is_not_done_and_change_nothing() {
    let mut harness = CardHarness::with_bus();
    // a stream whose verdicts are not taken holds the host's item up
    harness.inputs.m_verdict_tready = false;
    harness.offer(3, 2, 1);
    harness.run(400);
    assert!(!harness.outputs().s_item_tready, "the queue is full");
    host_item(&mut harness, 0x11_0000_0022, 2);
    for byte in [address::ITEM_OPERATION, KEY_0, KEY_1] {
        assert_eq!(harness.axi_write(byte, 1, ALL).0, SLVERR, "{byte:#x}");
    }
    assert!(busy(harness.axi_read(address::ITEM_RESULT).1));
    // the filter's registers are free
    assert_eq!(harness.axi_write(address::MAX_AGE, 1, ALL).0, OKAY);
    harness.inputs.m_verdict_tready = true;
    harness.inputs.s_item_tvalid = false;
    harness.run(400);
    assert_eq!(sequence(result(&mut harness)), 1);
    assert_eq!(harness.axi_read(address::ITEM_OPERATION).1, 2);
    assert_eq!(harness.axi_read(KEY_0).1, 0x22);
    assert_eq!(harness.axi_read(KEY_1).1, 0x11);
}

#[test]
fn the_hosts_item_costs_the_stream_one_clock_and_never_takes_back_an_offer() {
    let mut harness = CardHarness::with_bus();
    let mut accepted = Vec::new();
    let mut low = Vec::new();
    let mut tag = 0;
    let writes = [
        (address::ITEM_OPERATION, 0),
        (KEY_0, 0xFFFF_FFFF),
        (KEY_1, 0xFF),
    ];
    let mut writes = writes.into_iter();
    let mut left = 0;
    for clock in 0..200_u64 {
        harness.offer(u128::from(clock % 7), 0, tag % 32);
        if left == 0 {
            if let Some((byte, data)) = writes.next() {
                harness.inputs.s_axil = BusInputs {
                    awvalid: true,
                    awaddr: byte as u16,
                    wvalid: true,
                    wdata: data,
                    wstrb: ALL,
                    bready: true,
                    ..BusInputs::default()
                };
                left = 4;
            }
        }
        let shown = harness.outputs();
        if shown.s_item_tready {
            accepted.push(tag % 32);
            tag += 1;
        } else {
            low.push(clock);
        }
        harness.clock();
        if shown.s_axil.awready {
            (harness.inputs.s_axil.awvalid, harness.inputs.s_axil.wvalid) = (false, false);
        }
        left = left.max(1) - 1;
    }
    harness.inputs.s_item_tvalid = false;
    harness.run(100);
    assert_eq!(low.len(), 1, "one clock: {low:?}");
    let tags: Vec<u64> = harness.verdicts.iter().map(|&(_, tag)| tag).collect();
    assert_eq!(
        tags, accepted,
        "every item of the stream has its verdict, in order"
    );
    assert_eq!(sequence(result(&mut harness)), 1);
}

#[test]
fn a_grant_stands_until_the_filter_is_ready() {
    let mut harness = CardHarness::with_bus();
    // a clear holds the filter's ready low; the host's item comes behind it
    assert_eq!(harness.axi_write(address::CONTROL, 1, ALL).0, OKAY);
    host_item(&mut harness, 5, 2);
    assert!(busy(harness.axi_read(address::ITEM_RESULT).1));
    assert_eq!(result(&mut harness), 1 << 24);
    host_item(&mut harness, 5, 0);
    assert_eq!(result(&mut harness) & 1, 1, "it came after the clear");
}

#[test]
fn a_read_and_a_write_run_side_by_side_on_both_slaves() {
    let mut harness = CardHarness::with_bus();
    for (write, read) in [
        (address::MAX_AGE, address::ITEM_RESULT),
        (address::ITEM_OPERATION, address::MAGIC),
        (address::ITEM_OPERATION, address::ITEM_PORT),
        (address::MAX_AGE, address::MAGIC),
    ] {
        harness.inputs.s_axil = BusInputs {
            awvalid: true,
            awaddr: write as u16,
            wvalid: true,
            wdata: 2,
            wstrb: ALL,
            bready: true,
            arvalid: true,
            araddr: read as u16,
            rready: true,
        };
        let mut written = None;
        let mut data = None;
        for clock in 0..5 {
            let shown = harness.outputs().s_axil;
            written = written.or(shown.written.map(|response| (response, clock)));
            data = data.or(shown.read.map(|read| (read.data, clock)));
            harness.clock();
            harness.inputs.s_axil.awvalid &= !shown.awready;
            harness.inputs.s_axil.wvalid &= !shown.awready;
            harness.inputs.s_axil.arvalid &= !shown.arready;
        }
        let expected = match read {
            address::MAGIC => MAGIC,
            address::ITEM_PORT => 9,
            _ => 0,
        };
        assert_eq!((written, data), (Some((OKAY, 3)), Some((expected, 4))));
    }
}

#[test]
fn a_second_address_waits_for_the_first_answer() {
    let mut harness = CardHarness::with_bus();
    harness.inputs.s_axil = BusInputs {
        arvalid: true,
        araddr: address::ITEM_PORT as u16,
        ..BusInputs::default()
    };
    harness.run(2);
    // the next read, of the other slave, stands there while the answer is not taken
    harness.inputs.s_axil.araddr = address::MAGIC as u16;
    for _ in 0..20 {
        harness.clock();
        assert!(!harness.outputs().s_axil.arready);
    }
    assert_eq!(harness.outputs().s_axil.read.map(|read| read.data), Some(9));
    harness.inputs.s_axil.rready = true;
    let mut clocks = 0;
    while harness.outputs().s_axil.read.map(|read| read.data) != Some(MAGIC) {
        harness.clock();
        clocks += 1;
    }
    assert_eq!(clocks, 5, "taken in the clock after the first answer was");
}

#[test]
fn reset_in_the_middle_of_an_item_leaves_the_port_as_at_power_up() {
    for clocks in 0..60 {
        let mut harness = CardHarness::with_bus();
        host_item(&mut harness, 0xFF_0000_0001, 2);
        harness.run(clocks);
        harness.inputs.reset = true;
        harness.clock();
        harness.inputs.reset = false;
        harness.run(100);
        for byte in [address::ITEM_RESULT, address::ITEM_OPERATION, KEY_0, KEY_1] {
            assert_eq!(
                harness.axi_read(byte).1,
                0,
                "{byte:#x}, reset after {clocks} clocks"
            );
        }
        host_item(&mut harness, 1, 0);
        assert_eq!(result(&mut harness), 1 << 24, "reset after {clocks} clocks");
        assert_eq!(harness.verdicts, []);
    }
}
