//! The emitted Verilog of the MAC is what other tools take without a word; golden files hold it to the byte.

use bloomline_hdl::mac::{ecp5_rgmii_leaves, mac_loop_verilog};
use bloomline_spec::mac::MAX_DELAY_STEPS;
use bloomline_tests::EmittedText;

fn printed() -> EmittedText {
    EmittedText::of(&mac_loop_verilog("").expect("can be printed"))
}

#[test]
fn the_mac_passes_lint_without_a_word() {
    printed().lints_clean();
}

#[test]
fn icarus_accepts_it_as_verilog_2005() {
    printed().icarus_accepts();
}

#[test]
fn a_device_replaces_the_leaves_by_name_and_ports() {
    let generic = printed().text;
    let leaves = ecp5_rgmii_leaves(80, MAX_DELAY_STEPS).expect("delays that there are");
    for module in ["input_ddr", "output_ddr", "input_delay", "output_delay"] {
        let ports = |text: &str| -> Vec<String> {
            let head = format!("module {module} (");
            let (_, rest) = text.split_once(&head).expect("the module is there");
            let (ports, _) = rest.split_once(");").expect("it has ports");
            let port = |line: &str| line.split("//").next().unwrap_or("").trim().to_owned();
            let named = ports.lines().map(port).filter(|line| !line.is_empty());
            named
                .map(|line| line.trim_end_matches(',').trim().to_owned())
                .collect()
        };
        assert_eq!(ports(&generic), ports(&leaves), "{module}");
    }
    assert!(leaves.contains("DEL_VALUE (80)") && leaves.contains("DEL_VALUE (127)"));
    assert_eq!(ecp5_rgmii_leaves(0, MAX_DELAY_STEPS + 1), None);
}
