//! One bank of single counters.

use super::{store_stage, AHEAD};
use crate::bank::{BankMemory, WordCompare};
use crate::cells::CellLane;
use crate::prelude::*;

/// Stages that carry the position: 1 to 5.
const PLACES: usize = 5;

block! {
    /// A bank of single counters: memory and arithmetic for one of the k counters of an item, exact under any sequence of slots.
    ///
    /// ```text
    /// stage 0    1              2                 3                      4                     5 = W             6
    /// position | RAM address, | (RAM), which    | RAM data, or counter | that, or value of   | value, RAM      | item's counter
    ///          | compare      | slots have my   | of a slot 2 to 4     | the slot one ahead; | write           |
    ///          |              | counter         | ahead                | add                 |                 |
    /// ```
    ///
    /// A slot's counter is forwarded to the next four slots that have it, to the one right behind it within the loop of one clock. A counter that a host stores, or
    /// that is erased, is a slot as an item is. What it stores takes the place of what memory holds, in stage 2; in a sketch that of what is written, in stage 5,
    /// which takes a lookup table less for each bit, and is forwarded to nobody, for no item comes so close behind it. (A counter that is also counted down has a wider
    /// multiplexer in front of the memory already, and would be slower.)
    ///
    /// Sources: CBF (counters), KM section 9 (amounts). Rules and timing: `docs/single-bits.md`. New inputs in every clock. No reset.
    pub struct CounterBank {
        about: About = About::new(
            "counter_bank",
            format!(
                "One bank: {} counters of {} bits, {what}.\n\
                 Exact for any sequence of slots: counters of slots in flight are forwarded.",
                1u64 << shape.index_bits, shape.cell_bits
            ),
        ),
        pub clock: Signal<In, Clock>,
        pub index: Bus<In> = Bus::new(shape.index_bits).doc("stage 0: position of the item"),
        pub direct: Wire<In> = Wire::default().doc("stage 0: a counter for the host, or one to erase"),
        pub direct_position: Bus<In> = Bus::new(shape.index_bits).doc("its position"),
        pub ahead: Bus<In> = Bus::new(AHEAD).doc("bit i: there is a slot in stage 3 + i, which writes its counter in stage 5"),
        pub storing: Wire<In> = Wire::default().doc(format!("stage {}: the slot stores", store_stage(shape))),
        pub store_value: Bus<In> = Bus::new(shape.cell_bits).doc(format!("stage {}: this", store_stage(shape))),
        pub inserting: Wire<In> = Wire::default().doc("stage 3: the item inserts"),
        pub removing: Optional<Wire<In>> = Optional::new(removes, Wire::default().doc("stage 3: it removes")),
        pub amount: Optional<Bus<In>> = Optional::new(amounts, Bus::new(shape.cell_bits).doc("stage 3: what it adds")),
        pub above: Wire<Out> = Wire::default().doc("stage 6: the item's counter was above 0"),
        pub underflow: Optional<Wire<Out>> = Optional::new(removes, Wire::default().doc("stage 6: it was to be taken from and was 0")),
        pub count: Bus<Out> = Bus::new(shape.cell_bits).doc("stage 6: the item's counter, after it"),
        pub full: Wire<Out> = Wire::default().doc("stage 6: it is at its greatest value"),
        place: Vec<Reg> = (1..=PLACES).map(|_| Reg::new(shape.index_bits)).collect(),
        compare: Vec<WordCompare> = (0..AHEAD).map(|_| WordCompare::new(shape.index_bits)).collect(),
        hit: Bus<Local> = Bus::new(AHEAD),
        next_3: Flag = Flag::default().doc("stage 3: the slot one ahead has my counter"),
        from_near: Flag = Flag::default().doc("stage 3: it comes from the slot two ahead"),
        from_far: Flag = Flag::default().doc("stage 3: it comes from far_cell"),
        chained: Flag = Flag::default().doc("stage 4: it is that of the slot one ahead"),
        far_cell: Reg = Reg::new(shape.cell_bits),
        memory: BankMemory = BankMemory::of_cells(shape.index_bits, shape.cell_bits),
        word: Reg = Reg::new(shape.cell_bits),
        lane: CellLane = CellLane::new(shape),
        written: Bus<Local> = Bus::new(shape.cell_bits),
        cell_r: Reg = Reg::new(shape.cell_bits),
        above_r: Flag,
        underflow_r: Optional<Flag> = Optional::new(removes, Flag::default()),
        removes: bool = removes,
        amounts: bool = amounts,
    }

    /// A bank of a pipeline of this shape.
    pub fn new(shape: &CellShape) {
        let removes = shape.removes > 0;
        let amounts = shape.amounts() > 0;
        let what = match (removes, amounts) {
            (_, true) => "each added to by an amount. Source: KM section 9",
            (true, _) => "each counted up and down by one. Source: CBF",
            (false, _) => "each counted up by one. Source: CBF",
        };
    }
}

