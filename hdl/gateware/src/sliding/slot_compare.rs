//! Compares two slots: same bucket, same fingerprint.

use crate::prelude::*;

/// Compares the positions of two slots: their buckets, and their fingerprints too.
///
/// Timing: one clock from `ahead`/`behind` to `same_bucket`/`same_value`.
/// New inputs in every clock. No reset.
#[derive(LogicBlock)]
pub struct SlotCompare {
    about: About,
    pub clock: Signal<In, Clock>,
    pub ahead: Bus<In>,
    pub behind: Bus<In>,
    pub same_bucket: Wire<Out>,
    pub same_value: Wire<Out>,
    bucket: Flag,
    fingerprint: Flag,
    fingerprint_from: usize,
    bucket_bits: usize,
    fingerprint_bits: usize,
}

impl SlotCompare {
    /// For positions whose low `bucket_bits` bits are the bucket and whose high `fingerprint_bits` bits the fingerprint.
    pub fn new(position_bits: usize, bucket_bits: usize, fingerprint_bits: usize) -> Self {
        Self {
            about: About::new(
                "slot_compare",
                "Do two slots hold the same bucket, and do they bear the same fingerprint too?",
            ),
            clock: Default::default(),
            ahead: Bus::new(position_bits).doc("position of the slot ahead"),
            behind: Bus::new(position_bits).doc("position of the slot behind"),
            same_bucket: Wire::default().doc("one clock later: the same bucket"),
            same_value: Wire::default().doc("one clock later: the same bucket and fingerprint"),
            bucket: Default::default(),
            fingerprint: Default::default(),
            fingerprint_from: position_bits - fingerprint_bits,
            bucket_bits,
            fingerprint_bits,
        }
    }
}

impl Logic for SlotCompare {
    #[hdl_gen]
    fn update(&mut self) {
        self.bucket.d.next = bits_to(self.ahead.val(), self.bucket_bits)
            == bits_to(self.behind.val(), self.bucket_bits);
        self.fingerprint.d.next = bits_to(
            self.ahead.val() >> self.fingerprint_from,
            self.fingerprint_bits,
        ) == bits_to(
            self.behind.val() >> self.fingerprint_from,
            self.fingerprint_bits,
        );
        self.same_bucket.next = self.bucket.q.val();
        self.same_value.next = self.bucket.q.val() && self.fingerprint.q.val();
    }
}
