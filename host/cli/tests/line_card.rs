//! A simulated line card from the outside: the emitted gateware in Verilator at its UART pins, by every way there is to it.

use crate::common::Run;
use crate::serve_support::{line_card, tools, Serving};
use bloomline_driver::{open, Design, Device, Limits};
use bloomline_spec::registers::{address, PathCounter, PortCounter, MAGIC};
use bloomline_spec::{FrameClass, Policy};
use serde_json::{json, Value};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Of an access bit by bit, on a computer that is busy with other tests.
const PATIENCE: Duration = Duration::from_secs(60);

fn json_of(run: Run) -> Value {
    assert_eq!(run.code, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).expect("it is JSON")
}

#[test]
#[ignore = "a claim"]
fn every_verb_works_on_a_served_line_card() {
    let folder = crate::common::folder(&line_card());
    let serving = Serving::start(folder.path(), &["tiny.toml", "--udp", "0"]);
    let device = |arguments: &[&str]| {
        let arguments = [&["device", &serving.url], arguments, &["--json"]].concat();
        json_of(crate::common::run(folder.path(), &arguments))
    };
    let info = device(&["info"]);
    let link = |name| json!({"name": name, "up": true, "megabits": 1000, "full_duplex": true});
    assert_eq!(info["ports"], json!([link("port_0"), link("port_1")]));
    assert_eq!(info["paths"][0]["policies"]["unseen"], "mark:8");
    let set = [
        "--policy",
        "lane_1.unseen=drop",
        "--learn",
        "off",
        "--max-frame",
        "lane_0=9000",
    ];
    let configured = device(&[&["configure", "tiny.toml"], &set[..]].concat());
    assert_eq!(configured["paths"][0]["policies"]["unseen"], "mark:8");
    assert_eq!(configured["paths"][1]["policies"]["unseen"], "drop");
    device(&["insert", "tiny.toml", "7"]);
    assert_eq!(device(&["query", "tiny.toml", "7", "8"])["positive"], 1);
    let stats = device(&["stats", "tiny.toml"]);
    assert_eq!(stats["counters"]["items"], 3, "of the host");
    for (lane, longest) in [(0, 9000), (1, 1518)] {
        assert_eq!(stats["paths"][lane]["learn"], false);
        assert_eq!(stats["paths"][lane]["max_frame_bytes"], longest);
        assert_eq!(stats["paths"][lane]["counters"]["frames_unseen"], 0);
        assert_eq!(stats["ports"][lane]["counters"]["frames_good"], 0);
    }
    let watched = device(&["watch", "tiny.toml", "--samples", "1"]);
    assert_eq!(watched["paths"], stats["paths"]);
    assert!(serving.interrupt().success());
}

/// The same with a host port at port 1.
fn with_host_port() -> String {
    // LiteX's own client knows no tags
    let host = "port = 1\nmac = \"02:b1:00:00:00:01\"\nip = \"192.168.1.50\"\nauth = \"none\"\n";
    format!("{}\n[packet.host]\n{host}", line_card())
}

