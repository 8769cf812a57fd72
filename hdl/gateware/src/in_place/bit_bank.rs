//! One bank of a static filter of single bits.

use super::{DATA_STAGE, ROW_STAGE, WRITE_STAGE};
use crate::bank::{BitMemory, PositionCompare};
use crate::prelude::*;

block! {
    /// A bank of single bits, each read in one clock and set in the next.
    ///
    /// ```text
    /// position -> [stage 1] -> row, stage 2 -> [memory] -> bit, stage 4 -> present, stage 5
    ///          -> compared with the slot ahead ---------------^
    ///          -> [stages 1 to 3] -> port A sets the bit
    /// ```
    ///
    /// The slot directly ahead sets its bit in the clock in which this one is read: where it is the same bit it counts as set, whatever memory returns. All slots further ahead have set theirs before.
    /// Rules and timing: `docs/single-bits.md`. No reset.
    pub struct SingleBitBank {
        about: About = About::new(
            "single_bit_bank",
            "One bank of single bits. Port B reads a bit in one clock, port A sets it in the next; the slot directly ahead is forwarded.",
        ),
        pub clock: Signal<In, Clock>,
        pub index: Bus<In> = Bus::new(shape.index_bits).doc("stage 0: position of the item"),
        pub direct: Optional<Wire<In>> = Optional::new(shape.array_access, Wire::default().doc("stage 0: a bit for the host")),
        pub direct_position: Optional<Bus<In>> = Optional::new(shape.array_access, Bus::new(shape.index_bits).doc("its position")),
        pub inserting_2: Wire<In> = Wire::default().doc("the item in stage 2 inserts"),
        pub inserting_4: Wire<In> = Wire::default().doc("the item in stage 4 inserts"),
        pub writing_2: Optional<Wire<In>> = Optional::new(
            shape.array_access,
            Wire::default().doc("the host's bit in stage 2 is written in this bank"),
        ),
        pub value_3: Optional<Wire<In>> = Optional::new(
            shape.array_access,
            Wire::default().doc("stage 3: what is written; 1 for an item"),
        ),
        pub erasing: Wire<In> = Wire::default().doc("erase a row"),
        pub row: Bus<In> = Bus::new(row).doc("that row"),
        pub present: Wire<Out> = Wire::default().doc("stage 5: the bit was set when the slot met it"),
        place: Vec<Reg> = (1..=stages).map(|_| Reg::new(shape.index_bits)).collect(),
        near: PositionCompare = PositionCompare::new(shape.index_bits),
        row_r: Reg = Reg::new(row),
        erase_r: Flag,
        set: Flag,
        memory: BitMemory = match shape.array_access {
            true => BitMemory::writing(1 << shape.index_bits, shape.row_bits),
            false => BitMemory::new(1 << shape.index_bits, shape.row_bits),
        },
        offset: Optional<Bus<Local>> = Optional::new(several, Bus::new(offset.max(1))),
        bit: Wire<Local>,
        present_r: Flag,
        // `place` begins with stage 1
        at_row: usize = ROW_STAGE - 2,
        at_offset: usize = DATA_STAGE - 1,
        at_set: usize = WRITE_STAGE - 1,
        row_from: usize = offset,
        row_width: usize = row,
        offset_width: usize = offset.max(1),
        shape: CellShape = *shape,
    }

    /// A bank of a pipeline of this shape.
    pub fn new(shape: &CellShape) {
        let offset = clog2(shape.row_bits);
        let row = shape.index_bits - offset;
        let several = shape.row_bits > 1;
        // rows of several bits take the position one stage further, to choose the bit
        let stages = WRITE_STAGE + usize::from(several);
    }
}

impl Logic for SingleBitBank {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("positions of the slots from stage 1 on");
        self.place[0].d.next = self.index.val();
        if self.shape.array_access {
            if self.direct.val() {
                self.place[0].d.next = self.direct_position.val();
            }
        }
        self.place[1].d.next = self.place[0].q.val();
        self.place[2].d.next = self.place[1].q.val();

        comment!("stage 4: the slot directly ahead inserts the same bit");
        self.near.behind.next = self.place[1].q.val();
        self.near.ahead.next = self.place[2].q.val();
        self.near.inserting.next = self.inserting_4.val();

        comment!("memory: row in stage 2, bit set in stage 3");
        self.row_r.d.next = bits_to(
            self.place[self.at_row].q.val() >> self.row_from,
            self.row_width,
        );
        self.erase_r.d.next = self.erasing.val();
        if self.erasing.val() {
            self.row_r.d.next = self.row.val();
        }
        self.memory.row.next = self.row_r.q.val();
        self.memory.erase.next = self.erase_r.q.val();
        self.memory.set_address.next = self.place[self.at_set].q.val();
        if self.shape.array_access {
            self.set.d.next = self.inserting_2.val() || self.writing_2.val();
            self.memory.value.next = self.value_3.val();
        } else {
            self.set.d.next = self.inserting_2.val();
        }
        self.memory.set.next = self.set.q.val();

        comment!("stage 4: the bit");
        if self.shape.row_bits == 1 {
            self.bit.next = self.memory.data.val().any();
        } else {
            self.place[3].d.next = self.place[2].q.val();
            self.offset.next = bits_to(self.place[self.at_offset].q.val(), self.offset_width);
            self.bit.next = self.memory.data.val().get_bit(self.offset.val());
        }
        self.present_r.d.next = self.bit.val() || self.near.same.val();
        self.present.next = self.present_r.q.val();
    }
}
