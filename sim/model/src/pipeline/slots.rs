/// The slots in flight, by the clock they entered in.
#[derive(Debug, Clone)]
pub(crate) struct Slots<S> {
    /// A power of two above the clocks from acceptance to the last stage of a slot.
    ring: Box<[S]>,
}

impl<S: Copy> Slots<S> {
    /// All as `empty`. `clocks_in_flight` is the longest way of a slot.
    pub fn new(empty: S, clocks_in_flight: u32) -> Slots<S> {
        let places = (clocks_in_flight as usize + 1).next_power_of_two();
        Slots {
            ring: vec![empty; places].into(),
        }
    }

    /// The slot that entered `clocks_ago` before `clock`. Those before time began are empty.
    pub fn entered(&mut self, clock: u64, clocks_ago: u32) -> &mut S {
        let place = clock.wrapping_sub(u64::from(clocks_ago)) as usize & (self.ring.len() - 1);
        &mut self.ring[place]
    }
}