impl Logic for CounterBank {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("positions of the slots from stage 1 on");
        self.place[0].d.next = self.index.val();
        if self.direct.val() {
            self.place[0].d.next = self.direct_position.val();
        }
        for s in 1..self.place.len() {
            self.place[s].d.next = self.place[s - 1].q.val();
        }

        comment!(
            "stage 2: which of the four slots ahead have my counter, and where it comes from then"
        );
        for a in 0..self.compare.len() {
            self.compare[a].behind.next = self.place[0].q.val();
            self.compare[a].ahead.next = self.place[a + 1].q.val();
            self.hit
                .set_bit(a, self.compare[a].same.val() && self.ahead.val().get_bit(a));
        }
        self.next_3.d.next = self.hit.val().get_bit(0usize);
        self.from_near.d.next = self.hit.val().get_bit(1usize);
        self.from_far.d.next = self.hit.val().get_bit(2usize) || self.hit.val().get_bit(3usize);
        self.far_cell.d.next = self.cell_r.q.val();
        if self.hit.val().get_bit(2usize) {
            self.far_cell.d.next = self.lane.value.val();
        }
        if !self.amounts {
            if self.storing.val() {
                self.next_3.d.next = false;
                self.from_near.d.next = false;
                self.from_far.d.next = true;
                self.far_cell.d.next = self.store_value.val();
            }
        }

        comment!("memory: address in stage 1, counter in stage 3, written in stage 5");
        self.memory.read_address.next = self.place[0].q.val();
        self.memory.write_enable.next = self.ahead.val().get_bit(2usize);
        self.memory.write_address.next = self.place[4].q.val();
        self.written.next = self.lane.value.val();
        if self.amounts {
            if self.storing.val() {
                self.written.next = self.store_value.val();
            }
        }
        self.memory.write_data.next = self.written.val();
        self.word.d.next = self.memory.read_data.val();
        if self.from_near.q.val() {
            self.word.d.next = self.lane.value.val();
        } else if self.from_far.q.val() {
            self.word.d.next = self.far_cell.q.val();
        }
        self.chained.d.next = self.next_3.q.val();

        comment!("arithmetic, stage 4");
        self.lane.here.next = true;
        self.lane.inserting.next = self.inserting.val();
        if self.removes {
            self.lane.removing[0].next = self.removing.val();
            self.underflow_r.d.next = self.lane.underflow[0].val();
            self.underflow.next = self.underflow_r.q.val();
        }
        if self.amounts {
            self.lane.amount[0].next = self.amount.val();
        }
        self.lane.word.next = self.word.q.val();
        self.lane.current.next = true;
        self.lane.chained.next = self.chained.q.val();

        comment!("the item's counter");
        self.cell_r.d.next = self.written.val();
        self.above_r.d.next = self.lane.above.val();
        self.count.next = self.cell_r.q.val();
        self.full.next = self.cell_r.q.val().all();
        self.above.next = self.above_r.q.val();
    }
}
