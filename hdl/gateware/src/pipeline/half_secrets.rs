//! Selects the secret under which each half is queried after a rekey.

use crate::bus::SECRET_BITS;
use crate::prelude::*;

block! {
    /// The frozen half's secret, while it differs from the active half's, and what that makes of an item: two slots.
    ///
    /// ```text
    /// accept, differ -> look (under the frozen half's secret) -> [one clock] -> the item (under the active half's)
    /// stage D:          the look's in_frozen -> [reg] -> in_frozen of the item's verdict
    /// ```
    ///
    /// Rules and timing: `docs/pipeline.md`, "A secret per half".
    /// `reset` is synchronous and active high.
    pub struct HalfSecrets {
        about: About = About::new(
            "half_secrets",
            "A secret for each half. While they differ an item enters twice: first a look under the frozen half's secret, then the item under the\nactive half's. A recycle ends the difference: the half that it empties takes the active half's secret.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("drops the item whose look has entered; secrets stay"),
        pub secret: Bus<In> = Bus::new(SECRET_BITS).doc("the active half's secret"),
        pub rekeyed: Wire<In> = Wire::default().doc("it changes with this clock, for the active half alone"),
        pub trip: Wire<In> = Wire::default().doc("the slot in stage D recycles"),
        pub accept: Wire<In> = Wire::default().doc("an item is accepted"),
        pub operation: Bus<In> = Bus::new(2).doc("its operation"),
        pub in_frozen: Wire<In> = Wire::default().doc("the slot in stage D: all its bits are set in the frozen half"),
        pub differ: Wire<Out> = Wire::default().doc("the halves' secrets differ"),
        pub look: Wire<Out> = Wire::default().doc("what is accepted enters as a look"),
        pub again: Wire<Out> = Wire::default().doc("the item whose look entered in the clock before enters"),
        pub entering: Wire<Out> = Wire::default().doc("an item or its look enters"),
        pub entering_operation: Bus<Out> = Bus::new(2).doc("the item's operation"),
        pub hashing: Bus<Out> = Bus::new(SECRET_BITS).doc("secret for the key that entered in the clock before"),
        pub frozen: Wire<Out> = Wire::default().doc("the item in stage D is in the frozen half"),
        older: Reg = Reg::new(SECRET_BITS).doc("the frozen half's secret, while they differ"),
        differ_r: Flag,
        again_r: Flag,
        operation_r: Reg = Reg::new(2),
        looked: Flag = Flag::default().doc("in_frozen of the slot ahead of the one in stage D"),
    }
}

impl Logic for HalfSecrets {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("the secrets");
        self.older.d.next = self.older.q.val();
        self.differ_r.d.next = self.differ_r.q.val() && !self.trip.val();
        if self.rekeyed.val() {
            self.older.d.next = self.secret.val();
            self.differ_r.d.next = true;
        }
        self.differ.next = self.differ_r.q.val();

        comment!("an item enters as one slot or as two; its key is hashed in the clock behind");
        self.again_r.d.next = self.accept.val() && self.differ_r.q.val() && !self.reset.val();
        self.operation_r.d.next = self.operation.val();
        self.look.next = self.differ_r.q.val() && !self.again_r.q.val();
        self.again.next = self.again_r.q.val();
        self.entering.next = self.accept.val() || self.again_r.q.val();
        self.entering_operation.next = self.operation.val();
        self.hashing.next = self.secret.val();
        if self.again_r.q.val() {
            self.entering_operation.next = self.operation_r.q.val();
            self.hashing.next = self.older.q.val();
        }

        comment!("at the decision");
        self.looked.d.next = self.in_frozen.val();
        self.frozen.next = self.in_frozen.val();
        if self.differ_r.q.val() {
            self.frozen.next = self.looked.q.val();
        }
    }
}
