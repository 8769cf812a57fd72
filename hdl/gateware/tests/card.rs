//! The card's blocks one by one: bytes over the line, the queue, the bus.

use bloomline_hdl::card::{ByteQueue, UartReceiver, UartTransmitter};
use bloomline_hdl::{card_verilog, CardFilter};
use bloomline_language::wires::sim::NativeSim;
use bloomline_language::wires::UInt;
use bloomline_spec::{CardSection, FilterSpec, RecyclingGeometry, Uart, CARD_EXAMPLES};
use bloomline_spec::{SLIDING_EXAMPLES, UART_QUEUE_BYTES};
use std::path::Path;

const UART: Uart = Uart {
    baud: 125_000,
    clocks_per_bit: 8,
    timeout_clocks: 1000,
};

fn admit() -> RecyclingGeometry {
    let (file, text) = CARD_EXAMPLES[0];
    let spec = FilterSpec::from_toml(text, Path::new(file)).expect("reads");
    let sizing = spec.validate().expect("is legal");
    sizing.with_threshold(30_000).expect("is legal")
}

/// The level of the line in clock `t` of a byte that begins in clock 0.
fn level(byte: u8, t: usize) -> bool {
    match t / UART.clocks_per_bit as usize {
        0 => false,
        bit @ 1..=8 => byte >> (bit - 1) & 1 == 1,
        _ => true,
    }
}

/// What a receiver makes of a line: the clocks and values of its bytes.
fn received(line: impl IntoIterator<Item = bool>) -> Vec<(usize, u8)> {
    let mut sim = NativeSim::new(UartReceiver::new(&UART), |b| &mut b.clock).expect("settles");
    let mut bytes = Vec::new();
    for (t, level) in line.into_iter().enumerate() {
        sim.block_mut().line.next = level;
        sim.settle().expect("settles");
        if sim.block().received.val() {
            bytes.push((t, sim.block().data.val().get() as u8));
        }
        sim.step().expect("settles");
    }
    bytes
}

#[test]
fn every_byte_is_received_in_the_middle_of_its_stop_bit() {
    let n = UART.clocks_per_bit as usize;
    let line = (0..256).flat_map(|byte| (0..10 * n).map(move |t| level(byte as u8, t)));
    // the line is seen two clocks late, the edge a clock later, then half a bit and nine whole ones
    let first = 2 + n / 2 + 9 * n;
    let expected: Vec<_> = (0..256).map(|i| (first + 10 * n * i, i as u8)).collect();
    assert_eq!(received(line.chain([true; 8])), expected);
}

#[test]
fn a_glitch_is_no_byte_and_one_without_a_stop_bit_is_dropped() {
    let n = UART.clocks_per_bit as usize;
    let glitch = (0..40).map(|t| t >= 3);
    assert_eq!(received(glitch), []);
    let broken = (0..30 * n).map(|t| match t / n {
        0..=11 => false,
        12..=15 => true,
        _ => level(0x5A, t - 16 * n),
    });
    let bytes: Vec<u8> = received(broken).into_iter().map(|(_, byte)| byte).collect();
    assert_eq!(bytes, [0x5A]);
}

#[test]
fn what_the_transmitter_sends_is_the_frame_bit_for_bit() {
    let n = UART.clocks_per_bit as usize;
    let mut sim = NativeSim::new(UartTransmitter::new(&UART), |b| &mut b.clock).expect("settles");
    for byte in [0x00, 0xFF, 0xA5, 0x01, 0x80] {
        assert!(sim.block().idle.val());
        sim.block_mut().data.next = UInt::new(byte.into(), 8);
        sim.block_mut().load.next = true;
        sim.step().expect("settles");
        sim.block_mut().load.next = false;
        for t in 0..10 * n {
            sim.settle().expect("settles");
            assert_eq!(
                sim.block().line.val(),
                level(byte, t),
                "{byte:#x} clock {t}"
            );
            assert!(!sim.block().idle.val());
            sim.step().expect("settles");
        }
    }
}

#[test]
fn the_queue_keeps_sixteen_bytes_in_order_and_drops_the_next() {
    let mut sim = NativeSim::new(ByteQueue::default(), |b| &mut b.clock).expect("settles");
    let depth = UART_QUEUE_BYTES as u8;
    for round in 0..3 {
        sim.block_mut().received.next = true;
        for byte in 0..depth + 2 {
            sim.block_mut().data.next = UInt::new((round * 50 + byte).into(), 8);
            sim.step().expect("settles");
        }
        sim.block_mut().received.next = false;
        for byte in 0..depth {
            sim.block_mut().take.next = true;
            sim.settle().expect("settles");
            assert!(sim.block().any.val());
            assert_eq!(
                sim.block().head.val(),
                UInt::new((round * 50 + byte).into(), 8)
            );
            sim.step().expect("settles");
            sim.block_mut().take.next = false;
            sim.settle().expect("settles");
            assert!(!sim.block().any.val(), "the next is shown a clock later");
            sim.step().expect("settles");
        }
        sim.settle().expect("settles");
        assert!(!sim.block().any.val());
    }
}

#[test]
fn a_byte_that_meets_a_full_queue_is_dropped_though_one_is_taken() {
    let mut sim = NativeSim::new(ByteQueue::default(), |b| &mut b.clock).expect("settles");
    sim.block_mut().received.next = true;
    for _ in 0..UART_QUEUE_BYTES {
        sim.step().expect("settles");
    }
    sim.block_mut().take.next = true;
    sim.step().expect("settles");
    sim.block_mut().received.next = false;
    for _ in 1..UART_QUEUE_BYTES {
        sim.block_mut().take.next = false;
        sim.step().expect("settles");
        assert!(sim.block().any.val());
        sim.block_mut().take.next = true;
        sim.step().expect("settles");
    }
    sim.block_mut().take.next = false;
    sim.step().expect("settles");
    assert!(!sim.block().any.val());
}

#[test]
fn cards_with_and_without_a_uart_have_the_ports_of_the_contract() {
    let uart = top_ports(&admit());
    assert!(uart.starts_with("\nmodule admit_card"), "{uart}");
    assert!(
        uart.contains("uart_rx") && uart.contains("uart_tx"),
        "{uart}"
    );
    assert!(!uart.contains("s_axil"), "{uart}");
    let (file, example) = SLIDING_EXAMPLES[0];
    let mut spec = FilterSpec::from_toml(example, Path::new(file)).expect("reads");
    spec.card = Some(CardSection::default());
    let sliding = spec.sliding().expect("is legal");
    let axil = top_ports(&sliding);
    let nine_bits = |line: &str| line.contains("[8:0]") && line.contains("s_axil_awaddr,");
    assert!(axil.lines().any(nine_bits), "{axil}");
    assert!(!axil.contains("uart"), "{axil}");
}

/// The port list of a card's top module.
fn top_ports(filter: &impl CardFilter) -> String {
    let text = card_verilog(filter, "").expect("can be printed").text();
    let top = text.rfind("\nmodule ").expect("has a top module");
    let (ports, _) = text[top..].split_once(");").expect("has ports");
    ports.to_owned()
}
