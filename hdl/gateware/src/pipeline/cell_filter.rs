//! Top module of a filter of cells.

use crate::bus::{NoHost, RegisterFile, RegisterNames, RegisterPlan};
use crate::cells::{
    counter_places, CellBank, CellSequencer, CellSlots, ItemFold, ItemLevel, LeastTree, PaneSum,
    ProbeLine,
};
use crate::hash::HashUnit;
use crate::pipeline::{cell_text, tag_line, VerdictQueue, LEAST_QUEUE};
use crate::prelude::*;
use crate::recycle::EpochGuard;
use bloomline_spec::registers::{field, CellCounter, ADDRESS_BITS};
use bloomline_spec::{CellGeometry, Design};

block! {
    /// A static filter, a counting filter or a Count-Min sketch: items in, verdicts out, registers beside.
    ///
    /// ```text
    ///               +-----------+   +------+   +---------+   +-------+   +---------------+
    /// s_item  ----->| sequencer |-->| hash |-->| k banks |-->| least |-->| verdict queue |-----> m_verdict
    ///               | slots     |   | unit |   | epochs  |   | of k  |   +---------------+
    ///               +-----------+   +------+   +---------+   +-------+
    ///                     ^               register file, counters, array access  <--------------> s_axil
    /// ```
    ///
    /// In the partitioned layout an item has its probes in k banks at once, in the shared layout in one bank, one after the other (`ProbeLine` in front of it, `ItemFold` behind).
    /// Over a window there are two panes of k banks, which change places after every window; an item has its probes in both, and inserts in one.
    /// Under conservative update an insertion has its probes go through the bank twice: they look, `ItemLevel` says what their cells are raised to, and they raise.
    /// Initiation interval `raise_clocks + fold_clocks + 1`; latency `front_clocks + fold_clocks + decision_stage + 3` clocks without back-pressure. `docs/cells.md` is the contract of every port on every clock.
    /// Sources: OCC (static filter), CBF (counting filter and its threshold), KM section 9 (Count-Min), Estan and Varghese, SIGCOMM 2002
    /// (conservative update).
    /// `reset` is synchronous and active high.
    pub struct CellFilter {
        about: About = About::new(geometry.name(), cell_text::about(geometry, &shape)),
        pub clock: Signal<In, Clock>,
        pub ports: FilterPorts = FilterPorts {
            reset: Wire::default().doc("synchronous, active high; empties the filter"),
            s_item: ItemStream::port(
                geometry.key_bits() as usize,
                geometry.operation_bits() as usize,
                tag_bits,
                cell_text::operations(geometry),
            ),
            m_verdict: VerdictStream::port(verdict_bits, tag_bits, &format!("{{{contents}}}"))
                .queued(shape.queued),
            s_axil: Axil::port(ADDRESS_BITS as usize).reached(shape.reached),
        },
        sequencer: CellSequencer = CellSequencer::new(&shape),
        slots: CellSlots = CellSlots::new(&shape),
        key: WideReg = WideReg::new(geometry.key_bits() as usize),
        amount_held: Vec<Reg> = (0..amounts * folds)
            .map(|_| Reg::new(amount_bits).doc("amount of the item accepted last"))
            .collect(),
        amount_line: Vec<Delay> = (0..amounts)
            .map(|_| Delay::new(amount_bits, shape.front + 3 - folds))
            .collect(),
        amount: Vec<Slice> = (0..amounts)
            .map(|_| Slice::new(amount_bits, 0, cell_bits))
            .collect(),
        hash: HashUnit = HashUnit::new(geometry),
        probes: Vec<ProbeLine> = (0..folds)
            .map(|_| ProbeLine::new(k, shape.index_bits))
            .collect(),
        raise_index: Vec<Delay> = (0..conserves)
            .map(|_| Delay::new(shape.index_bits, shape.raise))
            .collect(),
        entering: Vec<FlagDelay> = (0..1 - partitioned)
            .map(|_| FlagDelay::new(shape.front - 1 - shape.read_ahead))
            .collect(),
        first_late: Vec<FlagDelay> = (0..shape.ecc * (1 - partitioned))
            .map(|_| FlagDelay::new(shape.read_ahead))
            .collect(),
        bank: Vec<CellBank> = (0..banks).map(|_| CellBank::new(&shape)).collect(),
        epochs: EpochGuard = EpochGuard::new(1),
        second_epochs: Vec<EpochGuard> = (0..shape.windows()).map(|_| EpochGuard::new(1)).collect(),
        pane: Vec<Flag> = (0..shape.windows())
            .map(|_| Flag::default().doc("the second pane is active"))
            .collect(),
        turns: Vec<Reg> = (0..shape.windows())
            .map(|_| Reg::new(TURNS_BITS).doc("turns and clears"))
            .collect(),
        least: Vec<LeastTree> = (0..shape.counts * partitioned * shape.panes)
            .map(|_| LeastTree::new(k, cell_bits))
            .collect(),
        above_line: Vec<FlagDelay> = (0..partitioned)
            .map(|_| FlagDelay::new(shape.ranks + shape.sum))
            .collect(),
        underflow_line: Vec<FlagDelay> = (0..shape.removes * partitioned)
            .map(|_| FlagDelay::new(shape.ranks))
            .collect(),
        first: Vec<FlagDelay> = (0..1 - partitioned).map(|_| FlagDelay::new(7)).collect(),
        fold: Vec<ItemFold> = (0..1 - partitioned)
            .map(|_| ItemFold::new(&shape))
            .collect(),
        level: Vec<ItemLevel> = (0..conserves).map(|_| ItemLevel::new(&shape)).collect(),
        sum: Vec<PaneSum> = (0..shape.windows()).map(|_| PaneSum::new(&shape)).collect(),
        seen: Wire<Local>,
        estimate: Vec<Bus<Local>> = (0..shape.counts).map(|_| Bus::new(cell_bits)).collect(),
        saturated: Vec<Wire<Local>> = (0..shape.counts).map(|_| Wire::default()).collect(),
        underflowed: Vec<Wire<Local>> = (0..shape.removes).map(|_| Wire::default()).collect(),
        verdicts: Optional<VerdictQueue> = Optional::new(
            shape.queued,
            VerdictQueue::new(
                shape.queue_depth.max(LEAST_QUEUE),
                tag_bits,
                verdict_bits,
                contents,
            ),
        ),
        tag_line: Optional<Delay> = tag_line(shape.queued, tag_bits, verdict_clocks),
        registers: RegisterFile = RegisterFile::new(&plan),
        above: Bus<Local> = Bus::new(banks),
        full: Bus<Local> = Bus::new(banks),
        underflow: Vec<Wire<Local>> = (0..shape.removes).map(|_| Wire::default()).collect(),
        array_address: Bus<Local> = Bus::new(geometry.array_address_bits() as usize),
        array_data: Bus<Local> = Bus::new(32),
        array_bank: Vec<Bus<Local>> = (0..several).map(|_| Bus::new(bank_bits)).collect(),
        in_bank: Vec<Wire<Local>> = (0..banks).map(|_| Wire::default()).collect(),
        array_word: Bus<Local> = Bus::new(shape.used_bits),
        store_word: Bus<Local> = Bus::new(shape.used_bits),
        storing: Flag = Flag::default().doc("the access stores; if not, it fetches"),
        threshold: Vec<Bus<Local>> = (0..shape.counts).map(|_| Bus::new(cell_bits)).collect(),
        estimate_word: Vec<Slice> = (0..shape.counts)
            .map(|_| Slice::new(cell_bits, 0, verdict_bits))
            .collect(),
        push: Flag,
        no_host: Optional<NoHost> = Optional::new(!shape.reached, NoHost::default()),
        verdict: Reg = Reg::new(verdict_bits),
        verdict_in: Bus<Local> = Bus::new(verdict_bits),
        item: Optional<Flag> = Optional::new(shape.counted, Flag::default()),
        inserted: Optional<Flag> = Optional::new(shape.counted, Flag::default()),
        removed: Vec<Flag> = (0..shape.removes)
            .filter(|_| shape.counted)
            .map(|_| Flag::default())
            .collect(),
        changed: Optional<Wire<Local>> = Optional::new(shape.counted, Wire::default()),
        wrong_words: Vec<Bus<Local>> = (0..shape.parity)
            .filter(|_| shape.counted)
            .map(|_| Bus::new(banks))
            .collect(),
        wrong: Vec<Flag> = (0..shape.parity)
            .filter(|_| shape.counted)
            .map(|_| Flag::default().doc("a slot met a word of wrong parity"))
            .collect(),
        corrected_words: Vec<Bus<Local>> = (0..shape.ecc).map(|_| Bus::new(banks)).collect(),
        uncorrectable_words: Vec<Bus<Local>> = (0..shape.ecc).map(|_| Bus::new(banks)).collect(),
        corrected: Vec<Flag> = (0..shape.ecc)
            .map(|_| Flag::default().doc("a slot met a word that was corrected"))
            .collect(),
        uncorrectable: Vec<Flag> = (0..shape.ecc)
            .map(|_| Flag::default().doc("a slot met a word that could not be corrected"))
            .collect(),
        pane_epoch: Vec<Bus<Local>> = (0..shape.windows()).map(|_| Bus::new(EPOCH_BITS)).collect(),
        pane_spare: Vec<Bus<Local>> = (0..shape.windows()).map(|_| Bus::new(EPOCH_BITS)).collect(),
        status: Bus<Local> = Bus::new(status_bits),
        no_status: Const = Const::new(0, status_bits),
        no_word: Const = Const::new(0, shape.used_bits),
        bank_number: Vec<Const> = (0..several * banks)
            .map(|i| Const::new(i as u128, bank_bits))
            .collect(),
        bank_from: usize = shape.word_address_bits,
        pane_banks: usize = pane_banks,
        /// The probe of each bank.
        probe_of: Vec<usize> = (0..banks).map(|bank| bank % pane_banks).collect(),
        /// The bank of the same probe in the other pane.
        opposite: Vec<usize> = (0..banks).map(|bank| (bank + pane_banks) % banks).collect(),
        array_bank_bits: usize = bank_bits.max(1),
        threshold_register: usize = threshold_register,
        address_register: usize = address_register,
        status_register: usize = status_register,
        /// Places of the counters, by their numbers.
        place: Vec<usize> = counter_places(counters),
        data_register: usize = data_register,
        status_bits: usize = status_bits,
        shape: CellShape = shape,
    }

    /// The filter of a geometry.
    pub fn new(geometry: &CellGeometry) {
        let shape = CellShape::of(geometry);
        let verdict_clocks = Design::from(geometry).timing().latency_clocks() as usize;
        let plan = RegisterPlan::of_cells(geometry);
        let CellShape {
            hashes: k,
            banks,
            shared,
            cell_bits,
            amount_bits,
            tag_bits,
            verdict_bits,
            ..
        } = shape;
        let amounts = usize::from(amount_bits > 0);
        let several = usize::from(banks > 1);
        let bank_bits = clog2(banks.next_power_of_two());
        let folds = shape.folds();
        let conserves = shape.conserves;
        let partitioned = 1 - shared;
        let pane_banks = banks / shape.panes;
        let counters = geometry.counters();
        let contents = if shape.counts == 1 {
            "estimate, saturated, underflow, seen, reached"
        } else {
            "seen"
        };
        let mut names = RegisterNames::new("filter of cells", &plan);
        let mut status_fields = vec!["running", "epoch", "spare_epochs", "covered"];
        status_fields.extend(geometry.hash().secret.map(|_| "public_secret"));
        status_fields.extend(geometry.window().map(|_| "turns"));
        let status_bits = match (geometry.window(), geometry.hash().secret) {
            (Some(_), _) => TURNING_STATUS_BITS,
            (None, Some(_)) => KEYED_STATUS_BITS,
            (None, None) => STATUS_BITS,
        };
        let threshold_register = if shape.counts > 0 {
                names.value("THRESHOLD")
            } else {
                0
            };
        let address_register = names.value("ARRAY_ADDRESS");
        let data_register = names.value("ARRAY_DATA");
        let status_register = names.packed("STATUS", &status_fields);
        names.finish();
    }
}

