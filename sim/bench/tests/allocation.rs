//! The lockstep loop allocates nothing: counted by an allocator of its own.

mod common;

use bloomline_bench::lockstep::{compare, Limits, Reference, Stimulus};
use bloomline_bench::verilator::Initial;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as the caller's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller's.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

struct Count(u64);

impl Reference for Count {
    fn outputs(&mut self, outputs: &mut [u64], care: &mut [u64]) {
        outputs[0] = self.0;
        care[0] = u64::MAX;
    }

    fn clock(&mut self, inputs: &[u64]) {
        self.0 = if inputs[0] == 1 {
            0
        } else {
            self.0 + inputs[1]
        };
    }
}

struct Ones(u64);

impl Stimulus for Ones {
    fn next(&mut self, _: &[u64], inputs: &mut [u64]) -> bool {
        inputs[1] = 1;
        self.0 -= 1;
        self.0 > 0
    }
}

#[test]
fn the_loop_allocates_nothing() {
    let library = common::build(&common::counter()).expect("it builds");
    let mut sim = library.open(Initial::Zeros).expect("it opens");
    let (mut at_start, mut at_end) = (0, 0);
    compare(
        library.design(),
        &mut sim,
        &mut Count(0),
        &mut Ones(10_000),
        0,
        Limits::default(),
        |clock| match clock.cycle {
            10 => at_start = ALLOCATIONS.load(Ordering::Relaxed),
            9_990 => at_end = ALLOCATIONS.load(Ordering::Relaxed),
            _ => {}
        },
    )
    .expect("they are equal");
    assert!(at_start > 0, "the counter counts");
    // The harness has a thread of its own that may allocate a little meanwhile; the loop ran 9,980 times.
    assert!(at_end - at_start < 100, "{} allocations", at_end - at_start);
}
