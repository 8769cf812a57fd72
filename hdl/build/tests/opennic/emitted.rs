//! The emitted packet path in the box, against its model.

#[path = "../../../../sim/model/tests/common/frames.rs"]
mod frames;

use crate::shell::{library, sources, Chances, Frame, Shell, ALWAYS};
use crate::{arrived, OKAY, SPEC};
use bloomline_model::{PathFilter, PathModel};
use bloomline_spec::registers::{address, PathCounter};
use bloomline_spec::{Design, FilterSpec, FrameClass, Policy};
use frames::{frame, ipv4, ipv6};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;

/// A frame whose flow is one of 200; every fifth is something else.
fn traffic(random: &mut ChaCha8Rng) -> Vec<u8> {
    let flow: u16 = random.random_range(0..200);
    let mut payload = [flow.to_be_bytes(), [7, 208], [0, 8], [0, 0]].concat();
    payload.resize(8 + random.random_range(32..1400), flow as u8);
    match random.random_range(0..10) {
        0 => frame(0x86DD, &[&ipv6(17, &payload)]),
        1 => frame(0x0806, &[&[0; 46]]),
        2 => frame(0x0800, &[&ipv4(17, &[], 0, &payload)[..60]]),
        _ => frame(0x0800, &[&ipv4(17, &[], 0, &payload)]),
    }
}

#[test]
#[ignore = "a claim"]
fn the_emitted_path_judges_received_frames_in_the_box_and_the_host_reads_its_counters() {
    let spec = FilterSpec::from_toml(SPEC, Path::new("tiny.toml")).expect("a specification");
    let design = spec.design().expect("is legal");
    let Design::Cells(geometry) = &design else {
        panic!("a filter of cells");
    };
    let packet = geometry.packet().expect("a packet path");
    let emitted = bloomline_hdl::path_verilog(geometry, "").expect("emits");
    let emitted = bloomline_hdl::shipped(&emitted, &design);
    let sources = sources("tiny_path", &emitted.text(), packet.buffer_bytes());
    // one interface: what a second one adds is the wrapper's, and shown with the stand-in
    let library = library(&crate::common::toolchain(), sources, 1, &[]).expect("a model");
    for (seed, take) in [(1, ALWAYS), (2, 200)] {
        let chances = Chances { offer: 40, take };
        let mut shell = Shell::start(&library, 1, seed, chances, (4_007, 0));
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut model = PathModel::new(PathFilter::new(geometry.clone())).expect("a packet path");
        for (class, policy) in [
            (FrameClass::Unseen, Policy::Mark(8)),
            (FrameClass::Seen, Policy::Drop),
        ] {
            let register = address::POLICY + 4 * class.number();
            assert_eq!(shell.write(register, policy.register()), OKAY);
            assert_eq!(model.write(register, policy.register()), 0);
            assert_eq!(shell.read(register), (policy.register(), OKAY));
        }
        let mut wanted = Vec::new();
        for _ in 0..600 {
            let came = arrived(traffic(&mut random), 0);
            if let Some(bytes) = model.pass(&came.bytes, false) {
                wanted.push(Frame {
                    bytes,
                    dst: 1,
                    ..came.clone()
                });
            }
            shell.receive(0, came);
        }
        shell.run(200_000, |shell| {
            shell.to_host(0).len() == wanted.len() && shell.all_received()
        });
        // frames that are dropped may still be under way
        shell.wait(200);
        assert_eq!(shell.to_host(0), wanted, "seed {seed}");
        for counter in PathCounter::all() {
            let low = shell.read(counter.address_lo());
            let counted = model.counter(counter);
            assert_eq!(low, (counted as u32, OKAY), "seed {seed}, {counter:?}");
        }
        assert!(model.counter(PathCounter::Dropped) > 100);
        assert!(model.counter(PathCounter::Marked) > 100);
    }
}