filter_block!(CellFilter);

impl Logic for CellFilter {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("admission");
        self.sequencer.reset.next = self.ports.reset.val();
        self.sequencer.valid.next = self.ports.s_item.tvalid.val();
        self.sequencer.clear_pending.next = self.registers.clear_pending.val();
        self.sequencer.write_pending.next = self.registers.write_pending.val();
        self.sequencer.blocked.next = self.epochs.blocked.val();
        for w in 0..self.shape.windows() {
            self.sequencer.blocked.next =
                self.epochs.blocked.val() || self.second_epochs[w].blocked.val();
            self.sequencer.counting[w].next = bits_to(self.ports.s_item.tuser.val(), 2) != 0;
        }
        if self.shape.queued {
            self.sequencer.credit.next = self.verdicts.credit.val();
        } else {
            self.sequencer.credit.next = true;
        }
        self.ports.s_item.tready.next = self.sequencer.ready.val();

        comment!("access to the array: word of each bank, and which bank it is about");
        self.array_address.next = self.registers.value[self.address_register].val();
        self.array_data.next = self.registers.value[self.data_register].val();
        self.store_word.next = bits_to(self.array_data.val(), self.shape.used_bits);
        for b in 0..self.array_bank.len() {
            self.array_bank[b].next = bits_to(
                self.array_address.val() >> self.bank_from,
                self.array_bank_bits,
            );
            for i in 0..self.shape.banks {
                self.in_bank[i].next = self.array_bank[b].val() == self.bank_number[i].val();
            }
        }
        for w in 0..self.shape.windows() {
            comment!("banks are counted from the active pane's");
            if self.pane[w].q.val() {
                for i in 0..self.shape.banks {
                    self.in_bank[i].next =
                        self.array_bank[0].val() == self.bank_number[self.opposite[i]].val();
                }
            }
        }
        for b in 0..1 - self.array_bank.len() {
            self.in_bank[b].next = true;
        }
        self.storing.d.next = self.storing.q.val();
        if self.registers.stored[0].val() {
            self.storing.d.next = true;
        } else if self.sequencer.finished.val() || self.ports.reset.val() {
            self.storing.d.next = false;
        }

