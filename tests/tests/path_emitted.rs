//! The emitted Verilog of packet paths is what other tools take without a word; golden files hold it to the byte.

use bloomline_hdl::path_verilog;
use bloomline_language::emit::EmitError;
use bloomline_spec::{
    CardSection, FilterSpec, KeySource, Tunnel, CARD_EXAMPLES, CELL_EXAMPLES, PACKET_EXAMPLES,
    SHARED_ARRAY_EXAMPLES, SLIDING_EXAMPLES,
};
use bloomline_tests::{few, EmittedText};
use std::path::Path;
use std::sync::OnceLock;

fn spec((file, text): (&str, &str)) -> FilterSpec {
    FilterSpec::from_toml(text, Path::new(file)).expect("reads")
}

fn inline() -> FilterSpec {
    spec(PACKET_EXAMPLES[0])
}

/// The example with other beats and another key.
fn sample(data_bits: u64, source: KeySource, uart: bool) -> FilterSpec {
    let mut sample = inline();
    sample.name = format!("path{data_bits}_{}", source.word().replace('-', "_"));
    sample.key.source = Some(source);
    if !uart {
        sample.card = Some(CardSection { uart_baud: None });
    }
    let packet = sample.packet.as_mut().expect("has one");
    packet.data_bits = data_bits;
    sample
}

/// The same, which opens every tunnel.
fn opening(data_bits: u32, source: KeySource, uart: bool) -> FilterSpec {
    let mut opening = sample(data_bits.into(), source, uart);
    opening.name = format!("opening{data_bits}");
    let packet = opening.packet.as_mut().expect("has one");
    packet.tunnels = Tunnel::ALL.to_vec();
    opening
}

/// The path of the example around another filter.
fn around(filter: (&str, &str), data_bits: u64, uart: bool) -> FilterSpec {
    let mut around = spec(filter);
    let inline = sample(data_bits, KeySource::Ipv4FiveTuple, uart);
    around.key.bits = None;
    around.key.source = inline.key.source;
    around.card = inline.card;
    around.packet = inline.packet;
    around.target = inline.target;
    around
}

/// Every width, with and without a UART, every kind of key and of filter; in a quick test the first two.
fn print() -> Vec<EmittedText> {
    let specs = [
        inline(),
        opening(8, KeySource::Ipv6FiveTuple, false),
        sample(8, KeySource::Ipv6FiveTuple, false),
        sample(8, KeySource::FrameDigest, false),
        sample(64, KeySource::SrcIp, true),
        opening(64, KeySource::Ipv4FiveTuple, true),
        sample(64, KeySource::FrameDigest, false),
        sample(512, KeySource::Ipv4FiveTuple, false),
        sample(512, KeySource::FrameDigest, true),
        around(SHARED_ARRAY_EXAMPLES[0], 8, true),
        around(CELL_EXAMPLES[0], 64, true),
        around(CELL_EXAMPLES[2], 64, false),
        around(SLIDING_EXAMPLES[0], 8, false),
    ];
    let printed: Vec<EmittedText> = few(&specs, 2).iter().map(EmittedText::of_spec).collect();
    assert!(printed.iter().all(|path| path.top.ends_with("_path")));
    printed
}

/// The same, printed once for all tests.
fn printed() -> &'static [EmittedText] {
    static PRINTED: OnceLock<Vec<EmittedText>> = OnceLock::new();
    PRINTED.get_or_init(print)
}

#[test]
fn verilator_has_no_warning_with_all_of_them_on() {
    printed().iter().for_each(EmittedText::lints_clean);
}

#[test]
fn icarus_accepts_it_as_verilog_2005() {
    printed().iter().for_each(EmittedText::icarus_accepts);
}

#[test]
#[ignore = "a claim"]
fn the_frame_buffer_of_inline_is_block_ram_and_its_queues_are_distributed_ram() {
    // 2 halves x 4 banks of 512 words, one 18-kbit block each; 16 Kbyte in eight blocks of 2,048 x 9 bits; two for the 256 places
    // of the frame queue, whose register behind is that of the blocks
    EmittedText::of_spec(&inline()).yosys(
        "read_verilog FILE; synth_ecp5 -top TOP -run begin:map_gates; select -assert-count 18 t:DP16KD; \
         select -assert-min 1 t:TRELLIS_DPR16X4; select -assert-none t:$mem*",
    );
}

#[test]
fn a_specification_without_a_path_has_none_to_print() {
    let sizing = spec(CARD_EXAMPLES[0]).validate();
    let sizing = sizing.expect("the example of a card is a recycling filter");
    let threshold = sizing.half_bits() / 2;
    let geometry = sizing.with_threshold(threshold).expect("half the bits");
    let refused = path_verilog(&geometry, "");
    assert!(matches!(refused, Err(EmitError::NoPath { .. })));
}
