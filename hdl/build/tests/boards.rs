//! Claims about the boards of `constraints/`.

mod common;

use bloomline_build::{
    board_top, cst_clocks, cst_pins, linecard_top, lpf_clocks, lpf_pins, wire_top, Board,
    BuildError, EthernetTop, Family, KnownBoard, Port,
};
use bloomline_hdl::mac::mac_port_verilog;
use bloomline_hdl::{linecard_verilog, path_verilog};
use bloomline_spec::{FilterSpec, RecyclingGeometry, LINECARD_EXAMPLES, PACKET_EXAMPLES};
use common::{boards, ecp5, ecp5_boards};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn constraints() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../constraints")
}

/// The file of a board that exists with each first occurrence replaced; every replacement must find its place.
fn edited(edits: &[(&str, &str)]) -> Result<Board, BuildError> {
    let file = constraints().join("colorlight-i5/board.toml");
    let mut text = std::fs::read_to_string(file).expect("a board");
    for (from, to) in edits {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    Board::from_toml(&text, Path::new("own.toml"))
}

#[test]
fn every_folder_of_constraints_is_a_board_of_its_name() {
    let folders = std::fs::read_dir(constraints()).expect("constraints");
    let folders: BTreeSet<String> = folders
        .map(|entry| entry.expect("an entry"))
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let names: BTreeSet<String> = KnownBoard::names()
        .into_iter()
        .map(|name| KnownBoard::load(name).expect(name).name().to_owned())
        .collect();
    assert_eq!(folders, names);
}

#[test]
fn a_board_is_not_called_like_a_module_within_its_top_module() {
    for name in ["card", "path", "linecard"] {
        let renamed = edited(&[("name = \"colorlight-i5\"", &format!("name = {name:?}"))]);
        let error = renamed.expect_err(name).to_string();
        assert!(error.contains("choose another name"), "{error}");
    }
}

#[test]
fn the_clock_that_a_board_proposes_can_be_made() {
    for board in boards() {
        let clock_hz = board.card.clock_hz;
        board.pll_setting(clock_hz).expect(&board.name);
        assert!(clock_hz / board.card.uart_baud >= 8, "{}", board.name);
        assert!(board.constraint_mhz(clock_hz) * 1e6 >= clock_hz as f64);
    }
}

#[test]
fn no_two_ports_of_a_board_share_a_name_or_a_pin() {
    for board in boards() {
        let ports = board.ports();
        let names: BTreeSet<&str> = ports.iter().map(|port| port.name.as_str()).collect();
        let pins: BTreeSet<&str> = ports.iter().map(|port| port.pin.pin.as_str()).collect();
        assert_eq!(names.len(), ports.len(), "{}", board.name);
        assert_eq!(pins.len(), ports.len(), "{}", board.name);
        let phys = if board.family == Family::Ecp5 { 2 } else { 0 };
        assert_eq!(board.rgmii.len(), phys, "{}", board.name);
    }
}

/// The ports that a top module names.
fn named(top: &EthernetTop) -> BTreeSet<String> {
    let (_, text) = top.sources.last().expect("a top module");
    let (head, _) = text.split_once(");").expect("ports");
    let words = head
        .lines()
        .filter(|line| line.contains("put "))
        .filter_map(|line| line.trim_end_matches(',').split_whitespace().last());
    words.map(str::to_owned).collect()
}

/// Their names where constraints place them.
fn placed(ports: &[Port]) -> BTreeSet<String> {
    let name = |port: &Port| {
        let name = port.name.split('[').next().expect("a name");
        name.to_owned()
    };
    ports.iter().map(name).collect()
}

fn geometry((file, text): (&str, &str)) -> RecyclingGeometry {
    let spec = FilterSpec::from_toml(text, Path::new(file)).expect("reads");
    let sizing = spec.validate().expect("is legal");
    sizing.with_threshold(20_000).expect("is legal")
}

#[test]
fn a_line_card_has_the_ports_that_its_constraints_place() {
    let geometry = geometry(LINECARD_EXAMPLES[0]);
    let emitted = linecard_verilog(&geometry, "").expect("can be printed");
    for board in ecp5_boards() {
        let top = linecard_top(&board, &geometry, &emitted).expect("two PHYs");
        let ports = board.line_card_ports();
        assert_eq!(named(&top), placed(&ports), "{}", board.name);
        let clocks: Vec<&str> = ports
            .iter()
            .filter(|port| port.clock_hz == Some(125_000_000))
            .map(|port| port.name.as_str())
            .collect();
        assert_eq!(clocks, ["rgmii0_rx_clock", "rgmii1_rx_clock"]);
        let leaves = top.sources.iter().filter(|(_, text)| {
            let modules = ["input_ddr", "output_ddr", "input_delay", "output_delay"];
            modules
                .iter()
                .any(|leaf| text.contains(&format!("module {leaf} (")))
        });
        assert_eq!(leaves.count(), 1, "the part's leaves alone");
    }
}

#[test]
fn what_a_board_cannot_be_as_a_line_card_is_refused() {
    let card = geometry(LINECARD_EXAMPLES[0]);
    let emitted = linecard_verilog(&card, "").expect("can be printed");
    let mut board = ecp5("versa-ecp5");
    board.rgmii.truncate(1);
    let error = linecard_top(&board, &card, &emitted).expect_err("one PHY");
    let message = error.to_string();
    assert!(message.contains("1 Ethernet PHYs, 2 needed"), "{message}");
    let streams = geometry(PACKET_EXAMPLES[0]);
    let emitted = path_verilog(&streams, "").expect("can be printed");
    let error = linecard_top(&ecp5("versa-ecp5"), &streams, &emitted).expect_err("no ports");
    let message = error.to_string();
    assert!(
        message.contains("packet.ports = \"streams\"") && message.contains("\"rgmii\""),
        "{message}"
    );
}

#[test]
fn a_wire_has_the_ports_that_its_constraints_place() {
    let port = mac_port_verilog("").expect("can be printed");
    for board in ecp5_boards() {
        let wire = wire_top(&board, &port).expect("two PHYs");
        assert_eq!(named(&wire), placed(&board.wire_ports()), "{}", board.name);
    }
    let mut board = ecp5("versa-ecp5");
    board.rgmii.truncate(1);
    let message = wire_top(&board, &port).expect_err("one PHY").to_string();
    assert!(message.contains("1 Ethernet PHYs, 2 needed"), "{message}");
}

/// `BLOOMLINE_BLESS=1 cargo test -p bloomline-build --test boards` writes the files anew.
#[test]
fn pins_and_clocks_of_every_board_are_as_reviewed() {
    for board in boards() {
        let ports = board.ports();
        let files = match board.family {
            Family::Ecp5 => [
                ("pins.lpf", lpf_pins(&ports)),
                ("timing.lpf", lpf_clocks(&ports)),
            ],
            Family::Gowin => [
                ("pins.cst", cst_pins(&ports)),
                ("timing.sdc", cst_clocks(&ports)),
            ],
        };
        for (file, text) in files {
            let comment = if file.ends_with(".cst") { "//" } else { "#" };
            let header = format!(
                "{comment} {}: made from board.toml, which is where to change it.\n",
                board.title
            );
            let text = header + &text;
            let path = constraints().join(&board.name).join(file);
            if std::env::var_os("BLOOMLINE_BLESS").is_some() {
                std::fs::write(&path, &text).expect("a file of the source tree");
            }
            let reviewed = std::fs::read_to_string(&path).unwrap_or_default();
            assert_eq!(
                reviewed,
                text,
                "{}: set BLOOMLINE_BLESS=1 to accept",
                path.display()
            );
        }
    }
}

#[test]
fn an_unknown_board_is_refused_with_those_there_are() {
    let message = KnownBoard::load("versa")
        .expect_err("no such board")
        .to_string();
    assert!(message.contains("\"versa\""), "{message}");
    assert!(
        message.contains(&KnownBoard::names().join(", ")),
        "{message}"
    );
    assert!(message.contains(".toml"), "{message}");
    assert!(matches!(
        KnownBoard::load("no/such/board.toml"),
        Err(BuildError::Io { action: "read", .. })
    ));
}

#[test]
fn a_pin_that_two_ports_claim_is_refused_with_both() {
    // the negative pin of an oscillator is taken without a port
    let led_on_uart = edited(&[("pins = [\"U16\"]", "pins = [\"U16\", \"J17\"]")]);
    let on_negative = edited(&[("pin = \"P3\"", "pin = \"P3\"\npin_n = \"U16\"")]);
    for (refused, pin, first, second) in [
        (led_on_uart, "J17", "uart_tx", "led[1]"),
        (on_negative, "U16", "led[0]", "oscillator (pin_n)"),
    ] {
        let message = refused.expect_err("a pin twice").to_string();
        for part in ["own.toml", pin, first, second] {
            assert!(message.contains(part), "{message}");
        }
    }
}

#[test]
fn a_board_file_that_breaks_a_rule_is_refused_with_key_and_value() {
    for (edits, named) in [
        (
            ("margin_percent = 20", "margin_percent = 101"),
            "card.margin_percent = 101",
        ),
        (
            ("rx_steps = 80", "rx_steps = 128"),
            "rgmii_delay.rx_steps = 128",
        ),
        (
            ("divider_max = 128", "divider_max = 0"),
            "pll.divider_max = 0",
        ),
        (
            (
                "vco_hz = [400_000_000, 800_000_000]",
                "vco_hz = [800_000_000, 400_000_000]",
            ),
            "pll.vco_hz",
        ),
        (
            ("frequency_hz = 25_000_000", "frequency_hz = 0"),
            "oscillator.frequency_hz = 0",
        ),
        (
            ("device = \"25k\"", "device = \"25k --freq 1\""),
            "part.device",
        ),
        (("pin = \"K18\"", "pin = \"K18;\""), "reset_button"),
        (
            ("name = \"colorlight-i5\"", "name = \"Colorlight\""),
            "name = \"Colorlight\"",
        ),
        (("title = \"Colorlight", "title = \"a\\nb"), "title"),
        (("pins = [\"U16\"]", "pins = []"), "leds.pins"),
        (("[oscillator]", "[oscilator]"), "oscilator"),
        (("bram = 56", ""), "bram"),
    ] {
        let message = edited(&[edits]).expect_err(named).to_string();
        assert!(message.starts_with("own.toml: "), "{message}");
        assert!(message.contains(named), "{named}: {message}");
    }
}

/// The Gowin board's file with one edit.
fn edited_gowin(from: &str, to: &str) -> Result<Board, BuildError> {
    let file = constraints().join("tang-nano-20k/board.toml");
    let text = std::fs::read_to_string(file).expect("a board");
    assert!(text.contains(from), "{from}");
    Board::from_toml(&text.replacen(from, to, 1), Path::new("own.toml"))
}

#[test]
fn a_gowin_board_that_breaks_a_rule_is_refused_with_key_and_value() {
    let phy = "[rgmii_shared]\nio_type = \"LVCMOS33\"\nreset_n = \"25\"\nmdio = \"26\"\nmdc = \"27\"\n[leds]";
    for (from, to, named) in [
        (
            "QN88C8/I7\"",
            "QN88C9/I8\"",
            "part.name = \"GW2AR-LV18QN88C9/I8\"",
        ),
        ("QN88C8/I7\"", "QN88C8/I7/x\"", "part.name"),
        ("[2, 4, 8,", "[0, 4, 8,", "pll.output_dividers = 0"),
        ("[leds]", phy, "rgmii: the flow \"gowin\""),
        ("\"GW2A-18C\"", "\"GW3A-18C\"", "part.device = \"GW3A-18C\""),
        ("flow = \"gowin\"", "flow = \"gowins\"", "gowins"),
    ] {
        let message = edited_gowin(from, to).expect_err(named).to_string();
        assert!(message.contains(named), "{named}: {message}");
    }
}

#[test]
fn the_clock_of_a_gowin_board_is_made_by_its_pll() {
    let board = edited_gowin("name", "name").expect("a board");
    let setting = board.pll_setting(81_000_000).expect("three times 27 MHz");
    assert_eq!(
        (
            setting.input_divider,
            setting.feedback_divider,
            setting.output_divider
        ),
        (1, 3, 8),
        "{setting:?}"
    );
    assert_eq!(setting.vco_hz, 648_000_000);
    let common = geometry(PACKET_EXAMPLES[0]);
    let (name, text) = board_top(&board, &common, &setting);
    assert_eq!(name, "in_line_tang_nano_20k");
    for part in [
        ".IDIV_SEL (0)",
        ".FBDIV_SEL (2)",
        ".ODIV_SEL (8)",
        ".FCLKIN (\"27\")",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("EHXPLLL"));
}

#[test]
fn a_clock_out_of_reach_is_refused_with_its_neighbours() {
    let board = ecp5("versa-ecp5");
    let refused = board.pll_setting(123_000_000).expect_err("out of reach");
    let message = refused.to_string();
    for part in [
        "target.clock_hz = 123000000",
        "versa-ecp5",
        "100000000",
        "120000000 and 125000000",
    ] {
        assert!(message.contains(part), "{message}");
    }
}