        comment!("slots, hash and banks");
        self.slots.reset.next = self.ports.reset.val();
        self.slots.accept.next = self.sequencer.accept.val();
        self.slots.operation.next = bits_to(self.ports.s_item.tuser.val(), 2);
        self.slots.force_clear.next = self.sequencer.force_clear.val();
        self.slots.access.next = self.sequencer.access.val();
        self.slots.access_address.next =
            bits_to(self.array_address.val(), self.shape.word_address_bits);
        self.slots.covered.next = self.epochs.covered.val();
        for w in 0..self.shape.windows() {
            self.slots.covered.next =
                self.epochs.covered.val() && self.second_epochs[w].covered.val();
            self.slots.turning[w].next = self.sequencer.turning[w].val();
        }
        self.key.d.next = self.ports.s_item.tdata.val();
        self.hash.key.next = self.key.q.val();
        for s in 0..self.shape.keyed {
            self.hash.secret[s].next = self.registers.secret[s].val();
        }
        for a in 0..self.shape.amounts() {
            self.amount[a].input.next = self.amount_line[a].q.val();
        }
        for a in 0..self.shape.amounts() * (1 - self.shape.folds()) {
            self.amount_line[a].d.next =
                bits_to(self.ports.s_item.tuser.val() >> 2, self.shape.amount_bits);
        }
        for a in 0..self.shape.amounts() * self.shape.folds() {
            self.amount_held[a].d.next = self.amount_held[a].q.val();
            if self.sequencer.accept.val() {
                self.amount_held[a].d.next =
                    bits_to(self.ports.s_item.tuser.val() >> 2, self.shape.amount_bits);
            }
            self.amount_line[a].d.next = self.amount_held[a].q.val();
        }
        for i in 0..(1 - self.shape.folds()) * self.shape.banks {
            self.bank[i].index.next = self.hash.index[self.probe_of[i]].val();
        }
        for s in 0..self.shape.shared {
            self.entering[s].d.next = self.sequencer.accept.val();
        }
        for f in 0..self.shape.folds() {
            self.slots.probing[f].next = self.sequencer.probing[f].val();
            self.slots.last[f].next = self.sequencer.last[f].val();
            self.probes[f].load.next = self.entering[f].q.val();
            for i in 0..self.shape.hashes {
                self.probes[f].position[i].next = self.hash.index[i].val();
            }
            self.bank[f].index.next = self.probes[f].index.val();
        }
        for c in 0..self.shape.conserves {
            self.sequencer.inserting[c].next = bits_to(self.ports.s_item.tuser.val(), 2) != 0;
            self.slots.raising[c].next = self.sequencer.raising[c].val();
            comment!("a raise goes where its look went");
            self.raise_index[c].d.next = self.probes[c].index.val();
            if self.slots.entering_raise[c].val() {
                self.bank[c].index.next = self.raise_index[c].q.val();
            }
        }
        for r in 0..self.shape.removes {
            self.underflow[r].next = false;
        }
        self.array_word.next = self.no_word.val();
        for i in 0..self.shape.banks {
            self.bank[i].direct.next = self.slots.direct.val();
            self.bank[i].direct_address.next = self.slots.direct_address.val();
            self.bank[i].writing.next = self.slots.writing.val();
            self.bank[i].storing.next =
                self.slots.accessing.val() && self.storing.q.val() && self.in_bank[i].val();
            self.bank[i].store_word.next = self.store_word.val();
            if i < self.pane_banks {
                self.bank[i].epoch.next = self.epochs.active_epoch.val();
            }
            self.bank[i].inserting.next = self.slots.inserting.val();
            if i < self.pane_banks {
                self.bank[i].write_epoch.next = self.epochs.write_epoch.val();
            }
            self.bank[i].recycled.next = self.slots.recycled.val();
            for w in 0..self.shape.windows() {
                if i < self.pane_banks {
                    self.bank[i].inserting.next =
                        self.slots.inserting.val() && !self.pane[w].q.val();
                    self.bank[i].recycled.next = self.slots.recycled.val()
                        || (self.slots.turned_5[w].val() && !self.pane[w].q.val());
                } else {
                    self.bank[i].epoch.next = self.second_epochs[w].active_epoch.val();
                    self.bank[i].write_epoch.next = self.second_epochs[w].write_epoch.val();
                    self.bank[i].inserting.next =
                        self.slots.inserting.val() && self.pane[w].q.val();
                    self.bank[i].recycled.next = self.slots.recycled.val()
                        || (self.slots.turned_5[w].val() && self.pane[w].q.val());
                }
            }
            for r in 0..self.shape.removes {
                self.bank[i].removing[r].next = self.slots.removing[r].val();
                self.underflow[r].next = self.underflow[r].val() || self.bank[i].underflow[r].val();
            }
            for a in 0..self.shape.amounts() * (1 - self.shape.conserves) {
                self.bank[i].amount[a].next = self.amount[a].output.val();
            }
            for c in 0..self.shape.conserves {
                self.bank[i].amount[c].next = self.level[c].level.val();
            }
            for c in 0..self.shape.counts * (1 - self.shape.shared) {
                if i < self.pane_banks {
                    self.least[c].cell[i].next = self.bank[i].cell[c].val();
                    self.least[c].cell_full[i].next = self.bank[i].cell_full[c].val();
                } else {
                    self.least[1].cell[self.probe_of[i]].next = self.bank[i].cell[c].val();
                    self.least[1].cell_full[self.probe_of[i]].next =
                        self.bank[i].cell_full[c].val();
                }
            }
            self.above.set_bit(i, self.bank[i].above.val());
            self.full.set_bit(i, self.bank[i].full.val());
            if self.in_bank[i].val() {
                self.array_word.next = self.array_word.val() | self.bank[i].word_6.val();
            }
        }
        self.epochs.trip.next = self.slots.clearing.val();
        self.epochs.recycled.next = self.slots.recycled.val();
        self.epochs.all_full.next = self.full.val().all();
        for w in 0..self.shape.windows() {
            comment!("a turn empties the frozen pane, which is active behind it");
            self.pane[w].d.next = self.pane[w].q.val() != self.slots.turned_2[w].val();
            self.epochs.trip.next =
                self.slots.clearing.val() || (self.slots.turned_2[w].val() && self.pane[w].q.val());
            self.epochs.recycled.next = self.slots.recycled.val()
                || (self.slots.turned_5[w].val() && !self.pane[w].q.val());
            self.epochs.all_full.next = bits_to(self.full.val(), self.pane_banks).all();
            self.second_epochs[w].trip.next = self.slots.clearing.val()
                || (self.slots.turned_2[w].val() && !self.pane[w].q.val());
            self.second_epochs[w].recycled.next =
                self.slots.recycled.val() || (self.slots.turned_5[w].val() && self.pane[w].q.val());
            self.second_epochs[w].all_full.next =
                bits_to(self.full.val() >> self.pane_banks, self.pane_banks).all();
            self.turns[w].d.next = self.turns[w].q.val();
            if self.slots.clearing.val() || self.slots.turned_2[w].val() {
                self.turns[w].d.next = self.turns[w].q.val() + 1;
            }
        }

