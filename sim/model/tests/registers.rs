//! The register map through the bus: values, responses, handshakes.

use crate::common::harness::{Access, Harness, Traffic};
use crate::common::Shape;
use bloomline_model::{input_ports, output_ports, Inputs, Outputs, PipelineModel};
use bloomline_spec::ports::{filter_ports, packed_words};
use bloomline_spec::registers::{
    address, Access as Kind, RecyclingCounter, RegisterMap, RESPONSE_DECERR, RESPONSE_OKAY,
    RESPONSE_SLVERR,
};
use bloomline_spec::{Key, RecycleOn};

const QUIET: Traffic = Traffic {
    items: 0,
    verdict_ready: 100,
    response_ready: 50,
    keys: 600,
};

#[test]
fn every_address_reads_as_the_register_map_says() {
    for on in [RecycleOn::BitsSet, RecycleOn::Messages] {
        let mut harness = Harness::new(
            Shape {
                on,
                threshold: 99,
                ..Shape::default()
            },
            QUIET,
            1,
        );
        harness.run(500);
        let map = RegisterMap::of(&harness.geometry);
        for byte_address in (0..256).step_by(4) {
            let (data, response) = harness.read_now(byte_address);
            match map.at(byte_address) {
                None => assert_eq!((data, response), (0, RESPONSE_DECERR), "{byte_address:#x}"),
                // The counters of stalls have moved since reset; they have a test of their own.
                Some(register) if register.name.starts_with("STALL_CONTROL") => {
                    assert_eq!(response, RESPONSE_OKAY)
                }
                Some(register) => {
                    assert_eq!(response, RESPONSE_OKAY, "{}", register.name);
                    if let Some(reset) = register.reset {
                        assert_eq!(data, reset, "{}", register.name);
                    }
                }
            }
            assert_eq!(
                harness.read_now(byte_address + 3).1,
                response,
                "address bits 1:0 are ignored"
            );
        }
    }
}

#[test]
fn status_shows_the_epochs_after_the_first_two_forces() {
    let mut harness = Harness::new(Shape::default(), QUIET, 2);
    harness.run(500);
    // Running; half 0 active again after two forces; epoch 2; 14 spare and covered: four words were refreshed long ago; two turns.
    assert_eq!(
        harness.read_now(address::STATUS),
        (1 | 2 << 4 | 14 << 8 | 1 << 12 | 2 << 16, RESPONSE_OKAY)
    );
}

#[test]
fn writes_answer_as_the_register_map_says_and_illegal_ones_change_nothing() {
    let mut harness = Harness::new(Shape::default(), QUIET, 3);
    harness.run(500);
    let map = RegisterMap::of(&harness.geometry);
    for byte_address in (0..256).step_by(4) {
        let register = map.at(byte_address);
        let legal = match register {
            None => RESPONSE_DECERR,
            Some(register) if register.access.is_writable() => RESPONSE_OKAY,
            Some(_) => RESPONSE_SLVERR,
        };
        let illegal = if register.is_none() {
            RESPONSE_DECERR
        } else {
            RESPONSE_SLVERR
        };
        let too_wide = register.map_or(u32::MAX, |register| register.max_value().saturating_add(1));
        let mut expected = vec![legal, illegal, illegal];
        let address = byte_address as u8;
        harness.accesses.extend([
            Access::Write {
                address,
                data: 1,
                strobes: 0b1111,
            },
            Access::Write {
                address,
                data: 0,
                strobes: 0b0111,
            },
            Access::Write {
                address,
                data: 0,
                strobes: 0b1110,
            },
        ]);
        if too_wide != u32::MAX {
            harness.accesses.push_back(Access::Write {
                address,
                data: too_wide,
                strobes: 0b1111,
            });
            expected.push(illegal);
        }
        harness.answers.clear();
        harness.finish_accesses();
        let responses: Vec<u32> = harness
            .answers
            .iter()
            .map(|(_, _, response)| *response)
            .collect();
        assert_eq!(responses, expected, "{byte_address:#x}");
        if let Some(register) = register.filter(|register| register.access == Kind::ReadWrite) {
            assert_eq!(
                harness.read_now(byte_address),
                (1, RESPONSE_OKAY),
                "{}",
                register.name
            );
        }
    }
    harness.reset(1);
    harness.run(500);
    assert_eq!(
        harness.read_now(address::THRESHOLD).0,
        200,
        "reset restores the specification's threshold"
    );
    assert_eq!(harness.read_now(address::MAX_AGE).0, 0);
}

#[test]
fn a_high_half_belongs_to_the_last_low_half_read() {
    let mut harness = Harness::new(Shape::default(), Traffic::FULL, 4);
    harness.run(5_000);
    let before = harness.model.status().counter(RecyclingCounter::Items);
    let (low, _) = harness.read_now(RecyclingCounter::Items.address_lo());
    let after = harness.model.status().counter(RecyclingCounter::Items);
    assert!(
        (before..=after).contains(&u64::from(low)) && before > 0,
        "{before} <= {low} <= {after}"
    );
    assert_eq!(harness.read_now(RecyclingCounter::Items.address_hi()).0, 0);
}

