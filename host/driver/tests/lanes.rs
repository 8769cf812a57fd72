//! Claims about packet paths and Ethernet ports, against a fake that answers by the register map.

use crate::common::{geometry, Fake, Kept};
use bloomline_driver::{
    counter_registers, Classed, Design, Device, DriverError, ErrorClass, Event, Limits, Part,
    PortLink,
};
use bloomline_spec::host_port::{HostAddress, HostAuth, HostBinding};
use bloomline_spec::registers::{address, HostCounter, PathCounter, PortCounter, RecyclingCounter};
use bloomline_spec::{
    FilterSpec, FrameClass, Policy, RecyclingGeometry, LINECARD_EXAMPLES, PACKET_EXAMPLES,
};
use std::path::Path;
use std::time::Duration;

const LIMITS: Limits = Limits {
    access: Duration::from_millis(50),
    command: Duration::from_millis(50),
};

fn example((file, text): (&str, &str)) -> RecyclingGeometry {
    let spec = FilterSpec::from_toml(text, Path::new(file)).expect("an example");
    let sizing = spec.validate().expect("an example");
    sizing.with_threshold(20_000).expect("a legal threshold")
}

fn line_card() -> RecyclingGeometry {
    example(LINECARD_EXAMPLES[0])
}

fn in_path() -> RecyclingGeometry {
    example(PACKET_EXAMPLES[0])
}

fn identified(geometry: &RecyclingGeometry) -> (Kept, Device<Kept>) {
    let kept = Kept::new(Fake::new(geometry));
    let device = Device::identify(kept.clone(), geometry, LIMITS).expect("of this geometry");
    (kept, device)
}

#[test]
fn settings_at_reset_are_those_of_the_specification() {
    for (geometry, lanes) in [(line_card(), 2), (in_path(), 1)] {
        let packet = geometry.packet().expect("a packet path");
        let (_, device) = identified(&geometry);
        assert_eq!(device.design().lanes(), lanes);
        for lane in 0..lanes {
            let settings = device.path_settings(lane).expect("it answers");
            assert_eq!(settings.learn, packet.learn());
            assert_eq!(settings.max_frame_bytes, packet.max_frame_bytes());
            for &class in FrameClass::ALL {
                assert_eq!(settings.policy(class), packet.policy(class), "{class}");
            }
        }
    }
}

#[test]
fn a_setting_is_written_to_its_lane_and_class_alone() {
    let (kept, device) = identified(&line_card());
    let mut expected = Vec::new();
    for lane in 0..2 {
        for (place, &class) in FrameClass::ALL.iter().enumerate() {
            let policy = Policy::Mark((10 * lane + place) as u8);
            device.set_policy(lane, class, policy).expect("it answers");
            let at = address::POLICY + 0x100 * lane as u32 + 4 * place as u32;
            expected.push((at, policy.register()));
            assert_eq!(device.policy(lane, class).expect("it answers"), policy);
        }
    }
    device
        .set_policy(1, FrameClass::Bad, Policy::Drop)
        .expect("it answers");
    device.set_learn(1, false).expect("it answers");
    device.set_max_frame(0, 9000).expect("it answers");
    expected.extend([(0x33C, 1), (0x30C, 0), (0x210, 9000)]);
    assert_eq!(kept.with(|fake| fake.writes.clone()), expected);
    let [zero, one] = [0, 1].map(|lane| device.path_settings(lane).expect("it answers"));
    assert_eq!((zero.learn, one.learn), (true, false));
    assert_eq!((zero.max_frame_bytes, one.max_frame_bytes), (9000, 1518));
    assert_eq!(zero.policy(FrameClass::Bad), Policy::Mark(7));
    assert_eq!(one.policy(FrameClass::Bad), Policy::Drop);
    assert!(!device.learn(1).expect("it answers"));
    assert_eq!(device.max_frame(0).expect("it answers"), 9000);
}