        comment!("verdict");
        for p in 0..1 - self.shape.shared {
            self.above_line[p].d.next = self.above.val().all();
            if self.shape.windows() > 0 {
                self.above_line[p].d.next = bits_to(self.above.val(), self.pane_banks).all()
                    || bits_to(self.above.val() >> self.pane_banks, self.pane_banks).all();
            }
            self.seen.next = self.above_line[p].q.val();
        }
        for c in 0..self.shape.counts * (1 - self.shape.shared) {
            self.estimate[c].next = self.least[c].least.val();
            self.saturated[c].next = self.least[c].full.val();
        }
        for w in 0..self.shape.windows() {
            self.sum[w].first.next = self.least[0].least.val();
            self.sum[w].second.next = self.least[1].least.val();
            self.sum[w].full.next = self.least[0].full.val() || self.least[1].full.val();
            self.estimate[w].next = self.sum[w].sum.val();
            self.saturated[w].next = self.sum[w].saturated.val();
        }
        for r in 0..self.shape.removes * (1 - self.shape.shared) {
            self.underflow_line[r].d.next = self.underflow[r].val();
            self.underflowed[r].next = self.underflow_line[r].q.val();
        }
        for s in 0..self.shape.shared {
            if self.shape.ecc == 0 {
                self.first[s].d.next = self.entering[s].q.val();
            }
            for e in 0..self.shape.ecc {
                self.first_late[e].d.next = self.entering[s].q.val();
                self.first[s].d.next = self.first_late[e].q.val();
            }
            self.fold[s].first.next = self.first[s].q.val();
            self.fold[s].above.next = self.above.val().all();
            self.seen.next = self.fold[s].seen.val();
            for c in 0..self.shape.counts {
                self.fold[s].cell[c].next = self.bank[s].cell[c].val();
                self.fold[s].cell_full[c].next = self.bank[s].cell_full[c].val();
                self.estimate[c].next = self.fold[s].least[c].val();
                self.saturated[c].next = self.fold[s].full[c].val();
            }
            for r in 0..self.shape.removes {
                self.fold[s].underflow[r].next = self.underflow[r].val();
                self.underflowed[r].next = self.fold[s].underflowed[r].val();
            }
        }
        for c in 0..self.shape.conserves {
            comment!("what an insertion makes of the least");
            self.level[c].looked.next = self.slots.looked[c].val();
            self.level[c].inserting.next = self.slots.level_wanted[c].val();
            self.level[c].least.next = self.fold[c].least[c].val();
            self.level[c].seen.next = self.fold[c].seen.val();
            self.level[c].full.next = self.fold[c].full[c].val();
            for a in 0..self.shape.amounts() * self.shape.conserves {
                self.level[c].amount[a].next = self.amount[a].output.val();
            }
            self.estimate[c].next = self.level[c].level.val();
            self.seen.next = self.level[c].seen_before.val();
            self.saturated[c].next = self.level[c].saturated.val();
        }
        if self.shape.counts == 0 {
            self.verdict_in.next = bits_of(self.seen.val(), self.shape.verdict_bits);
        }
        for c in 0..self.shape.counts {
            self.threshold[c].next = self.registers.value[self.threshold_register].val();
            self.estimate_word[c].input.next = self.estimate[c].val();
            self.verdict_in.next = self.estimate_word[c].output.val() << 4usize;
            self.verdict_in
                .set_bit(0, self.estimate[c].val() >= self.threshold[c].val());
            self.verdict_in.set_bit(1, self.seen.val());
            self.verdict_in.set_bit(3, self.saturated[c].val());
        }
        for r in 0..self.shape.removes {
            self.verdict_in.set_bit(2, self.underflowed[r].val());
        }
        self.verdict.d.next = self.verdict_in.val();
        self.push.d.next = self.slots.answering.val() && !self.ports.reset.val();
        if self.shape.counted {
            self.item.d.next = self.slots.item.val() && !self.ports.reset.val();
            self.inserted.d.next = self.slots.inserted.val() && !self.ports.reset.val();
        }
        if self.shape.queued {
            self.verdicts.reset.next = self.ports.reset.val();
            self.verdicts.claim.next =
                self.sequencer.accept.val() && (bits_to(self.ports.s_item.tuser.val(), 2) != 1);
            self.verdicts.tag.next = self.ports.s_item.tid.val();
            self.verdicts.push.next = self.push.q.val();
            self.verdicts.flags.next = self.verdict.q.val();
            self.verdicts.ready.next = self.ports.m_verdict.tready.val();
            self.ports.m_verdict.tvalid.next = self.verdicts.valid.val();
            self.ports.m_verdict.tdata.next = self.verdicts.data.val();
            self.ports.m_verdict.tid.next = self.verdicts.data_tag.val();
        } else {
            self.tag_line.d.next = self.ports.s_item.tid.val();
            self.ports.m_verdict.tvalid.next = self.push.q.val();
            self.ports.m_verdict.tdata.next = self.verdict.q.val();
            self.ports.m_verdict.tid.next = self.tag_line.q.val();
        }