#[test]
#[ignore = "a claim"]
fn datagrams_reach_the_host_port_of_a_served_line_card_through_its_ethernet_pins() {
    let folder = crate::common::folder(&with_host_port());
    let serving = Serving::start(folder.path(), &["tiny.toml", "--udp", "0"]);
    let device = |arguments: &[&str]| {
        let arguments = [&["device", &serving.url], arguments, &["--json"]].concat();
        json_of(crate::common::run(folder.path(), &arguments))
    };
    let host =
        json!({"at": "port_1", "mac": "02:b1:00:00:00:01", "ip": "192.168.1.50", "udp_port": 1234});
    assert_eq!(device(&["info"])["host"], host);
    let set = ["configure", "tiny.toml", "--policy", "lane_0.seen=mark:46"];
    assert_eq!(device(&set)["paths"][0]["policies"]["seen"], "mark:46");
    let stats = device(&["stats", "tiny.toml"]);
    let counted = |part: &str, counter: &str| stats[part]["counters"][counter].as_u64();
    assert!(counted("host", "frames_taken") > Some(100), "{stats}");
    assert_eq!(counted("host", "accesses_late"), Some(0));
    assert_eq!(counted("host", "frames_missed"), Some(0));
    let good = stats["ports"][1]["counters"]["frames_good"].as_u64();
    // every frame at the port is the card's, and reading makes more of them: the host's counters are read last
    assert!(
        good > Some(100) && good <= counted("host", "frames_taken"),
        "{stats}"
    );
    assert_eq!(
        stats["paths"][1]["counters"]["frames_unseen"], 0,
        "none is the lane's"
    );
    if let Some(python) = crate::litex::python() {
        let place = serving.url.rsplit(':').next().expect("a port");
        let register = address::THRESHOLD.to_string();
        let mut client = Command::new(python);
        client.arg(crate::litex::script("udp_host.py"));
        let printed = crate::litex::run(client.args([place, &register, "800"]));
        let printed = printed.expect("LiteX ends well");
        let read = crate::litex::numbers(&printed);
        assert_eq!(
            read[..3],
            [1, MAGIC, 800],
            "the answer to its probe, and what it read"
        );
    }
    assert!(serving.interrupt().success());
}

#[test]
fn the_terminal_of_a_served_line_card_is_the_uart_of_its_bridge() {
    let folder = crate::common::folder(&line_card());
    let serving = Serving::start(folder.path(), &["tiny.toml", "--pty"]);
    let design = Design::load(&folder.path().join("tiny.toml")).expect("it says its threshold");
    let limits = Limits {
        access: PATIENCE,
        command: PATIENCE,
    };
    let link = open(&serving.url, PATIENCE).expect("it answers");
    let device = Device::identify(link, &design, limits).expect("the line card");
    device
        .set_policy(1, FrameClass::Bad, Policy::Mark(63))
        .expect("it answers");
    assert_eq!(
        device.policy(1, FrameClass::Bad).expect("it answers"),
        Policy::Mark(63)
    );
    assert_eq!(
        device.policy(0, FrameClass::Bad).expect("it answers"),
        Policy::Drop
    );
    assert!(device
        .links()
        .expect("it answers")
        .iter()
        .all(|link| link.up));
    let none = [
        device.path_counter(1, PathCounter::Overflows),
        device.port_counter(1, PortCounter::Underruns),
    ];
    assert!(none
        .into_iter()
        .all(|count| count.expect("it answers") == 0));
    assert!(serving.interrupt().success());
}

#[test]
#[ignore = "a claim"]
fn a_specification_of_a_line_card_or_a_packet_path_is_a_device_of_its_own() {
    let folder = crate::common::folder(&line_card());
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hdl/specification/examples/inline.toml");
    let path = std::fs::read_to_string(path).expect("an example");
    let path = path.replace("uart_baud = 1_000_000", "uart_baud = 12_500_000");
    std::fs::write(folder.path().join("path.toml"), path).expect("a file");
    let tools = tools();
    let variables = [("BLOOMLINE_TOOLS", tools.to_str().expect("UTF-8"))];
    for (spec, name) in [("tiny.toml", "lane_1"), ("path.toml", "path")] {
        let url = format!("sim:{spec}");
        let policy = format!("{name}.seen=drop");
        let arguments = [
            "device",
            &url,
            "configure",
            spec,
            "--policy",
            &policy,
            "--json",
        ];
        let configured = json_of(crate::common::run_with(
            folder.path(),
            &arguments,
            &variables,
        ));
        let paths = configured["paths"].as_array().expect("packet paths");
        let last = paths.last().expect("one at least");
        assert_eq!(last["name"], name);
        assert_eq!(last["policies"]["seen"], "drop");
    }
}