#[test]
fn what_cannot_be_is_refused_with_the_legal_values_and_nothing_is_written() {
    let (kept, device) = identified(&line_card());
    let (_, in_path) = identified(&in_path());
    let (_, alone) = identified(&geometry());
    let mark = Policy::Mark(64);
    let class = FrameClass::Seen;
    type Refusal = (Result<(), DriverError>, &'static str, ErrorClass);
    let refusals: [Refusal; 9] = [
        (
            device.set_policy(0, class, mark),
            "mark:64: a DSCP is from 0 to 63",
            ErrorClass::Argument,
        ),
        (
            device.set_policy(2, class, Policy::Drop),
            "packet path 2: the device has 0 to 1",
            ErrorClass::Argument,
        ),
        (
            in_path.set_learn(1, true),
            "packet path 1: the device has 0 to 0",
            ErrorClass::Argument,
        ),
        (
            device.set_max_frame(0, 59),
            "59 bytes: must be from 60 to 16384",
            ErrorClass::Argument,
        ),
        (
            device.set_max_frame(0, 16_385),
            "must be from 60 to 16384",
            ErrorClass::Argument,
        ),
        (
            device.port_counter(2, PortCounter::FramesGood).map(drop),
            "Ethernet port 2: the device has 0 to 1",
            ErrorClass::Argument,
        ),
        (
            in_path.links().map(drop),
            "has no Ethernet port in its gateware",
            ErrorClass::NotThere,
        ),
        (
            alone.path_settings(0).map(drop),
            "has no packet path in its gateware",
            ErrorClass::NotThere,
        ),
        (
            alone.path_counter(0, PathCounter::Dropped).map(drop),
            "has no packet path",
            ErrorClass::NotThere,
        ),
    ];
    for (refused, needle, kind) in refusals {
        let error = refused.expect_err(needle);
        assert!(error.to_string().contains(needle), "{needle}: {error}");
        assert_eq!(error.class(), kind, "{error}");
    }
    assert_eq!(kept.with(|fake| fake.writes.clone()), []);
}

#[test]
fn counters_of_lanes_and_ports_are_told_apart_and_say_whose_they_are() {
    let geometry = line_card();
    let (kept, device) = identified(&geometry);
    let registers = counter_registers(device.design());
    for (place, &counter) in registers.iter().enumerate() {
        kept.with(|fake| fake.set_counter(counter, (place as u64 + 1) << 33 | 5));
    }
    let counters = device.counters().expect("it answers");
    for (place, &counter) in registers.iter().enumerate() {
        let expected = (place as u64 + 1) << 33 | 5;
        assert_eq!(counters.get(counter), Some(expected), "{counter}");
        assert_eq!(
            counters.named(&counter.to_string()),
            Some(expected),
            "{counter}"
        );
        assert_eq!(device.counter(counter).expect("it answers"), expected);
    }
    let filter = geometry.counters().len();
    assert_eq!(registers.len(), filter + 2 * 11 + 2 * 8);
    for lane in 0..2 {
        for (place, counter) in PathCounter::all().enumerate() {
            let expected = counters
                .iter()
                .nth(filter + 11 * lane + place)
                .expect("as many");
            assert_eq!(expected.0.part(), Part::Lane(lane));
            let got = device.path_counter(lane, counter).expect("it answers");
            assert_eq!(got, expected.1);
        }
        for (place, counter) in PortCounter::ALL.into_iter().enumerate() {
            let expected = counters
                .iter()
                .nth(filter + 22 + 8 * lane + place)
                .expect("as many");
            assert_eq!(expected.0.part(), Part::Port(lane));
            let got = device.port_counter(lane, counter).expect("it answers");
            assert_eq!(got, expected.1);
        }
    }
    let names = [
        "LANE_0.FRAMES_UNSEEN",
        "LANE_1.FRAMES_TOO_DEEP",
        "LANE_1.MARKED",
        "PORT_0.FRAMES_GOOD",
        "PORT_1.FRAMES_BAD_FCS",
        "ITEMS",
    ];
    for name in names {
        assert!(counters.named(name).is_some(), "{name}");
    }
    let (_, in_path) = identified(&in_path());
    let counters = in_path.counters().expect("it answers");
    assert!(counters.named("PATH.FRAMES_BAD").is_some());
    assert_eq!(
        in_path
            .path_counter(0, PathCounter::Dropped)
            .expect("it answers"),
        0
    );
}

#[test]
fn a_counter_of_a_lane_that_carries_between_its_halves_is_never_torn() {
    let (kept, device) = identified(&line_card());
    let registers = counter_registers(device.design());
    let named = |name: &str| {
        registers
            .iter()
            .copied()
            .find(|counter| counter.to_string() == name)
    };
    for (name, lane) in [("LANE_1.DROPPED", 1), ("LANE_0.DROPPED", 0)] {
        let counter = named(name).expect(name);
        kept.with(|fake| {
            fake.set_counter(counter, 0xFFFF_FFF0);
            fake.busy = Some(counter);
        });
        let mut last = 0xFFFF_FFF0;
        for _ in 0..32 {
            let value = device
                .path_counter(lane, PathCounter::Dropped)
                .expect("it answers");
            assert_eq!(value, last + if last == 0xFFFF_FFF0 { 1 } else { 2 });
            last = value;
        }
        assert!(last > u64::from(u32::MAX), "the carry must be crossed");
    }
}

#[test]
fn links_are_taken_apart_by_port() {
    let (kept, device) = identified(&line_card());
    let link = |up, megabits, full_duplex| PortLink {
        up,
        megabits,
        full_duplex,
    };
    kept.with(|fake| fake.values.insert(address::LINK, 0b0110_1101));
    let links = device.links().expect("it answers");
    assert_eq!(
        links,
        [link(true, Some(1000), true), link(false, None, false)]
    );
    assert_eq!(links[0].to_string(), "up, 1000 Mb/s, full duplex");
    assert_eq!(links[1].to_string(), "down");
    assert_eq!(
        PortLink::from_bits(0b0011).to_string(),
        "up, 100 Mb/s, half duplex"
    );
    assert_eq!(PortLink::from_bits(0b0001), link(true, Some(10), false));
}

#[test]
fn the_host_port_says_where_it_stands_and_who_it_is() {
    let (_, plain) = identified(&line_card());
    assert_eq!(plain.host_port().expect("it answers"), None);
    let error = plain
        .host_counter(HostCounter::FramesTaken)
        .expect_err("there is none");
    assert!(error.to_string().contains("has no host port"), "{error}");
    let (file, text) = LINECARD_EXAMPLES[0];
    let host = "port = 1\nmac = \"02:b1:00:00:00:7f\"\nip = \"192.168.1.50\"\nudp_port = 5000\n";
    let text = format!("{text}\n[packet.host]\n{host}");
    let (kept, device) = identified(&example((file, &text)));
    let binding = HostBinding {
        port: 1,
        address: HostAddress {
            mac: [2, 0xB1, 0, 0, 0, 0x7F],
            ip: [192, 168, 1, 50],
            udp_port: 5000,
        },
        auth: HostAuth::SipHash24,
    };
    assert_eq!(device.host_port().expect("it answers"), Some(binding));
    assert_eq!(device.design().host(), Some(binding));
    for (place, counter) in HostCounter::ALL.into_iter().enumerate() {
        kept.with(|fake| fake.values.insert(counter.address_hi(), place as u32 + 1));
        let expected = (place as u64 + 1) << 32;
        assert_eq!(device.host_counter(counter).expect("it answers"), expected);
    }
    let counters = device.counters().expect("it answers");
    assert_eq!(counters.named("HOST.ACCESSES_LATE"), Some(5 << 32));
    assert_eq!(counters.named("HOST.MAC"), None);
}

#[test]
fn frames_without_room_and_changed_links_are_events() {
    let (kept, device) = identified(&line_card());
    kept.with(|fake| fake.values.insert(address::LINK, 0b1101));
    let before = device.sample().expect("it answers");
    assert_eq!(before.paths.len(), 2);
    assert_eq!(before.links.len(), 2);
    let registers = counter_registers(device.design());
    let at = |name: &str| {
        registers
            .iter()
            .copied()
            .find(|counter| counter.to_string() == name)
    };
    let (lane, port) = (
        at("LANE_1.OVERFLOWS").expect("a lane's"),
        at("PORT_0.OVERFLOWS").expect("a port's"),
    );
    kept.with(|fake| {
        fake.set_counter(RecyclingCounter::Items, 5);
        fake.set_counter(at("LANE_0.FRAMES_SEEN").expect("a lane's"), 5);
        fake.set_counter(lane, 3);
        fake.set_counter(port, 1 << 32);
        fake.values.insert(address::LINK, 0b1101_0000);
    });
    let after = device.sample().expect("it answers");
    assert_eq!(
        after.events_since(&before),
        [
            Event::Overflowed {
                counter: lane,
                frames: 3
            },
            Event::Overflowed {
                counter: port,
                frames: 1 << 32
            },
            Event::LinkChanged {
                port: 0,
                link: after.links[0]
            },
            Event::LinkChanged {
                port: 1,
                link: after.links[1]
            },
        ]
    );
    assert_eq!(before.events_since(&after), [Event::Restarted]);
    assert_eq!(Design::from(geometry()).lanes(), 0);
}