        if self.shape.counted {
            comment!("counters, in the order of their registers");
            self.changed.next = self.inserted.q.val();
            self.registers.event[self.place[CellCounter::Items as usize]].next = self.item.q.val();
            self.registers.event[self.place[CellCounter::Reported as usize]].next =
                self.item.q.val() && self.verdict.q.val().get_bit(0);
            self.registers.event[self.place[CellCounter::Inserted as usize]].next =
                self.inserted.q.val();
            for r in 0..self.shape.removes {
                self.removed[r].d.next = self.slots.removed[r].val() && !self.ports.reset.val();
                self.changed.next = self.inserted.q.val() || self.removed[r].q.val();
                self.registers.event[self.place[CellCounter::Removed as usize]].next =
                    self.removed[r].q.val();
                self.registers.event[self.place[CellCounter::Underflows as usize]].next =
                    self.removed[r].q.val() && self.verdict.q.val().get_bit(2);
            }
            if self.shape.counts > 0 {
                self.registers.event[self.place[CellCounter::Saturated as usize]].next =
                    self.changed.val() && self.verdict.q.val().get_bit(3);
            }
            self.registers.event[self.place[CellCounter::StallControl as usize]].next =
                self.sequencer.stall_control.val();
            self.registers.event[self.place[CellCounter::StallVerdict as usize]].next =
                self.sequencer.stall_verdict.val();
            for p in 0..self.shape.parity {
                for i in 0..self.shape.banks {
                    self.wrong_words[p].set_bit(i, self.bank[i].wrong_5[p].val());
                }
                self.wrong[p].d.next = self.wrong_words[p].val().any()
                    && self.slots.reading_5[p].val()
                    && !self.ports.reset.val();
                self.registers.event[self.place[CellCounter::ParityErrors as usize]].next =
                    self.wrong[p].q.val();
            }
        }

