/// Slots kept: a power of two above the clocks from acceptance to the last stage of a slot.
const RING: usize = 64;

/// The slots in flight, by the clock they entered in.
#[derive(Debug, Clone)]
pub(crate) struct Slots<S> {
    ring: Box<[S; RING]>,
}

impl<S: Copy> Slots<S> {
    /// All as `empty`. `clocks_in_flight` is the longest way of a slot.
    pub fn new(empty: S, clocks_in_flight: u32) -> Slots<S> {
        assert!(
            (clocks_in_flight as usize) < RING,
            "the timing of every geometry has fewer than {RING} slots in flight"
        );
        Slots {
            ring: Box::new([empty; RING]),
        }
    }

    /// The slot that entered `clocks_ago` before `clock`. Those before time began are empty.
    pub fn entered(&mut self, clock: u64, clocks_ago: u32) -> &mut S {
        &mut self.ring[clock.wrapping_sub(u64::from(clocks_ago)) as usize % RING]
    }
}
