//! Claims about `build`.

use crate::common::{edited, folder, root, run_with, Run, BASE};
use serde_json::Value;
use std::path::Path;

/// Runs `build` with the tools of the source tree: the command's own folder is a temporary one.
fn build(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Run {
    let tools = std::env::var("BLOOMLINE_TOOLS")
        .unwrap_or_else(|_| root().join(".tools").to_string_lossy().into_owned());
    let variables = [&[("BLOOMLINE_TOOLS", tools.as_str())], variables].concat();
    run_with(
        folder,
        &[&["build", "tiny.toml"], arguments].concat(),
        &variables,
    )
}

/// Refusals before any tool runs: exit code 2, and what the message must hold.
fn refused(spec: &str, arguments: &[&str], variables: &[(&str, &str)], parts: &[&str]) {
    let folder = folder(spec);
    let run = build(folder.path(), arguments, variables);
    assert_eq!(run.code, 2, "{}{}", run.stdout, run.stderr);
    assert_eq!(run.stdout, "");
    for part in parts {
        assert!(run.stderr.contains(part), "{part}: {}", run.stderr);
    }
}

#[test]
fn an_unknown_board_is_refused_with_those_there_are() {
    refused(
        BASE,
        &["--board", "versa"],
        &[],
        &[
            "\"versa\"",
            "colorlight-i5, opennic-250, tang-nano-20k, versa-ecp5",
        ],
    );
}

#[test]
fn a_clock_that_the_pll_cannot_make_is_refused_with_the_nearest() {
    let spec = format!("{BASE}\n[target]\nclock_hz = 123_000_000\n");
    refused(
        &spec,
        &["--board", "versa-ecp5"],
        &[],
        &["target.clock_hz = 123000000", "120000000 and 125000000"],
    );
}

#[test]
fn a_board_of_ones_own_is_read_and_a_pin_used_twice_refused() {
    let file = root().join("constraints/colorlight-i5/board.toml");
    let text = std::fs::read_to_string(file).expect("a board");
    let own = tempfile::tempdir().expect("a folder");
    let own = own.path().join("own.toml");
    std::fs::write(&own, text.replace("\"U16\"", "\"J17\"")).expect("a board");
    let own = own.to_string_lossy();
    refused(
        BASE,
        &["--board", &own],
        &[],
        &["own.toml", "J17", "uart_tx", "led[0]"],
    );
}

#[test]
fn a_filter_larger_than_the_part_is_refused_before_any_tool_runs() {
    let spec = edited(&[
        ("memory_bits = 131072", "memory_bits = 16777216"),
        ("\"double\"", "\"independent\""),
    ]);
    refused(
        &spec,
        &["--board", "colorlight-i5"],
        &[("BLOOMLINE_YOSYS", "/nowhere/yosys")],
        &[
            "LFE5U-25F-6BG381C",
            "at least 911 DP16KD needed, 56 available",
        ],
    );
}

#[test]
fn a_tool_that_is_not_there_is_refused_by_its_name() {
    refused(
        BASE,
        &["--board", "versa-ecp5"],
        &[("BLOOMLINE_YOSYS", "/nowhere/yosys")],
        &["BLOOMLINE_YOSYS", "/nowhere/yosys"],
    );
}

#[test]
fn a_folder_with_other_files_is_refused() {
    refused(
        BASE,
        &["--board", "versa-ecp5", "--out", "."],
        &[],
        &["--out .", "holds other files"],
    );
}

#[test]
fn what_a_boards_flow_has_not_is_refused_by_its_key() {
    let tools = [("BLOOMLINE_YOSYS", "/nowhere/yosys")];
    let opennic = ["--board", "opennic-250"];
    refused(
        BASE,
        &opennic,
        &tools,
        &["packet = (missing)", "opennic-250"],
    );
    let path = format!(
        "{}[card]\n[packet]\ntrusted_keys = true\ndata_bits = 8\n",
        edited(&[("bits = 104", "source = \"ipv4-5tuple\"")])
    );
    refused(&path, &opennic, &tools, &["packet.data_bits = 8", "512"]);
    let with_part = [&opennic[..], &["--part", "u250"]].concat();
    refused(&path, &with_part, &tools, &["\"u250\"", "u280, u55c"]);
    let other = ["--board", "versa-ecp5", "--part", "u280"];
    refused(BASE, &other, &tools, &["\"u280\"", "LFE5UM5G-45F-8BG381C"]);
}

#[test]
fn a_line_card_is_refused_where_specification_or_board_has_no_two_ports() {
    let tools = [("BLOOMLINE_YOSYS", "/nowhere/yosys")];
    let path = |ports: &str| {
        format!(
            "{}[packet]\ntrusted_keys = true\nports = \"{ports}\"\ndata_bits = 8\n",
            edited(&[("bits = 104", "source = \"ipv4-5tuple\"")])
        )
    };
    let versa = ["--board", "versa-ecp5"];
    refused(
        &format!("{}[card]\n", path("streams")),
        &versa,
        &tools,
        &["packet.ports = \"streams\"", "versa-ecp5", "say \"rgmii\""],
    );
    let file = root().join("constraints/versa-ecp5/board.toml");
    let text = std::fs::read_to_string(file).expect("a board");
    let second = text.rfind("[[rgmii]]").expect("two PHYs");
    let behind = text[second + 9..].find("\n[").expect("more tables") + second + 9;
    let own = tempfile::tempdir().expect("a folder");
    let own = own.path().join("own.toml");
    let one = format!("{}{}", &text[..second], &text[behind..]);
    std::fs::write(&own, one).expect("a board");
    let own = own.to_string_lossy();
    // card and clock come from the board and from what a port is
    let rgmii = format!("{}[card]\n", path("rgmii"));
    refused(
        &rgmii,
        &["--board", &own],
        &tools,
        &["1 Ethernet PHYs, 2 needed"],
    );
    // two ports and all that they need: only the tool is missing
    refused(&rgmii, &versa, &tools, &["/nowhere/yosys"]);
}

/// In the place of yosys, which takes minutes for a path of 512 bits: counts the same cells whatever it reads.
const COUNTER: &str = r#"#!/bin/sh
[ "$1" = -V ] && { echo "counter 1"; exit; }
echo '{"design": {"num_cells_by_type": {"LUT2": 3, "LUT6": 40, "RAM64M8": 2, "FDRE": 70, "RAMB36E2": 4, "RAMB18E2": 3}}}' > partial-cells.json
"#;

#[cfg(unix)]
#[test]
#[ignore = "a claim"]
fn a_specification_becomes_a_plugin_whose_estimate_a_second_build_does_not_make_again() {
    use std::os::unix::fs::PermissionsExt;
    let example = root().join("constraints/opennic-250/inline512.toml");
    let folder = folder(&std::fs::read_to_string(example).expect("the example"));
    let counter = folder.path().join("counter.sh");
    std::fs::write(&counter, COUNTER).expect("a script");
    std::fs::set_permissions(&counter, PermissionsExt::from_mode(0o755)).expect("executable");
    let counter = counter.to_string_lossy().into_owned();
    let tools = [("BLOOMLINE_YOSYS", counter.as_str())];
    let arguments = [
        "--board",
        "opennic-250",
        "--part",
        "u55c",
        "--out",
        "plugin",
    ];
    let first = build(
        folder.path(),
        &[&arguments[..], &["--json"]].concat(),
        &tools,
    );
    assert_eq!(first.code, 0, "{}{}", first.stdout, first.stderr);
    let report: Value = serde_json::from_str(&first.stdout).expect("JSON");
    assert_eq!(report["part"]["name"], "xcu55c-fsvh2892-2L-e");
    assert_eq!(report["estimate"]["lut"], 3 + 40 + 2 * 8);
    assert_eq!(report["estimate"]["ff"], 70);
    assert_eq!(report["estimate"]["bram36"], 4 + 2);
    let plugin = folder.path().join("plugin");
    let text = |name: &str| std::fs::read_to_string(plugin.join(name)).expect(name);
    assert!(text("inline512_path.v").contains("module inline512_path"));
    let header = text("box_250mhz/bloomline_path.vh");
    assert!(
        header.contains("`define BLOOMLINE_PATH inline512_path"),
        "{header}"
    );
    assert!(
        header.contains("`define BLOOMLINE_BUFFER_BYTES 16384"),
        "{header}"
    );
    assert!(text("inline512.toml").contains("data_bits = 512"));
    assert_eq!(text("build.json"), first.stdout);

    let second = build(folder.path(), &arguments, &tools);
    assert_eq!(second.code, 0, "{}{}", second.stdout, second.stderr);
    assert!(
        second.stderr.contains("nothing has changed"),
        "{}",
        second.stderr
    );
    for part in [
        "of 1303680",
        "not run on Vivado",
        "pcie:",
        "offset=0x100000",
    ] {
        assert!(second.stdout.contains(part), "{part}: {}", second.stdout);
    }
}

/// As small as a filter of cells can be.
const SMALL: &str = "\
name = \"tiny\"
[filter]
kind = \"static\"
memory_bits = 512
hashes = 2
items = 10
[key]
bits = 8
tag_bits = 1
";

#[test]
#[ignore = "a claim"]
fn a_specification_becomes_a_bitstream_that_a_second_build_does_not_make_again() {
    let folder = folder(SMALL);
    let netlists = ["--board", "versa-ecp5", "--netlists", "netlists"];
    let first = build(folder.path(), &[&netlists[..], &["--json"]].concat(), &[]);
    assert_eq!(first.code, 0, "{}{}", first.stdout, first.stderr);
    let report: Value = serde_json::from_str(&first.stdout).expect("JSON");
    let number = |key: &str| report[key].as_f64().expect(key);
    assert_eq!(report["part"], "LFE5UM5G-45F-8BG381C");
    assert_eq!(number("target_mhz"), 125.0);
    assert!(number("fmax_mhz") >= 125.0, "{report}");
    assert!(number("lut4") > 500.0 && number("ff") > 500.0, "{report}");
    assert!(number("lut4") < 5000.0 && number("ff") < 5000.0, "{report}");
    assert!(report["item_stream"]
        .as_str()
        .expect("text")
        .contains("tied off"));
    // what the specification does not say comes from the board, and is said
    assert!(
        first
            .stderr
            .contains("target.clock_hz is not given: 125000000"),
        "{}",
        first.stderr
    );
    assert!(
        first
            .stderr
            .contains("card.uart_baud is not given: 1000000"),
        "{}",
        first.stderr
    );
    let out = folder.path().join("out/tiny_versa_ecp5");
    let built = std::fs::read_to_string(out.join("tiny.toml")).expect("the specification as built");
    assert!(
        built.contains("clock_hz = 125000000") && built.contains("uart_baud = 1000000"),
        "{built}"
    );
    let bitstream = folder
        .path()
        .join(report["bitstream"].as_str().expect("a path"));
    assert!(std::fs::metadata(bitstream).expect("a bitstream").len() > 10_000);
    let kept = std::fs::read_to_string(out.join("build.json")).expect("the summary");
    assert_eq!(kept, first.stdout);

    let second = build(folder.path(), &["--board", "versa-ecp5"], &[]);
    assert_eq!(second.code, 0, "{}{}", second.stdout, second.stderr);
    assert_eq!(
        second.stderr.matches("nothing has changed").count(),
        3,
        "{}",
        second.stderr
    );
    for part in [
        "card_clock",
        "block RAMs",
        "tied off",
        "uartbone at 1000000 baud",
    ] {
        assert!(second.stdout.contains(part), "{part}: {}", second.stdout);
    }

    // another seed, in another folder: the netlist is there, and is placed anew
    let seed = ["--seed", "2", "--out", "two", "--json"];
    let other = build(folder.path(), &[&netlists[..], &seed].concat(), &[]);
    assert_eq!(other.code, 0, "{}{}", other.stdout, other.stderr);
    let report: Value = serde_json::from_str(&other.stdout).expect("JSON");
    let unchanged: Vec<bool> = report["steps"]
        .as_array()
        .expect("steps")
        .iter()
        .map(|step| step["unchanged"].as_bool().expect("a truth"))
        .collect();
    assert_eq!(unchanged, [true, false, false], "{report}");
}

#[test]
#[ignore = "a claim"]
fn a_card_on_a_gowin_board_becomes_a_bitstream() {
    let folder = folder(BASE);
    let first = build(folder.path(), &["--board", "tang-nano-20k", "--json"], &[]);
    assert_eq!(first.code, 0, "{}{}", first.stdout, first.stderr);
    let report: Value = serde_json::from_str(&first.stdout).expect("JSON");
    let number = |key: &str| report[key].as_f64().expect(key);
    assert_eq!(report["part"], "GW2AR-LV18QN88C8/I7");
    assert!(number("fmax_mhz") >= 81.0 && number("target_mhz") == 81.0);
    assert!((1_000.0..20_736.0).contains(&number("lut4")), "{report}");
    assert!(number("ff") > 1_000.0, "{report}");
    let bitstream = folder
        .path()
        .join(report["bitstream"].as_str().expect("a path"));
    // text: a line of ones and zeros for each frame of the part
    let text = std::fs::read_to_string(bitstream).expect("a bitstream");
    assert!(text.len() > 4_000_000, "{}", text.len());
    println!("{} MHz, {} LUT4 sites", report["fmax_mhz"], report["lut4"]);
    let second = build(folder.path(), &["--board", "tang-nano-20k"], &[]);
    assert_eq!(
        second.stderr.matches("nothing has changed").count(),
        3,
        "{}",
        second.stderr
    );
}

#[test]
fn a_line_card_is_refused_on_a_board_without_ethernet() {
    let line_card = root().join("hdl/specification/examples/linecard.toml");
    let line_card = std::fs::read_to_string(line_card).expect("an example");
    refused(
        &line_card,
        &["--board", "tang-nano-20k"],
        &[],
        &["tang-nano-20k", "0 Ethernet PHYs, 2 needed"],
    );
}