        for e in 0..self.shape.ecc {
            for i in 0..self.shape.banks {
                self.corrected_words[e].set_bit(i, self.bank[i].corrected_5[e].val());
                self.uncorrectable_words[e].set_bit(i, self.bank[i].uncorrectable_5[e].val());
            }
            self.corrected[e].d.next = self.corrected_words[e].val().any()
                && self.slots.reading_5[e].val()
                && !self.ports.reset.val();
            self.uncorrectable[e].d.next = self.uncorrectable_words[e].val().any()
                && self.slots.reading_5[e].val()
                && !self.ports.reset.val();
            self.registers.event[self.place[CellCounter::EccCorrected as usize]].next =
                self.corrected[e].q.val();
            self.registers.event[self.place[CellCounter::EccUncorrectable as usize]].next =
                self.uncorrectable[e].q.val();
        }

        comment!("registers");
        if self.shape.windows() == 0 {
            self.status.next = self.no_status.val()
                | bits_of(self.sequencer.running.val(), self.status_bits)
                | (bits_to(self.epochs.active_epoch.val(), self.status_bits)
                    << field::STATUS_EPOCH)
                | (bits_to(self.epochs.spare.val(), self.status_bits)
                    << field::STATUS_SPARE_EPOCHS)
                | (bits_of(self.epochs.covered.val(), self.status_bits) << field::STATUS_COVERED);
        }
        for w in 0..self.shape.windows() {
            self.pane_epoch[w].next = self.epochs.active_epoch.val();
            self.pane_spare[w].next = self.epochs.spare.val();
            if self.pane[w].q.val() {
                self.pane_epoch[w].next = self.second_epochs[w].active_epoch.val();
                self.pane_spare[w].next = self.second_epochs[w].spare.val();
            }
            self.status.next = self.no_status.val()
                | bits_of(self.sequencer.running.val(), self.status_bits)
                | (bits_to(self.pane_epoch[w].val(), self.status_bits) << field::STATUS_EPOCH)
                | (bits_to(self.pane_spare[w].val(), self.status_bits)
                    << field::STATUS_SPARE_EPOCHS)
                | (bits_of(
                    self.epochs.covered.val() && self.second_epochs[w].covered.val(),
                    self.status_bits,
                ) << field::STATUS_COVERED)
                | (bits_to(self.turns[w].q.val(), self.status_bits) << field::STATUS_TURNS);
        }
        for s in 0..self.shape.keyed {
            self.status.next = self.status.val()
                | (bits_of(self.registers.public_secret[s].val(), self.status_bits)
                    << field::STATUS_PUBLIC_SECRET);
        }
        self.registers.reset.next = self.ports.reset.val();
        self.registers.live[self.status_register].next = self.status.val();
        self.registers.finished.next = self.sequencer.finished.val();
        self.registers.hold_reads[0].next = self.sequencer.access_pending.val();
        self.registers.load[0].next = self.slots.fetched.val() && !self.storing.q.val();
        self.registers.load_value[0].next = bits_to(self.array_word.val(), 32);
        if self.shape.reached {
            self.ports.s_axil.link(&mut self.registers.axil);
        } else {
            self.no_host.axil.join(&mut self.registers.axil);
        }
    }
}
