//! Reads or stores a word of the array for a host, cell by cell.

use super::{store_stage, ROW_STAGE, WRITE_STAGE};
use crate::prelude::*;

block! {
    /// Sends the cells of a word through the pipeline, one a clock, behind the items that were accepted before: 32 bits, or as many counters as a word holds.
    ///
    /// ```text
    /// issue -> F clocks, in which items ahead pass stage 0 -> cell 0, 1, .. in stage 0 -> ... -> stage in which what is fetched is there
    /// ```
    ///
    /// ARRAY_DATA rotates by one cell for each cell: in a fetch the cells that were read are shifted in, in a store those that were shifted out come back.
    /// Timing: issued in clock t, cell j stands in stage 0 in clock t + F + j; `done` in clock t + F + fetch_stage + cells of a word. Rules: `docs/single-bits.md`.
    /// `reset` is synchronous and active high.
    pub struct WordAccess {
        about: About = About::new(
            "word_access",
            "A word of the array for a host, cell by cell: they pass the pipeline behind the items that were accepted before, and none comes meanwhile.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("ends an access"),
        pub issue: Wire<In> = Wire::default().doc("an access begins"),
        pub storing: Wire<In> = Wire::default().doc("it stores; if not, it fetches"),
        pub word_address: Bus<In> = Bus::new(shape.word_address_bits).doc("the word in its bank"),
        pub data: Bus<In> = Bus::new(WORD_BITS).doc("register ARRAY_DATA"),
        pub in_bank: Bus<In> = Bus::new(shape.banks).doc("bit i: the word is in bank i"),
        pub found: Bus<In> = Bus::new(shape.cell_bits).doc(format!("stage {}: the cell of that bank", shape.fetch)),
        pub direct: Wire<Out> = Wire::default().doc("stage 0: a cell of the word"),
        pub position: Bus<Out> = Bus::new(shape.index_bits).doc("its position"),
        pub writing: Bus<Out> = Bus::new(shape.banks).doc(format!("stage {known}: the cell is written in bank i")),
        pub value: Bus<Out> = Bus::new(shape.cell_bits).doc(format!("stage {written}: value to write; {of_others}")),
        pub load: Wire<Out> = Wire::default().doc("ARRAY_DATA is loaded"),
        pub word: Bus<Out> = Bus::new(WORD_BITS).doc("with this"),
        pub done: Wire<Out> = Wire::default().doc("last clock of the access"),
        on_way: Flag = Flag::default().doc("an access is on its way"),
        clocks: Reg = Reg::new(clock_bits).doc("clocks since it was issued"),
        direct_r: Flag,
        offset: Optional<Reg> = Optional::new(several, Reg::new(lane_bits).doc("cell in stage 0")),
        write_line: FlagDelay = FlagDelay::new(known),
        value_line: Delay = Delay::new(shape.cell_bits, written),
        first: Bus<Local> = Bus::new(shape.cell_bits),
        collect: FlagDelay = FlagDelay::new(shape.fetch),
        last: Flag,
        turned: Bus<Local> = Bus::new(WORD_BITS),
        before_cells: Const = at(shape.front - 1),
        last_cell: Const = at(shape.front + shape.lanes - 1),
        one_clock: Const = Const::new(1, clock_bits),
        before_done: Const = at(shape.access - 1),
        no_bank: Const = Const::new(0, shape.banks),
        no_offset: Const = Const::new(0, lane_bits),
        value_of_others: Const = Const::new(u128::from(bits), shape.cell_bits),
        lane_bits: usize = lane_bits,
        cell_bits: usize = shape.cell_bits,
        several: bool = several,
        top: usize = shape.used_bits - shape.cell_bits,
        /// Bits of ARRAY_DATA above the cells.
        unused: Const = Const::new(ones(WORD_BITS) - ones(shape.used_bits), WORD_BITS),
        partly: bool = shape.used_bits < WORD_BITS,
        shape: CellShape = *shape,
    }

    /// For a pipeline of this shape.
    pub fn new(shape: &CellShape) {
        let clock_bits = width_of(shape.access);
        let bits = shape.counts == 0;
        // the register of port A of a bit bank knows a stage ahead whether a bit is written
        let (known, written, of_others) = match bits {
            true => (ROW_STAGE, WRITE_STAGE, "1 for an item"),
            false => (store_stage(shape), store_stage(shape), "0 for a counter to erase"),
        };
        let several = shape.lanes > 1;
        let lane_bits = shape.lane_bits.max(1);
        let at = |clock: usize| Const::new(clock as u128, clock_bits);
    }
}

impl Logic for WordAccess {
    #[hdl_gen]
    fn update(&mut self) {
        self.clocks.d.next = self.clocks.q.val() + 1;
        self.on_way.d.next = self.on_way.q.val() && !self.last.q.val();
        self.last.d.next = self.on_way.q.val() && (self.clocks.q.val() == self.before_done.val());
        self.direct_r.d.next = self.direct_r.q.val();
        if self.on_way.q.val() && (self.clocks.q.val() == self.before_cells.val()) {
            self.direct_r.d.next = true;
        } else if self.clocks.q.val() == self.last_cell.val() {
            self.direct_r.d.next = false;
        }
        if self.issue.val() {
            self.on_way.d.next = true;
            self.clocks.d.next = self.one_clock.val();
        }
        self.done.next = self.last.q.val();

        comment!("stage 0");
        self.direct.next = self.direct_r.q.val();
        if self.several {
            self.offset.d.next = self.offset.q.val();
            if self.direct_r.q.val() {
                self.offset.d.next = self.offset.q.val() + 1;
            }
            self.position.next = (bits_to(self.word_address.val(), self.shape.index_bits)
                << self.lane_bits)
                | bits_to(self.offset.q.val(), self.shape.index_bits);
        } else {
            self.position.next = self.word_address.val();
        }

        comment!("a store: what is written, and where");
        self.first.next = bits_to(self.data.val(), self.shape.cell_bits);
        self.write_line.d.next = self.direct_r.q.val() && self.storing.val();
        self.writing.next = self.no_bank.val();
        if self.write_line.q.val() {
            self.writing.next = self.in_bank.val();
        }
        self.value_line.d.next = self.value_of_others.val();
        if self.direct_r.q.val() {
            self.value_line.d.next = self.first.val();
        }
        self.value.next = self.value_line.q.val();

        comment!("a fetch shifts in the cells that were read, a store those that it shifted out");
        self.collect.d.next = self.direct_r.q.val() && !self.storing.val();
        self.load.next = (self.collect.q.val() && self.on_way.q.val())
            || (self.direct_r.q.val() && self.storing.val());
        self.turned.next = bits_to(self.found.val(), WORD_BITS) << self.top;
        if self.storing.val() {
            self.turned.next = bits_to(self.first.val(), WORD_BITS) << self.top;
            if self.partly {
                comment!("bits above the cells stay");
                self.turned.next = (bits_to(self.first.val(), WORD_BITS) << self.top)
                    | (self.data.val() & self.unused.val());
            }
        }
        if self.several {
            self.word.next = self.turned.val()
                | bits_to(
                    bits_to(self.data.val(), self.shape.used_bits) >> self.cell_bits,
                    WORD_BITS,
                );
        } else {
            self.word.next = self.turned.val();
        }

        if self.reset.val() {
            self.on_way.d.next = false;
            self.direct_r.d.next = false;
            self.last.d.next = false;
            if self.several {
                self.offset.d.next = self.no_offset.val();
            }
        }
    }
}
