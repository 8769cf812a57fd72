//! `device` on what stands around a filter: packet paths and Ethernet ports, against registers that answer by the map, over UDP.

// registers as the driver's own tests have them

use crate::card::Card as Served;
use crate::common::Run;
use crate::fake::{Fake, Kept};
use bloomline_driver::serve::Bridge;
use bloomline_driver::{counter_registers, Design};
use bloomline_spec::registers::address;
use bloomline_spec::{FilterSpec, RecyclingGeometry, LINECARD_EXAMPLES, PACKET_EXAMPLES};
use serde_json::{json, Value};
use std::path::Path;
use std::time::Duration;

/// A card whose registers answer by the map.
struct Card {
    served: Served,
    kept: Kept,
    geometry: RecyclingGeometry,
}

impl Card {
    fn new((file, text): (&str, &str)) -> Card {
        let text = text.replace("threshold = \"auto\"", "threshold = 20000");
        let text = text.replace(
            "accept_two_hash_floor = false",
            "accept_two_hash_floor = true",
        );
        let spec = FilterSpec::from_toml(&text, Path::new(file)).expect("an example");
        let sizing = spec.validate().expect("an example");
        let geometry = sizing.with_threshold(20_000).expect("a legal threshold");
        let kept = Kept::new(Fake::new(&geometry));
        let bridge = Bridge::new(kept.clone(), Duration::from_secs(5));
        Card {
            served: Served::serving(bridge, &text),
            kept,
            geometry,
        }
    }

    fn line_card() -> Card {
        let card = Card::new(LINECARD_EXAMPLES[0]);
        card.kept.with(|fake| {
            fake.values.insert(address::LINK, 0b1101);
            let counters = counter_registers(&Design::from(&card.geometry));
            for (place, counter) in counters.into_iter().enumerate() {
                fake.set_counter(counter, place as u64 + 100);
            }
        });
        card
    }

    fn run(&self, arguments: &[&str]) -> Run {
        self.served.run(arguments)
    }

    fn printed(&self, arguments: &[&str]) -> String {
        let run = self.run(arguments);
        assert_eq!(run.code, 0, "{arguments:?}: {}", run.stderr);
        run.stdout
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let printed = self.printed(&[arguments, &["--json"]].concat());
        serde_json::from_str(&printed).expect("it is JSON")
    }
}

#[test]
fn info_shows_lanes_ports_and_links_without_a_specification() {
    let card = Card::line_card();
    insta::assert_snapshot!(card.printed(&["info"]));
    let info = card.json(&["info"]);
    assert_eq!(info["paths"][1]["name"], "lane_1");
    assert_eq!(info["paths"][1]["policies"]["unseen"], "mark:8");
    let port = json!({"name": "port_0", "up": true, "megabits": 1000, "full_duplex": true});
    assert_eq!(info["ports"][0], port);
    assert_eq!(info["ports"][1]["up"], false);
    let in_path = Card::new(PACKET_EXAMPLES[0]).json(&["info"]);
    assert_eq!(in_path["paths"][0]["name"], "path");
    assert_eq!(in_path.get("ports"), None);
}

#[test]
fn configure_sets_lanes_and_says_what_they_have_then() {
    let card = Card::line_card();
    let set = [
        "configure",
        "tiny.toml",
        "--policy",
        "unseen=drop",
        "--policy",
        "lane_1.too-deep=mark:46",
        "--learn",
        "lane_0=off",
        "--max-frame",
        "9000",
        "--max-frame",
        "lane_1=2000",
    ];
    let configured = card.json(&set);
    let [zero, one] = [&configured["paths"][0], &configured["paths"][1]];
    assert_eq!(
        (&zero["policies"]["unseen"], &one["policies"]["unseen"]),
        (&json!("drop"), &json!("drop"))
    );
    assert_eq!(
        (&zero["policies"]["too-deep"], &one["policies"]["too-deep"]),
        (&json!("pass"), &json!("mark:46"))
    );
    assert_eq!(
        (&zero["learn"], &one["learn"]),
        (&json!(false), &json!(true))
    );
    assert_eq!(
        (&zero["max_frame_bytes"], &one["max_frame_bytes"]),
        (&json!(9000), &json!(2000))
    );
    insta::assert_snapshot!(card.printed(&["configure", "tiny.toml", "--threshold", "20000"]));
}

