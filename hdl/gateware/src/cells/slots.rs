//! Pipeline slots of a filter of cells: operation, tag and flags of each stage.

use crate::prelude::*;

/// Stages in which a slot's write matters: 2 to W = 5.
const WRITE_STAGES: usize = 4;
/// Stages that a fetch passes once it cannot be emptied by others: 2 to 6.
const FETCH_STAGES: usize = 5;

block! {
    /// Carries each slot's kind (item with its operation, clear, access, refresh) along the pipeline, and fills empty slots with refreshes.
    ///
    /// `reset` empties what stands in stage 1 or earlier. From stage 2 on there are two lines of flags: what a slot does to memory and epochs goes on, what it says to the
    /// outside is dropped.
    pub struct CellSlots {
        about: About = About::new(
            "cell_slots",
            "What stands in each stage: an item, a clear, an access to the array, a refresh or nothing. A slot left empty refreshes one\n\
             word with its present contents, so that it bears the current epoch.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("empty every slot in stage 1 or earlier, silence the others"),
        pub accept: Wire<In> = Wire::default().doc("an item is accepted"),
        pub operation: Bus<In> = Bus::new(2).doc("its operation"),
        pub probing: Vec<Wire<In>> = (0..shape.folds()).map(|_| Wire::default().doc("the next probe of the item accepted last is issued")).collect(),
        pub last: Vec<Wire<In>> = (0..shape.folds()).map(|_| Wire::default().doc("it is its last one")).collect(),
        pub raising: Vec<Wire<In>> = (0..shape.conserves).map(|_| Wire::default().doc("a probe of it that raises is issued")).collect(),
        pub force_clear: Wire<In> = Wire::default().doc("a clear is issued"),
        pub access: Wire<In> = Wire::default().doc("an access is issued"),
        pub access_address: Bus<In> = Bus::new(shape.word_address_bits).doc("word of each bank that it goes to"),
        pub turning: Vec<Wire<In>> = (0..shape.windows()).map(|_| Wire::default().doc("a turn is issued")).collect(),
        pub covered: Wire<In> = Wire::default().doc("every word bears the current epoch"),
        pub direct: Wire<Out> = Wire::default().doc("the slot entering stage 0 is a refresh or an access"),
        pub direct_address: Bus<Out> = Bus::new(shape.word_address_bits).doc("word that it goes to"),
        pub writing: Bus<Out> = Bus::new(WRITE_STAGES).doc("bit i: the slot in stage 2 + i writes its word"),
        pub accessing: Wire<Out> = Wire::default().doc("stage 2: an access"),
        pub inserting: Wire<Out> = Wire::default().doc("stage 3: an item that inserts"),
        pub removing: Vec<Wire<Out>> = (0..removes).map(|_| Wire::default().doc("stage 3: an item that removes")).collect(),
        pub clearing: Wire<Out> = Wire::default().doc("stage 2: a clear"),
        pub recycled: Wire<Out> = Wire::default().doc("stage 5: a clear"),
        pub turned_2: Vec<Wire<Out>> = (0..shape.windows()).map(|_| Wire::default().doc("stage 2: a turn")).collect(),
        pub turned_5: Vec<Wire<Out>> = (0..shape.windows()).map(|_| Wire::default().doc("stage 5: a turn")).collect(),
        pub fetched: Wire<Out> = Wire::default().doc("stage 6: an access"),
        pub item: Wire<Out> = Wire::default().doc("stage D: an item"),
        pub inserted: Wire<Out> = Wire::default().doc("stage D: one that inserted"),
        pub removed: Vec<Wire<Out>> = (0..removes).map(|_| Wire::default().doc("stage D: one that removed")).collect(),
        pub answering: Wire<Out> = Wire::default().doc("stage D: one with a verdict"),
        pub entering_raise: Vec<Wire<Out>> = (0..shape.conserves).map(|_| Wire::default().doc("the slot entering stage 0 raises")).collect(),
        pub looked: Vec<Wire<Out>> = (0..shape.conserves).map(|_| Wire::default().doc("stage 7: the last look of an item")).collect(),
        pub level_wanted: Vec<Wire<Out>> = (0..shape.conserves).map(|_| Wire::default().doc("stage 7: of one that inserts")).collect(),
        pub reading_5: Vec<Wire<Out>> = (0..shape.parity + shape.ecc).map(|_| Wire::default().doc("stage 5: a slot that read its words and is heard of")).collect(),
        item_line: Reg = Reg::new(line).doc("bit i: the slot issued i + 1 clocks ago is an item"),
        last_line: Vec<Reg> = (0..shape.folds()).map(|_| Reg::new(line).doc("it is the last probe of an item")).collect(),
        raise_line: Vec<Reg> = (0..shape.conserves).map(|_| Reg::new(line).doc("it raises its cell; probes of the other lines look")).collect(),
        insert_line: Reg = Reg::new(line),
        remove_line: Vec<Reg> = regs(line),
        answer_line: Reg = Reg::new(line),
        clear_line: Reg = Reg::new(line),
        access_line: Reg = Reg::new(line),
        turn_line: Vec<Reg> = (0..shape.windows()).map(|_| Reg::new(turn_line)).collect(),
        refresh_line: Reg = Reg::new(refresh).doc(stages),
        address: Reg = Reg::new(shape.word_address_bits).doc("next word to refresh"),
        write_line: Reg = Reg::new(WRITE_STAGES),
        recycle_line: Reg = Reg::new(WRITE_STAGES),
        turn_late: Vec<Reg> = (0..shape.windows()).map(|_| Reg::new(WRITE_STAGES)).collect(),
        access_2: Flag,
        insert_2: Flag,
        insert_3: Flag,
        remove_2: Vec<Flag> = flags(),
        remove_3: Vec<Flag> = flags(),
        item_late: Reg = Reg::new(late).doc("bit i: an item in stage 2 + i that will be heard of"),
        insert_late: Reg = Reg::new(late),
        remove_late: Vec<Reg> = regs(late),
        answer_late: Reg = Reg::new(late),
        fetch_late: Reg = Reg::new(FETCH_STAGES),
        read_late: Vec<Reg> = (0..shape.parity + shape.ecc).map(|_| Reg::new(WRITE_STAGES).doc("bit i: the slot in stage 2 + i reads and is heard of")).collect(),
        entering_insert: Wire<Local>,
        entering_remove: Vec<Wire<Local>> = (0..removes).map(|_| Wire::default()).collect(),
        entering_answer: Wire<Local>,
        entering_access: Wire<Local>,
        entering_refresh: Wire<Local>,
        live: Wire<Local>,
        at_front_last: Const = Const::number(shape.front - 2 - shape.read_ahead).doc("bit of the slot that enters stage 0"),
        at_1: Const = Const::number(shape.front).doc("bit of the slot in stage 1"),
        at_decision: Const = Const::number(late - 1).doc("bit of the slot in stage D"),
        at_7: Vec<Const> = (0..shape.conserves).map(|_| Const::number(late - 2).doc("bit of the slot in stage 7")).collect(),
        query: Const = code(bloomline_spec::CellOperation::Query),
        insert: Const = code(bloomline_spec::CellOperation::Insert),
        remove: Const = code(bloomline_spec::CellOperation::Remove),
        no_line: Const = Const::new(0, line),
        one: Const = Const::new(1, line),
        one_late: Const = Const::new(1, late),
        no_late: Const = Const::new(0, late),
        no_fetch: Const = Const::new(0, FETCH_STAGES),
        no_refresh: Const = Const::new(0, refresh),
        no_turn: Vec<Const> = (0..shape.windows()).map(|_| Const::new(0, turn_line)).collect(),
        no_read: Vec<Const> = (0..shape.parity + shape.ecc).map(|_| Const::new(0, WRITE_STAGES)).collect(),
        line: usize = line,
        refresh: usize = refresh,
        refresh_1: usize = refresh - 1,
        late: usize = late,
        turn_width: usize = turn_line,
        turn_1: usize = shape.front,
        held_from: usize = shape.front - 2 - shape.read_ahead,
        shape: CellShape = *shape,
    }

    /// The slots of a pipeline of this shape.
    pub fn new(shape: &CellShape) {
        let line = shape.front + 1;
        let refresh = shape.read_ahead + 2;
        let stages = match shape.read_ahead {
            0 => "stages 0 and 1",
            _ => "stages -2 to 1",
        };
        let late = shape.decision - 1;
        let removes = shape.removes;
        // until the last of the slots that stay empty behind a turn has passed the place where refreshes enter
        let turn_line = line.max(shape.front - 2 - shape.read_ahead + shape.turn);
        let flags = || (0..removes).map(|_| Flag::default()).collect::<Vec<_>>();
        let regs = |width: usize| (0..removes).map(|_| Reg::new(width)).collect::<Vec<_>>();
        let code =
            |operation: bloomline_spec::CellOperation| Const::new(operation.code().into(), 2);
    }
}

impl Logic for CellSlots {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("issued to stage 1");
        self.entering_answer.next =
            self.accept.val() && (self.operation.val() != self.insert.val());
        if self.shape.removes == 0 {
            self.entering_insert.next =
                self.accept.val() && (self.operation.val() != self.query.val());
        }
        for r in 0..self.shape.removes {
            self.entering_insert.next = self.accept.val()
                && (self.operation.val() != self.query.val())
                && (self.operation.val() != self.remove.val());
            self.entering_remove[r].next =
                self.accept.val() && (self.operation.val() == self.remove.val());
            self.remove_line[r].d.next = self.remove_line[r].q.val() << 1;
            if self.entering_remove[r].val() {
                self.remove_line[r].d.next = (self.remove_line[r].q.val() << 1) | self.one.val();
            }
        }
        self.item_line.d.next =
            (self.item_line.q.val() << 1) | bits_of(self.accept.val(), self.line);
        self.insert_line.d.next =
            (self.insert_line.q.val() << 1) | bits_of(self.entering_insert.val(), self.line);
        self.answer_line.d.next =
            (self.answer_line.q.val() << 1) | bits_of(self.entering_answer.val(), self.line);
        self.clear_line.d.next =
            (self.clear_line.q.val() << 1) | bits_of(self.force_clear.val(), self.line);
        self.access_line.d.next =
            (self.access_line.q.val() << 1) | bits_of(self.access.val(), self.line);

        for f in 0..self.shape.folds() {
            comment!("a probe is of the kind of the one before it");
            self.last_line[f].d.next = self.last_line[f].q.val() << 1;
            if self.last[f].val() {
                self.last_line[f].d.next = (self.last_line[f].q.val() << 1) | self.one.val();
            }
            if self.probing[f].val() {
                self.item_line.d.next = (self.item_line.q.val() << 1) | self.one.val();
                self.insert_line.d.next =
                    (self.insert_line.q.val() << 1) | (self.insert_line.q.val() & self.one.val());
                self.answer_line.d.next =
                    (self.answer_line.q.val() << 1) | (self.answer_line.q.val() & self.one.val());
                for r in 0..self.shape.removes {
                    self.remove_line[r].d.next = (self.remove_line[r].q.val() << 1)
                        | (self.remove_line[r].q.val() & self.one.val());
                }
            }
        }

        for c in 0..self.shape.conserves {
            comment!("a probe that raises");
            self.raise_line[c].d.next = self.raise_line[c].q.val() << 1;
            if self.raising[c].val() {
                self.raise_line[c].d.next = (self.raise_line[c].q.val() << 1) | self.one.val();
                self.item_line.d.next = (self.item_line.q.val() << 1) | self.one.val();
            }
            self.entering_raise[c].next =
                self.raise_line[c].q.val().get_bit(self.at_front_last.val());
        }

        comment!("an empty slot becomes a refresh where it enters stage 0");
        self.entering_access.next = self.access_line.q.val().get_bit(self.at_front_last.val());
        self.entering_refresh.next = !self.reset.val()
            && !self.covered.val()
            && !self.entering_access.val()
            && !self.item_line.q.val().get_bit(self.at_front_last.val())
            && !self.clear_line.q.val().get_bit(self.at_front_last.val());
        for i in 0..self.shape.windows() * self.shape.turn {
            self.entering_refresh.next = self.entering_refresh.val()
                && !self.turn_line[0].q.val().get_bit(self.held_from + i);
        }
        self.refresh_line.d.next =
            (self.refresh_line.q.val() << 1) | bits_of(self.entering_refresh.val(), self.refresh);
        self.address.d.next = self.address.q.val();
        if self.entering_refresh.val() {
            self.address.d.next = self.address.q.val() + 1;
        }
        self.direct.next = self.entering_refresh.val() || self.entering_access.val();
        self.direct_address.next = self.address.q.val();
        if self.entering_access.val() {
            self.direct_address.next = self.access_address.val();
        }

        comment!("what a slot does to memory and epochs, from stage 2 on");
        self.live.next = self.item_line.q.val().get_bit(self.at_1.val())
            || self.access_line.q.val().get_bit(self.at_1.val())
            || self.refresh_line.q.val().get_bit(self.refresh_1);
        self.write_line.d.next = (self.write_line.q.val() << 1)
            | bits_of(self.live.val() && !self.reset.val(), WRITE_STAGES);
        self.writing.next = self.write_line.q.val();
        self.recycle_line.d.next = (self.recycle_line.q.val() << 1)
            | bits_of(
                self.clear_line.q.val().get_bit(self.at_1.val()) && !self.reset.val(),
                WRITE_STAGES,
            );
        self.clearing.next = self.recycle_line.q.val().get_bit(0);
        self.recycled.next = self.recycle_line.q.val().get_bit(3);
        for w in 0..self.shape.windows() {
            comment!("a turn");
            self.turn_line[w].d.next =
                (self.turn_line[w].q.val() << 1) | bits_of(self.turning[w].val(), self.turn_width);
            self.turn_late[w].d.next = (self.turn_late[w].q.val() << 1)
                | bits_of(
                    self.turn_line[w].q.val().get_bit(self.turn_1) && !self.reset.val(),
                    WRITE_STAGES,
                );
            self.turned_2[w].next = self.turn_late[w].q.val().get_bit(0);
            self.turned_5[w].next = self.turn_late[w].q.val().get_bit(3);
        }
        self.access_2.d.next =
            self.access_line.q.val().get_bit(self.at_1.val()) && !self.reset.val();
        self.accessing.next = self.access_2.q.val();
        self.insert_2.d.next =
            self.insert_line.q.val().get_bit(self.at_1.val()) && !self.reset.val();
        for c in 0..self.shape.conserves {
            self.insert_2.d.next =
                self.raise_line[c].q.val().get_bit(self.at_1.val()) && !self.reset.val();
        }
        self.insert_3.d.next = self.insert_2.q.val();
        self.inserting.next = self.insert_3.q.val();
        for r in 0..self.shape.removes {
            self.remove_2[r].d.next =
                self.remove_line[r].q.val().get_bit(self.at_1.val()) && !self.reset.val();
            self.remove_3[r].d.next = self.remove_2[r].q.val();
            self.removing[r].next = self.remove_3[r].q.val();
        }

        comment!("what it says to the outside, from stage 2 on");
        self.item_late.d.next = (self.item_late.q.val() << 1)
            | bits_of(self.item_line.q.val().get_bit(self.at_1.val()), self.late);
        self.insert_late.d.next = (self.insert_late.q.val() << 1)
            | bits_of(self.insert_line.q.val().get_bit(self.at_1.val()), self.late);
        self.answer_late.d.next = (self.answer_late.q.val() << 1)
            | bits_of(self.answer_line.q.val().get_bit(self.at_1.val()), self.late);
        self.fetch_late.d.next = (self.fetch_late.q.val() << 1)
            | bits_of(
                self.access_line.q.val().get_bit(self.at_1.val()),
                FETCH_STAGES,
            );
        self.fetched.next = self.fetch_late.q.val().get_bit(4);
        self.item.next = self.item_late.q.val().get_bit(self.at_decision.val());
        self.inserted.next = self.insert_late.q.val().get_bit(self.at_decision.val());
        self.answering.next = self.answer_late.q.val().get_bit(self.at_decision.val());
        for r in 0..self.shape.removes {
            self.remove_late[r].d.next = self.remove_late[r].q.val() << 1;
            if self.remove_line[r].q.val().get_bit(self.at_1.val()) {
                self.remove_late[r].d.next =
                    (self.remove_late[r].q.val() << 1) | self.one_late.val();
            }
            self.removed[r].next = self.remove_late[r].q.val().get_bit(self.at_decision.val());
        }

        for c in 0..self.shape.conserves {
            self.looked[c].next = self.item_late.q.val().get_bit(self.at_7[c].val());
            self.level_wanted[c].next = self.insert_late.q.val().get_bit(self.at_7[c].val());
        }

        for p in 0..self.shape.parity + self.shape.ecc {
            self.read_late[p].d.next =
                (self.read_late[p].q.val() << 1) | bits_of(self.live.val(), WRITE_STAGES);
            self.reading_5[p].next = self.read_late[p].q.val().get_bit(3);
        }

        for f in 0..self.shape.folds() {
            comment!("of an item only the last probe is heard of");
            if !self.last_line[f].q.val().get_bit(self.at_1.val()) {
                self.item_late.d.next = self.item_late.q.val() << 1;
                self.insert_late.d.next = self.insert_late.q.val() << 1;
                self.answer_late.d.next = self.answer_late.q.val() << 1;
                for r in 0..self.shape.removes {
                    self.remove_late[r].d.next = self.remove_late[r].q.val() << 1;
                }
            }
        }

        if self.reset.val() {
            for w in 0..self.shape.windows() {
                self.turn_line[w].d.next = self.no_turn[w].val();
            }
            for f in 0..self.shape.folds() {
                self.last_line[f].d.next = self.no_line.val();
            }
            for c in 0..self.shape.conserves {
                self.raise_line[c].d.next = self.no_line.val();
            }
            self.item_line.d.next = self.no_line.val();
            self.insert_line.d.next = self.no_line.val();
            self.answer_line.d.next = self.no_line.val();
            self.clear_line.d.next = self.no_line.val();
            self.access_line.d.next = self.no_line.val();
            self.refresh_line.d.next = self.no_refresh.val();
            self.item_late.d.next = self.no_late.val();
            self.insert_late.d.next = self.no_late.val();
            self.answer_late.d.next = self.no_late.val();
            self.fetch_late.d.next = self.no_fetch.val();
            for p in 0..self.shape.parity + self.shape.ecc {
                self.read_late[p].d.next = self.no_read[p].val();
            }
            for r in 0..self.shape.removes {
                self.remove_line[r].d.next = self.no_line.val();
                self.remove_late[r].d.next = self.no_late.val();
            }
        }
    }
}
