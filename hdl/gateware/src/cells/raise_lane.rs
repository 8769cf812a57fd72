//! Update logic of one counter in a memory word (conservative update).

use crate::prelude::*;

block! {
    /// The counter that stands in one place of every word: raises it to a level where it is below it.
    ///
    /// ```text
    /// stage 3        4                                        5                       6
    /// lane, op | registered | own value one slot ahead or  | the greater of the two | (registered by the bank)
    ///          |            | the word; compare with level |                        |
    /// ```
    ///
    /// Ports and stages are those of `CellLane`. Source: Estan and Varghese, SIGCOMM 2002.
    /// New inputs in every clock. No reset.
    pub struct RaiseLane {
        about: About = About::new(
            "raise_lane",
            "One counter of a word: raised to a level where it is below it. Source: Estan and Varghese, SIGCOMM 2002.",
        ),
        pub clock: Signal<In, Clock>,
        // stage 3
        pub here: Wire<In> = Wire::default().doc("stage 3: the item's cell stands here"),
        pub raising: Wire<In> = Wire::default().doc("stage 3: it is to be raised"),
        pub level: Bus<In> = Bus::new(shape.cell_bits).doc("stage 3: to this"),
        // stage 4
        pub word: Bus<In> = Bus::new(shape.cell_bits).doc("stage 4: the cell, from memory or a slot two to four ahead"),
        pub current: Wire<In> = Wire::default().doc("stage 4: that counts; if not, the cell is 0"),
        pub chained: Wire<In> = Wire::default().doc("stage 4: the slot one ahead has the same word: take its value"),
        // stage 5
        pub value: Bus<Out> = Bus::new(shape.cell_bits).doc("stage 5: the cell after the slot"),
        pub picked: Bus<Out> = Bus::new(shape.cell_bits).doc("stage 5: likewise if it is the item's, else 0"),
        pub above: Wire<Out> = Wire::default().doc("stage 5: it is the item's and was above 0"),
        here_4: Flag,
        here_5: Flag,
        level_4: Reg = Reg::new(shape.cell_bits).doc("0 where nothing is raised"),
        base: Bus<Local> = Bus::new(shape.cell_bits),
        value_5: Reg = Reg::new(shape.cell_bits),
        above_0: Flag,
        zero: Const = Const::new(0, shape.cell_bits),
    }

    /// A lane of a bank of this shape, whose cells are counters.
    pub fn new(shape: &CellShape) {}
}

impl Logic for RaiseLane {
    #[hdl_gen]
    fn update(&mut self) {
        self.here_4.d.next = self.here.val();
        self.here_5.d.next = self.here_4.q.val();
        self.level_4.d.next = self.zero.val();
        if self.here.val() && self.raising.val() {
            self.level_4.d.next = self.level.val();
        }

        comment!("the cell as the slots ahead leave it");
        self.base.next = self.zero.val();
        if self.chained.val() {
            self.base.next = self.value_5.q.val();
        } else if self.current.val() {
            self.base.next = self.word.val();
        }

        comment!("the greater of cell and level");
        self.value_5.d.next = self.base.val();
        if self.base.val() < self.level_4.q.val() {
            self.value_5.d.next = self.level_4.q.val();
        }
        self.above_0.d.next = self.base.val().any();
        self.value.next = self.value_5.q.val();
        self.picked.next = self.zero.val();
        if self.here_5.q.val() {
            self.picked.next = self.value_5.q.val();
        }
        self.above.next = self.here_5.q.val() && self.above_0.q.val();
    }
}
