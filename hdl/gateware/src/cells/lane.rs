//! Update logic of one counter in a memory word.

use crate::prelude::*;

block! {
    /// The counter that stands in one place of every word: adds to it, takes from it, keeps it at its greatest value.
    ///
    /// ```text
    /// stage 3        4                                        5                       6
    /// lane, op | registered | own value one slot ahead or  | sum, and whether     | (registered by the bank)
    ///          |            | the word; add; is it 0, max? | it is full or empty  |
    /// ```
    ///
    /// The loop of one clock is the choice of the value and the addition. What a carry means is settled behind the register: a counter that is full
    /// reads as all ones, one that could not be taken from as zero.
    ///
    /// A counting filter's lane adds or takes 1 (over a window it only adds), a Count-Min sketch's adds an amount. Sources: CBF; KM section 9.
    /// New inputs in every clock. No reset.
    pub struct CellLane {
        about: About = About::new("cell_lane", format!("{text}\nWhat a carry means is settled behind the register of the sum: the loop of one clock is a choice and an addition.")),
        pub clock: Signal<In, Clock>,
        // stage 3
        pub here: Wire<In> = Wire::default().doc("stage 3: the item's cell stands here"),
        pub inserting: Wire<In> = Wire::default().doc("stage 3: it inserts"),
        pub removing: Vec<Wire<In>> = (0..shape.removes).map(|_| Wire::default().doc("stage 3: it removes")).collect(),
        pub amount: Vec<Bus<In>> = (0..shape.amounts()).map(|_| Bus::new(shape.cell_bits).doc("stage 3: what it adds")).collect(),
        // stage 4
        pub word: Bus<In> = Bus::new(shape.cell_bits).doc("stage 4: the cell, from memory or a slot two to four ahead"),
        pub current: Wire<In> = Wire::default().doc("stage 4: that counts; if not, the cell is 0"),
        pub chained: Wire<In> = Wire::default().doc("stage 4: the slot one ahead has the same word: take its value"),
        // stage 5
        pub value: Bus<Out> = Bus::new(shape.cell_bits).doc("stage 5: the cell after the item"),
        pub picked: Bus<Out> = Bus::new(shape.cell_bits).doc("stage 5: likewise if it is the item's, else 0"),
        pub above: Wire<Out> = Wire::default().doc("stage 5: it is the item's and was above 0"),
        pub underflow: Vec<Wire<Out>> = (0..shape.removes).map(|_| Wire::default().doc("stage 5: it was to be taken from and was 0")).collect(),
        here_4: Flag,
        here_5: Flag,
        up: Vec<Flag> = (0..1 - shape.amounts()).map(|_| Flag::default()).collect(),
        down: Vec<Flag> = (0..shape.removes).map(|_| Flag::default()).collect(),
        adding: Vec<Reg> = (0..shape.amounts()).map(|_| Reg::new(shape.cell_bits)).collect(),
        base: Bus<Local> = Bus::new(shape.cell_bits),
        addend: Bus<Local> = Bus::new(shape.cell_bits),
        total: Bus<Local> = Bus::new(shape.cell_bits + 1),
        sum: Reg = Reg::new(shape.cell_bits),
        above_0: Flag,
        full: Flag = Flag::default().doc("at its greatest value, whatever the sum is"),
        empty: Vec<Flag> = (0..shape.removes).map(|_| Flag::default().doc("0, whatever the sum is: it was 0 and was to be taken from")).collect(),
        zero: Const = Const::new(0, shape.cell_bits),
        one: Const = Const::new(1, shape.cell_bits),
        greatest: Const = Const::new(ones(shape.cell_bits), shape.cell_bits),
        carry: usize = shape.cell_bits,
        shape: CellShape = *shape,
    }

    /// A lane of a bank of this shape, whose cells are counters.
    pub fn new(shape: &CellShape) {
        let text = match (shape.removes, shape.amounts()) {
            (1, _) => "One counter of a word: adds or takes 1, stays at 0 and at its greatest value. Source: CBF.",
            (_, 0) => "One counter of a word: adds 1, stays at its greatest value. Source: CBF.",
            (_, _) => "One counter of a word: adds an amount, stays at its greatest value. Source: KM section 9.",
        };
    }
}

impl Logic for CellLane {
    #[hdl_gen]
    fn update(&mut self) {
        self.here_4.d.next = self.here.val();
        self.here_5.d.next = self.here_4.q.val();

        comment!("the value behind the register");
        self.value.next = self.sum.q.val();
        if self.full.q.val() {
            self.value.next = self.greatest.val();
        }
        for r in 0..self.shape.removes {
            if self.empty[r].q.val() {
                self.value.next = self.zero.val();
            }
        }

        comment!("the cell as the slots ahead leave it");
        self.base.next = self.zero.val();
        if self.chained.val() {
            self.base.next = self.value.val();
        } else if self.current.val() {
            self.base.next = self.word.val();
        }

        if self.shape.amounts() == 0 {
            comment!("what is added");
            self.addend.next = self.zero.val();
        }
        for a in 0..self.shape.amounts() {
            self.adding[a].d.next = self.zero.val();
            if self.here.val() && self.inserting.val() {
                self.adding[a].d.next = self.amount[a].val();
            }
            self.addend.next = self.adding[a].q.val();
        }
        for r in 0..self.shape.removes {
            comment!("taking 1 is adding all ones; its carry says that the cell was above 0");
            self.up[r].d.next = self.here.val() && self.inserting.val();
            self.down[r].d.next = self.here.val() && self.removing[r].val();
            if self.up[r].q.val() {
                self.addend.next = self.one.val();
            }
            if self.down[r].q.val() {
                self.addend.next = self.greatest.val();
            }
        }
        for u in 0..1 - self.shape.removes - self.shape.amounts() {
            self.up[u].d.next = self.here.val() && self.inserting.val();
            if self.up[u].q.val() {
                self.addend.next = self.one.val();
            }
        }
        self.total.next = bits_to(self.base.val(), self.shape.cell_bits + 1)
            + bits_to(self.addend.val(), self.shape.cell_bits + 1);
        self.sum.d.next = bits_to(self.total.val(), self.shape.cell_bits);
        self.above_0.d.next = self.base.val().any();
        self.full.d.next = self.total.val().get_bit(self.carry);
        for r in 0..self.shape.removes {
            self.full.d.next = (self.up[r].q.val() && self.total.val().get_bit(self.carry))
                || (self.down[r].q.val() && self.base.val().all());
            self.empty[r].d.next = self.down[r].q.val() && !self.total.val().get_bit(self.carry);
            self.underflow[r].next = self.empty[r].q.val();
        }

        self.picked.next = self.zero.val();
        if self.here_5.q.val() {
            self.picked.next = self.value.val();
        }
        self.above.next = self.here_5.q.val() && self.above_0.q.val();
    }
}