#[test]
fn what_is_no_setting_of_the_card_ends_with_code_2_and_changes_nothing() {
    let card = Card::line_card();
    for (arguments, needle) in [
        (
            ["--policy", "seen=reject"],
            "\"pass\", \"drop\", or \"mark:N\"",
        ),
        (
            ["--policy", "new=drop"],
            "unseen, seen, other, truncated, malformed, too-deep, oversize, bad",
        ),
        (
            ["--policy", "lane_2.seen=drop"],
            "lane_2 is no lane of this card; it has lane_0, lane_1",
        ),
        (["--policy", "drop"], "lane_0.bad=drop"),
        (["--learn", "yes"], "expected on or off"),
        (["--max-frame", "59"], "must be from 60 to 16384"),
        (["--max-frame", "lane_0=long"], "expected a number of bytes"),
    ] {
        let run = card.run(&[&["configure", "tiny.toml"][..], &arguments].concat());
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.stdout);
        assert!(run.stderr.contains(needle), "{needle}: {}", run.stderr);
    }
    assert_eq!(card.kept.with(|fake| fake.writes.clone()), []);
    let in_path = Card::new(PACKET_EXAMPLES[0]);
    let refused = in_path.run(&["configure", "tiny.toml", "--learn", "lane_0=on"]);
    assert!(refused.stderr.contains("it has path"), "{}", refused.stderr);
    let admit = include_str!("../../../hdl/specification/examples/admit.toml");
    let alone = Card::new(("admit.toml", admit));
    let refused = alone.run(&["configure", "tiny.toml", "--learn", "on"]);
    assert!(
        refused.stderr.contains("this card has no packet path"),
        "{}",
        refused.stderr
    );
}

#[test]
fn stats_show_every_lane_and_port() {
    let card = Card::line_card();
    insta::assert_snapshot!(card.printed(&["stats", "tiny.toml"]));
    let stats = card.json(&["stats", "tiny.toml"]);
    let filter = card.geometry.counters().len() as u64;
    assert_eq!(stats["counters"]["items"], 100);
    assert_eq!(stats["paths"][0]["counters"]["frames_unseen"], 100 + filter);
    assert_eq!(stats["paths"][1]["counters"]["marked"], 100 + filter + 21);
    assert_eq!(
        stats["ports"][1]["counters"]["underruns"],
        100 + filter + 37
    );
    assert_eq!(stats["counters"].get("frames_unseen"), None);
}

#[test]
fn the_page_for_prometheus_has_labels_for_lanes_ports_and_classes() {
    let card = Card::line_card();
    let page = card.printed(&["stats", "tiny.toml", "--format", "prometheus"]);
    let around = page
        .lines()
        .filter(|line| line.contains("_path_") || line.contains("_port_"));
    insta::assert_snapshot!(around.collect::<Vec<_>>().join("\n"));
    let names = page.lines().filter_map(|line| line.strip_prefix("# TYPE "));
    let mut names: Vec<_> = names.map(|line| line.split(' ').next()).collect();
    let all = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), all, "each is declared once");
}

#[test]
fn watch_counts_the_frames_of_each_lane() {
    let card = Card::line_card();
    let printed = card.printed(&["watch", "tiny.toml", "--samples", "2", "--interval-ms", "1"]);
    let filter = card.geometry.counters().len() as u64;
    let frames = |lane: u64| {
        (0..8)
            .map(|class| 100 + filter + 11 * lane + class)
            .sum::<u64>()
    };
    let told = format!(", lane_0 {} frames, lane_1 {} frames", frames(0), frames(1));
    assert_eq!(printed.matches(&told).count(), 2, "{printed}");
    let json = card.printed(&["watch", "tiny.toml", "--samples", "1", "--json"]);
    let json: Value = serde_json::from_str(&json).expect("a line of JSON");
    assert_eq!(
        json["ports"][0]["counters"]["frames_good"],
        100 + filter + 22
    );
}