#[test]
fn a_read_during_a_reset_is_dropped() {
    let mut harness = Harness::new(Shape::default(), QUIET, 5);
    harness.run(500);
    for clocks in 0..12 {
        harness.accesses.push_back(Access::Read {
            address: address::MAGIC as u8,
        });
        harness.run(clocks);
        harness.reset(1);
        // The harness checks that no response is shown behind a reset; a read begun afresh is answered.
        harness.finish_accesses();
        assert_eq!(
            harness.read_now(address::MAGIC),
            (bloomline_spec::registers::MAGIC, RESPONSE_OKAY)
        );
    }
}

#[test]
fn a_write_is_answered_three_clocks_and_a_read_four_clocks_after_it_is_taken() {
    let mut model = PipelineModel::new(&Shape::default().geometry());
    let write = Inputs {
        s_axil_awvalid: true,
        s_axil_awaddr: address::MAX_AGE as u8,
        s_axil_wvalid: true,
        s_axil_wdata: 77,
        s_axil_wstrb: 15,
        ..Inputs::default()
    };
    let take_write = Inputs {
        s_axil_bready: true,
        ..Inputs::default()
    };
    let mut trace = Vec::new();
    for clock in 0..4 {
        let outputs = model.outputs();
        trace.push((
            outputs.s_axil_awready,
            outputs.s_axil_wready,
            outputs.s_axil_bvalid,
        ));
        model.clock(if clock < 3 { &write } else { &take_write });
    }
    assert_eq!(
        trace,
        [
            (false, false, false),
            (false, false, false),
            (true, true, false),
            (false, false, true)
        ]
    );
    assert!(!model.outputs().s_axil_bvalid);
    let read = Inputs {
        s_axil_arvalid: true,
        s_axil_araddr: address::MAX_AGE as u8,
        ..Inputs::default()
    };
    let mut trace = Vec::new();
    for clock in 0..5 {
        let outputs = model.outputs();
        trace.push((outputs.s_axil_arready, outputs.s_axil_rvalid));
        let take_read = Inputs {
            s_axil_rready: clock == 4,
            ..Inputs::default()
        };
        model.clock(if clock < 2 { &read } else { &take_read });
        assert!(clock != 4 || outputs.s_axil_rdata == Some(77));
    }
    let quiet = (false, false);
    assert_eq!(trace, [quiet, (true, false), quiet, quiet, (false, true)]);
    assert!(!model.outputs().s_axil_rvalid);
}

#[test]
fn ports_pack_in_order_and_unpack_to_themselves() {
    for key_bits in [10, 64, 104, 130, 512] {
        let geometry = Shape {
            key_bits,
            ..Shape::default()
        }
        .geometry();
        let key_words = key_bits.div_ceil(64) as usize;
        let mut inputs = Inputs {
            s_item_tvalid: true,
            s_item_tuser: 2,
            s_item_tid: 0xBEEF,
            s_axil_awaddr: 0x54,
            s_axil_wdata: 0xDEAD_BEEF,
            s_axil_wstrb: 5,
            s_axil_bready: true,
            s_axil_araddr: 0x90,
            s_axil_rready: true,
            ..Inputs::default()
        };
        inputs.set_key(
            &Key::from_integer(1 << (key_bits.min(128) - 1) | 1, key_bits as u32).expect("fits"),
        );
        let input_ports = input_ports(&geometry);
        let mut words = vec![0; packed_words(&input_ports)];
        assert_eq!(words.len(), 14 + key_words);
        inputs.pack(key_bits as u32, &mut words);
        assert_eq!(Inputs::unpack(&words, key_bits as u32), inputs);
        let offset = |name: &str| -> usize {
            input_ports
                .iter()
                .take_while(|port| port.name != name)
                .map(|port| port.words())
                .sum()
        };
        assert_eq!(words[offset("s_item_tid")], 0xBEEF);
        assert_eq!(words[offset("s_axil_wdata")], 0xDEAD_BEEF);
        assert_eq!(words[offset("s_axil_rready")], 1);
    }
}

#[test]
fn a_payload_is_compared_only_while_it_is_valid() {
    let geometry = Shape::default().geometry();
    let output_ports = output_ports(&geometry);
    let mut words = vec![u64::MAX; packed_words(&output_ports)];
    let mut care = words.clone();
    Outputs {
        m_verdict_tvalid: true,
        m_verdict_tdata: Some(0b1011),
        m_verdict_tid: Some(0x1234),
        ..Outputs::default()
    }
    .pack(4, 16, &mut words, &mut care);
    for (port, (word, care)) in output_ports.iter().zip(words.iter().zip(&care)) {
        let (expected, cared) = match port.name.as_str() {
            "m_verdict_tvalid" => (1, 1),
            "m_verdict_tdata" => (0b1011, 15),
            "m_verdict_tid" => (0x1234, 0xFFFF),
            "s_axil_bresp" | "s_axil_rdata" | "s_axil_rresp" => (0, 0),
            _ => (0, 1),
        };
        assert_eq!((*word, *care), (expected, cared), "{}", port.name);
    }
    assert_eq!(filter_ports(&geometry).len(), 28);
}
