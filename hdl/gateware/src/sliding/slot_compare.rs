//! Compares two slots: same bucket, same fingerprint.

use crate::prelude::*;

block! {
    /// Compares the positions of two slots: their buckets, and their fingerprints too.
    ///
    /// Timing: one clock from `ahead`/`behind` to `same_bucket`/`same_value`.
    /// New inputs in every clock. No reset.
    pub struct SlotCompare {
        about: About = About::new(
            "slot_compare",
            "Do two slots hold the same bucket, and do they bear the same fingerprint too?",
        ),
        pub clock: Signal<In, Clock>,
        pub ahead: Bus<In> = Bus::new(position_bits).doc("position of the slot ahead"),
        pub behind: Bus<In> = Bus::new(position_bits).doc("position of the slot behind"),
        pub same_bucket: Wire<Out> = Wire::default().doc("one clock later: the same bucket"),
        pub same_value: Wire<Out> = Wire::default().doc("one clock later: the same bucket and fingerprint"),
        bucket: Flag,
        fingerprint: Flag,
        fingerprint_from: usize = position_bits - fingerprint_bits,
        bucket_bits: usize = bucket_bits,
        fingerprint_bits: usize = fingerprint_bits,
    }

    /// For positions whose low `bucket_bits` bits are the bucket and whose high `fingerprint_bits` bits the fingerprint.
    pub fn new(position_bits: usize, bucket_bits: usize, fingerprint_bits: usize) {}
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
